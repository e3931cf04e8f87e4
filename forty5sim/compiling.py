"""Compiles what a game is played by, on two cores if there are two.

numba compiles one function at a time. So a second process walks through the same list from the
other end, and leaves its machine code in the cache on disk. Whoever takes a part holds its lock
meanwhile, so that nothing is compiled twice, by these two or by another command.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from filelock import FileLock, Timeout

from forty5sim.agent import CompiledAgent, Part
from forty5sim.kernels.asking import CHOOSE, SERVICE
from forty5sim.kernels.boards import PLAY_BOARDS
from forty5sim.kernels.games import PLAY_GAMES
from forty5sim.kernels.jit import can_cache, is_cached, is_compiled, lock_file
from forty5sim.rules import RuleSet

_CONTRACTS = {
    "CHOOSE": CHOOSE,
    "SERVICE": SERVICE,
    "PLAY_BOARDS": PLAY_BOARDS,
    "PLAY_GAMES": PLAY_GAMES,
}


def missing_parts(
    agents: Sequence[CompiledAgent | None], rules: RuleSet, players: int
) -> list[Part]:
    """Return the parts of these bots that have no machine code on disk yet."""
    parts = dict.fromkeys(
        part for agent in agents if agent for part in agent.parts_in(rules, players)
    )
    return [part for part in parts if not is_cached(part.function)]


def compile_parts(parts: Sequence[Part], meanwhile: Callable[[], object] | None = None) -> None:
    """Compile these parts, a second process helping; return when all are loaded.

    Args:
        parts: what is to be compiled.
        meanwhile: called when there is nothing left to do but to wait for the second process.
    """
    helper = _helper(parts) if len(parts) > 1 and can_cache() and available_cores() > 1 else None
    try:
        _compile(parts, meanwhile)
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compile(parts: Sequence[Part], meanwhile: Callable[[], object] | None) -> None:
    """Compile what nobody else is at; then wait for the others' parts and load them."""
    if not is_compiled():
        return
    taken = [part for part in parts if not _try(part)]
    if taken and meanwhile:
        meanwhile()
    for part in taken:
        with _lock(part):
            _load(part)


def _try(part: Part) -> bool:
    """Compile a part, or load it; return whether that was possible: nobody else is at it."""
    try:
        with _lock(part, waits=False):
            _load(part)
    except Timeout:
        return False
    return True


def _load(part: Part) -> None:
    """Load a part's machine code from the disk, or compile it and keep it there."""
    function: Any = part.function  # what numba makes of it has ``compile``
    function.compile(part.contract.args)


def _lock(part: Part, *, waits: bool = True) -> AbstractContextManager[object]:
    """Return what only one process can hold at a time."""
    path = lock_file(part.function)
    return FileLock(path, timeout=-1 if waits else 0) if path else nullcontext()


def _helper(parts: Sequence[Part]) -> subprocess.Popen[bytes] | None:
    """Start the second process; None if that cannot be."""
    if not is_compiled():
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "forty5sim.compiling", *map(_name, reversed(parts))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _name(part: Part) -> str:
    contract = next(name for name, known in _CONTRACTS.items() if known == part.contract)
    return f"{part.function.__module__}:{part.function.__name__}:{contract}"


def _part(name: str) -> Part:
    module, function, contract = name.split(":")
    return Part(getattr(import_module(module), function), _CONTRACTS[contract])


if __name__ == "__main__":
    for named in map(_part, sys.argv[1:]):
        if not is_cached(named.function):
            _try(named)
