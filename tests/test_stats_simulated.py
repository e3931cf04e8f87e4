"""Intervals, tests and sample sizes against simulated boards whose truth is known."""

import math

import numpy as np
import pytest
from scipy.special import stdtrit

from forty5sim.stats import (
    boards_for,
    confidence_half_width,
    elo_test,
    estimate,
    power_of,
    score_of,
)

PAIR = np.array([0, 0.25, 0.5, 0.75, 1])
LEVEL = 0.95


def allowed(share, runs):
    """Return three standard errors of a share found in so many runs."""
    return 3 * math.sqrt(share * (1 - share) / runs)


def played(rng, seats, events, boards):
    """Return whole payoffs of shape (events, boards, replays) with mean 2 for one player.

    What a board is worth to everyone is common to its replays; what it is worth to a seat goes
    round with the player and cancels; the rest is luck of the replay.
    """
    shape = (events, boards, seats)
    common = rng.integers(-2, 3, shape[:2])[:, :, None]
    luck = rng.integers(-4, 5, shape)
    return 2 + common + luck - np.roll(luck, 1, axis=2) + rng.integers(-2, 3, shape)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_intervals_cover_the_truth_in_ten_thousand_events(seats):
    events, boards = 10_000, 16
    payoffs = played(np.random.default_rng(seats), seats, events, boards)
    totals = payoffs.sum(axis=2)
    sums, squares = totals.sum(axis=1).tolist(), (totals**2).sum(axis=1).tolist()
    found = [estimate(s, q, boards, units=seats) for s, q in zip(sums, squares, strict=True)]
    covered = np.mean([abs(value.mean - 2) <= value.half_width for value in found])
    assert covered == pytest.approx(LEVEL, abs=allowed(LEVEL, events))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_replays_taken_as_boards_would_miss_that_coverage(seats):
    events, boards = 2_000, 16
    payoffs = played(np.random.default_rng(seats), seats, events, boards).reshape(events, -1)
    n = payoffs.shape[1]
    half_widths = stdtrit(n - 1, (1 + LEVEL) / 2) * payoffs.std(axis=1, ddof=1) / math.sqrt(n)
    covered = np.mean(np.abs(payoffs.mean(axis=1) - 2) <= half_widths)
    assert abs(covered - LEVEL) > allowed(LEVEL, events)


def decisions(true_elo, elo0, elo1, runs, seed):
    """Return what sequential tests of simulated pairs decide, and how many boards each takes.

    The test is looked at every 50 boards. The exact ratio is worked out only at looks at which the
    normal approximation is near a bound.
    """
    test = elo_test(elo0, elo1)
    # mean 1/2 and variance 1/20, then tilted to the true mean
    shares = np.array([0.05, 0.2, 0.5, 0.2, 0.05])
    shares *= 1 + 20 * (score_of(true_elo) - 0.5) * (PAIR - 0.5)
    looks = np.random.default_rng(seed).multinomial(50, shares, (runs, 200)).cumsum(axis=1)
    n = looks.sum(axis=2)
    mean = looks @ PAIR / n
    variance = looks @ PAIR**2 / n - mean**2
    gap, middle = test.mean1 - test.mean0, (test.mean0 + test.mean1) / 2
    near = np.abs(n * gap * (mean - middle) / variance) > test.bounds[1] - 0.5
    found = []
    for run in range(runs):
        for look in np.flatnonzero(near[run]):
            decision = test.decision(test.log_likelihood_ratio(PAIR, looks[run, look]))
            if decision != "continue":
                break
        found.append((decision, n[run, look]))
    answers, boards = zip(*found, strict=True)
    return np.array(answers), np.mean(boards)


@pytest.mark.parametrize(("true_elo", "wrong"), [(0, "accept H1"), (20, "accept H0")])
def test_sequential_tests_are_wrong_as_seldom_as_they_say(true_elo, wrong):
    runs = 2_000
    answers, boards = decisions(true_elo, 0, 20, runs, seed=7)
    assert "continue" not in answers
    assert 0.02 < np.mean(answers == wrong) <= 0.05 + allowed(0.05, runs)
    # a test of the same error rates with a fixed number of boards
    fixed = (2 * 1.644854 / (score_of(20) - 0.5)) ** 2 / 20
    assert boards < 0.75 * fixed


def test_a_sequential_test_between_its_means_is_even_and_takes_longer():
    runs = 500
    answers, boards = decisions(10, 0, 20, runs, seed=8)
    assert np.mean(answers == "accept H1") == pytest.approx(0.5, abs=allowed(0.5, runs))
    assert boards > 1.3 * decisions(0, 0, 20, runs, seed=9)[1]


def test_only_the_confidence_sequence_may_be_looked_at_a_hundred_times():
    runs, looks, step = 2_000, 100, 100
    rng = np.random.default_rng(4)
    # values of -1 and 1 with mean 0, summed up at every look
    sums = (2 * rng.binomial(step, 0.5, (runs, looks)) - step).cumsum(axis=1)
    n = step * np.arange(1, looks + 1)
    means = sums / n
    deviations = np.sqrt((1 - means**2) * n / (n - 1))
    unit = np.array([confidence_half_width(int(k), 1.0) for k in n])
    fooled = np.mean((np.abs(means) > unit * deviations).any(axis=1))
    assert 0.005 < fooled < 0.05
    naive = np.mean((np.abs(means) > 1.96 * deviations / np.sqrt(n)).any(axis=1))
    assert naive == pytest.approx(0.379, abs=0.05)


def test_boards_for_finds_the_effect_as_often_as_wanted():
    runs = 20_000
    boards = boards_for(0.4, 1, power=0.8)
    values = np.random.default_rng(5).normal(0.4, 1, (runs, boards))
    errors = values.std(axis=1, ddof=1) / math.sqrt(boards)
    clear = np.abs(values.mean(axis=1)) > stdtrit(boards - 1, (1 + LEVEL) / 2) * errors
    promised = power_of(boards, 0.4, 1)
    assert promised == pytest.approx(0.8, abs=0.01)
    assert np.mean(clear) == pytest.approx(promised, abs=allowed(promised, runs))
