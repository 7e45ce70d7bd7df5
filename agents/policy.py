"""What a policy is: `act(turn)` and, if it likes, `reset` and `end`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import numpy as np

from babelzoo.envs.core import Config, ConfigError, Move, Turn

__all__ = ["CallablePolicy", "NoKnobs", "Past", "Policy", "Turn"]


class Past(msgspec.Struct, frozen=True):
    """What a newcomer is shown of one turn of whoever had its seat before.

    Attributes:
        round: The round's number.
        observation: What was seen, in the newcomer's own `view`.
        move: What was done; None where that is not shown.
    """

    round: int
    observation: Any
    move: Move | None


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
        recalls: Whether it is rebuilt by acting once more, with the same seed, on what it saw.
        knobs: The knobs of this instance.
        rng: Its random numbers, seeded at every `reset`.
    """

    view: ClassVar[str] = "struct"
    games: ClassVar[tuple[str, ...]] = ()
    knobs_type: ClassVar[type[Config]] = NoKnobs
    argument: ClassVar[str | None] = None
    recalls: ClassVar[bool] = False

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

    def recall(self, turn: Turn, move: Move | None, sideband: Mapping[str, Any]) -> None:
        """Take up a turn of its own that was played before, with what it said beside its move.

        Raises:
            ConfigError: It can't.
        """
        if not self.recalls:
            raise ConfigError(
                f"expected a policy that can take up a recorded episode, actual "
                f"{type(self).__name__}, which has no recall: replace it, or play the episode anew."
            )
        self.act(turn)

    def brief(self, past: Sequence[Past]) -> None:
        """Learn what a newcomer may know of its predecessor's turns; called after `reset`."""


class CallablePolicy(Policy[NoKnobs]):
    """A plain function from observation text to action text."""

    view = "text"

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__(NoKnobs())
        self._function = function

    def act(self, turn: Turn) -> str:
        """What the function answers."""
        return self._function(str(turn.observation))
