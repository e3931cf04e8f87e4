"""``forty5sim value``: what robbing, jinking, bidding, holding, misère or a seat is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forty5sim.cli.common import console

if TYPE_CHECKING:
    import pandas as pd

    from forty5sim.studies.decisions import DecisionValue

Option = typer.Option
PICTURES = (".png", ".svg", ".pdf")


def command(
    name: Annotated[str, typer.Argument(help="rob, jink, bid, hold, misere or seat")],
    game: Annotated[str | None, Option(help="the game  [default: one that has it]")] = None,
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    bots: Annotated[
        list[str] | None,
        Option(help="who plays on  [default: heuristic, mc:worlds=20 and random]"),
    ] = None,
    deals: Annotated[int | None, Option(help="deals of each bot")] = None,
    seed: Annotated[int, Option(help="fixes cards and chances")] = 1,
    pot: Annotated[int, Option(help="chips in the pot before (Spoil Five)")] = 0,
    out: Annotated[Path | None, Option(help="write the picture here: .png, .svg, .pdf")] = None,
    csv: Annotated[Path | None, Option(help="write the whole table here")] = None,
    quiet: Annotated[bool, Option("--quiet", help="no progress bar")] = False,
) -> None:
    """Say what a decision is worth: each deal is played on with it taken and with it declined.

    The same cards, bots and chances in both; the difference is what the decision did.
    """
    from forty5sim.errors import RunError
    from forty5sim.kernels.jit import COMPILING
    from forty5sim.studies import decisions
    from forty5sim.studies.branches import needs_compiling

    _check_paths(out, csv)
    if needs_compiling() and not quiet:
        typer.echo(COMPILING, err=True)
    options: dict[str, Any] = {
        "players": players,
        "deals": deals,
        "seed": seed,
        "pot": pot,
        "progress": not quiet,
        **({"bots": bots} if bots else {}),
    }
    if name == decisions.SEAT:
        if out:
            raise RunError("a picture is drawn of decisions; for seats: forty5sim plot FOLDER")
        table = decisions.value(name, game, **options)
    else:
        found = decisions.decision_value(name, game, **options)
        typer.echo(found.verdict)
        table = found.table
        if out:
            _draw(found, out)
    if csv:
        table.to_csv(csv, index=False)
    _print(table)


def _check_paths(out: Path | None, csv: Path | None) -> None:
    """Raise if what was asked for cannot be written, before anything is played."""
    from forty5sim.errors import RunError

    if out and csv and out.resolve() == csv.resolve():
        raise RunError(f"--out and --csv both name {str(out)!r}")
    for option, path in (("--out", out), ("--csv", csv)):
        if path and (path.is_dir() or not path.resolve().parent.is_dir()):
            raise RunError(f"{option}: there is no folder to write {str(path)!r} into")
    if out and out.suffix.lower() not in PICTURES:
        raise RunError(f"--out must end in {', '.join(PICTURES)}, got {str(out)!r}")


def _draw(found: DecisionValue, path: Path) -> None:
    """Draw the effects, by policy and stratum."""
    from forty5sim.arena.standings import payoff_unit
    from forty5sim.plot import forest, save_figure

    unit = payoff_unit(found.conditions).split()[0]
    played = f"{found.conditions.rules.id}, {found.conditions.players} players"
    heading = f"{found.question.taking}, {played}"
    save_figure(forest(found.table, heading=heading, unit=unit), path)


def _print(table: pd.DataFrame) -> None:
    """Print the table, a line for each quantity and a column for each policy."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    rows: list[dict[Any, Any]] = table.to_dict("records")
    policies = list(dict.fromkeys(row["policy"] for row in rows))
    for heading in ("", "", *policies):
        shown.add_column(heading, justify="right" if heading else "left", overflow="fold")
    cells = {(row["quantity"], row["stratum"], row["policy"]): _cell(row) for row in rows}
    last = ""
    for quantity, stratum in dict.fromkeys((row["quantity"], row["stratum"]) for row in rows):
        texts = [cells.get((quantity, stratum, policy), "") for policy in policies]
        shown.add_row(quantity if quantity != last else "", stratum, *texts)
        last = quantity
    console().print(shown)


def _cell(row: dict[Any, Any]) -> str:
    """Return a value with its interval, if it has one, and how many it is from."""
    from forty5sim.stats import Estimate

    value = Estimate(row["value"], row["value_ci"], row["n"])
    if value.n < 2:
        return f"once: {value.mean:+.2f}" if value.n else "never"
    if value.half_width == 0:
        return f"{value.mean:+.2f} all alike  n={value.n}"
    digits = value.digits()
    return f"{value.mean:+.{digits}f} ±{value.half_width:.{digits}f}  n={value.n}"
