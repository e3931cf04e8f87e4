"""``forty5sim report FOLDER``: a page about a run, with all its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="a run's folder, as results/…")],
) -> None:
    """Write report.html and figures/*.png into a run's folder; print the page's path."""
    from forty5sim.report import write_report

    typer.echo(write_report(folder))
