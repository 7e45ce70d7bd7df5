"""The colours of all environments.

They follow Okabe and Ito's palette (Color Universal Design, 2008), which people with any common
colour blindness can tell apart. No meaning is carried by colour alone.
"""

from typing import TypeAlias

__all__ = [
    "BAD",
    "BLACK",
    "BLUE",
    "FAINT",
    "GOOD",
    "GREEN",
    "GROUND",
    "INK",
    "LINE",
    "MUTED",
    "ORANGE",
    "PAPER",
    "PURPLE",
    "SERIES",
    "SKY",
    "VERMILION",
    "YELLOW",
    "Color",
    "mix",
    "on",
]

Color: TypeAlias = tuple[int, int, int]

GROUND: Color = (240, 238, 232)
PAPER: Color = (255, 255, 255)
LINE: Color = (221, 218, 210)
FAINT: Color = (172, 175, 180)
MUTED: Color = (104, 111, 121)
INK: Color = (35, 43, 54)

BLACK: Color = (43, 47, 54)
ORANGE: Color = (230, 159, 0)
SKY: Color = (86, 180, 233)
GREEN: Color = (0, 158, 115)
YELLOW: Color = (240, 220, 66)
BLUE: Color = (0, 114, 178)
VERMILION: Color = (213, 94, 0)
PURPLE: Color = (204, 121, 167)

SERIES = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW, BLACK)  # for things in a row
GOOD, BAD = GREEN, VERMILION


def mix(first: Color, second: Color, share: float) -> Color:
    """The colour at `share` (0 to 1) of the way from `first` to `second`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def on(ground: Color) -> Color:
    """`INK` or `PAPER`, whichever reads better on `ground`."""
    red, green, blue = ground
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else PAPER
