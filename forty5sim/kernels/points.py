"""Points by tricks and bonus, and comparing the totals of sides (docs/rules.md 4.1, 4.2, 4.4)."""

from __future__ import annotations

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    BONUS,
    BONUS_BEST_TRUMP,
    BONUS_LAST_TRICK,
    BONUS_NEEDS_TOP,
    DEALER,
    HAND_SIZE,
    LEVEL_PLAYS_ON,
    NEXT,
    POINTS,
    SCORE_FIVE_TEN,
    SCORE_POINTS,
    SCORES,
    SEATS,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    TARGET,
    TOP,
    TOP_MASK,
    TOP_TRICK,
    TRICK,
    TRICK_SCORING,
    TRUE_ORDER,
    TRUMP_POWER,
    WINNERS,
)
from forty5sim.kernels.trick import card_in, power_in
from forty5sim.kernels.vector import Vector

TRICK_POINTS = 5
BONUS_POINTS = 5
LEAST = -(10**9)  # less than any score


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
def total(state: Vector, side: int) -> int:
    """Return the score of a side with this deal's points, before they are added."""
    return state[SCORES + side] + state[POINTS + side]


@kernel
def add_points(state: Vector) -> None:
    """Add the points of the deal to the scores."""
    for side in range(state[SIDES]):
        state[SCORES + side] += state[POINTS + side]


@kernel
def sides_at_target(state: Vector, tables: Vector) -> int:
    """Return the mask of the sides that reach the target with this deal."""
    reached = 0
    for side in range(state[SIDES]):
        reached |= (total(state, side) >= tables[TARGET]) << side
    return reached


@kernel
def highest(state: Vector, sides: int) -> int:
    """Return the mask of the sides, of those given, with the highest total."""
    best = 0
    most = LEAST
    for side in range(state[SIDES]):
        if (sides >> side) & 1:
            points = total(state, side)
            if points > most:
                most = points
                best = 0
            best |= (points == most) << side
    return best


@kernel
def best_total(state: Vector, tables: Vector, sides: int) -> int:
    """Return which of these sides has the highest total; -1 if they are level and play on."""
    best = highest(state, sides)
    level = best & (best - 1)
    if level and tables[LEVEL_PLAYS_ON]:
        return -1
    return first_from_left(state, best)


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
