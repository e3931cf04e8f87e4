"""Makes the playthrough of OpenSpiel anew.

python tests/adapters/regenerate.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from open_spiel.python.algorithms.generate_playthrough import playthrough

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.adapters.spiel_table import ROBBING, mini

    text = playthrough(str(mini(ROBBING)), [], seed=1)
    (Path(__file__).parent / "playthrough.txt").write_text(text, encoding="utf-8")
