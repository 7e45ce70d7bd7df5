"""Figures of a suite's results, in the papers' layouts."""

from babelzoo.benchmarks.plots.lewis import capacity_figure, learning_figure, memory_figure
from babelzoo.benchmarks.plots.saveveyru import rounds_figure, transmission_figure
from babelzoo.benchmarks.plots.style import save_figure

__all__ = [
    "capacity_figure",
    "learning_figure",
    "memory_figure",
    "rounds_figure",
    "save_figure",
    "transmission_figure",
]
