"""What a run's folder holds, read once, as the figures and the page want it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forty5sim.arena.asked import Fault
from forty5sim.arena.played import unpacked
from forty5sim.arena.result import TournamentResult, make_result
from forty5sim.arena.runs import Run, Series, load_run
from forty5sim.arena.standings import payoff_unit
from forty5sim.arena.store import RunFolder
from forty5sim.errors import RunError
from forty5sim.stats import bootstrap_ratings

if TYPE_CHECKING:
    import pandas as pd

BOOTSTRAP_BATCHES = 1000
MOST_BOARDS_APART = 1_000_000
"""Boards whose values are kept one by one, for their distribution; more are not drawn."""

MOST_DUELS = 8
"""Duels whose payoffs are drawn; of more, those of the leader."""


@dataclass(frozen=True)
class Findings:
    """A run and what came of the boards that it has.

    Attributes:
        run: the folder.
        result: its tables, made anew from the parts.
    """

    run: Run
    result: TournamentResult

    @property
    def unit(self) -> str:
        """What a payoff is counted in."""
        return payoff_unit(self.result.conditions)

    @property
    def names(self) -> list[str]:
        """The bots, best first."""
        return [str(row["bot"]) for row in self.result.table]

    @cached_property
    def duels(self) -> pd.DataFrame:
        """A row for each two bots that met; empty for one table."""
        return frame(self.result.duels)

    @cached_property
    def seats(self) -> pd.DataFrame:
        """A row for each seat."""
        return frame(self.result.seats)

    @cached_property
    def times(self) -> pd.DataFrame | None:
        """How long decisions took; None where that was not measured."""
        return _or_none(self.run, "times")

    @cached_property
    def decisions(self) -> pd.DataFrame | None:
        """The decisions of sampled boards; None where none were kept."""
        return _or_none(self.run, "decisions")

    @cached_property
    def has_gaps(self) -> bool:
        """Whether boards before the last one are missing, as in a run that was stopped."""
        ends = [part.first + part.count for part in RunFolder(self.run.folder).parts()]
        return max(ends) != self.result.boards

    @cached_property
    def series(self) -> Series:
        """The board values in order."""
        return self.run.series()

    def lead(self) -> tuple[Any, str]:
        """Return the sums of what the leader is ahead, batch by batch, and what they are."""
        names = list(self.series.names)
        first, second = self.names[0], self.names[1]
        payoffs = self.series.payoffs
        if len(names) == 2 and not self.result.is_table:
            return payoffs[:, names.index(first)], f"gain of {first} on {second}"
        ahead = payoffs[:, names.index(first)] - payoffs[:, names.index(second)]
        return ahead, f"payoff of {first} less that of {second}"

    def distributions(self) -> dict[str, tuple[Any, Any]]:
        """Return the board payoffs of each duel or, at one table, of each bot."""
        tally = self.run.tally
        if not tally.duels:
            series = self.run.series(self.result.boards)
            ones = np.ones(len(series.boards))
            columns = zip(series.names, series.payoffs.T, strict=True)
            return {name: (values, ones) for name, values in columns}
        shown = {}
        for duel in tally.duels:
            pair = (tally.names[duel.first], tally.names[duel.second])
            if len(tally.duels) <= MOST_DUELS or self.names[0] in pair:
                shown[f"{pair[0]}\nagainst {pair[1]}"] = duel.payoff_support()
        return shown

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """Bradley-Terry ratings from the scores of boards, with bootstrap intervals."""
        series = self.run.series(BOOTSTRAP_BATCHES)
        bots = len(series.names)
        wins = np.zeros((len(series.boards), bots, bots))
        for place, (first, second) in enumerate(series.duels):
            wins[:, first, second] = series.scores[:, place]
            wins[:, second, first] = series.boards - series.scores[:, place]
        found = bootstrap_ratings(np.maximum(wins, 0))
        return frame(
            {"bot": n, "elo": e, "low": a, "high": b, "top": t, "boards": self.result.boards}
            for n, e, a, b, t in zip(
                series.names, found.ratings, found.low, found.high, found.top, strict=True
            )
        )


def frame(rows: Any) -> pd.DataFrame:
    """Return rows as a DataFrame; pandas is loaded when this is first called."""
    made: pd.DataFrame = import_module("pandas").DataFrame(list(rows))
    return made


def _or_none(run: Run, name: str) -> pd.DataFrame | None:
    try:
        found: pd.DataFrame = getattr(run, name)
    except RunError:
        return None
    return found if len(found) else None


def read_findings(folder: str | Path) -> Findings:
    """Return what a run's folder holds, complete or not, from its parts.

    Raises:
        RunError: if it holds no run, or no boards.
    """
    run = load_run(folder)
    said = run.manifest.get("result") or {}
    tally = run.tally
    result = make_result(
        run.plan,
        RunFolder(folder),
        tally,
        _faults(run),
        complete=said.get("digest") == tally.digest,
    )
    return Findings(run, result)


def _faults(run: Run) -> list[Fault]:
    parts = RunFolder(run.folder).parts()
    return [fault for part in parts for fault in unpacked(run.plan, part)[1]]
