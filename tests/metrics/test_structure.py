"""Structure metrics: worked examples, invariants, degenerate codebooks."""

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from babelzoo.benchmarks import metrics
from babelzoo.envs.core.errors import ConfigError, MissingExtra

CUBE = np.array(list(itertools.product(range(2), repeat=3)))
SQUARE = np.array(list(itertools.product(range(2), repeat=2)))


def levenshtein(left, right):
    if not left or not right:
        return len(left) + len(right)
    substituted = levenshtein(left[1:], right[1:]) + (left[0] != right[0])
    return min(substituted, levenshtein(left[1:], right) + 1, levenshtein(left, right[1:]) + 1)


def hamming(left, right):
    return sum(a != b for a, b in zip(left, right, strict=True))


codebooks = arrays(np.int64, st.tuples(st.just(8), st.integers(2, 4)), elements=st.integers(0, 3))


def test_codebook_is_the_modal_message_and_ties_go_to_the_first_used():
    messages = [[1, 1], [0, 0], [2, 0], [0, 0], [1, 1], [0, 1]]
    targets = [5, 5, 2, 5, 5, 7]
    codebook = metrics.effective_codebook(messages, targets)
    assert codebook.objects.tolist() == [2, 5, 7]
    assert codebook.messages.tolist() == [[2, 0], [1, 1], [0, 1]]


def test_first_used_means_first_used_for_that_object():
    codebook = metrics.effective_codebook([[0], [1], [0]], [1, 0, 0])
    assert codebook.messages.tolist() == [[1], [0]]


def test_codebook_of_no_rounds_is_empty():
    codebook = metrics.effective_codebook(np.zeros((0, 3), int), np.zeros(0, int))
    assert codebook.objects.shape == (0,)
    assert codebook.messages.shape == (0, 3)


@given(codebooks, st.permutations(range(8)))
def test_codebook_of_a_consistent_sender_is_its_code(code, targets):
    rounds = np.array([*targets, *targets])
    assert (metrics.effective_codebook(code[rounds], rounds).messages == code).all()


def test_perfect_positional_code_has_topsim_one():
    assert metrics.topographic_similarity(CUBE, CUBE).value == 1.0
    assert metrics.topographic_similarity(1 - CUBE[:, [2, 0, 1]], CUBE).value == 1.0


def test_edit_distance_does_not_see_a_perfect_code_as_perfect():
    assert metrics.topographic_similarity(CUBE, CUBE, "edit").value == pytest.approx(0.98, abs=5e-3)


def test_topsim_of_four_objects_by_hand():
    # Meaning distances 1 1 2 2 1 1, message distances 1 2 1 1 2 1: centred ranks
    # (-1 -1 2 2 -1 -1) and (-1 2 -1 -1 2 -1) have products 1-2-2-2-2+1 = -6 and squares 12, 12.
    messages = [[0, 0], [0, 1], [1, 1], [1, 0]]
    assert metrics.topographic_similarity(messages, SQUARE).value == pytest.approx(-0.5)


@pytest.mark.parametrize("distance", ["hamming", "edit"])
@given(code=codebooks)
def test_topsim_is_spearmans_correlation(distance, code):
    measured = metrics.topographic_similarity(code, CUBE, distance)
    between = hamming if distance == "hamming" else levenshtein
    pairs = list(itertools.combinations(range(8), 2))
    heard = [between(list(code[i]), list(code[j])) for i, j in pairs]
    meant = [hamming(CUBE[i], CUBE[j]) for i, j in pairs]
    if len(set(heard)) == 1:
        assert math.isnan(measured.value)
    else:
        assert -1 <= measured.value <= 1
        assert measured.value == pytest.approx(spearmanr(meant, heard).statistic, abs=1e-12)


def test_symbol_names_and_object_order_do_not_matter():
    rng = np.random.default_rng(0)
    for metric in (metrics.topographic_similarity, metrics.posdis, metrics.bosdis):
        code = rng.integers(4, size=(8, 3))
        value = metric(code, CUBE).value
        order = rng.permutation(8)
        assert metric(code[order], CUBE[order]).value == pytest.approx(value)
        assert metric(rng.permutation(4)[code], CUBE).value == pytest.approx(value)
        assert metric(code[:, [2, 0, 1]], CUBE[:, [1, 2, 0]]).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("messages", "features", "reason"),
    [
        (CUBE, np.arange(8)[:, None], "objects have one attribute"),
        (np.arange(8)[:, None], CUBE, "words have one symbol"),
        (CUBE[:2], CUBE[:2], "fewer than 3 objects were seen (2)"),
        (CUBE[:0], CUBE[:0], "fewer than 3 objects were seen (0)"),
        (np.zeros((8, 3), int), CUBE, "all objects share one message"),
        (np.repeat(np.arange(8)[:, None], 3, 1), CUBE, "all message distances are equal"),
        ([[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 1], [2, 2]], "all meaning distances are equal"),
    ],
)
def test_undefined_topsim_says_why(messages, features, reason):
    measured = metrics.topographic_similarity(messages, features)
    assert math.isnan(float(measured))
    assert measured.reason == reason


