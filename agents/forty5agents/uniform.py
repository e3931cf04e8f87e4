"""``random``: every legal action is equally likely. The floor of every comparison."""

from __future__ import annotations

from forty5sim.agent import CompiledAgent
from forty5sim.kernels.jit import entry
from forty5sim.kernels.playout import choose_randomly
from forty5sim.kernels.vector import Reals, Vector


@entry
def choose(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    key: int,
    params: Reals,
    workspace: Vector,
) -> int:
    """Draw one of the legal actions."""
    return choose_randomly(legal, key)


def build() -> CompiledAgent:
    """Return the bot that plays at random."""
    return CompiledAgent(name="random", version=1, choose=choose)
