"""What all environments draw with: the layout, panels, boxes, chips and message tokens.

Lengths are pixels of the surface; `lettering.px` makes them from those of a frame of 1280x720.
"""

from collections.abc import Sequence

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.charts import bar
from babelzoo.envs.core.lettering import line_height, px, text, text_width
from babelzoo.envs.core.palette import (
    BLUE,
    GROUND,
    INK,
    LINE,
    MUTED,
    ORANGE,
    PAPER,
    SKY,
    Color,
    mix,
    on,
)
from babelzoo.envs.core.shapes import box

__all__ = [
    "arrow",
    "chip",
    "columns",
    "header",
    "panel",
    "tiles",
]

_PALE = mix(PAPER, SKY, 0.3)  # a token


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


def header(
    surface: pygame.Surface,
    rect: pygame.Rect,
    title: str,
    status: str,
    chips: Sequence[tuple[str, Color]],
    score: str,
    share: float,
    chance: float | None = None,
) -> None:
    """Title, status and conditions at the left, as many as have room; the score at the right.

    Args:
        surface: Where to draw.
        rect: The first of `columns`.
        title: The game.
        status: How far it is.
        chips: What sets it apart from others, in words and their colour.
        score: What was reached.
        share: The same as a share (0 to 1), for a bar.
        chance: The share that guessing reaches, as a notch in the bar.
    """
    gap = px(surface, 12)
    head = text(surface, title, rect.topleft, "title", width=rect.w // 2)
    at = (rect.right, head.bottom)
    text(surface, score, at, "heading", INK, "bottomright", rect.right - head.right - 2 * gap)
    middle = head.bottom + px(surface, 8) + line_height(surface) // 2
    meter = pygame.Rect(0, 0, rect.w // 4, max(5, px(surface, 9)))
    meter.midright = (rect.right, middle)
    bar(surface, meter, share, BLUE, chance)
    end = meter.x - gap
    if chance is not None:
        note = f"chance {100 * chance:.3g}%"
        end = text(surface, note, (end, middle), "small", MUTED, "midright").x - gap
    x = text(surface, status, (rect.x, middle), "body", MUTED, "midleft", end - rect.x).right + gap
    for words, color in chips:
        if x + text_width(surface, words, "small") + 2 * gap > end:
            break
        x = chip(surface, words, (x, middle), color, "midleft").right + gap


def panel(
    surface: pygame.Surface,
    rect: pygame.Rect,
    title: str,
    aside: str = "",
    edge: Color | None = None,
) -> pygame.Rect:
    """A sheet with a title, and an aside at its right end; gives the room inside.

    With `edge` the sheet is tinted with that colour and has a bar of it at its left.
    """
    round_by = px(surface, 12)
    if edge is None:
        box(surface, rect, PAPER, LINE, round_by)
    else:
        bar = px(surface, 6)
        box(surface, rect, edge, None, round_by)
        sheet = pygame.Rect(rect.x + bar, rect.y, rect.w - bar, rect.h)
        box(surface, sheet, mix(GROUND, edge, 0.16), None, round_by)
    pad = max(6, px(surface, 16))
    inner = rect.inflate(-2 * pad, -2 * pad)
    head = text(surface, title, inner.topleft, "heading", width=inner.w)
    room = inner.w - head.w - pad
    if aside and room > 0:
        text(surface, aside, (inner.right, head.bottom), "small", MUTED, "bottomright", room)
    top = head.bottom + pad * 3 // 4
    return pygame.Rect(inner.x, top, inner.w, max(0, inner.bottom - top))


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


def tiles(
    surface: pygame.Surface,
    first: pygame.Rect,
    gap: int,
    tokens: Sequence[str],
    marked: Sequence[bool] = (),
) -> None:
    """Tokens of a message in a row, from `first` to the right; empty ones are slots to fill.

    Args:
        surface: Where to draw.
        first: The place of the first tile.
        gap: Between two tiles.
        tokens: What stands on each tile.
        marked: Which of them were changed; none if empty.
    """
    radius = max(2, first.w // 6)
    step = "heading" if first.h > line_height(surface, "heading") else "small"
    for i, token in enumerate(tokens):
        tile = first.move(i * (first.w + gap), 0)
        if not token:
            box(surface, tile, PAPER, LINE, radius)
            continue
        changed = i < len(marked) and marked[i]
        fill, edge = (ORANGE, INK) if changed else (_PALE, SKY)
        box(surface, tile, fill, edge, radius, 1 + changed)
        text(surface, token, tile.center, step, INK, "center", tile.w)
