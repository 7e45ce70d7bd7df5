"""The decoder ceiling: worked examples, brute force, and simulated pairs of known kind."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelzoo.benchmarks import metrics
from babelzoo.benchmarks.metrics import ceiling
from babelzoo.envs.core.errors import ConfigError

CUBE = np.array(list(itertools.product(range(2), repeat=3)))


def draw_rounds(rng, n, n_objects=8, n_candidates=4):
    candidates = np.stack([rng.permutation(n_objects)[:n_candidates] for _ in range(n)])
    return candidates, candidates[np.arange(n), rng.integers(n_candidates, size=n)]


def decode(preferences, labels, candidates):
    """Choices of a decoder with scores (n_messages, n_objects), the larger the better."""
    scores = np.take_along_axis(preferences[labels], candidates, axis=1)
    return np.take_along_axis(candidates, scores.argmax(axis=1)[:, None], axis=1)[:, 0]


def flag(messages, targets, candidates, choices):
    best = metrics.decoder_ceiling(messages, targets, candidates)
    return metrics.context_coded((choices == targets).mean(), best.value).value


def test_one_message_two_objects():
    measured = metrics.decoder_ceiling([[0]] * 3, [0, 0, 1], [[0, 1], [1, 0], [0, 1]])
    assert measured.value == pytest.approx(2 / 3)


def test_a_cycle_of_preferences_cannot_be_decoded_whole():
    measured = metrics.decoder_ceiling([[0]] * 3, [0, 1, 2], [[0, 1], [1, 2], [2, 0]])
    assert measured.value == pytest.approx(2 / 3)


def test_the_best_order_need_not_be_the_order_by_frequency():
    # Object 0 is the commonest target and would win 3 of 5 on top; 1 before 0 wins all.
    targets, candidates = [0, 0, 0, 1, 1], [[0, 2]] * 3 + [[0, 1]] * 2
    assert metrics.decoder_ceiling([[0]] * 5, targets, candidates).value == 1.0


def test_each_message_has_an_order_of_its_own():
    assert metrics.decoder_ceiling([[0], [1]], [0, 1], [[0, 1]] * 2).value == 1.0
    assert metrics.decoder_ceiling([[0], [0]], [0, 1], [[0, 1]] * 2).value == 0.5


def test_no_rounds_have_no_ceiling():
    none = np.zeros((0, 2), int)
    assert metrics.decoder_ceiling(none, [], none).reason == "there are no rounds with a message"
    assert metrics.context_coded(0.5, float("nan")).reason


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_ceiling_is_the_best_of_all_decoders(seed):
    rng = np.random.default_rng(seed)
    candidates, targets = draw_rounds(rng, 12, n_objects=5, n_candidates=3)
    labels = rng.integers(2, size=12)
    wins = sum(
        max(
            (decode(np.array([order]), np.zeros(12, int), candidates) == targets)[
                labels == label
            ].sum()
            for order in itertools.permutations(range(5))
        )
        for label in range(2)
    )
    measured = metrics.decoder_ceiling(labels[:, None], targets, candidates)
    assert measured.value == pytest.approx(wins / 12)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([8, 20]), st.integers(1, 6))
def test_ceiling_is_no_lower_than_any_fixed_decoder(seed, n_objects, n_messages):
    rng = np.random.default_rng(seed)
    candidates, targets = draw_rounds(rng, 60, n_objects=n_objects)
    labels = rng.integers(n_messages, size=60)
    frequencies = np.zeros((n_messages, n_objects))
    np.add.at(frequencies, (labels, targets), 1)
    best = metrics.decoder_ceiling(labels[:, None], targets, candidates).value
    for preferences in (frequencies - np.arange(n_objects) / 100, rng.random(frequencies.shape)):
        accuracy = (decode(preferences, labels, candidates) == targets).mean()
        assert best >= accuracy


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_climbing_finds_no_more_than_exists_and_no_less_than_the_order_by_frequency(seed, size):
    rng = np.random.default_rng(seed)
    targets = np.concatenate([np.arange(size), rng.integers(size, size=12)])
    rivals = rng.random((len(targets), size)) < 0.4
    rivals[np.arange(len(targets)), targets] = False
    order = np.argsort(-np.bincount(targets), kind="stable")
    places = np.argsort(order)
    first_rival = np.where(rivals, places, size).min(axis=1)
    by_frequency = (places[targets] < first_rival).sum()
    climbed = ceiling._climbed_wins(targets, rivals)
    assert by_frequency <= climbed <= ceiling._exact_wins(targets, rivals)


def test_climbing_leaves_the_order_by_frequency():
    # 0 > 1 > … > 11 wins all rounds but the last; by frequency the order is its reverse.
    pairs = list(itertools.combinations(range(12), 2))
    frequent = [(i, 12) for i in range(12) for _ in range(20 * i)]
    candidates = np.array([*pairs, *frequent, (11, 0)])
    targets = candidates[:, 0]
    assert (np.diff(np.bincount(targets)) > 0).all()
    measured = metrics.decoder_ceiling(np.zeros((len(targets), 1), int), targets, candidates)
    assert measured.value == pytest.approx(1 - 1 / len(targets))


def test_rank_code_is_context_coded():
    rng = np.random.default_rng(0)
    candidates, targets = draw_rounds(rng, 200)
    rank = (np.sort(candidates, axis=1) == targets[:, None]).argmax(axis=1)
    messages = np.stack([rank // 2, rank % 2], axis=1)
    assert flag(messages, targets, candidates, targets) == 1.0
    assert metrics.decoder_ceiling(messages, targets, candidates).value < 0.9
    context = metrics.message_context_information(messages, candidates, targets)
    assert context.value > 0.5


def test_perfect_fixed_code_is_not_context_coded():
    candidates, targets = draw_rounds(np.random.default_rng(0), 200)
    assert metrics.decoder_ceiling(CUBE[targets], targets, candidates).value == 1.0
    assert flag(CUBE[targets], targets, candidates, targets) == 0.0
    assert metrics.message_context_information(CUBE[targets], candidates, targets).value == 0.0


def test_random_pair_is_not_context_coded():
    rng = np.random.default_rng(0)
    candidates, targets = draw_rounds(rng, 200)
    assert flag(rng.integers(2, size=(200, 3)), targets, candidates, candidates[:, 0]) == 0.0


@pytest.mark.parametrize("n_messages", [1, 2, 4, 6])
def test_ambiguous_fixed_code_with_a_fair_receiver_is_not_context_coded(n_messages):
    rng = np.random.default_rng(n_messages)
    candidates, targets = draw_rounds(rng, 1000)
    labels = targets % n_messages
    fits = candidates % n_messages == labels[:, None]
    picked = np.where(fits, rng.random(fits.shape), -1.0).argmax(axis=1)
    choices = candidates[np.arange(1000), picked]
    assert flag(labels[:, None], targets, candidates, choices) == 0.0


def test_flag_needs_more_than_the_margin():
    assert metrics.context_coded(0.80, 0.70).value == 1.0
    assert metrics.context_coded(0.74, 0.70).value == 0.0
    assert metrics.context_coded(0.74, 0.70, margin=0.0).value == 1.0


def test_absent_target_is_named():
    with pytest.raises(ConfigError, match="expected the target among the candidates"):
        metrics.decoder_ceiling([[0]], [2], [[0, 1]])
