"""Five Hundred: what to bid, what to throw, which suit to give the Joker or to name.

A hand is worth, for each suit as trumps and for none, the tricks that its side takes with it on
average. Each bid has a chance by that, and an expected score; the best one is bid if it is worth
more than passing. A misère is judged by how dangerous the hand is without its worst cards.
"""

from __future__ import annotations

import numpy as np

from forty5agents.heuristic.auction import has, logistic
from forty5agents.heuristic.misere import hand_danger, most_dangerous
from forty5agents.heuristic.weights import (
    H_ACE,
    H_AGAINST_STANDS,
    H_AGAINST_SUIT,
    H_BASE,
    H_GAME,
    H_JOKER,
    H_KING,
    H_LEAST_SPREAD,
    H_LEFT,
    H_LOW,
    H_NARROW,
    H_PARTNER_OTHER,
    H_PARTNER_STANDS,
    H_PARTNER_SUIT,
    H_PASS,
    H_QUEEN,
    H_RIGHT,
    H_SHORT,
    H_SIDE_ACE,
    H_SIDE_KING,
    H_SPREAD,
    H_SUPPORT,
    M_EVEN,
    M_OPEN,
    M_SPREAD,
    N_ACE,
    N_BASE,
    N_JOKER,
    N_KING,
    N_LONG,
    N_QUEEN,
)
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.kitty import least_thrown
from forty5sim.kernels.layout import (
    ACE,
    BID,
    BID_LOSS,
    BID_OPEN,
    BID_TRICKS,
    BID_TRUMP,
    BIDDER,
    CALL_BITS,
    CALL_LOG,
    CALL_SEAT,
    CALLS,
    CARD_COUNT,
    DECK_MASK,
    DONE,
    FIRST_SUIT_BID,
    JACK,
    JOKER,
    KING,
    MISERE_BIDS,
    MUST,
    NO_SUIT_GIVEN,
    NO_TRUMP,
    NO_TRUMP_ORDER,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PASS,
    POWER,
    QUEEN,
    SCORES,
    SEAT,
    SIDE_OF,
    SUIT,
    SUIT_SIZE,
    SUITS,
    TARGET,
    TRUMP_MASK,
)
from forty5sim.kernels.opening import is_misere
from forty5sim.kernels.vector import Reals, Vector

LEAST_GAIN = 40.0
EXCHANGED = 3
LEVELS = 5


# --- what a hand is worth -------------------------------------------------------------------------


@kernel
def plain_suit(hand: int, suit: int, tables: Vector) -> int:
    """Return the cards of a hand printed with a suit."""
    return hand & tables[NO_TRUMP_ORDER + MUST + suit * SUIT_SIZE + ACE]


@kernel
def suit_tricks(hand: int, trump: int, tables: Vector, params: Reals) -> float:
    """Return the tricks that a hand's side takes with a trump suit."""
    trumps = hand & tables[ORDERS + trump * ORDER_SIZE + TRUMP_MASK]
    start = trump * SUIT_SIZE
    low = params[H_LOW]
    tricks = params[H_BASE] + low * popcount(trumps)
    tricks += (params[H_JOKER] - low) * has(hand, JOKER)
    tricks += (params[H_RIGHT] - low) * has(hand, start + JACK)
    tricks += (params[H_LEFT] - low) * has(hand, (trump ^ 1) * SUIT_SIZE + JACK)
    tricks += (params[H_ACE] - low) * has(hand, start + ACE)
    tricks += (params[H_KING] - low) * has(hand, start + KING)
    tricks += (params[H_QUEEN] - low) * has(hand, start + QUEEN)
    for suit in range(SUITS):
        if suit == trump:
            continue
        held = plain_suit(hand & ~trumps, suit, tables)
        count = popcount(held)
        tricks += params[H_SIDE_ACE] * has(held, suit * SUIT_SIZE + ACE)
        if count >= 2:
            tricks += params[H_SIDE_KING] * has(held, suit * SUIT_SIZE + KING)
        else:
            tricks += params[H_SHORT]
    return tricks


