"""What the scripted players score, against ceilings that the test works out itself."""

import math
import re
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from babelzoo.agents import Turn, seat
from babelzoo.agents.learning.bayes import NotebookGreedy
from babelzoo.benchmarks.episode import play
from babelzoo.benchmarks.measures import measure_episode
from babelzoo.envs import lewis_v0
from babelzoo.envs.core import ConfigError, Event
from babelzoo.envs.lewis import RoundEnded

SEED = 300
ROUNDS = 20_000
BEST = {1: "1/4", 2: "69/140", 3: "37/56", 4: "11/14", 5: "47/56", 6: "25/28", 7: "53/56", 8: "1"}
OTHER: dict[str, Any] = {
    "features": {"a": ("x", "y", "z"), "b": ("p", "q", "r"), "c": ("u", "v", "w")},
    "n_candidates": 5,
}
FLAT: dict[str, Any] = {
    "features": {"one": ("u", "v", "w", "x", "y")},
    "n_candidates": 3,
    "vocab_size": 5,
    "message_length": 1,
}
EVERY_WORLD = pytest.mark.parametrize("world", [{}, OTHER, FLAT], ids=["8/4", "27/5", "5/3"])


def _play(name: str, rounds: int = ROUNDS, **knobs: Any) -> tuple[list[Event], Any]:
    env = lewis_v0.raw_env(n_rounds=rounds, **knobs)
    events, _ = play(env, seat({"*": name}, env.possible_agents, "lewis"), SEED, SEED + 1)
    return events, env.config


def _accuracy(name: str, rounds: int = ROUNDS, **knobs: Any) -> float:
    events, _ = _play(name, rounds, **knobs)
    won = [event.success for event in events if isinstance(event, RoundEnded)]
    assert len(won) == rounds
    return sum(won) / rounds


def _within(actual: float, expected: float, rounds: int = ROUNDS, what: str = "") -> None:
    """Three standard errors; exact where the chance is 0 or 1."""
    error = 3 * math.sqrt(expected * (1 - expected) / rounds)
    assert abs(actual - expected) <= error + 1e-12, (
        f"seed {SEED}{what}: {actual:.4f}, expected {expected:.4f} within {error:.4f}"
    )


