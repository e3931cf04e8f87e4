"""Compiles the parts that bots play by, on two cores if there are two.

numba compiles one function at a time. So a second process walks through the same list from the
other end, and leaves its machine code in the cache on disk; the two meet in the middle.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

from forty5sim.agent import CompiledAgent, Part
from forty5sim.kernels import asking
from forty5sim.kernels.asking import CHOOSE, address_of
from forty5sim.kernels.jit import can_cache, is_cached, is_compiled
from forty5sim.rules import RuleSet

_CONTRACTS = {"CHOOSE": CHOOSE, "SERVICE": asking.SERVICE}


def missing_parts(
    agents: Sequence[CompiledAgent | None], rules: RuleSet, players: int
) -> list[Part]:
    """Return the parts of these bots that have no machine code on disk yet."""
    parts = dict.fromkeys(
        part for agent in agents if agent for part in agent.parts_in(rules, players)
    )
    return [part for part in parts if not is_cached(part.function)]


def compile_parts(parts: Sequence[Part]) -> None:
    """Compile these parts, a second process helping."""
    helper = _helper(parts) if len(parts) > 1 and can_cache() and available_cores() > 1 else None
    try:
        for part in parts:
            if helper is None or not is_cached(part.function):
                address_of(*part)
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def _compile_named(names: Sequence[str]) -> None:
    """Compile parts by name, as the second process."""
    for name in names:
        module, function, contract = name.split(":")
        part = Part(getattr(import_module(module), function), _CONTRACTS[contract])
        if not is_cached(part.function):
            address_of(*part)


if __name__ == "__main__":
    _compile_named(sys.argv[1:])
