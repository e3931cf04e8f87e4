"""Figures of the ladder: strength against thinking time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forty5sim.plot.style import (
    GREY,
    LOOKS,
    Look,
    axes_or_new,
    load,
    new_figure,
    styled,
    title,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SEARCHERS = dict(zip(("mc", "pimc", "iimc", "ismcts"), LOOKS, strict=False))
OTHER_LOOK = Look(GREY, "v", "-", "")
MILLISECONDS = [unit * ten for ten in (0.01, 0.1, 1, 10, 100, 1000) for unit in (1, 2, 5)]


def strength_ladder(table: pd.DataFrame) -> Figure:
    """Draw strength against thinking time, a panel for each game, from a ladder's table.

    Args:
        table: a row for each game, bot and budget, as ``studies.ladder`` writes it.
    """
    games = list(dict.fromkeys(zip(table["game"], table["players"], strict=True)))
    columns = min(3, len(games))
    rows = -(-len(games) // columns)
    with styled():
        figure = new_figure(4.2 * columns, 3.4 * rows)
        grid = figure.subplots(rows, columns, squeeze=False)
        for panel, (game, players) in zip(grid.flat, games, strict=False):
            mine = table[(table["game"] == game) & (table["players"] == players)]
            strength_against_time(mine, panel)
            title(panel, f"{game.replace(':sides=', ', ')}, {players} players")
        for panel in list(grid.flat)[len(games) :]:
            panel.set_axis_off()
        handles, names = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return figure


def strength_against_time(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw what bots win from the heuristic against their time a decision; bars are 95 %.

    Args:
        table: columns bot, ms_mean, payoff, payoff_ci, unit.
        axes: where to draw; a new figure if None.
    """
    with styled():
        axes = axes_or_new(axes, 3.6)
        searching = table[table["bot"] != "random"]
        for bot, found in searching.groupby("bot", sort=False):
            mine = SEARCHERS.get(str(bot), OTHER_LOOK)
            rows = found.sort_values("ms_mean")
            axes.errorbar(
                rows["ms_mean"], rows["payoff"], yerr=rows["payoff_ci"], marker=mine.marker,
                linestyle=mine.line, color=mine.colour, capsize=3, markersize=5, label=str(bot),
            )  # fmt: skip
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(load("matplotlib.ticker").FixedLocator(MILLISECONDS))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(load("matplotlib.ticker").NullLocator())
        unit = table["unit"].iloc[0] if len(table) else "payoff"
        axes.set_ylabel(f"gain over heuristic\n({unit}, 95 % interval)")
        axes.set_xlabel("time a decision (ms, one core)")
        axes.grid(visible=True, alpha=0.3)
    return axes
