"""What the exchange of cards shows: who has thrown and drawn, and how many (docs/rules.md 7.6)."""

from __future__ import annotations

from forty5sim.kernels.evidence import (
    AGAIN,
    AGAIN_MASK,
    ALLOW,
    OBSERVER,
    REST,
    RETURNED,
    THROWERS,
)
from forty5sim.kernels.jit import (
    kernel,
)
from forty5sim.kernels.kitty import (
    exchangers,
    next_exchanger,
)
from forty5sim.kernels.layout import (
    AUCTION_CALL,
    BID,
    BIDDER,
    DECK_SIZE,
    DISCARD,
    DISCARDED,
    HAND_SIZE,
    KITTY_SIZE,
    NAME_TRUMP,
    PHASE,
    PLAYED,
    SEAT,
    SEATS,
)
from forty5sim.kernels.vector import (
    Vector,
)


@kernel
def still_exchanging(public: Vector, tables: Vector) -> int:
    """Return the mask of the seats that have yet to throw and draw, the seat to act too."""
    if public[PHASE] != DISCARD:
        return 0
    waiting = exchangers(public, tables)
    while next_exchanger(public, tables, waiting) != public[SEAT]:
        waiting &= ~(1 << next_exchanger(public, tables, waiting))
    return waiting


@kernel
def has_exchanged(public: Vector, tables: Vector) -> int:
    """Return the mask of the seats that have thrown and drawn."""
    before = public[BID] < 0 or public[PHASE] == AUCTION_CALL or public[PHASE] == NAME_TRUMP
    if before:
        return 0
    return exchangers(public, tables) & ~still_exchanging(public, tables)


@kernel
def cards_drawn(public: Vector, tables: Vector, seat: int) -> int:
    """Return how many cards a seat that has exchanged drew."""
    kitty = tables[KITTY_SIZE] if seat == public[BIDDER] else 0
    return public[DISCARDED + seat] - kitty


@kernel
def stock_size(public: Vector, tables: Vector) -> int:
    """Return how many cards lay in the stock after the deal."""
    return tables[DECK_SIZE] - public[SEATS] * tables[HAND_SIZE] - tables[KITTY_SIZE]


@kernel
def return_thrown(public: Vector, tables: Vector, facts: Vector, thrown: int) -> int:
    """Note who drew cards thrown before; return the observer's own that may be among them.

    When the stock has run out, the cards thrown by the seats before become the new stock
    (docs/rules.md 7.6). It never runs out twice.
    """
    left = stock_size(public, tables)
    waiting = has_exchanged(public, tables)
    before = 0
    while waiting:
        seat = next_exchanger(public, tables, waiting)
        waiting &= ~(1 << seat)
        drawn = cards_drawn(public, tables, seat)
        again = max(drawn - max(left, 0), 0)
        left -= drawn
        if again > 0:
            if facts[AGAIN_MASK] == 0:
                facts[THROWERS] = before
            facts[AGAIN + seat] = again
            facts[AGAIN_MASK] |= 1 << seat
        before |= 1 << seat
    if not facts[THROWERS] >> facts[OBSERVER] & 1:
        return 0
    facts[RETURNED] = thrown
    rest = thrown & ~public[PLAYED]
    for b in range(REST):
        if not facts[AGAIN_MASK] >> b & 1:
            facts[ALLOW + b] &= ~rest
    return rest