def _ceiling(k: int, n_objects: int = 8, n_candidates: int = 4) -> Fraction:
    """1/n Σ_k [1 - C(N - n_k, n)/C(N, n)] over the most equal classes."""
    sizes = [n_objects // k + (i < n_objects % k) for i in range(k)]
    draws = math.comb(n_objects, n_candidates)
    missed = [Fraction(math.comb(n_objects - size, n_candidates), draws) for size in sizes]
    return sum((1 - miss for miss in missed), Fraction(0)) / n_candidates


def _enumerated(k: int, n_objects: int = 8, n_candidates: int = 4) -> Fraction:
    """The same from first principles: each set, each target, a guess among the class."""
    won, count = Fraction(0), 0
    for candidates in combinations(range(n_objects), n_candidates):
        for target in candidates:
            won += Fraction(1, sum(c % k == target % k for c in candidates))
            count += 1
    return won / count


@pytest.mark.parametrize(("k", "best"), BEST.items())
def test_the_ceilings_themselves(k: int, best: str) -> None:
    assert _ceiling(k) == _enumerated(k) == Fraction(best)
    assert _ceiling(k, 9, 5) == _enumerated(k, 9, 5)


@pytest.mark.parametrize("k", range(1, 9))
def test_oracle_k_meets_the_ceiling(k: int) -> None:
    _within(_accuracy(f"oracle-k?k={k}"), float(_ceiling(k)), what=f", k = {k}")


@pytest.mark.parametrize("k", [1, 2, 3, 9, 20, 27])
def test_oracle_k_meets_the_ceiling_of_other_worlds(k: int) -> None:
    _within(_accuracy(f"oracle-k?k={k}", **OTHER), float(_ceiling(k, 27, 5)), what=f", k = {k}")
    if k <= 5:
        _within(_accuracy(f"oracle-k?k={k}", **FLAT), float(_ceiling(k, 5, 3)), what=f", k = {k}")


@pytest.mark.parametrize(("vocab_size", "length"), [(2, 1), (2, 2), (5, 1), (26, 16)])
def test_oracle_k_uses_what_the_channel_allows(vocab_size: int, length: int) -> None:
    k = min(8, vocab_size**length)
    actual = _accuracy("oracle-k", vocab_size=vocab_size, message_length=length)
    _within(actual, float(_ceiling(k)))


@EVERY_WORLD
@pytest.mark.parametrize("name", ["oracle-compositional", "oracle-holistic", "oracle-k"])
def test_perfect_codes_are_perfect(name: str, world: dict[str, Any]) -> None:
    assert _accuracy(name, 2000, **world) == 1.0


@pytest.mark.parametrize("name", ["oracle-holistic?code=1", "oracle-holistic?code=2"])
def test_holistic_codes_follow_from_their_number(name: str) -> None:
    assert _accuracy(name, 500, vocab_size=2) == 1.0
    events, _ = _play(name, 500, vocab_size=2)
    again, _ = _play(name, 500, vocab_size=2)
    other, _ = _play("oracle-holistic", 500, vocab_size=2)
    codes = [
        {e.target: e.sent for e in played if isinstance(e, RoundEnded)}
        for played in (events, again, other)
    ]
    assert len(set(codes[0].values())) == 8
    assert codes[0] == codes[1] != codes[2]


def test_codes_of_different_numbers_do_not_understand_each_other() -> None:
    env = lewis_v0.raw_env(n_rounds=5000)
    seats = {"sender": "oracle-holistic?code=1", "receiver": "oracle-holistic?code=2"}
    _, returns = play(env, seat(seats, env.possible_agents, "lewis"), SEED, SEED)
    assert returns["sender_0"] / 5000 < 0.6


def test_the_compositional_code_has_one_position_a_feature() -> None:
    events, config = _play("oracle-compositional", 300, vocab_size=3, message_length=4)
    code = {e.target: e.sent for e in events if isinstance(e, RoundEnded)}
    assert [code[o] for o in range(8)] == [f"{a}{b}{c}A" for a in "AB" for b in "AB" for c in "AB"]
    assert measure_episode("lewis", events, config)[0]["topsim"] == pytest.approx(1.0)


@EVERY_WORLD
def test_positional_is_perfect_under_one_order_and_chance_under_two(world: dict[str, Any]) -> None:
    assert _accuracy("positional", 2000, candidate_order="shared", **world) == 1.0
    chance = 1 / world.get("n_candidates", 4)
    _within(_accuracy("positional", candidate_order="independent", **world), chance)
    target_alone = {"candidate_order": "shared", "sender_sees": "target"}
    _within(_accuracy("positional", **target_alone, **world), chance)


@EVERY_WORLD
@pytest.mark.parametrize("order", ["independent", "shared"])
def test_rank_code_is_perfect_if_the_sender_sees_the_candidates(
    order: str, world: dict[str, Any]
) -> None:
    assert _accuracy("rank-code", 2000, candidate_order=order, **world) == 1.0


def test_rank_code_needs_four_messages_alone() -> None:
    assert _accuracy("rank-code", 2000, vocab_size=2, message_length=2) == 1.0


def test_rank_code_under_target_is_no_better_than_four_classes() -> None:
    best = float(_ceiling(4))
    actual = _accuracy("rank-code", sender_sees="target")
    assert actual <= best + 3 * math.sqrt(best * (1 - best) / ROUNDS), f"seed {SEED}: {actual}"
    assert actual > 0.5, f"seed {SEED}: {actual}"


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("rank-code", 1.0),
        ("oracle-compositional", 0.0),
        ("oracle-holistic", 0.0),
        ("oracle-k?k=4", 0.0),
        ("silent", 0.0),
        ("random", 0.0),
    ],
)
@pytest.mark.parametrize("order", ["independent", "shared"])
def test_context_coded_episodes_are_flagged(name: str, flag: float, order: str) -> None:
    events, config = _play(name, 400, candidate_order=order)
    measures, _ = measure_episode("lewis", events, config)
    assert measures["context_coded"] == flag


