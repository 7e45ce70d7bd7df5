"""What chance decides in SaveVeyru: which motifs, which procedures, where, and who is at odds."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count
from struct import unpack

import msgspec

from babelzoo.envs.core import Memo, Tables, derive_seed, random_bytes
from babelzoo.envs.saveveyru.knobs import VeyruConfig
from babelzoo.envs.saveveyru.motifs import LOCATIONS, MOTIFS
from babelzoo.envs.saveveyru.procedures import Procedure

__all__ = ["Case", "Dealer", "Table", "labels"]

_TABLES = 2048  # tables that are kept; there are 1,404 rotated ones

_PRIORITIES = [motif.priority for motif in MOTIFS]

Table = tuple[tuple[int, Procedure], ...]


class Case(msgspec.Struct, frozen=True):
    """One round's Veyru.

    Attributes:
        stages: Its motifs, the most urgent first.
        procedures: What each stage needs.
        location: Index of the place where it stands.
        table: Each motif with the procedure it needs, in the order of the knob `motifs`.
        conflict: Whether the specialist is paid the negative of the stage reward.
    """

    stages: tuple[int, ...]
    procedures: tuple[Procedure, ...]
    location: int
    table: Table
    conflict: bool


class Dealer(Tables[VeyruConfig]):
    """Deals rounds. Each is keyed by the seed and its number alone.

    So a longer episode starts with the rounds of a shorter one, and budget, channels and players
    change nothing. Motifs, location, mapping and slots have words of 64 bits of their own, so
    that the knobs of one leave the others alone.
    """

    def __init__(self, config: VeyruConfig) -> None:
        super().__init__(config)
        self._places = {motif: place for place, motif in enumerate(config.motifs)}
        self._steps = list(accumulate(config.stage_weights))
        self._shared: Memo[tuple[int, ...], Table] = Memo(self._rotated, _TABLES)

    def deal(self, seed: int, number: int) -> Case:
        """The case of round `number` (from 0)."""
        config = self.config
        words = _words(seed, "case", number, 20)
        stages = self._stages(words[0], words[6:])
        table = self._table(seed, number, words[2], words[3:6])
        return Case(
            stages,
            tuple([table[self._places[motif]][1] for motif in stages]),
            words[1] % len(LOCATIONS),
            table,
            bool(config.conflict)
            and derive_seed(seed, "conflict", number) < config.conflict * 2**63,
        )

    def _stages(self, drawn: int, words: Sequence[int]) -> tuple[int, ...]:
        """1 to 5 different motifs, the most urgent first; equal ones in the order drawn."""
        n_stages = 1 + bisect_right(self._steps, drawn % self._steps[-1])
        chosen = _shuffle(self.config.motifs, words[:n_stages])
        return chosen if n_stages == 1 else tuple(sorted(chosen, key=_PRIORITIES.__getitem__))

    def _table(self, seed: int, number: int, offset: int, words: Sequence[int]) -> Table:
        config, size = self.config, len(self.config.motifs)
        slots = (config.faces, config.intensities, config.seconds)
        if config.mapping == "rotation" and config.slots == "round":
            places = [word % len(values) for word, values in zip(words, slots, strict=True)]
            return self._shared[(1 + offset % (size - 1), *places)]
        mapping = _rotation(size, offset)
        if config.mapping == "derangement":
            mapping = _derangement(size, seed, number)
        words = [*words] * size
        if config.slots == "motif":
            words = _words(seed, "slots", number, 3 * size)
        return tuple(
            [
                (
                    config.motifs[place],
                    Procedure(
                        config.motifs[template],
                        config.faces[words[3 * place] % len(config.faces)],
                        config.intensities[words[3 * place + 1] % len(config.intensities)],
                        config.seconds[words[3 * place + 2] % len(config.seconds)],
                    ),
                )
                for place, template in enumerate(mapping)
            ]
        )

    def _rotated(self, key: tuple[int, ...]) -> Table:
        """The table of an offset and the places of face, intensity and seconds."""
        offset, face, intensity, seconds = key
        config, motifs = self.config, self.config.motifs
        slots = config.faces[face], config.intensities[intensity], config.seconds[seconds]
        shifted = motifs[offset:] + motifs[:offset]
        return tuple(
            [
                (motif, Procedure(template, *slots))
                for motif, template in zip(motifs, shifted, strict=True)
            ]
        )


def labels(config: VeyruConfig, seed: int, agent: str) -> tuple[int, ...]:
    """The template behind each of an observer's labels; of 3 or more, never in the list's order."""
    size = len(config.motifs)
    for attempt in count():
        order = _shuffle(config.motifs, _words(seed, f"labels {agent}", attempt, size))
        if order != config.motifs or size < 3:  # of two, one order would be a code
            return order
    raise AssertionError


def _words(seed: int, name: str, number: int, size: int) -> tuple[int, ...]:
    """`size` random words of 64 bits."""
    return unpack(f"<{size}Q", random_bytes(seed, name, number, 8 * size))


def _shuffle(cards: Sequence[int], words: Sequence[int]) -> tuple[int, ...]:
    """The first of the shuffled `cards`, one for each word (Fisher-Yates)."""
    deck, size = list(cards), len(cards)
    for place, word in enumerate(words):
        other = place + word % (size - place)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck[: len(words)])


def _rotation(size: int, offset: int) -> tuple[int, ...]:
    """Each motif is given the procedure of the one `1 + offset % (size - 1)` places on."""
    return tuple([(place + 1 + offset % (size - 1)) % size for place in range(size)])


def _derangement(size: int, seed: int, number: int) -> tuple[int, ...]:
    """Any order in which nobody keeps its own, drawn until none does."""
    for attempt in count():
        order = _shuffle(range(size), _words(seed, f"derangement {number}", attempt, size))
        if all(place != other for place, other in enumerate(order)):
            return order
    raise AssertionError
