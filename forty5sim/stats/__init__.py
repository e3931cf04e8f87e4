"""Statistics of boards as pure functions; no I/O, no pandas.

Estimates, clustered errors, Elo, sequential tests, power, comparisons of many bots and ratings.
What takes long to import (parts of scipy, statsmodels, choix) is loaded when it is first used.
"""

from __future__ import annotations

from forty5sim.stats.clusters import ClusteredMean, clustered_mean
from forty5sim.stats.comparisons import holm, p_value
from forty5sim.stats.estimates import LEVEL, Estimate, estimate, share
from forty5sim.stats.power import boards_for, power_of
from forty5sim.stats.ratings import (
    BootstrappedRatings,
    Ratings,
    bootstrap_ratings,
    bradley_terry,
    to_elo,
    winner_share_rating,
)
from forty5sim.stats.scores import EloEstimate, elo, elo_estimate, score_of
from forty5sim.stats.sequential import (
    Decision,
    SequentialTest,
    confidence_half_width,
    elo_test,
)

__all__ = [
    "LEVEL",
    "BootstrappedRatings",
    "ClusteredMean",
    "Decision",
    "EloEstimate",
    "Estimate",
    "Ratings",
    "SequentialTest",
    "boards_for",
    "bootstrap_ratings",
    "bradley_terry",
    "clustered_mean",
    "confidence_half_width",
    "elo",
    "elo_estimate",
    "elo_test",
    "estimate",
    "holm",
    "p_value",
    "power_of",
    "score_of",
    "share",
    "to_elo",
    "winner_share_rating",
]
