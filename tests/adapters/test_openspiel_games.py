"""The games in OpenSpiel: conformance, chance, returns, information states, resampling."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import UniformRandomPolicy

from forty5sim.adapters import openspiel_games
from forty5sim.cards import parse_card
from forty5sim.errors import RuleSetError, RunError, ViewError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import KEEP, parse_action
from forty5sim.rules import RuleSet
from tests.adapters.spiel_returns import differences, settings
from tests.adapters.spiel_table import FIXED, JOKER, ROBBING, TINY, mini, played, step

PLAYTHROUGH = Path(__file__).parent / "playthrough.txt"
CI_DEALS = 5000


@pytest.mark.parametrize("preset", presets())
def test_every_preset_passes_openspiels_own_test(preset):
    for players in {min(presets()[preset].players), max(presets()[preset].players)}:
        pyspiel.random_sim_test(openspiel_games.load(preset, players), 1, True, False)


def test_every_preset_is_registered_for_all_its_players():
    names = pyspiel.registered_names()
    assert [openspiel_games.short_name(p) in names for p in presets()] == [True] * len(presets())
    for preset, players in settings():
        assert openspiel_games.load(preset, players).num_players() == players


@pytest.mark.parametrize("part", range(4))
def test_returns_are_the_payoffs_of_the_arena(part):
    places = settings()[part::4]
    deals = -(-CI_DEALS // 4 // len(places))
    assert [wrong for place in places for wrong in differences(place, 0, deals)] == []


def test_what_runs_out_is_drawn_again_by_chance():
    """Six players throw all they may; the stock is too small for that."""
    game, rng, again = openspiel_games.load("pei-tignish", 6), random.Random(1), 0
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and (waiting := state.deal.waiting):
                outcomes = [card for card, _ in state.chance_outcomes()]
                assert not set(outcomes) & set().union(*state.table.game.hands)
                again += len(waiting.came) >= waiting.stock
            if not state.is_chance_node() and state.table.game.phase == "discard":
                state.apply_action(state.legal_actions()[0])
            else:
                step(state, rng)
        assert sum(state.returns()) == pytest.approx(0)
        deal = state.table.game
        assert set(deal.restock) <= set().union(*deal.thrown)
        twin = openspiel_games.state_of(game, deal)
        assert (twin.history(), twin.returns()) == (state.history(), state.returns())
    assert again >= 5


def test_a_deal_that_was_played_is_opened_in_openspiel():
    deal = Game("pei", 4, seed=5, alone=True)
    while not deal.deal_is_over:
        deal.push(deal.legal_actions[-1])
        state = openspiel_games.state_of(openspiel_games.load("pei", 4), deal)
        assert (state.table.game.state == deal.state)[: layout.DEAL_KEY].all()
        assert state.table.game.log == deal.log
    other = openspiel_games.load("pei", 4, dealer=(deal.dealer + 1) % 4)
    with pytest.raises(ViewError, match="is no deal of forty5sim_pei"):
        openspiel_games.state_of(other, deal)
    later = Game("pei", 4, scores=[50, 20])
    with pytest.raises(ViewError, match="begins without a past"):
        openspiel_games.state_of(openspiel_games.load("pei", 4), later)


def test_who_deals_is_drawn_or_given_or_in_the_rules():
    first = openspiel_games.load("spoil-five", 3).new_initial_state()
    assert [outcome for outcome, _ in first.chance_outcomes()] == [0, 1, 2]
    assert first.action_to_string(2) == "seat 2 deals"
    given = openspiel_games.load("spoil-five", 3, dealer=1).new_initial_state()
    ruled = openspiel_games.load("spoil-five:first_dealer=1", 3).new_initial_state()
    for state in (given, ruled):
        assert len(state.chance_outcomes()) == 52
        assert played(state.get_game(), random.Random(0)).table.game.dealer == 1
        assert given.action_to_string(3) == "deal 5S"


def test_a_pot_from_before_is_played_for():
    game = openspiel_games.load("spoil-five", 3, pot=30)
    ends = [played(game, random.Random(seed)) for seed in range(30)]
    assert {end.table.game.outcome for end in ends} >= {"pot-won", "spoiled"}
    for end in ends:
        assert sum(end.returns()) == pytest.approx(0)
        if end.table.game.outcome == "pot-won":
            assert max(end.returns()) == pytest.approx(2 + 30 - 30 / 3)


@pytest.mark.parametrize(
    "rules",
    [
        find_rules("spoil-five:ante=2,jink=off"),
        RuleSet(family="counting", target=110, bonus="none"),
        RuleSet(family="auction", kitty=0),
    ],
    ids=["preset", "counting", "auction"],
)
def test_any_rule_set_is_a_preset_with_options(rules):
    game = openspiel_games.load(rules, 4)
    assert game.terms.rules.options() == rules.options()
    again = pyspiel.load_game(str(game))
    assert again.terms.rules.options() == rules.options()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"rules": "spoil-fife"}, "spoil-five"),
        ({"rules": "spoil-five", "players": 11}, "not for 11 players"),
        ({"rules": "spoil-five", "players": "4"}, "players must be a whole number"),
        ({"rules": "spoil-five", "players": 3, "dealer": 3}, "dealer 3 is no seat"),
        ({"rules": "pei", "pot": 3}, "pot=3"),
        ({"rules": "spoil-five", "pot": -1}, "pot must be a whole number"),
    ],
)
def test_what_there_is_not_is_refused_in_a_line(asked, message):
    with pytest.raises(RuleSetError, match=message):
        openspiel_games.load(**asked)


def test_an_observer_of_everybodys_cards_is_refused():
    everybody = pyspiel.PrivateInfoType.ALL_PLAYERS
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=everybody)
    with pytest.raises(RunError, match="not those of all players"):
        make_observation(openspiel_games.load("pei"), kind)
    with pytest.raises(RunError, match="takes no parameters"):
        make_observation(openspiel_games.load("pei"), None, {"x": 1})


def test_nothing_is_seen_while_cards_are_dealt():
    state = openspiel_games.load("pei").new_initial_state()
    assert state.information_state_string(0) == "the cards are being dealt"
    assert not any(state.information_state_tensor(0))
    assert state.returns() == [0.0] * 4
    with pytest.raises(ViewError, match="still being dealt"):
        state.view(0)


def test_a_copy_of_a_state_goes_its_own_way():
    state = openspiel_games.load("pei").new_initial_state()
    rng = random.Random(3)
    while not state.is_terminal():
        twin, before = state.clone(), str(state)
        assert (str(twin), twin.history()) == (before, state.history())
        step(twin, rng)
        assert str(state) == before
        step(state, rng)


# --- information states -------------------------------------------------------------------------


def decisions(state, past=((), ())):
    """Yield every decision in the tree from a state on, with what each player did before."""
    if state.is_terminal():
        return
    player = state.current_player()
    if player >= 0:
        yield state, past[player]
    for action in state.legal_actions():
        after = list(past)
        if player >= 0:
            after[player] = (*past[player], (state.information_state_string(), action))
        yield from decisions(state.child(action), tuple(after))


@pytest.mark.parametrize("spec", [ROBBING, JOKER, FIXED])
def test_nobody_forgets_anything_and_strings_and_tensors_agree(spec):
    pasts, choices, tensors, names = (defaultdict(set) for _ in range(4))
    state = mini(spec).new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])  # a part of the tree, to be quick
    for found, past in decisions(state):
        key = found.information_state_string()
        tensor = np.array(found.information_state_tensor()).tobytes()
        pasts[key].add(past)
        choices[key].add(tuple(found.legal_actions()))
        tensors[key].add(tensor)
        names[tensor].add(key)
    assert len(pasts) > 50
    for found in (pasts, choices, tensors, names):
        assert {len(values) for values in found.values()} == {1}


def test_a_card_drawn_is_not_taken_for_one_dealt():
    """Two deals end in the same hand of a seat; which of two cards was drawn differs."""
    ends = []
    for dealt, drawn in (("7S", "8S"), ("8S", "7S")):
        first = f"2S 3S 4S 6S {dealt} 2C 3C 4C 5C 6C 2D 3D 4D 6D 7D 2H 3H 4H 6H 7H KC KD KH"
        pack = [parse_card(card) for card in f"{first} {drawn}".split()]
        pack += [card for card in range(52) if card not in pack]
        deal = Game("auction-forty-fives", 4, dealer=3, pack=pack, alone=True)
        for action in ("pass", "pass", "bid 20", "pass", "trump H"):
            deal.push(parse_action(action))
        for action in ("discard 2S", "done"):
            deal.push(parse_action(action))
        ends.append(openspiel_games.state_of(openspiel_games.load("auction-forty-fives"), deal))
    one, two = ends
    assert one.view(0).hand == two.view(0).hand
    assert one.observation_string(0) == two.observation_string(0)
    assert one.observation_tensor(0) == two.observation_tensor(0)
    assert one.information_state_string(0) != two.information_state_string(0)
    assert one.information_state_tensor(0) != two.information_state_tensor(0)
    assert one.information_state_string(1) == two.information_state_string(1)


# --- a state sampled from an information state ----------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "players", "tries"),
    [
        ("spoil-five", 5, 1),
        ("forty-five-joker", 4, 1),
        ("pei-hall", 3, 1),
        ("pei", 3, 1),
        ("five-hundred", 4, 1),
        ("pei-tignish", 6, openspiel_games.MOST_TRIES),  # the stock may run out
    ],
)
def test_a_sampled_state_looks_the_same_to_its_player(preset, players, tries, monkeypatch):
    monkeypatch.setattr(openspiel_games, "MOST_TRIES", tries)
    game, rng = openspiel_games.load(preset, players), random.Random(7)
    sampled, other = 0, 0

    def look(state):
        nonlocal sampled, other
        if state.is_chance_node() or rng.random() < 0.8:
            return
        player = state.current_player()
        twin = state.resample_from_infostate(player, rng.random)
        assert twin.information_state_string() == state.information_state_string()
        assert twin.information_state_tensor() == state.information_state_tensor()
        assert twin.legal_actions() == state.legal_actions()
        sampled += 1
        other += twin.table.game.hands != state.table.game.hands

    while sampled < 60:
        played(game, rng, look)
    assert other > sampled / 2


def test_sampled_hands_are_equally_likely():
    """Seat 0 holds K♠ A♣, A♦ is turned up and robbed for: three cards lie in two places."""
    state = mini(ROBBING).new_initial_state()
    for card in ("KS", "AC", "QS", "KC", "AD"):
        state.apply_action(parse_card(card))
    state.apply_action(KEEP)
    assert state.current_player() == 0
    rng = random.Random(5)
    hands = Counter(
        str(state.resample_from_infostate(0, rng.random).table.game.hands[1]) for _ in range(600)
    )
    assert set(hands) == {"QS KC", "AS KC", "QS AS"}
    assert min(hands.values()) > 150


# --- OpenSpiel's algorithms ----------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["spoil-five", "five-hundred"])
def test_openspiels_ismcts_plays(preset):
    game, rng = openspiel_games.load(preset), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=np.random.RandomState(3))
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node() or state.current_player() > 0:
            step(state, random.Random(int(rng.randint(1000))))
        else:
            searched += len(state.legal_actions()) > 1
            state.apply_action(bot.step(state))
    assert searched >= 2
    assert sum(state.returns()) == pytest.approx(0)


def test_external_sampling_comes_near_an_equilibrium():
    game = mini(TINY)
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(100):
        solver.iteration()
    uniform = exploitability.nash_conv(game, UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < uniform / 2


def test_outcome_sampling_runs():
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(mini(ROBBING))
    for _ in range(30):
        solver.iteration()
    assert len(solver.average_policy().action_probabilities(_first_decision())) > 1


def _first_decision():
    state = mini(ROBBING).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def test_the_playthrough_is_as_it_was():
    """Made anew by ``python tests/adapters/regenerate.py``."""
    assert playthrough(str(mini(ROBBING)), [], seed=1) == PLAYTHROUGH.read_text(encoding="utf-8")
