"""What a game's text is made of: rules, observations and the reading of actions."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, Generic, TypeVar

from babelzoo.envs.core.config import Config
from babelzoo.envs.core.decoding import Decoder
from babelzoo.envs.core.tables import Memo, Tables
from babelzoo.envs.core.world import Move, View

__all__ = ["Text"]

_ROLES = 64  # roles whose rules are kept

ConfigT = TypeVar("ConfigT", bound=Config)
ViewT = TypeVar("ViewT", bound=View)


class Text(Tables[ConfigT], ABC, Generic[ConfigT, ViewT]):
    """The text side of one game under one config. It holds tables only, so games share it.

    Attributes:
        moves: The game's tagged union of moves.
        hint: How a move is written, for messages.
        max_observation: Longest observation in characters.
        max_action: Longest action in characters.
    """

    moves: Any
    hint: str
    max_observation: int
    max_action: int

    @cached_property
    def decode(self) -> Decoder:
        """The decoder of this game's actions."""
        return Decoder(self.moves, self.max_action, self.shorthand, self.hint)

    @cached_property
    def rules_by_role(self) -> Memo[str, str]:
        """The rules, written once for each role."""
        return Memo(self.rules, _ROLES)

    @abstractmethod
    def rules(self, role: str) -> str:
        """The rules as `role` reads them; the same for a whole episode."""

    @abstractmethod
    def observation(self, view: ViewT) -> str:
        """A View as text; its headings and their order are fixed."""

    @abstractmethod
    def shorthand(self, text: str) -> Move | None:
        """A move in the words that a person would type, or None."""

    @abstractmethod
    def ansi(self, world: Any) -> str:
        """The whole state as text for a person who watches."""
