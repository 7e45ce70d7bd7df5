"""How the light of a Veyru looks for each motif: formulas for the light at a point."""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from math import pi
from typing import NamedTuple

import numpy as np

from babelzoo.envs.saveveyru.rays import SHADE, Field, Rays, cast, corner, line, plate

__all__ = ["COLLAPSED", "LOOKS", "PHASES", "SAVED", "TURN", "Light", "Moment"]

PHASES = 8  # pictures until the animation repeats
SAVED, COLLAPSED = 14, 15  # looks beyond those of the 14 motifs
TURN = 2 * pi


class Light(NamedTuple):
    """The light of a Veyru, 0 (none) to 1 (white) and beyond.

    Attributes:
        body: On its faces.
        edges: Added along its edges.
        width: How wide edges are, of half a face.
        blur: How far they are smeared, in pixels.
        glow: Around it.
        reach: How far that goes.
        extra: Added anywhere in the picture.
        warm: In warm colours, anywhere.
        rays: Of the cube, if it has lost its shape.
    """

    body: Field | float
    edges: Field | float = 0.35
    width: float = 0.05
    blur: float = 1.0
    glow: float = 0.22
    reach: float = 0.1
    extra: Field | float = 0.0
    warm: Field | float = 0.0
    rays: Rays | None = None


class Moment(NamedTuple):
    """When and where: the phase, as an angle too, the variant, and random numbers for both."""

    phase: int
    angle: float
    variant: int
    rng: np.random.Generator


def _grid(rays: Rays, lines: float, width: float) -> Field:
    """`lines` for each half of a face, both ways."""
    apart = [abs((c * lines + lines % 1 + 0.5) % 1 - 0.5) for c in (rays.u, rays.v)]
    return line(np.minimum(*apart), width * lines, rays.pixel * lines)


def _weave(rays: Rays, now: Moment) -> Field:
    """The pattern of a healthy Veyru: squares that wander outwards, from -1 to 1."""
    pattern: Field = np.cos(TURN * 2.5 * rays.ring - now.angle)
    return pattern


def _alignment(rays: Rays, now: Moment) -> Light:
    """Patches, light or dark at random."""
    levels = now.rng.choice([0.04, 0.1, 0.5, 0.95, 1.1], (3, 5, 5)).astype(np.float32)
    i, j = (np.clip((c + 1) * 2.5, 0, 4).astype(int) for c in (rays.u, rays.v))
    gaps = _grid(rays, 2.5, 0.02)
    return Light(levels[rays.face, i, j] * (1 - 0.8 * gaps), 0.4)


def _drift(rays: Rays, now: Moment) -> Light:
    """Slow bands that slide over everything; smeared edges."""
    band = 0.5 + 0.5 * np.cos(TURN * (1.5 * rays.x + 0.7 * rays.y) - now.angle)
    return Light(0.12 + 0.8 * band**1.5, 0.2, 0.1, 9)


def _echo(rays: Rays, now: Moment) -> Light:
    """Too bright, with its outline again and again; one face is stuck."""
    waves = sum(
        (0.8 - 0.22 * i) * line(rays.away - 0.06 - 0.075 * i, 0.016, 0.012) for i in range(3)
    )
    body = 0.86 + 0.2 * np.cos(TURN * 4 * rays.ring - now.angle)
    stuck = rays.face == now.variant % 3
    return Light(np.where(stuck, 0.74, body), 0.3, extra=waves * (1 - rays.cover), glow=0.3)


def _leak(rays: Rays, now: Moment) -> Light:
    """Bright centres, dark rims and corners, broken edges, and light that runs off."""
    near = rays.u**2 + rays.v**2
    along = np.minimum(abs(rays.u), abs(rays.v))
    dashes = np.clip(1.6 * np.cos(TURN * 2 * along), 0, 1) * (along < 0.62)
    drops: Field | float = 0.0
    for i in range(9):
        x = -0.62 + 0.155 * i
        y = 0.42 + 0.36 * ((i * 0.37 + now.phase / PHASES) % 1) + 0.24 * (1 - abs(x) / 0.62)
        distance = np.hypot(rays.x - x, rays.y - y)
        drops = np.maximum(drops, (0.95 - y) * line(distance, 0.018, 2 / len(rays.x)))
    return Light(0.92 * np.exp(-near / 0.42), 0.42 * dashes, 0.035, extra=1.6 * drops, glow=0.0)


