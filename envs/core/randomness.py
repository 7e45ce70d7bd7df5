"""Randomness from one seed: named streams drawn in blocks, and draws keyed by what they decide.

A scalar draw from NumPy costs microseconds and a generator's state is large, so worlds draw
the randomness of `BLOCK` rounds at once. A snapshot then holds a seed and a round only.
`random_bytes` are equal on every machine and under every version of everything; `stream` is for
worlds that need NumPy's distributions.
"""

from hashlib import blake2b, shake_128
from zlib import crc32

import numpy as np

__all__ = ["BLOCK", "derive_seed", "random_bytes", "stream"]

BLOCK = 64  # rounds drawn at once


def stream(seed: int, name: str, block: int) -> np.random.Generator:
    """The generator of one block of one named stream.

    Args:
        seed: The episode's seed, at least 0.
        name: What the draws decide, such as `"candidates"`; streams are independent.
        block: Index of the block, at least 0.
    """
    return np.random.default_rng([seed, crc32(name.encode()), block])


def random_bytes(seed: int, name: str, block: int, count: int) -> bytes:
    """`count` random bytes of one block of one named stream (SHAKE-128)."""
    return shake_128(f"{seed}\x1f{name}\x1f{block}".encode()).digest(count)


def derive_seed(seed: int, *key: str | int) -> int:
    """A seed in [0, 2^63) keyed by `seed` and `key`: equal on every machine, in any order."""
    text = "\x1f".join((str(seed), *map(str, key)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
