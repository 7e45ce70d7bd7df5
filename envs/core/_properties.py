"""The properties that `check` tests beside PettingZoo's own, on any AEC environment."""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np

__all__ = ["PROPERTIES", "Failure", "Property"]

EnvFn = Callable[..., Any]


class Failure(Exception):
    """An environment lacks a property; the message is a sentence that says what was seen."""


class Property(msgspec.Struct, frozen=True):
    """One property.

    Attributes:
        name: Its name in the report.
        test: Called with the factory, a number of cycles and a seed; raises `Failure`.
        advice: Why it matters and how to mend it.
    """

    name: str
    test: Callable[[EnvFn, int, int], None]
    advice: str


def equal(a: Any, b: Any) -> bool:
    """Whether two observations, infos or rewards are the same, types included; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, np.ndarray):
        exact = a.shape == b.shape and a.dtype == b.dtype
        return exact and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    return bool(a == b) or (a != a and b != b)


def _choose(env: Any, agent: str, observation: Any, info: dict[str, Any], space: Any) -> Any:
    """An action drawn from the action space, masked where there is a mask; None at the end."""
    if env.terminations[agent] or env.truncations[agent]:
        return None
    mask = info.get("action_mask")
    if isinstance(observation, dict) and "action_mask" in observation:
        mask = observation["action_mask"]
    return space.sample() if mask is None else space.sample(mask)


def _seeded(env: Any, seed: int) -> Any:
    """Reset an environment and seed its action spaces."""
    env.reset(seed=seed)
    for place, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + place)
    return env


def trace(env: Any, steps: int) -> Iterator[tuple[Any, ...]]:
    """Play at most `steps` steps, to the end with the dead steps.

    Yields:
        Agent, observation, reward, flags, info and action of each step.
    """
    for _ in range(steps):
        if not env.agents:
            return
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        action = _choose(env, agent, observation, info, env.action_space(agent))
        yield agent, copy.deepcopy(observation), reward, terminated, truncated, dict(info), action
        env.step(action)


_PARTS = ("agent", "observation", "reward", "termination", "truncation", "info", "action")


def _compare(a: Any, b: Any, steps: int, what: str) -> None:
    """Play two environments side by side.

    Raises:
        Failure: They differ.
    """
    one, other = trace(a, steps), trace(b, steps)
    for number in range(steps + 1):
        x, y = next(one, None), next(other, None)
        if (x is None) != (y is None):
            raise Failure(f"{what} one game is over after {number} steps, the other is not.")
        if x is None or y is None:
            return
        for part, left, right in zip(_PARTS, x, y, strict=True):
            if not equal(left, right):
                raise Failure(f"{what} the {part} of step {number} ({x[0]}) differs.")


def _length(env: Any, cycles: int) -> int:
    return cycles * max(1, len(getattr(env, "possible_agents", env.agents)))


def _determinism(env_fn: EnvFn, cycles: int, seed: int) -> None:
    a, b = _seeded(env_fn(), seed), _seeded(env_fn(), seed)
    _compare(a, b, _length(a, cycles), "Of two environments with one seed,")


def _restart(env_fn: EnvFn, cycles: int, seed: int) -> None:
    used = _seeded(env_fn(), seed + 1)
    for _ in trace(used, _length(used, cycles) // 2):
        pass
    fresh = _seeded(env_fn(), seed)
    _compare(_seeded(used, seed), fresh, _length(fresh, cycles), "After reset() of a used one,")


def _global_generators(env_fn: EnvFn, cycles: int, seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    env = _seeded(env_fn(), seed)
    for _ in trace(env, _length(env, cycles)):
        pass
    if random.getstate() != before[0]:
        raise Failure("The global generator of `random` was used or seeded.")
    if not equal(np.random.get_state(), before[1]):  # noqa: NPY002
        raise Failure("The global generator of `numpy.random` was used or seeded.")


def _observe(env_fn: EnvFn, cycles: int, seed: int) -> None:
    env = _seeded(env_fn(), seed)
    everyone = list(getattr(env, "possible_agents", env.agents))
    for number, _ in enumerate(trace(env, _length(env, cycles))):
        for agent in everyone if number % 7 == 0 else env.agents[:2]:
            if not equal(env.observe(agent), env.observe(agent)):
                raise Failure(f"observe({agent!r}) twice in a row gives two different answers.")
    for agent in everyone:
        if not env.observation_space(agent).contains(env.observe(agent)):
            raise Failure(f"After the end observe({agent!r}) is not in its observation space.")


def _spaces(env_fn: EnvFn, cycles: int, seed: int) -> None:
    env = _seeded(env_fn(), seed)
    for agent in getattr(env, "possible_agents", env.agents):
        for space in (env.observation_space, env.action_space):
            if space(agent) is not space(agent):
                raise Failure(f"{space.__name__}({agent!r}) gives a new object each time.")
            try:
                same = pickle.loads(pickle.dumps(space(agent))) == space(agent)
            except Exception as error:
                raise Failure(f"{space.__name__}({agent!r}) can't be pickled: {error}.") from error
            if not same:
                raise Failure(f"{space.__name__}({agent!r}) does not equal its pickled copy.")


def _middle(env_fn: EnvFn, cycles: int, seed: int) -> Iterator[tuple[Any, int]]:
    """Environments in mid-episode, at several places, and how far to play on."""
    for steps in (1, cycles // 3, cycles):
        env = _seeded(env_fn(), seed)
        for _ in trace(env, steps):
            pass
        yield env, _length(env, cycles)


def _copies(env_fn: EnvFn, cycles: int, seed: int) -> None:
    for env, steps in _middle(env_fn, cycles, seed):
        _compare(env, copy.deepcopy(env), steps, "Of an environment in mid-episode and its copy,")


def _snapshots(env_fn: EnvFn, cycles: int, seed: int) -> None:
    for env, steps in _middle(env_fn, cycles, seed):
        offers = env.unwrapped
        if not (hasattr(offers, "snapshot") and hasattr(offers, "restore")):
            return
        state = msgspec.json.decode(msgspec.json.encode(offers.snapshot()))
        other = _seeded(env_fn(), seed + 1)
        other.unwrapped.restore(state)
        for agent in env.agents:
            env.action_space(agent).seed(seed)
            other.action_space(agent).seed(seed)
        _compare(env, other, steps, "Of an environment and one restored from its snapshot,")


def _rewards(env_fn: EnvFn, cycles: int, seed: int) -> None:
    env = _seeded(env_fn(), seed)
    owed = dict.fromkeys(env.agents, 0.0)
    for _ in range(_length(env, cycles)):
        if not env.agents:
            return
        agent = env.agent_selection
        observation, reward, _, _, info = env.last()
        if abs(reward - owed.get(agent, 0.0)) > 1e-6:
            raise Failure(
                f"last() gives {agent} a reward of {reward:g}, while its rewards since its last "
                f"step sum to {owed.get(agent, 0.0):g}."
            )
        owed[agent] = 0.0
        action = _choose(env, agent, observation, info, env.action_space(agent))
        env.step(action)
        if action is not None:
            for paid, amount in env.rewards.items():
                owed[paid] = owed.get(paid, 0.0) + amount


PROPERTIES = (
    Property(
        "determinism",
        _determinism,
        "The same seed and actions must give the same observations, rewards, flags and infos "
        "through the dead steps: draw from a generator that reset(seed=...) makes, iterate over "
        "no sets, put no clocks into infos.",
    ),
    Property(
        "restart",
        _restart,
        "reset() must forget the last episode whole, also one that was broken off.",
    ),
    Property(
        "global generators",
        _global_generators,
        "Other code in the process relies on them: use a numpy.random.Generator of your own.",
    ),
    Property(
        "observe",
        _observe,
        "observe() must change nothing and answer at any time for every possible agent, "
        "living or not: learners and recorders call it.",
    ),
    Property(
        "spaces",
        _spaces,
        "Make each space once, in __init__, without a reference to the environment: learners "
        "seed them and send them to other processes.",
    ),
    Property(
        "deepcopy",
        _copies,
        "Search and evaluation copy environments: keep the state in plain attributes, and don't "
        "inherit EzPickle, which makes a fresh environment instead.",
    ),
    Property(
        "snapshot",
        _snapshots,
        "snapshot() must hold all state as plain data, the shell's too (selection, rewards, "
        "flags), and restore() must take all of it up.",
    ),
    Property(
        "rewards",
        _rewards,
        "In step(), set _cumulative_rewards of the acting agent to 0, clear all rewards, write "
        "the new ones and add them up.",
    ),
)
