"""How objects made of features look: a colour, a shape, a fill pattern and a size.

Words that name a colour, a shape, a size or a pattern are drawn as such. All other features take
the channels that are left, and all other values the looks that are left, in their order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.lettering import px
from babelzoo.envs.core.palette import (
    BLACK,
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    SERIES,
    SKY,
    YELLOW,
    Color,
)
from babelzoo.envs.core.shapes import PATTERNS, SHAPES, disc, shape

__all__ = ["Appearances", "Look"]

T = TypeVar("T")


class Look(NamedTuple):
    """What an object looks like; `size` is its share of the room, above 0 and at most 1."""

    color: Color = BLUE
    shape: str = "circle"
    pattern: str = "solid"
    size: float = 0.85


_COLORS: dict[str, Color] = {
    "red": (203, 48, 40),
    "orange": ORANGE,
    "yellow": YELLOW,
    "green": GREEN,
    "cyan": SKY,
    "blue": BLUE,
    "purple": (122, 72, 160),
    "violet": (122, 72, 160),
    "pink": PURPLE,
    "brown": (126, 84, 48),
    "black": BLACK,
    "white": (250, 250, 250),
    "grey": (150, 154, 160),
    "gray": (150, 154, 160),
}
_SIZES = {"tiny": 0.4, "small": 0.55, "medium": 0.77, "large": 1.0, "big": 1.0, "huge": 1.0}
_NAMES = {
    "color": ("color", "colour", "hue"),
    "shape": ("shape", "form"),
    "pattern": ("pattern", "fill", "texture"),
    "size": ("size",),
}
_KNOWN: dict[str, Mapping[str, Any]] = {
    "color": _COLORS,
    "shape": dict(zip(SHAPES, SHAPES, strict=True)),
    "pattern": dict(zip(PATTERNS, PATTERNS, strict=True)),
    "size": _SIZES,
}


class Appearances:
    """The looks of all objects of some features. More features than channels stay undrawn.

    Args:
        features: The values of each feature by its name.
    """

    def __init__(self, features: Mapping[str, Sequence[str]]) -> None:
        channels = _assign(features)
        columns = {channel: features[name] for name, channel in channels.items()}
        self._places = {channels[name]: i for i, name in enumerate(features) if name in channels}
        levels = len(columns.get("size", ()))
        sizes = [0.45 + 0.55 * i / max(1, levels - 1) for i in range(levels)]
        self._values: dict[str, list[Any]] = {
            "color": _dress(columns.get("color", ()), _COLORS, SERIES),
            "shape": _dress(columns.get("shape", ()), _KNOWN["shape"], list(SHAPES)),
            "pattern": _dress(columns.get("pattern", ()), _KNOWN["pattern"], PATTERNS),
            "size": _dress(columns.get("size", ()), _SIZES, sizes),
        }

    def look(self, codes: Sequence[int]) -> Look:
        """The look of the object that has these values, given by their positions."""
        return Look(
            **{
                channel: self._values[channel][codes[place]]
                for channel, place in self._places.items()
            }
        )

    def paint(
        self,
        surface: pygame.Surface,
        codes: Sequence[int],
        center: tuple[int, int],
        radius: int,
        ring: bool = False,
    ) -> None:
        """Draw an object within `radius` of `center`, and a `ring` around it if it is meant."""
        look = self.look(codes)
        reach = max(3, round(radius * look.size))
        if ring:
            line = px(surface, 3)
            wide = round(1.3 * reach) + line
            disc(surface, center, wide + line, INK)
            disc(surface, center, wide, PAPER)
        shape(surface, look.shape, center, reach, look.color, look.pattern)


def _assign(features: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The channel of each feature: by its name, by its values, then by order."""
    taken: dict[str, str] = {}

    def free(channel: str) -> bool:
        return channel not in taken.values()

    for name in features:
        for channel, words in _NAMES.items():
            if name.lower() in words and free(channel):
                taken[name] = channel
    for name, values in features.items():
        for channel, known in _KNOWN.items():
            if name not in taken and free(channel) and known.keys() >= {v.lower() for v in values}:
                taken[name] = channel
    left = [channel for channel in Look._fields if free(channel)]
    rest = [name for name in features if name not in taken]
    return taken | dict(zip(rest, left, strict=False))


def _dress(values: Sequence[str], known: Mapping[str, T], choices: Sequence[T]) -> list[T]:
    """A look for each value: what it names, else the next choice that nothing else has."""
    if not values:
        return []
    named = [known[value.lower()] for value in values if value.lower() in known]
    spare = [choice for choice in choices if choice not in named] or list(choices)
    dressed: list[T] = []
    used = 0
    for value in values:
        look = known.get(value.lower())
        if look is None:
            look = spare[used % len(spare)]
            used += 1
        dressed.append(look)
    return dressed
