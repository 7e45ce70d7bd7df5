"""The shells in general, on a toy game with births and deaths."""

import copy
import json
import pickle
from functools import partial
from typing import Any

import crowd
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import aec_to_parallel

import babelzoo
from babelzoo.envs.core import ConfigError, Outcome

VIEWS = ("text", "masked", "flat")

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}:UserWarning")
    for message in (
        "No agents present but not all possible_agents",
        "Live agent was not given",
        "Agent was given",
        "The base",
    )
]


def _play(env: Any, *moves: str) -> None:
    for move in moves:
        env.step(move)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("knobs", [{}, {"fate": 0.3}, {"names": 3}, {"founders": 1}], ids=str)
def test_pettingzoo_with_births_and_deaths(view: str, knobs: dict[str, Any]) -> None:
    api_test(crowd.env(view=view, **knobs), num_cycles=60)
    seed_test(partial(crowd.env, view=view, **knobs), num_cycles=60)
    parallel_api_test(crowd.parallel_env(view=view, **knobs), num_cycles=60)
    parallel_seed_test(partial(crowd.parallel_env, view=view, **knobs), num_cycles=60)
    parallel_api_test(aec_to_parallel(crowd.env(view=view, **knobs)), num_cycles=60)


@pytest.mark.parametrize("view", VIEWS)
def test_our_check(view: str) -> None:
    make, parallel = partial(crowd.env, view=view, fate=0.2), partial(crowd.parallel_env, view=view)
    assert all(found.passed for found in babelzoo.check(make, parallel, cycles=30))


def test_rewards_add_up_until_the_next_turn() -> None:
    env = crowd.raw_env()
    env.reset(seed=1)
    _play(env, "stay", "stay")
    assert set(env.rewards.values()) == {0.0}
    _play(env, "stay")
    assert set(env.rewards.values()) == {1.0}
    assert env.last()[1] == 1.0
    _play(env, "stay")
    assert set(env.rewards.values()) == {0.0}
    assert env._cumulative_rewards == {"being_0": 0.0, "being_1": 1.0, "being_2": 1.0}


def test_several_die_in_one_step() -> None:
    env = crowd.raw_env()
    env.reset(seed=1)
    _play(env, "die", "stay", "die")
    assert env.agents == ["being_0", "being_1", "being_2"]
    for dead in ("being_0", "being_2"):
        assert env.agent_selection == dead
        observation, reward, terminated, truncated, info = env.last()
        assert observation == f"Tick 1: 1 live, {dead} not."
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert info["legal_actions"] == ("wait()",)
        with pytest.raises(ValueError, match=f"expected None for {dead}, which has ended"):
            env.step("stay")
        env.step(None)
        assert dead not in env.agents
        assert dead not in env.infos
        assert env.observe(dead) == observation
    assert env.agent_selection == "being_1"
    assert env.last()[1] == 1.0
    env.step("die")
    env.step(None)
    assert env.agents == []
    env.step(None)
    assert "not" in env.observe("being_7")


def test_births_join_at_the_end_of_a_cycle() -> None:
    env = crowd.raw_env()
    env.reset(seed=1)
    held = env.agents
    assert env.observe("being_3") == "Tick 0: 3 live, being_3 not."
    _play(env, "bear", "bear", "die")
    assert held == ["being_0", "being_1", "being_2"]  # rebound, not changed in place
    env.step(None)
    assert env.agents == ["being_0", "being_1", "being_3", "being_4"]
    assert env.infos["being_3"]["legal_actions"] == ("wait()",)
    _play(env, "stay", "stay")
    assert env.agent_selection == "being_3"
    assert env.last()[1:4] == (0.0, False, False)


def test_newborns_action_spaces_follow_from_the_seed() -> None:
    drawn = []
    for _ in range(2):
        env = crowd.raw_env(view="masked")
        env.reset(seed=1)
        for number in (1, 0, 0):
            env.step(number)
        drawn.append([int(env.action_space("being_3").sample()) for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 1


def test_one_kind_of_flag_for_all_survivors() -> None:
    env = crowd.parallel_env(ticks=2)
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, "bear"))
    assert len(env.agents) == 6
    actions = dict.fromkeys(env.agents, "stay") | {"being_0": "die"}
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert env.agents == []
    assert [a for a, flag in terminated.items() if flag] == ["being_0"]
    assert sum(truncated.values()) == 5
    assert set(observations) == set(rewards) == set(infos) == set(terminated)
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_parallel_newborns_appear_in_their_birth_step() -> None:
    env = crowd.parallel_env()
    env.reset(seed=1)
    observations, rewards, terminated, _, infos = env.step(dict.fromkeys(env.agents, "bear"))
    assert list(observations) == [f"being_{i}" for i in range(6)] == env.agents
    assert rewards["being_5"] == 0.0
    assert not terminated["being_5"]
    assert infos["being_5"]["legal_actions"][0].startswith("do(")


