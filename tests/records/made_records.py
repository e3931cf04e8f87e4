"""Records of deals made for a purpose."""

from __future__ import annotations

import random
from typing import Any

from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.records import Record, record_of
from tests.records.random_records import played
from tests.rulebook.bidding_table import (
    bidding_deal,
    call,
    contracted,
    exchange,
    throw,
    throw_lowest,
)
from tests.rulebook.table import deal, play, script


def holder_last() -> Record:
    """A deal of three in which seat 0, the last to play, holds the ace of trumps and robs."""
    hands = {0: "AS 3S 9C 4D 6H", 1: "KD QD 2D 3D 8H", 2: "KC QC JC AC 2C"}
    game = deal("forty-five", hands, "7S", players=3, dealer=0)
    play(game, "KD KC rob:6H")
    return record_of(played(game, random.Random(1)), ["a", "b", "c"])


def good(spec: str = "spoil-five", players: int = 3, seed: int = 5) -> Record:
    """A record of a seeded deal played at random."""
    return record_of(
        played(Game(spec, players, seed=seed), random.Random(seed)), ["random"] * players
    )


def jinked() -> Record:
    """A record of Spoil Five in which seat 1 wins three tricks and stops."""
    told = script(3, [1, 1, 1])
    rules = find_rules("spoil-five:plain_lead=free,trump=S")
    game = deal(rules, told.hands, players=3, pot=2)
    for trick in told.tricks:
        play(game, trick)
    play(game, "stop")
    return record_of(game, ["a", "b", "c"])


def dealer_robs() -> Record:
    """A record of Forty-Five in which the dealer, seat 0, takes an ace turned up."""
    hands = {0: "3S 9S 9C 4D 6H", 1: "KD QD 2D 3D 8H", 2: "KC QC JC AC 2C"}
    game = deal("forty-five", hands, "AS", players=3, dealer=0)
    play(game, "rob:6H")
    return record_of(played(game, random.Random(1)), ["a", "b", "c"])


# --- auction games --------------------------------------------------------------------------------

AUCTION_HANDS = {
    0: "5S JS AH KS QS",
    1: "5D JD KD QD 2D",
    2: "KC QC JC AC 2C",
    3: "KH QH JH 10H 9H",
}
NINE_SPADES = "AS KS QS JS 10S 9S 8S 7S 6S"


def to_the_end(game: Game) -> Record:
    """Play the lowest card that is legal until the deal is over; return its record."""
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    return record_of(game, ["a"] * game.players)


def held(**options: Any) -> Record:
    """Auction Forty-Fives: seat 0 deals, holds seat 1's bid of 20 and names spades.

    Actions 0..4 are calls, 5 names trumps, 6..9 are the exchange of seats 1, 2, 3, 0.
    """
    rules = find_rules("auction-forty-fives").with_options(**options)
    before = {"sets": [1, 0]} if rules.sets_lose != "off" else {}
    game = bidding_deal(rules, AUCTION_HANDS, "7D 8D 9D", "10C 9C 8C 7C 6C", deals=1, **before)
    play(call(game, "20 pass pass hold pass"), "trump:S")
    for cards in ("2D", "", "", "7D 8D 9D"):
        throw(game, cards)
    return to_the_end(game)


def overbid(spec: str = "auction-forty-fives:dealer_hold=off", bid: str = "30") -> Record:
    """The first to speak makes the highest bid there is, so that nobody else is asked."""
    game = call(bidding_deal(spec, AUCTION_HANDS if "auction" in spec else {1: NINE_SPADES}), bid)
    if game.phase == "trump":
        play(game, "trump:D")
    exchange(game)
    return to_the_end(game)


def bagged() -> Record:
    """Auction Forty-Fives: everybody passes, and the dealer, seat 0, has to play."""
    game = call(bidding_deal("auction-forty-fives", AUCTION_HANDS), "pass pass pass pass")
    play(game, "trump:S")
    exchange(game)
    return to_the_end(game)


def restocked() -> Record:
    """Auction Forty-Fives for six: all but the last throw all they may; the stock runs out."""
    game = call(Game("auction-forty-fives", 6, seed=3, dealer=0), "15 pass pass pass pass pass")
    play(game, "trump:S")
    while game.phase == "discard":
        throw_lowest(game, game.discard_limits[1] if game.seat else 0)
    return to_the_end(game)


def no_trumps(
    bid: str = "6NT",
    *,
    joker: str | None = None,
    actions: str = "",
    options: str = "",
    **before: Any,
) -> Record:
    """Five Hundred: seat 1 plays without trumps with nine spades and the Joker.

    Actions 0..3 are calls (more at misère), 4 is the throw of the kitty, 5 what becomes of the
    Joker: ``joker`` is the suit that it is given. ``actions`` are then taken first. Without any,
    the Joker is led to the last trick with action 42.
    """
    hands = {1: NINE_SPADES + " JK", 2: "5S"}
    game = contracted(f"five-hundred{options}", hands, "4D 4H 5H", bid, seat=1, **before)
    play(game, f"assign:{joker or 'none'}")
    return to_the_end(play(game, actions))


def thrown_in() -> Record:
    """Five Hundred: everybody passes, and the deal is thrown in."""
    return to_the_end(call(Game("five-hundred", seed=2), "pass pass pass pass"))
