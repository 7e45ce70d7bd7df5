"""What has smooth edges: boxes with round corners, discs, shapes in patterns, outcomes.

They are drawn four times too large, scaled down, and kept.
"""

from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.palette import BAD, GOOD, INK, PAPER, Color, mix

__all__ = ["PATTERNS", "SHAPES", "box", "disc", "outcome", "shape"]

Points = list[tuple[float, float]]

PATTERNS = ("solid", "striped", "hollow", "dotted", "barred", "halved")
_OVER = 4  # supersampling


def _polygon(corners: int, turn: float = -0.25, inner: float = 1.0) -> Points:
    """Corners on the unit circle from `turn` (of a full one) on, every other at `inner`."""
    return [
        (
            (inner if i % 2 else 1.0) * cos(2 * pi * (i / corners + turn)),
            (inner if i % 2 else 1.0) * sin(2 * pi * (i / corners + turn)),
        )
        for i in range(corners)
    ]


_ARM = 0.34
SHAPES: dict[str, Points] = {
    "circle": [(0.94 * x, 0.94 * y) for x, y in _polygon(72)],
    "square": [(-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)],
    "triangle": [(0.0, -0.95), (1.0, 0.8), (-1.0, 0.8)],
    "star": [(1.06 * x, 1.06 * y + 0.06) for x, y in _polygon(10, inner=0.46)],
    "diamond": [(0.0, -1.06), (0.82, 0.0), (0.0, 1.06), (-0.82, 0.0)],
    "cross": [
        (-_ARM, -1), (_ARM, -1), (_ARM, -_ARM), (1, -_ARM), (1, _ARM), (_ARM, _ARM),
        (_ARM, 1), (-_ARM, 1), (-_ARM, _ARM), (-1, _ARM), (-1, -_ARM), (-_ARM, -_ARM),
    ],
    "hexagon": _polygon(6, 0.0),
    "pentagon": _polygon(5),
    "crescent": [(x - 0.1, y) for x, y in _polygon(72)[8:65]]
    + [(0.62 * x + 0.42, 0.72 * y) for x, y in reversed(_polygon(72)[6:67])],
    "bar": [(-1.0, -0.42), (1.0, -0.42), (1.0, 0.42), (-1.0, 0.42)],
}  # fmt: skip


def disc(surface: pygame.Surface, center: tuple[int, int], radius: int, color: Color) -> None:
    """A filled circle."""
    surface.blit(_disc(radius, color), (center[0] - radius, center[1] - radius))


