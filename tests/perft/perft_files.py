"""The files of perft counts: read, written, and the deals they name.

An entry names itself, its rules, a deal as the arguments of ``Game``, actions taken first (if any),
and a line for each depth: ``perft DEPTH COUNT``. Entries are separated by empty lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from forty5sim.game import Game
from forty5sim.notation import parse_action

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """A deal and its counts by depth."""

    id: str
    rules: str
    deal: str
    actions: str
    counts: tuple[tuple[int, int], ...]

    def game(self) -> Game:
        """Return the deal, after the actions that the entry begins with."""
        arguments = dict(word.split("=") for word in self.deal.split())
        game = Game(self.rules, **{key: int(value) for key, value in arguments.items()})
        for action in filter(None, self.actions.split(", ")):
            game.push(parse_action(action))
        return game

    def text(self) -> str:
        """Return the entry as it stands in its file."""
        actions = [f"actions {self.actions}"] if self.actions else []
        counts = [f"perft {depth} {count}" for depth, count in self.counts]
        head = [f"id {self.id}", f"rules {self.rules}", f"deal {self.deal}", *actions]
        return "\n".join([*head, *counts]) + "\n"


def files() -> list[Path]:
    """Return all perft files."""
    return sorted(FOLDER.glob("*.perft"))


def read_entries(path: Path) -> list[Entry]:
    """Read the entries of a file."""
    return [_entry(block) for block in path.read_text(encoding="utf-8").strip().split("\n\n")]


def _entry(block: str) -> Entry:
    words = {"actions": ""}
    counts = []
    for line in block.splitlines():
        key, _, rest = line.partition(" ")
        if key == "#":
            continue
        if key == "perft":
            depth, count = map(int, rest.split())
            counts.append((depth, count))
        else:
            words[key] = rest
    return Entry(**words, counts=tuple(counts))
