"""Worked examples, coverage, degenerate data and determinism of `benchmarks.statistics`."""

import itertools
import math
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelzoo.benchmarks.statistics import (
    Estimate,
    difference,
    holm,
    mean_interval,
    paired_difference,
    permutation_test,
    proportion_interval,
    seeds_needed,
)
from babelzoo.envs.core.errors import ConfigError, MissingExtra

special = pytest.importorskip("scipy.special")
pytest.importorskip("statsmodels")

SKEWED = np.random.default_rng(7).exponential(size=40)


def bounds(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def enumerated(a: list[Fraction], b: list[Fraction], paired: bool) -> tuple[int, float]:
    """Count of arrangements and two-sided p, by brute force in exact arithmetic."""
    differences: list[Fraction] = []
    if paired:
        for signs in itertools.product((1, -1), repeat=len(a)):
            total = sum((s * (x - y) for s, x, y in zip(signs, a, b, strict=True)), Fraction(0))
            differences.append(total / len(a))
        observed = differences[0]
    else:
        pool = a + b
        for chosen in itertools.combinations(range(len(pool)), len(a)):
            first = sum((pool[i] for i in chosen), Fraction(0))
            rest = sum(pool, Fraction(0)) - first
            differences.append(first / len(a) - rest / len(b))
        observed = differences[0]  # combinations start with 0, ..., len(a) - 1
    above = sum(d >= observed for d in differences)
    below = sum(d <= observed for d in differences)
    return len(differences), min(1.0, 2 * min(above, below) / len(differences))


def test_t_interval_by_hand() -> None:
    # mean 3, s = sqrt(2.5), s / sqrt(5) = sqrt(0.5), t(0.975; 4) = 2.776445
    result = mean_interval([1, 2, 3, 4, 5])
    half = 2.776445 * math.sqrt(0.5)
    assert bounds(result) == pytest.approx((3 - half, 3 + half), abs=1e-5)
    assert (result.n, result.mean, result.method) == (5, 3.0, "t")
    # t(0.95; 4) = 2.131847
    narrow = mean_interval([1, 2, 3, 4, 5], level=0.9)
    assert bounds(narrow)[1] == pytest.approx(3 + 2.131847 * math.sqrt(0.5), abs=1e-5)


def test_wilson_by_hand() -> None:
    z2 = NormalDist().inv_cdf(0.975) ** 2
    centre, half = (0.8 + z2 / 20) / (1 + z2 / 10), math.sqrt(z2 * (0.016 + z2 / 400))
    half /= 1 + z2 / 10
    result = proportion_interval(8, 10)
    assert bounds(result) == pytest.approx((centre - half, centre + half), abs=1e-9)
    assert bounds(result) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert (result.n, result.mean, result.method) == (10, 0.8, "Wilson")


def test_welch_by_hand() -> None:
    # variances 1 and 4: se^2 = 1/3 + 4/3, df = (5/3)^2 / ((1/3)^2 / 2 + (4/3)^2 / 2) = 50/17
    result = difference([1, 2, 3], [2, 4, 6], paired=False)
    half = special.stdtrit(50 / 17, 0.975) * math.sqrt(5 / 3)
    assert bounds(result) == pytest.approx((-2 - half, -2 + half), abs=1e-9)
    assert (result.n, result.n_other, result.method) == (3, 3, "Welch t")


def test_bca_agrees_with_its_definition() -> None:
    # Efron 1987: percentiles shifted by the bias z0 and the acceleration of the jackknife.
    normal, x = NormalDist(), SKEWED
    means = np.random.default_rng(99).choice(x, size=(40_000, x.size)).mean(axis=1)
    z0 = normal.inv_cdf(float((means < x.mean()).mean()))
    left_out = (x.sum() - x) / (x.size - 1)
    pull = left_out.mean() - left_out
    acceleration = (pull**3).sum() / (6 * (pull**2).sum() ** 1.5)
    z = [z0 + normal.inv_cdf(share) for share in (0.025, 0.975)]
    shares = [normal.cdf(z0 + value / (1 - acceleration * value)) for value in z]
    expected = np.quantile(means, shares)
    result = mean_interval(x)
    assert result.method == "BCa bootstrap"
    assert bounds(result) == pytest.approx(tuple(expected), abs=0.015)
    low, high = bounds(result)
    assert high - result.mean > 1.15 * (result.mean - low)


def test_paired_difference_is_the_interval_of_differences() -> None:
    a, b = [1.0, 4.0, 2.0, 8.0], [0.5, 1.0, 3.0, 5.0]
    assert difference(a, b, paired=True) == mean_interval([0.5, 3.0, -1.0, 3.0])
    unpaired = difference(a, b, paired=False)
    assert unpaired.mean == pytest.approx(1.375)
    assert bounds(unpaired)[0] < bounds(difference(a, b, paired=True))[0]


@pytest.mark.parametrize(
    "interval",
    [
        lambda level: mean_interval([1, 2, 3], level=level),
        lambda level: mean_interval(SKEWED, level=level),
        lambda level: difference([1, 2, 3], [2, 4, 6], paired=False, level=level),
        lambda level: difference(SKEWED, SKEWED[:20], paired=False, level=level),
        lambda level: paired_difference({1: 2, 2: 4, 3: 9}, {1: 1, 2: 2, 3: 3}, level=level),
        lambda level: proportion_interval(3, 7, level=level),
    ],
)
def test_higher_level_is_wider(interval: Callable[[float], Estimate]) -> None:
    inner, middle, outer = (bounds(interval(level)) for level in (0.8, 0.95, 0.99))
    assert outer[0] < middle[0] < inner[0] < inner[1] < middle[1] < outer[1]


def test_pairs_go_by_key() -> None:
    a = {1: 1.0, 2: 4.0, 3: 2.0, 4: 8.0, 9: 100.0}
    b = {4: 5.0, 3: 3.0, 2: 1.0, 1: 0.5, 7: -100.0, 8: -100.0}
    result = paired_difference(a, b)
    assert (result.n, result.unshared) == (4, 3)
    assert bounds(result) == bounds(mean_interval([0.5, 3.0, -1.0, 3.0]))
    assert "3 unshared" in str(result)
    nothing = paired_difference({1: 1.0}, {2: 1.0})
    assert (nothing.n, nothing.unshared, nothing.low) == (0, 2, None)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([9, 7, 8, 6], [1, 2, 3, 4]),
        ([9, 7, 8, 2], [1, 7, 3, 4]),
        ([1, 2, 3, 3], [3, 2, 1, 3]),
        ([7, 3, 6, 3, 1], [1, 2, 2, 3, 3]),
        ([1, 1, 1], [1, 1, 1]),
        ([0, 0, 0], [0, 0, 0]),
        ([4, 9, 4, 0, 1, 3], [1, 4, 7, 4, 5, 0]),
    ],
)
def test_exact_permutation_p_equals_brute_force(a: list[int], b: list[int], paired: bool) -> None:
    count, p = enumerated([Fraction(v, 10) for v in a], [Fraction(v, 10) for v in b], paired)
    result = permutation_test([v / 10 for v in a], [v / 10 for v in b], paired=paired)
    assert (result.exact, result.arrangements) == (True, count)
    assert result.p_value == pytest.approx(p, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b"), [([4, 3, 5], [4, 4]), ([8, 6, 5, 5], [0, 9, 9]), ([2, 8, 2, 3, 3, 0], [5, 1])]
)
def test_rounding_does_not_break_ties(a: list[int], b: list[int]) -> None:
    _, p = enumerated([Fraction(v, 10) for v in a], [Fraction(v, 10) for v in b], False)
    result = permutation_test([v / 10 for v in a], [v / 10 for v in b], paired=False)
    assert result.p_value == pytest.approx(p, abs=1e-12)


