"""Figures of a tournament: who won how much, how sure that is, and what it depended on.

Each function takes tables or arrays as ``load_run`` gives them, and returns the axes it drew on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    GREY,
    WIDTH,
    axes_or_new,
    count_range,
    counted,
    figure_of,
    label,
    legend_beside,
    load,
    look,
    name_rows,
    name_ticks,
    number,
    styled,
    title,
    wrapped,
)
from forty5sim.stats import LEVEL, Estimate, confidence_half_width, holm, p_value

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]

ROW = 0.52
CELL = 1.05
FEW_VALUES = 25
MOST_BINS = 60
FEW_BATCHES = 9
FIRST_SHOWN = 0.02
"""The share of boards after which the bands of ``convergence`` are to fit into the picture."""


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
        label(axes, x=_with_unit("payoff", unit, "bars: 95 % interval"))
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


def convergence(
    sums: ArrayLike,
    boards: ArrayLike | None = None,
    *,
    what: str = "payoff of the leader",
    unit: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw a running mean against boards, with its 95 % interval and its always-valid band.

    The interval holds for a number of boards that was fixed beforehand; the always-valid band
    holds at all numbers at once, however often one looks (Waudby-Smith and others 2024).

    Args:
        sums: shape (batches,), the sum over each batch of boards, in order.
        boards: shape (batches,), how many boards each batch holds; one if None.
        what: is averaged.
        unit: of the mean.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for fewer than three boards or batches of them.
    """
    totals = np.asarray(sums, dtype=np.float64)
    sizes = np.ones(len(totals)) if boards is None else np.asarray(boards, dtype=np.float64)
    if len(totals) < 3:
        raise RunError(f"convergence needs three boards or more, got {len(totals)}")
    n, means, fixed, always = _running(totals, sizes)
    with styled():
        axes = axes_or_new(axes, 3.9)
        first, second = look(0), look(1)
        axes.fill_between(
            n, means - always, means + always, facecolor="none", edgecolor=second.colour,
            hatch=second.hatch, linewidth=0, alpha=0.5, label="always valid",
        )  # fmt: skip
        for sign in (-1, 1):
            axes.plot(n, means + sign * always, "--", color=second.colour, linewidth=1)
        axes.fill_between(
            n, means - fixed, means + fixed, color=first.colour, alpha=0.4, label="95 %, fixed n"
        )
        axes.plot(n, means, color="black", linewidth=1.2, label="mean so far")
        axes.axhline(0, color=GREY, linewidth=0.8)
        _frame(axes, n, means, always)
        label(axes, x="boards", y=_with_unit(what, unit))
        last = number(float(means[-1]), float(fixed[-1]))
        title(axes, f"{last} after all boards", counted(int(n[-1])))
        legend_beside(axes)
    return axes


def _running(
    totals: FloatArray, sizes: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return boards so far, mean so far, and both half-widths, without the first few batches."""
    n, count = np.cumsum(sizes), np.arange(1, len(totals) + 1)
    mean = np.cumsum(totals) / n
    # of the batches' deviations, weighed by size: the variance of one board
    squares = np.cumsum(totals**2 / sizes) - n * mean**2
    variance = np.maximum(squares, 0)[1:] / (count[1:] - 1)
    deviation = np.sqrt(variance)
    fixed = stdtrit(count[1:] - 1, (1 + LEVEL) / 2) * deviation / np.sqrt(n[1:])
    always = [
        confidence_half_width(int(boards), float(spread))
        for boards, spread in zip(n[1:], deviation, strict=True)
    ]
    late = min(FEW_BATCHES, len(always) // 3)  # before, the deviation is hardly known
    return n[1:][late:], mean[1:][late:], fixed[late:], np.array(always)[late:]


def _frame(axes: Axes, n: FloatArray, means: FloatArray, widths: FloatArray) -> None:
    """Show the boards on a log scale, as far as the bands are not wider than the picture."""
    late = n >= FIRST_SHOWN * n[-1]
    low, high = float((means - widths)[late].min()), float((means + widths)[late].max())
    low, high = min(low, 0.0), max(high, 0.0)
    room = 0.06 * (high - low) or 1.0
    axes.set_ylim(low - room, high + room)
    axes.set_xscale("log")
    start = n[widths < high - low + room]
    axes.set_xlim(float(start[0]) if len(start) else float(n[0]), float(n[-1]) * 1.02)
    _plain_log(axes, "x")
    axes.grid(visible=True, alpha=0.3)


def _plain_log(axes: Axes, which: str) -> None:
    """Write the numbers of a log scale as they are."""
    tickers = load("matplotlib.ticker")
    axis: Any = axes.xaxis if which == "x" else axes.yaxis
    low, high = axis.get_view_interval()
    few = high / low < 50
    axis.set_major_locator(tickers.LogLocator(subs=(1, 2, 5) if few else (1,), numticks=12))
    axis.set_major_formatter(tickers.FuncFormatter(lambda value, _: _short(value)))
    axis.set_minor_formatter(tickers.NullFormatter())


def _short(value: float) -> str:
    """Return a number of an axis: ``0.05``, ``20``, ``10k``."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if sign == 'k' else size):g}{sign}"
    return f"{value:g}"


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
            axes, x="seat, in the order of play (bars: 95 % interval)", y=_with_unit("payoff", unit)
        )
        title(axes, "What a seat is worth, over all bots", count_range(list(seats["boards"])))
    return axes


