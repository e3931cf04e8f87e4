"""``forty5sim play``: sit down with bots, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forty5sim.cli.common import announce_compiling, compile_bots
from forty5sim.cli.completing import game_names

Option = typer.Option


def command(
    game: Annotated[
        str, Option(help="the game, with house rules: spoil-five:ante=2", autocompletion=game_names)
    ] = "forty-five-three-handed",
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    seat: Annotated[int, Option(min=0, help="where you sit")] = 0,
    bots: Annotated[
        list[str] | None,
        Option(help="a bot for each other seat, or one for all  [default: heuristic]"),
    ] = None,
    seed: Annotated[int | None, Option(help="fixes the cards  [default: drawn]")] = None,
    practice: Annotated[
        bool, Option("--practice", help="moves may be taken back with undo")
    ] = False,
    adviser: Annotated[
        str | None, Option(help="the bot that gives hints  [default: the strongest]")
    ] = None,
    folder: Annotated[Path, Option(help="where records and saved games are kept")] = Path("games"),
    saved: Annotated[Path | None, Option("--continue", help="go on with this saved game")] = None,
) -> None:
    """Play against bots to the end of the game. Type help at the table."""
    from forty5sim.arena.plan import MAX_SEED, whole_number
    from forty5sim.cli.dialogue import Dialogue, GameFiles
    from forty5sim.cli.seating import bot_specs, drawn_seed, seat_of_person
    from forty5sim.named_rules import find_rules
    from forty5sim.registry import find_bot
    from forty5sim.session import PERSON, Session, Terms

    announced = announce_compiling()
    if adviser is not None:
        find_bot(adviser)
    if saved is not None:
        session = Session.load(saved, adviser)
        raise SystemExit(Dialogue(session, GameFiles.of_saved(saved)).run(resumed=True))
    rules = find_rules(game)
    others = bot_specs(rules, players, bots, persons=1)
    place = seat_of_person(seat, len(others) + 1)
    seats = (*others[:place], PERSON, *others[place:])
    seed = whole_number("seed", drawn_seed() if seed is None else seed, 0, MAX_SEED)
    session = Session(Terms(game, seats, seed, practice), adviser)
    compile_bots(session.seats.bots, rules, len(session.seats.bots), announced=announced)
    raise SystemExit(Dialogue(session, GameFiles.new(folder, f"{rules.name}-seed{seed}")).run())
