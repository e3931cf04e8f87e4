"""Statistics against known values: means, Elo, sequential tests, power, ratings."""

import math
import random
import subprocess
import sys

import numpy as np
import pytest

from forty5sim.errors import RunError
from forty5sim.stats import (
    Estimate,
    SequentialTest,
    boards_for,
    bootstrap_ratings,
    bradley_terry,
    clustered_mean,
    confidence_half_width,
    elo,
    elo_estimate,
    elo_test,
    estimate,
    holm,
    p_value,
    power_of,
    score_of,
    to_elo,
    winner_share_rating,
)

SINGLE = (0, 0.5, 1)
PAIR = (0, 0.25, 0.5, 0.75, 1)
WINS = [[0, 30, 45], [20, 0, 35], [5, 15, 0]]
DEALS = [[1, -1, 1], [1, 1, 1], [-1, -1, 1], [1, -1, -1], [1, 1, -1], [-1, -1, -1]]


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


def test_importing_the_statistics_is_quick():
    slow = ("scipy.stats", "scipy.optimize", "scipy.sparse", "statsmodels", "choix", "pandas")
    code = f"import sys, forty5sim.stats; print([m for m in {slow} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# Clusters


def test_clustered_errors_of_a_worked_example():
    value = clustered_mean(np.ravel(DEALS), np.repeat(list("abcdef"), 3))
    assert (value.mean, value.n, value.clusters) == (0, 18, 6)
    assert value.se_iid == pytest.approx(0.242536, abs=1e-6)
    assert value.se == pytest.approx(0.285450, abs=1e-6)
    assert value.icc == pytest.approx(0.178082, abs=1e-6)
    assert value.design_effect == pytest.approx(1.356164, abs=1e-6)
    totals = [sum(deal) for deal in DEALS]
    same = estimate(sum(totals), sum(t * t for t in totals), 6, units=3)
    assert value.half_width == pytest.approx(same.half_width, rel=1e-12)


def test_clusters_may_differ_in_size_and_come_in_any_order():
    values, labels = np.array([3.0, 1, 4, 1, 5, 9, 2, 6]), np.array([0, 1, 1, 2, 2, 2, 0, 0])
    value = clustered_mean(values, labels)
    rests = np.bincount(labels, values - values.mean())
    assert value.se == pytest.approx(math.sqrt(1.5 * (rests**2).sum()) / 8)
    order = [7, 2, 5, 0, 1, 6, 3, 4]
    again = clustered_mean(values[order], labels[order])
    assert (again.se, again.icc) == pytest.approx((value.se, value.icc))


def test_clusters_without_an_interval():
    lone = clustered_mean([1, 2, 3], [0, 0, 0])
    assert lone.se_iid == pytest.approx(1 / math.sqrt(3))
    assert all(map(math.isnan, (lone.se, lone.icc, lone.design_effect, lone.half_width)))
    assert math.isnan(clustered_mean([4], [0]).se_iid)
    singles = clustered_mean([1, 2, 3], [0, 1, 2])
    assert singles.se == pytest.approx(singles.se_iid)
    assert math.isnan(singles.icc)
    flat = clustered_mean([2, 2, 2, 2], [0, 0, 1, 1])
    assert flat.se == pytest.approx(0, abs=1e-12)
    with pytest.raises(RunError, match="one length"):
        clustered_mean([1, 2], [0])
    with pytest.raises(RunError, match="one length"):
        clustered_mean([], [])


# Elo


def test_elo_and_score_are_inverse():
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0), elo(1), elo(0.5)) == (-math.inf, math.inf, 0)
    assert (score_of(math.inf), score_of(-math.inf)) == (1, 0)
    for value in (-5000.0, -3.0, 0.0, 0.01, 700.0):
        assert elo(score_of(value)) == pytest.approx(value, abs=1e-9)
    with pytest.raises(RunError, match=r"between 0 and 1, got 1\.5"):
        elo(1.5)


