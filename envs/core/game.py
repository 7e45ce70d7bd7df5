"""A game: the descriptor that ties an environment's four files together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core.config import Config, configure
from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.legal import Legal
from babelzoo.envs.core.tables import Tables, tables
from babelzoo.envs.core.text import Text
from babelzoo.envs.core.world import View, World

__all__ = ["Encoding", "Game"]

ConfigT = TypeVar("ConfigT", bound=Config)
ViewT = TypeVar("ViewT", bound=View)


class Encoding(Tables[ConfigT], ABC, Generic[ConfigT, ViewT]):
    """The numeric side of one game under one config. It holds tables only, so games share it.

    Attributes:
        size: Length of a feature vector.
        state_size: Length of a state vector.
    """

    size: int
    state_size: int

    @abstractmethod
    def features(self, view: ViewT) -> NDArray[np.float32]:
        """A View as a fresh vector of shape (size,) within [0, 1]."""

    @abstractmethod
    def state(self, world: Any) -> NDArray[np.float32]:
        """The whole state, a superset of all Views, as a vector (state_size,) within [0, 1]."""


Recollection = tuple[int, View, bool]


def _whole(view: Any) -> list[Recollection]:
    """The View as it was, with the move."""
    return [(view.round, view, True)]


class Game(msgspec.Struct, frozen=True):
    """One environment: its id and where each of its concerns is decided.

    Attributes:
        id: Name and version, such as `lewis-v0`.
        page: The documentation page (the package's docstring).
        config: The knobs.
        world: The rules.
        view: The class of its Views.
        text: Words for learners that read.
        encoding: Numbers for learners that don't.
        drawing: Module that draws, imported only when something is drawn.
        forms: Moves by role that are legal in form, from the config alone.
        horizon: The knob that PettingZoo calls `max_cycles`.
        presets: Named settings of knobs.
        recollect: What of a View somebody may be shown who takes the seat later: rounds, Views,
            and whether the move that was made on it goes with it.
        cyclic: Whether every living agent moves once a cycle, whatever happens, and sees no
            other's move of the same cycle; PettingZoo's `is_parallelizable`.
    """

    id: str
    page: str
    config: type[Config]
    world: type[World[Any, Any]]
    view: type[View]
    text: type[Text[Any, Any]]
    encoding: type[Encoding[Any, Any]]
    drawing: str
    forms: Callable[[Any], dict[str, Legal]]
    horizon: str
    presets: dict[str, dict[str, Any]] = {}
    recollect: Callable[[Any], Iterable[Recollection]] = _whole
    cyclic: bool = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().partition("\n")[0].rstrip(".")

    def configure(self, knobs: Mapping[str, Any]) -> Config:
        """The config of `knobs`, which may also hold `preset` and `max_cycles`.

        Raises:
            ConfigError: A knob or preset is unknown, or a value is out of its range.
        """
        given = dict(knobs)
        name = given.pop("preset", None)
        if name is not None and name not in self.presets:
            known = ", ".join(self.presets) or "none"
            raise ConfigError(f"{self.id} has no preset {name!r}: known are {known}.")
        cycles = given.pop("max_cycles", None)
        if cycles is not None:
            if given.get(self.horizon, cycles) != cycles:
                raise ConfigError(
                    f"{self.id}: max_cycles={cycles} and {self.horizon}={given[self.horizon]} "
                    "name the same knob: give one of them."
                )
            given[self.horizon] = cycles
        return configure(self.config, self.presets.get(name, {}) | given, self.id)

    def moves(self, config: Config) -> Any:
        """The tagged union of the moves that there are under `config`."""
        return tables(self.text, config).moves

    def draw(self) -> Any:
        """The module that draws this game.

        Raises:
            MissingExtra: The extra `render` is not installed.
        """
        return import_module(self.drawing)
