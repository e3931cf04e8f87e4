"""Figures of board values: how they add up to a result, and how they are spread.

Each function takes arrays as ``load_run(folder).series()`` and its duels give them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from forty5sim.errors import RunError
from forty5sim.plot.style import (
    GREY,
    axes_or_new,
    count_range,
    counted,
    label,
    legend_beside,
    look,
    name_ticks,
    number,
    plain_log,
    styled,
    title,
    with_unit,
    wrapped,
)
from forty5sim.stats import LEVEL, confidence_half_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]

FEW_VALUES = 25
MOST_BINS = 60
FEW_BATCHES = 9
FIRST_SHOWN = 0.02
"""The share of boards after which the bands of ``convergence`` are to fit into the picture."""


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
        label(axes, x="boards", y=with_unit(what, unit))
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
    plain_log(axes, "x")
    axes.grid(visible=True, alpha=0.3)


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
        label(axes, x=with_unit("payoff of a board", unit, f"diamond: mean{wide}"))
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
