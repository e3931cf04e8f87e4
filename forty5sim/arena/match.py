"""Plays one pairing over numbered boards and returns rows of counts.

Tables of compiled agents run through one kernel; where a plain Python agent sits at the table,
many replays advance in lock-step and the plain agents are asked in between. Both ways give the
same rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from forty5sim.agent import agent_list, as_plain, params_matrix
from forty5sim.arena.asked import NOBODY_WATCHES, Fault, Watch
from forty5sim.arena.batch import Batch, batch_size, runs_files
from forty5sim.arena.conditions import Columns, Conditions, Rows, row_width
from forty5sim.errors import AgentError
from forty5sim.kernels import boards, games, layout, rows
from forty5sim.registry import Bot
from forty5sim.tables import rule_tables

KERNEL_DEALS = 20_000

KERNEL_SECONDS = 0.2
"""Deals and seconds of one kernel call: short enough for Ctrl-C, long enough to cost nothing."""

FIRST_BOARDS = 4
"""Boards of the first call, which tells how long a board takes."""


def play_pairing(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    *,
    stop_on_fault: bool = True,
    watch: Watch = NOBODY_WATCHES,
) -> tuple[Rows, list[Fault]]:
    """Play boards ``first`` .. ``first + count - 1``, each once for every seating.

    Args:
        conditions: what is played.
        bots: the bots; a seating names them by their place in this list.
        seatings: for each replay the bot of each seat.
        first: number of the first board.
        count: number of boards.
        stop_on_fault: raise when a bot misbehaves; else its deal is forfeited and reported.
        watch: is told before each question to a plain bot and after its answer.

    Returns:
        The rows, shape (count, replays, row size), and the faults.

    Raises:
        AgentError: if a bot misbehaved and ``stop_on_fault`` is set; names it and the place.
    """
    if all(bots[bot].compiled for seating in seatings for bot in seating):
        try:
            result, faults = _play_compiled(conditions, bots, seatings, first, count, watch)
        except Exception:  # a compiled bot raised: find out which, one question at a time
            twins = [plain_twin(bot) for bot in bots]
            result, faults = _play_plain(
                conditions, twins, seatings, first, count, stop_on_fault, watch
            )
    else:
        result, faults = _play_plain(conditions, bots, seatings, first, count, stop_on_fault, watch)
    if faults and stop_on_fault:
        raise AgentError(f"bot {faults[0]}")
    return result, faults


def plain_twin(bot: Bot) -> Bot:
    """Return a bot that chooses as this compiled one does, one question at a time."""
    agent = bot.compiled
    if agent is None:
        return bot
    return replace(bot, compiled=None, build=lambda: as_plain(agent), keeps_notes=True)


def _play_compiled(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    watch: Watch,
) -> tuple[Rows, list[Fault]]:
    columns = np.empty((len(seatings), row_width(conditions), count), dtype=np.int32)
    play_boards = _board_player(conditions, bots, seatings, columns)
    most = max(1, KERNEL_DEALS // len(seatings))
    watched = runs_files(bots)
    start, step = 0, min(most, FIRST_BOARDS, count)
    while start < count:
        begun = time.perf_counter()
        if watched:
            watch.enters_kernel()
        play_boards(first + start, start, step)
        watch.leaves()
        each = (time.perf_counter() - begun) / step
        start += step
        step = min(most, count - start, max(1, int(KERNEL_SECONDS / max(each, 1e-9))))
    result = columns.transpose(2, 0, 1)
    return result, _illegal_answers(result, bots, seatings, first)


def _board_player(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    columns: Columns,
) -> Callable[[int, int, int], None]:
    """Return what plays boards by one kernel call: the first, its place in columns, how many."""
    replays, width, _ = columns.shape
    agents = [bot.compiled for bot in bots if bot.compiled]
    place = {index: agents.index(bot.compiled) for index, bot in enumerate(bots) if bot.compiled}
    workspace = max([1, *(agent.workspace_size for agent in agents)])
    common = (
        columns,
        np.empty(rows.BOARDS_TURNED * replays * width, dtype=np.int32),
        np.zeros((1, layout.STATE_SIZE), dtype=np.int64),
        rule_tables(conditions.rules),
        agent_list(agents, conditions.rules),
        np.array([[place[bot] for bot in seating] for seating in seatings], dtype=np.int64),
        params_matrix(agents, conditions.rules, conditions.players, not conditions.whole_games),
        np.zeros((1, conditions.players, workspace), dtype=np.int64),
        conditions.seed,
    )
    sides, worst = conditions.sides, conditions.worst_payoff
    notes = max(agent.notes for agent in agents)

    def play_boards(first: int, at: int, count: int) -> None:
        if conditions.whole_games:
            games.play_games(*common, first, at, count, sides, notes, worst)
        else:
            boards.play_boards(*common, first, at, count, sides, notes, conditions.pot, worst)

    return play_boards


def _illegal_answers(
    result: Rows, bots: Sequence[Bot], seatings: Sequence[Sequence[int]], first: int
) -> list[Fault]:
    """Return a fault for each replay that a compiled bot forfeited."""
    faults = []
    for board, replay in zip(*np.nonzero(result[:, :, rows.ROW_FORFEIT] >= 0), strict=True):
        seat = int(result[board, replay, rows.ROW_FORFEIT])
        bot = bots[seatings[replay][seat]].name
        faults.append(Fault(bot, first + int(board), int(replay), seat, "answered illegally"))
    return faults


def _play_plain(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    stop_on_fault: bool,
    watch: Watch,
) -> tuple[Rows, list[Fault]]:
    replays = len(seatings)
    result = np.zeros((count * replays, row_width(conditions)), dtype=np.int32)
    faults: list[Fault] = []
    size = batch_size(conditions, bots)
    for start in range(0, count * replays, size):
        numbers = range(start, min(start + size, count * replays))
        places = [(first + number // replays, number % replays) for number in numbers]
        batch = Batch(conditions, bots, seatings, places, result[start : numbers.stop], watch)
        batch.play(stop_on_fault)
        faults += batch.faults
        if faults and stop_on_fault:
            break
    return result.reshape(count, replays, -1), faults
