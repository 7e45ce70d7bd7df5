"""The channel's noise: how often, into what, and who is shown which."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from babelzoo.envs.core import BLOCK, configure
from babelzoo.envs.lewis import Choose, LewisConfig, LewisWorld, RoundEnded, Signal

LENGTH = 8


def _said(seed: int, rounds: int, message: str, **knobs: Any) -> list[RoundEnded]:
    """What is said in an episode in which the sender always says `message`."""
    knobs |= {"n_rounds": rounds, "message_length": len(message)}
    world = LewisWorld(configure(LewisConfig, knobs, "lewis-v0"))
    world.reset(seed)
    said: list[RoundEnded] = []
    while not world.over:
        assert not world.apply("sender_0", Signal(tuple(message))).events
        (event,) = world.apply("receiver_0", Choose(1)).events
        assert isinstance(event, RoundEnded)
        said.append(event)
    return said


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("vocab_size", [2, 3, 26])
def test_tokens_are_replaced_at_the_rate(rate: float, vocab_size: int) -> None:
    seed, rounds = 100, 2500
    said = _said(seed, rounds, "ABBABAAB", noise=rate, vocab_size=vocab_size)
    changed = np.array([[s != h for s, h in zip(e.sent, e.heard, strict=True)] for e in said])
    count, size = int(changed.sum()), changed.size
    assert size == rounds * LENGTH
    low, high = stats.binom.interval(1 - 1e-5, size, rate) if 0 < rate < 1 else (rate * size,) * 2
    assert low <= count <= high, f"seed {seed}: {count} of {size}, expected {low} to {high}"
    if 0 < rate < 1:  # every position alike, and positions independently
        columns = changed.sum(axis=0)
        expected = np.stack([columns, rounds - columns])
        assert stats.chi2_contingency(expected).pvalue > 1e-4, f"seed {seed}: {columns}"
        pairs = np.histogram2d(changed[:, 0], changed[:, 1], bins=2)[0]
        assert stats.chi2_contingency(pairs).pvalue > 1e-4, f"seed {seed}: {pairs}"


@pytest.mark.parametrize("token", ["A", "C", "E"])
def test_a_replaced_token_is_any_other_one(token: str) -> None:
    seed = 101
    said = _said(seed, 2000, token * 4, noise=1.0, vocab_size=5)
    heard = "".join(event.heard for event in said)
    counts = {other: heard.count(other) for other in "ABCDE"}
    assert counts.pop(token) == 0, f"seed {seed}"
    assert sum(counts.values()) == len(heard) == 8000
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4, f"seed {seed}: {counts}"


def test_two_tokens_swap_under_certain_noise() -> None:
    assert {event.heard for event in _said(102, 20, "AAB", noise=1, vocab_size=2)} == {"BBA"}


def test_each_is_shown_its_own_end_of_the_channel() -> None:
    config = LewisConfig(noise=1.0, vocab_size=2, public_board=True)
    world = LewisWorld(config)
    world.reset(103)
    world.apply("sender_0", Signal(("A", "A", "B")))
    assert (world.view("sender_0").message, world.view("receiver_0").message) == ("AAB", "BBA")
    place = world.receiver_candidates.index(world.target)
    ended = world.apply("receiver_0", Choose(1 + place)).events[0]
    assert isinstance(ended, RoundEnded)
    assert (ended.sent, ended.heard, ended.success) == ("AAB", "BBA", True)
    sender, receiver = (world.view(agent).feedback for agent in ("sender_0", "receiver_0"))
    assert sender is not None and receiver is not None
    assert (sender.message, receiver.message) == ("AAB", "BBA")


def test_noise_does_not_depend_on_what_is_said() -> None:
    first = _said(104, 600, "AAAA", noise=0.4, vocab_size=2)
    second = _said(104, 600, "BABA", noise=0.4, vocab_size=2)
    hits = [
        [s != h for e in said for s, h in zip(e.sent, e.heard, strict=True)]
        for said in (first, second)
    ]
    assert hits[0] == hits[1]
    assert 0 < sum(hits[0]) < len(hits[0])


def test_noise_differs_between_seeds_and_blocks() -> None:
    heard = [e.heard for e in _said(105, 1024, "A" * LENGTH, noise=0.5, vocab_size=26)]
    other = [e.heard for e in _said(106, 1024, "A" * LENGTH, noise=0.5, vocab_size=26)]
    assert sum(a == b for a, b in zip(heard, other, strict=True)) < 30
    for lag in (1, BLOCK, 4 * BLOCK):
        assert sum(a == b for a, b in zip(heard, heard[lag:], strict=False)) < 30
