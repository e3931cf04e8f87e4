"""Figures of the pot of Spoil Five: the chance a jink needs against it, and how long it lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forty5sim.errors import RunError
from forty5sim.named_rules import find_rules
from forty5sim.options import POT
from forty5sim.plot.style import (
    axes_or_new,
    count_range,
    label,
    legend_beside,
    load,
    look,
    number,
    plain_log,
    styled,
    title,
)
from forty5sim.rules import RuleSet
from forty5sim.rules.jinking import break_even as needed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

TABLES = (3, 4, 5)
MOST_CHIPS = 30
ALWAYS = "jinks made when always jinked"
ALWAYS_TOLD = "made, always jinking"
HELD = "trumps held: "
MOST_SPOILED = 12


def break_even(
    table: pd.DataFrame | None = None,
    players: int = 5,
    *,
    rules: RuleSet | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the chance that a jink needs to pay, for 3, 4 and 5 players, and shares of jinks made.

    The chance is the closed form, counting the share of the pot that a failed jink leaves to each,
    and not. Curves that fall together are drawn once.

    Args:
        table: jinks that were measured, or None: columns ``pot``, the chips from before,
            ``quantity``, ``stratum``, ``value``, ``value_ci`` and ``n``, as ``decision_value(
            "jink", pot=...).table.assign(pot=...)`` or ``results/jinking/summary.csv`` have them;
            where there are several ``players`` or ``policy``, those asked for and the first.
        players: at the table of the jinks that were measured.
        rules: of the game; Spoil Five if None.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: for a game without a pot, or a table without jinks of so many players.
    """
    game = find_rules("spoil-five") if rules is None else rules
    if game.family != POT:
        raise RunError(f"{game.id} has no pot that a jink is weighed against")
    made = None if table is None else _jinks(table, players)
    antes = players * int(game.ante)
    most = max(MOST_CHIPS, 0 if made is None else int(made["pot"].max()) + antes + 1)
    with styled():
        axes = axes_or_new(axes, 4.6)
        _draw_needed(axes, game, most, 0 if made is None else players)
        if made is not None:
            _draw_made(axes, made, antes)
        axes.set_xlim(0, most)
        axes.set_ylim(0, 1)
        axes.grid(visible=True, alpha=0.3)
        label(
            axes,
            x="pot when the jink is declared (chips, antes in)",
            y="chance of a jink" + ("" if made is None else " (bars: 95 % interval)"),
        )
        note = "closed form"
        if made is not None:
            counts = count_range([int(n) for n in made["n"]], "jinks")
            by = f", {made['policy'].iloc[0]}" if "policy" in made else ""
            note = f"points: {players} players{by}; {counts}"
        title(axes, "When a jink pays", note)
        legend_beside(axes, handlelength=3.4)
    return axes


def _jinks(table: pd.DataFrame, players: int) -> pd.DataFrame:
    """Return the measured shares of jinks made: of all, and by the trumps held."""
    rows = table[(table["quantity"] == "success") & (table["n"] > 1)]
    if "players" in rows:
        rows = rows[rows["players"] == players]
    if "policy" in rows and len(rows):
        rows = rows[rows["policy"] == rows["policy"].iloc[0]]
    rows = rows[(rows["stratum"] == ALWAYS) | rows["stratum"].str.startswith(HELD)]
    if not len(rows):
        raise RunError(f"there are no jinks of {players} players to draw in this table")
    return rows


def _draw_needed(axes: Axes, rules: RuleSet, most: int, measured: int) -> None:
    """Draw the chances that are needed, those of the measured table thicker."""
    pots = np.linspace(min(TABLES) * int(rules.ante), most, 100)
    for place, (curve, names) in enumerate(_curves(rules, pots)):
        mine = any(players == measured for players, _ in names)
        told = [f"{players} players{'' if left else ', no share left'}" for players, left in names]
        axes.plot(
            pots, curve, color="black", linestyle=look(place).line, linewidth=2.2 if mine else 1.1,
            label="needed, " + "\n= ".join(told),
        )  # fmt: skip


