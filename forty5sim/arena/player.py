"""The process that plays for bots from files, so that one that breaks down breaks nothing else.

It is started by ``guard``, which owns it, and ends by itself when the guard is gone. Requests come
in on its first standard input and answers go out on its first standard output, as pickles; bots
get others: an empty input, and standard error to print to. Where it is at any moment stands in a
small file that both processes map into their memory (``PLACE``).

This keeps mistakes apart, not attacks: a bot may do in its process what its user may do.
"""

from __future__ import annotations

import math
import mmap
import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter as _now
from typing import Any, BinaryIO, NamedTuple, NoReturn, TextIO

from forty5sim.agent import told
from forty5sim.arena.asked import Place
from forty5sim.arena.chunks import Chunk, ChunkPlace, ChunkWatch, Problems, load_bot, play_chunk
from forty5sim.arena.plan import Plan
from forty5sim.arena.questions import Answer, ExamRequest, examine
from forty5sim.registry import Bot

PLACE = struct.Struct("7q")
"""Pairing, bot, board, replay, seat, question, and the step: odd while a bot has the word."""

STEP = struct.Struct("q")
STEP_OFFSET = PLACE.size - STEP.size

_WRITE_PLACE, _WRITE_STEP = PLACE.pack_into, STEP.pack_into

KERNEL = -2
"""In place of a bot: a kernel that calls compiled bots from files."""


class Settings(NamedTuple):
    """What a player is started with.

    Attributes:
        shared: the file that says where it is.
        move_time: seconds that an answer may take; None for no limit.
        memory: bytes that it may take for what it plays; None for no limit.
    """

    shared: str
    move_time: float | None
    memory: int | None


class PlayRequest(NamedTuple):
    """Boards to play; answered with a ``Chunk``."""

    plan: Plan
    first: int
    boards: int
    problems: Problems
    one_by_one: bool


class LookUpRequest(NamedTuple):
    """A bot to load, the n-th of some; answered with a ``BotFacts``."""

    number: int
    spec: str


class BotFacts(NamedTuple):
    """What a process that never loads a bot's file has to know of the bot.

    ``games`` are those that it says it is written for; None if it says nothing.
    """

    name: str
    version: int
    keeps_notes: bool
    is_compiled: bool
    repeats: bool
    games: tuple[str, ...] | None


class Loaded(NamedTuple):
    """Sent before the answer: the names of the bots that play."""

    names: list[str]


class Done(NamedTuple):
    """The answer to a request."""

    result: Any


class Broke(NamedTuple):
    """Instead of it: a bot broke down at the place last noted, and what it did."""

    problem: str


class Failed(NamedTuple):
    """Instead of it: an error that is no bot's, and where it came from."""

    error: BaseException
    trace: str


class BreakdownError(Exception):
    """A bot's fault that ends the chunk: the process may be in no state to play on."""


def late(move_time: float) -> str:
    """Return the problem of a bot that does not answer in time."""
    return f"gave no answer within {move_time:g} s"


class Link(NamedTuple):
    """What a player has of its guard."""

    answers: BinaryIO
    shared: mmap.mmap
    move_time: float | None
    output: TextIO


class Reporter(ChunkWatch):
    """Writes down where the player is, and measures how long each answer takes."""

    is_copy = False

    def __init__(
        self, link: Link, problems: Problems | None = None, one_by_one: bool = False
    ) -> None:
        super().__init__(problems, one_by_one)
        self.link = link
        self.shared = link.shared
        self.most = math.inf if link.move_time is None else link.move_time
        self.step = STEP.unpack_from(self.shared, STEP_OFFSET)[0]
        self.since = math.inf
        self.output = link.output

    def loaded(self, bots: Sequence[Bot]) -> None:
        """Tell the guard what the bots are called."""
        _send(self.link.answers, Loaded([bot.name for bot in bots]))

    def enters(self, place: Place) -> str | None:
        """Write down who has the word; what another bot did to the outputs is undone."""
        if self.problems and (problem := super().enters(place)):
            return problem
        sys.stdout = sys.stderr = self.output
        self.step += 1
        _WRITE_PLACE(self.shared, 0, self.pairing, *place, self.step)
        self.since = _now() if place[1] >= 0 else math.inf
        return None

    def enters_kernel(self) -> None:
        """Write down that compiled bots have the word."""
        self.enters(Place(KERNEL, -1, -1, -1, 0))

    def leaves(self, error: BaseException | None = None) -> None:
        """Write down that the bot is done; its being late ends the chunk, or having no memory."""
        taken = _now() - self.since
        if self.is_copy:
            os._exit(0)
        self.step += 1
        _WRITE_STEP(self.shared, STEP_OFFSET, self.step)
        if taken > self.most:
            raise BreakdownError(late(self.most))
        if isinstance(error, MemoryError):
            raise BreakdownError(told(error))


