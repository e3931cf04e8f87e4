"""``forty5sim bench``: how fast this machine plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import console

if TYPE_CHECKING:
    from forty5sim.bench import Figure


def command(
    runs: Annotated[int, typer.Option(min=3, help="short runs behind each figure")] = 25,
    as_json: Annotated[bool, typer.Option("--json", help="print for a machine")] = False,
) -> None:
    """Measure deals a second, compile time and start-up, on one core of this machine."""
    from tqdm import tqdm

    from forty5sim.bench import figures

    found = list(tqdm(figures(runs), unit="figure", leave=False))
    if as_json:
        print_json("bench", [figure.as_dict() for figure in found])
    else:
        _print(found)


def _print(found: list[Figure]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("what")
    for heading in ("best", "median"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit")
    table.add_column("runs", justify="right")
    table.add_column("yardstick", justify="right")
    for figure in found:
        cells = [_number(figure.best), _number(figure.median), figure.unit, str(figure.runs)]
        table.add_row(figure.name, *cells, f"{figure.yardstick:.2f}")
    console().print(table)
    typer.echo(
        "best and median of short runs, on one core where no threads are named; yardstick: ns a\n"
        "step of a fixed loop beside them (shared machines drift: compare figures of two days)"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if value >= 1000 else f"{value:.3g}"
