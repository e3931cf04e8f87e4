"""Plays the chunks of a plan on threads or processes, as they come free.

A chunk is a range of boards of every pairing. Compiled bots that are installed play on threads of
this process; bots of one's own play in spawned processes, where one that hangs can be ended.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from functools import cache
from typing import Any, NamedTuple

from forty5sim.agent import View
from forty5sim.arena.match import Fault, Rows, play_pairing
from forty5sim.arena.plan import Plan
from forty5sim.cards import Action
from forty5sim.compiling import compile_parts, missing_parts
from forty5sim.kernels import boards as board_kernels
from forty5sim.kernels import games as game_kernels
from forty5sim.kernels.jit import is_cached
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RuleSet

COMPILED_CHUNK_DEALS = 25_000
PLAIN_CHUNK_DEALS = 2_000
CHUNK_SECONDS = 2.0
DEALS_OF_A_GAME = 16  # roughly, to size chunks of whole games


class Chunk(NamedTuple):
    """What came of some boards: the rows of each pairing, and the faults."""

    first: int
    results: list[Rows]
    faults: list[Fault]


def play_chunk(plan: Plan, first: int, count: int) -> Chunk:
    """Play some boards of every pairing; workers call this, building the bots themselves."""
    bots = _bots(plan.bots)
    chunk = Chunk(first, [], [])
    for pairing in plan.pairings():
        stop = plan.on_error == "stop"
        rows, faults = play_pairing(
            plan.conditions, bots, pairing.seatings, first, count, stop_on_fault=stop
        )
        chunk.results.append(rows)
        chunk.faults.extend(faults)
    return chunk


@cache
def _bots(specs: tuple[str, ...]) -> list[Bot]:
    return [find_bot(spec) for spec in specs]


def run_on_threads(specs: Sequence[str]) -> bool:
    """Say whether threads will do: all bots are installed, none is loaded from a file."""
    return all(".py:" not in spec for spec in specs)


def chunk_size(plan: Plan, workers: int, seconds: float) -> int:
    """Return how many boards make a chunk: some tenths of a second of work, all workers busy.

    ``seconds`` is what a board takes; slow bots get chunks of a few boards.
    """
    deals = COMPILED_CHUNK_DEALS if run_on_threads(plan.bots) else PLAIN_CHUNK_DEALS
    if plan.whole_games:
        deals //= DEALS_OF_A_GAME
    slow = max(1, int(CHUNK_SECONDS / max(seconds, 1e-9)))
    return max(1, min(deals // plan.replays(), slow, -(-plan.boards // workers)))


def play_chunks(plan: Plan, chunks: Sequence[tuple[int, int]], workers: int) -> Iterator[Chunk]:
    """Yield the chunks, given as (first board, count), in the order in which they are done.

    Closing the generator, or an error, stops the workers at once.
    """
    executor = _executor(run_on_threads(plan.bots), max(1, min(workers, len(chunks))))
    try:
        yield from _completed(executor, plan, chunks, 2 * workers)
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    executor.shutdown()


def _executor(threads: bool, workers: int) -> Executor:
    if threads:
        return ThreadPoolExecutor(workers, thread_name_prefix="forty5sim")
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=_prepare_worker)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent process, and standard output too: bots may print."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr


def _completed(
    executor: Executor, plan: Plan, chunks: Sequence[tuple[int, int]], ahead: int
) -> Iterator[Chunk]:
    """Yield the chunks as they come in, with no more than ``ahead`` under way."""
    waiting = list(reversed(chunks))
    running: set[Future[Chunk]] = set()
    while waiting or running:
        while waiting and len(running) < ahead:
            running.add(executor.submit(play_chunk, plan, *waiting.pop()))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


# --- compiling before the clock runs -------------------------------------------------------------


def needs_compiling(plan: Plan) -> bool:
    """Say whether the engine has to be compiled before this plan can be played."""
    return not all(is_cached(entry) for entry in _entries(plan))


def bots_need_compiling(bots: Sequence[Bot | None], rules: RuleSet, players: int) -> bool:
    """Say whether what these bots play a game by has to be compiled first."""
    agents = [bot.compiled for bot in bots if bot is not None]
    return bool(missing_parts(agents, rules, players))


def _entries(plan: Plan) -> list[Callable[..., Any]]:
    """Return the compiled entries that a plan needs."""
    if run_on_threads(plan.bots):
        return [game_kernels.play_games if plan.whole_games else board_kernels.play_boards]
    return [game_kernels.advance_games if plan.whole_games else board_kernels.advance_batch]


def warm_up(plan: Plan, bots: Sequence[Bot]) -> float:
    """Load or compile what the workers need, once and before the clock of the progress bar runs.

    Returns the seconds that a board took then. Bots of one's own are left to the workers, which
    can be ended; a stand-in plays for them.
    """
    if not run_on_threads(plan.bots):
        bots = [Bot("stand-in", "stand-in", 1, None, _StandIn, keeps_notes=False)] * len(bots)
    compile_parts(missing_parts([bot.compiled for bot in bots], plan.rules, plan.players))
    play_pairing(plan.conditions, bots, plan.pairings()[0].seatings[:1], 0, 1)
    seconds = 0.0
    for pairing in plan.pairings():
        start = time.perf_counter()
        play_pairing(plan.conditions, bots, pairing.seatings[:1], 1, 1)
        seconds += (time.perf_counter() - start) * len(pairing.seatings)
    return seconds


class _StandIn:
    def act(self, view: View) -> Action:
        return view.legal[0]
