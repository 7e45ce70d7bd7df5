"""What a verb found, and how it is printed and written."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from babelzoo.benchmarks.tables import Table, markdown

__all__ = ["Report", "print_report", "write_report"]


_WIDEST = 26  # characters that a column gets at least, if it needs them
_Column = tuple[str, int, list[str]]


class Report(msgspec.Struct):
    """What a verb found.

    Attributes:
        tables: Tables.
        notes: Sentences, such as where files are.
        failed: Whether what was checked is not as it should be.
    """

    tables: list[Table] = []
    notes: list[str] = []
    failed: bool = False


def print_report(report: Report) -> None:
    """Print tables and notes. An interval stands under its mean, so that more columns fit."""
    console = Console(highlight=False)
    for table in report.tables:
        for part, title in _parts(table, console.width):
            shown = RichTable(
                title=title,
                title_justify="left",
                title_style="bold",
                box=box.SIMPLE_HEAD,
                pad_edge=False,
            )
            for name, width, *_ in part:
                wide = None if width == _WIDEST else width
                shown.add_column(name, overflow="fold", min_width=width, max_width=wide)
            for row in zip(*(cells for _, _, cells in part), strict=True):
                shown.add_row(*map(Text, row))
            console.print(shown)
        if table.note:
            console.print(Text(table.note, style="dim"))
        console.print()
    for note in report.notes:
        console.print(note, markup=False, soft_wrap=True)


def _parts(table: Table, width: int) -> Iterator[tuple[list[_Column], str]]:
    """A table's columns, cut where they would leave the screen; each part has the first one."""
    columns = [
        _column(name, [_two_lines(cell) for cell in cells])
        for name, *cells in zip(table.head, *table.rows, strict=True)
    ]
    part, title = columns[:1], table.title
    for column in columns[1:]:
        if len(part) > 1 and sum(wide + 3 for _, wide, _ in (*part, column)) > width:
            yield part, title
            part, title = columns[:1], "(continued)"
        part.append(column)
    yield part, title


def _column(name: str, cells: list[str]) -> _Column:
    """A column with the width that it needs; long sentences may be folded."""
    needed = [len(line) for cell in cells for line in cell.split("\n")]
    return name, min(max([*needed, *map(len, name.split())], default=1), _WIDEST), cells


def _two_lines(cell: str) -> str:
    """`0.733 [0.668, 0.798]` with the interval on a line of its own, as `[.67, .80]`."""
    found = re.fullmatch(r"(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\](.*)", cell)
    if found is None:
        return cell
    mean, low, high, rest = found.groups()
    rounded = [f"{round(float(bound), 2) + 0.0:.2f}" for bound in (low, high)]
    short = [re.sub(r"^(-?)0\.", r"\1.", bound) for bound in rounded]
    return f"{mean}{rest}\n[{', '.join(short)}]"


def write_report(report: Report, folder: Path) -> Path:
    """Write all tables as `table.md` and `table.json`."""
    page = folder / "table.md"
    page.write_text("\n".join(map(markdown, report.tables)), encoding="utf-8")
    data = msgspec.json.format(msgspec.json.encode(report.tables))
    (folder / "table.json").write_bytes(data)
    return page