# (losses, ties, wins) or pairs from both lost to both won, then what is known of the estimate
ELO_KNOWN = [
    (
        (6, 20, 44, 34, 16),
        {
            "score": 0.570833,
            "elo": 49.553337,
            "error": 33.421252,
            "normalised": 66.276304,
            "normalised_error": 43.955859,
            "superiority": 0.998438,
        },
    ),
    (
        (89, 123, 76),
        {"normalised": -20.756450, "normalised_error": 40.126026, "superiority": 0.155326},
    ),
    (
        (96, 111, 136),
        {
            "elo": 40.702458,
            "error": 30.427218,
            "normalised": 49.768415,
            "normalised_error": 36.768451,
        },
    ),
    ((356, 0, 34), {"normalised": -508.435325, "normalised_error": 34.481812}),
    (
        (34, 54, 63, 64, 75),
        {
            "elo": 55.579780,
            "error": 27.653430,
            "normalised": 57.935600,
            "normalised_error": 28.275376,
        },
    ),
    (
        (332, 433, 498, 333, 334),
        {
            "elo": -8.642667,
            "error": 10.334194,
            "normalised": -9.172914,
            "normalised_error": 10.960459,
        },
    ),
    (
        (7895, 8757, 5685, 568, 9999),
        {
            "elo": -21.043521,
            "error": 2.945281,
            "normalised": -19.012834,
            "normalised_error": 2.654502,
        },
    ),
]


@pytest.mark.parametrize(("counts", "known"), ELO_KNOWN)
def test_elo_as_the_engine_testers_count_it(counts, known):
    pairs = len(counts) == 5
    value = elo_estimate(PAIR if pairs else SINGLE, counts, games=1 + pairs)
    assert value.n == sum(counts)
    for name, number in known.items():
        assert getattr(value, name) == pytest.approx(number, abs=1e-6), name


@pytest.mark.parametrize(
    ("counts", "difference", "error"),
    [((398, 4112, 7672, 4336, 430), 2.952, 2.178), ((56, 1144, 2546, 1310, 77), 7.040, 3.621)],
)
def test_elo_of_public_runs(counts, difference, error):
    value = elo_estimate(PAIR, counts, games=2)
    assert (value.elo, value.error) == pytest.approx((difference, error), abs=1e-3)


def test_elo_without_a_spread():
    won = elo_estimate(SINGLE, (0, 0, 7))
    assert (won.score, won.elo, won.n) == (1, math.inf, 7)
    assert elo_estimate(SINGLE, (7, 0, 0)).elo == -math.inf
    tied = elo_estimate((0.1, 0.3), (0, 7))
    assert tied.elo == elo(0.3)
    for value in (won, tied, elo_estimate(SINGLE, (0, 0, 0))):
        nothing = (value.error, value.normalised, value.normalised_error, value.superiority)
        assert all(map(math.isnan, nothing))
    assert math.isnan(elo_estimate(SINGLE, (0, 0, 0)).score)


def test_elo_error_is_infinite_where_the_interval_reaches_the_end():
    value = elo_estimate(SINGLE, (1, 0, 9))
    assert value.elo == pytest.approx(elo(0.9))
    assert value.error == math.inf


@pytest.mark.parametrize(
    ("scores", "counts", "games"),
    [
        ((0, 2), (1, 1), 1),
        ((0, 1), (1, 1, 1), 1),
        ((), (), 1),
        ((0, 1), (-1, 1), 1),
        ((0, 1), (0.5, 1), 1),
        ((0, 1), (math.nan, 1), 1),
        ((0, 1), (1, 1), 0),
    ],
)
def test_elo_of_broken_counts(scores, counts, games):
    with pytest.raises(RunError, match="got"):
        elo_estimate(scores, counts, games)


# Sequential tests


def test_bounds_of_wald():
    assert elo_test(0, 5).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert elo_test(0, 5, 0.01, 0.01).bounds == pytest.approx((-4.595120, 4.595120), abs=1e-6)
    test = elo_test(0, 5)
    assert test.decision(test.bounds[0]) == "accept H0"
    assert test.decision(test.bounds[1]) == "accept H1"
    assert test.decision(0) == test.decision(2.94) == "continue"


@pytest.mark.parametrize(
    ("counts", "means", "ratio"),
    [
        ((21184, 40708, 21404), (0.5, 2.5), -1.571889),
        ((57030, 106593, 57433), (0, 2), -2.593024),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.074126),
        ((871, 26175, 55983, 26678, 821), (0, 2), -4.978673),
        ((10789, 19328, 33806, 19402, 10543), (-3, 1), 2.131068),
    ],
)
def test_log_likelihood_ratios_of_the_engine_testers(counts, means, ratio):
    support = PAIR if len(counts) == 5 else SINGLE
    assert elo_test(*means).log_likelihood_ratio(support, counts) == pytest.approx(ratio, abs=1e-6)


