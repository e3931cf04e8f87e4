"""``forty5sim rules``: the games there are, and the rules of one in plain English."""

from __future__ import annotations

from typing import Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.completing import game_names


def command(
    game: Annotated[
        str | None,
        typer.Argument(
            help="a game, with house rules: spoil-five:ante=2", autocompletion=game_names
        ),
    ] = None,
    presets: Annotated[
        str | None, typer.Option("--file", help="list the presets of your own TOML file")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print for a machine")] = False,
) -> None:
    """List the games, or print the rules of one; what differs from its family is marked."""
    from forty5sim.named_rules import find_rules, load_presets
    from forty5sim.named_rules import presets as shipped
    from forty5sim.rulebook import option_rows, preset_list, preset_rows, rules_text

    if as_json and game is None:
        print_json("rules", preset_rows(load_presets(presets) if presets else shipped()))
    elif as_json and game is not None:
        rules = find_rules(game)
        print_json("rules", option_rows(rules), game=rules.id, players=list(rules.players))
    elif game is None:
        found = load_presets(presets) if presets else shipped()
        typer.echo(preset_list(found))
    else:
        typer.echo(rules_text(find_rules(game)))