def test_aec_and_parallel_are_one_game() -> None:
    rng = np.random.default_rng(3)
    env, parallel = crowd.raw_env(fate=0.1), crowd.parallel_env(fate=0.1)
    env.reset(seed=4)
    parallel.reset(seed=4)
    while parallel.agents:
        actions = {agent: str(rng.choice(["stay", "bear", "die?"])) for agent in parallel.agents}
        observations, _, _, _, _ = parallel.step(actions)
        for agent in actions:
            assert env.agent_selection == agent
            env.step(actions[agent])
        while (
            env.agents
            and env.terminations[env.agent_selection] | env.truncations[env.agent_selection]
        ):
            env.step(None)
        assert env.agents == parallel.agents
        assert env.world.state_hash() == parallel.world.state_hash()
        assert all(env.observe(agent) == seen for agent, seen in observations.items())


@pytest.mark.parametrize("how", ["snapshot", "deepcopy", "pickle"])
@pytest.mark.parametrize("form", ["aec", "parallel"])
@pytest.mark.parametrize("steps", range(0, 12, 2))
def test_copies_in_mid_game(how: str, form: str, steps: int) -> None:
    make = crowd.raw_env if form == "aec" else crowd.parallel_env
    env = make(fate=0.15, compose=True, view="masked")
    env.reset(seed=9)
    step = _aec_step if form == "aec" else _parallel_step
    for number in range(steps):
        step(env, number)
    other = _copy(env, how, partial(make, fate=0.15, compose=True, view="masked"))
    for number in range(40):
        assert crowd.digest(step(env, number)) == crowd.digest(step(other, number))
    assert env.world.state_hash() == other.world.state_hash()
    if form == "parallel":
        env.reset()
        other.reset()
        assert env.episode_seed == other.episode_seed


def _copy(env: Any, how: str, make: Any) -> Any:
    if how == "deepcopy":
        return copy.deepcopy(env)
    if how == "pickle":
        return pickle.loads(pickle.dumps(env))
    other = make()
    other.reset(seed=77)
    other.step(0 if hasattr(other, "agent_selection") else dict.fromkeys(other.agents, 0))
    other.restore(json.loads(json.dumps(env.snapshot())))
    return other


def _aec_step(env: Any, number: int) -> Any:
    if not env.agents:
        return None
    ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    seen = env.agent_selection, env.last(), dict(env.rewards), list(env.agents), env.infos
    env.step(None if ended else (0, 2, 0, 3, 1)[number % 5])
    return seen


def _parallel_step(env: Any, number: int) -> Any:
    if not env.agents:
        return None
    return env.step({a: (number + i) % 5 for i, a in enumerate(env.agents)})


def test_a_world_in_which_nobody_is_ready_is_a_fault() -> None:
    env = crowd.raw_env()
    env.reset(seed=1)
    env.world.ready = tuple
    env.world.apply = lambda agent, move: Outcome()
    with pytest.raises(RuntimeError, match="none of them is ready"):
        env.step("stay")


def test_an_unready_agent_is_a_fault_of_the_caller() -> None:
    env = crowd.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not ready"):
        env.world.apply("being_1", crowd.Do("stay"))


def test_presets_and_pages() -> None:
    assert crowd.GAME.summary == "A crowd"
    assert crowd.raw_env(preset="brief").config.ticks == 2
    assert crowd.raw_env(preset="brief", ticks=3).config.ticks == 3
    with pytest.raises(ConfigError, match="known are brief"):
        crowd.raw_env(preset="long")


def test_pending_moves_can_only_wait() -> None:
    env = crowd.parallel_env(view="masked", compose=True)
    observations, _ = env.reset(seed=1)
    assert observations["being_0"]["action_mask"].tolist() == [1, 1, 0, 0, 0]
    actions = {"being_0": 1, "being_1": 0, "being_2": 0}  # wait is whole, do is not
    observations, _, _, _, _ = env.step(actions)
    assert observations["being_0"]["action_mask"].tolist() == [0, 1, 0, 0, 0]
    assert observations["being_1"]["action_mask"].tolist() == [0, 0, 1, 1, 1]
    assert env.world.tick == 0
    env.step({"being_1": 2, "being_2": 3})
    assert env.world.tick == 1


def test_missing_actions_are_refused() -> None:
    env = crowd.parallel_env()
    env.reset(seed=1)
    _, _, _, _, infos = env.step({"being_0": "stay", "being_1": "?"})
    assert "rejected" not in infos["being_0"]
    assert infos["being_1"]["rejected"].startswith("expected stay, bear or die, actual '?'")
    assert infos["being_2"]["rejected"] == "expected an action, actual none."


def test_a_refusals_reason_is_told_until_the_next_move_or_the_end() -> None:
    env = crowd.raw_env(ticks=2)
    env.reset(seed=1)
    _play(env, "stay", "?", "stay", "die")
    assert "rejected" in env.infos["being_1"]
    _play(env, "stay")
    assert "rejected" not in env.infos["being_1"]
    _play(env, "?")
    for agent in ("being_0", "being_1", "being_2"):
        assert env.agent_selection == agent
        assert ("rejected" in env.last()[4]) is (agent == "being_2")
        env.step(None)
    assert env.snapshot()["rejected"] == {}
    env = crowd.raw_env()
    env.reset(seed=1)
    _play(env, "?", "die", "stay")
    assert env.agent_selection == "being_1"
    assert "rejected" in env.infos["being_0"]
    assert "rejected" not in env.last()[4]
