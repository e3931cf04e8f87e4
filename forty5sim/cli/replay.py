"""``forty5sim replay FILE``: shows recorded deals, trick by trick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forty5sim.cli.common import announce_compiling, chosen_records, console


def command(
    file: Annotated[Path, typer.Argument(help="a file of deal records (.jsonl)")],
    line: Annotated[
        int | None, typer.Option(min=1, help="show the deal of this line  [default: all]")
    ] = None,
) -> None:
    """Show recorded deals: hands, tricks, who robbed, jinked and reneged, what came of it."""
    from forty5sim.diagram import LEGEND, deal_diagram
    from forty5sim.errors import RecordError

    announce_compiling()
    terminal = console()
    first = True
    for number, record in chosen_records(file, line):
        try:
            diagram = deal_diagram(record)
        except RecordError as error:
            raise RecordError(f"{file}, line {number}: {error}") from None
        if first:
            terminal.print(LEGEND)
        first = False
        terminal.print(f"\n--- {file}, line {number}")
        terminal.print(diagram)
