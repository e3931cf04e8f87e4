"""Tournaments: the plan, its chunks, workers, progress, resuming, and the result.

A chunk is a range of boards of every pairing; it is played by a thread (compiled bots that are
installed) or a spawned process (bots of one's own), written as one part, and added to the tally.
Results do not depend on workers, chunk sizes or the order in which chunks come in.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import platform
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

import forty5sim
from forty5sim.agent import View
from forty5sim.cards import Action
from forty5sim.errors import AgentError, RuleSetError, RunError
from forty5sim.kernels import boards as board_kernels
from forty5sim.kernels import games as game_kernels
from forty5sim.kernels.jit import is_cached
from forty5sim.match import Conditions, Fault, Rows, play_pairing
from forty5sim.options import POT
from forty5sim.registry import Bot, find_bot, spec_label
from forty5sim.rules import RULES_VERSION, RuleSet, find_rules
from forty5sim.schedule import Pairing, fixed_table, round_robin
from forty5sim.standings import MEASURES, Tally, standings_frame, verdict
from forty5sim.store import RunFolder, missing_ranges

DEFAULT_GAME = "forty-five"
DEFAULT_BOTS = ("heuristic", "random")
DEFAULT_BOARDS = 20_000
COMPILED_CHUNK_DEALS = 25_000
PLAIN_CHUNK_DEALS = 2_000
FORMAT = "forty5sim.run.v1"


@dataclass(frozen=True)
class Plan:
    """Everything that fixes the results of a tournament."""

    rules: RuleSet
    players: int
    bots: tuple[str, ...]
    boards: int
    seed: int
    pot: int
    whole_games: bool
    table: tuple[int, ...]
    on_error: str

    @property
    def conditions(self) -> Conditions:
        """What is played at every table."""
        return Conditions(self.rules, self.players, self.seed, self.pot, self.whole_games)

    def pairings(self) -> list[Pairing]:
        """Return the pairings: one given table, or every two bots."""
        if self.table:
            return [fixed_table(self.table)]
        return round_robin(len(self.bots), self.players, self.conditions.sides)

    def replays(self) -> int:
        """Return how often a board is played, over all pairings."""
        return sum(len(pairing.seatings) for pairing in self.pairings())

    def identity(self, bots: Sequence[Bot]) -> dict[str, Any]:
        """Return what must agree for a run to be gone on with, as in the manifest."""
        return {
            "game": self.rules.id,
            "rules_version": RULES_VERSION,
            "options": self.rules.options(),
            "players": self.players,
            "sides": self.conditions.sides,
            "bots": list(self.bots),
            "bot_versions": [bot.version for bot in bots],
            "table": list(self.table),
            "boards": self.boards,
            "unit": "game" if self.whole_games else "deal",
            "pot": self.pot,
            "seed": self.seed,
            "on_error": self.on_error,
        }


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament.

    Attributes:
        folder: the run's folder.
        verdict: the result in one sentence.
        standings: a row for each bot; ``x_ci`` is the 95 % half-width of ``x``.
        digest: sha256 of all rows in order; equal for equal plans, however they were run.
        faults: bots that misbehaved, and where.
        complete: whether all boards were played.
        boards: how many were.
        conditions: what was played.
        is_table: whether one given table was played, not every two bots against each other.
    """

    folder: Path
    verdict: str
    standings: pd.DataFrame
    digest: str
    faults: list[Fault]
    complete: bool
    boards: int
    conditions: Conditions
    is_table: bool

    def to_json(self) -> str:
        """Return the result for a machine: verdict, standings, digest, faults."""
        return json.dumps(
            {
                "folder": str(self.folder),
                "verdict": self.verdict,
                "standings": json.loads(self.standings.to_json(orient="records")),
                "boards": self.boards,
                "complete": self.complete,
                "digest": self.digest,
                "faults": [asdict(fault) for fault in self.faults],
            },
            indent=2,
        )

    def rows(self) -> pd.DataFrame:
        """Return every replay as a row: pairing, board, replay, and the counts of each seat."""
        return pd.read_parquet(self.folder / "parts")


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

    Raises:
        RuleSetError: for a game, seats or options that cannot be.
        AgentError: for a bot that cannot be found, or misbehaved while ``on_error="stop"``.
        RunError: if the folder holds a run of another plan, or cannot be written.
    """
    rules = find_rules(game) if isinstance(game, str) else game
    plan = make_plan(
        rules, bots, players, boards, seed, pot, whole_games=whole_games, table=table,
        on_error=on_error,
    )  # fmt: skip
    folder = RunFolder(Path(results) / (name or run_name(plan)))
    return run(plan, folder, workers=workers, chunk=chunk, fresh=fresh, progress=progress)


def make_plan(
    rules: RuleSet,
    bots: Sequence[str],
    players: int | None,
    boards: int,
    seed: int,
    pot: int,
    *,
    whole_games: bool,
    table: bool,
    on_error: str,
) -> Plan:
    """Check what was asked and return the plan (errors as in ``tournament``)."""
    specs = list(dict.fromkeys(bots)) if table else list(bots)
    seats = players if players is not None else len(bots) if table else rules.default_players
    rules.side_count(seats)
    if not table and len(bots) < 2:
        raise AgentError(f"a tournament needs two bots or more, got {list(bots)!r}")
    if table and len(bots) != seats:
        raise AgentError(f"a table of {seats} seats needs {seats} bots, got {len(bots)}")
    if boards < 1:
        raise RunError(f"boards must be 1 or more, got {boards}")
    if not 0 <= seed < 2**63:
        raise RunError(f"the seed must be a whole number 0..2^63 - 1, got {seed}")
    if pot and (rules.family != POT or whole_games or pot < 0):
        raise RuleSetError(
            f"pot={pot}: a pot from before is a number of chips, for single deals of pot games"
        )
    if on_error not in ("stop", "forfeit"):
        raise RunError(f"on_error must be stop or forfeit, got {on_error!r}")
    order = tuple(specs.index(bot) for bot in bots) if table else ()
    return Plan(rules, seats, tuple(specs), boards, seed, pot, whole_games, order, on_error)


def run_name(plan: Plan) -> str:
    """Return the default name of a run's folder, made from its plan."""
    bots = [plan.bots[i] for i in plan.table] if plan.table else plan.bots
    parts = [
        plan.rules.id,
        f"{plan.players}p",
        *("table" for _ in plan.table[:1]),
        *(spec_label(bot) for bot in bots),
        *(f"pot{plan.pot}" for _ in range(plan.pot > 0)),
        f"{plan.boards}-{'games' if plan.whole_games else 'boards'}",
        f"seed{plan.seed}",
    ]
    text = "-".join(parts)
    clean = "".join(c if c.isalnum() or c in "-_." else "-" for c in text)
    if len(clean) <= 120:
        return clean
    return f"{clean[:100]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def resume(
    folder: str | Path, *, workers: int | None = None, progress: bool = False
) -> TournamentResult:
    """Go on with the run in a folder, or return its result if it is complete.

    Raises:
        RunError: if there is no run, or what it was made with has changed.
    """
    run_folder = RunFolder(folder)
    manifest = run_folder.manifest()
    try:
        plan = _plan_of(manifest["plan"])
    except (KeyError, TypeError) as error:
        raise RunError(f"the manifest in {str(folder)!r} is not complete: {error}") from None
    return run(plan, run_folder, workers=workers, progress=progress)


