"""The views for learners: vectors, masks and `Discrete` actions."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.config import Config
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.legal import IDLE, Legal
from babelzoo.envs.core.numbering import (
    ENUMERATED,
    PLAIN,
    Composer,
    Enumerator,
    Mask,
    Offer,
    count,
    union_of_forms,
)
from babelzoo.envs.core.tables import tables
from babelzoo.envs.core.world import Move, View

__all__ = ["FlatCodec", "MaskedCodec"]


class MaskedCodec(Codec):
    """The `masked` view: a vector and a mask, `Discrete` actions, spaces equal for all agents.

    Args:
        game: The game.
        config: Its config.
        roles: Roles whose moves are numbered; None for all of them and `wait`.
        compose: Whether moves are made choice by choice.
    """

    def __init__(
        self, game: Game, config: Config, roles: Iterable[str] | None, compose: bool
    ) -> None:
        roles = None if roles is None else tuple(roles)
        self._made_from = game, config, roles, compose
        by_role = game.forms(config)
        forms = union_of_forms(by_role, by_role if roles is None else roles, idle=roles is None)
        self._encoding = tables(game.encoding, config)
        self._features = self._encoding.features
        self._numbers: Enumerator | None = None
        self._offer: Callable[[Legal], Offer] | None = None
        self._kept: dict[int, tuple[Legal, Offer]] = {}
        self._composer: Composer | None = None
        self._prefix: dict[str, list[int]] = {}
        self._legal: Legal = IDLE  # of the last observation
        self._offered: Offer | None = None
        if compose or count(forms) > ENUMERATED:
            self._composer = Composer(forms, game.moves(config))
            self.n, self.size = self._composer.n, self._encoding.size + self._composer.prefix_size
        else:
            self._numbers = Enumerator(forms, game.moves(config))
            self._offer, self._kept = self._numbers.offers.of, self._numbers.offers.kept
            self.n, self.size = self._numbers.n, self._encoding.size

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A new observation space: a vector, and beside it a mask where the view has one."""
        vector = spaces.Box(0, 1, (self.size,), np.float32)
        mask = spaces.Box(0, 1, (self.n,), np.int8)
        return spaces.Dict({"observation": vector, "action_mask": mask})

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """A new `Discrete` space of all numbers."""
        return spaces.Discrete(self.n)

    def observation(self, view: View) -> Any:
        """The View's vector, and beside it the mask where the view has one."""
        if self._offer is None:
            return {"observation": self._vector(view), "action_mask": self.mask(view)}
        legal = self._legal = view.legal
        kept = self._kept.get(id(legal))  # what `_offer` does, for the common case
        offered = self._offered = self._offer(legal) if kept is None else kept[1]
        return {"observation": self._features(view), "action_mask": offered.mask.copy()}

    def move(self, action: Any, view: View) -> Move | None:
        """The move that a number stands for; None while a move is still being composed."""
        if self._offer is not None and self._numbers is not None:
            if type(action) in PLAIN:  # the hash of anything else may raise
                offered = self._offered
                if offered is None or self._legal is not view.legal:
                    offered = self._offer(view.legal)
                move = offered.moves.get(action)
                if move is not None:
                    return move
            return self._numbers.move(action, view.legal)
        assert self._composer is not None
        return self._composer.extend(action, view.legal, self._prefix.setdefault(view.agent, []))

    def info(self, view: View) -> dict[str, Any]:
        """Empty, or the mask where the observation has none."""
        return {}

    def idle_info(self, agent: str) -> dict[str, Any]:
        """The same for an agent that can only wait."""
        return {}

    def renew(self, infos: dict[str, dict[str, Any]], acted: str, turn: View | None) -> None:
        """Put in a fresh info for who acted; none but a stranger writes into one."""
        if infos.get(acted):
            infos[acted] = {}

    def snapshot(self) -> dict[str, Any]:
        """Unfinished moves by agent."""
        return {agent: list(prefix) for agent, prefix in self._prefix.items() if prefix}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up unfinished moves."""
        self._prefix = {agent: list(prefix) for agent, prefix in state.items()}

    def _vector(self, view: View) -> NDArray[np.float32]:
        features = self._features(view)
        if self._composer is None:
            return features
        prefix = self._composer.features(self._prefix.get(view.agent, []))
        return np.concatenate((features, prefix))

    def mask(self, view: View) -> Mask:
        """Which numbers are legal: a fresh int8 array of shape (n,)."""
        return self._mask(view.agent, view.legal)

    def _mask(self, agent: str, legal: Legal) -> Mask:
        if self._numbers is not None:
            return self._numbers.mask(legal)
        assert self._composer is not None
        return self._composer.mask(legal, self._prefix.get(agent, []))


class FlatCodec(MaskedCodec):
    """The `flat` view: the vector alone; the mask is in the infos of every possible agent."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A new observation space: a vector, and beside it a mask where the view has one."""
        return spaces.Box(0, 1, (self.size,), np.float32)

    def observation(self, view: View) -> Any:
        """The View's vector, and beside it the mask where the view has one."""
        return self._vector(view)

    def info(self, view: View) -> dict[str, Any]:
        """Empty, or the mask where the observation has none."""
        return {"action_mask": self._mask(view.agent, view.legal)}

    def idle_info(self, agent: str) -> dict[str, Any]:
        """The same for an agent that can only wait."""
        if self._composer is not None:
            return {"action_mask": self._composer.mask(IDLE, [])}
        return {"action_mask": self._mask(agent, IDLE)}

    renew = Codec.renew
