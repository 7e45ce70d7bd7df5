"""Structure of a language: effective codebook, TopSim, posdis, bosdis, collision rate.

Every metric but `effective_codebook` and `distinct_messages` is of a codebook: row i of
`messages` is the message of the object whose feature values are row i of `features`.
"""

import msgspec
import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._codebooks import (
    Distance,
    collision_shares,
    modal_labels,
    pair_distances,
    rank_correlation,
)
from babelzoo.benchmarks.metrics._counts import (
    counts_entropy,
    joint_counts,
    relabel,
    row_labels,
    tables_information,
)
from babelzoo.benchmarks.metrics._inputs import IntArray, aligned, integers, spoken_messages
from babelzoo.benchmarks.metrics.measured import Measured, undefined

__all__ = [
    "Codebook",
    "bosdis",
    "collision_rate",
    "distinct_messages",
    "effective_codebook",
    "posdis",
    "topographic_similarity",
]


class Codebook(msgspec.Struct, frozen=True, eq=False):
    """One message per object seen. Invariant: `objects` ascends without repetition.

    Attributes:
        objects: Objects seen as a target, shape (k,).
        messages: Their messages, shape (k, L).
    """

    objects: IntArray
    messages: IntArray


def effective_codebook(messages: npt.ArrayLike, targets: npt.ArrayLike) -> Codebook:
    """The modal message of every object seen as a target.

    Of messages equally frequent for an object, the one used first for it counts.
    Source: Talebirad et al. 2026, Metrics, c(o).

    Args:
        messages: Tokens of at least 0 by round, shape (n, L).
        targets: Object by round, shape (n,).

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    said = spoken_messages(messages)
    meant = integers(targets, "targets", "(n,)", 1)
    aligned("round", messages=said, targets=meant)
    if not len(said):
        return Codebook(meant, said)
    objects, object_of_round = np.unique(meant, return_inverse=True)
    labels = row_labels(said)
    _, example = np.unique(labels, return_index=True)
    modal = modal_labels(labels[None], object_of_round, len(objects))[0]
    return Codebook(objects, said[example[modal]])


def topographic_similarity(
    messages: npt.ArrayLike, features: npt.ArrayLike, distance: Distance = "hamming"
) -> Measured:
    """TopSim of a codebook: Spearman's correlation of meaning and message distances.

    Over all pairs of objects; ties share ranks; meaning distance is the number of differing
    features, so positive is structured. Edit distance over equally long messages has the ranks
    of normalised edit distance. Sources: Brighton & Kirby 2006; Talebirad et al. 2026, Metrics,
    TopSim(W).

    Args:
        messages: One message per object, shape (k, L).
        features: Feature values of the same objects, shape (k, n_features).
        distance: Between messages: `"hamming"` or `"edit"`.

    Returns:
        A value in [-1, 1]; nan for one attribute, one-symbol words, fewer than 3 objects, one
        message, or distances that are all equal.

    Raises:
        ConfigError: A shape, a token or the distance is not as said.
    """
    said, meanings = _codebook(messages, features)
    if meanings.shape[1] < 2:
        return undefined("objects have one attribute")
    if said.shape[1] < 2:
        return undefined("words have one symbol")
    if len(said) < 3:
        return undefined(f"fewer than 3 objects were seen ({len(said)})")
    meaning_distances = pair_distances(meanings[None])
    message_distances = pair_distances(said[None], distance)
    if not message_distances.any():
        return undefined("all objects share one message")
    correlation = float(rank_correlation(meaning_distances, message_distances)[0])
    if np.isnan(correlation):
        constant = "meaning" if np.ptp(meaning_distances) == 0 else "message"
        return undefined(f"all {constant} distances are equal")
    return Measured(correlation)


def posdis(messages: npt.ArrayLike, features: npt.ArrayLike) -> Measured:
    """Positional disentanglement of a codebook: does each position tell one attribute?

    Mean over non-constant positions j of (I(s_j; a_first) − I(s_j; a_second)) / H(s_j), the
    two attributes being those that position j tells most about. There is no end mark. A code of
    two messages can reach 1: read it beside the collision rate. Source: Chaabouni et al. 2020,
    section 4, "Positional disentanglement".

    Args:
        messages: One message per object, shape (k, L).
        features: Feature values of the same objects, shape (k, n_features).

    Returns:
        A value in [0, 1]; nan for one attribute or if all positions are constant.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    said, meanings = _codebook(messages, features)
    return _disentanglement(said, meanings, "positions")


def bosdis(messages: npt.ArrayLike, features: npt.ArrayLike) -> Measured:
    """Bag-of-symbols disentanglement of a codebook: does each symbol's count tell one attribute?

    As `posdis`, with the number of times each symbol occurs in a message in place of the symbol
    at a position; symbols whose count never varies are left out. Source: Chaabouni et al. 2020,
    section 4, "Bag-of-symbols disentanglement".

    Args:
        messages: One message per object, shape (k, L).
        features: Feature values of the same objects, shape (k, n_features).

    Returns:
        A value in [0, 1]; nan for one attribute or if all counts are constant.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    said, meanings = _codebook(messages, features)
    symbols = np.unique(said)
    occurrences = (said[:, :, None] == symbols).sum(axis=1)
    return _disentanglement(occurrences, meanings, "symbol counts")


def collision_rate(messages: npt.ArrayLike) -> Measured:
    """Share of the codebook's objects whose message is another object's too.

    Objects never seen are not in the codebook and not in the denominator. Source: Talebirad
    et al. 2026, Metrics, Coll(W).

    Args:
        messages: One message per object, shape (k, L).

    Returns:
        A value in [0, 1]; nan for an empty codebook.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    said = spoken_messages(messages)
    if not len(said):
        return undefined("no object was seen")
    return Measured(float(collision_shares(row_labels(said)[None])[0]))


def distinct_messages(messages: npt.ArrayLike) -> int:
    """Number of different messages among the rows of an (n, L) array.

    Raises:
        ConfigError: A shape or a token is not as said.
    """
    return int(row_labels(spoken_messages(messages)).max(initial=-1)) + 1


def _codebook(messages: npt.ArrayLike, features: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    said = spoken_messages(messages)
    meanings = integers(features, "features", "(k, n_features)", 2)
    aligned("object", messages=said, features=meanings)
    return said, meanings


def _disentanglement(signs: IntArray, meanings: IntArray, what: str) -> Measured:
    if meanings.shape[1] < 2:
        return undefined("objects have one attribute")
    if not len(signs):
        return undefined("no object was seen")
    varying = signs[:, np.ptp(signs, axis=0) > 0]
    if not varying.shape[1]:
        return undefined(f"all {what} are constant")
    tables = joint_counts(relabel(varying), relabel(meanings))
    information = np.sort(tables_information(tables), axis=1)
    entropies = counts_entropy(tables[:, 0].sum(axis=-1))
    gaps = (information[:, -1] - information[:, -2]) / entropies
    return Measured(float(np.clip(gaps.mean(), 0.0, 1.0)))
