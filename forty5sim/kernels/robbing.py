"""Robbing: who may take the turn-up for a card of the hand, and what it does (docs/rules.md 3)."""

from __future__ import annotations

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.layout import (
    ACE_CARD,
    ACE_FALLS,
    ACE_WAITS,
    DEALER,
    DEALER_MUST_ROB,
    DEALER_ROBS_FIRST,
    DECK,
    FIXED_TRUMP,
    HAD_RIGHT,
    HANDS,
    HOLDER_MUST_ROB,
    HOLDER_ROBS_FIRST,
    JOKER,
    KEEP,
    KEPT,
    MISSED_STEP,
    NEXT,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PHASE,
    RIGHT,
    ROB,
    ROB_SEEN,
    ROBBED,
    ROBBER,
    SEAT,
    SEATS,
    STOCK,
    SUIT_SIZE,
    THROWN,
    TRUE_ORDER,
    TRUMP,
    TURNS_UP,
    TURNUP,
    WAITING_ACE,
)
from forty5sim.kernels.trick import give_turn
from forty5sim.kernels.vector import Vector


@kernel
def open_turnup(state: Vector, tables: Vector) -> None:
    """Make trumps from the turn-up and let whoever must decide first do so.

    A Joker turned up goes to the dealer first (docs/rules.md 3.7).
    """
    if state[TURNUP] == JOKER:
        state[SEAT] = state[DEALER]
        state[PHASE] = ROB
        return
    fixed = tables[FIXED_TRUMP]
    trump = state[TURNUP] // SUIT_SIZE if fixed < 0 else fixed
    state[TRUMP] = trump
    state[ORDER] = state[TRUE_ORDER] = ORDERS + trump * ORDER_SIZE
    if tables[TURNS_UP]:
        give_right(state, tables)
    if state[RIGHT] >= 0 and robs_first(state, tables):
        state[SEAT] = state[RIGHT]
        state[PHASE] = ROB
    else:
        give_turn(state, state[NEXT + state[DEALER]])


@kernel
def give_right(state: Vector, tables: Vector) -> None:
    """Find the one seat that may rob: the dealer with the ace turned up, or its holder."""
    ace = tables[state[ORDER] + ACE_CARD]
    right = state[DEALER] if state[TURNUP] == ace else -1
    for seat in range(state[SEATS]):
        right = select((state[HANDS + seat] >> ace) & 1 != 0, seat, right)
    state[RIGHT] = right
    state[HAD_RIGHT] = right


@kernel
def ace_is_turned(state: Vector, tables: Vector) -> bool:
    """Say whether the ace of trumps is the turn-up."""
    return bool(state[TURNUP] == tables[state[ORDER] + ACE_CARD])


@kernel
def robs_first(state: Vector, tables: Vector) -> bool:
    """Say whether the seat with the right decides before the first lead (docs/rules.md 3.4)."""
    field = DEALER_ROBS_FIRST if ace_is_turned(state, tables) else HOLDER_ROBS_FIRST
    return bool(tables[field])


@kernel
def legal_rob(state: Vector, tables: Vector) -> int:
    """Return the cards that may be thrown, and KEEP where robbing is optional."""
    hand = state[HANDS + state[SEAT]]
    if state[TURNUP] == JOKER:
        return hand
    must = DEALER_MUST_ROB if ace_is_turned(state, tables) else HOLDER_MUST_ROB
    return hand if tables[must] else hand | 1 << KEEP


@kernel
def apply_rob(state: Vector, tables: Vector, action: int) -> None:
    """Throw a card and take the turn-up, or keep the hand."""
    seat = state[SEAT]
    if state[TURNUP] == JOKER:
        take_turnup(state, seat, action)
        state[TURNUP] = state[DECK + state[STOCK]]
        state[STOCK] += 1
        open_turnup(state, tables)
        return
    first = robs_first(state, tables)
    state[RIGHT] = -1
    if action == KEEP:
        state[KEPT] = seat
        if tables[ACE_FALLS] and not ace_is_turned(state, tables):
            state[TRUE_ORDER] += MISSED_STEP
    else:
        state[ROBBED] = seat
        state[ROBBER] = seat if tables[ROB_SEEN] else -1
        if tables[ACE_WAITS] and ace_is_turned(state, tables):
            state[THROWN + seat] |= 1 << action
            state[HANDS + seat] ^= 1 << action
            state[WAITING_ACE] = seat
        else:
            take_turnup(state, seat, action)
    give_turn(state, state[NEXT + state[DEALER]] if first else seat)


@kernel
def take_turnup(state: Vector, seat: int, thrown: int) -> None:
    """Exchange a card of the hand for the turn-up."""
    state[THROWN + seat] |= 1 << thrown
    state[HANDS + seat] ^= (1 << thrown) | (1 << state[TURNUP])


@hot_kernel
def show_fallen_ace(state: Vector, tables: Vector, card: int) -> None:
    """Make it public that the ace of trumps is the lowest trump, once it is played."""
    if state[ORDER] != state[TRUE_ORDER] and card == tables[state[ORDER] + ACE_CARD]:
        state[ORDER] = state[TRUE_ORDER]
