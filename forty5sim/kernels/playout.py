"""Plays deals to the end with compiled agents; stops where a plain Python agent has to choose."""

from __future__ import annotations

from typing import Any, NamedTuple

from forty5sim.kernels.asking import ask
from forty5sim.kernels.bits import lowest, nth, popcount
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.layout import DEAL_KEY, HANDS, OVER, PHASE, PUBLIC_SIZE, SEAT, THROWN
from forty5sim.kernels.phases import apply, decision_slot, legal_actions
from forty5sim.kernels.rng import below, decision_key, draw
from forty5sim.kernels.vector import Agents, Reals, Vector, bare, readonly

PLAIN = -1  # an agent's number in a seating: a plain Python agent, which a kernel cannot ask

# how play_on comes back
FINISHED, PLAIN_TO_ACT, ILLEGAL_ANSWER = range(3)


class Players(NamedTuple):
    """Who sits at a table, as bare vectors: a row of params an agent, of workspaces a seat."""

    agents: Any
    seating: Any  # each seat's agent as a number, or PLAIN
    params: Any
    params_size: int
    workspaces: Any
    workspace_size: int


@hot_kernel
def players_at(
    agent_list: Agents,
    seatings: Vector,
    table: int,
    param_words: Reals,
    workspace_words: Vector,
    desk: int,
) -> Players:
    """Return the players of one table of ``seatings`` with the workspaces of one desk.

    Shapes: agent_list (agents,), seatings (tables, seats), param_words (agents, p),
    workspace_words (desks, seats, w).
    """
    seats = seatings.shape[1]
    workspace_size = workspace_words.shape[2]
    return Players(
        bare(agent_list, 0),
        bare(seatings, table * seats),
        readonly(param_words, 0, param_words.size),
        param_words.shape[1],
        bare(workspace_words, desk * seats * workspace_size),
        workspace_size,
    )


@kernel
def clear_notes(workspace_words: Vector, notes: int) -> None:
    """Clear the first words of the workspace of each seat before a deal, or game, begins."""
    desks, seats, size = workspace_words.shape
    words = bare(workspace_words, 0)
    for place in range(desks * seats):
        for word in range(min(notes, size)):
            words[place * size + word] = 0


@kernel
def play_on(state: Vector, tables: Vector, players: Players) -> int:
    """Play until the deal is over, a plain agent must choose, or an answer is not legal.

    An agent is asked only where it has a choice.
    """
    while state[PHASE] != OVER:
        legal = legal_actions(state, tables)
        if legal & (legal - 1) == 0:
            apply(state, tables, lowest(legal))
            continue
        seat = state[SEAT]
        agent = players.seating[seat]
        if agent == PLAIN:
            return PLAIN_TO_ACT
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
        if not is_legal(legal, action):
            return ILLEGAL_ANSWER
        apply(state, tables, action)
    return FINISHED


@hot_kernel
def is_legal(legal: int, action: int) -> bool:
    """Say whether an answer is one of the legal actions."""
    return 0 <= action < 63 and (legal >> action) & 1 == 1


@hot_kernel
def choose_randomly(legal: int, key: int) -> int:
    """Return one of the legal actions, each equally likely."""
    return nth(legal, below(draw(key, 0), popcount(legal)))


@kernel
def play_randomly(state: Vector, tables: Vector) -> None:
    """Play a deal to its end with every choice uniformly random."""
    while state[PHASE] != OVER:
        legal = legal_actions(state, tables)
        key = decision_key(state[DEAL_KEY], state[SEAT], decision_slot(state))
        apply(state, tables, choose_randomly(legal, key))
