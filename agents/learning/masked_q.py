"""A tabular learner for any small game, through the masked view alone."""

from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from babelzoo.agents.policy import Policy, Turn
from babelzoo.envs.core import Config

__all__ = ["MaskedQ"]

_LONGEST = 32  # decisions of a chain that are remembered

Share = Annotated[float, Meta(ge=0, le=1)]


class MaskedQKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `masked-q`.

    Attributes:
        rate: Learning rate for what turned out better than thought.
        caution: The same for what turned out worse, as a share of `rate` (hysteretic
            Q-learning, Matignon et al. 2007: a partner that still explores is forgiven).
        discount: Discount of the next decision's value.
        trace: Decay of the eligibility of earlier decisions (λ).
        hope: Value of what was never tried; above what is to be had, it makes try everything.
        explore: Share of random decisions.
        clock: Place of the feature whose change starts a new chain of decisions, such as the
            share of rounds begun (8 in SaveVeyru); None for one chain an episode.
    """

    rate: Share = 0.1
    caution: Share = 0.3
    discount: Share = 0.95
    trace: Share = 0.8
    hope: float = 1.0
    explore: Share = 0.01
    clock: Annotated[int, Meta(ge=0)] | None = None


class MaskedQ(Policy[MaskedQKnobs]):
    """Hysteretic Q(λ) with optimistic values: learns any small game by playing it.

    It knows neither the game nor what its numbers mean. A state is the set of features of the
    masked view that are exactly 1; shares and counts are left out.
    """

    view = "masked"
    recalls = True
    knobs_type = MaskedQKnobs

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode, with nothing learnt."""
        super().reset(agent, rules, seed)
        self._values: dict[bytes, NDArray[np.float64]] = {}
        self._chain: list[tuple[NDArray[np.float64], int]] = []
        self._time: float | None = None

    def act(self, turn: Turn) -> int:
        """Learn from the reward since the last decision, then decide."""
        features, mask = turn.observation["observation"], turn.observation["action_mask"]
        key = np.packbits(features == 1).tobytes() + mask.tobytes()
        values = self._values.get(key)
        if values is None:
            values = self.knobs.hope + 1e-3 * self.rng.random(len(mask))
            values[mask == 0] = -np.inf
            self._values[key] = values
        clock = self.knobs.clock
        time = None if clock is None else float(features[clock])
        anew, self._time = time != self._time, time
        self._learn(turn.reward + (0 if anew else self.knobs.discount * values.max()))
        if anew:
            self._chain.clear()
        choice = int(values.argmax())
        if self.rng.random() < self.knobs.explore:
            choice = int(self.rng.choice(np.flatnonzero(mask)))
        self._chain.append((values, choice))
        return choice

    def end(self, turn: Turn) -> None:
        """Learn from the last reward."""
        self._learn(turn.reward)

    def _learn(self, target: float) -> None:
        """Move the last decision's value towards `target`, earlier ones' by ever less."""
        if not self._chain:
            return
        knobs = self.knobs
        values, choice = self._chain[-1]
        error = target - values[choice]
        step = knobs.rate * error * (1 if error > 0 else knobs.caution)
        for values, choice in reversed(self._chain):
            values[choice] += step
            step *= knobs.discount * knobs.trace
        del self._chain[:-_LONGEST]
