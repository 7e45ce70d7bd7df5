"""Information metrics: worked examples, bounds, invariance under renaming."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import entropy as scipy_entropy

from babelzoo.benchmarks import metrics
from babelzoo.envs.core.errors import ConfigError

CUBE = np.array(list(itertools.product(range(2), repeat=3)))
NONE = np.zeros((0, 3), int)

labels = arrays(np.int64, 24, elements=st.integers(-2, 4))
tokens = arrays(np.int64, (24, 3), elements=st.integers(0, 3))


def test_entropy_by_hand():
    assert metrics.entropy([0, 0, 1, 1]).value == 1.0
    assert metrics.entropy([0, 0, 1, 2]).value == 1.5
    assert metrics.entropy([[0, 1], [0, 1], [1, 0], [1, 1]]).value == 1.5
    assert metrics.entropy([7, 7]).value == 0.0
    assert metrics.entropy(np.zeros(0, int)).reason == "there are no rounds with a message"


@given(labels)
def test_entropy_is_scipys(values):
    counts = np.unique(values, return_counts=True)[1]
    assert metrics.entropy(values).value == pytest.approx(scipy_entropy(counts, base=2), abs=1e-12)


def test_mutual_information_by_hand():
    # H(F) = 0.8113, H(F | P) = 1/2 · 1 + 1/2 · 0.
    assert metrics.mutual_information([0, 0, 1, 1], [0, 1, 1, 1]).value == pytest.approx(0.3112781)
    assert metrics.mutual_information([0, 0, 1, 1], [0, 1, 0, 1]).value == 0.0
    assert metrics.mutual_information([3, 1, 2], [0, 5, 4]).value == pytest.approx(np.log2(3))
    assert metrics.mutual_information([], []).reason == "there are no rounds with a message"


@given(labels, labels)
def test_mutual_information_is_between_zero_and_the_smaller_entropy(left, right):
    information = metrics.mutual_information(left, right).value
    smaller = min(metrics.entropy(left).value, metrics.entropy(right).value)
    assert 0 <= information <= smaller + 1e-9
    assert information == pytest.approx(metrics.mutual_information(right, left).value)


@given(tokens, labels, st.permutations(range(4)))
def test_symbol_names_do_not_matter(messages, targets, names):
    renamed = np.array(names)[messages]
    assert metrics.mutual_information(renamed, targets) == metrics.mutual_information(
        messages, targets
    )
    values = CUBE[targets % 8]
    before, after = (metrics.best_position_feature_mi(m, values) for m in (messages, renamed))
    assert after.value == pytest.approx(before.value, abs=1e-12)
    assert (
        metrics.position_feature_purity(renamed, values)
        == metrics.position_feature_purity(messages, values)
    ).all()


def test_conditional_mutual_information_by_hand():
    left, right = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert metrics.conditional_mutual_information(left, right, left ^ right).value == 1.0
    assert metrics.conditional_mutual_information(left, right, [0, 0, 0, 0]).value == 0.0
    assert metrics.conditional_mutual_information(left, left, left).value == 0.0
    assert metrics.conditional_mutual_information([], [], []).reason


@given(labels, labels, labels)
def test_conditional_mutual_information_is_the_mean_over_the_condition(left, right, given_labels):
    expected = sum(
        (given_labels == value).mean()
        * metrics.mutual_information(
            left[given_labels == value], right[given_labels == value]
        ).value
        for value in np.unique(given_labels)
    )
    measured = metrics.conditional_mutual_information(left, right, given_labels)
    assert measured.value == pytest.approx(expected, abs=1e-9)


def test_information_about_target_and_choice():
    messages = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert metrics.message_target_information(messages, [0, 1, 2, 3]).value == 2.0
    assert metrics.message_choice_information(messages, [0, 0, 2, 2]).value == 1.0
    assert metrics.message_choice_information(messages, [0, 2, -1, -1]).value == 1.0
    assert metrics.message_choice_information(messages, [-1] * 4).reason == (
        "there are no rounds with a message and a choice"
    )


def test_context_information_ignores_candidate_order():
    targets = [0, 0, 0, 0]
    candidates = [[0, 1], [1, 0], [0, 2], [2, 0]]
    by_set = metrics.message_context_information([[0], [0], [1], [1]], candidates, targets)
    by_order = metrics.message_context_information([[0], [1], [0], [1]], candidates, targets)
    assert (by_set.value, by_order.value) == (1.0, 0.0)


def test_best_mi_is_the_largest_over_positions_and_features():
    assert metrics.best_position_feature_mi(CUBE, CUBE).value == 1.0
    # Position 0 tells 0.3113 bit of the feature, position 1 nothing.
    measured = metrics.best_position_feature_mi(
        [[0, 0], [0, 0], [1, 0], [1, 0]], [[0], [1], [1], [1]]
    )
    assert measured.value == pytest.approx(0.3112781)
    assert metrics.best_position_feature_mi(np.zeros((8, 3), int), CUBE).value == 0.0
    assert metrics.best_position_feature_mi(NONE, NONE).reason


@given(tokens, labels)
def test_best_mi_is_the_maximum_of_single_informations(messages, targets):
    values = CUBE[targets % 8]
    singles = [
        metrics.mutual_information(messages[:, p], values[:, k]).value
        for p in range(3)
        for k in range(3)
    ]
    best = metrics.best_position_feature_mi(messages, values).value
    assert best == pytest.approx(max(singles), abs=1e-9)


def test_purity_by_hand():
    purity = metrics.position_feature_purity(
        [[0, 0], [0, 0], [1, 0], [1, 0]], [[0, 0], [1, 0], [1, 1], [1, 1]]
    )
    # Token 0 at position 0 goes with feature 0 once each, token 1 twice with 1: 3 of 4.
    assert purity.tolist() == [[0.75, 1.0], [0.75, 0.5]]
    assert np.isnan(metrics.position_feature_purity(NONE, NONE)).all()
    assert metrics.position_feature_purity(NONE, NONE).shape == (3, 3)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: metrics.entropy([0.5]), "expected labels to be integers"),
        (lambda: metrics.mutual_information([1, 2], [1]), "per round, actual 2 and 1"),
        (lambda: metrics.best_position_feature_mi(CUBE, CUBE[:2]), "per round, actual 8 and 2"),
        (lambda: metrics.message_target_information([[-1]], [0]), "leave out the rounds without"),
    ],
)
def test_wrong_input_is_named(call, text):
    with pytest.raises(ConfigError, match=text):
        call()
