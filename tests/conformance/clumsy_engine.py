"""The example engine with bad manners, for the tests of the runner:

    python tests/conformance/clumsy_engine.py MANNER

It knows the rules, but not how to talk: at its sixth answer it does what its manner says.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "conformance" / "example_engine.py"


def main(manner: str) -> None:
    """Answer five requests well, and the sixth badly."""
    example = runpy.run_path(str(EXAMPLE))["Example"]()
    for number, line in enumerate(sys.stdin, 1):
        answer = example.answer(json.loads(line))
        if number == 6:
            misbehave(manner, answer)
        print(json.dumps(answer), flush=True)


def misbehave(manner: str, answer: dict[str, object]) -> None:
    """Do it, with the right answer at hand."""
    if manner == "dies":
        raise SystemExit("out of cards")
    if manner == "hangs":
        time.sleep(60)
    if manner == "prints":
        print("now we trump!", flush=True)
    if manner == "lists":
        print("[1, 2]", flush=True)
    if manner == "misnumbers":
        answer["id"] = 999
    if manner == "says-nothing":
        answer.pop("legal", None)
    if manner == "closes":
        os.close(1)
        time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])