def _curves(
    rules: RuleSet, pots: NDArray[np.float64]
) -> list[tuple[NDArray[np.float64], list[tuple[int, bool]]]]:
    """Return curves, the highest first, and what each is of: players, and the share left or not."""
    curves: list[tuple[NDArray[np.float64], list[tuple[int, bool]]]] = []
    for left in (True, False):
        for players in TABLES:
            curve = np.array([needed(rules, players, float(p), share_left=left) for p in pots])
            same = [names for other, names in curves if np.allclose(other, curve)]
            if same:
                same[0].append((players, left))
            else:
                curves.append((curve, [(players, left)]))
    return sorted(curves, key=lambda one: -float(one[0][-1]))


def _draw_made(axes: Axes, made: pd.DataFrame, antes: int) -> None:
    """Draw the measured shares, kinds a little beside each other."""
    for place, (name, rows) in enumerate(made.groupby("stratum", sort=False)):
        mine, share, error = look(place), rows["value"], rows["value_ci"]
        axes.errorbar(
            rows["pot"] + antes + 0.15 * place, share,
            yerr=[np.minimum(error, share), np.minimum(error, 1 - share)], marker=mine.marker,
            markersize=4.5, color=mine.colour, capsize=3, linestyle="none",
            label=ALWAYS_TOLD if name == ALWAYS else f"made, {name}",
        )  # fmt: skip


def pot_lives(table: pd.DataFrame, *, heading: str = "", axes: Axes | None = None) -> Axes:
    """Draw how many pots are still there after deals spoiled in a row, by number of players.

    Args:
        table: columns ``players``, ``quantity``, ``stratum``, ``value``, ``value_ci`` and ``n``, as
            ``follow_pots`` gives them for each number of players.
        heading: of the figure.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if the table has no pots.
    """
    standing = table[table["quantity"] == "standing"]
    if not len(standing):
        raise RunError("there are no pots to draw: the table has no rows of them")
    with styled():
        axes = axes_or_new(axes, 4.4)
        shown = standing[standing["stratum"].astype(int) <= MOST_SPOILED]
        several = list(shown.groupby("players", sort=True))
        for place, (players, rows) in enumerate(several):
            spoiled, mine = rows["stratum"].astype(int), look(place)
            axes.errorbar(
                spoiled + 0.08 * (place - (len(several) - 1) / 2), 100 * rows["value"],
                yerr=100 * np.array(
                    [np.minimum(rows["value_ci"], 0.9 * rows["value"]),
                     np.minimum(rows["value_ci"], 1 - rows["value"])]
                ),
                marker=mine.marker, linestyle=mine.line, color=mine.colour, capsize=3,
                markersize=4.5, linewidth=1, label=_told(table[table["players"] == players]),
            )  # fmt: skip
        axes.set_yscale("log")
        plain_log(axes, "y")
        axes.xaxis.set_major_locator(load("matplotlib.ticker").MaxNLocator(integer=True))
        axes.grid(visible=True, alpha=0.3)
        label(
            axes, x="deals without a winner in a row",
            y="pots still there (% of new pots; bars: 95 % interval)",
        )  # fmt: skip
        counts = count_range([int(n) for n in standing["n"]], "new pots each")
        title(axes, heading or "How long a pot lasts", counts)
        legend_beside(axes, labelspacing=0.9)
    return axes


def _told(table: pd.DataFrame) -> str:
    """Return what the legend says of one number of players."""
    deals = table[table["quantity"] == "deals"].iloc[0]
    first = table[(table["quantity"] == "pot") & (table["stratum"].astype(str) == "1")]
    grows = f",\n{first['value'].iloc[0]:g} chips left by the first" if len(first) else ""
    lasts = number(deals["value"], deals["value_ci"], sign="")
    return f"{deals['players']} players: {lasts} deals a pot{grows}"
