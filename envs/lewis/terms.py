"""The words of Lewis signaling's rules: moves, events and what an agent may know."""

import msgspec

from babelzoo.envs.core import Event, Move, View
from babelzoo.envs.lewis.knobs import Task

__all__ = [
    "BoardRow",
    "Choose",
    "Feedback",
    "LewisView",
    "RoundEnded",
    "Signal",
]


class Signal(Move, frozen=True, tag="signal"):
    """The sender's message."""

    tokens: tuple[str, ...]


class Choose(Move, frozen=True, tag="choose"):
    """The receiver's choice: a candidate's number, from 1."""

    candidate: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """One round, whole.

    Attributes:
        round: Its number, from 1.
        sender: Who sent.
        receiver: Who chose.
        candidates: The objects, in the sender's order.
        target: The object meant.
        sent: The message as sent; None if it was refused.
        heard: The message as received; None if there was none.
        choice: The object chosen; None if none was.
        success: Whether the choice was the target.
    """

    round: int
    sender: str
    receiver: str
    candidates: tuple[int, ...]
    target: int
    sent: str | None
    heard: str | None
    choice: int | None
    success: bool


class Feedback(msgspec.Struct, frozen=True, gc=False):
    """What an agent learns of the last round in which it took part.

    Attributes:
        round: The round's number.
        message: What it sent or heard; None if no message went out.
        choice: The object it chose (receiver only).
        success: The outcome; None when it isn't told.
        target: The true target; None when it isn't told.
        refused: Why its own move was refused; empty otherwise.
    """

    round: int
    message: str | None = None
    choice: int | None = None
    success: bool | None = None
    target: int | None = None
    refused: str = ""


class BoardRow(msgspec.Struct, frozen=True, gc=False):
    """One row of the public board: how often a message won with an object as target."""

    message: str
    target: int
    count: int


class LewisView(View, frozen=True):
    """All that one agent may know.

    Attributes:
        agent: Whose View it is.
        legal: What it may do now.
        role: `sender` or `receiver`.
        playing: Whether it takes part in this round.
        round: Number of the round, from 1.
        over: Whether the game is over.
        task: What stays the same.
        feedback: Of the last round in which it took part.
        board: The public board; None when it is off.
        candidates: Object ids in the agent's own order, none when it may not see them.
        target: The object meant (sender only).
        message: What it sent or heard this round.
    """

    role: str
    playing: bool
    round: int
    over: bool
    task: Task
    feedback: Feedback | None
    board: tuple[BoardRow, ...] | None
    candidates: tuple[int, ...]
    target: int | None
    message: str | None
