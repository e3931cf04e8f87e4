"""Figures of what readings of the rules change, and of a model beside what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    axes_or_new,
    count_range,
    label,
    look,
    name_rows,
    new_figure,
    styled,
    title,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROW_HEIGHT = 0.24
PANEL_WIDTH = 2.2
NAMES_WIDTH = 2.6
PANELS = {
    "skill": "gain by the better bot",
    "choice": "legal cards at a play",
    "deals": "deals in a game",
}


def changes(table: pd.DataFrame, *, heading: str = "") -> Axes:
    """Draw what each reading of the rules changes, in percent of the game's own value.

    The interval is that of the paired change; the value it is divided by is taken as it is.

    Args:
        table: columns ``game``, ``reading``, ``quantity``, ``value``, ``change``, ``change_ci``
            and ``n``; the readings without a change are the games themselves.
        heading: of the figure.

    Returns:
        The first of three panels: skill, legal cards, length of games.

    Raises:
        RunError: if there is no change to draw.
    """
    shown = _in_percent(table)
    if not len(shown):
        raise RunError("there is no change to draw: the table has no second reading")
    readings = list(dict.fromkeys(shown["reading"]))
    with styled():
        size = NAMES_WIDTH + PANEL_WIDTH * len(PANELS), 1.2 + ROW_HEIGHT * len(readings)
        panels = new_figure(*size).subplots(1, len(PANELS), sharey=True)
        for axes, (quantity, named) in zip(panels, PANELS.items(), strict=True):
            rows = shown[shown["quantity"] == quantity].set_index("reading").reindex(readings)
            axes.errorbar(
                rows["change"], range(len(readings)), xerr=rows["change_ci"], marker="o",
                markersize=4, color=look(0).colour, capsize=3, linestyle="none",
            )  # fmt: skip
            axes.axvline(0, color="black", linewidth=0.8)
            name_rows(axes, _named(readings))
            counts = count_range([int(n) for n in rows["n"].dropna()], "").strip()
            axes.set_xlabel(f"{named},\nchange in % ({counts})\n(bars: 95 %)")
        first: Axes = panels[0]
        title(first, heading or "What other readings of the rules change")
    return first


def _named(readings: list[str]) -> list[str]:
    """Return the names of readings, the game said where it begins only."""
    games = ["", *(reading.partition(":")[0] for reading in readings)]
    return [
        reading if before != game else reading.partition(":")[2]
        for before, game, reading in zip(games, games[1:], readings, strict=False)
    ]


def _in_percent(table: pd.DataFrame) -> pd.DataFrame:
    """Return the changes in percent of the value under the game's own rules."""
    own = table[table["change_ci"].isna()].set_index(["game", "quantity"])["value"]
    shown = table[table["change_ci"].notna()].copy()
    base = [
        own[game, quantity] for game, quantity in zip(shown["game"], shown["quantity"], strict=True)
    ]
    for column in ("change", "change_ci"):
        shown[column] = 100 * shown[column] / base
    return shown


def rates(table: pd.DataFrame, *, heading: str = "", unit: str = "share") -> Axes:
    """Draw shares with their 95 % intervals, one under the other.

    Args:
        table: columns ``game``, ``stratum``, ``value``, ``value_ci`` and ``n``.
        heading: of the figure.
        unit: what the shares are of.

    Raises:
        RunError: for an empty table.
    """
    if not len(table):
        raise RunError("there are no shares to draw: the table is empty")
    with styled():
        axes = axes_or_new(None, 1.2 + ROW_HEIGHT * len(table))
        games = list(dict.fromkeys(table["game"]))
        names = []
        rows: list[dict[Any, Any]] = table.to_dict("records")
        for place, row in enumerate(rows):
            mine, value, error = look(games.index(row["game"])), row["value"], row["value_ci"]
            axes.errorbar(
                value, place, xerr=[[min(error, value)], [min(error, 1 - value)]],
                marker=mine.marker, markersize=5, color=mine.colour, capsize=4,
            )  # fmt: skip
            count = f"{row['n']:,}".replace(",", " ")
            names.append(f"{row['game']} {row['stratum']} (n={count})")
        name_rows(axes, names)
        axes.set_xlim(0, 1)
        label(axes, x=f"{unit} (bars: 95 % interval)")
        title(axes, heading)
    return axes


def agreement(
    table: pd.DataFrame,
    *,
    expected: str = "model",
    lines: str = "",
    heading: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw chances that were expected against shares that were seen, with their 95 % intervals.

    Args:
        table: columns ``value``, ``value_ci``, ``n`` and the one that is named.
        expected: the column of the expected chances.
        lines: a column whose values are told apart; none if empty.
        heading: of the figure.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for an empty table.
    """
    if not len(table):
        raise RunError("there is nothing to draw: the table is empty")
    with styled():
        axes = axes_or_new(axes, 4.6, 5.2)
        axes.plot([0, 1], [0, 1], color="black", linewidth=0.8, label="as expected")
        parts = {"played": table}
        if lines:
            parts = {str(name): some for name, some in table.groupby(lines, sort=False)}
        for place, (name, some) in enumerate(parts.items()):
            mine = look(place)
            axes.errorbar(
                some[expected], some["value"], yerr=some["value_ci"], marker=mine.marker,
                markersize=4.5, color=mine.colour, capsize=3, linestyle="none", label=name,
            )  # fmt: skip
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.grid(visible=True, alpha=0.3)
        label(axes, x=f"chance by the {expected}", y="share seen (bars: 95 %)")
        title(
            axes, heading or "Expected and seen", count_range(list(table["n"].astype(int)), "each")
        )
        axes.legend(loc="upper left", frameon=False)
    return axes


def calibration(
    table: pd.DataFrame,
    *,
    heading: str = "Three tricks or more: predicted, and seen",
    axes: Axes | None = None,
) -> Axes:
    """Draw the chances that the evaluator gives hands against the shares of deals that kept them.

    Playouts under the policy that plays the deals belong on the diagonal. Exact values are of
    perfect play with all cards seen, so deals played by a policy need not lie there.

    Args:
        table: columns ``evaluator``, the mean chance of a group of hands; ``value``, the share of
            deals with three tricks or more; ``value_ci`` and ``n``, as ``calibrate`` gives them; a
            column ``method``, if there is one, is told apart.
        heading: of the figure.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for an empty table.
    """
    lines = "method" if "method" in table else ""
    axes = agreement(table, expected="evaluator", lines=lines, heading=heading, axes=axes)
    with styled():
        label(
            axes, x="predicted chance of three tricks or more (mean of a group of hands)",
            y="share of deals with three tricks or more (bars: 95 % interval)",
        )  # fmt: skip
        counts = count_range([int(n) for n in table["n"]], "deals a group")
        title(axes, heading, counts)
    return axes
