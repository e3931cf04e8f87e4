"""P values of estimates, and their correction where many are looked at."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL, Estimate
from forty5sim.stats.extras import FloatArray, load_extra


def p_value(estimate: Estimate, level: float = LEVEL) -> float:
    """Return the two-sided p value of an estimate against zero, by the t test.

    It is below 1 - level just where the interval leaves out zero. Without an interval it is nan;
    with one of width 0 it is 1 for a mean of 0 and 0 for any other.

    Args:
        estimate: mean, half-width and boards, as from ``estimate``.
        level: the level that the half-width was made for.
    """
    if math.isnan(estimate.mean) or math.isnan(estimate.half_width) or estimate.n < 2:
        return math.nan
    if estimate.half_width == 0:
        return 1.0 if estimate.mean == 0 else 0.0
    freedom = estimate.n - 1
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    return 2 * float(stdtr(freedom, -abs(estimate.mean) / estimate.half_width * quantile))


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p values corrected for their number after Holm (1979).

    Args:
        p_values: shape (k,), the p values of one family of comparisons; a nan stays nan and does
            not count.

    Returns:
        Shape (k,), in the same order.

    Raises:
        RunError: a p value is not between 0 and 1, or statsmodels is missing.
    """
    values = np.array(p_values, dtype=np.float64)
    known = ~np.isnan(values)
    if values.ndim != 1 or not ((values[known] >= 0) & (values[known] <= 1)).all():
        raise RunError(f"p values must be a list of numbers from 0 to 1, got {p_values!r}")
    if known.any():
        tests = load_extra("statsmodels.stats.multitest", "corrected p values")
        values[known] = tests.multipletests(values[known], method="holm")[1]
    return values
