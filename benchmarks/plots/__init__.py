"""Figures of a suite's results, in the papers' layouts."""

from babelzoo.benchmarks.plots.lewis import capacity_figure, learning_figure, memory_figure
from babelzoo.benchmarks.plots.style import save_figure

__all__ = ["capacity_figure", "learning_figure", "memory_figure", "save_figure"]
