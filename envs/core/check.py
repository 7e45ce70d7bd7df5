"""`check`: PettingZoo's own tests and ours on anybody's environment, explained."""

import io
import random
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import partial
from importlib import import_module
from typing import Any

import msgspec
import numpy as np

from babelzoo.envs.core._properties import PROPERTIES, Failure
from babelzoo.envs.core.quoting import shorten

__all__ = ["CheckFailed", "Checked", "check"]

_KEPT = 400  # characters of a foreign message that are shown


class Checked(msgspec.Struct, frozen=True):
    """What one check found.

    Attributes:
        name: The check.
        passed: Whether the environment keeps what is checked.
        explanation: Why that matters; of a failure, what was seen and how to mend it.
    """

    name: str
    passed: bool
    explanation: str


class CheckFailed(AssertionError):
    """An environment does not keep what PettingZoo or its users rely on.

    Attributes:
        report: All checks, passed ones too.
    """

    def __init__(self, report: tuple[Checked, ...]) -> None:
        failures = [f"- {found.name}: {found.explanation}" for found in report if not found.passed]
        super().__init__(f"{len(failures)} of {len(report)} checks fail:\n" + "\n".join(failures))
        self.report = report


def check(
    env_fn: Callable[..., Any],
    parallel_fn: Callable[..., Any] | None = None,
    *,
    cycles: int = 100,
    seed: int = 42,
    raise_on_failure: bool = True,
) -> tuple[Checked, ...]:
    """Check an environment.

    Args:
        env_fn: Makes a new AEC environment; to have rendering checked it takes `render_mode`.
        parallel_fn: Makes a new parallel environment of the same game.
        cycles: How long to play: PettingZoo's cycles, and as many steps for each agent in ours.
        seed: Seed of the environments and of the actions.
        raise_on_failure: Whether failures raise.

    Returns:
        What every check found, in a fixed order.

    Raises:
        CheckFailed: Some check fails; the message lists and explains those.
    """
    state = random.getstate(), np.random.get_state()  # noqa: NPY002
    report = [
        _run(name, partial(test, cycles), advice)
        for name, test, advice in _pettingzoo(env_fn, parallel_fn)
    ]
    report += [
        _run(found.name, partial(found.test, env_fn, cycles, seed), found.advice)
        for found in PROPERTIES
    ]
    random.setstate(state[0])
    np.random.set_state(state[1])  # noqa: NPY002
    result = tuple(report)
    if raise_on_failure and not all(found.passed for found in result):
        raise CheckFailed(result)
    return result


_PettingZooTest = tuple[str, Callable[[int], None], str]


def _tests() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's tests import its own deprecated modules
        return import_module("pettingzoo.test")


def _pettingzoo(
    env_fn: Callable[..., Any], parallel_fn: Callable[..., Any] | None
) -> Iterable[_PettingZooTest]:
    test = _tests()

    yield (
        "pettingzoo.api_test",
        lambda cycles: test.api_test(env_fn(), num_cycles=cycles),
        "PettingZoo's contract of AEC environments: see https://pettingzoo.farama.org/api/aec/.",
    )
    yield (
        "pettingzoo.seed_test",
        lambda cycles: test.seed_test(env_fn, num_cycles=cycles),
        "Draw all randomness from a generator that reset(seed=...) seeds.",
    )
    if parallel_fn is not None:
        make = parallel_fn
        yield (
            "pettingzoo.parallel_api_test",
            lambda cycles: test.parallel_api_test(make(), num_cycles=cycles),
            "PettingZoo's contract of parallel environments: see "
            "https://pettingzoo.farama.org/api/parallel/.",
        )
        yield (
            "pettingzoo.parallel_seed_test",
            lambda cycles: test.parallel_seed_test(make, num_cycles=cycles),
            "Draw all randomness from a generator that reset(seed=...) seeds.",
        )
    if _renders(env_fn):
        yield (
            "pettingzoo.render_test",
            lambda cycles: test.render_test(env_fn),
            "render() returns None for 'human', a uint8 array (height, width, 3) for 'rgb_array' "
            "and a string for 'ansi'; all modes stand in metadata['render_modes'].",
        )


def _renders(env_fn: Callable[..., Any]) -> bool:
    """Whether `env_fn` takes `render_mode` and the environment can draw frames or text."""
    env = env_fn()
    modes = env.metadata.get("render_modes") or ()
    env.close()
    try:
        env_fn(render_mode=None).close()
    except TypeError:
        return False
    return bool(modes)


def _run(name: str, test: Callable[[], None], advice: str) -> Checked:
    """Run one check. Whatever it raises is its finding: the environment is foreign code."""
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            test()
    except Failure as failure:
        return Checked(name, False, f"{failure} {advice}")
    except Exception as error:
        seen = shorten(f"{type(error).__name__}: {error}", _KEPT)
        return Checked(name, False, f"it raised {seen}. {advice}")
    return Checked(name, True, advice)
