"""Figures of what decisions are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    axes_or_new,
    count_range,
    label,
    legend_beside,
    look,
    name_rows,
    name_ticks,
    number,
    styled,
    title,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROW_HEIGHT = 0.34
MOST_LETTERS = 60
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
            count = f"{row['n']:,}".replace(",", " ")
            names.append(f"{_name(row)}: {told} (n={count})")
        axes.axvline(0, color="black", linewidth=0.8)
        name_rows(axes, names)
        label(axes, x=f"gain, {unit} (bars: 95 %)")
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
        return f"own choice, a deal, {wrapped(row['policy'])}"
    return f"{row['quantity'].removeprefix('by ')} {row['stratum']}"


def bands(
    table: pd.DataFrame,
    *,
    x: str,
    lines: str,
    heading: str = "",
    unit: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw values with their 95 % intervals along one column, a line for each value of another.

    Args:
        table: columns ``value``, ``value_ci``, ``n`` and the two that are named.
        x: the column along the axis.
        lines: the column whose values are told apart.
        heading: of the figure.
        unit: of a value.
        axes: where to draw; a new figure if None.
    """
    if not len(table):
        raise RunError(f"there is nothing to draw by {x}: the table is empty")
    with styled():
        axes = axes_or_new(axes, 3.8)
        places = {where: place for place, where in enumerate(dict.fromkeys(table[x]))}
        found = list(dict.fromkeys(table[lines]))
        for number_of, one in enumerate(found):
            mine, look_of = table[table[lines] == one], look(number_of)
            shift = 0.12 * (number_of - (len(found) - 1) / 2)
            axes.errorbar(
                [places[where] + shift for where in mine[x]], mine["value"], yerr=mine["value_ci"],
                marker=look_of.marker, color=look_of.colour, linestyle="none", capsize=4,
                markersize=5, label=f"{one}" if lines == "policy" else f"{lines} {one}",
            )  # fmt: skip
        axes.axhline(0, color="black", linewidth=0.8)
        name_ticks(axes.xaxis, list(places.values()), [str(where) for where in places])
        turn_if_long(axes, [str(where) for where in places])
        label(axes, x=x, y=f"{unit} (bars: 95 % interval)")
        title(axes, heading, count_range([int(n) for n in table["n"]], "deals or opportunities"))
        legend_beside(axes)
    return axes


def turn_if_long(axes: Axes, names: list[str]) -> None:
    """Turn the names under the axis if they would not fit beside each other."""
    if sum(map(len, names)) > MOST_LETTERS:
        axes.tick_params(axis="x", labelrotation=60)
        for name in axes.get_xticklabels():
            name.set_horizontalalignment("right")
            name.set_rotation_mode("anchor")


def break_even_curves(
    table: pd.DataFrame,
    *,
    heading: str = "When a jink pays",
    axes: Axes | None = None,
) -> Axes:
    """Draw the chance that a jink needs against the pot, and the shares of jinks made.

    Args:
        table: columns ``pot``, the chips from before; ``quantity``, of which ``break-even`` and
            ``success`` are drawn; ``stratum``, ``value``, ``value_ci`` and ``n``: the tables of
            ``decision_value("jink", pot=...)`` with the pot added.
        heading: of the figure.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if the table has no jinks.
    """
    needed = table[table["quantity"] == "break-even"]
    made = table[(table["quantity"] == "success") & (table["n"] > 1)]
    if not len(needed) or not len(made):
        raise RunError("there are no jinks to draw: the table has no break-even or no success")
    with styled():
        axes = axes_or_new(axes, 4.6)
        for place, (name, rows) in enumerate(needed.groupby("stratum", sort=False)):
            axes.plot(
                rows["pot"], rows["value"], color="black", linestyle=look(place).line,
                label=f"needed, {name}",
            )  # fmt: skip
        several = dict(list(made.groupby("stratum", sort=False)))
        for place, (name, rows) in enumerate(several.items()):
            mine = look(place)
            axes.errorbar(
                rows["pot"] + 0.1 * place, rows["value"], yerr=rows["value_ci"],
                marker=mine.marker, markersize=4.5, color=mine.colour, capsize=3,
                linestyle="none", label=wrapped(str(name), 26, 3),
            )  # fmt: skip
        axes.set_ylim(0, 1)
        axes.grid(visible=True, alpha=0.3)
        label(axes, x="chips in the pot from before", y="chance (bars: 95 % interval)")
        title(axes, heading, count_range([int(n) for n in made["n"]], "jinks"))
        legend_beside(axes)
    return axes
