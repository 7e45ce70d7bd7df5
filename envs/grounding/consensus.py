"""How far a population agrees, kept up to date word by word (NSLD 2026, section 4.1)."""

from collections import Counter
from math import sqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["Consensus"]


class Consensus:
    """Who holds which word, on which referent, with which confidence.

    Invariant: an agent grounds a word on one referent, and has one word a referent at most. A
    change costs O(agents); each measure O(1), but for `cosine`.

    Args:
        n_agents: Population size, 2 or more.
        n_entities: Number of referents, 1 or more.
    """

    def __init__(self, n_agents: int, n_entities: int) -> None:
        self.n_agents, self.n_entities = n_agents, n_entities
        self._held: list[dict[str, tuple[int, float]]] = [{} for _ in range(n_agents)]
        self._holders: Counter[str] = Counter()
        self._grounded: Counter[tuple[str, int]] = Counter()
        self._trusted: Counter[tuple[str, int]] = Counter()
        self._agreed = self._homonyms = 0
        self._products: NDArray[np.float64] = np.zeros((n_agents, n_agents))  # A of equation 7

    def confidence(self, agent: int, word: str) -> float:
        """An agent's confidence in a word; 0 for one that it does not hold."""
        return self._held[agent].get(word, (0, 0.0))[1]

    def hold(self, agent: int, word: str, referent: int, confidence: float) -> None:
        """Let an agent hold a word, or change its confidence in it.

        Args:
            agent: Number from 0.
            word: The word.
            referent: What it is grounded on, from 0.
            confidence: In [0, 1].
        """
        self.drop(agent, word)
        self._held[agent][word] = (referent, confidence)
        here = (word, referent)
        self._homonyms += self._holders[word] - self._grounded[here]
        self._holders[word] += 1
        self._grounded[here] += 1
        if confidence > 0:
            self._agreed += 2 * self._trusted[here]
            self._trusted[here] += 1
            self._multiply(agent, word, confidence)

    def drop(self, agent: int, word: str) -> None:
        """Let an agent forget a word; nothing happens if it does not hold it."""
        held = self._held[agent].pop(word, None)
        if held is None:
            return
        referent, confidence = held
        here = (word, referent)
        self._holders[word] -= 1
        self._grounded[here] -= 1
        self._homonyms -= self._holders[word] - self._grounded[here]
        if not self._holders[word]:
            del self._holders[word]
        if confidence > 0:
            self._trusted[here] -= 1
            self._agreed -= 2 * self._trusted[here]
            self._multiply(agent, word, -confidence)

    def _multiply(self, agent: int, word: str, delta: float) -> None:
        """Change the products of confidence vectors when an agent's in a word changes from 0.

        A negative `delta` takes back what a positive one of the same size did.
        """
        for other, held in enumerate(self._held):
            if other != agent and word in held:
                product = delta * held[word][1]
                self._products[agent, other] += product
                self._products[other, agent] += product
        self._products[agent, agent] += delta * abs(delta)

    @property
    def _pairs(self) -> int:
        return self.n_agents * (self.n_agents - 1)

    @property
    def consensus(self) -> float:
        """Grounding consensus G in [0, 1]: the share of (ordered pair, referent) that agree.

        A pair agrees on a referent if both trust one word there. That is equation 8 with the
        cosine of equation 9 taken for each referent: taken over the whole vector and divided by
        n_e, it could not exceed 1/n_e.
        """
        return self._agreed / (self.n_entities * self._pairs)

    @property
    def cosine(self) -> float:
        """Equation 9 as printed, averaged over ordered pairs: one cosine over all words."""
        norms = np.sqrt(np.maximum(self._products.diagonal(), 0))
        scale = np.outer(norms, norms)
        cosines = np.divide(self._products, scale, out=np.zeros_like(scale), where=scale > 1e-12)
        return float((cosines.sum() - cosines.trace()) / self._pairs)

    @property
    def mean_confidence(self) -> float:
        """Mean population confidence (equation 10), in [0, 1]."""
        total = sum(sqrt(max(0.0, square)) for square in self._products.diagonal().tolist())
        return total / (self.n_agents * sqrt(self.n_entities))

    @property
    def agreement(self) -> float:
        """Agreement value (equation 11). The same word on different referents counts too."""
        total = self._products.sum() - self._products.trace()
        return float(total / (self.n_entities * self._pairs))

    @property
    def vocabulary(self) -> int:
        """Number of different words in the population, of any confidence."""
        return len(self._holders)

    @property
    def homonym_pairs(self) -> int:
        """Number of (unordered pair, word) in which both hold it on different referents."""
        return self._homonyms
