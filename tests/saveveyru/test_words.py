"""What a player may write: JSON or what a person would type."""

from typing import Any

import pytest
from veyru_pair import OBSERVER, SPECIALIST, WAIT, start

from babelzoo.envs import saveveyru_v0
from babelzoo.envs.core import Invalid, Move
from babelzoo.envs.saveveyru import Guess, Perform, Read, Send, Stabilize

PULL: dict[str, Any] = {"delivery": "pull"}
STRUCTURED: dict[str, Any] = {"action_format": "structured"}
SPY: dict[str, Any] = {"mode": "eavesdropper"}


def moved(text: str, **knobs: Any) -> Move | None:
    """The move that the first observer's text is."""
    env = saveveyru_v0.raw_env(**knobs)
    env.reset(seed=1)
    env.step(text)
    return env.move


@pytest.mark.parametrize(
    ("text", "move", "knobs"),
    [
        ("wait", WAIT, {}),
        ('{"action":"wait"}', WAIT, {}),
        ("link: hello there", Send("link", "hello there"), {}),
        ("link:hello", Send("link", "hello"), {}),
        ("link: ", Send("link", ""), {}),
        ("link: a: b", Send("link", "a: b"), {}),
        ("link:  two blanks", Send("link", " two blanks"), {}),
        ("postmortem: hi", Send("postmortem", "hi"), {}),
        ('{"action":"send","channel":"link","text":"\\u00e9\\n"}', Send("link", "é\n"), {}),
        ("stabilize: Ring a bell.", Stabilize("Ring a bell."), {}),
        ('{"action":"stabilize","procedure":"Ring."}', Stabilize("Ring."), {}),
        ("read link 5", Read("link", 5), PULL),
        ('{"action":"read","channel":"link","last_n":2}', Read("link", 2), PULL),
        (
            '{"action":"stabilize","template":"B","face":"top","intensity":"firm","seconds":5}',
            Perform("B", "top", "firm", 5),
            STRUCTURED,
        ),
    ],
)
def test_texts_and_their_moves(text: str, move: Move, knobs: dict[str, Any]) -> None:
    assert moved(text, **knobs) == move


@pytest.mark.parametrize(
    ("text", "knobs"),
    [
        ("", {}),
        ("hello", {}),
        ("Link: hello", {}),
        ("read link", PULL),
        ("read link five", PULL),
        ("read link -5", PULL),
        ("stabilize: Ring a bell.", STRUCTURED),
        ('{"action":"send","channel":"link"}', {}),
        ('{"action":"send","channel":"link","text":"a","text":"b"}', {}),
        ('{"action":"send","channel":"link","text":7}', {}),
        ('{"action":"shout","text":"a"}', {}),
    ],
)
def test_anything_else_is_no_move_and_says_what_is(text: str, knobs: dict[str, Any]) -> None:
    move = moved(text, **knobs)
    assert isinstance(move, Invalid)
    assert "expected" in move.reason and "\n" not in move.reason


def test_a_guess_is_written_in_titles() -> None:
    env = saveveyru_v0.raw_env(**SPY)
    env.reset(seed=1)
    env.step("wait")
    env.step("wait")
    assert env.agent_selection == "eavesdropper_0"
    text = '{"action":"guess","template":"two lamps","face":"top","intensity":"firm","seconds":5}'
    env.step(text)
    assert env.move == Guess("two lamps", "top", "firm", 5)


def test_what_a_player_is_offered_depends_on_seat_and_phase() -> None:
    world = start(delivery="pull")
    offered = {agent: [f.action for f in world.view(agent).legal] for agent in world.agents()}
    assert offered == {OBSERVER: ["send", "read", "stabilize", "wait"], SPECIALIST: ["wait"]}
    world.apply(OBSERVER, WAIT)
    assert [f.action for f in world.view(SPECIALIST).legal] == ["send", "read", "wait"]
    world.apply(SPECIALIST, WAIT)
    assert [f.action for f in world.view(OBSERVER).legal] == ["send", "read", "wait"]
