"""The models of convergence by hand, and their fits on curves of known parameters."""

import numpy as np
import pytest

from babelzoo.benchmarks.analysis.convergence import (
    BOUNDS,
    consensus_at,
    fit_consensus,
    fit_vocabulary,
    round_of,
    vocabulary_at,
)
from babelzoo.envs.core import ConfigError

TRUE = {"c_k": 1.5, "alpha_k": -1.4, "beta_k": -0.9, "c_m": 1.2, "alpha_m": 1.5, "beta_m": 1.1}
WORDS = {
    "c_A": 0.8,
    "alpha_A": 0.6,
    "beta_A": 0.7,
    "c_gamma": 0.35,
    "c_lambda": 0.02,
    "alpha_lambda": -0.8,
    "beta_lambda": -0.4,
}
GRID = [(a, e) for a in (2, 3, 5, 7, 10, 15, 20) for e in (3, 5, 7, 10)]


def rounds(condition: tuple[int, int]) -> np.ndarray:
    end = float(round_of(0.99, *condition, TRUE))
    return np.linspace(1, max(2, end), 200)


def test_by_hand() -> None:
    fit = {"c_k": 0.5, "alpha_k": 0.0, "beta_k": 0.0, "c_m": 10.0, "alpha_m": 1.0, "beta_m": 0.0}
    assert consensus_at(20, 2, 5, fit) == pytest.approx(0.5)
    assert consensus_at(24, 2, 5, fit) == pytest.approx(1 / (1 + np.exp(-2)))
    assert round_of(0.5, 2, 5, fit) == pytest.approx(20)
    assert round_of(0.95, 2, 5, fit) == pytest.approx(20 + 2 * np.log(19))
    words = dict.fromkeys(("alpha_A", "beta_A", "alpha_lambda", "beta_lambda"), 0.0)
    words |= {"c_A": 2.0, "c_gamma": 0.5, "c_lambda": 0.1}
    assert vocabulary_at(4, 2, 5, 0.25, words) == pytest.approx(1.25 + 4 * np.exp(-0.4) * 0.75)
    assert vocabulary_at(1e5, 2, 5, 1, words) == pytest.approx(5)


def test_early_rounds_do_not_overflow() -> None:
    fit = TRUE | {"c_k": 10.0, "alpha_k": 5.0}
    assert consensus_at(0, 20, 10, fit) == 0


def test_inverse_and_direct_are_inverse() -> None:
    for condition in GRID:
        for theta in (0.05, 0.5, 0.95):
            assert consensus_at(round_of(theta, *condition, TRUE), *condition, TRUE) == (
                pytest.approx(theta)
            )


@pytest.mark.parametrize("theta", [0, 1, -1, 2, float("nan")])
def test_other_consensus_is_refused(theta: float) -> None:
    with pytest.raises(ConfigError):
        round_of(theta, 2, 3, TRUE)


def test_fits_recover_known_parameters() -> None:
    rng = np.random.default_rng(0)
    consensus, words = {}, {}
    for condition in GRID:
        t = rounds(condition)
        g = consensus_at(t, *condition, TRUE)
        consensus[condition] = (t, g + rng.normal(0, 0.01, len(t)))
        v = vocabulary_at(t, *condition, g, WORDS)
        words[condition] = (t, v + rng.normal(0, 0.05, len(t)))
    found = fit_consensus(consensus)
    assert found.r2 > 0.99 and found.rmse == pytest.approx(0.01, rel=0.1)
    assert min(found.r2_by_condition.values()) > 0.95
    for name, value in TRUE.items():
        low, high = found.intervals[name]
        assert found.parameters[name] == pytest.approx(value, rel=0.02)
        assert low < found.parameters[name] < high and high - low < 0.1
    for gamma in ("scalar", "power"):
        fitted = fit_vocabulary(words, found, gamma)
        assert fitted.r2 > 0.98
        for name, value in WORDS.items():
            assert fitted.parameters[name] == pytest.approx(value, abs=0.06), name
    assert fitted.parameters["alpha_gamma"] == pytest.approx(0, abs=0.06)


def test_starts_lie_within_their_bounds() -> None:
    assert all(low < start < high for low, start, high in BOUNDS.values())


def test_too_few_points_and_other_shapes_are_refused() -> None:
    with pytest.raises(ConfigError, match="more points"):
        fit_consensus({(2, 3): ([1, 2, 3], [0, 0.5, 1])})
    with pytest.raises(ConfigError, match="one length"):
        fit_consensus({(2, 3): ([1, 2, 3], [0, 0.5])})


def test_a_level_curve_has_no_r2() -> None:
    curve = np.linspace(1, 50, 20)
    found = fit_consensus(
        {(2, 3): (curve, consensus_at(curve, 2, 3, TRUE)), (3, 3): (curve, np.ones(20))}
    )
    assert np.isnan(found.r2_by_condition[3, 3])
