"""Auction Forty-Fives: what to bid, which trumps to name, what to throw.

A hand is worth, for each suit as trumps, the points that its side takes with it on average: a sum
of what its trumps are worth. Of the bids it makes the lowest whose expected score is good enough;
thirty only when all five tricks are likely.
"""

from __future__ import annotations

import numpy as np

from forty5agents.heuristic.fives import fade, led_power
from forty5agents.heuristic.weights import (
    A_ACE,
    A_AGAINST_STANDS,
    A_ALL,
    A_ALL_SPREAD,
    A_ALONE,
    A_FIVE,
    A_HEARTS_ACE,
    A_JACK,
    A_KING,
    A_KITTY,
    A_LOW,
    A_PARTNER_BID,
    A_PARTNER_STANDS,
    A_PASS,
    A_QUEEN,
    A_SIDES,
    A_SPREAD,
)
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.kitty import least_thrown, most_thrown
from forty5sim.kernels.layout import (
    ACE,
    ACE_OF_HEARTS,
    BEATERS,
    BID,
    BID_LOSS,
    BID_SCORE,
    BID_TRICKS,
    BIDDER,
    CALL_BITS,
    CALL_LOG,
    CALL_SEAT,
    CALLS,
    DONE,
    FIVE,
    HOLD,
    JACK,
    KING,
    KITTY_SIZE,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PASS,
    QUEEN,
    SCORES,
    SEAT,
    SEATS,
    SIDE_OF,
    SIDES,
    SUIT_SIZE,
    SUITS,
    TARGET,
    TRUMP_MASK,
)
from forty5sim.kernels.vector import Reals, Vector

CALLS_ONLY = 1 << HOLD | 1 << PASS
BONUS = 5
ALL_POINTS = 30.0


# --- what a hand is worth -------------------------------------------------------------------------


@kernel
def best_suit(hand: int, tables: Vector, params: Reals) -> int:
    """Return the suit that a hand is worth most with as trumps."""
    best = 0
    best_points = -1.0
    for suit in range(SUITS):
        points = hand_points(hand, suit, tables, params)
        if points > best_points:
            best = suit
            best_points = points
    return best


@kernel
def hand_points(hand: int, trump: int, tables: Vector, params: Reals) -> float:
    """Return the points that the cards of a hand add to what its side takes with this trump."""
    order = ORDERS + trump * ORDER_SIZE
    trumps = hand & tables[order + TRUMP_MASK]
    start = trump * SUIT_SIZE
    points = params[A_LOW] * popcount(trumps)
    points += (params[A_FIVE] - params[A_LOW]) * has(hand, start + FIVE)
    points += (params[A_JACK] - params[A_LOW]) * has(hand, start + JACK)
    points += (params[A_HEARTS_ACE] - params[A_LOW]) * has(hand, ACE_OF_HEARTS)
    if start + ACE != ACE_OF_HEARTS:
        points += (params[A_ACE] - params[A_LOW]) * has(hand, start + ACE)
    points += (params[A_KING] - params[A_LOW]) * has(hand, start + KING)
    points += (params[A_QUEEN] - params[A_LOW]) * has(hand, start + QUEEN)
    return points


@kernel
def has(hand: int, card: int) -> int:
    """Return 1 if a card is in a hand, else 0."""
    return (hand >> card) & 1


@kernel
def expected_points(public: Vector, hand: int, tables: Vector, params: Reals) -> float:
    """Return the points that the own side takes if this seat plays its best suit."""
    points = hand_points(hand, best_suit(hand, tables, params), tables, params)
    if public[SIDES] == public[SEATS]:
        points += params[A_ALONE] * points
    points += params[A_SIDES + public[SIDES] - 2] + params[A_KITTY] * tables[KITTY_SIZE]
    return points + params[A_PARTNER_BID] * partner_has_bid(public)


@kernel
def partner_has_bid(public: Vector) -> int:
    """Return 1 if a partner has bid or held, else 0."""
    me = public[SEAT]
    for call in range(public[CALLS]):
        seat = public[CALL_LOG + call] >> CALL_SEAT
        action = public[CALL_LOG + call] & CALL_BITS
        if seat != me and public[SIDE_OF + seat] == public[SIDE_OF + me] and action != PASS:
            return 1
    return 0


