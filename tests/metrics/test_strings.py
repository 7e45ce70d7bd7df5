"""TopSim of texts of any length, by hand and against chance."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.benchmarks.metrics.strings import string_topographic_similarity

MEANINGS = list(product("abc", "xyz"))


def test_a_compositional_code_is_structured() -> None:
    found = string_topographic_similarity(["".join(m) for m in MEANINGS], MEANINGS)
    assert found.topsim.value == pytest.approx(1.0)
    assert found.shuffled.high < 0.7 and abs(found.shuffled.mean) < 0.2
    assert found.p.value == pytest.approx(1 / 101, abs=0.02)


def test_lengths_may_differ() -> None:
    """Edit distance over the longer text: .5 between a and ab."""
    texts, meanings = ["a", "ab", "b", "b"], [("p", 1), ("p", 2), ("q", 1), ("q", 3)]
    found = string_topographic_similarity(texts, meanings)
    # ranks of .5 1 1 .5 .5 0 and of 1 1 2 2 2 1, less their mean: squares 15 and 13.5
    assert found.topsim.value == pytest.approx(3 / math.sqrt(15 * 13.5))


def test_the_last_text_of_a_meaning_counts() -> None:
    texts = ["".join(m) for m in MEANINGS]
    again = string_topographic_similarity(["zzz", *texts], [MEANINGS[0], *MEANINGS])
    assert again.topsim == string_topographic_similarity(texts, MEANINGS).topsim


@pytest.mark.parametrize(
    ("texts", "meanings", "reason"),
    [
        ([], [], "fewer than 3"),
        (["a", "b"], [(1,), (2,)], "fewer than 3"),
        (["a", "a", "a"], [(1,), (2,), (3,)], "share one text"),
        (["ab", "cd", "ef"], [(1, 1), (2, 2), (3, 3)], "equal"),
    ],
)
def test_what_is_undefined_says_why(texts: list[str], meanings: list[tuple[int, ...]], reason: str):
    found = string_topographic_similarity(texts, meanings)
    assert math.isnan(found.topsim.value) and math.isnan(found.p.value)
    assert reason in found.topsim.reason


@given(st.lists(st.tuples(st.text(max_size=8), st.tuples(*[st.integers(0, 3)] * 3)), max_size=12))
def test_any_texts_are_measured(pairs: list[tuple[str, tuple[int, int, int]]]) -> None:
    texts, meanings = [text for text, _ in pairs], [meaning for _, meaning in pairs]
    found = string_topographic_similarity(texts, meanings, n_shuffles=3)
    assert math.isnan(found.topsim.value) or -1 <= found.topsim.value <= 1