def test_two_outcomes_leave_no_choice_of_distribution():
    ratio = SequentialTest(0.4, 0.55).log_likelihood_ratio((0, 1), (30, 50))
    assert ratio == pytest.approx(30 * math.log(0.45 / 0.6) + 50 * math.log(0.55 / 0.4), abs=1e-9)


def test_many_small_effects_agree_with_the_normal_approximation():
    values, counts = np.array([-2, -1, 0, 1, 2]), np.array([300, 900, 2000, 1100, 300])
    n = counts.sum()
    mean = values @ counts / n
    variance = (values - mean) ** 2 @ counts / n
    ratio = SequentialTest(0, 0.05).log_likelihood_ratio(values, counts)
    assert ratio == pytest.approx(n * 0.05 * (2 * mean - 0.05) / (2 * variance), rel=0.02)


def test_the_ratio_depends_on_neither_order_nor_unit_nor_sign():
    counts = (5, 30, 60, 33, 6)
    ratio = elo_test(0, 10).log_likelihood_ratio(PAIR, counts)
    means = (score_of(0), score_of(10))
    order = [3, 0, 4, 2, 1]
    shuffled = elo_test(0, 10).log_likelihood_ratio(np.take(PAIR, order), np.take(counts, order))
    payoffs = SequentialTest(*(1000 * s - 300 for s in means)).log_likelihood_ratio(
        [1000 * s - 300 for s in PAIR], counts
    )
    swapped = SequentialTest(*means[::-1]).log_likelihood_ratio(PAIR, counts)
    assert (shuffled, payoffs, -swapped) == pytest.approx((ratio, ratio, ratio), abs=1e-9)


def test_a_sequential_test_of_one_sided_data():
    test = elo_test(0, 10)
    assert test.log_likelihood_ratio(PAIR, (0, 0, 0, 0, 0)) == 0
    # as good as N ln(s1 / s0), since nothing but wins was seen
    bound = 4250 * math.log(score_of(10) / score_of(0))
    assert test.log_likelihood_ratio(SINGLE, (0, 0, 4250)) == pytest.approx(bound, rel=0.01)
    assert test.decision(test.log_likelihood_ratio(SINGLE, (4250, 0, 0))) == "accept H0"


def test_means_out_of_reach_of_the_values():
    test = SequentialTest(0, 0.05)
    # only one value was named: the ratio tells on which side of the middle it lies
    assert test.log_likelihood_ratio([0.5], [100]) > 3
    assert test.log_likelihood_ratio([-0.5], [100]) < -3
    assert test.log_likelihood_ratio([0.025], [100]) == pytest.approx(0, abs=1e-9)
    for mean0, mean1 in ((0, 50), (-50, 0), (-50, 50), (60, 50), (-3, 5)):
        ratio = SequentialTest(mean0, mean1).log_likelihood_ratio([-3, 2, 5], [100, 3, 77])
        assert math.isfinite(ratio)
    assert SequentialTest(0, 50).log_likelihood_ratio([-3, 2, 5], [100, 3, 77]) < -3


@pytest.mark.parametrize(
    "options",
    [
        {"mean0": 1, "mean1": 1},
        {"mean0": math.nan, "mean1": 1},
        {"mean0": 0, "mean1": 1, "alpha": 0},
        {"mean0": 0, "mean1": 1, "beta": 1.5},
        {"mean0": 0, "mean1": 1, "alpha": 0.5, "beta": 0.5},
    ],
)
def test_a_sequential_test_that_makes_no_sense(options):
    with pytest.raises(RunError, match="got"):
        SequentialTest(**options)


def test_confidence_sequence_of_known_values():
    widths = [confidence_half_width(n, 1) for n in (100, 1000, 10000)]
    assert widths == pytest.approx([0.365639, 0.096064, 0.032730], abs=1e-6)
    assert confidence_half_width(100, 3) == pytest.approx(3 * widths[0])
    assert confidence_half_width(0, 1) == math.inf
    assert confidence_half_width(100, 1, level=0.99) > widths[0]
    for broken in ({"level": 1}, {"rho2": 0}, {"n": -1}, {"deviation": -1.0}):
        with pytest.raises(RunError, match="got"):
            confidence_half_width(**{"n": 10, "deviation": 1.0, **broken})


