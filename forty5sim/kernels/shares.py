"""Dealing unseen cards to bins under constraints: counted and drawn, each deal equally likely.

Bins (``evidence``) that allow the same cards are one *group*. If the groups allow ever more cards
(each what the one before allows, and more), dealing them in this order is exact: whatever the
first have taken, the later have the same number to choose from. Else the unseen cards are put
into *classes* of cards that the same groups allow, and a table counts, for each class on and
each vector of needs, the ways to fill them (class-count method); a deal is drawn class by class
with its exact chances.

``plan`` holds the groups, classes and, at the end, the bins' cards; ``chances`` the binomial
coefficients and the table, as float64: exact up to 2^53 ways, and to 16 digits beyond.
"""

from __future__ import annotations

from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.evidence import ALLOW, BINS, NEED, UNSEEN
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import MAX_DECK, MAX_SEATS
from forty5sim.kernels.rng import below, draw, fraction
from forty5sim.kernels.vector import Reals, Vector

# the plan
GROUPS = 0  # how many
NESTED = 1  # whether each group allows all that the one before allows
CLASSES = 2  # how many; 0 where groups are nested
STATES = 3  # vectors of needs
ABSORBER = 4  # the group whose need follows from those of the others
SIZE = 5  # unseen cards
GROUP_ALLOW = 6
GROUP_NEED = GROUP_ALLOW + BINS
GROUP_BINS = GROUP_NEED + BINS  # mask of its bins
STRIDE = GROUP_BINS + BINS  # of a group's need in the number of a vector of needs
TAKEN = STRIDE + BINS  # scratch: what each group takes of a class
END = TAKEN + BINS  # nested: how many of CARDS a group allows
CLASS_CARDS = END + BINS
CLASS_GROUPS = CLASS_CARDS + MAX_DECK  # mask of the groups that allow it
CARDS = CLASS_GROUPS + MAX_DECK  # nested: those of the first group first
PACK = CARDS + MAX_DECK  # scratch: cards being dealt
HEAP = PACK + MAX_DECK  # scratch: each group's cards
LOT = HEAP + BINS  # the bins' cards: what is drawn
HYPOTHESIS = LOT + BINS  # the one that this plan is made for
PLAN_SIZE = HYPOTHESIS + 1

# chances
ROW = MAX_DECK + 1
BINOMIALS = 0  # [n][k]
WEIGHTS = ROW * ROW  # per hypothesis: ways to deal
MOST_LIKELY = WEIGHTS + MAX_SEATS + 1  # see forty5sim.kernels.restock
TABLE = MOST_LIKELY + 1


@kernel
def binomial(chances: Reals, n: int, k: int) -> float:
    """Return how many ways there are to choose k of n cards, 0 <= k <= n."""
    return chances[BINOMIALS + n * ROW + k]


@kernel
def plan_lots(facts: Vector, plan: Vector, chances: Reals, room: int) -> float:
    """Prepare drawing, and return the number of ways to deal the unseen cards to the bins.

    Returns -1 minus the words that ``chances`` needs if it has room for fewer.
    """
    for b in range(BINS):
        if facts[NEED + b] < 0 or popcount(facts[ALLOW + b]) < facts[NEED + b]:
            return 0.0
    gather_groups(facts, plan)
    plan[SIZE] = popcount(facts[UNSEEN])
    plan[CLASSES] = 0
    if plan[NESTED]:
        ways = plan_nested(facts, plan, chances)
    else:
        split_classes(facts, plan)
        number_needs(plan)
        words = TABLE + (plan[CLASSES] + 1) * plan[STATES]
        if words > room:
            return -1.0 - words
        fill_table(plan, chances)
        ways = chances[TABLE + plan[STATES] - 1]
    return ways * ways_within_groups(facts, plan, chances)


@kernel
def gather_groups(facts: Vector, plan: Vector) -> None:
    """Put bins that allow the same cards together, the narrowest first."""
    count = 0
    for b in range(BINS):
        if facts[NEED + b] == 0:
            continue
        allow = facts[ALLOW + b]
        g = 0
        while g < count and plan[GROUP_ALLOW + g] != allow:
            g += 1
        if g == count:
            g = insert_group(plan, count, allow)
            count += 1
        plan[GROUP_NEED + g] += facts[NEED + b]
        plan[GROUP_BINS + g] |= 1 << b
    plan[GROUPS] = count
    plan[NESTED] = 1
    for g in range(count - 1):
        if plan[GROUP_ALLOW + g] & ~plan[GROUP_ALLOW + g + 1]:
            plan[NESTED] = 0


