"""The rules engine: one ``start_deal``, one ``legal_actions`` and one ``apply`` for all games.

Everything that plays (bots, search, tournaments, replay, adapters) goes through these.
"""

from __future__ import annotations

from forty5sim.kernels.auction import apply_call, legal_call, open_auction
from forty5sim.kernels.deal import cards_needed, deal_hands, shuffle
from forty5sim.kernels.jink import apply_jink, legal_jink
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.joker import apply_suit, legal_suit
from forty5sim.kernels.kitty import apply_discard, apply_trump, legal_discard, legal_trump
from forty5sim.kernels.layout import (
    ASSIGN,
    AUCTION,
    AUCTION_CALL,
    BID,
    BIDDER,
    CALL_LOG,
    CALLS,
    CLAIMER,
    DEAL_KEY,
    DEALER,
    DISCARD,
    DISCARDED,
    EXCHANGING,
    EXPOSED,
    FAMILY,
    HAD_RIGHT,
    HISTORY,
    HOLDS,
    JINK,
    JINKER,
    JOKER,
    JOKER_SUIT,
    JOKER_TURNED,
    KEPT,
    LAST_THROWN,
    LED_SUITS,
    MAX_PLAYS,
    MAX_SEATS,
    MAX_TRICKS,
    NAME_SUIT,
    NAME_TRUMP,
    NAMED,
    NEXT,
    OPENING,
    ORDER,
    ORDERS,
    OUTCOME,
    OVER,
    PASSES,
    PHASE,
    PLAY,
    PLAYED,
    PLAYS,
    POINTS,
    POT,
    RESTOCK_GIVEN,
    RESTOCK_NEXT,
    RESTOCK_SIZE,
    RESTOCKED,
    RIGHT,
    ROB,
    ROBBED,
    ROBBER,
    SEAT,
    SEATS,
    SIDE_TRICKS,
    SLOT_ASSIGN,
    SLOT_CALL,
    SLOT_DISCARD,
    SLOT_JINK,
    SLOT_NAME,
    SLOT_PLAY,
    SLOT_ROB,
    SLOT_TRUMP,
    THROWN,
    THROWN_BEFORE,
    TOP,
    TOP_TRICK,
    TRICK,
    TRICKS,
    TRUE_ORDER,
    TRUMP,
    TURNUP,
    UNFINISHED,
    WAITING_ACE,
    WINNER,
    WINNERS,
)
from forty5sim.kernels.opening import apply_assign, legal_assign
from forty5sim.kernels.play import apply_play, legal_play
from forty5sim.kernels.pot import pay_antes
from forty5sim.kernels.rng import PURPOSE_DEAL, PURPOSE_DECISION, deal_key
from forty5sim.kernels.robbing import apply_rob, legal_rob, open_turnup
from forty5sim.kernels.trick import start_trick
from forty5sim.kernels.vector import Vector


@kernel
def deal_cards(state: Vector, tables: Vector, seed: int, deal: int) -> None:
    """Shuffle and deal deal number ``deal`` of a seed to the seats that play."""
    shuffle(state, tables, deal_key(seed, deal, PURPOSE_DEAL), cards_needed(state, tables))
    deal_hands(state, tables, first_seat(state))
    state[DEAL_KEY] = deal_key(seed, deal, PURPOSE_DECISION)


@kernel
def first_seat(state: Vector) -> int:
    """Return the lowest seat that plays."""
    return state[NEXT + state[SEATS] - 1]


@kernel
def start_deal(state: Vector, tables: Vector) -> None:
    """Open a deal whose players are seated, cards dealt, dealer and scores set."""
    clear_deal(state)
    if tables[FAMILY] == POT:
        pay_antes(state, tables)
    state[OPENING] = state[NEXT + state[DEALER]]
    start_trick(state, state[OPENING])
    if tables[FAMILY] >= AUCTION:
        clear_calls(state)
        open_auction(state)
    else:
        open_turnup(state, tables)


