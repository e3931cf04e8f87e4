"""Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

One tree of what the searcher could see: an edge is an action as it looks from the searcher's seat
(its *token*). Every iteration deals the unseen cards anew and walks down: a node's children are
those whose actions are legal in this world, chosen by the upper confidence bound

    mean + c * spread * sqrt(ln(available) / visits)

where ``available`` counts the iterations in which the child could have been chosen; then one
child is added and the world played out. Each child holds the payoffs of the side that moved into
it, so that every side maximises its own (max^n); or all others minimise the searcher's
(paranoid); or they play by the policy of the playouts. ``spread`` is twice the standard deviation
of the searcher's payoffs so far: 1 for a game won or lost as often. With common worlds the k-th try
of every action of the root is made in world k, so that luck with the cards cancels.

What is hidden from the searcher has no edge of its own: a card thrown by another seat is one token
whatever it is, and is chosen, like calls of others, by the playouts' policy.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from forty5sim.kernels.asking import serve
from forty5sim.kernels.bits import lowest, nth, popcount, wrapping_multiply
from forty5sim.kernels.clock import now
from forty5sim.kernels.findings import (
    FINDINGS_SIZE,
    MOST_ACTIONS,
    TRIED,
    add_finding,
    open_findings,
)
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.layout import (
    ASSIGN,
    DISCARD,
    DONE,
    JINK,
    KEEP,
    MAX_SEATS,
    NAME_SUIT,
    NO_SUIT_GIVEN,
    PHASE,
    PLAY,
    ROB,
    ROB_SEEN,
    SEAT,
    SIDE_OF,
    STATE_SIZE,
)
from forty5sim.kernels.payoff import write_payoffs
from forty5sim.kernels.policies import RANDOM, forget_notes, policy_action
from forty5sim.kernels.rng import GOLDEN, below, draw
from forty5sim.kernels.search import (
    AS_POLICY,
    BUDGET,
    CARRY_ON,
    COMMON_WORLDS,
    EXPLORATION,
    FINISHED,
    ILLEGAL,
    LOG_COUNT,
    LOGS,
    MEMORY,
    OPPONENTS,
    PARANOID,
    PLAYOUT,
    SECONDS,
    STEP,
    TO_THE_VERY_END,
    Decision,
)
from forty5sim.kernels.vector import Reals, Vector, bare, reals, reals_at
from forty5sim.kernels.worlds import WORLDS_SIZE, deal_world, open_worlds

# the workspace
WORLDS = FINDINGS_SIZE
STATE = WORLDS + WORLDS_SIZE
PAYOFFS = STATE + STATE_SIZE  # per side
CHILDREN = PAYOFFS + MAX_SEATS  # scratch: the rows of the legal children of a node
SQUARES = CHILDREN + MOST_ACTIONS  # per action of the searcher: sum of squared payoffs, float64
PATH = SQUARES + MOST_ACTIONS
MOST_DEPTH = 256  # edges from the root to a leaf
POLICY_WORDS = PATH + 2 * MOST_DEPTH
POLICY_WORDS_SIZE = 1 << 10
TREE = POLICY_WORDS + POLICY_WORDS_SIZE  # rows, found by hashing parent and token

# a row of the tree: the child of a node
KEY = 0  # parent and token, 0: free
VISITS = 1
AVAILABLE = 2
TOTAL = 3  # payoffs of the side that moved, float64
ROW_SIZE = 4

ROOT = 0x3FFFFFFF  # in place of a row
TOKENS = 1 << 8
NO_TOKEN = 0  # nothing that the searcher could notice
ROBBED_BY, THREW = 64, 128  # and the seat
GAVE_SUIT = 192  # and the suit

CHECK_CLOCK = 64  # iterations between looks at the clock
SETTLE_SPREAD = 32  # the spread is worked out every so many iterations


class Tree(NamedTuple):
    """The rows of a tree and what selecting needs."""

    rows: Any
    totals: Any  # the same memory as float64
    mask: int  # rows, less one
    logs: Any
    log_count: int


@kernel
def search_tree(decision: Decision) -> int:
    """Return the most visited action; -1 if a policy answered illegally."""
    words = decision.workspace
    params = decision.params
    open_findings(words)
    if not open_worlds(decision, bare(words, WORLDS)):
        return -1
    tree = open_tree(words, params)
    state = bare(words, STATE)
    payoffs = reals(words, PAYOFFS)
    own = decision.public[SIDE_OF + decision.public[SEAT]]
    until = now() + int(1e9 * params[SECONDS]) if params[SECONDS] > 0.0 else 0
    total = squares = bound = 0.0
    budget = int(params[BUDGET])
    tried = 0
    while tried < budget:
        bits = draw(decision.key, -2 - tried)
        first = choose_root(decision, tree, bound, bits)
        number = tried
        if params[COMMON_WORLDS] != 0.0:
            number = tree.rows[row_of(tree, ROOT, first + 1) * ROW_SIZE + VISITS]
        deal_world(decision, bare(words, WORLDS), state, number)
        depth = descend(decision, tree, state, first, bound, bits)
        if depth < 0:
            return -1
        write_payoffs(state, decision.tables, params, payoffs)
        credit(decision, tree, payoffs, depth, own)
        total += payoffs[own]
        squares += payoffs[own] * payoffs[own]
        tried += 1
        if tried % SETTLE_SPREAD == 0 or tried < SETTLE_SPREAD:
            variance = max(squares / tried - (total / tried) * (total / tried), 0.0)
            bound = params[EXPLORATION] * 2.0 * math.sqrt(variance)
        if until and tried % CHECK_CLOCK == 0 and now() > until:
            break
    words[TRIED] = tried
    return most_visited(decision, tree)


@kernel
def open_tree(words: Vector, params: Reals) -> Tree:
    """Return an empty tree."""
    rows = bare(words, TREE)
    size = int(params[MEMORY])
    for word in range(size * ROW_SIZE):
        rows[word] = 0
    for action in range(MOST_ACTIONS):
        words[SQUARES + action] = 0
    return Tree(rows, reals(rows, 0), size - 1, reals_at(params[LOGS]), int(params[LOG_COUNT]))


@kernel
def choose_root(decision: Decision, tree: Tree, bound: float, bits: int) -> int:
    """Choose among the searcher's own actions, which are legal in every world."""
    words = decision.workspace
    untried = list_children(words, tree, ROOT, decision.legal)
    if untried:
        return nth(untried, below(bits, popcount(untried)))
    return best_child(words, tree, popcount(decision.legal), bound, bits)


