"""Lewis signaling in numbers: Views and the whole state as vectors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from babelzoo.envs.core import Encoding, Memo, tables
from babelzoo.envs.lewis.world import LewisConfig, LewisView, LewisWorld, Pool

__all__ = ["LewisEncoding"]

_LISTS = 65_536  # numbers in lists of candidates that are kept
_MESSAGES = 4096  # with more messages the sender's board is left out
_FLOAT = np.dtype(np.float32)
_ROLE = {
    role: np.array(code, np.float32).tobytes()
    for role, code in {"sender": (1, 0), "receiver": (0, 1)}.items()
}


class LewisEncoding(Encoding[LewisConfig, LewisView]):
    """Vectors for one config.

    A feature vector is, in this order: role one-hot (2); target one-hot by feature; candidates
    one-hot by feature, one after another in the agent's own order; message one-hot by position.
    With the public board: the share of each message among the wins of the sender's target (when
    there are at most 4,096 messages), and for each of the receiver's candidates its share of the
    heard message's wins. What an agent may not know is zero.
    """

    def __init__(self, config: LewisConfig) -> None:
        super().__init__(config)
        pool = tables(Pool, config)
        widths = [len(values) for values in config.features.values()]
        hot = np.zeros((pool.size, sum(widths)), np.float32)
        offsets = np.cumsum([0, *widths[:-1]])
        hot[np.arange(pool.size)[:, None], offsets + pool.codes] = 1
        self._objects = [row.tobytes() for row in hot]
        no_object = bytes(hot[0].nbytes)
        self._meant = [_ROLE["sender"] + code for code in self._objects]
        self._untold = {role: code + no_object for role, code in _ROLE.items()}
        self._lists = Memo(self._list, max(1, _LISTS // (hot.shape[1] * config.n_candidates)))
        self._no_list = no_object * config.n_candidates
        symbols = np.eye(config.vocab_size, dtype=np.float32)
        self._messages = _Messages(zip(pool.task.vocabulary, map(bytes, symbols), strict=True))
        self._no_message = bytes(4 * config.vocab_size * config.message_length)
        n_messages = config.vocab_size**config.message_length
        self._n_messages = n_messages if n_messages <= _MESSAGES else 0
        self._place = {token: digit for digit, token in enumerate(pool.task.vocabulary)}
        board = (self._n_messages + config.n_candidates) if config.public_board else 0
        features, message = hot.shape[1], config.vocab_size * config.message_length
        self.size = 2 + features * (1 + config.n_candidates) + message + board
        self._shape = (self.size - board,)
        self.state_size = (
            4
            + config.n_senders
            + config.n_receivers
            + features * (1 + 2 * config.n_candidates)
            + 2 * message
            + board
        )

    def features(self, view: LewisView) -> NDArray[np.float32]:
        """A View as a fresh vector of shape (size,) within [0, 1]."""
        target, message = view.target, view.message
        data = bytearray().join(
            (
                self._untold[view.role] if target is None else self._meant[target],
                self._lists[view.candidates],
                self._no_message if message is None else self._messages[message],
            )
        )
        vector: NDArray[np.float32] = np.ndarray(self._shape, _FLOAT, data)
        if view.board is None:
            return vector
        wins = [(row.message, row.target, row.count) for row in view.board]
        return np.concatenate(
            (vector, self._board(wins, view.target, view.candidates, view.message, view.role))
        )

    def _list(self, candidates: tuple[int, ...]) -> bytes:
        return b"".join(map(self._objects.__getitem__, candidates)) or self._no_list

    def _board(
        self,
        wins: list[tuple[str, int, int]],
        target: int | None,
        candidates: tuple[int, ...],
        message: str | None,
        role: str,
    ) -> NDArray[np.float32]:
        by_message = np.zeros(self._n_messages, np.float32)
        by_candidate = np.zeros(self.config.n_candidates, np.float32)
        for won, meant, count in wins:
            if role == "sender" and self._n_messages and meant == target:
                by_message[self._number(won)] = count
            if role == "receiver" and won == message and meant in candidates:
                by_candidate[candidates.index(meant)] = count
        return np.concatenate(
            [shares / max(1, shares.sum()) for shares in (by_message, by_candidate)]
        )

    def _number(self, message: str) -> int:
        number = 0
        for token in message:
            number = number * self.config.vocab_size + self._place[token]
        return number

    def state(self, world: Any) -> NDArray[np.float32]:
        """The whole state as a vector of shape (state_size,) within [0, 1].

        In this order: phase one-hot (signal, choose, over) and share of rounds played; who
        sends and who receives, one-hot; target; both agents' candidates; message sent and heard;
        the board as both players see it.
        """
        assert isinstance(world, LewisWorld)
        config, objects = self.config, self._objects
        phase = 2 if world.over else 0 if world.sent is None else 1
        senders = [world.sender == f"sender_{i}" for i in range(config.n_senders)]
        receivers = [world.receiver == f"receiver_{i}" for i in range(config.n_receivers)]
        head = [phase == 0, phase == 1, phase == 2, world.round / config.n_rounds]
        pieces = [np.array([*head, *senders, *receivers], np.float32).tobytes()]
        pieces += [objects[world.target]]
        pieces += [objects[c] for c in (*world.candidates, *world.receiver_candidates)]
        pieces += [
            self._no_message if message is None else self._messages[message]
            for message in (world.sent, world.heard)
        ]
        vector = np.frombuffer(bytearray().join(pieces), np.float32)
        board = world.view(world.sender).board
        if board is None:
            return vector
        wins = [(row.message, row.target, row.count) for row in board]
        sender = self._board(wins, world.target, world.candidates, None, "sender")
        receiver = self._board(wins, None, world.receiver_candidates, world.heard, "receiver")
        return np.concatenate((vector, sender + receiver))


class _Messages(dict[str, bytes]):
    """Messages one-hot by position, as they are needed; made of those of the single tokens."""

    def __missing__(self, message: str) -> bytes:
        code = b"".join([self[token] for token in message])
        if len(self) < _MESSAGES:
            self[message] = code
        return code