def main(settings: Settings) -> NoReturn:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = _own_pipes()
    waiting: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    with Path(settings.shared).open("r+b") as file:
        shared = mmap.mmap(file.fileno(), PLACE.size)
    _limit_memory(settings.memory)
    _send(answers, Done(None))
    link = Link(answers, shared, settings.move_time, sys.stderr)
    while True:
        _send(answers, _answer(waiting.get(), link))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the guard, and give everyone else other files in their place."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=partial(_part, requests, answers))
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb", buffering=0)


def _part(*pipes: int) -> None:
    """Part a process that a bot forks from the guard: it is not to answer for this one."""
    Reporter.is_copy = True
    for pipe in pipes:
        with suppress(OSError):
            os.close(pipe)


def _listen(requests: BinaryIO, waiting: SimpleQueue[Any]) -> None:
    """Pass requests on; when the guard is gone, end at once, whatever a bot is doing."""
    while True:
        try:
            waiting.put(pickle.load(requests))
        except (EOFError, OSError, pickle.UnpicklingError):
            _end()


def _end() -> NoReturn:
    """End this process, and those that bots have started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _send(answers: BinaryIO, answer: Loaded | Done | Broke | Failed) -> None:
    rest = memoryview(pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL))
    try:
        while rest:
            rest = rest[answers.write(rest) :]
    except OSError:
        os._exit(1)


def _limit_memory(memory: int | None) -> None:
    """Let this process take no more than so many bytes above what it has now."""
    taken = _data_bytes()
    if memory is None or taken is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = taken + memory
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _data_bytes() -> int | None:
    """Return what counts against the limit for data; None where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmData:")]
    return 1024 * int(sizes[0]) if sizes else None


def _answer(request: Any, link: Link) -> Done | Broke | Failed:
    try:
        return Done(_WORK[type(request)](request, link))
    except BreakdownError as error:
        return Broke(str(error))
    except BaseException as error:
        return Failed(_sendable(error), traceback.format_exc())


def _play(request: PlayRequest, link: Link) -> Chunk:
    watch = Reporter(link, request.problems, request.one_by_one)
    return play_chunk(request.plan, request.first, request.boards, watch)


def _look_up(request: LookUpRequest, link: Link) -> BotFacts:
    bot = load_bot(request.number, request.spec, Reporter(link))
    compiled = bot.compiled
    repeats = compiled is None or compiled.repeats
    return BotFacts(
        bot.name, bot.version, bot.keeps_notes, compiled is not None, repeats, bot.games
    )


def _examine(request: ExamRequest, link: Link) -> list[list[Answer]]:
    watch = Reporter(link)
    bot = load_bot(0, request.spec, watch)
    watch.loaded([bot])
    return examine(bot, request, watch, link.output)


_WORK: dict[type, Callable[..., Any]] = {
    PlayRequest: _play,
    LookUpRequest: _look_up,
    ExamRequest: _examine,
}


def _sendable(error: BaseException) -> BaseException:
    """Return an error that another process can read: this one, or its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(told(error))
    return error


def place_in(shared: mmap.mmap) -> tuple[ChunkPlace, int]:
    """Return where a player is, or was last, and the number of the step."""
    pairing, *place, step = PLACE.unpack_from(shared, 0)
    return ChunkPlace(pairing, Place(*place)), step
