"""Random injective codes, and the distinct targets of a window that they must name."""

import numpy as np

from babelzoo.benchmarks.metrics._inputs import BoolArray, IntArray

_LARGEST_CHOICE = 2**62  # beyond it tokens are drawn one by one: a repeated message never happens


def injective_codes(
    rng: np.random.Generator, n_codes: int, n_objects: int, vocab_size: int, message_length: int
) -> IntArray:
    """Random injective codes, shape (n_codes, n_objects, message_length)."""
    capacity = vocab_size**message_length
    if capacity > _LARGEST_CHOICE:
        return rng.integers(vocab_size, size=(n_codes, n_objects, message_length))
    numbers = np.stack([rng.choice(capacity, n_objects, replace=False) for _ in range(n_codes)])
    powers = vocab_size ** np.arange(message_length)
    return numbers[:, :, None] // powers % vocab_size


def slots_of_targets(targets: IntArray) -> tuple[IntArray, BoolArray, IntArray]:
    """The distinct targets of each window, ascending and padded to equally many.

    Returns:
        Objects (batch, slots), which slots are used (batch, slots), and the slot of each
        round (batch, window).
    """
    by_object = np.argsort(targets, axis=1, kind="stable")
    ascending = np.take_along_axis(targets, by_object, axis=1)
    is_new = np.diff(ascending, axis=1, prepend=-1) != 0
    slots = is_new.cumsum(axis=1) - 1
    n_slots = slots[:, -1] + 1
    objects = np.zeros((len(targets), int(n_slots.max())), dtype=np.int64)
    np.put_along_axis(objects, slots, ascending, axis=1)
    slot_of_round = np.empty_like(slots)
    np.put_along_axis(slot_of_round, by_object, slots, axis=1)
    return objects, np.arange(objects.shape[1]) < n_slots[:, None], slot_of_round
