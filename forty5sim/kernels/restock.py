"""Where thrown cards were drawn again: how likely it makes a hand (docs/rules.md 7.6).

The stock has run out, and cards thrown by the seats before (THROWERS), shuffled, were drawn by
those after (AGAIN). If the observer is among the throwers, some of the hands dealt by ``shares``
explain more histories than others: a hand with x of the observer's cards must have drawn them,
and its other new cards were thrown by somebody else. A deal is kept with a chance in proportion.
"""

from __future__ import annotations

from forty5sim.kernels.bits import popcount
from forty5sim.kernels.evidence import (
    AGAIN,
    AGAIN_MASK,
    NEED,
    OBSERVER,
    REST,
    RETURNED,
    SHOWN,
    THROWERS,
)
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import DISCARDED, HAND_SIZE, MAX_SEATS, SEATS
from forty5sim.kernels.shares import LOT, binomial
from forty5sim.kernels.vector import Reals, Vector


@kernel
def own_in(facts: Vector, plan: Vector, seat: int) -> int:
    """Return how many of the observer's thrown cards a seat has drawn, in hand or played."""
    return popcount(facts[RETURNED] & (plan[LOT + seat] | facts[SHOWN + seat]))


@kernel
def thrown_by_others(public: Vector, facts: Vector, seats: int) -> int:
    """Return how many cards those of these seats that are not the observer have thrown."""
    count = 0
    for seat in range(public[SEATS]):
        if seats >> seat & 1 and seat != facts[OBSERVER]:
            count += public[DISCARDED + seat]
    return count


@kernel
def histories(public: Vector, tables: Vector, facts: Vector, plan: Vector, chances: Reals) -> float:
    """Return how many histories explain the hands in LOT, up to a constant factor."""
    if facts[RETURNED] == 0:
        return 1.0
    count = 1.0
    found = 0
    again = 0
    for seat in range(public[SEATS]):
        drawn = facts[AGAIN + seat]
        again += drawn
        if drawn > 0 and seat != facts[OBSERVER]:
            own = own_in(facts, plan, seat)
            found += own
            if own > drawn:
                return 0.0
            count *= binomial(chances, tables[HAND_SIZE] - own, drawn - own)
    others = thrown_by_others(public, facts, facts[THROWERS]) - (again - found)
    dead = facts[NEED + REST] - (popcount(facts[RETURNED]) - found)
    if others < 0 or others > dead:
        return 0.0
    return count * binomial(chances, dead, others)


@kernel
def most_histories(
    public: Vector, tables: Vector, facts: Vector, plan: Vector, chances: Reals
) -> float:
    """Return the most histories that any hands could explain, by trying all shares of the cards.

    Overwrites the hands in LOT.
    """
    if facts[RETURNED] == 0:
        return 1.0
    most = 0.0
    for seat in range(MAX_SEATS):
        plan[LOT + seat] = 0
    owned = facts[RETURNED]
    for seat in range(public[SEATS]):
        owned &= ~facts[SHOWN + seat]
    while True:
        most = max(most, histories(public, tables, facts, plan, chances))
        if not next_share(public, facts, plan, owned):
            return most


@kernel
def next_share(public: Vector, facts: Vector, plan: Vector, owned: int) -> bool:
    """Go on to the next way to hand these cards to the seats that drew again, or to nobody.

    Cards count up like digits: a card moves to the next such seat, at last back to nobody.
    """
    while owned:
        card = owned & -owned
        owned &= owned - 1
        holder = -1
        for seat in range(public[SEATS]):
            if plan[LOT + seat] & card:
                holder = seat
        if holder >= 0:
            plan[LOT + holder] &= ~card
        for seat in range(holder + 1, public[SEATS]):
            if facts[AGAIN_MASK] >> seat & 1 and seat != facts[OBSERVER]:
                plan[LOT + seat] |= card
                return True
    return False
