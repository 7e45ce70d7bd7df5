"""The rules of Lewis signaling: who knows what, what a message may be, and what it earns."""

from collections.abc import Iterator
from math import prod
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from babelzoo.envs.core import (
    BLOCK,
    IDLE,
    Choice,
    Config,
    Event,
    Form,
    Invalid,
    Legal,
    Move,
    Outcome,
    Rejected,
    Sequence,
    Tables,
    View,
    World,
    explain,
    shorten,
    stream,
    tables,
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

BOARD_ROWS = 50  # rows of the public board that are shown, most frequent first
_TALLIED = 4096  # messages whose uses are counted; the oldest make room
_MAX_POOL = 65_536
_ROWS = np.arange(BLOCK)
_REASON = 300  # characters of a reason that are kept


class LewisConfig(Config, frozen=True, kw_only=True):
    """The knobs of `lewis-v0`; the package's page explains them."""

    features: dict[str, tuple[str, ...]] = msgspec.field(
        default_factory=lambda: {
            "color": ("red", "blue"),
            "shape": ("circle", "square"),
            "size": ("small", "large"),
        }
    )
    n_candidates: Annotated[int, Meta(ge=2)] = 4
    vocab_size: Annotated[int, Meta(ge=1, le=26)] = 3
    message_length: Annotated[int, Meta(ge=1, le=16)] = 3
    n_rounds: Annotated[int, Meta(ge=1)] = 200
    candidate_order: Literal["independent", "shared"] = "independent"
    sender_sees: Literal["candidates", "target"] = "candidates"
    feedback: Literal["full", "outcome", "none"] = "full"
    public_board: bool = False
    noise: Annotated[float, Meta(ge=0, le=1)] = 0.0
    n_senders: Annotated[int, Meta(ge=1)] = 1
    n_receivers: Annotated[int, Meta(ge=1)] = 1

    def __post_init__(self) -> None:
        for complaint in self._complaints():
            raise ValueError(complaint)

    def _complaints(self) -> Iterator[str]:
        for name, values in self.features.items():
            if len(values) < 2 or len(set(values)) < len(values):
                yield f"knob 'features': expected 2 or more different values of {name!r}."
            for word in (name, *values):
                if not word.isprintable() or not word or len(word) > 32 or set(word) & set(' "\\'):
                    yield (
                        "knob 'features': expected words of 1 to 32 printable characters without "
                        f"spaces and quotes, actual {shorten(word, 40)!r}."
                    )
        size = prod(len(values) for values in self.features.values())
        if not self.features or size > _MAX_POOL:
            yield (
                "knob 'features': expected 1 or more features and at most "
                f"{_MAX_POOL} objects, actual {len(self.features)} and {size}."
            )
        if self.n_candidates > size:
            yield (
                f"knob 'n_candidates': expected at most {size}, the number of objects, "
                f"actual {self.n_candidates}."
            )
        if self.noise and self.vocab_size == 1:
            yield "knob 'noise': expected 0 with vocab_size=1, since no other token exists."


class Signal(Move, frozen=True, tag="signal"):
    """The sender's message."""

    tokens: tuple[str, ...]


class Choose(Move, frozen=True, tag="choose"):
    """The receiver's choice: a candidate's number, from 1."""

    candidate: int


class Signaled(Event, frozen=True, tag="signaled"):
    """A message went out; `heard` differs from `sent` by the channel's noise."""

    round: int
    sender: str
    receiver: str
    sent: str
    heard: str


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """One round, whole.

    Attributes:
        round: Its number, from 1.
        sender: Who sent.
        receiver: Who chose.
        candidates: The objects, in the sender's order.
        target: The object meant.
        sent: The message as sent; None if it was refused.
        heard: The message as received; None if there was none.
        choice: The object chosen; None if none was.
        success: Whether the choice was the target.
    """

    round: int
    sender: str
    receiver: str
    candidates: tuple[int, ...]
    target: int
    sent: str | None
    heard: str | None
    choice: int | None
    success: bool


class Task(msgspec.Struct, frozen=True):
    """What stays the same for a whole episode."""

    features: dict[str, tuple[str, ...]]
    n_objects: int
    n_candidates: int
    n_rounds: int
    vocabulary: tuple[str, ...]
    message_length: int
    sender_sees: str
    candidate_order: str


class Feedback(msgspec.Struct, frozen=True, gc=False):
    """What an agent learns of the last round in which it took part.

    Attributes:
        round: The round's number.
        message: What it sent or heard; None if no message went out.
        choice: The object it chose (receiver only).
        success: The outcome; None when it isn't told.
        target: The true target; None when it isn't told.
        refused: Why its own move was refused; empty otherwise.
    """

    round: int
    message: str | None = None
    choice: int | None = None
    success: bool | None = None
    target: int | None = None
    refused: str = ""


class BoardRow(msgspec.Struct, frozen=True, gc=False):
    """One row of the public board: how often a message won with an object as target."""

    message: str
    target: int
    count: int


class LewisView(View, frozen=True):
    """All that one agent may know.

    Attributes:
        agent: Whose View it is.
        legal: What it may do now.
        role: `sender` or `receiver`.
        playing: Whether it takes part in this round.
        round: Number of the round, from 1.
        over: Whether the game is over.
        task: What stays the same.
        feedback: Of the last round in which it took part.
        board: The public board; None when it is off.
        candidates: Object ids in the agent's own order, none when it may not see them.
        target: The object meant (sender only).
        message: What it sent or heard this round.
    """

    role: str
    playing: bool
    round: int
    over: bool
    task: Task
    feedback: Feedback | None
    board: tuple[BoardRow, ...] | None
    candidates: tuple[int, ...]
    target: int | None
    message: str | None


class Pool(Tables[LewisConfig]):
    """The object pool: the product of the features, numbered in product order.

    Attributes:
        size: Number of objects.
        names: Their names, the values joined by spaces.
        codes: Their values' positions, shape (size, n_features).
        task: What stays the same for a whole episode.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        values = list(config.features.values())
        shape = [len(column) for column in values]
        self.size = prod(shape)
        self.codes = np.stack(np.unravel_index(np.arange(self.size), shape), axis=1)
        self.names = [
            " ".join(column[code] for column, code in zip(values, row, strict=True))
            for row in self.codes.tolist()
        ]
        vocabulary = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: config.vocab_size])
        self.vocabulary = frozenset(vocabulary)
        self.signal: Legal = (
            Form("signal", {"tokens": Sequence(vocabulary, config.message_length)}),
        )
        numbers = tuple(range(1, config.n_candidates + 1))
        self.choose: Legal = (Form("choose", {"candidate": Choice(numbers)}),)
        self.task = Task(
            features=config.features,
            n_objects=self.size,
            n_candidates=config.n_candidates,
            n_rounds=config.n_rounds,
            vocabulary=vocabulary,
            message_length=config.message_length,
            sender_sees=config.sender_sees,
            candidate_order=config.candidate_order,
        )


def forms(config: LewisConfig) -> dict[str, Legal]:
    """The moves of each role that are legal in form."""
    pool = tables(Pool, config)
    return {"sender": pool.signal, "receiver": pool.choose}


class _Deal(msgspec.Struct):
    """The draws of one block of rounds.

    Row r is round `block * BLOCK + r`: the target's place, the sender, the receiver, then the
    candidates in the sender's and in the receiver's order.
    """

    block: int
    rows: NDArray[np.uint16]


class LewisWorld(World[LewisConfig, LewisView]):
    """One sender signals, one receiver chooses, round after round.

    The draws depend on the seed, the object pool and the number of candidates alone, never on
    the channel or on what agents do, so that conditions which differ in capacity are paired.
    """

    def __init__(self, config: LewisConfig) -> None:
        self.config = config
        self.pool = tables(Pool, config)
        self._senders = tuple(f"sender_{i}" for i in range(config.n_senders))
        self._receivers = tuple(f"receiver_{i}" for i in range(config.n_receivers))
        self._agents = self._senders + self._receivers
        self._roles = {agent: agent.rpartition("_")[0] for agent in self._agents}

    def reset(self, seed: int) -> None:
        """Start an episode."""
        self._seed = seed
        self.round = 0
        self.over = False
        self.last: RoundEnded | None = None
        self.tally: dict[str, dict[int, list[int]]] = {}
        self._feedback: dict[str, Feedback | None] = dict.fromkeys(self._agents)
        self._board: tuple[BoardRow, ...] | None = () if self.config.public_board else None
        self._deal = self._draw(0)
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
        config = self.config
        candidates: tuple[int, ...] = ()
        target = message = None
        playing = not self.over and (agent == self.sender or agent == self.receiver)
        legal = IDLE
        if playing:
            if agent == self.sender:
                target, message = self.target, self.sent
                if config.sender_sees == "candidates":
                    candidates = self.candidates
                if message is None:
                    legal = self.pool.signal
            else:
                candidates, message = self.receiver_candidates, self.heard
                if message is not None:
                    legal = self.pool.choose
        return LewisView(
            agent,
            legal,
            self._roles[agent],
            playing,
            min(self.round + 1, config.n_rounds),
            self.over,
            self.pool.task,
            self._feedback[agent],
            self._board,
            candidates,
            target,
            message,
        )

    def apply(self, agent: str, move: Move) -> Outcome:
        """Send or choose. A refused move ends the round as a failure.

        After a refused message the receiver is not asked and is told only that the round failed.
        """
        if self._ready != (agent,):
            raise ValueError(f"expected a move of {self._ready}, actual one of {agent!r}.")
        if self.sent is None:
            if (
                type(move) is Signal
                and len(move.tokens) == self.config.message_length
                and self.pool.vocabulary.issuperset(move.tokens)
            ):
                return self._signal("".join(move.tokens))
            return self._end_round(None, _refusal(move, self.pool.signal))
        if type(move) is Choose and 0 < move.candidate <= self.config.n_candidates:
            return self._end_round(self.receiver_candidates[move.candidate - 1], "")
        return self._end_round(None, _refusal(move, self.pool.choose))

    def _signal(self, sent: str) -> Outcome:
        heard = self._through_noise(sent) if self.config.noise else sent
        self.sent, self.heard = sent, heard
        self._ready = (self.receiver,)
        return Outcome((Signaled(self.round + 1, self.sender, self.receiver, sent, heard),))

    def _end_round(self, choice: int | None, refused: str) -> Outcome:
        success = choice == self.target
        number, sender, receiver = self.round + 1, self.sender, self.receiver
        ended = self.last = RoundEnded(
            number,
            sender,
            receiver,
            self.candidates,
            self.target,
            self.sent,
            self.heard,
            choice,
            success,
        )
        events: tuple[Event, ...] = (ended,)
        if refused:
            offender = sender if self.sent is None else receiver
            events = (Rejected(offender, refused), ended)
        self._tell(choice, success, refused)
        if self.heard is not None:
            self._count(self.heard, success)
        reward = 1.0 if success else 0.0
        outcome = Outcome(events, {sender: reward, receiver: reward}, {}, (), refused, True)
        self.round = number
        if number == self.config.n_rounds:
            self.over = True
            self._ready = ()
            outcome.ended = dict.fromkeys(self._agents, "truncated")
        else:
            self._begin_round()
        return outcome

    def _tell(self, choice: int | None, success: bool, refused: str) -> None:
        """Give both players the feedback that the config grants."""
        mode, number = self.config.feedback, self.round + 1
        told = None if mode == "none" else success
        target = self.target if mode == "full" else None
        at_sender = refused if self.sent is None else ""
        self._feedback[self.sender] = Feedback(number, self.sent, None, told, target, at_sender)
        if self.sent is None:
            self._feedback[self.receiver] = Feedback(number, None, None, told)
        else:
            self._feedback[self.receiver] = Feedback(
                number, self.heard, choice, told, target, refused
            )

    def _count(self, heard: str, success: bool) -> None:
        """Count the message's use, and renew the board when a round was won."""
        uses = self.tally.get(heard)
        if uses is None:
            if len(self.tally) >= _TALLIED:
                del self.tally[next(iter(self.tally))]
            uses = self.tally[heard] = {}
        count = uses.setdefault(self.target, [0, 0])
        count[0] += 1
        if success:
            count[1] += 1
            if self._board is not None:
                self._board = self._compile_board()

    def _compile_board(self) -> tuple[BoardRow, ...]:
        rows = [
            BoardRow(message, target, won)
            for message, uses in self.tally.items()
            for target, (_, won) in uses.items()
            if won
        ]
        rows.sort(key=lambda row: -row.count)
        return tuple(rows[:BOARD_ROWS])

    def _begin_round(self) -> None:
        block, row = divmod(self.round, BLOCK)
        deal = self._deal
        if deal.block != block:
            deal = self._deal = self._draw(block)
        place, sender, receiver, *objects = deal.rows[row].tolist()
        n = self.config.n_candidates
        self.candidates = tuple(objects[:n])
        self.receiver_candidates = tuple(objects[n:])
        self.target: int = objects[place]
        self.sender = self._senders[sender]
        self.receiver = self._receivers[receiver]
        self.sent: str | None = None
        self.heard: str | None = None
        self._ready: tuple[str, ...] = (self.sender,)

    def _draw(self, block: int) -> _Deal:
        """Draw a block of rounds: candidates, the receiver's order, the target, who plays."""
        n = self.config.n_candidates
        generator = stream(self._seed, "rounds", block)
        candidates = _draw_candidates(generator, self.pool.size, n)
        uniform = generator.random((BLOCK, n + 3))
        orders = candidates
        if self.config.candidate_order == "independent":
            orders = candidates[_ROWS[:, None], uniform[:, :n].argsort(axis=1)]
        counts = (n, self.config.n_senders, self.config.n_receivers)
        players = (uniform[:, n:] * counts).astype(np.uint16)
        return _Deal(block, np.concatenate((players, candidates, orders), axis=1))

    def _through_noise(self, sent: str) -> str:
        """Replace each token by another one with probability `noise`."""
        block, row = divmod(self.round, BLOCK)
        size, length = self.config.vocab_size, self.config.message_length
        uniform = stream(self._seed, "noise", block).random((BLOCK, 2, length))[row]
        symbols = self.pool.task.vocabulary
        heard = []
        for token, hit, which in zip(sent, *uniform.tolist(), strict=True):
            shift = 1 + int(which * (size - 1)) if hit < self.config.noise else 0
            heard.append(symbols[(ord(token) - ord("A") + shift) % size])
        return "".join(heard)

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
            "tally": [
                [message, target, *count]
                for message, uses in self.tally.items()
                for target, count in uses.items()
            ],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the state of a `snapshot`."""
        self._seed, self.round = state["seed"], state["round"]
        self.over = self.round == self.config.n_rounds
        played = self.round - self.over
        self.last = msgspec.convert(state["last"], RoundEnded | None)
        self._feedback = msgspec.convert(state["feedback"], dict[str, Feedback | None])
        self.tally = {}
        for message, target, uses, won in state["tally"]:
            self.tally.setdefault(message, {})[target] = [uses, won]
        self._board = self._compile_board() if self.config.public_board else None
        self._deal = self._draw(played // BLOCK)
        self.round = played
        self._begin_round()
        self.round = state["round"]
        self.sent, self.heard = state["sent"], state["heard"]
        if self.over:
            self._ready = ()
        elif self.sent is not None:
            self._ready = (self.receiver,)


def _draw_candidates(generator: np.random.Generator, size: int, n: int) -> NDArray[np.uint16]:
    """`n` different objects out of `size` for each round of a block, uniformly, in random order.

    Small pools are sorted by random keys; large ones take the first steps of a Fisher-Yates
    shuffle.
    """
    if size <= 64:
        return generator.random((BLOCK, size)).argsort(axis=1)[:, :n].astype(np.uint16)
    deck = np.tile(np.arange(size, dtype=np.uint16), (BLOCK, 1))
    for i in range(n):
        j = generator.integers(i, size, BLOCK)
        deck[_ROWS, i], deck[_ROWS, j] = deck[_ROWS, j], deck[_ROWS, i]
    return deck[:, :n].copy()


def _refusal(move: Move, legal: Legal) -> str:
    """Why a move is refused, on one line."""
    if isinstance(move, Invalid):
        return shorten(move.reason, _REASON)
    return shorten(explain(msgspec.to_builtins(move), legal), _REASON)
