"""Null distributions: the specification's figures, exact cases, seeds, undefined cases."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from babelzoo.benchmarks import metrics
from babelzoo.benchmarks.metrics import _codebooks, _random_codes, baselines
from babelzoo.envs.core.errors import ConfigError

CUBE = np.array(list(itertools.product(range(2), repeat=3)))
TARGETS = np.random.default_rng(5).integers(8, size=50)


@pytest.mark.parametrize(("vocab_size", "message_length", "best_mi"), [(2, 3, 0.50), (5, 2, 0.79)])
def test_random_codes_have_the_best_mi_of_the_specification(vocab_size, message_length, best_mi):
    chance = metrics.random_code_baselines(CUBE, vocab_size, message_length)
    assert chance.best_mi.mean == pytest.approx(best_mi, abs=0.03)
    assert chance.best_mi.low < chance.best_mi.mean < chance.best_mi.high


@pytest.mark.parametrize(("vocab_size", "message_length"), [(2, 3), (5, 2), (3, 3), (5, 3)])
def test_topsim_of_random_codes_has_mean_zero_and_standard_deviation_a_fifth(
    vocab_size, message_length
):
    chance = metrics.random_code_baselines(CUBE, vocab_size, message_length).topsim
    assert chance.mean == pytest.approx(0, abs=0.03)
    assert (chance.high - chance.low) / (2 * 1.96) == pytest.approx(0.2, abs=0.04)


def test_injective_codes_never_collide():
    chance = metrics.random_code_baselines(CUBE, 2, 3).collision
    assert (chance.mean, chance.low, chance.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("vocab_size", "message_length"), [(2, 3), (3, 2), (26, 16)])
def test_injective_codes_are_injective_and_in_the_vocabulary(vocab_size, message_length):
    codes = _random_codes.injective_codes(
        np.random.default_rng(0), 50, 8, vocab_size, message_length
    )
    assert codes.shape == (50, 8, message_length)
    assert codes.min() == 0
    assert codes.max() == vocab_size - 1
    assert all(metrics.distinct_messages(code) == 8 for code in codes)


def test_all_injective_codes_of_two_objects_are_equally_likely():
    codes = _random_codes.injective_codes(np.random.default_rng(0), 6000, 2, 3, 1)[:, :, 0]
    counts = np.bincount(codes[:, 0] * 3 + codes[:, 1], minlength=9).reshape(3, 3)
    assert np.diag(counts).sum() == 0
    assert np.abs(counts[~np.eye(3, dtype=bool)] - 1000).max() < 150


def test_batches_measure_as_the_single_metrics_do():
    rng = np.random.default_rng(2)
    codes = rng.integers(3, size=(20, 8, 3))
    targets = rng.integers(8, size=(20, 9))
    objects, seen, slots = _random_codes.slots_of_targets(targets)
    assert (np.take_along_axis(objects, slots, axis=1) == targets).all()
    assert not seen.all()
    slot_codes = np.take_along_axis(codes, objects[:, :, None], axis=1)
    topsims = _codebooks.topsims(slot_codes, CUBE[objects], seen)
    informations = _codebooks.best_informations(
        np.take_along_axis(codes, targets[:, :, None], axis=1), CUBE[targets]
    )
    for i in range(20):
        kept = np.unique(targets[i])
        expected = metrics.topographic_similarity(codes[i, kept], CUBE[kept]).value
        assert topsims[i] == pytest.approx(expected, nan_ok=True)
        best = metrics.best_position_feature_mi(codes[i, targets[i]], CUBE[targets[i]])
        assert informations[i] == pytest.approx(best.value)


def test_equal_arguments_give_equal_results_and_other_seeds_others():
    first = metrics.random_code_baselines(CUBE, 3, 3, seed=1)
    baselines._random_code_baselines.cache_clear()
    assert metrics.random_code_baselines(CUBE, 3, 3, seed=1) == first
    assert metrics.random_code_baselines(CUBE, 3, 3, seed=2) != first
    shuffled = [metrics.shuffled_baselines(CUBE[TARGETS], TARGETS, CUBE, seed=s) for s in (1, 1, 2)]
    assert shuffled[0] == shuffled[1] != shuffled[2]


def test_no_baseline_touches_the_global_generator():
    before = np.random.get_state(legacy=False)["state"]["pos"]  # noqa: NPY002
    metrics.random_code_baselines(CUBE, 3, 2, seed=11)
    metrics.shuffled_baselines(CUBE[TARGETS], TARGETS, CUBE)
    metrics.topographic_similarity_p(CUBE, CUBE)
    assert np.random.get_state(legacy=False)["state"]["pos"] == before  # noqa: NPY002


def test_given_targets_are_used():
    few = np.array([0, 0, 0, 7])
    chance = metrics.random_code_baselines(CUBE, 2, 3, targets=few)
    assert chance.topsim.reason == "the metric is undefined for every draw"
    # Two objects apart at some position: H(1/4) bits, always.
    assert chance.best_mi.low == pytest.approx(0.8112781)
    assert chance.best_mi.high == pytest.approx(0.8112781)


def test_chunks_do_not_change_the_draws(monkeypatch):
    def measured():
        baselines._random_code_baselines.cache_clear()
        return (
            metrics.random_code_baselines(CUBE, 3, 3, n_codes=40),
            metrics.shuffled_baselines(CUBE[TARGETS], TARGETS, CUBE, n_shuffles=40),
            metrics.topographic_similarity_p(CUBE[::-1], CUBE, n_permutations=40),
        )

    whole = measured()
    monkeypatch.setattr(baselines, "_CHUNK_CELLS", 1000)
    assert list(baselines._chunks(7, 400)) == [2, 2, 2, 1]
    assert measured() == whole


def test_too_small_a_channel_has_no_injective_code():
    chance = metrics.random_code_baselines(CUBE, 2, 2)
    for spread in (chance.topsim, chance.best_mi, chance.collision):
        assert math.isnan(spread.mean)
        assert math.isnan(spread.low)
        assert math.isnan(spread.high)
        assert spread.reason == "4 messages cannot name 8 objects apart"


def test_shuffling_breaks_a_perfect_code():
    shuffled = metrics.shuffled_baselines(CUBE[TARGETS], TARGETS, CUBE)
    assert shuffled.topsim.high < 1.0
    assert shuffled.best_mi.high < 0.3
    assert shuffled.collision.mean > 0.3


def test_shuffling_one_message_changes_nothing():
    shuffled = metrics.shuffled_baselines(np.zeros((50, 3), int), TARGETS, CUBE, n_shuffles=20)
    assert shuffled.topsim.reason == "the metric is undefined for every draw"
    assert (shuffled.best_mi.low, shuffled.best_mi.high) == (0.0, 0.0)
    assert (shuffled.collision.low, shuffled.collision.high) == (1.0, 1.0)


def test_shuffling_one_round_keeps_it():
    shuffled = metrics.shuffled_baselines([[0, 1]], [3], CUBE, n_shuffles=5)
    assert (shuffled.best_mi.mean, shuffled.collision.mean) == (0.0, 0.0)


def test_shuffles_measure_codebooks_as_the_single_metrics_do():
    rng = np.random.default_rng(3)
    messages = rng.integers(2, size=(30, 3))
    targets = rng.integers(8, size=30)
    expected = []
    for order in np.random.default_rng(0).permuted(np.tile(np.arange(30), (40, 1)), axis=1):
        codebook = metrics.effective_codebook(messages[order], targets)
        expected.append(metrics.collision_rate(codebook.messages).value)
    shuffled = metrics.shuffled_baselines(messages, targets, CUBE, n_shuffles=40, seed=0)
    assert shuffled.collision.mean == pytest.approx(np.mean(expected))


def test_topsim_of_words_of_one_symbol_or_objects_of_one_attribute_has_no_baseline():
    one_symbol = metrics.shuffled_baselines(CUBE[TARGETS, :1], TARGETS, CUBE, n_shuffles=20)
    one_attribute = metrics.shuffled_baselines(CUBE[TARGETS], TARGETS, CUBE[:, :1], n_shuffles=20)
    for shuffled in (one_symbol, one_attribute):
        assert shuffled.topsim.reason == "the metric is undefined for every draw"
        assert shuffled.best_mi.mean > 0


def test_no_rounds_have_no_baselines():
    none = np.zeros((0, 3), int)
    empty = np.zeros(0, int)
    assert metrics.shuffled_baselines(none, empty, CUBE).topsim.reason
    assert metrics.random_code_baselines(CUBE, 2, 3, targets=empty).best_mi.reason


def test_permutation_p_of_a_perfect_code_is_small():
    # Of 8! pairings, 48 (the cube's symmetries) keep all distances: 0.12 %.
    p = metrics.topographic_similarity_p(CUBE, CUBE, n_permutations=20_000).value
    assert p == pytest.approx(48 / math.factorial(8), abs=1e-3)


def test_permutation_p_is_exact_where_every_pairing_is_alike():
    # Any pairing of three messages at distances 1 1 2 with meanings at 1 1 2: TopSim 1 or −1/2.
    messages = [[0, 0], [0, 1], [1, 1]]
    strong = metrics.topographic_similarity_p(messages, messages, n_permutations=9999)
    assert strong.value == pytest.approx(1 / 3, abs=0.02)
    weak = metrics.topographic_similarity_p(messages, [[0, 1], [0, 0], [1, 1]])
    assert weak.value == 1.0


@settings(max_examples=50)
@given(
    arrays(np.int64, (8, 3), elements=st.integers(0, 2)),
    st.sampled_from(["hamming", "edit"]),
)
def test_permutation_p_is_above_zero_and_at_most_one(code, distance):
    measured = metrics.topographic_similarity_p(code, CUBE, distance, n_permutations=50)
    undefined = metrics.topographic_similarity(code, CUBE, distance).reason
    assert measured.reason == undefined
    assert undefined or 1 / 51 <= measured.value <= 1


def test_permutation_p_is_uniform_when_the_code_is_random():
    rng = np.random.default_rng(0)
    p_values = [
        metrics.topographic_similarity_p(
            rng.permutation(CUBE), CUBE, n_permutations=99, seed=int(i)
        ).value
        for i in range(400)
    ]
    assert np.mean(np.array(p_values) <= 0.05) <= 0.08
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: metrics.random_code_baselines(CUBE, 0, 3), "vocab_size of at least 1, actual 0"),
        (lambda: metrics.random_code_baselines(CUBE, 2, 0), "message_length of at least 1"),
        (lambda: metrics.random_code_baselines(CUBE, 2, 3, 0), "window of at least 1, actual 0"),
        (lambda: metrics.random_code_baselines(CUBE, 2, 3, targets=[8]), "targets of 0..7"),
        (lambda: metrics.random_code_baselines(CUBE, 2, 3, n_codes=0), "n_codes of at least 1"),
        (lambda: metrics.shuffled_baselines(CUBE, range(8), CUBE, n_shuffles=0), "n_shuffles"),
        (lambda: metrics.shuffled_baselines(CUBE, [0], CUBE), "per round, actual 8 and 1"),
        (lambda: metrics.topographic_similarity_p(CUBE, CUBE, n_permutations=0), "permutations"),
    ],
)
def test_wrong_input_is_named(call, text):
    with pytest.raises(ConfigError, match=text):
        call()
