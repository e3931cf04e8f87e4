"""Pages that are made: ``python tests/docs_pages.py`` writes them, tests/test_docs.py compares.

docs/games.md is made from the code, and the figures of docs/faq.md from the published study of
readings, ``results/readings/summary.csv``.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from forty5sim.named_rules import find_rules, presets
from forty5sim.rulebook import KINDS, option_rows, preset_rows

ROOT = Path(__file__).parents[1]
GAMES, FAQ = ROOT / "docs" / "games.md", ROOT / "docs" / "faq.md"
READINGS = ROOT / "results" / "readings" / "summary.csv"
READING = re.compile(r"^\| `(?P<reading>[\w-]+:\w+=\w+)` \|.*$", re.MULTILINE)
RULE = "| --- " * 4 + "|"
HEAD = """\
# Games and options

A game is a **preset**, and any of its **options** may be changed where a game is named. Each option
is explained in the section of the [rule book](rules.md) that stands beside it.

```
forty5sim rules                                       # the games there are
forty5sim rules spoil-five                            # one of them, in plain English
forty5sim tournament --game spoil-five:plain_lead=free,ante=2
forty5sim cards --trump S                             # what beats what
```

House rules of your own go into a TOML file, and the game is then `--game my_rules.toml:house`:

```toml
# my_rules.toml
[house]
base = "spoil-five"
plain_lead = "free"
ante = 2
```

```
forty5sim rules --file my_rules.toml
forty5sim rules my_rules.toml:house
```

"""
FAMILIES = {
    "counting": "forty-five",
    "pot": "spoil-five-traditional",
    "auction": "auction-forty-fives",
    "five-hundred": "five-hundred",
}
"""Each family of games, and one of its games."""


def games_page() -> str:
    """Return the page of games and options."""
    parts = [HEAD, "## The games\n\n", _games()]
    for family, game in FAMILIES.items():
        assert find_rules(game).family == family
        parts += [f"\n## Options of {KINDS[family]}\n\n", _options(game)]
    return "".join(parts)


def _games() -> str:
    lines = ["| game | family | players | what differs from the family's default |", RULE]
    for row in preset_rows(presets()):
        changes = ", ".join(f"`{name}={value}`" for name, value in row["changes"].items())
        players = row["players"]
        span = f"{players[0]}-{players[-1]}" if len(players) > 2 else ", ".join(map(str, players))
        lines.append(f"| `{row['game']}` | {row['family']} | {span} | {changes or 'nothing'} |")
    return "\n".join(lines) + "\n"


def _options(game: str) -> str:
    lines = ["| option | takes | default | section |", RULE]
    for row in option_rows(find_rules(game)):
        meaning = f": {row['meaning']}" if row["meaning"] and row["value"] == row["default"] else ""
        default = f"`{row['default']}`{meaning}"
        lines.append(f"| `{row['option']}` | {row['takes']} | {default} | {row['section']} |")
    return "\n".join(lines) + "\n"


def faq_page() -> str:
    """Return the page of disputed rules as it is, its figures put in anew."""
    with READINGS.open(encoding="utf-8", newline="") as file:
        found = {(row["reading"], row["quantity"]): row for row in csv.DictReader(file)}

    def line(match: re.Match[str]) -> str:
        cells = [_change(found[match["reading"], what]) for what in ("eldest", "skill")]
        return f"| `{match['reading']}` | {' | '.join(cells)} |"

    return READING.sub(line, FAQ.read_text(encoding="utf-8"))


def _change(row: dict[str, str]) -> str:
    return f"{float(row['change']):+.3f} ± {float(row['change_ci']):.3f} (n={row['n']})"


if __name__ == "__main__":
    GAMES.write_text(games_page(), encoding="utf-8")
    FAQ.write_text(faq_page(), encoding="utf-8")