@kernel
def logistic(x: float) -> float:
    """Return about 1 / (1 + exp(-x)), cheaply."""
    tail = fade(abs(x))
    return (1.0 if x > 0.0 else tail) / (1.0 + tail)


# --- calling --------------------------------------------------------------------------------------


@kernel
def choose_call(public: Vector, hand: int, legal: int, tables: Vector, params: Reals) -> int:
    """Take or overbid the standing bid, as low as can be, if it is worth it, or a must."""
    expected = expected_points(public, hand, tables, params)
    needed = params[A_PASS]
    bidder = public[BIDDER]
    if bidder >= 0:
        ours = public[SIDE_OF + bidder] == public[SIDE_OF + public[SEAT]]
        needed += params[A_PARTNER_STANDS] if ours else -params[A_AGAINST_STANDS]
    if not (legal >> PASS) & 1:
        needed = -np.inf
    best = PASS
    rest = legal & ~CALLS_ONLY
    lowest_bid = rest & -rest
    while rest:
        bid = lowest(rest)
        rest &= rest - 1
        if (1 << bid) != lowest_bid and (
            tables[BID_TRICKS + bid] == 0 or is_enough(public, tables)
        ):
            continue  # higher than need be
        worth = bid_worth(public, bid, expected, tables, params)
        if worth > needed:
            best = bid
            needed = worth
    if (legal >> HOLD) & 1 and bid_worth(public, public[BID], expected, tables, params) >= needed:
        best = HOLD
    return best


@kernel
def is_enough(public: Vector, tables: Vector) -> bool:
    """Say whether the points that a low bid can score are enough to win the game."""
    score = public[SCORES + public[SIDE_OF + public[SEAT]]]
    return bool(tables[TARGET] - score <= 25)


@kernel
def bid_worth(public: Vector, bid: int, expected: float, tables: Vector, params: Reals) -> float:
    """Return the score to be expected of a bid; more than the game needs counts for nothing."""
    loss = tables[BID_LOSS + bid]
    if tables[BID_TRICKS + bid] > 0:
        chance = logistic((expected - params[A_ALL]) / params[A_ALL_SPREAD])
        wanting = tables[TARGET] - public[SCORES + public[SIDE_OF + public[SEAT]]]
        gain = float(min(tables[BID_SCORE + bid], max(wanting, loss // 2)))
    else:
        chance = logistic((expected - loss + 0.5 * BONUS) / params[A_SPREAD])
        gain = min(max(expected, float(loss)), ALL_POINTS)
    return chance * gain - (1.0 - chance) * loss


@kernel
def choose_trump(hand: int, tables: Vector, params: Reals) -> int:
    """Name the suit that the hand is worth most with."""
    return best_suit(hand, tables, params)


# --- the exchange ---------------------------------------------------------------------------------


@kernel
def choose_discard(public: Vector, hand: int, thrown: int, legal: int, tables: Vector) -> int:
    """Throw everything but trumps and the best plain cards, from the least card up.

    What is to be thrown is found anew from the hand as it was, so that each card follows from the
    same plan.
    """
    full = hand | thrown
    keep = full & worth_keeping(public[ORDER], full, tables)
    count = popcount(full & ~keep)
    count = max(count, least_thrown(public, tables))
    count = min(count, most_thrown(public, tables))
    rest = least_cards(public[ORDER], full, count, tables) & ~thrown & legal
    if rest or legal >> DONE & 1:
        return lowest(rest) if rest else DONE
    return lowest(least_cards(public[ORDER], legal, 1, tables))  # after a card not in the plan


@kernel
def worth_keeping(order: int, full: int, tables: Vector) -> int:
    """Return the cards to keep: trumps, and plain cards that no other of their suit beats."""
    trumps = tables[order + TRUMP_MASK]
    keep = full & trumps
    rest = full & ~trumps
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if tables[order + BEATERS + card] & ~trumps == 0:
            keep |= 1 << card
    return keep


@kernel
def least_cards(order: int, full: int, count: int, tables: Vector) -> int:
    """Return so many cards of least power led: no card is kept that one of them beats."""
    taken = 0
    for _ in range(count):
        rest = full & ~taken
        worst = lowest(rest)
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if led_power(order, card, tables) < led_power(order, worst, tables):
                worst = card
        taken |= 1 << worst
    return taken
