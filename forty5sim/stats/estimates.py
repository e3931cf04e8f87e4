"""The mean over boards with its interval, from exact integer sums.

The board is the unit: replays of one deal are not independent, so every interval is made from
board totals (clusters), with Student's t on boards - 1 degrees of freedom. Sums are kept as
Python ints, so that results do not depend on the order in which chunks come in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import stdtrit

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over boards with the half-width of its interval.

    Attributes:
        mean: the estimate.
        half_width: half the width of the 95 % interval; nan for fewer than two boards.
        n: the number of boards.
    """

    mean: float
    half_width: float
    n: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return abs(self.mean) > self.half_width

    def digits(self) -> int:
        """Return the decimals to print: two significant ones of the half-width, 1 to 6."""
        if not self.half_width > 0:
            return 3
        return min(6, max(1, 1 - math.floor(math.log10(self.half_width))))

    def __str__(self) -> str:
        digits = self.digits()
        return f"{self.mean:+.{digits}f} ± {self.half_width:.{digits}f} (n={self.n})"


def estimate(total: int, squares: int, n: int, units: int = 1, level: float = LEVEL) -> Estimate:
    """Return the mean of n board values with its interval, from their exact sums.

    Args:
        total: sum of the board values, in units.
        squares: sum of their squares, in units squared.
        n: number of boards.
        units: how many units make 1.
        level: the level of the interval.

    >>> estimate(total=6, squares=20, n=3).mean
    2.0
    """
    if n == 0:
        return Estimate(math.nan, math.nan, 0)
    mean = total / (n * units)
    if n < 2:
        return Estimate(mean, math.nan, n)
    variance = (n * squares - total * total) / (n * (n - 1)) / units**2
    quantile = float(stdtrit(n - 1, (1 + level) / 2))
    return Estimate(mean, quantile * math.sqrt(variance / n), n)


def share(count: int, n: int, level: float = LEVEL) -> Estimate:
    """Return the share of independent cases; its half-width is Wilson's, to the farther end.

    So a share of 0 or 1 has an interval too. Both are nan for no cases.

    >>> share(7, 7).half_width > 0.3
    True
    """
    from scipy.stats import binomtest

    if n == 0:
        return Estimate(math.nan, math.nan, 0)
    ends = binomtest(count, n).proportion_ci(level, method="wilson")
    return Estimate(count / n, max(ends.high - count / n, count / n - ends.low), n)
