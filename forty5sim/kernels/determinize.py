"""Determinization: whole deals that agree with an information set, each equally likely.

``prepare`` reads what an observer knows, once a decision; ``determinize`` writes one complete
state, from which the engine can play on, for each key.
"""

from __future__ import annotations

from forty5sim.kernels.evidence import (
    EITHER,
    EXCUSE,
    EXCUSED,
    FACTS_SIZE,
    FEW,
    HEARTS,
    POSSIBLE,
    RETURNED,
)
from forty5sim.kernels.hidden import (
    write_hidden,
)
from forty5sim.kernels.infoset import (
    read_facts,
)
from forty5sim.kernels.jit import (
    kernel,
)
from forty5sim.kernels.layout import (
    MAX_SEATS,
    PUBLIC_SIZE,
    SEATS,
)
from forty5sim.kernels.restock import (
    histories,
    most_histories,
)
from forty5sim.kernels.rng import (
    draw,
    fraction,
)
from forty5sim.kernels.robbers import (
    list_robbers,
)
from forty5sim.kernels.shares import (
    HYPOTHESIS,
    LOT,
    MOST_LIKELY,
    WEIGHTS,
    draw_lots,
    plan_lots,
)
from forty5sim.kernels.vector import (
    Reals,
    Vector,
    bare,
)

MAX_HYPOTHESES = MAX_SEATS + 1
ALL_FACTS_SIZE = MAX_HYPOTHESES * FACTS_SIZE

# draws of a determinization's key; those of ``hidden`` follow
_HYPOTHESIS, _LOTS, _KEEP = range(3)
_NEXT = 6  # the key of the next attempt, when one is rejected


@kernel
def prepare(
    public: Vector,
    hand: int,
    thrown: int,
    observer: int,
    idle: bool,
    tables: Vector,
    facts: Vector,
    plan: Vector,
    chances: Reals,
    room: int,
) -> float:
    """Read what an observer knows; return the ways to deal the unseen cards.

    ``idle`` says that the observer is not asked for an action. Either-ors are not counted: ways
    that they exclude are drawn and rejected. ``facts`` has room for MAX_HYPOTHESES. Returns 0 if
    nothing agrees, and less if ``chances`` has too little room (see ``plan_lots``).
    """
    robbers = bare(plan, 0)  # free until a plan is made
    read_facts(public, hand, thrown, observer, idle, -1, tables, facts)
    count = list_robbers(public, thrown, tables, facts, robbers)
    for h in range(count):
        robber = robbers[h]
        own = bare(facts, h * FACTS_SIZE)
        read_facts(public, hand, thrown, observer, idle, robber, tables, own)
    total = 0.0
    for h in range(MAX_HYPOTHESES):
        ways = 0.0
        own = bare(facts, h * FACTS_SIZE)
        if h < count and own[POSSIBLE]:
            ways = plan_lots(own, plan, chances, room)
            plan[HYPOTHESIS] = h
            if ways < 0.0:
                return ways
        chances[WEIGHTS + h] = ways
        total += ways
    if total > 0.0:
        chances[MOST_LIKELY] = most_histories(public, tables, facts, plan, chances)
    return total


@kernel
def determinize(
    state: Vector,
    public: Vector,
    thrown: int,
    tables: Vector,
    facts: Vector,
    plan: Vector,
    chances: Reals,
    room: int,
    key: int,
) -> None:
    """Write a complete state that agrees with what ``prepare`` has read."""
    for word in range(PUBLIC_SIZE):
        state[word] = public[word]
    attempt = draw(key, 0)
    while True:
        h = draw_hypothesis(chances, fraction(draw(attempt, _HYPOTHESIS)))
        own = bare(facts, h * FACTS_SIZE)
        if h != plan[HYPOTHESIS]:
            plan_lots(own, plan, chances, room)
            plan[HYPOTHESIS] = h
        draw_lots(own, plan, chances, draw(attempt, _LOTS))
        if agrees(own, plan, public[SEATS]) and is_kept(
            public, tables, own, plan, chances, draw(attempt, _KEEP)
        ):
            break
        attempt = draw(attempt, _NEXT)
    write_hidden(state, tables, own, plan, thrown, attempt)


@kernel
def draw_hypothesis(chances: Reals, part: float) -> int:
    """Return a hypothesis, each with a chance in proportion to its ways."""
    total = 0.0
    for h in range(MAX_HYPOTHESES):
        total += chances[WEIGHTS + h]
    mark = total * part
    chosen = 0
    total = 0.0
    for h in range(MAX_HYPOTHESES):
        if chances[WEIGHTS + h] > 0.0 and total <= mark:
            chosen = h
        total += chances[WEIGHTS + h]
    return chosen


@kernel
def agrees(facts: Vector, plan: Vector, seats: int) -> bool:
    """Say whether the hands drawn agree with the either-ors."""
    for seat in range(seats):
        hand = plan[LOT + seat]
        few = hand & facts[FEW + seat]
        if few & (few - 1):
            return False
        either = facts[EITHER + seat]
        excused = either == 0 or hand & facts[EXCUSE + seat] != 0
        if not excused and (either == EXCUSED or hand & facts[HEARTS]):
            return False
    return True


@kernel
def is_kept(
    public: Vector, tables: Vector, facts: Vector, plan: Vector, chances: Reals, bits: int
) -> bool:
    """Keep the hands drawn with a chance in proportion to the histories that they explain."""
    if facts[RETURNED] == 0:
        return True
    part = histories(public, tables, facts, plan, chances)
    return fraction(bits) * chances[MOST_LIKELY] < part
