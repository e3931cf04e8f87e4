"""Tournaments: play a plan in a run folder, resume it, and say what came of it.

Results do not depend on workers, chunk sizes or the order in which chunks come in.
"""

from __future__ import annotations

import math
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

from tqdm import tqdm

from forty5sim.arena.asked import Fault
from forty5sim.arena.cluster import check_cluster
from forty5sim.arena.crew import Crew
from forty5sim.arena.guard import MOVE_TIME, Limits
from forty5sim.arena.plan import (
    DEFAULT_BOARDS,
    MAX_BOARDS,
    Plan,
    differences,
    make_plan,
    plan_of,
    run_name,
    whole_number,
)
from forty5sim.arena.played import blank_tally, unpacked
from forty5sim.arena.result import TournamentResult, keep_result, make_result
from forty5sim.arena.sampling import sample_decisions, sample_records
from forty5sim.arena.stopping import Conclusion, conclude, looks
from forty5sim.arena.store import DECISIONS, RECORDS, TIMES, RunFolder, missing_ranges
from forty5sim.arena.tally import Tally
from forty5sim.arena.timing import time_decisions
from forty5sim.arena.workers import (
    bots_need_compiling,
    chunk_size,
    in_order,
    needs_compiling,
    play_chunks,
    warm_up,
)
from forty5sim.compiling import available_cores
from forty5sim.errors import AgentError, RunError
from forty5sim.kernels.jit import COMPILING
from forty5sim.named_rules import find_rules
from forty5sim.records import write_records
from forty5sim.registry import Bot
from forty5sim.rules import RuleSet

DEFAULT_GAME = "forty-five"
DEFAULT_BOTS = ("heuristic", "random")
FORMAT = "forty5sim.run.v1"


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


def tournament(
    game: str | RuleSet = DEFAULT_GAME,
    bots: Sequence[str] | Mapping[str, str] = DEFAULT_BOTS,
    *,
    players: int | None = None,
    boards: int = DEFAULT_BOARDS,
    seed: int = 1,
    pot: int = 0,
    whole_games: bool = False,
    table: bool = False,
    gauntlet: int = 0,
    seats: str = "rotations",
    sprt: str = "",
    until: float = 0.0,
    on_error: str = "stop",
    move_time: float = MOVE_TIME,
    name: str | None = None,
    results: str | Path = "results",
    workers: int | None = None,
    chunk: int | None = None,
    fresh: bool = False,
    progress: bool = False,
    records: int = 0,
    decisions: int = 0,
    cluster: str | None = None,
) -> TournamentResult:
    """Play bots against each other and return tables; the run is kept in a folder.

    The same call again prints the kept result, or goes on where the run stopped.

    Args:
        game: a rule set or its spec, as ``"spoil-five:ante=2"``.
        bots: specs of two bots or more, as ``"heuristic"`` or ``"my_bot.py:MyBot"``; or a mapping
            of names for tables to specs (``read_roster``).
        players: seats at the table; the game's usual number if None.
        boards: how many boards each pairing plays, at most.
        seed: fixes the cards and the bots' random numbers.
        pot: chips in the pot before each deal (pot games, single deals).
        whole_games: a board is a game to its end instead of a deal.
        table: the bots are one table, seat by seat, rotated; not every two against each other.
        gauntlet: the first so many bots meet the others, and nobody else meets.
        seats: how a table is turned: ``"rotations"``, or ``"neighbours"``, where everybody sits
            next to everybody equally often.
        sprt: end by a sequential test of the first bot's gain, ``"points0=0,points1=0.1"``, or
            ``"elo0=0,elo1=10"``; with ``alpha`` and ``beta`` (0.05).
        until: end when every bot's payoff is known to this half-width, by intervals that hold at
            every look.
        on_error: ``"stop"`` when a bot misbehaves, or ``"forfeit"`` the deal and go on.
        move_time: seconds that a bot from a file may think about a decision.
        name: of the run's folder; by default made from the plan.
        results: where run folders are kept.
        workers: threads or processes; all cores if None.
        chunk: boards in a chunk; chosen by the plan if None.
        fresh: begin anew even if the folder holds a run.
        progress: show a progress bar and notes on standard error.
        records: keep the deal records of so many sampled boards, in ``records.jsonl``.
        decisions: keep the decisions of so many sampled boards, in ``decisions.parquet``.
        cluster: address of a Dask scheduler whose workers play; ``workers`` is not used then.

    Raises:
        RuleSetError: for a game, seats or options that cannot be.
        AgentError: for a bot that cannot be found, or misbehaved while ``on_error="stop"``.
        RunError: if the folder holds a run of another plan, or cannot be written.
    """
    rules = game if isinstance(game, RuleSet) else find_rules(game)
    if name is not None and not _is_folder_name(name):
        raise RunError(f"name must be that of one folder, in printable characters, got {name!r}")
    plan = make_plan(
        rules, bots, players, boards, seed, pot, whole_games=whole_games, table=table,
        on_error=on_error, gauntlet=gauntlet, seats=seats, sprt=sprt, until=until,
    )  # fmt: skip
    folder = RunFolder(Path(results) / (name or run_name(plan)))
    samples = Samples(records, decisions)
    means = Means(workers, chunk, move_time, cluster)
    return run(plan, folder, means, fresh=fresh, progress=progress, samples=samples)


