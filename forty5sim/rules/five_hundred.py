"""Options of Five Hundred (docs/rules.md 8)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import FIVE_HUNDRED, Value, option, switch

_HERE = (FIVE_HUNDRED,)


@dataclass(frozen=True, kw_only=True)
class FiveHundredOptions:
    """Bids, the Joker without trumps, scores."""

    misere: str = option(
        {
            "after_seven": "misère may be bid over a bid of seven tricks",
            "anytime": "misère may be bid first, or over any bid below it",
            "off": "there is no misère",
        },
        "8.2",
        families=_HERE,
    )
    misere_value: Value = option(
        {},
        "8.2",
        families=_HERE,
        numbers=range(10, 1001),
        default=250,
        says="misère is worth {} points",
    )
    open_misere_rank: str = option(
        {
            "after_10d": "open misère stands above ten diamonds",
            "highest": "open misère is the highest bid",
            "before_10s": "open misère stands below ten spades",
        },
        "8.2",
        families=_HERE,
    )
    rebid_after_pass: str = switch(
        "8.3",
        "who has passed is out of the auction",
        "who has passed may bid again; three passes in a row end the auction",
        families=_HERE,
    )
    pass_out: str = option(
        {
            "redeal": "if everybody passes the deal is thrown in",
            "play_nt": "if everybody passes no trumps are played for ten points a trick",
        },
        "8.3",
        families=_HERE,
    )
    joker_nt_suit: str = option(
        {
            "allowed": "without trumps the contractor may give the Joker a suit",
            "misere_only": "only at misère may the contractor give the Joker a suit",
        },
        "8.7",
        families=_HERE,
    )
    joker_lead: str = option(
        {
            "unled_suit": "a Joker led without a suit names one that was not led before",
            "any_suit": "a Joker led without a suit names any suit",
            "last_trick_only": "a Joker without a suit may be led only to the last trick",
        },
        "8.7",
        families=_HERE,
    )
    defender_points: str = option(
        {
            "always": "defenders score 10 a trick",
            "only_if_set": "defenders score 10 a trick if the contract is set",
            "none": "defenders score nothing",
        },
        "8.9",
        families=_HERE,
    )
    slam_bonus: Value = option(
        {"off": "all ten tricks score no more than the bid"},
        "8.9",
        families=_HERE,
        numbers=range(10, 1001),
        default=250,
        says="all ten tricks score at least {} points",
    )
    win_needs_contract: str = option(
        {
            "on": "only a contract made wins the game",
            "off": "points of any kind win the game",
        },
        "8.10",
        families=_HERE,
    )
