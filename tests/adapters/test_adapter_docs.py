"""The code in docs/adapters.md runs, and its table names every piece."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from forty5sim.adapters.observation import Layout
from forty5sim.named_rules import find_rules

PAGE = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")


def test_the_code_of_the_page_runs_from_top_to_bottom(capsys):
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 7
    for block in blocks:
        exec(compile(block, "docs/adapters.md", "exec"), names)
    assert "seat 0: " in capsys.readouterr().out


def test_the_page_names_every_piece_in_order():
    table = PAGE.partition("| piece |")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row[1])]
    for spec in ("spoil-five", "five-hundred"):
        pieces = [piece.name for piece in Layout(find_rules(spec), 4).pieces]
        assert set(pieces) <= set(told)
        assert [name for name in told if name in pieces] == pieces


@pytest.mark.parametrize(
    ("module", "library", "install"),
    [
        ("openspiel_games", "pyspiel", 'open_spiel: pip install "forty5sim[openspiel]"'),
        ("openspiel_players", "pyspiel", 'open_spiel: pip install "forty5sim[openspiel]"'),
        ("pettingzoo_env", "pettingzoo", 'pettingzoo: pip install "forty5sim[pettingzoo]"'),
    ],
)
def test_without_the_library_it_is_said_what_to_install(module, library, install):
    code = f"import sys; sys.modules[{library!r}] = None; import forty5sim.adapters.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.rstrip().endswith(f"RunError: this adapter needs {install}")