def payoff_distribution(
    boards: Mapping[str, tuple[ArrayLike, ArrayLike]], *, unit: str = "", axes: Axes | None = None
) -> Axes:
    """Draw how often each payoff of a board came up, a row for each bot or each two bots.

    Args:
        boards: for each row its name, which may have two lines, the payoffs that occurred, and how
            often each.
        unit: of a payoff.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if there are no rows or no boards.
    """
    rows = {name: _sorted(*support) for name, support in boards.items()}
    if not rows or not all(counts.sum() for _, counts in rows.values()):
        raise RunError("a distribution of payoffs needs boards, got none")
    with styled():
        axes = axes_or_new(axes, max(2.8, 1.4 + 0.75 * len(rows)))
        bins = _bins(np.concatenate([values for values, _ in rows.values()]))
        names = [_drawn_row(axes, place, row, bins) for place, row in enumerate(rows.items())]
        name_ticks(axes.yaxis, range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.6, -0.9)
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color="black", linewidth=0.8, linestyle=":")
        wide = f"; bars {bins[1] - bins[0]:.3g} wide" if len(bins) else ""
        label(axes, x=_with_unit("payoff of a board", unit, f"diamond: mean{wide}"))
        totals = [int(counts.sum()) for _, counts in rows.values()]
        title(axes, "How the payoffs of boards are spread", count_range(totals))
    return axes


def _sorted(values: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return distinct values, ascending, and how often each came up."""
    given, times = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    distinct, places = np.unique(given, return_inverse=True)
    summed = np.zeros(len(distinct))
    np.add.at(summed, places, times)
    return distinct, summed


def _bins(values: FloatArray) -> FloatArray:
    """Return the edges of bins for many values; none where each can have a bar of its own."""
    distinct = np.unique(values)
    if len(distinct) <= FEW_VALUES:
        return np.empty(0)
    return np.linspace(distinct[0], distinct[-1], min(MOST_BINS, len(distinct)) + 1)


def _drawn_row(
    axes: Axes, place: int, row: tuple[str, tuple[FloatArray, FloatArray]], bins: FloatArray
) -> str:
    """Draw one row standing on its line; return its name with the height of its highest bar."""
    name, (values, counts) = row
    mean = float(values @ counts / counts.sum())
    lefts, widths, shares = values, np.zeros(0), counts / counts.sum()
    if len(bins):
        shares = np.histogram(values, bins, weights=shares)[0]
        lefts, widths = (bins[:-1] + bins[1:]) / 2, np.diff(bins)
    else:
        gap = float(np.diff(values).min()) if len(values) > 1 else 1.0
        widths = np.full(len(values), 0.8 * gap)
    mine = look(place)
    axes.bar(
        lefts, -0.8 * shares / shares.max(), widths, bottom=place, color=mine.colour, alpha=0.75,
        linewidth=0,
    )  # fmt: skip
    axes.axhline(place, color=GREY, linewidth=0.8)
    axes.plot(mean, place, "D", markersize=5, color="white", markeredgecolor="black", zorder=3)
    lines = name.split("\n")
    told = "\n".join(wrapped(line, 26, 1) if len(lines) > 1 else wrapped(line) for line in lines)
    return f"{told}\nhighest {100 * float(shares.max()):.3g} %"


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
        _plain_log(axes, "x")
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


def _with_unit(what: str, *notes: str) -> str:
    """Return the name of an axis with its unit and what else there is to say."""
    said = "; ".join(filter(None, notes))
    return f"{what} ({said})" if said else what
