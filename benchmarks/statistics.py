"""Means, intervals, differences and tests, as thin functions over scipy and statsmodels.

Every function takes one value per independent unit: an episode or a seed. Rounds, messages and
constructions of one run are clustered; take their mean per run first. Where data cannot carry an
interval there is none, and `Estimate.method` says why. Results depend on the multiset of values
and the seed alone: not on row order, and never on NumPy's global generator.

Everywhere, values have shape (n,); nan is dropped (with its pair) and counted in `missing`; other
shapes and infinite values raise ValueError, a confidence `level` outside (0, 1) ConfigError, and a
missing scipy or statsmodels MissingExtra; `seed`, at least 0, is that of the resampling.
"""

import importlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from babelzoo.envs.core.errors import ConfigError, MissingExtra

__all__ = [
    "Estimate",
    "PermutationTest",
    "difference",
    "holm",
    "mean_interval",
    "paired_difference",
    "permutation_test",
    "proportion_interval",
    "seeds_needed",
]

FEWEST = 3  # values for any interval
FEWEST_BOOTSTRAP = 20  # values for BCa, which covers too little below
RESAMPLES = 9_999
MOST_EXACT = 20_000  # arrangements that a permutation test enumerates
CELLS = 2_000_000  # resampled numbers in memory at once
ROUNDING = 1e-12  # spread, as a share of the largest magnitude, that is floating-point noise

