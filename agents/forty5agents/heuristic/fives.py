"""The five-fingers games: robbing, jinking, and the card to play.

For each legal card it estimates the chance that its side wins the trick with it, and what the
card would still be worth later; it plays the best balance of the two. The stake of a trick
follows from the state of the deal: in Spoil Five it is high when the trick would win the pot, or
deny it to a rival who needs one more. So it keeps the five for a trick that matters, leaves a
partner's trick alone, and reneges when a top trump would be wasted; who plays a bid leads trumps.
"""

from __future__ import annotations

from forty5agents.heuristic.weights import (
    DECIDE,
    DENY,
    DRAW_TRUMPS,
    EARLY,
    JINK_CHANCE,
    PLAIN_WORTH,
    RUFF,
    SHOWN,
    TOP_WORTH,
    TRUMP_WORTH,
)
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACE_FALLS,
    ACTIVE,
    BEATERS,
    BEST,
    BIDDER,
    CARD_COUNT,
    DECK_MASK,
    DECLARE_JINK,
    FAMILY,
    HAND_SIZE,
    HISTORY,
    JINK_BONUS,
    JINK_DOUBLES_POT,
    KEEP,
    MISSED_BARS,
    NEXT,
    OPENING,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PLAYED,
    POSITION,
    POT,
    POT_CHIPS,
    POWER,
    ROBBER,
    SEAT,
    SEATS,
    SIDE_OF,
    SIDES,
    STOP,
    SUIT,
    SUITS,
    TRICK,
    TRICKS,
    TRUMP,
    TRUMP_MASK,
    TURNUP,
    WIN_TRICKS,
    WINNERS,
)
from forty5sim.kernels.trick import card_in, power_in, seat_in
from forty5sim.kernels.vector import Reals, Vector


@kernel
def unseen_cards(public: Vector, hand: int, thrown: int, tables: Vector) -> int:
    """Return the cards that other seats or the stock may hold."""
    seen = public[PLAYED] | hand | thrown
    if public[TURNUP] >= 0 and public[ROBBER] < 0:
        seen |= 1 << public[TURNUP]
    return tables[DECK_MASK] & ~seen


# --- robbing -------------------------------------------------------------------------------------


@kernel
def choose_rob(public: Vector, hand: int, legal: int, tables: Vector) -> int:
    """Throw the least valuable card, unless the turn-up is worth even less and may be left."""
    worst = least_valuable(public, hand, tables)
    penalty = tables[ACE_FALLS] or tables[MISSED_BARS]
    if (legal >> KEEP) & 1 and not penalty:
        turnup = public[TURNUP]
        if own_power(public, turnup, tables) < own_power(public, worst, tables):
            return KEEP
    return worst


@kernel
def least_valuable(public: Vector, hand: int, tables: Vector) -> int:
    """Return the card of a hand with the least power in its own suit."""
    worst = lowest(hand)
    rest = hand & (hand - 1)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if own_power(public, card, tables) < own_power(public, worst, tables):
            worst = card
    return worst


@kernel
def own_power(public: Vector, card: int, tables: Vector) -> int:
    """Return the power of a card led; summed over all suits while trumps are unknown."""
    if public[TRUMP] >= 0:
        return led_power(public[ORDER], card, tables)
    total = 0
    for suit in range(SUITS):
        total += led_power(ORDERS + suit * ORDER_SIZE, card, tables)
    return total


@kernel
def led_power(order: int, card: int, tables: Vector) -> int:
    """Return the power of a card led under an order of the cards."""
    return tables[order + POWER + tables[order + SUIT + card] * CARD_COUNT + card]


# --- jinking -------------------------------------------------------------------------------------


@kernel
def choose_jink(public: Vector, hand: int, unseen: int, tables: Vector, params: Reals) -> int:
    """Jink if the remaining tricks are near certain, and likely enough for what is at stake."""
    others = (public[ACTIVE] - 1) * popcount(hand)
    chance = 1.0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        chance *= hold_chance(public, card, unseen, others, tables, params)
    needed = params[JINK_CHANCE]
    if tables[FAMILY] == POT:
        needed = max(needed, break_even(public, tables))
    return DECLARE_JINK if chance >= needed else STOP


@kernel
def break_even(public: Vector, tables: Vector) -> float:
    """Return the chance at which a jink gains as much as it risks (a failed one keeps a share)."""
    pot = public[POT_CHIPS]
    reward = pot if tables[JINK_DOUBLES_POT] else tables[JINK_BONUS] * (public[ACTIVE] - 1)
    at_stake = pot - pot / public[ACTIVE]
    return at_stake / (at_stake + reward) if at_stake + reward > 0 else 1.0


# --- playing a card ------------------------------------------------------------------------------


