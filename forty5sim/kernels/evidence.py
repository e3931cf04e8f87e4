"""What plays prove about the hands they came from (docs/rules.md 2, 8.6, 8.7).

The public history is played through once more: a follower's card that no obliged hand could have
played proves that its hand was not obliged. Facts are masks of what a seat cannot hold, and two
kinds of either-or that no such mask can tell: of some cards at most one, and either no hearts or
one of some trumps.
"""

from __future__ import annotations

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACE,
    ACE_CARD,
    ACE_FALLS,
    ACE_WAITS,
    ACTIVE,
    BEST,
    CARD_BITS,
    CARD_COUNT,
    DEALER,
    HISTORY,
    INSTEAD,
    JUDGE,
    LED,
    MAX_SEATS,
    MAY,
    MISSED_STEP,
    MUST,
    NAMED,
    NEXT,
    NO_CARD,
    NO_SUIT,
    OPENING,
    ORDER,
    ORDERS,
    PACKED_POWER,
    PACKED_SEAT,
    PAIR,
    POSITION,
    POWER,
    SUIT,
    SUIT_SIZE,
    TRICK,
    TRUMP_MASK,
    TURNS_UP,
    TURNUP,
    WINNERS,
)
from forty5sim.kernels.vector import Vector

# the bins that unseen cards lie in: the seats' hands, then
FIRST_THROW = MAX_SEATS  # what the dealer threw for a Joker turned up
ROB_THROW = MAX_SEATS + 1  # what the robber threw
REST = MAX_SEATS + 2  # everything else: stock, kitty, cards thrown in the exchange
BINS = MAX_SEATS + 3

# facts: words about one seat's knowledge
NEED = 0  # per bin: how many unseen cards lie in it
ALLOW = NEED + BINS  # per bin: mask of the unseen cards that may lie in it
KNOWN = ALLOW + BINS  # per seat: mask of the cards known to be in its hand
SHOWN = KNOWN + MAX_SEATS  # per seat: mask of the cards it has played
FEW = SHOWN + MAX_SEATS  # per seat: mask of cards of which it holds one at most
EITHER = FEW + MAX_SEATS  # per seat: HEARTLESS_OR_EXCUSED, EXCUSED, or 0
EXCUSE = EITHER + MAX_SEATS  # per seat: mask of the trumps that excused it from playing a heart
AGAIN = EXCUSE + MAX_SEATS  # per seat: how many cards it drew from cards thrown before
HEARTS = AGAIN + MAX_SEATS  # mask of the plain hearts
UNSEEN = HEARTS + 1  # mask of the cards that the observer cannot place
ROBBER_THEN = HEARTS + 2  # the seat that robbed, -1; where it is not seen, by hypothesis
OBSERVER = HEARTS + 3
POSSIBLE = HEARTS + 4  # 0 if the hypothesis contradicts what was played
RETURNED = HEARTS + 5  # mask of the observer's thrown cards that may have been drawn again
THROWERS = HEARTS + 6  # mask of the seats whose thrown cards were shuffled into a new stock
AGAIN_MASK = HEARTS + 7  # mask of the seats that drew from it
WAITS = HEARTS + 8  # 1 if it is the observer's turn, but another is asked in secret before
FACTS_SIZE = HEARTS + 9

HEARTLESS_OR_EXCUSED, EXCUSED = 1, 2


