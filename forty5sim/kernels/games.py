"""Boards of whole games: each replay plays deals until the game is won (see ``boards``)."""

from __future__ import annotations

from numba import types

from forty5sim.kernels.boards import PLAYING, board_dealer, is_waiting, note_question
from forty5sim.kernels.game import deal_next, game_winners, pass_deal, start_game
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    AUCTION,
    FAMILY,
    GAME_SEED,
    POT,
    SCORES,
    SEATS,
    SIDE_OF,
    SIDES,
    STACK,
    STATE_SIZE,
    TABLES_SIZE,
)
from forty5sim.kernels.playout import (
    FINISHED,
    ILLEGAL_ANSWER,
    PLAIN_TO_ACT,
    Players,
    clear_notes,
    play_on,
    players_at,
)
from forty5sim.kernels.rng import PURPOSE_GAME, deal_key
from forty5sim.kernels.rows import (
    BLOCK_PAYOFF,
    BLOCK_POINTS,
    BLOCK_WINS,
    BOARDS_TURNED,
    block,
    clear_row,
    count_deal,
    forfeit,
    note_points_against,
    row_size,
    turn_rows,
)
from forty5sim.kernels.vector import Agents, Counts, Reals, Vector, bare, readonly


@kernel
def begin_game(
    state: Vector, tables: Vector, row: Counts, seed: int, board: int, seats: int, sides: int
) -> None:
    """Deal the first cards of a game and clear the replay's row."""
    start_game(state, tables, seats, sides, board_dealer(tables, board, seats))
    state[GAME_SEED] = deal_key(seed, board, PURPOSE_GAME)
    clear_row(row, tables, seats)
    deal_next(state, tables)


@kernel
def resume_game(
    state: Vector,
    tables: Vector,
    row: Counts,
    players: Players,
    worst: int,
) -> int:
    """Play a game on until it is finished or pauses; a finished one has its row complete."""
    while True:
        status = play_on(state, tables, players)
        if status == ILLEGAL_ANSWER:
            forfeit(state, tables, row, worst)
        if status != FINISHED:
            return status
        count_deal(state, tables, row)
        if not pass_deal(state, tables):
            score_game(state, tables, row)
            return FINISHED
        deal_next(state, tables)


@kernel
def score_game(state: Vector, tables: Vector, row: Counts) -> None:
    """Write the result of a whole game.

    The payoff is the share of the win less the mean of the other sides; in pot games the net
    chips. A pot game's winners share the win, a counting game has one winning side.
    """
    winners = game_winners(state, tables)
    others = state[SIDES] - 1
    for seat in range(state[SEATS]):
        won = (winners >> seat) & 1
        points = state[SCORES + state[SIDE_OF + seat]]
        payoff = state[SIDES] * won - 1
        if tables[FAMILY] == POT:
            points -= tables[STACK]
            payoff = state[SEATS] * points
        row[block(state, BLOCK_WINS) + seat] = won
        row[block(state, BLOCK_POINTS) + seat] = points
        row[block(state, BLOCK_PAYOFF) + seat] = others * payoff
    if tables[FAMILY] >= AUCTION:
        note_points_against(state, row, SCORES)


PLAY_GAMES = types.void(*PLAYING, *(7 * (types.int64,)))


@entry
def play_games(
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
    worst: int,
) -> None:
    """Play games ``first`` .. ``first + boards - 1``, every replay; shapes as in play_boards."""
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
            begin_game(state, tables, row, seed, board, seats, sides)
            resume_game(state, tables, row, players, worst)
        turn_rows(bare(row_words, 0), columns, replays * size, total, at + start, count)


@entry
def deal_games(
    row_words: Counts,
    state_words: Vector,
    rule_words: Vector,
    boards: Vector,
    seats: int,
    seed: int,
    sides: int,
) -> None:
    """Start one replay of each of these games; shapes as in deal_batch."""
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(boards.size):
        state = bare(state_words, i * STATE_SIZE)
        row = bare(row_words, i * row_size(tables, seats))
        begin_game(state, tables, row, seed, boards[i], seats, sides)


@entry
def advance_games(
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
    worst: int,
) -> None:
    """Play each unfinished game on; shapes as in advance_batch."""
    seats = seatings.shape[1]
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(statuses.size):
        state = bare(state_words, i * STATE_SIZE)
        row = bare(row_words, i * row_size(tables, seats))
        if not is_waiting(state, tables, row, statuses, actions, i, worst):
            continue
        players = players_at(agent_list, seatings, i, param_words, workspace_words, i)
        statuses[i] = resume_game(state, tables, row, players, worst)
        if statuses[i] == PLAIN_TO_ACT:
            note_question(state, tables, bare(questions, 2 * i))
