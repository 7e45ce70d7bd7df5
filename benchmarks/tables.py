"""Tables of a suite's results: cells, the paper's figures, chance, contrasts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec

import msgspec
import numpy as np

from babelzoo.benchmarks.measures import MEASURES
from babelzoo.benchmarks.metrics import Spread, random_code_baselines
from babelzoo.benchmarks.rundir import Result
from babelzoo.benchmarks.statistics import Estimate, holm, mean_interval, permutation_test
from babelzoo.benchmarks.suite import Setting, Suite
from babelzoo.envs.core import ConfigError, find_game, tables
from babelzoo.envs.lewis import LewisConfig, Pool

__all__ = ["Table", "by_condition", "estimate", "markdown", "summary_table", "tables_of"]


class Table(msgspec.Struct, frozen=True):
    """A table as text.

    Attributes:
        title: What it shows.
        head: Names of the columns.
        rows: Cells, one text a column.
        note: What a reader must know.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def estimate(values: Iterable[float | None]) -> Estimate:
    """Mean and 95 % interval of a measure over episodes; undefined values are counted.

    Without the extra `analysis` there is the mean alone.
    """
    numbers = [math.nan if value is None else value for value in values]
    if find_spec("scipy") is not None:
        return mean_interval(numbers)
    kept = [number for number in numbers if not math.isnan(number)]
    mean = sum(kept) / len(kept) if kept else math.nan
    reason = 'intervals need pip install "babelzoo[analysis]"'
    return Estimate(
        n=len(kept), mean=mean, low=None, high=None, method=reason, missing=len(numbers) - len(kept)
    )


