"""What chance decides: uniform, paired across conditions, the same for ever."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from babelzoo.envs.core import BLOCK, derive_seed, random_bytes, stream, tables
from babelzoo.envs.lewis import LewisConfig, LewisWorld
from babelzoo.envs.lewis.deal import DEALT, Dealer

GOLDEN = Path(__file__).with_name("golden_v0.json")


def _deals(rounds: int, seed: int = 1, **knobs: Any) -> list[Any]:
    dealer = tables(Dealer, LewisConfig(**knobs))
    blocks = [dealer.draw(seed, block) for block in range(rounds // BLOCK + 1)]
    starts = range(0, rounds, DEALT)
    return [deal for at in starts for deal in dealer.deal(blocks[at // BLOCK], at)][:rounds]


def _chi_square(counts: list[int]) -> float:
    """Standard score of the chi-square statistic of equal frequencies."""
    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    freedom = len(counts) - 1
    return (statistic - freedom) / (2 * freedom) ** 0.5


FIVES = {"shape": tuple("abcde"), "color": tuple("vwxyz"), "size": tuple("12345")}


@pytest.mark.parametrize(
    "knobs", [{}, {"n_candidates": 2}, {"features": FIVES}], ids=["8", "2", "125"]
)
def test_draws_are_uniform(knobs: dict[str, Any]) -> None:
    rounds = 40_000
    deals = _deals(rounds, **knobs)
    size = tables(Dealer, LewisConfig(**knobs))._pool.size
    n = LewisConfig(**knobs).n_candidates
    objects = [0] * size
    places, targets, orders = [0] * n, [0] * size, dict.fromkeys(permutations(range(n)), 0)
    firsts = [0] * size
    for _, _, target, candidates, order in deals:
        assert len(set(candidates)) == n
        for candidate in candidates:
            objects[candidate] += 1
        firsts[candidates[0]] += 1
        places[candidates.index(target)] += 1
        targets[target] += 1
        orders[tuple(candidates.index(c) for c in order)] += 1
    for counts in (firsts, places, targets, list(orders.values())):
        assert abs(_chi_square(counts)) < 4, (knobs, counts[:10])
    expected, sd = rounds * n / size, (rounds * n / size * (1 - n / size)) ** 0.5
    assert max(abs(count - expected) for count in objects) < 4.5 * sd


def test_pairs_are_uniform() -> None:
    counts: dict[tuple[int, int], int] = {}
    for sender, receiver, *_ in _deals(20_000, n_senders=3, n_receivers=2):
        counts[sender, receiver] = counts.get((sender, receiver), 0) + 1
    assert len(counts) == 6
    assert abs(_chi_square(list(counts.values()))) < 4


def test_conditions_are_paired() -> None:
    base = _deals(300)
    for knobs in (
        {"vocab_size": 5, "message_length": 2},
        {"sender_sees": "target"},
        {"noise": 0.5},
        {"n_senders": 4},
        {"feedback": "none", "public_board": True, "n_rounds": 7},
    ):
        assert [deal[2:] for deal in _deals(300, **knobs)] == [deal[2:] for deal in base]
    shared = _deals(300, candidate_order="shared")
    assert [deal[2:4] for deal in shared] == [deal[2:4] for deal in base]
    assert _deals(300, seed=2) != base


@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0])
def test_noise_rates(noise: float) -> None:
    config = LewisConfig(noise=noise, vocab_size=4)
    dealer = tables(Dealer, config)
    hits, became, tokens = 0, dict.fromkeys("BCD", 0), 0
    for number in range(6000):
        words = dealer.draw_noise(3, number // BLOCK)
        for token in dealer.distort("AAA", words, number):
            tokens += 1
            if token != "A":
                hits += 1
                became[token] += 1
    assert abs(hits / tokens - noise) < 4 * (noise * (1 - noise) / tokens) ** 0.5 + 1e-12
    assert abs(_chi_square(list(became.values()))) < 4


def test_the_receiver_hears_through_the_noise() -> None:
    world = LewisWorld(LewisConfig(noise=1.0, vocab_size=2))
    world.reset(1)
    from babelzoo.envs.lewis import Signal

    world.apply("sender_0", Signal(("A", "B", "A")))
    assert (world.sent, world.heard) == ("ABA", "BAB")
    assert world.view("receiver_0").message == "BAB"
    assert world.view("sender_0").message == "ABA"


def test_large_draws() -> None:
    pool = {name: tuple(f"{name}{i}" for i in range(16)) for name in "abcd"}
    for n in (2, 300):
        for _, _, target, candidates, order in _deals(3, features=pool, n_candidates=n):
            assert len(set(candidates)) == n
            assert sorted(order) == sorted(candidates)
            assert target in candidates
            assert max(candidates) < 65_536


def test_golden_trace() -> None:
    """Any change of these draws or hashes is a new version of the environment."""
    world = LewisWorld(LewisConfig())
    world.reset(42)
    rounds = []
    from babelzoo.envs.lewis import Choose, Signal

    for number in range(20):
        before = [list(world.candidates), list(world.receiver_candidates), world.target]
        world.apply("sender_0", Signal(("A", "BC"[number % 2], "C")))
        world.apply("receiver_0", Choose(1 + number % 4))
        rounds.append([*before, world.state_hash()])
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert rounds == golden["rounds"]
    assert golden["seed"] == 42


def test_streams() -> None:
    assert random_bytes(1, "a", 0, 8).hex() == random_bytes(1, "a", 0, 16).hex()[:16]
    drawn = {random_bytes(*key, 8) for key in ((1, "a", 0), (2, "a", 0), (1, "b", 0), (1, "a", 1))}
    assert len(drawn) == 4
    assert 0 <= derive_seed(1, "x", 2) < 2**63
    assert derive_seed(1, "x", 2) != derive_seed(1, "x2")
    same = [stream(5, "n", 1).random(3) for _ in range(2)]
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], stream(5, "n", 2).random(3))