@kernel
def insert_group(plan: Vector, count: int, allow: int) -> int:
    """Make place for a group among those that allow fewer and more cards; return its number."""
    g = count
    while g > 0 and popcount(plan[GROUP_ALLOW + g - 1]) > popcount(allow):
        plan[GROUP_ALLOW + g] = plan[GROUP_ALLOW + g - 1]
        plan[GROUP_NEED + g] = plan[GROUP_NEED + g - 1]
        plan[GROUP_BINS + g] = plan[GROUP_BINS + g - 1]
        g -= 1
    plan[GROUP_ALLOW + g] = allow
    plan[GROUP_NEED + g] = plan[GROUP_BINS + g] = 0
    return g


@kernel
def ways_within_groups(facts: Vector, plan: Vector, chances: Reals) -> float:
    """Return the ways to share out the groups' cards among their bins."""
    ways = 1.0
    for g in range(plan[GROUPS]):
        left = plan[GROUP_NEED + g]
        bins = plan[GROUP_BINS + g]
        while bins:
            need = facts[NEED + lowest(bins)]
            ways *= binomial(chances, left, need)
            left -= need
            bins &= bins - 1
    return ways


# --- nested groups --------------------------------------------------------------------------------


@kernel
def plan_nested(facts: Vector, plan: Vector, chances: Reals) -> float:
    """List the cards group by group, and return the ways to fill the groups."""
    ways = 1.0
    before = place = taken = 0
    for g in range(plan[GROUPS]):
        fresh = plan[GROUP_ALLOW + g] & ~before
        before = plan[GROUP_ALLOW + g]
        while fresh:
            plan[CARDS + place] = lowest(fresh)
            fresh &= fresh - 1
            place += 1
        plan[END + g] = place
        need = plan[GROUP_NEED + g]
        if need > place - taken:
            return 0.0
        ways *= binomial(chances, place - taken, need)
        taken += need
    return ways if before == facts[UNSEEN] else 0.0


@kernel
def draw_nested(facts: Vector, plan: Vector, key: int) -> None:
    """Draw the bins' cards, group by group; the last bin takes what is left."""
    for place in range(plan[SIZE]):
        plan[PACK + place] = plan[CARDS + place]
    place = 0
    for g in range(plan[GROUPS]):
        bins = plan[GROUP_BINS + g]
        while bins:
            b = lowest(bins)
            bins &= bins - 1
            until = place + facts[NEED + b]
            end = place if until == plan[SIZE] else plan[END + g]
            plan[LOT + b] = pick_lot(plan, place, until, end, key)
            place = until


@kernel
def pick(plan: Vector, place: int, end: int, key: int) -> None:
    """Bring a random one of the cards from a place up to an end to that place."""
    j = place + below(draw(key, place), end - place)
    card = plan[PACK + j]
    plan[PACK + j] = plan[PACK + place]
    plan[PACK + place] = card


# --- classes of cards -----------------------------------------------------------------------------


@kernel
def split_classes(facts: Vector, plan: Vector) -> None:
    """Put the unseen cards into classes of those that the same groups allow."""
    count = 1
    plan[CLASS_CARDS] = facts[UNSEEN]
    plan[CLASS_GROUPS] = 0
    for g in range(plan[GROUPS]):
        allow = plan[GROUP_ALLOW + g]
        for c in range(count):
            cards = plan[CLASS_CARDS + c]
            if cards & allow == cards:
                plan[CLASS_GROUPS + c] |= 1 << g
            elif cards & allow:
                plan[CLASS_CARDS + count] = cards & ~allow
                plan[CLASS_GROUPS + count] = plan[CLASS_GROUPS + c]
                plan[CLASS_CARDS + c] = cards & allow
                plan[CLASS_GROUPS + c] |= 1 << g
                count += 1
    plan[CLASSES] = count


@kernel
def number_needs(plan: Vector) -> None:
    """Choose the group that absorbs what the others leave, and number their vectors of needs."""
    absorber = 0
    for g in range(plan[GROUPS]):
        if plan[GROUP_NEED + g] >= plan[GROUP_NEED + absorber]:
            absorber = g
    plan[ABSORBER] = absorber
    states = 1
    for g in range(plan[GROUPS]):
        plan[STRIDE + g] = states
        if g != absorber:
            states *= plan[GROUP_NEED + g] + 1
    plan[STATES] = states


@kernel
def fill_table(plan: Vector, chances: Reals) -> None:
    """Count the ways to fill each vector of needs from each class on."""
    states = plan[STATES]
    last = TABLE + plan[CLASSES] * states
    for state in range(states):
        chances[last + state] = 0.0
    chances[last] = 1.0
    for step in range(plan[CLASSES]):
        c = plan[CLASSES] - 1 - step
        for state in range(states):
            chances[TABLE + c * states + state] = sum_shares(plan, chances, c, state, -1.0)


