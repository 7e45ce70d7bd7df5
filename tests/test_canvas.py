"""What all environments draw with and into: text, shapes, charts, windows and files."""

import sys
import time

import numpy as np
import pytest

import babelzoo
from babelzoo.envs.core import ConfigError, MissingExtra, lettering, shapes
from babelzoo.envs.core._pygame import pygame
from babelzoo.envs.core.canvas import Window, close, frame, save_gif, save_mp4, save_png, show
from babelzoo.envs.core.charts import bar, curve, matrix
from babelzoo.envs.core.paint import tiles
from babelzoo.envs.core.palette import BLUE, GROUND, INK, PAPER, mix, on


def draw(surface, world):
    """A stand-in for a game's drawing; the world is a number."""
    shapes.disc(surface, (60 + 20 * world, 100), 40, BLUE)
    lettering.text(surface, f"round {world}", (20, 20), "title")


def test_noise_marks_the_tokens_it_changed():
    def drawn(marked):
        surface = pygame.Surface((200, 60), depth=32)
        tiles(surface, pygame.Rect(5, 5, 40, 40), 6, "ABC", marked)
        return pygame.surfarray.array3d(surface)

    plain, second = drawn((False, False, False)), drawn((False, True, False))
    changed = np.flatnonzero((plain != second).any(axis=(1, 2)))
    assert changed.min() >= 51
    assert changed.max() < 91
    assert (plain == drawn(())).all()


def test_success_and_failure_differ_in_more_than_colour():
    silhouettes = [
        pygame.surfarray.array_alpha(shapes._outcome(20, success)) for success in (True, False)
    ]
    assert (silhouettes[0] != silhouettes[1]).any()


