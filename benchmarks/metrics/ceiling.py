"""How well any receiver could do that decodes messages in one fixed way.

A pair that beats the best fixed decoder uses messages whose meaning depends on the candidates
("signals by context"): metrics of a fixed code then say nothing about it.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._counts import row_labels
from babelzoo.benchmarks.metrics._inputs import (
    BoolArray,
    IntArray,
    aligned,
    integers,
    spoken_messages,
)
from babelzoo.benchmarks.metrics.measured import Measured, undefined
from babelzoo.envs.core.errors import ConfigError

__all__ = ["CONTEXT_MARGIN", "context_coded", "decoder_ceiling"]

CONTEXT_MARGIN = 0.05  # accuracy above the ceiling from which a pair signals by context
_EXACT_OBJECTS = 10  # most targets of one message for which all orders are compared


def decoder_ceiling(
    messages: npt.ArrayLike, targets: npt.ArrayLike, candidates: npt.ArrayLike
) -> Measured:
    """Accuracy of the best fixed message→object decoder on these very rounds.

    A fixed decoder is a function from messages to preference orders of the objects: it chooses
    the candidate that its order for the message puts first. The ceiling is the share of rounds
    won by the best such function. So no receiver with a fixed order per message is above it,
    nor, in expectation, one that draws among equally preferred candidates (that is a mixture of
    orders). The best order of a message with up to 10 different targets is exact (all orders,
    by dynamic programming over sets of objects); beyond that it is the best that moving one
    object at a time finds from the order by frequency, hence a lower bound.

    The decoder is fitted to the rounds that it is scored on, so the ceiling is optimistic: with
    4 candidates of 8 objects and 8 messages said at random it is about 0.71 over 50 rounds and
    0.50 over 200, not 1/4. It is an upper bound to compare an accuracy with, no estimate of what
    a decoder would do on new rounds. So a flag from it is seldom wrong (over 50 rounds a receiver
    that draws among equally preferred candidates exceeds it by 0.05 in about 1 run of 50, over
    200 in fewer than 1 of 100) but context may go unflagged: orders decode the lowest and highest
    rank of a rank code, whose ceiling is about 0.88 over 50 rounds and 0.83 over 200.

    Source: Talebirad et al. 2026, Discussion, "the best fixed message-to-object decoder"; the
    paper gives no formula.

    Args:
        messages: Tokens of at least 0, shape (n, L).
        targets: Objects of at least 0, shape (n,).
        candidates: Objects, the target among them, shape (n, c).

    Returns:
        A value in (0, 1]; nan without rounds.

    Raises:
        ConfigError: A shape or a token is not as said, or a target is no candidate.
    """
    said = spoken_messages(messages)
    meant = integers(targets, "targets", "(n,)", 1)
    offered = integers(candidates, "candidates", "(n, c)", 2)
    aligned("round", messages=said, targets=meant, candidates=offered)
    if not len(said):
        return undefined("there are no rounds with a message")
    if not (offered == meant[:, None]).any(axis=1).all():
        raise ConfigError("expected the target among the candidates of each round, actual absent.")
    labels = row_labels(said)
    by_message = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[by_message])) + 1
    wins = sum(
        _best_wins(meant[rounds], offered[rounds]) for rounds in np.split(by_message, starts)
    )
    return Measured(wins / len(said))


def context_coded(accuracy: float, ceiling: float, margin: float = CONTEXT_MARGIN) -> Measured:
    """1 if the accuracy is more than `margin` above the ceiling, else 0.

    Both must be of the same rounds, those with a message. 1 means that the pair signals by
    context and that TopSim, Best MI and collision rate are unreliable.

    Args:
        accuracy: Share of rounds won, 0..1.
        ceiling: `decoder_ceiling` of the same rounds.
        margin: At least 0.

    Returns:
        0 or 1; nan if one of the two is.
    """
    if np.isnan(accuracy) or np.isnan(ceiling):
        return undefined("the accuracy or its ceiling is undefined")
    return Measured(float(accuracy - ceiling > margin))


def _best_wins(targets: IntArray, candidates: IntArray) -> int:
    """Most rounds of one message that a single preference order wins."""
    objects, target_index = np.unique(targets, return_inverse=True)
    if len(objects) == 1:
        return len(targets)
    # Objects that are never a target go last in some best order and then beat nobody.
    rivals = (candidates[:, :, None] == objects).any(axis=1)
    rivals[np.arange(len(targets)), target_index] = False
    if len(objects) <= _EXACT_OBJECTS:
        return _exact_wins(target_index, rivals)
    return _climbed_wins(target_index, rivals)


def _exact_wins(targets: IntArray, rivals: BoolArray) -> int:
    """Best order of all, built from the top: wins[set] is the most that a set on top can win.

    An object placed below `set` wins the rounds in which it is the target and no rival is in
    `set`.
    """
    n_objects = rivals.shape[1]
    rival_sets = rivals @ (1 << np.arange(n_objects))
    unbeaten = (rival_sets[:, None] & np.arange(1 << n_objects)) == 0
    gains = (targets == np.arange(n_objects)[:, None]).astype(np.float64) @ unbeaten
    wins = np.zeros(1 << n_objects)
    for sets, lowest, rest in _levels(n_objects):
        wins[sets] = (wins[rest] + gains[lowest, rest]).max(axis=1)
    return round(float(wins[-1]))


@lru_cache(maxsize=_EXACT_OBJECTS + 1)
def _levels(n_objects: int) -> tuple[tuple[IntArray, IntArray, IntArray], ...]:
    """By size: the sets as bit masks, their members, and the set without each member."""
    masks = np.arange(1 << n_objects)
    contained = (masks[:, None] >> np.arange(n_objects)) & 1
    sizes = contained.sum(axis=1)
    levels = []
    for size in range(1, n_objects + 1):
        sets = masks[sizes == size]
        members = np.nonzero(contained[sets])[1].reshape(len(sets), size)
        levels.append((sets, members, sets[:, None] ^ (1 << members)))
    return tuple(levels)


def _climbed_wins(targets: IntArray, rivals: BoolArray) -> int:
    """Wins of a local optimum: no single object could be moved to a better place."""
    n_objects = rivals.shape[1]
    order = np.argsort(-np.bincount(targets), kind="stable")
    best = -1
    while True:
        for moved in range(n_objects):
            order = order[order != moved]
            places = np.full(n_objects, n_objects)
            places[order] = np.arange(n_objects - 1)
            # The first rival of each round, `moved` left out.
            first_rival = np.where(rivals, places, n_objects).min(axis=1)
            is_target, is_rival = targets == moved, rivals[:, moved]
            won = ~is_target & (places[targets] < first_rival)
            # At place q the moved object beats the rivals from q on, the others those after q.
            change = np.zeros(n_objects + 1, dtype=np.int64)
            last = np.minimum(first_rival[is_target], n_objects - 1)
            change += np.bincount(last, minlength=n_objects + 1)[::-1].cumsum()[::-1]
            safe = places[targets[won & is_rival]] + 1
            change += np.bincount(safe, minlength=n_objects + 1).cumsum()
            place = int(change[:n_objects].argmax())
            wins = int((won & ~is_rival).sum() + change[place])
            order = np.insert(order, place, moved)
        if wins <= best:
            return best
        best = wins
