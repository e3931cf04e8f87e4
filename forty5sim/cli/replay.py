"""``forty5sim replay FILE``: shows recorded deals, trick by trick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forty5sim.cli.common import announce_compiling, console


def command(
    file: Annotated[Path, typer.Argument(help="a file of deal records (.jsonl)")],
    line: Annotated[
        int | None, typer.Option(min=1, help="show the deal of this line  [default: all]")
    ] = None,
) -> None:
    """Show recorded deals: hands, tricks, who robbed, jinked and reneged, what came of it."""
    from forty5sim.diagram import LEGEND, deal_diagram
    from forty5sim.errors import RecordError
    from forty5sim.records import read_lines

    announce_compiling()
    shown = 0
    terminal = console()
    for number, record in read_lines(file):
        if line not in (None, number):
            continue
        if isinstance(record, RecordError):
            raise record
        try:
            diagram = deal_diagram(record)
        except RecordError as error:
            raise RecordError(f"{file}, line {number}: {error}") from None
        if shown == 0:
            terminal.print(LEGEND)
        terminal.print(f"\n--- {file}, line {number}")
        terminal.print(diagram)
        shown += 1
        if line is not None:
            return
    if shown == 0:
        what = "no records" if line is None else f"no line {line}"
        raise RecordError(f"{file} has {what}")
