"""The views for readers: text, and for players in Python the View itself."""

from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces

from babelzoo.envs.core.codec import Codec
from babelzoo.envs.core.config import Config
from babelzoo.envs.core.game import Game
from babelzoo.envs.core.legal import IDLE, Legal, describe, sample
from babelzoo.envs.core.spaces import OpenText, TextObservation
from babelzoo.envs.core.tables import Memo, PerObject, tables
from babelzoo.envs.core.world import Move, View, role_of

__all__ = ["StructCodec", "TextCodec"]

_IDLE = describe(IDLE)
_AGENTS = 1024  # agents whose rules are kept at hand


class TextCodec(Codec):
    """The `text` view. Infos hold `rules` and `legal_actions`, a tuple of short strings."""

    def __init__(self, game: Game, config: Config) -> None:
        self._made_from = game, config
        self._text = tables(game.text, config)
        self._forms = game.forms(config)
        self._decode = self._text.decode
        self._known = self._decode.known
        self._write = self._text.observation
        self._rules = Memo(self._rules_of, _AGENTS)
        self._describe = PerObject(describe).of
        self._shown: View | None = None
        self._written = TextObservation()

    def _rules_of(self, agent: str) -> str:
        return self._text.rules_by_role[role_of(agent)]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A new space of texts."""
        return OpenText(self._text.max_observation)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """A new space of texts; its samples are moves that are legal in form."""
        return OpenText(self._text.max_action, _Draw(self._forms[role_of(agent)]))

    def observation(self, view: View) -> Any:
        """The View as text; the last one is kept, since recorders ask again for it."""
        if view is not self._shown:
            self._shown, self._written = view, TextObservation(self._write(view))
        return self._written

    def move(self, action: Any, view: View) -> Move:
        """The move that a text, or a Move built in Python, is."""
        if type(action) is str:  # the hash of anything else may raise
            move = self._known.get(action)
            if move is not None:
                return move
        return self._decode(action)

    def info(self, view: View) -> dict[str, Any]:
        """Rules and legal actions; for players in Python nothing."""
        return {"rules": self._rules[view.agent], "legal_actions": self._describe(view.legal)}

    def idle_info(self, agent: str) -> dict[str, Any]:
        """The same for an agent that can only wait."""
        return {"rules": self._rules[agent], "legal_actions": _IDLE}

    def renew(self, infos: dict[str, dict[str, Any]], acted: str, turn: View | None) -> None:
        """Put in fresh infos for who acted and for whose turn it is now."""
        rules = self._rules
        if acted in infos:
            infos[acted] = {"rules": rules[acted], "legal_actions": _IDLE}
        if turn is not None:
            agent, legal = turn.agent, self._describe(turn.legal)
            infos[agent] = {"rules": rules[agent], "legal_actions": legal}

    def explain(self, info: dict[str, Any], reason: str) -> None:
        """Put in why the agent's last move was refused."""
        info["rejected"] = reason


class StructCodec(TextCodec):
    """For players in Python: the View itself, and any action that text or a Move can be."""

    def observation(self, view: View) -> Any:
        """The View as text, or the View itself."""
        return view

    def info(self, view: View) -> dict[str, Any]:
        """Rules and legal actions; for players in Python nothing."""
        return {}


class _Draw:
    """Draws a move of a role that is legal in form, as JSON text."""

    def __init__(self, legal: Legal) -> None:
        self._legal = legal

    def __call__(self, rng: np.random.Generator) -> str:
        return msgspec.json.encode(sample(self._legal, rng)).decode()