def _is_folder_name(name: object) -> bool:
    """Say whether this names a folder, and not one elsewhere."""
    return (
        isinstance(name, str) and name.isprintable() and name not in ("", ".", "..")
        and not set(name) & {"/", "\\"}
    )  # fmt: skip


def resume(
    folder: str | Path,
    *,
    workers: int | None = None,
    progress: bool = False,
    records: int = 0,
    decisions: int = 0,
    move_time: float = MOVE_TIME,
    cluster: str | None = None,
) -> TournamentResult:
    """Go on with the run in a folder, or return its result if it is complete.

    Raises:
        RunError: if there is no run, or what it was made with has changed.
    """
    run_folder = RunFolder(folder)
    manifest = run_folder.manifest()
    plan = plan_of(manifest.get("plan", {}))
    samples = Samples(records, decisions)
    means = Means(workers, None, move_time, cluster)
    return run(plan, run_folder, means, progress=progress, samples=samples)


@dataclass(frozen=True)
class Means:
    """What a plan is played with; it changes nothing of the results.

    Attributes:
        workers: threads; all cores if None.
        chunk: boards in a chunk; chosen by the plan if None.
        move_time: seconds that a bot from a file may think about a decision.
        cluster: address of a Dask scheduler.
    """

    workers: int | None = None
    chunk: int | None = None
    move_time: float = MOVE_TIME
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.workers is not None:
            whole_number("workers", self.workers, 1, 1024)
        if self.chunk is not None:
            whole_number("chunk", self.chunk, 1, MAX_BOARDS)
        if not 0 < self.move_time < math.inf:
            raise RunError(f"move_time must be seconds above 0, got {self.move_time!r}")

    @property
    def limits(self) -> Limits:
        """What bots from files may take."""
        return Limits(self.move_time)


def run(
    plan: Plan,
    folder: RunFolder,
    means: Means,
    *,
    fresh: bool = False,
    progress: bool = False,
    samples: Samples | None = None,
) -> TournamentResult:
    """Play what a plan still lacks in its folder and return the result."""
    say = _say if progress else _keep_quiet
    if means.cluster is not None:
        check_cluster(means.cluster)
    announced = needs_compiling(plan)
    if announced:
        say(COMPILING)
    with Crew(plan, means.limits) as crew:
        bots = crew.look_up()
        _check_repeatable(bots)
        if not announced and bots_need_compiling(bots, plan.rules, plan.players):
            say(COMPILING)
        with folder.locked():
            manifest = _open(plan, bots, folder, fresh)
            sums, ended = _all_sums(crew, bots, folder, means, progress)
            if ended and samples:
                samples.keep(plan, bots, folder, progress=progress)
            result = make_result(plan, folder, sums.tally, sums.faults, complete=ended)
            _check_digest(folder, manifest, result)
            if ended and "result" not in manifest:
                keep_result(result, folder, manifest)
                folder.write_csv(TIMES, time_decisions(plan, bots, plan.labels(bots)))
            return result


def _check_digest(folder: RunFolder, manifest: dict[str, Any], result: TournamentResult) -> None:
    """Raise if the boards of a run that was complete are no longer those that it had."""
    kept = manifest.get("result", {}).get("digest")
    if kept is not None and result.complete and kept != result.digest:
        raise RunError(
            f"the parts in {str(folder.path)!r} are not those of its run: their digest is"
            f" {result.digest[:16]}, the manifest says {kept[:16]}; begin anew with --fresh"
        )


def _all_sums(
    crew: Crew, bots: Sequence[Bot], folder: RunFolder, means: Means, progress: bool
) -> tuple[_Sums, bool]:
    """Return the sums of a plan, playing what is missing, and whether they are all there."""
    plan, names = crew.plan, crew.plan.labels(bots)
    sums = _sums_of(plan, names, folder)
    ended = sums.tally.boards >= plan.boards or sums.is_concluded()
    if sums.tally.boards and progress:
        _say(_found(sums, folder, ended))
    if ended or _play_on(crew, bots, folder, sums, means, progress):
        return sums, True
    return _sums_of(plan, names, folder), False  # Ctrl-C may have come in the middle of a sum


