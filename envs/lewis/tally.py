"""The uses of messages: how often each was heard for each target, how often it won, the board."""

from babelzoo.envs.lewis.terms import BoardRow

__all__ = ["BOARD_ROWS", "Tally"]

BOARD_ROWS = 50  # rows of the public board that are shown, most frequent first
_TALLIED = 4096  # pairs of message and target that are counted; the oldest message makes room


class Tally(dict[str, dict[int, list[int]]]):
    """By message and target: [uses, wins].

    Args:
        public: Whether a board is kept.

    Attributes:
        board: The pairs that won most, in falling order, of equals the one first there; None
            when none is kept.
    """

    def __init__(self, public: bool) -> None:
        super().__init__()
        self.board: tuple[BoardRow, ...] | None = () if public else None
        self._pairs = 0

    def count(self, message: str, target: int, success: bool) -> None:
        """Count one use. What it costs does not grow with the number of pairs."""
        uses = self.get(message)
        if uses is None:
            uses = self[message] = {}
        pair = uses.get(target)
        if pair is None:
            pair = uses[target] = [0, 0]
            self._pairs += 1
            if self._pairs > _TALLIED:
                self._make_room()
        pair[0] += 1
        if success:
            pair[1] += 1
            if self.board is not None:
                self.board = self._raised(self.board, message, target, pair[1])

    def _raised(
        self, board: tuple[BoardRow, ...], message: str, target: int, wins: int
    ) -> tuple[BoardRow, ...]:
        """The board after a pair has won once more."""
        if len(board) == BOARD_ROWS and wins <= board[-1].count:
            return board
        rows = [row for row in board if row.target != target or row.message != message]
        place = len(rows)
        while place and rows[place - 1].count < wins:
            place -= 1
        rows.insert(place, BoardRow(message, target, wins))
        return tuple(rows[:BOARD_ROWS])

    def _make_room(self) -> None:
        """Forget the message that was heard first or, if there is one alone, its first target."""
        oldest, uses = next(iter(self.items()))
        gone = set(uses) if len(self) > 1 else {next(iter(uses))}
        for target in gone:
            del uses[target]
        if not uses:
            del self[oldest]
        self._pairs -= len(gone)
        if self.board is not None:
            self.board = tuple(
                row for row in self.board if row.message != oldest or row.target not in gone
            )

    def snapshot(self) -> dict[str, list[list[str | int]]]:
        """All counts and the board, as plain data."""
        counts: list[list[str | int]] = [
            [message, target, *pair]
            for message, uses in self.items()
            for target, pair in uses.items()
        ]
        rows: list[list[str | int]] = [
            [row.message, row.target, row.count] for row in self.board or ()
        ]
        return {"counts": counts, "board": rows}

    def restore(self, state: dict[str, list[list[str | int]]]) -> None:
        """Take up a `snapshot`."""
        self.clear()
        for message, target, uses, wins in state["counts"]:
            self.setdefault(str(message), {})[int(target)] = [int(uses), int(wins)]
        self._pairs = len(state["counts"])
        if self.board is not None:
            self.board = tuple(
                BoardRow(str(message), int(target), int(wins))
                for message, target, wins in state["board"]
            )
