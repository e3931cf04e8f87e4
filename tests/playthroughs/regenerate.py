"""Writes the playthroughs anew, after a rule or a bot was changed on purpose:

python tests/playthroughs/regenerate.py
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.named_rules import presets
from tests.playthroughs.playthrough import file_of, game_of, playthrough


def main() -> None:
    """Write all files."""
    for name in presets():
        lines = list(playthrough(*game_of(name)))
        file_of(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines)} lines")


if __name__ == "__main__":
    main()
