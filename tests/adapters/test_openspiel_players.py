"""Our bots as bots of OpenSpiel."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

from forty5sim.adapters import openspiel_games
from forty5sim.adapters.openspiel_players import player
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.errors import AgentError
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.seats import Seats


def mean_returns(specs, deals, seed=1):
    game = openspiel_games.load("spoil-five", len(specs))
    bots = [player(spec, seat, seed) for seat, spec in enumerate(specs)]
    rng = np.random.RandomState(seed)
    returns = [evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(deals)]
    return np.array(returns)


def test_a_better_bot_wins_in_openspiels_loop():
    found = mean_returns(["heuristic", "random", "random"], 300)
    gains, half = found.mean(axis=0), 3 * found.std(axis=0) / len(found) ** 0.5
    assert gains[0] > half[0]


def test_the_same_seed_gives_the_same_deals():
    one, two, other = (mean_returns(["random"] * 3, 10, seed).tolist() for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_a_bot_without_chance_plays_as_in_a_tournament():
    rules = find_rules("pei")
    game, bot = openspiel_games.load("pei"), find_bot("heuristic")
    for board in range(10):
        deal = board_game(Conditions(rules, 4, seed=1), board)
        state = openspiel_games.state_of(game, deal)
        list(Seats([bot] * 4).play_on(deal))
        bots = [player("heuristic", seat) for seat in range(4)]
        stock = iter(deal.pack[deal.pack.index(state.deal.dealt[-1]) + 1 :])
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(stock))
            else:
                state.apply_action(bots[state.current_player()].step(state))
        assert state.table.game.log == deal.log


def test_a_bot_that_keeps_notes_is_told_of_each_deal(sample_bot):
    assert mean_returns([sample_bot("NoteTaker"), "random"], 5).shape == (5, 2)


def test_misbehaviour_is_reported_under_the_bots_name(sample_bot):
    with pytest.raises(AgentError, match=r"Illegal at seat 0: answered .* not legal"):
        mean_returns([sample_bot("Illegal"), "random"], 20)
    with pytest.raises(AgentError, match="unknown bot"):
        player("hueristic", 0)


def test_a_bot_is_not_asked_out_of_turn_or_in_another_game():
    bot = player("heuristic", 0)
    with pytest.raises(AgentError, match="out of turn"):
        bot.step(openspiel_games.load("pei").new_initial_state())
    with pytest.raises(AgentError, match="plays the games"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
