"""The control of Lewis signaling whose receiver is given another round's message."""

from typing import Any

import msgspec

from babelzoo.agents.policy import Policy, Turn
from babelzoo.agents.registry import resolve
from babelzoo.agents.scripted.lewis import LewisPolicy
from babelzoo.envs.core import Config, ConfigError, derive_seed
from babelzoo.envs.lewis import Choose, LewisView, Signal

__all__ = ["Shuffled"]


class ShuffledKnobs(Config, frozen=True, kw_only=True):
    """Knobs of `shuffled`.

    Attributes:
        player: The policy whose receiver is given another round's message.
    """

    player: str = "oracle-k"


class Shuffled(LewisPolicy[ShuffledKnobs]):
    """A control: the receiver is given a message of another round, drawn from those it got.

    `shuffled:NAME` plays as NAME in all else, so what is left of its score does not come from
    the messages.
    """

    knobs_type = ShuffledKnobs
    argument = "player"

    def __init__(self, knobs: ShuffledKnobs) -> None:
        super().__init__(knobs)
        player: Policy[Any] = resolve(knobs.player, "lewis")
        if not isinstance(player, LewisPolicy) or isinstance(player, Shuffled):
            raise ConfigError(
                "shuffled: expected a policy that plays lewis by its View, "
                f"actual {knobs.player!r}."
            )
        self._player = player
        self._heard: list[str] = []
        self._given: str | None = None

    def reset(self, agent: str, rules: str, seed: int) -> None:
        """Start an episode."""
        super().reset(agent, rules, seed)
        self._player.reset(agent, rules, derive_seed(seed, "player"))
        self._heard, self._given = [], None

    def act(self, turn: Turn) -> Signal | Choose:
        """Act on another round's message, and remember it as the one that came."""
        view: LewisView = turn.observation
        if view.role == "sender":
            return self._player.act(turn)
        feedback = view.feedback
        if feedback is not None and feedback.message is not None:
            feedback = msgspec.structs.replace(feedback, message=self._given)
        assert view.message is not None
        if self._heard:
            self._given = self._heard[self.rng.integers(len(self._heard))]
        else:
            self._given = "".join(self.rng.choice(view.task.vocabulary, view.task.message_length))
        self._heard.append(view.message)
        shown = msgspec.structs.replace(view, message=self._given, feedback=feedback)
        return self._player.act(msgspec.structs.replace(turn, observation=shown))

    def end(self, turn: Turn) -> None:
        """Pass the last reward on."""
        self._player.end(turn)

    def send(self, view: LewisView) -> str:
        """As the player sends."""
        return self._player.send(view)

    def choose(self, view: LewisView) -> int:
        """As the player chooses."""
        return self._player.choose(view)
