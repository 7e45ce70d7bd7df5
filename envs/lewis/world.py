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
from babelzoo.envs.lewis.deal import DEALT, Deal, Dealer
from babelzoo.envs.lewis.knobs import LewisConfig, Pool, Task, forms
from babelzoo.envs.lewis.tally import BOARD_ROWS, Tally
from babelzoo.envs.lewis.terms import (
    BoardRow,
    Choose,
    Feedback,
    LewisView,
    RoundEnded,
    Signal,
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
    "Task",
    "forms",
]

_SENT = Outcome()  # a message is on its way; the round's event tells of it
_REASON = 300  # characters of a reason that are kept
_UNCOUNTED = 256  # rounds after which messages' uses are counted, asked for or not


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
    """

    def __init__(self, config: LewisConfig) -> None:
        self.config = config
        self.pool = tables(Pool, config)
        self._dealer = tables(Dealer, config)
        senders, receivers = self._dealer.senders, self._dealer.receivers
        self._agents = senders + receivers
        self._roles = dict.fromkeys(senders, "sender") | dict.fromkeys(receivers, "receiver")
        self._alone = {agent: (agent,) for agent in self._agents}
        self._sees_all = config.sender_sees == "candidates"
        self._told, self._shown = config.feedback != "none", config.feedback == "full"
        self._ready: tuple[str, ...] = ()
        self._seed = self.round = self.target = 0
        self.over = False
        self.sender = self.receiver = ""
        self.candidates: tuple[int, ...] = ()
        self.receiver_candidates: tuple[int, ...] = ()
        self.sent: str | None = None
        self.heard: str | None = None
        self.last: RoundEnded | None = None
        self._words = self._noise = b""
        self._deals: list[Deal] = []
        self._tally = Tally(config.public_board)
        self._uncounted: list[RoundEnded] = []
        self._feedback: dict[str, Feedback | None] = {}

    def reset(self, seed: int) -> None:
        """Start an episode."""
        self._seed, self.round, self.over, self.last = seed, 0, False, None
        self._tally = Tally(self.config.public_board)
        self._uncounted = []
        self._feedback = dict.fromkeys(self._agents)
        self._begin_round()

    @property
    def tally(self) -> Tally:
        """Uses of messages so far."""
        self._count()
        return self._tally

    def _count(self) -> None:
        """Count the rounds that have ended since the last time. Few ask, so it is done late."""
        for ended in self._uncounted:
            if ended.heard is not None:
                self._tally.count(ended.heard, ended.target, ended.success)
        self._uncounted.clear()

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
        over, pool, number = self.over, self.pool, self.round
        playing, legal, target, message = False, IDLE, None, None
        candidates: tuple[int, ...] = ()
        if not over:
            number += 1
            if agent == self.sender:
                playing, target, message = True, self.target, self.sent
                if self._sees_all:
                    candidates = self.candidates
                if message is None:
                    legal = pool.signal
            elif agent == self.receiver:
                playing, candidates, message = True, self.receiver_candidates, self.heard
                if message is not None:
                    legal = pool.choose
        return LewisView(
            agent,
            legal,
            self._roles[agent],
            playing,
            number,
            over,
            pool.task,
            self._feedback[agent],
            self._tally.board,
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
        sent = pool.messages[move.tokens] if type(move) is Signal else None
        if sent is None:
            return self._end_round(None, _refusal(move, pool.signal))
        heard = sent
        if config.noise:
            heard = self._dealer.distort(sent, self._noise, self.round)
        self.sent, self.heard, self._ready = sent, heard, self._alone[self.receiver]
        return _SENT

    def _end_round(self, choice: int | None, refused: str) -> Outcome:
        sender, receiver, target = self.sender, self.receiver, self.target
        sent, heard, number, success = self.sent, self.heard, self.round + 1, choice == self.target
        ended = self.last = RoundEnded(
            number, sender, receiver, self.candidates, target, sent, heard, choice, success
        )
        events: tuple[Event, ...] = (ended,)
        if refused:
            events = (Rejected(sender if sent is None else receiver, refused), ended)
        feedback = self._feedback
        told = success if self._told else None
        shown = target if self._shown else None
        if sent is None or heard is None:
            feedback[sender] = Feedback(number, None, None, told, shown, refused)
            feedback[receiver] = Feedback(number, None, None, told)
        else:
            feedback[sender] = Feedback(number, sent, None, told, shown)
            feedback[receiver] = Feedback(number, heard, choice, told, shown, refused)
            self._uncounted.append(ended)
            if self._tally.board is not None or len(self._uncounted) == _UNCOUNTED:
                self._count()
        self.round = number
        rewards = {sender: 1.0, receiver: 1.0} if success else {}
        if number < self.config.n_rounds:
            self._begin_round()
            return Outcome(events, rewards, {}, (), refused, True)
        self.over, self._ready = True, ()
        everyone: dict[str, Ended] = dict.fromkeys(self._agents, "truncated")
        return Outcome(events, rewards, everyone, (), refused, True)

    def _begin_round(self) -> None:
        place = self.round % DEALT
        if not place:
            if self.round % BLOCK == 0:
                self._draw()
            self._deals = self._dealer.deal(self._words, self.round)
        self.sender, self.receiver, self.target, self.candidates, self.receiver_candidates = (
            self._deals[place]
        )
        self.sent = self.heard = None
        self._ready = self._alone[self.sender]

    def _draw(self) -> None:
        """Draw the block of rounds around this one."""
        block = self.round // BLOCK
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
        self._tally = Tally(self.config.public_board)
        self._tally.restore(state["tally"])
        self._uncounted = []
        self.round -= self.over
        self._draw()
        self._deals = self._dealer.deal(self._words, self.round // DEALT * DEALT)
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
