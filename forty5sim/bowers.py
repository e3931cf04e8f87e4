"""The order of the cards in Five Hundred: Joker, bowers, suits (docs/rules.md 8.5, 8.7)."""

from __future__ import annotations

from forty5sim.cards import (
    FIVE_HUNDRED_PACK,
    JACK,
    JOKER,
    NO_TRUMP,
    Card,
    Suit,
    card_of,
    rank_of,
    suit_of,
)

MATES = (1, 0, 3, 2)
"""The other suit of the same colour."""


def left_bower(trump: Suit) -> Card:
    """Return the jack that counts as the second trump: that of the suit of the same colour."""
    return card_of(MATES[trump], JACK)


def effective_suit(card: Card, trump: Suit, joker_suit: Suit | None = None) -> Suit | None:
    """Return the suit that a card counts as; None for a Joker without a suit.

    Args:
        card: the card.
        trump: the trump suit, or NO_TRUMP.
        joker_suit: the suit that the contractor gave the Joker, where there are no trumps.
    """
    if card == JOKER:
        return joker_suit if trump == NO_TRUMP else trump
    if trump != NO_TRUMP and card == left_bower(trump):
        return trump
    return suit_of(card)


def suit_order(suit: Suit, trump: Suit, joker_suit: Suit | None = None) -> tuple[Card, ...]:
    """Return all cards that count as a suit, high to low."""
    members = [c for c in FIVE_HUNDRED_PACK if effective_suit(c, trump, joker_suit) == suit]
    return tuple(sorted(members, key=lambda card: _height(card, trump), reverse=True))


def _height(card: Card, trump: Suit) -> int:
    """Return a card's height among those of its effective suit."""
    if card == JOKER:
        return 16
    if trump != NO_TRUMP and card == card_of(trump, JACK):
        return 15
    if trump != NO_TRUMP and card == left_bower(trump):
        return 14
    return rank_of(card)
