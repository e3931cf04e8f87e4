"""Options of all five-fingers games: the cards, and playing to a trick (docs/rules.md 1, 2)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import AUCTION, COUNTING, FIVE_FINGERS, option, switch


@dataclass(frozen=True, kw_only=True)
class CardOptions:
    """How the cards rank (docs/rules.md 1)."""

    plain_red_ace: str = option(
        {
            "lowest": "the ace of a plain red suit is its lowest card",
            "below_jack": "the ace of a plain red suit stands between its jack and its ten",
            "high": "the ace of a plain red suit is its highest card",
        },
        "1.3",
        families=FIVE_FINGERS,
    )
    plain_black_ace: str = option(
        {
            "below_jack": "the ace of a plain black suit stands below its jack",
            "high": "the ace of a plain black suit is its highest card",
        },
        "1.3",
        families=FIVE_FINGERS,
    )
    joker: str = option(
        {
            "none": "there is no Joker",
            "after_ah": "the Joker is the trump just below the ace of hearts",
            "before_ah": "the Joker is the trump just above the ace of hearts",
        },
        "1.4",
        families=FIVE_FINGERS,
    )
    head: str = option(
        {
            "modern": "the top trumps are five, jack, ace of hearts, ace",
            "five_cards": "the top trumps are five, ace of hearts, ace, jack (the old order)",
        },
        "1.5",
        families=FIVE_FINGERS,
    )


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """What may be played to a trick (docs/rules.md 2)."""

    plain_lead: str = option(
        {
            "follow_or_trump": "to a plain lead follow suit or trump; who has none of the suit"
            " plays anything",
            "strict_follow": "to a plain lead follow suit; who has none of it plays anything",
            "must_follow_or_trump": "to a plain lead follow suit or trump; no other card while"
            " either is held",
            "free": "to a plain lead play anything",
        },
        "2.2",
        families=FIVE_FINGERS,
    )
    renege: str = option(
        {
            "outranks_led": "a top trump may be kept back if it outranks the trump led",
            "highest_so_far": "a top trump may be kept back if it outranks every trump on the"
            " trick so far",
            "expires_in_deal": "a top trump may be kept back if it outranks the trump led and no"
            " higher trump has been played in the deal",
            "single_unconditional": "a top trump may be kept back, whatever was led, if it is the"
            " only trump held",
            "none": "no trump may be kept back",
        },
        "2.3",
        families=FIVE_FINGERS,
    )
    renege_cards: str = option(
        {
            "top3": "the five, the jack and the ace of hearts (and a Joker) have this privilege",
            "five_only": "only the five has this privilege",
        },
        "2.3",
        families=FIVE_FINGERS,
    )
    ah_lead_needs_heart: str = switch(
        "2.5",
        "who has no trump plays anything to the ace of hearts led",
        "who has no trump plays a heart to the ace of hearts led",
        families=FIVE_FINGERS,
    )


@dataclass(frozen=True, kw_only=True)
class BonusOptions:
    """The five points beside the tricks (docs/rules.md 4.1)."""

    bonus: str = option(
        {
            "best_trump": "5 points to the side that played the best trump of the deal",
            "last_trick": "5 points to the side that wins the last trick",
            "none": "no bonus",
        },
        "4.1",
        families=(COUNTING, AUCTION),
    )
    bonus_needs_top: str = switch(
        "4.1",
        "any trump can earn the bonus",
        "the bonus is paid only for a five, jack, ace of hearts or Joker",
        families=(COUNTING, AUCTION),
    )
