"""How long pots last, the chance a jink needs, and the two-way tables: numbers, not figures."""

import numpy as np
import pandas as pd
import pytest

from forty5sim.errors import RuleSetError, RunError
from forty5sim.named_rules import find_rules
from forty5sim.plot import pot_lives, strata_heat_map
from forty5sim.rules.jinking import break_even
from forty5sim.studies.calibration import calibrate
from forty5sim.studies.catalogue import Cell
from forty5sim.studies.decisions import decision_value
from forty5sim.studies.effects import PAIRS
from forty5sim.studies.pots import follow_pots
from forty5sim.studies.published import work_out

SPOIL = find_rules("spoil-five")


def of(table, quantity):
    rows = table[table["quantity"] == quantity]
    return rows.set_index(rows["stratum"].replace("", "0").astype(int))


def test_every_pot_is_counted_once():
    table = follow_pots(players=5, bot="heuristic", pots=3000, seed=4)
    spoiled, standing, lasted = (of(table, name) for name in ("spoiled", "standing", "lasted"))
    last = standing.index.max()
    assert standing["value"][0] == 1
    assert lasted["value"].sum() == pytest.approx(1 - standing["value"][last] * (
        spoiled["value"][last]
    ))  # fmt: skip
    for k in range(1, last + 1):
        assert standing["value"][k] == pytest.approx(
            standing["value"][k - 1] * spoiled["value"][k - 1]
        )
        assert spoiled["n"][k] == round(standing["value"][k] * 3000)
    assert (table["value_ci"].dropna() >= 0).all()
    assert (of(table, "deals")["value"][0]) >= standing["value"].sum() - 1e-9
    assert np.allclose(of(table, "pot")["value"], 5 * standing.index)  # an ante each a deal


def test_the_first_deals_are_those_of_the_spoils():
    """The same deals as the study of spoils; the heuristic hardly jinks, so the same share."""
    pots = of(follow_pots(players=4, pots=2000, seed=6), "spoiled")
    spoils = work_out(Cell("spoils", "spoil-five", 4, "heuristic", 2000, seed=6)).iloc[0]
    assert pots["value"][0] == pytest.approx(spoils["value"], abs=0.002)


def test_two_players_leave_a_pot_by_failed_jinks_only():
    assert of(follow_pots(players=2, bot="heuristic", pots=500), "deals")["value"][0] == 1
    jinking = of(follow_pots(players=2, bot="random", pots=2000), "spoiled")["value"][0]
    assert 0.02 < jinking < 0.08
    quiet = follow_pots("spoil-five-no-jink", players=2, bot="random", pots=500)
    assert of(quiet, "spoiled")["value"][0] == 0


def test_pots_grow_as_the_ante_rule_says():
    rules = "spoil-five:ante=3,ante_rule=none_after_spoil"
    table = follow_pots(rules, players=5, bot="random", pots=300, seed=2)
    assert set(of(table, "pot")["value"][1:]) == {15}
    with pytest.raises(RuleSetError, match="has no pot"):
        follow_pots("forty-five")
    with pytest.raises(RunError, match="pots must be"):
        follow_pots(pots=1)


def test_the_pots_of_a_study_are_drawn(tmp_path):
    cells = [work_out(Cell("pots", "spoil-five", n, "random", 200)) for n in (3, 5)]
    path = tmp_path / "pots.csv"
    pd.concat(cells).to_csv(path, index=False)
    axes = pot_lives(pd.read_csv(path, keep_default_na=False))
    assert len(axes.get_legend().get_texts()) == 2


@pytest.mark.parametrize("players", [2, 3, 5, 10])
@pytest.mark.parametrize("pot", [1, 7, 50])
def test_the_chance_needed_makes_jinking_and_stopping_equal(players, pot):
    """By hand: made P + n - 1; failed, P / n of what stays, or nothing; stopped P."""
    for left, kept in ((True, pot / players), (False, 0)):
        chance = break_even(SPOIL, players, pot, share_left=left)
        assert chance * (pot + players - 1) + (1 - chance) * kept == pytest.approx(pot)
    assert break_even(SPOIL, players, pot) == pytest.approx(pot / (pot + players))


def test_there_is_no_chance_needed_without_a_pot():
    found = decision_value("jink", "forty-five:jink=on", players=3, bots=["random"], deals=300)
    assert "success" in set(found.table["quantity"])
    assert "break-even" not in set(found.table["quantity"])


@pytest.mark.parametrize(("name", "players"), [("rob", 5), ("jink", 3)])
def test_two_ways_at_once_sum_to_one_way(name, players):
    found = decision_value(name, players=players, bots=["random"], deals=1500)
    for rows, columns in PAIRS[name]:
        table = found.crossed(rows, columns)
        for kind in (rows, columns):
            one_way = found.table[found.table["quantity"] == f"by {kind}"].set_index("stratum")
            assert table["n"].sum() == one_way["n"].sum()
            for label, here in table.groupby(kind, observed=True):
                assert here["n"].sum() == one_way["n"][label]
                total = (here["value"] * here["n"]).sum()
                assert total == pytest.approx(one_way["value"][label] * one_way["n"][label])
        axes = strata_heat_map(found, rows, columns)
        assert len(axes.texts) == (table["n"] > 1).sum()
        assert (axes.get_ylabel(), axes.get_xlabel()) == (rows, columns)
    turned = found.crossed(columns, rows)
    assert turned["n"].sum() == table["n"].sum()


def test_pairs_that_were_not_declared_are_refused():
    found = decision_value("rob", players=3, bots=["random"], deals=100)
    with pytest.raises(RunError, match="'trump suit' and 'seat'; known: trumps held by turn-up"):
        found.crossed("trump suit", "seat")
    found = decision_value("bid", bots=["random"], deals=20)
    with pytest.raises(RunError, match="known: none"):
        strata_heat_map(found, "seat", "trumps held")
    never = decision_value("jink", players=10, bots=["random"], deals=2)
    with pytest.raises(RunError, match="nobody could jink in 2 deals"):
        strata_heat_map(never, "trumps held", "best trump")


def test_playouts_of_five_players_lie_on_the_diagonal_and_exact_values_do_not():
    table = calibrate(5, deals=2000, playouts=300, bins=5, seed=11)
    assert ((table["value"] - table["evaluator"]).abs() < 1.7 * table["value_ci"]).all()
    exact = calibrate(2, way="exact", deals=3000, bins=3, seed=11)
    middle = exact.iloc[1]  # perfect play takes more of a middling hand than the heuristic does
    assert middle["evaluator"] - middle["value"] > middle["value_ci"] / 2