# Power


@pytest.mark.parametrize(
    ("effect", "deviation", "power", "level"),
    [(0.3, 1, 0.8, 0.95), (-2, 1, 0.9, 0.99), (0.01, 0.3707, 0.8, 0.95), (9, 1, 0.8, 0.95)],
)
def test_boards_for_is_the_least_number_that_will_do(effect, deviation, power, level):
    boards = boards_for(effect, deviation, power, level)
    assert power_of(boards, effect, deviation, level) >= power
    assert boards == 2 or power_of(boards - 1, effect, deviation, level) < power


def test_power_agrees_with_statsmodels_and_the_normal_rule():
    from statsmodels.stats.power import TTestPower

    assert power_of(90, 0.3, 1) == pytest.approx(TTestPower().power(0.3, 90, 0.05), abs=1e-9)
    assert boards_for(0.3, 1) == math.ceil(TTestPower().solve_power(0.3, None, 0.05, 0.8))
    assert power_of(20, 0, 1, level=0.9) == pytest.approx(0.1)
    assert boards_for(0.01, 0.5) == pytest.approx((2.802 * 0.5 / 0.01) ** 2, rel=1e-3)


@pytest.mark.parametrize(
    "broken", [{"effect": 0}, {"deviation": 0}, {"power": 0.05}, {"power": 1}, {"level": 95}]
)
def test_boards_for_nothing(broken):
    with pytest.raises(RunError, match="got"):
        boards_for(**{"effect": 0.1, "deviation": 1, **broken})


def test_power_of_too_few_boards():
    with pytest.raises(RunError, match="at least 2 boards"):
        power_of(1, 0.1, 1)


# Comparisons


def test_p_values_agree_with_the_t_test():
    from scipy.stats import ttest_1samp

    values = [3, 0, -1, 4, 2, 2, -2]
    value = estimate(sum(values), sum(v * v for v in values), len(values))
    assert p_value(value) == pytest.approx(ttest_1samp(values, 0).pvalue, rel=1e-12)
    wide = estimate(sum(values), sum(v * v for v in values), len(values), level=0.99)
    assert p_value(wide, level=0.99) == pytest.approx(p_value(value), rel=1e-12)
    assert p_value(Estimate(-0.2, 0.2, 9)) == pytest.approx(0.05, rel=1e-12)


def test_p_values_at_the_edge():
    assert p_value(Estimate(0.0, 0.0, 9)) == 1
    assert p_value(Estimate(0.1, 0.0, 9)) == 0
    assert math.isnan(p_value(Estimate(0.1, math.nan, 1)))
    assert math.isnan(p_value(Estimate(math.nan, math.nan, 0)))


def test_holm_of_known_values():
    known = (0.006, 0.04, 0.048, 0.09, 0.09, 0.2)
    values = (0.001, 0.008, 0.012, 0.030, 0.041, 0.20)
    assert holm(values) == pytest.approx(known)
    assert holm(values[::-1]) == pytest.approx(known[::-1])
    gaps = holm((math.nan, *values, math.nan))
    assert gaps == pytest.approx([math.nan, *known, math.nan], nan_ok=True)
    assert np.isnan(holm([math.nan])).all()
    assert holm([]).shape == (0,)
    with pytest.raises(RunError, match="from 0 to 1"):
        holm([0.5, 1.5])


# Ratings


def test_bradley_terry_of_known_values():
    rated = bradley_terry(WINS)
    assert rated.logits == pytest.approx([0.78344515, 0.16016070, -0.94360585], abs=1e-8)
    assert to_elo(rated.logits) == pytest.approx([136.0984, 27.8228, -163.9211], abs=1e-4)
    assert rated.is_likeliest


def test_ratings_follow_the_players():
    rng = np.random.default_rng(3)
    boards = rng.poisson(0.5, (60, 5, 5)) + 0.5 * rng.poisson(0.2, (60, 5, 5))
    order = [3, 1, 4, 0, 2]
    moved = boards[:, order][:, :, order]
    plain, turned = bradley_terry(boards.sum(0)), bradley_terry(moved.sum(0))
    assert turned.logits == pytest.approx(plain.logits[order], abs=1e-7)
    first, second = (bootstrap_ratings(table, replicates=200, seed=5) for table in (boards, moved))
    for name in ("ratings", "low", "high", "top"):
        assert getattr(second, name) == pytest.approx(getattr(first, name)[order], abs=1e-4), name


