"""Who plays which agent."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from babelzoo.agents.policy import Policy
from babelzoo.agents.registry import resolve
from babelzoo.envs.core import ConfigError, role_of

__all__ = ["PolicySpec", "assigned", "seat"]

PolicySpec = str | Policy[Any] | Callable[[str], str]


def seat(
    policies: Mapping[str, PolicySpec], agents: Sequence[str], game: str
) -> dict[str, Policy[Any]]:
    """Give every agent a policy of its own.

    Args:
        policies: Policies by agent (`sender_0`), role (`sender`) or pattern (`*`); the most
            exact one counts.
        agents: All agents.
        game: The game's name without version.

    Raises:
        ConfigError: An agent is left without a policy, a key fits no agent, a policy can't
            play, or one policy object is to play several agents.
    """
    for key in policies:
        if not any(_fits(key, agent) for agent in agents):
            raise ConfigError(
                f"policy for {key!r}: expected an agent, a role or a pattern that fits one of "
                f"{', '.join(agents[:8])}."
            )
    seats: dict[str, Policy[Any]] = {}
    for agent in agents:
        policy = resolve(assigned(policies, agent), game)
        if any(policy is other for other in seats.values()):
            raise ConfigError(
                f"expected a policy of its own for {agent}, actual an object that plays another "
                "agent too: give a name, or one object for each agent."
            )
        seats[agent] = policy
    return seats


def assigned(policies: Mapping[str, PolicySpec], agent: str) -> PolicySpec:
    """The policy of `agent`: that of the most exact key.

    Raises:
        ConfigError: There is none.
    """
    keys = [key for key in policies if _fits(key, agent)]
    if not keys:
        raise ConfigError(
            f"expected a policy for {agent}, actual none: add {role_of(agent)}=NAME or *=NAME."
        )
    return policies[max(keys, key=_exactness(agent))]


def _fits(key: str, agent: str) -> bool:
    return key in (agent, role_of(agent)) or fnmatchcase(agent, key)


def _exactness(agent: str) -> Callable[[str], tuple[bool, bool, int]]:
    return lambda key: (key == agent, key == role_of(agent), len(key))
