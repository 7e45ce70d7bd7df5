"""How natural messages look: statistics of texts alone, against English where one is needed.

No meaning is consulted, so none of these says that a language works. They are to be read
together: a code that is repeated compresses well, and short invented words may be English by
accident.
"""

import re
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._counts import counts_entropy
from babelzoo.benchmarks.metrics._inputs import FloatArray, IntArray
from babelzoo.benchmarks.metrics.measured import Measured, undefined

__all__ = [
    "ALPHABET",
    "character_entropy",
    "compression_ratio",
    "dictionary_share",
    "english_model",
    "message_surprisals",
    "repetition_rate",
    "surprisal",
    "type_token_growth",
]

ALPHABET = " abcdefghijklmnopqrstuvwxyz'"
"""The model's characters, in the order of its axes; one more symbol stands for all others."""

_SPACE, _OTHER = 0, len(ALPHABET)
_BACKOFF = 0.1  # The share of every order's distribution that the order below has.
_Kind = TypeVar("_Kind")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def character_entropy(texts: Sequence[str]) -> Measured:
    """Plug-in entropy of the texts' pooled characters, at least 0 bits; nan without any.

    Characters are code points as written: case, spaces and punctuation count.
    """
    codes = _code_points("".join(texts))
    if not len(codes):
        return undefined("there are no characters")
    return Measured(float(counts_entropy(np.unique(codes, return_counts=True)[1])))


def compression_ratio(texts: Sequence[str]) -> Measured:
    """Compressed bytes per UTF-8 byte of the texts joined by newlines, above 0; nan without text.

    Compressed as gzip does at level 9, without its header of 10 and trailer of 8 bytes, which
    would outweigh short texts. Texts of a few bytes still exceed 1; compare like lengths.
    """
    if not any(texts):
        return undefined("there are no characters")
    plain = "\n".join(texts).encode("utf-8", "surrogatepass")
    deflate = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    return Measured(len(deflate.compress(plain) + deflate.flush()) / len(plain))


def surprisal(texts: str | Sequence[str]) -> Measured:
    """Mean of `message_surprisals` over one text or many, in bits a character, above 0.

    Every text that is not blank weighs the same; nan if there is none.
    """
    means = message_surprisals([texts] if isinstance(texts, str) else texts)
    defined = means[~np.isnan(means)]
    if not len(defined):
        return undefined("there are no texts but blank ones")
    return Measured(float(defined.mean()))


def message_surprisals(texts: Sequence[str]) -> FloatArray:
    """Mean bits a character of each text under `english_model`, shape (n,); nan if blank.

    Texts are read in lower case, whitespace runs as one space. Each begins after a space, and
    the space after it is scored too. About 2.5 to 3.5 for plain English, 4.5 to 7 for its
    letters shuffled, 6 to 8 for codes with digits. Punctuation and digits are "other", which is
    rare in the model and raises the mean.
    """
    plain = [" ".join(text.lower().split()) for text in texts]
    symbols = _symbols("  " + "".join(f"{text}  " for text in plain))
    bits = _english_bits()[symbols[:-2], symbols[1:-1], symbols[2:]]
    lengths = np.array([len(text) for text in plain], dtype=np.int64)
    ends = np.cumsum(lengths + 2)
    bits[ends - 1] = 0.0  # The second space after a text is only the next one's context.
    sums = np.add.reduceat(bits, ends - lengths - 2)
    return np.where(lengths > 0, sums / (lengths + 1), np.nan)


@cache
def english_model() -> FloatArray:
    """P(character | the two before it) of English words, shape (29, 29, 29), all above 0.

    Axes are the symbol two before, the one before and the next; each is a character of
    `ALPHABET` or, last, any other character. Orders 3, 2, 1 and a uniform one are interpolated
    with fixed weights (Jelinek & Mercer 1980); an order that never saw its context gives way to
    the one below. Source of the counts: `data/README.md`.
    """
    size = len(ALPHABET) + 1
    trigrams = np.zeros((size, size, size))
    for trigram, count in _load("english_trigrams.json", dict[str, int]).items():
        trigrams[tuple(_symbols(trigram))] = count
    # Each letter is the middle of one trigram; a space is the middle of none.
    bigrams = trigrams.sum(axis=0)
    bigrams[_SPACE] = trigrams[_SPACE].sum(axis=-1)
    model = np.full(size, 1 / size)
    for counts in (bigrams.sum(axis=0), bigrams, trigrams):
        seen = counts.sum(axis=-1, keepdims=True)
        below = np.where(seen > 0, _BACKOFF, 1.0)
        model = (1 - below) * counts / np.maximum(seen, 1) + below * model
    model.flags.writeable = False
    return model


def dictionary_share(texts: Sequence[str]) -> Measured:
    """Share of the texts' words of letters alone that are common English words, 0..1.

    Words with digits are left out; nan if no other is left. The list has 18,000 words, common
    inflections among them. By accident it knows 7 % of the strings of two letters a–z, 5 % of
    three (21 % of consonant-vowel-consonant) and 0.4 % of four.
    """
    words = [word for text in texts for word in _words(text) if word.isalpha()]
    if not words:
        return undefined("there are no words of letters")
    return Measured(sum(word in _dictionary() for word in words) / len(words))


def repetition_rate(messages: Sequence[str]) -> Measured:
    """Share of messages said before, verbatim, 0..(n-1)/n; nan without messages.

    A model that reads on from earlier messages finds a repeated code natural; this tells why.
    """
    if not len(messages):
        return undefined("there are no messages")
    return Measured(1 - len(set(messages)) / len(messages))


def type_token_growth(messages: Sequence[str]) -> IntArray:
    """Number of different words in the messages up to each one, itself included, shape (n,).

    Words are runs of letters and digits in any case; other symbols separate them.
    """
    seen: set[str] = set()
    growth = np.zeros(len(messages), dtype=np.int64)
    for number, message in enumerate(messages):
        seen.update(_words(message))
        growth[number] = len(seen)
    return growth


def _words(text: str) -> list[str]:
    """Words in lower case, an apostrophe within one dropped."""
    found = _WORD.findall(text.lower().replace("’", "'"))
    return [word.replace("'", "") for word in found]


def _code_points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _symbols(text: str) -> npt.NDArray[np.intp]:
    """Places in `ALPHABET`, or `_OTHER`, of the text's characters."""
    table = np.full(128, _OTHER)
    table[_code_points(ALPHABET)] = np.arange(len(ALPHABET))
    return table[np.minimum(_code_points(text.replace("’", "'")), 127)]


@cache
def _english_bits() -> FloatArray:
    bits: FloatArray = -np.log2(english_model())
    return bits


@cache
def _dictionary() -> frozenset[str]:
    return _load("english_words.json", frozenset[str])


def _load(name: str, kind: type[_Kind]) -> _Kind:
    path = files("babelzoo.benchmarks.metrics.data").joinpath(name)
    return msgspec.json.decode(path.read_bytes(), type=kind)