def box(
    surface: pygame.Surface,
    rect: pygame.Rect,
    fill: Color,
    border: Color | None = None,
    radius: int = 6,
    width: int = 1,
) -> None:
    """A filled box with round corners and, with a `border`, an edge of `width` pixels."""
    radius = max(1, min(radius, rect.w // 2, rect.h // 2))
    if border is not None:
        _corners(surface, rect, border, radius)
        for y in (rect.y, rect.bottom - width):
            surface.fill(border, (rect.x + radius, y, rect.w - 2 * radius, width))
        for x in (rect.x, rect.right - width):
            surface.fill(border, (x, rect.y + radius, width, rect.h - 2 * radius))
        rect, radius = rect.inflate(-2 * width, -2 * width), max(1, radius - width)
    _corners(surface, rect, fill, radius)
    surface.fill(fill, (rect.x + radius, rect.y, rect.w - 2 * radius, rect.h))
    for x in (rect.x, rect.right - radius):
        surface.fill(fill, (x, rect.y + radius, radius, rect.h - 2 * radius))


def _corners(surface: pygame.Surface, rect: pygame.Rect, color: Color, radius: int) -> None:
    image = _disc(radius, color)
    for x, left in ((rect.x, 0), (rect.right - radius, radius)):
        for y, top in ((rect.y, 0), (rect.bottom - radius, radius)):
            surface.blit(image, (x, y), (left, top, radius, radius))


def outcome(surface: pygame.Surface, center: tuple[int, int], radius: int, success: bool) -> None:
    """A tick on a disc for success, a cross on a square for failure."""
    image = _outcome(radius, success)
    surface.blit(image, image.get_rect(center=center))


def shape(
    surface: pygame.Surface,
    name: str,
    center: tuple[int, int],
    radius: int,
    color: Color,
    pattern: str = "solid",
) -> None:
    """One of `SHAPES` in one of `PATTERNS`, with a darker edge."""
    image = _shape(name, max(2, radius), color, pattern)
    surface.blit(image, image.get_rect(center=center))


def _blank(size: int, color: Color) -> pygame.Surface:
    """Nothing yet, in a colour, so that edges don't darken when it is scaled down."""
    image = pygame.Surface((size, size), pygame.SRCALPHA)
    image.fill((*color, 0))
    return image


@lru_cache(maxsize=512)
def _disc(radius: int, color: Color) -> pygame.Surface:
    size = 2 * radius * _OVER
    image = _blank(size, color)
    pygame.draw.circle(image, color, (size / 2, size / 2), size / 2)
    return pygame.transform.smoothscale(image, (2 * radius, 2 * radius))


@lru_cache(maxsize=64)
def _outcome(radius: int, success: bool) -> pygame.Surface:
    size = 2 * radius * _OVER
    color = GOOD if success else BAD
    image = _blank(size, color)
    if success:
        pygame.draw.circle(image, color, (size / 2, size / 2), size / 2)
        strokes = [[(0.27, 0.53), (0.44, 0.69), (0.74, 0.34)]]
    else:
        pygame.draw.rect(image, color, image.get_rect(), border_radius=size // 5)
        strokes = [[(0.3, 0.3), (0.7, 0.7)], [(0.7, 0.3), (0.3, 0.7)]]
    thick = size // 18
    for stroke in strokes:
        points = [(x * size, y * size) for x, y in stroke]
        for start, end in pairwise(points):
            _stroke(image, PAPER, start, end, thick)
    return pygame.transform.smoothscale(image, (2 * radius, 2 * radius))


@lru_cache(maxsize=1024)
def _shape(name: str, radius: int, color: Color, pattern: str) -> pygame.Surface:
    half = radius * _OVER
    edge = mix(color, INK, 0.45)
    image = _blank(2 * half, edge)
    body = _pattern(2 * half, color, pattern)
    rim = min(3.0, max(1.0, radius / 12)) * _OVER / 2  # half of the edge
    mask = _blank(2 * half, PAPER)
    outline = [(half + half * 0.92 * x, half + half * 0.92 * y) for x, y in SHAPES[name]]
    pygame.draw.polygon(mask, PAPER, outline)
    body.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    image.blit(body, (0, 0))
    for start, end in pairwise([*outline, outline[0]]):
        _stroke(image, edge, start, end, rim)
    return pygame.transform.smoothscale(image, (2 * radius, 2 * radius))


def _pattern(size: int, color: Color, pattern: str) -> pygame.Surface:
    """A square of one colour, with a paler pattern on it."""
    body = _blank(size, color)
    body.fill(color)
    pale = mix(color, PAPER, 0.72)
    step = max(2 * _OVER + 2, size // 6)
    if pattern == "striped":
        for at in range(-size, size, step):
            _stroke(body, pale, (at, size), (at + size, 0), step / 5)
    elif pattern == "barred":
        for at in range(step // 2, size, step):
            body.fill(pale, (0, at, size, step * 2 // 5))
    elif pattern == "dotted":
        for row, y in enumerate(range(step // 2, size, step)):
            for x in range(step // 2 * (row % 2), size + step, step):
                pygame.draw.circle(body, pale, (x, y), step * 0.27)
    elif pattern == "hollow":
        body.fill(PAPER)
    elif pattern == "halved":
        body.fill(pale, (size // 2, 0, size, size))
    return body


def _stroke(
    image: pygame.Surface,
    color: Color,
    start: tuple[float, float],
    end: tuple[float, float],
    half: float,
) -> None:
    """A line with round ends, `half` as thick to each side."""
    (x, y), (u, v) = start, end
    length = hypot(u - x, v - y) or 1.0
    across, down = half * (v - y) / length, half * (x - u) / length
    sides = [(x + across, y + down), (u + across, v + down)]
    sides += [(u - across, v - down), (x - across, y - down)]
    pygame.draw.polygon(image, color, sides)
    for point in (start, end):
        pygame.draw.circle(image, color, point, half)
