"""``forty5sim rules``: the games there are, and the rules of one in plain English."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    game: Annotated[
        str | None, typer.Argument(help="a game, with house rules: spoil-five:ante=2")
    ] = None,
    presets: Annotated[
        str | None, typer.Option("--file", help="list the presets of your own TOML file")
    ] = None,
) -> None:
    """List the games, or print the rules of one; what differs from its family is marked."""
    from forty5sim.named_rules import find_rules, load_presets
    from forty5sim.named_rules import presets as shipped
    from forty5sim.rulebook import preset_list, rules_text

    if game is None:
        found = load_presets(presets) if presets else shipped()
        typer.echo(preset_list(found))
    else:
        typer.echo(rules_text(find_rules(game)))
