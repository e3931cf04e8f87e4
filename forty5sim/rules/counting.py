"""Options of the counting games: points towards a target (docs/rules.md 4)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import AUCTION, COUNTING, FIVE_HUNDRED, Value, option, switch


@dataclass(frozen=True, kw_only=True)
class CountingOptions:
    """How the points of a deal are counted, and how a game is won."""

    trick_scoring: str = option(
        {
            "points": "5 points a trick",
            "five_ten": "5 points for most of the tricks, 10 for all; no bonus",
            "difference": "5 points for each trick more than all others together; no bonus",
        },
        "4.2",
        families=(COUNTING,),
    )
    stop_at_target: str = switch(
        "4.3",
        "a deal is played to its end",
        "the deal stops as soon as a side reaches the target",
        families=(COUNTING,),
    )
    target: Value = option(
        {},
        {COUNTING: "4.4", AUCTION: "7.9", FIVE_HUNDRED: "8.10"},
        families=(COUNTING, AUCTION, FIVE_HUNDRED),
        numbers=range(5, 1001),
        default=45,
        by_family={AUCTION: 120, FIVE_HUNDRED: 500},
        says="the game goes to {} points",
    )
    tie: str = option(
        {
            "highest_total": "if several reach the target, the highest total wins",
            "nondealer_first": "if several reach the target, the first from the dealer's left"
            " wins, the dealer's side last",
            "trick_order": "if several reach the target, who got there first, trick by trick, wins",
            "bidder_first": "if several reach the target, the bidder wins who made the bid",
        },
        {COUNTING: "4.4", AUCTION: "7.9"},
        families=(COUNTING, AUCTION),
        by_family={AUCTION: "bidder_first"},
        not_in={COUNTING: ("bidder_first",), AUCTION: ("nondealer_first",)},
    )
    tie_equal: str = option(
        {
            "nondealer_first": "level totals: the first from the dealer's left wins",
            "play_on": "level totals: the game goes on",
        },
        {COUNTING: "4.4", AUCTION: "7.9"},
        families=(COUNTING, AUCTION),
    )
    sweep: str = option(
        {"off": "all the tricks win nothing extra", "wins_game": "all the tricks win the game"},
        "4.5",
        families=(COUNTING,),
    )
