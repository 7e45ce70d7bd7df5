"""Referents are told apart, equal seeds draw equal ones, and descriptors say what is seen."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from babelzoo.envs.core import ConfigError
from babelzoo.envs.grounding.features import DESCRIPTORS, FEATURES, encode_picture, encode_words
from babelzoo.envs.grounding.perception import (
    RECOGNISED,
    Encoder,
    embedded,
    folder_scene,
    seeded_scene,
)
from babelzoo.envs.grounding.referents import SIDE, picture

WHITE = np.full((SIDE, SIDE, 3), 245, np.uint8)
Y, X = np.mgrid[:SIDE, :SIDE] - SIDE // 2


def described(pixels: np.ndarray, count: int = 6) -> list[str]:
    order = np.argsort(-(encode_words() @ encode_picture(pixels)))
    return [DESCRIPTORS[place] for place in order[:count]]


def drawn(inside: np.ndarray, color: tuple[int, int, int], stripes: object = None) -> np.ndarray:
    pixels = WHITE.copy()
    pixels[inside] = color
    if stripes is not None:
        pixels[inside & ((X // 6) % 2 == 0)] = stripes
    return pixels


@pytest.mark.parametrize("seed", range(8))
def test_referents_are_told_apart(seed: int) -> None:
    scene = seeded_scene(embedded(), seed, 20)
    assert scene.similarity.diagonal() == pytest.approx(np.ones(20), abs=1e-5)
    others = scene.similarity - 2 * np.eye(20)
    assert others.max() < RECOGNISED
    assert [p.shape for p in scene.pictures] == [(SIDE, SIDE, 3)] * 20


def test_equal_seeds_draw_equal_referents_and_more_begin_alike() -> None:
    few, many = seeded_scene(embedded(), 3, 5), seeded_scene(embedded(), 3, 10)
    assert all(np.array_equal(a, b) for a, b in zip(few.pictures, many.pictures, strict=False))
    assert not np.array_equal(picture(3, 0), picture(4, 0))
    assert not np.array_equal(picture(3, 0), picture(3, 0, 1))


def test_too_many_are_refused() -> None:
    """An encoder that sees one thing everywhere tells nothing apart."""
    one = np.full(4, 0.5, np.float32)
    blind = Encoder("blind", lambda pixels: one, ("thing",), one[None])
    assert len(seeded_scene(blind, 0, 1).pictures) == 1
    with pytest.raises(ConfigError, match="'blind' tells apart, actual 1: ask for fewer"):
        seeded_scene(blind, 0, 2)


def test_vectors_have_length_1_and_are_shared_read_only() -> None:
    assert embedded() is embedded()
    assert np.linalg.norm(encode_words(), axis=1) == pytest.approx(np.ones(len(DESCRIPTORS)))
    assert embedded().size == len(FEATURES)
    for array in (embedded().words, seeded_scene(embedded(), 1, 3).vectors):
        with pytest.raises(ValueError):
            array[0] = 0


def test_a_plain_red_square() -> None:
    words = described(drawn((abs(X) < 30) & (abs(Y) < 30), (220, 40, 40)))
    assert words[0] == "red"
    assert {"plain", "smooth"} & set(words)
    assert not {"striped", "blue", "ring"} & set(words)


def test_a_striped_blue_disc() -> None:
    words = described(drawn(np.hypot(X, Y) < 45, (50, 90, 210), (190, 205, 250)))
    assert {"blue", "striped"} <= set(words)
    assert not {"red", "plain", "smooth"} & set(words)


def test_a_black_ring_and_a_green_rod() -> None:
    radius = np.hypot(X, Y)
    assert {"black", "ring"} <= set(described(drawn((radius > 30) & (radius < 50), (15, 15, 15))))
    assert {"green", "rod"} <= set(described(drawn((abs(X) < 5) & (abs(Y) < 50), (60, 170, 70))))


def test_color_and_texture_change_what_is_said() -> None:
    disc = np.hypot(X, Y) < 45
    plain, striped = drawn(disc, (50, 90, 210)), drawn(disc, (50, 90, 210), (190, 205, 250))
    place = DESCRIPTORS.index("striped")
    words = encode_words()
    assert words[place] @ encode_picture(striped) > words[place] @ encode_picture(plain) + 0.2
    green = drawn(disc, (60, 170, 70))
    assert described(green)[0] != described(plain)[0]


@pytest.mark.parametrize("shape", [(8, 8, 3), (64, 200, 3), (300, 40, 3)])
def test_any_picture_is_encoded(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(0)
    for pixels in (np.zeros(shape, np.uint8), rng.integers(0, 256, shape, dtype=np.uint8)):
        vector = encode_picture(pixels)
        assert vector.dtype == np.float32 and np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_pictures_of_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        Image.fromarray(picture(9, number)).save(tmp_path / f"{number}.png")
    scene = folder_scene(embedded(), tmp_path, 3)
    assert np.array_equal(scene.pictures[1], picture(9, 1))
    with pytest.raises(ConfigError, match="expected 4 pictures"):
        folder_scene(embedded(), tmp_path, 4)
    Image.fromarray(picture(9, 0)).save(tmp_path / "3.png")
    with pytest.raises(ConfigError, match=r"0\.png and 3\.png with a cosine of 1\.00"):
        folder_scene(embedded(), tmp_path, 4)
    (tmp_path / "3.png").write_text("no picture")
    with pytest.raises(ConfigError, match=r"3\.png"):
        folder_scene(embedded(), tmp_path, 4)
