"""What a population sees: referents as pictures and vectors, and English descriptors of them.

An encoder is shared by all agents and frozen. Each referent is encoded once; what it is similar to
is looked up from then on.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import ConfigError, MissingExtra
from babelzoo.envs.grounding import features, referents

__all__ = ["RECOGNISED", "Encoder", "Scene", "embedded", "folder_scene", "seeded_scene"]

RECOGNISED = 0.9  # cosine from which a word is taken to name what is seen (NSLD 2026, eq. 13)
_ATTEMPTS = 200  # pictures tried for one referent


class Encoder(msgspec.Struct, frozen=True, eq=False):
    """A frozen encoder of pictures, and English words in the same space.

    Attributes:
        name: Its name.
        picture: A unit vector of shape (d,) of an RGB picture (height, width, 3), uint8.
        descriptors: English words.
        words: A unit vector for each, read-only, shape (words, d).
    """

    name: str
    picture: Callable[[NDArray[np.uint8]], NDArray[np.float32]]
    descriptors: tuple[str, ...]
    words: NDArray[np.float32]

    @property
    def size(self) -> int:
        """Length d of a vector."""
        return int(self.words.shape[1])


class Scene(msgspec.Struct, frozen=True, eq=False):
    """The referents of an episode.

    Invariant: no two are as similar as `RECOGNISED`, so that a word names one of them.

    Attributes:
        pictures: RGB pictures, uint8.
        vectors: Their unit vectors, read-only, shape (n, d).
        similarity: Cosine of each two, shape (n, n).
        described: Places of English descriptors by similarity, best first, shape (n, words).
    """

    pictures: tuple[NDArray[np.uint8], ...]
    vectors: NDArray[np.float32]
    similarity: NDArray[np.float32]
    described: NDArray[np.intp]


@lru_cache(maxsize=1)
def embedded() -> Encoder:
    """The encoder that needs no download: named visual features."""
    words = features.encode_words()
    words.flags.writeable = False
    return Encoder("embedded", features.encode_picture, features.DESCRIPTORS, words)


@lru_cache(maxsize=32)
def seeded_scene(encoder: Encoder, seed: int, n_entities: int) -> Scene:
    """Drawn referents, the same for equal arguments; more of them begin with the same ones.

    Raises:
        ConfigError: The encoder can't tell so many apart.
    """
    pictures: list[NDArray[np.uint8]] = []
    vectors: list[NDArray[np.float32]] = []
    for number in range(n_entities):
        for attempt in range(_ATTEMPTS):
            picture = referents.picture(seed, number, attempt)
            vector = encoder.picture(picture)
            if all(float(vector @ other) < RECOGNISED for other in vectors):
                break
        else:
            raise ConfigError(
                f"expected {n_entities} referents that encoder {encoder.name!r} tells apart, "
                f"actual {number}: ask for fewer."
            )
        pictures.append(picture)
        vectors.append(vector)
    return _scene(encoder, pictures, vectors)


def folder_scene(encoder: Encoder, folder: Path, n_entities: int) -> Scene:
    """Referents from a folder of pictures, by name.

    Raises:
        ConfigError: There are too few pictures, one can't be read, or two look alike to the
            encoder; the message names them.
        MissingExtra: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("reading pictures", "render") from error
    found = sorted(
        path for path in folder.glob("*") if path.suffix.lower() in (".png", ".jpg", ".jpeg")
    )
    if len(found) < n_entities:
        raise ConfigError(f"expected {n_entities} pictures in {folder}, actual {len(found)}.")
    pictures: list[NDArray[np.uint8]] = []
    for path in found[:n_entities]:
        try:
            with Image.open(path) as image:
                pictures.append(np.asarray(image.convert("RGB")))
        except (OSError, Image.DecompressionBombError) as error:
            raise ConfigError(f"expected a picture in {path}: {error}.") from None
    vectors = [encoder.picture(picture) for picture in pictures]
    for second in range(len(vectors)):
        for first in range(second):
            alike = float(vectors[first] @ vectors[second])
            if alike >= RECOGNISED:
                raise ConfigError(
                    f"expected pictures that encoder {encoder.name!r} tells apart, actual "
                    f"{found[first].name} and {found[second].name} with a cosine of {alike:.2f}."
                )
    return _scene(encoder, pictures, vectors)


def _scene(encoder: Encoder, pictures: Sequence[Any], vectors: Sequence[Any]) -> Scene:
    stacked = np.stack(vectors)
    stacked.flags.writeable = False
    order = np.argsort(-(stacked @ encoder.words.T), axis=1, kind="stable")
    return Scene(tuple(pictures), stacked, stacked @ stacked.T, order)
