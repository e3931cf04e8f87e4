"""Examples for the help of each command."""

from __future__ import annotations

EXAMPLES = {
    "tournament": (
        "forty5sim tournament --game spoil-five --players 5 --boards 2000",
        "forty5sim tournament --bots mc heuristic --boards 200 --json",
    ),
    "report": ("forty5sim report results/forty-five-4p-heuristic-random-20000-boards-seed1",),
    "plot": (
        "forty5sim plot results/my-run",
        "forty5sim plot results/my-run standings --out standings.svg",
    ),
    "play": ("forty5sim play", "forty5sim play --game spoil-five --players 4 --practice"),
    "watch": (
        "forty5sim watch --game spoil-five --players 5 --seed 7",
        "forty5sim watch --seed 7 --record deals.jsonl",
    ),
    "replay": ("forty5sim replay deals.jsonl --line 1",),
    "verify": ("forty5sim verify deals.jsonl --stats",),
    "solve": ("forty5sim solve deals.jsonl --line 1",),
    "advise": (
        'forty5sim advise \'game=spoil-five players=5 trump=H hand="5H 9C KD" trick="7H"\'',
        "forty5sim advise deals.jsonl --line 3 --at 12",
    ),
    "review": ("forty5sim review deals.jsonl --seat 0",),
    "value": (
        "forty5sim value rob --players 5",
        "forty5sim value rules --reading spoil-five:jink=off",
    ),
    "experiment": ("forty5sim experiment", "forty5sim experiment robbing --quick"),
    "odds": (
        'forty5sim odds "5H JH AH KD 2S" --trump H',
        'forty5sim odds "5S KD QC 3C 9D" --compare',
    ),
    "rules": ("forty5sim rules", "forty5sim rules spoil-five:jink=off"),
    "cards": ("forty5sim cards --trump S",),
    "doctor": ("forty5sim doctor",),
    "bot new": ("forty5sim bot new thrifty", "forty5sim bot new swift --compiled"),
    "bot check": (
        "forty5sim bot check heuristic --game forty-five",
        "forty5sim bot check thrifty.py:Thrifty",
    ),
    "conformance": (
        'forty5sim conformance "forty5sim engine"',
        'forty5sim conformance "python3 my_engine.py" --only 2.2',
    ),
    "engine": ("forty5sim engine",),
    "bench": ("forty5sim bench --runs 5",),
}


def epilog(command: str) -> str | None:
    """Return the examples of a command as the end of its help, or None without any."""
    lines = EXAMPLES.get(command, ())
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines) if lines else None
