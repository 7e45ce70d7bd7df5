"""The three models of lexical convergence (NSLD 2026, sections 2.4 and 4.7), and their fits.

All are fitted by `scipy.optimize.curve_fit` with the Trust Region Reflective method, under the
bounds and from the starts of Supplementary Table S1. The table gives none for the last exponent of
the pruning rate; that of its first one is taken.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from babelzoo.benchmarks.metrics._inputs import FloatArray
from babelzoo.envs.core import ConfigError, MissingExtra

__all__ = [
    "BOUNDS",
    "Curves",
    "Fit",
    "consensus_at",
    "fit_consensus",
    "fit_vocabulary",
    "round_of",
    "vocabulary_at",
]

Condition = tuple[int, int]  # agents, referents
Curves = Mapping[Condition, tuple[npt.ArrayLike, npt.ArrayLike]]  # rounds and means by condition

# Lower bound, start and upper bound.
BOUNDS = {
    "c_k": (1e-6, 0.1, 10.0),
    "alpha_k": (-5.0, -0.5, 5.0),
    "beta_k": (-5.0, -0.5, 5.0),
    "c_m": (1e-3, 10.0, 1e5),
    "alpha_m": (-2.0, 1.0, 5.0),
    "beta_m": (-2.0, 1.0, 5.0),
    "c_A": (1e-4, 1.0, 1e4),
    "alpha_A": (-3.0, 0.3, 5.0),
    "beta_A": (-3.0, 0.8, 5.0),
    "c_gamma": (0.05, 0.4, 3.0),
    "alpha_gamma": (-3.0, 0.0, 3.0),
    "beta_gamma": (-3.0, 0.0, 3.0),
    "c_lambda": (1e-6, 0.001, 1.0),
    "alpha_lambda": (-3.0, 0.5, 5.0),
    "beta_lambda": (-3.0, 0.5, 5.0),
}
_CONSENSUS = ("c_k", "alpha_k", "beta_k", "c_m", "alpha_m", "beta_m")
_PRUNING = ("c_lambda", "alpha_lambda", "beta_lambda")
_OVERSHOOT = ("c_A", "alpha_A", "beta_A")
_VOCABULARY = {
    "scalar": (*_OVERSHOOT, "c_gamma", *_PRUNING),
    "power": (*_OVERSHOOT, "c_gamma", "alpha_gamma", "beta_gamma", *_PRUNING),
}


class Fit(msgspec.Struct, frozen=True):
    """A fitted model.

    Attributes:
        parameters: Estimates by name.
        intervals: Their 95 % intervals (Student t), by name.
        r2: Coefficient of determination over all points.
        rmse: Root of the mean squared residual.
        r2_by_condition: The same within each condition; nan where a curve is level.
    """

    parameters: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    r2: float
    rmse: float
    r2_by_condition: dict[Condition, float]


def consensus_at(
    rounds: npt.ArrayLike,
    n_agents: npt.ArrayLike,
    n_entities: npt.ArrayLike,
    fit: Mapping[str, float],
) -> FloatArray:
    """Consensus G by the direct model (equation 1), in [0, 1]; arguments broadcast."""
    t, a, e = (np.asarray(x, float) for x in (rounds, n_agents, n_entities))
    k, middle = _rate(a, e, fit), _middle(a, e, fit)
    # tanh, since exp overflows for early rounds
    return np.asarray(0.5 * (1 + np.tanh(0.5 * k * (t - middle))))


def round_of(
    consensus: float, n_agents: npt.ArrayLike, n_entities: npt.ArrayLike, fit: Mapping[str, float]
) -> FloatArray:
    """The round at which a consensus in (0, 1) is reached, by the inverse model (equation 3).

    It may be below 1 where the logistic starts above the asked consensus; it is not clipped.

    Raises:
        ConfigError: The consensus is not between 0 and 1.
    """
    if not 0 < consensus < 1:
        raise ConfigError(f"expected a consensus between 0 and 1, actual {consensus}.")
    a, e = np.asarray(n_agents, float), np.asarray(n_entities, float)
    odds = np.log(consensus / (1 - consensus))
    return np.asarray(_middle(a, e, fit) + odds / _rate(a, e, fit))


def vocabulary_at(
    rounds: npt.ArrayLike,
    n_agents: npt.ArrayLike,
    n_entities: npt.ArrayLike,
    consensus: npt.ArrayLike,
    fit: Mapping[str, float],
) -> FloatArray:
    """Number of words V (equation 4) at a consensus; arguments broadcast, rounds from 1."""
    t, a, e, g = (np.asarray(x, float) for x in (rounds, n_agents, n_entities, consensus))
    amplitude = _power("A", a, e, fit)
    gamma = _power("gamma", a, e, {"alpha_gamma": 0.0, "beta_gamma": 0.0} | dict(fit))
    pruning = np.exp(-_power("lambda", a, e, fit) * t)
    return np.asarray(e * g + amplitude * t**gamma * pruning * (1 - g))


def fit_consensus(curves: Curves) -> Fit:
    """Fit the direct model to trial means of G.

    Args:
        curves: Rounds and means by (agents, referents), arrays of one length for each.

    Raises:
        ConfigError: There are fewer points than parameters, or shapes differ.
        MissingExtra: The extra `analysis` is not installed.
    """
    return _fit(curves, _CONSENSUS, consensus_at)


def fit_vocabulary(
    curves: Curves, consensus: Fit, gamma: Literal["scalar", "power"] = "scalar"
) -> Fit:
    """Fit the vocabulary model to trial means of V, with the consensus that was fitted.

    Args:
        curves: Rounds from 1 and means by (agents, referents).
        consensus: The fitted direct model.
        gamma: Whether the exponent of growth is one number (equation 5) or a power law of
            population and referents (equation 21).

    Raises:
        ConfigError: There are fewer points than parameters, or shapes differ.
        MissingExtra: The extra `analysis` is not installed.
    """

    def model(t: Any, a: Any, e: Any, fit: Mapping[str, float]) -> FloatArray:
        return vocabulary_at(t, a, e, consensus_at(t, a, e, consensus.parameters), fit)

    return _fit(curves, _VOCABULARY[gamma], model)


def _power(name: str, a: Any, e: Any, fit: Mapping[str, float]) -> FloatArray:
    """A bivariate power law (equations 2, 5 and 21)."""
    return np.asarray(fit[f"c_{name}"] * a ** fit[f"alpha_{name}"] * e ** fit[f"beta_{name}"])


def _rate(a: Any, e: Any, fit: Mapping[str, float]) -> FloatArray:
    return _power("k", a, e, fit)


def _middle(a: Any, e: Any, fit: Mapping[str, float]) -> FloatArray:
    return _power("m", a, e, fit)


def _fit(curves: Curves, names: tuple[str, ...], model: Callable[..., FloatArray]) -> Fit:
    try:
        from scipy.optimize import curve_fit
        from scipy.stats import t as student
    except ImportError as error:
        raise MissingExtra("fitting models", "analysis") from error
    x, y, places = _points(curves, len(names))
    low, start, high = zip(*(BOUNDS[name] for name in names), strict=True)

    def predicted(points: Any, *values: float) -> FloatArray:
        return model(*points, dict(zip(names, values, strict=True)))

    best, covariance = curve_fit(
        predicted, x, y, p0=start, bounds=(low, high), method="trf", x_scale="jac", max_nfev=20_000
    )
    reach = student.ppf(0.975, len(y) - len(names)) * np.sqrt(np.diag(covariance))
    values = dict(zip(names, map(float, best), strict=True))
    residuals = y - predicted(x, *best)
    return Fit(
        values,
        {
            name: (value - float(r), value + float(r))
            for (name, value), r in zip(values.items(), reach, strict=True)
        },
        _r2(y, residuals),
        float(np.sqrt((residuals**2).mean())),
        {condition: _r2(y[place], residuals[place]) for condition, place in places.items()},
    )


def _points(curves: Curves, least: int) -> tuple[FloatArray, FloatArray, dict[Condition, slice]]:
    """All points: rounds, agents and referents (3, n), means (n,), and where each curve lies."""
    x: list[FloatArray] = []
    y: list[FloatArray] = []
    places, done = {}, 0
    for (n_agents, n_entities), (rounds, means) in curves.items():
        t, value = np.asarray(rounds, float), np.asarray(means, float)
        if t.shape != value.shape or t.ndim != 1:
            raise ConfigError(
                f"expected rounds and means of one length for {n_agents} agents and {n_entities} "
                f"referents, actual shapes {t.shape} and {value.shape}."
            )
        x.append(np.stack([t, np.full_like(t, n_agents), np.full_like(t, n_entities)]))
        y.append(value)
        places[n_agents, n_entities] = slice(done, done + len(t))
        done += len(t)
    if done <= least:
        raise ConfigError(f"expected more points than {least} parameters, actual {done}.")
    return np.concatenate(x, axis=1), np.concatenate(y), places


def _r2(values: FloatArray, residuals: FloatArray) -> float:
    spread = float(((values - values.mean()) ** 2).sum())
    return 1 - float((residuals**2).sum()) / spread if spread > 0 else float("nan")
