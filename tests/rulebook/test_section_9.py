"""docs/rules.md 9: small packs."""

from __future__ import annotations

import pytest

from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.rules import RuleSet
from tests.rulebook.table import deal, legal, play, words

pytestmark = pytest.mark.jit_off

TWELVE = "5S+JS+KS+QS+KH+QH+JH+KD+QD+JD+KC+QC"
SMALL = RuleSet(family="pot", deck=TWELVE, hand_size=3, trump="S", win_tricks=2, jink="off")


def test_9_the_pack_of_twelve() -> None:
    game = Game(SMALL, 2, seed=3, dealer=0)
    assert [len(hand) for hand in game.hands] == [3, 3]
    assert (game.trump, game.turnup, game.phase) == (0, None, "play")
    while not game.deal_is_over:
        assert game.phase == "play"
        game.push(game.legal_actions[0])
    assert sorted(game.points) == [-1, 1]


def test_9_reneging_is_as_in_section_2() -> None:
    game = deal(SMALL, ["5S KD QD", "KS QS KC"], dealer=0)
    assert legal(play(game, "QS")) == words("5S KD QD")
    game = deal(SMALL, ["JS KD QD", "KS 5S KC"], dealer=0)
    assert legal(play(game, "5S")) == {"JS"}


def test_9_a_fixed_trump_turns_nothing_and_nobody_robs() -> None:
    game = deal("forty-five:trump=H,rob_timing=before_first_lead", {1: "AH KH"}, players=3)
    assert (game.turnup, game.trump, game.phase, game.seat) == (None, 3, "play", 1)


def test_9_hand_size_is_the_number_of_tricks() -> None:
    game = Game("forty-five:hand_size=7,trump=D", 3, seed=1)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert sum(game.tricks) == 7
    assert sum(game.points) in (35, 40)


def test_9_the_pack_must_be_big_enough() -> None:
    with pytest.raises(RuleSetError, match="too small"):
        RuleSet(deck=TWELVE, hand_size=6)
    assert RuleSet(deck=TWELVE, hand_size=5).players == (2,)
    assert RuleSet(deck=TWELVE, hand_size=6, trump="S").players == (2,)
    assert find_rules("forty-five:hand_size=6").players == (2, 3, 4, 5, 6, 7, 8)
    assert find_rules("forty-five-joker:hand_size=10").players == (2, 3, 4, 5)


def test_9_a_joker_is_in_the_pack_exactly_if_it_is_used() -> None:
    with pytest.raises(RuleSetError, match="exactly if"):
        RuleSet(deck=TWELVE + "+JK", hand_size=3)
    with pytest.raises(RuleSetError, match="twice"):
        RuleSet(deck=TWELVE + "+KC", hand_size=3)


def test_9_more_tricks_than_cards_cannot_win() -> None:
    with pytest.raises(RuleSetError, match="more than the 3 tricks"):
        RuleSet(family="pot", hand_size=3, win_tricks=4)
