"""Figures of decisions: what bots did where they had a choice.

Each function takes the table of decisions as ``load_run(folder).decisions`` gives it
(``docs/records.md``). The decisions of a board go together, so intervals are clustered by board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from forty5sim.errors import RunError
from forty5sim.plot.shares import Share, clustered_share
from forty5sim.plot.style import (
    axes_or_new,
    count_range,
    label,
    legend_beside,
    load,
    look,
    name_rows,
    styled,
    title,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROW = 0.52
BID_ROW = 0.16
BESIDE = 0.46
COMMON_DEALS = 0.25
"""The share of boards that have to have come to a deal for its pot to be drawn."""

BOWERS = {"S": "JC", "C": "JS", "D": "JH", "H": "JD"}
SUITS = ("S", "C", "D", "H", "NT")


def renege_use(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how often each bot reneged where it could: kept a high trump back from a trump led.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if nobody could renege; says what can be drawn.
    """
    could = _could_renege(decisions)
    _need(could, "renege_use", "in no decision could a bot renege", decisions)
    return _rates(
        could, could["way"] == "renege", "How often a bot reneged where it could", "reneged", axes
    )


def _could_renege(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions on a trump led in which both a trump and a plain card were legal."""
    plays = decisions[decisions["way"].isin(["follow", "renege"])]
    could = [
        way == "renege" or (is_trump(choice, trump) and _has_plain(legal, trump))
        for way, choice, legal, trump in zip(
            plays["way"], plays["choice"], plays["legal"], plays["trump"], strict=True
        )
    ]
    fingers = _has_five_fingers(decisions)
    return plays[np.array(could, dtype=bool) & fingers]


def _has_five_fingers(decisions: pd.DataFrame) -> bool:
    """Say whether this game has reneging: it is not Five Hundred, which alone has these."""
    return not (decisions["trump"] == "NT").any() and not decisions["kind"].isin(["assign"]).any()


def is_trump(card: str, trump: str, *, bowers: bool = False) -> bool:
    """Say whether a card is a trump: of the suit, the joker, the ace of hearts or a bower."""
    if trump in ("", "NT"):
        return False
    other = BOWERS[trump] if bowers else "AH"
    return card in ("JK", other) or card.endswith(trump)


def _has_plain(legal: str, trump: str) -> bool:
    return any(not is_trump(card, trump) for card in legal.split())


def rob_rates(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how often each bot robbed the turn-up where it had the right to.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if nobody could rob; says what can be drawn.
    """
    rows = decisions[decisions["kind"] == "rob"]
    _need(rows, "rob_rates", "in no decision could a bot rob", decisions)
    robbed = rows["way"] == "rob"
    return _rates(rows, robbed, "How often a bot robbed where it could", "robbed", axes)


def jink_rates(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how often each bot jinked: went on for all tricks with the pot won already.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if nobody could jink; says what can be drawn.
    """
    rows = decisions[decisions["kind"] == "jink"]
    _need(rows, "jink_rates", "in no decision could a bot jink", decisions)
    jinked = rows["way"] == "jink"
    return _rates(rows, jinked, "How often a bot jinked where it could", "jinked", axes)


def _rates(rows: pd.DataFrame, hits: Any, what: str, did: str, axes: Axes | None) -> Axes:
    """Draw a share for each bot, in percent, with its interval."""
    shares = {
        str(bot): clustered_share(hits[mine], rows["board"][mine])
        for bot, mine in rows.groupby("bot", sort=False).groups.items()
    }
    with styled():
        axes = axes_or_new(axes, 1.4 + ROW * len(shares))
        for place, share in enumerate(shares.values()):
            _point(axes, share, place, place)
        told = [
            f"{wrapped(bot)}\nn = {share.decisions:,} decisions" for bot, share in shares.items()
        ]
        name_rows(axes, [text.replace(",", " ") for text in told])
        axes.set_xlim(-3, 103)
        label(axes, x=f"{did} (% of decisions; bars: 95 % interval, clustered by board)")
        title(axes, what, count_range([share.boards for share in shares.values()]))
    return axes


def _point(axes: Axes, share: Share, at: float, bot: int, name: str | None = None) -> None:
    """Draw a share in percent with its interval, in the look of a bot."""
    mine = look(bot)
    middle = 100 * share.share
    reach = [[max(0.0, middle - 100 * share.low)], [max(0.0, 100 * share.high - middle)]]
    axes.errorbar(
        middle, at, xerr=reach, marker=mine.marker, color=mine.colour, markersize=6, capsize=3,
        linestyle="none", label=name,
    )  # fmt: skip


def lead_choices(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how often each bot led a trump, trick by trick, where it held trumps and others.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if there is no such lead; says what can be drawn.
    """
    leads = _mixed_leads(decisions)
    _need(leads, "lead_choices", "no bot led from trumps and other cards", decisions)
    bowers = not _has_five_fingers(decisions)
    trumps = np.array(
        [
            is_trump(card, trump, bowers=bowers)
            for card, trump in zip(leads["choice"], leads["trump"], strict=True)
        ]
    )
    leads = leads.assign(is_trump=trumps)
    with styled():
        groups = leads.groupby("bot", sort=False)
        axes = axes_or_new(axes, max(3.7, 1 + BESIDE * len(groups)))
        for place, (bot, mine) in enumerate(groups):
            _lead_line(axes, mine, place, f"{wrapped(str(bot))}\n(n = {len(mine)})", len(groups))
        axes.xaxis.set_major_locator(load("matplotlib.ticker").MaxNLocator(integer=True))
        axes.set_ylim(-3, 103)
        axes.grid(visible=True, alpha=0.3)
        label(axes, x="trick", y="% of leads (bars: 95 % interval)")
        note = "from trumps and other cards; n leads beside"
        title(axes, "How often a trump is led", note)
        legend_beside(axes)
    return axes


def _mixed_leads(decisions: pd.DataFrame) -> pd.DataFrame:
    leads = decisions[(decisions["kind"] == "play") & (decisions["position"] == 0)]
    held = np.array([len(hand.split()) for hand in leads["hand"]], dtype=np.int64)
    return leads[(leads["trumps_held"] > 0) & (leads["trumps_held"] < held)]


def _lead_line(axes: Axes, leads: pd.DataFrame, place: int, name: str, bots: int) -> None:
    """Draw the leads of one bot, a little beside those of the others."""
    shares = {
        trick: clustered_share(mine["is_trump"], mine["board"])
        for trick, mine in leads.groupby("trick")
    }
    found = 100 * np.array([[s.share, s.low, s.high] for s in shares.values()])
    mine = look(place)
    axes.errorbar(
        np.array(list(shares), dtype=float) + _beside(place, bots, 0.12),
        found[:, 0],
        yerr=np.maximum(0, [found[:, 0] - found[:, 1], found[:, 2] - found[:, 0]]),
        marker=mine.marker, linestyle=mine.line, color=mine.colour, capsize=3, markersize=5,
        linewidth=1, label=name,
    )  # fmt: skip


def bidding_profile(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw how often each bot made each call, of all calls in which it had a choice.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if there is no auction; says what can be drawn.
    """
    calls = decisions[decisions["kind"] == "auction"]
    _need(calls, "bidding_profile", "there is no auction", decisions)
    calls = calls.assign(call=[_level(choice) for choice in calls["choice"]])
    levels = sorted(set(calls["call"]), key=_rank)
    bots = list(dict.fromkeys(calls["bot"]))
    with styled():
        axes = axes_or_new(
            axes, 1.4 + max(BESIDE * len(bots), len(levels) * max(0.36, BID_ROW * len(bots)))
        )
        for place, bot in enumerate(bots):
            mine = calls[calls["bot"] == bot]
            offset = _beside(place, len(bots), 0.2)
            for row, level in enumerate(levels):
                share = clustered_share(mine["call"] == level, mine["board"])
                name = f"{wrapped(str(bot))}\n(n = {len(mine)})" if row == 0 else None
                _point(axes, share, row + offset, place, name)
        name_rows(axes, [level.replace("misere", "misère").replace("-", " ") for level in levels])
        axes.set_xlim(left=-2)
        label(axes, x="% of calls (bars: 95 % interval, clustered by board)", y="call")
        title(axes, "What each bot calls", "where it had a choice; n calls beside")
        legend_beside(axes)
    return axes


def _beside(place: int, bots: int, gap: float) -> float:
    """Return how far from a place of the axis a bot is drawn, so that none hides another."""
    return (place - (bots - 1) / 2) * min(gap, 0.8 / bots)


def _level(call: str) -> str:
    """Return the level of a call without its suit."""
    for suit in sorted(SUITS, key=len, reverse=True):
        if call.endswith(suit) and call[: -len(suit)].isdigit():
            return call[: -len(suit)]
    return call


def _rank(level: str) -> tuple[int, int, str]:
    """Return where a call stands in the list: passing first, then numbers, then the others."""
    return (
        0 if level == "pass" else 2 - level.isdigit(),
        int(level) if level.isdigit() else 0,
        level,
    )


def pot_growth(decisions: pd.DataFrame, *, axes: Axes | None = None) -> Axes:
    """Draw the pot at the start of each deal of whole games, with its 95 % interval over boards.

    Args:
        decisions: the table of decisions.
        axes: where to draw; a new figure if None.

    Raises:
        RunError: if there are no whole games with a pot; says what can be drawn.
    """
    _need(_pots(decisions), "pot_growth", "it has no whole games with a pot", decisions)
    deals = _pots(decisions).groupby(["deal", "board"])["pot_before"].mean().groupby("deal")
    found = deals.agg(["mean", "std", "count"])
    found = found[found["count"] >= max(2, COMMON_DEALS * found["count"].max())]
    _need(found, "pot_growth", "no deal was reached on two boards", decisions)
    stdtrit = load("scipy.special").stdtrit
    width = stdtrit(found["count"] - 1, 0.975) * found["std"] / np.sqrt(found["count"])
    with styled():
        axes = axes_or_new(axes, 3.5)
        mine = look(0)
        axes.fill_between(
            found.index + 1, found["mean"] - width, found["mean"] + width, alpha=0.3,
            color=mine.colour, label="95 % interval",
        )  # fmt: skip
        axes.plot(
            found.index + 1, found["mean"], "o-", color=mine.colour, markersize=3, label="mean"
        )
        axes.xaxis.set_major_locator(load("matplotlib.ticker").MaxNLocator(integer=True))
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, alpha=0.3)
        label(axes, x="deal of the game", y="pot at the start of the deal (chips)")
        counts = [int(count) for count in found["count"]]
        title(axes, "How the pot grows", count_range(counts, "boards that came to a deal"))
        legend_beside(axes)
    return axes


def _pots(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the first decision of each deal of whole games with a pot."""
    if not (decisions["deal"] > 0).any() or not (decisions["pot_before"] > 0).any():
        return decisions.iloc[:0]
    return decisions.drop_duplicates(["pairing", "board", "replay", "deal"])


DATA: dict[str, Callable[[Any], Any]] = {
    "renege_use": _could_renege,
    "rob_rates": lambda decisions: decisions[decisions["kind"] == "rob"],
    "jink_rates": lambda decisions: decisions[decisions["kind"] == "jink"],
    "lead_choices": _mixed_leads,
    "bidding_profile": lambda decisions: decisions[decisions["kind"] == "auction"],
    "pot_growth": _pots,
}
"""The rows that each figure of decisions is drawn from."""


def drawable(decisions: pd.DataFrame) -> list[str]:
    """Return the names of the figures of decisions for which this run has data."""
    return [name for name, rows in DATA.items() if len(rows(decisions))]


def _need(rows: Sequence[Any] | pd.DataFrame, name: str, why: str, decisions: pd.DataFrame) -> None:
    """Raise if there are no rows for a figure."""
    if len(rows) == 0:
        others = ", ".join(other for other in drawable(decisions) if other != name) or "none"
        raise RunError(f"no {name}: {why} of this run; of its decisions can be drawn: {others}")
