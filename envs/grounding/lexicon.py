"""Private lexicons: words with a grounding vector and a confidence, in NumPy or in FAISS.

Both backends give the same answers; below a thousand words NumPy is the faster one.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import ConfigError, MissingExtra

__all__ = ["BACKENDS", "FaissLexicon", "Lexicon", "NumpyLexicon", "lexicon"]

Vector = NDArray[np.float32]


class Lexicon(ABC):
    """Words in the order in which they were added.

    Invariant: a word is held once, with a unit vector of shape (d,) and a confidence in [0, 1].

    Args:
        size: Length d of the vectors.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.confidence: dict[str, float] = {}

    def __contains__(self, word: object) -> bool:
        return word in self.confidence

    def __len__(self) -> int:
        return len(self.confidence)

    def words(self) -> tuple[str, ...]:
        """The words, the oldest first."""
        return tuple(self.confidence)

    def add(self, word: str, vector: Vector) -> None:
        """Ground a new word, with confidence 0 (NSLD 2026, section 4.3.2).

        Raises:
            ValueError: The word is held already, or the vector is not of shape (d,).
        """
        if word in self.confidence or vector.shape != (self.size,):
            raise ValueError(f"expected a new word and {self.size} numbers, actual {word!a}.")
        self.confidence[word] = 0.0
        self._add(vector)

    def remove(self, word: str) -> None:
        """Forget a word.

        Raises:
            KeyError: It is not held.
        """
        place = list(self.confidence).index(word) if word in self.confidence else -1
        if place < 0:
            raise KeyError(word)
        del self.confidence[word]
        self._remove(place)

    def reward(self, word: str, delta: float) -> None:
        """Change a word's confidence within [0, 1] (NSLD 2026, equation 14)."""
        self.confidence[word] = min(1.0, max(0.0, self.confidence[word] + delta))

    def similarities(self, vector: Vector) -> dict[str, float]:
        """Cosine of a unit vector with each word."""
        found = self._similarities(vector) if self.confidence else ()
        return dict(zip(self.confidence, map(float, found), strict=True))

    def nearest(self, vector: Vector, threshold: float) -> str | None:
        """The most similar word, the older of two alike; None below the threshold (eq. 13)."""
        found = self.similarities(vector)
        best = max(found, key=found.__getitem__, default=None)
        return best if best is not None and found[best] >= threshold else None

    @abstractmethod
    def _add(self, vector: Vector) -> None: ...

    @abstractmethod
    def _remove(self, place: int) -> None: ...

    @abstractmethod
    def _similarities(self, vector: Vector) -> Any: ...


class NumpyLexicon(Lexicon):
    """Rows of one array."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._rows = np.empty((4, size), np.float32)

    def _add(self, vector: Vector) -> None:
        held = len(self.confidence)
        if held > len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[held - 1] = vector

    def _remove(self, place: int) -> None:
        held = len(self.confidence)
        self._rows[place:held] = self._rows[place + 1 : held + 1]

    def _similarities(self, vector: Vector) -> Any:
        return self._rows[: len(self.confidence)] @ vector


class FaissLexicon(Lexicon):
    """A flat inner-product index of FAISS.

    Raises:
        MissingExtra: The extra `grounding` is not installed.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        try:
            import faiss
        except ImportError as error:
            raise MissingExtra("a FAISS lexicon", "grounding") from error
        self._index = faiss.IndexFlatIP(size)

    def _add(self, vector: Vector) -> None:
        self._index.add(np.ascontiguousarray(vector[None], np.float32))

    def _remove(self, place: int) -> None:
        self._index.remove_ids(np.array([place], np.int64))  # type: ignore[arg-type]

    def _similarities(self, vector: Vector) -> Any:
        found = np.empty(self._index.ntotal, np.float32)
        scores, places = self._index.search(vector[None].astype(np.float32), self._index.ntotal)
        found[places[0]] = scores[0]
        return found


BACKENDS: dict[str, type[Lexicon]] = {"numpy": NumpyLexicon, "faiss": FaissLexicon}


def lexicon(backend: str, size: int) -> Lexicon:
    """An empty lexicon.

    Raises:
        ConfigError: There is no such backend.
        MissingExtra: It is not installed.
    """
    if backend not in BACKENDS:
        known = ", ".join(BACKENDS)
        raise ConfigError(f"expected a lexicon backend among {known}, actual {backend!r}.")
    return BACKENDS[backend](size)
