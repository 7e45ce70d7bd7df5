"""Questions about the code are told from all else that is said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.benchmarks.analysis.questions import Message, Question, questions


def asked(*said: str) -> list[Question]:
    """Messages of two who take turns."""
    return questions([Message("ab"[i % 2], text) for i, text in enumerate(said)])


def test_a_token_of_the_partner_is_asked_about() -> None:
    assert asked("db zn hf 8", "what is zn?") == [Question(1, ("zn",))]
    assert asked("db zn hf 8", "ZN?") == [Question(1, ("zn",))]
    assert asked("db zn hf 8", "spell db zn") == [Question(1, ("db", "zn"))]
    assert asked("x1", "ok", "y2", "mean x1") == [Question(3, ("x1",))]


@pytest.mark.parametrize(
    "said",
    [
        ("db zn", "?"),
        ("db zn", "what next?"),
        ("db zn", "zn"),
        ("db zn", "the lights are dim?"),
        ("what is db?", "db"),
        ("db", "ok", "what is db?"),  # its own
        ("is it the top?", "what is it?"),
        (),
    ],
)
def test_nothing_else_is_a_question(said: tuple[str, ...]) -> None:
    assert asked(*said) == []


def test_only_what_was_said_before_counts() -> None:
    assert asked("a1", "what is b2?", "b2") == []


@given(st.lists(st.tuples(st.sampled_from("ab"), st.text(max_size=20)), max_size=20))
def test_any_messages_are_taken(said: list[Any]) -> None:
    found = questions([Message(*one) for one in said])
    assert all(one.tokens and 0 < one.place < len(said) for one in found)
