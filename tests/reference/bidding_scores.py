"""Points of the bidding games and the end of their games: pure functions.

Sides are numbers; `won` is the side that won each trick, `made` whether the contract was kept.
"""

from collections.abc import Sequence

from tests.reference import scores as turn_up
from tests.reference.auction import SIXTY, limit
from tests.reference.cards import Options, number
from tests.reference.five_hundred import HAND_SIZE, MISERES, bid_value, level
from tests.reference.scores import first_from_left, highest

# Auction Forty-Fives


def bonus_trick(options: Options, trump: str, best: tuple[int, str] | None) -> int | None:
    """Index of the trick that carries the bonus."""
    plain: Options = {**options, "hand_size": 5, "trick_scoring": "points"}
    return turn_up.bonus_trick(plain, trump, best, False)


def raw_points(sides: int, won: Sequence[int], bonus: int | None) -> list[int]:
    """Five a trick and five for the bonus."""
    points = [0] * sides
    for index, side in enumerate(won):
        points[side] += 10 if index == bonus else 5
    return points


def auction_made(bid: str, raw: Sequence[int], side: int, won: Sequence[int]) -> bool:
    """Has the bidding side kept its bid? Thirty asks for five tricks and nothing else."""
    if bid in ("30", SIXTY):
        return list(won) == [side] * 5
    return raw[side] >= int(bid)


def bidders_points(options: Options, bid: str, raw: int, made: bool) -> int:
    """What the bidding side writes down."""
    if bid == SIXTY:
        return 60 if made else -60
    if bid == "30" and made:
        return 60 if options["thirty"] == "double" else 30
    return raw if made else -int(bid)


def auction_points(
    options: Options,
    bid: str,
    side: int,
    won: Sequence[int],
    bonus: int | None,
    before: Sequence[int],
) -> list[int]:
    """Points of the deal per side."""
    points = raw_points(len(before), won, bonus)
    made = auction_made(bid, points, side, won)
    frozen = limit(options, "defenders_frozen_at")
    for other in range(len(before)):
        if other == side:
            points[other] = bidders_points(options, bid, points[other], made)
        elif made and frozen is not None and before[other] >= frozen:
            points[other] = 0
    return points


def _first_there(
    target: int, there: Sequence[int], before: Sequence[int], won: Sequence[int], bonus: int | None
) -> list[int]:
    """Those of these sides that got to the target first, trick by trick."""
    running = list(before)
    for index in range(-1, len(won)):
        if index >= 0:
            running[won[index]] += 10 if index == bonus else 5
        arrived = [side for side in there if running[side] >= target]
        if arrived:
            return arrived
    return list(there)


def _level(options: Options, sides: list[int], count: int, dealer: int) -> int | None:
    """The winner among sides with the same highest total."""
    if len(sides) > 1 and options["tie_equal"] == "play_on":
        return None
    return first_from_left(sides, count, dealer)


def _at_the_target(
    options: Options,
    dealer: int,
    side: int,
    made: bool,
    before: Sequence[int],
    totals: Sequence[int],
    won: Sequence[int],
    bonus: int | None,
) -> int | None:
    target, must_bid_out = number(options, "target"), options["must_bid_out"] == "on"
    there = [other for other in range(len(totals)) if totals[other] >= target]
    bidder_there = made and side in there
    if options["tie"] == "highest_total":
        if must_bid_out:
            there = [side] if bidder_there else []
        return _level(options, highest(there, totals), len(totals), dealer) if there else None
    if bidder_there:
        return side
    defenders = [other for other in there if other != side]
    if must_bid_out or not defenders:
        return None
    if options["tie"] == "trick_order":
        first = _first_there(target, defenders, before, won, bonus)
    else:
        first = highest(defenders, totals)
    return first_from_left(first, len(totals), dealer)


def _bidder_has_lost(options: Options, total: int, sets: int) -> bool:
    lose_at, sets_lose = limit(options, "lose_at"), limit(options, "sets_lose")
    if lose_at is not None and total <= lose_at:
        return True
    return sets_lose is not None and sets >= sets_lose


def auction_winner(
    options: Options,
    dealer: int,
    side: int,
    made: bool,
    before: Sequence[int],
    points: Sequence[int],
    won: Sequence[int],
    bonus: int | None,
    sets: Sequence[int],
    deals: int,
) -> int | None:
    """The side that has won the game; `sets` and `deals` count this deal already."""
    totals = [old + new for old, new in zip(before, points, strict=True)]
    every, game_deals = range(len(totals)), limit(options, "game_deals")
    if game_deals is None:
        winner = _at_the_target(options, dealer, side, made, before, totals, won, bonus)
        if winner is not None:
            return winner
    if _bidder_has_lost(options, totals[side], sets[side]):
        others = [other for other in every if other != side]
        return first_from_left(highest(others, totals), len(totals), dealer)
    if game_deals is not None and deals >= game_deals:
        return _level(options, highest(every, totals), len(totals), dealer)
    return None


# Five Hundred


def five_hundred_made(bid: str, own_tricks: int) -> bool:
    """Has the contractor's side kept its contract?"""
    return own_tricks == 0 if bid in MISERES else own_tricks >= level(bid)


def five_hundred_points(
    options: Options, bid: str | None, side: int | None, tricks: Sequence[int]
) -> list[int]:
    """Points of the deal per side; without a contract ten a trick for both."""
    if bid is None or side is None:
        return [10 * count for count in tricks]
    points, other = [0, 0], 1 - side
    made, value = five_hundred_made(bid, tricks[side]), bid_value(options, bid)
    points[side] = value if made else -value
    if bid in MISERES:
        return points
    slam = limit(options, "slam_bonus")
    if slam is not None and tricks[side] == HAND_SIZE:
        points[side] = max(value, slam)
    pays = options["defender_points"]
    if pays == "always" or (pays == "only_if_set" and not made):
        points[other] = 10 * tricks[other]
    return points


def _five_hundred_at_target(
    options: Options, dealer: int, side: int | None, made: bool, totals: Sequence[int]
) -> int | None:
    there = [other for other in (0, 1) if totals[other] >= number(options, "target")]
    if options["win_needs_contract"] == "on":
        return side if made and side in there else None
    if not there:
        return None
    return side if side in there else first_from_left(highest(there, totals), 2, dealer)


def five_hundred_winner(
    options: Options, dealer: int, side: int | None, made: bool, totals: Sequence[int]
) -> int | None:
    """The side that has won the game; `side` is the contractor's, None without a contract."""
    winner = _five_hundred_at_target(options, dealer, side, made, totals)
    lose_at = limit(options, "lose_at")
    if winner is not None or lose_at is None:
        return winner
    losers = [other for other in (0, 1) if totals[other] <= lose_at]
    if not losers:
        return None
    return 1 - (side if side in losers and side is not None else losers[0])
