"""Codebooks in batches: modal messages, distances, TopSim, Best MI, collisions.

One codebook is a batch of one, so that a metric and its null distribution share their code.
"""

from typing import Literal

import numpy as np

from babelzoo.benchmarks.metrics._counts import joint_counts, tables_information
from babelzoo.benchmarks.metrics._inputs import BoolArray, FloatArray, IntArray
from babelzoo.envs.core.errors import ConfigError, MissingExtra

Distance = Literal["hamming", "edit"]


def modal_labels(labels: IntArray, objects: IntArray, n_objects: int) -> IntArray:
    """The most frequent label of each object; of equally frequent ones the first used for it.

    Args:
        labels: Message labels of at least 0, shape (batch, n), n > 0.
        objects: Object of each round, 0..n_objects-1, each occurring, shape (n,).
        n_objects: Number of objects.

    Returns:
        Labels of shape (batch, n_objects).
    """
    batch, n = labels.shape
    n_labels = int(labels.max()) + 1
    cells = (np.arange(batch)[:, None] * n_objects + objects) * n_labels + labels
    size = batch * n_objects * n_labels
    counts = np.bincount(cells.ravel(), minlength=size)
    first_use = np.zeros(size, dtype=np.int64)
    for i in reversed(range(n)):
        first_use[cells[:, i]] = i
    scores = (counts * n - first_use).reshape(batch, n_objects, n_labels)
    modal: IntArray = scores.argmax(axis=-1)
    return modal


def pair_distances(rows: IntArray, distance: Distance = "hamming") -> IntArray:
    """Distances of all pairs i < j of rows.

    Args:
        rows: Shape (batch, k, width).
        distance: `"hamming"`, or `"edit"` for Levenshtein's.

    Returns:
        Distances 0..width of shape (batch, k(k-1)/2).

    Raises:
        ConfigError: The distance is unknown.
    """
    first, second = np.triu_indices(rows.shape[1], 1)
    if distance == "hamming":
        return sum(
            (
                (rows[:, first, i] != rows[:, second, i]).astype(np.int64)
                for i in range(rows.shape[2])
            ),
            start=np.zeros((len(rows), len(first)), dtype=np.int64),
        )
    if distance == "edit":
        return _edit_distances(rows[:, first], rows[:, second])
    raise ConfigError(f'expected distance "hamming" or "edit", actual {distance!r}.')


def rank_correlation(
    left: IntArray | FloatArray, right: IntArray | FloatArray, kept: BoolArray | None = None
) -> FloatArray:
    """Spearman's rank correlation of each row of `left` with the same row of `right`.

    Ties share their mean rank.

    Args:
        left: Shape (batch, pairs).
        right: Shape (batch, pairs).
        kept: The pairs that count, shape (batch, pairs); all if absent.

    Returns:
        Correlations in [-1, 1] of shape (batch,), nan where a side is constant.
    """
    everything = np.ones(left.shape, dtype=np.bool_) if kept is None else kept
    left_ranks = _centred_ranks(left, everything)
    right_ranks = _centred_ranks(right, everything)
    scale = np.sqrt((left_ranks**2).sum(axis=1) * (right_ranks**2).sum(axis=1))
    products = (left_ranks * right_ranks).sum(axis=1)
    correlations = np.full(len(left), np.nan)
    np.divide(products, scale, out=correlations, where=scale > 0)
    return np.asarray(np.clip(correlations, -1.0, 1.0))


def collision_shares(labels: IntArray) -> FloatArray:
    """Share of the objects whose label another object has too.

    Args:
        labels: Shape (batch, k), k > 0.

    Returns:
        Shares in [0, 1] of shape (batch,).
    """
    equal = labels[:, :, None] == labels[:, None, :]
    shares: FloatArray = (equal.sum(axis=2) > 1).mean(axis=1)
    return shares


def topsims(codes: IntArray, meanings: IntArray, seen: BoolArray | None = None) -> FloatArray:
    """TopSim of each codebook by the rules of `topographic_similarity`, nan where undefined.

    Args:
        codes: Messages, shape (batch, k, L).
        meanings: Feature values, shape (batch, k, n_features).
        seen: The objects that count, shape (batch, k); all if absent.
    """
    if meanings.shape[2] < 2 or codes.shape[2] < 2:
        return np.full(len(codes), np.nan)
    pairs_seen = None
    if seen is not None:
        first, second = np.triu_indices(codes.shape[1], 1)
        pairs_seen = seen[:, first] & seen[:, second]
    return rank_correlation(pair_distances(meanings), pair_distances(codes), pairs_seen)


def best_informations(messages: IntArray, feature_values: IntArray) -> FloatArray:
    """Best MI of each batch of rounds."""
    information = tables_information(joint_counts(messages, feature_values))
    best: FloatArray = information.max(axis=(-2, -1))
    return best


def _centred_ranks(values: IntArray | FloatArray, kept: BoolArray) -> FloatArray:
    """Ranks among the kept entries, minus their mean; 0 for the others."""
    try:
        from scipy.stats import rankdata
    except ImportError:
        raise MissingExtra("topographic similarity", "analysis") from None
    n_kept = kept.sum(axis=1, keepdims=True)
    ranks = rankdata(np.where(kept, values, np.inf), axis=1)
    return np.where(kept, ranks - (n_kept + 1) / 2, 0.0)


def _edit_distances(left: IntArray, right: IntArray) -> IntArray:
    """Levenshtein distance of left[..., :] to right[..., :], both of one length."""
    *batch, length = left.shape
    above = np.broadcast_to(np.arange(length + 1), (*batch, length + 1)).copy()
    for i in range(length):
        row = np.empty_like(above)
        row[..., 0] = i + 1
        for j in range(length):
            substitution = above[..., j] + (left[..., i] != right[..., j])
            gap = np.minimum(above[..., j + 1], row[..., j]) + 1
            row[..., j + 1] = np.minimum(substitution, gap)
        above = row
    return above[..., length]
