"""What chance gives: TopSim, Best MI and collision rate of codes without structure.

All three are biased by capacity, so a value means something only beside its null distribution,
and values at different capacities are compared as excess over `random_code_baselines`.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._codebooks import (
    Distance,
    best_informations,
    collision_shares,
    modal_labels,
    pair_distances,
    rank_correlation,
    topsims,
)
from babelzoo.benchmarks.metrics._counts import relabel, row_labels
from babelzoo.benchmarks.metrics._inputs import (
    FloatArray,
    aligned,
    integers,
    object_numbers,
    spoken_messages,
)
from babelzoo.benchmarks.metrics._random_codes import injective_codes, slots_of_targets
from babelzoo.benchmarks.metrics.measured import Measured, Spread, spread_of, undefined_spread
from babelzoo.benchmarks.metrics.structure import topographic_similarity
from babelzoo.envs.core.errors import ConfigError

__all__ = [
    "Baselines",
    "random_code_baselines",
    "shuffled_baselines",
    "topographic_similarity_p",
]

_CHUNK_CELLS = 2_000_000  # most numbers in one intermediate array
_TOLERANCE = 1e-12  # of equal correlations summed in another order


class Baselines(msgspec.Struct, frozen=True):
    """The null distributions of the three capacity-biased metrics.

    Attributes:
        topsim: Of `topographic_similarity` (Hamming) of the effective codebook.
        best_mi: Of `best_position_feature_mi` of the rounds, in bits.
        collision: Of `collision_rate` of the effective codebook.
    """

    topsim: Spread
    best_mi: Spread
    collision: Spread


def random_code_baselines(
    features: npt.ArrayLike,
    vocab_size: int,
    message_length: int,
    window: int = 50,
    *,
    targets: npt.ArrayLike | None = None,
    n_codes: int = 1000,
    seed: int = 0,
) -> Baselines:
    """Metrics of senders that use a random injective code without fail.

    Each code gives every object another message, all such codes being equally likely, and is
    used for one window of rounds. Equal arguments give equal results; the last are kept.
    Collision is 0 by construction.

    Args:
        features: Feature values of all objects, shape (n_objects, n_features).
        vocab_size: Number of tokens, at least 1.
        message_length: Tokens per message, at least 1.
        window: Rounds per code, at least 1; unused if `targets` are given.
        targets: Objects of the window, shape (window,); drawn uniformly for each code if absent.
        n_codes: Number of codes, at least 1.
        seed: Of the draws.

    Returns:
        The null distributions; all nan if the capacity is below the number of objects.

    Raises:
        ConfigError: A shape or a number is not as said.
    """
    meanings = integers(features, "features", "(n_objects, n_features)", 2)
    for name, number in (
        ("vocab_size", vocab_size),
        ("message_length", message_length),
        ("window", window),
        ("n_codes", n_codes),
        ("n_objects", len(meanings)),
    ):
        if number < 1:
            raise ConfigError(f"expected {name} of at least 1, actual {number}.")
    capacity = vocab_size**message_length
    if capacity < len(meanings):
        reason = f"{capacity} messages cannot name {len(meanings)} objects apart"
        return _all_undefined(reason)
    meant = None
    if targets is not None:
        meant = object_numbers(targets, "targets", len(meanings))
        if not len(meant):
            return _all_undefined("there are no rounds with a message")
    return _random_code_baselines(
        meanings.tobytes(),
        meanings.shape[1],
        int(vocab_size),
        int(message_length),
        int(window),
        None if meant is None else meant.tobytes(),
        int(n_codes),
        int(seed),
    )


def shuffled_baselines(
    messages: npt.ArrayLike,
    targets: npt.ArrayLike,
    features: npt.ArrayLike,
    *,
    n_shuffles: int = 1000,
    seed: int = 0,
) -> Baselines:
    """Metrics of the same rounds with their messages shuffled over the rounds.

    Keeps how often each message is said and each object meant, and breaks every tie between
    the two.

    Args:
        messages: Tokens of at least 0, shape (n, L).
        targets: Objects, shape (n,).
        features: Feature values of all objects, shape (n_objects, n_features).
        n_shuffles: At least 1.
        seed: Of the shuffles.

    Returns:
        The null distributions; nan with a reason where no shuffle has the metric.

    Raises:
        ConfigError: A shape or a number is not as said.
    """
    said = spoken_messages(messages)
    meanings = relabel(integers(features, "features", "(n_objects, n_features)", 2))
    meant = object_numbers(targets, "targets", len(meanings))
    aligned("round", messages=said, targets=meant)
    if n_shuffles < 1:
        raise ConfigError(f"expected n_shuffles of at least 1, actual {n_shuffles}.")
    if not len(said):
        return _all_undefined("there are no rounds with a message")
    objects, object_of_round = np.unique(meant, return_inverse=True)
    labels = row_labels(said)
    _, example = np.unique(labels, return_index=True)
    lexicon = relabel(said)[example]
    n_seen, n_labels = len(objects), len(lexicon)
    seen_meanings = np.broadcast_to(meanings[objects], (1, n_seen, meanings.shape[1]))
    rng = np.random.default_rng(seed)
    cells = n_seen * max(n_labels, n_seen) + said.size * meanings.shape[1]
    parts = []
    for size in _chunks(n_shuffles, cells):
        shuffled = rng.permuted(np.tile(labels, (size, 1)), axis=1)
        modal = modal_labels(shuffled, object_of_round, n_seen)
        parts.append(
            (
                topsims(lexicon[modal], np.repeat(seen_meanings, size, axis=0)),
                best_informations(lexicon[shuffled], meanings[meant]),
                collision_shares(modal),
            )
        )
    return _summarise(parts)


def topographic_similarity_p(
    messages: npt.ArrayLike,
    features: npt.ArrayLike,
    distance: Distance = "hamming",
    *,
    n_permutations: int = 1000,
    seed: int = 0,
) -> Measured:
    """Two-sided permutation p of TopSim: could any pairing of these messages have it?

    The codebook's messages are permuted over its objects (Mantel's test). The mean of TopSim
    over all permutations is exactly 0, so the difference from it is TopSim itself:
    p = (1 + #{|TopSim of a permutation| ≥ |TopSim|}) / (1 + permutations). The added 1 counts
    the observed pairing, which keeps the test valid and p above 0 (Phipson & Smyth 2010).

    Args:
        messages: One message per object, shape (k, L).
        features: Feature values of the same objects, shape (k, n_features).
        distance: Between messages: `"hamming"` or `"edit"`.
        n_permutations: At least 1; p is at least 1 / (1 + n_permutations).
        seed: Of the permutations.

    Returns:
        p in (0, 1]; nan where TopSim is.

    Raises:
        ConfigError: A shape, a token, the distance or the number is not as said.
    """
    if n_permutations < 1:
        raise ConfigError(f"expected n_permutations of at least 1, actual {n_permutations}.")
    observed = topographic_similarity(messages, features, distance)
    if observed.reason:
        return observed
    meanings = integers(features, "features", "(k, n_features)", 2)
    k = len(meanings)
    first, second = np.triu_indices(k, 1)
    message_distances = np.zeros((k, k), dtype=np.int64)
    message_distances[first, second] = pair_distances(spoken_messages(messages)[None], distance)[0]
    message_distances += message_distances.T
    meaning_distances = pair_distances(meanings[None])
    rng = np.random.default_rng(seed)
    as_extreme = 0
    for size in _chunks(n_permutations, len(first)):
        order = rng.permuted(np.tile(np.arange(k), (size, 1)), axis=1)
        permuted = message_distances[order[:, first], order[:, second]]
        correlations = rank_correlation(np.repeat(meaning_distances, size, axis=0), permuted)
        as_extreme += int((np.abs(correlations) >= abs(observed.value) - _TOLERANCE).sum())
    return Measured((1 + as_extreme) / (1 + n_permutations))


@lru_cache(maxsize=512)
def _random_code_baselines(
    features: bytes,
    n_features: int,
    vocab_size: int,
    message_length: int,
    window: int,
    targets: bytes | None,
    n_codes: int,
    seed: int,
) -> Baselines:
    meanings = relabel(np.frombuffer(features, dtype=np.int64).reshape(-1, n_features))
    rng = np.random.default_rng(seed)
    if targets is None:
        meant = rng.integers(len(meanings), size=(n_codes, window))
    else:
        given = np.frombuffer(targets, dtype=np.int64)
        meant = np.broadcast_to(given, (n_codes, len(given)))
    objects, seen, slot_of_round = slots_of_targets(meant)
    n_seen, rounds = objects.shape[1], meant.shape[1]
    cells = max(n_seen**2, rounds * message_length * n_features)
    parts = []
    start = 0
    for size in _chunks(n_codes, cells):
        part = slice(start, start + size)
        start += size
        codes = injective_codes(rng, size, n_seen, vocab_size, message_length)
        spoken = np.take_along_axis(codes, slot_of_round[part, :, None], axis=1)
        kept = seen[part]
        parts.append(
            (
                topsims(codes, meanings[objects[part]], kept),
                best_informations(spoken, meanings[meant[part]]),
                np.zeros(size),
            )
        )
    return _summarise(parts)


def _chunks(total: int, cells_each: int) -> Iterator[int]:
    """Sizes that sum to `total`, each of at most `_CHUNK_CELLS` cells if possible."""
    size = max(1, _CHUNK_CELLS // max(1, cells_each))
    for start in range(0, total, size):
        yield min(size, total - start)


def _summarise(parts: list[tuple[FloatArray, FloatArray, FloatArray]]) -> Baselines:
    topsim, best_mi, collision = (np.concatenate(draws) for draws in zip(*parts, strict=True))
    return Baselines(spread_of(topsim), spread_of(best_mi), spread_of(collision))


def _all_undefined(reason: str) -> Baselines:
    return Baselines(*3 * (undefined_spread(reason),))
