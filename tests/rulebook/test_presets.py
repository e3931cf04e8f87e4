"""Every preset of the package against the table of expected values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from forty5sim.named_rules import presets

TABLES: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "presets.toml").read_text(encoding="utf-8")
)
BUILT = {name: table for name, table in TABLES.items() if name != "one-hundred-and-ten"}
NOT_OPTIONS = {"family", "players", "default_players", "sides"}
SEATING = {"sides": "default"}
MINI_PACK = {"deck": "standard", "hand_size": 5, "trump": "turned"}
MORE = {"counting": SEATING | MINI_PACK, "pot": SEATING | MINI_PACK, "auction": SEATING}


def test_the_presets_are_those_of_the_table() -> None:
    assert list(presets()) == list(BUILT)


@pytest.mark.parametrize("name", BUILT)
def test_every_option_has_its_value(name: str) -> None:
    expect = {key: value for key, value in BUILT[name].items() if key not in NOT_OPTIONS}
    rules = presets()[name]
    assert rules.options() == expect | MORE.get(rules.family, {})
    assert rules.family == BUILT[name]["family"]
    assert rules.name == rules.id == name


@pytest.mark.parametrize("name", BUILT)
def test_players_and_sides(name: str) -> None:
    table, rules = BUILT[name], presets()[name]
    assert list(rules.players) == table["players"]
    assert rules.default_players == table["default_players"]
    assert set(table["sides"]) == {str(players) for players in rules.players}
    for players, sides in table["sides"].items():
        count = int(players) if sides == "individuals" else int(sides.split("x")[0])
        assert rules.side_count(int(players)) == count