@kernel
def clear_deal(state: Vector) -> None:
    """Forget the deal before."""
    for seat in range(MAX_SEATS):
        state[TRICKS + seat] = 0
        state[SIDE_TRICKS + seat] = 0
        state[POINTS + seat] = 0
        state[THROWN + seat] = 0
        state[DISCARDED + seat] = 0
    for play in range(MAX_PLAYS):
        state[HISTORY + play] = 0
    for trick in range(MAX_TRICKS):
        state[WINNERS + trick] = 0
    state[TRUMP] = state[ROBBER] = state[JINKER] = state[CLAIMER] = state[WINNER] = -1
    state[RIGHT] = state[HAD_RIGHT] = state[ROBBED] = state[KEPT] = state[WAITING_ACE] = -1
    state[BIDDER] = state[BID] = state[JOKER_SUIT] = state[NAMED] = state[LAST_THROWN] = -1
    state[TRICK] = state[PLAYED] = state[PLAYS] = 0
    state[LED_SUITS] = state[EXPOSED] = 0
    state[ORDER] = state[TRUE_ORDER] = ORDERS
    state[TOP] = 0
    state[TOP_TRICK] = -1
    state[OUTCOME] = UNFINISHED
    state[JOKER_TURNED] = state[TURNUP] == JOKER


@kernel
def clear_calls(state: Vector) -> None:
    """Forget the auction and the exchange before."""
    for call in range(state[CALLS]):
        state[CALL_LOG + call] = 0
    state[CALLS] = state[PASSES] = state[HOLDS] = 0
    state[THROWN_BEFORE] = state[RESTOCKED] = state[EXCHANGING] = 0
    state[RESTOCK_SIZE] = state[RESTOCK_NEXT] = state[RESTOCK_GIVEN] = 0


@hot_kernel
def legal_actions(state: Vector, tables: Vector) -> int:
    """Return the mask of actions of the seat to act: empty when the deal is over."""
    phase = state[PHASE]
    if phase == PLAY:
        return legal_play(state, tables)
    if phase == ROB:
        return legal_rob(state, tables)
    if phase == JINK:
        return legal_jink()
    return legal_bidding(state, tables) if phase != OVER else 0


@hot_kernel
def apply(state: Vector, tables: Vector, action: int) -> None:
    """Carry out a legal action of the seat to act."""
    phase = state[PHASE]
    if phase == PLAY:
        apply_play(state, tables, action)
    elif phase == ROB:
        apply_rob(state, tables, action)
    elif phase == JINK:
        apply_jink(state, tables, action)
    else:
        apply_bidding(state, tables, action)


@hot_kernel
def decision_slot(state: Vector) -> int:
    """Return the fixed number of this kind of decision: robbing, jinking, or a trick."""
    phase = state[PHASE]
    if phase == PLAY:
        return SLOT_PLAY + state[TRICK]
    if phase == JINK:
        return SLOT_JINK
    if phase == ROB:
        return SLOT_ROB + (state[TURNUP] == JOKER)
    return bidding_slot(state)


# --- the phases of the auction games --------------------------------------------------------------


@kernel
def legal_bidding(state: Vector, tables: Vector) -> int:
    """Return the mask of actions in a phase that only games with an auction have."""
    phase = state[PHASE]
    if phase == AUCTION_CALL:
        return legal_call(state, tables)
    if phase == DISCARD:
        return legal_discard(state, tables)
    if phase == NAME_TRUMP:
        return legal_trump()
    if phase == ASSIGN:
        return legal_assign()
    return legal_suit(state, tables)


@kernel
def apply_bidding(state: Vector, tables: Vector, action: int) -> None:
    """Carry out an action in a phase that only games with an auction have."""
    phase = state[PHASE]
    if phase == AUCTION_CALL:
        apply_call(state, tables, action)
    elif phase == DISCARD:
        apply_discard(state, tables, action)
    elif phase == NAME_TRUMP:
        apply_trump(state, tables, action)
    elif phase == ASSIGN:
        apply_assign(state, tables, action)
    elif phase == NAME_SUIT:
        apply_suit(state, action)


@kernel
def bidding_slot(state: Vector) -> int:
    """Return the fixed number of a decision that only games with an auction have."""
    phase = state[PHASE]
    if phase == AUCTION_CALL:
        return SLOT_CALL + state[CALLS]
    if phase == DISCARD:
        return SLOT_DISCARD + state[DISCARDED + state[SEAT]]
    if phase == NAME_SUIT:
        return SLOT_NAME + state[TRICK]
    return SLOT_TRUMP if phase == NAME_TRUMP else SLOT_ASSIGN
