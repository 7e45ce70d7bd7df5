"""The one way in which every metric says "undefined": numbers and, when they are nan, why."""

import math

import msgspec
import numpy as np

from babelzoo.benchmarks.metrics._inputs import FloatArray

__all__ = ["Measured", "Spread", "spread_of", "undefined", "undefined_spread"]


class Measured(msgspec.Struct, frozen=True):
    """A metric's value. Invariant: `reason` is empty exactly if `value` is a number.

    Attributes:
        value: The number, or nan.
        reason: Why the value is nan; empty otherwise.
    """

    value: float
    reason: str = ""

    def __post_init__(self) -> None:
        """Keep the invariant.

        Raises:
            ValueError: The value is nan without a reason, or a number with one.
        """
        if math.isnan(self.value) != bool(self.reason):
            raise ValueError(
                f"expected a reason exactly if the value is nan, actual {self.value}, "
                f"{self.reason!r}."
            )

    def __float__(self) -> float:
        return self.value


class Spread(msgspec.Struct, frozen=True):
    """A null distribution. Invariant: `reason` is empty exactly if the three are numbers.

    Attributes:
        mean: Mean over the draws for which the metric is defined.
        low: Their 2.5th percentile.
        high: Their 97.5th percentile.
        reason: Why the three are nan; empty otherwise.
    """

    mean: float
    low: float
    high: float
    reason: str = ""


def undefined(reason: str) -> Measured:
    """A nan with its reason."""
    return Measured(math.nan, reason)


def spread_of(draws: FloatArray) -> Spread:
    """The spread of draws of shape (n,), those that are nan left out."""
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return undefined_spread("the metric is undefined for every draw")
    low, high = np.percentile(defined, [2.5, 97.5])
    return Spread(float(defined.mean()), float(low), float(high))


def undefined_spread(reason: str) -> Spread:
    """A spread of nan with its reason."""
    return Spread(math.nan, math.nan, math.nan, reason)
