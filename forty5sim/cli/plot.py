"""``forty5sim plot FOLDER WHAT``: one figure of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="a run's folder, as results/…")],
    what: Annotated[
        str | None, typer.Argument(help="which figure; without it, those there are are listed")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="the file: .png, .svg or .pdf  [default: FOLDER/figures/WHAT.png]"),
    ] = None,
) -> None:
    """Draw one figure of a run, or list those that it can draw."""
    from forty5sim.arena.store import FIGURES
    from forty5sim.errors import RunError
    from forty5sim.plot import save_figure
    from forty5sim.report.findings import read_findings
    from forty5sim.report.pictures import drawable, find_picture

    found = read_findings(folder)
    if what is None:
        if out:
            raise RunError(f"say which figure is to be written to {str(out)!r}")
        for picture in drawable(found):
            typer.echo(f"{picture.name:20} {picture.meaning}")
        return
    picture = find_picture(found, what)
    path = out or folder / FIGURES / f"{picture.name}.png"
    if out is None:
        path.parent.mkdir(exist_ok=True)
    elif not out.resolve().parent.is_dir():
        raise RunError(f"--out: there is no folder to write {str(out)!r} into")
    save_figure(picture.draw(found), path)
    typer.echo(path)
