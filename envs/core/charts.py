"""Charts of all environments: a bar, a matrix of shares, a curve."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import line_height, px, text, text_width
from babelzoo.envs.core.palette import BLUE, INK, LINE, PAPER, Color, mix, on
from babelzoo.envs.core.shapes import box, disc

__all__ = ["bar", "curve", "matrix"]

Icon: TypeAlias = Callable[[int, tuple[int, int], int], None]

_EMPTY = mix(PAPER, LINE, 0.4)  # a cell of the matrix


def bar(
    surface: pygame.Surface,
    rect: pygame.Rect,
    share: float,
    color: Color,
    mark: float | None = None,
) -> None:
    """A bar filled to `share` (0 to 1), with a notch at `mark`."""
    box(surface, rect, LINE, None, rect.h // 2)
    share = min(1.0, max(0.0, share))
    if share > 0:
        filled = pygame.Rect(rect.x, rect.y, max(rect.h, round(rect.w * share)), rect.h)
        box(surface, filled, color, None, rect.h // 2)
    if mark is not None:
        x = rect.x + round(rect.w * mark)
        surface.fill(INK, (x, rect.y - 2, px(surface, 2), rect.h + 4))


def matrix(
    surface: pygame.Surface,
    rect: pygame.Rect,
    rows: Sequence[str],
    columns: Sequence[str],
    shades: Sequence[Sequence[float]],
    shares: Sequence[Sequence[float]],
    icon: Icon | None = None,
) -> pygame.Rect:
    """Cells with labels: the deeper its shade (0 to 1) the fuller, the bar in a cell is its share.

    Args:
        surface: Where to draw.
        rect: The room of it all.
        rows: Labels at the left, 1 or more, cut to their room.
        columns: Labels above, letter below letter where they fit in no other way.
        shades: How deep each cell is shaded, by row and column.
        shares: How long the bar in each cell is, of the cell's width; none where the shade is 0.
        icon: Draws the picture of a row in front of its label, from the row, centre and radius.

    Returns:
        Where the cells came to stand.
    """
    small = line_height(surface, "small")
    letter = small - 2
    room = max(small, rect.h - len(rows) * (small - 1)) - 4
    tallest = max(px(surface, 60), 2 * small)
    pictured = min(2 * small, max(small, rect.h // (len(rows) + 2))) + 6 if icon else 0
    label = max(text_width(surface, words, "small") for words in rows) + pictured + 6
    slots = max(6, len(columns))
    wide = (rect.w - min(label, rect.w * 2 // 5)) // slots
    label = rect.w - wide * slots
    stacked = any(text_width(surface, words, "small") + 3 > wide for words in columns)
    heads = [_letters(words, room // letter) if stacked else [words] for words in columns]
    head = letter * max(map(len, heads), default=1) + 4
    high = max(1, min(tallest, (rect.h - head) // len(rows)))
    cells = pygame.Rect(rect.x + label, rect.y + head, wide * slots, high * len(rows))
    for j, lines in enumerate(heads):
        for i, line in enumerate(reversed(lines)):
            at = (cells.x + j * wide + wide // 2, cells.y - 2 - i * letter)
            text(surface, line, at, "small", INK, "midbottom")
    for i, words in enumerate(rows):
        y = cells.y + i * high
        if icon is not None:
            radius = (min(high, pictured - 6) - 2) // 2
            icon(i, (rect.x + (pictured - 6) // 2, y + high // 2), radius)
        at = (rect.x + pictured, y + high // 2)
        text(surface, words, at, "small", INK, "midleft", label - pictured - 6)
        for j in range(slots):
            cell = pygame.Rect(cells.x + j * wide, y, wide - 1, high - 1)
            if j < len(columns):
                _cell(surface, cell, shades[i][j], shares[i][j])
            else:
                surface.fill(_EMPTY, cell)
    return cells


def _letters(words: str, most: int) -> list[str]:
    """The letters of a label one by one, at most so many."""
    return list(words) if len(words) <= most else [*words[: max(0, most - 1)], "…"]


def _cell(surface: pygame.Surface, cell: pygame.Rect, shade: float, share: float) -> None:
    color = mix(_EMPTY, BLUE, 0.12 + 0.88 * min(1.0, shade)) if shade > 0 else _EMPTY
    surface.fill(color, cell)
    if shade > 0 and share > 0:
        pad, thick = max(1, cell.w // 8), max(2, cell.h // 7)
        long = round((cell.w - 2 * pad) * min(1.0, share))
        surface.fill(
            on(color), (cell.x + pad, cell.bottom - thick - max(1, thick // 2), long, thick)
        )


def curve(
    surface: pygame.Surface, rect: pygame.Rect, values: Sequence[float], color: Color
) -> None:
    """A line through `values` (0 to 1) from the left edge to the right one, over a base line."""
    pygame.draw.line(surface, LINE, rect.bottomleft, rect.bottomright)
    steps = max(1, len(values) - 1)
    points = [
        (rect.x + rect.w * i / steps, rect.bottom - rect.h * min(1.0, max(0.0, value)))
        for i, value in enumerate(values)
    ]
    if len(points) > 1:
        for lower in range(px(surface, 2)):
            pygame.draw.aalines(surface, color, False, [(x, y + lower) for x, y in points])
    if points:
        x, y = points[-1]
        disc(surface, (round(x), round(y)), px(surface, 4), color)
