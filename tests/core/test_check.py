"""`babelzoo.check` passes what is right and names what is wrong, check by check."""

import random

import broken
import numpy as np
import pytest

import babelzoo
from babelzoo.envs.core._properties import equal


def _failing(env_fn: object, **arguments: object) -> dict[str, str]:
    report = babelzoo.check(env_fn, raise_on_failure=False, **arguments)  # type: ignore[arg-type]
    return {found.name: found.explanation for found in report if not found.passed}


def test_the_right_one_passes() -> None:
    report = babelzoo.check(broken.Right, cycles=30)
    assert all(found.passed for found in report)
    assert [found.name for found in report] == [
        "pettingzoo.api_test",
        "pettingzoo.seed_test",
        "determinism",
        "restart",
        "global generators",
        "observe",
        "spaces",
        "deepcopy",
        "snapshot",
        "rewards",
    ]


@pytest.mark.parametrize(
    ("env_fn", "name", "said"),
    [
        (broken.Unseeded, "determinism", "differs. The same seed and actions must give the same"),
        (broken.GlobalNumPy, "global generators", "`numpy.random` was used or seeded."),
        (broken.GlobalPython, "global generators", "`random` was used or seeded."),
        (broken.Overpaid, "rewards", "while its rewards since its last step sum to"),
        (broken.NewSpaces, "spaces", "action_space('player_0') gives a new object each time."),
        (broken.Unpicklable, "spaces", "action_space('player_0') can't be pickled"),
        (broken.Peeking, "observe", "twice in a row gives two different answers."),
        (broken.Forgetful, "deepcopy", "Of an environment in mid-episode and its copy,"),
        (broken.Leaky, "restart", "After reset() of a used one, the observation of step 0"),
        (broken.Moody, "determinism", "the observation of step 20 (player_0) differs"),
        (broken.Mute, "observe", "it raised KeyError: 'player_0'."),
        (broken.Outside, "observe", "After the end observe('player_0') is not in its observation"),
        (broken.Partial, "snapshot", "Of an environment and one restored from its snapshot,"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_each_fault_is_found(env_fn: type, name: str, said: str) -> None:
    failing = _failing(env_fn, cycles=30)
    assert said in failing[name], failing


def test_a_failing_report_raises() -> None:
    with pytest.raises(babelzoo.CheckFailed, match=r"of 10 checks fail:\n- ") as caught:
        babelzoo.check(broken.Overpaid, cycles=20)
    assert isinstance(caught.value, AssertionError)
    assert len(caught.value.report) == 10
    assert "_cumulative_rewards of the acting agent to 0" in str(caught.value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_pettingzoos_own() -> None:
    from pettingzoo.classic import rps_v2, tictactoe_v3

    for module in (tictactoe_v3, rps_v2):
        parallel = getattr(module, "parallel_env", None)
        failing = _failing(lambda module=module: module.env(), parallel_fn=parallel, cycles=20)
        # they inherit EzPickle: https://github.com/Farama-Foundation/PettingZoo/issues/1307
        assert set(failing) == {"deepcopy"}
        assert "EzPickle" in failing["deepcopy"]


def test_the_callers_generators_are_left_as_they_were() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate()
    babelzoo.check(broken.Right, cycles=10)
    assert random.getstate() == before


def test_equal_is_strict() -> None:
    assert equal(
        {"a": (1, np.zeros(2)), "b": float("nan")}, {"a": (1, np.zeros(2)), "b": float("nan")}
    )
    for a, b in (
        (1, 1.0),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros(2, int)),
        ({"a": 1}, {"b": 1}),
        ([1], [1, 2]),
        ("a", "b"),
    ):
        assert not equal(a, b)
