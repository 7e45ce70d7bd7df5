"""The parallel shell: every world as a native PettingZoo parallel environment."""

from typing import Any

import msgspec
from pettingzoo import ParallelEnv

from babelzoo.envs.core.game import Game
from babelzoo.envs.core.legal import IDLE
from babelzoo.envs.core.shell import Shell
from babelzoo.envs.core.world import Invalid, Move, Outcome, View

__all__ = ["WorldParallelEnv"]

_Step = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class WorldParallelEnv(Shell, ParallelEnv[str, Any, Any]):
    """A world as a PettingZoo parallel environment.

    A step takes one action of every living agent; those of agents that are not ready are
    ignored, whatever they are. The others are applied in turn order, as in the AEC form. When
    moves are composed choice by choice, a step goes by until every ready agent's is complete.
    """

    def __init__(self, game: Game, **arguments: Any) -> None:
        super().__init__(game, **arguments)
        self.metadata["is_parallelizable"] = True
        self.outcomes: list[Outcome] = []
        self._pending: dict[str, Move] = {}
        self._rejected: dict[str, str] = {}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start an episode. `seed` starts a stream of episodes, None continues it."""
        self._start(seed)
        self.outcomes, self._pending, self._rejected = [], {}, {}
        return self._observations_and_infos(self.agents)

    def step(self, actions: dict[str, Any]) -> _Step:
        """Carry out the actions of the ready agents.

        Raises:
            ConfigError: The environment was not reset.
        """
        self._need_reset("step")
        self.outcomes = []
        rewards = dict.fromkeys(self.agents, 0.0)
        terminations = dict.fromkeys(self.agents, False)
        truncations = dict.fromkeys(self.agents, False)
        ready = self.world.ready() if self.agents else ()
        self._collect(ready, actions)
        if ready and len(self._pending) == len(ready):
            moves, self._pending = self._pending, {}
            for agent in ready:
                self._apply(agent, moves[agent], rewards, terminations, truncations)
        everyone = list(rewards)
        observations, infos = self._observations_and_infos(everyone)
        self.agents = [a for a in everyone if not (terminations[a] or truncations[a])]
        return observations, rewards, terminations, truncations, infos

    def _collect(self, ready: tuple[str, ...], actions: dict[str, Any]) -> None:
        """Decode the ready agents' actions into pending moves."""
        for agent in ready:
            if agent in self._pending:
                continue
            if agent in actions:
                move = self._codec.move(actions[agent], self.view(agent))
            else:
                move = Invalid("expected an action, actual none.")
            if move is not None:
                self._pending[agent] = move

    def _apply(
        self,
        agent: str,
        move: Move,
        rewards: dict[str, float],
        terminations: dict[str, bool],
        truncations: dict[str, bool],
    ) -> None:
        outcome = self.world.apply(agent, move)
        self.outcomes.append(outcome)
        self._rejected.pop(agent, None)
        if outcome.rejected:
            self._rejected[agent] = outcome.rejected
        for paid, reward in outcome.rewards.items():
            rewards[paid] += reward
        for ended, how in outcome.ended.items():
            (terminations if how == "terminated" else truncations)[ended] = True
            self._last_views[ended] = self.world.view(ended)
        if outcome.born:
            self._welcome(outcome)
            for born in outcome.born:
                rewards[born], terminations[born], truncations[born] = 0.0, False, False

    def view(self, agent: str) -> View:
        """All that `agent` may know now; once its move is complete, it can only wait."""
        view = super().view(agent)
        return msgspec.structs.replace(view, legal=IDLE) if agent in self._pending else view

    def _observations_and_infos(
        self, agents: list[str]
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        views = {agent: self.view(agent) for agent in agents}
        observations = {agent: self._codec.observation(view) for agent, view in views.items()}
        infos = {agent: self._codec.info(view) for agent, view in views.items()}
        for agent, reason in self._rejected.items():
            if agent in infos:
                self._codec.explain(infos[agent], reason)
        return observations, infos

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data; equal moves after `restore` give equal traces."""
        pending = {agent: msgspec.to_builtins(move) for agent, move in self._pending.items()}
        self._need_reset("snapshot")
        return self._shell_snapshot() | {"pending": pending, "rejected": dict(self._rejected)}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the state of a `snapshot` of an environment of the same config."""
        self._shell_restore(state)
        self.outcomes = []
        self._pending = {
            agent: msgspec.convert(move, self.game.moves(self.config) | Invalid)
            for agent, move in state["pending"].items()
        }
        self._rejected = dict(state["rejected"])
