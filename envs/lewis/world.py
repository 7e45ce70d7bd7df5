"""The rules of Lewis signaling: who knows what, what a message may be, and what it earns."""

from typing import Any

import msgspec

from babelzoo.envs.core import (
    BLOCK,
    IDLE,
    Ended,
    Event,
    Invalid,
    Legal,
    Move,
    Outcome,
    Rejected,
    World,
    explain,
    shorten,
    tables,
)
from babelzoo.envs.lewis.deal import Dealer
from babelzoo.envs.lewis.knobs import LewisConfig, Pool, Task, forms
from babelzoo.envs.lewis.tally import BOARD_ROWS, Tally
from babelzoo.envs.lewis.terms import (
    BoardRow,
    Choose,
    Feedback,
    LewisView,
    RoundEnded,
    Signal,
    Signaled,
)

__all__ = [
    "BOARD_ROWS",
    "BoardRow",
    "Choose",
    "Feedback",
    "LewisConfig",
    "LewisView",
    "LewisWorld",
    "Pool",
    "RoundEnded",
    "Signal",
    "Signaled",
    "Task",
    "forms",
]

_REASON = 300  # characters of a reason that are kept


class LewisWorld(World[LewisConfig, LewisView]):
    """One sender signals, one receiver chooses, round after round.

    Attributes:
        round: Number of rounds that have ended.
        over: Whether all have.
        sender: Who sends this round (after the end: who sent last, and so on for the rest).
        receiver: Who chooses.
        candidates: The objects, in the sender's order.
        receiver_candidates: The same in the receiver's order.
        target: The object meant.
        sent: The message; None before it is sent, or if it was refused.
        heard: What arrives of it.
        last: The last round that ended.
        tally: Uses of messages so far.
    """

    def __init__(self, config: LewisConfig) -> None:
        self.config = config
        self.pool = tables(Pool, config)
        self._dealer = tables(Dealer, config)
        self._senders = tuple(f"sender_{i}" for i in range(config.n_senders))
        self._receivers = tuple(f"receiver_{i}" for i in range(config.n_receivers))
        self._agents = self._senders + self._receivers
        self._roles = dict.fromkeys(self._senders, "sender")
        self._roles |= dict.fromkeys(self._receivers, "receiver")
        self._alone = {agent: (agent,) for agent in self._agents}
        self._ready: tuple[str, ...] = ()
        self.sent: str | None = None
        self.heard: str | None = None

    def reset(self, seed: int) -> None:
        """Start an episode."""
        self._seed = seed
        self.round = 0
        self.over = False
        self.last: RoundEnded | None = None
        self.tally = Tally(self.config.public_board)
        self._feedback: dict[str, Feedback | None] = dict.fromkeys(self._agents)
        self._begin_round()

    def possible_agents(self) -> tuple[str, ...]:
        """Senders, then receivers."""
        return self._agents

    def agents(self) -> tuple[str, ...]:
        """Everyone until the last round has ended."""
        return () if self.over else self._agents

    def ready(self) -> tuple[str, ...]:
        """The one whose turn it is."""
        return self._ready

    def view(self, agent: str) -> LewisView:
        """All that `agent` may know; only the sender knows the target before the choice."""
        config, over = self.config, self.over
        playing, legal, target, message = False, IDLE, None, None
        candidates: tuple[int, ...] = ()
        if over:
            number = config.n_rounds
        else:
            number = self.round + 1
            if agent == self.sender:
                playing, target, message = True, self.target, self.sent
                if config.sender_sees == "candidates":
                    candidates = self.candidates
                if message is None:
                    legal = self.pool.signal
            elif agent == self.receiver:
                playing, candidates, message = True, self.receiver_candidates, self.heard
                if message is not None:
                    legal = self.pool.choose
        return LewisView(
            agent,
            legal,
            self._roles[agent],
            playing,
            number,
            over,
            self.pool.task,
            self._feedback[agent],
            self.tally.board,
            candidates,
            target,
            message,
        )

    def apply(self, agent: str, move: Move) -> Outcome:
        """Send or choose. A refused move ends the round as a failure.

        After a refused message the receiver is not asked and is told only that the round failed.
        """
        if agent not in self._ready:
            raise ValueError(f"expected a move of {self._ready}, actual one of {agent!r}.")
        config, pool = self.config, self.pool
        if self.sent is not None:
            if type(move) is Choose and 0 < move.candidate <= config.n_candidates:
                return self._end_round(self.receiver_candidates[move.candidate - 1], "")
            return self._end_round(None, _refusal(move, pool.choose))
        if (
            type(move) is not Signal
            or len(move.tokens) != config.message_length
            or not pool.vocabulary.issuperset(move.tokens)
        ):
            return self._end_round(None, _refusal(move, pool.signal))
        sent = heard = "".join(move.tokens)
        if config.noise:
            heard = self._dealer.distort(sent, self._noise, self.round)
        self.sent, self.heard, self._ready = sent, heard, self._alone[self.receiver]
        return Outcome((Signaled(self.round + 1, agent, self.receiver, sent, heard),))

    def _end_round(self, choice: int | None, refused: str) -> Outcome:
        sender, receiver, target = self.sender, self.receiver, self.target
        sent, heard, number, success = self.sent, self.heard, self.round + 1, choice == self.target
        ended = self.last = RoundEnded(
            number, sender, receiver, self.candidates, target, sent, heard, choice, success
        )
        events: tuple[Event, ...] = (ended,)
        if refused:
            events = (Rejected(sender if sent is None else receiver, refused), ended)
        config, feedback = self.config, self._feedback
        told = None if config.feedback == "none" else success
        shown = target if config.feedback == "full" else None
        if sent is None or heard is None:
            feedback[sender] = Feedback(number, None, None, told, shown, refused)
            feedback[receiver] = Feedback(number, None, None, told)
        else:
            feedback[sender] = Feedback(number, sent, None, told, shown)
            feedback[receiver] = Feedback(number, heard, choice, told, shown, refused)
            self.tally.count(heard, target, success)
        self.round = number
        reward = 1.0 if success else 0.0
        rewards = {sender: reward, receiver: reward}
        if number < config.n_rounds:
            self._begin_round()
            return Outcome(events, rewards, {}, (), refused, True)
        self.over, self._ready = True, ()
        everyone: dict[str, Ended] = dict.fromkeys(self._agents, "truncated")
        return Outcome(events, rewards, everyone, (), refused, True)

    def _begin_round(self) -> None:
        if self.round % BLOCK == 0:
            self._load(self.round // BLOCK)
        sender, receiver, self.target, self.candidates, self.receiver_candidates = (
            self._dealer.deal(self._words, self.round)
        )
        self.sender, self.receiver = self._senders[sender], self._receivers[receiver]
        self.sent = self.heard = None
        self._ready = self._alone[self.sender]

    def _load(self, block: int) -> None:
        """Draw a block of rounds."""
        self._words = self._dealer.draw(self._seed, block)
        self._noise = self._dealer.draw_noise(self._seed, block)

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data; the draws follow from the seed and the round."""
        return {
            "seed": self._seed,
            "round": self.round,
            "sent": self.sent,
            "heard": self.heard,
            "last": msgspec.to_builtins(self.last),
            "feedback": {
                agent: msgspec.to_builtins(feedback) for agent, feedback in self._feedback.items()
            },
            "tally": self.tally.snapshot(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the state of a `snapshot`."""
        self._seed, self.round = state["seed"], state["round"]
        self.over = self.round == self.config.n_rounds
        self.last = msgspec.convert(state["last"], RoundEnded | None)
        self._feedback = msgspec.convert(state["feedback"], dict[str, Feedback | None])
        self.tally = Tally(self.config.public_board)
        self.tally.restore(state["tally"])
        self.round -= self.over
        self._load(self.round // BLOCK)
        self._begin_round()
        self.round = state["round"]
        self.sent, self.heard = state["sent"], state["heard"]
        if self.over:
            self._ready = ()
        elif self.sent is not None:
            self._ready = (self.receiver,)


def _refusal(move: Move, legal: Legal) -> str:
    """Why a move is refused, on one line."""
    if isinstance(move, Invalid):
        return shorten(move.reason, _REASON)
    return shorten(explain(msgspec.to_builtins(move), legal), _REASON)
