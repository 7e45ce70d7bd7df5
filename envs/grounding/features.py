"""The embedded encoder: what a picture looks like, as a vector whose directions have names.

It needs no download. A picture is measured by named visual features (shares of colours, texture,
shape); an English descriptor is a direction among the same features, so that descriptors mean
something here too.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["DESCRIPTORS", "FEATURES", "encode_picture", "encode_words"]

Pixels: TypeAlias = NDArray[np.uint8]
Vector: TypeAlias = NDArray[np.float32]

_COLORS = {
    "red": (220, 40, 40),
    "orange": (240, 140, 30),
    "yellow": (240, 220, 50),
    "green": (60, 170, 70),
    "turquoise": (60, 190, 180),
    "blue": (50, 90, 210),
    "purple": (130, 60, 180),
    "pink": (240, 140, 190),
    "brown": (120, 75, 40),
    "white": (248, 248, 248),
    "gray": (140, 140, 140),
    "black": (20, 20, 20),
}
_SHAPE = ("busy", "grainy", "striped", "round", "long", "spiky", "hollow", "large", "symmetric")
FEATURES = (*_COLORS, *_SHAPE)
"""The features, in the order of a vector."""

# What a feature is on average, and how far pictures differ in it; a vector is of deviations.
# Both are rounded from 200 pictures of `referents`.
_MEAN = np.array([0.08] * len(_COLORS) + [0.38, 0.18, 0.11, 0.41, 0.18, 0.58, 0.25, 0.26, 0.59])
_SCALE = np.array([0.2] * len(_COLORS) + [0.34, 0.23, 0.22, 0.24, 0.21, 0.36, 0.39, 0.1, 0.29])

_WORDS: dict[str, dict[str, float]] = {
    **{color: {color: 1.0} for color in _COLORS},
    "golden": {"yellow": 0.7, "orange": 0.7},
    "crimson": {"red": 0.9, "black": 0.3},
    "rusty": {"orange": 0.6, "brown": 0.8},
    "navy": {"blue": 0.8, "black": 0.6},
    "mossy": {"green": 0.8, "grainy": 0.5},
    "ashen": {"gray": 0.8, "grainy": 0.4},
    "violet": {"purple": 0.9, "pink": 0.4},
    "plain": {"busy": -1.0, "striped": -0.5},
    "smooth": {"grainy": -0.9, "busy": -0.6},
    "patterned": {"busy": 1.0},
    "grainy": {"grainy": 1.0},
    "rough": {"grainy": 0.8, "spiky": 0.5},
    "striped": {"striped": 1.0, "busy": 0.4},
    "round": {"round": 1.0},
    "disc": {"round": 0.9, "hollow": -0.3, "spiky": -0.4},
    "ring": {"hollow": 1.0, "round": 0.3},
    "square": {"round": -0.2, "symmetric": 0.6, "spiky": -0.3, "large": 0.3},
    "rod": {"long": 1.0, "large": -0.5},
    "slender": {"long": 0.9, "large": -0.3},
    "star": {"spiky": 0.9, "symmetric": 0.4, "round": -0.4},
    "spiky": {"spiky": 1.0},
    "jagged": {"spiky": 0.8, "symmetric": -0.5},
    "hollow": {"hollow": 1.0},
    "large": {"large": 1.0},
    "small": {"large": -1.0},
    "symmetric": {"symmetric": 1.0},
    "lopsided": {"symmetric": -1.0},
    "branching": {"spiky": 0.7, "hollow": 0.3, "large": -0.4},
    "pebble": {"round": 0.7, "busy": -0.5, "large": -0.4},
    "boulder": {"large": 0.7, "gray": 0.5, "grainy": 0.4},
    "wheel": {"round": 0.7, "hollow": 0.6, "symmetric": 0.4},
    "zebra": {"striped": 0.8, "white": 0.4, "black": 0.5},
    "shell": {"striped": 0.5, "round": 0.4, "pink": 0.4},
    "coral": {"spiky": 0.6, "pink": 0.5, "orange": 0.3},
    "leaf": {"green": 0.7, "long": 0.5},
    "flame": {"orange": 0.7, "spiky": 0.4, "red": 0.4},
    "ice": {"white": 0.5, "turquoise": 0.6, "spiky": 0.2},
    "scaffold": {"hollow": 0.4, "spiky": 0.5, "round": -0.6},
}
DESCRIPTORS = tuple(_WORDS)
"""English words that this encoder knows."""


def encode_words() -> NDArray[np.float32]:
    """A unit vector for each of `DESCRIPTORS`, shape (words, features)."""
    rows = np.zeros((len(_WORDS), len(FEATURES)), np.float32)
    for row, weights in zip(rows, _WORDS.values(), strict=True):
        for name, weight in weights.items():
            row[FEATURES.index(name)] = weight
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def encode_picture(pixels: Pixels) -> Vector:
    """A unit vector for an RGB picture of shape (height, width, 3), any size from 8 pixels."""
    image = pixels.astype(np.float64)
    thing = _thing(image)
    values = np.concatenate([_colors(image, thing), _texture(image, thing), _form(thing)])
    vector = (values - _MEAN) / _SCALE
    return np.asarray(vector / max(1e-9, float(np.linalg.norm(vector))), np.float32)


def _thing(image: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the thing is: what differs from the picture's border; all of it if nothing does."""
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = np.median(border, axis=0)
    thing = np.abs(image - ground).max(axis=2) > 24
    return thing if thing.mean() > 0.005 else np.ones_like(thing)


