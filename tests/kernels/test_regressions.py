"""Faults that the comparison with the reference once found."""

from __future__ import annotations

import random

import pytest

from forty5sim.errors import IllegalActionError, RuleSetError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from tests.kernels.cases import random_case
from tests.kernels.compare import compare_deal
from tests.rulebook.table import deal, play


def test_2_6_trumps_on_the_table_keep_their_places_when_the_rob_is_missed() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=1"
    game = play(deal(spec, ["10S", "AS"], "3S", dealer=1), "10S keep AS")
    assert game.history[0].winner == 0


def test_2_6_best_trump_of_the_deal_after_a_missed_rob() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=2,sides=individuals"
    game = deal(spec, ["KS 9H", "2D AS", "QD QS"], "3S", dealer=2)
    play(game, "KS keep AS QS")
    assert (game.history[0].winner, game.seat) == (0, 0)
    play(game, "9H 2D QD")
    assert game.points == [15, 0, 0]


@pytest.mark.parametrize("timing", ["split", "own_first_card"])
def test_2_6_random_deals(timing: str) -> None:
    rules = find_rules(f"forty-five:rob_missed=ace_lowest,rob_timing={timing}")
    rng = random.Random(1)
    for _ in range(500):
        compare_deal(random_case(rules, rng.choice([2, 3, 4, 5, 6]), rng), rng)


def test_2_6_the_missed_ace_alone_is_still_a_trump_for_the_bonus() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=1"
    game = play(deal(spec, ["9H", "AS"], "3S", dealer=1), "9H keep AS")
    assert game.points == [0, 10]


def test_3_5_the_ace_cannot_wait_if_the_dealer_has_one_card() -> None:
    with pytest.raises(RuleSetError, match="hand_size"):
        find_rules("forty-five:hand_size=1,dealer_ace=after_trick1")


def test_3_1_first_dealer_sits_at_the_table() -> None:
    assert Game("forty-five:first_dealer=7", 8).dealer == 7
    with pytest.raises(RuleSetError, match="first_dealer=7"):
        Game("forty-five:first_dealer=7", 4)


@pytest.mark.parametrize("action", [-1, 53, 57, 63, 99])
def test_actions_that_are_none(action: int) -> None:
    game = Game("forty-five", 4, seed=1)
    with pytest.raises(IllegalActionError):
        game.push(action)


@pytest.mark.parametrize("scoring", ["five_ten", "difference"])
def test_4_6_failed_jink_without_points_for_tricks(scoring: str) -> None:
    rules, rng = find_rules(f"forty-five:jink=on,trick_scoring={scoring}"), random.Random(1)
    for _ in range(150):
        compare_deal(random_case(rules, rng.choice([2, 3, 4]), rng), rng)
