"""What follows a trick, and the points of Forty-Five and its relatives (docs/rules.md 4)."""

from __future__ import annotations

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    BONUS,
    BONUS_BEST_TRUMP,
    BONUS_LAST_TRICK,
    BONUS_NEEDS_TOP,
    CAN_JINK,
    DEALER,
    FAMILY,
    HAND_SIZE,
    JINK,
    JINK_FAILED,
    JINK_MADE,
    JINKER,
    LEADER,
    LEVEL_PLAYS_ON,
    NEXT,
    OUTCOME,
    OVER,
    PHASE,
    PLAY,
    POINTS,
    POT,
    SCORE_FIVE_TEN,
    SCORE_POINTS,
    SCORED,
    SCORES,
    SEATS,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    STOP_AT_TARGET,
    SWEEP_WINS,
    TARGET,
    TIE,
    TIE_NONDEALER,
    TIE_TRICK_ORDER,
    TOP,
    TOP_MASK,
    TOP_TRICK,
    TRICK,
    TRICK_SCORING,
    TRUE_ORDER,
    TRUMP_POWER,
    WINNER,
    WINNERS,
)
from forty5sim.kernels.pot import after_pot_trick, settle_pot
from forty5sim.kernels.trick import card_in, give_turn, power_in
from forty5sim.kernels.vector import Vector

TRICK_POINTS = 5
BONUS_POINTS = 5
JINK_TRICKS = 3


@kernel
def after_trick(state: Vector, tables: Vector) -> None:
    """Go on with the next lead, ask about a jink, or end and settle the deal."""
    give_turn(state, state[LEADER])
    if tables[FAMILY] == POT:
        state[PHASE] = after_pot_trick(state, tables)
        if state[PHASE] == OVER:
            settle_pot(state, tables)
    else:
        state[PHASE] = after_counting_trick(state, tables)
        if state[PHASE] == OVER:
            settle_points(state, tables)


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
    for side in range(state[SIDES]):
        state[SCORES + side] += state[POINTS + side]


@kernel
def side_points(state: Vector, tables: Vector, side: int) -> int:
    """Return the points of a side for a deal that has ended."""
    taken = state[SIDE_TRICKS + side]
    scoring = tables[TRICK_SCORING]
    if scoring != SCORE_POINTS:
        return book_points(scoring, taken, state[TRICK], tables[HAND_SIZE])
    trick = bonus_trick(state, tables)
    earned = trick >= 0 and state[SIDE_OF + state[WINNERS + trick]] == side
    return TRICK_POINTS * taken + select(earned, BONUS_POINTS, 0)


@kernel
def book_points(scoring: int, taken: int, played: int, tricks: int) -> int:
    """Return the points of a side under five_ten and difference (docs/rules.md 4.2)."""
    if scoring == SCORE_FIVE_TEN:
        return 10 if taken == tricks else 5 if 2 * taken > tricks else 0
    return max(TRICK_POINTS * (2 * taken - played), 0)


@kernel
def bonus_trick(state: Vector, tables: Vector) -> int:
    """Return the trick (from 0) that carries the bonus; -1 if none, or not all were played."""
    bonus = tables[BONUS]
    if state[TRICK] < tables[HAND_SIZE]:
        return -1
    if bonus == BONUS_LAST_TRICK:
        return int(tables[HAND_SIZE]) - 1
    if bonus != BONUS_BEST_TRUMP or power_in(state[TOP]) < TRUMP_POWER:
        return -1
    is_top = (tables[state[TRUE_ORDER] + TOP_MASK] >> card_in(state[TOP])) & 1
    if tables[BONUS_NEEDS_TOP] and not is_top:
        return -1
    return state[TOP_TRICK]


@kernel
def game_winner(state: Vector, tables: Vector) -> int:
    """Return the side that has won the game with this deal, or -1; scores are those before it."""
    if state[OUTCOME] == JINK_FAILED:
        everybody_else = ((1 << state[SIDES]) - 1) & ~(1 << state[SIDE_OF + state[JINKER]])
        return first_from_left(state, highest(state, everybody_else))
    reached = 0
    for side in range(state[SIDES]):
        if tables[SWEEP_WINS] and state[SIDE_TRICKS + side] == tables[HAND_SIZE]:
            return side
        reached |= (total(state, side) >= tables[TARGET]) << side
    if reached == 0:
        return -1
    tie = tables[TIE]
    if tie == TIE_TRICK_ORDER:
        return first_to_reach(state, tables, reached)
    if tie == TIE_NONDEALER:
        return first_from_left(state, reached)
    best = highest(state, reached)
    level = best & (best - 1)
    if level and tables[LEVEL_PLAYS_ON]:
        return -1
    return first_from_left(state, best)


@kernel
def total(state: Vector, side: int) -> int:
    """Return the score of a side with this deal's points, before they are added."""
    return state[SCORES + side] + state[POINTS + side]


@kernel
def highest(state: Vector, sides: int) -> int:
    """Return the mask of the sides, of those given, with the highest total."""
    best = 0
    best_total = -1
    for side in range(state[SIDES]):
        if (sides >> side) & 1:
            points = total(state, side)
            if points > best_total:
                best_total = points
                best = 0
            best |= (points == best_total) << side
    return best


@kernel
def first_from_left(state: Vector, sides: int) -> int:
    """Return the first of these sides from the dealer's left, the dealer's side last."""
    own = state[SIDE_OF + state[DEALER]]
    seat = state[NEXT + state[DEALER]]
    for _ in range(state[SEATS]):
        side = state[SIDE_OF + seat]
        if side != own and (sides >> side) & 1:
            return side
        seat = state[NEXT + seat]
    return own


@kernel
def first_to_reach(state: Vector, tables: Vector, reached: int) -> int:
    """Return which of the sides that reached the target got there first, trick by trick.

    The bonus counts in the trick that carries it. Needs ``trick_scoring=points``.
    """
    bonus = bonus_trick(state, tables)
    for trick in range(state[TRICK]):
        side = state[SIDE_OF + state[WINNERS + trick]]
        so_far = state[SCORES + side]
        for earlier in range(trick + 1):
            mine = state[SIDE_OF + state[WINNERS + earlier]] == side
            so_far += select(mine, TRICK_POINTS + select(earlier == bonus, BONUS_POINTS, 0), 0)
        if (reached >> side) & 1 and so_far >= tables[TARGET]:
            return side
    return first_from_left(state, reached)
