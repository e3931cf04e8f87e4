"""Plays one pairing over numbered boards and returns rows of counts.

Tables of compiled agents run through one kernel; where a plain Python agent sits at the table,
many replays advance in lock-step and the plain agents are asked in between. Both ways give the
same rows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from forty5sim.agent import (
    CompiledAgent,
    agent_list,
    as_plain,
    params_matrix,
)
from forty5sim.arena.asked import NOBODY_WATCHES, Fault, Watch
from forty5sim.arena.batch import Batch, batch_size, runs_files
from forty5sim.arena.conditions import Conditions, Rows, row_width
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
    agents = [bot.compiled for bot in bots if bot.compiled]
    place = {index: agents.index(bot.compiled) for index, bot in enumerate(bots) if bot.compiled}
    seats = np.array([[place[bot] for bot in seating] for seating in seatings], dtype=np.int64)
    result = np.zeros((count, len(seatings), row_width(conditions)), dtype=np.int32)
    most = max(1, KERNEL_DEALS // len(seatings))
    watched = runs_files(bots)
    start, step = 0, min(most, FIRST_BOARDS)
    while start < count:
        part = result[start : start + step]
        begun = time.perf_counter()
        if watched:
            watch.enters_kernel()
        _call_boards(conditions, agents, seats, first + start, part)
        watch.leaves()
        each = (time.perf_counter() - begun) / len(part)
        start, step = start + step, max(1, min(most, int(KERNEL_SECONDS / max(each, 1e-9))))
    return result, _illegal_answers(result, bots, seatings, first)


def _call_boards(
    conditions: Conditions,
    agents: Sequence[CompiledAgent],
    seatings: NDArray[np.int64],
    first: int,
    part: Rows,
) -> None:
    """Fill the rows of some boards by one kernel call."""
    boards_here, replays, width = part.shape
    workspace = max([1, *(agent.workspace_size for agent in agents)])
    common = (
        part.reshape(boards_here * replays, width),
        np.zeros((1, layout.STATE_SIZE), dtype=np.int64),
        rule_tables(conditions.rules),
        agent_list(agents, conditions.rules),
        seatings,
        params_matrix(agents, conditions.rules, conditions.players, not conditions.whole_games),
        np.zeros((1, conditions.players, workspace), dtype=np.int64),
        conditions.seed,
        first,
        boards_here,
        conditions.sides,
        max(agent.notes for agent in agents),
    )
    if conditions.whole_games:
        games.play_games(*common, conditions.worst_payoff)
    else:
        boards.play_boards(*common, conditions.pot, conditions.worst_payoff)


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
