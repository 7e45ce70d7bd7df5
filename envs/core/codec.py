"""What a codec is: how Views become observations and actions become Moves in one view."""

from abc import ABC, abstractmethod
from typing import Any

from gymnasium import spaces

from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.numbering import Mask
from babelzoo.envs.core.world import Move, View

__all__ = ["Codec"]


class Codec(ABC):
    """Encodes Views and decodes actions for one environment. It never sees the world.

    Copies and pickles hold the unfinished moves alone; the tables are looked up again.
    """

    _made_from: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self._made_from, self.snapshot())

    @abstractmethod
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A new observation space."""

    @abstractmethod
    def action_space(self, agent: str) -> spaces.Space[Any]:
        """A new action space."""

    @abstractmethod
    def observation(self, view: View) -> Any:
        """What the agent observes."""

    @abstractmethod
    def move(self, action: Any, view: View) -> Move | None:
        """The move that `action` is; None while a move is still being composed."""

    def mask(self, view: View) -> Mask:
        """Which action numbers are legal: a fresh int8 array of shape (n,).

        Raises:
            ConfigError: The view's actions are no numbers.
        """
        raise ConfigError("expected view 'masked' or 'flat' for a mask, actual another one.")

    @abstractmethod
    def info(self, view: View) -> dict[str, Any]:
        """A fresh info for the agent of `view`."""

    @abstractmethod
    def idle_info(self, agent: str) -> dict[str, Any]:
        """A fresh info for `agent` while it is not its turn."""

    def renew(self, infos: dict[str, dict[str, Any]], acted: str, turn: View | None) -> None:
        """Put in fresh infos for who acted, if it still lives, and for whose turn it is now."""
        if turn is not None:
            infos[turn.agent] = self.info(turn)
            if turn.agent == acted:
                return
        if acted in infos:
            infos[acted] = self.idle_info(acted)

    def explain(self, info: dict[str, Any], reason: str) -> None:  # noqa: B027
        """Put into an info why the agent's last move was refused, where the view has words."""

    def snapshot(self) -> dict[str, Any]:
        """Unfinished moves, as plain data."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:  # noqa: B027
        """Take up a `snapshot`."""


def _remake(kind: type[Codec], made_from: tuple[Any, ...], state: dict[str, Any]) -> Codec:
    codec = kind(*made_from)
    codec.restore(state)
    return codec
