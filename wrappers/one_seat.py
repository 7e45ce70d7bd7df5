"""One agent's seat as a Gymnasium environment; policies play the others."""

from collections.abc import Mapping
from typing import Any, Protocol, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from babelzoo.envs.core import (
    ConfigError,
    Move,
    Turn,
    WorldEnv,
    derive_seed,
    make_codec,
    role_of,
    turn_of,
)

__all__ = ["OneSeat", "Partner"]


class Partner(Protocol):
    """Who plays another seat; every policy of `babelzoo.agents` does.

    Attributes:
        view: What its turns show: `text`, `masked`, `flat` or `struct`.
    """

    @property
    def view(self) -> str:
        """What its turns show."""
        ...

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode as `agent`."""

    def act(self, turn: Turn) -> Move | str | int:
        """The agent's move."""

    def end(self, turn: Turn) -> None:
        """See the last observation and reward."""


class OneSeat(gymnasium.Env[Any, Any]):
    """A game as one agent sees it.

    A step is one own move (in composed views one choice of it); then the partners move until it
    is the seat's turn again or its end. The reward is the sum of the seat's rewards in between.
    Action numbers cover the seat's own role only.

    Args:
        env: The game, in the `text` view.
        seat: The agent to be played.
        partners: Who plays the others, by agent.
        view: How the seat observes and acts: `text`, `masked` or `flat`.
        compose: Learners' views only: make each move by successive choices.

    Raises:
        ConfigError: There is no such seat, or a partner is missing.
    """

    def __init__(
        self,
        env: WorldEnv,
        seat: str,
        partners: Mapping[str, Partner],
        view: str = "flat",
        compose: bool = False,
    ) -> None:
        if seat not in env.possible_agents:
            known = ", ".join(env.possible_agents[:8])
            raise ConfigError(f"expected seat to be one of {known}, actual {seat!r}.")
        for agent in env.possible_agents:
            if agent != seat and agent not in partners:
                raise ConfigError(f"expected a partner for {agent}, actual none.")
        self.env, self.seat, self.partners = env, seat, dict(partners)
        self.metadata = env.metadata
        self.render_mode = env.render_mode
        self._text = view == "text"
        self._codec = make_codec(
            env.game, env.config, view, compose=compose, roles=(role_of(seat),)
        )
        self.observation_space = self._codec.observation_space(seat)
        self.action_space = self._codec.action_space(seat)
        self._met: set[str] = set()
        self._policy_seed = 0
        self._playing = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; `seed` starts a stream of episodes, None continues it."""
        super().reset(seed=seed)
        env_seed, self._policy_seed = self.np_random.integers(2**63, size=2).tolist()
        self._met = set()
        self._codec.restore({})
        self.env.reset(seed=env_seed)
        self._playing = True
        self._play_partners()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Carry out one action of the seat, then the partners' moves.

        Raises:
            ResetNeeded: The episode is over, or none was started.
        """
        if not self._playing:
            raise ResetNeeded("expected reset() before step(), actual no episode under way.")
        env, seat = self.env, self.seat
        if not self._ended():  # it may have ended before its first turn
            move = self._codec.move(action, env.view(seat))
            if move is None:
                return self._observation(), 0.0, False, False, self._info()
            env.step(move)
            self._play_partners()
        reward = env._cumulative_rewards[seat]
        terminated, truncated = env.terminations[seat], env.truncations[seat]
        result = self._observation(), reward, terminated, truncated, self._info()
        if terminated or truncated:
            self._playing = False
            self._dismiss()
        return result

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers are legal now, as `MaskablePPO` asks for them.

        Raises:
            ConfigError: The view is `text`, which has no numbers.
        """
        return self._codec.mask(self.env.view(self.seat)).astype(np.bool_)

    def render(self) -> Any:
        """Draw the game, as `WorldEnv.render` does."""
        return self.env.render()

    def close(self) -> None:
        """Close the window, if one is open."""
        self.env.close()

    def _ended(self) -> bool:
        return self.env.terminations[self.seat] or self.env.truncations[self.seat]

    def _observation(self) -> Any:
        observation = self._codec.observation(self.env.view(self.seat))
        return str.__str__(observation) if self._text else observation

    def _info(self) -> dict[str, Any]:
        info = self._codec.info(self.env.view(self.seat))
        if self._text and "rejected" in self.env.infos[self.seat]:
            info["rejected"] = self.env.infos[self.seat]["rejected"]
        return info

    def _play_partners(self) -> None:
        """Let the partners move until it is the seat's turn, or its end."""
        while self.env.agent_selection != self.seat:
            self._play(self.env.agent_selection)

    def _dismiss(self) -> None:
        """Take the seat out, and tell the partners that have ended with it."""
        env = self.env
        env.step(None)
        while (
            env.agents
            and (agent := env.agent_selection)
            and (env.terminations[agent] or env.truncations[agent])
        ):
            self._play(agent)

    def _play(self, agent: str) -> None:
        """One partner's turn."""
        env, partner = self.env, self.partners[agent]
        if agent not in self._met:
            self._met.add(agent)
            seed = derive_seed(self._policy_seed, "policy", agent)
            partner.reset(agent, env.rules(role_of(agent)), seed)
        turn = turn_of(env, agent, partner.view)
        if env.terminations[agent] or env.truncations[agent]:
            partner.end(turn)
            env.step(None)
        else:
            env.play(partner.act(turn), partner.view)