def _low(rays: Rays, now: Moment) -> Light:
    """Dim all over."""
    return Light(0.17 + 0.025 * _weave(rays, now), 0.16, glow=0.03)


def _high(rays: Rays, now: Moment) -> Light:
    """Blinding, with beams."""
    beams = 0.6 + 0.4 * np.cos(18 * np.arctan2(rays.y, rays.x) + now.angle)
    body = 1.3 - 0.12 * rays.rim
    return Light(body, -0.3, 0.03, glow=1.0, reach=0.14, extra=0.6 * beams * _fade(rays, 0.2))


def _fade(rays: Rays, reach: float) -> Field:
    """Light around the cube alone."""
    light: Field = np.exp(-rays.away / reach) * (1 - rays.cover)
    return light


def _phase(rays: Rays, now: Moment) -> Light:
    """The near faces bright and the far ones dark, then the other way round; flashing edges."""
    on = now.phase % 2 == 0
    plates = np.maximum.reduce([plate(rays, axis, 1.3) for axis in range(3)])
    near, far = (1.0, 0.16) if on else (0.08, 0.95)
    return Light(near, 0.25 if on else 1.0, 0.05, extra=far * plates, glow=0.0)


def _resonance(rays: Rays, now: Moment) -> Light:
    """One face outshines the others and shakes."""
    face = now.variant % 3
    loud = rays.face == face
    waves = 1.0 + 0.28 * np.cos(TURN * 3.5 * np.hypot(rays.u, rays.v) - now.angle)
    body = np.where(loud, waves, 0.4 + 0.04 * _weave(rays, now))
    x, y = ((0.87, 0.5), (0.0, -1.0), (-0.87, 0.5))[face]
    side = np.clip((rays.x * x + rays.y * y) / (np.hypot(rays.x, rays.y) + 1e-6) * 4 - 3, 0, 1)
    arcs = sum(line(rays.away - 0.05 - 0.06 * i, 0.012, 0.012) for i in range(3))
    return Light(body, 0.25, extra=0.85 * side * arcs * (1 - rays.cover), glow=0.12)


def _deadlock(rays: Rays, now: Moment) -> Light:
    """One corner or two burn like stars."""
    stars: Field | float = 0.0
    first = now.variant % 7
    for number in (first, (first + 3) % 7)[: 1 + now.variant % 2]:
        x, y = corner(number)
        dx, dy = abs(rays.x - x), abs(rays.y - y)
        beat = 0.9 + 0.1 * np.cos(now.angle)
        spark = np.exp(-(dx + 9 * dy) / (0.16 * beat)) + np.exp(-(9 * dx + dy) / (0.16 * beat))
        stars = stars + 1.5 * spark + 1.4 * np.exp(-((dx**2 + dy**2) / 0.009))
    return Light(0.3 + 0.02 * _weave(rays, now), 0.22, extra=stars, glow=0.08, warm=0.75 * stars)


def _softening(rays: Rays, now: Moment) -> Light:
    """Bulging faces and wobbling edges."""
    radius = np.minimum(rays.x**2 + rays.y**2, 0.9)
    x = rays.x * (0.82 + 0.45 * radius) + 0.07 * np.sin(6.5 * rays.y + now.angle)
    y = rays.y * (0.82 + 0.45 * radius) + 0.07 * np.sin(5.5 * rays.x + 1 - now.angle)
    bent = cast(rays.x, rays.y, x, y, 1.0)
    body = 0.58 + 0.12 * np.cos(TURN * 1.5 * bent.ring - now.angle)
    return Light(body, 0.3, 0.06, 3, rays=bent)


def _stall(rays: Rays, now: Moment) -> Light:
    """A frozen grid and frost."""
    del now
    radius, angle = np.hypot(rays.u, rays.v), np.arctan2(rays.v, rays.u)
    folded = (angle + pi / 6) % (pi / 3) - pi / 6  # one of six arms is all
    along, across = radius * np.cos(folded), abs(radius * np.sin(folded))
    arms = line(across, 0.032, rays.pixel) * (radius < 0.8)
    for start, long in ((0.3, 0.2), (0.52, 0.16)):
        arms = np.maximum(arms, line(along - start - across, 0.036, rays.pixel) * (across < long))
    frost = 0.4 * np.exp(-rays.rim / 0.12) + 0.16 * _grid(rays, 3, 0.008)
    return Light(0.2 + frost + 0.75 * arms, 0.35, 0.03, glow=0.04)


