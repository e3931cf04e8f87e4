"""Figures of the tables of a tournament: who won how much, from whom, where, how fast.

Each function takes a table as ``load_run`` gives it, and returns the axes it drew on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    GREY,
    WIDTH,
    axes_or_new,
    count_range,
    figure_of,
    label,
    legend_beside,
    look,
    name_rows,
    name_ticks,
    number,
    plain_log,
    styled,
    title,
    with_unit,
    wrapped,
)
from forty5sim.stats import LEVEL, Estimate, holm, p_value

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]

ROW = 0.52
CELL = 1.05


def standings(table: pd.DataFrame, *, unit: str = "", axes: Axes | None = None) -> Axes:
    """Draw the payoff of each bot with its 95 % interval, the best at the top.

    Args:
        table: columns bot, payoff, payoff_ci, boards.
        unit: of a payoff, as ``points a deal``.
        axes: where to draw; a new figure if None.
    """
    _need(table, "standings")
    with styled():
        rows = table.sort_values("payoff", ascending=False, kind="stable")
        axes = axes_or_new(axes, 1.3 + ROW * len(rows))
        for place, row in enumerate(_rows(rows)):
            mine = look(place)
            axes.errorbar(
                row.payoff, place, xerr=_width(row.payoff_ci), marker=mine.marker, markersize=6,
                color=mine.colour, capsize=6, elinewidth=2,
            )  # fmt: skip
        axes.axvline(0, color="black", linewidth=0.8)
        told = [f"{wrapped(row.bot)}\n{number(row.payoff, row.payoff_ci)}" for row in _rows(rows)]
        name_rows(axes, told)
        label(axes, x=with_unit("payoff", unit, "bars: 95 % interval"))
        title(axes, "What each bot gained", count_range(list(rows["boards"])))
    return axes


def cross_table(
    duels: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    unit: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw what each bot gained from each other one; a star is clear after Holm's correction.

    Args:
        duels: columns bot, against, payoff, payoff_ci, boards.
        order: the bots from the top; as they come if None.
        unit: of a payoff.
        axes: where to draw; a new figure if None.
    """
    _need(duels, "duels")
    names = list(order or dict.fromkeys([*duels["bot"], *duels["against"]]))
    texts, gains = _cells(duels, names)
    with styled():
        axes = axes_or_new(axes, 1.6 + 0.62 * len(names), max(WIDTH, 2.6 + CELL * len(names)))
        most = max(float(np.nanmax(np.abs(gains))), 1e-9)
        image = axes.imshow(gains, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
        for (row, column), text in texts.items():
            dark = abs(gains[row, column]) > 0.6 * most
            axes.text(
                column, row, text, ha="center", va="center", fontsize=8.5,
                color="white" if dark else "black",
            )  # fmt: skip
        for place in range(len(names)):
            axes.text(place, place, "–", ha="center", va="center", color=GREY)
        bar = figure_of(axes).colorbar(image, ax=axes)
        bar.set_label(unit)
        name_ticks(axes.yaxis, range(len(names)), [wrapped(name, 20, 2) for name in names])
        name_ticks(axes.xaxis, range(len(names)), [wrapped(name, 11, 4) for name in names])
        label(axes, x="from this bot", y="gain of this bot")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        note = f"± 95 % interval, * clear after Holm; {count_range(list(duels['boards']))}"
        title(axes, "Bot against bot", note)
    return axes


def _cells(
    duels: pd.DataFrame, names: Sequence[str]
) -> tuple[dict[tuple[int, int], str], FloatArray]:
    """Return the text of each cell, and the gains as a square; nan where nobody met."""
    rows = _rows(duels)
    raw = [p_value(Estimate(row.payoff, row.payoff_ci, int(row.boards))) for row in rows]
    clear = [p < 1 - LEVEL for p in holm(raw)]
    gains = np.full((len(names), len(names)), np.nan)
    texts = {}
    for row, is_clear in zip(rows, clear, strict=True):
        first, second = names.index(row.bot), names.index(row.against)
        for place, gain in (((first, second), row.payoff), ((second, first), -row.payoff)):
            gains[place] = gain
            value, _, width = number(gain, row.payoff_ci).partition(" ")
            texts[place] = f"{value}{'*' if is_clear else ''}\n{width}".rstrip()
    return texts, gains


def seat_advantage(seats: pd.DataFrame, *, unit: str = "", axes: Axes | None = None) -> Axes:
    """Draw the mean payoff of each seat from eldest hand to dealer, over all bots.

    Args:
        seats: columns seat, payoff, payoff_ci, boards, in the order of play.
        unit: of a payoff.
        axes: where to draw; a new figure if None.
    """
    _need(seats, "seats")
    with styled():
        axes = axes_or_new(axes, 3.3)
        places = np.arange(len(seats))
        axes.errorbar(
            places, seats["payoff"], yerr=seats["payoff_ci"].fillna(0), marker="o", markersize=6,
            color=look(0).colour, capsize=6, linestyle="none", elinewidth=2,
        )  # fmt: skip
        axes.axhline(0, color="black", linewidth=0.8)
        name_ticks(axes.xaxis, places.tolist(), [str(seat) for seat in seats["seat"]])
        axes.set_xlim(-0.6, len(seats) - 0.4)
        axes.grid(visible=True, axis="y", alpha=0.3)
        label(
            axes, x="seat, in the order of play (bars: 95 % interval)", y=with_unit("payoff", unit)
        )
        title(axes, "What a seat is worth, over all bots", count_range(list(seats["boards"])))
    return axes


def decision_times(times: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how long each bot thinks about a decision: median, 99th percentile, longest.

    Args:
        times: columns bot, decisions, median, p99, longest, in milliseconds.
        axes: where to draw; a new figure if None.
    """
    _need(times, "times")
    marks = {"median": ("o", "#0072B2"), "p99": ("s", "#D55E00"), "longest": ("x", "#000000")}
    with styled():
        axes = axes_or_new(axes, 1.3 + ROW * len(times))
        places = np.arange(len(times))
        axes.hlines(places, times["median"], times["longest"], color=GREY, linewidth=1)
        for name, (marker, colour) in marks.items():
            shown = "99 % within" if name == "p99" else name
            axes.plot(
                times[name], places, marker, color=colour, linestyle="none", markersize=7,
                label=shown,
            )  # fmt: skip
        axes.set_xscale("log")
        least, most = float(times["median"].min()), float(times["longest"].max())
        axes.set_xlim(max(least, 1e-9) / 1.6, max(most, 1e-9) * 1.6)
        plain_log(axes, "x")
        name_rows(axes, [wrapped(str(bot)) for bot in times["bot"]])
        label(axes, x="time of a decision (ms, one core)")
        note = count_range([int(n) for n in times["decisions"]], "decisions a bot")
        title(axes, "How long a bot thinks", note)
        legend_beside(axes)
    return axes


def ratings(table: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw Bradley-Terry ratings on the scale of Elo with bootstrap intervals.

    Args:
        table: columns bot, elo, low, high, boards; the mean of all ratings is 0.
        axes: where to draw; a new figure if None.
    """
    _need(table, "ratings")
    with styled():
        rows = table.sort_values("elo", ascending=False, kind="stable")
        axes = axes_or_new(axes, 1.3 + ROW * len(rows))
        for place, row in enumerate(_rows(rows)):
            mine = look(place)
            reach = [[max(0.0, row.elo - row.low)], [max(0.0, row.high - row.elo)]]
            axes.errorbar(
                row.elo, place, xerr=reach, marker=mine.marker, markersize=6, color=mine.colour,
                capsize=6, elinewidth=2,
            )  # fmt: skip
        axes.axvline(0, color="black", linewidth=0.8)
        told = [
            f"{wrapped(row.bot)}\n{row.elo:+.0f} ({row.low:+.0f} to {row.high:+.0f})"
            for row in _rows(rows)
        ]
        name_rows(axes, told)
        label(axes, x="Elo (mean of all bots 0; bars: 95 % bootstrap interval over boards)")
        title(axes, "Ratings from who won the replays", count_range(list(rows["boards"])))
    return axes


def _rows(table: pd.DataFrame) -> list[Any]:
    """Return the rows of a table, their columns as attributes."""
    return list(table.itertuples())


def _need(table: pd.DataFrame, what: str) -> None:
    """Raise if a table is empty."""
    if len(table) == 0:
        raise RunError(f"the table of {what} has no rows, so there is nothing to draw")


def _width(half_width: float) -> float:
    """Return a half-width to draw: none where it is not known."""
    return half_width if half_width >= 0 else 0.0
