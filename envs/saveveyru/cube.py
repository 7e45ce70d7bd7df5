"""The Veyru in pictures: a glowing cube whose light shows what is wrong with it.

The cube is cast ray by ray, so each motif is a formula for the light at a point of its faces.
Pictures are kept by look, size, phase of the animation and variant (which face, which corner).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.palette import BLUE, ORANGE, SKY, VERMILION, Color
from babelzoo.envs.saveveyru.looks import COLLAPSED, LOOKS, PHASES, SAVED, TURN, Moment
from babelzoo.envs.saveveyru.rays import SHADE, Field, rays_of

__all__ = ["COLLAPSED", "NIGHT", "PHASES", "SAVED", "VARIANTS", "cube"]

NIGHT: Color = (22, 28, 40)  # what the Veyru stands in
VARIANTS = 6

_KEPT = 48  # pictures
_DULL, _FULL = (12, 56, 92), (240, 250, 255)
_COOL = ((0, NIGHT), (0.22, _DULL), (0.5, BLUE), (0.78, SKY), (1.1, _FULL), (1.3, (255, 255, 255)))
_WARM = ((0, NIGHT), (0.25, (96, 26, 22)), (0.6, VERMILION), (0.9, ORANGE), (1.2, (255, 240, 200)))


def cube(look: int, size: int, phase: int = 0, variant: int = 0) -> pygame.Surface:
    """A square picture of a Veyru on `NIGHT`.

    Args:
        look: Index of its motif, `SAVED` or `COLLAPSED`.
        size: Width and height in pixels.
        phase: Of the animation, 0 to `PHASES` - 1.
        variant: Where trouble that has a place shows, 0 to `VARIANTS` - 1.
    """
    return _cube(look, size, phase % PHASES, variant % VARIANTS)


@lru_cache(maxsize=_KEPT)
def _cube(look: int, size: int, phase: int, variant: int) -> pygame.Surface:
    rays = rays_of(size, 1.3 if look == 6 else 1.0)
    rng = np.random.default_rng([phase, variant])
    moment = Moment(phase, TURN * phase / PHASES, variant, rng)
    light = LOOKS[look](rays, moment)
    rays = light.rays or rays
    line = np.clip((light.width - rays.rim) / (rays.pixel * light.blur) + 0.5, 0, 1)
    body = light.body * SHADE[rays.face] + light.edges * line
    window = np.clip((1 - np.hypot(rays.x, rays.y)) / 0.25, 0, 1)
    border = np.clip((1 - np.maximum(abs(rays.x), abs(rays.y))) / 0.15, 0, 1)
    around = light.glow * np.exp(-rays.away / light.reach) + light.extra
    cool = rays.cover * (body + light.extra) + (1 - rays.cover) * around * window
    pixels = _colors(_COOL)[_step(cool)]
    if isinstance(light.warm, np.ndarray):
        pixels = np.maximum(pixels, _colors(_WARM)[_step(light.warm * border)])
    return pygame.image.frombuffer(pixels.tobytes(), (size, size), "RGB")


def _step(light: Field) -> NDArray[np.uint8]:
    return (np.clip(light, 0, 1.275) * 200).astype(np.uint8)


@lru_cache(maxsize=2)
def _colors(stops: tuple[tuple[float, Color], ...]) -> NDArray[np.uint8]:
    """256 colours, for light from 0 to 1.28."""
    light, colors = zip(*stops, strict=True)
    steps = np.arange(256) / 200
    return np.stack([np.interp(steps, light, c) for c in zip(*colors, strict=True)], 1).astype(
        np.uint8
    )
