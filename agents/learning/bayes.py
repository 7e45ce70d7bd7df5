"""Learners that count what messages accompanied: the model-free kin of LLM memories.

`window` ones remember the last `m` rounds, like an agent whose prompt holds a rolling window;
`notebook` ones remember all, like an agent that keeps notes (Talebirad et al. 2026, Table 1).
"""

from collections import deque
from typing import Annotated, ClassVar, TypeVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from babelzoo.agents.learning.tabular import new_table, number_of, pick_best
from babelzoo.agents.policy import NoKnobs, Turn
from babelzoo.agents.scripted.lewis import LewisPolicy, spell
from babelzoo.envs.core import Config
from babelzoo.envs.lewis import Choose, Feedback, LewisView, Signal

__all__ = ["NotebookBayes", "NotebookGreedy", "WindowBayes", "WindowGreedy"]

KnobsT = TypeVar("KnobsT", bound=Config)


class WindowKnobs(Config, frozen=True, kw_only=True):
    """Knobs of the window learners.

    Attributes:
        m: Rounds that are remembered.
    """

    m: Annotated[int, Meta(ge=1)] = 20


class _Counter(LewisPolicy[KnobsT]):
    """n(message, object) counts how often they went together in memory, failures included.

    With N objects and prior 1/N, the sender's belief that a message will be understood as the
    target is Beta(1/N + n(message, target), 1 - 1/N + n(message, any) - n(message, target)). It
    sends the message of the largest draw from the beliefs (Thompson sampling) or, if `greedy`, of
    the largest mean. The receiver chooses the candidate of the largest count, ties at random.
    """

    greedy: ClassVar[bool] = False

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Forget everything."""
        super().reset(agent, rules, seed)
        self._counts: NDArray[np.float64] | None = None
        self._memory: deque[tuple[int, int]] = deque()
        self._seen = 0
        self._meant: int | None = None

    def window(self) -> int | None:
        """Rounds that are remembered; None for all."""
        return None

    def act(self, turn: Turn) -> Signal | Choose:
        """Remember the last round, then send or choose."""
        view: LewisView = turn.observation
        if self._counts is None:
            self._counts = new_table(view.task, 0.0)
        if view.feedback is not None and view.feedback.round > self._seen:
            self._seen = view.feedback.round
            self._remember(view.feedback, view, self._counts)
        return super().act(turn)

    def _remember(self, feedback: Feedback, view: LewisView, counts: NDArray[np.float64]) -> None:
        """Count the last round's pair, as far as it is known under the game's feedback."""
        target = feedback.target
        if target is None:
            target = self._meant if view.role == "sender" else feedback.choice
            if view.role == "receiver" and not feedback.success:
                return
        if feedback.message is None or target is None:
            return
        entry = (target, number_of(feedback.message, view.task))
        counts[entry] += 1
        window = self.window()
        if window is not None:
            self._memory.append(entry)
            if len(self._memory) > window:
                counts[self._memory.popleft()] -= 1

    def send(self, view: LewisView) -> str:
        assert view.target is not None and self._counts is not None
        self._meant = view.target
        own = self._counts[view.target]
        a = own + 1 / view.task.n_objects
        b = self._counts.sum(axis=0) - own + 1 - 1 / view.task.n_objects
        beliefs = a / (a + b) if self.greedy else self.rng.beta(a, b)
        return spell(pick_best(beliefs, self.rng), view.task)

    def choose(self, view: LewisView) -> int:
        assert view.message is not None and self._counts is not None
        column = self._counts[list(view.candidates), number_of(view.message, view.task)]
        return pick_best(column, self.rng)


class NotebookBayes(_Counter[NoKnobs]):
    """Remembers all rounds; sends by Thompson sampling. Kin of `scratchpad`."""


class NotebookGreedy(_Counter[NoKnobs]):
    """Remembers all rounds; sends the most probable message."""

    greedy = True


class WindowBayes(_Counter[WindowKnobs]):
    """Remembers the last m rounds; sends by Thompson sampling. Kin of `memory_only`."""

    knobs_type = WindowKnobs

    def window(self) -> int:
        """Rounds that are remembered."""
        return self.knobs.m


class WindowGreedy(WindowBayes):
    """Remembers the last m rounds; sends the most probable message."""

    greedy = True
