"""The rules engine: one ``start_deal``, one ``legal_actions`` and one ``apply`` for all games.

Everything that plays (bots, search, tournaments, replay, adapters) goes through these.
"""

from __future__ import annotations

from forty5sim.kernels.deal import cards_needed, deal_hands, shuffle
from forty5sim.kernels.jink import apply_jink, legal_jink
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.kitty import JOKER, apply_rob, legal_rob, open_turnup
from forty5sim.kernels.layout import (
    CLAIMER,
    DEAL_KEY,
    DEALER,
    FAMILY,
    HAD_RIGHT,
    HISTORY,
    JINK,
    JINKER,
    JOKER_TURNED,
    KEPT,
    MAX_PLAYS,
    MAX_SEATS,
    NEXT,
    ORDER,
    ORDERS,
    OUTCOME,
    PHASE,
    PLAY,
    PLAYED,
    PLAYS,
    POINTS,
    POT,
    RIGHT,
    ROB,
    ROBBED,
    ROBBER,
    SEATS,
    SIDE_TRICKS,
    SLOT_JINK,
    SLOT_PLAY,
    SLOT_ROB,
    THROWN,
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
)
from forty5sim.kernels.play import apply_play, legal_play
from forty5sim.kernels.pot import pay_antes
from forty5sim.kernels.rng import PURPOSE_DEAL, PURPOSE_DECISION, deal_key
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
    start_trick(state, state[NEXT + state[DEALER]])
    open_turnup(state, tables)


@kernel
def clear_deal(state: Vector) -> None:
    """Forget the deal before."""
    for seat in range(MAX_SEATS):
        state[TRICKS + seat] = 0
        state[SIDE_TRICKS + seat] = 0
        state[POINTS + seat] = 0
        state[THROWN + seat] = 0
    for play in range(MAX_PLAYS):
        state[HISTORY + play] = 0
    state[TRUMP] = state[ROBBER] = state[JINKER] = state[CLAIMER] = state[WINNER] = -1
    state[RIGHT] = state[HAD_RIGHT] = state[ROBBED] = state[KEPT] = state[WAITING_ACE] = -1
    state[TRICK] = state[PLAYED] = state[PLAYS] = 0
    state[ORDER] = state[TRUE_ORDER] = ORDERS
    state[TOP] = 0
    state[TOP_TRICK] = -1
    state[OUTCOME] = UNFINISHED
    state[JOKER_TURNED] = state[TURNUP] == JOKER


@hot_kernel
def legal_actions(state: Vector, tables: Vector) -> int:
    """Return the mask of actions of the seat to act: empty when the deal is over."""
    phase = state[PHASE]
    if phase == PLAY:
        return legal_play(state, tables)
    if phase == ROB:
        return legal_rob(state, tables)
    return legal_jink() if phase == JINK else 0


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


@hot_kernel
def decision_slot(state: Vector) -> int:
    """Return the fixed number of this kind of decision: robbing, jinking, or a trick."""
    phase = state[PHASE]
    if phase == PLAY:
        return SLOT_PLAY + state[TRICK]
    if phase == JINK:
        return SLOT_JINK
    return SLOT_ROB + (state[TURNUP] == JOKER)
