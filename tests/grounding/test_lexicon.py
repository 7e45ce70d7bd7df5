"""Lexicons hold what they are given; NumPy and FAISS give the same answers."""

import importlib.util
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.envs.core import ConfigError
from babelzoo.envs.grounding.lexicon import BACKENDS, lexicon

needs_faiss = pytest.mark.skipif(
    importlib.util.find_spec("faiss") is None, reason="needs the extra grounding"
)
backends = pytest.mark.parametrize("backend", ["numpy", pytest.param("faiss", marks=needs_faiss)])
UNITS = np.random.default_rng(0).normal(size=(12, 16)).astype(np.float32)
UNITS /= np.linalg.norm(UNITS, axis=1, keepdims=True)


@backends
def test_words_similarities_and_the_threshold(backend: str) -> None:
    held = lexicon(backend, 16)
    assert held.nearest(UNITS[0], -1) is None and held.similarities(UNITS[0]) == {}
    held.add("lalali", UNITS[0])
    held.add("kokoku", UNITS[1])
    assert held.words() == ("lalali", "kokoku") and len(held) == 2 and "kokoku" in held
    assert held.similarities(UNITS[0])["lalali"] == pytest.approx(1, abs=1e-6)
    assert held.nearest(UNITS[1], 0.9) == "kokoku"
    assert held.nearest(UNITS[2], 0.9) is None
    held.remove("lalali")
    assert held.words() == ("kokoku",)
    assert held.nearest(UNITS[1], 0.9) == "kokoku"
    with pytest.raises(ValueError):
        held.add("kokoku", UNITS[2])
    with pytest.raises(KeyError):
        held.remove("lalali")


@backends
def test_confidence_stays_between_0_and_1(backend: str) -> None:
    held = lexicon(backend, 16)
    held.add("lalali", UNITS[0])
    seen = []
    for delta in (0.25, -0.20, -0.20, 0.25, 0.25, 0.25, 0.25, 0.25):
        held.reward("lalali", delta)
        seen.append(held.confidence["lalali"])
    assert seen == pytest.approx([0.25, 0.05, 0, 0.25, 0.5, 0.75, 1, 1])


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "ask"]), st.integers(0, 11)), max_size=60
)


@needs_faiss
@given(OPERATIONS)
def test_both_backends_agree(operations: list[tuple[str, int]]) -> None:
    pair: list[Any] = [lexicon(name, 16) for name in BACKENDS]
    for what, number in operations:
        word = f"word{number}"
        if what == "ask":
            found = [held.similarities(UNITS[number]) for held in pair]
            assert list(found[0]) == list(found[1])
            assert list(found[0].values()) == pytest.approx(list(found[1].values()), abs=1e-5)
            assert len({held.nearest(UNITS[number], 0.9) for held in pair}) == 1
        elif (word in pair[0]) == (what == "remove"):
            for held in pair:
                held.add(word, UNITS[number]) if what == "add" else held.remove(word)
        assert pair[0].words() == pair[1].words()


def test_an_unknown_backend_is_named() -> None:
    with pytest.raises(ConfigError, match="numpy, faiss, actual 'annoy'"):
        lexicon("annoy", 4)
