"""From rows of counts to a table: what each bot won, took and did, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.arena.match import Conditions, Rows
from forty5sim.arena.schedule import Pairing
from forty5sim.bids import AUCTION_NAMES
from forty5sim.cards import SUIT_NAMES
from forty5sim.kernels import rows
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT
from forty5sim.rules import RuleSet
from forty5sim.stats import Estimate, estimate

MEASURES = {
    "points": rows.BLOCK_POINTS,
    "tricks": rows.BLOCK_TRICKS,
    "robs": rows.BLOCK_ROBS,
    "jinks_made": rows.BLOCK_JINKS_MADE,
    "jinks_failed": rows.BLOCK_JINKS_FAILED,
    "pots_won": rows.BLOCK_POTS,
    "games_won": rows.BLOCK_WINS,
}
"""What is counted for each seat, beside the payoff."""

LEVEL_NAMES = {
    AUCTION: AUCTION_NAMES,
    FIVE_HUNDRED: ("6", "7", "8", "9", "10", "misere", "open-misere"),
}
"""The levels by which contracts are counted, in a row's order."""

TRUMP_NAMES = (*SUIT_NAMES, "NT")

HEAD_MEASURES = {"spoils": rows.ROW_SPOILS, "deals": rows.ROW_DEALS}
"""What is counted for each table and so for every seat at it."""


def measures_of(rules: RuleSet) -> dict[str, int]:
    """Return what is counted for each seat in a game, and the block of a row that counts it."""
    if not rules.has_auction:
        return MEASURES
    levels = LEVEL_NAMES[rules.family]
    return {
        **MEASURES,
        "against": rows.BLOCK_AGAINST,
        "holds": rows.BLOCK_HOLDS,
        **{f"played_{name}": rows.BLOCK_PLAYED + i for i, name in enumerate(levels)},
        **{f"made_{name}": rows.BLOCK_MADE + i for i, name in enumerate(levels)},
        **{f"trumps_{name}": rows.BLOCK_TRUMPS + i for i, name in enumerate(TRUMP_NAMES)},
    }


def sums_of(rules: RuleSet) -> dict[str, dict[str, int]]:
    """Return what is told beside: each the sum of other measures, or their difference."""
    if not rules.has_auction:
        return {}
    levels = LEVEL_NAMES[rules.family]
    played = {f"played_{name}": 1 for name in levels}
    made = {f"made_{name}": 1 for name in levels}
    told = {"contracts": played, "made": made, "set": played | dict.fromkeys(made, -1)}
    for name in levels:
        told[f"set_{name}"] = {f"played_{name}": 1, f"made_{name}": -1}
    if rules.family == FIVE_HUNDRED:
        told["miseres"] = {"played_misere": 1, "played_open-misere": 1}
        told["miseres_made"] = {"made_misere": 1, "made_open-misere": 1}
    return told


def column_names(rules: RuleSet, players: int) -> list[str]:
    """Return the names of a row's fields, in order."""
    blocks = ["payoff", *measures_of(rules)]
    head = ["deals", "spoils", "pot", "forfeit"]
    return head + [f"{block}_{seat}" for block in blocks for seat in range(players)]


@dataclass
class Sums:
    """Exact sums of a bot's board values: the values, their squares, what divides them."""

    total: int = 0
    squares: int = 0
    divisor: int = 0

    def add(self, values: NDArray[np.int64]) -> None:
        """Add the values of some boards."""
        self.total += int(values.sum())
        self.squares += sum(int(v) * int(c) for v, c in zip(*_square_counts(values), strict=True))


