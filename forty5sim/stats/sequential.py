"""Tests and intervals that may be looked at while boards come in.

A sequential test decides between two means and stops as soon as the data are clear. Its bounds and
means must be fixed beforehand, it is updated with whole boards only, and the estimate after such a
stop is biased. The confidence sequence is for studies without an end: it holds at all times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL
from forty5sim.stats.extras import FloatArray, check_positive, check_share, distribution
from forty5sim.stats.scores import score_of

Decision = Literal["accept H0", "accept H1", "continue"]

EMPTY_CELL = 0.001


@dataclass(frozen=True)
class SequentialTest:
    """A generalised sequential probability ratio test of one mean against another.

    Attributes:
        mean0: the mean of the board values under H0.
        mean1: the mean under H1; it may be smaller than mean0.
        alpha: the probability of accepting H1 when H0 is true.
        beta: the probability of accepting H0 when H1 is true.

    Raises:
        RunError: the means are equal or not finite, or alpha and beta are no error rates.
    """

    mean0: float
    mean1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        means = (self.mean0, self.mean1)
        if not all(map(math.isfinite, means)) or self.mean0 == self.mean1:
            raise RunError(f"a test needs two different finite means, got {means!r}")
        check_share("alpha", self.alpha)
        check_share("beta", self.beta)
        if self.alpha + self.beta >= 1:
            raise RunError(
                f"alpha and beta must sum to less than 1, got {self.alpha!r} and {self.beta!r}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        lower = math.log(self.beta / (1 - self.alpha))
        upper = math.log((1 - self.beta) / self.alpha)
        return lower, upper

    def log_likelihood_ratio(self, values: ArrayLike, counts: ArrayLike) -> float:
        """Return the log-likelihood ratio of H1 to H0, each at its most likely distribution.

        This is the GSPRT of fishtest (Michel Van den Bergh, "Comments on normalized Elo"), with the
        mean as the only thing that the hypotheses fix. A value that never came up counts as 0.001
        boards. A mean that the values cannot have (at or beyond the least or the greatest) is made
        possible by one more value that never came up, as far beyond that mean as the values reach
        from end to end (or as the two means lie apart, if there is only one value). Name all values
        that a board can have, and this will not be needed.

        Args:
            values: shape (k,), the possible values of a board, of any unit.
            counts: shape (k,), how many boards had that value.

        Returns:
            The ratio; 0 without boards.

        Raises:
            RunError: the lengths differ, a value is not finite or a count is negative.
        """
        support, weights = distribution(values, counts)
        if not weights.any():
            return 0.0
        support, weights = self._extended(support, weights)
        weights = np.where(weights > 0, weights, EMPTY_CELL)
        shares = weights / weights.sum()
        ratios = _tilt(support, shares, self.mean0) / _tilt(support, shares, self.mean1)
        return float(weights @ np.log(ratios))

    def _extended(self, support: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return values and counts with more values where a mean is out of reach."""
        least, most = min(self.mean0, self.mean1), max(self.mean0, self.mean1)
        reach = float(np.ptp(support)) or most - least
        added = []
        if least <= support.min():
            added.append(least - reach)
        if most >= support.max():
            added.append(most + reach)
        return np.append(support, added), np.append(weights, np.zeros(len(added)))

    def decision(self, ratio: float) -> Decision:
        """Return what a log-likelihood ratio decides: 'accept H0', 'accept H1' or 'continue'."""
        lower, upper = self.bounds
        if ratio >= upper:
            return "accept H1"
        return "accept H0" if ratio <= lower else "continue"


def elo_test(elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> SequentialTest:
    """Return the test of one (logistic) Elo difference against another, on scores from 0 to 1.

    Raises:
        RunError: as for SequentialTest.
    """
    return SequentialTest(score_of(elo0), score_of(elo1), alpha, beta)


def confidence_half_width(
    n: int, deviation: float, level: float = LEVEL, rho2: float = 0.01
) -> float:
    """Return half the width of an interval for a mean that holds at all n at once.

    It is the normal-mixture confidence sequence (Robbins 1970; in this form Waudby-Smith and
    others, "Time-uniform central limit theory and asymptotic confidence sequences", 2024). With an
    estimated deviation it holds for large n.

    Args:
        n: the number of boards so far; without any the width is infinite.
        deviation: the standard deviation of the board values, in their unit.
        level: the level of the whole sequence.
        rho2: what n the sequence is tightest at; 0.01 suits some hundreds to thousands of boards.

    Raises:
        RunError: the level is not between 0 and 1, rho2 not positive, or n or deviation negative.
    """
    check_share("level", level)
    check_positive("rho2", rho2)
    if n < 0 or deviation < 0:
        raise RunError(f"n and deviation must not be negative, got {n!r} and {deviation!r}")
    if n == 0:
        return math.inf
    spread = n * rho2 + 1
    return deviation * math.sqrt(spread / (n * n * rho2) * math.log(spread / (1 - level) ** 2))


def _tilt(support: FloatArray, shares: FloatArray, mean: float) -> FloatArray:
    """Return what to divide shares by to get the most likely distribution with this mean.

    The divisors are 1 + theta (value - mean), where theta is the root of
    sum of share (value - mean) / (1 + theta (value - mean)) (Owen 1988, empirical likelihood).
    The unit of the values plays no part.
    """
    from scipy.optimize import brentq

    gaps = (support - mean) / float(np.ptp(support))
    first, last = gaps == gaps.min(), gaps == gaps.max()
    lowest, highest = float(gaps.min()), float(gaps.max())

    def scaled(theta: float) -> float:
        """Return the sum times the divisors of both ends, which makes it finite everywhere."""
        below, above = 1 + theta * lowest, 1 + theta * highest
        inner = np.where(first | last, 1.0, 1 + theta * gaps)
        factors = np.where(first, above, np.where(last, below, below * above / inner))
        return float((shares * gaps) @ factors)

    theta = brentq(scaled, -1 / highest, -1 / lowest, xtol=1e-15, rtol=1e-15)
    return 1 + float(theta) * gaps
