"""A Joker without a suit, where there are no trumps: leading it (docs/rules.md 8.7)."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACE,
    JOKER_BARRED,
    LEADS_JOKER_LAST,
    LED,
    LED_SUIT,
    LED_SUITS,
    NAMED,
    NAMES_ANY_SUIT,
    NEXT,
    NO_TRUMP,
    NO_TRUMP_ORDER,
    ORDER,
    REFERENCE,
    SEAT,
    SUIT_SIZE,
)
from forty5sim.kernels.trick import give_turn
from forty5sim.kernels.vector import Vector

EVERY_SUIT = (1 << NO_TRUMP) - 1


@kernel
def legal_suit(state: Vector, tables: Vector) -> int:
    """Return the suits that the Joker led may name."""
    return EVERY_SUIT if tables[NAMES_ANY_SUIT] else EVERY_SUIT & ~state[LED_SUITS]


@kernel
def apply_suit(state: Vector, suit: int) -> None:
    """Name the suit that the others have to follow; its ace stands for the card led."""
    state[LED_SUIT] = state[NAMED] = suit
    state[LED] = state[REFERENCE] = SUIT_SIZE * suit + ACE
    give_turn(state, state[NEXT + state[SEAT]])


@kernel
def bar_joker(state: Vector, tables: Vector) -> None:
    """Keep the Joker from being led while its leader has another card, where the rules do."""
    if state[ORDER] == NO_TRUMP_ORDER and (
        tables[LEADS_JOKER_LAST] or legal_suit(state, tables) == 0
    ):
        state[REFERENCE] = JOKER_BARRED