def _split(rays: Rays, now: Moment) -> Light:
    """Two patterns that fight over it, in two colours."""
    stripes = np.clip(3 * np.cos(TURN * 1.5 * (rays.u + rays.v)) + 0.5, 0, 1)
    rings = np.clip(3 * np.cos(TURN * 2.2 * np.hypot(rays.u, rays.v)) + 0.5, 0, 1)
    edge = line(rays.rim, 0.06, rays.pixel)
    dashes = np.cos(TURN * 4 * np.minimum(abs(rays.u), abs(rays.v))) > 0
    cool, warm = ((0.85, 0.62), (0.55, 0.95))[now.phase % 2]
    hot = np.maximum(warm * rings * SHADE[rays.face], edge * dashes) * rays.cover
    return Light(cool * stripes * (1 - 0.8 * rings), np.where(dashes, 0, 0.9), 0.06, warm=hot)


def _thermal(rays: Rays, now: Moment) -> Light:
    """Dim and red, with grit, and air that shimmers above it."""
    grit = _grit(len(rays.x))
    edge = line(rays.rim, 0.05, rays.pixel)
    warm = rays.cover * (0.3 * SHADE[rays.face] + 0.22 * grit + 0.2 * edge)
    warm += 0.26 * _fade(rays, 0.09)
    for i in range(5):
        x = -0.36 + 0.18 * i
        wave = rays.x - x - 0.03 * np.sin(16 * rays.y + now.angle + i)
        inside = np.clip((rays.y + 1) / 0.15, 0, 1) * np.clip((-0.64 - rays.y) / 0.1, 0, 1)
        warm += 0.42 * line(wave, 0.012, 0.012) * inside * (1 - rays.cover)
    return Light(0.0, 0.0, glow=0.0, warm=warm)


@lru_cache(maxsize=4)
def _grit(size: int) -> Field:
    """Grains, 128 to the picture's width."""
    grains = np.random.default_rng(0).random((128, 128), np.float32) ** 3
    place = np.arange(size) * 128 // size
    return grains[np.ix_(place, place)]


def _void(rays: Rays, now: Moment) -> Light:
    """A glowing shell around a dark hole."""
    radius = np.hypot(rays.x, rays.y)
    shell = np.clip((radius - 0.3) / 0.14, 0, 1)
    halo = 0.3 * line(radius - 0.44, 0.02, 0.05)
    lines = 0.05 * _weave(rays, now) * shell
    return Light(0.03 + 0.72 * shell + lines + halo, 0.35 * shell, glow=0.3)


def _saved(rays: Rays, now: Moment) -> Light:
    """As it should be."""
    return Light(0.66 + 0.1 * _weave(rays, now), 0.4, glow=0.34, reach=0.16)


def _collapsed(rays: Rays, now: Moment) -> Light:
    """Dark, with a crack."""
    points = ((-0.1, -0.8), (0.06, -0.45), (-0.12, -0.2), (0.1, 0.04), (-0.06, 0.3), (0.08, 0.85))
    crack = _near(rays, points)
    twigs = [_near(rays, ((-0.12, -0.2), (-0.42, 0.02))), _near(rays, ((0.1, 0.04), (0.46, 0.2)))]
    crack = np.minimum.reduce([crack, *twigs])
    warm = np.exp(-crack / 0.07) * 0.45 + line(crack, 0.022, 0.02)
    return Light(0.1, 0.13, glow=0.0, warm=warm * rays.cover)


def _near(rays: Rays, points: tuple[tuple[float, float], ...]) -> Field:
    """Distance from a line through points."""
    found = np.full_like(rays.x, 9.0)
    for (x, y), (u, v) in pairwise(points):
        along = np.clip(
            ((rays.x - x) * (u - x) + (rays.y - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2), 0, 1
        )
        found = np.minimum(
            found, np.hypot(rays.x - x - along * (u - x), rays.y - y - along * (v - y))
        )
    return found


LOOKS: tuple[Callable[[Rays, Moment], Light], ...] = (
    _alignment,
    _drift,
    _echo,
    _leak,
    _low,
    _high,
    _phase,
    _resonance,
    _deadlock,
    _softening,
    _stall,
    _split,
    _thermal,
    _void,
    _saved,
    _collapsed,
)