def test_eight_against_three_enumerates_165() -> None:
    a, b = [9, 8, 7, 9, 6, 8, 9, 7], [3, 6, 5]
    count, p = enumerated([Fraction(v, 10) for v in a], [Fraction(v, 10) for v in b], False)
    result = permutation_test([v / 10 for v in a], [v / 10 for v in b], paired=False)
    assert count == math.comb(11, 3) == 165
    assert (result.exact, result.arrangements) == (True, 165)
    assert result.p_value == pytest.approx(p, abs=1e-12)


def test_exact_up_to_twenty_thousand_arrangements_then_random() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=15), rng.normal(size=15)
    last = permutation_test(a[:14], b[:14], paired=True)
    assert (last.exact, last.arrangements) == (True, 2**14)
    first = permutation_test(a, b, paired=True)
    assert (first.exact, first.arrangements) == (False, 9_999)
    exact_p = enumerated([Fraction(v) for v in a], [Fraction(v) for v in b], True)[1]
    assert first.p_value == pytest.approx(exact_p, abs=0.03)
    assert permutation_test(a, b, paired=True, seed=1).p_value != first.p_value
    assert permutation_test(a + 100, b, paired=False).p_value == pytest.approx(2 / 10_000)


def test_holm_by_hand() -> None:
    # 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04 x 1 raised to its predecessor
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
    for bad in (math.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match=r"expected p-values in \[0, 1\], actual"):
            holm([0.5, bad])


