"""Contingency tables and plug-in information, for one sample or for many at once."""

import numpy as np

from babelzoo.benchmarks.metrics._inputs import FloatArray, IntArray

_LARGEST_LABEL = 2**62


def relabel(values: IntArray) -> IntArray:
    """The same array with its distinct values renamed 0, 1, … in ascending order."""
    return np.unique(values, return_inverse=True)[1].reshape(values.shape)


def row_labels(rows: IntArray) -> IntArray:
    """Number the distinct entries of (n,), or the distinct rows of (n, L), as labels (n,)."""
    if rows.ndim == 1:
        return relabel(rows)
    labels, n_labels = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T if len(rows) else ():
        low, high = int(column.min()), int(column.max())
        span = high - low + 1
        if n_labels * span > _LARGEST_LABEL:
            labels = relabel(labels)
            n_labels = int(labels.max()) + 1
        labels = labels * span + (column - low)
        n_labels *= span
    return relabel(labels)


def joint_counts(left: IntArray, right: IntArray) -> IntArray:
    """Count how often each value of each left column meets each value of each right column.

    Args:
        left: Labels of at least 0, shape (..., n, A), n > 0.
        right: Labels of at least 0, shape (..., n, B); the leading axes broadcast.

    Returns:
        Tables of shape (..., A, B, left values, right values), each of sum n.
    """
    left_values, right_values = int(left.max()) + 1, int(right.max()) + 1
    cells = left[..., :, None] * right_values + right[..., None, :]
    *batch, _, width, height = cells.shape
    n_tables = int(np.prod(batch, dtype=np.int64)) * width * height
    table_size = left_values * right_values
    tables = np.arange(n_tables).reshape(*batch, 1, width, height)
    counts = np.bincount((tables * table_size + cells).ravel(), minlength=n_tables * table_size)
    return counts.reshape(*batch, width, height, left_values, right_values)


def counts_entropy(counts: IntArray) -> FloatArray:
    """Plug-in entropy in bits of counts along the last axis, of sum > 0."""
    total = counts.sum(axis=-1)
    entropy: FloatArray = np.log2(total) - _weighted_logs(counts).sum(axis=-1) / total
    return np.asarray(np.maximum(entropy, 0.0))


def tables_information(tables: IntArray) -> FloatArray:
    """Plug-in mutual information in bits of tables on the last two axes, of sum > 0."""
    total = tables.sum(axis=(-2, -1))
    joint = _weighted_logs(tables).sum(axis=(-2, -1))
    rows = _weighted_logs(tables.sum(axis=-1)).sum(axis=-1)
    columns = _weighted_logs(tables.sum(axis=-2)).sum(axis=-1)
    information: FloatArray = np.log2(total) + (joint - rows - columns) / total
    return np.asarray(np.maximum(information, 0.0))


def _weighted_logs(counts: IntArray) -> FloatArray:
    return np.multiply(counts, np.log2(np.maximum(counts, 1)), dtype=np.float64)
