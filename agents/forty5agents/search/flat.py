"""``mc``, ``pimc``, ``iimc``: every legal action tried in the same sampled worlds.

``mc`` plays the worlds out at random, ``iimc`` by a real policy that sees only each seat's own
view, ``pimc`` until few tricks are left, which it solves with all cards seen (``kernels.trials``).
"""

from __future__ import annotations

from forty5sim.kernels.jit import entry
from forty5sim.kernels.search import Decision
from forty5sim.kernels.trials import search_flat
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
    """Play the action with the best mean over all worlds."""
    return search_flat(Decision(public, hand, thrown, legal, tables, key, params, workspace))
