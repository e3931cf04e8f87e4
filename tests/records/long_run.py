"""Random deals of all presets and options: written, read, checked, written again byte for byte.

python tests/records/long_run.py --deals 100000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.records import Coverage, faults_of, read_records, write_records
from tests.records.random_records import random_records


def run(deals: int, seed: int, folder: Path) -> Coverage:
    """Write, read, check and write again; raise at the first difference or fault."""
    coverage = Coverage()
    first, second = folder / "first.jsonl", folder / "second.jsonl"
    made = random_records(deals, seed)
    write_records(first, tqdm(made, total=deals, desc="play and write", mininterval=5))
    again = random_records(deals, seed)
    read = tqdm(read_records(first), total=deals, desc="read and check", mininterval=5)
    for number, (record, expected) in enumerate(zip(read, again, strict=True), start=1):
        assert record == expected, f"record {number} was read otherwise than written"
        faults = faults_of(record, coverage)
        assert not faults, f"record {number}: {faults}\n{record.to_json()}"
    write_records(second, read_records(first))
    assert same_bytes(first, second)
    return coverage


def same_bytes(one: Path, other: Path) -> bool:
    """Compare two files line by line."""
    with one.open("rb") as a, other.open("rb") as b:
        return all(x == y for x, y in zip(a, b, strict=True))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="write, read and check random deals")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        coverage = run(asked.deals, asked.seed, Path(folder))
    for columns in (coverage.TURN_UP, coverage.BIDDING):
        print(f"{'game':26}" + "".join(f"{what:>11}" for what in columns))
        for game, counts in sorted(coverage.counts.items()):
            if coverage.columns(game) == columns:
                print(f"{game:26}" + "".join(f"{counts[what]:11d}" for what in columns))
    print("all read as written, byte for byte, and right")


if __name__ == "__main__":
    main()
