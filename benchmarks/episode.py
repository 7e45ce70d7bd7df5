"""One episode: policies at one table, each in its own view."""

from collections.abc import Mapping
from typing import Any, Protocol

from babelzoo.agents import Policy
from babelzoo.envs.core import (
    BabelZooError,
    BackendError,
    Event,
    WorldEnv,
    derive_seed,
    role_of,
    turn_of,
)

__all__ = ["Watcher", "begin", "go_on", "play"]


class Watcher(Protocol):
    """Sees every step of an episode; the recorder is one."""

    def before(self, env: WorldEnv) -> None:
        """The selected agent is about to act, or to be told that it has ended."""

    def after(self, env: WorldEnv) -> None:
        """Its move was carried out."""


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
    for agent in env.agents:
        begin(env, seats[agent], agent, policy_seed)
    return go_on(env, seats, watcher)


def begin(env: WorldEnv, policy: Policy[Any], agent: str, policy_seed: int) -> None:
    """Seat a policy: its rules, and a seed of its own."""
    seed = derive_seed(policy_seed, "policy", agent)
    policy.reset(agent, env.rules(role_of(agent)), seed)


def go_on(
    env: WorldEnv,
    seats: Mapping[str, Policy[Any]],
    watcher: Watcher | None = None,
    until: int | None = None,
) -> tuple[list[Event], dict[str, float]]:
    """Play an episode on, to its end or until `until` rounds have ended.

    Returns:
        The events since then in order, and each agent's return (undiscounted).

    Raises:
        BackendError: A policy raised; the message names it.
    """
    events: list[Event] = []
    returns = dict.fromkeys(env.agents, 0.0)
    while env.agents and (until is None or env.world.round < until):  # type: ignore[attr-defined]
        agent = env.agent_selection
        policy = seats[agent]
        turn = turn_of(env, agent, policy.view)
        ended = env.terminations[agent] or env.truncations[agent]
        if watcher is not None:
            watcher.before(env)
        action: Any = None
        try:
            if ended:
                policy.end(turn)
            else:
                action = policy.act(turn)
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
        for paid, reward in outcome.rewards.items():
            returns[paid] = returns.get(paid, 0.0) + reward
        if watcher is not None:
            watcher.after(env)
    return events, returns
