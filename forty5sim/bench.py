"""What ``forty5sim bench`` measures: speeds of this machine, best and median of many short runs.

Shared machines drift by half within minutes. So each figure comes from many short runs, with a
fixed loop timed beside every one of them: compare figures of two days by their yardsticks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from forty5sim.agent import View
from forty5sim.cards import Action
from forty5sim.kernels import layout, speed
from forty5sim.match import Conditions, play_pairing
from forty5sim.named_rules import find_rules
from forty5sim.registry import Bot, find_bot
from forty5sim.tables import rule_tables

RUNS = 25
YARDSTICK_STEPS = 2_000_000

RANDOM_TABLES = (
    ("forty-five", 2),
    ("forty-five", 4),
    ("forty-five:sides=individuals", 4),
    ("forty-five", 6),
    ("twenty-five", 4),
    ("spoil-five", 3),
    ("spoil-five", 4),
    ("spoil-five", 5),
    ("spoil-five-traditional", 5),
    ("spoil-five", 10),
    ("auction-forty-fives", 4),
    ("five-hundred", 4),
)
HEURISTIC_TABLES = (
    ("forty-five", 4),
    ("spoil-five", 5),
    ("auction-forty-fives", 4),
    ("five-hundred", 4),
)


@dataclass(frozen=True)
class Figure:
    """One figure: the best and the median of some runs, and the yardstick beside them.

    ``yardstick`` is the best time of the fixed loop during these runs, in ns a step.
    """

    name: str
    unit: str
    best: float
    median: float
    runs: int
    yardstick: float

    def as_dict(self) -> dict[str, Any]:
        """Return the figure for JSON."""
        return asdict(self)


class FirstLegal:
    """A plain Python bot of the simplest kind."""

    name, version = "first-legal", 1

    def act(self, view: View) -> Action:
        """Return the first card that would win the trick so far, else the first legal action."""
        for card in view.legal:
            if view.phase == "play" and view.beats_trick(card):
                return card
        return view.legal[0]


def figures(runs: int = RUNS) -> Iterator[Figure]:
    """Measure and yield every figure in turn."""
    for game, players in RANDOM_TABLES:
        yield from random_figures(game, players, runs)
    heuristic = find_bot("heuristic")
    for game, players in HEURISTIC_TABLES:
        conditions = Conditions(find_rules(game), players, seed=1)
        yield deals_figure(
            f"heuristic deals, {game} {players}p", conditions, [heuristic], runs, 3000
        )
    plain = Bot("first-legal", "first-legal", 1, None, FirstLegal, keeps_notes=False)
    conditions = Conditions(find_rules("spoil-five"), 5, seed=1)
    name = "one plain Python bot among 4 heuristics, spoil-five 5p"
    yield deals_figure(name, conditions, [heuristic, plain], max(3, runs // 3), 1000)
    yield from start_figures(max(3, runs // 5))


def random_figures(game: str, players: int, runs: int) -> Iterator[Figure]:
    """Yield deals a second and ns a play of random deals on one core."""
    rules = find_rules(game)
    tables, sides = rule_tables(rules), rules.side_count(players)
    state = np.zeros(layout.STATE_SIZE, dtype=np.int64)
    deals = 60_000 // players
    plays = speed.random_deals(state, tables, 1, deals, players, sides)
    times, yardstick = timed(
        lambda: speed.random_deals(state, tables, 1, deals, players, sides), runs
    )
    name = f"random deals, {game} {players}p"
    yield _rate(name, "deals/s", deals, times, yardstick)
    per_play = [1e9 * seconds / plays for seconds in times]
    yield Figure(name, "ns/play", min(per_play), median(per_play), runs, yardstick)


def deals_figure(
    name: str, conditions: Conditions, bots: list[Bot], runs: int, deals: int
) -> Figure:
    """Return deals a second at a table whose last seat is the last of the bots."""
    seating = [[0] * (conditions.players - 1) + [len(bots) - 1]]
    play_pairing(conditions, bots, seating, 0, 1)
    times, yardstick = timed(lambda: play_pairing(conditions, bots, seating, 0, deals), runs)
    return _rate(name, "deals/s", deals, times, yardstick)


def start_figures(runs: int) -> Iterator[Figure]:
    """Yield how long starting takes: cold with compiling, warm, and of ``--help``."""
    with tempfile.TemporaryDirectory() as folder:
        main_job = ["tournament", "--quiet", "--fresh", "--results", folder]
        environment = {"FORTY5SIM_CACHE_DIR": os.path.join(folder, "cache")}  # noqa: PTH118
        small_job = [*main_job, "--boards", "100"]
        yield _start_figure("first run, compiling", main_job, environment, 1)
        yield _start_figure("second run, 20 000 boards", main_job, environment, runs)
        yield _start_figure("tournament --boards 100", small_job, environment, runs)
        yield _start_figure("--help", ["--help"], environment, 2 * runs)


def _start_figure(name: str, job: list[str], environment: dict[str, str], runs: int) -> Figure:
    code = "from forty5sim.cli import main; main()"

    def start() -> None:
        subprocess.run(
            [sys.executable, "-c", code, *job],
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
        )

    times, yardstick = timed(start, runs, warm_up=False)
    return Figure(name, "s", min(times), median(times), runs, yardstick)


def timed(
    work: Callable[[], object], runs: int, *, warm_up: bool = True
) -> tuple[list[float], float]:
    """Return the seconds of each run, and the best yardstick beside them in ns a step."""
    if warm_up:
        work()
    times, yardsticks = [], []
    speed.yardstick(1)
    for _ in range(runs):
        start = time.perf_counter()
        work()
        middle = time.perf_counter()
        speed.yardstick(YARDSTICK_STEPS)
        times.append(middle - start)
        yardsticks.append(time.perf_counter() - middle)
    return times, 1e9 * min(yardsticks) / YARDSTICK_STEPS


def _rate(name: str, unit: str, count: int, times: list[float], yardstick: float) -> Figure:
    rates = [count / seconds for seconds in times]
    return Figure(name, unit, max(rates), median(rates), len(times), yardstick)