def test_seeds_needed_known_sizes() -> None:
    # Cohen 1988, table 2.4.1: two-sided 0.05, power 0.8
    assert [seeds_needed(effect, 1) for effect in (0.2, 0.5, 0.8)] == [394, 64, 26]
    assert seeds_needed(-5, 10) == 64
    assert seeds_needed(100, 1) == 3
    assert seeds_needed(0.5, 1, power=0.9) > seeds_needed(0.5, 1, level=0.9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: seeds_needed(0, 1),
        lambda: seeds_needed(math.nan, 1),
        lambda: seeds_needed(1, 0),
        lambda: seeds_needed(1, 1, power=1),
        lambda: seeds_needed(1, 1, power=0.05),
        lambda: seeds_needed(1, 1, level=1),
        lambda: mean_interval([1, 2, 3], level=95),
        lambda: mean_interval([], level=0),
        lambda: proportion_interval(1, 4, level=math.nan),
        lambda: difference([1, 2], [1, 2], paired=False, level=-1),
    ],
)
def test_knobs_out_of_range_are_config_errors(call: Callable[[], object]) -> None:
    with pytest.raises(ConfigError, match=r"expected .*, actual "):
        call()


def test_t_covers_at_five() -> None:
    samples = np.random.default_rng(11).normal(size=(600, 5))
    hits = [low <= 0 <= high for low, high in (bounds(mean_interval(s)) for s in samples)]
    assert 0.925 <= np.mean(hits) <= 0.975


def test_bca_covers_at_twenty() -> None:
    samples = np.random.default_rng(12).normal(size=(300, 20))
    hits = [low <= 0 <= high for low, high in (bounds(mean_interval(s)) for s in samples)]
    assert 0.89 <= np.mean(hits) <= 0.97


@pytest.mark.parametrize(
    ("values", "n", "missing", "reason"),
    [
        ([], 0, 0, "fewer than 3 values"),
        ([1.0], 1, 0, "fewer than 3 values"),
        ([1.0, 2.0], 2, 0, "fewer than 3 values"),
        ([1.0, 2.0, math.nan], 2, 1, "fewer than 3 values"),
        ([math.nan] * 4, 0, 4, "fewer than 3 values"),
        ([0.0] * 5, 5, 0, "constant values"),
        ([0.7] * 30, 30, 0, "constant values"),
        ([0.1 + 0.2, 0.3, 0.3, 0.3], 4, 0, "constant values"),
    ],
)
def test_no_interval_and_why(values: list[float], n: int, missing: int, reason: str) -> None:
    result = mean_interval(values)
    assert (result.n, result.missing, result.method) == (n, missing, reason)
    assert (result.low, result.high) == (None, None)
    assert math.isnan(result.mean) == (n == 0)
    assert f"no interval: {reason}" in str(result)


