"""From sums to tables: what each bot won, took and did, each with its interval."""

from __future__ import annotations

from typing import Any

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.fields import LEVEL_NAMES, TRUMP_NAMES
from forty5sim.arena.tally import Tally
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT
from forty5sim.stats import elo_estimate


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


def duel_rows(tally: Tally) -> list[dict[str, Any]]:
    """Return a row for each two bots that met: what the first gained from the second.

    ``payoff_ci`` is the 95 % half-width; ``wins``, ``ties``, ``losses`` count boards; ``elo`` and
    its half-width come from the replays of a board in which it had more (``stats.scores``).
    """
    table = []
    for duel in tally.duels:
        payoff = duel.payoff
        wins, ties, losses = duel.outcomes
        elo = elo_estimate(*duel.score_support(), games=duel.replays)
        table.append(
            {
                "bot": tally.names[duel.first],
                "against": tally.names[duel.second],
                "payoff": payoff.mean,
                "payoff_ci": payoff.half_width,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "elo": elo.elo,
                "elo_ci": elo.error,
                "boards": payoff.n,
            }
        )
    return table


def seat_rows(tally: Tally) -> list[dict[str, Any]]:
    """Return a row for each seat in the order of play: what sitting there is worth.

    The mean payoff over all bots, which sit in every seat alike; ``payoff_ci`` as above.
    """
    players = tally.conditions.players
    names = ["eldest", *(f"seat {n}" for n in range(2, players)), "dealer"]
    table = []
    for name, sums in zip(names, tally.seats, strict=True):
        value = sums.estimate(tally.boards)
        row = {"seat": name, "payoff": value.mean, "payoff_ci": value.half_width}
        table.append({**row, "boards": value.n})
    return table


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
    forfeited = sum(tally.forfeits)
    if forfeited:
        number += f" ({forfeited} deals were forfeited)"
    if tally.boards < 2:
        return f"{tally.names[best]} gained {abs(value.mean):.3f} {unit}; one board says nothing"
    if value.mean == 0 and value.half_width == 0:
        return f"no difference at all between {' and '.join(tally.names)}; {boards}"
    if not value.is_clear:
        return f"no difference shown: {tally.names[best]} {number} ahead of {others}; {boards}"
    return f"{tally.names[best]} gains {number} on {others}; {boards}"
