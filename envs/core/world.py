"""Worlds, Views, Moves, Events and Outcomes: what rules are made of.

A World is pure rules. A View is all that one agent may know; a Move is all that it may do.
Everything else in the package is an encoding of Views or a source of Moves.
"""

from abc import ABC, abstractmethod
from hashlib import blake2b
from typing import Any, Generic, Literal, TypeVar

import msgspec

from babelzoo.envs.core.config import Config
from babelzoo.envs.core.legal import Legal

__all__ = [
    "Ended",
    "Event",
    "Invalid",
    "Move",
    "Outcome",
    "Rejected",
    "View",
    "Wait",
    "World",
    "role_of",
]

Ended = Literal["terminated", "truncated"]


class Move(msgspec.Struct, frozen=True, tag_field="action", forbid_unknown_fields=True):
    """One thing an agent does. Subclasses carry a tag; a game's moves are a tagged union."""


class Wait(Move, frozen=True, tag="wait"):
    """Do nothing. Legal when it is not one's turn; on one's own turn only where a game says so."""


class Invalid(Move, frozen=True, tag="invalid"):
    """What an agent sent was no move at all. Never part of a game's union.

    Attributes:
        reason: One sentence, "expected X, actual Y", on one line.
        text: What was sent, normalised and cut to the action space's length.
    """

    reason: str
    text: str = ""


class Event(msgspec.Struct, frozen=True, tag_field="event", gc=False):
    """One thing that happened; the log, the metrics and the replay are made of events."""


class Rejected(Event, frozen=True, tag="rejected"):
    """A move was refused. The reason is for `agent` alone."""

    agent: str
    reason: str


class Outcome(msgspec.Struct, gc=False):
    """What one move led to.

    Attributes:
        events: What happened, in order.
        rewards: Reward by agent, for those who are paid now.
        ended: How an agent's episode ended, for those that ended now.
        born: Agents that join now, in turn order.
        rejected: Why the move was refused, for the acting agent alone; empty when it was not.
        boundary: A round or tick ended here: recordings are flushed and hashed.
    """

    events: tuple[Event, ...] = ()
    rewards: dict[str, float] = {}
    ended: dict[str, Ended] = {}
    born: tuple[str, ...] = ()
    rejected: str = ""
    boundary: bool = False


class View(msgspec.Struct, frozen=True, gc=False):
    """All that one agent may know. Text and arrays are functions of it alone."""

    agent: str
    legal: Legal


ConfigT = TypeVar("ConfigT", bound=Config)
ViewT = TypeVar("ViewT", bound=View)


class World(ABC, Generic[ConfigT, ViewT]):
    """Pure rules and their state, with no space, text, array or pixel in it.

    Same config, seed and moves give the same everything, across processes and machines. No
    move that an agent makes raises: a bad one becomes a `Rejected` event, at the cost that the
    rules state.
    """

    config: ConfigT

    @abstractmethod
    def __init__(self, config: ConfigT) -> None: ...

    @abstractmethod
    def reset(self, seed: int) -> None:
        """Start an episode; all its randomness comes from `seed` (at least 0)."""

    @abstractmethod
    def possible_agents(self) -> tuple[str, ...]:
        """Every agent that may ever live, in turn order."""

    @abstractmethod
    def agents(self) -> tuple[str, ...]:
        """The living agents in turn order; none after the end."""

    @abstractmethod
    def ready(self) -> tuple[str, ...]:
        """The agents whose View can no longer change before they act, in turn order."""

    @abstractmethod
    def view(self, agent: str) -> ViewT:
        """All that `agent` may know now."""

    @abstractmethod
    def apply(self, agent: str, move: Move) -> Outcome:
        """Carry out a move of a ready agent.

        Raises:
            ValueError: `agent` is not ready, which is a fault of the caller.
        """

    def newcomer(self, agent: str) -> None:
        """Somebody else takes `agent`'s seat: take from it what it was told of ended rounds."""

    @abstractmethod
    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data that JSON can hold."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Take up the state of a `snapshot`; equal moves then give equal traces."""

    def state_hash(self) -> str:
        """16 hexadecimal digits that differ when the state does."""
        data = msgspec.json.encode(self.snapshot(), order="deterministic")
        return blake2b(data, digest_size=8).hexdigest()


def role_of(agent: str) -> str:
    """The role of an agent: its name without the number, `sender` for `sender_0`."""
    return agent.rpartition("_")[0]
