"""The uses of messages: how often each was heard for each target, how often it won, the board."""

from babelzoo.envs.lewis.terms import BoardRow

__all__ = ["BOARD_ROWS", "Tally"]

BOARD_ROWS = 50  # rows of the public board that are shown, most frequent first
_TALLIED = 4096  # pairs of message and target that are counted; the oldest message makes room


class Tally(dict[str, dict[int, list[int]]]):
    """By message and target: [uses, wins].

    Attributes:
        board: The pairs that won most, in falling order; of equals the one first there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.board: tuple[BoardRow, ...] = ()
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
            self._raise(message, target, pair[1])

    def _raise(self, message: str, target: int, wins: int) -> None:
        """Move a pair that has won once more to its place on the board."""
        board = self.board
        if len(board) == BOARD_ROWS and wins <= board[-1].count:
            return
        rows = [row for row in board if row.target != target or row.message != message]
        place = len(rows)
        while place and rows[place - 1].count < wins:
            place -= 1
        rows.insert(place, BoardRow(message, target, wins))
        self.board = tuple(rows[:BOARD_ROWS])

    def _make_room(self) -> None:
        """Forget the message that was heard first or, if there is one alone, its first target."""
        oldest, uses = next(iter(self.items()))
        gone = set(uses) if len(self) > 1 else {next(iter(uses))}
        for target in gone:
            del uses[target]
        if not uses:
            del self[oldest]
        self._pairs -= len(gone)
        self.board = tuple(
            row for row in self.board if row.message != oldest or row.target not in gone
        )

    def snapshot(self) -> dict[str, list[list[str | int]]]:
        """All counts and the board, as plain data."""
        counts: list[list[str | int]] = [
            [message, target, *pair] for message, uses in self.items() for target, pair in uses.items()
        ]
        return {"counts": counts, "board": [[r.message, r.target, r.count] for r in self.board]}

    def restore(self, state: dict[str, list[list[str | int]]]) -> None:
        """Take up a `snapshot`."""
        self.clear()
        for message, target, uses, wins in state["counts"]:
            self.setdefault(str(message), {})[int(target)] = [int(uses), int(wins)]
        self._pairs = len(state["counts"])
        self.board = tuple(
            BoardRow(str(message), int(target), int(wins)) for message, target, wins in state["board"]
        )
