"""Playing a contract of Five Hundred other than misère, for either side.

As in ``fives``, each legal card is weighed: the chance that the own side wins the trick with it
against what it would be worth later. Who may be void of a suit is known from the cards played.
"""

from __future__ import annotations

from forty5agents.heuristic.fives import fade, is_bidder
from forty5agents.heuristic.weights import (
    C_AGAINST,
    C_DRAW,
    C_GUARD,
    C_HELP,
    C_PLAIN,
    C_TOP,
    C_TRUMP,
)
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    BEATERS,
    BEST,
    CARD_COUNT,
    DEALS,
    HAND_SIZE,
    HISTORY,
    LED,
    LED_SUIT,
    MAX_SEATS,
    MUST,
    NEXT,
    NO_SUIT,
    OPENING,
    ORDER,
    PLAYS,
    POSITION,
    POWER,
    SEAT,
    SIDE_OF,
    SUIT,
    TRICK,
    TRUMP_MASK,
    TRUMPS,
    WINNERS,
)
from forty5sim.kernels.trick import card_in, power_in, seat_in
from forty5sim.kernels.vector import Reals, Vector

# the workspace: what was concluded from the plays looked at so far
W_DEAL, W_PLAYS, W_VOIDS = 0, 1, 2  # the deal; plays looked at; per seat the suits it has not
WORKSPACE = W_VOIDS + MAX_SEATS


# --- who has none of a suit -----------------------------------------------------------------------


@kernel
def look_at_plays(public: Vector, tables: Vector, workspace: Vector) -> None:
    """Note from the finished tricks which seats have run out of which suits."""
    if workspace[W_DEAL] != public[DEALS] + 1 or workspace[W_PLAYS] > public[PLAYS]:
        workspace[W_DEAL] = public[DEALS] + 1
        workspace[W_PLAYS] = 0
        for seat in range(MAX_SEATS):
            workspace[W_VOIDS + seat] = 0
    active = public[ACTIVE]
    first = workspace[W_PLAYS] // active
    for trick in range(first, public[TRICK]):
        look_at_trick(public, tables, workspace, trick)
    workspace[W_PLAYS] = public[TRICK] * active


@kernel
def look_at_trick(public: Vector, tables: Vector, workspace: Vector, trick: int) -> None:
    """Note who did not follow in one trick."""
    active = public[ACTIVE]
    seat = public[WINNERS + trick - 1] if trick else public[OPENING]
    led = tables[public[ORDER] + SUIT + public[HISTORY + trick * active]]
    for place in range(active):
        suit = tables[public[ORDER] + SUIT + public[HISTORY + trick * active + place]]
        if suit != led and led != NO_SUIT:
            workspace[W_VOIDS + seat] |= 1 << led
        seat = public[NEXT + seat]


# --- choosing a card ------------------------------------------------------------------------------


@kernel
def choose_contract_card(
    public: Vector,
    hand: int,
    unseen: int,
    legal: int,
    tables: Vector,
    params: Reals,
    workspace: Vector,
) -> int:
    """Play the card with the best balance of the trick won against the worth kept."""
    look_at_plays(public, tables, workspace)
    best_card = -1
    best_value = 0.0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        value = win_chance(public, hand, card, unseen, tables, params, workspace)
        value -= worth(public, hand, card, unseen, tables, params)
        if public[POSITION] == 0:
            value += lead_bonus(public, card, unseen, tables, params)
        if best_card < 0 or value > best_value:
            best_card = card
            best_value = value
    return best_card


@kernel
def lead_bonus(public: Vector, card: int, unseen: int, tables: Vector, params: Reals) -> float:
    """Return what leading a trump is worth on top: the contractor draws them, defenders do not."""
    trumps = tables[public[ORDER] + TRUMP_MASK]
    if not (trumps >> card) & 1:
        return 0.0
    if not is_bidder(public):
        return -params[C_AGAINST]
    out = popcount(trumps & unseen)
    return params[C_DRAW] * (1.0 - fade(0.5 * out))


@kernel
def win_chance(
    public: Vector,
    hand: int,
    card: int,
    unseen: int,
    tables: Vector,
    params: Reals,
    workspace: Vector,
) -> float:
    """Return the chance that the own side wins the trick if this card is played."""
    order = public[ORDER]
    best = public[BEST]
    led = card if public[POSITION] == 0 else public[LED]
    top = card
    if public[POSITION] > 0:
        power = tables[order + POWER + public[LED_SUIT] * CARD_COUNT + card]
        if power <= power_in(best):
            top = card_in(best)
            if public[SIDE_OF + seat_in(best)] != public[SIDE_OF + public[SEAT]]:
                return params[C_HELP] * partner_to_come(public)
    holds = hold_chance(public, hand, led, top, unseen, tables, workspace)
    return holds + (1.0 - holds) * params[C_HELP] * partner_to_come(public)


@kernel
def partner_to_come(public: Vector) -> int:
    """Return 1 if a partner plays to this trick after the seat to act, else 0."""
    own = public[SIDE_OF + public[SEAT]]
    seat = public[SEAT]
    for _ in range(public[ACTIVE] - public[POSITION] - 1):
        seat = public[NEXT + seat]
        if public[SIDE_OF + seat] == own:
            return 1
    return 0


@kernel
def hold_chance(
    public: Vector,
    hand: int,
    led: int,
    top: int,
    unseen: int,
    tables: Vector,
    workspace: Vector,
) -> float:
    """Return the chance that no opponent to come beats the card ``top``, ``led`` being led."""
    order = public[ORDER]
    suit = tables[order + SUIT + led]
    of_suit = tables[order + MUST + led]
    beaters = tables[order + BEATERS + top] & unseen
    share = float(popcount(hand)) / max(popcount(unseen), 1)
    higher = popcount(beaters & of_suit)
    ruffing = popcount(beaters & ~of_suit)
    left = popcount(unseen & of_suit)
    own = public[SIDE_OF + public[SEAT]]
    seat = public[SEAT]
    holds = 1.0
    for _ in range(public[ACTIVE] - public[POSITION] - 1):
        seat = public[NEXT + seat]
        if public[SIDE_OF + seat] == own:
            continue
        voids = workspace[W_VOIDS + seat]
        void = 1.0 if (voids >> suit) & 1 else fade(left * share)
        ruffs = 0.0 if (voids >> TRUMPS) & 1 else 1.0 - fade(ruffing * share)
        holds *= 1.0 - (1.0 - void) * (1.0 - fade(higher * share)) - void * ruffs
    return holds


@kernel
def worth(
    public: Vector, hand: int, card: int, unseen: int, tables: Vector, params: Reals
) -> float:
    """Return what a card is worth in later tricks, in tricks; nothing in the last one."""
    if public[TRICK] + 1 >= tables[HAND_SIZE]:
        return 0.0
    order = public[ORDER]
    of_suit = tables[order + MUST + card]
    beaters = popcount(tables[order + BEATERS + card] & unseen & of_suit)
    if (tables[order + TRUMP_MASK] >> card) & 1 or of_suit == 0:
        return params[C_TRUMP] + params[C_TOP] * fade(0.5 * beaters)
    value = params[C_PLAIN] * fade(1.5 * beaters)
    if beaters == 1 and hand & of_suit & ~(1 << card):
        value += params[C_GUARD]
    return value + 0.004 * tables[order + POWER + tables[order + SUIT + card] * CARD_COUNT + card]