def test_posdis_by_hand():
    # Position 0 is the exclusive or (tells neither feature), position 1 is feature 0.
    messages = np.stack([SQUARE[:, 0] ^ SQUARE[:, 1], SQUARE[:, 0]], axis=1)
    assert metrics.posdis(messages, SQUARE).value == pytest.approx(0.5)
    assert metrics.posdis(CUBE, CUBE).value == 1.0


def test_posdis_compares_the_two_best_attributes():
    # Red or square: tells 0.3113 bit of colour, as much of shape, and nothing of size.
    messages = (CUBE[:, :1] | CUBE[:, 1:2]).repeat(2, axis=1)
    assert metrics.posdis(messages, CUBE).value == pytest.approx(0.0, abs=1e-12)


def test_posdis_leaves_out_constant_positions():
    messages = np.column_stack([SQUARE, np.zeros(4, int)])
    assert metrics.posdis(messages, SQUARE).value == 1.0


def test_bosdis_by_hand():
    # A (0) is said once if feature 0 is set, B (1) once if feature 1 is: gap 1 of 1 bit each.
    # C (2) fills up: counts 2 1 1 0 tell 0.5 bit of either feature: gap 0. Mean 2/3.
    messages = [[2, 2], [1, 2], [0, 2], [0, 1]]
    assert metrics.bosdis(messages, SQUARE).value == pytest.approx(2 / 3)
    assert (
        metrics.bosdis(messages, SQUARE).value
        == metrics.bosdis([row[::-1] for row in messages], SQUARE).value
    )


def test_bosdis_of_a_positional_code_with_shared_symbols_is_zero():
    assert metrics.bosdis(CUBE, CUBE).value == 0.0


def test_two_messages_can_have_posdis_one_and_collide_everywhere():
    messages = np.repeat(CUBE[:, :1], 3, axis=1)
    assert metrics.posdis(messages, CUBE).value == 1.0
    assert metrics.collision_rate(messages).value == 1.0


@given(codebooks)
def test_disentanglement_is_a_share(code):
    for metric in (metrics.posdis, metrics.bosdis):
        measured = metric(code, CUBE)
        assert measured.reason or 0 <= measured.value <= 1


@pytest.mark.parametrize("metric", [metrics.posdis, metrics.bosdis])
def test_undefined_disentanglement_says_why(metric):
    assert metric(CUBE, np.arange(8)[:, None]).reason == "objects have one attribute"
    assert metric(CUBE[:0], CUBE[:0]).reason == "no object was seen"
    assert metric(np.zeros((8, 3), int), CUBE).reason.endswith("are constant")


def test_bosdis_is_undefined_when_only_the_order_varies():
    assert metrics.bosdis([[0, 1], [1, 0]], [[0, 0], [1, 1]]).reason == (
        "all symbol counts are constant"
    )


def test_perfect_holistic_code_collides_nowhere():
    holistic = CUBE[[3, 0, 5, 6, 1, 7, 2, 4]]
    assert metrics.collision_rate(holistic).value == 0.0
    assert abs(metrics.topographic_similarity(holistic, CUBE).value) < 0.5


def test_collision_rate_by_hand():
    assert metrics.collision_rate([[0, 0], [0, 1], [0, 0], [1, 1]]).value == 0.5
    assert metrics.collision_rate([[0, 0]] * 3).value == 1.0
    assert metrics.collision_rate(np.zeros((0, 2), int)).reason == "no object was seen"


def test_distinct_messages_by_hand():
    assert metrics.distinct_messages([[0, 1], [1, 0], [0, 1]]) == 2
    assert metrics.distinct_messages(np.zeros((0, 2), int)) == 0


def test_long_messages_keep_apart():
    bits = np.arange(80) % 3 % 2
    rows = np.stack([bits, 1 - bits, bits])
    rows[2, 0] = 1 - bits[0]
    assert metrics.distinct_messages(rows) == 3


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: metrics.collision_rate([[0, -1]]), "expected tokens of at least 0, actual -1"),
        (lambda: metrics.collision_rate([0, 1]), r"expected messages to be integers of shape"),
        (lambda: metrics.collision_rate([[0.5]]), r"actual float64 of shape \(1, 1\)"),
        (lambda: metrics.posdis(CUBE, CUBE[:3]), "per object, actual 8 and 3"),
        (lambda: metrics.effective_codebook(CUBE, [1]), "per round, actual 8 and 1"),
        (
            lambda: metrics.topographic_similarity(CUBE, CUBE, "cosine"),
            'expected distance "hamming" or "edit", actual \'cosine\'',
        ),
    ],
)
def test_wrong_input_is_named(call, text):
    with pytest.raises(ConfigError, match=text):
        call()


def test_a_value_has_a_reason_exactly_if_it_is_nan():
    assert float(metrics.Measured(0.25)) == 0.25
    assert metrics.undefined("why").reason == "why"
    with pytest.raises(ValueError, match="expected a reason"):
        metrics.Measured(math.nan)
    with pytest.raises(ValueError, match="expected a reason"):
        metrics.Measured(1.0, "why")


def test_without_scipy_topsim_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtra, match=r"babelzoo\[analysis\]"):
        metrics.topographic_similarity(CUBE, CUBE)
    assert metrics.posdis(CUBE, CUBE).value == 1.0
