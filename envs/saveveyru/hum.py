"""The hum of a Veyru, drawn as waves, and what it feels like to the hand."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import line_height, px, text
from babelzoo.envs.core.palette import FAINT, ORANGE, PAPER, SKY, VERMILION, Color, mix
from babelzoo.envs.core.shapes import box, disc
from babelzoo.envs.saveveyru.cube import NIGHT, PHASES
from babelzoo.envs.saveveyru.looks import TURN

__all__ = ["hum"]

Wave: TypeAlias = tuple[Color, Any]  # height at each of `_STEPS`, from -1 to 1

_TOUCH = {5: "hot", 8: "hot spot", 10: "cold", 12: "hot"}  # what a motif feels like
_STEPS = np.linspace(0, 1, 121)
_DIM = mix(NIGHT, SKY, 0.5)


def hum(surface: pygame.Surface, rect: pygame.Rect, look: int, phase: int = 0) -> None:
    """Draw a Veyru's hum as waves, name it, and say what it feels like."""
    small, touch = line_height(surface, "small"), _TOUCH.get(look)
    middle, room = rect.bottom - small // 2, rect.w
    if touch is not None:
        name = text(surface, touch, (rect.right, middle), "small", PAPER, "midright", rect.w // 2)
        bulb = max(3, px(surface, 6))
        _thermometer(
            surface, (name.x - 3 * bulb, rect.bottom - 2 * bulb - 2), bulb, touch == "cold"
        )
        room = name.x - 5 * bulb - rect.x
    words = f"Hum: {_HUMS[look][0]}"
    text(surface, words, (rect.x, middle), "small", FAINT, "midleft", max(1, room))
    high = (rect.h - small) / 2
    reach = min(high - 2, px(surface, 64))
    for color, heights in _waves(look, phase % PHASES):
        line = [
            (rect.x + x * rect.w, rect.y + high - y * reach)
            for x, y in zip(_STEPS.tolist(), heights, strict=True)
        ]
        for lower in range(px(surface, 3)):
            pygame.draw.aalines(surface, color, False, [(x, y + lower) for x, y in line])


def _thermometer(surface: pygame.Surface, at: tuple[int, int], bulb: int, cold: bool) -> None:
    x, y = at
    color, level = (SKY, bulb) if cold else (VERMILION, 3 * bulb - 2)
    stem = pygame.Rect(x - bulb // 2, y - 2 * bulb, 2 * (bulb // 2), 3 * bulb)
    box(surface, stem.inflate(2, 2), PAPER, None, bulb)
    disc(surface, (x, y + bulb), bulb + 1, PAPER)
    disc(surface, (x, y + bulb), bulb, color)
    surface.fill(color, (stem.x + 1, stem.bottom - level, stem.w - 2, level))


@lru_cache(maxsize=256)
def _waves(look: int, phase: int) -> list[tuple[Color, list[float]]]:
    """The lines of a hum."""
    waves = _HUMS[look][1](_STEPS, TURN * phase / PHASES)
    return [(color, heights.tolist()) for color, heights in waves]


def _fragments(x: Any, turn: float) -> list[Wave]:
    """Pieces of different tones and strengths, and gaps."""
    rng = np.random.default_rng(round(1000 * turn))
    piece = np.searchsorted(np.sort(rng.random(6)), x)
    heights = rng.permutation([0.0, 0.0, 0.3, 0.5, 0.8, 0.9, 0.9])
    return [(SKY, heights[piece] * np.sin(x * rng.uniform(20, 90, 7)[piece]))]


def _rumble(x: Any, turn: float) -> list[Wave]:
    """A slow swell, rough."""
    rough = np.random.default_rng(round(1000 * turn)).uniform(-1, 1, len(x))
    return [(VERMILION, 0.65 * _sine(x, 1.5, turn) + 0.12 * rough)]


def _sine(x: Any, times: float, turn: float) -> Any:
    return np.sin(TURN * times * x - turn)


def _silence(x: Any, turn: float) -> list[Wave]:
    del turn
    return [(_DIM, 0 * x)]


_HUMS: tuple[tuple[str, Callable[[Any, float], list[Wave]]], ...] = (
    ("broken", _fragments),
    ("wavering", lambda x, t: [(SKY, 0.5 * np.sin(TURN * 5 * x + 5.5 * _sine(x, 1, t)))]),
    (
        "layered",
        lambda x, t: [
            (color, 0.3 * _sine(x, 3 + i, t - i) + 0.55 * (i - 1))
            for i, color in enumerate((SKY, PAPER, SKY))
        ],
    ),
    ("thin, hollow", lambda x, t: [(_DIM, 0.16 * _sine(x, 7, t) + up) for up in (0.2, -0.2)]),
    ("a whisper", lambda x, t: [(_DIM, 0.06 * _sine(x, 8, t))]),
    ("loud, harsh", lambda x, t: [(PAPER, 1.9 * ((9 * x - t / TURN) % 1) - 0.95)]),
    (
        "two tones",
        lambda x, t: [
            (SKY, 0.75 * np.where((4 * x + 4 * t / TURN) % 2 < 1, _sine(x, 8, 0), _sine(x, 24, 0)))
        ],
    ),
    (
        "whining",
        lambda x, t: [(PAPER, 0.9 * np.exp(-(((x - 0.5) / 0.16) ** 2)) * _sine(x, 30, t))],
    ),
    ("clicking", lambda x, t: [(SKY, 0.85 * ((120 * x + 16 * t / TURN + 0.5) % 16 < 1))]),
    (
        "muffled",
        lambda x, t: [(_DIM, 0.3 * _sine(x, 2, t) + up) for up in (-0.08, -0.04, 0, 0.04, 0.08)],
    ),
    ("silent", _silence),
    ("clashing", lambda x, t: [(SKY, 0.7 * _sine(x, 5, t)), (ORANGE, 0.7 * _sine(x, 6.5, -t))]),
    ("a low rumble", _rumble),
    ("thin, shallow", lambda x, t: [(SKY, 0.13 * _sine(x, 16, t))]),
    ("steady", lambda x, t: [(SKY, 0.45 * _sine(x, 4, t))]),
    ("silent", _silence),
)
