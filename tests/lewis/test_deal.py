"""What chance decides: uniform, independent, and the same whatever the agents' channel is."""

import time
from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb, factorial, prod
from typing import Any

import pytest
from scipy import stats

from babelzoo.envs import lewis_v0
from babelzoo.envs.core import BLOCK, Invalid, configure
from babelzoo.envs.lewis import Choose, LewisConfig, LewisWorld, RoundEnded, Signal

LEAST_P = 1e-4  # below this a fixed seed's draws count as not uniform
ROUNDS = 14_000
SEED = 200

Deal = tuple[tuple[int, ...], tuple[int, ...], int, str, str]


def _world(seed: int, **knobs: Any) -> LewisWorld:
    world = LewisWorld(configure(LewisConfig, knobs, "lewis-v0"))
    world.reset(seed)
    return world


def _deals(seed: int, rounds: int, play: bool = False, **knobs: Any) -> list[Deal]:
    """What each round deals: both orders, the target, who plays.

    Args:
        seed: The episode's seed.
        rounds: How many rounds.
        play: Whether the rounds are played out; else all messages are refused.
        **knobs: The world's knobs.
    """
    world = _world(seed, **({"n_rounds": rounds} | knobs))
    deals = []
    for _ in range(rounds):
        order = world.receiver_candidates
        deals.append((world.candidates, order, world.target, world.sender, world.receiver))
        if play:
            message = Signal(("A",) * world.config.message_length)
            assert not world.apply(world.sender, message).rejected
            world.apply(world.receiver, Choose(1))
        else:
            world.apply(world.sender, Invalid("no"))
    return deals


def _uniform(counts: Counter[Any], cells: int, what: str) -> None:
    table = [*counts.values()] + [0] * (cells - len(counts))
    assert len(table) == cells, f"seed {SEED}, {what}: {len(table)} kinds, expected {cells}"
    p = stats.chisquare(table).pvalue if cells > 1 else 1.0
    assert p > LEAST_P, f"seed {SEED}, {what}: p = {p}"


def _independent(pairs: Counter[Any], what: str) -> None:
    rows, columns = (sorted({pair[i] for pair in pairs}) for i in (0, 1))
    table = [[pairs[row, column] for column in columns] for row in rows]
    p = stats.chi2_contingency(table).pvalue
    assert p > LEAST_P, f"seed {SEED}, {what}: p = {p}"


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"n_candidates": 2},
        {"n_candidates": 8, "candidate_order": "shared"},
        {
            "features": {"a": ("x", "y", "z"), "b": ("x", "y", "z"), "c": ("x", "y")},
            "n_candidates": 3,
        },
        {"features": {"one": tuple("abcdefghijklmnopqrst")}, "n_candidates": 2},
    ],
    ids=repr,
)
def test_candidates_and_target_are_uniform(knobs: dict[str, Any]) -> None:
    world = _world(0, **knobs)
    size, n = world.pool.size, world.config.n_candidates
    deals = _deals(SEED, ROUNDS, **knobs)
    for candidates, order, target, _, _ in deals:
        assert len(set(candidates)) == n and set(order) == set(candidates)
        assert target in candidates and all(0 <= c < size for c in candidates)
    sets = Counter(tuple(sorted(deal[0])) for deal in deals)
    assert set(sets) <= set(combinations(range(size), n))
    _uniform(sets, comb(size, n), "sets of candidates")
    _uniform(Counter(deal[2] for deal in deals), size, "targets")
    _uniform(Counter(deal[0].index(deal[2]) for deal in deals), n, "the sender's places")
    _uniform(Counter(deal[1].index(deal[2]) for deal in deals), n, "the receiver's places")
    ranks = Counter(sorted(deal[0]).index(deal[2]) for deal in deals)
    _uniform(ranks, n, "ranks of the target among the candidates")


def test_orders_are_uniform_and_independent() -> None:
    deals = _deals(SEED, ROUNDS)
    own = [tuple(sorted(d[0]).index(c) for c in d[0]) for d in deals]
    other = [tuple(sorted(d[1]).index(c) for c in d[1]) for d in deals]
    between = Counter(tuple(d[0].index(c) for c in d[1]) for d in deals)
    for orders, what in ((Counter(own), "sender"), (Counter(other), "receiver")):
        assert set(orders) == set(permutations(range(4)))
        _uniform(orders, factorial(4), f"orders of the {what}")
    _uniform(between, factorial(4), "orders of the receiver in the sender's places")
    _independent(Counter(zip(own, other, strict=True)), "orders of the two")
    places = Counter((d[0].index(d[2]), d[1].index(d[2])) for d in deals)
    _uniform(places, 16, "places of the target")


def test_rounds_are_independent_and_never_repeat() -> None:
    deals = _deals(SEED, ROUNDS)
    targets = [deal[2] for deal in deals]
    for lag in (1, 2, BLOCK, 4 * BLOCK):
        pairs = Counter(zip(targets, targets[lag:], strict=False))
        _independent(pairs, f"targets {lag} rounds apart")
        same = sum(a[:3] == b[:3] for a, b in zip(deals, deals[lag:], strict=False))
        assert same < 10, f"seed {SEED}: {same} rounds repeat after {lag}"


