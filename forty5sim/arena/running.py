"""Tournaments: play a plan in a run folder, resume it, and say what came of it.

Results do not depend on workers, chunk sizes or the order in which chunks come in.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

import forty5sim
from forty5sim.arena.match import Conditions, Fault
from forty5sim.arena.plan import (
    MAX_BOARDS,
    Plan,
    differences,
    make_plan,
    plan_of,
    run_name,
    whole_number,
)
from forty5sim.arena.runs import load_run
from forty5sim.arena.sampling import sample_decisions, sample_records
from forty5sim.arena.standings import (
    Tally,
    column_names,
    contract_rows,
    standings_rows,
    trump_rows,
    verdict,
)
from forty5sim.arena.store import DECISIONS, RECORDS, RunFolder, missing_ranges
from forty5sim.arena.workers import (
    bots_need_compiling,
    chunk_size,
    needs_compiling,
    play_chunks,
    warm_up,
)
from forty5sim.compiling import available_cores
from forty5sim.errors import AgentError, RunError
from forty5sim.kernels.jit import COMPILING
from forty5sim.named_rules import find_rules
from forty5sim.records import write_records
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_GAME = "forty-five"
DEFAULT_BOTS = ("heuristic", "random")
DEFAULT_BOARDS = 20_000
FORMAT = "forty5sim.run.v1"


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament.

    Attributes:
        folder: the run's folder.
        verdict: the result in one sentence.
        table: a row for each bot, best first; ``x_ci`` is the 95 % half-width of ``x``.
        contracts: in auction games a row for each bot and level: how often played, made, set.
        trumps: in auction games a row for each bot: how often it made each suit trumps.
        digest: sha256 of all rows in order; equal for equal plans, however they were run.
        faults: bots that misbehaved, and where.
        complete: whether all boards were played.
        boards: how many were.
        conditions: what was played.
        is_table: whether one given table was played, not every two bots against each other.
    """

    folder: Path
    verdict: str
    table: list[dict[str, Any]]
    contracts: list[dict[str, Any]]
    trumps: list[dict[str, Any]]
    digest: str
    faults: list[Fault]
    complete: bool
    boards: int
    conditions: Conditions
    is_table: bool

    @cached_property
    def standings(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        frame: pd.DataFrame = _pandas().DataFrame(self.table)
        return frame

    def to_json(self) -> str:
        """Return the result for a machine: verdict, standings, digest, faults."""
        return json.dumps(
            {
                "folder": str(self.folder),
                "verdict": self.verdict,
                "standings": [_without_nan(row) for row in self.table],
                "contracts": [_without_nan(row) for row in self.contracts],
                "trumps": [_without_nan(row) for row in self.trumps],
                "boards": self.boards,
                "complete": self.complete,
                "digest": self.digest,
                "faults": [asdict(fault) for fault in self.faults],
            },
            indent=2,
        )

    def rows(self) -> pd.DataFrame:
        """Return every replay as a row: pairing, board, replay, and the counts of each seat."""
        return load_run(self.folder).rows


@dataclass(frozen=True)
class Samples:
    """How many boards' records and decisions are kept beside the rows of a run."""

    records: int = 0
    decisions: int = 0

    def __post_init__(self) -> None:
        whole_number("records", self.records, 0, MAX_BOARDS)
        whole_number("decisions", self.decisions, 0, MAX_BOARDS)

    def keep(self, plan: Plan, bots: Sequence[Bot], folder: RunFolder, *, progress: bool) -> None:
        """Write the files that were asked for, of a complete run."""
        if self.records:
            found = sample_records(plan, bots, folder, self.records, progress=progress)
            write_records(folder.path / RECORDS, found)
        if self.decisions:
            table = sample_decisions(plan, bots, folder, self.decisions, progress=progress)
            folder.write_table(DECISIONS, table)


def _pandas() -> Any:
    """Return pandas, loaded when first needed: it takes a third of the start of a command."""
    return import_module("pandas")


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON, which has no nan: None where there is no interval."""
    return {key: None if value != value else value for key, value in row.items()}


def tournament(
    game: str | RuleSet = DEFAULT_GAME,
    bots: Sequence[str] = DEFAULT_BOTS,
    *,
    players: int | None = None,
    boards: int = DEFAULT_BOARDS,
    seed: int = 1,
    pot: int = 0,
    whole_games: bool = False,
    table: bool = False,
    on_error: str = "stop",
    name: str | None = None,
    results: str | Path = "results",
    workers: int | None = None,
    chunk: int | None = None,
    fresh: bool = False,
    progress: bool = False,
    records: int = 0,
    decisions: int = 0,
) -> TournamentResult:
    """Play bots against each other and return tables; the run is kept in a folder.

    The same call again prints the kept result, or goes on where the run stopped.

    Args:
        game: a rule set or its spec, as ``"spoil-five:ante=2"``.
        bots: specs of two bots or more, as ``"heuristic"`` or ``"my_bot.py:MyBot"``.
        players: seats at the table; the game's usual number if None.
        boards: how many boards each pairing plays.
        seed: fixes the cards and the bots' random numbers.
        pot: chips in the pot before each deal (pot games, single deals).
        whole_games: a board is a game to its end instead of a deal.
        table: the bots are one table, seat by seat, rotated; not every two against each other.
        on_error: ``"stop"`` when a bot misbehaves, or ``"forfeit"`` the deal and go on.
        name: of the run's folder; by default made from the plan.
        results: where run folders are kept.
        workers: threads or processes; all cores if None.
        chunk: boards in a chunk; chosen by the plan if None.
        fresh: begin anew even if the folder holds a run.
        progress: show a progress bar and notes on standard error.
        records: keep the deal records of so many sampled boards, in ``records.jsonl``.
        decisions: keep the decisions of so many sampled boards, in ``decisions.parquet``.

    Raises:
        RuleSetError: for a game, seats or options that cannot be.
        AgentError: for a bot that cannot be found, or misbehaved while ``on_error="stop"``.
        RunError: if the folder holds a run of another plan, or cannot be written.
    """
    rules = game if isinstance(game, RuleSet) else find_rules(game)
    if workers is not None:
        workers = whole_number("workers", workers, 1, 1024)
    if chunk is not None:
        chunk = whole_number("chunk", chunk, 1, MAX_BOARDS)
    if name is not None and not (isinstance(name, str) and name.isprintable()):
        raise RunError(f"the name of a run must be a text of printable characters, got {name!r}")
    plan = make_plan(
        rules, bots, players, boards, seed, pot, whole_games=whole_games, table=table,
        on_error=on_error,
    )  # fmt: skip
    folder = RunFolder(Path(results) / (name or run_name(plan)))
    samples = Samples(records, decisions)
    return run(
        plan, folder, workers=workers, chunk=chunk, fresh=fresh, progress=progress, samples=samples
    )


def resume(
    folder: str | Path,
    *,
    workers: int | None = None,
    progress: bool = False,
    records: int = 0,
    decisions: int = 0,
) -> TournamentResult:
    """Go on with the run in a folder, or return its result if it is complete.

    Raises:
        RunError: if there is no run, or what it was made with has changed.
    """
    run_folder = RunFolder(folder)
    manifest = run_folder.manifest()
    plan = plan_of(manifest.get("plan", {}))
    samples = Samples(records, decisions)
    return run(plan, run_folder, workers=workers, progress=progress, samples=samples)


def run(
    plan: Plan,
    folder: RunFolder,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    fresh: bool = False,
    progress: bool = False,
    samples: Samples | None = None,
) -> TournamentResult:
    """Play what a plan still lacks in its folder and return the result."""
    say = _say if progress else _keep_quiet
    announced = needs_compiling(plan)
    if announced:
        say(COMPILING)
    bots = [find_bot(spec) for spec in plan.bots]
    _check_repeatable(bots)
    if not announced and bots_need_compiling(bots, plan.rules, plan.players):
        say(COMPILING)
    manifest = _open(plan, bots, folder, fresh)
    tally = _tally_of(plan, bots, folder)
    if tally.boards and tally.boards < plan.boards:
        say(f"going on after {tally.boards} of {plan.boards} boards in {folder.path}")
    elif tally.boards:
        say(f"this run is complete; {folder.path} holds it (begin anew with --fresh)")
    finished = True
    if tally.boards < plan.boards:
        workers = workers or available_cores()
        seconds = warm_up(plan, bots)
        chunks = _chunks_left(folder, plan, chunk or chunk_size(plan, workers, seconds))
        finished = _play(plan, folder, tally, chunks, workers, progress)
    if not finished:
        tally = _tally_of(plan, bots, folder)  # Ctrl-C may have come in the middle of a sum
    elif samples:
        samples.keep(plan, bots, folder, progress=progress)
    return _result(plan, folder, tally, manifest, finished)


def _check_repeatable(bots: Sequence[Bot]) -> None:
    """Raise for a bot that looks at a clock: a tournament can be repeated to the byte."""
    for bot in bots:
        if bot.compiled and not bot.compiled.repeats:
            raise AgentError(
                f"bot {bot.spec!r} is given time, so it does not choose the same twice, and the"
                " results of a tournament can be repeated; give it iterations or worlds instead"
            )


def _tally_of(plan: Plan, bots: Sequence[Bot], folder: RunFolder) -> Tally:
    """Return the sums over all parts that a folder holds."""
    tally = Tally(plan.conditions, labels(bots), plan.pairings())
    columns = column_names(plan.rules, plan.players)
    for part in folder.parts():
        results, _ = folder.read_part(part, len(tally.pairings), columns)
        tally.add(results)
    return tally


def _open(plan: Plan, bots: Sequence[Bot], folder: RunFolder, fresh: bool) -> dict[str, Any]:
    """Make the folder, or check that the run in it has the same plan; return the manifest."""
    asked = plan.identity(bots)
    if folder.exists() and folder.parts() and not fresh:
        manifest = folder.manifest()
        differ = differences(manifest.get("plan", {}), asked)
        if differ:
            raise RunError(
                f"{str(folder.path)!r} holds a run of another plan: {'; '.join(differ)};"
                " give this one another --name, or begin anew with --fresh"
            )
        return manifest
    if folder.exists():
        folder.clear()
    manifest = {"format": FORMAT, "plan": asked, "versions": versions()}
    folder.create(manifest)
    return manifest


def versions() -> dict[str, str]:
    """Return the versions of everything that took part."""
    packages = ("numba", "numpy", "pandas", "pyarrow", "scipy")
    return {
        "forty5sim": forty5sim.__version__,
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def labels(bots: Sequence[Bot]) -> list[str]:
    """Return the names of the bots, numbered where one is there several times."""
    names = [bot.name for bot in bots]
    return [
        f"{name}#{names[: i + 1].count(name)}" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]


def _chunks_left(folder: RunFolder, plan: Plan, size: int) -> list[tuple[int, int]]:
    return [
        (start, min(size, first + count - start))
        for first, count in missing_ranges(folder.parts(), plan.boards)
        for start in range(first, first + count, size)
    ]


def _play(
    plan: Plan,
    folder: RunFolder,
    tally: Tally,
    chunks: Sequence[tuple[int, int]],
    workers: int,
    progress: bool,
) -> bool:
    """Play the chunks, write each as a part and tally it; say whether all were played."""
    columns = column_names(plan.rules, plan.players)
    bar = tqdm(
        total=plan.boards, initial=tally.boards, unit="board", disable=not progress, leave=False,
        dynamic_ncols=True, mininterval=0.2,
    )  # fmt: skip
    try:
        for chunk in play_chunks(plan, chunks, workers):
            faults = [asdict(fault) for fault in chunk.faults]
            folder.write_part(chunk.first, chunk.results, columns, faults)
            tally.add(chunk.results)
            bar.set_postfix_str(tally.running_estimate(), refresh=False)
            bar.update(chunk.results[0].shape[0])
    except KeyboardInterrupt:
        return False
    except BrokenProcessPool:
        raise RunError("a worker process died; the same command goes on from here") from None
    finally:
        bar.close()
    return True


# --- the result ----------------------------------------------------------------------------------


def _result(
    plan: Plan,
    folder: RunFolder,
    tally: Tally,
    manifest: dict[str, Any],
    complete: bool,
) -> TournamentResult:
    digest, faults = _digest(plan, folder, len(tally.pairings))
    if tally.boards == 0:
        raise RunError(f"stopped before the first chunk was finished; nothing in {folder.path}")
    table = standings_rows(tally)
    contracts, trumps = contract_rows(tally), trump_rows(tally)
    if complete:
        folder.create({**manifest, "result": {"digest": digest, "verdict": verdict(tally)}})
        folder.write_csv("standings.csv", table)
        if contracts:
            folder.write_csv("contracts.csv", contracts)
            folder.write_csv("trumps.csv", trumps)
    return TournamentResult(
        folder=folder.path,
        verdict=verdict(tally),
        table=table,
        contracts=contracts,
        trumps=trumps if contracts else [],
        digest=digest,
        faults=faults,
        complete=complete,
        boards=tally.boards,
        conditions=plan.conditions,
        is_table=bool(plan.table),
    )


def _digest(plan: Plan, folder: RunFolder, pairings: int) -> tuple[str, list[Fault]]:
    """Return sha256 over the rows sorted by pairing, board, replay; and all faults in order."""
    columns = column_names(plan.rules, plan.players)
    hashes = [hashlib.sha256() for _ in range(pairings)]
    faults: list[Fault] = []
    for part in folder.parts():
        results, found = folder.read_part(part, pairings, columns)
        faults += [Fault(**fault) for fault in found]
        for digest, rows in zip(hashes, results, strict=True):
            digest.update(np.ascontiguousarray(rows, dtype="<i8").tobytes())
    whole = hashlib.sha256()
    for digest in hashes:
        whole.update(digest.digest())
    return whole.hexdigest(), faults


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _keep_quiet(message: str) -> None:
    pass
