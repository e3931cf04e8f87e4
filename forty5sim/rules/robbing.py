"""Options of robbing, in the games with a turn-up (docs/rules.md 3)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import option


@dataclass(frozen=True, kw_only=True)
class RobbingOptions:
    """Who takes the turn-up for a card of the hand, and when."""

    rob_timing: str = option(
        {
            "split": "the dealer robs an ace turned up before the first lead, a holder of the ace"
            " before his own first card",
            "before_first_lead": "robbing is done before the first lead",
            "own_first_card": "who may rob does so before his own first card",
        },
        "3.4",
    )
    dealer_ace: str = option(
        {
            "at_once": "the dealer who robs an ace turned up has it in hand at once",
            "after_trick1": "the dealer who robs an ace turned up gets it after the first trick",
        },
        "3.5",
    )
    rob_forced: str = option(
        {
            "off": "robbing is optional",
            "dealer": "the dealer must rob an ace turned up; a holder of the ace may",
            "all": "who may rob must",
        },
        "3.6",
    )
    rob_missed: str = option(
        {
            "none": "not robbing has no penalty",
            "ace_lowest": "who holds the ace and does not rob has it as the lowest trump",
            "barred": "who lets a rob pass cannot win the pot",
        },
        "3.6",
    )
    rob_announced: str = option(
        {"on": "everybody sees who robs", "silent": "nobody sees that somebody robbed"}, "3.8"
    )
