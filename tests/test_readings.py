"""Rules against each other, contracts, and chances from the score."""

import math

import numpy as np
import pandas as pd
import pytest

import forty5sim
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.errors import RuleSetError, RunError
from forty5sim.named_rules import find_rules
from forty5sim.plot import agreement, changes, heat_map, rates
from forty5sim.registry import find_bot
from forty5sim.seats import Seats
from forty5sim.studies.calibration import calibrate
from forty5sim.studies.contracts import contract_rates, made_by_hand
from forty5sim.studies.readings import Sample, compare_rules
from forty5sim.studies.scores import FEWEST, chances_from_score


def only(table, **wanted):
    for column, value in wanted.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_the_same_rules_change_nothing():
    twice = compare_rules("spoil-five", ["spoil-five:ante=1"], deals=200, seed=3)
    change = twice["change"].dropna()
    assert len(change) == 6
    assert (change == 0).all()
    assert (twice["change_ci"].dropna() == 0).all()


def test_a_change_is_paired_and_the_difference_of_the_values():
    table = compare_rules("forty-five", ["forty-five:plain_lead=free"], deals=400, seed=3)
    for quantity in ("eldest", "dealer", "skill", "choice", "deals"):
        rows = table[table["quantity"] == quantity]
        assert rows["change"].iloc[1] == pytest.approx(
            rows["value"].iloc[1] - rows["value"].iloc[0]
        )
    choice = only(table, quantity="choice", reading="forty-five:plain_lead=free")
    assert choice["change"] > choice["change_ci"] > 0  # who may play anything has more to choose
    assert choice["n"] == 20


def test_eldest_and_dealer_of_two_sides_gain_what_the_other_loses():
    table = compare_rules("forty-five", "forty-five:bonus=none", deals=100)
    for _, rows in table.groupby("reading"):
        assert only(rows, quantity="eldest")["value"] == -only(rows, quantity="dealer")["value"]


def test_a_sample_in_other_units():
    third, half = Sample(np.array([1, 2, 3]), 3), Sample(np.array([1, 1, 1]), 2)
    difference = third.less(half)
    assert difference.mean == pytest.approx(2 / 3 - 1 / 2)
    assert difference.half_width == pytest.approx(third.mean().half_width)


@pytest.mark.parametrize(
    ("readings", "options", "error", "words"),
    [
        ([], {}, RunError, "at least one reading"),
        (["spoil-five:jink=off"], {"deals": 3}, RunError, "deals"),
        (["spoil-five:jink=sometimes"], {}, RuleSetError, "jink"),
        (["five-hundred"], {"players": 5}, RuleSetError, "5"),
        (["forty-five"], {"players": 4}, RuleSetError, "one family"),
    ],
)
def test_what_cannot_be_compared(readings, options, error, words):
    with pytest.raises(error, match=words):
        compare_rules("spoil-five", readings, **options)


def test_other_sides_are_another_game():
    with pytest.raises(RuleSetError, match="as many sides, counting and 2 here"):
        compare_rules("forty-five", ["forty-five:sides=individuals"])


def test_contracts_are_counted_as_the_deals_were_played():
    deals, rules = 60, find_rules("five-hundred")
    table = contract_rates("five-hundred", deals=deals, seed=5)
    bot, outcomes = find_bot("heuristic"), []
    for deal in range(deals):
        game = board_game(Conditions(rules, 4, 5), deal)
        for _ in Seats([bot] * 4).play_on(game):
            pass
        outcomes.append(game.bid is not None)
    every = only(table, stratum="all", quantity="played")
    assert every["value"] == pytest.approx(sum(outcomes) / deals)
    made = table[(table["quantity"] == "made") & (table["stratum"] != "all")]
    both = only(table, stratum="all", quantity="made")
    assert (made["value"] * made["n"]).sum() == pytest.approx(both["value"] * both["n"])
    assert made["n"].sum() == both["n"]


def test_an_interval_of_a_share_never_is_nothing():
    table = contract_rates("five-hundred", deals=60, seed=5)
    told = table[table["n"] > 0]
    assert (told["value_ci"] > 0).all()
    assert table[table["n"] == 0]["value"].map(math.isnan).all()


def test_contracts_by_hand_are_the_same_contracts():
    by_hand = made_by_hand("auction-forty-fives", deals=60, seed=5)
    every = contract_rates("auction-forty-fives", deals=60, seed=5)
    made = only(every, stratum="all", quantity="made")
    for ending in (" trumps?", " of the three best trumps"):
        rows = by_hand[by_hand["stratum"].str.fullmatch(rf"\d{ending}")]
        assert rows["n"].sum() == made["n"]
        assert (rows["value"] * rows["n"]).sum() == pytest.approx(made["value"] * made["n"])
    assert rates(by_hand.assign(game="x")).get_yticklabels()[0].get_text().startswith("x ")
    with pytest.raises(RuleSetError, match="nobody bids"):
        made_by_hand("spoil-five")