@hot_kernel
def token_of(state: Vector, tables: Vector, observer: int, action: int) -> int:
    """Return how an action of the seat to act looks to the searcher."""
    phase = state[PHASE]
    seat = state[SEAT]
    if phase == PLAY or seat == observer or not is_hidden_phase(phase):
        return action + 1
    if phase == ROB:
        seen = tables[ROB_SEEN] and action != KEEP
        return ROBBED_BY + seat if seen else NO_TOKEN
    if phase == DISCARD and action != DONE:
        return THREW + seat
    if phase == ASSIGN:
        return NO_TOKEN if action == NO_SUIT_GIVEN else GAVE_SUIT + action
    return action + 1


@hot_kernel
def is_hidden_phase(phase: int) -> bool:
    """Say whether others do not see all of what a seat does in a phase."""
    return phase in (ROB, DISCARD, ASSIGN)


@hot_kernel
def row_of(tree: Tree, parent: int, token: int) -> int:
    """Return the row of a node's child, or the free row where it would be."""
    key = parent * TOKENS | token
    row = (wrapping_multiply(key, GOLDEN) >> 20) & tree.mask
    while tree.rows[row * ROW_SIZE + KEY] != key and tree.rows[row * ROW_SIZE + KEY] != 0:
        row = (row + 1) & tree.mask
    return row


@hot_kernel
def is_searched(state: Vector, decision: Decision) -> bool:
    """Say whether the tree chooses here, below the root: cards, after a card.

    After a call, or a card thrown, the policy goes on: a tree of what may follow would be thin.
    """
    if not is_of_cards(decision.public[PHASE]) or not is_of_cards(state[PHASE]):
        return False
    return decision.params[OPPONENTS] != AS_POLICY or state[SEAT] == decision.public[SEAT]


@hot_kernel
def is_of_cards(phase: int) -> bool:
    """Say whether a phase belongs to the play of the cards."""
    return phase in (PLAY, JINK, NAME_SUIT)


