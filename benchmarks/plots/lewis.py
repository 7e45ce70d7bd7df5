"""Figures of Lewis signaling (Talebirad et al. 2026, Figures 3 to 5)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.metrics import rolling_mean
from babelzoo.benchmarks.plots.style import new_figure, styles
from babelzoo.benchmarks.rundir import Result
from babelzoo.benchmarks.suite import Suite
from babelzoo.benchmarks.tables import by_condition, estimate
from babelzoo.envs.core import find_game
from babelzoo.envs.lewis import LewisConfig

__all__ = ["capacity_figure", "learning_figure", "memory_figure"]

_WIDTH = 15  # rounds of a rolling mean
_PANELS = ("accuracy", "topsim", "best_mi", "collision")


def _chance(suite: Suite) -> float:
    config = find_game(suite.environment).configure(suite.knobs)
    assert isinstance(config, LewisConfig)
    return 1 / config.n_candidates


def learning_figure(suite: Suite, results: Sequence[Result]) -> Any:
    """Rolling success by round: mean over episodes with a band of one standard deviation."""
    figure, axes = new_figure()
    axis = axes[0, 0]
    cells = by_condition(results)
    for name, style in styles(list(cells)).items():
        won = np.array([r.series["success"] for r in cells[name]], dtype=np.int64)
        curves = np.array([rolling_mean(run, _WIDTH) for run in won])
        curves = curves[:, _WIDTH - 1 :]
        rounds = np.arange(_WIDTH, _WIDTH + curves.shape[1])
        mean, deviation = curves.mean(axis=0), curves.std(axis=0)
        label = f"{name} (n={len(curves)})"
        axis.plot(rounds, mean, color=style["color"], linewidth=1.6, label=label)
        low, high = np.clip(mean - deviation, 0, 1), np.clip(mean + deviation, 0, 1)
        axis.fill_between(rounds, low, high, color=style["color"], alpha=0.12, linewidth=0)
    axis.axhline(_chance(suite), color="black", linestyle=":", linewidth=1, label="chance")
    axis.set(
        xlabel="round",
        ylabel=f"success, {_WIDTH}-round rolling mean ± sd",
        ylim=(0, 1.03),
        title=suite.title,
    )
    figure.legend(loc="outside right center", frameon=False)
    return figure


def capacity_figure(suite: Suite, results: Sequence[Result]) -> Any:
    """Measures by capacity with 95 % intervals, and the paper's points as hollow marks.

    Capacities stand side by side at equal distances.
    """
    shown = [measure for measure in _PANELS if measure in suite.measures]
    columns = min(2, len(shown))
    figure, axes = new_figure(columns, -(-len(shown) // columns))
    cells = by_condition(results)
    looks = styles([player.name for player in suite.players])
    ticks = sorted({setting.x for setting in suite.settings if setting.x is not None})
    for axis, measure in zip(axes.flat, shown, strict=False):
        for player in suite.players:
            points = [
                (
                    ticks.index(setting.x),
                    estimate(r.measures.get(measure) for r in cells[condition]),
                )
                for setting, other in suite.cells()
                if other is player
                and setting.x is not None
                and (condition := suite.condition(setting, player)) in cells
            ]
            points = [(x, e) for x, e in points if not np.isnan(e.mean)]
            if not points:
                continue
            x = [x for x, _ in points]
            mean = [e.mean for _, e in points]
            bars = [
                [e.mean - (e.mean if e.low is None else e.low) for _, e in points],
                [(e.mean if e.high is None else e.high) - e.mean for _, e in points],
            ]
            axis.errorbar(x, mean, yerr=bars, label=player.name, capsize=2, **looks[player.name])
            _paper_points(axis, suite, player.stands_for, measure, ticks, looks[player.name])
        if measure == "accuracy":
            axis.axhline(_chance(suite), color="black", linestyle=":", linewidth=1)
        axis.set(xlabel="capacity |V|^L", title=MEASURES[measure].title)
        axis.set_xticks(range(len(ticks)), [f"{tick:g}" for tick in ticks])
    _legend(figure, axes[0, 0])
    return figure


def memory_figure(suite: Suite, results: Sequence[Result]) -> Any:
    """Accuracy by memory length, a panel a setting; players without a length are level lines."""
    figure, axes = new_figure(len(suite.settings))
    cells = by_condition(results)
    lines = list(dict.fromkeys(player.line or player.name for player in suite.players))
    looks = styles(lines)
    ticks = sorted({player.x for player in suite.players if player.x is not None})
    for axis, setting in zip(axes.flat, suite.settings, strict=True):
        for line in lines:
            players = [player for player in suite.players if (player.line or player.name) == line]
            cell = [cells.get(suite.condition(setting, player), []) for player in players]
            shown = [estimate(r.measures["accuracy"] for r in runs) for runs in cell]
            figures = {f.who: f.value for f in suite.paper if f.setting == setting.name}
            if players[0].x is None:
                axis.axhline(shown[0].mean, label=line, color=looks[line]["color"])
                continue
            mean = [e.mean for e in shown]
            low = [e.mean if e.low is None else e.low for e in shown]
            high = [e.mean if e.high is None else e.high for e in shown]
            bars = [np.subtract(mean, low), np.subtract(high, mean)]
            x = [ticks.index(player.x) for player in players if player.x is not None]
            axis.errorbar(x, mean, yerr=bars, label=line, capsize=2, **looks[line])
            for place, player in zip(x, players, strict=True):
                if player.stands_for in figures:
                    hollow = {"linestyle": "none", "fillstyle": "none", "markersize": 10}
                    axis.plot([place], [figures[player.stands_for]], **hollow, **looks[line])
        axis.axhline(_chance(suite), color="black", linestyle=":", linewidth=1)
        axis.set(xlabel="m, rounds remembered", ylim=(0, 1.03), title=setting.name)
        axis.set_xticks(range(len(ticks)), [f"{tick:g}" for tick in ticks])
    axes[0, 0].set_ylabel(MEASURES["accuracy"].title)
    _legend(figure, axes[0, 0])
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """One legend for all panels, below them."""
    figure.legend(
        *axis.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        frameon=False,
        title="lines: ours; hollow marks: the paper's language models",
    )


def _paper_points(
    axis: Any,
    suite: Suite,
    stands_for: str,
    measure: str,
    ticks: list[float],
    style: dict[str, Any],
) -> None:
    """The paper's figures of what a player stands for, as hollow marks."""
    places = {s.name: ticks.index(s.x) for s in suite.settings if s.x is not None}
    figures = [f for f in suite.paper if f.who == stands_for and f.measure == measure]
    for figure in figures if stands_for else ():
        axis.plot(
            [places[figure.setting]],
            [figure.value],
            linestyle="none",
            fillstyle="none",
            markersize=10,
            **style,
        )
