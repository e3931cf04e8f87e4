"""What came of a tournament: its tables, its digest, and the files that keep them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forty5sim.arena.asked import Fault
from forty5sim.arena.conditions import Conditions
from forty5sim.arena.plan import Plan
from forty5sim.arena.runs import load_run
from forty5sim.arena.standings import (
    contract_rows,
    duel_rows,
    seat_rows,
    standings_rows,
    trump_rows,
    verdict,
)
from forty5sim.arena.stopping import conclude
from forty5sim.arena.store import SUMMARIES, RunFolder
from forty5sim.arena.tally import Tally
from forty5sim.errors import RunError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament.

    Attributes:
        folder: the run's folder.
        verdict: the result in one sentence.
        table: a row for each bot, best first; ``x_ci`` is the 95 % half-width of ``x``.
        duels: a row for each two bots that met: gain of the first, boards won, tied, lost, Elo.
        seats: a row for each seat from eldest to dealer: its mean payoff.
        contracts: in auction games a row for each bot and level: how often played, made, set.
        trumps: in auction games a row for each bot: how often it made each suit trumps.
        digest: sha256 of all rows in order; equal for equal plans, however they were run.
        faults: bots that misbehaved, and where.
        complete: whether all boards were played, or the run was ended by its stopping rule.
        boards: how many were.
        conditions: what was played.
        is_table: whether one given table was played, not every two bots against each other.
        conclusion: what the sequential test or the interval says, "" if there is none.
    """

    folder: Path
    verdict: str
    table: list[dict[str, Any]]
    duels: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    contracts: list[dict[str, Any]]
    trumps: list[dict[str, Any]]
    digest: str
    faults: list[Fault]
    complete: bool
    boards: int
    conditions: Conditions
    is_table: bool
    conclusion: str = ""

    @cached_property
    def standings(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        frame: pd.DataFrame = _pandas().DataFrame(self.table)
        return frame

    def facts(self) -> dict[str, Any]:
        """Return the result for a machine: verdict, standings, digest, faults."""
        return {
            "folder": str(self.folder),
            "verdict": self.verdict,
            "standings": self.table,
            "duels": self.duels,
            "seats": self.seats,
            "conclusion": self.conclusion,
            "contracts": self.contracts,
            "trumps": self.trumps,
            "boards": self.boards,
            "complete": self.complete,
            "digest": self.digest,
            "faults": [asdict(fault) for fault in self.faults],
        }

    def measured(self) -> list[dict[str, Any]]:
        """Return a row for each bot and measure: ``value``, ``value_ci`` and n boards."""
        return [
            {
                "bot": row["bot"],
                "quantity": name,
                "value": value,
                "value_ci": row[f"{name}_ci"],
                "n": row["boards"],
            }
            for row in self.table
            for name, value in row.items()
            if f"{name}_ci" in row
        ]

    def to_json(self) -> str:
        """Return the facts as JSON, which has no nan and no infinity: null in their place."""
        lists = ("standings", "duels", "seats", "contracts", "trumps")
        facts = self.facts()
        facts |= {name: [_without_nan(row) for row in facts[name]] for name in lists}
        return json.dumps(facts, indent=2)

    def rows(self) -> pd.DataFrame:
        """Return every replay as a row: pairing, board, replay, and the counts of each seat."""
        return load_run(self.folder).rows


def _pandas() -> Any:
    """Return pandas, loaded when first needed: it takes a third of the start of a command."""
    return import_module("pandas")


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON, which has no nan and no infinity: None in their place."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }


def make_result(
    plan: Plan,
    folder: RunFolder,
    tally: Tally,
    faults: Sequence[Fault],
    *,
    complete: bool,
) -> TournamentResult:
    """Return the result of the boards so far.

    Raises:
        RunError: if there are no boards.
    """
    if tally.boards == 0:
        raise RunError(f"stopped before the first chunk was finished; nothing in {folder.path}")
    contracts = contract_rows(tally)
    conclusion = conclude(plan.stopping, tally).text if plan.stopping else ""
    return TournamentResult(
        folder=folder.path,
        verdict=verdict(tally),
        table=standings_rows(tally),
        duels=duel_rows(tally),
        seats=seat_rows(tally),
        contracts=contracts,
        trumps=trump_rows(tally) if contracts else [],
        digest=tally.digest,
        faults=sorted(faults, key=lambda fault: (fault.board, fault.replay, fault.seat)),
        complete=complete,
        boards=tally.boards,
        conditions=plan.conditions,
        is_table=bool(plan.table),
        conclusion=conclusion,
    )


def keep_result(result: TournamentResult, folder: RunFolder, manifest: dict[str, Any]) -> None:
    """Write the result and its tables into the run's folder."""
    said = {"digest": result.digest, "verdict": result.verdict, "boards": result.boards}
    if result.conclusion:
        said["conclusion"] = result.conclusion
    folder.create({**manifest, "result": said})
    for name in SUMMARIES:
        rows = result.table if name == "standings" else getattr(result, name)
        folder.write_csv(f"{name}.csv", rows)