Groups = tuple[NDArray[np.float64], ...]  # one, or two to subtract


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A mean or a difference of means, with an interval or the reason why there is none.

    Attributes:
        n: Values (or pairs) used; in an unpaired difference those of `a`, `n_other` those of `b`.
        mean: Mean, proportion or mean difference `a - b`; nan where no value was left.
        low: Lower bound; `low` and `high` are both None, or finite with `low < high`.
        method: "t", "Welch t", "BCa bootstrap" or "Wilson"; without an interval, the reason.
        missing: Values (or pairs) left out because they were nan.
        unshared: Keys that only one of two conditions had, so that they form no pair.
    """

    n: int
    mean: float
    method: str
    low: float | None = None
    high: float | None = None
    n_other: int | None = None
    missing: int = 0
    unshared: int = 0

    def __str__(self) -> str:
        """Returns for example `0.867 [0.81, 0.92] (n=8)`, with digits that tell bounds apart."""
        notes = [f"n={self.n}" if self.n_other is None else f"n={self.n} vs {self.n_other}"]
        notes += [f"{self.missing} missing"] if self.missing else []
        notes += [f"{self.unshared} unshared"] if self.unshared else []
        if self.low is None or self.high is None:
            return f"{self.mean:z.3f} ({', '.join(notes)}; no interval: {self.method})"
        low, high, digits = "", "", 2
        while low == high:
            low, high, digits = f"{self.low:z.{digits}f}", f"{self.high:z.{digits}f}", digits + 1
        return f"{self.mean:z.3f} [{low}, {high}] ({', '.join(notes)})"


class PermutationTest(msgspec.Struct, frozen=True, kw_only=True):
    """A two-sided permutation test of a mean difference.

    `arrangements` counts those evaluated: all there are if `exact`, else random ones. `p_value` is
    in (0, 1]; `missing` counts values (or pairs) left out because they were nan.
    """

    p_value: float
    exact: bool
    arrangements: int
    missing: int = 0


def mean_interval(values: ArrayLike, level: float = 0.95, seed: int = 0) -> Estimate:
    """Returns the mean of independent values, of shape (n,), with its interval.

    Student t for 3 to 19 values, BCa bootstrap (Efron 1987) from 20; none under 3 values and none
    over constant data, whose interval would have zero width. From some thousand values on, BCa
    takes time quadratic in n.
    """
    return _interval(*_clean(values), level, seed)


def proportion_interval(successes: int, n: int, level: float = 0.95) -> Estimate:
    """Returns the share of successes with its Wilson interval; none under 3 trials.

    Only for trials that are each their own episode: rounds of one episode are clustered, and
    Wilson over them is too narrow; give `mean_interval` their mean per episode. All successes or
    none still give an interval, because Wilson's has a width there.

    Raises:
        ValueError: Not 0 <= successes <= n, as whole numbers.
    """
    if not (0 <= successes <= n and successes % 1 == n % 1 == 0):
        raise ValueError(f"expected whole 0 <= successes <= n, actual {successes} of {n}")
    _check_level(level)
    mean = successes / n if n else math.nan
    if n < FEWEST:
        return Estimate(n=n, mean=mean, method="fewer than 3 values")
    proportion = _load("statsmodels.stats.proportion")
    low, high = proportion.proportion_confint(successes, n, alpha=1 - level, method="wilson")
    return Estimate(n=n, mean=mean, low=float(low), high=float(high), method="Wilson")


def difference(
    a: ArrayLike, b: ArrayLike, *, paired: bool, level: float = 0.95, seed: int = 0
) -> Estimate:
    """Returns the mean difference `a - b` with its interval.

    Paired: `mean_interval` over the differences. Unpaired: Welch's t where a group has fewer than
    20 values, else two-sample BCa bootstrap; none where a group has under 3 values or both are
    constant. One constant group counts as known without error, which `method` says.

    Args:
        a: Shape (n,).
        b: Shape (m,), with m = n if `paired`.
        paired: Whether position i of both is the same seed or case.
        level: Confidence level.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: `paired` groups differ in length.
    """
    groups, scale, missing = _clean(a, b, paired=paired)
    contrast = (np.sort(groups[0] - groups[1]),) if paired else groups
    return _interval(contrast, scale, missing, level, seed)


def paired_difference(
    a: Mapping[Any, float], b: Mapping[Any, float], *, level: float = 0.95, seed: int = 0
) -> Estimate:
    """Returns the mean difference `a - b` over shared keys, as `difference(paired=True)`.

    Keys, for example environment seeds, that only one side has are counted in `unshared`.
    """
    shared = [key for key in a if key in b]
    x, y = [a[key] for key in shared], [b[key] for key in shared]
    result = difference(x, y, paired=True, level=level, seed=seed)
    return msgspec.structs.replace(result, unshared=len(a) + len(b) - 2 * len(shared))


def permutation_test(a: ArrayLike, b: ArrayLike, *, paired: bool, seed: int = 0) -> PermutationTest:
    """Tests two-sided whether the labels of `a` and `b` are exchangeable, by mean difference.

    All C(n+m, n) regroupings, or all 2**n swaps within pairs, are enumerated up to 20,000; beyond,
    9,999 random ones are drawn and the observed one is counted among them. Two-sided is scipy's:
    twice the smaller tail, at most 1. Arguments are those of `difference`.

    Raises:
        ValueError: A group keeps fewer than 2 values, or `paired` groups differ in length.
    """
    groups, scale, missing = _clean(a, b, paired=paired)
    n, m = (group.size for group in groups)
    if min(n, m) < 2:
        raise ValueError(f"expected at least 2 values in each group, actual {n} and {m}")
    total = 2**n if paired else math.comb(n + m, n)
    exact = total <= MOST_EXACT
    count = total if exact else RESAMPLES
    result = _load("scipy.stats").permutation_test(
        groups,
        # Rounded, so that arrangements tied in exact arithmetic stay tied.
        lambda *groups, axis: np.round(_contrast(*groups, axis=axis) / (scale or 1.0), 12),
        permutation_type="samples" if paired else "independent",
        **_resampling(groups, count, seed),
    )
    p_value = float(result.pvalue)
    return PermutationTest(p_value=p_value, exact=exact, arrangements=count, missing=missing)


def holm(p_values: Sequence[float]) -> list[float]:
    """Returns Holm's adjusted p-values of one family of tests, in the order given.

    Raises:
        ValueError: A p-value is outside [0, 1] or nan.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"expected p-values in [0, 1], actual {list(p_values)}")
    if not len(p_values):
        return []
    multitest = _load("statsmodels.stats.multitest")
    return [float(p) for p in multitest.multipletests(p_values, method="holm")[1]]


