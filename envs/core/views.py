"""The views of a game: how Views become observations and actions become Moves.

`text` is for readers, `masked` and `flat` are for learners. All are the same game: they differ
in encoding alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from babelzoo.envs.core.config import Config
from babelzoo.envs.core.errors import ConfigError
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.legal import IDLE, Legal, PerLegal, describe, sample
from babelzoo.envs.core.numbering import (
    ENUMERATED,
    Composer,
    Enumerator,
    Mask,
    count,
    union_of_forms,
)
from babelzoo.envs.core.spaces import OpenText, TextObservation
from babelzoo.envs.core.tables import tables
from babelzoo.envs.core.text import Text
from babelzoo.envs.core.world import Move, View, role_of

__all__ = ["VIEWS", "Codec", "make_codec"]

VIEWS = ("text", "masked", "flat")

_IDLE = describe(IDLE)


class Codec(ABC):
    """Encodes Views and decodes actions for one environment. It never sees the world.

    Copies and pickles hold the unfinished moves alone; the tables are looked up again.
    """

    _made_from: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (*self._made_from, self.snapshot())

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

    def snapshot(self) -> dict[str, Any]:
        """Unfinished moves, as plain data."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a `snapshot`."""


class TextCodec(Codec):
    """The `text` view. Infos hold `rules` and `legal_actions`, a tuple of short strings."""

    def __init__(self, game: Game, config: Config, struct: bool = False) -> None:
        self._made_from = (game, config, "struct" if struct else "text", None, False)
        self._text = tables(game.text, config)
        self._forms = game.forms(config)
        self._decode = self._text.decode
        self._known = self._decode.known
        self._write = self._text.observation
        self._rules = _Rules(self._text)
        self._describe = PerLegal(describe)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return OpenText(self._text.max_observation)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return OpenText(self._text.max_action, _Draw(self._forms[role_of(agent)]))

    def observation(self, view: View) -> Any:
        return TextObservation(self._write(view))

    def move(self, action: Any, view: View) -> Move:
        if type(action) is str:  # the hash of anything else may raise
            move = self._known.get(action)
            if move is not None:
                return move
        return self._decode(action)

    def info(self, view: View) -> dict[str, Any]:
        return {"rules": self._rules[view.agent], "legal_actions": self._describe(view.legal)}

    def idle_info(self, agent: str) -> dict[str, Any]:
        return {"rules": self._rules[agent], "legal_actions": _IDLE}


class StructCodec(TextCodec):
    """For players in Python: the View itself, and any action that text or a Move can be."""

    def __init__(self, game: Game, config: Config) -> None:
        super().__init__(game, config, struct=True)

    def observation(self, view: View) -> Any:
        return view

    def info(self, view: View) -> dict[str, Any]:
        return {}


class _Rules(dict[str, str]):
    """The rules by agent, looked up as agents come."""

    def __init__(self, text: Text[Any, Any]) -> None:
        super().__init__()
        self._text = text
        self._by_role: dict[str, str] = {}

    def __missing__(self, agent: str) -> str:
        role = role_of(agent)
        if role not in self._by_role:
            self._by_role[role] = self._text.rules(role)
        rules = self[agent] = self._by_role[role]
        return rules


class _Draw:
    """Draws a move of a role that is legal in form, as JSON text."""

    def __init__(self, legal: Legal) -> None:
        self._legal = legal

    def __call__(self, rng: np.random.Generator) -> str:
        return msgspec.json.encode(sample(self._legal, rng)).decode()


