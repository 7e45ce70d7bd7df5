"""Casting rays at a cube: what each pixel of a picture of it shows."""

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["SHADE", "Field", "Rays", "cast", "corner", "line", "plate", "rays_of"]

Field: TypeAlias = NDArray[Any]  # one value for each pixel

SHADE = np.array([0.84, 1.0, 0.92], np.float32)  # of the faces x (right), y (top), z (front)
_EYE = np.array([3.7, 3.5, 4.9], np.float32)  # sees the faces x, y, z = 1 of the cube -1..1
_AHEAD = -_EYE / np.linalg.norm(_EYE)
_RIGHT = np.array([-_AHEAD[2], 0, _AHEAD[0]], np.float32) / np.hypot(_AHEAD[0], _AHEAD[2])
_UP = np.cross(_RIGHT, _AHEAD)
_FIT = 0.31  # the picture's half width at distance 1
_MISSED = 0.1  # turns how much too early a ray leaves the planes of faces into `away`, roughly


class Rays(NamedTuple):
    """What the rays through all pixels meet. Lengths are in half widths of the picture.

    Attributes:
        x: Position in the picture, from -1 at the left to 1.
        y: From -1 at the top to 1.
        cover: Share of the pixel that the cube covers.
        away: Distance from the cube; 0 inside.
        face: 0 right, 1 top, 2 front.
        u: Position on the face, -1 to 1.
        v: The other coordinate.
        rim: Distance from the nearest edge of the face, 1 at its centre.
        ring: Distance from its centre, in squares with round corners.
        pixel: What a pixel is, of `rim`.
    """

    x: Field
    y: Field
    cover: Field
    away: Field
    face: NDArray[np.intp]
    u: Field
    v: Field
    rim: Field
    ring: Field
    pixel: float


@lru_cache(maxsize=4)
def rays_of(size: int, zoom: float) -> Rays:
    """The rays through all pixels of a square picture, `zoom` times as far away."""
    steps = ((np.arange(size) + 0.5) * 2 / size - 1).astype(np.float32)
    x, y = np.meshgrid(steps, steps)
    return cast(x, y, x, y, zoom)


def _ways(x: Field, y: Field, zoom: float) -> list[Field]:
    """Where rays through points of the picture go, by axis; always towards the three near faces."""
    fit = _FIT * zoom
    return [
        np.minimum(ahead + fit * (x * right - y * up), -1e-3)
        for ahead, right, up in zip(_AHEAD, _RIGHT, _UP, strict=True)
    ]


def cast(x: Field, y: Field, seen_x: Field, seen_y: Field, zoom: float) -> Rays:
    """Let the pixels at `x` and `y` show what rays through `seen_x` and `seen_y` meet.

    A ray enters the cube through the last of the near faces' planes that it crosses.
    """
    pixel = 2 / len(x)
    ways = _ways(seen_x, seen_y, zoom)
    near = np.stack([(1 - eye) / way for eye, way in zip(_EYE, ways, strict=True)])
    far = np.stack([(-1 - eye) / way for eye, way in zip(_EYE, ways, strict=True)])
    face = near.argmax(0)
    entry = near.max(0)
    px, py, pz = (eye + entry * way for eye, way in zip(_EYE, ways, strict=True))
    u, v = np.where(face == 0, pz, px), np.where(face == 1, pz, py)
    missed = entry - far.min(0)
    down, across = np.gradient(missed)
    cover = np.clip(0.5 - missed / np.maximum(np.hypot(down, across), 1e-4), 0, 1)
    away = np.maximum(missed, 0) * _MISSED
    rim = 1 - np.maximum(abs(u), abs(v))
    ring = np.sqrt(np.hypot(u * u, v * v))
    return Rays(x, y, cover, away, face, u, v, rim, ring, pixel * 2.4 * zoom)


def plate(rays: Rays, axis: int, zoom: float) -> Field:
    """How much of each pixel a face behind the cube covers, moved away from it."""
    ways = _ways(rays.x, rays.y, zoom)
    at = (-2.1 - _EYE[axis]) / ways[axis]
    others = [abs(_EYE[i] + at * ways[i]) for i in range(3) if i != axis]
    plate: Field = line(np.maximum(*others), 0.8, rays.pixel) * (1 - rays.cover)
    return plate


def corner(number: int) -> tuple[float, float]:
    """Where one of the seven visible corners stands in the picture, the nearest one first."""
    signs = ((1, 1, 1), (1, 1, -1), (-1, 1, 1), (1, -1, 1), (-1, 1, -1), (1, -1, -1), (-1, -1, 1))
    point = np.array(signs[number]) - _EYE
    depth = _FIT * (point @ _AHEAD)
    return float(point @ _RIGHT / depth), float(-point @ _UP / depth)


def line(at: Field, width: float, soft: float) -> Field:
    """1 where `at` is within `width` of 0, with soft sides."""
    share: Field = np.clip((width - abs(at)) / soft + 0.5, 0, 1)
    return share