@kernel
def weigh_plays(public: Vector, tables: Vector, facts: Vector) -> None:
    """Note what the plays of the deal prove about every seat but the observer."""
    order = public[ORDER]
    leader = public[OPENING]
    top = 0
    place = HISTORY
    for trick in range(public[TRICK] + 1):
        plays = public[ACTIVE] if trick < public[TRICK] else public[POSITION]
        seat = leader
        led = reference = NO_CARD
        led_suit = NO_SUIT
        best = 0
        for position in range(plays):
            card = public[place]
            place += 1
            if position == 0:
                led = card
                led_suit = tables[order + SUIT + card]
                if led_suit == NO_SUIT and public[NAMED] >= 0:
                    led_suit = public[NAMED]
                    led = SUIT_SIZE * led_suit + ACE
            facts[SHOWN + seat] |= 1 << card
            if seat != facts[OBSERVER]:
                use_up(facts, seat, card)
                if position > 0:
                    weigh_play(public, tables, facts, seat, card, reference, led, trick)
            power = tables[order + POWER + led_suit * CARD_COUNT + card]
            packed = power << PACKED_POWER | seat << PACKED_SEAT | card
            best = max(best, packed)
            top = max(top, packed)
            judge = tables[order + JUDGE + led_suit]
            reference = select(judge == LED, led, select(judge == BEST, best, top) & CARD_BITS)
            seat = public[NEXT + seat]
        leader = public[WINNERS + trick]


@kernel
def use_up(facts: Vector, seat: int, card: int) -> None:
    """Let a card played settle what was left open about the hand that held it before."""
    if facts[FEW + seat] >> card & 1:
        facts[ALLOW + seat] &= ~facts[FEW + seat]
    if facts[EITHER + seat]:
        if facts[EXCUSE + seat] >> card & 1:
            facts[EITHER + seat] = 0
        elif facts[HEARTS] >> card & 1:
            facts[EITHER + seat] = EXCUSED


@kernel
def weigh_play(
    public: Vector,
    tables: Vector,
    facts: Vector,
    seat: int,
    card: int,
    reference: int,
    led: int,
    trick: int,
) -> None:
    """Note what a follower's card proves about the cards that it kept."""
    order = order_against(public, tables, facts, seat)
    held = ~waiting_ace(public, tables, facts, seat, trick)
    if not tables[order + MAY + reference] >> card & 1:
        facts[ALLOW + seat] &= ~(tables[order + MUST + reference] & held)
        facts[FEW + seat] |= tables[order + PAIR + reference] & held
    hearts = tables[order + INSTEAD + led]
    trumps = tables[order + TRUMP_MASK]
    if hearts and not (hearts | trumps) >> card & 1:
        facts[HEARTS] = hearts
        facts[EITHER + seat] = HEARTLESS_OR_EXCUSED
        facts[EXCUSE + seat] = trumps & held


@kernel
def order_against(public: Vector, tables: Vector, facts: Vector, seat: int) -> int:
    """Return the order by which a seat's plays speak about the ace of trumps.

    Who holds it and has not robbed has let his right pass: where that makes it the lowest trump,
    it obliged him. The two orders differ in nothing else that a seat without the ace could show.
    """
    order = public[ORDER]
    falls = tables[ACE_FALLS] and tables[TURNS_UP] and seat != facts[ROBBER_THEN]
    if not falls or public[TURNUP] == tables[order + ACE_CARD]:
        return order
    return order_fallen(order)


@kernel
def order_fallen(order: int) -> int:
    """Return the order of the same trumps with the ace made lowest by a missed rob."""
    return order if order >= ORDERS + MISSED_STEP else order + MISSED_STEP


@kernel
def waiting_ace(public: Vector, tables: Vector, facts: Vector, seat: int, trick: int) -> int:
    """Return, as a mask, the ace that a dealer has robbed and gets after this trick."""
    if trick > 0 or not waits_for_ace(public, tables, facts, seat):
        return 0
    return 1 << public[TURNUP]


@kernel
def waits_for_ace(public: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether a seat is the dealer who robbed the ace turned up and plays a trick without."""
    return bool(
        tables[ACE_WAITS]
        and seat == public[DEALER]
        and seat == facts[ROBBER_THEN]
        and public[TURNUP] == tables[public[ORDER] + ACE_CARD]
    )


@kernel
def lies_only_in(facts: Vector, card: int, bins: int) -> None:
    """Note that a card, if it is unseen, lies in one of these bins (a mask)."""
    for b in range(BINS):
        if not bins >> b & 1:
            facts[ALLOW + b] &= ~(1 << card)
