"""Ratings of many players from who beat whom, and how sure they are.

Mean payoffs are the primary figure; ratings are for a look at a large field. Boards are resampled,
never games, because the games of one board are not independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL
from forty5sim.stats.extras import FloatArray, check_share, load_extra

ELO_UNIT = 400 / math.log(10)
SHARED_WIN = 0.5
MOST_STEPS = 10_000
TIE = 1e-6

Number = TypeVar("Number", float, FloatArray)


@dataclass(frozen=True, eq=False)
class Ratings:
    """Strengths of players on the logit scale.

    Attributes:
        logits: shape (players,), with mean 0; i beats j with odds exp(logits[i] - logits[j]).
        is_likeliest: whether these are the maximum-likelihood ratings. They do not exist where some
            players never lost to, or never met, the rest; then half a win each way was added for
            every pair, and the ratings are only a cautious guess at an unbounded difference.
    """

    logits: FloatArray
    is_likeliest: bool


@dataclass(frozen=True, eq=False)
class BootstrappedRatings:
    """Elo ratings with percentile intervals from resampled boards.

    Attributes:
        ratings: shape (players,), Elo with mean 0, from all boards.
        low: shape (players,), the lower ends of the intervals.
        high: shape (players,), the upper ends.
        top: shape (players,), the share of replicates in which each is rated highest; ties at the
            top are split.
        is_likeliest: as in Ratings, for the ratings from all boards.
        guessed: the share of replicates without maximum-likelihood ratings; where it is not small,
            the outer end of an interval is set by the half wins that were added.
    """

    ratings: FloatArray
    low: FloatArray
    high: FloatArray
    top: FloatArray
    is_likeliest: bool
    guessed: float


def to_elo(logits: Number) -> Number:
    """Return logits on the scale of Elo, on which 400 points are odds of ten to one."""
    return logits * ELO_UNIT


def bradley_terry(wins: ArrayLike) -> Ratings:
    """Return the ratings that make the wins likeliest (Bradley and Terry 1952), by choix.

    Args:
        wins: shape (players, players); wins[i, j] says how often i beat j, a tie being half a win
            for each. The diagonal is not looked at.

    Raises:
        RunError: the table is not square, a number in it is negative or not finite, or choix is
            missing.
    """
    table = _checked(np.array(wins, dtype=np.float64), 2)
    np.fill_diagonal(table, 0)
    return _fit(table)


def bootstrap_ratings(
    board_wins: ArrayLike, replicates: int = 2000, seed: int = 0, level: float = LEVEL
) -> BootstrappedRatings:
    """Return Elo ratings with intervals, by drawing boards with replacement (Efron 1979).

    Args:
        board_wins: shape (boards, players, players), a table as for bradley_terry for each board.
        replicates: how often to draw; percentile intervals want 2000 or more.
        seed: the seed of the draws; the same seed gives the same intervals.
        level: the level of the intervals.

    Raises:
        RunError: as for bradley_terry, or there are no boards or no replicates.
    """
    tables = _checked(np.array(board_wins, dtype=np.float64), 3)
    boards, players = tables.shape[:2]
    if boards < 1 or replicates < 1:
        raise RunError(
            f"a bootstrap needs boards and replicates, got {boards!r} and {replicates!r}"
        )
    check_share("level", level)
    tables[:, range(players), range(players)] = 0
    fitted = _fit(tables.sum(axis=0))
    draws, guessed = _redraw(tables.reshape(boards, -1), replicates, seed, fitted.logits)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return BootstrappedRatings(
        to_elo(fitted.logits), low, high, _top_shares(draws), fitted.is_likeliest, guessed
    )


def winner_share_rating(share_a: float, share_b: float) -> float:
    """Return the logit rating of one player A among equal players B in a game with one winner.

    It is the strength of A in a multinomial logit (Luce 1959) in which nobody's winning, a spoil,
    is one more outcome: the spoils cancel out.

    Args:
        share_a: the share of deals that A won.
        share_b: the share of deals that each single B won.

    Returns:
        The difference; infinite if only one of them ever won, nan if neither did.

    Raises:
        RunError: a share is not between 0 and 1.
    """
    if not (0 <= share_a <= 1 and 0 <= share_b <= 1):
        raise RunError(f"shares must lie between 0 and 1, got {share_a!r} and {share_b!r}")
    if share_a == 0 or share_b == 0:
        return math.nan if share_a == share_b else math.copysign(math.inf, share_a - share_b)
    return math.log(share_a / share_b)


def _checked(tables: FloatArray, dimensions: int) -> FloatArray:
    """Return tables of wins, or raise RunError if they are none."""
    shape = tables.shape
    if len(shape) != dimensions or shape[-1] != shape[-2] or shape[-1] == 0:
        raise RunError(f"wins must have a row and a column for each player, got shape {shape!r}")
    if not (np.isfinite(tables).all() and (tables >= 0).all()):
        raise RunError("every number of wins must be a finite number of at least 0")
    return tables


def _fit(table: FloatArray, start: FloatArray | None = None) -> Ratings:
    """Return the ratings for a table with an empty diagonal, starting the search from logits."""
    if len(table) == 1:
        return Ratings(np.zeros(1), is_likeliest=True)
    choix = load_extra("choix", "ratings")
    bounded = _is_bounded(table)
    if not bounded:
        table = table + SHARED_WIN * (1 - np.eye(len(table)))
    logits = choix.ilsr_pairwise_dense(table, initial_params=start, max_iter=MOST_STEPS)
    return Ratings(logits - logits.mean(), bounded)


def _is_bounded(table: FloatArray) -> bool:
    """Say whether every player can be reached from every other along wins (Ford 1957)."""
    beats = table > 0
    if beats.sum() == beats.size - len(beats):
        return True
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(beats, connection="strong")[0]) == 1


def _redraw(
    flat: FloatArray, replicates: int, seed: int, start: FloatArray
) -> tuple[FloatArray, float]:
    """Return Elo of shape (replicates, players) and the share that is not the likeliest."""
    boards, players = len(flat), len(start)
    rng = np.random.default_rng(seed)
    draws = np.empty((replicates, players))
    guesses = 0
    for replicate in range(replicates):
        weights = rng.multinomial(boards, np.full(boards, 1 / boards))
        fitted = _fit((weights @ flat).reshape(players, players), start)
        draws[replicate] = to_elo(fitted.logits)
        guesses += not fitted.is_likeliest
    return draws, guesses / replicates


def _top_shares(draws: FloatArray) -> FloatArray:
    """Return how often each player is rated highest, ties being split."""
    leads = draws >= draws.max(axis=1, keepdims=True) - TIE
    shares: FloatArray = (leads / leads.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares
