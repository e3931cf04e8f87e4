"""What a row of a run counts: the measures of each seat, their columns, what is told beside."""

from __future__ import annotations

from forty5sim.bids import AUCTION_NAMES
from forty5sim.cards import SUIT_NAMES
from forty5sim.kernels import rows
from forty5sim.options import AUCTION, FIVE_HUNDRED
from forty5sim.rules import RuleSet

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