def seeds_needed(effect: float, sd: float, power: float = 0.8, level: float = 0.95) -> int:
    """Returns the seeds per condition that an unpaired two-sided t test needs, at least 3.

    Args:
        effect: Mean difference to find, in the units of the measure, not 0; the sign is ignored.
        sd: Standard deviation between seeds of one condition, above 0, same units.
        power: Chance to find the effect if it is there, in (1 - level, 1).
        level: 1 minus the significance level, in (0, 1).

    Raises:
        ConfigError: An argument is outside its range.
    """
    _check_level(level)
    if not (1 - level < power < 1 and 0 < abs(effect) < math.inf and 0 < sd < math.inf):
        expected = f"effect not 0, sd above 0 and power in ({1 - level:.3g}, 1)"
        raise ConfigError(f"expected {expected}, actual {effect}, {sd} and {power}")
    solver = _load("statsmodels.stats.power").TTestIndPower()
    size, alpha = abs(effect) / sd, 1 - level
    if solver.power(size, FEWEST, alpha) >= power:  # the solver does not converge below 2
        return FEWEST
    return math.ceil(float(solver.solve_power(size, alpha=alpha, power=power)))


def _interval(groups: Groups, scale: float, missing: int, level: float, seed: int) -> Estimate:
    """The interval of one mean, or of the difference of two, of cleaned groups."""
    _check_level(level)
    n, *others = sizes = [group.size for group in groups]
    constant = [not group.size or np.ptp(group) <= ROUNDING * scale for group in groups]
    n_other = others[0] if others else None
    mean = float(_contrast(*groups)) if all(sizes) else math.nan
    reason = "fewer than 3 values" if min(sizes) < FEWEST else "constant values"
    none = Estimate(n=n, n_other=n_other, mean=mean, method=reason, missing=missing)
    if min(sizes) < FEWEST or all(constant):
        return none
    if min(sizes) >= FEWEST_BOOTSTRAP:
        method, options = "BCa bootstrap", _resampling(groups, RESAMPLES, seed)
        bootstrap = _load("scipy.stats").bootstrap
        result = bootstrap(groups, _contrast, method="BCa", confidence_level=level, **options)
        low, high = result.confidence_interval
    elif not others:
        method, result = "t", _load("scipy.stats").ttest_1samp(groups[0], 0)
        low, high = result.confidence_interval(level)
    else:
        method, weights = "Welch t", _load("statsmodels.stats.weightstats")
        means = weights.CompareMeans(*(weights.DescrStatsW(group) for group in groups))
        low, high = means.tconfint_diff(alpha=1 - level, usevar="unequal")
    if not -math.inf < low < high < math.inf:
        return msgspec.structs.replace(none, method=f"{method} degenerate")
    method += ", one group constant" if any(constant) else ""
    return msgspec.structs.replace(none, low=float(low), high=float(high), method=method)


def _clean(*data: ArrayLike, paired: bool = False) -> tuple[Groups, float, int]:
    """Groups without nan, in an order of their own; their largest magnitude; how many left out."""
    given = [np.asarray(values, dtype=np.float64) for values in data]
    for group in given:
        if group.ndim != 1:
            raise ValueError(f"expected values of shape (n,), actual shape {group.shape}")
        if np.isinf(group).any():
            raise ValueError("expected finite values or nan, actual an infinite one")
    if paired:
        if given[0].size != given[1].size:
            raise ValueError(f"expected pairs, actual {given[0].size} and {given[1].size} values")
        table = np.stack(given)
        kept = table[:, ~np.isnan(table).any(axis=0)]
        groups = tuple(kept[:, np.lexsort(kept)])
    else:
        groups = tuple(np.sort(group[~np.isnan(group)]) for group in given)
    missing = sum(before.size - after.size for before, after in zip(given, groups, strict=True))
    scale = max(float(np.abs(group).max(initial=0.0)) for group in groups)
    return groups, scale, missing // 2 if paired else missing


def _resampling(groups: Groups, count: int, seed: int) -> dict[str, Any]:
    """Arguments that scipy's resamplers share; batches bound their memory."""
    batch = max(1, CELLS // sum(group.size for group in groups))
    rng = np.random.default_rng(seed)
    return {"n_resamples": count, "vectorized": True, "batch": batch, "rng": rng}


def _contrast(*groups: NDArray[np.float64], axis: int = -1) -> Any:
    """The mean of one group, or the first group's mean minus the second's."""
    first, *others = (group.mean(axis=axis) for group in groups)
    return first - others[0] if others else first


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ConfigError(f"expected level in (0, 1), actual {level}")


def _load(module: str) -> Any:
    """An analysis module, imported only when a function needs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra("babelzoo.benchmarks.statistics", "analysis") from error
