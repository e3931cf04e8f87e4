"""How many decisions a second tables in lock-step take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from forty5sim.bench.timing import Figure, rate_figure, timed
from forty5sim.compiling import available_cores
from forty5sim.vec import VecEnv, make

TABLES = (("spoil-five", 5), ("five-hundred", 4))
BATCH = 4096
STEPS = 40
"""Steps in a run; there are as many in a rollout."""


def lockstep_figures(runs: int) -> Iterator[Figure]:
    """Yield actions drawn in the kernel, on one and two cores, and steps with numpy's actions."""
    cores = min(2, available_cores())
    for game, players in TABLES:
        for threads in range(1, cores + 1):
            env = make(game, players, batch=BATCH, seed=1, threads=threads, observe="nothing")
            what = f"vec {game} {players}p, {_count(threads)}, rollout"
            yield _figure(what, partial(env.rollout, STEPS), runs)
        for observe in ("nothing", "packed", "bytes"):
            env = make(game, players, batch=BATCH, seed=1, threads=cores, observe=observe)
            what = f"vec {game} {players}p, {_count(cores)}"
            yield _figure(f"{what}, random steps, {observe} observed", _random(env), runs)
        yield _figure(f"{what}, steps with actions from numpy, bytes observed", _given(env), runs)


def _figure(name: str, work: Callable[[], object], runs: int) -> Figure:
    times, yardstick = timed(work, runs)
    return rate_figure(name, "decisions/s", STEPS * BATCH, times, yardstick)


def _count(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def _random(env: VecEnv) -> Callable[[], object]:
    def work() -> None:
        for _ in range(STEPS):
            env.step_random()

    return work


def _given(env: VecEnv) -> Callable[[], object]:
    def work() -> None:
        for _ in range(STEPS):
            env.step(env.first_legal())

    return work
