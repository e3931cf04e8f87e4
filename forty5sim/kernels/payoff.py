"""What a finished deal is worth to each side: points won and lost, or the chance to win the game.

The payoff of a deal is the points less the mean of the other sides, in pot games the net chips
and an equal share of the pot left over. Where a game is played, a search may count the chance to
win it from the new score instead (``forty5sim.chances`` makes the table).
"""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ALONE,
    FAMILY,
    POINTS,
    POT,
    POT_CHIPS,
    SCORES,
    SEATS,
    SIDES,
    WINNER,
)
from forty5sim.kernels.search import (
    CHANCES,
    CHANCES_ALWAYS,
    CHANCES_LEVELS,
    CHANCES_LOWEST,
    CHANCES_SIDES,
    CHANCES_STEP,
)
from forty5sim.kernels.vector import Reals, Vector, reals_at


@kernel
def write_payoffs(state: Vector, tables: Vector, params: Reals, payoffs: Reals) -> None:
    """Write what a finished deal is worth to each side."""
    if params[CHANCES] != 0.0 and (state[ALONE] == 0 or params[CHANCES_ALWAYS] != 0.0):
        write_chances(state, params, payoffs)
        return
    for side in range(state[SIDES]):
        payoffs[side] = deal_payoff(state, tables, side, 0) / payoff_divisor(state, tables)


@kernel
def deal_payoff(state: Vector, tables: Vector, side: int, pot: int) -> int:
    """Return the payoff of a finished deal to a side, times ``payoff_divisor``.

    ``pot`` is what was in the pot before.
    """
    if tables[FAMILY] == POT:
        return state[SEATS] * state[POINTS + side] + state[POT_CHIPS] - pot
    total = 0
    for other in range(state[SIDES]):
        total += state[POINTS + other]
    return state[SIDES] * state[POINTS + side] - total


@kernel
def payoff_divisor(state: Vector, tables: Vector) -> int:
    """Return what makes ``deal_payoff`` whole."""
    return state[SEATS] if tables[FAMILY] == POT else state[SIDES] - 1


@kernel
def write_chances(state: Vector, params: Reals, payoffs: Reals) -> None:
    """Write each side's chance to win the game."""
    for side in range(state[SIDES]):
        if state[WINNER] >= 0:
            payoffs[side] = 1.0 if state[WINNER] == side else 0.0
        else:
            payoffs[side] = chance_of(state, params, side)


@kernel
def chance_of(state: Vector, params: Reals, side: int) -> float:
    """Return a side's chance to win a game that goes on, by its score and the best others'."""
    levels = int(params[CHANCES_LEVELS])
    place = level_of(state[SCORES + side], params)
    left = ((1 << state[SIDES]) - 1) & ~(1 << side)
    for _ in range(int(params[CHANCES_SIDES]) - 1):
        best = -1
        for other in range(state[SIDES]):
            if left >> other & 1 and (best < 0 or state[SCORES + other] > state[SCORES + best]):
                best = other
        left &= ~(1 << best)
        place = place * levels + level_of(state[SCORES + best], params)
    return reals_at(params[CHANCES])[place]


@kernel
def level_of(score: int, params: Reals) -> int:
    """Return the level of a score, the nearest one in the table."""
    level = (score - int(params[CHANCES_LOWEST])) // int(params[CHANCES_STEP])
    return min(max(level, 0), int(params[CHANCES_LEVELS]) - 1)
