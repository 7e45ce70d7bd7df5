"""The words of SaveVeyru's rules: moves, and what agents see."""

from typing import Literal

import msgspec

from babelzoo.envs.core import Move, View
from babelzoo.envs.saveveyru.procedures import Procedure

__all__ = [
    "CHANNELS",
    "ENDS",
    "AnyEntry",
    "End",
    "Entries",
    "Entry",
    "Guess",
    "News",
    "Notice",
    "Perform",
    "Phase",
    "Previous",
    "Read",
    "Refused",
    "Said",
    "Seat",
    "Send",
    "Stabilize",
    "Symptoms",
    "Tried",
    "VeyruView",
]

CHANNELS = ("link", "postmortem")
ENDS = (
    "stabilized",
    "over_budget",
    "stage_lost",
    "idle",
    "max_turns",
    "model_failure",
)

End = Literal["stabilized", "over_budget", "stage_lost", "idle", "max_turns", "model_failure"]
Phase = Literal["round", "postmortem", "over"]
Seat = Literal["observer", "specialist", "listener", "eavesdropper", "retired"]
News = Literal["fixed", "warning", "ended", "new_partner"]


class Send(Move, frozen=True, tag="send"):
    """Say something on a channel."""

    channel: str
    text: str


class Stabilize(Move, frozen=True, tag="stabilize"):
    """Carry out a procedure, described in English (`action_format="english"`)."""

    procedure: str


class Perform(Move, frozen=True, tag="stabilize"):
    """Carry out a procedure, by its parts (`action_format="structured"`).

    Attributes:
        template: The procedure's label in the observer's own list.
        face: The face it starts from.
        intensity: How strongly.
        seconds: How long.
    """

    template: str
    face: str
    intensity: str
    seconds: int


class Read(Move, frozen=True, tag="read"):
    """Read the last unread messages of a channel (`delivery="pull"`)."""

    channel: str
    last_n: int


class Guess(Move, frozen=True, tag="guess"):
    """What an eavesdropper believes was needed. `template` is a procedure's title."""

    template: str
    face: str
    intensity: str
    seconds: int


class Entry(msgspec.Struct, frozen=True, tag_field="kind", gc=False):
    """One thing that an agent has seen in the running phase."""


class Said(Entry, frozen=True, tag="said"):
    """A message as it arrived. `by` is the speaker's seat, so that a silent swap stays silent."""

    by: Seat
    channel: str
    text: str


class Symptoms(Entry, frozen=True, tag="symptoms"):
    """What the Veyru shows (observer only).

    Attributes:
        motif: Index of the motif whose symptoms these are.
        location: Index of the place; None after the first stage.
    """

    motif: int
    location: int | None = None


class Tried(Entry, frozen=True, tag="tried"):
    """A procedure that was carried out. `result` is `works`, `fails` or `late` (collapsed)."""

    procedure: str
    result: Literal["works", "fails", "late"]


class Notice(Entry, frozen=True, tag="notice"):
    """What the world tells, free of charge. `number` is the seconds left, for a warning."""

    news: News
    number: int = 0


class Refused(Entry, frozen=True, tag="refused"):
    """Why the agent's own last move was refused."""

    reason: str


AnyEntry = Said | Symptoms | Tried | Notice | Refused
Entries = tuple[AnyEntry, ...]


class Previous(msgspec.Struct, frozen=True, gc=False):
    """What both are told of a round that has ended. Never the true answers.

    Attributes:
        round: Its number.
        end: Why it ended.
        used: Seconds used.
    """

    round: int
    end: End
    used: int


class VeyruView(View, frozen=True):
    """All that one agent may know.

    Attributes:
        agent: Whose View it is.
        legal: What it may do now.
        seat: What it does in this round.
        phase: `round`, `postmortem` or `over`.
        round: Number of the round, from 1.
        used: Seconds used in this round; None unless `show_budget`.
        previous: The last round that ended; None before there is one, and for a newcomer.
        table: Each motif with the procedure it needs (specialist only, during rounds).
        conflict: Whether this round's stages are paid negatively (specialist only).
        labels: The template behind each of its labels (structured observers).
        unread: Messages not yet read by channel, in the order of `CHANNELS` (pull delivery).
        log: What it has seen of the running phase, up to its last turn.
        new: What came since.
        stage: Number of the stage to guess, from 1 (eavesdropper); 0 otherwise.
    """

    seat: Seat
    phase: Phase
    round: int
    used: int | None
    previous: Previous | None
    table: tuple[tuple[int, Procedure], ...]
    conflict: bool
    labels: tuple[int, ...]
    unread: tuple[int, int]
    log: Entries
    new: Entries
    stage: int = 0
