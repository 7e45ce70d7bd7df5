"""What happens in SaveVeyru; the log, the metrics and the replay are made of it."""

from babelzoo.envs.core import Event
from babelzoo.envs.saveveyru.procedures import Procedure
from babelzoo.envs.saveveyru.terms import End, Seat

__all__ = [
    "Guessed",
    "Judged",
    "PostmortemEnded",
    "RoundEnded",
    "Sent",
    "Swapped",
    "Warned",
]


class Sent(Event, frozen=True, tag="sent"):
    """A message went out.

    Attributes:
        round: Number of the round.
        team: Number of the pair, from 0.
        agent: Who sent it.
        seat: Its seat.
        channel: `link` or `postmortem`.
        text: As sent.
        heard: As it arrived, through the channel's noise.
        cost: Seconds charged for it.
        stage: Place of the stage that was open, from 0.
    """

    round: int
    team: int
    agent: str
    seat: Seat
    channel: str
    text: str
    heard: str
    cost: int
    stage: int


class Judged(Event, frozen=True, tag="judged"):
    """A procedure was tried. `read` is what the judge understood of it; None if nothing whole."""

    round: int
    team: int
    agent: str
    stage: int
    action: str
    read: Procedure | None
    required: Procedure
    success: bool


class Warned(Event, frozen=True, tag="warned"):
    """Three quarters of the budget are used up."""

    round: int
    team: int
    used: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """One round of one pair, whole.

    Attributes:
        round: Its number, from 1.
        team: Number of the pair, from 0.
        observer: Who saw the symptoms.
        specialist: Who had the table.
        motifs: The stages' motifs, in order.
        procedures: What each stage needed.
        stages_done: How many were stabilised.
        end: Why it ended.
        used: Seconds used.
        budget: Seconds there were.
        messages: Messages on the link.
        characters: Their characters.
        attempts: Procedures tried.
        turns: Turns taken.
        conflict: Whether the specialist was paid negatively.
    """

    round: int
    team: int
    observer: str
    specialist: str
    motifs: tuple[int, ...]
    procedures: tuple[Procedure, ...]
    stages_done: int
    end: End
    used: int
    budget: int
    messages: int
    characters: int
    attempts: int
    turns: int
    conflict: bool


class PostmortemEnded(Event, frozen=True, tag="postmortem_ended"):
    """The pair stopped talking after a round, or its turns were used up."""

    round: int
    team: int
    end: End
    turns: int


class Guessed(Event, frozen=True, tag="guessed"):
    """An eavesdropper's guess at one stage; `hits` of template, face, intensity, seconds."""

    round: int
    agent: str
    stage: int
    guess: Procedure | None
    required: Procedure
    hits: tuple[bool, bool, bool, bool]


class Swapped(Event, frozen=True, tag="swapped"):
    """Somebody takes a seat from this round on."""

    round: int
    agent: str
    team: int
    announced: bool
