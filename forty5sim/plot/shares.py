"""Shares of decisions with intervals that know that the decisions of a board go together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from forty5sim.stats import LEVEL


class Share(NamedTuple):
    """A share with its interval, of so many decisions on so many boards."""

    share: float
    low: float
    high: float
    decisions: int
    boards: int


def clustered_share(hits: ArrayLike, boards: ArrayLike, level: float = LEVEL) -> Share:
    """Return the share of decisions that are hits, with an interval clustered by board.

    Wilson's interval with the effective number of decisions (Korn and Graubard 1998; Franco and
    others 2019): so many independent ones would tell as much. The variance is that of the ratio of
    two board sums, with Student's t on boards - 1 degrees of freedom. Where all decisions agree it
    shows nothing, and every board counts as one decision.

    Args:
        hits: shape (n,), true for each decision that is counted.
        boards: shape (n,), the board of each decision.
        level: the level of the interval.
    """
    found = np.asarray(hits, dtype=np.float64)
    _, codes = np.unique(np.asarray(boards), return_inverse=True)
    n, groups = len(found), int(codes.max(initial=-1)) + 1
    if n == 0:
        return Share(math.nan, math.nan, math.nan, 0, 0)
    share = float(found.mean())
    if groups < 2:
        return Share(share, 0.0, 1.0, n, groups)
    quantile = float(stdtrit(groups - 1, (1 + level) / 2))
    low, high = _wilson(share, _effective(found - share, codes, share), quantile)
    return Share(share, low, high, n, groups)


def _effective(
    residuals: np.ndarray[tuple[int], np.dtype[np.float64]],
    codes: np.ndarray[tuple[int], np.dtype[np.intp]],
    share: float,
) -> float:
    """Return how many independent decisions would tell as much; never more than there are."""
    n, sums = len(residuals), np.bincount(codes, weights=residuals)
    groups = len(sums)
    variance = groups / (groups - 1) * float(sums @ sums) / n**2
    if share in (0, 1) or variance == 0:
        return float(groups)
    return min(float(n), share * (1 - share) / variance)


def _wilson(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Return Wilson's interval (1927) for a share of n independent decisions."""
    square = quantile**2 / n
    middle = (share + square / 2) / (1 + square)
    reach = quantile / (1 + square) * math.sqrt(share * (1 - share) / n + square / (4 * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)
