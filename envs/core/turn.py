"""What a player is given when it is its turn, whatever view it plays in."""

from typing import Any

import msgspec

from babelzoo.envs.core.aec import WorldEnv
from babelzoo.envs.core.world import role_of

__all__ = ["Turn", "turn_of"]


class Turn(msgspec.Struct, frozen=True):
    """What a policy is given when it is its turn, or at the end.

    Attributes:
        agent: The agent's name.
        role: Its role, the name without the number.
        observation: What it sees, in the policy's own `view`.
        reward: Sum of its rewards since its last turn.
        info: The environment's info; for `flat` it holds the `action_mask`.
    """

    agent: str
    role: str
    observation: Any
    reward: float
    info: dict[str, Any]


def turn_of(env: WorldEnv, agent: str, view: str) -> Turn:
    """What `agent` is given now in a view (`struct` for the View itself)."""
    codec, seen = env.codec(view), env.view(agent)
    reward = env._cumulative_rewards[agent]
    return Turn(agent, role_of(agent), codec.observation(seen), reward, codec.info(seen))
