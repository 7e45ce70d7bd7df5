"""Scripted players of Lewis signaling: oracles, tricks and the silent one.

Sender and receiver share a code without having spoken: it follows from the task and from the
knob `code`, so two seats of the same name understand each other.
"""

from abc import abstractmethod
from typing import Annotated, TypeVar

import numpy as np
from msgspec import Meta

from babelzoo.agents.policy import NoKnobs, Policy, Turn
from babelzoo.envs.core import Config, ConfigError, derive_seed
from babelzoo.envs.lewis import Choose, LewisView, Signal, Task

__all__ = [
    "LewisPolicy",
    "OracleCompositional",
    "OracleHolistic",
    "OracleK",
    "Positional",
    "RankCode",
    "Silent",
    "capacity",
    "spell",
]

KnobsT = TypeVar("KnobsT", bound=Config)


def capacity(task: Task) -> int:
    """Number of different messages, |V|^L."""
    size: int = len(task.vocabulary) ** task.message_length
    return size


def spell(number: int, task: Task) -> str:
    """The message of a number in [0, capacity), in the vocabulary's digits."""
    base, tokens = len(task.vocabulary), ""
    for _ in range(task.message_length):
        number, digit = divmod(number, base)
        tokens = task.vocabulary[digit] + tokens
    return tokens


class LewisPolicy(Policy[KnobsT]):
    """A player of either role: `send` a message, `choose` among the candidates."""

    games = ("lewis",)
    recalls = True

    def act(self, turn: Turn) -> Signal | Choose:
        """Send or choose."""
        view: LewisView = turn.observation
        if view.role == "sender":
            return Signal(tuple(self.send(view)))
        return Choose(self.choose(view) + 1)

    @abstractmethod
    def send(self, view: LewisView) -> str:
        """The message for the target."""

    @abstractmethod
    def choose(self, view: LewisView) -> int:
        """The place of the chosen candidate, from 0."""

    def pick(self, places: list[int], view: LewisView) -> int:
        """One of `places` at random, or of all when there are none."""
        if not places:
            return int(self.rng.integers(len(view.candidates)))
        return places[self.rng.integers(len(places))] if len(places) > 1 else places[0]


class CodeKnobs(Config, frozen=True, kw_only=True):
    """Knobs of players with a ready-made code.

    Attributes:
        code: Which code; seats with equal numbers share it.
    """

    code: Annotated[int, Meta(ge=0)] = 0


class _Coded(LewisPolicy[KnobsT]):
    """A fixed code: the sender looks the target up, the receiver picks what fits."""

    def __init__(self, knobs: KnobsT) -> None:
        super().__init__(knobs)
        self._codes: tuple[Task, list[str]] | None = None

    @abstractmethod
    def make_code(self, task: Task) -> list[str]:
        """The message of each object."""

    def _code(self, task: Task) -> list[str]:
        if self._codes is None or self._codes[0] is not task:
            self._codes = (task, self.make_code(task))
        return self._codes[1]

    def send(self, view: LewisView) -> str:
        assert view.target is not None
        return self._code(view.task)[view.target]

    def choose(self, view: LewisView) -> int:
        code = self._code(view.task)
        fits = [i for i, c in enumerate(view.candidates) if code[c] == view.message]
        return self.pick(fits, view)


class OracleCompositional(_Coded[NoKnobs]):
    """One position for each feature: scores 1, topographic similarity 1."""

    def make_code(self, task: Task) -> list[str]:
        """Spell the features' values, the first token also filling the spare positions."""
        widths = [len(values) for values in task.features.values()]
        spare = task.message_length - len(widths)
        if spare < 0 or max(widths) > len(task.vocabulary):
            raise ConfigError(
                f"oracle-compositional needs {len(widths)} tokens of {max(widths)} symbols, actual "
                f"{task.message_length} of {len(task.vocabulary)}: use oracle-holistic or oracle-k."
            )
        codes = np.stack(np.unravel_index(np.arange(task.n_objects), widths), axis=1)
        first = task.vocabulary[0]
        return [
            "".join(task.vocabulary[digit] for digit in row) + first * spare
            for row in codes.tolist()
        ]


class OracleHolistic(_Coded[CodeKnobs]):
    """A random message for each object, all different: scores 1 without structure."""

    knobs_type = CodeKnobs

    def make_code(self, task: Task) -> list[str]:
        """Draw different messages."""
        size = capacity(task)
        if size < task.n_objects:
            raise ConfigError(
                f"oracle-holistic needs {task.n_objects} messages, actual {size}: use oracle-k."
            )
        rng = np.random.default_rng(derive_seed(self.knobs.code, "holistic"))
        drawn = rng.choice(min(size, 2**62), task.n_objects, replace=False)
        return [spell(number, task) for number in drawn.tolist()]


class KKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `oracle-k`.

    Attributes:
        k: Number of different messages; None for as many as the channel and the objects allow.
    """

    k: Annotated[int, Meta(ge=1)] | None = None


class OracleK(_Coded[KKnobs]):
    """The best code of k messages: classes of objects as equal in size as can be."""

    knobs_type = KKnobs

    def make_code(self, task: Task) -> list[str]:
        """Give object o the message of class o mod k."""
        most = min(capacity(task), task.n_objects)
        k = most if self.knobs.k is None else self.knobs.k
        if k > most:
            raise ConfigError(f"oracle-k: expected k of at most {most}, actual {k}.")
        return [spell(target % k, task) for target in range(task.n_objects)]


class Positional(LewisPolicy[NoKnobs]):
    """Sends the target's printed position: scores 1 if both see one order, else chance."""

    def send(self, view: LewisView) -> str:
        """The number of the target's place."""
        _need(view.task, "positional")
        place = view.candidates.index(view.target) if view.target in view.candidates else 0
        return spell(place, view.task)

    def choose(self, view: LewisView) -> int:
        """The candidate at the place that was sent."""
        sent = [i for i in range(len(view.candidates)) if spell(i, view.task) == view.message]
        return self.pick(sent, view)


class RankCode(LewisPolicy[NoKnobs]):
    """Sends the target's rank among the sorted candidates: scores 1 and names no object.

    A sender that sees the target alone can only send the rank's best guess, the target's class
    out of `n_candidates` equal ones.
    """

    def _numbers(self, view: LewisView) -> dict[int, int]:
        """The number of each object that the player sees."""
        task = view.task
        if task.sender_sees == "candidates":
            return {c: rank for rank, c in enumerate(sorted(view.candidates))}
        seen = view.candidates or (view.target,)
        return {c: c * task.n_candidates // task.n_objects for c in seen if c is not None}

    def send(self, view: LewisView) -> str:
        """The target's rank."""
        _need(view.task, "rank-code")
        assert view.target is not None
        return spell(self._numbers(view)[view.target], view.task)

    def choose(self, view: LewisView) -> int:
        """A candidate of the rank that was sent."""
        numbers = self._numbers(view)
        fits = [
            i for i, c in enumerate(view.candidates) if spell(numbers[c], view.task) == view.message
        ]
        return self.pick(fits, view)


def _need(task: Task, name: str) -> None:
    if capacity(task) < task.n_candidates:
        raise ConfigError(
            f"{name} needs {task.n_candidates} messages, actual {capacity(task)}: raise "
            "vocab_size or message_length."
        )


class Silent(LewisPolicy[NoKnobs]):
    """Always sends the same message, and chooses at random: scores chance."""

    def send(self, view: LewisView) -> str:
        """The first message."""
        return spell(0, view.task)

    def choose(self, view: LewisView) -> int:
        """Any candidate."""
        return self.pick([], view)