@kernel
def no_trump_tricks(hand: int, tables: Vector, params: Reals) -> float:
    """Return the tricks that a hand's side takes without trumps."""
    tricks = params[N_BASE] + params[N_JOKER] * has(hand, JOKER)
    for suit in range(SUITS):
        held = plain_suit(hand, suit, tables)
        count = popcount(held)
        start = suit * SUIT_SIZE
        tricks += params[N_ACE] * has(held, start + ACE)
        if count >= 2:
            tricks += params[N_KING] * has(held, start + KING)
        if count >= 3:
            tricks += params[N_QUEEN] * has(held, start + QUEEN)
        tricks += params[N_LONG] * max(count - 4, 0)
    return tricks


@kernel
def heard(public: Vector, own: float, trump: int, tables: Vector, params: Reals) -> float:
    """Return the tricks expected with these trumps once the bids of the others are heard.

    ``own`` is what the hand alone lets expect. A partner whose first bid was this suit expects the
    level of it, counting on some support; later bids, which may rest on one's own, add nothing.
    """
    me = public[SEAT]
    against = 0
    first = -1
    bid_before = 0
    for call in range(public[CALLS]):
        seat = public[CALL_LOG + call] >> CALL_SEAT
        action = public[CALL_LOG + call] & CALL_BITS
        if action == PASS:
            continue
        same = tables[BID_TRUMP + action] == trump and tables[BID_TRICKS + action] > 0
        if seat == me:
            bid_before = 1
        elif public[SIDE_OF + seat] != public[SIDE_OF + me]:
            against |= same
        elif first < 0 and not bid_before:
            first = action
    tricks = own - params[H_AGAINST_SUIT] * against
    if first < 0:
        return tricks
    if tables[BID_TRUMP + first] != trump or tables[BID_TRICKS + first] < 0:
        return tricks + params[H_PARTNER_OTHER]
    shown = tables[BID_TRICKS + first] + own - params[H_BASE] - params[H_SUPPORT]
    return max(tricks + params[H_PARTNER_SUIT], shown)


@kernel
def expected_tricks(public: Vector, hand: int, trump: int, tables: Vector, params: Reals) -> float:
    """Return the tricks that the own side takes with these trumps if this seat plays them."""
    if trump == NO_TRUMP:
        tricks = no_trump_tricks(hand, tables, params)
    else:
        tricks = suit_tricks(hand, trump, tables, params)
    return heard(public, tricks, trump, tables, params)


@kernel
def level_chance(tricks: float, level: int, params: Reals) -> float:
    """Return the chance to take so many tricks where ``tricks`` are expected."""
    spread = params[H_SPREAD] - params[H_NARROW] * max(tricks - 5.0, 0.0)
    return logistic((tricks - level + 0.5) / max(spread, params[H_LEAST_SPREAD]))


@kernel
def misere_chance(hand: int, is_open: int, tables: Vector, params: Reals) -> float:
    """Return the chance to take no trick, once the worst cards are thrown."""
    kept = hand & ~most_dangerous(hand, EXCHANGED, tables)
    others = tables[DECK_MASK] & ~hand
    danger = hand_danger(kept, others, tables) + params[M_OPEN] * is_open
    return logistic((params[M_EVEN] - danger) / params[M_SPREAD])


# --- bidding --------------------------------------------------------------------------------------


@kernel
def choose_bid(public: Vector, hand: int, legal: int, tables: Vector, params: Reals) -> int:
    """Make the bid with the best expected score, if it is worth more than passing, or must be."""
    best = PASS
    needed = passing_worth(public, tables, params) if (legal >> PASS) & 1 else -np.inf
    for trump in range(SUITS + 1):
        tricks = expected_tricks(public, hand, trump, tables, params)
        for level in range(LEVELS):
            bid = FIRST_SUIT_BID + level * (SUITS + 1) + trump
            if (legal >> bid) & 1:
                chance = level_chance(tricks, tables[BID_TRICKS + bid], params)
                worth = bid_worth(public, bid, chance, tables)
                if worth > needed:
                    best = bid
                    needed = worth
    rest = legal & MISERE_BIDS
    while rest:
        bid = lowest(rest)
        rest &= rest - 1
        chance = misere_chance(hand, tables[BID_OPEN + bid], tables, params)
        worth = bid_worth(public, bid, chance, tables)
        if worth > needed:
            best = bid
            needed = worth
    return best