def _plan_of(asked: dict[str, Any]) -> Plan:
    name, _, _ = str(asked["game"]).partition(":")
    family = "pot" if "ante" in asked["options"] else "counting"
    options = asked["options"]
    known = forty5sim.presets().get(name)
    base = known if known is not None else RuleSet(name=name, family=family)
    return Plan(
        rules=base.with_options(**options),
        players=asked["players"],
        bots=tuple(asked["bots"]),
        boards=asked["boards"],
        seed=asked["seed"],
        pot=asked["pot"],
        whole_games=asked["unit"] == "game",
        table=tuple(asked["table"]),
        on_error=asked["on_error"],
    )


def run(
    plan: Plan,
    folder: RunFolder,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    fresh: bool = False,
    progress: bool = False,
) -> TournamentResult:
    """Play what a plan still lacks in its folder and return the result."""
    say = _say if progress else _keep_quiet
    _announce_compile(plan, say)
    bots = [find_bot(spec) for spec in plan.bots]
    manifest = _open(plan, bots, folder, fresh)
    columns = column_names(plan.players)
    tally = Tally(plan.conditions, labels(bots), plan.pairings())
    for part in folder.parts():
        results, _ = folder.read_part(part, len(tally.pairings), columns)
        tally.add(results)
    if tally.boards and tally.boards < plan.boards:
        say(f"going on after {tally.boards} of {plan.boards} boards in {folder.path}")
    elif tally.boards:
        say(f"this run is complete; {folder.path} holds it (begin anew with --fresh)")
    finished = True
    if tally.boards < plan.boards:
        size = chunk or _chunk_size(plan, bots, workers or available_cores())
        _warm_up(plan, bots)
        finished = _play(plan, bots, folder, tally, _chunks(folder, plan, size), workers, progress)
    return _result(plan, folder, tally, manifest, finished)


