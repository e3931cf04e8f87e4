"""``forty5sim value``: what a decision, a seat or a reading of the rules is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import INTERRUPTED, console
from forty5sim.cli.completing import bot_names, game_names
from forty5sim.cli.forest import print_forest

if TYPE_CHECKING:
    import pandas as pd

    from forty5sim.studies.decisions import DecisionValue

Option = typer.Option
PICTURES = (".png", ".svg", ".pdf")
RULES = "rules"
EFFECTS, STRATA, BREAK_EVEN = "effects", "strata", "break-even"
FIGURES = {EFFECTS: (), STRATA: ("rob", "jink"), BREAK_EVEN: ("jink",)}
"""The figures, and the decisions they are of; the first is of all."""

EXPLAINED = (
    "eldest, dealer: payoff of the seat, a deal; skill: gain by the bot instead of random, a deal; "
    "choice: legal cards at a play; deals: in a whole game; changes are paired by deal; ±: 95 %"
)


def command(
    name: Annotated[str, typer.Argument(help="rob, jink, bid, hold, misere, seat or rules")],
    game: Annotated[
        str | None, Option(help="the game  [default: one that has it]", autocompletion=game_names)
    ] = None,
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    bots: Annotated[
        list[str] | None,
        Option(
            help="who plays on  [default: heuristic, mc:worlds=20 and random]",
            autocompletion=bot_names,
        ),
    ] = None,
    deals: Annotated[int | None, Option(help="deals of each bot")] = None,
    seed: Annotated[int, Option(help="fixes cards and chances")] = 1,
    pot: Annotated[int, Option(help="chips in the pot before (Spoil Five)")] = 0,
    silent: Annotated[
        bool,
        Option("--silent", help="rob: also as if nobody saw it, to tell what being seen costs"),
    ] = False,
    taker: Annotated[
        str | None,
        Option(
            help="a bot that chooses how it is taken (what is thrown, what is bid) once more",
            autocompletion=bot_names,
        ),
    ] = None,
    reading: Annotated[
        list[str] | None,
        Option(help="rules: what to compare the game with: spoil-five:jink=off"),
    ] = None,
    out: Annotated[Path | None, Option(help="write the picture here: .png, .svg, .pdf")] = None,
    figure: Annotated[
        str,
        Option(help="of --out: effects; strata, by two at once (rob, jink); break-even (jink)"),
    ] = EFFECTS,
    csv: Annotated[Path | None, Option(help="write the whole table here")] = None,
    quiet: Annotated[bool, Option("--quiet", help="no progress bar")] = False,
    as_json: Annotated[bool, Option("--json", help="print the table for a machine")] = False,
) -> None:
    """Say what a decision is worth: each deal is played on with it taken and with it declined.

    The same cards, bots and chances in both; the difference is what the decision did. With rules
    the same deals are played under each --reading.
    """
    from forty5sim.errors import RunError
    from forty5sim.kernels.jit import COMPILING
    from forty5sim.studies import decisions
    from forty5sim.studies.branches import needs_compiling

    _check_paths(out, csv)
    _check_options(name, silent, taker, reading, bots, pot)
    _check_figure(name, figure, out)
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
    verdict, complete = "", True
    if name == RULES:
        table = _compare(game, reading or [], options, out)
    elif name == decisions.SEAT:
        if out:
            raise RunError("a picture is drawn of decisions; for seats: forty5sim plot FOLDER")
        table = decisions.value(name, game, **options)
    else:
        found = decisions.decision_value(name, game, silent=silent, taker=taker, **options)
        verdict, table, complete = found.verdict, found.table, found.complete
        if out:
            _draw(found, figure, out)
    if csv:
        table.to_csv(csv, index=False)
    if as_json:
        print_json("value", table.to_dict("records"), name=name, verdict=verdict, complete=complete)
    elif name == RULES:
        _print_changes(table)
    else:
        if verdict:
            typer.echo(verdict)
            print_forest(table)
        _print(table)
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _check_options(
    name: str,
    silent: bool,
    taker: str | None,
    reading: list[str] | None,
    bots: list[str] | None,
    pot: int,
) -> None:
    """Raise if an option was given that would do nothing."""
    from forty5sim.errors import RunError

    if name != RULES and reading:
        raise RunError(f"--reading is for rules, not for {name}")
    if name != "rob" and silent:
        raise RunError(f"--silent is for rob, not for {name}")
    if name in (RULES, "seat") and taker:
        raise RunError(f"--taker is for decisions, not for {name}")
    if name == RULES and not reading:
        raise RunError("name what to compare the game with: --reading spoil-five:jink=off")
    if name == RULES and (pot or (bots and len(bots) > 1)):
        raise RunError("rules are compared under one bot, and without a pot from before")


def _check_figure(name: str, figure: str, out: Path | None) -> None:
    """Raise if the figure is none, is not of this decision, or is not asked for."""
    from forty5sim.errors import RunError

    if figure not in FIGURES:
        raise RunError(f"no figure named {figure!r}; known: {', '.join(FIGURES)}")
    if figure != EFFECTS and name not in FIGURES[figure]:
        raise RunError(f"--figure {figure} is for {', '.join(FIGURES[figure])}, not for {name}")
    if figure != EFFECTS and not out:
        raise RunError(f"--figure {figure} needs a file: --out x.png")


def _compare(
    game: str | None, readings: list[str], options: dict[str, Any], out: Path | None
) -> pd.DataFrame:
    """Compare readings of the rules, and draw what they change."""
    from forty5sim.plot import changes, save_figure
    from forty5sim.studies.readings import compare_rules

    asked = {name: options[name] for name in ("players", "seed", "progress")}
    asked |= {"deals": options["deals"]} if options["deals"] else {}
    asked |= {"bot": options["bots"][0]} if "bots" in options else {}
    base = game or readings[0].partition(":")[0]
    table = compare_rules(base, readings, **asked)
    if out:
        save_figure(changes(table), out)
    return table


def _print_changes(table: pd.DataFrame) -> None:
    """Print the values under the game's own rules, and the change by each reading."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from forty5sim.plot.style import number

    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    readings = list(dict.fromkeys(table["reading"]))
    for place, heading in enumerate(("", *readings)):
        shown.add_column(
            heading if place < 2 else f"change by {heading}",
            justify="right" if place else "left",
            overflow="fold",
        )
    for quantity in dict.fromkeys(table["quantity"]):
        rows = table[table["quantity"] == quantity].to_dict("records")
        first, *others = rows
        texts = [number(first["value"], first["value_ci"], sign="")]
        texts += [number(row["change"], row["change_ci"]) for row in others]
        shown.add_row(
            quantity, *(f"{text}  n={row['n']}" for text, row in zip(texts, rows, strict=True))
        )
    console().print(shown)
    console().print(EXPLAINED)


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


def _draw(found: DecisionValue, figure: str, path: Path) -> None:
    """Draw the effects; or those of two strata at once; or jinks beside the chance needed."""
    from forty5sim.arena.standings import payoff_unit
    from forty5sim.plot import break_even, forest, save_figure, strata_heat_map
    from forty5sim.studies.effects import PAIRS

    played = found.conditions
    unit = payoff_unit(played).split()[0]
    heading = f"{found.question.taking}, {played.rules.id}, {played.players} players"
    if figure == STRATA:
        pair = PAIRS[found.question.name][0]
        by = f"{heading}, by {next(iter(found.branches))}"
        axes = strata_heat_map(found, *pair, heading=by, unit=unit)
    elif figure == BREAK_EVEN:
        table = found.table.assign(pot=played.pot)
        axes = break_even(table, played.players, rules=played.rules)
    else:
        axes = forest(found.table, heading=heading, unit=unit)
    save_figure(axes, path)


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
