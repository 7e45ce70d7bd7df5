"""What a round and an environment of SaveVeyru cost: counted, never timed."""

import gc
import sys
import tracemalloc
from typing import Any

import pytest

from babelzoo.envs import saveveyru_v0

CASES: list[dict[str, Any]] = [
    {},
    {"preset": "sealed"},
    {"view": "masked", "action_format": "structured"},
    {"mode": "two_teams"},
    {"delivery": "pull"},
]
cases = pytest.mark.parametrize("arguments", CASES, ids=str)


def _round(env: Any, number: int) -> None:
    """One round of everybody: something is said, then both fall silent."""
    until = number + 1
    text = "view" not in env.knobs_of_test
    talk = ["link: hi there", "link: yes", '{"action":"stabilize","procedure":"ring"}']
    step = 0
    while env.world.round < until:
        env.last()
        wait = "wait" if text else env.action_space(env.agent_selection).n - 1
        env.step(talk[step] if text and step < len(talk) else wait)
        step += 1


def _made(arguments: dict[str, Any], n_rounds: int) -> Any:
    env: Any = saveveyru_v0.raw_env(n_rounds=n_rounds, **arguments)
    env.knobs_of_test = arguments
    env.reset(seed=1)
    return env


def _calls(env: Any, rounds: range) -> int:
    """Function calls, Python's and C's, of some rounds."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        for number in rounds:
            _round(env, number)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.slow
@cases
def test_a_rounds_cost_does_not_grow_with_rounds(arguments: dict[str, Any]) -> None:
    env = _made(arguments, 100_000)
    counted = []
    for start in (3000, 100):  # the long game first: it fills the tables that all share
        env.reset(seed=1)
        for number in range(start):
            _round(env, number)
        counted.append(_calls(env, range(start, start + 60)))
    assert counted[0] == pytest.approx(counted[1], rel=0.1)


@cases
def test_memory_of_one_environment(arguments: dict[str, Any]) -> None:
    """The least of three: what is shared, or another thread's, is made in the first at most."""
    first = saveveyru_v0.raw_env(**arguments)
    first.reset(seed=2)
    first.last()
    assert min(_memory(arguments) for _ in range(3)) <= 64 * 1024


def _memory(arguments: dict[str, Any]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        env = saveveyru_v0.raw_env(**arguments)
        env.reset(seed=2)
        env.last()
        gc.collect()
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert env.agents
    return used


@pytest.mark.slow
@cases
def test_memory_does_not_grow(arguments: dict[str, Any]) -> None:
    env = _made(arguments, 100_000)
    for number in range(1500):  # the 1,404 rotated tables are kept once
        _round(env, number)
    gc.collect()
    tracemalloc.start(1)
    try:
        for number in range(1500, 3000):
            _round(env, number)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert grown <= 2**20, grown


def test_an_observation_is_as_long_after_200_resets() -> None:
    env = _made({}, 15)
    lengths = []
    for _ in range(200):
        env.reset(seed=1)
        lengths.append(len(env.last()[0]))
        _round(env, 0)
    assert len(set(lengths)) == 1