@kernel
def need_in(plan: Vector, state: int, group: int) -> int:
    """Return a group's need in a vector of needs."""
    return state // plan[STRIDE + group] % (plan[GROUP_NEED + group] + 1)


@kernel
def sum_shares(plan: Vector, chances: Reals, c: int, state: int, mark: float) -> float:
    """Sum over the ways to share class ``c`` out, those to fill what needs are left then.

    Stops at the share with which the sum passes ``mark``, and leaves it in TAKEN.
    """
    size = popcount(plan[CLASS_CARDS + c])
    absorbs = plan[CLASS_GROUPS + c] >> plan[ABSORBER] & 1
    takers = plan[CLASS_GROUPS + c] & ~(1 << plan[ABSORBER])
    following = TABLE + (c + 1) * plan[STATES]
    for g in range(plan[GROUPS]):
        plan[TAKEN + g] = 0
    left = size
    target = state
    total = 0.0
    while True:
        if left == 0 or absorbs:
            ways = chances[following + target]
            if ways > 0.0:
                total += ways * ways_to_share(plan, chances, takers, size)
                if 0.0 <= mark < total:
                    return total
        rest = takers
        while rest:
            g = lowest(rest)
            taken = plan[TAKEN + g]
            if left > 0 and taken < need_in(plan, state, g):
                plan[TAKEN + g] = taken + 1
                left -= 1
                target -= plan[STRIDE + g]
                break
            left += taken
            target += taken * plan[STRIDE + g]
            plan[TAKEN + g] = 0
            rest &= rest - 1
        if rest == 0:
            return total


@kernel
def ways_to_share(plan: Vector, chances: Reals, takers: int, size: int) -> float:
    """Return the ways to choose what each group takes of a class of this size."""
    ways = 1.0
    while takers:
        taken = plan[TAKEN + lowest(takers)]
        ways *= binomial(chances, size, taken)
        size -= taken
        takers &= takers - 1
    return ways


@kernel
def draw_by_classes(facts: Vector, plan: Vector, chances: Reals, key: int) -> None:
    """Draw the groups' cards class by class, then share them out among their bins."""
    for g in range(plan[GROUPS]):
        plan[HEAP + g] = 0
    state = plan[STATES] - 1
    for c in range(plan[CLASSES]):
        ways = chances[TABLE + c * plan[STATES] + state]
        sum_shares(plan, chances, c, state, ways * fraction(draw(key, c)))
        state = draw_class(plan, c, state, draw(key, MAX_DECK + c))
    for g in range(plan[GROUPS]):
        share_group(facts, plan, g, draw(key, 2 * MAX_DECK + g))


@kernel
def draw_class(plan: Vector, c: int, state: int, key: int) -> int:
    """Give each group its random cards of a class; return the needs that are left."""
    end = list_cards(plan, plan[CLASS_CARDS + c])
    place = 0
    for g in range(plan[GROUPS]):
        if g == plan[ABSORBER] or not plan[CLASS_GROUPS + c] >> g & 1:
            continue
        taken = plan[TAKEN + g]
        state -= taken * plan[STRIDE + g]
        plan[HEAP + g] |= pick_lot(plan, place, place + taken, end, key)
        place += taken
    plan[HEAP + plan[ABSORBER]] |= pick_lot(plan, place, end, place, key)
    return state


@kernel
def share_group(facts: Vector, plan: Vector, group: int, key: int) -> None:
    """Share a group's cards out among its bins; the last takes what is left."""
    end = list_cards(plan, plan[HEAP + group])
    place = 0
    bins = plan[GROUP_BINS + group]
    while bins:
        b = lowest(bins)
        bins &= bins - 1
        until = place + facts[NEED + b]
        plan[LOT + b] = pick_lot(plan, place, until, end if bins else place, key)
        place = until


@kernel
def pick_lot(plan: Vector, place: int, until: int, end: int, key: int) -> int:
    """Take the cards of these places as a mask, each a random one of those up to ``end``.

    They are taken as they lie if ``end`` is not beyond.
    """
    lot = 0
    while place < until:
        if end > place:
            pick(plan, place, end, key)
        lot |= 1 << plan[PACK + place]
        place += 1
    return lot


@kernel
def list_cards(plan: Vector, cards: int) -> int:
    """Lay the cards of a mask out for dealing; return how many they are."""
    count = 0
    while cards:
        plan[PACK + count] = lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@kernel
def draw_lots(facts: Vector, plan: Vector, chances: Reals, key: int) -> None:
    """Deal the unseen cards to the bins, into LOT; every way is equally likely."""
    for b in range(BINS):
        plan[LOT + b] = 0
    if plan[NESTED]:
        draw_nested(facts, plan, key)
    else:
        draw_by_classes(facts, plan, chances, key)
