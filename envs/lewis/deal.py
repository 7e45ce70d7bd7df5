"""What chance decides in Lewis signaling: candidates, orders, targets, who plays, and noise."""

from collections.abc import Callable, Sequence
from itertools import permutations
from math import factorial, perm
from operator import itemgetter
from struct import Struct
from typing import Any

from babelzoo.envs.core import BLOCK, Tables, random_bytes, tables
from babelzoo.envs.lewis.knobs import LewisConfig, Pool

__all__ = ["DEALT", "Deal", "Dealer"]

DEALT = 8  # rounds dealt at once; divides BLOCK
_LISTED = 4096  # arrangements of objects that are listed beforehand
_WORDS = 2**64

# The sender, the receiver, the target, the candidates in the sender's order and in
# the receiver's.
Deal = tuple[str, str, int, tuple[int, ...], tuple[int, ...]]


class Dealer(Tables[LewisConfig]):
    """Draws blocks of rounds as random words of 64 bits, and deals a few rounds at a time.

    A deal depends on the seed, the round, the object pool and the number of candidates alone,
    never on the channel or on what agents do, so that conditions which differ in capacity are
    paired. A word modulo the number of choices decides; the bias is below 2^-47.

    Attributes:
        senders: The senders' names.
        receivers: The receivers' names.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        self.senders = tuple(f"sender_{i}" for i in range(config.n_senders))
        self.receivers = tuple(f"receiver_{i}" for i in range(config.n_receivers))
        self._pool = tables(Pool, config)
        n, size = config.n_candidates, self._pool.size
        listed = perm(size, n) <= _LISTED and factorial(n) <= _LISTED
        self._arrangements = list(permutations(range(size), n)) if listed else []
        self._orders: list[Callable[[Any], Any]] = (
            [itemgetter(*order) for order in permutations(range(n))] if listed else []
        )
        self._places = n * max(1, len(self._orders))
        self._deals = self._places * max(1, len(self._arrangements))
        self._words = Struct("<2Q" if listed else f"<3Q{2 * n}Q")
        self._noise_words = Struct(f"<{2 * config.message_length}Q")
        self._hit = round(config.noise * _WORDS)
        self._shared = config.candidate_order == "shared"

    def draw(self, seed: int, block: int) -> bytes:
        """The words of the rounds from `block * BLOCK` on."""
        return random_bytes(seed, "rounds", block, BLOCK * self._words.size)

    def deal(self, words: bytes, number: int) -> list[Deal]:
        """`DEALT` rounds from `number` (from 0, a multiple of it) on, out of a block's words."""
        start = number % BLOCK * self._words.size
        drawn = self._words.iter_unpack(words[start : start + DEALT * self._words.size])
        if not self._arrangements:
            return [self._arrange(*words_of_round) for words_of_round in drawn]
        arrangements, orders, places = self._arrangements, self._orders, self._places
        senders, receivers, n = self.senders, self.receivers, self.config.n_candidates
        several, shared = len(senders) + len(receivers) > 2, self._shared
        sender, receiver = senders[0], receivers[0]
        deals = []
        for place, players in drawn:
            candidates = order = arrangements[place % self._deals // places]
            place %= places
            if not shared:
                order = orders[place // n](candidates)
            if several:
                sender = senders[players % len(senders)]
                receiver = receivers[players // len(senders) % len(receivers)]
            deals.append((sender, receiver, candidates[place % n], candidates, order))
        return deals

    def _arrange(self, place: int, sender: int, receiver: int, *drawn: int) -> Deal:
        """A deal for whose candidates there are too many arrangements to list them."""
        n = self.config.n_candidates
        candidates = order = _arrange(self._pool.size, drawn[:n])
        if not self._shared:
            order = tuple([candidates[other] for other in _arrange(n, drawn[n:])])
        return (
            self.senders[sender % len(self.senders)],
            self.receivers[receiver % len(self.receivers)],
            candidates[place % n],
            candidates,
            order,
        )

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
