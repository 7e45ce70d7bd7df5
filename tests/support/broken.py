"""A small PettingZoo environment that is right, and one wrong child for every check of ours."""

import random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv


class Right(AECEnv[str, Any, Any]):
    """Two players; each adds its number and a die's to its score and is paid the die."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "right_v0",
        "render_modes": [],
        "is_parallelizable": True,
    }

    def __init__(self) -> None:
        self.possible_agents = ["player_0", "player_1"]
        self._spaces: dict[str, Any] = {}
        for agent in self.possible_agents:
            self._spaces[agent] = spaces.Box(0, 1000, (2,), np.float32), spaces.Discrete(3)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None or not hasattr(self, "rng"):
            self.rng = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.scores = dict.fromkeys(self.possible_agents, 1)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.turns = 0
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Any:
        return np.array([self.scores[agent], self.turns], np.float32)

    def die(self) -> int:
        return int(self.rng.integers(1, 7))

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        rolled = self.die()
        self.scores[agent] += rolled + int(action)
        self.rewards = {other: float(rolled) for other in self.agents}
        self.turns += 1
        if self.turns == 20:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[self.turns % 2]


class Unseeded(Right):
    def die(self) -> int:
        return int(np.random.default_rng().integers(1, 7))


class GlobalNumPy(Right):
    def die(self) -> int:
        return int(np.random.randint(1, 7))  # noqa: NPY002

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed, options)
        if seed is not None:
            np.random.seed(seed)  # noqa: NPY002


class GlobalPython(Right):
    def die(self) -> int:
        return random.randint(1, 6)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed, options)
        if seed is not None:
            random.seed(seed)


class Overpaid(Right):
    """Forgets to set the actor's cumulative reward to zero."""

    def step(self, action: Any) -> None:
        kept = self._cumulative_rewards.get(self.agent_selection, 0.0)
        agent = self.agent_selection
        super().step(action)
        if agent in self._cumulative_rewards and action is not None:
            self._cumulative_rewards[agent] += kept


class NewSpaces(Right):
    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(3, seed=1)


class Unpicklable(Right):
    def __init__(self) -> None:
        super().__init__()
        for agent in self.possible_agents:
            self.action_space(agent).owner = lambda: self


class Peeking(Right):
    """`observe` changes the state."""

    def observe(self, agent: str) -> Any:
        self.scores[agent] += 1
        return super().observe(agent)


class Forgetful(Right):
    """Copies start anew, as with EzPickle."""

    def __deepcopy__(self, memo: Any) -> "Forgetful":
        other = type(self)()
        other.reset(seed=0)
        return other


class Leaky(Right):
    """`reset` keeps something of the last episode."""

    old = 0

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed, options)
        self.old = self.scores["player_0"] = self.old + 1


class Moody(Right):
    """Environments differ in the dead steps at the end."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Moody.made += 1
        self.mood = Moody.made

    def observe(self, agent: str) -> Any:
        return super().observe(agent) + (self.mood if self.turns == 20 else 0)


class Mute(Right):
    """`observe` does not answer for those that have left."""

    def observe(self, agent: str) -> Any:
        if agent not in self.agents:
            raise KeyError(agent)
        return super().observe(agent)


class Outside(Right):
    """What it shows at the end is outside its space."""

    def observe(self, agent: str) -> Any:
        return super().observe(agent) - (5000 if not self.agents else 0)


class Partial(Right):
    """A snapshot without the generator's state."""

    def snapshot(self) -> dict[str, Any]:
        return {"scores": self.scores, "turns": self.turns, "agents": self.agents}

    def restore(self, state: dict[str, Any]) -> None:
        self.scores, self.turns = dict(state["scores"]), state["turns"]
        self.agents = list(state["agents"])
        self.agent_selection = self.agents[self.turns % 2]
