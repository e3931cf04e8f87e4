"""``forty5sim experiment``: works out a published study again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Option = typer.Option


def command(
    name: Annotated[
        str | None, typer.Argument(help="which study; without one they are listed")
    ] = None,
    quick: Annotated[bool, Option("--quick", help="a fiftieth of the deals")] = False,
    results: Annotated[Path, Option(help="where its folder is kept")] = Path("results"),
    quiet: Annotated[bool, Option("--quiet", help="no progress bar")] = False,
) -> None:
    """Work out a study: a table with intervals and a figure. It can be stopped and goes on."""
    from forty5sim.kernels.jit import COMPILING
    from forty5sim.studies.branches import needs_compiling
    from forty5sim.studies.catalogue import STUDIES
    from forty5sim.studies.published import run_study

    if name is None:
        for study in STUDIES.values():
            typer.echo(f"{study.name:12} {study.question}")
        return
    if needs_compiling() and not quiet:
        typer.echo(COMPILING, err=True)
    folder = run_study(name, results, quick=quick, progress=not quiet)
    typer.echo(f"written: {folder / 'summary.csv'} and {folder / 'summary.svg'}")