def _square_counts(values: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the squares that occur, as Python ints that cannot overflow, and how often each."""
    distinct, counts = np.unique(np.abs(values), return_counts=True)
    return [int(value) ** 2 for value in distinct], counts.tolist()


@dataclass
class Tally:
    """The running sums of a tournament; chunks may be added in any order."""

    conditions: Conditions
    names: Sequence[str]
    pairings: Sequence[Pairing]
    boards: int = 0
    sums: dict[tuple[str, int], Sums] = field(default_factory=dict)
    forfeits: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.measures = measures_of(self.conditions.rules)
        self.combined = sums_of(self.conditions.rules)
        self.forfeits = [0] * len(self.names)
        for bot in range(len(self.names)):
            mine = [pairing for pairing in self.pairings if bot in pairing.bots]
            seats = sum(s.count(bot) for pairing in mine for s in pairing.seatings)
            for measure in ("payoff", *self.measures, *HEAD_MEASURES, *self.combined):
                self.sums[measure, bot] = Sums(divisor=seats)
            divisors = [int(p.divisor[p.bots.index(bot)]) for p in mine]
            self.sums["payoff", bot].divisor = sum(divisors) * self.conditions.payoff_units

    def add(self, results: Sequence[Rows]) -> None:
        """Add a chunk: the rows of the same boards for every pairing, in their order."""
        boards = results[0].shape[0]
        self.boards += boards
        for bot in range(len(self.names)):
            values = {m: np.zeros(boards, dtype=np.int64) for m, b in self.sums if b == bot}
            for pairing, result in zip(self.pairings, results, strict=True):
                if bot in pairing.bots:
                    self._add_pairing(values, pairing, result, bot)
            for measure, parts in self.combined.items():
                for part, sign in parts.items():
                    values[measure] += sign * values[part]
            for measure, column in values.items():
                self.sums[measure, bot].add(column)

    def _add_pairing(
        self, values: dict[str, NDArray[np.int64]], pairing: Pairing, result: Rows, bot: int
    ) -> None:
        players = self.conditions.players
        mine = np.array(pairing.seatings) == bot
        weights = pairing.weights[pairing.bots.index(bot)]
        values["payoff"] += np.einsum(
            "brs,rs->b", _block(result, rows.BLOCK_PAYOFF, players), weights
        )
        for measure, number in self.measures.items():
            values[measure] += np.einsum("brs,rs->b", _block(result, number, players), mine)
        for measure, head in HEAD_MEASURES.items():
            values[measure] += result[:, :, head] @ mine.sum(axis=1)
        forfeit = result[:, :, rows.ROW_FORFEIT]
        for replay, seating in enumerate(pairing.seatings):
            for seat in np.nonzero(np.array(seating) == bot)[0]:
                self.forfeits[bot] += int((forfeit[:, replay] == seat).sum())

    def estimate(self, measure: str, bot: int) -> Estimate:
        """Return a measure of a bot per deal (per game), with its interval over boards."""
        sums = self.sums[measure, bot]
        return estimate(sums.total, sums.squares, self.boards, sums.divisor)

    def running_estimate(self) -> str:
        """Return the leader's payoff so far, for a progress bar."""
        best = max(range(len(self.names)), key=lambda bot: self.estimate("payoff", bot).mean)
        value = self.estimate("payoff", best)
        digits = value.digits()
        return f"{self.names[best]} {value.mean:+.{digits}f} ± {value.half_width:.{digits}f}"


def _block(result: Rows, number: int, players: int) -> Rows:
    start = rows.HEAD_SIZE + number * players
    return result[:, :, start : start + players]


def shown_measures(conditions: Conditions) -> list[str]:
    """Return the measures that say something in this game, in the order of the table."""
    if conditions.rules.has_auction:
        return _shown_of_auctions(conditions)
    pot = conditions.rules.family == POT
    jinks = ["jinks_made", "jinks_failed"] if conditions.rules.jink == "on" else []
    robs = ["robs"] if conditions.rules.turns_up else []
    games = ["games_won", "deals"] if conditions.whole_games else []
    pots = ["pots_won"] if pot else []
    spoils = ["spoils"] if pot else []
    points = "chips" if pot else "points"
    return [*games, points, "tricks", *pots, *robs, *jinks, *spoils]


def _shown_of_auctions(conditions: Conditions) -> list[str]:
    rules = conditions.rules
    games = ["games_won", "deals"] if conditions.whole_games else []
    miseres = []
    if rules.family == FIVE_HUNDRED and rules.misere != "off":
        miseres = ["miseres", "miseres_made"]
    holds = ["holds"] if rules.family == AUCTION and rules.dealer_hold == "on" else []
    return [*games, "points", "against", "tricks", "contracts", "made", "set", *miseres, *holds]


def contract_rows(tally: Tally) -> list[dict[str, Any]]:
    """Return a row for each bot and level of contract: how often it was played, made and set.

    Shares of the deals it sat in; ``x_ci`` is the 95 % half-width of ``x``. None in games without
    an auction.
    """
    rules = tally.conditions.rules
    table = []
    for bot, name in enumerate(tally.names):
        for level in LEVEL_NAMES.get(rules.family, ()):
            row: dict[str, Any] = {"bot": name, "contract": level}
            for measure in ("played", "made", "set"):
                value = tally.estimate(f"{measure}_{level}", bot)
                row[measure], row[f"{measure}_ci"] = value.mean, value.half_width
            row["contracts"] = tally.sums[f"played_{level}", bot].total
            row["boards"] = tally.boards
            table.append(row)
    return table


def trump_rows(tally: Tally) -> list[dict[str, Any]]:
    """Return a row for each bot: in what share of deals it named each suit trumps, or none."""
    table = []
    for bot, name in enumerate(tally.names):
        row: dict[str, Any] = {"bot": name}
        for suit in TRUMP_NAMES if tally.conditions.rules.has_auction else ():
            value = tally.estimate(f"trumps_{suit}", bot)
            row[suit], row[f"{suit}_ci"] = value.mean, value.half_width
        row["boards"] = tally.boards
        table.append(row)
    return table


def standings_rows(tally: Tally) -> list[dict[str, Any]]:
    """Return a row for each bot, best payoff first; ``x_ci`` is the 95 % half-width of ``x``."""
    table = []
    for bot, name in enumerate(tally.names):
        row: dict[str, Any] = {"bot": name}
        for measure in ("payoff", *shown_measures(tally.conditions)):
            value = tally.estimate("points" if measure == "chips" else measure, bot)
            row[measure], row[f"{measure}_ci"] = value.mean, value.half_width
        row["forfeits"] = tally.forfeits[bot]
        row["seat_deals"] = tally.sums["tricks", bot].divisor * tally.boards
        row["boards"] = tally.boards
        table.append(row)
    return sorted(table, key=lambda row: -row["payoff"])


def payoff_unit(conditions: Conditions) -> str:
    """Return what a payoff is counted in: ``points a deal``, ``chips a game``, …"""
    if conditions.whole_games:
        return "chips a game" if conditions.rules.family == POT else "games a game"
    return "chips a deal" if conditions.rules.family == POT else "points a deal"


def verdict(tally: Tally) -> str:
    """Return the result in one sentence, with its interval and sample size."""
    order = sorted(range(len(tally.names)), key=lambda b: -tally.estimate("payoff", b).mean)
    best, value = order[0], tally.estimate("payoff", order[0])
    unit = payoff_unit(tally.conditions).replace("games a game", "of a win a game")
    boards = f"{tally.boards:,} boards".replace(",", " ")
    others = f"the other {len(order) - 1} bots" if len(order) > 2 else tally.names[order[-1]]
    digits = value.digits()
    number = f"{abs(value.mean):.{digits}f} ± {value.half_width:.{digits}f} {unit}"
    if tally.boards < 2:
        return f"{tally.names[best]} gained {abs(value.mean):.3f} {unit}; one board says nothing"
    if value.mean == 0 and value.half_width == 0:
        return f"no difference at all between {' and '.join(tally.names)}; {boards}"
    if not value.is_clear:
        return f"no difference shown: {tally.names[best]} {number} ahead of {others}; {boards}"
    return f"{tally.names[best]} gains {number} on {others}; {boards}"
