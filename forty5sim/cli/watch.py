"""``forty5sim watch``: bots play one deal, or a game, and it is told in words."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from forty5sim.cli.common import announce_compiling, compile_bots, say
from forty5sim.cli.completing import best_and_bot_names, game_names

Option = typer.Option


def command(
    game: Annotated[
        str, Option(help="the game, with house rules: spoil-five:ante=2", autocompletion=game_names)
    ] = "forty-five",
    players: Annotated[int | None, Option(help="seats at the table  [default: as usual]")] = None,
    bots: Annotated[
        list[str] | None,
        Option(
            help="a bot for each seat, or one for all  [default: heuristic]",
            autocompletion=best_and_bot_names,
        ),
    ] = None,
    seed: Annotated[int | None, Option(help="fixes the cards  [default: drawn]")] = None,
    board: Annotated[int, Option(help="which board of the seed, as in a tournament")] = 0,
    pot: Annotated[int, Option(help="chips in the pot before the deal (Spoil Five)")] = 0,
    whole_game: Annotated[
        bool, Option("--whole-game", help="play on to the end of the game")
    ] = False,
    record: Annotated[
        Path | None, Option(help="add the records of the deals to this file (.jsonl)")
    ] = None,
) -> None:
    """Watch bots play a deal, told in words, with all cards seen."""
    from forty5sim.arena.conditions import Conditions, board_game
    from forty5sim.arena.plan import MAX_BOARDS, MAX_POT, MAX_SEED, whole_number
    from forty5sim.cli.seating import bot_specs, drawn_seed
    from forty5sim.named_rules import find_rules
    from forty5sim.narration import Narrator
    from forty5sim.records import RecordWriter, record_of
    from forty5sim.registry import find_bot, spec_label
    from forty5sim.seats import Seats

    announced = announce_compiling()
    rules = find_rules(game)
    specs = bot_specs(rules, players, bots)
    seed = whole_number("seed", drawn_seed() if seed is None else seed, 0, MAX_SEED)
    conditions = Conditions(
        rules, len(specs), seed, whole_number("pot", pot, 0, MAX_POT), whole_game
    )
    table = board_game(conditions, whole_number("board", board, 0, MAX_BOARDS))
    seats = Seats([find_bot(spec) for spec in specs])
    compile_bots(seats.bots, rules, len(specs), announced=announced)
    writer = None if record is None else RecordWriter(record)
    narrator = Narrator(sees_all=True)
    say(f"{rules.id}, seed {seed}, board {board}")
    say(*(f"  seat {seat}: {spec_label(spec)}" for seat, spec in enumerate(specs)))
    with writer or nullcontext():
        while True:
            say(f"\ndeal {table.deal_number + 1}", *narrator.opening(table))
            say(*narrator.tell(table, seats.play_on(table)))
            if writer:
                writer.write(record_of(table, specs))
            if not whole_game or not table.next_deal():
                break
    if whole_game:
        say(*narrator.game_over(table))
    if writer:
        say(f"recorded in {record}")
