"""What follows a trick: the next lead, a question about a jink, or the end of the deal."""

from __future__ import annotations

from forty5sim.kernels.contracts import after_contract_trick
from forty5sim.kernels.counting import after_counting_trick, settle_points
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    COUNTING,
    FAMILY,
    LEADER,
    OVER,
    PHASE,
    POT,
)
from forty5sim.kernels.pot import after_pot_trick, settle_pot
from forty5sim.kernels.trick import give_turn
from forty5sim.kernels.vector import Vector


@kernel
def after_trick(state: Vector, tables: Vector) -> None:
    """Go on with the next lead, ask about a jink, or end and settle the deal."""
    give_turn(state, state[LEADER])
    family = tables[FAMILY]
    if family == COUNTING:
        state[PHASE] = after_counting_trick(state, tables)
        if state[PHASE] == OVER:
            settle_points(state, tables)
    elif family == POT:
        state[PHASE] = after_pot_trick(state, tables)
        if state[PHASE] == OVER:
            settle_pot(state, tables)
    else:
        after_contract_trick(state, tables)
