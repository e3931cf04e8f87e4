"""The reference of the bidding games: worked positions, edge cases by hand, random play."""

import json
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.reference import bidding_scores, cards, five_hundred
from tests.reference.auction import Auction, FiveHundredAuction, FortyFivesAuction
from tests.reference.bidding_deal import (
    BiddingDeal,
    card_order,
    discard_limits,
    first_leader,
    game_pack,
)
from tests.reference.cards import Options
from tests.reference.deal import Deal
from tests.reference.game import make_deal, play_game

DATA = Path(__file__).parents[1] / "data"
CONFORMANCE = Path(__file__).parents[2] / "conformance"
PRESETS = tomllib.loads((DATA / "presets.toml").read_text(encoding="utf-8"))
NOT_OPTIONS = {"players", "default_players", "sides", "first_dealer"}
FAMILIES = ("auction", "five-hundred")
Row = dict[str, Any]


def preset(name: str, **changes: str | int) -> Options:
    own = {key: value for key, value in PRESETS[name].items() if key not in NOT_OPTIONS}
    assert set(changes) <= set(own), changes
    return {**own, **changes}


def auction_45(**changes: str | int) -> Options:
    return preset("auction-forty-fives", **changes)


def auction_500(**changes: str | int) -> Options:
    return preset("five-hundred", **changes)


