"""PettingZoo's own tests, unmodified, over environments x views x knobs."""

from functools import partial
from typing import Any

import pettingzoo
import pytest
from conformance import GAMES, MODULES, SETTINGS
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel

import babelzoo
from babelzoo.envs.core import ConfigError, OrderEnforcing, WorldEnv, WorldParallelEnv

VIEWS = [("text", False), ("masked", False), ("masked", True), ("flat", False), ("flat", True)]

each_game = pytest.mark.parametrize("game", GAMES)
each_view = pytest.mark.parametrize(("view", "compose"), VIEWS, ids=lambda value: str(value))
each_setting = pytest.mark.parametrize(
    ("game", "knobs"),
    [(game, knobs) for game, _, knobs in SETTINGS],
    ids=[name for _, name, _ in SETTINGS],
)

pytestmark = pytest.mark.filterwarnings(
    # flat has no mask in its observation, so samplers send numbers of the other role: rounds fail
    "ignore:The observation contains all zeros:UserWarning",
)


def _arguments(view: str, compose: bool, knobs: dict[str, Any]) -> dict[str, Any]:
    return {"view": view, **({"compose": True} if compose else {}), **knobs}


@each_setting
@each_view
def test_pettingzoo_aec(game: str, view: str, compose: bool, knobs: dict[str, Any]) -> None:
    arguments = _arguments(view, compose, knobs)
    api_test(babelzoo.make(game, **arguments), num_cycles=60)
    seed_test(partial(babelzoo.make, game, **arguments), num_cycles=40)


@each_setting
@each_view
def test_pettingzoo_parallel(game: str, view: str, compose: bool, knobs: dict[str, Any]) -> None:
    arguments = _arguments(view, compose, knobs)
    parallel_api_test(babelzoo.make_parallel(game, **arguments), num_cycles=60)
    parallel_seed_test(partial(babelzoo.make_parallel, game, **arguments), num_cycles=40)


@each_game
@each_view
def test_pettingzoo_state(game: str, view: str, compose: bool) -> None:
    arguments = _arguments(view, compose, {"n_rounds": 20})
    state_test(babelzoo.make(game, **arguments), babelzoo.make_parallel(game, **arguments))


@each_game
@pytest.mark.parametrize("view", ["text", "masked"])
def test_pettingzoo_render(game: str, view: str) -> None:
    render_test(partial(babelzoo.make, game, view=view))


@each_game
def test_parallel_render(game: str) -> None:
    for mode, kind in (("ansi", str), ("rgb_array", object), ("human", type(None))):
        env = babelzoo.make_parallel(game, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
        env.close()
        env.close()


@each_game
@pytest.mark.parametrize("view", ["text", "masked", "flat"])
def test_max_cycles_counts_rounds(game: str, view: str) -> None:
    env = babelzoo.make(game, view=view, max_cycles=4).unwrapped
    parallel = babelzoo.make_parallel(game, view=view, max_cycles=4)
    env.reset(seed=1)
    parallel.reset(seed=1)
    while parallel.agents:
        parallel.step(dict.fromkeys(parallel.agents, "?"))
    boundaries = 0
    while not env.truncations[env.agent_selection]:
        env.play("?", "text")
        boundaries += env.outcome.boundary
    assert (env.world.round, parallel.world.round) == (4, 4)
    assert boundaries >= 4


@each_game
def test_every_way_to_make_one(game: str) -> None:
    module = MODULES[game]
    name = game.replace("-", "_")
    for env in (
        pettingzoo.make("aec", f"babelzoo/{game}", view="masked", max_cycles=7),
        babelzoo.make(name, view="masked", n_rounds=7),
        babelzoo.make(game.partition("-")[0], view="masked", n_rounds=7),
        module.env(view="masked", n_rounds=7),
    ):
        assert isinstance(env, OrderEnforcing)
        assert (str(env.unwrapped), env.unwrapped.config.n_rounds) == (name, 7)
    for parallel in (
        pettingzoo.make("parallel", f"babelzoo/{game}", max_cycles=7),
        babelzoo.make_parallel(game, max_cycles=7),
        module.parallel_env(max_cycles=7),
    ):
        assert isinstance(parallel, WorldParallelEnv)
        assert parallel.config.n_rounds == 7
    assert isinstance(module.raw_env(), WorldEnv)


@each_game
@pytest.mark.parametrize("view", ["text", "masked", "flat"])
def test_conversions(game: str, view: str) -> None:
    env = babelzoo.make(game, view=view, n_rounds=9)
    if env.metadata["is_parallelizable"]:
        parallel_api_test(aec_to_parallel(env), num_cycles=30)
    else:
        with pytest.raises(AssertionError, match="is_parallelizable"):
            aec_to_parallel(env)
    turns = turn_based_aec_to_parallel(env)
    turns.reset(seed=1)
    while turns.agents:
        turns.step({agent: turns.action_space(agent).sample() for agent in turns.agents})
    parallel = babelzoo.make_parallel(game, view=view, n_rounds=9)
    api_test(parallel_to_aec(parallel), num_cycles=30)


@each_game
def test_order_is_enforced(game: str, caplog: pytest.LogCaptureFixture) -> None:
    env = babelzoo.make(game)
    for call in (env.last, env.render, env.state, lambda: env.step(None)):
        with pytest.raises((AssertionError, AttributeError)):
            call()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="agent_iter"):
        for _ in env.agent_iter():
            pass
    while env.agents:
        env.last()
        done = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if done else "")
    env.step(None)
    assert "step() called after all agents" in caplog.text


@each_game
def test_raw_environments_say_what_comes_first(game: str) -> None:
    for env in (MODULES[game].raw_env(render_mode="ansi"), babelzoo.make_parallel(game)):
        for call in (
            env.state,
            env.render,
            env.snapshot,
            env.ready,
            lambda env=env: env.observe(env.possible_agents[0]),
            lambda env=env: env.step({}),
        ):
            with pytest.raises(ConfigError, match=r"expected (reset\(\) before|a render_mode)"):
                call()
        env.reset(seed=1, options={"unknown": 1})
        env.close()


@each_game
def test_wrong_arguments_are_explained(game: str) -> None:
    for arguments, expected in (
        ({"view": "pixels"}, "expected view to be one of text, masked, flat, actual 'pixels'."),
        ({"view": "struct"}, "expected view to be one of text, masked, flat, actual 'struct'."),
        ({"render_mode": "gif"}, "expected render_mode to be one of human, rgb_array, ansi, "),
        ({"compose": True}, "expected view 'masked' or 'flat' with compose=True, actual 'text'."),
        ({"preset": "no"}, "has no preset 'no': known are "),
        ({"max_cycles": 3, "n_rounds": 4}, "name the same knob: give one of them."),
    ):
        with pytest.raises(ConfigError) as caught:
            babelzoo.make(game, **arguments)
        assert expected in str(caught.value)
    env = babelzoo.make_parallel(game)
    with pytest.raises(ConfigError, match="expected an agent among"):
        env.observation_space("nobody_0")
    with pytest.raises(ConfigError, match="expected an agent among"):
        env.action_space("nobody_0")
    for seed in (-1, "x", 1.0, True):
        with pytest.raises(ConfigError, match="expected seed to be an integer of at least 0"):
            env.reset(seed=seed)


def test_unknown_games_name_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'lewis-v0'"):
        babelzoo.make("lewes-v0")
    with pytest.raises(ConfigError, match="there is no environment 'lewis-v9'"):
        babelzoo.make("lewis-v9")
