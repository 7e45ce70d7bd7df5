"""Moves as numbers: the whole move at once, or one choice after another."""

from collections.abc import Iterable, Mapping
from math import inf, prod
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core.legal import IDLE, Form, Legal, Spelled, fill, sizes
from babelzoo.envs.core.quoting import shorten
from babelzoo.envs.core.tables import PerObject
from babelzoo.envs.core.world import Invalid, Move

__all__ = [
    "ENUMERATED",
    "PLAIN",
    "Composer",
    "Enumerator",
    "Mask",
    "Offer",
    "count",
    "union_of_forms",
]

ENUMERATED = 4096  # more moves than this are composed
PLAIN = (int, np.int64)  # types of numbers that are looked up at once

Mask = NDArray[np.int8]


def union_of_forms(forms: Mapping[str, Legal], roles: Iterable[str], *, idle: bool) -> Legal:
    """The forms of all `roles`, each action once, in the order of `roles`; `wait` last if `idle`.

    Roles that share an action must share its fields' sizes.
    """
    union: dict[str, Form] = {}
    for role in roles:
        for form in forms[role]:
            union.setdefault(form.action, form)
    if idle:
        union.setdefault("wait", IDLE[0])
    return tuple(union.values())


def _positions(form: Form) -> list[int]:
    """How many choices each position of a form's numbers has."""
    return [size for field in form.fields.values() for size in sizes(field)]


def count(legal: Legal) -> float:
    """How many numbered moves the forms have; infinity when a text is spelled."""
    fields = [field for form in legal for field in form.fields.values()]
    if any(isinstance(field, Spelled) for field in fields):
        return inf
    return sum(prod(_positions(form)) for form in legal)


def _walk(form: Form, digits: list[int]) -> tuple[dict[str, Any], int]:
    """The move that `digits` begin, as plain data, and how many choices come next.

    None come when it is complete. A position with one choice takes no digit.
    """
    move: dict[str, Any] = {"action": form.action}
    given = iter(digits)
    for name, field in form.fields.items():
        taken: list[int] = []
        for size in sizes(field):
            digit = next(given, None) if size > 1 else 0
            if digit is None:
                return move, size
            taken.append(digit)
            if isinstance(field, Spelled) and digit == len(field.symbols):
                break
        move[name] = fill(field, taken)
    return move, 0


def _fill(form: Form, digits: list[int]) -> dict[str, Any]:
    """The move of a form whose positions hold `digits`, as plain data."""
    move: dict[str, Any] = {"action": form.action}
    for name, field in form.fields.items():
        taken, digits = digits[: len(sizes(field))], digits[len(sizes(field)) :]
        move[name] = fill(field, taken)
    return move


class Enumerator:
    """One number for each move: the forms' blocks one after another, positions in mixed radix.

    Args:
        forms: All forms that any role may be offered; they fix the numbers.
        moves: The game's tagged union of moves.

    Attributes:
        n: How many numbers there are.
        offers: What a legal set offers, kept.
    """

    def __init__(self, forms: Legal, moves: Any) -> None:
        self._moves = moves
        self._blocks: dict[str, tuple[int, list[int], Form]] = {}
        self.n = 0
        for form in forms:
            radix = _positions(form)
            self._blocks[form.action] = (self.n, radix, form)
            self.n += prod(radix)
        self.offers = PerObject(self._build_offer)

    def mask(self, legal: Legal) -> Mask:
        """Which numbers are legal: a fresh int8 array of shape (n,).

        All are when none stands for a legal move, as for an agent that can only wait while
        `wait` has no number.
        """
        return self.offers.of(legal).mask.copy()

    def move(self, number: object, legal: Legal) -> Move:
        """The move that `number` stands for under `legal`, or an `Invalid` one.

        A number of a form that is not offered now gives the move all the same, so that the
        world says why it is refused.
        """
        known = self.offers.of(legal).moves
        index = _as_index(number, self.n)
        if isinstance(index, Invalid):
            return index
        move = known.get(index)
        if move is None:
            move = known[index] = self._build_move(index, legal)
        return move

    def _build_offer(self, legal: Legal) -> "Offer":
        mask = np.zeros(self.n, np.int8)
        offered = [form for form in legal if form.action in self._blocks]
        if not offered:
            mask[:] = 1
        for form in offered:
            start, radix, _ = self._blocks[form.action]
            block = np.zeros(radix, np.int8)
            block[tuple(slice(size) for size in _positions(form))] = 1
            mask[start : start + block.size] = block.ravel()
        return Offer(mask, {})

    def _build_move(self, index: int, legal: Legal) -> Move:
        start, radix, form = next(
            block for block in reversed(self._blocks.values()) if block[0] <= index
        )
        form = next((offered for offered in legal if offered.action == form.action), form)
        digits = [int(digit) for digit in np.unravel_index(index - start, radix)] if radix else []
        if any(digit >= size for digit, size in zip(digits, _positions(form), strict=True)):
            return Invalid(f"expected a legal action number, actual {index}.")
        move: Move = msgspec.convert(_fill(form, digits), self._moves)
        return move


