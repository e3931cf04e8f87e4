"""docs/rules.md 1: cards and ranking."""

from __future__ import annotations

from itertools import pairwise

import pytest

from forty5sim.cards import card_name, parse_suit
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.ranking import plain_order, trump_order
from tests.rulebook.table import deal, legal, play

pytestmark = pytest.mark.jit_off


def trumps(spec: str, suit: str) -> str:
    """The trumps in words, best first."""
    return " ".join(card_name(card) for card in trump_order(find_rules(spec), parse_suit(suit)))


def plain(spec: str, suit: str) -> str:
    """A plain suit in words, best first."""
    return " ".join(card_name(card) for card in plain_order(find_rules(spec), parse_suit(suit)))


def winner(spec: str, trump: str, cards: str) -> str:
    """The card that wins a trick, played out with hands of one card."""
    trick = cards.split()
    rules = find_rules(spec).with_options(trump=trump, hand_size=1, sides="individuals")
    game = play(deal(rules, trick, dealer=len(trick) - 1), cards)
    return trick[game.history[0].winner or 0]


def test_1_1_pack() -> None:
    assert len(find_rules("forty-five").deck_cards()) == 52
    assert len(find_rules("forty-five-joker").deck_cards()) == 53


def test_1_1_seats_run_clockwise() -> None:
    game = deal("forty-five", {}, "9S", players=5, dealer=1)
    seats = []
    for _ in range(5):
        seats.append(game.seat)
        game.push(game.legal_actions[0])
    assert seats == [2, 3, 4, 0, 1]


def test_1_1_partners_sit_evenly_spaced() -> None:
    assert Game("forty-five", 4).sides == [0, 1, 0, 1]
    assert Game("forty-five", 6).sides == [0, 1, 0, 1, 0, 1]
    assert Game("forty-five:sides=3x2", 6).sides == [0, 1, 2, 0, 1, 2]
    assert Game("forty-five:sides=3x3", 9).sides == [0, 1, 2] * 3


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        ("H", "5H JH AH KH QH 10H 9H 8H 7H 6H 4H 3H 2H"),
        ("D", "5D JD AH AD KD QD 10D 9D 8D 7D 6D 4D 3D 2D"),
        ("S", "5S JS AH AS KS QS 2S 3S 4S 6S 7S 8S 9S 10S"),
        ("C", "5C JC AH AC KC QC 2C 3C 4C 6C 7C 8C 9C 10C"),
    ],
)
def test_1_2_trumps(suit: str, order: str) -> None:
    assert trumps("forty-five", suit) == order
    for high, low in pairwise(order.split()):
        assert winner("forty-five", suit, f"{high} {low}") == high
        assert winner("forty-five", suit, f"{low} {high}") == high


def test_1_2_ace_of_hearts_is_a_trump_in_every_deal() -> None:
    for suit in "SCDH":
        game = deal(f"forty-five:trump={suit}", {})
        assert game.is_trump(51)


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        ("H", "KH QH JH 10H 9H 8H 7H 6H 5H 4H 3H 2H"),
        ("D", "KD QD JD 10D 9D 8D 7D 6D 5D 4D 3D 2D AD"),
        ("S", "KS QS JS AS 2S 3S 4S 5S 6S 7S 8S 9S 10S"),
        ("C", "KC QC JC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C"),
    ],
)
def test_1_3_plain_suits(suit: str, order: str) -> None:
    assert plain("forty-five", suit) == order
    trump = "S" if suit != "S" else "C"
    for high, low in pairwise(order.split()):
        assert winner("forty-five", trump, f"{high} {low}") == high
        assert winner("forty-five", trump, f"{low} {high}") == high


def test_1_3_plain_red_ace() -> None:
    assert plain("forty-five:plain_red_ace=below_jack", "D").startswith("KD QD JD AD 10D")
    assert plain("forty-five:plain_red_ace=high", "D").startswith("AD KD QD JD 10D")
    assert plain("forty-five:plain_red_ace=high", "C").startswith("KC QC JC AC 2C")
    assert "AH" not in plain("forty-five:plain_red_ace=high", "H")
    assert winner("forty-five:plain_red_ace=below_jack", "S", "10D AD") == "AD"
    assert winner("forty-five:plain_red_ace=below_jack", "S", "JD AD") == "JD"
    assert winner("forty-five:plain_red_ace=high", "S", "KD AD") == "AD"


def test_1_3_plain_black_ace() -> None:
    assert plain("forty-five:plain_black_ace=high", "C").startswith("AC KC QC JC 2C")
    assert plain("forty-five:plain_black_ace=high", "D").endswith("2D AD")
    assert winner("forty-five:plain_black_ace=high", "H", "KS AS") == "AS"


def test_1_4_joker() -> None:
    assert trumps("forty-five:joker=after_ah", "S").startswith("5S JS AH JK AS KS")
    assert trumps("forty-five:joker=before_ah", "S").startswith("5S JS JK AH AS KS")
    assert trumps("forty-five:joker=after_ah", "H").startswith("5H JH AH JK KH")
    assert trumps("forty-five:joker=before_ah", "H").startswith("5H JH JK AH KH")
    assert winner("forty-five:joker=after_ah", "S", "AS JK AH") == "AH"
    assert winner("forty-five:joker=before_ah", "S", "AS AH JK") == "JK"


def test_1_4_joker_may_be_kept_back() -> None:
    spec = "forty-five-joker:trump=S"
    assert legal(play(deal(spec, ["AS", "JK KD"], dealer=1), "AS")) >= {"JK", "KD"}
    game = play(deal(spec, ["AH", "JK KD 9D 8D 7D"], dealer=1), "AH")
    assert legal(game) == {"JK"}


def test_1_5_old_order() -> None:
    assert trumps("five-cards", "C").startswith("5C AH AC JC KC QC 2C")
    assert trumps("five-cards", "H").startswith("5H AH JH KH QH 10H")
    assert winner("five-cards:win_tricks=1,jink=off", "S", "JS AS") == "AS"


def test_1_5_old_order_moves_the_rank_and_gives_no_new_privilege() -> None:
    def free(led: str, held: str) -> bool:
        game = deal("five-cards:trump=S", [led, f"{held} KD 9D 8D 7D"], dealer=1)
        return "KD" in legal(play(game, led))

    assert free("AS", "5S")
    assert free("AS", "AH")
    assert not free("AS", "JS")
    assert free("JS", "AH")
    assert not free("JS", "AS")
    assert not free("KS", "AS")


@pytest.mark.parametrize(
    ("trump", "cards", "best"),
    [
        ("S", "JS AH 5S", "5S"),
        ("C", "10C 2C", "2C"),
        ("D", "2D 10D", "10D"),
        ("C", "KD QD 10C", "10C"),
        ("S", "3D AD 2D", "3D"),
        ("S", "10C AC 2C", "AC"),
        ("S", "2H KD KC", "2H"),
        ("S", "AH KH 2S", "AH"),
    ],
)
def test_1_6_who_wins_a_trick(trump: str, cards: str, best: str) -> None:
    assert winner("forty-five", trump, cards) == best
