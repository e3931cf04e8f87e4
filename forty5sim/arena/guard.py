"""Guards over bots from files: each guard owns a process that plays, and ends it when need be.

The rule. A bot that gives no answer in time, ends its process or takes all memory is given the
benefit of the doubt once: its process is ended and the chunk played again in a fresh one. When it
happens to the same bot again, it is a fault of this bot, at the place where it was asked: with
``on_error="stop"`` the run stops there, with ``"forfeit"`` the replay is forfeited at that question
and the chunk played again without asking it. So the rows are the same for any number of workers,
as long as the bot breaks down at the same questions each time. One that is late only now and then
makes a run that cannot be repeated to the byte; then the fault in the run's report says so.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forty5sim.agent import as_plain
from forty5sim.arena.asked import Fault, Place, is_from_file
from forty5sim.arena.chunks import Chunk, ChunkPlace
from forty5sim.arena.plan import Plan
from forty5sim.arena.player import (
    KERNEL,
    PLACE,
    BotFacts,
    Broke,
    Done,
    Failed,
    Loaded,
    LookUpRequest,
    PlayRequest,
    Settings,
    late,
    place_in,
)
from forty5sim.arena.questions import Answer, ExamRequest
from forty5sim.errors import AgentError, Forty5Error, RunError
from forty5sim.registry import Bot, find_bot

MOVE_TIME = 10.0
"""Seconds that a bot from a file may take for an answer, if nothing else is said."""

MEMORY = 4 << 30
"""Bytes that a process may take for bots from files, if nothing else is said."""

LOADING_TIME = 120.0
"""Seconds that loading a file may take, and a kernel call before bots are asked one by one."""

LOOK_SECONDS = 0.1
"""How often a guard looks where its process is."""

ENDING_SECONDS = 1.0
"""How long a process that has closed its connection may take to end."""

MOST_BREAKDOWNS = 50
"""How often one bot may break down in a chunk before the run is given up."""


@dataclass(frozen=True)
class Limits:
    """What bots from files may take.

    Attributes:
        move_time: seconds for an answer; None for no limit.
        memory: bytes above what a process takes before it loads bots; None for no limit.
        loading_time: seconds to load a file, or for a kernel that calls compiled bots.
    """

    move_time: float | None = MOVE_TIME
    memory: int | None = MEMORY
    loading_time: float = LOADING_TIME

    def seconds(self, place: Place) -> float | None:
        """Return how long a bot may have the word at a place."""
        if place.board >= 0 or self.move_time is None:
            return self.move_time
        return max(self.move_time, self.loading_time)


class GuardClosedError(Exception):
    """The guard was closed while it had a chunk played."""


class Trouble(NamedTuple):
    """A process that broke down: where a bot had the word, if one had, and what happened."""

    place: ChunkPlace | None
    problem: str


class Guard:
    """Has chunks played in a process of its own; one thread uses it, any may close it.

    Args:
        limits: what the bots may take.

    A guard needs nothing but itself, so it may live in a thread, a process or a task of a cluster::

        with Guard(Limits(move_time=5)) as guard:
            chunk = guard.play(plan, 0, 100)
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._is_closed = False
        self._one_by_one = False
        self._names: Sequence[str] = ()

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, plan: Plan, first: int, count: int) -> Chunk:
        """Play some boards of every pairing, again where a bot breaks down, as the rule says.

        Raises:
            AgentError: if a bot is at fault and ``on_error`` is ``stop``, or cannot be loaded.
            RunError: if the process broke down while no bot had the word.
            GuardClosedError: if the guard was closed.
        """
        stop = plan.on_error == "stop"
        record = _Record(plan.bots, f"boards {first}..{first + count - 1}", stop)
        while True:
            request = PlayRequest(plan, first, count, record.problems, self._one_by_one)
            answer = self._ask(request)
            if isinstance(answer, Done):
                chunk: Chunk = answer.result
                return chunk
            record.add(answer, self._names)
            if answer.place and answer.place.place.bot == KERNEL:
                self._one_by_one = True
                record.problems.clear()

    def look_up(self, specs: Sequence[str]) -> list[Bot]:
        """Find bots; what is in files is loaded in the guarded process, not in this one.

        Raises:
            AgentError: for a bot that cannot be found or loaded, or that looks at a clock.
        """
        record = _Record(specs, "the files of bots")
        return [
            _bot_of(spec, self._look_up(number, spec, record))
            if is_from_file(spec)
            else find_bot(spec)
            for number, spec in enumerate(specs)
        ]

    def facts(self, spec: str) -> BotFacts:
        """Return what is known of a bot when it is loaded in the guarded process.

        Raises:
            AgentError: if it cannot be found or loaded.
        """
        return self._look_up(0, spec, _Record([spec], "the file of a bot"))

    def _look_up(self, number: int, spec: str, record: _Record) -> BotFacts:
        while True:
            answer = self._ask(LookUpRequest(number, spec))
            if isinstance(answer, Done):
                facts: BotFacts = answer.result
                return facts
            record.add(answer, record.specs)

    def examine(self, request: ExamRequest) -> list[list[Answer]] | Trouble:
        """Ask a bot about positions, in rounds; one that breaks down is not asked again.

        Raises:
            AgentError: if it cannot be found or loaded.
        """
        answer = self._ask(request)
        if isinstance(answer, Trouble):
            return answer
        rounds: list[list[Answer]] = answer.result
        return rounds

    def _ask(self, request: PlayRequest | LookUpRequest | ExamRequest) -> Done | Trouble:
        """Put a request to the process; one that broke down is ended."""
        child = self._current()
        answer = child.ask(request)
        self._names = child.names
        if isinstance(answer, Done):
            return answer
        self._forget(child)
        if isinstance(answer, Failed):
            raise _error_of(answer, child)
        return answer

    def _current(self) -> _Child:
        with self._lock:
            if self._is_closed:
                raise GuardClosedError
            self._child = self._child or _Child(self.limits)
            return self._child

    def _forget(self, child: _Child) -> None:
        child.end()
        with self._lock:
            self._child = None
            if self._is_closed:
                raise GuardClosedError

    def close(self) -> None:
        """End the process at once, whatever it does."""
        with self._lock:
            self._is_closed = True
            child = self._child
        if child is not None:
            child.end()


