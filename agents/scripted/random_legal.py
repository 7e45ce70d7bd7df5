"""The policy that plays any game: a random legal move."""

import msgspec

from babelzoo.agents.policy import NoKnobs, Policy, Turn
from babelzoo.envs.core import sample

__all__ = ["RandomLegal"]


class RandomLegal(Policy[NoKnobs]):
    """Plays a legal move drawn uniformly: its kind first, then each field."""

    recalls = True

    def act(self, turn: Turn) -> str:
        """A random legal move."""
        return msgspec.json.encode(sample(turn.observation.legal, self.rng)).decode()