def by_condition(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Results by condition, in the order in which conditions come.

    Raises:
        ConfigError: One condition holds episodes whose rules differ.
    """
    cells: dict[str, list[Result]] = {}
    for result in results:
        cells.setdefault(result.condition, []).append(result)
    for name, cell in cells.items():
        if len({result.rules for result in cell}) > 1:
            raise ConfigError(
                f"expected one set of rules in {name}, actual several, which are not pooled."
            )
    return cells


def _cell(value: Estimate) -> str:
    """`0.867 [0.81, 0.92]`, or the mean alone where there is no interval."""
    if math.isnan(value.mean):
        return "–"
    missing = f" ({value.missing} undefined)" if value.missing else ""
    if value.low is None or value.high is None:
        return f"{_number(value.mean)}{missing}"
    return f"{_number(value.mean)} [{_number(value.low)}, {_number(value.high)}]{missing}"


def _number(value: float) -> str:
    """Three digits after the point; never a minus before zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def summary_table(title: str, results: Sequence[Result], measures: Sequence[str]) -> Table:
    """One row a condition: episodes, distinct seeds and plays, then the measures."""
    rows = []
    for name, cell in by_condition(results).items():
        counts = (
            len(cell),
            len({result.env_seed for result in cell}),
            len({result.trajectory for result in cell}),
        )
        values = [_cell(estimate(r.measures.get(m) for r in cell)) for m in measures]
        rows.append((name, "/".join(map(str, counts)), *values))
    head = ("condition", "n/seeds/plays", *(MEASURES[m].title for m in measures))
    note = (
        "Mean over episodes with its 95 % interval: Student t below 20 episodes, BCa bootstrap "
        "from 20, none under 3 or over constant values. n counts episodes, seeds distinct env "
        "seeds, plays distinct trajectories."
    )
    if "context_coded" in measures:
        note += (
            " In context-coded runs the pair signals by the candidates and not by the object; "
            "there TopSim, MI and collision say little."
        )
    return Table(title, head, tuple(rows), note)


def tables_of(suite: Suite, results: Sequence[Result]) -> list[Table]:
    """All tables of a suite."""
    made = [summary_table(suite.title, results, suite.measures)]
    if find_spec("scipy") is None:
        return made
    cells = by_condition(results)
    if {"topsim", "best_mi"} & set(suite.measures):
        made.append(_chance_table(suite))
    if suite.paper:
        made.append(_paper_table(suite, cells))
    if suite.correlation:
        made.append(_correlation_table(suite, results))
    if suite.contrasts:
        made.append(_contrast_table(suite, cells))
    return made


def _chance_table(suite: Suite) -> Table:
    """What random injective codes score, by setting."""
    rows = [(setting.name, *_random_codes(suite, setting)) for setting in suite.settings]
    return Table(
        "Codes without structure",
        ("setting", "TopSim", "best MI (bits)"),
        tuple(rows),
        "Mean and 95 % range of 1,000 random injective codes over windows of 50 rounds. Both "
        "measures grow by chance alone, so values at different capacities compare only as excess "
        "over these.",
    )


def _random_codes(suite: Suite, setting: Setting) -> tuple[str, str]:
    config = find_game(suite.environment).configure(suite.knobs | setting.knobs)
    assert isinstance(config, LewisConfig)
    chance = random_code_baselines(
        tables(Pool, config).codes, config.vocab_size, config.message_length
    )
    return _spread(chance.topsim), _spread(chance.best_mi)


def _spread(spread: Spread) -> str:
    return spread.reason or f"{spread.mean:.3f} ({spread.low:.3f} to {spread.high:.3f})"


def _paper_table(suite: Suite, cells: Mapping[str, Sequence[Result]]) -> Table:
    """The paper's figures beside ours."""
    rows = []
    for figure in suite.paper:
        setting_name = figure.setting or suite.settings[0].name
        ours = "–"
        for setting, player in suite.cells():
            if setting.name == setting_name and player.stands_for == figure.who:
                cell = cells.get(suite.condition(setting, player), [])
                values = estimate(r.measures.get(figure.measure) for r in cell)
                ours = f"{_cell(values)}, {player.name}, n={values.n}"
        spread = "" if figure.spread is None else f" ± {figure.spread:.3f}"
        what = f"{figure.who} @ {setting_name}: {MEASURES[figure.measure].title}"
        rows.append((what, f"{figure.value:.3f}{spread}, n={figure.n}", ours))
    return Table(
        "The paper's figures beside ours",
        ("the paper's condition and measure", "paper", "ours"),
        tuple(rows),
        f"Paper: {suite.source}. {suite.differs}",
    )


def _correlation_table(suite: Suite, results: Sequence[Result]) -> Table:
    """Pearson's r of two measures over the runs of those who stand for the paper's players."""
    from scipy.stats import pearsonr

    assert suite.correlation is not None
    left, right = suite.correlation.measures
    ours = {
        suite.condition(setting, player) for setting, player in suite.cells() if player.stands_for
    }
    pairs = [(r.measures.get(left), r.measures.get(right)) for r in results if r.condition in ours]
    known = np.array([pair for pair in pairs if None not in pair], float)
    shown = "–"
    if len(known) > 3 and known.std(axis=0).all():
        found = pearsonr(*known.T)
        low, high = found.confidence_interval()
        shown = f"{found.statistic:.3f} [{low:.3f}, {high:.3f}]"
    what = f"{MEASURES[left].title} and {MEASURES[right].title}"
    return Table(
        "Correlation over runs",
        ("measures", "runs", "paper's r", "our r"),
        ((what, str(len(known)), f"{suite.correlation.paper:.2f}", shown),),
        "Pearson's r with its 95 % interval by Fisher's transformation.",
    )


def _contrast_table(suite: Suite, cells: Mapping[str, Sequence[Result]]) -> Table:
    """Contrasts, paired by seed."""
    values = [_contrast(contrast.weights, contrast.measure, cells) for contrast in suite.contrasts]
    tests = [
        permutation_test(v, np.zeros_like(v), paired=True).p_value if len(v) > 1 else math.nan
        for v in values
    ]
    known = [p for p in tests if not math.isnan(p)]
    adjusted = iter(holm(known)) if known else iter(())
    rows = [
        (
            f"{contrast.name}: {MEASURES[contrast.measure].title}",
            _cell(estimate(value)),
            str(len(value)),
            "–" if math.isnan(p) else f"{next(adjusted):.4f}",
        )
        for contrast, value, p in zip(suite.contrasts, values, tests, strict=True)
    ]
    return Table(
        "Contrasts",
        ("contrast", "difference", "pairs", "p"),
        tuple(rows),
        "Differences are taken seed by seed, since all cells of a seed share their candidates and "
        "targets. p is of the paired permutation test, Holm-corrected over this table.",
    )


def _contrast(
    weights: Mapping[str, float], measure: str, cells: Mapping[str, Sequence[Result]]
) -> list[float]:
    """The weighted sum of cells for each seed that all of them have."""
    columns = [
        {r.env_seed: r.measures.get(measure) for r in cells.get(name, ())} for name in weights
    ]
    shared = set.intersection(*map(set, columns)) if columns else set()
    sums = []
    for seed in sorted(shared):
        values = [column[seed] for column in columns]
        if None not in values:
            pairs = zip(weights.values(), values, strict=True)
            sums.append(sum(weight * value for weight, value in pairs if value is not None))
    return sums


def markdown(table: Table) -> str:
    """A table in Markdown."""
    lines = [f"## {table.title}", "", _row(table.head), _row(["---"] * len(table.head))]
    lines += [_row(row) for row in table.rows]
    if table.note:
        lines += ["", table.note]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
