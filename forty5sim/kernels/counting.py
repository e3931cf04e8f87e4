"""Forty-Five and its relatives: what follows a trick, points, who wins (docs/rules.md 4)."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    CAN_JINK,
    HAND_SIZE,
    JINK,
    JINK_FAILED,
    JINK_MADE,
    JINKER,
    LEADER,
    OUTCOME,
    OVER,
    PLAY,
    POINTS,
    SCORED,
    SCORES,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    STOP_AT_TARGET,
    SWEEP_WINS,
    TARGET,
    TIE,
    TIE_NONDEALER,
    TIE_TRICK_ORDER,
    TRICK,
    WINNER,
)
from forty5sim.kernels.points import (
    TRICK_POINTS,
    add_points,
    best_total,
    first_from_left,
    first_to_reach,
    highest,
    side_points,
    sides_at_target,
)
from forty5sim.kernels.vector import Vector

JINK_TRICKS = 3


@kernel
def after_counting_trick(state: Vector, tables: Vector) -> int:
    """Return the phase that follows a trick of a counting game."""
    winner = state[LEADER]
    side = state[SIDE_OF + winner]
    done = state[TRICK]
    jinker = state[JINKER]
    if jinker >= 0 and state[SIDE_OF + jinker] != side:
        return OVER
    if done == tables[HAND_SIZE]:
        return OVER
    taken = state[SIDE_TRICKS + side]
    if tables[STOP_AT_TARGET] and state[SCORES + side] + TRICK_POINTS * taken >= tables[TARGET]:
        return OVER
    if tables[CAN_JINK] and done == JINK_TRICKS and taken == JINK_TRICKS:
        return JINK
    return PLAY


@kernel
def settle_points(state: Vector, tables: Vector) -> None:
    """Write the points of the deal and the new scores, and find whether the game is won."""
    for side in range(state[SIDES]):
        state[POINTS + side] = side_points(state, tables, side)
    jinker = state[JINKER]
    outcome = SCORED
    if jinker >= 0:
        side = state[SIDE_OF + jinker]
        outcome = JINK_MADE if state[SIDE_TRICKS + side] == tables[HAND_SIZE] else JINK_FAILED
        if outcome == JINK_MADE:
            state[POINTS + side] *= 2
    state[OUTCOME] = outcome
    if state[WINNER] < 0:
        state[WINNER] = game_winner(state, tables)
    add_points(state)


@kernel
def game_winner(state: Vector, tables: Vector) -> int:
    """Return the side that has won the game with this deal, or -1; scores are those before it."""
    if state[OUTCOME] == JINK_FAILED:
        everybody_else = ((1 << state[SIDES]) - 1) & ~(1 << state[SIDE_OF + state[JINKER]])
        return first_from_left(state, highest(state, everybody_else))
    for side in range(state[SIDES]):
        if tables[SWEEP_WINS] and state[SIDE_TRICKS + side] == tables[HAND_SIZE]:
            return side
    reached = sides_at_target(state, tables)
    if reached == 0:
        return -1
    tie = tables[TIE]
    if tie == TIE_TRICK_ORDER:
        return first_to_reach(state, tables, reached)
    if tie == TIE_NONDEALER:
        return first_from_left(state, reached)
    return best_total(state, tables, reached)
