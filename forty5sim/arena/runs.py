"""Reads a run's folder back: the plan, the standings, every row, sampled records and decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forty5sim.arena.plan import Plan, plan_of
from forty5sim.arena.store import DECISIONS, PARTS, RECORDS, RunFolder
from forty5sim.errors import RunError
from forty5sim.records import Record, read_records

if TYPE_CHECKING:
    import pandas as pd


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
        path = self._existing("standings.csv", "it is not complete", "")
        frame: pd.DataFrame = import_module("pandas").read_csv(path)
        return frame

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row for each replay: pairing, board, replay, and the counts of each seat."""
        frame: pd.DataFrame = import_module("pandas").read_parquet(self.folder / PARTS)
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
