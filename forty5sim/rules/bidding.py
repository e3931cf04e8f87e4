"""Options of Auction Forty-Fives: bids, kitty, draw, scores (docs/rules.md 7)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import AUCTION, BIDDING, FIVE_HUNDRED, Value, option, switch

_HERE = (AUCTION,)


@dataclass(frozen=True, kw_only=True)
class AuctionOptions:
    """How trumps are bid for (docs/rules.md 7.1 - 7.5)."""

    kitty: Value = option(
        {},
        "7.1",
        families=_HERE,
        numbers=range(6),
        default=3,
        says="the kitty has {} cards",
    )
    min_bid: Value = option(
        {},
        "7.2",
        families=_HERE,
        numbers=range(5, 31, 5),
        default=15,
        says="the least bid is {}",
    )
    auction_rounds: str = option(
        {
            "until_passed": "the auction goes on until all but one have passed",
            "one": "everybody speaks once",
        },
        "7.2",
        families=_HERE,
    )
    thirty_for_sixty: str = switch(
        "7.2",
        "thirty is the highest bid",
        "thirty for sixty may be bid above thirty",
        families=_HERE,
    )
    min_bid_at_100: Value = option(
        {"off": "a side near the target may bid as little as any"},
        "7.2",
        families=_HERE,
        numbers=range(5, 31, 5),
        says="a side with 100 points or more may not bid less than {}",
    )
    no_bid_below: Value = option(
        {"off": "a side in the hole may bid"},
        "7.2",
        families=_HERE,
        numbers=range(-1000, 1),
        says="a side with less than {} points may not bid",
    )
    dealer_hold: str = option(
        {
            "on": "the dealer may hold: take the bid at the same value",
            "off": "the dealer may not hold",
        },
        "7.3",
        families=_HERE,
    )
    hold_scope: str = option(
        {
            "all_live": "after a hold everybody who has not passed speaks again",
            "displaced_only": "after a hold only the bidder displaced and the dealer speak",
        },
        "7.3",
        families=_HERE,
    )
    all_pass: str = option(
        {
            "dealer_bagged": "if everybody passes the dealer plays at the lowest bid",
            "redeal": "if everybody passes the deal is thrown in",
        },
        "7.4",
        families=_HERE,
    )
    ten_call: str = switch(
        "7.4",
        "there is no call of ten",
        "six players in three sides may call ten first, a mere signal",
        families=_HERE,
    )
    name_trump: str = option(
        {
            "before_kitty": "trumps are named before the kitty is seen",
            "after_kitty": "trumps are named when the kitty has been seen",
        },
        "7.5",
        families=_HERE,
    )


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """What is thrown and drawn, and who leads (docs/rules.md 7.6, 7.7)."""

    draw: str = option(
        {
            "on": "everybody throws cards and draws new ones",
            "off": "only the bidder throws, as many cards as the kitty had",
        },
        "7.6",
        families=_HERE,
    )
    draw_order: str = option(
        {
            "dealer_left": "from the dealer's left on, each throws and draws",
            "bidder_first": "the bidder throws and draws first",
        },
        "7.6",
        families=_HERE,
    )
    min_keep: Value = option(
        {"by_players": "five players keep a card at least, six keep two"},
        "7.6",
        families=_HERE,
        numbers=range(3),
        default=0,
        says="of the cards in hand everybody keeps {} or more",
    )
    bidder_min_keep: Value = option(
        {},
        "7.6",
        families=_HERE,
        numbers=range(2),
        default=1,
        says="of the cards in hand the bidder keeps {} or more",
    )
    first_lead: str = option(
        {
            "left_of_bidder": "the player on the bidder's left leads",
            "bidder": "the bidder leads",
            "left_of_dealer": "the player on the dealer's left leads",
        },
        "7.7",
        families=_HERE,
    )


@dataclass(frozen=True, kw_only=True)
class BidScoreOptions:
    """What a bid made or set is worth, and how a game ends (docs/rules.md 7.8, 7.9)."""

    thirty: str = option(
        {
            "double": "a bid of thirty made scores 60, one set loses 30",
            "plain": "a bid of thirty made scores 30, one set loses 30",
        },
        "7.8",
        families=_HERE,
    )
    defenders_frozen_at: Value = option(
        {"off": "defenders always score what they take"},
        "7.8",
        families=_HERE,
        numbers=range(5, 1001),
        says="defenders with {} points or more score nothing if the bid is made",
    )
    must_bid_out: str = switch(
        "7.9",
        "defenders can win the game too",
        "only a bid made can win the game",
        families=_HERE,
    )
    sets_lose: Value = option(
        {"off": "the number of bids set does not matter"},
        "7.9",
        families=_HERE,
        numbers=range(1, 101),
        says="a side loses the game with {} bids set",
    )
    lose_at: Value = option(
        {"off": "no score is low enough to lose the game"},
        {AUCTION: "7.9", FIVE_HUNDRED: "8.10"},
        families=BIDDING,
        numbers=range(-1000, 0),
        says="a side at {} points or below loses the game",
        by_family={FIVE_HUNDRED: -500},
    )
