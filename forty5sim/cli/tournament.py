"""``forty5sim tournament``: bots against each other, a table one can believe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import INTERRUPTED, console
from forty5sim.cli.completing import best_and_bot_names, game_names
from forty5sim.errors import RunError

if TYPE_CHECKING:
    from forty5sim.arena.result import TournamentResult

Option = typer.Option


KEPT_IN_RUN = (
    "game", "bots", "roster", "players", "boards", "seed", "games", "pot", "table", "seats",
    "gauntlet", "sprt", "until", "on_error", "name", "results", "fresh",
)  # fmt: skip
"""Options that a run has of its own: they go with none of another command's ``--resume``."""


def command(
    context: typer.Context,
    game: Annotated[
        str,
        Option(
            help="the game, with house rules: spoil-five:plain_lead=free,ante=2",
            autocompletion=game_names,
        ),
    ] = "forty-five",
    bots: Annotated[
        list[str] | None,
        Option(
            help="two bots or more: ismcts, best, my_bot.py:MyBot  [default: heuristic random]",
            autocompletion=best_and_bot_names,
        ),
    ] = None,
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    boards: Annotated[int, Option(help="boards that every two bots play")] = 20_000,
    seed: Annotated[int, Option(help="fixes cards and chances")] = 1,
    games: Annotated[bool, Option("--games", help="a board is a whole game, not a deal")] = False,
    pot: Annotated[int, Option(help="chips in the pot before each deal (Spoil Five)")] = 0,
    roster: Annotated[
        Path | None, Option(help='a TOML file of bots: [bots] with name = "spec"')
    ] = None,
    table: Annotated[
        bool, Option("--table", help="the bots are one table, seat by seat, rotated")
    ] = False,
    seats: Annotated[
        str, Option(help="how a table is turned: rotations, or neighbours (all beside all)")
    ] = "rotations",
    gauntlet: Annotated[
        int, Option(min=0, help="the first so many bots meet the others, and only them")
    ] = 0,
    sprt: Annotated[
        str, Option(help="end by a sequential test: points0=0,points1=0.1 or elo0=0,elo1=10")
    ] = "",
    until: Annotated[float, Option(help="end when every payoff is known to this half-width")] = 0.0,
    plan: Annotated[
        float | None,
        Option(help="play nothing; print boards and time to see a gain of so much a deal"),
    ] = None,
    on_error: Annotated[
        str, Option(help="when a bot misbehaves: stop, or forfeit the deal and go on")
    ] = "stop",
    move_time: Annotated[
        float, Option(help="seconds that a bot from a file may think about a decision")
    ] = 10.0,
    name: Annotated[str | None, Option(help="of the run's folder  [default: by the plan]")] = None,
    results: Annotated[Path, Option(help="where run folders are kept")] = Path("results"),
    resume: Annotated[
        Path | None, Option(help="go on with the run in this folder; other options are its own")
    ] = None,
    fresh: Annotated[bool, Option("--fresh", help="begin anew where there is a run")] = False,
    records: Annotated[
        int, Option(min=0, help="keep the deal records of so many sampled boards")
    ] = 0,
    decisions: Annotated[
        int, Option(min=0, help="keep the decisions of so many sampled boards as a table")
    ] = 0,
    workers: Annotated[int | None, Option(min=1, help="at most so many at once")] = None,
    cluster: Annotated[
        str | None, Option(help="play on the Dask cluster at this address: tcp://host:8786")
    ] = None,
    quiet: Annotated[bool, Option("--quiet", help="no progress bar, no notes")] = False,
    as_json: Annotated[bool, Option("--json", help="print the result for a machine")] = False,
) -> None:
    """Play bots against each other and print the standings.

    The run is kept in a folder. The same command again prints it, or goes on where it stopped.
    """
    from forty5sim.arena import running
    from forty5sim.arena.roster import read_roster

    where: dict[str, Any] = {
        "workers": workers,
        "progress": not quiet,
        "records": records,
        "decisions": decisions,
        "move_time": move_time,
        "cluster": cluster,
    }
    field = _field(bots, read_roster(roster) if roster else {}) or list(running.DEFAULT_BOTS)
    what: dict[str, Any] = {
        "players": players,
        "boards": boards,
        "seed": seed,
        "pot": pot,
        "whole_games": games,
        "table": table,
        "seats": seats,
        "gauntlet": gauntlet,
        "sprt": sprt,
        "until": until,
        "on_error": on_error,
    }
    if plan is not None:
        if as_json or resume or sprt or until:
            raise RunError(
                "--plan prints boards and time: give it without --json, --resume, --sprt, --until"
            )
        _print_plan(game, field, what, plan, workers)
        return
    if resume:
        _refuse_changes(context)
        result = running.resume(resume, **where)
    else:
        result = running.tournament(
            game, field, name=name, results=results, fresh=fresh, **what, **where
        )
    _print_result(result, as_json=as_json)


def _refuse_changes(context: typer.Context) -> None:
    """Raise if options are given beside --resume that the run has of its own."""
    given = [
        f"--{name.replace('_', '-')}"
        for name in KEPT_IN_RUN
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    ]
    if given:
        raise RunError(
            f"--resume goes on with a run as it is: leave out {', '.join(given)}, or play another"
        )


def _field(bots: list[str] | None, roster: dict[str, str]) -> list[str] | dict[str, str]:
    """Return the bots of the command line, and those of a roster after them under their names."""
    if not roster:
        return bots or []
    return {bot: bot for bot in bots or []} | roster


def _print_plan(
    game: str,
    field: list[str] | dict[str, str],
    what: dict[str, Any],
    effect: float,
    workers: int | None,
) -> None:
    """Print how many boards it takes to see an effect."""
    from forty5sim.arena.plan import make_plan
    from forty5sim.arena.planning import forecast
    from forty5sim.compiling import available_cores
    from forty5sim.named_rules import find_rules
    from forty5sim.report import forecast_lines

    cores = workers or available_cores()
    plan = make_plan(find_rules(game), field, **what)
    for line in forecast_lines(plan, forecast(plan, effect, cores=cores), cores):
        typer.echo(line)


def _print_result(result: TournamentResult, *, as_json: bool) -> None:
    """Print the tables, or all for a machine; say how to go on with what was stopped."""
    from forty5sim.report import tournament_report

    if as_json:
        print_json("tournament", result.measured(), **result.facts())
    else:
        console().print(tournament_report(result))
        typer.echo(f"kept in {result.folder}, digest {result.digest[:16]}")
    if not result.complete:
        again = f"forty5sim tournament --resume {result.folder}"
        typer.echo(f"stopped after {result.boards} boards; go on with: {again}", err=True)
        raise SystemExit(INTERRUPTED)
