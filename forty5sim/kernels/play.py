"""Playing a card: what is legal (docs/rules.md 2), and what follows.

Legality is data: per reference card (the card led, or the trump against which the rule set
judges reneging) one mask of cards that oblige and one of cards that satisfy.
"""

from __future__ import annotations

from forty5sim.kernels.jit import hot_kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    HAND_SIZE,
    HANDS,
    INSTEAD,
    LED,
    LED_SUIT,
    MAY,
    MUST,
    NAME_SUIT,
    NEXT,
    NO_SUIT,
    PAIR,
    PHASE,
    POSITION,
    REFERENCE,
    SEAT,
    TRICK,
    TRUE_ORDER,
    TRUMP_MASK,
)
from forty5sim.kernels.robbing import show_fallen_ace
from forty5sim.kernels.score import after_trick
from forty5sim.kernels.trick import finish_trick, give_turn, put_card
from forty5sim.kernels.vector import Vector


@hot_kernel
def legal_cards(tables: Vector, order: int, hand: int, reference: int, led: int) -> int:
    """Return the cards of a hand that may be played; ``led`` is NO_CARD for the leader."""
    pair = hand & tables[order + PAIR + reference]
    obliged = (hand & tables[order + MUST + reference]) | (pair & (pair - 1))
    free = (obliged - 1) >> 63  # every bit if nothing obliges
    legal = hand & (tables[order + MAY + reference] | free)
    instead = hand & tables[order + INSTEAD + led]
    if instead and not hand & tables[order + TRUMP_MASK]:
        legal = instead
    return legal


@hot_kernel
def legal_play(state: Vector, tables: Vector) -> int:
    """Return the mask of cards that the seat to act may play."""
    hand = state[HANDS + state[SEAT]]
    return legal_cards(tables, state[TRUE_ORDER], hand, state[REFERENCE], state[LED])


@hot_kernel
def apply_play(state: Vector, tables: Vector, card: int) -> None:
    """Play a legal card."""
    show_fallen_ace(state, tables, card)
    put_card(state, tables, card)
    if state[LED_SUIT] == NO_SUIT and state[TRICK] + 1 < tables[HAND_SIZE]:
        state[PHASE] = NAME_SUIT  # a Joker without a suit was led
    elif state[POSITION] < state[ACTIVE]:
        give_turn(state, state[NEXT + state[SEAT]])
    else:
        finish_trick(state)
        after_trick(state, tables)
