"""Pictures of things that have no name: creatures, rocks, structures and artifacts from a seed."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import derive_seed

__all__ = ["KINDS", "SIDE", "picture"]

KINDS = ("creature", "rock", "structure", "artifact")
SIDE = 128  # pixels

Plane: TypeAlias = NDArray[np.float64]  # one value for each pixel, (SIDE, SIDE)

_GROUND = 0.94  # of all pictures, a pale grey
_HUES = 0.618034  # turns from one referent's hue to the next: never near an earlier one


def picture(seed: int, number: int, attempt: int = 0) -> NDArray[np.uint8]:
    """The picture of referent `number`, RGB of shape (SIDE, SIDE, 3).

    Equal arguments give equal pictures; another `attempt` gives another picture of its kind.
    """
    rng = np.random.default_rng(derive_seed(seed, "referent", number, attempt))
    steps = (np.arange(SIDE) + 0.5) * 2 / SIDE - 1
    x, y = np.meshgrid(steps, steps)
    turn = rng.uniform(0, 2 * np.pi)
    x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    inside = _SHAPES[number % len(KINDS)](x, y, rng)
    texture = _TEXTURES[int(rng.integers(len(_TEXTURES)))](x, y, rng)
    hue = (derive_seed(seed, "hue") % 1000 / 1000 + number * _HUES + rng.uniform(0, 0.1)) % 1
    first = _color(hue, rng.uniform(0.35, 1), rng.uniform(0.35, 1))
    second = _color((hue + rng.uniform(0.1, 0.5)) % 1, rng.uniform(0.2, 1), rng.uniform(0.1, 1))
    shade = (0.75 + 0.25 * np.sqrt(np.clip(1 - x**2 - y**2, 0, 1)))[..., None]
    body = (first + (second - first) * texture[..., None]) * shade
    pixels = _GROUND + (body - _GROUND) * np.clip(inside, 0, 1)[..., None]
    return np.asarray(np.clip(pixels * 255, 0, 255).astype(np.uint8))


def _soft(distance: Plane) -> Plane:
    """1 inside (negative), 0 outside, with an edge of one pixel."""
    return np.clip(0.5 - distance * SIDE / 2, 0, 1)


def _creature(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """A body with arms all around."""
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    arms, sharp = int(rng.integers(3, 12)), rng.uniform(1, 6)
    wave = (0.5 + 0.5 * np.cos(arms * angle + rng.uniform(0, 6))) ** sharp
    return _soft(radius - rng.uniform(0.2, 0.45) - rng.uniform(0.2, 0.5) * wave)


def _rock(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """A lump with flat sides."""
    sides = int(rng.integers(4, 9))
    angles = np.sort(rng.uniform(0, 2 * np.pi, sides))
    reach = rng.uniform(0.35, 0.75, sides)
    squeeze = rng.uniform(0.4, 1)
    planes = [
        x * np.cos(a) + y / squeeze * np.sin(a) - r for a, r in zip(angles, reach, strict=True)
    ]
    return _soft(np.maximum(np.maximum.reduce(planes), np.hypot(x, y) - 0.9))


def _structure(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """Beams that lean on each other."""
    beams = []
    for _ in range(int(rng.integers(3, 7))):
        angle, thick, long = rng.uniform(0, np.pi), rng.uniform(0.05, 0.18), rng.uniform(0.4, 0.9)
        u, v = x - rng.uniform(-0.3, 0.3), y - rng.uniform(-0.3, 0.3)
        along, across = u * np.cos(angle) + v * np.sin(angle), v * np.cos(angle) - u * np.sin(angle)
        beams.append(np.maximum(abs(along) - long, abs(across) - thick))
    return _soft(np.minimum.reduce(beams))


def _artifact(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """Rings around a hole, with notches."""
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    inner, outer = rng.uniform(0.1, 0.4), rng.uniform(0.6, 0.9)
    notches = np.cos(int(rng.integers(2, 16)) * angle) > rng.uniform(0.2, 1.2)
    edge = outer - 0.15 * notches
    return _soft(np.maximum(radius - edge, inner - radius))


def _stripes(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    wave = np.sin(rng.uniform(10, 40) * x + rng.uniform(0, 6))
    return np.asarray(wave > 0, float)


def _rings(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    return np.asarray(np.sin(rng.uniform(12, 40) * np.hypot(x, y)) > 0, float)


def _spots(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    pitch = rng.uniform(8, 22)
    return np.asarray(np.sin(pitch * x) * np.sin(pitch * y) > rng.uniform(0.2, 0.6), float)


def _grain(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    return rng.random(x.shape) ** rng.uniform(0.5, 2)


def _plain(x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    return np.full_like(x, rng.uniform(0, 0.3))


_SHAPES = (_creature, _rock, _structure, _artifact)
_TEXTURES = (_stripes, _rings, _spots, _grain, _plain)


def _color(hue: float, saturation: float, value: float) -> NDArray[np.float64]:
    """RGB in [0, 1] of a hue in turns."""
    parts = abs((hue * 6 + np.array([0, 4, 2])) % 6 - 3) - 1
    return np.asarray(value * (1 + saturation * (np.clip(parts, 0, 1) - 1)))