def bidding_rows() -> list[Row]:
    lines = (CONFORMANCE / "positions.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines]
    return [row for row in rows if PRESETS[row["game"]]["family"] in FAMILIES]


def stacked(options: Options, first: list[str]) -> list[str]:
    """A pack that begins with these cards."""
    return first + [card for card in game_pack(options) if card not in first]


def new_deal(
    options: Options,
    first: list[str] | None = None,
    players: int = 4,
    dealer: int = 0,
    **before: object,
) -> BiddingDeal:
    """A deal for two sides; the pack begins with `first`."""
    told = {"scores": [0, 0], **before}
    sides = len(cast(list[int], told["scores"]))
    return BiddingDeal(options, players, sides, dealer, stacked(options, first or []), told)


def run(deal: BiddingDeal, *actions: str) -> BiddingDeal:
    for action in actions:
        deal.apply(action)
    return deal


def run_auction(auction: Auction, *calls: str) -> Auction:
    for call in calls:
        auction.apply(call)
    return auction


def discard_lowest(deal: BiddingDeal) -> None:
    """The seat to act throws as few cards as it may, the lowest ones."""
    seat = deal.seat
    while deal.phase == "discard" and deal.seat == seat:
        legal = deal.legal()
        deal.apply("done" if "done" in legal else min(legal, key=lambda a: card_order(a[8:])))


# Positions


def new_auction(options: Options, row: Row) -> FiveHundredAuction | FortyFivesAuction:
    sides = max(row.get("sides", [0, 1])) + 1
    kind = FiveHundredAuction if options["family"] == "five-hundred" else FortyFivesAuction
    scores = row.get("scores", [0] * sides)
    auction: FiveHundredAuction | FortyFivesAuction
    auction = kind(options, row.get("players", 4), sides, row["dealer"], scores)
    for seat, bid in row["bids"]:
        if auction.over:
            assert bid == "pass", "only passes may trail"
            continue
        assert auction.seat == seat
        auction.apply(bid if bid in ("pass", "hold") else "bid " + bid)
    return auction


def ask_bids(options: Options, row: Row) -> object:
    auction = new_auction(options, row)
    return {
        "seat": auction.seat,
        "legal": sorted(call.removeprefix("bid ") for call in auction.legal()),
    }


def ask_contract(options: Options, row: Row) -> object:
    auction = new_auction(options, row)
    if not auction.over:
        return "open"
    contract = auction.contract()
    return "thrown-in" if contract is None else {"seat": contract[0], "bid": contract[1]}


def ask_settle(options: Options, row: Row) -> object:
    side, before, bid = row["contractor"], row.get("before"), row["contract"]
    if options["family"] == "five-hundred":
        before = before or [0, 0]
        made = bidding_scores.five_hundred_made(bid, row["tricks"][side])
        points = bidding_scores.five_hundred_points(options, bid, side, row["tricks"])
        after = [old + new for old, new in zip(before, points, strict=True)]
        winner = bidding_scores.five_hundred_winner(
            options, row.get("dealer", 0), side, made, after
        )
        return {"made": made, "points": points, "after": after, "winner": winner}
    sides, won, best = max(row["sides"]) + 1, row["trick_sides"], row["best_trump_trick"]
    before = before or [0] * sides
    trump_played = None if best is None else (best - 1, row.get("best_trump", "5S"))
    bonus = bidding_scores.bonus_trick(options, "S", trump_played)
    raw = bidding_scores.raw_points(sides, won, bonus)
    made = bidding_scores.auction_made(bid, raw, side, won)
    points = bidding_scores.auction_points(options, bid, side, won, bonus, before)
    sets = list(row.get("sets", [0] * sides))
    sets[side] += 0 if made else 1
    winner = bidding_scores.auction_winner(
        options, row["dealer"], side, made, before, points, won, bonus, sets, row.get("deals", 1)
    )
    after = [old + new for old, new in zip(before, points, strict=True)]
    return {"made": made, "points": points, "after": after, "winner": winner, "sets": sets}


def ask_discard_count(options: Options, row: Row) -> object:
    limits = discard_limits(options, row["players"], row["bidder"])
    return None if limits is None else list(limits)


def ask_draw(options: Options, row: Row) -> object:
    players, asked = row["players"], row["asked"]
    no_hold = {**options, "dealer_hold": "off"}
    deal = new_deal(no_hold, players=players, dealer=players - 1)
    stock, kitty = len(deal.stock), len(deal.kitty)
    run(deal, "bid 30", "trump S")
    while deal.phase == "discard":
        count = asked[deal.seat] + (kitty if deal.seat == deal.bidder else 0)
        lowest = sorted(deal.hands[deal.seat], key=card_order)[:count]
        run(deal, *["discard " + card for card in lowest], "done")
    assert deal.drawn == asked
    from_thrown = len(deal.restock) - len(deal.stock) if deal.restock else 0
    return {"stock": stock, "from_thrown": from_thrown}


def ask_leader(options: Options, row: Row) -> object:
    return first_leader(options, row.get("players", 4), row["dealer"], row["bidder"])


def ask_winner(options: Options, row: Row) -> object:
    trick = row["trick"]
    if options["family"] == "auction":
        return trick[cards.trick_winner(options, row["trump"], trick)]
    joker_suit, named = row.get("joker_suit"), row.get("named")
    return trick[five_hundred.trick_winner(row["trump"], trick, joker_suit, named)]


def ask_legal(options: Options, row: Row) -> object:
    if options["family"] == "auction":
        earlier = row.get("earlier", [])
        return sorted(cards.legal_cards(options, row["trump"], row["hand"], row["trick"], earlier))
    return sorted(
        five_hundred.legal_cards(
            options,
            row["trump"],
            row["hand"],
            row["trick"],
            row.get("joker_suit"),
            row.get("named"),
            row.get("led_suits", []),
        )
    )


def ask_order(options: Options, row: Row) -> object:
    if options["family"] == "auction":
        return cards.suit_order(options, row["trump"], row["suit"])
    return five_hundred.suit_order(row["trump"], row["suit"], row.get("joker_suit"))


def ask_names(options: Options, row: Row) -> object:
    return sorted(five_hundred.nameable(options, row["led_suits"]))


def ask_bid_ok(options: Options, row: Row) -> object:
    return five_hundred.bid_allowed(options, row["standing"], row["bid"])


def ask_suit(options: Options, row: Row) -> object:
    return five_hundred.effective_suit(row["card"], row["trump"], row.get("joker_suit"))


ASK: dict[str, Callable[[Options, Row], object]] = {
    "bids": ask_bids,
    "contract": ask_contract,
    "settle": ask_settle,
    "discard-count": ask_discard_count,
    "draw": ask_draw,
    "leader": ask_leader,
    "winner": ask_winner,
    "legal": ask_legal,
    "order": ask_order,
    "names": ask_names,
    "bid-ok": ask_bid_ok,
    "suit": ask_suit,
    "ladder": lambda options, row: five_hundred.ladder(options),
    "value": lambda options, row: five_hundred.bid_value(options, row["bid"]),
    "assign-ok": lambda options, row: five_hundred.may_assign(options, row["contract"]),
    "seats": lambda options, row: five_hundred.playing_seats(row["contract"], row["contractor"]),
}
UNORDERED = {"legal", "names"}


@pytest.mark.parametrize("row", bidding_rows(), ids=lambda row: str(row["id"]))
def test_position(row: Row) -> None:
    options = preset(row["game"], **row["options"])
    answer, expect = ASK[row["kind"]](options, row), row["expect"]
    if row["kind"] in UNORDERED:
        expect = sorted(expect)
    if isinstance(expect, dict) and isinstance(answer, dict):
        expect = {k: sorted(v) if k == "legal" else v for k, v in expect.items()}
        answer = {key: answer[key] for key in expect}
    assert answer == expect


# The auction of Auction Forty-Fives


def table(
    options: Options, players: int = 4, sides: int = 2, scores: list[int] | None = None
) -> FortyFivesAuction:
    """An auction with seat 0 as dealer."""
    return FortyFivesAuction(options, players, sides, 0, scores or [0] * sides)


def test_hold_lets_everybody_in_speak_again() -> None:
    auction = table(auction_45())
    run_auction(auction, "bid 15", "bid 20", "pass", "hold")
    assert (auction.seat, auction.bidder, auction.bid) == (1, 0, "20")
    assert auction.legal() == {"pass", "bid 25", "bid 30"}
    run_auction(auction, "pass")
    assert auction.seat == 2  # the partner of the dealer, whose bid was taken
    run_auction(auction, "bid 25", "hold", "bid 30")
    assert auction.legal() == {"pass", "hold"}
    run_auction(auction, "hold")
    assert auction.over
    assert auction.contract() == (0, "30")


def test_displaced_only_leaves_two_in() -> None:
    auction = table(auction_45(hold_scope="displaced_only"))
    run_auction(auction, "bid 15", "bid 20", "bid 25", "hold")
    assert auction.seat == 3
    run_auction(auction, "bid 30")
    assert (auction.seat, auction.legal()) == (0, {"pass", "hold"})
    run_auction(auction, "pass")
    assert auction.contract() == (3, "30")


def test_one_round_makes_a_hold_final() -> None:
    auction = table(auction_45(auction_rounds="one"))
    run_auction(auction, "bid 15", "pass", "pass", "hold")
    assert auction.over
    assert auction.contract() == (0, "15")


def test_one_round_with_the_last_bid_of_the_dealer() -> None:
    auction = table(auction_45(auction_rounds="one"))
    run_auction(auction, "bid 15", "bid 20", "pass", "bid 25")
    assert auction.contract() == (0, "25")


def test_thirty_ends_at_once_without_a_dealer_who_could_hold() -> None:
    auction = table(auction_45(dealer_hold="off"))
    assert run_auction(auction, "bid 30").over


def test_forced_passes_are_asked_while_the_dealer_may_hold() -> None:
    auction = table(auction_45())
    run_auction(auction, "bid 30")
    for seat in (2, 3):
        assert (auction.seat, auction.legal()) == (seat, {"pass"})
        run_auction(auction, "pass")
    assert (auction.seat, auction.legal()) == (0, {"pass", "hold"})


def test_trailing_forced_passes_are_not_asked() -> None:
    auction = table(auction_45())
    run_auction(auction, "pass", "pass", "pass", "bid 15")
    assert auction.over
    auction = table(auction_45())
    run_auction(auction, "pass", "bid 30", "pass", "pass")
    assert auction.contract() == (2, "30")


def test_thirty_for_sixty_stands_above_thirty() -> None:
    options = auction_45(thirty_for_sixty="on")
    auction = table(options)
    run_auction(auction, "bid 30")
    assert auction.legal() == {"pass", "bid 30-for-60"}
    run_auction(auction, "bid 30-for-60", "pass", "hold")
    assert auction.contract() == (0, "30-for-60")
    no_hold = table({**options, "dealer_hold": "off"})
    assert run_auction(no_hold, "bid 30-for-60").over


def test_least_bid_at_a_hundred() -> None:
    options = auction_45(min_bid_at_100=20)
    auction = table(options, scores=[100, 99])
    assert "bid 15" in auction.legal()
    run_auction(auction, "bid 15")
    assert auction.legal() == {"pass", "bid 20", "bid 25", "bid 30"}
    run_auction(auction, "pass", "pass")
    assert auction.legal() == {"pass", "bid 20", "bid 25", "bid 30"}  # no hold at fifteen
    bagged = run_auction(table(options, scores=[100, 0]), "pass", "pass", "pass", "pass")
    assert isinstance(bagged, FortyFivesAuction)
    assert bagged.contract() == (0, "20")


def test_no_bid_below() -> None:
    options = auction_45(no_bid_below=-30)
    auction = table(options, scores=[-35, -30])
    run_auction(auction, "pass")
    assert (auction.seat, auction.legal()) == (2, {"pass"})
    run_auction(auction, "pass")
    assert run_auction(auction, "bid 15").over  # the dealer cannot hold, nobody else is left
    bagged = table(options, scores=[-35, -35])
    for seat in (1, 2, 3, 0):
        assert (bagged.seat, bagged.legal()) == (seat, {"pass"})
        run_auction(bagged, "pass")
    assert bagged.contract() == (0, "15")


def test_call_of_ten() -> None:
    options = auction_45(ten_call="on", hold_scope="displaced_only")
    assert "bid 10" not in table(options, 4).legal()
    assert "bid 10" not in table(options, 6, 2).legal()
    auction = table(options, 6, 3)
    assert "bid 10" in auction.legal()
    run_auction(auction, "pass", "bid 10")
    assert auction.legal() == {"pass", "bid 15", "bid 20", "bid 25", "bid 30"}
    run_auction(auction, "pass", "pass", "pass")
    assert auction.legal() == {"pass", "bid 15", "bid 20", "bid 25", "bid 30"}  # no hold
    run_auction(auction, "pass")
    assert auction.over
    assert auction.contract() is None
    at_100 = table({**options, "min_bid_at_100": 20}, 6, 3, [0, 100, 0])
    assert "bid 10" not in at_100.legal()
    run_auction(at_100, "pass")
    assert "bid 10" in at_100.legal()


def test_ten_that_stands_throws_the_deal_in_though_the_dealer_may_be_bagged() -> None:
    deal = new_deal(auction_45(ten_call="on"), players=6, scores=[0, 0, 0])
    run(deal, "bid 10", "pass", "pass", "pass", "pass", "pass")
    assert (deal.phase, deal.seat, deal.bidder, deal.bid) == ("over", -1, None, None)
    assert deal.result() == {
        "outcome": "thrown-in",
        "points": [0, 0, 0],
        "after": {"scores": [0, 0, 0], "sets": [0, 0, 0], "deals": 0},
        "tricks": [0] * 6,
        "winner": None,
    }


def test_two_players_and_a_partner_who_is_overheld() -> None:
    auction = table(auction_45(), players=2)
    run_auction(auction, "bid 15", "hold")
    assert (auction.seat, auction.over) == (1, False)
    assert run_auction(auction, "pass").over


# Trump, kitty, discards


def test_order_of_trump_kitty_and_discards() -> None:
    before = run(new_deal(auction_45()), "bid 30", "pass", "pass", "pass")
    assert (before.phase, before.seat, len(before.hands[1])) == ("trump", 1, 5)
    assert before.legal() == {"trump S", "trump C", "trump D", "trump H"}
    run(before, "trump H")
    assert (before.phase, before.seat, before.trump) == ("discard", 1, "H")
    assert len(before.hands[1]) == 8
    after = new_deal(auction_45(name_trump="after_kitty"))
    run(after, "bid 30", "pass", "pass", "pass")
    assert (after.phase, len(after.hands[1]), after.kitty) == ("trump", 8, [])


def test_discards_go_up_and_leave_room_for_the_least_number() -> None:
    hand, kitty = ["2S", "AS", "3C", "JD", "10D"], ["4H", "AH", "KH"]
    pack = [*["2C", "4C", "5C", "6C", "7C"], *hand]
    pack = [*pack, *["8C", "9C", "10C", "JC", "QC"], *["KC", "AC", "2D", "3D", "4D"], *kitty]
    deal = run(new_deal(auction_45(), pack), "bid 30", "pass", "pass", "pass", "trump S")
    assert deal.legal() == {"discard " + c for c in ["2S", "AS", "3C", "10D", "JD", "4H"]}
    run(deal, "discard AS")
    assert deal.legal() == {"discard " + c for c in ["3C", "10D", "JD", "4H", "KH"]}
    with pytest.raises(ValueError, match="cannot"):
        run(deal, "discard 2S")
    run(deal, "discard 4H", "discard KH")
    assert deal.legal() == {"done", "discard AH"}
    stock = list(deal.stock)
    run(deal, "discard AH", "done")
    assert deal.thrown[1] == {"AS", "4H", "KH", "AH"}
    assert deal.hands[1] == {"2S", "3C", "JD", "10D", stock[0]}
    assert (deal.drawn, deal.seat) == ([0, 1, 0, 0], 2)
    assert "done" in deal.legal()


def test_the_bidder_keeps_one_card() -> None:
    deal = run(new_deal(auction_45()), "bid 30", "pass", "pass", "pass", "trump S")
    for card in sorted(deal.hands[1], key=card_order)[:7]:
        run(deal, "discard " + card)
    assert deal.legal() == {"done"}


@pytest.mark.parametrize(
    ("changes", "players", "bidder", "limits"),
    [
        ({"kitty": 0}, 4, True, (0, 4)),
        ({"kitty": 5, "bidder_min_keep": 0}, 4, True, (5, 10)),
        ({"min_keep": 2}, 4, True, (3, 6)),
        ({"min_keep": 2}, 4, False, (0, 3)),
        ({"min_keep": "by_players", "bidder_min_keep": 0}, 4, True, (3, 8)),
        ({"min_keep": "by_players"}, 5, False, (0, 4)),
        ({"min_keep": "by_players"}, 6, False, (0, 3)),
        ({"min_keep": "by_players"}, 6, True, (3, 6)),
        ({"draw": "off"}, 4, True, (3, 3)),
        ({"draw": "off"}, 4, False, None),
        ({"draw": "off", "kitty": 0}, 4, True, None),
    ],
)
def test_how_many_are_thrown(
    changes: dict[str, str | int], players: int, bidder: bool, limits: tuple[int, int] | None
) -> None:
    assert discard_limits(auction_45(**changes), players, bidder) == limits


def test_order_of_discards_and_first_lead() -> None:
    for order, seats in (("dealer_left", [1, 2, 3, 0]), ("bidder_first", [2, 1, 3, 0])):
        for lead, leader in (("left_of_bidder", 3), ("bidder", 2), ("left_of_dealer", 1)):
            deal = new_deal(auction_45(draw_order=order, first_lead=lead))
            run(deal, "pass", "bid 15", "pass", "pass", "trump C")
            asked = []
            while deal.phase == "discard":
                asked.append(deal.seat)
                discard_lowest(deal)
            assert asked == seats
            assert (deal.phase, deal.seat, deal.leader) == ("play", leader, leader)


def test_no_draw() -> None:
    deal = run(new_deal(auction_45(draw="off")), "bid 30", "pass", "pass", "pass", "trump S")
    discard_lowest(deal)
    assert (deal.phase, deal.seat, deal.drawn) == ("play", 2, [0, 0, 0, 0])
    none = new_deal(auction_45(draw="off", kitty=0))
    run(none, "bid 30", "pass", "pass", "pass", "trump S")
    assert none.phase == "play"


def throw(deal: BiddingDeal, count: int) -> None:
    lowest = sorted(deal.hands[deal.seat], key=card_order)[:count]
    run(deal, *["discard " + card for card in lowest], "done")


def test_the_stock_runs_out_and_the_thrown_cards_come_back() -> None:
    deal = new_deal(auction_45(), players=6, dealer=0)
    told: list[list[str]] = []

    def backwards(pile: list[str]) -> list[str]:
        told.append(pile)
        return pile[::-1]

    deal.shuffle = backwards
    run(deal, "bid 30", "pass", "pass", "pass", "pass", "pass", "trump S")
    for count in (7, 5, 5):  # draws 4, 5, 5 of 19
        throw(deal, count)
    first = set().union(*deal.thrown[1:4])
    throw(deal, 5)  # draws the last five of the stock
    assert (len(deal.stock), deal.restock, told) == (0, [], [])
    fourth = set(deal.thrown[4])
    throw(deal, 2)
    assert told == [sorted(first | fourth, key=card_order)]
    assert deal.restock == told[0][::-1]
    assert set(deal.restock[:2]) <= deal.hands[5]
    assert not deal.thrown[5] & set(deal.restock)
    throw(deal, 5)
    assert deal.drawn == [5, 4, 5, 5, 5, 2]
    assert len(deal.restock) - len(deal.stock) == 7


def test_own_throws_never_come_back_at_once() -> None:
    """What is left is served first; the cards of the seat itself wait."""
    deal = new_deal(auction_45(kitty=5), players=6, dealer=0)
    run(deal, "bid 30", "pass", "pass", "pass", "pass", "pass", "trump S")
    for count in (9, 5, 5):  # draws 4, 5, 5 of 17
        throw(deal, count)
    left = list(deal.stock)
    assert len(left) == 3
    throw(deal, 5)
    assert set(left) | set(deal.restock[:2]) == deal.hands[4]
    assert deal.pile == sorted(deal.thrown[4], key=deal.pile.index)
    assert not deal.thrown[4] & set(deal.restock)


def test_joker_in_the_auction_game() -> None:
    options = auction_45(joker="after_ah")
    deal = new_deal(options)
    assert len(deal.stock) == 53 - 23
    assert card_order("JK") > card_order("AH")


# Scores and the end of the game: Auction Forty-Fives


def settle(
    options: Options,
    bid: str,
    side: int,
    won: list[int],
    best: int | None,
    before: list[int],
    dealer: int = 0,
    sets: list[int] | None = None,
    deals: int = 1,
) -> tuple[list[int], int | None]:
    """Points and winner; `best` is the trick (from 0) with the best trump."""
    bonus = bidding_scores.bonus_trick(options, "S", None if best is None else (best, "5S"))
    made = bidding_scores.auction_made(
        bid, bidding_scores.raw_points(len(before), won, bonus), side, won
    )
    points = bidding_scores.auction_points(options, bid, side, won, bonus, before)
    failed = list(sets or [0] * len(before))
    failed[side] += 0 if made else 1
    winner = bidding_scores.auction_winner(
        options, dealer, side, made, before, points, won, bonus, failed, deals
    )
    return points, winner


def test_thirty_and_sixty() -> None:
    zero, all_five, four = [0, 0], [0] * 5, [0, 0, 0, 0, 1]
    plain = auction_45(thirty="plain", thirty_for_sixty="on")
    assert settle(plain, "30", 0, all_five, None, zero)[0] == [30, 0]
    assert settle(plain, "30", 0, four, 0, zero)[0] == [-30, 5]
    assert settle(plain, "30-for-60", 0, all_five, 2, zero)[0] == [60, 0]
    assert settle(plain, "30-for-60", 0, four, 4, zero)[0] == [-60, 10]
    assert settle(auction_45(), "30", 0, all_five, None, zero)[0] == [60, 0]
    assert settle(auction_45(), "25", 0, all_five, None, zero)[0] == [25, 0]
    assert settle(auction_45(), "25", 0, four, 1, zero)[0] == [25, 5]


def test_bonus_options() -> None:
    last = auction_45(bonus="last_trick")
    assert settle(last, "15", 0, [0, 0, 1, 1, 0], 2, [0, 0])[0] == [20, 10]
    none = auction_45(bonus="none")
    assert settle(none, "20", 0, [0, 0, 1, 1, 0], 0, [0, 0])[0] == [-20, 10]
    top = auction_45(bonus_needs_top="on")
    assert bidding_scores.bonus_trick(top, "S", (1, "KS")) is None
    assert bidding_scores.bonus_trick(top, "S", (1, "JS")) == 1


def test_frozen_defenders_score_only_if_the_bid_fails() -> None:
    options = preset("nova-scotia")
    won = [0, 0, 0, 1, 1]
    assert settle(options, "20", 0, won, 0, [0, 100]) == ([20, 0], None)
    assert settle(options, "20", 0, won, 0, [0, 99]) == ([20, 10], None)
    assert settle(options, "20", 0, won, 3, [0, 120]) == ([-20, 15], 1)


def test_bidder_first_then_defenders_then_losing() -> None:
    options = auction_45(lose_at=-100, sets_lose=3)
    assert settle(options, "15", 0, [0, 0, 1, 1, 0], 0, [105, 115])[1] == 0
    three = [0, 1, 1, 2, 2]
    assert settle(options, "20", 0, three, None, [0, 110, 111]) == ([-20, 10, 10], 2)
    assert settle(options, "20", 0, three, None, [0, 110, 110])[1] == 1
    assert settle(options, "20", 0, three, None, [0, 110, 110], dealer=1)[1] == 2
    assert settle(options, "20", 0, three, None, [-80, 110, 111])[1] == 2  # at the target
    assert settle(options, "20", 0, three, None, [-80, 50, 40])[1] == 1
    assert settle(options, "20", 0, three, None, [90, 50, 50], sets=[2, 0, 0])[1] == 1
    assert settle(options, "20", 0, three, None, [90, 50, 50], sets=[1, 3, 3])[1] is None


def test_must_bid_out() -> None:
    options = auction_45(must_bid_out="on", lose_at=-100)
    assert settle(options, "15", 0, [0, 0, 1, 1, 0], 0, [105, 135])[1] == 0
    assert settle(options, "15", 0, [0, 0, 1, 1, 0], 0, [90, 135])[1] is None
    assert settle(options, "30", 0, [0, 0, 1, 1, 0], 0, [-80, 135])[1] == 1
    highest = {**options, "tie": "highest_total"}
    assert settle(highest, "15", 0, [0, 0, 1, 1, 0], 0, [105, 135])[1] == 0


def test_trick_order_among_defenders() -> None:
    options = auction_45(tie="trick_order")
    assert settle(options, "25", 0, [2, 1, 1, 0, 2], None, [0, 115, 115])[1] == 2
    assert settle(options, "25", 0, [2, 1, 1, 0, 2], 1, [0, 110, 110])[1] == 1  # the bonus
    assert settle(options, "15", 0, [1, 0, 0, 0, 2], None, [105, 115, 115])[1] == 0


def test_highest_total_knows_no_right_of_the_bidder() -> None:
    options = auction_45(tie="highest_total")
    won = [0, 0, 0, 1, 1]
    assert settle(options, "15", 0, won, 0, [105, 120])[1] == 1
    assert settle(options, "15", 0, won, 0, [105, 115])[1] == 1  # level: dealer's left
    assert settle(options, "15", 0, won, 0, [105, 115], dealer=1)[1] == 0
    play_on = {**options, "tie_equal": "play_on"}
    assert settle(play_on, "15", 0, won, 0, [105, 115])[1] is None


def test_fixed_number_of_deals() -> None:
    options = preset("pei-hall")
    won = [0, 0, 0, 1, 1]
    assert settle(options, "15", 0, won, 0, [205, 115], deals=3)[1] is None
    assert settle(options, "15", 0, won, 0, [10, 15], deals=4)[1] == 0
    assert settle(options, "15", 0, won, 0, [5, 15], deals=4)[1] == 1
    play_on = {**options, "tie_equal": "play_on"}
    assert settle(play_on, "15", 0, won, 0, [5, 15], deals=4)[1] is None
    assert settle(play_on, "15", 0, won, 0, [15, 15], deals=5)[1] == 0
    lose = {**options, "lose_at": -50}
    assert settle(lose, "20", 0, [1] * 5, 0, [-30, 0], deals=1)[1] == 1


# Five Hundred


def test_ladders() -> None:
    highest = five_hundred.ladder(auction_500(open_misere_rank="highest"))
    assert highest[-2:] == ["10NT", "open-misere"]
    before = five_hundred.ladder(auction_500(open_misere_rank="before_10s"))
    assert before[before.index("9NT") : before.index("10C")] == ["9NT", "open-misere", "10S"]
    off = five_hundred.ladder(auction_500(misere="off"))
    assert len(off) == 25
    assert five_hundred.bid_value(auction_500(misere_value=150), "misere") == 150
    assert five_hundred.bid_value(auction_500(misere_value=150), "open-misere") == 500


def test_misere_at_any_time() -> None:
    options = auction_500(misere="anytime")
    for standing, allowed in ((None, True), ("6S", True), ("7NT", True), ("8S", False)):
        assert five_hundred.bid_allowed(options, standing, "misere") == allowed
    for standing in (None, "6NT", "misere", "8S"):
        assert not five_hundred.bid_allowed(auction_500(), standing, "misere")


def test_the_top_of_the_ladder_ends_the_auction() -> None:
    for rank, top in (("after_10d", "10NT"), ("highest", "open-misere")):
        for rebid in ("off", "on"):
            options = auction_500(open_misere_rank=rank, rebid_after_pass=rebid)
            auction = FiveHundredAuction(options, 4, 2, 0, [0, 0])
            run_auction(auction, "bid 6S", "bid " + top)
            assert auction.over
            assert auction.contract() == (2, top)


def test_a_pass_that_is_not_final() -> None:
    auction = FiveHundredAuction(auction_500(rebid_after_pass="on"), 4, 2, 0, [0, 0])
    run_auction(auction, "pass", "pass", "bid 6S", "pass", "bid 6C", "pass", "pass")
    assert (auction.seat, auction.over) == (0, False)
    run_auction(auction, "bid 7S", "pass", "pass", "pass")
    assert auction.contract() == (0, "7S")
    final = FiveHundredAuction(auction_500(), 4, 2, 0, [0, 0])
    run_auction(final, "pass", "pass", "bid 6S", "pass")
    assert final.contract() == (3, "6S")
    silent = FiveHundredAuction(auction_500(rebid_after_pass="on"), 4, 2, 0, [0, 0])
    run_auction(silent, "pass", "pass", "pass", "pass")
    assert silent.over
    assert silent.contract() is None


def suits_of_500() -> tuple[list[str], list[str], list[str], list[str]]:
    """Seat 0 all spades, seat 1 all clubs, seat 2 and 3 the top ten diamonds and hearts."""
    black = [[rank + suit for rank in five_hundred.plain_ranks(suit)] for suit in "SC"]
    red = [[rank + suit for rank in five_hundred.plain_ranks(suit)][:10] for suit in "DH"]
    return black[0], black[1], red[0], red[1]


def one_suit_each(options: Options, joker_to: int, bid: str) -> BiddingDeal:
    """Every seat has a suit; the contractor is seat 1; the Joker replaces a five of a seat."""
    hands = [list(suit) for suit in suits_of_500()]
    given = hands[joker_to].pop()
    hands[joker_to].append("JK")
    first = [card for hand in hands for card in hand] + [given, "4D", "4H"]
    deal = run(new_deal(options, first), "bid " + bid)
    while deal.phase == "auction":
        run(deal, "pass")
    throws = [given, "4D", "4H"] if deal.phase == "discard" else []
    for card in sorted(throws, key=card_order):
        run(deal, "discard " + card)
    return run(deal, "done") if throws else deal


def test_three_are_thrown_then_done() -> None:
    deal = run(new_deal(auction_500()), "bid 6S", "pass", "pass", "pass")
    assert (deal.phase, deal.seat, deal.trump) == ("discard", 1, "S")
    assert len(deal.hands[1]) == 13
    assert len(deal.legal()) == 11
    run(deal, *["discard " + c for c in sorted(deal.hands[1], key=card_order)[:3]])
    assert deal.legal() == {"done"}
    run(deal, "done")
    assert (deal.phase, deal.seat, deal.leader) == ("play", 1, 1)


def test_who_is_asked_to_give_the_joker_a_suit() -> None:
    free, misere_only = auction_500(), auction_500(joker_nt_suit="misere_only")
    assert one_suit_each(free, 1, "6NT").phase == "assign"
    assert one_suit_each(free, 1, "open-misere").phase == "assign"
    assert one_suit_each(free, 1, "7C").phase == "play"
    assert one_suit_each(free, 2, "6NT").phase == "play"
    assert one_suit_each(misere_only, 1, "6NT").phase == "play"
    assert one_suit_each(misere_only, 1, "open-misere").phase == "assign"
    deal = one_suit_each(free, 1, "6NT")
    assert deal.legal() == {"assign " + word for word in ["S", "C", "D", "H", "none"]}


def test_a_joker_with_a_suit_names_nothing() -> None:
    deal = run(one_suit_each(auction_500(), 1, "6NT"), "assign C", "JK")
    assert (deal.phase, deal.seat) == ("play", 2)


def test_joker_led_names_a_suit_not_led() -> None:
    deal = run(one_suit_each(auction_500(), 1, "6NT"), "assign none", "AC")
    run(deal, "AD", "AH", "AS")
    assert deal.seat == 1
    run(deal, "JK")
    assert (deal.phase, deal.seat) == ("name", 1)
    assert deal.legal() == {"name S", "name D", "name H"}
    run(deal, "name H", "KD")
    assert deal.legal() == deal.hands[3]
    run(deal, "KH", "KS")
    assert (deal.seat, deal.led_suits, deal.named) == (1, ["C", "H"], None)


def test_named_suit_must_be_followed_and_the_joker_wins() -> None:
    options = auction_500()
    hand = ["AS", "9H", "2H"]
    assert five_hundred.legal_cards(options, "NT", hand, ["JK"], None, "H") == {"9H", "2H"}
    assert five_hundred.legal_cards(options, "NT", ["AS", "9C"], ["JK"], None, "H") == {"AS", "9C"}
    assert five_hundred.trick_winner("NT", ["JK", "AH", "KH", "QH"], None, "H") == 0


def test_joker_lead_options() -> None:
    hand, every = ["JK", "9C"], ["S", "C", "D", "H"]
    for rule, led, allowed in (
        ("unled_suit", ["S", "C", "D"], True),
        ("unled_suit", every, False),
        ("any_suit", every, True),
        ("last_trick_only", [], False),
    ):
        options = auction_500(joker_lead=rule)
        found = five_hundred.legal_cards(options, "NT", hand, [], None, None, led)
        assert ("JK" in found) == allowed
        assert five_hundred.legal_cards(options, "NT", ["JK"], [], None, None, every) == {"JK"}
        assert "JK" in five_hundred.legal_cards(options, "S", hand, [], None, None, every)
    assert five_hundred.nameable(auction_500(joker_lead="any_suit"), every) == set(every)


def test_joker_led_to_the_last_trick_names_nothing() -> None:
    deal = run(one_suit_each(auction_500(), 1, "6NT"), "assign none")
    while len(deal.tricks) < 9:
        run(deal, min(deal.legal() - {"JK"}))
    assert deal.seat == 1
    run(deal, "JK")
    assert (deal.phase, deal.seat) == ("play", 2)
    while deal.phase != "over":
        run(deal, *deal.legal())
    assert deal.tricks_won == [0, 10, 0, 0]
    assert len(deal.led_suits) == 9
    assert deal.result() == {
        "outcome": "made",
        "points": [0, 250],
        "after": {"scores": [0, 250], "sets": [0, 0], "deals": 1},
        "tricks": [0, 10, 0, 0],
        "winner": None,
    }


def test_a_joker_without_a_suit_is_kept_while_following() -> None:
    options = auction_500()
    assert five_hundred.legal_cards(options, "NT", ["JK", "9C"], ["AC"]) == {"9C"}
    assert five_hundred.legal_cards(options, "NT", ["JK", "9D"], ["AC"]) == {"JK", "9D"}
    assert five_hundred.trick_winner("NT", ["AC", "JK", "9C", "8C"], "H") == 0


def test_misere_is_played_by_three_and_stops_at_the_first_trick_taken() -> None:
    for play_out, tricks in (("off", 1), ("on", 10)):
        options = auction_500(play_out=play_out)
        deal = run(one_suit_each(options, 2, "open-misere"), "AC")
        assert (deal.trump, deal.seat) == ("NT", 2)
        run(deal, "AD")
        assert deal.seat == 0  # seat 3 is the partner
        while deal.phase != "over":
            run(deal, min(deal.legal() - {"JK"}, default="JK"))
        assert len(deal.tricks) == tricks
        assert all(len(trick["cards"]) == 3 for trick in deal.tricks)
        assert len(deal.hands[3]) == 10
        result = deal.result()
        assert (result["outcome"], result["points"]) == ("set", [0, -500])
        assert result["winner"] == 0  # five hundred below
        after = cast(dict[str, object], result["after"])
        assert after == {"scores": [0, -500], "sets": [0, 1], "deals": 1}


def test_passed_out() -> None:
    passes = ["pass"] * 4
    thrown = run(new_deal(auction_500()), *passes)
    assert thrown.result()["outcome"] == "thrown-in"
    options = auction_500(pass_out="play_nt")
    deal = run(new_deal(options, dealer=2), *passes)
    assert (deal.phase, deal.seat, deal.trump) == ("play", 3, "NT")
    assert (deal.bidder, deal.bid, len(deal.kitty)) == (None, None, 3)
    while deal.phase != "over":
        run(deal, min(deal.legal()))
    result = deal.result()
    assert result["outcome"] == "scored"
    assert sum(cast(list[int], result["points"])) == 100
    assert result["after"] == {"scores": result["points"], "sets": [0, 0], "deals": 1}


def test_points_of_five_hundred() -> None:
    def points(options: Options, bid: str, tricks: list[int]) -> list[int]:
        return bidding_scores.five_hundred_points(options, bid, 0, tricks)

    assert points(auction_500(), "10H", [10, 0]) == [500, 0]
    assert points(auction_500(slam_bonus="off"), "7S", [10, 0]) == [140, 0]
    only = auction_500(defender_points="only_if_set")
    assert points(only, "6S", [6, 4]) == [40, 0]
    assert points(only, "6S", [5, 5]) == [-40, 50]
    assert points(auction_500(misere_value=150), "misere", [1, 9]) == [-150, 0]


def test_end_of_five_hundred() -> None:
    def winner(
        options: Options, side: int | None, made: bool, totals: list[int], dealer: int = 0
    ) -> int | None:
        return bidding_scores.five_hundred_winner(options, dealer, side, made, totals)

    on, off = auction_500(), auction_500(win_needs_contract="off")
    assert winner(on, 0, True, [500, 510]) == 0
    assert winner(on, 0, False, [500, 510]) is None
    assert winner(on, 0, True, [490, 510]) is None
    assert winner(on, None, False, [600, 510]) is None
    assert winner(off, 0, True, [500, 510]) == 0
    assert winner(off, 0, True, [490, 510]) == 1
    assert winner(off, None, False, [500, 510]) == 1
    assert winner(off, None, False, [510, 510]) == 1
    assert winner(off, None, False, [510, 510], dealer=1) == 0
    assert winner(on, 0, False, [-500, 0]) == 1
    assert winner(on, 0, False, [-499, 0]) is None


# Random play

AUCTION_VALUES: dict[str, list[str | int]] = {
    "plain_lead": ["follow_or_trump", "strict_follow", "must_follow_or_trump", "free"],
    "renege": [
        "outranks_led",
        "highest_so_far",
        "expires_in_deal",
        "single_unconditional",
        "none",
    ],
    "renege_cards": ["top3", "five_only"],
    "ah_lead_needs_heart": ["off", "on"],
    "plain_red_ace": ["lowest", "below_jack", "high"],
    "plain_black_ace": ["below_jack", "high"],
    "joker": ["none", "after_ah", "before_ah"],
    "head": ["modern", "five_cards"],
    "bonus": ["best_trump", "last_trick", "none"],
    "bonus_needs_top": ["off", "on"],
    "kitty": [0, 3, 4, 5],
    "min_bid": [5, 15, 20],
    "dealer_hold": ["on", "off"],
    "hold_scope": ["all_live", "displaced_only"],
    "auction_rounds": ["until_passed", "one"],
    "name_trump": ["before_kitty", "after_kitty"],
    "first_lead": ["left_of_bidder", "bidder", "left_of_dealer"],
    "thirty": ["double", "plain"],
    "thirty_for_sixty": ["off", "on"],
    "ten_call": ["off", "on"],
    "min_bid_at_100": ["off", 20],
    "defenders_frozen_at": ["off", 100],
    "must_bid_out": ["off", "on"],
    "sets_lose": ["off", 3],
    "lose_at": ["off", -125],
    "game_deals": ["off", 4],
    "draw": ["on", "off"],
    "draw_order": ["dealer_left", "bidder_first"],
    "min_keep": [0, 1, 2, "by_players"],
    "bidder_min_keep": [0, 1],
    "tie": ["bidder_first", "trick_order", "highest_total"],
    "tie_equal": ["nondealer_first", "play_on"],
}
FIVE_HUNDRED_VALUES: dict[str, list[str | int]] = {
    "joker_nt_suit": ["allowed", "misere_only"],
    "joker_lead": ["unled_suit", "any_suit", "last_trick_only"],
    "misere": ["after_seven", "anytime", "off"],
    "misere_value": [250, 150],
    "open_misere_rank": ["after_10d", "highest", "before_10s"],
    "rebid_after_pass": ["off", "on"],
    "defender_points": ["always", "only_if_set", "none"],
    "slam_bonus": [250, "off"],
    "win_needs_contract": ["on", "off"],
    "pass_out": ["redeal", "play_nt"],
    "play_out": ["off", "on"],
}
BASES = sorted(
    name
    for name, values in PRESETS.items()
    if values["family"] in FAMILIES and name != "one-hundred-and-ten"
)


def random_options(rng: random.Random, name: str) -> Options:
    """A preset in which some options are changed at random."""
    options = preset(name)
    values = FIVE_HUNDRED_VALUES if name == "five-hundred" else AUCTION_VALUES
    for key, choice in values.items():
        if rng.random() < 0.3:
            options[key] = rng.choice(choice)
    if options.get("all_pass") == "dealer_bagged" and rng.random() < 0.3:
        options["no_bid_below"] = -30
    return options


def packs(options: Options, rng: random.Random) -> Iterator[list[str]]:
    for _ in range(300):
        pack = game_pack(options)
        rng.shuffle(pack)
        yield pack


class Watcher:
    """Chooses at random and checks what must hold in every deal."""

    def __init__(self, options: Options, rng: random.Random) -> None:
        self.options, self.rng = options, rng
        self.seen: BiddingDeal | None = None
        self.calls: list[tuple[int, str]] = []

    def __call__(self, deal: BiddingDeal, legal: set[str]) -> str:
        if self.seen is not deal:
            self.check_finished()
            self.seen, self.calls = deal, []
            deal.shuffle = self.shuffle
        self.check(deal, legal)
        choice = self.choose(deal, sorted(legal))
        if deal.phase == "auction":
            self.calls.append((deal.seat, choice))
        return choice

    def shuffle(self, pile: list[str]) -> list[str]:
        assert pile == sorted(pile, key=card_order)
        return self.rng.sample(pile, len(pile))

    def choose(self, deal: BiddingDeal, legal: list[str]) -> str:
        if deal.phase == "discard" and len(legal) > 1 and self.rng.random() < 0.9:
            return min(set(legal) - {"done"}, key=lambda action: card_order(action[8:]))
        if deal.phase != "auction":
            return self.rng.choice(legal)
        quiet = [call for call in ("pass", "hold") if call in legal]
        bids = [call for call in legal if call not in quiet]
        if not bids or self.rng.random() < 0.7:
            return self.rng.choice(quiet)
        lowest = "bid 5" if "bid 5" in bids else min(bids)
        return lowest if self.rng.random() < 0.8 else self.rng.choice(bids)

    def check(self, deal: BiddingDeal, legal: set[str]) -> None:
        assert legal
        assert deal.seat in range(deal.players)
        if self.rng.random() < 0.05:
            with pytest.raises(ValueError, match="cannot"):
                deal.apply("nonsense")
        found = [card for trick in deal.tricks for card in trick["cards"]] + deal.trick
        found += [card for hand in deal.hands for card in hand]
        found += deal.kitty + deal.stock + deal.pile
        found += deal.thrown[deal.seat] if deal.phase == "discard" else []
        assert sorted(found) == sorted(game_pack(self.options))
        if deal.phase == "play":
            assert legal <= deal.hands[deal.seat]
            assert deal.seat in deal.playing()
            if not deal.tricks and not deal.trick:
                assert all(len(hand) == deal.size for hand in deal.hands)
        if deal.phase == "auction":
            assert (deal.bidder, deal.bid, deal.trump) == (None, None, None)
            assert deal.seat != deal.auction.bidder

    def check_finished(self) -> None:
        if self.seen is None:
            return
        deal, result = self.seen, self.seen.result()
        assert (deal.legal(), deal.seat) == (set(), -1)
        self.check_calls()
        assert sum(deal.tricks_won) == len(deal.tricks)
        after = cast(dict[str, Any], result["after"])
        points = cast(list[int], result["points"])
        assert after["scores"] == [a + b for a, b in zip(deal.scores, points, strict=True)]
        counted = result["outcome"] != "thrown-in"
        assert after["deals"] == deal.deals + counted
        assert sum(after["sets"]) == sum(deal.sets) + (result["outcome"] == "set")
        if not counted:
            assert (deal.tricks, set(points), result["winner"]) == ([], {0}, None)
        elif deal.five_hundred:
            self.check_five_hundred(deal, points)
        else:
            self.check_forty_fives(deal, points)

    def check_calls(self) -> None:
        final = self.options.get("rebid_after_pass", "off") == "off"
        passed: set[int] = set()
        for seat, call in self.calls:
            assert seat not in passed
            if call == "pass" and final:
                passed.add(seat)
        if self.options.get("auction_rounds") == "one":
            assert len({seat for seat, _ in self.calls}) == len(self.calls)

    def check_five_hundred(self, deal: BiddingDeal, points: list[int]) -> None:
        misere = deal.bid in five_hundred.MISERES
        if not misere or self.options["play_out"] == "on":
            assert len(deal.tricks) == 10
        assert all(len(t["cards"]) == (3 if misere else 4) for t in deal.tricks)
        assert points != [0, 0]
        thrown = [len(seat_threw) for seat_threw in deal.thrown]
        assert thrown == [3 if seat == deal.bidder else 0 for seat in range(4)]
        suits = deal.led_suits
        assert len(suits) in (len(deal.tricks), len(deal.tricks) - 1)

    def check_forty_fives(self, deal: BiddingDeal, points: list[int]) -> None:
        assert len(deal.tricks) == 5
        won = [trick["winner"] % deal.sides for trick in deal.tricks]
        raw = bidding_scores.raw_points(deal.sides, won, deal.bonus())
        assert sum(raw) in (25, 30)
        assert deal.bidder is not None
        kitty = cast(int, self.options["kitty"])
        for seat in range(deal.players):
            extra = kitty if seat == deal.bidder else 0
            assert len(deal.thrown[seat]) == deal.drawn[seat] + extra
        side = deal.bidder % deal.sides
        for other in range(deal.sides):
            assert other == side or points[other] in (raw[other], 0)
        assert points[side] == raw[side] or abs(points[side]) in (5, 10, 15, 20, 25, 30, 60)
        assert deal.restock == [] or deal.players >= 5
        if deal.players == 5 and kitty <= 3 and self.options["bidder_min_keep"] == 1:
            assert deal.restock == []  # just enough


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("seed", range(40))
def test_random_games(name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed}")
    options = random_options(rng, name) if seed else preset(name)
    players = 4 if name == "five-hundred" else rng.randint(2, 6)
    sides = rng.choice([k for k in range(2, players + 1) if players % k == 0])
    sides = 2 if name == "five-hundred" else sides
    if sides > 3:
        options["must_bid_out"] = "off"  # at random nobody would ever get there
    watcher = Watcher(options, rng)
    first = rng.randrange(players)
    try:
        played = play_game(options, players, sides, first, packs(options, rng), watcher)
    except StopIteration:  # some odd mixtures sink for ever below zero when bid at random
        assert seed > 0
        return
    watcher.check_finished()
    dealers = cast(list[int], played["dealers"])
    assert dealers == [(first + i) % players for i in range(cast(int, played["deals"]))]
    assert watcher.seen is not None
    result = watcher.seen.result()
    assert played["winners"] == [result["winner"]]
    assert played["scores"] == cast(dict[str, object], result["after"])["scores"]


def test_make_deal_knows_the_family() -> None:
    bidding = make_deal(auction_45(), 4, 2, 0, game_pack(auction_45()), {"scores": [0, 0]})
    assert isinstance(bidding, BiddingDeal)
    own = {key: value for key, value in PRESETS["forty-five"].items() if key not in NOT_OPTIONS}
    options: Options = {"hand_size": 5, "deck": "standard", "trump": "turned", **own}
    turn_up = make_deal(options, 4, 2, 0, cards.pack(options), {"scores": [0, 0]})
    assert isinstance(turn_up, Deal)


def test_bad_packs_are_refused() -> None:
    options = auction_500()
    with pytest.raises(ValueError, match="pack"):
        BiddingDeal(options, 4, 2, 0, game_pack(options)[1:], {"scores": [0, 0]})
    with pytest.raises(ValueError, match="sits out"):
        BiddingDeal(options, 4, 2, 0, game_pack(options), {"scores": [0, 0]}, [0, 1, 2])
