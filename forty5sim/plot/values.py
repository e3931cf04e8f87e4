"""Figures of what decisions are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    axes_or_new,
    label,
    look,
    name_rows,
    number,
    styled,
    title,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROW_HEIGHT = 0.34
FOREST = ("effect", "own use", "by ")


def forest(
    table: pd.DataFrame, *, heading: str = "", unit: str = "", axes: Axes | None = None
) -> Axes:
    """Draw effects with their 95 % intervals, one under the other: each policy, then each stratum.

    Args:
        table: columns policy, quantity, stratum, value, value_ci, n, as ``value`` returns it;
            strata are drawn for its first policy.
        heading: of the figure.
        unit: of a value.
        axes: where to draw; a new figure if None.
    """
    shown = _forest_rows(table)
    if not shown:
        raise RunError("there are no effects to draw: the table has no rows of them")
    with styled():
        axes = axes_or_new(axes, 1.2 + ROW_HEIGHT * len(shown))
        policies = list(dict.fromkeys(table["policy"]))
        names = []
        for place, row in enumerate(shown):
            mine = look(policies.index(row["policy"]))
            axes.errorbar(
                row["value"], place, xerr=row["value_ci"], marker=mine.marker, markersize=5,
                color=mine.colour, capsize=4, elinewidth=1.6,
            )  # fmt: skip
            told = number(row["value"], row["value_ci"])
            names.append(f"{_name(row)}: {told} (n={row['n']:,})")
        axes.axvline(0, color="black", linewidth=0.8)
        name_rows(axes, [name.replace(",", " ") for name in names])
        label(axes, x=f"gain over declining ({unit}; bars: 95 % interval)")
        title(axes, heading or "What the decision is worth", f"strata: {policies[0]}")
    return axes


def _forest_rows(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a forest: effects and own use of each policy, strata of the first."""
    first = table["policy"].iloc[0] if len(table) else ""
    overall = table["quantity"].isin(FOREST[:2])
    strata = table["quantity"].str.startswith(FOREST[2]) & (table["policy"] == first)
    shown = table[(overall | strata) & table["value_ci"].notna()]
    rows: list[dict[Any, Any]] = shown.to_dict("records")
    return sorted(rows, key=lambda row: _rank(row["quantity"]))


def _rank(quantity: str) -> int:
    return FOREST.index(quantity) if quantity in FOREST else len(FOREST)


def _name(row: dict[Any, Any]) -> str:
    if row["quantity"] == "effect":
        return f"always, {wrapped(row['policy'])}"
    if row["quantity"] == "own use":
        return f"a deal by its own choice, {wrapped(row['policy'])}"
    return f"{row['quantity'].removeprefix('by ')} {row['stratum']}"
