"""Small tests that run with the JIT switched off too, where coverage sees inside the kernels.

NUMBA_DISABLE_JIT=1 pytest -m jit_off
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forty5sim.agent import CompiledAgent, View
from forty5sim.arena.conditions import Conditions, Rows
from forty5sim.arena.match import plain_twin, play_pairing
from forty5sim.errors import AgentError
from forty5sim.game import Game
from forty5sim.kernels import face, layout, rows, speed
from forty5sim.kernels.jit import entry
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.named_rules import find_rules, presets
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables
from tests.kernels import probes
from tests.kernels.cases import random_case
from tests.kernels.compare import compare_deal, compare_game
from tests.kernels.random_rules import one_option_changed

ROOT = Path(__file__).parents[2]
BOTS = ("heuristic", "random")
jit_off = pytest.mark.jit_off


# Against the reference


@jit_off
@pytest.mark.parametrize("name", presets())
def test_presets(name: str) -> None:
    rules, rng = presets()[name], random.Random(name)
    for players in {rules.players[0], rules.default_players, rules.players[-1]}:
        compare_deal(random_case(rules, players, rng), rng)


@jit_off
@pytest.mark.parametrize("rules", one_option_changed(), ids=lambda rules: str(rules.id))
def test_options(rules: RuleSet) -> None:
    rng = random.Random(rules.id)
    for _ in range(2):
        compare_deal(random_case(rules, rng.choice(rules.players[:4]), rng), rng)


@jit_off
@pytest.mark.parametrize(
    "spec",
    [
        "forty-five:target=10,tie=trick_order",
        "forty-five:target=10,tie=highest_total,tie_equal=play_on,bonus=last_trick",
        "forty-five:target=10,sweep=wins_game",
        "forty-five:target=10,jink=on",
        "twenty-five:target=15",
        "spoil-five:stack=4,unpaid=all_in,last_pot=leader",
        "spoil-five-strict:stack=4,unpaid=all_in,ante_rule=dealer_double,jink_reward=double_pot",
        "spoil-five:stack=5,game_deals=3",
        "spoil-five:stack=3,first_dealer=1",
    ],
)
def test_whole_games(spec: str) -> None:
    rng = random.Random(spec)
    for players in (3, 4):
        compare_game(find_rules(spec), players, players, rng)


@jit_off
def test_legal_cards_and_winners_in_small() -> None:
    """A taste of test_exhaustive_legality.py."""
    tables, order = rule_tables(find_rules("forty-five")), layout.ORDERS  # spades trumps
    hands, legal = np.array([1 << 10 | 1 << 20, 1 << 3 | 1 << 20]), np.zeros(2, dtype=np.int64)
    probes.legal_sweep(tables, order, 9, 9, hands, legal)  # the jack led: QS 9C, 5S 9C
    assert legal.tolist() == [1 << 10, 1 << 3 | 1 << 20]
    winners = np.zeros((3, 3), dtype=np.int64)
    probes.winner_sweep(probes.new_state(), tables, order, np.array([9, 3, 20]), winners)
    assert winners[0].tolist()[1:] == [1, 0]
    assert winners[2].tolist()[:2] == [1, 1]


@jit_off
def test_random_deals() -> None:
    tables = rule_tables(find_rules("forty-five"))
    plays = speed.random_deals(probes.new_state(), tables, 1, 20, 4, 2)
    assert plays == 20 * 4 * 5
    assert speed.yardstick(10) == speed.yardstick(10) != speed.yardstick(11)


# Boards


def played(
    spec: str, players: int, *, whole_games: bool, plain: bool = False, pot: int = 0
) -> Rows:
    """Play two boards of both bots, each bot in turn at seat 0."""
    bots = [find_bot(name) for name in BOTS]
    bots = [plain_twin(bot) for bot in bots] if plain else bots
    conditions = Conditions(find_rules(spec), players, seed=2, pot=pot, whole_games=whole_games)
    seatings = [[0] + [1] * (players - 1), [1] + [0] * (players - 1)]
    found, faults = play_pairing(conditions, bots, seatings, 3, 2)
    assert not faults
    return found


BOARDS = [
    ("forty-five", 4, False),
    ("forty-five:jink=on,target=25", 3, True),
    ("spoil-five-strict", 3, False),
    ("spoil-five:game_deals=4,stack=5,unpaid=all_in", 4, True),
    ("forty-five-joker:rob_announced=silent", 2, False),
    ("auction-forty-fives", 4, False),
    ("pei-hall", 3, True),
    ("five-hundred", 4, False),
    ("five-hundred:lose_at=-200", 4, True),
]


@jit_off
@pytest.mark.parametrize(("spec", "players", "whole_games"), BOARDS)
def test_boards_add_up(spec: str, players: int, whole_games: bool) -> None:
    found = played(spec, players, whole_games=whole_games)
    payoffs = found[:, :, rows.HEAD_SIZE : rows.HEAD_SIZE + players]
    assert (payoffs.sum(axis=2) == 0).all()
    assert (found[:, :, rows.ROW_FORFEIT] == -1).all()
    assert (found[:, :, rows.ROW_DEALS] >= 1).all()


@jit_off
@pytest.mark.parametrize(("spec", "players", "whole_games"), BOARDS)
def test_both_paths_give_the_same_rows(spec: str, players: int, whole_games: bool) -> None:
    compiled = played(spec, players, whole_games=whole_games)
    plain = played(spec, players, whole_games=whole_games, plain=True)
    assert np.array_equal(compiled, plain)


@jit_off
def test_payoffs_add_up_with_a_pot_from_before() -> None:
    found = played("spoil-five", 5, whole_games=False, pot=7)
    assert (found[:, :, rows.HEAD_SIZE : rows.HEAD_SIZE + 5].sum(axis=2) == 0).all()
    chips = found[:, :, rows.HEAD_SIZE + 5 : rows.HEAD_SIZE + 10].sum(axis=2)
    assert (chips + found[:, :, rows.ROW_POT] == 7).all()


class Jinker:
    """A bot that jinks whenever it may."""

    name, version = "jinker", 1

    def act(self, view: View) -> int:
        return layout.DECLARE_JINK if view.phase == "jink" else view.legal[-1]


@jit_off
def test_jinks_are_counted() -> None:
    bots = [bot_of(Jinker()), find_bot("random")]
    conditions = Conditions(find_rules("spoil-five"), 2, seed=1)
    found, _ = play_pairing(conditions, bots, [[0, 1]], 0, 60)
    total = found.sum(axis=(0, 1))
    made, failed, pots = (
        total[rows.HEAD_SIZE + 2 * block :][:2].tolist()
        for block in (rows.BLOCK_JINKS_MADE, rows.BLOCK_JINKS_FAILED, rows.BLOCK_POTS)
    )
    assert min(made[0], failed[0]) > 0
    assert sum(pots) + sum(failed) == 60  # two players spoil a deal only by a jink
    assert total[rows.ROW_SPOILS] == sum(failed)


@jit_off
def test_decisions_have_fixed_slots() -> None:
    """A kind of decision keeps its number, whatever happened before it."""
    rules = find_rules("forty-five-joker:jink=on,rob_timing=before_first_lead")
    slots = set()
    for seed in range(60):
        game = Game(rules, 2, seed=seed)
        while not game.deal_is_over:
            key = int(face.question_key(game.state))
            deal = int(game.state[layout.DEAL_KEY])
            keys = [probes.key_of_decision(deal, game.seat, number) for number in range(16)]
            slot = keys.index(key)
            if game.phase == "play":
                assert slot == layout.SLOT_PLAY + len(game.history)
            slots.add((game.phase, slot))
            game.push(game.legal_actions[-1])
    assert {slot for phase, slot in slots if phase == "rob"} <= {
        layout.SLOT_ROB,
        layout.SLOT_ROB + 1,
    }
    assert {slot for phase, slot in slots if phase == "jink"} == {layout.SLOT_JINK}


class Stubborn:
    """A bot that never answers with a legal action."""

    name, version = "stubborn", 1

    def act(self, view: View) -> int:
        return layout.NO_CARD


@entry
def wrong(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    key: int,
    params: Reals,
    workspace: Vector,
) -> int:
    """Choose no legal action, ever."""
    return 60


def bot_of(agent: Any) -> Bot:
    compiled = agent if isinstance(agent, CompiledAgent) else None
    return Bot(agent.name, agent.name, 1, compiled, lambda: agent, keeps_notes=False)


@jit_off
@pytest.mark.parametrize("whole_games", [False, True])
@pytest.mark.parametrize("agent", [Stubborn(), CompiledAgent("wrong", 1, wrong)])
def test_an_illegal_answer_is_forfeited(agent: Any, whole_games: bool) -> None:
    bots = [bot_of(agent), find_bot("heuristic")]
    conditions = Conditions(find_rules("forty-five"), 3, seed=1, whole_games=whole_games)
    found, faults = play_pairing(conditions, bots, [[0, 1, 1]], 0, 2, stop_on_fault=False)
    assert [fault.bot for fault in faults] == [agent.name] * 2
    assert (found[:, 0, rows.ROW_FORFEIT] == 0).all()
    worst = conditions.worst_payoff
    payoffs = found[:, 0, rows.HEAD_SIZE : rows.HEAD_SIZE + 3]
    assert (payoffs == [worst, -worst // 2, -worst // 2]).all()
    with pytest.raises(AgentError, match=agent.name):
        play_pairing(conditions, bots, [[0, 1, 1]], 0, 2)


# Both ways


def all_rows() -> list[object]:
    """The rows of some boards, as lists."""
    return [played(spec, n, whole_games=whole).tolist() for spec, n, whole in BOARDS]


def test_the_same_rows_without_the_jit() -> None:
    code = "import json; import tests.kernels.test_jit_off as t; print(json.dumps(t.all_rows()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == all_rows()
