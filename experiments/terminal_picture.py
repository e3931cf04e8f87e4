"""Draws what a tournament prints in a terminal: ``python experiments/terminal_picture.py``.

It plays ``forty5sim tournament --game spoil-five --players 5`` (20 000 boards, some seconds) and
writes docs/images/tournament.svg, the picture of the README.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

import forty5sim
from forty5sim.report import tournament_report

COMMAND = "forty5sim tournament --game spoil-five --players 5"
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "tournament.svg"
FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def main() -> None:
    """Play and draw."""
    terminal = Console(record=True, width=100, file=io.StringIO(), force_terminal=True)
    terminal.print(f"$ {COMMAND}", highlight=False)
    with TemporaryDirectory() as folder:
        result = forty5sim.tournament(
            "spoil-five", ["heuristic", "random"], players=5, boards=20_000, results=folder
        )
        terminal.print(tournament_report(result))
    drawn = terminal.export_svg(title="forty5sim", unique_id="tournament")
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(FONTS.sub("", drawn), encoding="utf-8")  # fonts would come from a network


if __name__ == "__main__":
    main()
