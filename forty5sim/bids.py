"""The bids of the auction games: their numbers, names, values and order (docs/rules.md 7.2, 8.2).

A bid has one number in all games, so that its name needs no context: 0..6 are the bids of Auction
Forty-Fives, 7..33 those of Five Hundred.
"""

from __future__ import annotations

from typing import NamedTuple

from forty5sim.cards import NO_TRUMP, Mask, Suit, mask_of, trump_name
from forty5sim.errors import NotationError, unknown
from forty5sim.options import AUCTION
from forty5sim.rules import RuleSet

TEN, THIRTY, THIRTY_FOR_SIXTY = 1, 5, 6
AUCTION_NAMES = ("5", "10", "15", "20", "25", "30", "30-for-60")
POINTS = (5, 10, 15, 20, 25, 30, 60)
"""What each bid of Auction Forty-Fives is worth."""

FIRST_SUIT_BID = len(AUCTION_NAMES)
LEVELS = (6, 7, 8, 9, 10)
STRAINS = (0, 1, 2, 3, NO_TRUMP)
MISERE = FIRST_SUIT_BID + len(LEVELS) * len(STRAINS)
OPEN_MISERE = MISERE + 1
MISERES = (MISERE, OPEN_MISERE)
BID_COUNT = OPEN_MISERE + 1
OPEN_MISERE_VALUE = 500
MISERE_LEVEL = 7  # the level that a plain misère is bid over


class SuitBid(NamedTuple):
    """A bid of Five Hundred to take so many tricks with a trump suit, or without (4)."""

    level: int
    trump: Suit


def suit_bid(bid: int) -> SuitBid:
    """Return the tricks and trumps of a bid of Five Hundred other than misère."""
    level, strain = divmod(bid - FIRST_SUIT_BID, len(STRAINS))
    return SuitBid(LEVELS[level], STRAINS[strain])


BID_NAMES: tuple[str, ...] = (
    *AUCTION_NAMES,
    *(f"{level}{trump_name(trump)}" for level in LEVELS for trump in STRAINS),
    "misere",
    "open-misere",
)
_NUMBERS = {name.lower(): number for number, name in enumerate(BID_NAMES)}


def parse_bid(text: str) -> int:
    """Read a bid: ``20``, ``30-for-60``, ``7H``, ``8NT``, ``misere``.

    Raises:
        NotationError: if the text names no bid.
    """
    plain = text.strip().lower()
    if plain not in _NUMBERS:
        raise NotationError(unknown("bid", text, BID_NAMES))
    return _NUMBERS[plain]


def ladder(rules: RuleSet) -> list[int]:
    """Return the bids of a game, low to high."""
    if rules.family == AUCTION:
        return _auction_ladder(rules)
    order = list(range(FIRST_SUIT_BID, MISERE))
    if rules.misere == "off":
        return order
    order.insert(order.index(parse_bid("8S")), MISERE)
    place = {"after_10d": "10H", "before_10s": "10S"}.get(rules.open_misere_rank)
    order.insert(len(order) if place is None else order.index(parse_bid(place)), OPEN_MISERE)
    return order


def _auction_ladder(rules: RuleSet) -> list[int]:
    bids = [bid for bid in range(THIRTY + 1) if POINTS[bid] >= int(rules.min_bid)]
    sixty = [THIRTY_FOR_SIXTY] if rules.thirty_for_sixty == "on" else []
    ten = [TEN] if rules.ten_call == "on" else []
    return [*ten, *bids, *sixty]


def above(rules: RuleSet, standing: int | None) -> Mask:
    """Return the bids that may be made over the standing bid, or first (None)."""
    order = ladder(rules)
    higher = order if standing is None else order[order.index(standing) + 1 :]
    return mask_of(bid for bid in higher if bid != MISERE or _misere_fits(rules, standing))


def _misere_fits(rules: RuleSet, standing: int | None) -> bool:
    """Say whether plain misère may be bid over the standing bid below it (docs/rules.md 8.2)."""
    if rules.misere == "anytime":
        return True
    return standing is not None and suit_bid(standing).level == MISERE_LEVEL


def bid_value(rules: RuleSet, bid: int) -> int:
    """Return what a bid is worth in points."""
    if bid < FIRST_SUIT_BID:
        return POINTS[bid]
    if bid == MISERE:
        return int(rules.misere_value)
    if bid == OPEN_MISERE:
        return OPEN_MISERE_VALUE
    level, trump = suit_bid(bid)
    return 40 + 100 * (level - LEVELS[0]) + 20 * trump
