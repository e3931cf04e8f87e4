"""Cards, sets of cards and actions as text, both ways."""

import pytest

from forty5sim import bids
from forty5sim import cards as cards_module
from forty5sim.cards import (
    ACE_OF_HEARTS,
    JOKER,
    CardSet,
    card_name,
    mask_of,
    parse_card,
    parse_suit,
)
from forty5sim.errors import NotationError
from forty5sim.kernels import layout
from forty5sim.notation import (
    DONE,
    HOLD,
    JINK,
    KEEP,
    NO_SUIT,
    PASS,
    STOP,
    action_name,
    parse_action,
)


def test_every_card_is_read_as_it_is_written():
    for card in range(53):
        assert parse_card(card_name(card)) == card
        assert parse_card(card_name(card).lower()) == card


@pytest.mark.parametrize("text", ["T♠", "10S", " 10s ", "ts"])
def test_ways_to_write_a_ten(text):
    assert card_name(parse_card(text)) == "10S"


@pytest.mark.parametrize("text", ["", "5", "H5", "1S", "5X", "joke", "11S"])
def test_what_is_no_card(text):
    with pytest.raises(NotationError, match=r"is no card|unknown suit"):
        parse_card(text)


def test_a_card_number_that_is_none():
    with pytest.raises(NotationError, match=r"0\.\.52"):
        card_name(53)


def test_suits_by_letter_sign_and_word():
    assert [parse_suit(text) for text in ("s", "♣", "Diamonds", "H")] == [0, 1, 2, 3]


def test_a_card_set_prints_iterates_and_compares():
    cards = CardSet.parse("AH, 5S JK")
    assert str(cards) == "5S AH JK"
    assert len(cards) == 3
    assert ACE_OF_HEARTS in cards
    assert "5S" not in cards
    assert list(cards) == [parse_card("5S"), ACE_OF_HEARTS, JOKER]
    assert cards == CardSet(cards.mask)
    assert hash(cards) == hash(CardSet(cards.mask))
    assert eval(repr(cards)) == cards


def test_the_kernels_number_cards_and_bids_alike():
    ranks = ("FIVE", "JACK", "QUEEN", "KING", "ACE")
    for name in (*ranks, "ACE_OF_HEARTS", "JOKER"):
        assert getattr(layout, name) == getattr(cards_module, name)
    assert (layout.BID_COUNT, layout.FIRST_SUIT_BID) == (bids.BID_COUNT, bids.FIRST_SUIT_BID)
    assert mask_of(bids.MISERES) == layout.MISERE_BIDS


def test_actions():
    for action in (KEEP, JINK, STOP, 0, 52):
        assert parse_action(action_name(action)) == action
    assert parse_action("rob 9C") == parse_card("9C")
    phases = {"auction": (0, 6, 7, 33, PASS, HOLD), "discard": (0, 52, DONE), "trump": (0, 3)}
    for phase, actions in (phases | {"assign": (0, NO_SUIT), "name": (3,)}).items():
        for action in actions:
            assert parse_action(action_name(action, phase)) == action
    with pytest.raises(NotationError, match="rob 9C, keep"):
        parse_action("fold")
