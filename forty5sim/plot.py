"""Figures: one function each, with axes and units named, intervals shown, readable without colour.

The only module that imports matplotlib (``pip install "forty5sim[plot]"``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from forty5sim.errors import RunError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# one look for each bot: marker, line, colour (Okabe and Ito's palette)
LOOKS = {
    "mc": ("o", "-", "#0072B2"),
    "pimc": ("s", "--", "#D55E00"),
    "iimc": ("^", "-.", "#009E73"),
    "ismcts": ("D", ":", "#CC79A7"),
}
OTHER_LOOK = ("v", "-", "#555555")
MILLISECONDS = [unit * ten for ten in (0.01, 0.1, 1, 10, 100, 1000) for unit in (1, 2, 5)]


def _pyplot() -> Any:
    try:
        import_module("matplotlib").use("Agg")
        return import_module("matplotlib.pyplot")
    except ModuleNotFoundError:
        raise RunError('figures need matplotlib: pip install "forty5sim[plot]"') from None


def strength_ladder(table: pd.DataFrame) -> Figure:
    """Draw strength against thinking time, a panel for each game, from a ladder's table.

    Args:
        table: a row for each game, bot and budget, as ``studies.ladder`` writes it.
    """
    figure: Figure
    plt = _pyplot()
    games = list(dict.fromkeys(zip(table["game"], table["players"], strict=True)))
    columns = min(3, len(games))
    rows = -(-len(games) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(4.2 * columns, 3.4 * rows), squeeze=False, layout="constrained"
    )
    for panel, (game, players) in zip(grid.flat, games, strict=False):
        mine = table[(table["game"] == game) & (table["players"] == players)]
        strength_against_time(mine, panel)
        panel.set_title(f"{game.replace(':sides=', ', ')}, {players} players", fontsize=10)
    for panel in list(grid.flat)[len(games) :]:
        panel.set_axis_off()
    handles, names = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return figure


def strength_against_time(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw what bots win from the heuristic against their time a decision; bars are 95 %."""
    axes = _pyplot().gca() if axes is None else axes
    searching = table[table["bot"] != "random"]
    for bot, found in searching.groupby("bot", sort=False):
        marker, line, colour = LOOKS.get(str(bot), OTHER_LOOK)
        rows = found.sort_values("ms_mean")
        axes.errorbar(
            rows["ms_mean"], rows["payoff"], yerr=rows["payoff_ci"],
            marker=marker, linestyle=line, color=colour, capsize=3, markersize=5, label=str(bot),
        )  # fmt: skip
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(import_module("matplotlib.ticker").FixedLocator(MILLISECONDS))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(import_module("matplotlib.ticker").NullLocator())
    axes.set_xlabel("time a decision (ms, one core)")
    unit = table["unit"].iloc[0] if len(table) else "payoff"
    axes.set_ylabel(f"gain over heuristic\n({unit}, 95 % interval)")
    axes.grid(visible=True, alpha=0.3)
    return axes
