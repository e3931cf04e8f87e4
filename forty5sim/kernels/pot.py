"""The pot of Spoil Five: antes, winning it, jinks, and the end of a game (docs/rules.md 5)."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    ANTE,
    ANTE_DEALER_DOUBLE,
    ANTE_DEALER_ONLY,
    ANTE_NEW_POT_ONLY,
    ANTE_REDUCED,
    ANTE_RULE,
    CAN_JINK,
    CLAIMER,
    DEALER,
    HAND_SIZE,
    JINK,
    JINK_BONUS,
    JINK_DOUBLES_POT,
    JINK_FAILED,
    JINK_MADE,
    JINKER,
    KEPT,
    LEADER,
    MISSED_BARS,
    NEXT,
    OUTCOME,
    OVER,
    PLAY,
    PLAY_OUT,
    POINTS,
    POT_CAP,
    POT_CHIPS,
    POT_WON,
    SCORES,
    SPOILED,
    TRICK,
    TRICKS,
    UNFINISHED,
    WIN_TRICKS,
)
from forty5sim.kernels.vector import Vector


@kernel
def ante_due(tables: Vector, pot: int, deals: bool) -> int:
    """Return the chips that a seat owes before a deal, by the pot and whether it deals."""
    rule = tables[ANTE_RULE]
    ante = tables[ANTE]
    if rule == ANTE_REDUCED:
        return (ante if pot == 0 else 1) + deals
    if rule == ANTE_DEALER_ONLY:
        capped = 0 <= tables[POT_CAP] <= pot
        return ante if pot == 0 or (deals and not capped) else 0
    if rule == ANTE_NEW_POT_ONLY:
        return ante if pot == 0 else 0
    return 2 * ante if deals and rule == ANTE_DEALER_DOUBLE else ante


@kernel
def pay_antes(state: Vector, tables: Vector) -> None:
    """Let every playing seat put its ante into the pot, or what it has left."""
    pot = state[POT_CHIPS]
    seat = state[DEALER]
    for _ in range(state[ACTIVE]):
        paid = min(ante_due(tables, pot, seat == state[DEALER]), state[SCORES + seat])
        move_chips(state, seat, -paid)
        state[POT_CHIPS] += paid
        seat = state[NEXT + seat]


@kernel
def move_chips(state: Vector, seat: int, chips: int) -> None:
    """Add chips to a seat's stack and to its net gain of the deal."""
    state[SCORES + seat] += chips
    state[POINTS + seat] += chips


@kernel
def after_pot_trick(state: Vector, tables: Vector) -> int:
    """Return the phase that follows a trick, after noting what it decided."""
    last = state[TRICK] == tables[HAND_SIZE]
    if state[OUTCOME] == UNFINISHED:
        if state[JINKER] >= 0:
            judge_jink(state, last)
        elif wins_pot(state, tables):
            if tables[CAN_JINK] and state[TRICK] == tables[WIN_TRICKS] and not last:
                return JINK
            claim_pot(state)
        elif last:
            state[OUTCOME] = SPOILED
    ended = last or (state[OUTCOME] != UNFINISHED and not tables[PLAY_OUT])
    return OVER if ended else PLAY


@kernel
def wins_pot(state: Vector, tables: Vector) -> bool:
    """Say whether the winner of the last trick has enough tricks, and is not barred."""
    winner = state[LEADER]
    barred = tables[MISSED_BARS] and state[KEPT] == winner
    return bool(state[TRICKS + winner] == tables[WIN_TRICKS] and not barred)


@kernel
def claim_pot(state: Vector) -> None:
    """Give the pot to the winner of the last trick."""
    state[CLAIMER] = state[LEADER]
    state[OUTCOME] = POT_WON


@kernel
def judge_jink(state: Vector, last: bool) -> None:
    """Note a jink failed with a trick lost, or made with the last one won."""
    if state[LEADER] != state[JINKER]:
        state[OUTCOME] = JINK_FAILED
    elif last:
        state[OUTCOME] = JINK_MADE
        state[CLAIMER] = state[JINKER]


@kernel
def settle_pot(state: Vector, tables: Vector) -> None:
    """Pay the pot, and a jink's reward, to who has won it."""
    winner = state[CLAIMER]
    if winner < 0:
        return
    if state[OUTCOME] == JINK_MADE:
        pay_jinker(state, tables)
    move_chips(state, winner, state[POT_CHIPS])
    state[POT_CHIPS] = 0


@kernel
def pay_jinker(state: Vector, tables: Vector) -> None:
    """Let each opponent pay the jinker, from the left; who has less pays what it has."""
    winner = state[CLAIMER]
    opponents = state[ACTIVE] - 1
    share = tables[JINK_BONUS]
    odd = 0
    if tables[JINK_DOUBLES_POT]:
        share = state[POT_CHIPS] // opponents
        odd = state[POT_CHIPS] - share * opponents
    seat = state[NEXT + winner]
    for place in range(opponents):
        paid = min(share + (place < odd), state[SCORES + seat])
        move_chips(state, seat, -paid)
        move_chips(state, winner, paid)
        seat = state[NEXT + seat]
