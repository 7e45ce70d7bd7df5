"""Paradigm induction without a language model: which parts of a code carry which part of meaning.

GlossoGen (2026) lets a language model segment a run's codes. Here the meaning of each message is
recorded, so morphemes are found by association: greedily, the piece of text that goes best with
one value of one slot is taken out of the texts, then the next best of what is left.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import prod
from typing import NamedTuple

import msgspec

from babelzoo.benchmarks.metrics._inputs import aligned_sequences

__all__ = ["Morpheme", "Paradigm", "Production", "induce", "production"]

Meaning = tuple[Hashable, ...]
Span = tuple[int, int]
_Piece = tuple[str, int | None]  # and where it starts, if that matters

_LONGEST = 40  # characters of a text that may be a code; what is longer is a sentence
_FORM = 6  # characters of a morpheme
_SURE = 0.9  # F1 from which a piece of text is taken for a morpheme
_SEEN = 2  # codes in which a morpheme must be seen, and codes that make a run productive
_TAKEN = "\x00"


class Morpheme(msgspec.Struct, frozen=True):
    """A piece of text that goes with one value of one slot.

    Attributes:
        slot: Number of the slot.
        value: The value.
        form: The text.
        place: Where it starts in a code; None if it may start anywhere.
        f1: Harmonic mean of how often it means the value and how often the value has it.
        seen: In how many codes both were.
    """

    slot: int
    value: Hashable
    form: str
    place: int | None
    f1: float
    seen: int


class Paradigm(msgspec.Struct, frozen=True):
    """What was found.

    Attributes:
        morphemes: The morphemes, the surest first.
        order: The slots that are marked, in the order in which codes have them.
        between: The text before, between and after them.
        productive: Whether at least two codes are made of two or more morphemes.
        attested: Number of different meanings that were said and whose parts are all known.
        possible: Number of meanings that the known parts can build.
    """

    morphemes: tuple[Morpheme, ...]
    order: tuple[int, ...]
    between: tuple[str, ...]
    productive: bool
    attested: int
    possible: int

    @property
    def saturation(self) -> float:
        """Share of the possible meanings that were said; 0 if nothing is possible."""
        return self.attested / self.possible if self.possible else 0.0

    def forms(self) -> dict[tuple[int, Hashable], str]:
        """The form of each slot and value."""
        return {(m.slot, m.value): m.form for m in self.morphemes}

    def code(self, meaning: Meaning) -> str | None:
        """The code that the paradigm predicts for a meaning; None if a part is not known."""
        forms = self.forms()
        parts = [forms.get((slot, meaning[slot])) for slot in self.order]
        if not parts or None in parts:
            return None
        pieces = [self.between[0]]
        for part, after in zip(parts, self.between[1:], strict=True):
            pieces += [str(part), after]
        return "".join(pieces)


class Production(NamedTuple):
    """How well codes are predicted: shares of those whose parts are all known, and their number."""

    exact: float
    any_order: float
    known: int


def induce(texts: Sequence[str], meanings: Sequence[tuple[Hashable, ...]]) -> Paradigm:
    """Find the morphemes of codes.

    Args:
        texts: Messages; those longer than 40 characters are sentences and left out.
        meanings: What each was to say, slot by slot. A slot of one value can't be told.

    Raises:
        ConfigError: There are not as many texts as meanings.
    """
    aligned_sequences("message", texts=texts, meanings=meanings)
    kept = [
        (t, m) for t, m in zip(texts, meanings, strict=True) if t.strip() and len(t) <= _LONGEST
    ]
    codes, meant = [text for text, _ in kept], [meaning for _, meaning in kept]
    spans = [dict[int, Span]() for _ in codes]
    values = Counter(pair for meaning in meant for pair in enumerate(meaning))
    columns = [set(column) for column in zip(*meant, strict=True)]
    unmarked = {(s, v) for s, found in enumerate(columns) if len(found) > 1 for v in found}
    counts = _Counts(codes, meant)
    morphemes: list[Morpheme] = []
    while unmarked and (best := counts.best(unmarked, values)) is not None:
        morphemes.append(best)
        unmarked.remove((best.slot, best.value))
        for i, meaning in enumerate(meant):
            span = _found(best, counts.left[i]) if meaning[best.slot] == best.value else None
            if span is not None:
                counts.take(i, span)
                spans[i][best.slot] = span
    order, between = _arrangement(codes, spans)
    known: Counter[int] = Counter(m.slot for m in morphemes)
    forms = {(m.slot, m.value) for m in morphemes}
    said = {m for m in meant if order and all((slot, m[slot]) in forms for slot in order)}
    return Paradigm(
        tuple(morphemes),
        order,
        between,
        len({code for code, found in zip(codes, spans, strict=True) if len(found) > 1}) >= _SEEN,
        len({tuple(m[slot] for slot in order) for m in said}),
        prod(known[slot] for slot in order) if order else 0,
    )


def production(paradigm: Paradigm, texts: Sequence[str], meanings: Sequence[Meaning]) -> Production:
    """Compare codes with those that a paradigm predicts (exact, and with parts in any order).

    Args:
        paradigm: What was induced, from these codes or from earlier ones.
        texts: Codes.
        meanings: What each was to say.

    Returns:
        Shares in [0, 1]; nan if no code's parts are all known.

    Raises:
        ConfigError: There are not as many texts as meanings.
    """
    aligned_sequences("message", texts=texts, meanings=meanings)
    pairs = [(t, paradigm.code(m)) for t, m in zip(texts, meanings, strict=True)]
    known = [(text, code) for text, code in pairs if code is not None]
    if not known:
        return Production(float("nan"), float("nan"), 0)
    exact = sum(text == code for text, code in known)
    forms = paradigm.forms()
    swapped = sum(
        _in_any_order(t, [forms[slot, m[slot]] for slot in paradigm.order], paradigm.between)
        for t, m in zip(texts, meanings, strict=True)
        if paradigm.code(m) is not None
    )
    return Production(exact / len(known), swapped / len(known), len(known))


def _in_any_order(text: str, parts: list[str], between: tuple[str, ...]) -> bool:
    """Whether a text is made of just these parts and what stands between parts."""
    for part in sorted(parts, key=len, reverse=True):
        if part not in text:
            return False
        text = text.replace(part, _TAKEN, 1)
    return sorted(text.replace(_TAKEN, "")) == sorted("".join(between))


def _pieces(text: str) -> Iterator[_Piece]:
    """Pieces of what is left of a text, anywhere and at their place: single marks, or words."""
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + _FORM) + 1):
            piece = text[start:end]
            if _TAKEN in piece:
                break
            if not piece.isspace() and (len(piece) == 1 or (piece[0] + piece[-1]).isalnum()):
                yield piece, None
                yield piece, start


def _found(morpheme: Morpheme, text: str) -> Span | None:
    """Where a morpheme stands in what is left of a text."""
    start = text.find(morpheme.form) if morpheme.place is None else morpheme.place
    if start < 0 or not text.startswith(morpheme.form, start):
        return None
    return start, start + len(morpheme.form)


class _Counts:
    """In how many texts each piece is, alone and with each value; kept up while texts shrink.

    Attributes:
        left: What is left of each text.
    """

    def __init__(self, texts: list[str], meant: list[Meaning]) -> None:
        self.left = list(texts)
        self._meant = meant
        self._pieces: Counter[_Piece] = Counter()
        self._both: Counter[tuple[_Piece, tuple[int, Hashable]]] = Counter()
        for i in range(len(texts)):
            self._count(i, 1)

    def _count(self, i: int, sign: int) -> None:
        pairs = list(enumerate(self._meant[i]))
        for piece in set(_pieces(self.left[i])):
            self._pieces[piece] += sign
            for pair in pairs:
                self._both[piece, pair] += sign

    def take(self, i: int, span: Span) -> None:
        """Take a piece out of a text."""
        self._count(i, -1)
        start, end = span
        text = self.left[i]
        self.left[i] = text[:start] + _TAKEN * (end - start) + text[end:]
        self._count(i, 1)

    def best(
        self, unmarked: set[tuple[int, Hashable]], values: Counter[tuple[int, Hashable]]
    ) -> Morpheme | None:
        """The piece that goes best with a value that has no form yet; None if none is sure."""
        best, key = None, (0.0, 0, False, 0, "")
        for (piece, pair), seen in self._both.items():
            if seen < _SEEN or pair not in unmarked:
                continue
            f1 = 2 * seen / (self._pieces[piece] + values[pair])
            if f1 < _SURE or f1 < key[0]:
                continue
            rank = (f1, seen, piece[1] is None, len(piece[0]), f"{piece[0]}{pair[0]}")
            if rank > key:
                best, key = Morpheme(pair[0], pair[1], *piece, f1, seen), rank
        return best


def _arrangement(
    codes: list[str], spans: list[dict[int, Span]]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The commonest order of most slots, and the commonest texts around them."""
    orders: Counter[tuple[int, ...]] = Counter(
        tuple(sorted(found, key=lambda slot: found[slot])) for found in spans if found
    )
    if not orders:
        return (), ()
    order = max(orders, key=lambda one: (len(one), orders[one], one))
    literals: list[Counter[str]] = [Counter() for _ in range(len(order) + 1)]
    for code, found in zip(codes, spans, strict=True):
        if tuple(sorted(found, key=lambda slot: found[slot])) != order:
            continue
        edges = [(0, 0), *(found[slot] for slot in order), (len(code), len(code))]
        for counter, (_, end), (start, _) in zip(literals, edges, edges[1:], strict=False):
            counter[code[end:start]] += 1
    return order, tuple(counter.most_common(1)[0][0] for counter in literals)
