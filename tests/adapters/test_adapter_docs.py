"""The code in docs/adapters.md runs, and its table names every piece."""

from __future__ import annotations

import re
from pathlib import Path

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
