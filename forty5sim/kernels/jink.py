"""The jink window: who has all the tricks so far undertakes to win all, or not (4.6, 5.3)."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    DECLARE_JINK,
    FAMILY,
    JINKER,
    OVER,
    PHASE,
    PLAY,
    PLAY_OUT,
    POT,
    SEAT,
    STOP,
)
from forty5sim.kernels.pot import claim_pot, settle_pot
from forty5sim.kernels.vector import Vector


@kernel
def legal_jink() -> int:
    """Return the two choices of a seat that may jink."""
    return 1 << DECLARE_JINK | 1 << STOP


@kernel
def apply_jink(state: Vector, tables: Vector, action: int) -> None:
    """Declare a jink, or stop: take the pot, or in a counting game play on."""
    state[PHASE] = PLAY
    if action == DECLARE_JINK:
        state[JINKER] = state[SEAT]
    elif tables[FAMILY] == POT:
        claim_pot(state)
        if not tables[PLAY_OUT]:
            state[PHASE] = OVER
            settle_pot(state, tables)
