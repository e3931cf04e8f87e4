"""``forty5sim verify FILE``: checks recorded deals against the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import announce_compiling, console

if TYPE_CHECKING:
    from forty5sim.records import Coverage

FAULTY = 1
MOST_SHOWN = 50


def command(
    file: Annotated[Path, typer.Argument(help="a file of deal records (.jsonl)")],
    stats: Annotated[bool, typer.Option("--stats", help="count what the records cover")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="no progress bar")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print for a machine")] = False,
) -> None:
    """Check every action, trick, score and result; exit code 1 if anything is wrong."""
    from tqdm import tqdm

    from forty5sim.errors import RecordError
    from forty5sim.records import Coverage, faults_of, read_lines

    announce_compiling()
    coverage = Coverage()
    deals, wrong = 0, 0
    faults: list[dict[str, object]] = []
    lines = tqdm(read_lines(file), unit="deal", disable=quiet or None, leave=False)
    for number, record in lines:
        deals += 1
        if isinstance(record, RecordError):
            problems = [str(record)]
        else:
            problems = [f"{file}, line {number}: {f}" for f in faults_of(record, coverage)]
        wrong += bool(problems)
        for problem in problems:
            if len(faults) < MOST_SHOWN and not as_json:
                lines.write(problem)
            faults.append({"line": number, "fault": problem})
        lines.set_postfix_str(f"{wrong} faulty", refresh=False)
    if deals == 0:
        raise RecordError(f"{file} has no records")
    if as_json:
        covered = {"coverage": coverage.counts} if stats else {}
        print_json("verify", faults, deals=deals, faulty=wrong, **covered)
    else:
        if len(faults) > MOST_SHOWN:
            typer.echo(f"… and {len(faults) - MOST_SHOWN} faults more")
        if stats:
            _print(coverage)
        right = f"{deals - wrong} of {deals} deals are right"
        typer.echo(right if wrong == 0 else f"{right}, {wrong} faulty")
    raise SystemExit(FAULTY if wrong else 0)


def _print(coverage: Coverage) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    for columns in (coverage.TURN_UP, coverage.BIDDING):
        games = [game for game in coverage.counts if coverage.columns(game) == columns]
        if not games:
            continue
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
        table.add_column("game")
        for what in columns:
            table.add_column(what, justify="right")
        for game in sorted(games):
            table.add_row(game, *(str(coverage.counts[game][what]) for what in columns))
        console().print(table)
