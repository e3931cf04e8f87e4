"""``ismcts``: one tree of what the searcher can see, over all worlds (``kernels.tree``)."""

from __future__ import annotations

from forty5sim.kernels.jit import entry
from forty5sim.kernels.search import Decision
from forty5sim.kernels.tree import search_tree
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
    """Play the action that the tree search tried most often."""
    return search_tree(Decision(public, hand, thrown, legal, tables, key, params, workspace))