def _open(plan: Plan, bots: Sequence[Bot], folder: RunFolder, fresh: bool) -> dict[str, Any]:
    """Make the folder, or check that the run in it has the same plan; return the manifest."""
    asked = plan.identity(bots)
    if folder.exists() and folder.parts() and not fresh:
        manifest = folder.manifest()
        differ = _differences(manifest.get("plan", {}), asked)
        if differ:
            raise RunError(
                f"{str(folder.path)!r} holds a run of another plan: {'; '.join(differ)};"
                " give this one another --name, or begin anew with --fresh"
            )
        return manifest
    if folder.exists():
        for part in folder.parts():
            part.path.unlink()
    manifest = {"format": FORMAT, "plan": asked, "versions": versions()}
    folder.create(manifest)
    return manifest


def _differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [
        f"{key} was {before.get(key)!r}, now {value!r}"
        for key, value in now.items()
        if before.get(key) != value
    ]


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


def column_names(players: int) -> list[str]:
    """Return the names of a row's fields, in order."""
    blocks = ["payoff", *MEASURES]
    return ["deals", "spoils", "pot", "forfeit"] + [
        f"{b}_{s}" for b in blocks for s in range(players)
    ]


# --- playing the chunks --------------------------------------------------------------------------


def _chunk_size(plan: Plan, bots: Sequence[Bot], workers: int) -> int:
    """Return how many boards make a chunk: some tenths of a second of work, all workers busy."""
    deals = COMPILED_CHUNK_DEALS if _on_threads(bots) else PLAIN_CHUNK_DEALS
    if plan.whole_games:
        deals //= 16
    return max(1, min(deals // plan.replays(), -(-plan.boards // workers)))


def _chunks(folder: RunFolder, plan: Plan, size: int) -> list[tuple[int, int]]:
    return [
        (start, min(size, first + count - start))
        for first, count in missing_ranges(folder.parts(), plan.boards)
        for start in range(first, first + count, size)
    ]


def _on_threads(bots: Sequence[Bot]) -> bool:
    """Say whether threads will do: all bots are compiled and installed, not loaded from files."""
    return all(bot.compiled is not None and ".py:" not in bot.spec for bot in bots)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_chunk(plan: Plan, first: int, count: int) -> tuple[int, list[Rows], list[Fault]]:
    """Play some boards of every pairing; workers call this, building the bots themselves."""
    bots = _bots(plan.bots)
    results, faults = [], []
    for pairing in plan.pairings():
        rows, found = play_pairing(
            plan.conditions, bots, pairing.seatings, first, count,
            stop_on_fault=plan.on_error == "stop",
        )  # fmt: skip
        results.append(rows)
        faults += found
    return first, results, faults


@cache
def _bots(specs: tuple[str, ...]) -> list[Bot]:
    return [find_bot(spec) for spec in specs]


def _play(
    plan: Plan,
    bots: Sequence[Bot],
    folder: RunFolder,
    tally: Tally,
    chunks: Sequence[tuple[int, int]],
    workers: int | None,
    progress: bool,
) -> bool:
    """Play the chunks, write each as a part and tally it; say whether all were played."""
    columns = column_names(plan.players)
    count = max(1, min(workers or available_cores(), len(chunks)))
    executor = _executor(_on_threads(bots), count)
    bar = tqdm(
        total=plan.boards, initial=tally.boards, unit="board", disable=not progress, leave=False,
        dynamic_ncols=True, mininterval=0.2,
    )  # fmt: skip
    try:
        for first, results, faults in _completed(executor, plan, chunks, 2 * count):
            folder.write_part(first, results, columns, [asdict(fault) for fault in faults])
            tally.add(results)
            bar.set_postfix_str(running_estimate(tally), refresh=False)
            bar.update(results[0].shape[0])
    except KeyboardInterrupt:
        _abandon(executor)
        return False
    except BrokenProcessPool:
        _abandon(executor)
        raise RunError("a worker process died; the same command goes on from here") from None
    except BaseException:
        _abandon(executor)
        raise
    finally:
        bar.close()
    executor.shutdown()
    return True


def _executor(threads: bool, workers: int) -> Executor:
    if threads:
        return ThreadPoolExecutor(workers, thread_name_prefix="forty5sim")
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=_ignore_interrupt)


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _completed(
    executor: Executor, plan: Plan, chunks: Sequence[tuple[int, int]], ahead: int
) -> Iterator[tuple[int, list[Rows], list[Fault]]]:
    """Yield the results of the chunks as they come in, with no more than ``ahead`` under way."""
    waiting = list(reversed(chunks))
    running: set[Future[tuple[int, list[Rows], list[Fault]]]] = set()
    while waiting or running:
        while waiting and len(running) < ahead:
            running.add(executor.submit(play_chunk, plan, *waiting.pop()))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _abandon(executor: Executor) -> None:
    """Stop at once: what is under way is dropped, what is written stays."""
    executor.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.terminate()


def running_estimate(tally: Tally) -> str:
    """Return the leader's payoff so far, for the progress bar."""
    best = max(range(len(tally.names)), key=lambda bot: tally.estimate("payoff", bot).mean)
    value = tally.estimate("payoff", best)
    return f"{tally.names[best]} {value.mean:+.3f} ± {value.half_width:.3f}"


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
    standings = standings_frame(tally)
    if complete:
        folder.create({**manifest, "result": {"digest": digest, "verdict": verdict(tally)}})
        folder.write_table("standings.csv", standings.to_csv(index=False))
    return TournamentResult(
        folder=folder.path,
        verdict=verdict(tally),
        standings=standings,
        digest=digest,
        faults=faults,
        complete=complete,
        boards=tally.boards,
        conditions=plan.conditions,
        is_table=bool(plan.table),
    )


def _digest(plan: Plan, folder: RunFolder, pairings: int) -> tuple[str, list[Fault]]:
    """Return sha256 over the rows sorted by pairing, board, replay; and all faults in order."""
    columns = column_names(plan.players)
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


def _entries(plan: Plan) -> list[Callable[..., Any]]:
    """Return the compiled entries that a plan needs."""
    threads = all(".py:" not in spec for spec in plan.bots)
    if plan.whole_games:
        return [game_kernels.play_games] if threads else [game_kernels.advance_games]
    return [board_kernels.play_boards] if threads else [board_kernels.advance_batch]


def _announce_compile(plan: Plan, say: Callable[[str], None]) -> None:
    if not all(is_cached(entry) for entry in _entries(plan)):
        say("compiling the engine for this machine, once; this takes some 15 seconds …")


def _warm_up(plan: Plan, bots: Sequence[Bot]) -> None:
    """Load or compile what the workers need, once and before the clock of the progress bar runs.

    Bots of one's own are left to the workers, which can be ended; a stand-in plays for them.
    """
    if not _on_threads(bots):
        bots = [Bot("stand-in", "stand-in", 1, None, _StandIn, keeps_notes=False)] * len(bots)
    play_pairing(plan.conditions, bots, plan.pairings()[0].seatings[:1], 0, 1)


class _StandIn:
    def act(self, view: View) -> Action:
        return view.legal[0]


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _keep_quiet(message: str) -> None:
    pass
