"""Plays the chunks of a plan on threads or on a cluster, as they come free.

A chunk is a range of boards of every pairing. Installed bots play on the threads themselves: their
kernels release the GIL. For bots from files each thread has a guarded process (``guard``), where
one that hangs can be ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from forty5sim.agent import Part, View
from forty5sim.arena.cluster import cluster_executor, play_task
from forty5sim.arena.conditions import board_game, row_width
from forty5sim.arena.crew import Crew, run_on_threads
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import Plan
from forty5sim.arena.played import Played, blank_tally
from forty5sim.arena.schedule import Seating
from forty5sim.cards import Action
from forty5sim.compiling import compile_parts, missing_parts
from forty5sim.kernels import boards as board_kernels
from forty5sim.kernels import games as game_kernels
from forty5sim.kernels.jit import is_cached
from forty5sim.registry import Bot
from forty5sim.rules import RuleSet

COMPILED_CHUNK_DEALS = 50_000
PLAIN_CHUNK_DEALS = 2_000
CHUNK_SECONDS = 2.0
DEALS_OF_A_GAME = 16  # roughly, to size chunks of whole games
TIMED_SECONDS, TIMED_REPLAYS = 0.01, 512  # enough of either to tell what a replay takes


def chunk_size(plan: Plan, workers: int, seconds: float) -> int:
    """Return how many boards make a chunk: some tenths of a second of work, all workers busy.

    ``seconds`` is what a board takes; slow bots get chunks of a few boards.
    """
    deals = COMPILED_CHUNK_DEALS if run_on_threads(plan.bots) else PLAIN_CHUNK_DEALS
    if plan.whole_games:
        deals //= DEALS_OF_A_GAME
    slow = max(1, int(CHUNK_SECONDS / max(seconds, 1e-9)))
    return max(1, min(deals // plan.replays(), slow, -(-plan.boards // workers)))


def play_chunks(
    crew: Crew, chunks: Sequence[tuple[int, int]], workers: int, *, cluster: str | None = None
) -> Generator[Played]:
    """Yield the chunks, given as (first board, count), in the order in which they are done.

    Closing the generator, or an error, stops the workers at once.

    Args:
        crew: plays them, and knows what.
        chunks: which boards.
        workers: how many threads, each with a process where there are bots from files.
        cluster: address of a Dask scheduler; then its workers play, and no thread of ours.
    """
    if cluster is not None:
        with cluster_executor(cluster) as (executor, tasks):
            yield from _completed(
                lambda *chunk: executor.submit(play_task, crew.plan, crew.limits, *chunk),
                chunks,
                2 * tasks,
            )
        return
    threads = max(1, min(workers, len(chunks)))
    pool = ThreadPoolExecutor(threads, thread_name_prefix="forty5sim")
    try:
        yield from _completed(lambda *chunk: pool.submit(crew.play, *chunk), chunks, 2 * threads)
    finally:
        crew.close()
        pool.shutdown(wait=False, cancel_futures=True)


def _completed(
    play: Callable[[int, int], Future[Played]], chunks: Sequence[tuple[int, int]], ahead: int
) -> Iterator[Played]:
    """Yield the chunks as they come in, with no more than ``ahead`` under way."""
    waiting = list(reversed(chunks))
    running: set[Future[Played]] = set()
    while waiting or running:
        while waiting and len(running) < ahead:
            running.add(play(*waiting.pop()))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def in_order(played: Generator[Played], chunks: Sequence[tuple[int, int]]) -> Generator[Played]:
    """Yield chunks in the order in which they were given, as soon as those before are there."""
    early: dict[int, Played] = {}
    try:
        for first, _ in chunks:
            while first not in early:
                found = next(played)
                early[found.first] = found
            yield early.pop(first)
    finally:
        played.close()


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
        return [part.function for part in _table(plan)]
    return [game_kernels.advance_games if plan.whole_games else board_kernels.advance_batch]


def _table(plan: Plan) -> list[Part]:
    """Return the kernel that plays a plan's boards, if compiled bots play it among themselves."""
    if not run_on_threads(plan.bots):
        return []
    if plan.whole_games:
        return [Part(game_kernels.play_games, game_kernels.PLAY_GAMES)]
    return [Part(board_kernels.play_boards, board_kernels.PLAY_BOARDS)]


def warm_up(crew: Crew, bots: Sequence[Bot]) -> float:
    """Load or compile what the workers need, once and before the clock of the progress bar runs.

    Returns the seconds that a board took then. Bots of one's own are left to the crew's processes,
    which can be ended; a stand-in plays for them here.
    """
    plan = crew.plan
    if not run_on_threads(plan.bots):
        bots = [Bot("stand-in", "stand-in", 1, None, _StandIn, keeps_notes=False)] * len(bots)
    parts = missing_parts([bot.compiled for bot in bots], plan.rules, plan.players) + _table(plan)
    compile_parts(parts, meanwhile=lambda: _use_the_rest(plan))
    play_pairing(plan.conditions, bots, plan.pairings[0].seatings[:1], 0, 1)
    if not run_on_threads(plan.bots):
        start = time.perf_counter()
        crew.play(0, 1)
        return time.perf_counter() - start
    each = (_replay_seconds(plan, bots, p.seatings[0]) * len(p.seatings) for p in plan.pairings)
    return sum(each)


def _use_the_rest(plan: Plan) -> None:
    """Do what a run does beside playing, so that it is compiled: sum up, ask one by one."""
    game = board_game(plan.conditions, 0)
    game.push(game.legal_actions[0])
    shapes = ((len(p.seatings), row_width(plan.conditions), 1) for p in plan.pairings)
    blank_tally(plan).empty().add([np.full(shape, -1, np.int32) for shape in shapes], 0)


def _replay_seconds(plan: Plan, bots: Sequence[Bot], seating: Seating) -> float:
    """Return what a replay takes; of quick bots many are played, so that the call counts little."""
    count = 1
    while True:
        start = time.perf_counter()
        play_pairing(plan.conditions, bots, [seating], 1, count)
        spent = time.perf_counter() - start
        if spent > TIMED_SECONDS or count >= TIMED_REPLAYS:
            return spent / count
        count *= 8


class _StandIn:
    def act(self, view: View) -> Action:
        return view.legal[0]
