"""What a person reads of a tournament in a terminal: the verdict, the tables, what they mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from forty5sim.arena.plan import Plan
from forty5sim.arena.planning import Forecast
from forty5sim.arena.result import TournamentResult
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
    parts: list[RenderableType] = [Text(result.verdict, style="bold")]
    if result.conclusion:
        parts.append(Text(result.conclusion))
    parts += [standings_table(result), Text(legend(result), style="dim")]
    if len(result.duels) > 1:
        parts += [Text(), duels_table(result), Text(DUELS_LEGEND, style="dim")]
    if result.contracts:
        parts += [Text(), contracts_table(result), trumps_table(result)]
        parts.append(Text(contracts_legend(result), style="dim"))
    parts += [Text(line, style="red") for line in fault_lines(result)]
    return Group(*parts)


DUELS_LEGEND = """\
gain: of the bot from the other one, in the unit of the payoff
won, tied, lost: boards on which it gained, gained nothing, lost
Elo: from the replays in which it had more"""


def duels_table(result: TournamentResult) -> Table:
    """Return what each bot gained from each other one, with intervals."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("bot", "against"):
        table.add_column(heading, overflow="fold")
    for heading in ("gain", "won %", "tied %", "lost %", "Elo"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in result.duels:
        table.add_row(Text(row["bot"]), Text(row["against"]), *duel_cells(row))
    return table


def duel_cells(row: dict[str, Any]) -> list[str]:
    """Return the figures of a duel: gain, shares of boards won, tied and lost, Elo."""
    shares = [f"{100 * row[name] / row['boards']:.1f}" for name in ("wins", "ties", "losses")]
    elo, error = row["elo"], row["elo_ci"]
    rating = f"{elo:+.0f} ±{error:.0f}" if math.isfinite(error) else f"{elo:+.0f} ±∞"
    return [cell(row, "payoff", sign="+").replace("\n", " ").strip(), *shares, rating]


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
        shares = (share_cell(row, measure) for measure in ("played", "made", "set"))
        table.add_row(Text(name), level_name(row["contract"]), f"{row['contracts']:,}", *shares)
    return table


def level_name(name: str) -> str:
    """Return the name of a level of contract, as it is shown."""
    return name.replace("misere", "misère").replace("-", " ")


def trumps_table(result: TournamentResult) -> Table:
    """Return how often each bot's contracts had each suit as trumps, or none."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    suits = shown_trumps(result)
    table.add_column("trumps of its bids")
    for suit in suits:
        table.add_column(trump_heading(suit), justify="right", no_wrap=True)
    for row in result.trumps:
        table.add_row(Text(row["bot"]), *(share_cell(row, suit) for suit in suits))
    return table


def shown_trumps(result: TournamentResult) -> list[str]:
    """Return the suits that were trumps in some contract, and ``NT``."""
    suits = [key for key in result.trumps[0] if f"{key}_ci" in result.trumps[0]]
    return [suit for suit in suits if any(row[suit] for row in result.trumps)]


def trump_heading(suit: str) -> str:
    """Return the heading of a trump suit."""
    return "none %" if suit == "NT" else f"{SUIT_SIGNS[SUIT_NAMES.index(suit)]} %"


def share_cell(row: dict[str, Any], measure: str) -> str:
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
        cells = [cell(row, "payoff", 1, sign="+")]
        for measure in measures:
            sign = "+" if measure == "chips" else ""
            cells.append(cell(row, measure, COLUMNS[measure].scale, sign=sign))
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


def cell(row: dict[str, Any], measure: str, scale: int = 1, *, sign: str = "") -> str:
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


def forecast_lines(plan: Plan, forecasts: Sequence[Forecast], cores: int) -> list[str]:
    """Return what it takes to see an effect, a line for each two bots that meet."""
    unit = payoff_unit(plan.conditions)
    lines = []
    for found in forecasts:
        who = f"{found.bot} against {found.against}" if found.against else found.bot
        lines.append(
            f"{who}: {_spaced(found.boards)} boards ({_spaced(found.fewest)} to"
            f" {_spaced(found.most)}) to see a gain of {found.effect:g} {unit} in"
            f" {100 * found.power:.0f} of 100 runs; {duration(found.seconds)} on {cores} cores"
        )
    if forecasts:
        lines.append(f"from a pilot of {_spaced(forecasts[0].pilot)} boards")
    return lines


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

    >>> duration(5400)
    '1.5 hours'
    """
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} seconds"
