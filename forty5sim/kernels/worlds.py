"""The worlds of a search: the unseen cards dealt again and again, each way equally likely.

The words of the worlds keep a copy of what is public, and all that is concluded from a view.
"""

from __future__ import annotations

from forty5sim.kernels.asking import serve
from forty5sim.kernels.determinize import ALL_FACTS_SIZE, determinize, prepare
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import PUBLIC_SIZE, SEAT
from forty5sim.kernels.rng import draw
from forty5sim.kernels.search import DEAL_WORLD, FIRST_WORLD, READ_VIEW, Decision
from forty5sim.kernels.shares import BINOMIALS, PLAN_SIZE, ROW
from forty5sim.kernels.vector import Reals, Vector, bare, readonly, reals

ROOM = 1 << 17
"""Words for the counts of class-count dealing (``shares``): with ten players up to 50 000 were
seen."""

PUBLIC = 0
FACTS = PUBLIC + PUBLIC_SIZE
PLAN = FACTS + ALL_FACTS_SIZE
ROOMS = PLAN + PLAN_SIZE
WORLDS_SIZE = ROOMS + ROOM


@kernel
def open_worlds(decision: Decision, words: Vector) -> bool:
    """Read what the seat to act knows; False if no world agrees, or there is too little room.

    Whatever was left in ``words``, by another bot perhaps, is cleared.
    """
    for word in range(FACTS, ROOMS):
        words[word] = 0
    for word in range(PUBLIC_SIZE):
        words[PUBLIC + word] = decision.public[word]
    service = int(decision.params[READ_VIEW])
    tables = decision.tables
    params = decision.params
    return serve(service, words, tables, params, words, decision.hand, decision.thrown) != 0


@kernel
def deal_world(decision: Decision, words: Vector, state: Vector, number: int) -> None:
    """Write world ``number`` of a decision; it depends on the decision's key and number alone."""
    key = draw(decision.key, FIRST_WORLD + number)
    service = int(decision.params[DEAL_WORLD])
    serve(service, state, decision.tables, decision.params, words, decision.thrown, key)


@kernel
def read_view(tables: Vector, words: Vector, hand: int, thrown: int) -> bool:
    """Read a view whose public part is in ``words``; False as in ``open_worlds``."""
    chances = reals(words, ROOMS)
    fill_binomials(chances)
    public = readonly(words, PUBLIC, PUBLIC_SIZE)
    facts = bare(words, FACTS)
    plan = bare(words, PLAN)
    seat = words[PUBLIC + SEAT]
    return prepare(public, hand, thrown, seat, False, tables, facts, plan, chances, ROOM) > 0.0


@kernel
def fill_binomials(chances: Reals) -> None:
    """Write how many ways there are to choose k of n cards."""
    for n in range(ROW):
        chances[BINOMIALS + n * ROW] = 1.0
        for k in range(1, n + 1):
            row = BINOMIALS + (n - 1) * ROW
            more = chances[row + k] if k < n else 0.0
            chances[BINOMIALS + n * ROW + k] = chances[row + k - 1] + more


@kernel
def write_world(state: Vector, tables: Vector, words: Vector, thrown: int, key: int) -> None:
    """Write a world that agrees with the view that was read."""
    public = readonly(words, PUBLIC, PUBLIC_SIZE)
    facts = bare(words, FACTS)
    plan = bare(words, PLAN)
    determinize(state, public, thrown, tables, facts, plan, reals(words, ROOMS), ROOM, key)