@kernel
def bid_worth(public: Vector, bid: int, chance: float, tables: Vector) -> float:
    """Return the score to be expected of a bid; more than the game needs counts for nothing."""
    value = float(tables[BID_LOSS + bid])
    wanting = float(tables[TARGET] - public[SCORES + public[SIDE_OF + public[SEAT]]])
    gain = min(value, max(wanting, LEAST_GAIN))
    return chance * gain - (1.0 - chance) * value


@kernel
def passing_worth(public: Vector, tables: Vector, params: Reals) -> float:
    """Return the score to be expected of passing: what the standing bid will bring."""
    if public[BID] < 0:
        return params[H_PASS]
    value = tables[BID_LOSS + public[BID]]
    side = public[SIDE_OF + public[BIDDER]]
    if side == public[SIDE_OF + public[SEAT]]:
        return params[H_PASS] + params[H_PARTNER_STANDS] * value
    wins = public[SCORES + side] + value >= tables[TARGET]
    return params[H_PASS] - params[H_AGAINST_STANDS] * value - params[H_GAME] * wins


# --- the exchange, and the Joker ------------------------------------------------------------------


@kernel
def choose_exchange(public: Vector, hand: int, thrown: int, legal: int, tables: Vector) -> int:
    """Throw the cards of least use, from the least card up; the plan follows from the full hand."""
    plan = worst_cards(public, hand | thrown, least_thrown(public, tables), tables)
    rest = plan & ~thrown & legal
    if rest or legal >> DONE & 1:
        return lowest(rest) if rest else DONE
    return lowest(worst_cards(public, legal, 1, tables))  # after a card that was not in the plan


@kernel
def worst_cards(public: Vector, cards: int, count: int, tables: Vector) -> int:
    """Return so many cards to throw, by the contract."""
    if is_misere(public, tables):
        return most_dangerous(cards, count, tables)
    return least_useful(public[ORDER], cards, count, tables)


@kernel
def least_useful(order: int, full: int, count: int, tables: Vector) -> int:
    """Return so many cards to throw: low ones of short suits; no card is kept that one beats."""
    taken = 0
    for _ in range(count):
        rest = full & ~taken
        worst = lowest(rest)
        worst_use = 10**6
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            use = usefulness(order, card, full & ~taken, tables)
            if use < worst_use:
                worst = card
                worst_use = use
        taken |= 1 << worst
    return taken


@kernel
def usefulness(order: int, card: int, held: int, tables: Vector) -> int:
    """Return how useful a card is to keep: trumps, aces, guarded kings, then long suits."""
    suit = tables[order + SUIT + card]
    power = tables[order + POWER + suit * CARD_COUNT + card]
    of_suit = tables[order + MUST + card]
    if of_suit == 0 or (tables[order + TRUMP_MASK] >> card) & 1:
        return 1000 + power
    rank = card % SUIT_SIZE
    count = popcount(held & of_suit)
    use = 10 * count + power
    if rank == ACE:
        use += 300
    elif rank == KING and count >= 2:
        use += 100
    elif rank == QUEEN and count >= 3:
        use += 30
    return use


@kernel
def choose_joker_suit(public: Vector, hand: int, tables: Vector) -> int:
    """Keep the Joker free, but at misère make it the top of the longest suit."""
    if not is_misere(public, tables):
        return NO_SUIT_GIVEN
    return longest_suit(hand, (1 << SUITS) - 1, tables)


@kernel
def choose_led_suit(hand: int, legal: int, tables: Vector) -> int:
    """Name the longest of one's suits that may be named."""
    return longest_suit(hand, legal, tables)


@kernel
def longest_suit(hand: int, suits: int, tables: Vector) -> int:
    """Return which of these suits the hand has most cards of."""
    best = lowest(suits)
    most = -1
    rest = suits
    while rest:
        suit = lowest(rest)
        rest &= rest - 1
        count = popcount(plain_suit(hand, suit, tables))
        if count > most:
            best = suit
            most = count
    return best
