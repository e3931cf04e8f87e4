"""What ``forty5sim bench`` measures: speeds of this machine, on one core unless it says threads."""

from __future__ import annotations

from collections.abc import Iterator

from forty5sim.bench.deals import deal_figures
from forty5sim.bench.knowledge import determinization_figures, solver_figures
from forty5sim.bench.lockstep import lockstep_figures
from forty5sim.bench.searching import search_figures
from forty5sim.bench.starting import start_figures
from forty5sim.bench.storing import storing_figures
from forty5sim.bench.timing import RUNS, Figure

__all__ = ["RUNS", "Figure", "figures"]


def figures(runs: int = RUNS) -> Iterator[Figure]:
    """Measure and yield every figure in turn."""
    yield from deal_figures(runs)
    yield from lockstep_figures(runs)
    yield from storing_figures(max(3, runs // 3))
    yield from determinization_figures(runs)
    yield from solver_figures(runs)
    yield from search_figures(runs)
    yield from start_figures(max(3, runs // 5))