def test_difference_without_interval() -> None:
    # 0.9 - 0.8 and 0.2 - 0.1 differ by rounding alone
    assert 0.9 - 0.8 != 0.2 - 0.1
    constant = difference([0.9, 0.2, 0.9], [0.8, 0.1, 0.8], paired=True)
    assert (constant.method, constant.low) == ("constant values", None)
    both = difference([1, 1, 1], [0, 0, 0], paired=False)
    assert (both.method, both.mean, both.low) == ("constant values", 1.0, None)
    few = difference([1, 2, 3, 4], [1, math.nan, 2], paired=False)
    assert (few.method, few.n, few.n_other, few.missing) == ("fewer than 3 values", 4, 2, 1)
    assert math.isnan(difference([1, 2, 3], [], paired=False).mean)


def test_one_constant_group_is_said() -> None:
    welch = difference([1.0] * 4, [0.1, 0.2, 0.3], paired=False)
    assert welch.method == "Welch t, one group constant"
    half = 4.302653 * 0.1 / math.sqrt(3)  # t(0.975; 2), variance of b alone
    assert bounds(welch) == pytest.approx((0.8 - half, 0.8 + half), abs=1e-6)
    bootstrap = difference([1.0] * 20, SKEWED, paired=False)
    assert bootstrap.method == "BCa bootstrap, one group constant"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:The BCa confidence interval cannot be calculated")
def test_degenerate_bca_gives_no_interval() -> None:
    result = mean_interval(1e-120 * np.arange(20))
    assert (result.low, result.high, result.method) == (None, None, "BCa bootstrap degenerate")


@pytest.mark.parametrize(
    ("size_a", "size_b", "method"),
    [(19, 40, "Welch t"), (40, 19, "Welch t"), (20, 20, "BCa bootstrap")],
)
def test_bootstrap_needs_twenty_in_each_group(size_a: int, size_b: int, method: str) -> None:
    result = difference(SKEWED[:size_a], SKEWED[:size_b] + 1, paired=False)
    assert result.method == method
    assert mean_interval(SKEWED[:19]).method == "t"
    assert mean_interval(SKEWED[:20]).method == "BCa bootstrap"


def test_nan_drops_its_pair() -> None:
    a, b = [1.0, math.nan, 2.0, 8.0, 5.0], [0.5, 1.0, math.nan, 5.0, 1.0]
    result = difference(a, b, paired=True)
    assert (result.n, result.missing, result.mean) == (3, 2, 2.5)
    test = permutation_test(a, b, paired=True)
    assert (test.arrangements, test.missing) == (8, 2)
    assert permutation_test(a, b, paired=False).missing == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: mean_interval([1.0, 2.0, math.inf]),
        lambda: mean_interval([[1.0, 2.0, 3.0]]),
        lambda: mean_interval(3.0),
        lambda: difference([1, 2, 3], [1, 2, -math.inf], paired=False),
        lambda: difference([1, 2, 3], [1, 2], paired=True),
        lambda: paired_difference({1: math.inf}, {1: 0.0}),
        lambda: permutation_test([1], [1, 2, 3], paired=False),
        lambda: permutation_test([1, math.nan], [1, 2], paired=True),
        lambda: proportion_interval(5, 4),
        lambda: proportion_interval(-1, 4),
    ],
)
def test_bad_data_are_value_errors(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"expected .*, actual "):
        call()


