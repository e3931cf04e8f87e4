"""Flat search: every legal action tried in the same worlds, each world finished in some way.

Flat Monte Carlo plays the worlds out at random, or by a policy that sees only each seat's view;
determinized perfect play solves them (``double_dummy``). The same worlds serve all actions, so
that their differences are paired: an action that is behind by CAUTION standard errors of its
difference to the leader is tried no more.
"""

from __future__ import annotations

from forty5sim.kernels.asking import serve
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.double_dummy import KEYS, VECTOR_WORDS
from forty5sim.kernels.findings import (
    FINDINGS_SIZE,
    MOST_ACTIONS,
    TRIED,
    add_finding,
    open_findings,
)
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import MAX_SEATS, PHASE, PLAY, SEAT, SIDE_OF, STATE_SIZE
from forty5sim.kernels.payoff import write_payoffs
from forty5sim.kernels.policies import RANDOM, forget_notes, policy_action
from forty5sim.kernels.rng import below, draw
from forty5sim.kernels.search import (
    BUDGET,
    CALL_BUDGET,
    CARRY_ON,
    CAUTION,
    ILLEGAL,
    MEMORY,
    PLAYOUT,
    POLICY_SPACE,
    SOLVABLE,
    SOLVE,
    TIE_DRAW,
    TO_THE_END,
    TO_THE_VERY_END,
    Decision,
)
from forty5sim.kernels.vector import Reals, Vector, bare, reals
from forty5sim.kernels.worlds import WORLDS_SIZE, deal_world, open_worlds

# the workspace
WORLDS = FINDINGS_SIZE
WORLD = WORLDS + WORLDS_SIZE  # a state: the world
TRIAL = WORLD + STATE_SIZE  # a state: the world after an action
PAYOFFS = TRIAL + STATE_SIZE  # per side
ACTIONS = PAYOFFS + MAX_SEATS  # by number: the action
VISITS = ACTIONS + MOST_ACTIONS  # by number: worlds it was tried in
TABLE = VISITS + MOST_ACTIONS  # by number: value in this world, sum, sum of squares
GAPS = TABLE + 3 * MOST_ACTIONS  # by two numbers: sum of squared differences
FINISH = GAPS + MOST_ACTIONS * MOST_ACTIONS  # what finishing a world needs
VALUES, SUMS, SQUARES = 0, MOST_ACTIONS, 2 * MOST_ACTIONS

FIRST_CHECK, CHECK_EVERY = 16, 8  # worlds before actions are compared, and between comparisons
CLOSE = 1e-9  # means that differ by less are equal


@kernel
def search_flat(decision: Decision) -> int:
    """Return the action with the best mean; -1 if a policy answered illegally."""
    words = decision.workspace
    params = decision.params
    open_findings(words)
    count = open_trials(words, decision.legal)
    if not open_worlds(decision, bare(words, WORLDS)):
        return -1
    alive = (1 << count) - 1
    plays = decision.public[PHASE] == PLAY
    if plays and params[SOLVE] != 0.0:
        forget_solved(words, params)
    budget = int(params[BUDGET if plays else CALL_BUDGET])
    tried = 0
    while tried < budget and alive & (alive - 1):
        deal_world(decision, bare(words, WORLDS), bare(words, WORLD), tried)
        rest = alive
        while rest:
            if not try_action(decision, lowest(rest)):
                return -1
            rest &= rest - 1
        tried += 1
        take_notes(words, alive)
        if tried >= FIRST_CHECK and tried % CHECK_EVERY == 0:
            alive = still_open(words, alive, tried, params[CAUTION])
    words[TRIED] = tried
    report(words, count)
    return best_action(decision, alive)


@kernel
def forget_solved(words: Vector, params: Reals) -> None:
    """Clear the solver's memory: where a solve is given up depends on what is remembered."""
    memory = FINISH + int(params[POLICY_SPACE])
    for word in range(KEYS + VECTOR_WORDS * int(params[MEMORY])):
        words[memory + word] = 0


@kernel
def try_action(decision: Decision, number: int) -> bool:
    """Try an action in the world dealt; write its payoff to the own side.

    False if the policy answered illegally. A solve that is given up counts as played out.
    """
    words = decision.workspace
    params = decision.params
    trial = bare(words, TRIAL)
    for word in range(STATE_SIZE):
        trial[word] = words[WORLD + word]
    if not finish(decision, trial, words[ACTIONS + number]):
        return False
    payoffs = reals(words, PAYOFFS)
    write_payoffs(trial, decision.tables, params, payoffs)
    own = decision.public[SIDE_OF + decision.public[SEAT]]
    reals(words, TABLE)[VALUES + number] = payoffs[own]
    return True


