"""Lewis signaling in words: the rules, a View as text, and what a person would type."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from operator import getitem
from typing import Any

from babelzoo.envs.core import Memo, Move, Text, Wait, quote, role_of, tables
from babelzoo.envs.lewis.world import (
    BOARD_ROWS,
    BoardRow,
    Choose,
    Feedback,
    LewisConfig,
    LewisView,
    LewisWorld,
    Pool,
    Signal,
)

__all__ = ["LewisText"]

_OUTCOME = {None: "", True: " Success.", False: " Failure."}
_AWAITED = "none yet. Wait for the sender."
_LINES = 256  # lines that are kept for each place in a list
_KEPT = 8192  # candidates in lists that are kept
_FEEDBACK = {
    "full": "Both learn whether the choice was right, and what the target was.",
    "outcome": "Both learn whether the choice was right.",
    "none": "Neither is told whether the choice was right.",
}


@cache
def _template() -> str:
    return files("babelzoo.envs.lewis").joinpath("rules.md").read_text(encoding="utf-8")


class LewisText(Text[LewisConfig, LewisView]):
    """Words for one config.

    A message is written `{"action":"signal","tokens":["A","B","A"]}`, `ABA` or `A B A`; a choice
    `{"action":"choose","candidate":2}` or `2`.
    """

    moves = Signal | Choose | Wait

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        pool = self._pool = tables(Pool, config)
        example = [
            pool.task.vocabulary[i % config.vocab_size] for i in range(config.message_length)
        ]
        self._example = "".join(example)
        listed = ",".join(f'"{token}"' for token in example)
        self._json = f'{{"action":"signal","tokens":[{listed}]}}'
        self.hint = f'{self._example} or {self._json}, or 2 or {{"action":"choose","candidate":2}}'
        self.max_action = 256 + 16 * config.message_length
        longest = max(map(len, pool.names))
        board = BOARD_ROWS * (longest + config.message_length + 24) if config.public_board else 0
        self.max_observation = 2000 + (config.n_candidates + 4) * (longest + 16) + board
        self._heads = Memo(self._head, _LINES)
        self._lines = [Memo(self._line(n), _LINES) for n in range(1, config.n_candidates + 1)]
        self._lists = Memo(self._list, _KEPT // config.n_candidates)
        self._results = {
            success: Memo(self._result(outcome), _LINES) for success, outcome in _OUTCOME.items()
        }
        self._places = [f" (candidate {n})" for n in range(1, config.n_candidates + 1)]

    def _head(self, agent: str) -> str:
        role = role_of(agent)
        config, vocabulary = self.config, " ".join(self._pool.task.vocabulary)
        task = {
            "sender": "send a message from which the receiver can tell the target.",
            "receiver": "choose the candidate that the sender's message means.",
        }[role]
        return (
            f" of {config.n_rounds}. You are {agent}.\n"
            f"Task: {task}\n"
            f"Vocabulary: {vocabulary}; a message has exactly {_tokens(config.message_length)}.\n"
            "Last round you played: "
        )

    def rules(self, role: str) -> str:
        """The rules as `role` reads them."""
        config, pool = self.config, self._pool
        features = "\n".join(f"- {name}: {', '.join(v)}" for name, v in config.features.items())
        sees_all = config.sender_sees == "candidates"
        shared = config.candidate_order == "shared"
        send = f"As the sender, answer with your message, such as {self._example}, or {self._json}."
        choose = (
            "As the receiver, answer with the number of your choice, such as 2, or "
            '{"action":"choose","candidate":2}.'
        )
        many = config.n_senders * config.n_receivers > 1
        return (
            _template()
            .format(
                role=role,
                n_objects=pool.size,
                features=features,
                n_rounds=config.n_rounds,
                n_candidates=config.n_candidates,
                knows="The sender sees them all and knows which it is."
                if sees_all
                else "The sender sees the target alone.",
                message_length=config.message_length,
                tokens="token" if config.message_length == 1 else "tokens",
                vocabulary=" ".join(pool.task.vocabulary),
                noise=f"On the way, each token is replaced by another one with probability "
                f"{config.noise:g}."
                if config.noise
                else "It arrives as it was sent.",
                order=", in the same order as the sender,"
                if shared
                else ", in an order of its own,",
                feedback=_FEEDBACK[config.feedback],
                players=f"There are {config.n_senders} senders and {config.n_receivers} receivers. "
                "Each round one of each is drawn; the others sit out.\n"
                if many
                else "",
                board="A public board shows to all how often each message won with each object as "
                "the target.\n"
                if config.public_board
                else "",
                capacity=config.vocab_size**config.message_length,
                action=send if role == "sender" else choose,
            )
            .strip()
        )

    def observation(self, view: LewisView) -> str:
        """A View as text: round, task, channel, feedback, board, candidates, target or message."""
        told, role, candidates = view.feedback, view.role, view.candidates
        if told is None:
            last = "none yet."
        elif told.refused:
            last = f"round {told.round}, {self._refusal(told, role)}"
        else:
            result = self._results[told.success][told.target]
            if told.choice is not None:
                chosen = self._pool.names[told.choice]
                last = f"round {told.round}, you heard {told.message} and chose {chosen}.{result}"
            elif told.message is None:
                last = f"round {told.round}, no message came.{result}"
            else:
                last = f"round {told.round}, you sent {told.message}.{result}"
        if view.board is not None:
            last = f"{last}\n{self._board(view.board)}"
        return (
            f"Round {view.round}{self._heads[view.agent]}{last}\n"
            f"{self._lists[candidates]}{self._known(view, candidates)}"
        )

    def _known(self, view: LewisView, candidates: tuple[int, ...]) -> str:
        """What the agent knows of the target and the message."""
        if not view.playing:
            return "The game is over." if view.over else "You sit this round out."
        target, message = view.target, view.message
        if target is None:
            return f"Message: {message or _AWAITED}"
        place = self._places[candidates.index(target)] if candidates else ""
        sent = "" if message is None else f"\nYour message: {message}. Wait for the receiver."
        return f"Target: {self._pool.names[target]}{place}{sent}"

    def _line(self, number: int) -> Callable[[int], str]:
        return lambda candidate: f"{number}. {self._pool.names[candidate]}\n"

    def _list(self, candidates: tuple[int, ...]) -> str:
        if not candidates:
            return ""
        return f"Candidates:\n{''.join(map(getitem, self._lines, candidates))}"

    def _refusal(self, told: Feedback, role: str) -> str:
        what = "message" if role == "sender" else "choice"
        result = self._results[told.success][told.target]
        return f"your {what} was refused: {quote(told.refused)}.{result}"

    def _result(self, outcome: str) -> Callable[[int | None], str]:
        def told(target: int | None) -> str:
            truth = "" if target is None else f" The target was {self._pool.names[target]}."
            return outcome + truth

        return told

    def _board(self, board: tuple[BoardRow, ...]) -> str:
        names = self._pool.names
        rows = [f"\n{row.message}: {names[row.target]}, {row.count} won" for row in board]
        return f"Public board:{''.join(rows) or ' nothing won yet.'}"

    def shorthand(self, text: str) -> Move | None:
        """`ABA` or `A B A` is a message, `2` a choice."""
        if text.isascii():
            if text.isdigit() and len(text) <= 9:
                return Choose(int(text))
            tokens = text.split() if " " in text else list(text)
            if tokens and all(len(token) == 1 and token.isupper() for token in tokens):
                return Signal(tuple(tokens))
        return None

    def ansi(self, world: Any) -> str:
        """The round and the last one's result, for a person who watches."""
        assert isinstance(world, LewisWorld)
        names = self._pool.names
        lines = [f"Round {min(world.round + 1, self.config.n_rounds)} of {self.config.n_rounds}"]
        last = world.last
        if last is not None:
            choice = "nothing" if last.choice is None else names[last.choice]
            result = "success" if last.success else "failure"
            lines.append(
                f"last: {names[last.target]} -> {last.heard or '(refused)'} -> {choice}: {result}"
            )
        if world.over:
            lines.append("The game is over.")
        else:
            lines.append(f"candidates: {', '.join(names[c] for c in world.candidates)}")
            lines.append(f"target: {names[world.target]}")
            lines.append(f"{world.sender} -> {world.receiver}: {world.heard or '...'}")
        return "\n".join(lines) + "\n"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count} tokens"
