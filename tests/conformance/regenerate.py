"""Writes what is generated of the conformance suite anew, after a rule was changed on purpose:

    python tests/conformance/regenerate.py

``positions.jsonl`` is written by hand; ``deals.jsonl`` lays its positions out, ``rules.json`` has
the presets and the sections of the rule book, ``replays.jsonl`` the games of the playthroughs as
records. The perft counts have a ``regenerate.py`` of their own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.game import Game
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import action_name
from forty5sim.records import record_of
from forty5sim.registry import find_bot
from forty5sim.rules import RULES_VERSION
from forty5sim.seats import Seats
from tests.conformance.laying_out import Row, lay_out
from tests.playthroughs.playthrough import bot_of, game_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance"
FORMAT = "forty5sim.conformance.v1"


def read_lines(name: str) -> list[Row]:
    """Return the rows of a file of the suite."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def deals() -> list[Row]:
    """Return the lines of ``deals.jsonl``."""
    return [line for row in read_lines("positions.jsonl") for line in lay_out(row)]


def about() -> dict[str, Any]:
    """Return what ``rules.json`` holds."""
    book = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### (\d+\.\d+) (.*)$", book, re.MULTILINE))
    used = {row["section"] for row in read_lines("positions.jsonl")}
    return {
        "format": FORMAT,
        "protocol": 1,
        "rules_version": RULES_VERSION,
        "games": {
            name: {"family": r.family, "players": list(r.players), "options": r.options()}
            for name, r in presets().items()
        },
        "sections": {
            **{number: title for number, title in sections.items() if number in used},
            "perft": "counts of all action sequences",
            "replays": "whole deals: every legal action, trick and result",
        },
    }


def replays(name: str) -> Iterator[Row]:
    """Yield the deals of a preset's playthrough as records, with what was legal at each action."""
    spec, players, seed = game_of(name)
    game = Game(find_rules(spec), players, seed=seed)
    while True:
        bot, legal = bot_of(game), []
        for step in Seats([find_bot(bot)] * players).play_on(game):
            legal.append([action_name(action, step.phase) for action in game.legal_actions])
        yield {**record_of(game, [bot] * players).as_dict(), "legal": legal}
        if not game.next_deal():
            return


def write_lines(name: str, rows: list[Row]) -> None:
    """Write a file of the suite, a row a line."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{name}: {len(rows)} lines, {len(text) // 1024} kB")


def main() -> None:
    """Write all files."""
    text = json.dumps(about(), ensure_ascii=False, indent=1) + "\n"
    (FOLDER / "rules.json").write_text(text, encoding="utf-8", newline="\n")
    write_lines("deals.jsonl", deals())
    write_lines("replays.jsonl", [row for name in presets() for row in replays(name)])


if __name__ == "__main__":
    main()
