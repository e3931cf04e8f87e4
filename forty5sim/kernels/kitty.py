"""The kitty, naming trumps, and the exchange of cards (docs/rules.md 7.5, 7.6, 8.4)."""

from __future__ import annotations

from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.deal import next_playing, swap_in
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    BID,
    BID_TRUMP,
    BIDDER,
    BIDDER_DRAWS_FIRST,
    BIDDER_MIN_KEEP,
    DEAL_KEY,
    DEALER,
    DECK,
    DECK_SIZE,
    DISCARD,
    DISCARDED,
    DONE,
    DRAWS,
    EXCHANGING,
    HAND_SIZE,
    HANDS,
    KITTY_CARDS,
    KITTY_SIZE,
    LAST_THROWN,
    MIN_KEEP,
    NAME_TRUMP,
    NO_TRUMP,
    PHASE,
    RESTOCK,
    RESTOCK_GIVEN,
    RESTOCK_NEXT,
    RESTOCK_SIZE,
    RESTOCKED,
    SEAT,
    SEATS,
    SEES_KITTY_FIRST,
    SLOT_RESTOCK,
    STOCK,
    THROWN,
    THROWN_BEFORE,
)
from forty5sim.kernels.opening import finish_exchange, make_trump
from forty5sim.kernels.rng import below, decision_key, draw
from forty5sim.kernels.vector import Vector

FIVE_PLAYERS = 5


@kernel
def take_contract(state: Vector, tables: Vector) -> None:
    """Let the bidder name trumps, or make those of his bid, and take the kitty up."""
    trump = tables[BID_TRUMP + state[BID]]
    if trump >= 0:
        make_trump(state, trump)
        take_kitty(state)
        begin_exchange(state, tables)
        return
    if tables[SEES_KITTY_FIRST]:
        take_kitty(state)
    state[SEAT] = state[BIDDER]
    state[PHASE] = NAME_TRUMP


@kernel
def take_kitty(state: Vector) -> None:
    """Add the kitty to the bidder's hand."""
    state[HANDS + state[BIDDER]] |= state[KITTY_CARDS]


@kernel
def legal_trump() -> int:
    """Return the suits that may be named."""
    return (1 << NO_TRUMP) - 1


@kernel
def apply_trump(state: Vector, tables: Vector, trump: int) -> None:
    """Name trumps."""
    make_trump(state, trump)
    if not tables[SEES_KITTY_FIRST]:
        take_kitty(state)
    begin_exchange(state, tables)


# --- throwing and drawing -------------------------------------------------------------------------


@kernel
def begin_exchange(state: Vector, tables: Vector) -> None:
    """Note who has to throw, and begin."""
    state[EXCHANGING] = exchangers(state, tables)
    next_exchange(state, tables)


@kernel
def exchangers(public: Vector, tables: Vector) -> int:
    """Return the mask of the seats that throw: everybody, or the bidder alone, or nobody."""
    if tables[DRAWS]:
        return (1 << public[SEATS]) - 1
    return 1 << public[BIDDER] if tables[KITTY_SIZE] else 0


@kernel
def next_exchanger(public: Vector, tables: Vector, waiting: int) -> int:
    """Return the seat that throws next of those waiting to."""
    bidder = public[BIDDER]
    if tables[BIDDER_DRAWS_FIRST] and waiting >> bidder & 1:
        return bidder
    return next_playing(public[DEALER], public[SEATS], waiting)


@kernel
def next_exchange(state: Vector, tables: Vector) -> None:
    """Let the next seat throw, or go on when all have thrown and drawn."""
    waiting = state[EXCHANGING]
    if waiting == 0:
        finish_exchange(state, tables)
        return
    state[SEAT] = next_exchanger(state, tables, waiting)
    state[LAST_THROWN] = -1
    state[PHASE] = DISCARD


@kernel
def least_thrown(state: Vector, tables: Vector) -> int:
    """Return how many cards the seat to act must throw."""
    return tables[KITTY_SIZE] if state[SEAT] == state[BIDDER] else 0


@kernel
def most_thrown(state: Vector, tables: Vector) -> int:
    """Return how many cards the seat to act may throw."""
    if not tables[DRAWS]:
        return least_thrown(state, tables)
    keep = tables[MIN_KEEP]
    if keep < 0:
        keep = max(state[SEATS] - FIVE_PLAYERS + 1, 0)
    if state[SEAT] == state[BIDDER]:
        keep = max(keep, tables[BIDDER_MIN_KEEP])
    return least_thrown(state, tables) + tables[HAND_SIZE] - keep


@kernel
def legal_discard(state: Vector, tables: Vector) -> int:
    """Return the cards that may be thrown next, in ascending order, and DONE."""
    seat = state[SEAT]
    thrown = state[DISCARDED + seat]
    wanting = least_thrown(state, tables) - thrown
    legal = 1 << DONE if wanting <= 0 else 0
    if thrown == most_thrown(state, tables):
        return legal
    higher = state[HANDS + seat] & ~((1 << (state[LAST_THROWN] + 1)) - 1)
    for _ in range(popcount(higher)):
        rest = higher & (higher - 1)
        if popcount(rest) >= wanting - 1:
            legal |= higher & -higher
        higher = rest
    return legal


@kernel
def apply_discard(state: Vector, tables: Vector, action: int) -> None:
    """Throw a card face down; or, having thrown, draw and let the next seat throw."""
    seat = state[SEAT]
    if action != DONE:
        state[HANDS + seat] ^= 1 << action
        state[THROWN + seat] |= 1 << action
        state[DISCARDED + seat] += 1
        state[LAST_THROWN] = action
        return
    for _ in range(tables[HAND_SIZE] - popcount(state[HANDS + seat])):
        state[HANDS + seat] |= 1 << draw_card(state, tables)
    state[THROWN_BEFORE] |= state[THROWN + seat]
    state[EXCHANGING] &= ~(1 << seat)
    next_exchange(state, tables)


@kernel
def draw_card(state: Vector, tables: Vector) -> int:
    """Take the next card of the stock; when it has run out, of the cards thrown before."""
    if state[STOCK] < tables[DECK_SIZE]:
        card = state[DECK + state[STOCK]]
        state[STOCK] += 1
        return card
    if state[RESTOCK_NEXT] == state[RESTOCK_SIZE]:
        restock(state)
    card = state[RESTOCK + state[RESTOCK_NEXT]]
    state[RESTOCK_NEXT] += 1
    return card


@kernel
def restock(state: Vector) -> None:
    """Shuffle the cards thrown by the seats before into a new stock (docs/rules.md 7.6).

    Where their order was laid down beforehand, as by a record, it is taken as it is.
    """
    start = state[RESTOCK_SIZE]
    fresh = state[THROWN_BEFORE] & ~state[RESTOCKED]
    count = popcount(fresh)
    state[RESTOCKED] |= fresh
    state[RESTOCK_SIZE] = start + count
    if state[RESTOCK_GIVEN] >= start + count:
        return
    rest = fresh
    for place in range(count):
        state[RESTOCK + start + place] = lowest(rest)
        rest &= rest - 1
    key = decision_key(state[DEAL_KEY], state[SEAT], SLOT_RESTOCK)
    for i in range(count):
        offset = below(draw(key, i), count - i)
        swap_in(state, RESTOCK - DECK + start + i, offset)
