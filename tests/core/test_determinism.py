"""Same seed and moves, same everything: across forms, copies and processes."""

import copy
import json
import os
import pickle
import subprocess
import sys
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest
from conformance import MODULES
from hypothesis import given, settings
from hypothesis import strategies as st

import babelzoo
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import canonical
from babelzoo.envs.core._properties import equal

LEWIS: list[dict[str, Any]] = [
    {"n_rounds": 12},
    {"n_rounds": 12, "n_senders": 3, "n_receivers": 2, "noise": 0.3, "public_board": True},
]
CASES: list[tuple[str, dict[str, Any]]] = [
    *(("lewis-v0", knobs) for knobs in LEWIS),
    ("saveveyru-v0", {"n_rounds": 2}),
    ("saveveyru-v0", {"preset": "sealed", "n_rounds": 2, "action_format": "structured"}),
    ("saveveyru-v0", {"mode": "two_teams", "n_rounds": 3, "swap_after": 1, "noise": 0.3}),
    (
        "saveveyru-v0",
        {"mode": "intern", "n_rounds": 3, "intern_joins": 1, "intern_takes_over": 2},
    ),
    ("saveveyru-v0", {"mode": "eavesdropper", "n_rounds": 2, "delivery": "pull"}),
]
MODES = [("text", False), ("masked", False), ("masked", True), ("flat", True)]

_SCRIPT = """
import sys
sys.path[:0] = [{folder!r}, {folder!r} + "/../support"]
from test_determinism import digest_of_everything
print(digest_of_everything())
"""


def _plain(data: Any) -> Any:
    if isinstance(data, np.ndarray):
        return [str(data.dtype), data.tolist()]
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def _action(env: Any, agent: str, observation: Any, info: dict[str, Any]) -> Any:
    mask = observation["action_mask"] if isinstance(observation, dict) else info.get("action_mask")
    return (
        env.action_space(agent).sample(mask)
        if mask is not None
        else env.action_space(agent).sample()
    )


def _aec_trace(env: Any) -> list[Any]:
    trace = []
    while env.agents:
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        trace.append([agent, observation, reward, terminated, truncated, info, dict(env.rewards)])
        env.step(None if terminated or truncated else _action(env, agent, observation, info))
    trace.append([env.observe(agent) for agent in env.possible_agents])
    return trace


def _parallel_trace(env: Any, observations: Any, infos: Any) -> list[Any]:
    trace = [observations, infos]
    while env.agents:
        actions = {a: _action(env, a, observations[a], infos[a]) for a in env.agents}
        observations, rewards, terminated, truncated, infos = env.step(actions)
        trace += [observations, rewards, terminated, truncated, infos]
    return trace


def digest_of_everything() -> str:
    """Observations, infos, rewards and flags of all forms, views and knobs, through the end."""
    found = blake2b(digest_size=16)
    for game, knobs in CASES:
        for view, compose in MODES:
            arguments = {"view": view, **knobs, **({"compose": True} if compose else {})}
            env, parallel = (
                babelzoo.make(game, **arguments),
                babelzoo.make_parallel(game, **arguments),
            )
            for seed in (5, None):
                env.reset(seed=seed)
                first = parallel.reset(seed=seed)
                for some in (env, parallel):
                    for place, agent in enumerate(some.possible_agents):
                        some.action_space(agent).seed(place)
                data = [_aec_trace(env), _parallel_trace(parallel, *first)]
                found.update(json.dumps(_plain(data), sort_keys=True).encode())
    return found.hexdigest()


def test_processes_with_other_hash_seeds_agree() -> None:
    folder = os.path.dirname(__file__)  # noqa: PTH120
    here = digest_of_everything()
    for hash_seed in ("0", "1234"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _SCRIPT.format(folder=folder)],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == here


@pytest.mark.parametrize("how", ["snapshot", "deepcopy", "pickle"])
@pytest.mark.parametrize(("view", "compose"), MODES)
@pytest.mark.parametrize(("game", "knobs"), CASES, ids=str)
def test_copies_go_on_alike(
    how: str, view: str, compose: bool, game: str, knobs: dict[str, Any]
) -> None:
    """After every step: in mid-round, in mid-composition and with dead steps pending."""
    arguments = {"view": view, **knobs, **({"compose": True} if compose else {})}
    env = MODULES[game].raw_env(**arguments)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while env.agents:
        if how == "snapshot":
            other = MODULES[game].raw_env(**arguments)
            other.reset(seed=8)
            other.restore(json.loads(json.dumps(env.snapshot())))
        else:
            other = copy.deepcopy(env) if how == "deepcopy" else pickle.loads(pickle.dumps(env))
        _same(env, other)
        for action in _some_actions(env, rng):
            env.step(action)
            other.step(action)
            _same(env, other)
    env.reset()
    other.reset()
    assert env.episode_seed == other.episode_seed


