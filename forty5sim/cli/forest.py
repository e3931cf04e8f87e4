"""A forest plot in letters: effects with their intervals, one under the other, about zero."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from forty5sim.cli.common import console

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 40
STRATA = "by trumps held"


def print_forest(table: pd.DataFrame) -> None:
    """Print the effect under each policy, and by the trumps held under the first one.

    Args:
        table: of ``decision_value``. Rows without an interval are left out; without any nothing
            is printed.
    """
    first = table["policy"].iloc[0] if len(table) else ""
    wanted = (table["quantity"] == "effect") | (
        (table["quantity"] == STRATA) & (table["policy"] == first)
    )
    shown: list[dict[Any, Any]] = table[wanted & (table["value_ci"] > 0)].to_dict("records")
    if not shown:
        return
    shown.sort(key=lambda row: row["quantity"] == STRATA)
    names = [_name(row) for row in shown]
    longest = max(map(len, names))
    low = min(0.0, *(row["value"] - row["value_ci"] for row in shown))
    high = max(0.0, *(row["value"] + row["value_ci"] for row in shown))
    for name, row in zip(names, shown, strict=True):
        line = bar(row["value"], row["value_ci"], low, high)
        console().print(f"{name:<{longest}}  {line}", highlight=False, markup=False)
    ends = _short(low), _short(high)
    console().print(f"{'':<{longest}}  {ends[0]:<{WIDTH - len(ends[1])}}{ends[1]}", highlight=False)


def _short(end: float) -> str:
    """Return an end of the scale: 0, tenths of small numbers, whole ones of large."""
    return "0" if end == 0 else f"{end:+.1f}" if abs(end) < 10 else f"{end:+.0f}"


def _name(row: dict[Any, Any]) -> str:
    if row["quantity"] == "effect":
        return f"always, {row['policy']}"
    return f"  {row['stratum']} trumps held"


def bar(value: float, half_width: float, low: float, high: float, width: int = WIDTH) -> str:
    """Return an interval on a line of so many letters from ``low`` to ``high``, with zero marked.

    >>> bar(1.0, 0.5, 0.0, 2.0, 9)
    '│ ├─●─┤  '
    """
    scale = (width - 1) / (high - low)

    def place(x: float) -> int:
        return min(width - 1, max(0, math.floor((x - low) * scale + 0.5)))

    start, middle, end = place(value - half_width), place(value), place(value + half_width)
    line = [" "] * width
    line[place(0.0)] = "│"
    line[start : end + 1] = "─" * (end + 1 - start)
    line[start], line[end] = "├", "┤"
    line[middle] = "●"
    return "".join(line)
