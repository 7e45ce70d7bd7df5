"""Each knob: its default, what it allows, what it changes and what it leaves alone."""

import re
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

import babelzoo
from babelzoo.envs import lewis, lewis_v0
from babelzoo.envs.core import ConfigError, configure
from babelzoo.envs.lewis import (
    BoardRow,
    Choose,
    Feedback,
    LewisConfig,
    LewisWorld,
    Pool,
    RoundEnded,
    Signal,
)

ALLOWED: list[dict[str, Any]] = [
    *({"n_candidates": n} for n in (2, 8)),
    *({"vocab_size": n} for n in (1, 26)),
    *({"message_length": n} for n in (1, 16)),
    {"n_rounds": 1},
    *({"candidate_order": order} for order in ("independent", "shared")),
    *({"sender_sees": sight} for sight in ("candidates", "target")),
    *({"feedback": told} for told in ("full", "outcome", "none")),
    *({"public_board": on} for on in (True, False)),
    *({"noise": rate} for rate in (0, 0.0, 0.5, 1, 1.0)),
    *({"n_senders": n, "n_receivers": m} for n, m in ((1, 1), (5, 2), (1, 3))),
    {"features": {"one": ("x", "y")}, "n_candidates": 2},
    {"features": {"öde": ["ä", "ß", "{x}"], "b": ["1", "2"]}},
    {"features": {name: [f"{name}{i}" for i in range(16)] for name in "abcd"}},
]
REFUSED: list[tuple[str, dict[str, Any]]] = [
    *(("n_candidates", {"n_candidates": n}) for n in (0, 1, 9, -1, 2.5, "4", None, True)),
    *(("vocab_size", {"vocab_size": n}) for n in (0, 27, -1, "3", True)),
    *(("message_length", {"message_length": n}) for n in (0, 17, -1, 1.5)),
    *(("n_rounds", {"n_rounds": n}) for n in (0, -5, "many")),
    *(("candidate_order", {"candidate_order": value}) for value in ("Shared", "", None, 1)),
    *(("sender_sees", {"sender_sees": value}) for value in ("all", None, True)),
    *(("feedback", {"feedback": value}) for value in ("some", "", False)),
    *(("public_board", {"public_board": value}) for value in (1, "true", None)),
    *(("noise", {"noise": value}) for value in (-0.1, 1.1, float("nan"), float("inf"), "0.1")),
    ("noise", {"noise": 0.1, "vocab_size": 1}),
    *(("n_senders", {"n_senders": n}) for n in (0, -1, 1.5)),
    *(("n_receivers", {"n_receivers": n}) for n in (0, -1, 1.5)),
    *(("features", {"features": value}) for value in ({}, None, 5, "color", {"a": "xy"})),
    *(("features", {"features": {"a": values}}) for values in ((), ("x",), ("x", "x"), (1, 2))),
    *(("features", {"features": {"a": ("x", word)}}) for word in ("", "y z", "y\nz", "y" * 33)),
    ("features", {"features": {"": ("x", "y")}}),
    ("features", {"features": {1: ("x", "y")}}),
    ("features", {"features": {n: [*map(str, range(16))] for n in "abcd"} | {"e": ["x", "y"]}}),
]


def _world(seed: int = 0, **knobs: Any) -> LewisWorld:
    world = LewisWorld(configure(LewisConfig, knobs, "lewis-v0"))
    world.reset(seed)
    return world


def _play(world: LewisWorld, message: str, right: bool = True) -> RoundEnded:
    """One round, as its event tells it."""
    world.apply(*world.ready(), Signal(tuple(message)))
    place = world.receiver_candidates.index(world.target) + (not right)
    (ended,) = world.apply(*world.ready(), Choose(1 + place % world.config.n_candidates)).events
    assert isinstance(ended, RoundEnded)
    return ended


def test_defaults_are_the_papers() -> None:
    config = LewisConfig()
    assert msgspec.to_builtins(config) == {
        "features": {
            "color": ("red", "blue"),
            "shape": ("circle", "square"),
            "size": ("small", "large"),
        },
        "n_candidates": 4,
        "vocab_size": 3,
        "message_length": 3,
        "n_rounds": 200,
        "candidate_order": "independent",
        "sender_sees": "candidates",
        "feedback": "full",
        "public_board": False,
        "noise": 0.0,
        "n_senders": 1,
        "n_receivers": 1,
    }


def test_the_page_lists_exactly_the_knobs_with_their_defaults() -> None:
    page = lewis.__doc__ or ""
    section = page.partition("## Presets and knobs")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row[0])]
    assert names == list(LewisConfig.__struct_fields__)
    defaults = [value for row in rows[1:] for value in row[1].replace("`", "").split(", ")]
    config = msgspec.to_builtins(LewisConfig())
    assert [str(config[name]).lower().removesuffix(".0") for name in names[1:]] == defaults


@pytest.mark.parametrize("knobs", ALLOWED, ids=repr)
def test_allowed_values_play(knobs: dict[str, Any]) -> None:
    env = lewis_v0.env(**knobs)
    env.reset(seed=1)
    config = env.unwrapped.config
    for name, value in knobs.items():
        if name != "features":
            assert getattr(config, name) == value
    env.step("A" * config.message_length)
    env.step("1")
    if config.n_rounds > 1:
        assert env.last()[0].startswith(f"Round 2 of {config.n_rounds}. You are sender_")
    assert env.unwrapped.outcome.rejected == ""
    rules = env.unwrapped.rules("sender")
    for name, values in config.features.items():
        assert f"- {name}: {', '.join(values)}\n" in rules