def test_wilson_at_its_ends() -> None:
    assert proportion_interval(2, 2).method == "fewer than 3 values"
    assert math.isnan(proportion_interval(0, 0).mean)
    low, high = bounds(proportion_interval(10, 10))
    assert low == pytest.approx(1 / (1 + NormalDist().inv_cdf(0.975) ** 2 / 10), abs=1e-9)
    assert high == pytest.approx(1.0)
    with pytest.raises(ValueError, match="whole"):
        proportion_interval(7.5, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whole"):
        proportion_interval(7, 10.5)  # type: ignore[arg-type]


def test_seed_decides_and_row_order_does_not() -> None:
    shuffled = np.random.default_rng(1).permutation(SKEWED)
    assert mean_interval(SKEWED) == mean_interval(shuffled)
    assert bounds(mean_interval(SKEWED)) != bounds(mean_interval(SKEWED, seed=1))
    two = difference(SKEWED, SKEWED[:25] + 1, paired=False)
    assert two == difference(shuffled, SKEWED[24::-1] + 1, paired=False)
    assert bounds(two) != bounds(difference(SKEWED, SKEWED[:25] + 1, paired=False, seed=1))
    keyed, zero = dict(enumerate(SKEWED)), dict.fromkeys(range(40), 0.0)
    assert paired_difference(keyed, zero, seed=1) == mean_interval(SKEWED, seed=1)
    a, b = SKEWED[:20], SKEWED[20:]
    for paired in (True, False):
        test = permutation_test(a, b, paired=paired, seed=5)
        assert not test.exact
        assert test == permutation_test(a[::-1], b[::-1], paired=paired, seed=5)


def test_global_generators_stay_untouched() -> None:
    np.random.seed(4)  # noqa: NPY002
    random.seed(4)
    expected = (np.random.random(), random.random())  # noqa: NPY002
    np.random.seed(4)  # noqa: NPY002
    random.seed(4)
    mean_interval(SKEWED)
    difference(SKEWED, SKEWED + 1, paired=False)
    permutation_test(SKEWED, SKEWED[::-1], paired=True)
    assert (np.random.random(), random.random()) == expected  # noqa: NPY002


FLOATS = st.floats(-1e6, 1e6, width=32, allow_subnormal=False) | st.just(math.nan)


@given(st.lists(FLOATS, max_size=25))
def test_interval_is_absent_or_has_a_width(values: list[float]) -> None:
    result = mean_interval(values)
    assert result.n + result.missing == len(values)
    assert (result.low is None) == (result.high is None)
    spread = len({v for v in values if not math.isnan(v)})
    assert (result.low is None) == (result.n < 3 or spread == 1)
    if result.low is not None and result.high is not None:
        assert result.low < result.high


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(n=8, mean=0.8671, low=0.812, high=0.921, method="t"), "0.867 [0.81, 0.92] (n=8)"),
        (
            Estimate(n=8, n_other=3, mean=-0.0001, low=-0.0012, high=0.0011, method="Welch t"),
            "0.000 [-0.001, 0.001] (n=8 vs 3)",
        ),
        (
            Estimate(n=2, mean=0.5, method="fewer than 3 values", missing=1, unshared=4),
            "0.500 (n=2, 1 missing, 4 unshared; no interval: fewer than 3 values)",
        ),
    ],
)
def test_printed_form(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("scipy.stats", lambda: mean_interval([1, 2, 3])),
        ("scipy.stats", lambda: permutation_test([1, 2], [3, 4], paired=False)),
        ("statsmodels.stats.proportion", lambda: proportion_interval(1, 4)),
        ("statsmodels.stats.weightstats", lambda: difference([1, 2, 3], [1, 2, 4], paired=False)),
        ("statsmodels.stats.multitest", lambda: holm([0.5])),
        ("statsmodels.stats.power", lambda: seeds_needed(1, 1)),
    ],
)
def test_missing_package_names_the_command(
    module: str, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r'pip install "babelzoo\[analysis\]"'):
        call()


def test_imports_without_the_analysis_extra() -> None:
    program = (
        "import sys; sys.modules.update(scipy=None, statsmodels=None, pandas=None)\n"
        "from babelzoo.benchmarks.statistics import mean_interval\n"
        "print(mean_interval([1.0, 2.0]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "1.500 (n=2; no interval: fewer than 3 values)", done.stderr