def test_first_rounds_of_seeds_are_uniform() -> None:
    firsts = [_deals(seed, 1)[0] for seed in range(2000)]
    _uniform(Counter(deal[2] for deal in firsts), 8, "first targets of seeds 0 to 1999")
    _uniform(Counter(d[0].index(d[2]) for d in firsts), 4, "first places of seeds 0 to 1999")
    pairs = Counter(zip((d[2] for d in firsts), (d[2] for d in firsts[1:]), strict=False))
    _independent(pairs, "first targets of neighbouring seeds")


@pytest.mark.parametrize(
    "knobs",
    [
        {"vocab_size": 2},
        {"vocab_size": 26, "message_length": 16},
        {"vocab_size": 1, "message_length": 1},
        {"feedback": "outcome"},
        {"feedback": "none"},
        {"noise": 0.5},
        {"public_board": True},
        {"sender_sees": "target"},
        {"n_rounds": 1000},
    ],
    ids=repr,
)
def test_conditions_are_paired(knobs: dict[str, Any]) -> None:
    reference = _deals(SEED, 600)
    assert _deals(SEED, 600, play=True, **knobs) == reference
    assert _deals(SEED + 1, 600, **knobs) != reference


@pytest.mark.parametrize(
    "knobs", [{"candidate_order": "shared"}, {"n_senders": 3, "n_receivers": 2}], ids=repr
)
def test_conditions_that_change_the_deal_are_paired_in_the_rest(knobs: dict[str, Any]) -> None:
    reference = [(deal[0], deal[2]) for deal in _deals(SEED, 600)]
    assert [(deal[0], deal[2]) for deal in _deals(SEED, 600, **knobs)] == reference


def test_policies_memory_does_not_change_the_draws() -> None:
    from babelzoo.agents import seat
    from babelzoo.benchmarks.episode import play

    seen = []
    for name in ("window-bayes?m=5", "window-bayes?m=40", "random", "oracle-k"):
        env = lewis_v0.raw_env(n_rounds=300)
        events, _ = play(env, seat({"*": name}, env.possible_agents, "lewis"), SEED, 1)
        ended = [event for event in events if isinstance(event, RoundEnded)]
        seen.append([(event.candidates, event.target) for event in ended])
    assert len(seen[0]) == 300
    assert seen.count(seen[0]) == len(seen)


def test_one_sender_and_one_receiver_are_drawn_each_round() -> None:
    deals = _deals(SEED, ROUNDS, n_senders=4, n_receivers=4)
    _uniform(Counter(deal[3:] for deal in deals), 16, "pairs of players")
    _independent(Counter((deal[3], deal[2]) for deal in deals), "sender and target")
    _independent(Counter((deal[4], deal[1].index(deal[2])) for deal in deals), "receiver and place")
    _independent(Counter((a[3], b[3]) for a, b in pairwise(deals)), "senders")


def test_the_others_sit_out_and_see_neither_candidates_nor_messages() -> None:
    world = _world(SEED, n_senders=3, n_receivers=2)
    told: dict[str, int] = {}
    for number in range(1, 80):
        players = {world.sender, world.receiver}
        for message in (None, "ABA"):
            for agent in world.agents():
                view = world.view(agent)
                assert view.playing == (agent in players)
                assert (view.feedback.round if view.feedback else 0) == told.get(agent, 0)
                if agent not in players:
                    assert (view.candidates, view.target, view.message) == ((), None, None)
                    assert [form.action for form in view.legal] == ["wait"]
            if message is None:
                assert world.ready() == (world.sender,)
                world.apply(world.sender, Signal(("A", "B", "A")))
                assert world.ready() == (world.receiver,)
        outcome = world.apply(world.receiver, Choose(1))
        assert world.last is not None
        assert set(outcome.rewards) == (players if world.last.success else set())
        told |= dict.fromkeys(players, number)
    assert len(told) == 5


WIDE = {name: tuple(f"{name}{i}" for i in range(4)) for name in "abcd"}
HUGE = {name: tuple(f"{name}{i}" for i in range(16)) for name in "abcd"}
TALL = {"one": tuple(f"v{i}" for i in range(65_536))}


@pytest.mark.parametrize(
    ("features", "n_candidates"),
    [(WIDE, 16), (WIDE, 17), (WIDE, 256), (HUGE, 4), (HUGE, 200), (TALL, 16)],
    ids=["256/16", "256/17", "256/256", "65536/4", "65536/200", "65536/16"],
)
def test_large_pools(features: Any, n_candidates: int) -> None:
    started = time.perf_counter()
    deals = _deals(SEED, 512, features=features, n_candidates=n_candidates)
    took = time.perf_counter() - started
    size = prod(map(len, features.values()))
    seen = Counter(c for deal in deals for c in deal[0])
    assert all(len(set(d[0])) == n_candidates and set(d[0]) == set(d[1]) for d in deals)
    assert min(seen) >= 0 and max(seen) < size
    octants = Counter(8 * c // size for c in seen.elements())
    _uniform(octants, 8, "eighths of the pool")
    _uniform(Counter(d[0].index(d[2]) * 4 // n_candidates for d in deals), 4, "quarters of places")
    env = lewis_v0.env(features=features, n_candidates=n_candidates)
    env.reset(seed=SEED)
    assert f"{n_candidates}. " in env.observe("sender_0")
    assert took < 10, f"512 rounds took {took:.1f} s"
