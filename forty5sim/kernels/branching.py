"""Deals with a fork: played up to a decision of one kind, and from there once for each way to take.

All branches have the same cards, the same agents and the same keyed random numbers, so that what
differs between them is what the decision did.
"""

from __future__ import annotations

from forty5sim.kernels.asking import ask
from forty5sim.kernels.bits import lowest
from forty5sim.kernels.boards import board_dealer
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    ALONE,
    DEAL_KEY,
    DEALER,
    HANDS,
    OUTCOME,
    OVER,
    PHASE,
    POT_CHIPS,
    PUBLIC_SIZE,
    SEAT,
    SEATS,
    SIDE_OF,
    STATE_SIZE,
    TABLES_SIZE,
    THROWN,
    TRUMP,
    TURNUP,
)
from forty5sim.kernels.payoff import deal_payoff
from forty5sim.kernels.phases import apply, deal_cards, decision_slot, legal_actions, start_deal
from forty5sim.kernels.playout import (
    FINISHED,
    Players,
    clear_notes,
    is_legal,
    play_on,
    players_at,
)
from forty5sim.kernels.rng import decision_key
from forty5sim.kernels.vector import Agents, Reals, Vector, bare, readonly

# a row: what was known at the decision, then a block for each branch
ROW_FOUND, ROW_SEAT, ROW_DEALER, ROW_HAND, ROW_TURNUP, ROW_TRUMP, ROW_POT = range(7)
BRANCHES_AT = 7
# the branches: what the agent chose itself; the two ways; taken as other agents would take it
OWN, DECLINED, TOOK, TAKEN_OTHERWISE = range(4)
BRANCHES = 4
BRANCH_ACTION, BRANCH_OUTCOME, BRANCH_PAYOFFS = range(3)


@kernel
def branch_at(branch: int, seats: int) -> int:
    """Return where a branch's block begins in a row."""
    return BRANCHES_AT + branch * (BRANCH_PAYOFFS + seats)


@kernel
def choice_of(state: Vector, tables: Vector, players: Players, legal: int) -> int:
    """Return what the agent to act chooses of these actions, -1 if it is none of them."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    seat = state[SEAT]
    agent = players.seating[seat]
    action = ask(
        players.agents[agent],
        readonly(state, 0, PUBLIC_SIZE),
        state[HANDS + seat],
        state[THROWN + seat],
        legal,
        tables,
        decision_key(state[DEAL_KEY], seat, decision_slot(state)),
        readonly(players.params, agent * players.params_size, players.params_size),
        bare(players.workspaces, seat * players.workspace_size),
    )
    return action if is_legal(legal, action) else -1


@kernel
def play_to_fork(
    state: Vector, tables: Vector, players: Players, phase: int, decline: int, take: int
) -> int:
    """Play on until a seat may do both in this phase; return what is legal, 0 if none may.

    -1 if an agent answered illegally.
    """
    while state[PHASE] != OVER:
        legal = legal_actions(state, tables)
        if state[PHASE] == phase and legal & decline and legal & take:
            return legal
        action = choice_of(state, tables, players, legal)
        if action < 0:
            return -1
        apply(state, tables, action)
    return 0


@kernel
def note_fork(state: Vector, row: Vector) -> None:
    """Write down what is known at the decision."""
    seat = state[SEAT]
    row[ROW_FOUND] = 1
    row[ROW_SEAT] = seat
    row[ROW_DEALER] = state[DEALER]
    row[ROW_HAND] = state[HANDS + seat]
    row[ROW_TURNUP] = state[TURNUP]
    row[ROW_TRUMP] = state[TRUMP]
    row[ROW_POT] = state[POT_CHIPS]


@kernel
def copy_notes(workspace_words: Vector, source: int, target: int, notes: int) -> None:
    """Copy what the agents of one desk have noted to another desk."""
    _, seats, size = workspace_words.shape
    words = bare(workspace_words, 0)
    for seat in range(seats):
        for word in range(min(notes, size)):
            words[(target * seats + seat) * size + word] = words[
                (source * seats + seat) * size + word
            ]


@kernel
def play_branch(
    state: Vector,
    tables: Vector,
    players: Players,
    choosers: Players,
    allowed: int,
    block: Vector,
    pot: int,
) -> bool:
    """Let a chooser choose of these actions, and the players play to the end; write the block.

    False: somebody answered illegally.
    """
    action = choice_of(state, tables, choosers, allowed)
    if action < 0:
        return False
    apply(state, tables, action)
    if play_on(state, tables, players) != FINISHED:
        return False
    block[BRANCH_ACTION] = action
    block[BRANCH_OUTCOME] = state[OUTCOME]
    for seat in range(state[SEATS]):
        block[BRANCH_PAYOFFS + seat] = deal_payoff(state, tables, state[SIDE_OF + seat], pot)
    return True


@entry
def branch_deals(
    row_words: Vector,
    state_words: Vector,
    rule_words: Vector,
    agent_list: Agents,
    seatings: Vector,
    param_words: Reals,
    workspace_words: Vector,
    seed: int,
    first: int,
    sides: int,
    notes: int,
    pot: int,
    phase: int,
    decline: int,
    take: int,
    branches: int,
) -> int:
    """Play deals ``first`` and on to the first such decision, and so many branches from there.

    Shapes: row_words (deals, row size), zeros; state_words (2, STATE_SIZE), seatings (2, seats),
    those who play and those who take it otherwise, param_words (agents, p), workspace_words
    (3, seats, w). Payoffs are in units of 1 / ``payoff.payoff_divisor``. Return how many deals were
    played before an illegal answer.
    """
    seats = seatings.shape[1]
    deals, size = row_words.shape
    state, here = bare(state_words, 0), bare(state_words, STATE_SIZE)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    players = players_at(agent_list, seatings, 0, param_words, workspace_words, 0)
    others = players_at(agent_list, seatings, 1, param_words, workspace_words, 2)
    for deal in range(deals):
        row = bare(row_words, deal * size)
        clear_notes(workspace_words, notes)
        start_game(here, tables, seats, sides, board_dealer(tables, first + deal, seats))
        here[POT_CHIPS] = pot
        here[ALONE] = 1
        deal_cards(here, tables, seed, first + deal)
        start_deal(here, tables)
        legal = play_to_fork(here, tables, players, phase, decline, take)
        if legal < 0:
            return deal
        if legal == 0:
            continue
        note_fork(here, row)
        copy_notes(workspace_words, 0, 1, notes)
        for branch in range(branches):
            copy_notes(workspace_words, 1, 0, notes)
            for word in range(STATE_SIZE):
                state[word] = here[word]
            way = legal if branch == OWN else decline if branch == DECLINED else take
            choosers = others if branch == TAKEN_OTHERWISE else players
            block = bare(row, branch_at(branch, seats))
            if not play_branch(state, tables, players, choosers, legal & way, block, pot):
                return deal
    return deals