@kernel
def descend(
    decision: Decision, tree: Tree, state: Vector, first: int, bound: float, key: int
) -> int:
    """Walk down in one world, add a child, and play out; return the length of the path, or -1.

    ``first`` is the action at the root.
    """
    words = decision.workspace
    tables = decision.tables
    params = decision.params
    observer = decision.public[SEAT]
    notes = bare(words, POLICY_WORDS)
    forget_notes(state, params, notes)
    service = int(params[CARRY_ON])
    node = ROOT
    depth = 0
    legal = decision.legal
    action = first
    expanded = False
    while legal and not expanded and depth < MOST_DEPTH:
        searched = depth > 0 and is_searched(state, decision)
        if searched:
            action = choose_child(decision, tree, state, node, legal, bound, draw(key, depth))
        elif depth > 0:
            action = policy_action(state, tables, legal, params, notes)
        if action < 0:
            return -1
        token = action + 1 if searched else token_of(state, tables, observer, action)
        if token != NO_TOKEN:
            row = row_of(tree, node, token)
            here = row * ROW_SIZE
            expanded = tree.rows[here + KEY] == 0
            if expanded:
                tree.rows[here + KEY] = node * TOKENS | token
            if expanded or not (searched or depth == 0):
                tree.rows[here + AVAILABLE] += 1
            words[PATH + 2 * depth] = row
            words[PATH + 2 * depth + 1] = state[SIDE_OF + state[SEAT]]
            depth += 1
            node = row
        if not expanded:
            legal = serve(service, state, tables, params, notes, action, STEP)
    done = FINISHED
    if legal:
        next_action = action if expanded else -1
        done = serve(service, state, tables, params, notes, next_action, TO_THE_VERY_END)
    return -1 if done == ILLEGAL else depth


@kernel
def choose_child(
    decision: Decision,
    tree: Tree,
    state: Vector,
    node: int,
    legal: int,
    bound: float,
    bits: int,
) -> int:
    """Choose among the legal actions of a node below the root; -1 if the policy's is not legal.

    An action not yet tried comes first: the policy's own, or any of them at random.
    """
    words = decision.workspace
    untried = list_children(words, tree, node, legal)
    if untried == 0:
        return best_child(words, tree, popcount(legal), bound, bits)
    if decision.params[PLAYOUT] != RANDOM:
        notes = bare(words, POLICY_WORDS)
        action = policy_action(state, decision.tables, legal, decision.params, notes)
        if action < 0 or untried >> action & 1:
            return action
    return nth(untried, below(bits, popcount(untried)))


@kernel
def list_children(words: Vector, tree: Tree, node: int, legal: int) -> int:
    """List the legal children, each available once more; return the actions not yet tried."""
    untried = 0
    count = 0
    while legal:
        action = lowest(legal)
        legal &= legal - 1
        here = row_of(tree, node, action + 1) * ROW_SIZE
        if tree.rows[here + KEY] == 0:
            untried |= 1 << action
        else:
            tree.rows[here + AVAILABLE] += 1
            words[CHILDREN + count] = here
            count += 1
    return untried


@kernel
def best_child(words: Vector, tree: Tree, count: int, bound: float, bits: int) -> int:
    """Return the action, of the children listed, with the highest bound; of equal ones any."""
    best = words[CHILDREN]
    most = bound_of(tree, best, bound)
    for number in range(1, count):
        here = words[CHILDREN + number]
        value = bound_of(tree, here, bound)
        if value > most or (value == most and (bits >> number) & 1):
            most = value
            best = here
    return (tree.rows[best + KEY] & (TOKENS - 1)) - 1


@hot_kernel
def bound_of(tree: Tree, here: int, bound: float) -> float:
    """Return the upper confidence bound of the child at this place."""
    available = tree.rows[here + AVAILABLE]
    log = tree.logs[available] if available < tree.log_count else math.log(available)
    once = 1.0 / tree.rows[here + VISITS]
    return tree.totals[here + TOTAL] * once + bound * math.sqrt(log * once)


@kernel
def credit(decision: Decision, tree: Tree, payoffs: Reals, depth: int, own: int) -> None:
    """Add the payoffs of a world to the children that were walked through."""
    words = decision.workspace
    first = (tree.rows[words[PATH] * ROW_SIZE + KEY] & (TOKENS - 1)) - 1
    reals(words, SQUARES)[first] += payoffs[own] * payoffs[own]
    paranoid = decision.params[OPPONENTS] == PARANOID
    for place in range(depth):
        here = words[PATH + 2 * place] * ROW_SIZE
        side = words[PATH + 2 * place + 1]
        payoff = payoffs[side]
        if paranoid and side != own:
            payoff = -payoffs[own]
        tree.rows[here + VISITS] += 1
        tree.totals[here + TOTAL] += payoff


@kernel
def most_visited(decision: Decision, tree: Tree) -> int:
    """Leave the findings; return the action tried most often, of equal ones the better one."""
    best = -1
    most = 0
    mean = 0.0
    legal = decision.legal
    squares = reals(decision.workspace, SQUARES)
    while legal:
        action = lowest(legal)
        legal &= legal - 1
        here = row_of(tree, ROOT, action + 1) * ROW_SIZE
        visits = tree.rows[here + VISITS]
        total = tree.totals[here + TOTAL]
        add_finding(decision.workspace, action, visits, total, squares[action])
        own = total / visits if visits else 0.0
        if best < 0 or visits > most or (visits == most and own > mean):
            best = action
            most = visits
            mean = own
    return best
