"""What searching bots tell of a decision, and the chances to win that games are played for."""

from __future__ import annotations

import inspect
import math
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from forty5agents.search import iimc, ismcts, mc, pimc
from forty5sim import Game, analyse, tournament, view_of, win_chances
from forty5sim.agent import as_plain
from forty5sim.analysis import CHANCE, CHIPS, POINTS
from forty5sim.arena.plan import make_plan
from forty5sim.arena.workers import chunk_size
from forty5sim.chances import Chances
from forty5sim.errors import AgentError, RuleSetError, ViewError
from forty5sim.kernels import search
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE
from forty5sim.session import PERSON, Session, Terms
from forty5sim.strengths import resolved, strengths, strongest
from forty5sim.studies.ladder import DEFAULT_BUDGETS, rungs

SMALL = {
    "mc": "mc:worlds=20",
    "pimc": "pimc:worlds=4",
    "iimc": "iimc:worlds=20",
    "ismcts": "ismcts:iterations=60",
}


def with_a_choice(rules: str, players: int, seed: int = 3, *, alone: bool = False) -> Game:
    """Return a game at its first decision."""
    game = Game(rules, players, seed=seed, alone=alone)
    while len(game.legal_actions) < 2:
        game.push(game.legal_actions[0])
    return game


@pytest.mark.parametrize("spec", SMALL.values())
def test_a_finding_for_each_legal_action_and_the_choice_of_the_bot(spec):
    view = view_of(with_a_choice("spoil-five", 5))
    found = analyse(view, spec)
    assert sorted(one.action for one in found.findings) == view.legal
    assert found.findings[0].action == found.choice
    assert found.unit == CHIPS
    assert all(one.visits > 0 and one.error >= 0 for one in found.findings)
    assert found[found.choice].visits == max(one.visits for one in found.findings)
    frame = found.to_frame()
    assert list(frame.columns) == ["action", "name", "value", "error", "visits"]
    assert str(found).splitlines()[1].startswith("* ")


def test_the_bot_chooses_what_the_analysis_says():
    view = view_of(with_a_choice("forty-five", 4))
    for bot in (mc(worlds=20), ismcts(iterations=60)):
        asked = as_plain(bot)
        asked.start(view.rules, view.seat, 0)
        assert asked.act(view) == analyse(view, bot).choice


def test_the_best_bot_may_be_asked_for_by_that_name():
    view = view_of(Game("twenty-five", 2, seed=3))
    assert analyse(view, "best:ms=5") == analyse(view, resolved(["best:ms=5"], view.rules, 2)[0])