def _bot_of(spec: str, facts: BotFacts) -> Bot:
    if not facts.repeats:
        raise AgentError(
            f"bot {spec!r} is given time, so it does not choose the same twice, and the results of"
            " a tournament can be repeated; give it iterations or worlds instead"
        )
    build = partial(_build_here, spec)
    return Bot(spec, facts.name, facts.version, None, build, facts.keeps_notes or facts.is_compiled)


def _build_here(spec: str) -> Any:
    bot = find_bot(spec)
    return as_plain(bot.compiled) if bot.compiled else bot.build()


def _error_of(failed: Failed, child: _Child) -> BaseException:
    """Return an error of the process as one of this process."""
    error = failed.error
    if isinstance(error, MemoryError):
        return RunError(
            f"the process for bots from files has no memory left; {child.last()}; give it more, or"
            " find the bot that keeps what it takes"
        )
    if not isinstance(error, Forty5Error):
        error.add_note(failed.trace)
    return error


class _Record:
    """What went wrong in a chunk so far, and what follows from it."""

    def __init__(self, specs: Sequence[str], work: str, stop: bool = True) -> None:
        self.specs = specs
        self.work = work
        self.stop = stop
        self.problems: dict[ChunkPlace, str] = {}
        self.counts: Counter[int | None] = Counter()

    def add(self, trouble: Trouble, names: Sequence[str]) -> None:
        """Note a breakdown: the first of a bot is let pass, the next ones are its faults."""
        place, problem = trouble
        bot = place.place.bot if place else None
        self.counts[bot] += 1
        if self.counts[bot] == 1 or bot == KERNEL:
            return
        if place is None or bot is None:
            raise RunError(f"a process ended twice in {self.work} between two questions: {problem}")
        if place.place.board < 0:
            raise AgentError(f"bot {self.specs[bot]!r} cannot be built: {problem}")
        fault = Fault(names[bot], *place.place[1:4], problem)
        if self.stop:
            raise AgentError(f"bot {fault}")
        if self.counts[bot] > MOST_BREAKDOWNS:
            raise AgentError(
                f"bot {fault}; this is breakdown {self.counts[bot]} of this bot in {self.work}:"
                " mend it, or leave it out"
            )
        self.problems[place] = problem


