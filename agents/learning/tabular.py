"""Tabular reinforcement learners of Lewis signaling."""

from abc import abstractmethod
from typing import Annotated, TypeVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from babelzoo.agents.policy import Turn
from babelzoo.agents.scripted.lewis import LewisPolicy, capacity, spell
from babelzoo.envs.core import Config, ConfigError
from babelzoo.envs.lewis import Choose, LewisView, Signal, Task

__all__ = ["LARGEST_TABLE", "QLearning", "RothErev", "new_table", "number_of", "pick_best"]

LARGEST_TABLE = 2**22  # entries of a table object x message

KnobsT = TypeVar("KnobsT", bound=Config)


def number_of(message: str, task: Task) -> int:
    """The number of a message; the inverse of `spell`."""
    number = 0
    for token in message:
        number = number * len(task.vocabulary) + task.vocabulary.index(token)
    return number


def new_table(task: Task, value: float) -> NDArray[np.float64]:
    """A table of shape (objects, messages) that holds `value`.

    Raises:
        ConfigError: There are too many pairs of object and message.
    """
    size = task.n_objects * capacity(task)
    if size > LARGEST_TABLE:
        raise ConfigError(
            f"expected at most {LARGEST_TABLE} pairs of object and message for a learner that "
            f"keeps a table, actual {size}: lower vocab_size, message_length or the objects."
        )
    return np.full((task.n_objects, capacity(task)), value)


def pick_best(values: NDArray[np.float64], rng: np.random.Generator) -> int:
    """The place of the largest value, ties at random."""
    best = np.flatnonzero(values == values.max())
    return int(best[rng.integers(best.size)] if best.size > 1 else best[0])


class _Tabular(LewisPolicy[KnobsT]):
    """Keeps a value for each pair (object, message) and learns from its own reward alone."""

    table: NDArray[np.float64] | None = None

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Forget everything."""
        super().reset(agent, rules, seed)
        self.table = None
        self._used: tuple[int, int] | None = None

    def act(self, turn: Turn) -> Signal | Choose:
        """Learn from the last round's reward, then send or choose."""
        view: LewisView = turn.observation
        if self.table is None:
            self.table = new_table(view.task, self.initial)
        if self._used is not None:
            self.learn(self.table, self._used, turn.reward)
        return super().act(turn)

    def send(self, view: LewisView) -> str:
        assert view.target is not None and self.table is not None
        message = self.decide(self.table[view.target])
        self._used = (view.target, message)
        return spell(message, view.task)

    def choose(self, view: LewisView) -> int:
        assert view.message is not None and self.table is not None
        message = number_of(view.message, view.task)
        place = self.decide(self.table[list(view.candidates), message])
        self._used = (view.candidates[place], message)
        return place

    @property
    @abstractmethod
    def initial(self) -> float:
        """What a fresh entry holds."""

    @abstractmethod
    def decide(self, values: NDArray[np.float64]) -> int:
        """The place chosen among `values`."""

    @abstractmethod
    def learn(self, table: NDArray[np.float64], used: tuple[int, int], reward: float) -> None:
        """Change the entry that was used."""


class RothErevKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `roth-erev`.

    Attributes:
        rate: What a success adds to the weight of the pair that was used.
        initial: Every pair's weight at the start.
    """

    rate: Annotated[float, Meta(gt=0)] = 1.0
    initial: Annotated[float, Meta(gt=0)] = 0.1


class RothErev(_Tabular[RothErevKnobs]):
    """Urn learning: draws by weight; a success adds to the weight of what was used."""

    knobs_type = RothErevKnobs

    @property
    def initial(self) -> float:
        """What a fresh entry holds."""
        return self.knobs.initial

    def decide(self, values: NDArray[np.float64]) -> int:
        """The place chosen among `values`."""
        sums = values.cumsum()
        return int(sums.searchsorted(self.rng.random() * sums[-1], side="right"))

    def learn(self, table: NDArray[np.float64], used: tuple[int, int], reward: float) -> None:
        """Change the entry that was used."""
        if reward > 0:
            table[used] += self.knobs.rate


class QLearningKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `q-learning`.

    Attributes:
        alpha: Learning rate.
        epsilon: Probability of a random choice.
    """

    alpha: Annotated[float, Meta(gt=0, le=1)] = 0.2
    epsilon: Annotated[float, Meta(ge=0, le=1)] = 0.1


class QLearning(_Tabular[QLearningKnobs]):
    """One-step Q-learning with epsilon-greedy choices, ties at random."""

    knobs_type = QLearningKnobs
    initial = 0.0

    def decide(self, values: NDArray[np.float64]) -> int:
        """The place chosen among `values`."""
        if self.rng.random() < self.knobs.epsilon:
            return int(self.rng.integers(values.size))
        return pick_best(values, self.rng)

    def learn(self, table: NDArray[np.float64], used: tuple[int, int], reward: float) -> None:
        """Change the entry that was used."""
        table[used] += self.knobs.alpha * (reward - table[used])
