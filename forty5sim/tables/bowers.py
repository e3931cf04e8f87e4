"""The orders of the cards in Five Hundred, as the kernels look them up."""

from __future__ import annotations

from forty5sim.bowers import suit_order
from forty5sim.cards import FIVE_HUNDRED_PACK, JOKER, NO_TRUMP, Suit, mask_of
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector


def fill_order(block: Vector, trump: Suit, joker_suit: Suit | None) -> None:
    """Write everything that depends on trumps, and on the suit that the Joker was given."""
    orders = {
        layout.TRUMPS if suit == trump else suit: suit_order(suit, trump, joker_suit)
        for suit in range(layout.SUITS)
    }
    trumps = mask_of(orders.get(layout.TRUMPS, ()))
    suitless = trump == NO_TRUMP and joker_suit is None
    above_all = trumps | (1 << JOKER if suitless else 0)
    power = block[layout.POWER : layout.POWER + layout.SUIT_COUNT * layout.CARD_COUNT]
    rows = power.reshape(layout.SUIT_COUNT, layout.CARD_COUNT)
    block[layout.TRUMP_MASK] = trumps
    block[layout.SUIT : layout.SUIT + layout.CARD_COUNT] = layout.NO_SUIT
    block[layout.JUDGE : layout.JUDGE + layout.SUIT_COUNT] = layout.LED
    for suit, order in orders.items():
        follow = mask_of(order)
        for place, card in enumerate(order):
            height = len(order) - place
            beaters = mask_of(order[:place])
            block[layout.SUIT + card] = suit
            block[layout.MUST + card] = block[layout.MAY + card] = follow
            if suit == layout.TRUMPS:
                rows[:, card] = layout.TRUMP_POWER + height
            else:
                rows[suit, card] = height
                beaters |= above_all
            block[layout.BEATERS + card] = beaters
    if suitless:
        rows[:, JOKER] = layout.TRUMP_POWER + 1
        others = mask_of(FIVE_HUNDRED_PACK) & ~(1 << JOKER)
        barred = layout.JOKER_BARRED
        block[layout.MUST + barred] = block[layout.MAY + barred] = others