def test_players_who_were_never_beaten_get_a_cautious_rating():
    rated = bradley_terry([[0, 10], [0, 0]])
    assert not rated.is_likeliest
    assert rated.logits[0] - rated.logits[1] == pytest.approx(math.log(10.5 / 0.5))
    strangers = bradley_terry([[0, 3, 0, 0], [3, 0, 0, 0], [0, 0, 0, 5], [0, 0, 5, 0]])
    assert not strangers.is_likeliest
    assert strangers.logits == pytest.approx(np.zeros(4), abs=1e-7)
    ring = bradley_terry([[0, 4, 0], [0, 0, 4], [4, 0, 0]])
    assert ring.is_likeliest
    assert ring.logits == pytest.approx(np.zeros(3), abs=1e-7)
    assert bradley_terry([[7]]).logits == pytest.approx([0])
    assert bradley_terry([[9, 3], [1, 9]]).logits[0] == pytest.approx(math.log(3) / 2)


def test_bootstrapped_ratings_of_two_players():
    boards = np.zeros((100, 2, 2))
    boards[:64, 0, 1] = 1
    boards[64:, 1, 0] = 1
    rated = bootstrap_ratings(boards, seed=1)
    assert rated.ratings == pytest.approx([elo(0.64) / 2, -elo(0.64) / 2], abs=1e-4)
    # the shares of wins are binomial, with quantiles 54 and 73 of 100
    assert rated.low[0] == pytest.approx(elo(0.545) / 2, abs=4)
    assert rated.high[0] == pytest.approx(elo(0.73) / 2, abs=4)
    assert (rated.low[1], rated.high[1]) == pytest.approx((-rated.high[0], -rated.low[0]), abs=1e-4)
    assert rated.top.sum() == pytest.approx(1)
    assert rated.top[0] == pytest.approx(0.998, abs=0.004)
    assert (rated.is_likeliest, rated.guessed) == (True, 0)
    again = bootstrap_ratings(boards, seed=1)
    assert (again.low == rated.low).all()


def test_bootstrapped_ratings_say_how_often_they_guess():
    boards = np.zeros((20, 2, 2))
    boards[:19, 0, 1] = 1
    boards[19, 1, 0] = 1
    rated = bootstrap_ratings(boards, replicates=1000)
    assert rated.is_likeliest
    assert rated.guessed == pytest.approx((19 / 20) ** 20, abs=0.06)
    even = bootstrap_ratings(np.tile([[0, 0.5], [0.5, 0]], (4, 1, 1)), replicates=10)
    assert even.top == pytest.approx([0.5, 0.5])


def test_winner_takes_all_with_spoils():
    rating = winner_share_rating(0.10, 0.07)
    assert rating == pytest.approx(0.356675, abs=1e-6)
    assert to_elo(rating) == pytest.approx(61.96, abs=0.01)
    assert (winner_share_rating(0, 0.1), winner_share_rating(0.1, 0)) == (-math.inf, math.inf)
    assert math.isnan(winner_share_rating(0, 0))
    with pytest.raises(RunError, match="between 0 and 1"):
        winner_share_rating(10, 7)


@pytest.mark.parametrize("wins", [[[0, 1]], [], [[0, -1], [1, 0]], [[0, math.nan], [1, 0]]])
def test_broken_tables_of_wins(wins):
    with pytest.raises(RunError, match="wins must"):
        bradley_terry(wins)


def test_broken_bootstraps():
    for broken in ({"board_wins": np.zeros((0, 2, 2))}, {"replicates": 0}, {"level": 2}):
        with pytest.raises(RunError, match="got"):
            bootstrap_ratings(**{"board_wins": np.ones((3, 2, 2)), **broken})


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("choix", lambda: bradley_terry(WINS)),
        ("statsmodels.stats.multitest", lambda: holm([0.1])),
        ("statsmodels.regression.linear_model", lambda: clustered_mean([1, 2], [0, 1])),
    ],
)
def test_without_the_extra_the_message_says_what_to_install(monkeypatch, module, call):
    monkeypatch.setitem(sys.modules, module, None)
    package = module.partition(".")[0]
    with pytest.raises(RunError, match=rf'need {package}: pip install "forty5sim\[report\]"'):
        call()
