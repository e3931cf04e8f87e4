"""Threads that play one plan: their guards, where there are bots from files."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from forty5sim.arena.asked import is_from_file
from forty5sim.arena.chunks import Chunk, play_chunk
from forty5sim.arena.guard import Guard, Limits
from forty5sim.arena.plan import Plan
from forty5sim.arena.played import Played, packed
from forty5sim.registry import Bot, find_bot

NORMAL = Limits()


def run_on_threads(specs: Sequence[str]) -> bool:
    """Say whether threads will do: all bots are installed, none is loaded from a file."""
    return not any(map(is_from_file, specs))


class Crew:
    """Plays chunks of one plan: the guards that its threads share out among themselves.

    A context manager, which ends the guarded processes.
    """

    def __init__(self, plan: Plan, limits: Limits = NORMAL) -> None:
        self.plan = plan
        self.limits = limits
        self._is_guarded = not run_on_threads(plan.bots)
        self._lock = threading.Lock()
        self._idle: SimpleQueue[Guard] = SimpleQueue()
        self._guards: list[Guard] = []
        self._is_closed = False

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def look_up(self) -> list[Bot]:
        """Find the bots of the plan; no file is loaded into this process.

        Raises:
            AgentError: for a bot that cannot be found or loaded.
        """
        if not self._is_guarded:
            return [find_bot(spec) for spec in self.plan.bots]
        with self._borrowed() as guard:
            return guard.look_up(self.plan.bots)

    def play(self, first: int, count: int) -> Played:
        """Play a chunk on the thread that calls this, and pack it up."""
        return packed(self.plan, self._chunk(first, count))

    def _chunk(self, first: int, count: int) -> Chunk:
        if not self._is_guarded:
            return play_chunk(self.plan, first, count)
        with self._borrowed() as guard:
            return guard.play(self.plan, first, count)

    @contextmanager
    def _borrowed(self) -> Iterator[Guard]:
        guard = self._guard()
        try:
            yield guard
        finally:
            self._idle.put(guard)

    def _guard(self) -> Guard:
        try:
            return self._idle.get_nowait()
        except Empty:
            guard = Guard(self.limits)
        with self._lock:
            self._guards.append(guard)
            if self._is_closed:
                guard.close()
        return guard

    def close(self) -> None:
        """End all processes at once."""
        with self._lock:
            self._is_closed = True
            guards = list(self._guards)
        for guard in guards:
            guard.close()
