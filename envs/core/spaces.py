"""Text spaces that accept any text, and the strings that PettingZoo's tests accept."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

__all__ = ["OpenText", "TextObservation"]


class TextObservation(str):
    """An observation's text.

    The `dtype` is what PettingZoo's `api_test` asks every observation for; everywhere but in
    `observe()` strings are exact `str`.
    """

    __slots__ = ()
    dtype = np.dtype(str)


def _two_letters(rng: np.random.Generator) -> str:
    return "ab"[rng.integers(2)]


class OpenText(spaces.Text):
    """All strings of at most `max_length` characters.

    Gymnasium's `Text` lists its characters, which costs kilobytes and forbids most of Unicode.

    Args:
        max_length: Longest text in characters, at least 1.
        draw: Draws a sample; by default one letter. It is no part of what the space is, so it
            does not count in comparisons.
    """

    def __init__(
        self, max_length: int, draw: Callable[[np.random.Generator], str] = _two_letters
    ) -> None:
        super().__init__(max_length, min_length=0, charset="ab")
        self.draw = draw

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string of at most `max_length` characters."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a text; for actions a move that is legal in form.

        Raises:
            ValueError: A mask or probability is given; this space has no characters to mask.
        """
        if mask is not None or probability is not None:
            raise ValueError("expected no mask, actual one: OpenText has no character set.")
        return self.draw(self.np_random)

    def __repr__(self) -> str:
        return f"OpenText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenText) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]
