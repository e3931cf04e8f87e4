"""The perft counts of the conformance suite: read, written, and the deals they name.

An entry is a line of ``conformance/perft.jsonl``: its cards are written out for any engine, and
``seed`` and ``deal`` say what shuffles them here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forty5sim.game import Game
from forty5sim.notation import parse_action
from tests.conformance.laying_out import layout_of

FILE = Path(__file__).parents[2] / "conformance" / "perft.jsonl"


@dataclass(frozen=True)
class Entry:
    """A deal of a preset, actions taken first, and the counts by depth."""

    id: str
    rules: str
    players: int
    seed: int
    deal: int
    actions: tuple[str, ...] = ()
    counts: tuple[tuple[int, int], ...] = ()

    def game(self) -> Game:
        """Return the deal, after the actions that the entry begins with."""
        game = Game(self.rules, self.players, seed=self.seed, deal=self.deal, dealer=0)
        for action in self.actions:
            game.push(parse_action(action))
        return game

    def row(self) -> dict[str, Any]:
        """Return the entry as it stands in the file."""
        head = {"id": self.id, "game": self.rules, "options": {}}
        shuffled = {"seed": self.seed, "deal": self.deal, **layout_of(self.game())}
        actions, counts = list(self.actions), [list(pair) for pair in self.counts]
        return {**head, **shuffled, "actions": actions, "counts": counts}


def read_rows() -> list[dict[str, Any]]:
    """Return the lines of the file."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def read_entries() -> list[Entry]:
    """Return the entries of the file."""
    return [
        Entry(
            row["id"],
            row["game"],
            row["players"],
            row["seed"],
            row["deal"],
            tuple(row["actions"]),
            tuple((depth, count) for depth, count in row["counts"]),
        )
        for row in read_rows()
    ]


def write_entries(entries: Iterable[Entry]) -> None:
    """Write the file anew."""
    lines = [json.dumps(entry.row(), ensure_ascii=False) + "\n" for entry in entries]
    FILE.write_text("".join(lines), encoding="utf-8", newline="\n")
