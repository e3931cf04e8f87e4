"""``forty5sim doctor``: versions, cores, cache, and whether the kernels load."""

from __future__ import annotations

import os
import platform
import time

import typer

from forty5sim.cli.common import MISTAKE
from forty5sim.cli.settings import FILE, settings_path


def command() -> None:
    """Check that everything is in order on this machine."""
    from forty5sim.arena.running import versions
    from forty5sim.compiling import available_cores
    from forty5sim.kernels import jit
    from forty5sim.registry import known_bots

    for package, number in versions().items():
        typer.echo(f"{package:12} {number}")
    cores = available_cores()
    typer.echo(f"{'machine':12} {platform.machine()}, {os.cpu_count()} cores, {cores} for us")
    folder = jit.cache_root()
    writable = jit.can_cache()
    state = "writable" if writable else "NOT writable: every start will compile; set it with" \
        " FORTY5SIM_CACHE_DIR"  # fmt: skip
    typer.echo(f"{'cache':12} {folder} ({jit.cache_size() / 1e6:.1f} MB, {state})")
    typer.echo(f"{'bots':12} {', '.join(known_bots())}")
    typer.echo(f"{'settings':12} {settings_path() or f'none: no {FILE} here that is to be read'}")
    raise SystemExit(_check_kernels() if writable else MISTAKE)


def _check_kernels() -> int:
    """Play a deal; return the exit code."""
    start = time.perf_counter()
    from forty5sim.game import Game

    game = Game("forty-five", seed=1)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    typer.echo(f"{'kernels':12} load and play a deal ({time.perf_counter() - start:.1f} s)")
    return 0