def _some_actions(env: Any, rng: np.random.Generator) -> list[Any]:
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return [None]
    mask = (
        env.observe(agent)["action_mask"]
        if env._codec.__class__.__name__ == "MaskedCodec"
        else None
    )
    if mask is None:
        mask = env.infos[agent].get("action_mask")
    if mask is None:
        legal = canonical(env.sample_legal(agent, rng))
        return [str(rng.choice([legal, legal, "A", "3", '{"action":"wait"}']))]
    return [int(rng.choice(np.flatnonzero(mask)))]


def _same(env: Any, other: Any) -> None:
    assert (env.agents, env.agent_selection) == (other.agents, other.agent_selection)
    assert equal(env.infos, other.infos)
    assert (env.rewards, env._cumulative_rewards) == (other.rewards, other._cumulative_rewards)
    assert (env.terminations, env.truncations) == (other.terminations, other.truncations)
    assert env.world.state_hash() == other.world.state_hash()
    for agent in env.possible_agents:
        assert equal(env.observe(agent), other.observe(agent))


@settings(max_examples=40)
@given(st.integers(0, 2**62), st.sampled_from(LEWIS), st.booleans())
def test_text_numbers_and_composition_are_one_game(
    seed: int, knobs: dict[str, Any], legal: bool
) -> None:
    rng = np.random.default_rng(seed)
    envs = {
        (view, compose): lewis_v0.raw_env(view=view, compose=compose, **knobs)
        for view, compose in (("masked", False), ("flat", False), ("masked", True))
    }
    envs["text", False] = text = lewis_v0.raw_env(**knobs)
    parallel = babelzoo.make_parallel("lewis-v0", view="masked", **knobs)
    for env in (*envs.values(), parallel):
        env.reset(seed=seed)
    while not text.world.over:
        agent = text.agent_selection
        masked = envs["masked", False]
        mask = (
            masked.observe(agent)["action_mask"] if legal else np.ones(masked.action_space(agent).n)
        )
        number = int(rng.choice(np.flatnonzero(mask)))
        move = masked._codec.move(number, masked.view(agent))
        for (view, compose), env in envs.items():
            if compose:
                _compose(env, move)
            else:
                env.step(canonical(move) if view == "text" else number)
        parallel.step({agent: number})
        hashes = {env.world.state_hash() for env in (*envs.values(), parallel)}
        assert len(hashes) == 1, (seed, number, move)
        assert all(env.outcome == text.outcome for env in envs.values()), (seed, number, move)


def _compose(env: Any, move: Any) -> None:
    """Spell a move choice by choice; one that can't be spelled is sent as text."""
    before = env.world.state_hash()
    kinds = {"signal": 0, "choose": 1, "wait": 2}
    kind = kinds[move.__struct_config__.tag]
    first = env.view(env.agent_selection).legal[0].action
    if first != move.__struct_config__.tag:
        env.play(move, "struct")
        return
    digits = [ord(t) - ord("A") for t in move.tokens] if kind == 0 else [move.candidate - 1]
    env.step(kind)
    for digit in digits:
        assert env.move is None
        assert env.world.state_hash() == before
        assert env.rewards == dict.fromkeys(env.agents, 0.0)
        env.step(3 + digit)
    assert env.move == move


def test_play_in_another_view() -> None:
    for view in ("text", "masked", "flat"):
        env = lewis_v0.raw_env(view=view)
        env.reset(seed=1)
        env.play("ABC", "text")
        assert env.world.sent == "ABC"
        env.play(28, "masked")
        assert env.outcome.events[-1].choice is not None
        env.play(99, "flat")
        assert env.outcome.rejected == "expected an action from 0 to 31, actual 99."
    env = lewis_v0.raw_env(vocab_size=26, message_length=4)
    env.reset(seed=1)
    env.play(0, "masked")
    assert env.move is None
    assert env.codec("masked").snapshot() != {}
    env.restore(json.loads(json.dumps(env.snapshot() | {"codecs": {}})))
    assert env.codec("masked").snapshot() == {}
