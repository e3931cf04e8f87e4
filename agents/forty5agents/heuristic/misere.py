"""Misère: how dangerous a hand is, how to take no trick, how to make the contractor take one."""

from __future__ import annotations

from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    BEATERS,
    BEST,
    BIDDER,
    CARD_COUNT,
    DECK_MASK,
    EXPOSED,
    JOKER,
    LED_SUIT,
    MUST,
    NEXT,
    NO_TRUMP_ORDER,
    ORDER,
    PLAYED,
    POSITION,
    POWER,
    SEAT,
    SUIT,
)
from forty5sim.kernels.trick import card_in, power_in, seat_in
from forty5sim.kernels.vector import Vector

JOKER_DANGER = 12


@kernel
def lower_cards(card: int, others: int, tables: Vector) -> int:
    """Return the cards of a suit among ``others`` that are lower than a card."""
    order = NO_TRUMP_ORDER
    return others & tables[order + MUST + card] & ~tables[order + BEATERS + card] & ~(1 << card)


@kernel
def card_danger(card: int, hand: int, others: int, tables: Vector) -> int:
    """Return how likely a card is to take a trick, as a number of cards.

    It is the number of lower cards of its suit in other hands, less the lower cards in one's own,
    which are played first.
    """
    if card == JOKER:
        return JOKER_DANGER
    own_lower = popcount(lower_cards(card, hand, tables))
    return max(popcount(lower_cards(card, others, tables)) - own_lower, 0)


@kernel
def most_dangerous(hand: int, count: int, tables: Vector) -> int:
    """Return the cards of a hand to be rid of first: so many, one after another."""
    others = tables[DECK_MASK] & ~hand
    taken = 0
    for _ in range(count):
        rest = hand & ~taken
        worst = lowest(rest)
        worst_danger = -1
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            danger = card_danger(card, hand & ~taken, others, tables)
            if danger >= worst_danger:
                worst = card
                worst_danger = danger
        taken |= 1 << worst
    return taken


@kernel
def hand_danger(hand: int, others: int, tables: Vector) -> int:
    """Return the danger of all cards of a hand together."""
    total = 0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        total += card_danger(card, hand, others, tables)
    return total


# --- choosing a card ------------------------------------------------------------------------------


@kernel
def choose_misere_card(public: Vector, hand: int, unseen: int, legal: int, tables: Vector) -> int:
    """Play to take no trick, or to make the contractor take one."""
    if public[SEAT] == public[BIDDER]:
        return choose_low(public, hand, unseen, legal, tables)
    if public[POSITION] == 0:
        return choose_lead_against(public, hand, unseen, legal, tables)
    return choose_against(public, unseen, legal, tables)


@kernel
def own_power(order: int, card: int, tables: Vector) -> int:
    """Return the power of a card led."""
    return tables[order + POWER + tables[order + SUIT + card] * CARD_COUNT + card]


@kernel
def choose_low(public: Vector, hand: int, unseen: int, legal: int, tables: Vector) -> int:
    """The contractor: the highest card that loses; to lead, the safest; else the most dangerous."""
    order = public[ORDER]
    if public[POSITION] == 0:
        return safest_lead(hand, unseen, legal, tables)
    best_card = -1
    best_value = 0
    led_suit = public[LED_SUIT]
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        power = tables[order + POWER + led_suit * CARD_COUNT + card]
        if power == 0:
            value = 1000 + 16 * card_danger(card, hand, unseen, tables)
            value += own_power(order, card, tables)
        elif power < power_in(public[BEST]):
            value = 500 + power
        else:
            value = -power
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def safest_lead(hand: int, unseen: int, legal: int, tables: Vector) -> int:
    """Return the lead that others are surest to beat: few lower cards out, many higher ones."""
    best_card = -1
    best_value = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        lower = popcount(lower_cards(card, unseen, tables))
        higher = popcount(tables[NO_TRUMP_ORDER + BEATERS + card] & unseen)
        value = min(higher, 4) - 4 * lower
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def choose_lead_against(public: Vector, hand: int, unseen: int, legal: int, tables: Vector) -> int:
    """A defender's lead: low, in a suit that is dangerous for the contractor.

    Where his hand lies open it is known which suits these are, and which cards he cannot get
    under; a suit that he does not hold would only let him throw a card.
    """
    order = public[ORDER]
    shown = public[EXPOSED] & ~public[PLAYED]
    best_card = -1
    best_value = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        of_suit = tables[order + MUST + card]
        value = -4 * own_power(order, card, tables) - popcount(hand & of_suit)
        if shown:
            value += open_lead_value(card, shown & of_suit, (hand | unseen) & ~shown, tables)
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def open_lead_value(card: int, theirs: int, others: int, tables: Vector) -> int:
    """Return what is known of a lead against an open hand, by its cards of the suit."""
    if theirs == 0:
        return -200
    danger = hand_danger(theirs, others, tables)
    if danger == 0:
        return -100
    caught = lower_cards(card, theirs, tables) == 0
    return 20 * danger + (200 if caught else 0)


@kernel
def choose_against(public: Vector, unseen: int, legal: int, tables: Vector) -> int:
    """A defender follows low while the contractor may take the trick, else throws a high card."""
    order = public[ORDER]
    best = public[BEST]
    his = seat_in(best) == public[BIDDER]
    threatens = his
    if not his and is_to_come(public, public[BIDDER]):
        shown = public[EXPOSED] & ~public[PLAYED]
        may_hold = shown if shown else unseen
        threatens = (tables[order + BEATERS + card_in(best)] & may_hold) != 0
    best_card = -1
    best_value = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        power = tables[order + POWER + public[LED_SUIT] * CARD_COUNT + card]
        value = own_power(order, card, tables)
        if threatens and power > 0:
            value = -power
            if his and power > power_in(best):
                value -= 1000
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def is_to_come(public: Vector, wanted: int) -> bool:
    """Say whether a seat plays to this trick after the seat to act."""
    seat = public[SEAT]
    for _ in range(public[ACTIVE] - public[POSITION] - 1):
        seat = public[NEXT + seat]
        if seat == wanted:
            return True
    return False
