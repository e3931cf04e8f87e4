"""What a person reads of a tournament: the verdict, the standings, what the columns mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from forty5sim.arena.running import TournamentResult
from forty5sim.arena.standings import payoff_unit, shown_measures
from forty5sim.cards import SUIT_NAMES, SUIT_SIGNS
from forty5sim.stats import Estimate


@dataclass(frozen=True)
class Column:
    """How a measure is printed: its heading, its scale, and what it means."""

    heading: str
    scale: int
    meaning: str


COLUMNS = {
    "points": Column("points", 1, "points of the bot's side, a {what}"),
    "chips": Column("chips", 1, "net chips a {what}"),
    "tricks": Column("tricks", 1, "tricks won, a {what}"),
    "robs": Column("robs %", 100, "deals in which it robbed"),
    "jinks_made": Column("jinks made %", 100, "deals in which it jinked and won all tricks"),
    "jinks_failed": Column("jinks lost %", 100, "deals in which it jinked and failed"),
    "pots_won": Column("pots %", 100, "deals in which it won the pot"),
    "spoils": Column("spoiled %", 100, "deals at its tables that nobody won"),
    "against": Column("against", 1, "points of all other sides, a {what}"),
    "contracts": Column("played %", 100, "{whats} in which its bid was played"),
    "made": Column("made %", 100, "{whats} in which it made its bid"),
    "set": Column("set %", 100, "{whats} in which its bid was set"),
    "holds": Column("holds %", 100, "{whats} in which it held as dealer"),
    "games_won": Column("games %", 100, "games won, alone or shared"),
    "deals": Column("deals", 1, "deals to a game"),
}


def tournament_report(result: TournamentResult) -> RenderableType:
    """Return the verdict, the table and the legend, to be printed by rich in 80 columns."""
    parts: list[RenderableType] = [
        Text(result.verdict, style="bold"),
        standings_table(result),
        Text(legend(result), style="dim"),
    ]
    if result.contracts:
        parts += [Text(), contracts_table(result), trumps_table(result)]
        parts.append(Text(contracts_legend(result), style="dim"))
    parts += [Text(line, style="red") for line in fault_lines(result)]
    return Group(*parts)


def contracts_table(result: TournamentResult) -> Table:
    """Return how often each bot played, made and lost contracts of each level that occurred."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("bot", "contract"):
        table.add_column(heading)
    for heading in ("contracts", "played %", "made %", "set %"):
        table.add_column(heading, justify="right", no_wrap=True)
    last = ""
    for row in result.contracts:
        if row["contracts"] == 0:
            continue
        if last and row["bot"] != last:
            table.add_section()
        name = "" if row["bot"] == last else row["bot"]
        last = row["bot"]
        shares = (_in_line(row, measure) for measure in ("played", "made", "set"))
        table.add_row(Text(name), _level(row["contract"]), f"{row['contracts']:,}", *shares)
    return table


def _level(name: str) -> str:
    return name.replace("misere", "misère").replace("-", " ")


def trumps_table(result: TournamentResult) -> Table:
    """Return how often each bot's contracts had each suit as trumps, or none."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    suits = [key for key in result.trumps[0] if f"{key}_ci" in result.trumps[0]]
    suits = [suit for suit in suits if any(row[suit] for row in result.trumps)]
    table.add_column("trumps of its bids")
    for suit in suits:
        sign = "none %" if suit == "NT" else f"{SUIT_SIGNS[SUIT_NAMES.index(suit)]} %"
        table.add_column(sign, justify="right", no_wrap=True)
    for row in result.trumps:
        table.add_row(Text(row["bot"]), *(_in_line(row, suit) for suit in suits))
    return table


def _in_line(row: dict[str, Any], measure: str) -> str:
    """Return a share in percent with its half-width beside it."""
    value = Estimate(100 * row[measure], 100 * row[f"{measure}_ci"], int(row["boards"]))
    digits = value.digits()
    if math.isnan(value.half_width):
        return f"{value.mean:.{digits}f}"
    if value.mean == 0 and value.half_width == 0:
        return "none seen"
    return f"{value.mean:.{digits}f} ±{value.half_width:.{digits}f}"


def contracts_legend(result: TournamentResult) -> str:
    """Return what the table of contracts says."""
    what = "game" if result.conditions.whole_games else "deal"
    return (
        f"played, made, set: contracts of this level, per hundred {what}s that the bot sat in;\n"
        "±: half of the 95 % interval"
    )


def standings_table(result: TournamentResult) -> Table:
    """Return the standings: each value above the half-width of its 95 % interval."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("bot", overflow="fold")
    table.add_column("payoff", justify="right", no_wrap=True)
    measures = printed_measures(result)
    for measure in measures:
        table.add_column(COLUMNS[measure].heading, justify="right")
    for row in result.table:
        cells = [_cell(row, "payoff", 1, sign="+")]
        for measure in measures:
            sign = "+" if measure == "chips" else ""
            cells.append(_cell(row, measure, COLUMNS[measure].scale, sign=sign))
        table.add_row(Text(row["bot"]), *cells)
    return table


def printed_measures(result: TournamentResult) -> list[str]:
    """Return the measures that fit a line; the frame holds more."""
    measures = shown_measures(result.conditions)
    if result.contracts:  # these are told by the table of contracts
        measures = [m for m in measures if m not in ("tricks", "miseres", "miseres_made")]
    if result.conditions.whole_games:
        kept = ("games_won", "deals", "points", "chips", "against", "contracts", "made", "set")
        return [m for m in measures if m in kept]
    return measures


def _cell(row: dict[str, Any], measure: str, scale: int, *, sign: str) -> str:
    """Return a value above its half-width; a thing never seen has no interval of this kind."""
    value = Estimate(scale * row[measure], scale * row[f"{measure}_ci"], int(row["boards"]))
    digits = value.digits()
    number = f"{value.mean:{sign}.{digits}f}"
    if math.isnan(value.half_width):
        return f"{number}\n"
    if value.mean == 0 and value.half_width == 0 and measure != "payoff":
        return "none\nseen"
    return f"{number}\n±{value.half_width:.{digits}f}"


def legend(result: TournamentResult) -> str:
    """Return what the columns mean."""
    what = "game" if result.conditions.whole_games else "deal"
    whats = "deals"
    if not result.is_table:
        payoff = f"what a seat gains a {what} by this bot instead of its opponent"
    else:
        payoff = f"mean payoff of a seat, a {what}"
    unit = payoff_unit(result.conditions)
    if unit == "chips a deal":
        unit = "chips with a share of the pot left over"
    lines = [f"payoff: {payoff}, in {unit}"]
    for measure in printed_measures(result):
        lines.append(
            f"{COLUMNS[measure].heading}: {COLUMNS[measure].meaning.format(what=what, whats=whats)}"
        )
    boards = f"{result.boards:,}".replace(",", " ")
    seats = sorted(
        {f"{count:,}".replace(",", " ") for count in (row["seat_deals"] for row in result.table)}
    )
    lines.append(
        f"±: half of the 95 % interval over {boards} boards; a board is one {what} with all"
        f" its replays; a bot sat {' or '.join(seats)} times"
    )
    return "\n".join(lines)


def fault_lines(result: TournamentResult) -> list[str]:
    """Return a line for each bot that misbehaved: how often, and the first time."""
    lines = []
    for bot in dict.fromkeys(fault.bot for fault in result.faults):
        mine = [fault for fault in result.faults if fault.bot == bot]
        lines.append(f"{bot} forfeited {len(mine)} times; first: {mine[0]}")
    return lines