@pytest.mark.parametrize(("knob", "knobs"), REFUSED, ids=repr)
def test_other_values_are_refused_in_one_sentence(knob: str, knobs: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        babelzoo.make("lewis-v0", **knobs)
    said = str(caught.value)
    assert said.startswith(f"lewis-v0: knob {knob!r}: "), said
    assert "expected " in said, said
    assert "\n" not in said and said.endswith("."), said


def test_an_unknown_knob_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="has no knob 'vocabsize': did you mean 'vocab_size'"):
        babelzoo.make("lewis-v0", vocabsize=3)


def test_the_pool_is_the_product_in_product_order() -> None:
    pool = Pool(LewisConfig(features={"a": ("x", "y", "z"), "b": ("p", "q")}))
    assert pool.size == 6
    assert pool.names == [f"{a} {b}" for a, b in product("xyz", "pq")]
    assert pool.codes.tolist() == [[a, b] for a, b in product(range(3), range(2))]
    assert Pool(LewisConfig()).names[:3] == [
        "red circle small",
        "red circle large",
        "red square small",
    ]


def test_length_counts_what_is_sent() -> None:
    world = _world(vocab_size=26, message_length=16)
    assert world.apply("sender_0", Signal(tuple("A" * 15))).rejected
    assert not world.apply("sender_0", Signal(tuple("ABCDEFGHIJKLWXYZ"))).rejected
    assert world.heard == "ABCDEFGHIJKLWXYZ"


@pytest.mark.parametrize("n_candidates", [2, 3, 8])
def test_as_many_candidates_as_asked_all_different(n_candidates: int) -> None:
    world = _world(seed=2, n_candidates=n_candidates)
    for _ in range(50):
        assert len(world.candidates) == len(set(world.candidates)) == n_candidates
        assert set(world.view("receiver_0").candidates) == set(world.candidates)
        assert world.apply("sender_0", Signal(("A", "A", "A"))).rejected == ""
        assert world.apply("receiver_0", Choose(n_candidates + 1)).rejected


def test_shared_order_is_the_senders() -> None:
    shared, own = _world(seed=3, candidate_order="shared"), _world(seed=3)
    same = 0
    for _ in range(200):
        assert shared.view("receiver_0").candidates == shared.view("sender_0").candidates
        assert (shared.candidates, shared.target) == (own.candidates, own.target)
        same += own.view("receiver_0").candidates == own.view("sender_0").candidates
        for world in (shared, own):
            _play(world, "AAA", right=False)
    assert 0 < same < 40


def test_a_sender_that_sees_the_target_alone() -> None:
    world = _world(seed=4, sender_sees="target")
    view = world.view("sender_0")
    assert (view.candidates, view.target) == ((), world.target)
    assert len(world.view("receiver_0").candidates) == 4
    env = lewis_v0.env(sender_sees="target")
    env.reset(seed=4)
    assert "Candidates:" not in env.observe("sender_0")
    assert "Candidates:" in env.observe("receiver_0")


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("feedback", ["full", "outcome", "none"])
def test_feedback_tells_no_more_than_its_mode(feedback: str, right: bool) -> None:
    world = _world(seed=5, feedback=feedback)
    target = world.target if feedback == "full" else None
    told = None if feedback == "none" else right
    candidates, place = world.receiver_candidates, world.receiver_candidates.index(world.target)
    choice = candidates[(place + (not right)) % 4]
    _play(world, "ABC", right)
    assert world.view("sender_0").feedback == Feedback(1, "ABC", None, told, target)
    assert world.view("receiver_0").feedback == Feedback(1, "ABC", choice, told, target)


def test_the_board_is_made_of_won_rounds_and_equal_for_all() -> None:
    world = _world(seed=6, public_board=True, n_senders=2, n_receivers=2)
    wins: dict[tuple[str, int], int] = {}
    rng = np.random.default_rng(6)
    for number in range(150):
        boards = [world.view(agent).board for agent in world.agents()]
        assert all(board == boards[0] for board in boards)
        assert {(r.message, r.target): r.count for r in boards[0] or ()} == wins, f"round {number}"
        message, right = "ABC"[rng.integers(3)] * 3, bool(rng.integers(2))
        if right:
            wins[message, world.target] = wins.get((message, world.target), 0) + 1
        _play(world, message, right)
    assert len(wins) > 10


def test_the_board_by_hand() -> None:
    world = _world(seed=7, public_board=True)
    assert world.view("sender_0").board == ()
    target = world.target
    _play(world, "ABC")
    assert world.view("receiver_0").board == (BoardRow("ABC", target, 1),)
    _play(world, "CCC", right=False)
    assert world.view("receiver_0").board == (BoardRow("ABC", target, 1),)
    assert _world(seed=7).view("receiver_0").board is None


def test_max_cycles_is_n_rounds() -> None:
    assert lewis_v0.raw_env(max_cycles=7).config == lewis_v0.raw_env(n_rounds=7).config
