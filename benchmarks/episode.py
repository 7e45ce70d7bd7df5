"""One episode: policies at one table, each in its own view."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Protocol

from babelzoo.agents import Policy, Turn, resolve
from babelzoo.envs.core import (
    BabelZooError,
    BackendError,
    ConfigError,
    Event,
    WorldEnv,
    derive_seed,
    role_of,
)

__all__ = ["Watcher", "play", "seat"]

PolicySpec = str | Policy[Any] | Callable[[str], str]


class Watcher(Protocol):
    """Sees every step of an episode; the recorder is one."""

    def before(self, env: WorldEnv) -> None:
        """The selected agent is about to act, or to be told that it has ended."""

    def after(self, env: WorldEnv) -> None:
        """Its move was carried out."""


def seat(
    policies: Mapping[str, PolicySpec], agents: list[str], game: str
) -> dict[str, Policy[Any]]:
    """Give every agent a policy of its own.

    Args:
        policies: Policies by agent (`sender_0`), role (`sender`) or pattern (`*`); the most
            exact one counts.
        agents: All agents.
        game: The game's name without version.

    Raises:
        ConfigError: An agent is left without a policy, a key fits no agent, or a policy can't
            play.
    """
    for key in policies:
        if not any(_fits(key, agent) for agent in agents):
            raise ConfigError(
                f"policy for {key!r}: expected an agent, a role or a pattern that fits one of "
                f"{', '.join(agents[:8])}."
            )
    seats: dict[str, Policy[Any]] = {}
    for agent in agents:
        keys = [key for key in policies if _fits(key, agent)]
        if not keys:
            raise ConfigError(
                f"expected a policy for {agent}, actual none: add {role_of(agent)}=NAME or *=NAME."
            )
        best = max(keys, key=lambda key: (key == agent, key == role_of(agent), len(key)))
        seats[agent] = resolve(policies[best], game)
    return seats


def _fits(key: str, agent: str) -> bool:
    return key in (agent, role_of(agent)) or fnmatchcase(agent, key)


def play(
    env: WorldEnv,
    seats: Mapping[str, Policy[Any]],
    env_seed: int,
    policy_seed: int,
    watcher: Watcher | None = None,
) -> tuple[list[Event], dict[str, float]]:
    """Play one episode to its end.

    Returns:
        All events in order, and each agent's return (undiscounted).

    Raises:
        BackendError: A policy raised; the message names it.
    """
    env.reset(seed=env_seed)
    events: list[Event] = []
    returns = dict.fromkeys(env.agents, 0.0)
    for agent in env.agents:
        policy = seats[agent]
        policy.reset(agent, env.rules(role_of(agent)), derive_seed(policy_seed, "policy", agent))
    while env.agents:
        agent = env.agent_selection
        policy = seats[agent]
        turn = _turn(env, agent, policy.view)
        ended = env.terminations[agent] or env.truncations[agent]
        if watcher is not None:
            watcher.before(env)
        try:
            action = policy.end(turn) if ended else policy.act(turn)
        except BabelZooError:
            raise
        except Exception as error:
            raise BackendError(
                f"policy {type(policy).__name__} of {agent} failed: "
                f"{type(error).__name__}: {str(error)[:200]}"
            ) from error
        if ended:
            env.step(None)
            continue
        env.play(action, policy.view)
        if env.move is None:
            continue
        outcome = env.outcome
        events += outcome.events
        for paid, reward in (outcome.rewards or {}).items():
            returns[paid] = returns.get(paid, 0.0) + reward
        if watcher is not None:
            watcher.after(env)
    return events, returns


def _turn(env: WorldEnv, agent: str, view: str) -> Turn:
    codec, seen = env.codec(view), env.view(agent)
    reward = env._cumulative_rewards[agent]
    return Turn(agent, role_of(agent), codec.observation(seen), reward, codec.info(seen))
