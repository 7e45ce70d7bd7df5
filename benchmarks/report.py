"""What a verb found, and how it is printed and written."""

import re
from pathlib import Path

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from babelzoo.benchmarks.tables import Table, markdown

__all__ = ["Report", "print_report", "write_report"]


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
        shown = RichTable(
            title=table.title,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1),
        )
        for place, name in enumerate(table.head):
            longest = max((len(row[0]) for row in table.rows), default=0) if place == 0 else 0
            shown.add_column(name, overflow="fold", min_width=min(longest, 30) or None)
        for row in table.rows:
            shown.add_row(*(Text(_two_lines(cell)) for cell in row))
        console.print(shown)
        if table.note:
            console.print(Text(table.note, style="dim"))
        console.print()
    for note in report.notes:
        console.print(note, markup=False, soft_wrap=True)


def _two_lines(cell: str) -> str:
    """`0.733 [0.668, 0.798]` with the interval on a line of its own, to two digits."""
    found = re.fullmatch(r"(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\](.*)", cell)
    if found is None:
        return cell
    mean, low, high, rest = found.groups()
    return f"{mean}{rest}\n[{float(low):.2f}, {float(high):.2f}]"


def write_report(report: Report, folder: Path) -> Path:
    """Write all tables as `table.md` and `table.json`."""
    page = folder / "table.md"
    page.write_text("\n".join(map(markdown, report.tables)), encoding="utf-8")
    data = msgspec.json.format(msgspec.json.encode(report.tables))
    (folder / "table.json").write_bytes(data)
    return page