def test_a_game_without_an_auction_has_no_contracts():
    with pytest.raises(RuleSetError, match="nobody bids"):
        contract_rates("forty-five")


def test_the_evaluators_chances_come_true():
    table = calibrate(2, deals=1500, playouts=300, bins=5, seed=3)
    assert table["n"].sum() == 1500
    assert ((table["value"] - table["evaluator"]).abs() < 1.7 * table["value_ci"]).all()
    exact = calibrate(2, way="exact", deals=1500, bins=5, seed=3)
    assert exact["evaluator"].is_monotonic_increasing
    assert not np.allclose(exact["evaluator"], table["evaluator"], atol=0.005)
    axes = agreement(pd.concat([table, exact], keys=["a", "b"], names=["way"]).reset_index(0),
                     expected="evaluator", lines="way")  # fmt: skip
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["as expected", "a", "b"]
    with pytest.raises(RunError, match="two players"):
        calibrate(5, way="exact")


def test_chances_from_the_score_add_up():
    table = chances_from_score("forty-five", games=60, seed=2)
    start = only(table, own=0, other=0)
    assert (start["value"], start["n"]) == (0.5, 60)
    assert (table["n"] >= FEWEST).all()
    for _, row in table.iterrows():
        mirrored = only(table, own=row["other"], other=row["own"])
        assert row["value"] + mirrored["value"] == pytest.approx(1)
        assert row["model"] + mirrored["model"] == pytest.approx(1, abs=1e-6)


def test_chances_from_the_score_need_two_sides():
    with pytest.raises(RuleSetError, match="two sides"):
        chances_from_score("spoil-five")


def test_figures_show_intervals_and_counts():
    table = compare_rules("forty-five", ["forty-five:bonus=none"], deals=100)
    panels = changes(table).figure.axes
    assert len(panels) == 3
    assert all("95 %" in axes.get_xlabel() and "n = " in axes.get_xlabel() for axes in panels)
    made = contract_rates("five-hundred", deals=60).query("quantity == 'made' and n > 0")
    axes = rates(made.assign(game="five-hundred"), unit="share")
    assert "(n=" in axes.get_yticklabels()[0].get_text()
    for line in axes.containers:
        (bar,) = line[2]
        assert all(0 <= x <= 1 for x in bar.get_segments()[0][:, 0])
    drawn = agreement(chances_from_score("forty-five", games=40))
    assert drawn.get_xlabel() == "chance by the model"
    for draw in (agreement, changes, rates):
        with pytest.raises(RunError, match=r"nothing to draw|no change|no shares"):
            draw(table.iloc[:0])


def test_two_ways_of_strata_at_once():
    found = forty5sim.decision_value("rob", bots=["heuristic"], deals=600, seed=4)
    table = found.crossed()
    one_way = found.table[found.table["quantity"] == "by trumps held"].set_index("stratum")
    for held, rows in table.groupby("trumps held", observed=True):
        assert rows["n"].sum() == one_way.loc[held, "n"]
        mean = (rows["value"] * rows["n"]).sum() / rows["n"].sum()
        assert mean == pytest.approx(one_way.loc[held, "value"])
    axes = heat_map(table, "trumps held", "turn-up", heading="?", unit="chips")
    across = [tick.get_text() for tick in axes.get_xticklabels()]
    assert across == ["five", "jack", "ace", "king, queen", "low"]
    told = [text.get_text() for text in axes.texts]
    assert len(told) == table["value_ci"].notna().sum()
    assert all("±" in text and "n=" in text for text in told)
    with pytest.raises(RunError, match="known: trumps held by turn-up, trumps held by seat"):
        found.crossed("moon")
    with pytest.raises(RunError, match="nothing to draw"):
        heat_map(table.iloc[:0], "trumps held", "turn-up")


def test_the_rule_is_worth_the_own_use_of_it():
    found = forty5sim.decision_value("rob", players=2, bots=["heuristic"], deals=400, seed=4).table
    rule = found[found["quantity"] == "the rule"].set_index("stratum")["value"]
    assert rule["eldest"] == -rule["dealer"]  # two players
    with_three = forty5sim.decision_value("bid", bots=["heuristic"], deals=20).table
    assert "the rule" not in set(with_three["quantity"])


def test_what_being_seen_costs():
    options = {"players": 5, "deals": 60, "seed": 4, "silent": True}
    blind = forty5sim.decision_value("rob", bots=["random"], **options).table
    seen = only(blind, quantity="seen by all")
    assert (seen["value"], seen["value_ci"]) == (0, 0)  # who does not look does not mind
    with pytest.raises(RunError, match="silent is for rob"):
        forty5sim.decision_value("jink", bots=["random"], silent=True)
    with pytest.raises(RunError, match="silent is for rob"):
        forty5sim.decision_value(
            "rob", "spoil-five:rob_announced=silent", bots=["random"], silent=True
        )
