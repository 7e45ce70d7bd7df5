"""What a policy is: `act(turn)` and, if it likes, `reset` and `end`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

import numpy as np

from babelzoo.envs.core import Config, Move, Turn

__all__ = ["CallablePolicy", "NoKnobs", "Policy", "Turn"]


class NoKnobs(Config, frozen=True, kw_only=True):
    """For policies without knobs."""


KnobsT = TypeVar("KnobsT", bound=Config)


class Policy(ABC, Generic[KnobsT]):
    """One agent's behaviour. An instance plays one seat, episode after episode.

    Attributes:
        view: What `turn.observation` holds: `text`, `masked`, `flat`, or `struct` for the View.
        games: Names of the games it can play; empty for all.
        knobs_type: The class of its knobs.
        argument: The knob that takes what stands after the colon in `name:argument`.
        knobs: The knobs of this instance.
        rng: Its random numbers, seeded at every `reset`.
    """

    view: ClassVar[str] = "struct"
    games: ClassVar[tuple[str, ...]] = ()
    knobs_type: ClassVar[type[Config]] = NoKnobs
    argument: ClassVar[str | None] = None

    def __init__(self, knobs: KnobsT) -> None:
        self.knobs = knobs
        self.rng = np.random.default_rng(0)

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode as `agent`; nothing is remembered from the last one."""
        self.rng = np.random.default_rng(seed)

    @abstractmethod
    def act(self, turn: Turn) -> Move | str | int:
        """The agent's move: a Move, text, or a number in the learners' views."""

    def end(self, turn: Turn) -> None:
        """See the last observation and reward; no move is asked for."""


class CallablePolicy(Policy[NoKnobs]):
    """A plain function from observation text to action text."""

    view = "text"

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__(NoKnobs())
        self._function = function

    def act(self, turn: Turn) -> str:
        """What the function answers."""
        return self._function(str(turn.observation))
