"""Means and intervals against known values."""

import math
import random

import pytest

from forty5sim.stats import Estimate, estimate


def test_clusters_of_a_worked_example():
    # six deals of three replays; the standard error of the deal means is .285450, t(5) is 2.570582
    deals = [[1, -1, 1], [1, 1, 1], [-1, -1, 1], [1, -1, -1], [1, 1, -1], [-1, -1, -1]]
    totals = [sum(deal) for deal in deals]
    value = estimate(sum(totals), sum(t * t for t in totals), len(totals), units=3)
    assert value.mean == 0
    assert value.half_width == pytest.approx(2.570582 * 0.285450, rel=1e-5)
    assert not value.is_clear


def test_few_boards_have_no_interval():
    assert math.isnan(estimate(0, 0, 0).mean)
    assert math.isnan(estimate(3, 9, 1).half_width)
    assert estimate(3, 9, 1).mean == 3
    assert str(Estimate(0.5, 0.25, 9)) == "+0.50 ± 0.25 (n=9)"
    assert Estimate(12.0, 31.4, 9).digits() == 1
    assert Estimate(12.0, 0.000314, 9).digits() == 5


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = random.Random(1)
    covered = 0
    trials = 2000
    for _ in range(trials):
        values = [rng.choice((-3, 0, 1, 2)) for _ in range(12)]
        value = estimate(sum(values), sum(v * v for v in values), len(values))
        covered += abs(value.mean - 0) <= value.half_width
    assert covered / trials == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / trials))