@kernel
def choose_card(
    public: Vector, hand: int, unseen: int, legal: int, tables: Vector, params: Reals
) -> int:
    """Play the card with the best balance of the trick won against the worth kept."""
    stake = stake_of_trick(public, tables, params)
    to_come = opponents_to_come(public) * (tables[HAND_SIZE] - public[TRICK])
    best_card = -1
    best_value = 0.0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = stake * win_chance(public, card, unseen, to_come, tables, params)
        value -= worth(public, card, hand, unseen, tables, params)
        if public[POSITION] == 0 and public[SIDES] < public[SEATS]:
            value += params[SHOWN] * partner_led(public, card, tables)
        if public[POSITION] == 0 and is_bidder(public):
            value += params[DRAW_TRUMPS] * ((tables[public[ORDER] + TRUMP_MASK] >> card) & 1)
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def is_bidder(public: Vector) -> bool:
    """Say whether the seat to act plays a bid of its side."""
    bidder = public[BIDDER]
    return bool(bidder >= 0 and public[SIDE_OF + bidder] == public[SIDE_OF + public[SEAT]])


@kernel
def opponents_to_come(public: Vector) -> int:
    """Return how many opponents play to this trick after the seat to act."""
    own = public[SIDE_OF + public[SEAT]]
    seat = public[SEAT]
    count = 0
    for _ in range(public[ACTIVE] - public[POSITION] - 1):
        seat = public[NEXT + seat]
        count += public[SIDE_OF + seat] != own
    return count


@kernel
def win_chance(
    public: Vector, card: int, unseen: int, to_come: int, tables: Vector, params: Reals
) -> float:
    """Return the chance that the own side wins the trick if this card is played."""
    order = public[ORDER]
    best = public[BEST]
    if public[POSITION] == 0:
        return hold_chance(public, card, unseen, to_come, tables, params)
    led_suit = tables[order + SUIT + card_led(public)]
    if tables[order + POWER + led_suit * CARD_COUNT + card] > power_in(best):
        return hold_chance(public, card, unseen, to_come, tables, params)
    if public[SIDE_OF + seat_in(best)] == public[SIDE_OF + public[SEAT]]:
        return hold_chance(public, card_in(best), unseen, to_come, tables, params)
    return 0.0


@kernel
def card_led(public: Vector) -> int:
    """Return the card led to this trick; there must be one."""
    return public[HISTORY + public[TRICK] * public[ACTIVE]]


@kernel
def hold_chance(
    public: Vector, card: int, unseen: int, others: int, tables: Vector, params: Reals
) -> float:
    """Return the chance that none of ``others`` unseen cards, played after it, beats a card."""
    order = public[ORDER]
    beaters = tables[order + BEATERS + card] & unseen
    trumps = tables[order + TRUMP_MASK]
    weight = float(popcount(beaters))
    if not (trumps >> card) & 1:
        ruffs = popcount(beaters & trumps)
        weight += (params[RUFF] - 1.0) * ruffs
    return fade(weight * others / max(popcount(unseen), 1))


@kernel
def fade(x: float) -> float:
    """Return about exp(-x), cheaply; x >= 0."""
    return 1.0 / (1.0 + x + 0.5 * x * x)


@kernel
def worth(
    public: Vector, card: int, hand: int, unseen: int, tables: Vector, params: Reals
) -> float:
    """Return what a card is worth in later tricks, in tricks; nothing in the last one."""
    later = tables[HAND_SIZE] - public[TRICK] - 1
    if later <= 0:
        return 0.0
    others = (public[ACTIVE] - 1) * (later + 1)
    holds = hold_chance(public, card, unseen, others, tables, params)
    if (tables[public[ORDER] + TRUMP_MASK] >> card) & 1:
        return params[TRUMP_WORTH] + params[TOP_WORTH] * holds
    height = tables[public[ORDER] + POWER + tables[public[ORDER] + SUIT + card] * CARD_COUNT + card]
    return params[PLAIN_WORTH] * holds + 0.001 * height


@kernel
def partner_led(public: Vector, card: int, tables: Vector) -> int:
    """Return 1 if a partner has led the suit of this card before, else 0."""
    order = public[ORDER]
    me = public[SEAT]
    for trick in range(public[TRICK]):
        leader = public[WINNERS + trick - 1] if trick else public[OPENING]
        if leader != me and public[SIDE_OF + leader] == public[SIDE_OF + me]:
            led = public[HISTORY + trick * public[ACTIVE]]
            if tables[order + SUIT + led] == tables[order + SUIT + card]:
                return 1
    return 0


@kernel
def stake_of_trick(public: Vector, tables: Vector, params: Reals) -> float:
    """Return what winning this trick is worth, in ordinary tricks."""
    if tables[FAMILY] != POT:
        return 1.0
    me = public[SEAT]
    needed = tables[WIN_TRICKS]
    mine = public[TRICKS + me]
    if mine == needed - 1:
        return params[DECIDE]
    stake = 1.0 if mine > 0 else params[EARLY]
    if mine + tables[HAND_SIZE] - public[TRICK] < needed:
        stake = 0.1
    return max(stake, params[DENY]) if rival_threatens(public, tables) else stake


@kernel
def rival_threatens(public: Vector, tables: Vector) -> bool:
    """Say whether a rival one trick short of the pot is winning this trick or yet to play."""
    wanting = tables[WIN_TRICKS] - 1
    if public[POSITION] > 0 and public[TRICKS + seat_in(public[BEST])] == wanting:
        return True
    seat = public[SEAT]
    for _ in range(public[ACTIVE] - public[POSITION] - 1):
        seat = public[NEXT + seat]
        if public[TRICKS + seat] == wanting:
            return True
    return False
