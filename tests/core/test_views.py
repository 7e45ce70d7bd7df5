"""What a View says and what is made of it: text, vectors, masks, schemas, lists."""

import re
from typing import Any

import msgspec
import numpy as np
import pytest

from babelzoo.envs import lewis_v0
from babelzoo.envs.core import Legal, describe, explain, sample, schema
from babelzoo.envs.core.legal import Choice, Form, Free, Range, Sequence
from babelzoo.envs.core.numbering import Composer, Enumerator
from babelzoo.envs.lewis import LewisView

KNOBS: list[dict[str, Any]] = [
    {},
    {"public_board": True, "n_candidates": 5},
    {"sender_sees": "target", "feedback": "none", "candidate_order": "shared"},
    {"n_senders": 2, "n_receivers": 3, "noise": 0.5, "feedback": "outcome"},
    {"features": {"a": ("x" * 32, "y"), "b": ("z", "w" * 32)}, "n_candidates": 2},
]
every = pytest.mark.parametrize("knobs", KNOBS, ids=range(len(KNOBS)))


def _games(knobs: dict[str, Any], **more: Any) -> Any:
    """An environment at many places of a random game with refused moves in it."""
    env = lewis_v0.raw_env(n_rounds=60, **(knobs | more))
    env.reset(seed=11)
    rng = np.random.default_rng(11)
    while not env.world.over:
        yield env
        texts = ("AAA", "ABC", "1", "2", "x" * 600, "\u202e" * 200, '"' * 90)
        env.play(str(rng.choice(texts)), "text")
    yield env


def _json(view: Any) -> bytes:
    return msgspec.json.encode(view)


@every
def test_text_and_vectors_are_functions_of_the_view(knobs: dict[str, Any]) -> None:
    for env in _games(knobs):
        for agent in env.possible_agents:
            view = env.view(agent)
            copied = msgspec.json.decode(_json(view), type=LewisView)
            assert copied == view
            for name in ("text", "masked", "flat"):
                codec = env.codec(name)
                made, again = codec.observation(view), codec.observation(copied)
                assert codec.observation_space(agent).contains(made)
                if name == "text":
                    assert made == again
                    assert codec.info(view) == codec.info(copied)
                elif name == "masked":
                    assert np.array_equal(made["observation"], again["observation"])
                    assert np.array_equal(made["action_mask"], again["action_mask"])
                    assert made["observation"].flags.writeable
                else:
                    assert np.array_equal(codec.info(view)["action_mask"], codec.mask(copied))


@every
def test_the_receiver_knows_no_target(knobs: dict[str, Any]) -> None:
    """Worlds that differ in the target alone look the same to the receiver."""
    for target in range(4 if len(knobs.get("features", "abc")) == 2 else 8):
        views = []
        for other in (False, True):
            env = lewis_v0.raw_env(**knobs)
            env.reset(seed=2)
            world = env.world
            if other:
                world.target = world.candidates[target % len(world.candidates)]
            views.append([_json(world.view(world.receiver))])
            world.apply(world.sender, env._codec.move("ABA", env.view(world.sender)))
            views[-1].append(_json(world.view(world.receiver)))
            idle = [a for a in env.possible_agents if a not in (world.sender, world.receiver)]
            views[-1] += [_json(world.view(agent)) for agent in idle]
        assert views[0] == views[1]


@every
def test_the_sender_knows_no_order_of_the_receivers(knobs: dict[str, Any]) -> None:
    for env in _games(knobs):
        if env.world.over:
            break
        before = _json(env.world.view(env.world.sender))
        order = env.world.receiver_candidates
        env.world.receiver_candidates = order[::-1]
        assert _json(env.world.view(env.world.sender)) == before
        env.world.receiver_candidates = order


