"""Defaults of the user's own: ``forty5sim.toml``, a table for each command.

The file is the one named by FORTY5SIM_CONFIG, else ``forty5sim.toml`` in the current folder. What
is typed on the command line counts more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from forty5sim.cli.parameters import Parameter, parameters_of
from forty5sim.errors import SettingsError, unknown

FILE = "forty5sim.toml"
VARIABLE = "FORTY5SIM_CONFIG"
Commands = Mapping[str, Callable[..., Any]]


def settings_path() -> Path | None:
    """Return the file in force, or None; FORTY5SIM_CONFIG set to nothing means none.

    Raises:
        SettingsError: if FORTY5SIM_CONFIG names a file that is not there.
    """
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    path = Path(named or FILE)
    if path.is_file():
        return path
    if named:
        raise SettingsError(f"{VARIABLE} names {named!r}, and there is no such file")
    return None


def read_settings(commands: Commands) -> dict[str, dict[str, Any]]:
    """Return the defaults of each command in the file in force, by the names of its arguments.

    Raises:
        SettingsError: for a file that is no TOML, and for a command, an option or a value that is
            none; the message names file and key.
    """
    path = settings_path()
    if path is None:
        return {}
    found = {}
    for name, table in _read(path).items():
        if isinstance(table, dict) and any(known.startswith(f"{name} ") for known in commands):
            group = {one: _table(path, f"{name} {one}", table[one], commands) for one in table}
            found[name] = group  # [bot.check]
        else:
            found[name] = _table(path, name, table, commands)
    return found


def _read(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from None


def _table(path: Path, name: str, table: object, commands: Commands) -> dict[str, Any]:
    """Return the defaults of one command."""
    if name not in commands:
        raise SettingsError(f"{path}: {unknown('command', name, commands)}")
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: {name} must be a table, as [{name}], got {table!r}")
    options = {one.option[2:]: one for one in parameters_of(commands[name]) if one.option}
    return dict(_entry(path, name, key, value, options) for key, value in table.items())


def _entry(
    path: Path, command: str, key: str, value: object, options: Mapping[str, Parameter]
) -> tuple[str, object]:
    """Return the name of a command's argument and the default that the file gives it."""
    option = options.get(key.replace("_", "-"))
    if option is None:
        raise SettingsError(f"{path}, [{command}]: {unknown('option', key, options)}")
    if not option.allows(value):
        got = str(value).lower() if isinstance(value, bool) else repr(value)
        raise SettingsError(f"{path}, [{command}] {key} takes {option.takes}, got {got}")
    return option.name, value
