"""``forty5sim play``: sit down with bots, on the full screen or line by line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.common import INTERRUPTED, announce_compiling, compile_bots, say
from forty5sim.cli.completing import best_and_bot_names, bot_names, game_names

if TYPE_CHECKING:
    from forty5sim.sitting import Sitting

Option = typer.Option
CRASHED = 1
NO_TEXTUAL = 'line by line; for the full-screen table: pip install "forty5sim[play]"'


def command(
    game: Annotated[
        str, Option(help="the game, with house rules: spoil-five:ante=2", autocompletion=game_names)
    ] = "forty-five-three-handed",
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    seat: Annotated[int, Option(min=0, help="where you sit")] = 0,
    bots: Annotated[
        list[str] | None,
        Option(
            help="a bot for each other seat, or one for all  [default: heuristic]",
            autocompletion=best_and_bot_names,
        ),
    ] = None,
    seed: Annotated[int | None, Option(help="fixes the cards  [default: drawn]")] = None,
    practice: Annotated[
        bool, Option("--practice", help="moves may be taken back with undo")
    ] = False,
    adviser: Annotated[
        str | None,
        Option(help="the bot that gives hints  [default: the strongest]", autocompletion=bot_names),
    ] = None,
    folder: Annotated[Path, Option(help="where records and saved games are kept")] = Path("games"),
    saved: Annotated[Path | None, Option("--continue", help="go on with this saved game")] = None,
    plain: Annotated[bool, Option("--plain", help="line by line, not on the full screen")] = False,
    pace: Annotated[
        float, Option(min=0, max=60, help="seconds between two bots' cards on the full screen")
    ] = 0.8,
) -> None:
    """Play against bots to the end of the game, on the full screen or, with --plain, in lines."""
    from forty5sim.arena.plan import MAX_SEED, whole_number
    from forty5sim.cli.seating import bot_specs, drawn_seed, seat_of_person
    from forty5sim.named_rules import find_rules
    from forty5sim.registry import find_bot
    from forty5sim.session import PERSON, Session, Terms
    from forty5sim.sitting import GameFiles, Sitting

    announced = announce_compiling()
    if adviser is not None:
        find_bot(adviser)
    if saved is not None:
        session, files = Session.load(saved, adviser), GameFiles.of_saved(saved)
    else:
        rules = find_rules(game)
        others = bot_specs(rules, players, bots, persons=1)
        place = seat_of_person(seat, len(others) + 1)
        seats = (*others[:place], PERSON, *others[place:])
        seed = whole_number("seed", drawn_seed() if seed is None else seed, 0, MAX_SEED)
        session = Session(Terms(game, seats, seed, practice), adviser)
        files = None
    compile_bots(session.seats.bots, session.game.rules, session.game.players, announced=announced)
    if files is None:
        files = GameFiles.new(folder, f"{session.game.rules.name}-seed{session.terms.seed}")
    sitting, resumed = Sitting(session, files), saved is not None
    if _full_screen(plain):
        raise SystemExit(_on_screen(sitting, pace, resumed=resumed))
    from forty5sim.cli.dialogue import Dialogue

    raise SystemExit(Dialogue(sitting).run(resumed=resumed))


def _full_screen(plain: bool) -> bool:
    """Say whether there is a terminal to fill; if only textual is missing, how to get it."""
    from importlib.util import find_spec

    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if plain or not terminal or os.environ.get("TERM") == "dumb":
        return False
    if find_spec("textual") is None:
        typer.echo(NO_TEXTUAL, err=True)
        return False
    return True


def _on_screen(sitting: Sitting, pace: float, *, resumed: bool) -> int:
    """Play on the full screen; save what is not over, and return the exit code."""
    from forty5sim.screen.table_app import sit_down

    ending = sit_down(sitting, pace, resumed=resumed)
    if ending.how == "over":
        say(*ending.lines)
        return 0
    say(*sitting.leave())
    if ending.error is not None:
        raise ending.error
    return {"left": 0, "interrupted": INTERRUPTED}.get(ending.how, CRASHED)
