"""The order of the cards under each rule set: which count as trumps, and what beats what.

The only place where the rank of a card is decided (docs/rules.md 1); the kernels' tables, the
printed charts and the checks are made from it.
"""

from __future__ import annotations

from forty5sim.cards import (
    ACE,
    ACE_OF_HEARTS,
    FIVE,
    HEARTS,
    JACK,
    JOKER,
    KING,
    QUEEN,
    RED_SUITS,
    Card,
    Suit,
    card_of,
)
from forty5sim.rules import RuleSet


def trump_ace(trump: Suit) -> Card:
    """Return the ace of trumps, the card that gives the right to rob."""
    return card_of(trump, ACE)


def trump_order(rules: RuleSet, trump: Suit, *, ace_lowest: bool = False) -> tuple[Card, ...]:
    """Return all trumps of the deck, high to low (docs/rules.md 1.2, 1.4, 1.5).

    Args:
        rules: the rule set.
        trump: the trump suit.
        ace_lowest: the ace of trumps was not robbed with and is the lowest trump (2.6).
    """
    five, jack, ace = (card_of(trump, rank) for rank in (FIVE, JACK, ACE))
    hearts_ace = {
        "none": [ACE_OF_HEARTS],
        "after_ah": [ACE_OF_HEARTS, JOKER],
        "before_ah": [JOKER, ACE_OF_HEARTS],
    }[rules.joker]
    if rules.head == "modern":
        head = [five, jack, *hearts_ace, ace]
    else:
        head = [five, *hearts_ace, ace, jack]
    order = list(dict.fromkeys([*head, *_court(trump, KING, QUEEN), *_pips(trump)]))
    if ace_lowest:
        order.remove(ace)
        order.append(ace)
    deck = set(rules.deck_cards())
    return tuple(card for card in order if card in deck)


def plain_order(rules: RuleSet, suit: Suit) -> tuple[Card, ...]:
    """Return the cards of a plain suit, high to low, without the ace of hearts (1.3)."""
    king, queen, jack = _court(suit, KING, QUEEN, JACK)
    ace = card_of(suit, ACE)
    place = rules.plain_red_ace if suit in RED_SUITS else rules.plain_black_ace
    pips = _pips(suit, plain=True)
    order = {
        "high": [ace, king, queen, jack, *pips],
        "below_jack": [king, queen, jack, ace, *pips],
        "lowest": [king, queen, jack, *pips, ace],
    }[place]
    deck = set(rules.deck_cards()) - {ACE_OF_HEARTS}
    return tuple(card for card in order if card in deck)


def privileged(rules: RuleSet, trump: Suit, *, ace_lowest: bool = False) -> tuple[Card, ...]:
    """Return the top trumps: those that may be kept back under ``renege`` (2.3)."""
    if rules.renege_cards == "five_only":
        return (card_of(trump, FIVE),)
    return top_trumps(trump, ace_lowest=ace_lowest)


def top_trumps(trump: Suit, *, ace_lowest: bool = False) -> tuple[Card, ...]:
    """Return five, jack, ace of hearts and Joker; an ace made lowest is no top trump (2.6)."""
    cards = [card_of(trump, FIVE), card_of(trump, JACK), JOKER]
    if not (ace_lowest and trump == HEARTS):
        cards.append(ACE_OF_HEARTS)
    return tuple(cards)


def _court(suit: Suit, *ranks: int) -> list[Card]:
    return [card_of(suit, rank) for rank in ranks]


def _pips(suit: Suit, *, plain: bool = False) -> list[Card]:
    """Return 10..2 in red, 2..10 in black: highest in red, lowest in black."""
    ranks = [rank for rank in range(9) if plain or rank != FIVE]
    return [card_of(suit, rank) for rank in (reversed(ranks) if suit in RED_SUITS else ranks)]
