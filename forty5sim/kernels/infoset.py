"""Information sets: what one seat may conclude from what it sees (docs/rules.md 6).

``read_facts`` writes, for one hypothesis about who robbed, how many unseen cards lie in each bin
(hands, cards thrown, the rest) and which may lie there. There is one hypothesis, but where
robbing is silent (``list_robbers``).
"""

from __future__ import annotations

from forty5sim.kernels.bits import (
    popcount,
)
from forty5sim.kernels.evidence import (
    ALLOW,
    BINS,
    EITHER,
    EXCUSE,
    FACTS_SIZE,
    FEW,
    KNOWN,
    NEED,
    OBSERVER,
    POSSIBLE,
    REST,
    ROBBER_THEN,
    SHOWN,
    UNSEEN,
    WAITS,
    lies_only_in,
    weigh_plays,
)
from forty5sim.kernels.exchange import (
    return_thrown,
    still_exchanging,
)
from forty5sim.kernels.jit import (
    kernel,
)
from forty5sim.kernels.layout import (
    ACTIVE,
    AUCTION,
    BIDDER,
    DECK_MASK,
    DISCARD,
    EXPOSED,
    FAMILY,
    HAND_SIZE,
    JOKER,
    JOKER_SUIT,
    KITTY_SIZE,
    MAX_SEATS,
    NAME_TRUMP,
    NEXT,
    PHASE,
    PLAY,
    PLAYED,
    SEAT,
    SEATS,
    SEES_KITTY_FIRST,
    TRUMP,
    TURNS_UP,
    TURNUP,
)
from forty5sim.kernels.robbers import (
    place_ace,
    place_joker,
    place_turnup,
)
from forty5sim.kernels.vector import (
    Vector,
)


@kernel
def read_facts(
    public: Vector,
    hand: int,
    thrown: int,
    observer: int,
    idle: bool,
    robber: int,
    tables: Vector,
    facts: Vector,
) -> None:
    """Write what an observer with this hand knows, if ``robber`` (a seat or -1) has robbed."""
    for word in range(FACTS_SIZE):
        facts[word] = 0
    for b in range(BINS):
        facts[ALLOW + b] = -1
    facts[OBSERVER] = observer
    facts[ROBBER_THEN] = robber
    facts[POSSIBLE] = 1
    facts[WAITS] = idle and public[PHASE] == PLAY and public[SEAT] == observer
    facts[KNOWN + observer] = hand
    weigh_plays(public, tables, facts)
    count_hands(public, tables, facts)
    seen = hand | thrown | public[PLAYED] | public[EXPOSED]
    if tables[TURNS_UP]:
        seen |= 1 << public[TURNUP]
        seen |= place_joker(public, facts)
        place_turnup(public, tables, facts)
    elif tables[FAMILY] >= AUCTION:
        seen &= ~return_thrown(public, tables, facts, thrown)
    facts[UNSEEN] = tables[DECK_MASK] & ~seen
    if tables[TURNS_UP] and public[TRUMP] >= 0:
        place_ace(public, tables, facts)
    if public[JOKER_SUIT] >= 0:
        lies_only_in(facts, JOKER, 1 << public[BIDDER])
    settle_known(facts)
    facts[NEED + REST] = popcount(facts[UNSEEN])
    for b in range(REST):
        facts[NEED + REST] -= facts[NEED + b]
    for b in range(BINS):
        facts[ALLOW + b] &= facts[UNSEEN]


@kernel
def settle_known(facts: Vector) -> None:
    """Let the cards known to be in a hand settle what was left open about it."""
    for seat in range(MAX_SEATS):
        known = facts[KNOWN + seat]
        if known & facts[FEW + seat]:
            facts[ALLOW + seat] &= ~facts[FEW + seat]
        if known & facts[EXCUSE + seat]:
            facts[EITHER + seat] = 0


@kernel
def count_hands(public: Vector, tables: Vector, facts: Vector) -> None:
    """Write how many cards each seat but the observer holds; the hand laid open is known."""
    bidding = tables[FAMILY] >= AUCTION
    seat = 0 if bidding else public[NEXT + public[SEATS] - 1]
    for _ in range(public[SEATS] if bidding else public[ACTIVE]):
        if seat != facts[OBSERVER]:
            size = tables[HAND_SIZE] - popcount(facts[SHOWN + seat])
            if bidding and holds_kitty(public, tables, seat):
                size += tables[KITTY_SIZE]
            facts[NEED + seat] = size
        seat = seat + 1 if bidding else public[NEXT + seat]
    if public[EXPOSED] and public[BIDDER] != facts[OBSERVER]:
        facts[KNOWN + public[BIDDER]] = public[EXPOSED] & ~public[PLAYED]
        facts[NEED + public[BIDDER]] = 0


@kernel
def holds_kitty(public: Vector, tables: Vector, seat: int) -> bool:
    """Say whether a seat holds the kitty beside its hand."""
    if seat != public[BIDDER]:
        return False
    if public[PHASE] == NAME_TRUMP:
        return bool(tables[SEES_KITTY_FIRST])
    return bool(public[PHASE] == DISCARD and still_exchanging(public, tables) >> seat & 1)
