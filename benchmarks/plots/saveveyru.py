"""Figures of SaveVeyru, in the layout of GlossoGen's page (2026)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.plots.style import COLORS, new_figure, styles
from babelzoo.benchmarks.rundir import Result
from babelzoo.benchmarks.suite import Setting, Suite
from babelzoo.benchmarks.tables import by_condition, estimate
from babelzoo.envs.core import find_game
from babelzoo.envs.saveveyru import VeyruConfig

__all__ = ["rounds_figure", "transmission_figure"]

_ROWS = (("surprisal", "surprisal (bits a character)"), ("success", "success"))


def rounds_figure(suite: Suite, results: Sequence[Result]) -> Any:
    """Surprisal above, success below, by round: a column a player, a line a setting.

    Colour tells the budget, a dashed line that there is no postmortem. Bands are 95 % intervals
    over runs.
    """
    figure, axes = new_figure(len(suite.players), len(_ROWS))
    cells = by_condition(results)
    looks = _looks(suite)
    for column, player in zip(axes.T, suite.players, strict=True):
        for setting in suite.settings:
            runs = cells.get(suite.condition(setting, player), [])
            for axis, (name, _) in zip(column, _ROWS, strict=True):
                _band(axis, [run.series[name] for run in runs], looks[setting.name])
        rounds = (0.5, 0.5 + max(len(run.series["success"]) for run in results))
        column[0].set(title=player.name, xlim=rounds)
        column[1].set(xlabel="round", xlim=rounds, ylim=(-0.03, 1.03))
    top = max(axis.get_ylim()[1] for axis in axes[0])
    for axis in axes[0]:
        axis.set_ylim(0, top)
    for row, (_, label) in zip(axes, _ROWS, strict=True):
        row[0].set_ylabel(label)
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _looks(suite: Suite) -> dict[str, dict[str, Any]]:
    """Colour by budget and dashes by postmortem, by setting; its name is the label."""
    game = find_game(suite.environment)
    configs = {s.name: game.configure(suite.knobs | s.knobs) for s in suite.settings}
    budgets = sorted({c.budget for c in configs.values() if isinstance(c, VeyruConfig)})
    return {
        name: {
            "color": COLORS[budgets.index(config.budget) % len(COLORS)],
            "linestyle": "-" if config.postmortem else "--",
            "label": name,
        }
        for name, config in configs.items()
        if isinstance(config, VeyruConfig)
    }


def _band(axis: Any, series: Sequence[Sequence[float | None]], look: dict[str, Any]) -> None:
    """Mean by round with its 95 % interval; rounds in which no run has a value are left out."""
    if not series:
        return
    values = np.array(series, dtype=float)
    kept = [i for i in range(values.shape[1]) if not np.isnan(values[:, i]).all()]
    shown = [estimate(values[:, i]) for i in kept]
    rounds = [i + 1 for i in kept]
    axis.plot(rounds, [e.mean for e in shown], linewidth=1.6, **look)
    low = [e.mean if e.low is None else e.low for e in shown]
    high = [e.mean if e.high is None else e.high for e in shown]
    axis.fill_between(rounds, low, high, color=look["color"], alpha=0.12, linewidth=0)


def transmission_figure(suite: Suite, results: Sequence[Result]) -> Any:
    """Success after the swap by rounds of history: a panel a player.

    Thin lines are single languages, dashed lines the same pair without a swap.
    """
    measure = "success_rate"
    figure, axes = new_figure(len(suite.players))
    cells = by_condition(results)
    looks = styles([player.name for player in suite.players])
    windows = sorted((s for s in suite.settings if s.x is not None), key=lambda s: s.x or 0)
    others = [setting for setting in suite.settings if setting.x is None]
    for axis, player in zip(axes[0], suite.players, strict=True):
        look = looks[player.name]

        def runs(setting: Setting, name: str = player.name) -> list[Result]:
            return cells.get(f"{name} @ {setting.name}", [])

        x = [setting.x for setting in windows]
        languages: dict[int, list[float | None]] = {}
        for setting in windows:
            for run in runs(setting):
                languages.setdefault(run.env_seed, []).append(run.measures.get(measure))
        for values in languages.values():
            if len(values) == len(x):
                axis.plot(x, values, color="0.8", linewidth=0.6, zorder=1)
        means = [estimate(run.measures.get(measure) for run in runs(s)) for s in windows]
        bars = [
            [e.mean - (e.mean if e.low is None else e.low) for e in means],
            [(e.mean if e.high is None else e.high) - e.mean for e in means],
        ]
        axis.errorbar(x, [e.mean for e in means], yerr=bars, capsize=3, label="newcomer", **look)
        for setting, color in zip(others, ("black", "0.5"), strict=False):
            level = estimate(run.measures.get(measure) for run in runs(setting)).mean
            axis.axhline(level, color=color, linestyle="--", linewidth=1, label=setting.name)
        axis.set(xlabel="rounds of history", ylim=(-0.03, 1.03), title=player.name)
        axis.set_xticks(x, [f"{tick:g}" for tick in x])
    axes[0, 0].set_ylabel(MEASURES[measure].title)
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        frameon=False,
    )
    return figure
