"""Checks of what users hand in; every message is "expected X, actual Y" plus the fix."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from babelzoo.envs.core.errors import ConfigError

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def integers(values: npt.ArrayLike, name: str, shape: str, dimensions: int) -> IntArray:
    """`values` as int64 with the given number of dimensions.

    Raises:
        ConfigError: They are not integers, or of another number of dimensions.
    """
    array = np.asarray(values)
    if array.ndim != dimensions or not (array.dtype.kind in "iub" or array.size == 0):
        raise ConfigError(
            f"expected {name} to be integers of shape {shape}, "
            f"actual {array.dtype} of shape {array.shape}."
        )
    return array.astype(np.int64, copy=False)


def object_numbers(values: npt.ArrayLike, name: str, n_objects: int) -> IntArray:
    """Objects 0..n_objects-1 of shape (n,).

    Raises:
        ConfigError: They are not of that shape or range.
    """
    array = integers(values, name, "(n,)", 1)
    if array.size and (array.min() < 0 or array.max() >= n_objects):
        raise ConfigError(
            f"expected {name} of 0..{n_objects - 1}, actual {array.min()}..{array.max()}."
        )
    return array


def aligned(rows: str, **arrays: npt.NDArray[np.generic]) -> None:
    """Check that all arrays have as many rows as the first.

    Raises:
        ConfigError: One has not.
    """
    first, *others = arrays
    for name in others:
        if len(arrays[name]) != len(arrays[first]):
            raise ConfigError(
                f"expected one row of {first} and of {name} per {rows}, "
                f"actual {len(arrays[first])} and {len(arrays[name])}."
            )


def spoken_messages(values: npt.ArrayLike) -> IntArray:
    """Messages (n, L), every one of them said.

    Raises:
        ConfigError: The shape is wrong, or a token is negative (a round without a message).
    """
    messages = integers(values, "messages", "(n, L)", 2)
    if messages.size and messages.min() < 0:
        raise ConfigError(
            f"expected tokens of at least 0, actual {messages.min()}: "
            "leave out the rounds without a message."
        )
    return messages


def aligned_sequences(rows: str, **sequences: Sequence[object]) -> None:
    """Check that all sequences are as long as the first.

    Raises:
        ConfigError: One is not.
    """
    aligned(rows, **{name: np.empty(len(values)) for name, values in sequences.items()})
