"""Text in pictures: a type scale, lines cut to a width, and wrapping.

Lengths follow the size of the surface. The font is pygame's own, so that frames are the same on
all machines; it is drawn too large and scaled down, which spaces small letters evenly. Lines that
were drawn are kept, the oldest make room.
"""

from functools import lru_cache

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.palette import INK, Color

__all__ = ["line_height", "px", "text", "text_width", "wrap"]

_STEPS = {"title": 30, "heading": 21, "body": 18, "small": 16}
_LEGIBLE = 12  # no text is smaller, in pixels
_LONGEST = 400  # characters of a text that are drawn
_OVER = 3  # supersampling
_fonts: dict[int, pygame.font.Font] = {}


def px(surface: pygame.Surface, length: float) -> int:
    """A length on a frame of 1280x720 in pixels of `surface`, at least 1."""
    width, height = surface.get_size()
    return max(1, round(length * min(width / 1280, height / 720)))


def text(
    surface: pygame.Surface,
    words: str,
    at: tuple[float, float],
    step: str = "body",
    color: Color = INK,
    anchor: str = "topleft",
    width: int | None = None,
) -> pygame.Rect:
    """Write one line.

    Args:
        surface: Where to write.
        words: What to write.
        at: The position of `anchor`.
        step: Of the type scale: `title`, `heading`, `body` or `small`.
        color: The colour.
        anchor: A corner, side or centre as pygame's `Rect` names them.
        width: Room in pixels, to which the line is cut with an ellipsis; None for no limit.

    Returns:
        Where the line came to stand.
    """
    size = _size(surface, step)
    image = _drawn(_fit(_printable(words), size, width), size, color)
    rect = image.get_rect(**{anchor: (round(at[0]), round(at[1]))})
    surface.blit(image, rect)
    return rect


def text_width(surface: pygame.Surface, words: str, step: str = "body") -> int:
    """Width of a line in pixels."""
    return _width(_printable(words), _size(surface, step))


def line_height(surface: pygame.Surface, step: str = "body") -> int:
    """Distance of two lines in pixels."""
    return _font(_size(surface, step)).get_linesize() // _OVER


def wrap(
    surface: pygame.Surface, words: str, width: int, lines: int, step: str = "small"
) -> tuple[str, ...]:
    """`words` in at most `lines` lines of `width` pixels; what is too long ends in an ellipsis."""
    return _wrap(_printable(words), width, lines, _size(surface, step))


def _printable(words: str) -> str:
    """At most one character more than is drawn, with a space for each that can't be."""
    words = words[: _LONGEST + 1]
    return words if words.isprintable() else "".join(c if c.isprintable() else " " for c in words)


def _size(surface: pygame.Surface, step: str) -> int:
    """Size of a step in pixels: it shrinks less than the surface does."""
    width, height = surface.get_size()
    scale = 0.3 + 0.7 * min(width / 1280, height / 720)
    return max(_LEGIBLE, round(_STEPS[step] * scale))


def _font(size: int) -> pygame.font.Font:
    """The font of a size, `_OVER` times as large."""
    if not pygame.font.get_init():
        pygame.font.init()
    try:
        font = _fonts[size]
        font.get_height()
    except (KeyError, pygame.error):  # new, or made before somebody quit the font module
        font = _fonts[size] = pygame.font.Font(None, _OVER * size)
    return font


@lru_cache(maxsize=2048)
def _width(words: str, size: int) -> int:
    return -(-_font(size).size(words)[0] // _OVER)


@lru_cache(maxsize=2048)
def _fit(words: str, size: int, width: int | None) -> str:
    """`words` cut to `width` pixels and `_LONGEST` characters."""
    if len(words) <= _LONGEST and (width is None or _width(words, size) <= width):
        return words
    low, high = 0, min(len(words), _LONGEST)  # the longest start that fits lies between
    while width is not None and low < high:
        middle = (low + high + 1) // 2
        if _width(words[:middle].rstrip() + "…", size) <= width:
            low = middle
        else:
            high = middle - 1
    return words[:high].rstrip() + "…" if high else ""


@lru_cache(maxsize=1024)
def _drawn(words: str, size: int, color: Color) -> pygame.Surface:
    large = _font(size).render(words, True, color)
    if not words:
        return large
    wide, high = large.get_size()
    return pygame.transform.smoothscale(large, (-(-wide // _OVER), -(-high // _OVER)))


@lru_cache(maxsize=1024)
def _wrap(words: str, width: int, lines: int, size: int) -> tuple[str, ...]:
    done: list[str] = []
    rest = words.split()
    while rest and len(done) < lines:
        taken = 1
        while taken < len(rest) and _width(" ".join(rest[: taken + 1]), size) <= width:
            taken += 1
        if len(done) == lines - 1:
            taken = len(rest)
        done.append(" ".join(rest[:taken]))
        rest = rest[taken:]
    return tuple(_fit(line, size, width) for line in done)
