"""The words of the grounding game: three syllables each, none of them English."""

import re
from functools import cache
from importlib.resources import files

from babelzoo.envs.core import derive_seed

__all__ = ["N_FORMS", "SYLLABLES", "coin", "complaint", "form", "is_english"]

_ONSETS = ("l", "r", "d", "k", "p", "j", "w", "b", "sh")
_WORD = re.compile(rf"(?:(?:{'|'.join(_ONSETS)})[aeiou]){{3}}")

SYLLABLES = tuple(onset + vowel for onset in _ONSETS for vowel in "aeiou")
"""The paper's inventory (NSLD 2026, Supplementary Note S1): 45 syllables."""

N_FORMS = len(SYLLABLES) ** 3
"""Number of words that can be built: 91,125."""


def form(number: int) -> str:
    """The word with a number from 0 to `N_FORMS` - 1. Equal words have equal numbers."""
    size = len(SYLLABLES)
    first, rest = divmod(number, size * size)
    second, third = divmod(rest, size)
    return SYLLABLES[first] + SYLLABLES[second] + SYLLABLES[third]


def complaint(word: str) -> str:
    """Why a text is no word of the game, "expected X, actual Y"; empty if it is one.

    A word is exactly three syllables of the inventory; every syllable ends in its vowel, so
    there is one way to read it. Words of a dictionary of English are refused.
    """
    if not _WORD.fullmatch(word):
        return f"expected three syllables of the inventory, such as {form(1234)}, actual {word!a}."
    if is_english(word):
        return f"expected a word that is not English, actual {word}."
    return ""


def is_english(word: str) -> bool:
    """Whether a form of three syllables is in a dictionary of English."""
    return word in _english()


@cache
def _english() -> frozenset[str]:
    data = files("babelzoo.envs.grounding.data").joinpath("english_forms.json")
    return frozenset(re.findall(r"[a-z]+", data.read_text(encoding="utf-8")))


def coin(seed: int, *key: str | int, unlike: frozenset[str] | set[str] = frozenset()) -> str:
    """A word drawn for a key: not English, and none of `unlike`.

    Equal arguments give equal words, in whatever order they are asked for.
    """
    attempt = 0
    while True:
        word = form(derive_seed(seed, "coin", *key, attempt) % N_FORMS)
        if word not in unlike and not is_english(word):
            return word
        attempt += 1
