"""Quoting, decoding, text spaces and configs."""

import json
import pickle
from typing import Any

import msgspec
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.envs.core import (
    Config,
    ConfigError,
    Invalid,
    MissingExtra,
    OpenText,
    canonical,
    configure,
    nearest,
    normalise,
    one_line,
    quote,
    shorten,
    tables,
)
from babelzoo.envs.core.tables import Memo
from babelzoo.envs.lewis import Choose, LewisConfig, LewisText, Signal

anything = st.text(st.characters())


@given(anything)
def test_quote_can_be_read_back_and_stays_on_its_line(text: str) -> None:
    quoted = quote(text)
    assert json.loads(quoted) == text
    assert len(quoted.splitlines()) == 1
    assert quoted[0] == quoted[-1] == '"'
    assert quoted.isprintable() or any(not c.isprintable() for c in text)
    quoted.encode()


@given(anything, st.integers(2, 100))
def test_one_line_and_shorten(text: str, length: int) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    line.encode()
    assert one_line(line) == line
    assert len(shorten(text, length)) <= length


@given(st.text(st.characters(codec=None)))
def test_normalise(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    once.encode()
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert once == text


DECODE = tables(LewisText, LewisConfig()).decode


@given(anything)
def test_decode_is_total(text: str) -> None:
    move = DECODE(text)
    assert isinstance(move, Signal | Choose | Invalid) or canonical(move) == '{"action":"wait"}'
    if isinstance(move, Invalid):
        assert len(move.reason.splitlines()) == 1
        assert len(move.text) <= DECODE.max_length
        assert DECODE(move) is move
    else:
        assert DECODE(canonical(move)) == move == DECODE(move)


@given(st.lists(st.sampled_from("ABCDEFG"), min_size=1, max_size=20))
def test_shorthands_are_moves(tokens: list[str]) -> None:
    move = Signal(tuple(tokens))
    for text in (canonical(move), "".join(tokens), " ".join(tokens), f"\n {canonical(move)} "):
        assert DECODE(text) == move


def test_decode_reasons() -> None:
    for sent, reason in (
        ("x" * 999, "expected at most 304 characters, actual more."),
        ('{"a":' * 40, "expected at most 32 nested levels, actual more."),
        ('{"action":"choose","candidate":1,"candidate":2}', "expected each key once, actual 'can"),
        ('{"action":"choose"}', "Object missing required field `candidate`."),
        ('{"action":"choose","candidate":1,"x":2}', "Object contains unknown field `x`."),
        (5, "expected text, actual int."),
        (Choose("x"), "expected a move of this game: Expected `int`, got `str`"),  # type: ignore[arg-type]
        (Signal(("\ud800",)), "expected a move of this game: "),
        (Choose(10**5000), "expected a move of this game: "),
        (type("two\nlines", (), {})(), "expected text, actual two\\nlines."),
    ):
        said = DECODE(sent)
        assert isinstance(said, Invalid)
        assert reason in said.reason, said.reason
    for move in (Choose(2), Choose(10**400), DECODE("A" * 300)):  # replayed as they were recorded
        assert DECODE(move) == move


def test_what_is_refused_is_not_remembered() -> None:
    before = len(DECODE.known)
    for number in range(2000):
        DECODE(f"nonsense {number}")
    assert len(DECODE.known) == before
    for number in range(10_000):
        DECODE(str(10_000 + number))
    assert len(DECODE.known) <= 8192


def test_open_text() -> None:
    space = OpenText(5)
    assert space.contains("añ🦊\n")
    assert not space.contains("123456")
    assert not space.contains(5)
    assert space == OpenText(5) == pickle.loads(pickle.dumps(space))
    assert space != OpenText(6)
    assert space != spaces.Text(5)
    assert repr(space) == "OpenText(5)"
    space.seed(1)
    assert space.sample() in ("a", "b")
    with pytest.raises(ValueError, match="no character set"):
        space.sample(mask=(None, np.ones(2, np.int8)))
    assert len(pickle.dumps(space)) < 2000


class Knobs(Config, frozen=True, kw_only=True):
    """Knobs of a test."""

    size: int = 1
    names: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ({"sizes": 1}, "test has no knob 'sizes': did you mean 'size'?"),
        ({"zzz": 1}, "test has no knob 'zzz': known are names, size."),
        ({"size": "x"}, "test: knob 'size': expected int, actual 'x'."),
        ({"size": None}, "test: knob 'size': expected int, actual None."),
        ({"names": ("a", 1)}, "test: knob 'names': expected str, actual ('a', 1)."),
        ({"size": 1.5}, "test: knob 'size': expected int, actual 1.5."),
    ],
)
def test_configure(knobs: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configure(Knobs, knobs, "test")
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        (
            {"features": {}},
            "expected 1 or more features and at most 65536 objects, actual 0 and 1.",
        ),
        ({"features": {"a": ("x",)}}, "expected 2 or more different values of 'a'."),
        ({"features": {"a": ("x", "x")}}, "expected 2 or more different values of 'a'."),
        ({"features": {"a": ("x", "y z")}}, "without spaces and quotes, actual 'y z'."),
        ({"features": {"a\n": ("x", "y")}}, "without spaces and quotes, actual 'a\\\\n'."),
        ({"n_candidates": 9}, "expected at most 8, the number of objects, actual 9."),
        ({"vocab_size": 27}, "knob 'vocab_size': expected int <= 26, actual 27."),
        ({"message_length": 0}, "knob 'message_length': expected int >= 1, actual 0."),
        ({"noise": 0.1, "vocab_size": 1}, "expected 0 with vocab_size=1"),
        ({"noise": float("nan")}, "knob 'noise': expected"),
        ({"feedback": "all"}, "expected one of 'full', 'outcome', 'none', actual 'all'."),
        ({"n_senders": 70_000}, "knob 'n_senders': expected int <= 65536, actual 70000."),
        ({"public_board": 1}, "knob 'public_board': expected bool, actual 1."),
    ],
)
def test_lewis_knobs(knobs: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configure(LewisConfig, knobs, "lewis-v0")
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_nearest() -> None:
    assert nearest("abd", ["abc", "xyz"]) == "did you mean 'abc'?"
    assert nearest("q", ["abc", "xyz"]) == "known are abc, xyz."
    assert nearest("q", []) == "none is known."


def test_missing_extra_says_what_to_run() -> None:
    assert str(MissingExtra("drawing", "render")) == (
        'drawing needs packages that are not installed: run pip install "babelzoo[render]".'
    )


def test_tables_are_shared_and_memos_are_bounded() -> None:
    one = tables(LewisText, LewisConfig())
    assert tables(LewisText, LewisConfig()) is one
    assert pickle.loads(pickle.dumps(one)) is one
    assert tables(LewisText, LewisConfig(n_rounds=5)) is not one
    memo = Memo(str, 3)
    assert [memo[n] for n in (1, 2, 3, 4, 4)] == ["1", "2", "3", "4", "4"]
    assert len(memo) == 1


def test_many_configs_do_not_fill_the_cache() -> None:
    for n in range(1, 100):
        tables(LewisText, LewisConfig(n_rounds=n))
    assert tables(LewisText, LewisConfig(n_rounds=99)).config.n_rounds == 99
    assert msgspec.to_builtins(LewisConfig())["n_rounds"] == 200