def test_a_seed_fixes_the_worlds():
    view = view_of(with_a_choice("forty-five", 4))
    first, again, other = (analyse(view, "iimc:worlds=30,caution=0", seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.findings != other.findings


@pytest.mark.parametrize(
    ("rules", "alone", "unit"),
    [("forty-five", False, CHANCE), ("forty-five", True, POINTS), ("spoil-five", False, CHIPS)],
)
def test_the_unit_is_what_is_played_for(rules, alone, unit):
    found = analyse(view_of(with_a_choice(rules, 4, alone=alone)), SMALL["iimc"])
    assert found.unit == unit
    if unit == CHANCE:
        assert all(0 <= one.value <= 1 for one in found.findings)


def test_utility_game_counts_the_chance_to_win_even_of_a_single_deal():
    view = view_of(with_a_choice("forty-five", 4, alone=True))
    assert analyse(view, "mc:worlds=20,utility=game").unit == CHANCE
    assert analyse(view_of(with_a_choice("forty-five", 4)), "mc:worlds=20,utility=deal").unit == (
        POINTS
    )


def test_mistakes_are_told():
    game = with_a_choice("forty-five", 4)
    with pytest.raises(AgentError, match=r"does not search.*ismcts"):
        analyse(view_of(game), "heuristic")
    with pytest.raises(ViewError, match="a View is needed"):
        analyse(game, "mc")
    with pytest.raises(ViewError, match="nothing to decide"):
        analyse(view_of(game, (game.seat + 1) % 4), "mc")
    with pytest.raises(ViewError, match="seed must be"):
        analyse(view_of(game), "mc", seed=-1)


def test_more_time_is_more_iterations():
    view = view_of(with_a_choice("forty-five", 4))
    tried = [analyse(view, ismcts(seconds=s)).tried for s in (0.002, 0.05)]
    assert 64 <= tried[0] < tried[1]


# --- the chance to win a game ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "players"),
    [("twenty-five", 2), ("forty-five", 4), ("auction-forty-fives", 4), ("five-hundred", 4)],
)
def test_two_sides_share_the_win_and_more_points_are_better(rules, players):
    chances = win_chances(find_rules(rules), players)
    assert chances.values.shape == (chances.levels, chances.levels)
    np.testing.assert_allclose(chances.values + chances.values.T, 1, atol=1e-5)
    assert (np.diff(chances.values, axis=0) >= -1e-9).all()
    assert chances(0, 0) == pytest.approx(0.5, abs=1e-5)


def test_many_sides_are_told_apart_as_far_as_a_table_can():
    chances = win_chances(find_rules("forty-five:sides=individuals"), 5)
    assert chances.sides == 4
    assert chances(40, 0, 0, 0, 0) > chances(20, 0, 0, 0, 0) > chances(0, 0, 0, 0, 0)
    assert chances(0, 40, 0, 0, 0) == chances(0, 0, 0, 40, 0)
    assert chances(0, 40, 0, 0, 0) < chances(0, 0, 0, 0, 0) < 0.3


def test_a_score_beyond_the_table_counts_as_its_nearest():
    chances = Chances(np.array([[0.5, 0.2], [0.8, 0.5]]), lowest=0, step=5, deals=1)
    assert chances(3, -20) == 0.5
    assert chances(100, 4) == 0.8


def test_pots_are_played_for_chips():
    with pytest.raises(RuleSetError, match="chips"):
        win_chances(find_rules("spoil-five"), 5)


def test_the_chances_are_those_of_a_simple_game():
    """Two sides, the first to two: each deal gives one of them a point, fairly."""
    from forty5sim.chances import _iterated

    values = _iterated(np.array([[1, 0], [0, 1]]), np.array([0.5, 0.5]), 0, 1, 2, 2, -1)
    np.testing.assert_allclose(values, [[0.5, 0.25], [0.75, 0.5]], atol=1e-6)


def test_whole_games_are_played_for_the_win():
    rules = find_rules("five-hundred")
    for alone, used in ((True, False), (False, True)):
        assert bool(mc().params_in(rules, 4, alone)[search.CHANCES]) is used
    assert not mc(utility="deal").params_in(rules, 4, False)[search.CHANCES]
    assert mc(utility="game").params_in(rules, 4, True)[search.CHANCES]


# --- the strongest bot ---------------------------------------------------------------------------


def test_best_is_a_measured_bot_within_the_time():
    for one in strengths():
        rules = find_rules(one.game)
        best = strongest(rules, one.players)
        assert (best.game, best.players) == (one.game, one.players)
        assert best.payoff - best.payoff_ci >= one.payoff - one.payoff_ci or one.ms > 20
    rules = find_rules("five-hundred")
    quick = strongest(rules, 4, budget=0.5)
    assert quick.ms <= strongest(rules, 4).ms
    assert resolved(["best", "random"], rules, 4) == [strongest(rules, 4).spec, "random"]
    assert resolved(["best:ms=0.5"], rules, 4) == [quick.spec]
    assert strongest(find_rules("pei"), 4).game == "auction-forty-fives"
    assert strongest(find_rules("spoil-five-traditional"), 3).game == "spoil-five"
    for spec in ("best:ms=x", "best:ms=-1", "best:worlds=3"):
        with pytest.raises(AgentError, match="best:ms=5"):
            resolved([spec], rules, 4)


def test_the_measured_strengths_are_the_published_ladder():
    published = Path(__file__).parents[1] / "results" / "ladder" / "ladder.csv"
    kept = resources.files("forty5sim").joinpath("ladder.csv")
    assert kept.read_text(encoding="utf-8") == published.read_text(encoding="utf-8")


def test_the_ladder_knows_the_defaults_of_the_bots():
    defaults = {"mc": mc, "pimc": pimc, "iimc": iimc}
    for name, factory in defaults.items():
        option, default = DEFAULT_BUDGETS[name]
        assert inspect.signature(factory).parameters[option].default == default
    rules = find_rules("forty-five")
    assert ismcts().params_in(rules, 4, True)[search.BUDGET] == DEFAULT_BUDGETS["ismcts"][1]
    assert [rung.spec for rung in rungs((1,))] == ["random", "mc", "pimc", "iimc", "ismcts"]
    assert "ismcts:iterations=20000" in [rung.spec for rung in rungs((10,))]


# --- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["forty-five", "auction-forty-fives", "five-hundred"])
def test_hints_agree_with_the_bot_that_gives_them(rules):
    session = Session(Terms(rules, (PERSON, "heuristic", "heuristic", "heuristic"), 5, False))
    for _ in range(400):
        for step in session.bots_play():
            assert step.seat != 0
        if session.game.deal_is_over:
            break
        advice, found = session.hint()
        if found:
            assert advice[0] == found.choice
            assert all(math.isfinite(one.value) for one in found.findings if one.visits)
        assert session.game.phase != "discard" or advice[-1] == DONE
        for action in advice:
            session.game.push(action)
    assert session.game.deal_is_over


# --- at the arena --------------------------------------------------------------------------------


def test_tournaments_refuse_a_bot_that_looks_at_a_clock(tmp_path):
    with pytest.raises(AgentError, match=r"'ismcts:seconds=0\.01' is given time"):
        tournament("forty-five", ["ismcts:seconds=0.01", "random"], boards=1, results=tmp_path)
    assert not list(tmp_path.iterdir())


def test_slow_bots_get_small_chunks_and_short_kernel_calls(tmp_path):
    plan = make_plan(find_rules("forty-five"), ["mc", "heuristic"], boards=1000)
    assert chunk_size(plan, 2, 0.5) == 4
    assert chunk_size(plan, 2, 1e-6) == 500
    specs = ["iimc:worlds=8", "heuristic"]
    digests = {
        tournament(
            "forty-five", specs, boards=7, chunk=chunk, workers=workers, results=tmp_path / name
        ).digest
        for name, chunk, workers in (("a", 7, 1), ("b", 2, 2))
    }
    assert len(digests) == 1
