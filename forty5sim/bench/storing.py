"""What share of the kernels' speed a tournament keeps that sums up and stores what they play."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from forty5sim.arena.chunks import play_chunk
from forty5sim.arena.crew import Crew
from forty5sim.arena.plan import Plan, make_plan
from forty5sim.arena.played import blank_tally
from forty5sim.arena.store import RunFolder
from forty5sim.arena.workers import COMPILED_CHUNK_DEALS, play_chunks
from forty5sim.bench.timing import Figure, timed
from forty5sim.named_rules import find_rules

TABLES = (("twenty-five", 2), ("forty-five", 4), ("spoil-five", 5), ("five-hundred", 4))
BOTS = ("heuristic", "random")
CHUNKS = 4


def storing_figures(runs: int) -> Iterator[Figure]:
    """Measure chunks that are stored beside chunks that are only played, in turn, by one worker."""
    for game, players in TABLES:
        yield _share(game, players, runs)


def _play(plan: Plan, chunks: list[tuple[int, int]]) -> None:
    with ThreadPoolExecutor(1) as pool:
        for first, count in chunks:
            pool.submit(play_chunk, plan, first, count).result()


def _store(plan: Plan, chunks: list[tuple[int, int]]) -> None:
    tally = blank_tally(plan).empty()
    with tempfile.TemporaryDirectory() as path, Crew(plan) as crew:
        folder = RunFolder(path)
        folder.create({})
        for played in play_chunks(crew, chunks, 1):
            folder.write_part(played.first, played.count, played.part)
            tally.merge(played.tally)


def _share(game: str, players: int, runs: int) -> Figure:
    plan = make_plan(find_rules(game), BOTS, players, boards=1, seed=1)
    boards = COMPILED_CHUNK_DEALS // plan.replays()
    chunks = [(boards * number, boards) for number in range(CHUNKS)]
    ways: list[Callable[[Plan, list[tuple[int, int]]], None]] = [_play, _store]
    times: dict[object, list[float]] = {way: [] for way in ways}

    def both() -> None:
        ways.reverse()  # what came before leaves its traces in the cache
        for way in ways:
            start = time.process_time()
            way(plan, chunks)
            times[way].append(time.process_time() - start)

    _store(plan, chunks)
    _, yardstick = timed(both, runs, warm_up=False)
    alone, stored = times[_play], times[_store]
    name = f"stored / kernels alone, {game} {players}p"
    best, usual = min(alone) / min(stored), median(alone) / median(stored)
    return Figure(name, "share", best, usual, runs, yardstick)
