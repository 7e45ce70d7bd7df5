"""One look for all figures: colour-blind safe, quiet, and drawn without a display."""

from itertools import cycle
from pathlib import Path
from typing import Any

from babelzoo.envs.core import MissingExtra

__all__ = ["COLORS", "MARKERS", "new_figure", "save_figure"]

# Okabe and Ito's palette.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def new_figure(columns: int = 1, rows: int = 1) -> tuple[Any, Any]:
    """A figure and its axes, an array of shape (rows, columns).

    Raises:
        MissingExtra: The extra `analysis` is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("Plotting", "analysis") from error
    figure = Figure(figsize=(5.4 * columns + 2.4, 3.9 * rows), dpi=120, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25, linewidth=0.6)
    return figure, axes


def styles(names: list[str]) -> dict[str, dict[str, Any]]:
    """Colour and marker by name."""
    pairs = zip(names, cycle(COLORS), cycle(MARKERS), strict=False)
    return {name: {"color": color, "marker": marker} for name, color, marker in pairs}


def save_figure(figure: Any, path: Path) -> list[Path]:
    """Write a figure as PNG and SVG beside each other."""
    written = [path.with_suffix(".png"), path.with_suffix(".svg")]
    for target in written:
        figure.savefig(target)
    return written
