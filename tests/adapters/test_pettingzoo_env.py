"""The environments of PettingZoo: conformance, rewards, masks, rendering."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from forty5sim.adapters import pettingzoo_env
from forty5sim.adapters.memory import payoffs
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.errors import IllegalActionError, RuleSetError
from forty5sim.named_rules import find_rules, presets

TABLES = [("spoil-five", 5), ("forty-five-joker", 3), ("pei", 4), ("five-hundred", 4)]

of_a_dict = pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
of_a_space = pytest.mark.filterwarnings("ignore:Observation space for each agent:UserWarning")
of_the_end = pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")


def played(table, choose=lambda legal: legal[0]):
    """Play a deal to its end; return what each agent was rewarded with."""
    rewards = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, _, info = table.last()
        rewards[agent] += reward
        if over:
            table.step(None)
            continue
        assert (info["action_mask"] == seen["action_mask"]).all()
        table.step(int(choose(np.flatnonzero(seen["action_mask"]))))
    return rewards


@of_a_dict
@of_a_space
@of_the_end
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_pettingzoos_own_tests_are_passed(game, players):
    api_test(pettingzoo_env.env(game, players), num_cycles=60)
    seed_test(lambda: pettingzoo_env.env(game, players), num_cycles=60)


@pytest.mark.parametrize("game", presets())
def test_rewards_are_the_payoffs_of_the_boards_of_the_seed(game):
    table = pettingzoo_env.raw_env(game)
    table.reset(seed=3)
    players = len(table.possible_agents)
    for board in range(5):
        deal = board_game(Conditions(find_rules(game), players, seed=3), board)
        while not deal.deal_is_over:
            deal.push(deal.legal_actions[0])
        assert list(played(table).values()) == payoffs(deal)
        assert table.agents == []
        table.reset()


def test_only_the_agent_to_act_may_do_something():
    table = pettingzoo_env.raw_env("spoil-five", players=5)
    table.reset(seed=1)
    for agent in table.agents:
        is_its_turn = agent == table.agent_selection
        assert table.observe(agent)["action_mask"].any() == is_its_turn
        assert bool(table.infos[agent]) == is_its_turn


def test_an_illegal_action_ends_the_deal_with_the_worst_payoff(capsys):
    table = pettingzoo_env.env("spoil-five", players=3)
    table.reset(seed=1)
    wrong = table.agent_selection
    table.step(60)
    assert table.rewards == {agent: -2.0 if agent == wrong else 0 for agent in table.agents}
    assert all(table.terminations.values())


def test_the_raw_environment_says_what_is_illegal():
    table = pettingzoo_env.raw_env("spoil-five", players=3)
    table.reset(seed=1)
    before = str(table.table.game)
    for action in (60, None):
        with pytest.raises(IllegalActionError, match="legal: "):
            table.step(action)
    assert str(table.table.game) == before


def test_a_deal_is_told_in_words(capsys):
    table = pettingzoo_env.env("spoil-five", players=3, render_mode="ansi")
    table.reset(seed=1)
    assert "turned up" in table.render()
    played(table)
    story = table.render()
    assert "trick 1\n" in story
    assert "wins trick 3" in story
    human = pettingzoo_env.env("spoil-five", players=3, render_mode="human")
    human.reset(seed=1)
    played(human)
    human.close()
    assert capsys.readouterr().out == story + "\n"


def test_without_a_seed_other_cards_are_dealt():
    tables = [pettingzoo_env.raw_env("spoil-five") for _ in range(2)]
    for table in tables:
        table.reset()
    assert tables[0].table.game.pack != tables[1].table.game.pack
    with pytest.raises(RuleSetError, match="seed must be a whole number"):
        tables[0].reset(seed=1.5)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"rules": "spoil-fife"}, "spoil-five"),
        ({"rules": "spoil-five", "players": 11}, "not for 11 players"),
        ({"rules": "spoil-five", "players": 4.0}, "players must be a whole number"),
        ({"rules": "spoil-five", "pot": "x"}, "pot must be a whole number"),
        ({"rules": "pei", "pot": 3}, "pot=3"),
        ({"rules": "pei", "render_mode": "film"}, "render_mode must be of"),
    ],
)
def test_what_there_is_not_is_refused_in_a_line(asked, message):
    with pytest.raises(RuleSetError, match=message):
        pettingzoo_env.env(**asked)
