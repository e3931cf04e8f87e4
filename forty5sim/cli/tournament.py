"""``forty5sim tournament``: bots against each other, a table one can believe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forty5sim.cli.common import INTERRUPTED, console

Option = typer.Option


def command(
    game: Annotated[
        str, Option(help="the game, with house rules: spoil-five:plain_lead=free,ante=2")
    ] = "forty-five",
    bots: Annotated[
        list[str] | None,
        Option(help="two bots or more: ismcts, best, my_bot.py:MyBot  [default: heuristic random]"),
    ] = None,
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    boards: Annotated[int, Option(help="boards that every two bots play")] = 20_000,
    seed: Annotated[int, Option(help="fixes cards and chances")] = 1,
    games: Annotated[bool, Option("--games", help="a board is a whole game, not a deal")] = False,
    pot: Annotated[int, Option(help="chips in the pot before each deal (Spoil Five)")] = 0,
    table: Annotated[
        bool, Option("--table", help="the bots are one table, seat by seat, rotated")
    ] = False,
    on_error: Annotated[
        str, Option(help="when a bot misbehaves: stop, or forfeit the deal and go on")
    ] = "stop",
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
    quiet: Annotated[bool, Option("--quiet", help="no progress bar, no notes")] = False,
    as_json: Annotated[bool, Option("--json", help="print the result for a machine")] = False,
) -> None:
    """Play bots against each other and print the standings.

    The run is kept in a folder. The same command again prints it, or goes on where it stopped.
    """
    from forty5sim.arena import running as arena
    from forty5sim.report import tournament_report

    if resume:
        result = arena.resume(
            resume, workers=workers, progress=not quiet, records=records, decisions=decisions
        )
    else:
        result = arena.tournament(
            game,
            bots or list(arena.DEFAULT_BOTS),
            players=players,
            boards=boards,
            seed=seed,
            pot=pot,
            whole_games=games,
            table=table,
            on_error=on_error,
            name=name,
            results=results,
            workers=workers,
            fresh=fresh,
            progress=not quiet,
            records=records,
            decisions=decisions,
        )
    if as_json:
        typer.echo(result.to_json())
    else:
        console().print(tournament_report(result))
        typer.echo(f"kept in {result.folder}, digest {result.digest[:16]}")
    if not result.complete:
        again = f"forty5sim tournament --resume {result.folder}"
        typer.echo(f"stopped after {result.boards} boards; go on with: {again}", err=True)
        raise SystemExit(INTERRUPTED)
