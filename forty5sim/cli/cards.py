"""``forty5sim cards``: the ranking chart, all trump suits or one."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    trump: Annotated[
        str | None, typer.Option(help="the trump suit: S, C, D or H  [default: all four]")
    ] = None,
    game: Annotated[str, typer.Option(help="the game, with house rules")] = "forty-five",
) -> None:
    """Print which cards are trumps and what beats what, high to low."""
    from forty5sim.cards import SUIT_NAMES, parse_suit
    from forty5sim.named_rules import find_rules
    from forty5sim.rulebook import ranking_chart

    rules = find_rules(game)
    suits = range(len(SUIT_NAMES)) if trump is None else [parse_suit(trump)]
    typer.echo("\n\n".join(ranking_chart(rules, suit) for suit in suits))
