"""Information in messages: plug-in estimates in bits over rounds.

Row i of every argument belongs to round i. Labels are integers (n,), or rows (n, m) that count
as one label each. Plug-in estimates are biased upwards when labels are many and rounds are few:
compare with `baselines`.
"""

import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._counts import (
    counts_entropy,
    joint_counts,
    relabel,
    row_labels,
    tables_information,
)
from babelzoo.benchmarks.metrics._inputs import (
    FloatArray,
    IntArray,
    aligned,
    integers,
    spoken_messages,
)
from babelzoo.benchmarks.metrics.measured import Measured, undefined

__all__ = [
    "best_position_feature_mi",
    "conditional_mutual_information",
    "entropy",
    "message_choice_information",
    "message_context_information",
    "message_target_information",
    "mutual_information",
    "position_feature_purity",
]

_NO_ROUNDS = "there are no rounds with a message"


def entropy(labels: npt.ArrayLike) -> Measured:
    """Entropy H of labels (n,) or rows (n, m), in bits, 0..log2(n); nan if n is 0.

    Raises:
        ConfigError: They are not integers of one or two dimensions.
    """
    numbered = _labels(labels, "labels")
    if not len(numbered):
        return undefined(_NO_ROUNDS)
    return Measured(float(counts_entropy(np.bincount(numbered))))


def mutual_information(left: npt.ArrayLike, right: npt.ArrayLike) -> Measured:
    """Mutual information I(left; right), in bits, 0..min(H(left), H(right)); nan if n is 0.

    Args:
        left: Labels (n,) or rows (n, m).
        right: Labels (n,) or rows (n, m).

    Raises:
        ConfigError: They are not integers, or not equally many.
    """
    first, second = _labels(left, "left"), _labels(right, "right")
    aligned("round", left=first, right=second)
    if not len(first):
        return undefined(_NO_ROUNDS)
    return Measured(_information(first, second))


def conditional_mutual_information(
    left: npt.ArrayLike, right: npt.ArrayLike, given: npt.ArrayLike
) -> Measured:
    """Mutual information I(left; right | given), in bits, at least 0; nan if n is 0.

    Computed as I(left; (right, given)) − I(left; given), the chain rule.

    Args:
        left: Labels (n,) or rows (n, m).
        right: Labels (n,) or rows (n, m).
        given: Labels (n,) or rows (n, m).

    Raises:
        ConfigError: They are not integers, or not equally many.
    """
    first, second = _labels(left, "left"), _labels(right, "right")
    third = _labels(given, "given")
    aligned("round", left=first, right=second, given=third)
    if not len(first):
        return undefined(_NO_ROUNDS)
    both = row_labels(np.column_stack([second, third]))
    return Measured(_bits(_information(first, both) - _information(first, third)))


def message_target_information(messages: npt.ArrayLike, targets: npt.ArrayLike) -> Measured:
    """I(message; target), in bits; nan without rounds. Source: Talebirad et al. 2026, Discussion.

    Args:
        messages: Tokens of at least 0, shape (n, L).
        targets: Objects, shape (n,).

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    return mutual_information(spoken_messages(messages), targets)


def message_choice_information(messages: npt.ArrayLike, choices: npt.ArrayLike) -> Measured:
    """I(message; choice), in bits, over the rounds with a choice; nan without any.

    Source: Talebirad et al. 2026, Discussion.

    Args:
        messages: Tokens of at least 0, shape (n, L).
        choices: Objects, -1 for none, shape (n,).

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    said, chosen = spoken_messages(messages), integers(choices, "choices", "(n,)", 1)
    aligned("round", messages=said, choices=chosen)
    made = chosen >= 0
    if not made.any():
        return undefined("there are no rounds with a message and a choice")
    return mutual_information(said[made], chosen[made])


def message_context_information(
    messages: npt.ArrayLike, candidates: npt.ArrayLike, targets: npt.ArrayLike
) -> Measured:
    """I(message; candidate set | target), in bits; nan without rounds.

    0 for a sender that only names the target, given enough rounds. When most (target, set)
    pairs occur once it approaches H(message | target) for a noisy sender too, so it proves
    context-coding only for a sender that is otherwise consistent.

    Args:
        messages: Tokens of at least 0, shape (n, L).
        candidates: Objects in any order, shape (n, c).
        targets: Objects, shape (n,).

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    sets = np.sort(integers(candidates, "candidates", "(n, c)", 2), axis=1)
    return conditional_mutual_information(spoken_messages(messages), sets, targets)


def best_position_feature_mi(messages: npt.ArrayLike, feature_values: npt.ArrayLike) -> Measured:
    """Best MI: the largest I(P_p; F_k) over positions p and features k, in bits.

    Of the rounds, not of the codebook. Source: Talebirad et al. 2026, Metrics, MI*(W).

    Args:
        messages: Tokens of at least 0, shape (n, L).
        feature_values: Feature values of each round's target, shape (n, n_features).

    Returns:
        A value from 0 to log2 of the most values a feature has; nan without rounds.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    tables = _position_feature_tables(messages, feature_values)
    if tables is None:
        return undefined(_NO_ROUNDS)
    return Measured(float(tables_information(tables).max()))


def position_feature_purity(messages: npt.ArrayLike, feature_values: npt.ArrayLike) -> FloatArray:
    """Share of rounds whose feature value is the commonest one of the token at a position.

    At least the share of the feature's commonest value, so about 0.5 for an uninformative
    position and two balanced values. Source: Talebirad et al. 2026, Study 1 ("purity").

    Args:
        messages: Tokens of at least 0, shape (n, L).
        feature_values: Feature values of each round's target, shape (n, n_features).

    Returns:
        Shares in (0, 1] of shape (L, n_features); all nan without rounds.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    tables = _position_feature_tables(messages, feature_values)
    if tables is None:
        return np.full((np.shape(messages)[1], np.shape(feature_values)[1]), np.nan)
    shares: FloatArray = tables.max(axis=-1).sum(axis=-1) / len(np.asarray(messages))
    return shares


def _labels(values: npt.ArrayLike, name: str) -> IntArray:
    dimensions = 2 if np.ndim(values) == 2 else 1
    return row_labels(integers(values, name, "(n,) or (n, m)", dimensions))


def _information(left: IntArray, right: IntArray) -> float:
    joint = row_labels(np.column_stack([left, right]))
    parts = [float(counts_entropy(np.bincount(labels))) for labels in (left, right, joint)]
    return _bits(parts[0] + parts[1] - parts[2])


def _bits(information: float) -> float:
    """Without the rounding errors of a difference of entropies."""
    return max(0.0, round(information, 12))


def _position_feature_tables(
    messages: npt.ArrayLike, feature_values: npt.ArrayLike
) -> IntArray | None:
    said = spoken_messages(messages)
    values = integers(feature_values, "feature_values", "(n, n_features)", 2)
    aligned("round", messages=said, feature_values=values)
    return joint_counts(relabel(said), relabel(values)) if len(said) else None
