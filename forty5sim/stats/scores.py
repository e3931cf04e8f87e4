"""Elo differences from scores of boards, plain and normalised.

A score is what a board brings, from 0 (all lost) to 1 (all won). Two outcomes and a tie make three
scores; a pair of games on one deal makes five (0, 1/4, 1/2, 3/4, 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL
from forty5sim.stats.extras import distribution

NORMALISED_UNIT = 800 / math.log(10)


@dataclass(frozen=True)
class EloEstimate:
    """The strength difference that scores of boards show, in Elo.

    Attributes:
        score: the mean score, 0 to 1.
        elo: the Elo difference of that score; infinite for a score of 0 or 1.
        error: half the width of the 95 % interval of elo; infinite where the interval of the score
            reaches 0 or 1.
        normalised: the normalised Elo, which counts in standard deviations of one game.
        normalised_error: half the width of its 95 % interval.
        superiority: the likelihood of superiority, the normal probability that the true score
            is above 1/2.
        n: the number of boards.

    Without two different scores there is no spread to judge by: error, normalised,
    normalised_error and superiority are nan.
    """

    score: float
    elo: float
    error: float
    normalised: float
    normalised_error: float
    superiority: float
    n: int


def elo(score: float) -> float:
    """Return the Elo difference at which this score is expected.

    A score of 0 gives minus infinity, of 1 infinity.

    Raises:
        RunError: the score is not between 0 and 1.

    >>> round(elo(0.75), 3)
    190.849
    """
    if not 0 <= score <= 1:
        raise RunError(f"a score must lie between 0 and 1, got {score!r}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Return the expected score, 0 to 1, of a player who is this many Elo stronger.

    >>> score_of(0)
    0.5
    """
    odds = 10 ** (-abs(elo) / 400)
    return 1 / (1 + odds) if elo >= 0 else odds / (1 + odds)


def elo_estimate(scores: ArrayLike, counts: ArrayLike, games: int = 1) -> EloEstimate:
    """Return the Elo difference from how often each score came up.

    The formulas are those of the engine testers' tools fastchess and fishtest; normalised Elo is
    after Michel Van den Bergh, "Normalized Elo".

    Args:
        scores: shape (k,), the possible scores of a board, each 0 to 1.
        counts: shape (k,), how many boards had that score.
        games: the games of one board, for the normalised figure; 2 for pairs.

    Raises:
        RunError: a score is not between 0 and 1, the lengths differ, a count is negative or broken,
            or games is below 1.
    """
    support, weights = distribution(scores, counts)
    if support.min() < 0 or support.max() > 1:
        raise RunError(f"every score must lie between 0 and 1, got {scores!r}")
    if (weights % 1).any() or games < 1:
        raise RunError(
            f"counts must be whole numbers and games at least 1, got {counts!r} and {games!r}"
        )
    n = int(weights.sum())
    if n == 0:
        return _spreadless_estimate(math.nan, math.nan, 0)
    score = min(1.0, max(0.0, float(weights @ support) / n))
    variance = float(weights @ (support - score) ** 2) / n
    if len(set(support[weights > 0])) < 2:
        return _spreadless_estimate(score, elo(score), n)
    return _spread_estimate(score, variance, n, games)


def _spreadless_estimate(score: float, difference: float, n: int) -> EloEstimate:
    """Return the estimate for no boards, or boards that all had one score."""
    return EloEstimate(score, difference, math.nan, math.nan, math.nan, math.nan, n)


def _spread_estimate(score: float, variance: float, n: int, games: int) -> EloEstimate:
    """Return the estimate for boards whose scores differ."""
    quantile = float(ndtri((1 + LEVEL) / 2))
    se = math.sqrt(variance / n)
    high, low = min(1.0, score + quantile * se), max(0.0, score - quantile * se)
    return EloEstimate(
        score=score,
        elo=elo(score),
        error=(elo(high) - elo(low)) / 2,
        normalised=(score - 0.5) / math.sqrt(games * variance) * NORMALISED_UNIT,
        normalised_error=quantile * NORMALISED_UNIT / math.sqrt(games * n),
        superiority=float(ndtr((score - 0.5) / se)),
        n=n,
    )
