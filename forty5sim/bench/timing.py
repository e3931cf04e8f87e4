"""Timing: best and median of many short runs, with a fixed loop beside every one of them.

Shared machines drift by half within minutes; compare figures of two days by their yardsticks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from forty5sim.kernels import speed

RUNS = 25
YARDSTICK_STEPS = 2_000_000


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


def rate_figure(name: str, unit: str, count: int, times: list[float], yardstick: float) -> Figure:
    """Return how many of ``count`` things were done a second."""
    rates = [count / seconds for seconds in times]
    return Figure(name, unit, max(rates), median(rates), len(times), yardstick)


def time_figure(name: str, count: int, times: list[float], yardstick: float) -> Figure:
    """Return the microseconds that each of ``count`` things took."""
    each = [1e6 * seconds / count for seconds in times]
    return Figure(name, "us", min(each), median(each), len(times), yardstick)
