"""A field of bots in a TOML file, each with the name it has in tables."""

from __future__ import annotations

import tomllib
from pathlib import Path

from forty5sim.errors import AgentError

MOST_NAME = 40


def read_roster(path: str | Path) -> dict[str, str]:
    """Return the bots of a roster: name -> spec, in the file's order.

    A roster is a TOML file with a table ``[bots]`` of ``name = "spec"``; the path of a bot in a
    file is taken from the roster's folder.

    Raises:
        AgentError: if the file cannot be read, or holds something else.
    """
    path = Path(path)
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AgentError(f"cannot read roster {str(path)!r}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AgentError(f"roster {str(path)!r} is no TOML file: {error}") from None
    unknown = [key for key in found if key != "bots"]
    bots = found.get("bots")
    if unknown or not isinstance(bots, dict) or not bots:
        what = f"unknown key {unknown[0]!r}" if unknown else "no bots"
        raise AgentError(f'roster {str(path)!r}: {what}; expected a table [bots] of name = "spec"')
    for name, spec in bots.items():
        if not isinstance(spec, str):
            raise AgentError(
                f"roster {str(path)!r}: bot {name!r} must be a spec in quotes, got {spec!r}"
            )
    return {checked_name(name): _from_folder(spec, path.parent) for name, spec in bots.items()}


def checked_name(name: object) -> str:
    """Return a bot's name for tables.

    Raises:
        AgentError: if it is none.
    """
    fits = isinstance(name, str) and name.strip() == name and 0 < len(name) <= MOST_NAME
    if isinstance(name, str) and fits and name.isprintable():
        return name
    raise AgentError(f"a bot's name must be 1 to {MOST_NAME} printable characters, got {name!r}")


def _from_folder(spec: str, folder: Path) -> str:
    """Return a spec whose file, if it names one, is found from here."""
    file = spec.rpartition(":")[0]
    if not file.endswith(".py") or Path(file).is_absolute():
        return spec
    return str(folder / spec)
