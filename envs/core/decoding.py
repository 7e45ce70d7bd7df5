"""From what an agent sends to a Move: one total function, so that nothing sent can raise."""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

from babelzoo.envs.core.quoting import normalise, shorten
from babelzoo.envs.core.world import Invalid, Move

__all__ = ["Decoder", "canonical"]

_MAX_DEPTH = 32
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEPT = 8192  # decoded texts that are remembered
_UNREADABLE = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError)


def canonical(move: Move) -> str:
    """A move as its one JSON text."""
    return msgspec.json.encode(move).decode()


class Decoder:
    """Decodes action text for one game.

    Args:
        moves: The game's tagged union of moves.
        max_length: Longest action text in characters; longer ones are invalid.
        shorthand: Reads what a person would type; None when the text is no shorthand.
        hint: How a move is written, for messages.

    Attributes:
        known: Moves by text, for valid texts decoded lately; a caller may look here first.
    """

    def __init__(
        self,
        moves: Any,
        max_length: int,
        shorthand: Callable[[str], Move | None],
        hint: str,
    ) -> None:
        self.max_length = max_length
        self.known: dict[str, Move] = {}
        self._json = msgspec.json.Decoder(moves)
        self._shorthand = shorthand
        self._hint = hint

    def __call__(self, action: object) -> Move:
        """The move that `action` is, or an `Invalid` one with the reason.

        `action` may be anything: a Move, text in JSON or shorthand, or what no agent should send.
        """
        kind = type(action)  # not isinstance: an object's `__class__` may raise
        if issubclass(kind, Invalid):
            return action  # type: ignore[return-value]
        if issubclass(kind, Move):
            return self._check(action)
        if not issubclass(kind, str):
            return Invalid(f"expected text, actual {shorten(kind.__name__, 40)}.")
        text = str.__str__(action)
        if len(text) > self.max_length:
            reason = f"expected at most {self.max_length} characters, actual more."
            return self._refuse(text[: self.max_length], reason)
        move = self._decode(text)
        if type(move) is not Invalid:
            if len(self.known) >= _KEPT:
                self.known.clear()
            self.known[text] = move
        return move

    def _check(self, move: object) -> Move:
        """A Move built in Python, brought to the form that its JSON text would have."""
        try:
            checked: Move = self._json.decode(msgspec.json.encode(move))
            return checked
        except _UNREADABLE as error:
            return Invalid(f"expected a move of this game: {shorten(str(error))}.")

    def _decode(self, action: str) -> Move:
        text = normalise(action).strip()
        if not text.startswith("{"):
            typed = self._shorthand(text)
            if typed is not None:
                return typed
            return self._refuse(action, f"expected {self._hint}, actual {shorten(text, 40)!r}.")
        if text.count("{") + text.count("[") > _MAX_DEPTH and _depth(text) > _MAX_DEPTH:
            return self._refuse(
                action, f"expected at most {_MAX_DEPTH} nested levels, actual more."
            )
        try:
            move: Move = self._json.decode(text)
            if msgspec.json.encode(move) != text.encode():  # its one JSON text repeats no key
                repeated = _repeated_key(text)
                if repeated is not None:
                    return self._refuse(
                        action, f"expected each key once, actual {repeated!r} twice."
                    )
        except _UNREADABLE as error:
            return self._refuse(action, f"expected {self._hint}: {shorten(str(error), 120)}.")
        return move

    def _refuse(self, action: str, reason: str) -> Invalid:
        return Invalid(reason, normalise(action)[: self.max_length])


def _depth(text: str) -> int:
    """Deepest nesting of brackets outside strings."""
    depth = deepest = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _repeated_key(text: str) -> str | None:
    """The first key that stands twice in one JSON object."""
    repeated: list[str] = []

    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen:
                repeated.append(key)
            seen[key] = value
        return seen

    json.loads(text, object_pairs_hook=check)
    return shorten(repeated[0], 40) if repeated else None
