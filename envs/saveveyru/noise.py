"""The link's noise: which characters are hit, and what they become."""

from string import ascii_letters

from babelzoo.envs.core import random_bytes
from babelzoo.envs.saveveyru.knobs import VeyruConfig

__all__ = ["distort"]


def distort(text: str, config: VeyruConfig, seed: int, message: tuple[int, int, int]) -> str:
    """`text` as it arrives: each character is replaced with probability `noise`.

    The length, and so the cost, stays the same. Draws are keyed by the message, so they do not
    depend on what was said before.

    Args:
        text: What was sent.
        config: `noise`, and `noise_mode`: `mask` makes `_`, `random_letter` another ASCII letter.
        seed: The episode's seed.
        message: Round, pair and number of the message in the round.
    """
    if not config.noise:
        return text
    key = " ".join(map(str, message))
    drawn = random_bytes(seed, f"noise {key}", 0, 5 * len(text))
    heard = []
    for place, character in enumerate(text):
        hit = int.from_bytes(drawn[5 * place : 5 * place + 4], "little") < config.noise * 2**32
        if hit and config.noise_mode == "mask":
            character = "_"
        elif hit:
            others = ascii_letters.replace(character, "")
            character = others[drawn[5 * place + 4] % len(others)]
        heard.append(character)
    return "".join(heard)