def _colors(image: NDArray[np.float64], thing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Share of each named colour among the thing's pixels."""
    names = np.array(list(_COLORS.values()), np.float64)
    distances = ((image[thing][:, None] - names) ** 2).sum(axis=2)
    counts = np.bincount(distances.argmin(axis=1), minlength=len(names))
    return np.asarray(counts / counts.sum())


def _texture(image: NDArray[np.float64], thing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Busy, grainy, striped: how much changes, how finely, and how much in one direction."""
    gray = image.mean(axis=2) / 255
    inner = thing & np.roll(thing, 2, 0) & np.roll(thing, -2, 0)
    inner &= np.roll(thing, 2, 1) & np.roll(thing, -2, 1)
    if not inner.any():
        return np.zeros(3)
    down, across = np.gradient(gray)
    size = np.hypot(down, across)[inner]
    busy = (size > 0.03).mean()
    fine = np.abs(gray - 0.5 * (np.roll(gray, 1, 0) + np.roll(gray, 1, 1)))[inner].mean()
    double = np.exp(2j * np.arctan2(down, across)[inner])  # a direction and its opposite are one
    coherence = abs((size * double).sum()) / max(1e-9, size.sum())
    return np.array([min(1, 2 * busy), min(1, 8 * fine), coherence * min(1, 4 * busy)])


def _form(thing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Round, long, spiky, hollow, large, symmetric."""
    rows, columns = np.nonzero(thing)
    area = len(rows)
    y, x = rows - rows.mean(), columns - columns.mean()
    wide, narrow = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov(x, y))[::-1], 1e-9))
    radius = np.hypot(x, y)
    reach = max(1.0, float(radius.max()))
    angle = ((np.arctan2(y, x) / (2 * np.pi) + 0.5) * 36).astype(int) % 36
    outline = np.zeros(36)
    np.maximum.at(outline, angle, radius)
    centre = thing[
        int(rows.mean() - reach / 5) : int(rows.mean() + reach / 5) + 1,
        int(columns.mean() - reach / 5) : int(columns.mean() + reach / 5) + 1,
    ]
    turned = thing[::-1, ::-1]
    both = (thing & turned).sum() / max(1, (thing | turned).sum())
    return np.array(
        [
            min(1.0, area / (np.pi * reach**2)) * (1 - outline.std() / max(1e-9, outline.mean())),
            1 - narrow / wide,
            min(1.0, 2.5 * outline.std() / max(1e-9, outline.mean())),
            1 - (centre.mean() if centre.size else 1.0),
            thing.mean(),
            both,
        ]
    )
