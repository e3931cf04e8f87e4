"""Boards of single deals: one deal, replayed with the agents rotated through the seats.

Two ways through the same steps: ``play_boards`` for tables of compiled agents, and ``deal_batch``
with ``advance_batch`` where a plain Python agent sits at the table, for many replays in
lock-step: each pauses where a plain agent has to choose and goes on with its answer.
"""

from __future__ import annotations

from numba import types

from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    ALONE,
    DEAL_KEY,
    FIRST_DEALER,
    POT_CHIPS,
    SEAT,
    STATE_SIZE,
    TABLES_SIZE,
)
from forty5sim.kernels.phases import apply, deal_cards, decision_slot, legal_actions, start_deal
from forty5sim.kernels.playout import (
    FINISHED,
    ILLEGAL_ANSWER,
    PLAIN_TO_ACT,
    Players,
    clear_notes,
    play_on,
    players_at,
)
from forty5sim.kernels.rng import decision_key
from forty5sim.kernels.rows import (
    BOARDS_TURNED,
    clear_row,
    count_deal,
    forfeit,
    row_size,
    score_deal,
    turn_rows,
)
from forty5sim.kernels.vector import Agents, Counts, Reals, Vector, array_type, bare, readonly

NO_ANSWER, GIVE_UP = -1, -2  # in place of a plain agent's action: not asked yet; it has none


@kernel
def board_dealer(tables: Vector, board: int, seats: int) -> int:
    """Return the (first) dealer of board k: seat k mod n, unless the rules name a seat."""
    return int(tables[FIRST_DEALER]) if tables[FIRST_DEALER] >= 0 else board % seats


@kernel
def begin_replay(
    state: Vector,
    tables: Vector,
    row: Counts,
    seed: int,
    board: int,
    seats: int,
    sides: int,
    pot: int,
) -> None:
    """Deal the cards of a board, with a pot from before, and clear the replay's row."""
    start_game(state, tables, seats, sides, board_dealer(tables, board, seats))
    state[POT_CHIPS] = pot
    state[ALONE] = 1
    clear_row(row, tables, seats)
    deal_cards(state, tables, seed, board)
    start_deal(state, tables)


@kernel
def resume(
    state: Vector,
    tables: Vector,
    row: Counts,
    players: Players,
    pot: int,
    worst: int,
) -> int:
    """Play a replay on until it is finished or pauses; a finished one has its row complete."""
    status = play_on(state, tables, players)
    if status == FINISHED:
        count_deal(state, tables, row)
        score_deal(state, tables, row, pot)
    elif status == ILLEGAL_ANSWER:
        forfeit(state, tables, row, worst)
    return status


PLAYING = (
    array_type(types.int32, 3),
    array_type(types.int32, 1),
    array_type(types.int64, 2),
    array_type(types.int64, 1, writable=False),
    array_type(types.int64, 1),
    array_type(types.int64, 2),
    array_type(types.float64, 2),
    array_type(types.int64, 3),
)
"""The types of the arrays of ``play_boards`` and ``games.play_games``."""

PLAY_BOARDS = types.void(*PLAYING, *(8 * (types.int64,)))


@entry
def play_boards(
    column_words: Counts,
    row_words: Counts,
    state_words: Vector,
    rule_words: Vector,
    agent_list: Agents,
    seatings: Vector,
    param_words: Reals,
    workspace_words: Vector,
    seed: int,
    first: int,
    at: int,
    boards: int,
    sides: int,
    notes: int,
    pot: int,
    worst: int,
) -> None:
    """Play boards ``first`` .. ``first + boards - 1``, every replay, with compiled agents.

    Shapes: column_words (replays, row size, all boards), written from board ``at`` on; row_words
    (BOARDS_TURNED * replays * row size,) is scratch; state_words (1, STATE_SIZE), seatings
    (replays, seats), param_words (agents, p), workspace_words (1, seats, w).
    """
    replays, seats = seatings.shape
    state, columns = bare(state_words, 0), bare(column_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    size, total = row_size(tables, seats), column_words.shape[2]
    for start in range(0, boards, BOARDS_TURNED):
        count = min(BOARDS_TURNED, boards - start)
        for number in range(count * replays):
            board, replay = first + start + number // replays, number % replays
            row = bare(row_words, number * size)
            clear_notes(workspace_words, notes)
            players = players_at(agent_list, seatings, replay, param_words, workspace_words, 0)
            begin_replay(state, tables, row, seed, board, seats, sides, pot)
            resume(state, tables, row, players, pot, worst)
        turn_rows(bare(row_words, 0), columns, replays * size, total, at + start, count)


@entry
def deal_batch(
    row_words: Counts,
    state_words: Vector,
    rule_words: Vector,
    boards: Vector,
    seats: int,
    seed: int,
    sides: int,
    pot: int,
) -> None:
    """Deal one replay of each of these boards; shapes: states (n, STATE_SIZE), rows (n, row)."""
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(boards.size):
        state = bare(state_words, i * STATE_SIZE)
        row = bare(row_words, i * row_size(tables, seats))
        begin_replay(state, tables, row, seed, boards[i], seats, sides, pot)


@kernel
def note_question(state: Vector, tables: Vector, question: Vector) -> None:
    """Write down what a plain agent is asked: the legal actions and the decision's key."""
    question[0] = legal_actions(state, tables)
    question[1] = decision_key(state[DEAL_KEY], state[SEAT], decision_slot(state))


@kernel
def is_waiting(
    state: Vector,
    tables: Vector,
    row: Counts,
    statuses: Vector,
    actions: Vector,
    i: int,
    worst: int,
) -> bool:
    """Say whether replay i can go on, after carrying out a plain agent's answer to it."""
    if statuses[i] != PLAIN_TO_ACT:
        return False
    if actions[i] == GIVE_UP:
        forfeit(state, tables, row, worst)
        statuses[i] = ILLEGAL_ANSWER
        return False
    if actions[i] != NO_ANSWER:
        apply(state, tables, actions[i])
    return True


@entry
def advance_batch(
    row_words: Counts,
    state_words: Vector,
    rule_words: Vector,
    agent_list: Agents,
    seatings: Vector,
    param_words: Reals,
    workspace_words: Vector,
    statuses: Vector,
    actions: Vector,
    questions: Vector,
    pot: int,
    worst: int,
) -> None:
    """Play each unfinished replay on, with a plain agent's answer where it waits for one.

    Shapes for n replays: seatings (n, seats), workspace_words (n, seats, w), statuses and actions
    (n,), questions (n, 2). ``actions[i]`` answers replay i if its status is PLAIN_TO_ACT; then
    ``questions[i]`` holds the legal actions and the key of what is asked next.
    """
    seats = seatings.shape[1]
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(statuses.size):
        state = bare(state_words, i * STATE_SIZE)
        row = bare(row_words, i * row_size(tables, seats))
        if not is_waiting(state, tables, row, statuses, actions, i, worst):
            continue
        players = players_at(agent_list, seatings, i, param_words, workspace_words, i)
        statuses[i] = resume(state, tables, row, players, pot, worst)
        if statuses[i] == PLAIN_TO_ACT:
            note_question(state, tables, bare(questions, 2 * i))
