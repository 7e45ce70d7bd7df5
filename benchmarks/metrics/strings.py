"""TopSim of messages of any length: edit distances of texts against distances of meanings."""

from collections.abc import Hashable, Sequence

import msgspec
import numpy as np

from babelzoo.benchmarks.metrics._codebooks import pair_distances, rank_correlation
from babelzoo.benchmarks.metrics._inputs import FloatArray, IntArray, aligned_sequences
from babelzoo.benchmarks.metrics.measured import (
    Measured,
    Spread,
    spread_of,
    undefined,
    undefined_spread,
)
from babelzoo.envs.core.errors import MissingExtra

__all__ = ["StringTopsim", "string_topographic_similarity"]


class StringTopsim(msgspec.Struct, frozen=True):
    """TopSim of texts beside what chance gives.

    Attributes:
        topsim: In [-1, 1].
        shuffled: The same with the texts shuffled over the meanings.
        p: Share of shuffles, the texts as they are among them, with a TopSim as high.
    """

    topsim: Measured
    shuffled: Spread
    p: Measured


def string_topographic_similarity(
    texts: Sequence[str],
    meanings: Sequence[tuple[Hashable, ...]],
    *,
    n_shuffles: int = 100,
    seed: int = 0,
) -> StringTopsim:
    """Spearman's correlation of meaning distance and text distance over all pairs of meanings.

    Of each meaning the last text counts. Meaning distance is the number of features that
    differ, text distance is Levenshtein's divided by the length of the longer text.
    Sources: Brighton & Kirby 2006; Talebirad et al. 2026, Metrics, TopSim(W).

    Args:
        texts: n texts.
        meanings: Their meanings, each of as many features.
        n_shuffles: At least 1.
        seed: Of the shuffles.

    Returns:
        Values that are nan for fewer than 3 meanings, one text, or distances that are all equal.

    Raises:
        ConfigError: There are not as many texts as meanings.
        MissingExtra: The extra `analysis` is not installed.
    """
    aligned_sequences("message", texts=texts, meanings=meanings)
    codebook = dict(zip(meanings, texts, strict=True))
    reason = _reason(codebook)
    if reason:
        return StringTopsim(undefined(reason), undefined_spread(reason), undefined(reason))
    features = np.stack([_numbered(column) for column in zip(*codebook, strict=True)], axis=1)
    meaning_distances = pair_distances(features[None])
    distances = _text_distances(list(codebook.values()))
    rng = np.random.default_rng(seed)
    size = len(codebook)
    orders = np.stack([np.arange(size), *(rng.permutation(size) for _ in range(n_shuffles))])
    first, second = np.triu_indices(size, 1)
    shuffled = distances[orders[:, first], orders[:, second]]
    found = rank_correlation(np.repeat(meaning_distances, len(orders), axis=0), shuffled)
    if np.isnan(found[0]):
        reason = "all distances are equal"
        return StringTopsim(undefined(reason), undefined_spread(reason), undefined(reason))
    as_high = float((found >= found[0] - 1e-12).mean())
    return StringTopsim(Measured(float(found[0])), spread_of(found[1:]), Measured(as_high))


def _reason(codebook: dict[tuple[Hashable, ...], str]) -> str:
    """Why TopSim is undefined; empty if it may be defined."""
    if len(codebook) < 3:
        return f"fewer than 3 meanings were spoken of ({len(codebook)})"
    if len(set(codebook.values())) < 2:
        return "all meanings share one text"
    return ""


def _numbered(values: Sequence[Hashable]) -> IntArray:
    """Equal values as equal numbers, shape (n,)."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values])


def _text_distances(texts: list[str]) -> FloatArray:
    """Normalised edit distances of shape (n, n)."""
    try:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist
    except ImportError as error:
        raise MissingExtra("topographic similarity of texts", "analysis") from error
    distances: FloatArray = cdist(
        texts, texts, scorer=Levenshtein.normalized_distance, dtype=np.float64
    )
    return distances