def test_charts_show_their_numbers():
    def pixels(paint):
        surface = pygame.Surface((300, 200), depth=32)
        surface.fill(PAPER)
        paint(surface)
        return pygame.surfarray.array3d(surface)

    room = pygame.Rect(10, 10, 200, 100)
    half, full = (
        pixels(lambda s, share=share: bar(s, pygame.Rect(10, 10, 200, 8), share, INK))
        for share in (0.5, 1.0)
    )
    assert tuple(half[60, 14]) == INK
    assert tuple(half[160, 14]) != INK
    assert tuple(full[160, 14]) == INK
    up, down, none = (pixels(lambda s, v=v: curve(s, room, v, INK)) for v in ([0, 1], [1, 0], []))
    assert (up != down).any()
    assert (up != none).any()
    shades = [[0.0, 0.2, 1.0]]

    def cells(shares):
        placed = []
        image = pixels(
            lambda s: placed.append(matrix(s, room, ["row"], ["a", "b", "c"], shades, shares))
        )
        wide = placed[0].w // 6
        return image, [placed[0].x + j * wide + wide // 2 for j in range(3)], placed[0]

    image, xs, place = cells([[0, 0, 0]])
    darkness = [255 * 3 - int(image[x, place.y + 2].sum()) for x in xs]
    assert darkness == sorted(set(darkness))
    assert (cells([[0, 0, 1.0]])[0] != image).any()
    assert (cells([[1.0, 0, 0]])[0] == image).all()


def test_a_matrix_keeps_to_its_room_and_its_rows_legible():
    surface = pygame.Surface((640, 480), depth=32)
    room, nothing = pygame.Rect(10, 10, 200, 220), [[0.0] * 12] * 16
    cells = matrix(surface, room, ["row"] * 16, ["A" * 16] * 12, nothing, nothing)
    assert room.contains(cells)
    assert cells.h >= 16 * (lettering.line_height(surface, "small") - 2)


@pytest.mark.parametrize("pattern", shapes.PATTERNS)
@pytest.mark.parametrize("name", shapes.SHAPES)
def test_every_shape_and_pattern_is_drawn_within_its_radius(name, pattern):
    surface = pygame.Surface((100, 100), depth=32)
    shapes.shape(surface, name, (50, 50), 30, (200, 30, 30), pattern)
    pixels = pygame.surfarray.array3d(surface)
    assert pixels[20:80, 20:80].any()
    pixels[20:80, 20:80] = 0
    assert not pixels.any()


def test_patterns_and_shapes_are_told_apart():
    images = set()
    for name in shapes.SHAPES:
        for pattern in shapes.PATTERNS:
            image = shapes._shape(name, 14, (0, 114, 178), pattern)
            images.add(pygame.image.tobytes(image, "RGBA"))
    assert len(images) == len(shapes.SHAPES) * len(shapes.PATTERNS)


@pytest.mark.parametrize("words", ["a", "word " * 40, "x" * 10_000, "a\0b\nc\ud800", "日本 🦊", ""])
def test_text_is_cut_to_its_room(words):
    surface = pygame.Surface((640, 480), depth=32)
    for width in (0, 5, 40, 200):
        assert lettering.text(surface, words, (10, 10), width=width).w <= width + 1
    assert lettering.text_width(surface, words) >= 0
    for line in lettering.wrap(surface, words, 60, 3):
        assert lettering.text_width(surface, line, "small") <= 60
    assert len(lettering.wrap(surface, words, 60, 3)) <= 3
    assert lettering.text(surface, words, (10, 10)).h > 0


def test_text_survives_a_font_module_that_somebody_quit():
    surface = pygame.Surface((640, 480), depth=32)
    lettering.text(surface, "before", (0, 0))
    pygame.font.quit()
    pygame.font.init()
    assert lettering.text(surface, "after one quit", (0, 0)).w > 0
    pygame.font.quit()
    assert lettering.text(surface, "after another", (0, 0)).w > 0


def test_colours_mix_and_text_reads_on_them():
    assert mix(INK, PAPER, 0) == INK
    assert mix(INK, PAPER, 1) == PAPER
    assert on(GROUND) == INK
    assert on(INK) == PAPER


@pytest.mark.parametrize(
    ("package", "save", "feature"),
    [
        ("PIL", save_gif, "GIF"),
        ("PIL", lambda frames, path, fps: save_png(frames[0], path), "PNG"),
        ("imageio_ffmpeg", save_mp4, "MP4"),
    ],
)
def test_saving_without_its_package_says_what_to_install(
    package, save, feature, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{feature} files .*babelzoo\[render\]"):
        save([frame(draw, 1, (320, 240))], tmp_path / "file", 4)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def dummy_display(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def test_human_mode_opens_one_window_and_closes_it(dummy_display):
    env = babelzoo.make("lewis-v0", render_mode="human")
    env.reset(seed=3)
    shell = env.unwrapped
    shell.metadata["render_fps"] = 1000
    assert not pygame.display.get_init()
    assert env.render() is None
    window = shell._window
    assert pygame.display.get_init()
    for action in ("ABC", "2"):
        env.step(action)
        assert env.render() is None
        assert shell._window is window
    assert not window.closed
    env.close()
    env.close()
    assert window.closed
    assert not pygame.display.get_init()
    assert not pygame.get_init()


def test_a_window_shows_what_a_frame_does_and_keeps_pace(dummy_display):
    world = 3
    began = time.monotonic()
    window = None
    for _ in range(4):
        window = show(window, draw, world, "title", 50)
    assert time.monotonic() - began >= 3 / 50 - 0.005
    surface = window._window.get_surface()
    assert pygame.image.tobytes(surface, "RGB") == frame(draw, world).tobytes()
    close(window)


@pytest.mark.parametrize("kind", ["QUIT", "WINDOWCLOSE"])
def test_a_window_closed_by_its_user_stays_closed_quietly(kind, dummy_display):
    world = 3
    window = show(None, draw, world, "first", 1000)
    other = show(None, draw, world, "second", 1000)
    detail = {"window": window._window} if kind == "WINDOWCLOSE" else {}
    pygame.event.post(pygame.event.Event(getattr(pygame, kind), detail))
    for _ in range(3):
        assert show(window, draw, world, "first", 1000) is window
    assert window.closed
    assert other.closed is (kind == "QUIT")
    assert show(other, draw, world, "second", 1000) is other
    for each in (window, other, window):
        close(each)
    assert not pygame.display.get_init()
    again = show(None, draw, world, "third", 1000)
    assert isinstance(again, Window)
    assert not again.closed
    close(again)


def _frames(count, size=(640, 480)):
    return [frame(draw, number, size) for number in range(count)]


def test_a_gif_reads_back(tmp_path):
    from PIL import Image

    frames = _frames(5)
    path = tmp_path / "game.gif"
    save_gif(iter(frames), path, 4)
    with Image.open(path) as image:
        assert image.n_frames == 5
        assert image.size == (640, 480)
        assert image.info["loop"] == 0
        for number, original in enumerate(frames):
            image.seek(number)
            assert image.info["duration"] == 250
            shown = np.asarray(image.convert("RGB")).astype(int)
            assert np.abs(shown - original).mean() < 2
    assert path.stat().st_size < 30_000 * len(frames)


def test_a_png_reads_back(tmp_path):
    from PIL import Image

    [image] = _frames(1)
    save_png(image, tmp_path / "frame.png")
    with Image.open(tmp_path / "frame.png") as read:
        assert (np.asarray(read) == image).all()


def test_an_mp4_reads_back(tmp_path):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "game.mp4"
    save_mp4(_frames(6), path, 4)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(path)
    assert count == 6
    assert seconds == pytest.approx(1.5, abs=0.3)


@pytest.mark.parametrize("save", [save_gif, save_mp4])
def test_files_without_frames_or_pace_are_refused(save, tmp_path):
    with pytest.raises(ConfigError, match="1 or more frames"):
        save([], tmp_path / "file.gif", 4)
    for fps in (0, -1, float("nan")):
        with pytest.raises(ConfigError, match="fps above 0"):
            save(_frames(1, (320, 240)), tmp_path / "file.gif", fps)
    assert not list(tmp_path.iterdir())
