"""Frames, windows and files of frames: where a game's drawing meets the outside.

A game draws with `draw(surface, world)` onto a surface of any size. No part of pygame is
initialised but its fonts and, for a window, its display.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.errors import ConfigError, MissingExtra
from babelzoo.envs.core.palette import GROUND

__all__ = [
    "SIZE",
    "Draw",
    "Frame",
    "Window",
    "close",
    "frame",
    "save_gif",
    "save_mp4",
    "save_png",
    "show",
]

Draw: TypeAlias = Callable[[pygame.Surface, Any], None]
Frame: TypeAlias = NDArray[np.uint8]  # (height, width, 3)

SIZE = (1280, 720)
_SMALLEST = (320, 240)
_SAMPLED = 8  # frames from which the palette of a GIF is made
_open: set["Window"] = set()  # the display is quit with the last one


def frame(draw: Draw, world: Any, size: tuple[int, int] = SIZE) -> Frame:
    """Draw a world as an array of shape (height, width, 3).

    Args:
        draw: How the game draws.
        world: What it draws.
        size: Width and height in pixels, at least 320x240; text is legible from 640x480 on.

    Raises:
        ConfigError: The size is too small.
    """
    if size[0] < _SMALLEST[0] or size[1] < _SMALLEST[1]:
        raise ConfigError(
            f"expected a frame of at least {_SMALLEST[0]}x{_SMALLEST[1]} pixels, "
            f"actual {size[0]}x{size[1]}."
        )
    surface = pygame.Surface(size, depth=32)
    _paint(surface, draw, world)
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return pixels.reshape(size[1], size[0], 3).copy()


def _paint(surface: pygame.Surface, draw: Draw, world: Any) -> None:
    surface.fill(GROUND)
    draw(surface, world)


class Window:
    """A window on the screen. Once closed, by whomever, it stays closed.

    Attributes:
        closed: Whether it was closed.
        pressed: Names of the keys pressed since the frame before, such as `space` or `left`.
    """

    def __init__(self, title: str) -> None:
        pygame.display.init()
        self.closed = False
        self.pressed: list[str] = []
        self._clock = pygame.time.Clock()
        self._window = pygame.Window(title, SIZE, resizable=True)
        self._window.minimum_size = (640, 480)
        _open.add(self)

    def update(self, draw: Draw, world: Any, fps: float) -> None:
        """Answer the window system, draw, and wait for the time of the frame to pass."""
        self.pressed = []
        for event in pygame.event.get():
            if event.type == pygame.KEYDOWN:
                self.pressed.append(pygame.key.name(event.key))
            if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
                asked = getattr(event, "window", None)
                for window in [w for w in _open if asked is None or asked is w._window]:
                    window.close()
        if not self.closed:
            _paint(self._window.get_surface(), draw, world)
            self._window.flip()
            self._clock.tick(fps)

    def close(self) -> None:
        """Close the window, and with the last one the display."""
        if not self.closed:
            self.closed = True
            _open.discard(self)
            self._window.destroy()
            if not _open:
                pygame.display.quit()


def show(window: Window | None, draw: Draw, world: Any, title: str, fps: float) -> Window:
    """Draw a world in a window at most `fps` times a second.

    When the user has closed the window nothing is drawn any more, and nothing waits.

    Args:
        window: What the call before gave; None opens a window.
        draw: How the game draws.
        world: What it draws.
        title: The window's title.
        fps: Frames a second.

    Returns:
        The window, for the next call and for `close`.
    """
    if window is None:
        window = Window(title)
    if not window.closed:
        window.update(draw, world, fps)
    return window


def close(window: Window) -> None:
    """Close a window. May be called twice."""
    window.close()


def save_png(frame: Frame, path: str | Path) -> None:
    """Write one frame as a PNG file.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    image = _pillow("PNG files").fromarray(frame)
    image.save(path, format="PNG", optimize=True)


def save_gif(frames: Iterable[Frame], path: str | Path, fps: float) -> None:
    """Write frames as a GIF file that repeats for ever.

    All frames share 255 colours, so that only what changes takes room. Frames that equal the one
    before them lengthen its time instead.

    Args:
        frames: Frames of one size; all are held in memory.
        path: The file.
        fps: Frames a second; the format counts in hundredths of a second.

    Raises:
        ConfigError: There is no frame, or `fps` is not above 0.
        MissingExtra: Pillow is not installed.
    """
    pillow = _pillow("GIF files")
    kept = _checked(frames, fps)
    sample = kept[:: -(-len(kept) // _SAMPLED)]
    montage = pillow.fromarray(np.concatenate([image[::2, ::2] for image in sample]))
    palette = montage.quantize(255, method=pillow.Quantize.MEDIANCUT)
    first, *rest = (
        pillow.fromarray(image).quantize(palette=palette, dither=pillow.Dither.NONE)
        for image in kept
    )
    first.save(
        path,
        format="GIF",
        save_all=True,
        append_images=rest,
        duration=max(10, round(1000 / fps)),
        loop=0,
        optimize=False,
    )


def save_mp4(frames: Iterable[Frame], path: str | Path, fps: float) -> None:
    """Write frames as an MP4 file (H.264).

    Args:
        frames: Frames of one size, of even width and height.
        path: The file.
        fps: Frames a second.

    Raises:
        ConfigError: There is no frame, or `fps` is not above 0.
        MissingExtra: imageio-ffmpeg is not installed.
    """
    try:
        ffmpeg: Any = import_module("imageio_ffmpeg")
    except ImportError as error:
        raise MissingExtra("MP4 files", "render") from error
    kept = _checked(frames, fps)
    height, width = kept[0].shape[:2]
    writer = ffmpeg.write_frames(
        str(path), (width, height), fps=fps, macro_block_size=2, ffmpeg_log_level="error"
    )
    writer.send(None)
    try:
        for image in kept:
            writer.send(np.ascontiguousarray(image))
    finally:
        writer.close()


def _pillow(feature: str) -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra(feature, "render") from error
    return Image


def _checked(frames: Iterable[Frame], fps: float) -> list[Frame]:
    kept = list(frames)
    if not kept:
        raise ConfigError("expected 1 or more frames, actual none.")
    if not fps > 0:
        raise ConfigError(f"expected fps above 0, actual {fps}.")
    return kept
