"""How long starting takes: cold with compiling, warm, and of ``--help``."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from forty5sim.bench.timing import Figure, timed


def start_figures(runs: int) -> Iterator[Figure]:
    """Yield how long starting takes: cold with compiling, warm, and of ``--help``."""
    with tempfile.TemporaryDirectory() as folder:
        main_job = ["tournament", "--quiet", "--fresh", "--results", folder]
        environment = {"FORTY5SIM_CACHE_DIR": os.path.join(folder, "cache")}  # noqa: PTH118
        small_job = [*main_job, "--boards", "100"]
        yield _start_figure("first run, compiling", main_job, environment, 1)
        yield _start_figure("second run, 20 000 boards", main_job, environment, runs)
        yield _start_figure("tournament --boards 100", small_job, environment, runs)
        yield _start_figure("--help", ["--help"], environment, 2 * runs)


def _start_figure(name: str, job: list[str], environment: dict[str, str], runs: int) -> Figure:
    code = "from forty5sim.cli import main; main()"

    def start() -> None:
        subprocess.run(
            [sys.executable, "-c", code, *job],
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
        )

    times, yardstick = timed(start, runs, warm_up=False)
    return Figure(name, "s", min(times), median(times), runs, yardstick)