@kernel
def finish(decision: Decision, trial: Vector, action: int) -> bool:
    """Carry out an action and finish its world, by the policy and by solving; False as above.

    Only cards are judged by perfect play: it is a poor judge of calls, which hide what they know.
    """
    params = decision.params
    tables = decision.tables
    notes = bare(decision.workspace, FINISH)
    how = TO_THE_END if decision.public[PHASE] == PLAY else TO_THE_VERY_END
    status = serve(int(params[CARRY_ON]), trial, tables, params, notes, action, how)
    if status == SOLVABLE:
        memory = bare(decision.workspace, FINISH + int(params[POLICY_SPACE]))
        if serve(int(params[SOLVE]), trial, tables, params, memory, 0, 0) == 0:
            service = int(params[CARRY_ON])
            status = serve(service, trial, tables, params, notes, -1, TO_THE_VERY_END)
    return status != ILLEGAL


@kernel
def open_trials(words: Vector, legal: int) -> int:
    """Number the legal actions and clear their sums; return how many there are."""
    count = popcount(legal)
    table = reals(words, TABLE)
    gaps = reals(words, GAPS)
    for number in range(count):
        words[ACTIONS + number] = lowest(legal)
        legal &= legal - 1
        words[VISITS + number] = 0
        table[SUMS + number] = table[SQUARES + number] = 0.0
        for other in range(number):
            gaps[number * MOST_ACTIONS + other] = 0.0
    return count


@kernel
def take_notes(words: Vector, alive: int) -> None:
    """Add this world's values, and the squares of their differences, to the sums."""
    table = reals(words, TABLE)
    gaps = reals(words, GAPS)
    rest = alive
    while rest:
        number = lowest(rest)
        rest &= rest - 1
        value = table[VALUES + number]
        words[VISITS + number] += 1
        table[SUMS + number] += value
        table[SQUARES + number] += value * value
        others = alive & ((1 << number) - 1)
        while others:
            other = lowest(others)
            others &= others - 1
            gap = value - table[VALUES + other]
            gaps[number * MOST_ACTIONS + other] += gap * gap


@kernel
def leader_of(words: Vector, alive: int) -> int:
    """Return the number with the highest mean; all of them were tried equally often."""
    table = reals(words, TABLE)
    leader = lowest(alive)
    rest = alive
    while rest:
        number = lowest(rest)
        rest &= rest - 1
        if table[SUMS + number] > table[SUMS + leader]:
            leader = number
    return leader


@kernel
def still_open(words: Vector, alive: int, tried: int, caution: float) -> int:
    """Return the numbers that are not behind the leader by so many standard errors.

    An action that has done the same as the leader in every world is kept: they tie.
    """
    if caution <= 0.0:
        return alive
    table = reals(words, TABLE)
    gaps = reals(words, GAPS)
    leader = leader_of(words, alive)
    rest = alive & ~(1 << leader)
    while rest:
        number = lowest(rest)
        rest &= rest - 1
        behind = (table[SUMS + leader] - table[SUMS + number]) / tried
        row = max(leader, number) * MOST_ACTIONS + min(leader, number)
        spread = max(gaps[row] / tried - behind * behind, 0.0)
        if behind > CLOSE and behind * behind * tried > caution * caution * spread:
            alive &= ~(1 << number)
    return alive


@kernel
def report(words: Vector, count: int) -> None:
    """Leave what was found about each action."""
    table = reals(words, TABLE)
    for number in range(count):
        add_finding(
            words,
            words[ACTIONS + number],
            words[VISITS + number],
            table[SUMS + number],
            table[SQUARES + number],
        )


@kernel
def best_action(decision: Decision, alive: int) -> int:
    """Return the action with the best mean; of equal ones the policy's own, or one at random."""
    words = decision.workspace
    table = reals(words, TABLE)
    tried = max(words[TRIED], 1)
    most = table[SUMS + leader_of(words, alive)]
    level = 0
    rest = alive
    while rest:
        number = lowest(rest)
        rest &= rest - 1
        if most - table[SUMS + number] < CLOSE * tried:
            level |= 1 << words[ACTIONS + number]
    if level & (level - 1) == 0:
        return lowest(level)
    if decision.params[PLAYOUT] != RANDOM:
        return preferred(decision, level)
    return nth_of(level, decision.key)


@kernel
def preferred(decision: Decision, level: int) -> int:
    """Return what the playouts' policy prefers, if it is one of these, else one at random."""
    words = decision.workspace
    trial = bare(words, TRIAL)
    for word in range(STATE_SIZE):
        trial[word] = words[WORLD + word]
    notes = bare(words, FINISH)
    forget_notes(trial, decision.params, notes)
    action = policy_action(trial, decision.tables, decision.legal, decision.params, notes)
    return action if action >= 0 and level >> action & 1 else nth_of(level, decision.key)


@kernel
def nth_of(level: int, key: int) -> int:
    """Return one of these actions at random."""
    for _ in range(below(draw(key, TIE_DRAW), popcount(level))):
        level &= level - 1
    return lowest(level)
