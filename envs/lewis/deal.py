"""What chance decides in Lewis signaling: candidates, orders, targets, who plays, and noise."""

from struct import Struct

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import BLOCK, Tables, stream, tables
from babelzoo.envs.lewis.knobs import LewisConfig, Pool

__all__ = ["Dealer"]


class Dealer(Tables[LewisConfig]):
    """Draws blocks of rounds, packed as bytes, and reads single rounds from them.

    The draws depend on the seed, the object pool and the number of candidates alone, never on
    the channel or on what agents do, so that conditions which differ in capacity are paired.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        self._size = tables(Pool, config).size
        self._row = Struct(f"={3 + 2 * config.n_candidates}H")
        self._unpack, self._width = self._row.unpack_from, self._row.size

    def draw(self, seed: int, block: int) -> bytes:
        """The rounds from `block * BLOCK` on."""
        config, generator = self.config, stream(seed, "rounds", block)
        candidates = _draw_candidates(generator, self._size, config.n_candidates)
        orders = generator.permuted(candidates, axis=1)
        if config.candidate_order == "shared":
            orders = candidates
        players = [
            generator.integers(count, size=(BLOCK, 1), dtype=np.uint16, endpoint=True)
            for count in (config.n_candidates - 1, config.n_senders - 1, config.n_receivers - 1)
        ]
        return np.concatenate((*players, candidates, orders), axis=1).tobytes()

    def round(self, rounds: bytes, number: int) -> tuple[int, ...]:
        """Round `number` (from 0) of the block that holds it, drawn as `rounds`.

        Returns:
            The target's place, the sender, the receiver, then the candidates in the sender's and
            in the receiver's order.
        """
        return self._unpack(rounds, number % BLOCK * self._width)

    def draw_noise(self, seed: int, block: int) -> bytes:
        """By how many letters the channel shifts each token, for each round of a block."""
        config = self.config
        shape = BLOCK, 2, config.message_length
        hit, which = stream(seed, "noise", block).random(shape).swapaxes(0, 1)
        shifts = 1 + (which * (config.vocab_size - 1)).astype(np.uint8)
        return np.where(hit < config.noise, shifts, 0).astype(np.uint8).tobytes()

    def distort(self, sent: str, noise: bytes, number: int) -> str:
        """What is heard of `sent` in round `number`, given its block's `draw_noise`."""
        length, vocabulary = self.config.message_length, tables(Pool, self.config).task.vocabulary
        at = number % BLOCK * length
        return "".join(
            vocabulary[(ord(token) - ord("A") + shift) % len(vocabulary)]
            for token, shift in zip(sent, noise[at : at + length], strict=True)
        )


def _draw_candidates(generator: np.random.Generator, size: int, n: int) -> NDArray[np.uint16]:
    """`n` different objects out of `size` for each round of a block, uniformly, in random order.

    Where few out of many are drawn, rows are drawn until all their objects differ; elsewhere
    the first of a shuffled pool are taken.
    """
    if n * n > size:
        pool = np.tile(np.arange(size, dtype=np.uint16), (BLOCK, 1))
        return generator.permuted(pool, axis=1)[:, :n]
    drawn = np.zeros((BLOCK, n), np.uint16)
    missing = np.arange(BLOCK)
    while missing.size:
        drawn[missing] = generator.integers(
            size - 1, size=(missing.size, n), dtype=np.uint16, endpoint=True
        )
        ordered = np.sort(drawn[missing], axis=1)
        missing = missing[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)]
    return drawn
