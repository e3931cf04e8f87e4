"""Heat maps: a value for each pair of strata, written into its cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    axes_or_new,
    figure_of,
    label,
    name_ticks,
    number,
    styled,
    title,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

CELL_WIDTH = 1.15
NARROW_CELL = 0.62
CELL_HEIGHT = 0.5
DARK = 0.6  # of the largest size: there the text is white


def heat_map(
    table: pd.DataFrame,
    rows: str,
    columns: str,
    *,
    heading: str = "",
    note: str = "",
    unit: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw values by two strata: colour for size, in each cell the value, its interval and n.

    Args:
        table: the two columns that are named, ``value``, ``value_ci`` and ``n``; where
            ``value_ci`` is 0 throughout the values are exact, and written alone. Cells without an
            interval (fewer than two cases) are left white.
        rows: the column told from top to bottom, in the order of its categories, or as it comes.
        columns: the column told from left to right.
        heading: of the figure.
        note: below the heading.
        unit: of a value.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for an empty table.
    """
    if not len(table):
        raise RunError(f"there is nothing to draw by {rows} and {columns}: the table is empty")
    across, down = _names(table[columns]), _names(table[rows])
    exact = bool((table["value_ci"] == 0).all())
    shown = table[table["value_ci"].notna()]
    most = max(float(shown["value"].abs().max()), 1e-9) if len(shown) else 1.0
    with styled():
        width = 2.2 + (NARROW_CELL if exact else CELL_WIDTH) * len(across)
        axes = axes_or_new(axes, 1.6 + CELL_HEIGHT * len(down), width)
        grid = np.full((len(down), len(across)), np.nan)
        for row in shown.to_dict("records"):
            place = down.index(row[rows]), across.index(row[columns])
            grid[place] = row["value"]
            text = _exact(row["value"]) if exact else _text(row["value"], row["value_ci"], row["n"])
            axes.text(
                place[1], place[0], text, ha="center", va="center", fontsize=7.5,
                color="white" if abs(row["value"]) > DARK * most else "black",
            )  # fmt: skip
        image = axes.imshow(grid, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
        figure_of(axes).colorbar(image, ax=axes).set_label(unit)
        name_ticks(axes.yaxis, range(len(down)), [str(name) for name in down])
        name_ticks(axes.xaxis, range(len(across)), [str(name) for name in across])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        label(axes, x=columns, y=rows)
        title(axes, heading, note or ("exact" if exact else "± 95 % interval, and n"))
    return axes


class Crossed(Protocol):
    """What can tell a decision's effect by two strata at once: a ``DecisionValue``."""

    def crossed(self, rows: str, columns: str) -> pd.DataFrame:
        """Return the effect in each pair of strata, a row each."""


def strata_heat_map(
    found: Crossed | pd.DataFrame,
    rows: str = "trumps held",
    columns: str = "turn-up",
    *,
    heading: str = "",
    unit: str = "chips",
    axes: Axes | None = None,
) -> Axes:
    """Draw what a decision gains in each pair of strata, with its 95 % interval and n.

    Args:
        found: what ``decision_value`` gives, or a table of its ``crossed``.
        rows: a kind of stratum, from top to bottom.
        columns: another one, from left to right; ``studies.effects.PAIRS`` has the pairs.
        heading: of the figure.
        unit: of the gain.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for strata that are no pair of the decision, or an empty table.
    """
    import pandas as pd

    table = found if isinstance(found, pd.DataFrame) else found.crossed(rows, columns)
    said = heading or f"What taking it gains, by {rows} and {columns}"
    note = "± 95 % interval; n opportunities; blank: n under 2"
    told = f"gain ({unit} an opportunity)"
    return heat_map(table, rows, columns, heading=said, note=note, unit=told, axes=axes)


def _names(column: pd.Series[Any]) -> list[Any]:
    """Return what a column tells apart: its categories, or its values as they come."""
    named = column.cat.categories if column.dtype == "category" else column
    return list(dict.fromkeys(named))


def _exact(value: float) -> str:
    """Return an exact value in hundredths; nothing has no sign."""
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0.00"


def _text(value: float, half_width: float, n: int) -> str:
    """Return what is written into a cell: the value, its interval, how many it is from."""
    told, _, error = number(value, half_width).partition(" ± ")
    return f"{told} ± {error}\nn={n:,}".replace(",", " ")
