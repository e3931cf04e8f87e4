"""From the exchange to the first lead: who plays, who leads, the Joker's suit (7.7, 8.7, 8.8)."""

from __future__ import annotations

from forty5sim.kernels.deal import seat_players
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.joker import EVERY_SUIT, bar_joker
from forty5sim.kernels.layout import (
    ASSIGN,
    ASSIGN_BIDS,
    BID,
    BID_TRICKS,
    BIDDER,
    BIDDER_LEADS,
    DEALER,
    FIRST_LEAD,
    HANDS,
    JOKER,
    JOKER_ORDERS,
    JOKER_SUIT,
    LEFT_OF_BIDDER,
    NEXT,
    NO_SUIT_GIVEN,
    NO_TRUMP,
    OPENING,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PHASE,
    PLAY,
    SEAT,
    SEATS,
    SIDE_OF,
    SIDES,
    TRUE_ORDER,
    TRUMP,
)
from forty5sim.kernels.trick import start_trick
from forty5sim.kernels.vector import Vector


@kernel
def make_trump(state: Vector, trump: int) -> None:
    """Make a suit trumps, or none."""
    state[TRUMP] = trump
    state[ORDER] = state[TRUE_ORDER] = ORDERS + trump * ORDER_SIZE


@kernel
def finish_exchange(state: Vector, tables: Vector) -> None:
    """Open the play, and ask a contractor who holds the Joker about its suit.

    The table is laid for the first lead before he is asked, so that nobody sees that he is.
    """
    open_play(state, tables)
    bidder = state[BIDDER]
    if (tables[ASSIGN_BIDS] >> state[BID]) & 1 and (state[HANDS + bidder] >> JOKER) & 1:
        state[PHASE] = ASSIGN


@kernel
def legal_assign() -> int:
    """Return the suits that the Joker may be given, and none."""
    return 1 << NO_SUIT_GIVEN | EVERY_SUIT


@kernel
def apply_assign(state: Vector, tables: Vector, action: int) -> None:
    """Give the Joker a suit, or leave it without one; then the contractor leads."""
    if action != NO_SUIT_GIVEN:
        state[JOKER_SUIT] = action
        state[ORDER] = state[TRUE_ORDER] = JOKER_ORDERS + action * ORDER_SIZE
    open_trick(state, tables, state[BIDDER])


@kernel
def is_misere(state: Vector, tables: Vector) -> bool:
    """Say whether the contract is to take no trick."""
    return bool(state[BID] >= 0 and tables[BID_TRICKS + state[BID]] < 0)


@kernel
def open_play(state: Vector, tables: Vector) -> None:
    """Let the first trick begin; at misère the contractor's partner sits out."""
    bidder = state[BIDDER]
    if is_misere(state, tables):
        playing = (1 << state[SEATS]) - 1
        for seat in range(state[SEATS]):
            if seat != bidder and state[SIDE_OF + seat] == state[SIDE_OF + bidder]:
                playing &= ~(1 << seat)
        seat_players(state, state[SEATS], state[SIDES], playing)
    lead = tables[FIRST_LEAD]
    if lead == BIDDER_LEADS:
        leader = bidder
    else:
        leader = state[NEXT + (bidder if lead == LEFT_OF_BIDDER else state[DEALER])]
    open_trick(state, tables, leader)


@kernel
def play_without_bid(state: Vector, tables: Vector) -> None:
    """Play no trumps although everybody has passed; left of the dealer leads (8.3)."""
    make_trump(state, NO_TRUMP)
    open_trick(state, tables, state[NEXT + state[DEALER]])


@kernel
def open_trick(state: Vector, tables: Vector, leader: int) -> None:
    """Let a seat lead to the first trick."""
    state[OPENING] = leader
    start_trick(state, leader)
    bar_joker(state, tables)
    state[SEAT] = leader
    state[PHASE] = PLAY
