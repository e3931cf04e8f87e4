"""Finds rule sets by name: the presets of the package, and files of one's own.

``find_rules("spoil-five:ante=2")`` names a game and its house rules as on the command line.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from forty5sim.errors import Forty5Error, RuleSetError, unknown
from forty5sim.options import FAMILIES
from forty5sim.rules import RuleSet, options_of, unknown_option


@cache
def presets() -> Mapping[str, RuleSet]:
    """Return the named rule sets of the package, by name."""
    text = resources.files("forty5sim").joinpath("presets.toml").read_text(encoding="utf-8")
    return _read_presets(tomllib.loads(text), "presets.toml", {})


def _read_presets(
    tables: Mapping[str, Any], where: str, known: Mapping[str, RuleSet]
) -> dict[str, RuleSet]:
    """Build the rule sets of a TOML file; each may stand on a ``base`` defined before it."""
    found: dict[str, RuleSet] = {}
    for name, table in tables.items():
        try:
            found[name] = _read_preset(name, table, {**known, **found})
        except Forty5Error as error:
            raise RuleSetError(f"{where}: [{name}]: {error}") from None
    return found


def _read_preset(name: str, table: object, known: Mapping[str, RuleSet]) -> RuleSet:
    if not isinstance(table, dict):
        raise RuleSetError(f"expected a table of options, got {table!r}")
    entries = dict(table)
    base_name = entries.pop("base", None)
    if base_name is not None and base_name not in known:
        raise RuleSetError(unknown("base", str(base_name), known))
    base = known[base_name] if base_name else None
    family = entries.pop("family", base.family if base else None)
    if family not in FAMILIES:
        raise RuleSetError(f'needs base = "a preset" or family = one of {", ".join(FAMILIES)}')
    start: dict[str, Any] = dict(base.options()) if base and base.family == family else {}
    if base:
        start |= {"players": base.players, "default_players": base.default_players}
    for key in entries:
        if key not in options_of(family) and key not in ("players", "default_players"):
            raise RuleSetError(unknown_option(key, family, f" of the family {family}"))
    if "players" in entries:
        entries["players"] = tuple(_whole_numbers("players", entries["players"]))
    if isinstance(entries.get("deck"), list):
        entries["deck"] = "+".join(map(str, entries["deck"]))
    rules = RuleSet(name=name, family=family, **(start | entries))
    return dataclasses.replace(rules, origin=tuple(rules.options().items()))


def _whole_numbers(key: str, value: object) -> list[int]:
    if isinstance(value, list) and all(isinstance(n, int) for n in value):
        return value
    raise RuleSetError(f"{key} must be a list of whole numbers, got {value!r}")


def load_presets(path: str | Path) -> dict[str, RuleSet]:
    """Read a TOML file of one's own presets; each table has a ``base`` or a ``family``.

    Raises:
        RuleSetError: if the file cannot be read or a rule set in it is wrong; names the place.
    """
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise RuleSetError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleSetError(f"{path} is no TOML file: {error}") from None
    return _read_presets(tables, str(path), presets())


def find_rules(spec: str, **options: object) -> RuleSet:
    """Return the rules that a spec names: ``name``, ``name:option=value,…`` or from a file.

    ``my_rules.toml:house`` is the preset ``house`` of one's own file (the name may be left out if
    it is the only one); options follow after a further colon. Keyword options come last.

    Raises:
        RuleSetError: for an unknown preset, option or value, or a combination that cannot be.

    >>> find_rules("spoil-five:ante=2").ante
    2
    """
    if not isinstance(spec, str):
        raise RuleSetError(f"a game is named by a text, as 'spoil-five:ante=2', got {spec!r}")
    name, changes = _split_spec(spec)
    rules = _find_preset(name)
    for entry in changes:
        key, equals, value = entry.partition("=")
        if not equals:
            raise RuleSetError(f"cannot read {entry!r} in {spec!r}; write option=value")
        if key.strip() in options:
            raise RuleSetError(f"option {key.strip()} is given twice for {spec!r}")
        options[key.strip()] = value.strip()
    return rules.with_options(**options) if options else rules


def _split_spec(spec: str) -> tuple[str, list[str]]:
    """Split a spec into the name (with its file) and the entries after the last colon."""
    head, colon, tail = spec.rpartition(":")
    if not colon or not head or ("=" not in tail and head.endswith(".toml")):
        return spec, []
    if "=" not in tail and tail.strip():
        raise RuleSetError(f"cannot read {tail!r} in {spec!r}; write name:option=value,…")
    return head, [entry for entry in tail.split(",") if entry.strip()]


def _find_preset(name: str) -> RuleSet:
    file, colon, inner = name.rpartition(":")
    if not colon and name.endswith(".toml"):
        file, inner = name, ""
    if not file:
        if name not in presets():
            raise RuleSetError(unknown("game", name, presets()))
        return presets()[name]
    own = load_presets(file)
    if not inner and len(own) == 1:
        return next(iter(own.values()))
    if inner not in own:
        raise RuleSetError(unknown(f"game in {file}", inner, own, plural="games there"))
    return own[inner]
