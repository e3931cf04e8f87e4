"""Damaged records: changed at random; the reader must only ever say what is wrong.

python tests/records/fuzzing.py --inputs 1000000 --seed 1
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tqdm import tqdm

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.errors import RecordError
from forty5sim.records import faults_of, parse_record
from tests.records.made_records import held, no_trumps, overbid, restocked
from tests.records.random_records import random_records

STRANGE: list[Any] = [
    None, True, False, 0, 1, -1, 2, 5, 9, 10, 11, 63, 64, 2**31, 2**63, -(2**63), 2**64, 10**30,
    1.0, -0.5, 1e308, "", "x", "5H", "jk", "TS", "10♠", "5H ", "\x00", "é", "pass", [], [[]], {},
    ["5H"], ["5H", "5H"], [0] * 10, [0] * 300, {"pot": 1}, {"scores": []}, "keep", "rob", "play",
    "forty-five", "spoil-five", "game-won", "free", "standard",
    "auction-forty-fives", "five-hundred", "hold", "20", "30-for-60", "7H", "8NT", "misere",
    "open-misere", "S", "h", "♦", "bid", "trump", "discard", "assign", "made", "set", "thrown-in",
    ["JK"], ["2D", "3D", "4D"], {"scores": [0, 0], "sets": [1, 0], "deals": 2},
    {"seat": 0, "act": "bid", "bid": "pass"}, {"seat": 1, "act": "bid", "bid": "hold"},
    {"seat": 0, "act": "discard", "cards": []}, {"seat": 1, "act": "assign"},
    {"seat": 2, "act": "trump", "suit": "S"}, {"seat": 1, "act": "play", "card": "JK", "suit": "H"},
]  # fmt: skip
NEW_KEYS = [
    *("suit", "card", "cards", "bid", "seat", "x", "winner", "joker"),
    *("sets", "deals", "restock", "kitty"),
]
RECORDS = [*random_records(120, seed=7), restocked(), held(sets_lose=3, game_deals=4)]
BASES = [record.to_json() for record in [*RECORDS, no_trumps(actions="JK name:H"), overbid()]]


def a_place(value: Any, rng: random.Random) -> tuple[Any, Any]:
    """Return a place in a JSON value: a container that holds something, and a key or index."""
    while True:
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        if not (isinstance(value[key], dict | list) and value[key] and rng.random() < 0.75):
            return value, key
        value = value[key]


def change_structure(value: Any, rng: random.Random) -> None:
    """Change one place: another value, gone, doubled, or exchanged with another place."""
    box, key = a_place(value, rng)
    kind = rng.randrange(5)
    if kind == 0:
        box[key] = copy.deepcopy(rng.choice(STRANGE))
    elif kind == 1:
        del box[key]
    elif kind == 2 and isinstance(box, list):
        box.insert(rng.randrange(len(box) + 1), copy.deepcopy(box[key]))
    elif kind == 3:
        other, place = a_place(value, rng)
        box[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(box[key])
    elif isinstance(box, dict):
        box[rng.choice(NEW_KEYS)] = copy.deepcopy(rng.choice(STRANGE))


def change_text(text: str, rng: random.Random) -> str:
    """Change a stretch of the text."""
    at = rng.randrange(len(text))
    end = at + rng.choice([0, 1, 1, 2, 5, 40])
    new = rng.choice(
        ["", "", '"', "[", "]", "{", "}", ",", "9" * 5000, "\\ud800", "NaN", "-", "1e999"]
    )
    return text[:at] + new + text[end:]


def damaged(rng: random.Random) -> str:
    """Return a record with a few changes."""
    text = rng.choice(BASES)
    if rng.random() < 0.75:
        value = json.loads(text)
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            if value:
                change_structure(value, rng)
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.4:
        text = change_text(text, rng)
    return text


def judge(text: str) -> str:
    """Read and check a line; say what it turned out to be. Anything but a clear error raises."""
    try:
        record = parse_record(text)
    except RecordError:
        return "not read"
    assert parse_record(record.to_json()) == record
    return "faulty" if faults_of(record) else "right"


def fuzz(inputs: int, start: int) -> Counter[str]:
    """Judge so many damaged records."""
    judged: Counter[str] = Counter()
    bar = tqdm(total=inputs, mininterval=5)

    @seed(start)
    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=True))
    def one(rng: random.Random) -> None:
        judged[judge(damaged(rng))] += 1
        bar.update()

    one()
    bar.close()
    return judged


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="read damaged records")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for what, count in sorted(fuzz(asked.inputs, asked.seed).items()):
        print(f"{count:10d}  {what}")
    print("nothing but clear errors")


if __name__ == "__main__":
    main()
