"""What decisions are worth: controls that must be nought, chances that are known, signs."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import forty5sim
from forty5sim.arena.conditions import Conditions
from forty5sim.cli.forest import bar, print_forest
from forty5sim.errors import AgentError, RuleSetError, RunError
from forty5sim.kernels import branching, layout
from forty5sim.kernels.branching import branch_deals
from forty5sim.named_rules import find_rules
from forty5sim.plot import break_even_curves, forest
from forty5sim.rules.jinking import break_even
from forty5sim.studies.branches import QUESTIONS, branch_out
from forty5sim.studies.decisions import decision_value, value
from forty5sim.studies.effects import effect, mean_of, strata

SPOIL = find_rules("spoil-five")


def branched(name="rob", rules=SPOIL, players=5, bot="heuristic", deals=1500, pot=0, **changes):
    question = replace(QUESTIONS[name], **changes)
    return branch_out(question, Conditions(rules, players, 1, pot), bot, deals)


def test_the_chance_that_a_jink_needs():
    rules = find_rules("spoil-five")
    needed = {  # players, pot: without and with the share that is left
        (3, 3): (0.600, 0.500), (3, 6): (0.750, 0.667), (5, 5): (0.556, 0.500),
        (5, 10): (0.714, 0.667), (5, 25): (0.862, 0.833),
    }  # fmt: skip
    for (players, pot), (without, with_share) in needed.items():
        assert break_even(rules, players, pot, share_left=False) == pytest.approx(without, abs=5e-4)
        assert break_even(rules, players, pot) == pytest.approx(with_share, abs=5e-4)
    assert break_even(find_rules("spoil-five:jink_reward=double_pot"), 5, 10) == pytest.approx(
        4 / 9
    )


def test_jinks_are_told_by_what_is_held_beside_the_chance_needed():
    found = decision_value("jink", players=3, bots=["heuristic"], deals=3000, pot=6).table
    success = found[found["quantity"] == "success"].set_index("stratum")
    held = success[success.index.str.startswith("trumps held")]
    assert held["n"].sum() == success.loc["jinks made when always jinked", "n"]
    needed = found[found["quantity"] == "break-even"]["value"].tolist()
    assert needed == [pytest.approx(6 / 8), pytest.approx(9 / 11)]
    axes = break_even_curves(found.assign(pot=6), heading="?")
    assert "(bars: 95" in axes.get_ylabel()
    with pytest.raises(RunError, match="no jinks"):
        break_even_curves(found[found["quantity"] == "effect"].assign(pot=6))


@pytest.mark.parametrize("bot", ["heuristic", "random", "mc:worlds=3"])
def test_the_same_way_twice_is_worth_exactly_nothing(bot):
    question = QUESTIONS["rob"]
    deals = 60 if bot.startswith("mc") else 600
    found = branched(bot=bot, deals=deals, decline=question.take)
    assert found.found.any()
    assert (found.effects() == 0).all()


@pytest.mark.parametrize(
    ("name", "game", "players"),
    [("rob", "spoil-five", 5), ("jink", "spoil-five", 3), ("bid", "auction-forty-fives", 4),
     ("bid", "five-hundred", 4), ("hold", "auction-forty-fives", 4),
     ("misere", "five-hundred", 4), ("rob", "forty-five", 4)],
)  # fmt: skip
def test_effects_over_the_seats_sum_to_nothing(name, game, players):
    found = branched(name, find_rules(game), players, deals=400)
    assert found.found.sum() > 3
    assert (found.effects().sum(axis=1) == 0).all()
    assert (found.effects()[~found.found] == 0).all()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_chance_to_rob_is_the_exact_one(players):
    exact = 1 / 13 + 12 / 13 * 5 * players / 51
    found = branched(players=players, bot="random", deals=6000)
    error = math.sqrt(exact * (1 - exact) / 6000)
    assert found.found.mean() == pytest.approx(exact, abs=4 * error)


def test_what_is_chosen_is_one_of_the_two_ways():
    found = branched(deals=800)
    question = found.question
    own = found.field(branching.OWN, branching.BRANCH_ACTION)[found.found]
    took = (question.take >> own) & 1 == 1
    for branch, mine in ((branching.TOOK, took), (branching.DECLINED, ~took)):
        same = found.payoffs(branching.OWN) == found.payoffs(branch)
        assert same[found.found][mine].all()


def test_robbing_pays_and_others_pay_for_it():
    table = value("rob", players=5, bots=["heuristic", "random"], deals=3000)
    by_name = table[table["policy"] == "heuristic"].set_index(["quantity", "stratum"])
    gain = by_name.loc[("effect", "of taking it, an opportunity")]
    assert gain["value"] > 10 * gain["value_ci"] / 1.96
    others = table[(table["quantity"] == "on others") & (table["policy"] == "heuristic")]
    assert (others["value"] < 0).all()
    assert others["value"].sum() == pytest.approx(-gain["value"])
    assert set(table["policy"]) == {"heuristic", "random"}


@pytest.mark.parametrize(("name", "game"), [("rob", "spoil-five"), ("bid", "five-hundred")])
def test_the_same_bot_takes_it_no_otherwise(name, game):
    table = value(name, game, bots=["heuristic"], deals=300, taker="heuristic")
    taken = table[table["quantity"].isin(["taken by", "taken alike"])].set_index("stratum")
    over_own = taken.loc["heuristic, over the policy's way"]
    assert (over_own["value"], over_own["value_ci"]) == (0, 0)
    assert taken.loc["by heuristic, share"]["value"] == 1
    gain = table.set_index("quantity").loc["effect"]
    assert taken.loc["heuristic, over declining"]["value"] == gain["value"]


def test_a_card_thrown_at_random_is_paid_for():
    table = value("rob", players=5, bots=["heuristic"], deals=2000, taker="random")
    taken = table[table["quantity"].isin(["taken by", "taken alike"])].set_index("stratum")
    worse = taken.loc["random, over the policy's way"]
    assert worse["value"] < -2 * worse["value_ci"]
    assert 1 / 6 < taken.loc["by random, share"]["value"] < 1 / 4  # some throws are forced
    without = value("rob", players=5, bots=["heuristic"], deals=2000)
    rest = table[~table["quantity"].isin(["taken by", "taken alike"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(rest, without)


def test_takers_with_notes_of_their_own_disturb_nobody():
    """Search bots keep workspaces; the taker's is not the policy's."""
    options = {"players": 4, "bots": ["mc:worlds=5"], "deals": 60}
    table = value("rob", taker="ismcts:iterations=50", **options)
    rest = table[~table["quantity"].isin(["taken by", "taken alike"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(rest, value("rob", **options))


def test_strata_share_out_all_opportunities():
    found = branched(deals=800)
    for labels in strata(found).values():
        assert len(labels) == found.found.sum()
    table = value("rob", players=5, bots=["random"], deals=800)
    for name in ("by seat", "by trumps held", "by turn-up"):
        assert table[table["quantity"] == name]["n"].sum() == found.found.sum()


def test_jinking_is_what_the_closed_form_says():
    """Stopping takes the pot; a jink made adds a bonus from each other; a lost one leaves it."""
    found = branched("jink", players=3, deals=4000, pot=6)
    rows = found.found
    made = found.field(branching.TOOK, branching.BRANCH_OUTCOME)[rows] == layout.JINK_MADE
    gain = found.effects()[rows, 0] / found.units
    bonus, pot = 1, 6 + 3
    assert np.allclose(gain[made], 2 * bonus)
    lost = gain[~made]
    assert np.allclose(lost, lost[0])
    share = pot / 3  # what a third of the pot that is carried on is worth
    assert lost[0] == pytest.approx(share - pot, abs=1.0 + 1e-9)


def test_an_effect_that_is_known_is_covered_by_its_interval():
    """A synthetic policy pair: effects of known mean; the 95 % interval covers it as it should."""
    rng = np.random.default_rng(5)
    covered, trials = 0, 1000
    for _ in range(trials):
        shown = mean_of(rng.choice([-4, 0, 1, 7], 200, p=[0.2, 0.5, 0.2, 0.1]), 2)
        covered += abs(shown.mean - 0.05) <= shown.half_width
    assert covered / trials == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / trials) + 0.005)


def test_seats_of_one_policy_sum_to_nothing():
    table = value("seat", "spoil-five", players=5, bots=["random"], deals=500)
    assert list(table["stratum"])[::4] == ["eldest", "dealer"]
    assert table["value"].sum() == pytest.approx(0)


def test_the_verdict_has_its_interval_and_its_price():
    found = decision_value("rob", players=2, bots=["random"], deals=500)
    assert "robbing gains +" in found.verdict
    assert " ± " in found.verdict
    assert "half the interval takes 2 000 deals" in found.verdict
    assert effect(found.branches["random"]).n == found.branches["random"].found.sum()
    axes = forest(found.table, unit="chips")
    assert len(axes.get_yticklabels()) > 5


class Interrupting:
    """The kernel that plays branches, until Ctrl-C at its n-th call; knows what it played."""

    def __init__(self, calls):
        self.calls = calls
        self.deals = 0

    def __call__(self, rows, *arguments):
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        self.deals += len(rows)
        return branch_deals(rows, *arguments)


def test_interrupted_it_says_what_the_deals_say_that_were_played(monkeypatch):
    kernel = Interrupting(4)
    monkeypatch.setattr(branching, "branch_deals", kernel)
    found = decision_value("rob", bots=["random", "heuristic"])
    assert not found.complete
    assert list(found.branches) == ["random"]
    kernel.calls = 100
    whole = decision_value("rob", bots=["random"], deals=kernel.deals)
    assert whole.complete
    pd.testing.assert_frame_equal(found.table, whole.table)


def test_interrupted_in_a_second_look_it_keeps_the_policies_before(monkeypatch):
    kernel = Interrupting(100)
    monkeypatch.setattr(branching, "branch_deals", kernel)
    before = decision_value("rob", bots=["random"], deals=50, silent=True)
    taken = 100 - kernel.calls
    kernel.calls = 2 * taken - 1
    found = decision_value("rob", bots=["random", "heuristic"], deals=50, silent=True)
    assert not found.complete
    pd.testing.assert_frame_equal(found.table, before.table)
    kernel.calls = 1
    with pytest.raises(KeyboardInterrupt):
        decision_value("rob", bots=["random"], deals=50)


def test_mistakes_are_told():
    with pytest.raises(RunError, match="known: rob, jink, bid, hold, misere, seat"):
        value("renege")
    with pytest.raises(RuleSetError, match="has no jink"):
        value("jink", "twenty-five")
    with pytest.raises(RuleSetError, match="has no misere"):
        value("misere", "auction-forty-fives")
    with pytest.raises(AgentError, match="look at no clock"):
        value("rob", bots=["ismcts:seconds=0.1"], deals=2)
    with pytest.raises(RunError, match="deals must be"):
        value("rob", deals=1)
    with pytest.raises(AgentError, match="at least one bot"):
        value("rob", bots=[])
    with pytest.raises(AgentError, match="cannot play on from a decision"):
        value("rob", bots=["random"], deals=2, taker="ismcts:seconds=0.1")


@pytest.mark.jit_off
def test_the_same_from_the_package():
    assert forty5sim.value("rob", bots=["random"], deals=50).equals(
        value("rob", bots=["random"], deals=50)
    )


def test_the_picture_in_letters_holds_value_and_interval():
    assert bar(1.0, 0.5, 0.0, 2.0, 9) == "│ ├─●─┤  "
    assert bar(-2.0, 1.0, -3.0, 0.0, 7) == "├─●─┤ │"
    assert bar(0.0, 0.001, -1.0, 1.0, 5) == "  ●  "
    assert len(bar(400.0, 500.0, -100.0, 900.0)) == 40


def test_the_picture_is_of_effects_and_trumps_held(capsys):
    found = decision_value("rob", players=3, bots=["heuristic", "random"], deals=300).table
    print_forest(found)
    lines = capsys.readouterr().out.rstrip().splitlines()
    assert [line.split("  ")[0] for line in lines[:2]] == ["always, heuristic", "always, random"]
    assert all("●" in line for line in lines[:-1])
    assert "trumps held" in lines[2]
    print_forest(found[found["quantity"] == "chance"])
    assert capsys.readouterr().out == ""