class Offer(msgspec.Struct):
    """The mask of one legal set and its moves decoded so far."""

    mask: Mask
    moves: dict[int, Move]


class Composer:
    """One move by successive choices: its kind, then each position; then it is complete.

    The numbers are: the kinds of move, then the choices of a position. The prefix of an
    unfinished move belongs to the agent and is part of its observation.

    Args:
        forms: All forms that any role may be offered; they fix the numbers.
        moves: The game's tagged union of moves.
    """

    def __init__(self, forms: Legal, moves: Any) -> None:
        self._moves = moves
        self._actions = [form.action for form in forms]
        sizes = [size for form in forms for size in _positions(form)]
        self._width = max(sizes, default=0)
        self._depth = max(len(_positions(form)) for form in forms)
        self.n = len(self._actions) + self._width
        self.prefix_size = len(self._actions) + self._depth * self._width

    def _form(self, legal: Legal, prefix: list[int]) -> Form:
        action = self._actions[prefix[0]]
        return next(form for form in legal if form.action == action)

    def mask(self, legal: Legal, prefix: list[int]) -> Mask:
        """Which numbers may come next: a fresh int8 array of shape (n,).

        All may when none stands for a legal move.
        """
        mask = np.zeros(self.n, np.int8)
        if not prefix:
            kinds = [form.action for form in legal if form.action in self._actions]
            if kinds:
                mask[[self._actions.index(kind) for kind in kinds]] = 1
            else:
                mask[:] = 1
            return mask
        _, size = _walk(self._form(legal, prefix), prefix[1:])
        mask[len(self._actions) : len(self._actions) + size] = 1
        return mask

    def features(self, prefix: list[int]) -> NDArray[np.float32]:
        """The unfinished prefix, one-hot by position, as a vector (prefix_size,)."""
        vector = np.zeros(self.prefix_size, np.float32)
        if prefix:
            vector[prefix[0]] = 1
            for place, digit in enumerate(prefix[1:]):
                vector[len(self._actions) + place * self._width + digit] = 1
        return vector

    def extend(self, number: object, legal: Legal, prefix: list[int]) -> Move | None:
        """Add a choice to `prefix` (changed in place); the move when it is complete.

        An illegal choice is an `Invalid` move; either way a complete move empties the prefix.
        """
        index = _as_index(number, self.n)
        if not isinstance(index, Invalid) and not self.mask(legal, prefix)[index]:
            index = Invalid(f"expected a legal choice, actual {index}.")
        if isinstance(index, Invalid):
            prefix.clear()
            return index
        prefix.append(index - len(self._actions) if prefix else index)
        data, size = _walk(self._form(legal, prefix), prefix[1:])
        if size:
            return None
        move: Move = msgspec.convert(data, self._moves)
        prefix.clear()
        return move


def _as_index(number: object, n: int) -> int | Invalid:
    kind = type(number)  # not isinstance: an object's `__class__` may raise
    if issubclass(kind, int) and kind is not bool:
        index = int.__index__(number)  # type: ignore[arg-type]
    elif issubclass(kind, np.integer) or (kind is np.ndarray and _is_scalar(number)):
        index = int(number)  # type: ignore[call-overload]
    else:
        return Invalid(f"expected an action number, actual {shorten(kind.__name__, 40)}.")
    if 0 <= index < n:
        return index
    actual = index if abs(index) < 10**9 else "one far outside"
    return Invalid(f"expected an action from 0 to {n - 1}, actual {actual}.")


def _is_scalar(array: Any) -> bool:
    return array.shape == () and array.dtype.kind in "iu"