@every
def test_mask_schema_list_and_rules_agree(knobs: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for env in _games(knobs):
        for agent in env.possible_agents:
            view = env.view(agent)
            codec = env.codec("masked")
            mask = codec.mask(view)
            for number in range(codec.n):
                move = codec.move(number, view)
                data = msgspec.to_builtins(move)
                known = data["action"] != "invalid" and explain(data, view.legal) == ""
                assert known == bool(mask[number]) == accepts(env.schema(agent), data)
            for _ in range(3):
                assert explain(msgspec.to_builtins(env.sample_legal(agent, rng)), view.legal) == ""
            assert env.codec("text").info(view)["legal_actions"] == describe(view.legal)
        if env.world.over:
            return
        agent = env.agent_selection
        world = lewis_v0.raw_env(n_rounds=60, **knobs)
        world.restore(env.snapshot())
        drawn = world.sample_legal(agent, rng)
        assert world.world.apply(agent, drawn).rejected == ""


def accepts(found: dict[str, Any], data: Any) -> bool:
    """Whether a JSON schema of the kind that we make accepts plain data."""
    if "anyOf" in found:
        return any(accepts(branch, data) for branch in found["anyOf"])
    kind = found["type"]
    if kind == "object":
        return (
            isinstance(data, dict)
            and set(found["required"]) == set(data)
            and all(accepts(found["properties"][key], value) for key, value in data.items())
        )
    if kind == "array":
        fits = (
            isinstance(data, list | tuple) and found["minItems"] <= len(data) <= found["maxItems"]
        )
        return fits and all(accepts(found["items"], value) for value in data)
    if kind == "integer":
        fits = isinstance(data, int) and not isinstance(data, bool)
        low, high = found.get("minimum", -(10**99)), found.get("maximum", 10**99)
        return fits and low <= data <= high and data in found.get("enum", [data])
    fits = isinstance(data, str) and len(data) <= found.get("maxLength", 10**9)
    return fits and data in found.get("enum", [found.get("const", data)])


LEGAL: Legal = (
    Form("say", {"text": Free(5, ("hi", "no")), "to": Choice(("a", "b", "c"))}),
    Form("give", {"amount": Range(1, 9, (1, 5, 9)), "code": Sequence(("x", "y"), 2)}),
    Form("wait"),
)


class Say(msgspec.Struct, tag_field="action", tag="say", frozen=True):
    text: str
    to: str


class Give(msgspec.Struct, tag_field="action", tag="give", frozen=True):
    amount: int
    code: tuple[str, ...]


class Idle(msgspec.Struct, tag_field="action", tag="wait", frozen=True):
    pass


def test_every_kind_of_field() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        move = sample(LEGAL, rng)
        assert explain(move, LEGAL) == ""
        assert accepts(schema(LEGAL), move)
    assert describe(LEGAL) == (
        "say(text: text, at most 5 characters, to: a | b | c)",
        "give(amount: 1..9, code: 2 of x y)",
        "wait()",
    )
    for move, reason in (
        ({"action": "say", "text": "toolong", "to": "a"}, "expected text: text, at most 5"),
        ({"action": "say", "text": "x", "to": "d"}, "expected to: a | b | c, actual d."),
        ({"action": "give", "amount": 0, "code": ("x", "y")}, "expected amount: 1..9, actual 0."),
        ({"action": "give", "amount": 1, "code": ("x",)}, "expected code: 2 of x y, actual x."),
        ({"action": "fly"}, "expected say or give or wait, actual fly."),
    ):
        assert explain(move, LEGAL).startswith(reason)
        assert not accepts(schema(LEGAL), move)


def test_numbers_and_compositions_reach_every_move() -> None:
    moves = Say | Give | Idle
    numbers = Enumerator(LEGAL, moves)
    assert numbers.n == 2 * 3 + 3 * 4 + 1
    listed = [numbers.move(number, LEGAL) for number in range(numbers.n)]
    assert len(set(listed)) == numbers.n
    assert listed[0] == Say("hi", "a")
    assert listed[-2:] == [Give(9, ("y", "y")), Idle()]
    less: Legal = (Form("say", {"text": Free(5, ("hi", "no")), "to": Choice(("a",))}),)
    assert numbers.mask(less).tolist() == [1, 0, 0, 1] + [0] * 15
    assert numbers.move(1, less).reason == "expected a legal action number, actual 1."
    composer = Composer(LEGAL, moves)
    spelled, stack = set(), [[]]
    while stack:
        choices = stack.pop()
        prefix: list[int] = []
        for choice in choices:
            move = composer.extend(choice, LEGAL, prefix)
        if choices and move is not None:
            spelled.add(move)
            assert prefix == []
            continue
        assert composer.features(prefix).sum() == len(prefix)
        stack += [[*choices, n] for n in np.flatnonzero(composer.mask(LEGAL, prefix)).tolist()]
    assert spelled == set(listed)
    prefix = [0]
    refused = composer.extend(1, LEGAL, prefix)
    assert (refused.reason, prefix) == ("expected a legal choice, actual 1.", [])


def test_observations_do_not_grow() -> None:
    env = lewis_v0.raw_env(n_rounds=5)
    env.reset(seed=1)
    first = len(env.last()[0])
    for _ in range(200):
        env.reset()
        while env.agents:
            ended = env.truncations[env.agent_selection]
            env.step(None if ended else "1" if env.world.sent else "ABA")
    env.reset(seed=1)
    assert len(env.last()[0]) == first


@every
def test_the_longest_observation(knobs: dict[str, Any]) -> None:
    knobs = knobs | {"vocab_size": 26, "message_length": 16}
    longest = 0
    for env in _games(knobs):
        for agent in env.possible_agents:
            text = env.codec("text").observation(env.view(agent))
            longest = max(longest, len(text))
            assert re.match(r"Round \d+ of 60\. You are \w+_\d\.\nTask: ", text)
    assert longest <= env.observation_space(env.possible_agents[0]).max_length
