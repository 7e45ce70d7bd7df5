"""One pair and its round in figures, and what lies on each agent's desk. Plain state, no rules."""

from typing import Literal

import msgspec

from babelzoo.envs.saveveyru.terms import AnyEntry, Entries, Previous, Said, Seat

__all__ = ["Desk", "Team"]


class Desk(msgspec.Struct):
    """What one agent has seen and is told.

    Attributes:
        seat: What it does in this round.
        team: Number of the pair whose link it is on.
        labels: The template behind each of its labels.
        log: What it has seen of the running phase.
        new: What came since its last turn.
        unread: Places of messages that it has not read, in what was said (pull delivery).
        previous: The last round's result as it is told.
        fallbacks: Unreadable moves in a row.
    """

    seat: Seat
    team: int
    labels: tuple[int, ...] = ()
    log: Entries = ()
    new: Entries = ()
    unread: tuple[int, ...] = ()
    previous: Previous | None = None
    fallbacks: int = 0

    def tell(self, entry: AnyEntry) -> None:
        """Put something before the agent."""
        self.new += (entry,)

    def note(self, entry: AnyEntry) -> None:
        """File something that the agent did itself."""
        self.log += (entry,)


class Team(msgspec.Struct):
    """A pair in a round.

    Attributes:
        observer: Who sees the symptoms and acts.
        specialist: Who has the table.
        phase: `done` while it waits for the next round.
        turn: Turns taken in this phase; even ones are the observer's.
        waits: Waits in a row.
        used: Seconds used.
        warned: Whether the warning has come.
        stage: Stages stabilised.
        attempts: Procedures tried at this stage.
        tried: Procedures tried in this round.
        messages: Messages on the link in this round.
        characters: Their characters.
        said: This round's messages on both channels, as they arrived.
        overheard: Characters that an eavesdropper has read of this round.
    """

    observer: str
    specialist: str
    phase: Literal["round", "postmortem", "done"] = "round"
    turn: int = 0
    waits: int = 0
    used: int = 0
    warned: bool = False
    stage: int = 0
    attempts: int = 0
    tried: int = 0
    messages: int = 0
    characters: int = 0
    said: tuple[Said, ...] = ()
    overheard: int = 0

    @property
    def mover(self) -> str:
        """Whose turn it is."""
        return self.specialist if self.turn % 2 else self.observer

    def partner(self, agent: str) -> str:
        """The other one."""
        return self.specialist if agent == self.observer else self.observer
