"""``forty5sim engine``: this engine on the line protocol of the conformance suite."""

from __future__ import annotations

import sys

from forty5sim.cli.common import announce_compiling


def command() -> None:
    """Answer requests, one JSON object a line, on standard input and output.

    For programs, and for ``forty5sim conformance "forty5sim engine"``; conformance/README.md
    describes the requests.
    """
    from forty5sim import __version__
    from forty5sim.protocol import Engine

    announce_compiling()
    engine = Engine(f"forty5sim {__version__}")
    for line in sys.stdin:
        if line.strip():
            print(engine.answer_line(line), flush=True)
