"""Kills a tournament at random moments, and lets it go on; run by itself for as many as wanted.

    python tests/killing.py --kills 50

Every other kill waits for a temporary file to appear, so that it falls into the moment in which a
part is written and takes its name.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SCRIPT = """
import sys, forty5sim
result = forty5sim.tournament(
    "spoil-five", ["heuristic", "random"], boards=int(sys.argv[2]), chunk=int(sys.argv[3]),
    results=sys.argv[1], workers=2, name="run",
)
print(result.digest)
"""


class Outcome(NamedTuple):
    """The digest at the end, how many kills it took, and how many hit a part being written."""

    digest: str
    kills: int
    aimed: int


def killed_runs(folder: Path, kills: int, boards: int, chunk: int, seed: int = 1) -> Outcome:
    """Play a tournament that is killed so often before it may end."""
    rng = random.Random(seed)
    done = aimed = 0
    while done < kills:
        process = start(folder, boards, chunk)
        hit = wait_for_part(folder, process) if done % 2 else wait_a_while(folder, process, rng)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done += 1
        aimed += hit
        if is_nearly_whole(folder, boards):
            remove_some(folder, rng)
    process = start(folder, boards, chunk)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return Outcome(out.strip(), done, aimed)


def start(folder: Path, boards: int, chunk: int) -> subprocess.Popen[str]:
    """Start the tournament in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(boards), str(chunk)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def parts(folder: Path) -> set[Path]:
    """Return the files of finished parts."""
    return set(folder.glob("run/parts/*.arrow"))


def wait_for_new_part(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until the process has written something, or is done."""
    before = parts(folder)
    while process.poll() is None and parts(folder) <= before:
        time.sleep(0.001)


def wait_a_while(folder: Path, process: subprocess.Popen[str], rng: random.Random) -> bool:
    """Wait until it plays, and a moment longer."""
    wait_for_new_part(folder, process)
    time.sleep(rng.random() * 0.1)
    return False


def wait_for_part(folder: Path, process: subprocess.Popen[str]) -> bool:
    """Wait until it plays, and then until a temporary file is there."""
    wait_for_new_part(folder, process)
    while process.poll() is None:
        if list(folder.glob("run/parts/*.tmp")):
            return True
    return False


def is_nearly_whole(folder: Path, boards: int) -> bool:
    """Say whether so much is finished that the next process would end at once."""
    return sum(int(path.stem.rpartition("-")[2]) for path in parts(folder)) > boards * 0.7


def remove_some(folder: Path, rng: random.Random) -> None:
    """Remove half of the parts, as if they had never been written."""
    found = sorted(parts(folder))
    for path in rng.sample(found, len(found) // 2):
        path.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--boards", type=int, default=4000)
    parser.add_argument("--chunk", type=int, default=40)
    asked = parser.parse_args()
    import forty5sim

    with tempfile.TemporaryDirectory() as place:
        whole = forty5sim.tournament(
            "spoil-five", ["heuristic", "random"], boards=asked.boards, results=place, name="whole"
        )
        outcome = killed_runs(Path(place), asked.kills, asked.boards, asked.chunk)
    print(outcome, "same digest" if outcome.digest == whole.digest else "ANOTHER DIGEST")
    raise SystemExit(outcome.digest != whole.digest)
