"""The bids of the auction games, and the options about them, as the kernels look them up."""

from __future__ import annotations

from forty5sim.bids import (
    FIRST_SUIT_BID,
    MISERE,
    MISERES,
    OPEN_MISERE,
    POINTS,
    STRAINS,
    TEN,
    THIRTY,
    THIRTY_FOR_SIXTY,
    above,
    bid_value,
    ladder,
    suit_bid,
)
from forty5sim.cards import NO_TRUMP, Mask, mask_of
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.options import AUCTION
from forty5sim.rules import RuleSet
from forty5sim.tables.options import OFF, number_or

LOWEST = -(10**9)
"""A score that no side has."""

FIVE_TRICKS = 5


def fill_bids(tables: Vector, rules: RuleSet) -> None:
    """Write the words about the auction, and a number for each bid."""
    if rules.family == AUCTION:
        _fill_auction(tables, rules)
    else:
        _fill_five_hundred(tables, rules)
    tables[layout.SETS_LOSE] = number_or(rules.sets_lose, OFF)
    tables[layout.LOSE_AT] = number_or(rules.lose_at, LOWEST)
    tables[layout.OVERBIDS] = above(rules, None)
    for bid in ladder(rules):
        tables[layout.OVERBIDS + bid + 1] = above(rules, bid)
        _fill_bid(tables, rules, bid)


def _fill_auction(tables: Vector, rules: RuleSet) -> None:
    least_near = number_or(rules.min_bid_at_100, 0)
    values: dict[int, int] = {
        layout.ONE_ROUND: rules.auction_rounds == "one",
        layout.MAY_HOLD: rules.dealer_hold == "on",
        layout.DISPLACED_ONLY: rules.hold_scope == "displaced_only",
        layout.NEAR_TARGET_BIDS: mask_of(b for b in ladder(rules) if POINTS[b] >= least_near),
        layout.NO_BID_BELOW: number_or(rules.no_bid_below, LOWEST),
        layout.TEN_CALL: 1 << TEN if rules.ten_call == "on" else 0,
        layout.ALL_PASS: layout.BAGGED if rules.all_pass == "dealer_bagged" else layout.REDEAL,
        layout.SEES_KITTY_FIRST: rules.name_trump == "after_kitty",
        layout.DRAWS: rules.draw == "on",
        layout.BIDDER_DRAWS_FIRST: rules.draw_order == "bidder_first",
        layout.MIN_KEEP: number_or(rules.min_keep, OFF),
        layout.BIDDER_MIN_KEEP: int(rules.bidder_min_keep),
        layout.FIRST_LEAD: {
            "left_of_bidder": layout.LEFT_OF_BIDDER,
            "bidder": layout.BIDDER_LEADS,
            "left_of_dealer": layout.LEFT_OF_DEALER,
        }[rules.first_lead],
        layout.FROZEN_AT: number_or(rules.defenders_frozen_at, OFF),
        layout.BID_OUT: rules.must_bid_out == "on",
    }
    _write(tables, values)


def _fill_five_hundred(tables: Vector, rules: RuleSet) -> None:
    values: dict[int, int] = {
        layout.SPEAK_AGAIN: rules.rebid_after_pass == "on",
        layout.NEAR_TARGET_BIDS: mask_of(ladder(rules)),
        layout.NO_BID_BELOW: LOWEST,
        layout.ALL_PASS: layout.REDEAL if rules.pass_out == "redeal" else layout.PLAY_NO_TRUMP,
        layout.FIRST_LEAD: layout.BIDDER_LEADS,
        layout.FROZEN_AT: -1,
        layout.SLAM: number_or(rules.slam_bonus, 0),
        layout.DEFENDERS_SCORE: {
            "always": layout.DEFENDERS_ALWAYS,
            "only_if_set": layout.DEFENDERS_IF_SET,
            "none": layout.DEFENDERS_NEVER,
        }[rules.defender_points],
        layout.POINTS_WIN: rules.win_needs_contract == "off",
        layout.ASSIGN_BIDS: _assign_bids(rules),
        layout.NAMES_ANY_SUIT: rules.joker_lead == "any_suit",
        layout.LEADS_JOKER_LAST: rules.joker_lead == "last_trick_only",
        layout.HAS_SUITLESS_JOKER: True,
    }
    _write(tables, values)


def _write(tables: Vector, values: dict[int, int]) -> None:
    for offset, value in values.items():
        tables[offset] = int(value)


def _assign_bids(rules: RuleSet) -> Mask:
    """Return the bids at which the contractor may give the Joker a suit (docs/rules.md 8.7)."""
    bids = mask_of(MISERES)
    if rules.joker_nt_suit == "allowed":
        bids |= mask_of(b for b in range(FIRST_SUIT_BID, MISERE) if suit_bid(b).trump == NO_TRUMP)
    return bids


def _fill_bid(tables: Vector, rules: RuleSet, bid: int) -> None:
    value = bid_value(rules, bid)
    if bid < FIRST_SUIT_BID:
        trump, level = -1, bid
        tricks = FIVE_TRICKS if bid in (THIRTY, THIRTY_FOR_SIXTY) else 0
        points = 0 if tricks else value
        score = _thirty_score(rules, bid) if tricks else -1
    else:
        trump, tricks, level = _of_five_hundred(bid)
        points, score = 0, value
    tables[layout.BID_TRUMP + bid] = trump
    tables[layout.BID_TRICKS + bid] = tricks
    tables[layout.BID_POINTS + bid] = points
    tables[layout.BID_SCORE + bid] = score
    tables[layout.BID_LOSS + bid] = value
    tables[layout.BID_OPEN + bid] = bid == OPEN_MISERE
    tables[layout.BID_LEVEL + bid] = level


def _thirty_score(rules: RuleSet, bid: int) -> int:
    """Return what all five tricks score when thirty was bid (docs/rules.md 7.8)."""
    return 60 if bid == THIRTY_FOR_SIXTY or rules.thirty == "double" else 30


def _of_five_hundred(bid: int) -> tuple[int, int, int]:
    """Return the trumps, the tricks (-1: none may be taken) and the place in tables of a bid."""
    if bid in MISERES:
        return NO_TRUMP, -1, layout.LEVEL_COUNT - 2 + (bid == OPEN_MISERE)
    level, trump = suit_bid(bid)
    return trump, level, (bid - FIRST_SUIT_BID) // len(STRAINS)