class MaskedCodec(Codec):
    """The `masked` view: a vector and a mask, `Discrete` actions, spaces equal for all agents.

    Args:
        game: The game.
        config: Its config.
        roles: Roles whose moves are numbered; None for all of them and `wait`.
        compose: Whether moves are made choice by choice.
    """

    name = "masked"

    def __init__(
        self, game: Game, config: Config, roles: Iterable[str] | None, compose: bool
    ) -> None:
        roles = None if roles is None else tuple(roles)
        self._made_from = (game, config, self.name, roles, compose)
        by_role = game.forms(config)
        forms = union_of_forms(by_role, by_role if roles is None else roles, idle=roles is None)
        self._encoding = tables(game.encoding, config)
        self._features = self._encoding.features
        self._numbers: Enumerator | None = None
        self._composer: Composer | None = None
        self._prefix: dict[str, list[int]] = {}
        if compose or count(forms) > ENUMERATED:
            self._composer = Composer(forms, game.text.moves)
            self.n, self.size = self._composer.n, self._encoding.size + self._composer.prefix_size
        else:
            self._numbers = Enumerator(forms, game.text.moves)
            self.n, self.size = self._numbers.n, self._encoding.size

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        vector = spaces.Box(0, 1, (self.size,), np.float32)
        mask = spaces.Box(0, 1, (self.n,), np.int8)
        return spaces.Dict({"observation": vector, "action_mask": mask})

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(self.n)

    def observation(self, view: View) -> Any:
        if self._numbers is None:
            return {
                "observation": self._vector(view),
                "action_mask": self._mask(view.agent, view.legal),
            }
        return {
            "observation": self._features(view),
            "action_mask": self._numbers.mask(view.legal),
        }

    def move(self, action: Any, view: View) -> Move | None:
        if self._numbers is not None:
            return self._numbers.move(action, view.legal)
        assert self._composer is not None
        return self._composer.extend(action, view.legal, self._prefix.setdefault(view.agent, []))

    def info(self, view: View) -> dict[str, Any]:
        return {}

    def idle_info(self, agent: str) -> dict[str, Any]:
        return {}

    def snapshot(self) -> dict[str, Any]:
        return {agent: list(prefix) for agent, prefix in self._prefix.items() if prefix}

    def restore(self, state: dict[str, Any]) -> None:
        self._prefix = {agent: list(prefix) for agent, prefix in state.items()}

    def _vector(self, view: View) -> NDArray[np.float32]:
        features = self._features(view)
        if self._composer is None:
            return features
        prefix = self._composer.features(self._prefix.get(view.agent, []))
        return np.concatenate((features, prefix))

    def mask(self, view: View) -> Mask:
        return self._mask(view.agent, view.legal)

    def _mask(self, agent: str, legal: Legal) -> Mask:
        if self._numbers is not None:
            return self._numbers.mask(legal)
        assert self._composer is not None
        return self._composer.mask(legal, self._prefix.get(agent, []))


class FlatCodec(MaskedCodec):
    """The `flat` view: the vector alone; the mask is in the infos of every possible agent."""

    name = "flat"

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Box(0, 1, (self.size,), np.float32)

    def observation(self, view: View) -> Any:
        return self._vector(view)

    def info(self, view: View) -> dict[str, Any]:
        return {"action_mask": self._mask(view.agent, view.legal)}

    def idle_info(self, agent: str) -> dict[str, Any]:
        return {"action_mask": self._mask(agent, IDLE)}


def make_codec(
    game: Game,
    config: Config,
    view: str,
    *,
    compose: bool = False,
    roles: Iterable[str] | None = None,
) -> Codec:
    """The codec of a view; `struct` is one too, for players in Python.

    Raises:
        ConfigError: The view is unknown, or `compose` is asked of the text view.
    """
    if view in ("text", "struct"):
        if compose:
            raise ConfigError(f"expected view 'masked' or 'flat' with compose=True, actual {view!r}.")
        return TextCodec(game, config) if view == "text" else StructCodec(game, config)
    if view not in VIEWS:
        raise ConfigError(f"expected view to be one of {', '.join(VIEWS)}, actual {view!r}.")
    kind = MaskedCodec if view == "masked" else FlatCodec
    return kind(game, config, roles, compose)


def _remake(
    game: Game,
    config: Config,
    view: str,
    roles: Iterable[str] | None,
    compose: bool,
    state: dict[str, Any],
) -> Codec:
    codec = make_codec(game, config, view, compose=compose, roles=roles)
    codec.restore(state)
    return codec
