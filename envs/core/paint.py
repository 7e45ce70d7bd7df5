"""What all environments draw with: panels, boxes, chips, bars, a matrix and a curve.

Lengths are pixels of the surface; `lettering.px` makes them from those of a frame of 1280x720.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import line_height, px, text, text_width
from babelzoo.envs.core.palette import BLUE, INK, LINE, MUTED, PAPER, Color, mix, on
from babelzoo.envs.core.shapes import disc, disc_image

__all__ = [
    "arrow",
    "bar",
    "box",
    "chip",
    "columns",
    "curve",
    "matrix",
    "panel",
]

Icon: TypeAlias = Callable[[int, tuple[int, int], int], None]

_EMPTY = mix(PAPER, LINE, 0.4)  # a cell of the matrix


def columns(
    surface: pygame.Surface, share: float = 0.56
) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """The layout of every frame: header, the world on the left, the talk on the right."""
    width, height = surface.get_size()
    margin = px(surface, 18)
    top = line_height(surface, "title") + line_height(surface) + 2 * px(surface, 10)
    header = pygame.Rect(margin, px(surface, 12), width - 2 * margin, top)
    body = pygame.Rect(margin, header.bottom + px(surface, 8), header.w, 0)
    body.h = height - body.y - margin
    left = pygame.Rect(body.x, body.y, round(body.w * share) - margin // 2, body.h)
    right = pygame.Rect(left.right + margin, body.y, body.right - left.right - margin, body.h)
    return header, left, right


def panel(surface: pygame.Surface, rect: pygame.Rect, title: str, aside: str = "") -> pygame.Rect:
    """A sheet with a title, and an aside at its right end; gives the room inside."""
    box(surface, rect, PAPER, LINE, px(surface, 12))
    pad = max(6, px(surface, 16))
    inner = rect.inflate(-2 * pad, -2 * pad)
    head = text(surface, title, inner.topleft, "heading", width=inner.w)
    room = inner.w - head.w - pad
    if aside and room > 0:
        text(surface, aside, (inner.right, head.bottom), "small", MUTED, "bottomright", room)
    top = head.bottom + pad // 2
    return pygame.Rect(inner.x, top, inner.w, max(0, inner.bottom - top))


def box(
    surface: pygame.Surface,
    rect: pygame.Rect,
    fill: Color,
    border: Color | None = None,
    radius: int = 6,
    width: int = 1,
) -> None:
    """A filled box with round corners and, with a `border`, an edge of `width` pixels."""
    if border is not None:
        box(surface, rect, border, None, radius)
        rect, radius = rect.inflate(-2 * width, -2 * width), max(1, radius - width)
    radius = min(radius, rect.w // 2, rect.h // 2)
    if radius < 1:
        surface.fill(fill, rect)
        return
    round_part = disc_image(radius, fill)
    surface.fill(fill, (rect.x + radius, rect.y, rect.w - 2 * radius, rect.h))
    surface.fill(fill, (rect.x, rect.y + radius, rect.w, rect.h - 2 * radius))
    for right in (0, 1):
        for bottom in (0, 1):
            corner = (radius * right, radius * bottom, radius, radius)
            x = rect.right - radius if right else rect.x
            y = rect.bottom - radius if bottom else rect.y
            surface.blit(round_part, (x, y), corner)


def chip(
    surface: pygame.Surface,
    words: str,
    at: tuple[int, int],
    color: Color = LINE,
    anchor: str = "topleft",
    width: int | None = None,
) -> pygame.Rect:
    """Small text in a pill; gives the pill's place. With `width` the pill is at most that wide."""
    pad = px(surface, 9)
    high = line_height(surface, "small") + px(surface, 4)
    wide = text_width(surface, words, "small") + 2 * pad
    pill = pygame.Rect(0, 0, wide if width is None else min(wide, width), high)
    setattr(pill, anchor, at)
    box(surface, pill, color, None, high // 2)
    text(surface, words, pill.center, "small", on(color), "center", max(1, pill.w - 2 * pad))
    return pill


def arrow(
    surface: pygame.Surface, start: tuple[int, int], end: tuple[int, int], color: Color = MUTED
) -> None:
    """A straight arrow, along x or along y."""
    thick = px(surface, 2)
    tip = px(surface, 5) + 1
    (x, y), (u, v) = start, end
    pygame.draw.line(surface, color, start, end, thick)
    along = ((u > x) - (u < x), (v > y) - (v < y))
    for side in (-1, 1):
        back = (u - tip * (along[0] + side * along[1]), v - tip * (along[1] + side * along[0]))
        pygame.draw.line(surface, color, end, back, thick)


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
    label = min(label, rect.w * 2 // 5)
    slots = max(6, len(columns))
    wide = (rect.w - label) // slots
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