def test_rank_code_under_target_is_a_fixed_code() -> None:
    events, config = _play("rank-code", 400, sender_sees="target")
    assert measure_episode("lewis", events, config)[0]["context_coded"] == 0.0


@EVERY_WORLD
@pytest.mark.parametrize(
    "name",
    ["random", "silent", "shuffled", "shuffled:oracle-k", "shuffled:oracle-holistic"],
)
def test_controls_score_chance(name: str, world: dict[str, Any]) -> None:
    _within(_accuracy(name, **world), 1 / world.get("n_candidates", 4))


def test_the_shuffled_player_needs_others_messages_only_as_receiver() -> None:
    env = lewis_v0.raw_env(n_rounds=1000)
    seats = {"sender": "shuffled:oracle-k", "receiver": "oracle-k"}
    _, returns = play(env, seat(seats, env.possible_agents, "lewis"), SEED, SEED)
    assert returns["sender_0"] == 1000.0


def test_the_shuffled_player_is_told_of_the_message_that_it_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a learner under the control would learn the code from its feedback."""
    seen: list[Any] = []
    act = NotebookGreedy.act

    def spy(self: NotebookGreedy, turn: Turn) -> Any:
        seen.append(turn.observation)
        return act(self, turn)

    monkeypatch.setattr(NotebookGreedy, "act", spy)
    env = lewis_v0.raw_env(n_rounds=100)
    seats = {"sender": "oracle-k", "receiver": "shuffled:notebook-greedy"}
    events, _ = play(env, seat(seats, env.possible_agents, "lewis"), SEED, SEED)
    heard = [event.heard for event in events if isinstance(event, RoundEnded)]
    given = [view.message for view in seen]
    told = [view.feedback.message for view in seen[1:]]
    assert len(given) == 100 and told == given[:-1]
    assert all(message in heard[:number] for number, message in enumerate(given) if number)
    assert sum(a == b for a, b in zip(heard, given, strict=True)) < 30


@pytest.mark.parametrize("name", ["shuffled", "shuffled:oracle-holistic", "shuffled:silent"])
def test_shuffled_plays_at_the_largest_capacity(name: str) -> None:
    actual = _accuracy(name, 2000, vocab_size=26, message_length=16)
    _within(actual, 0.25, 2000)


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("oracle-k?k=9", {}),
        ("oracle-k?k=5", {"vocab_size": 2, "message_length": 2}),
        ("oracle-k?k=2", {"vocab_size": 1}),
        ("oracle-holistic", {"vocab_size": 7, "message_length": 1}),
        ("oracle-compositional", {"message_length": 2}),
        ("oracle-compositional", {"vocab_size": 1}),
        ("oracle-compositional", {"vocab_size": 2} | {"features": {"a": ("x", "y", "z", "w")}}),
        ("positional", {"vocab_size": 3, "message_length": 1}),
        ("rank-code", {"vocab_size": 1, "message_length": 16}),
        ("shuffled:rank-code", {"vocab_size": 3, "message_length": 1}),
        ("q-learning", {"vocab_size": 26, "message_length": 16}),
        ("roth-erev", {"vocab_size": 26, "message_length": 5}),
        ("window-bayes", {"vocab_size": 26, "message_length": 5}),
        ("notebook-greedy", {"vocab_size": 26, "message_length": 5}),
    ],
)
def test_what_needs_more_capacity_is_refused_in_one_sentence(
    name: str, knobs: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError) as caught:
        _accuracy(name, 10, **knobs)
    said = str(caught.value)
    assert "actual " in said and said.endswith(".") and "\n" not in said, said
    assert not re.search(r"\. [A-Z]", said), said


@pytest.mark.parametrize("name", ["oracle-k", "random", "rank-code", "q-learning", "window-bayes"])
def test_players_of_a_population_play_too(name: str) -> None:
    actual = _accuracy(name, 4000, n_senders=3, n_receivers=2)
    low, high = (1, 1) if name in ("oracle-k", "rank-code") else (0.2, 0.99)
    assert low <= actual <= high, f"seed {SEED}: {actual}"
