"""Reads a run's folder back: the plan, the standings, every row, sampled records and decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forty5sim.arena.conditions import Columns
from forty5sim.arena.plan import Plan, plan_of
from forty5sim.arena.played import blank_tally, unpacked
from forty5sim.arena.store import DECISIONS, RECORDS, RunFolder, read_rows
from forty5sim.arena.tally import Tally
from forty5sim.errors import RunError
from forty5sim.records import Record, read_records

if TYPE_CHECKING:
    import pandas as pd


MOST_BATCHES = 10_000


class Series(NamedTuple):
    """Board values in order, summed in batches of as many boards each (the last may have fewer).

    Attributes:
        names: of the bots.
        duels: the two bots of each duel, as places in ``names``.
        boards: int64, shape (batches,): the boards of each batch.
        payoffs: float64, shape (batches, bots): sums of what each bot gained on a board.
        scores: float64, shape (batches, duels): sums of the first bot's score, 0 to 1 a board.
    """

    names: Sequence[str]
    duels: list[tuple[int, int]]
    boards: NDArray[np.int64]
    payoffs: NDArray[np.float64]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """A tournament as it lies in its folder.

    Attributes:
        folder: where it is kept.
        manifest: what was asked, with which versions, and what came of it.
    """

    folder: Path
    manifest: dict[str, Any]

    @property
    def plan(self) -> Plan:
        """All that fixes its results."""
        return plan_of(self.manifest.get("plan", {}))

    @cached_property
    def standings(self) -> pd.DataFrame:
        """A row for each bot, best first; ``x_ci`` is the 95 % half-width of ``x``.

        Raises:
            RunError: if the run is not complete.
        """
        return self._table("standings", "it is not complete")

    @cached_property
    def duels(self) -> pd.DataFrame:
        """A row for each two bots that met: gain of the first, boards won, tied, lost, Elo.

        Raises:
            RunError: if there are none: it is one table, or not complete.
        """
        return self._table("duels", "no two bots met in it, or it is not complete")

    @cached_property
    def seats(self) -> pd.DataFrame:
        """A row for each seat from eldest to dealer: its mean payoff and half-width.

        Raises:
            RunError: if the run is not complete.
        """
        return self._table("seats", "it is not complete")

    def _table(self, name: str, problem: str) -> pd.DataFrame:
        path = self._existing(f"{name}.csv", problem, "")
        frame: pd.DataFrame = import_module("pandas").read_csv(path)
        return frame

    @cached_property
    def tally(self) -> Tally:
        """The exact sums over all its boards."""
        whole = blank_tally(self.plan).empty()
        whole.names = self.manifest.get("labels", self.plan.bots)
        for first, results in self._parts():
            part = whole.empty()
            part.add(results, first)
            whole.merge(part)
        return whole

    def _parts(self) -> Iterator[tuple[int, list[Columns]]]:
        """Yield the first board and the columns of each part, in order."""
        for part in RunFolder(self.folder).parts():
            yield part.first, unpacked(self.plan, part)[0]

    def _end(self) -> int:
        """Return the number of the board after the last one there is."""
        return max((part.first + part.count for part in RunFolder(self.folder).parts()), default=0)

    def series(self, most: int = MOST_BATCHES) -> Series:
        """Return the board values in the order of boards, some boards together if there are many.

        Args:
            most: no more than so many batches; each holds the same number of boards.
        """
        plan, tally = self.plan, self.tally
        size = -(-max(1, self._end()) // most)
        count = -(-self._end() // size)
        boards = np.zeros(count, dtype=np.int64)
        payoffs = np.zeros((count, len(plan.bots)))
        scores = np.zeros((count, len(tally.duels)))
        columns = [tally.weights.column["payoff", bot] for bot in range(len(plan.bots))]
        divisors = [tally.sums["payoff", bot].divisor for bot in range(len(plan.bots))]
        for first, results in self._parts():
            values = tally.weights.values(results, first)
            batch = np.arange(first, first + values.seats.shape[1]) // size
            np.add.at(boards, batch, 1)
            np.add.at(payoffs, batch, values.measures[columns].T / divisors)
            for place, (duel, (_, found)) in enumerate(zip(tally.duels, values.duels, strict=True)):
                np.add.at(scores[:, place], batch, found / (2 * duel.replays))
        return Series(
            tally.names, [(d.first, d.second) for d in tally.duels], boards, payoffs, scores
        )

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row for each replay: pairing, board, replay, and the counts of each seat."""
        frame: pd.DataFrame = import_module("pandas").DataFrame(read_rows(self.folder))
        return frame

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """A row for each decision of the sampled boards (columns in docs/records.md).

        Raises:
            RunError: if none were kept; says how to keep them.
        """
        path = self._existing(DECISIONS, "it has kept no decisions", " --decisions 200")
        frame: pd.DataFrame = import_module("pandas").read_parquet(path)
        return frame

    @cached_property
    def times(self) -> pd.DataFrame:
        """A row for each bot: how long its decisions took on one core, in milliseconds.

        Columns: bot, decisions, mean, median, p99, longest (see ``arena.timing``).

        Raises:
            RunError: if the run is not complete.
        """
        return self._table("times", "it is not complete")

    def records(self) -> Iterator[Record]:
        """Yield the records of the sampled boards.

        Raises:
            RunError: if none were kept; says how to keep them.
        """
        return read_records(self._existing(RECORDS, "it has kept no records", " --records 100"))

    def _existing(self, name: str, problem: str, more: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise RunError(
                f"run {str(self.folder)!r}: {problem};"
                f" forty5sim tournament --resume {self.folder}{more}"
            )
        return path


def load_run(folder: str | Path) -> Run:
    """Return the run that a folder holds.

    Raises:
        RunError: if it holds none.
    """
    return Run(Path(folder), RunFolder(folder).manifest())