def _found(sums: _Sums, folder: RunFolder, ended: bool) -> str:
    """Say what a folder held."""
    if ended:
        return f"this run is complete; {folder.path} holds it (begin anew with --fresh)"
    return f"going on after {sums.tally.boards} of {sums.plan.boards} boards in {folder.path}"


def _check_repeatable(bots: Sequence[Bot]) -> None:
    """Raise for a bot that looks at a clock: a tournament can be repeated to the byte."""
    for bot in bots:
        if bot.compiled and not bot.compiled.repeats:
            raise AgentError(
                f"bot {bot.spec!r} is given time, so it does not choose the same twice, and the"
                " results of a tournament can be repeated; give it iterations or worlds instead"
            )


@dataclass
class _Sums:
    """What came of the boards so far, and whether the plan's stopping rule ends the run."""

    plan: Plan
    tally: Tally
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        stops = bool(self.plan.stopping)
        self.looks = set(looks(self.plan.boards)) if stops else set[int]()
        self.conclusion: Conclusion | None = None

    def add(self, tally: Tally, faults: Sequence[Fault]) -> None:
        """Add boards, and look at what they say if it is time to."""
        self.tally.merge(tally)
        self.faults += faults
        if self.tally.boards in self.looks:
            self.conclusion = conclude(self.plan.stopping, self.tally)

    def is_concluded(self) -> bool:
        """Say whether the run ends here."""
        return self.conclusion is not None and self.conclusion.ends

    def state(self) -> str:
        """Return how it stands, for a progress bar."""
        said = self.conclusion.text.partition("; ")[2] if self.conclusion else ""
        return "; ".join(filter(None, [self.tally.running_estimate(), said]))


def _sums_of(plan: Plan, names: Sequence[str], folder: RunFolder) -> _Sums:
    """Return the sums over all parts that a folder holds."""
    sums = _Sums(plan, blank_tally(plan).empty())
    sums.tally.names = names
    for part in folder.parts():
        columns, faults = unpacked(plan, part)
        tally = blank_tally(plan).empty()
        tally.add(columns, part.first)
        sums.add(tally, faults)
    return sums


def _open(plan: Plan, bots: Sequence[Bot], folder: RunFolder, fresh: bool) -> dict[str, Any]:
    """Make the folder, or check that the run in it has the same plan; return the manifest."""
    asked = plan.identity(bots)
    if not fresh and folder.exists() and folder.parts():
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
    manifest = {
        "format": FORMAT,
        "plan": asked,
        "labels": plan.labels(bots),
        "versions": versions(),
    }
    folder.create(manifest)
    return manifest


def versions() -> dict[str, str]:
    """Return the versions of everything that took part."""
    packages = ("forty5sim", "numba", "numpy", "pandas", "pyarrow", "scipy")
    found = {package: version(package) for package in packages}
    return {"python": platform.python_version(), **found}


def _chunks_left(folder: RunFolder, plan: Plan, size: int) -> list[tuple[int, int]]:
    """Return the chunks that are still to be played; none goes past a look."""
    cuts = list(looks(plan.boards)) if plan.stopping else [plan.boards]
    chunks = []
    for first, count in missing_ranges(folder.parts(), plan.boards):
        stops = [cut for cut in cuts if first < cut < first + count]
        for start, end in pairwise([first, *stops, first + count]):
            chunks += [(at, min(size, end - at)) for at in range(start, end, size)]
    return chunks


def _play_on(
    crew: Crew,
    bots: Sequence[Bot],
    folder: RunFolder,
    sums: _Sums,
    means: Means,
    progress: bool,
) -> bool:
    """Play the boards that are missing, write and add them; False if Ctrl-C came before the end."""
    workers = means.workers or available_cores()
    plan = crew.plan
    seconds = warm_up(crew, bots)
    left = _chunks_left(folder, plan, means.chunk or chunk_size(plan, workers, seconds))
    bar = tqdm(
        total=plan.boards, initial=sums.tally.boards, unit="board", disable=not progress,
        leave=False, dynamic_ncols=True, mininterval=0.2,
    )  # fmt: skip
    played = play_chunks(crew, left, workers, cluster=means.cluster)
    if plan.stopping:
        played = in_order(played, left)
    try:
        for done in played:
            folder.write_part(done.first, done.count, done.part)
            sums.add(done.tally, done.faults)
            bar.set_postfix_str(sums.state(), refresh=False)
            bar.update(done.count)
            if sums.is_concluded():
                break
    except KeyboardInterrupt:
        return False
    finally:
        played.close()
        bar.close()
    return True


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _keep_quiet(message: str) -> None:
    pass
