"""Controls of SaveVeyru: what is won without a word, and with words of other rounds."""

from typing import Any

import msgspec

from babelzoo.agents.policy import NoKnobs, Policy, Turn
from babelzoo.agents.registry import resolve
from babelzoo.agents.scripted.saveveyru import VeyruPolicy
from babelzoo.envs.core import Config, ConfigError, Move, derive_seed, sample
from babelzoo.envs.saveveyru import Perform, Said, Stabilize, VeyruView

__all__ = ["Shuffled", "Silent"]


class Silent(VeyruPolicy[NoKnobs]):
    """Says nothing: the observer tries procedures at random, the specialist waits."""

    def observe(self, view: VeyruView) -> Move | None:
        """Any procedure."""
        forms = tuple(form for form in view.legal if form.action == "stabilize")
        kind = Perform if view.labels else Stabilize
        move: Move = msgspec.convert(sample(forms, self.rng), kind)
        return move

    def advise(self, view: VeyruView) -> Move | None:
        """Nothing."""
        return None


class ShuffledKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `shuffled`.

    Attributes:
        player: The policy that is given another round's messages.
    """

    player: str = "oracle-code"


class Shuffled(Policy[ShuffledKnobs]):
    """A control: the player is given messages of other rounds, drawn from those it got.

    `shuffled:NAME` plays as NAME in all else, so what is left of its score does not come from
    the messages.
    """

    games = ("saveveyru",)
    recalls = True
    knobs_type = ShuffledKnobs
    argument = "player"

    def __init__(self, knobs: ShuffledKnobs) -> None:
        super().__init__(knobs)
        player: Policy[Any] = resolve(knobs.player, "saveveyru")
        if player.view != "struct" or isinstance(player, Shuffled):
            raise ConfigError(
                "shuffled: expected a policy that plays saveveyru by its View, "
                f"actual {knobs.player!r}."
            )
        self._player = player
        self._heard: list[tuple[int, str]] = []
        self._given: dict[int, tuple[Any, Said]] = {}

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode."""
        super().reset(agent, rules, seed)
        self._player.reset(agent, rules, derive_seed(seed, "player"))
        self._heard, self._given = [], {}

    def act(self, turn: Turn) -> Any:
        """Act on other rounds' messages."""
        view: VeyruView = turn.observation
        log = tuple(self._given.get(id(entry), (entry, entry))[1] for entry in view.log)
        new = tuple(self._exchange(entry, view) for entry in view.new)
        shown = msgspec.structs.replace(view, log=log, new=new)
        return self._player.act(msgspec.structs.replace(turn, observation=shown))

    def _exchange(self, entry: Any, view: VeyruView) -> Any:
        """Another round's message for one of a partner; nothing when there is none yet."""
        if not isinstance(entry, Said) or entry.by == view.seat:
            return entry
        others = [text for number, text in self._heard if number != view.round]
        text = others[self.rng.integers(len(others))] if others else ""
        self._heard.append((view.round, entry.text))
        given = Said(entry.by, entry.channel, text)
        self._given[id(entry)] = entry, given  # the entry is kept, so that none has its id
        return given

    def end(self, turn: Turn) -> None:
        """Pass the last reward on."""
        self._player.end(turn)
