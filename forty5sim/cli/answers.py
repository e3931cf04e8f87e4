"""Answers for a machine: one shape for every command that has ``--json``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import typer


def print_json(command: str, rows: Iterable[Mapping[Any, Any]], **facts: Any) -> None:
    """Print an answer as one JSON object on standard output, and nothing else.

    Args:
        command: that answers.
        rows: a record each. Where a row measures something it has ``value``, ``value_ci`` (half
            the 95 % interval, or null) and ``n``.
        facts: what holds for all rows.
    """
    answer = {"command": command, **facts, "rows": list(rows)}
    typer.echo(json.dumps(_plain(answer), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    """Return a value as JSON has them: no nan, no infinity (null), no numbers of numpy's."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
