"""One trick: whose turn it is, what a card played does to it, who wins it."""

from __future__ import annotations

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.layout import (
    BEST,
    CARD_BITS,
    CARD_COUNT,
    HANDS,
    HISTORY,
    JUDGE,
    LEADER,
    LED,
    LED_SUIT,
    LED_SUITS,
    NO_CARD,
    NO_SUIT,
    PACKED_POWER,
    PACKED_SEAT,
    PHASE,
    PLAY,
    PLAYED,
    PLAYS,
    POSITION,
    POWER,
    REFERENCE,
    RIGHT,
    ROB,
    SEAT,
    SEAT_BITS,
    SIDE_OF,
    SIDE_TRICKS,
    SUIT,
    TOP,
    TOP_TRICK,
    TRICK,
    TRICKS,
    TRUE_ORDER,
    TURNUP,
    WAITING_ACE,
    WINNERS,
)
from forty5sim.kernels.vector import Vector


@hot_kernel
def give_turn(state: Vector, seat: int) -> None:
    """Let a seat act: it plays a card, unless it has first to decide about robbing."""
    state[SEAT] = seat
    state[PHASE] = select(state[RIGHT] == seat, ROB, PLAY)


@kernel
def start_trick(state: Vector, leader: int) -> None:
    """Clear the table for the next lead."""
    state[LEADER] = leader
    state[POSITION] = 0
    state[LED] = NO_CARD
    state[LED_SUIT] = NO_SUIT
    state[BEST] = 0
    state[REFERENCE] = NO_CARD


@hot_kernel
def put_card(state: Vector, tables: Vector, card: int) -> None:
    """Move a card from the hand of the seat to act onto the trick.

    A branch for the lead, selects for the rest: the lead comes round regularly and is predicted,
    and so no follower's legal cards wait for the card played just before.
    """
    seat = state[SEAT]
    order = state[TRUE_ORDER]
    if state[POSITION] == 0:
        state[LED] = card
        state[LED_SUIT] = tables[order + SUIT + card]
    led_suit = state[LED_SUIT]
    power = tables[order + POWER + led_suit * CARD_COUNT + card]
    packed = power << PACKED_POWER | seat << PACKED_SEAT | card
    state[HANDS + seat] ^= 1 << card
    state[PLAYED] |= 1 << card
    state[HISTORY + state[PLAYS]] = card
    state[PLAYS] += 1
    state[POSITION] += 1
    state[BEST] = max(state[BEST], packed)
    state[TOP] = max(state[TOP], packed)
    state[REFERENCE] = state[tables[order + JUDGE + led_suit]] & CARD_BITS


@hot_kernel
def card_in(packed: int) -> int:
    """Return the card of a packed word."""
    return packed & CARD_BITS


@hot_kernel
def seat_in(packed: int) -> int:
    """Return the seat that played the card of a packed word."""
    return (packed >> PACKED_SEAT) & SEAT_BITS


@hot_kernel
def power_in(packed: int) -> int:
    """Return the power of the card of a packed word."""
    return packed >> PACKED_POWER


@kernel
def finish_trick(state: Vector) -> None:
    """Give a full trick to its winner, who leads to the next one."""
    winner = seat_in(state[BEST])
    trick = state[TRICK]
    state[LED_SUITS] |= 1 << state[LED_SUIT]
    state[TRICKS + winner] += 1
    state[SIDE_TRICKS + state[SIDE_OF + winner]] += 1
    state[WINNERS + trick] = winner
    state[TOP_TRICK] = select(state[BEST] == state[TOP], trick, state[TOP_TRICK])
    state[TRICK] = trick + 1
    if state[WAITING_ACE] >= 0:
        state[HANDS + state[WAITING_ACE]] |= 1 << state[TURNUP]
        state[WAITING_ACE] = -1
    start_trick(state, winner)
