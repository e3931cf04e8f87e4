"""The auction: who may call what, and when it is over (docs/rules.md 7.2 - 7.4, 8.3)."""

from __future__ import annotations

from forty5sim.kernels.bits import lowest
from forty5sim.kernels.deal import next_playing
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.kitty import take_contract
from forty5sim.kernels.layout import (
    ALL_PASS,
    AUCTION_CALL,
    BAGGED,
    BID,
    BIDDER,
    CALL_LOG,
    CALL_SEAT,
    CALLERS,
    CALLS,
    DEALER,
    DISPLACED_ONLY,
    HOLD,
    HOLDS,
    MAY_HOLD,
    NEAR_TARGET_BIDS,
    NEXT,
    NO_BID_BELOW,
    ONE_ROUND,
    OUTCOME,
    OVER,
    OVERBIDS,
    PASS,
    PASSES,
    PHASE,
    PLAY_NO_TRUMP,
    SCORES,
    SEAT,
    SEATS,
    SIDE_OF,
    SIDES,
    SPEAK_AGAIN,
    TEN_CALL,
    THROWN_IN,
)
from forty5sim.kernels.opening import play_without_bid
from forty5sim.kernels.vector import Vector

NEAR_TARGET = 100
TEN_SEATS, TEN_SIDES = 6, 3


@kernel
def open_auction(state: Vector) -> None:
    """Let the seat on the dealer's left speak first."""
    state[CALLERS] = (1 << state[SEATS]) - 1
    state[SEAT] = state[NEXT + state[DEALER]]
    state[PHASE] = AUCTION_CALL


@kernel
def legal_call(state: Vector, tables: Vector) -> int:
    """Return the calls of the seat to act."""
    return bids_of(state, tables, state[SEAT]) | 1 << PASS


@kernel
def bids_of(state: Vector, tables: Vector, seat: int) -> int:
    """Return what a seat may call now, were it its turn, beside passing."""
    affordable = bids_by_score(state, tables, seat)
    bids = tables[OVERBIDS + state[BID] + 1] & affordable
    if state[SEATS] != TEN_SEATS or state[SIDES] != TEN_SIDES:
        bids &= ~tables[TEN_CALL]
    return bids | may_hold(state, tables, seat, affordable) << HOLD


@kernel
def bids_by_score(state: Vector, tables: Vector, seat: int) -> int:
    """Return the bids that the score of a seat's side allows it."""
    score = state[SCORES + state[SIDE_OF + seat]]
    if score < tables[NO_BID_BELOW]:
        return 0
    return tables[NEAR_TARGET_BIDS] if score >= NEAR_TARGET else -1


@kernel
def may_hold(state: Vector, tables: Vector, seat: int, affordable: int) -> int:
    """Return 1 if a seat may take the standing bid at its own value, else 0."""
    bid = state[BID]
    if not tables[MAY_HOLD] or seat != state[DEALER] or bid < 0 or state[BIDDER] == seat:
        return 0
    return (affordable & ~tables[TEN_CALL]) >> bid & 1


@kernel
def apply_call(state: Vector, tables: Vector, action: int) -> None:
    """Make a call, then let the next seat speak or end the auction."""
    seat = state[SEAT]
    state[CALL_LOG + state[CALLS]] = seat << CALL_SEAT | action
    state[CALLS] += 1
    if action == PASS:
        state[PASSES] += 1
        if not tables[SPEAK_AGAIN]:
            state[CALLERS] &= ~(1 << seat)
    else:
        take_bid(state, tables, seat, action)
    if tables[ONE_ROUND]:
        state[CALLERS] &= ~(1 << seat)
    if nobody_has_bid(state):
        settle_all_passed(state, tables)
    elif state[BID] >= 0 and is_settled(state, tables):
        take_standing_bid(state, tables)
    else:
        state[SEAT] = next_playing(seat, state[SEATS], state[CALLERS])


@kernel
def take_bid(state: Vector, tables: Vector, seat: int, action: int) -> None:
    """Let a seat have the standing bid: a new one, or by a hold the one that stands."""
    displaced = state[BIDDER]
    state[PASSES] = 0
    state[BIDDER] = seat
    if action != HOLD:
        state[BID] = action
        return
    state[HOLDS] += 1
    if tables[DISPLACED_ONLY] and not tables[ONE_ROUND]:
        state[CALLERS] = 1 << displaced | 1 << seat


@kernel
def nobody_has_bid(state: Vector) -> bool:
    """Say whether everybody has passed."""
    return bool(state[BID] < 0 and state[PASSES] == state[SEATS])


@kernel
def is_settled(state: Vector, tables: Vector) -> bool:
    """Say whether nobody else who would still speak could do anything but pass."""
    if tables[SPEAK_AGAIN] and state[PASSES] == state[SEATS] - 1:
        return True
    others = state[CALLERS] & ~(1 << state[BIDDER])
    while others:
        seat = lowest(others)
        others &= others - 1
        if bids_of(state, tables, seat):
            return False
    return True


@kernel
def take_standing_bid(state: Vector, tables: Vector) -> None:
    """Let the standing bid be played; a call of ten is none."""
    if tables[TEN_CALL] >> state[BID] & 1:
        throw_in(state)
    else:
        take_contract(state, tables)


@kernel
def settle_all_passed(state: Vector, tables: Vector) -> None:
    """End an auction without a bid (docs/rules.md 7.4, 8.3)."""
    if tables[ALL_PASS] == BAGGED:
        state[BIDDER] = state[DEALER]
        state[BID] = lowest_bid(state, tables)
        take_contract(state, tables)
    elif tables[ALL_PASS] == PLAY_NO_TRUMP:
        play_without_bid(state, tables)
    else:
        throw_in(state)


@kernel
def lowest_bid(state: Vector, tables: Vector) -> int:
    """Return the lowest bid that the dealer could have made, were he not in the hole."""
    bids = tables[OVERBIDS] & ~tables[TEN_CALL]
    if state[SCORES + state[SIDE_OF + state[DEALER]]] >= NEAR_TARGET:
        bids &= tables[NEAR_TARGET_BIDS]
    return lowest(bids)


@kernel
def throw_in(state: Vector) -> None:
    """End a deal that is not played."""
    state[BIDDER] = state[BID] = -1
    state[OUTCOME] = THROWN_IN
    state[PHASE] = OVER
