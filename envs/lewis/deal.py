"""What chance decides in Lewis signaling: candidates, orders, targets, who plays, and noise."""

from collections.abc import Callable, Sequence
from itertools import permutations
from math import factorial, perm
from operator import itemgetter
from struct import Struct
from typing import Any

from babelzoo.envs.core import BLOCK, Tables, random_bytes, tables
from babelzoo.envs.lewis.knobs import LewisConfig, Pool

__all__ = ["Deal", "Dealer"]

_LISTED = 4096  # arrangements of objects that are listed beforehand
_WORDS = 2**64

# The sender's number, the receiver's, the target, the candidates in the sender's order and in
# the receiver's.
Deal = tuple[int, int, int, tuple[int, ...], tuple[int, ...]]


class Dealer(Tables[LewisConfig]):
    """Draws blocks of rounds as random words of 64 bits, and deals single rounds from them.

    A deal depends on the seed, the round, the object pool and the number of candidates alone,
    never on the channel or on what agents do, so that conditions which differ in capacity are
    paired. A word modulo the number of choices decides; the bias is below 2^-47.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        self._pool = tables(Pool, config)
        n, size = config.n_candidates, self._pool.size
        listed = perm(size, n) <= _LISTED and factorial(n) <= _LISTED
        self._arrangements = list(permutations(range(size), n)) if listed else []
        self._orders: list[Callable[[Any], Any]] = (
            [itemgetter(*order) for order in permutations(range(n))] if listed else []
        )
        self._places = n * max(1, len(self._orders))
        self._deals = self._places * max(1, len(self._arrangements))
        self._alone = config.n_senders == config.n_receivers == 1
        self._words = Struct("=2Q" if listed else f"=3Q{2 * n}Q")
        self._unpack, self._width = self._words.unpack_from, self._words.size
        self._noise_words = Struct(f"={2 * config.message_length}Q")
        self._hit = round(config.noise * _WORDS)
        self._shared = config.candidate_order == "shared"

    def draw(self, seed: int, block: int) -> bytes:
        """The words of the rounds from `block * BLOCK` on."""
        return random_bytes(seed, "rounds", block, BLOCK * self._width)

    def deal(self, words: bytes, number: int) -> Deal:
        """Round `number` (from 0) out of its block's words."""
        if not self._arrangements:
            return self._arrange(words, number)
        deal, players = self._unpack(words, number % BLOCK * self._width)
        which, place = divmod(deal % self._deals, self._places)
        candidates = order = self._arrangements[which]
        target = candidates[place % len(candidates)]
        if not self._shared:
            order = self._orders[place // len(candidates)](candidates)
        if self._alone:
            return 0, 0, target, candidates, order
        receiver, sender = divmod(players, self.config.n_senders)
        return sender, receiver % self.config.n_receivers, target, candidates, order

    def _arrange(self, words: bytes, number: int) -> Deal:
        """A deal for whose candidates there are too many arrangements to list them."""
        place, sender, receiver, *drawn = self._unpack(words, number % BLOCK * self._width)
        config, n = self.config, self.config.n_candidates
        candidates = order = _arrange(self._pool.size, drawn[:n])
        if not self._shared:
            order = tuple([candidates[other] for other in _arrange(n, drawn[n:])])
        target = candidates[place % n]
        return sender % config.n_senders, receiver % config.n_receivers, target, candidates, order

    def draw_noise(self, seed: int, block: int) -> bytes:
        """The words that decide the channel's noise in a block of rounds."""
        if not self.config.noise:
            return b""
        return random_bytes(seed, "noise", block, BLOCK * self._noise_words.size)

    def distort(self, sent: str, words: bytes, number: int) -> str:
        """What is heard of `sent` in round `number`: a token that is hit becomes another one."""
        drawn = self._noise_words.unpack_from(words, number % BLOCK * self._noise_words.size)
        vocabulary = self._pool.task.vocabulary
        heard = []
        for token, hit, which in zip(sent, drawn[::2], drawn[1::2], strict=True):
            shift = 1 + which % (len(vocabulary) - 1) if hit < self._hit else 0
            heard.append(vocabulary[(ord(token) - ord("A") + shift) % len(vocabulary)])
        return "".join(heard)


def _arrange(size: int, words: Sequence[int]) -> tuple[int, ...]:
    """The first places of a shuffled deck of `size` cards, one for each word (Fisher-Yates).

    Only the cards that have moved are kept.
    """
    moved: dict[int, int] = {}
    taken = []
    for place, word in enumerate(words):
        other = place + word % (size - place)
        taken.append(moved.get(other, other))
        moved[other] = moved.get(place, place)
    return tuple(taken)
