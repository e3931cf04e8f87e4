"""``forty5sim cards``: the ranking chart, all trump suits or one."""

from __future__ import annotations

from typing import Annotated

import typer

from forty5sim.cli.completing import game_names


def command(
    trump: Annotated[
        str | None, typer.Option(help="the trump suit: S, C, D, H or NT  [default: all]")
    ] = None,
    game: Annotated[
        str, typer.Option(help="the game, with house rules", autocompletion=game_names)
    ] = "forty-five",
) -> None:
    """Print which cards are trumps and what beats what, high to low."""
    from forty5sim.cards import parse_trump
    from forty5sim.named_rules import find_rules
    from forty5sim.rulebook import ranking_chart

    rules = find_rules(game)
    suits = rules.possible_trumps
    if trump is not None:
        suits = [parse_trump(trump, suits)]
    typer.echo("\n\n".join(ranking_chart(rules, suit) for suit in suits))
