"""What a round and an environment of SaveVeyru cost: counted, never timed."""

from typing import Any

import pytest
from counting import calls, grown, memory_of

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


def _rounds(env: Any, rounds: range) -> None:
    for number in rounds:
        _round(env, number)


@pytest.mark.slow
@cases
def test_a_rounds_cost_does_not_grow_with_rounds(arguments: dict[str, Any]) -> None:
    env = _made(arguments, 100_000)
    counted = []
    for start in (3000, 100):  # the long game first: it fills the tables that all share
        env.reset(seed=1)
        _rounds(env, range(start))
        counted.append(calls(lambda: _rounds(env, range(env.world.round, env.world.round + 60))))
    assert counted[0] == pytest.approx(counted[1], rel=0.1)


def _shown(arguments: dict[str, Any]) -> Any:
    env = saveveyru_v0.raw_env(**arguments)
    env.reset(seed=2)
    env.last()
    return env


@cases
def test_memory_of_one_environment(arguments: dict[str, Any]) -> None:
    _shown(arguments)  # makes what all share
    assert memory_of(lambda: _shown(arguments)) <= 64 * 1024


@pytest.mark.slow
@cases
def test_memory_does_not_grow(arguments: dict[str, Any]) -> None:
    env = _made(arguments, 100_000)
    _rounds(env, range(1500))  # the 1,404 rotated tables are kept once
    assert grown(lambda: _rounds(env, range(1500, 3000))) <= 2**20


def test_an_observation_is_as_long_after_200_resets() -> None:
    env = _made({}, 15)
    lengths = []
    for _ in range(200):
        env.reset(seed=1)
        lengths.append(len(env.last()[0]))
        _round(env, 0)
    assert len(set(lengths)) == 1
