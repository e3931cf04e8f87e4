"""What is said where a library that an adapter is for is not installed."""

from __future__ import annotations

from forty5sim.errors import RunError


def missing(package: str, extra: str) -> RunError:
    """Return the error that says what to install.

    >>> str(missing("open_spiel", "openspiel"))
    'this adapter needs open_spiel: pip install "forty5sim[openspiel]"'
    """
    return RunError(f'this adapter needs {package}: pip install "forty5sim[{extra}]"')