class _Child:
    """The process of a guard (``player``), the file that says where it is, and a look-out."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.shared, self._path = _shared_file()
        self._ending = threading.Lock()
        self._is_ended = threading.Event()
        self._is_ready = False
        self._overrun: Trouble | None = None
        self.names: Sequence[str] = ()
        try:
            self.process = _start(Settings(self._path, limits.move_time, limits.memory))
        except OSError as error:
            _remove(self._path)
            raise RunError(f"cannot start a process for bots from files: {error}") from None
        threading.Thread(target=self._look_out, name="forty5sim-guard", daemon=True).start()

    def ask(self, request: PlayRequest | LookUpRequest | ExamRequest) -> Done | Failed | Trouble:
        """Send a request and wait for the answer, or for the end of the process."""
        try:
            self._wait_until_ready()
            assert self.process.stdin is not None
            self.process.stdin.write(pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL))
            self.process.stdin.flush()
            answer: Done | Broke | Failed = self._answer()
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            return self._death()
        if isinstance(answer, Broke):
            return Trouble(place_in(self.shared)[0], answer.problem)
        return answer

    def _wait_until_ready(self) -> None:
        if not self._is_ready:
            self._read()
            _remove(self._path)
            self._is_ready = True

    def _answer(self) -> Any:
        """Read until there is an answer."""
        while isinstance(answer := self._read(), Loaded):
            self.names = answer.names
        return answer

    def _read(self) -> Any:
        assert self.process.stdout is not None
        return pickle.load(self.process.stdout)

    def _death(self) -> Trouble:
        """Say where the process was when it ended, and how it ended."""
        code: int | None = None
        with suppress(subprocess.TimeoutExpired):
            code = self.process.wait(ENDING_SECONDS)
        place, step = place_in(self.shared)
        problem = _how_it_ended(code)
        if self._overrun or step % 2:
            return self._overrun or Trouble(place, problem)
        return Trouble(None, f"it {problem}; {self.last()}")

    def last(self) -> str:
        """Say which bot had the word last."""
        place = place_in(self.shared)[0].place
        if place.bot not in range(len(self.names)):
            return "no bot was asked before"
        name = self.names[place.bot]
        return f"the bot last asked was {name} at board {place.board}, replay {place.replay}"

    def _look_out(self) -> None:
        """End the process when a bot has the word for too long."""
        seen, since = -1, 0.0
        while not self._is_ended.wait(LOOK_SECONDS):
            place, step = place_in(self.shared)
            now = time.monotonic()
            if step != seen:
                seen, since = step, now
                continue
            most = self.limits.seconds(place.place)
            if step % 2 and most is not None and now - since > most:
                self._overrun = Trouble(place, late(most))
                self._kill()
                return

    def _kill(self) -> None:
        """Kill the process and those that bots started in it."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    def end(self) -> None:
        """Kill the process and leave nothing of it behind."""
        with self._ending:
            if self._is_ended.is_set():
                return
            self._is_ended.set()
            self._kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            _remove(self._path)


def _shared_file() -> tuple[mmap.mmap, str]:
    """Make the file that says where a process is, and map it."""
    number, path = tempfile.mkstemp(prefix="forty5sim-")
    try:
        os.truncate(number, PLACE.size)
        return mmap.mmap(number, PLACE.size), path
    finally:
        os.close(number)


def _remove(path: str) -> None:
    with suppress(OSError):
        Path(path).unlink()


def _start(settings: Settings) -> subprocess.Popen[bytes]:
    """Start a player: this Python, this search path, out of reach of Ctrl-C."""
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from forty5sim.arena import player;"
        f" player.main(player.Settings(*{tuple(settings)!r}))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def _how_it_ended(code: int | None) -> str:
    if code is None:
        return "closed the connection of its process"
    if code >= 0:
        return f"ended its process (exit code {code})"
    hint = "; out of memory?" if code == -9 else ""
    return f"was killed (signal {-code}{hint})"
