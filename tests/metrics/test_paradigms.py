"""Morphemes are found in codes that have them, and in no others."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.benchmarks.analysis.paradigms import induce, production
from babelzoo.envs.core import ConfigError

ROOTS = {0: "ring", 3: "cl", 7: "st"}
FACES = {"left": "l", "top": "t", "front": "f"}
SECONDS = (5, 10, 20)
MEANINGS = list(product(ROOTS, FACES, SECONDS))


def spoken(root: int, face: str, seconds: int) -> str:
    return f"{ROOTS[root]}-{FACES[face]}{seconds}"


CODES = [spoken(*meaning) for meaning in MEANINGS]


def test_a_code_of_three_parts_is_taken_apart() -> None:
    found = induce(CODES, MEANINGS)
    assert found.productive and found.order == (0, 1, 2)
    assert found.between == ("", "-", "", "")
    forms = found.forms()
    assert {value: forms[0, value] for value in ROOTS} == ROOTS
    assert {value: forms[1, value] for value in FACES} == FACES
    assert found.attested == found.possible == 27 and found.saturation == 1
    assert production(found, CODES, MEANINGS) == (1, 1, 27)


def test_unsaid_meanings_are_predicted() -> None:
    said = [i for i in range(len(MEANINGS)) if i % 4]
    found = induce([CODES[i] for i in said], [MEANINGS[i] for i in said])
    assert 0 < found.saturation < 1
    unsaid = [i for i in range(len(MEANINGS)) if not i % 4]
    scores = production(found, [CODES[i] for i in unsaid], [MEANINGS[i] for i in unsaid])
    assert scores == (1, 1, len(unsaid))


def test_parts_in_another_order_are_told_from_exact_ones() -> None:
    found = induce(CODES, MEANINGS)
    swapped = [f"{FACES[face]}{seconds}-{ROOTS[root]}" for root, face, seconds in MEANINGS]
    assert production(found, swapped, MEANINGS) == (0, 1, 27)


def test_a_code_by_position_is_taken_apart_though_its_letters_recur() -> None:
    digits = {
        value: "abc"[i] for column in (ROOTS, FACES, SECONDS) for i, value in enumerate(column)
    }
    codes = ["".join(digits[value] for value in meaning) for meaning in MEANINGS]
    found = induce(codes, MEANINGS)
    assert found.productive and found.order == (0, 1, 2)
    assert production(found, codes, MEANINGS).exact == 1


def test_a_holistic_code_is_not_productive() -> None:
    rng = np.random.default_rng(0)
    letters = list("bdfghjkmnpqrtvwxyz")
    names = ["".join(rng.choice(letters, 4)) for _ in MEANINGS]
    found = induce(names * 2, MEANINGS * 2)
    assert not found.productive
    assert production(found, names, MEANINGS).known <= 3


def test_sentences_are_left_out() -> None:
    found = induce(
        [f"{code} and so on, in a long sentence of plain English" for code in CODES], MEANINGS
    )
    assert found.morphemes == () and not found.productive and found.saturation == 0
    assert math.isnan(production(found, CODES, MEANINGS).exact)


def test_one_value_can_not_be_told() -> None:
    found = induce(["xa", "xb", "xa", "xb"], [("one", 1), ("one", 2), ("one", 1), ("one", 2)])
    assert {m.slot for m in found.morphemes} == {1}


def test_lengths_must_agree() -> None:
    with pytest.raises(ConfigError, match="one row of texts and of meanings"):
        induce(["a"], [])


@given(st.lists(st.tuples(st.text(max_size=12), st.tuples(*[st.integers(0, 2)] * 3)), max_size=14))
def test_any_texts_are_taken(pairs: list[tuple[str, tuple[int, int, int]]]) -> None:
    texts, meanings = [t for t, _ in pairs], [m for _, m in pairs]
    found = induce(texts, meanings)
    assert 0 <= found.saturation <= 1
    scores = production(found, texts, meanings)
    assert not scores.known or 0 <= scores.exact <= scores.any_order <= 1
