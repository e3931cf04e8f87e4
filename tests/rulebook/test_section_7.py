"""docs/rules.md 7: Auction Forty-Fives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forty5sim.cards import SUIT_NAMES
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from tests.rulebook.bidding_table import (
    bidding_deal,
    call,
    calls_of,
    cards_of,
    contract_of,
    exchange,
    names,
    settled,
    take,
    throw,
    throw_lowest,
    winner,
)
from tests.rulebook.table import hand_of, legal, play, words

pytestmark = pytest.mark.jit_off

GAME = "auction-forty-fives"
ALL_SUITS = {"trump S", "trump C", "trump D", "trump H"}


def auction(options: str, players: int = 4, scores: Sequence[int] | None = None) -> Game:
    """A deal with these options; seat 0 deals."""
    return bidding_deal(f"{GAME}:{options}", players=players, scores=scores)


def exchanging(
    options: str, bidder: int = 1, players: int = 4, hands: dict[int, str] | None = None
) -> Game:
    """A deal in which a seat has bid 30 and named spades; seat 0 deals."""
    game = bidding_deal(f"{GAME}:{options}", hands or {}, players=players)
    return play(take(game, bidder, "30"), "trump:S")


# 7.1


@pytest.mark.parametrize(
    ("players", "sides"),
    [
        (2, [0, 1]),
        (3, [0, 1, 2]),
        (4, [0, 1, 0, 1]),
        (5, [0, 1, 2, 3, 4]),
        (6, [0, 1, 0, 1, 0, 1]),
    ],
)
def test_7_1_players_and_sides(players: int, sides: list[int]) -> None:
    assert Game(GAME, players).sides == sides


def test_7_1_no_more_than_six() -> None:
    with pytest.raises(RuleSetError, match="players"):
        Game(GAME, 7)


@pytest.mark.parametrize("kitty", range(6))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_7_1_hands_kitty_and_stock(kitty: int, players: int) -> None:
    game = auction(f"kitty={kitty}", players)
    assert [len(hand) for hand in game.hands] == [5] * players
    assert len(game.kitty) == kitty
    assert set(game.kitty) == set(game.pack[5 * players : 5 * players + kitty])
    assert game.state[layout.STOCK] == 5 * players + kitty
    assert (game.turnup, game.trump, game.phase, game.seat) == (None, None, "auction", 1)


def test_7_1_the_course_of_a_deal() -> None:
    game, phases = auction(""), []
    while not game.deal_is_over:
        if game.phase not in phases:
            phases.append(game.phase)
        game.push(game.legal_actions[0])
    assert phases == ["auction", "trump", "discard", "play"]
    assert len(game.history) == 5


# 7.2


@pytest.mark.parametrize(
    ("options", "calls", "seat", "may"),
    [
        ("", "", 1, "pass 15 20 25 30"),
        ("", "20", 2, "pass 25 30"),
        ("", "20 pass pass", 0, "pass hold 25 30"),
        ("", "20 pass pass hold", 1, "pass 25 30"),
        ("", "30", 2, "pass"),
        ("", "30 pass", 3, "pass"),
        ("", "30 pass pass", 0, "pass hold"),
        ("", "15 20 pass pass", 1, "pass 25 30"),
        ("min_bid=5", "", 1, "pass 5 10 15 20 25 30"),
        ("min_bid=10", "", 1, "pass 10 15 20 25 30"),
        ("min_bid=20", "", 1, "pass 20 25 30"),
        ("min_bid=25", "", 1, "pass 25 30"),
        ("min_bid=30", "", 1, "pass 30"),
        ("auction_rounds=one", "15 20 25", 0, "pass hold 30"),
        ("thirty_for_sixty=on", "", 1, "pass 15 20 25 30 30-for-60"),
        ("thirty_for_sixty=on", "30", 2, "pass 30-for-60"),
        ("thirty_for_sixty=on", "30-for-60", 2, "pass"),
        ("thirty_for_sixty=on", "30-for-60 pass pass", 0, "pass hold"),
    ],
)
def test_7_2_what_may_be_called(options: str, calls: str, seat: int, may: str) -> None:
    game = call(auction(options), calls)
    assert (game.seat, calls_of(game)) == (seat, words(may))


@pytest.mark.parametrize(
    ("options", "calls", "contract"),
    [
        ("", "20 pass pass hold pass", (0, "20")),
        ("", "pass pass pass 30", (0, "30")),
        ("", "pass pass pass 15", (0, "15")),
        ("", "20 pass pass pass", (1, "20")),
        ("", "15 20 25 30", (0, "30")),
        ("", "15 20 30", "open"),
        ("", "15 20 30 pass", (3, "30")),
        ("", "15 20 pass pass 25 pass", (1, "25")),
        ("dealer_hold=off", "30", (1, "30")),
        ("dealer_hold=off,thirty_for_sixty=on", "30", "open"),
        ("dealer_hold=off,thirty_for_sixty=on", "15 30-for-60", (2, "30-for-60")),
        ("auction_rounds=one", "15 20 pass pass", (2, "20")),
        ("auction_rounds=one", "15 20 25 30", (0, "30")),
        ("auction_rounds=one", "30", "open"),
        ("auction_rounds=one,dealer_hold=off", "30", (1, "30")),
    ],
)
def test_7_2_when_the_auction_ends(
    options: str, calls: str, contract: tuple[int, str] | str
) -> None:
    assert contract_of(call(auction(options), calls)) == contract


def test_7_2_a_pass_is_final() -> None:
    game = call(auction(""), "15 pass 20 hold")
    assert (game.seat, game.callers) == (1, [0, 1, 3])
    assert call(game, "25").seat == 3


AT_100 = "min_bid_at_100=20"


@pytest.mark.parametrize(
    ("options", "scores", "calls", "may"),
    [
        (AT_100, [0, 105], "", "pass 20 25 30"),
        (AT_100, [0, 100], "", "pass 20 25 30"),
        (AT_100, [0, 99], "", "pass 15 20 25 30"),
        (AT_100, [105, 0], "", "pass 15 20 25 30"),
        ("min_bid_at_100=off", [0, 105], "", "pass 15 20 25 30"),
        ("min_bid_at_100=15", [0, 105], "", "pass 15 20 25 30"),
        ("min_bid_at_100=25", [0, 105], "", "pass 25 30"),
        ("min_bid_at_100=30", [0, 105], "", "pass 30"),
        ("min_bid=5,min_bid_at_100=10", [0, 105], "", "pass 10 15 20 25 30"),
        ("min_bid=5,min_bid_at_100=5", [0, 105], "", "pass 5 10 15 20 25 30"),
        (AT_100, [105, 0], "15 pass pass", "pass 20 25 30"),
        ("no_bid_below=-30", [0, -35], "", "pass"),
        ("no_bid_below=-30", [0, -30], "", "pass 15 20 25 30"),
        ("no_bid_below=-30", [-35, 0], "", "pass 15 20 25 30"),
        ("no_bid_below=0", [0, -5], "", "pass"),
        ("no_bid_below=off", [0, -95], "", "pass 15 20 25 30"),
    ],
)
def test_7_2_bids_by_the_score(options: str, scores: list[int], calls: str, may: str) -> None:
    assert calls_of(call(auction(options, scores=scores), calls)) == words(may)


def test_7_2_a_pass_without_a_choice_is_a_call_like_any_other() -> None:
    game = call(auction("no_bid_below=-30", scores=[0, -35]), "pass 15 pass")
    assert [seat for seat, _ in game.calls] == [1, 2, 3]
    assert contract_of(game) == "open"  # the dealer may still do something


def test_7_2_a_seat_that_may_not_bid_is_not_waited_for() -> None:
    game = call(auction("no_bid_below=-30", scores=[-35, 0]), "pass pass 15")
    assert contract_of(game) == (3, "15")  # the dealer could only pass


def test_7_2_least_bid_at_100_below_the_least_bid_is_refused() -> None:
    with pytest.raises(RuleSetError, match="min_bid_at_100=15 is less than min_bid=20"):
        find_rules(f"{GAME}:min_bid=20,min_bid_at_100=15")


# 7.3


@pytest.mark.parametrize(
    ("options", "calls", "seat", "may"),
    [
        ("dealer_hold=off", "20 pass pass", 0, "pass 25 30"),
        ("", "pass 20 pass", 0, "pass hold 25 30"),  # a partner's bid
        ("min_bid=5", "5 pass pass", 0, "pass hold 10 15 20 25 30"),
        ("", "20 pass pass hold 25", 0, "pass hold 30"),  # once more
        ("", "20 pass pass 25 30", 0, "pass hold"),
        ("", "15 20 pass 25 pass 30", 0, "pass hold"),
        ("hold_scope=all_live", "20 25 pass hold", 1, "pass 30"),
        ("hold_scope=displaced_only", "20 25 pass hold", 2, "pass 30"),
        ("hold_scope=displaced_only", "15 20 25 hold", 3, "pass 30"),
        ("hold_scope=displaced_only", "15 20 25 hold 30", 0, "pass hold"),
        ("hold_scope=all_live", "15 20 25 hold 30", 2, "pass"),
    ],
)
def test_7_3_hold(options: str, calls: str, seat: int, may: str) -> None:
    game = call(auction(options), calls)
    assert (game.seat, calls_of(game)) == (seat, words(may))


@pytest.mark.parametrize(
    ("options", "calls", "contract"),
    [
        ("hold_scope=all_live", "20 25 pass hold", "open"),
        ("hold_scope=displaced_only", "20 25 pass hold pass", (0, "25")),
        ("hold_scope=displaced_only", "20 25 pass hold 30 pass", (2, "30")),
        ("hold_scope=displaced_only", "20 25 pass hold 30 hold", (0, "30")),
        ("hold_scope=all_live", "20 25 pass hold pass pass", (0, "25")),
        ("auction_rounds=one", "20 25 pass hold", (0, "25")),
        ("auction_rounds=one,hold_scope=displaced_only", "20 25 pass hold", (0, "25")),
    ],
)
def test_7_3_after_a_hold(options: str, calls: str, contract: tuple[int, str] | str) -> None:
    assert contract_of(call(auction(options), calls)) == contract


def test_7_3_a_hold_takes_the_bid_over() -> None:
    game = call(auction(""), "20 25 pass hold")
    assert (game.bidder, game.calls[-1]) == (0, (0, layout.HOLD))
    assert contract_of(call(game, "pass pass")) == (0, "25")


def test_7_3_never_their_own_bid_and_not_after_a_pass() -> None:
    assert call(auction(""), "pass pass 15 pass").phase == "trump"
    game = call(auction(""), "15 pass pass 20")
    assert (game.seat, "hold" in calls_of(game)) == (1, False)


@pytest.mark.parametrize(
    ("options", "scores", "bid", "may"),
    [
        (AT_100, [100, 0], "15", "pass 20 25 30"),
        (AT_100, [100, 0], "20", "pass hold 25 30"),
        (AT_100, [95, 0], "15", "pass hold 20 25 30"),
        ("no_bid_below=-30", [-30, 0], "15", "pass hold 20 25 30"),
    ],
)
def test_7_3_only_what_they_could_have_bid(
    options: str, scores: list[int], bid: str, may: str
) -> None:
    game = call(auction(options, scores=scores), f"{bid} pass pass")
    assert (game.seat, calls_of(game)) == (0, words(may))


# 7.4


@pytest.mark.parametrize(
    ("options", "scores", "contract"),
    [
        ("", [0, 0], (0, "15")),
        ("all_pass=dealer_bagged", [0, 0], (0, "15")),
        ("min_bid=5", [0, 0], (0, "5")),
        ("min_bid=25", [0, 0], (0, "25")),
        (AT_100, [105, 0], (0, "20")),
        (AT_100, [0, 105], (0, "15")),
        ("min_bid=20,min_bid_at_100=20", [105, 0], (0, "20")),
        ("no_bid_below=-30", [-35, 0], (0, "15")),
        ("no_bid_below=-30", [-35, -35], (0, "15")),
        ("all_pass=redeal", [0, 0], "thrown-in"),
        (f"all_pass=redeal,{AT_100}", [105, 0], "thrown-in"),
    ],
)
@pytest.mark.parametrize("rounds", ["until_passed", "one"])
def test_7_4_nobody_bids(
    options: str, scores: list[int], contract: tuple[int, str] | str, rounds: str
) -> None:
    game = auction(f"auction_rounds={rounds},{options}", scores=scores)
    assert contract_of(call(game, "pass pass pass pass")) == contract


def test_7_4_a_deal_thrown_in_is_not_played() -> None:
    game = bidding_deal(f"{GAME}:all_pass=redeal", dealer=2, scores=[40, -15], sets=[1, 2], deals=3)
    call(game, "pass pass pass pass")
    assert (game.deal_is_over, game.points, game.scores) == (True, [0, 0], [40, -15])
    assert (game.sets, game.deals_counted, game.history) == ([1, 2], 3, [])
    assert game.next_deal()
    assert (game.dealer, game.seat, game.deals_counted) == (3, 0, 3)


TEN = "ten_call=on"


@pytest.mark.parametrize(
    ("options", "players", "offered"),
    [
        (f"{TEN},sides=3x2", 6, True),
        ("ten_call=off,sides=3x2", 6, False),
        (TEN, 6, False),
        (f"{TEN},sides=individuals", 6, False),
        (f"{TEN},sides=individuals", 3, False),
        (TEN, 4, False),
    ],
)
def test_7_4_where_ten_may_be_called(options: str, players: int, offered: bool) -> None:
    assert ("10" in calls_of(auction(options, players))) == offered


@pytest.mark.parametrize(
    ("options", "calls", "may"),
    [
        ("", "", "pass 10 15 20 25 30"),
        ("", "pass pass", "pass 10 15 20 25 30"),
        ("", "10", "pass 15 20 25 30"),
        ("", "15", "pass 20 25 30"),
        ("", "10 pass pass pass pass", "pass 15 20 25 30"),  # the dealer cannot hold it
        ("min_bid=30", "10", "pass 30"),
    ],
)
def test_7_4_a_call_of_ten(options: str, calls: str, may: str) -> None:
    game = auction(f"{TEN},sides=3x2,{options}", 6)
    assert calls_of(call(game, calls)) == words(may)


@pytest.mark.parametrize("all_pass", ["dealer_bagged", "redeal"])
def test_7_4_a_ten_that_stands(all_pass: str) -> None:
    game = auction(f"{TEN},sides=3x2,all_pass={all_pass}", 6)
    call(game, "pass 10 pass pass pass pass")
    assert (contract_of(game), game.bid, game.bidder) == ("thrown-in", None, None)


@pytest.mark.parametrize(("option", "score"), [(AT_100, 100), ("no_bid_below=-30", -35)])
def test_7_4_ten_and_the_score(option: str, score: int) -> None:
    game = auction(f"{TEN},sides=3x2,{option}", 6, [0, score, 0])
    assert "10" not in calls_of(game)
    assert "10" in calls_of(call(game, "pass"))


@pytest.mark.parametrize("least_bid", [5, 10])
def test_7_4_ten_that_is_no_signal_is_refused(least_bid: int) -> None:
    with pytest.raises(RuleSetError, match="ten_call=on needs min_bid above 10"):
        find_rules(f"{GAME}:{TEN},min_bid={least_bid}")


# 7.5


@pytest.mark.parametrize(("option", "cards"), [("before_kitty", 5), ("after_kitty", 8)])
def test_7_5_name_trump(option: str, cards: int) -> None:
    game = bidding_deal(f"{GAME}:name_trump={option}", kitty="AS AC AD")
    take(game, 2, "20")
    assert (game.phase, game.seat, legal(game)) == ("trump", 2, ALL_SUITS)
    assert len(game.hands[2]) == cards
    assert words("AS AC AD").isdisjoint(hand_of(game, 2)) == (option == "before_kitty")


@pytest.mark.parametrize("suit", SUIT_NAMES)
def test_7_5_the_bidder_has_trumps_and_the_kitty(suit: str) -> None:
    game = play(take(bidding_deal(GAME, kitty="AS AC AD"), 2, "20"), "trump:" + suit)
    assert (game.trump, game.phase) == (SUIT_NAMES.index(suit), "discard")
    assert hand_of(game, 2) >= words("AS AC AD")
    assert [len(hand) for hand in game.hands] == [5, 5, 8, 5]


# 7.6


@pytest.mark.parametrize(
    ("options", "players", "bidder", "others"),
    [
        ("", 4, (3, 7), (0, 5)),
        ("bidder_min_keep=1", 4, (3, 7), (0, 5)),
        ("bidder_min_keep=0", 4, (3, 8), (0, 5)),
        ("min_keep=0", 4, (3, 7), (0, 5)),
        ("min_keep=1", 4, (3, 7), (0, 4)),
        ("min_keep=2", 4, (3, 6), (0, 3)),
        ("min_keep=2,bidder_min_keep=0", 4, (3, 6), (0, 3)),
        ("min_keep=by_players", 4, (3, 7), (0, 5)),
        ("min_keep=by_players,bidder_min_keep=0", 4, (3, 8), (0, 5)),
        ("min_keep=by_players,bidder_min_keep=0", 5, (3, 7), (0, 4)),
        ("min_keep=by_players", 6, (3, 6), (0, 3)),
        ("kitty=0", 4, (0, 4), (0, 5)),
        ("kitty=5", 4, (5, 9), (0, 5)),
        ("kitty=5,bidder_min_keep=0", 4, (5, 10), (0, 5)),
        ("draw=off", 4, (3, 3), None),
        ("draw=off,kitty=5", 4, (5, 5), None),
        ("draw=off,kitty=0", 4, None, None),
        ("draw=on", 4, (3, 7), (0, 5)),
    ],
)
def test_7_6_how_many_are_thrown(
    options: str, players: int, bidder: tuple[int, int] | None, others: tuple[int, int] | None
) -> None:
    for seat, limits in ((1, bidder), (2, others)):
        assert thrown_by(exchanging(options, 1, players), seat, most=False) == (limits or [0])[0]
        assert thrown_by(exchanging(options, 1, players), seat, most=True) == (limits or [0])[-1]


def thrown_by(game: Game, seat: int, *, most: bool) -> int:
    """How many cards a seat throws that throws as few or as many as it may."""
    while game.phase == "discard":
        cards = [action for action in game.legal_actions if action != layout.DONE]
        stops = not cards or (not (most and game.seat == seat) and game.can(layout.DONE))
        game.push(layout.DONE if stops else cards[0])
    return game.discarded[seat]


def test_7_6_each_throws_and_draws_before_the_next_one() -> None:
    game = bidding_deal(
        GAME,
        {1: "2S 3S 4S 6S 7S", 2: "2D 3D 4D 6D 7D"},
        "8S 9S 10S",
        "KC QC JC 10C",
    )
    play(take(game, 2, "20"), "trump:S")
    assert game.seat == 1
    assert legal(throw(game, "2S 3S")) >= {"discard 2D", "discard 8S"}
    assert hand_of(game, 1) == words("4S 6S 7S KC QC")
    assert (game.seat, game.discarded) == (2, [0, 2, 0, 0])
    throw(game, "2D 3D 4D 8S")
    assert hand_of(game, 2) == words("6D 7D 9S 10S JC")
    assert [set(game.thrown[seat]) for seat in (1, 2)] == [
        set(cards_of("2S 3S")),
        set(cards_of("2D 3D 4D 8S")),
    ]
    assert throw(game).seat == 0
    assert throw(game).phase == "play"
    assert (game.discarded, game.seat) == ([0, 2, 4, 0], 3)


def test_7_6_no_draw() -> None:
    game = exchanging("draw=off", bidder=2)
    before = [hand_of(game, seat) for seat in (0, 1, 3)]
    assert exchange(game) == [2]
    assert [hand_of(game, seat) for seat in (0, 1, 3)] == before
    assert [len(hand) for hand in game.hands] == [5] * 4


@pytest.mark.parametrize(
    ("order", "bidder", "seats"),
    [
        ("dealer_left", 1, [1, 2, 3, 0]),
        ("dealer_left", 2, [1, 2, 3, 0]),
        ("dealer_left", 0, [1, 2, 3, 0]),
        ("bidder_first", 1, [1, 2, 3, 0]),
        ("bidder_first", 2, [2, 1, 3, 0]),
        ("bidder_first", 0, [0, 1, 2, 3]),
    ],
)
def test_7_6_draw_order(order: str, bidder: int, seats: list[int]) -> None:
    assert exchange(exchanging(f"draw_order={order}", bidder)) == seats


@pytest.mark.parametrize(
    ("players", "stock", "most"), [(2, 39, 9), (3, 34, 14), (4, 29, 19), (5, 24, 24), (6, 19, 29)]
)
@pytest.mark.parametrize("joker", [0, 1])
def test_7_6_the_stock_and_the_most_that_can_be_drawn(
    players: int, stock: int, most: int, joker: int
) -> None:
    game = exchanging("joker=after_ah" if joker else "", 1, players)
    left = len(game.rules.deck_cards()) - int(game.state[layout.STOCK])
    assert left == stock + joker
    drawn = 0
    while game.phase == "discard":
        may_keep = 1 if game.seat == 1 else 0
        drawn += 5 - may_keep
        throw_lowest(game, len(game.hands[game.seat]) - may_keep)
    assert drawn == most
    assert int(game.state[layout.RESTOCK_NEXT]) == max(most - left, 0)


def test_7_6_cards_thrown_before_come_back() -> None:
    game = exchanging("", 0, 6)  # 19 cards in the stock; the dealer bids and draws last
    for count in (4, 4, 4, 4, 3):
        throw_lowest(game, count)
    earlier = [card for cards in game.thrown for card in cards]
    assert (game.restock, len(earlier)) == ([], 19)
    throw_lowest(game, 6)
    assert sorted(game.restock) == sorted(earlier)
    assert set(game.restock[:3]) <= set(game.hands[0])
    assert set(game.thrown[0]).isdisjoint(game.restock)


def test_7_6_first_what_is_left_and_never_what_one_has_just_thrown() -> None:
    game = exchanging("kitty=5", 1, 6)  # 17 cards in the stock
    for count in (9, 5, 5):
        throw_lowest(game, count)
    left = game.pack[-3:]
    before = {card for seat in (1, 2, 3) for card in game.thrown[seat]}
    throw_lowest(game, 5)
    assert set(game.hands[4]) == {*left, *game.restock[:2]}
    assert set(game.restock) == before
    throw_lowest(game, 5)
    assert set(game.hands[5]) == set(game.restock[2:7])


def test_7_6_the_order_of_a_new_stock_can_be_given() -> None:
    def drawn(restock: str = "") -> Game:
        game = bidding_deal(GAME, players=6, restock=restock)
        play(take(game, 0, "30"), "trump:S")
        for count in (4, 4, 4, 4, 3, 6):
            throw_lowest(game, count)
        return game

    backwards = drawn().restock[::-1]
    assert drawn(names(backwards)).restock == backwards
    assert set(backwards[:3]) <= set(drawn(names(backwards)).hands[0])


# 7.7


@pytest.mark.parametrize(
    ("option", "bidder", "leader"),
    [
        ("left_of_bidder", 2, 3),
        ("bidder", 2, 2),
        ("left_of_dealer", 2, 1),
        ("left_of_bidder", 3, 0),
        ("bidder", 0, 0),
        ("left_of_dealer", 0, 1),
    ],
)
@pytest.mark.parametrize("order", ["dealer_left", "bidder_first"])
def test_7_7_first_lead(option: str, bidder: int, leader: int, order: str) -> None:
    game = exchanging(f"first_lead={option},draw_order={order}", bidder)
    exchange(game)
    assert (game.phase, game.leader, game.seat) == ("play", leader, leader)


def test_7_7_winners_lead_and_five_tricks_are_played() -> None:
    game = settled(GAME, 0, "15", [2, 0, 3, 3, 1])
    assert [trick.leader for trick in game.history] == [1, 2, 0, 3, 3]
    assert len(settled(GAME, 0, "30", [1] * 5).history) == 5  # set with the first one


# 7.8


@pytest.mark.parametrize(
    ("options", "bid", "sides", "best", "points"),
    [
        ("", "20", [0, 0, 1, 0, 1], 0, [20, 10]),
        ("", "20", [0, 1, 1, 0, 1], 0, [-20, 15]),
        ("", "15", [0, 1, 1, 0, 1], 0, [15, 15]),
        ("", "25", [0, 0, 0, 0, 0], 3, [30, 0]),
        ("", "25", [0, 0, 0, 0, 0], None, [25, 0]),
        ("", "15", [0, 0, 0, 0, 0], 3, [30, 0]),
        ("", "15", [1, 1, 1, 1, 1], 3, [-15, 30]),
        ("", "30", [0, 0, 0, 0, 0], 0, [60, 0]),
        ("thirty=double", "30", [0, 0, 0, 0, 0], 0, [60, 0]),
        ("thirty=plain", "30", [0, 0, 0, 0, 0], 0, [30, 0]),
        ("", "30", [0, 0, 0, 0, 0], None, [60, 0]),
        ("thirty=plain", "30", [0, 0, 0, 0, 0], None, [30, 0]),
        ("", "30", [0, 0, 0, 0, 1], 0, [-30, 5]),
        ("thirty=plain", "30", [0, 0, 0, 0, 1], 0, [-30, 5]),
        ("thirty_for_sixty=on", "30-for-60", [0, 0, 0, 0, 0], None, [60, 0]),
        ("thirty_for_sixty=on,thirty=plain", "30-for-60", [0, 0, 0, 0, 0], 0, [60, 0]),
        ("thirty_for_sixty=on", "30-for-60", [0, 0, 0, 0, 1], 0, [-60, 5]),
        ("min_bid=5", "5", [1, 1, 1, 1, 0], None, [5, 20]),
        ("min_bid=5", "10", [1, 1, 1, 1, 0], 4, [10, 20]),
        ("", "bagged", [0, 1, 1, 0, 1], 1, [-15, 20]),
        # the bonus, by the options of 4.1
        ("bonus=last_trick", "15", [0, 0, 1, 1, 0], 2, [20, 10]),
        ("bonus=best_trump", "15", [0, 0, 1, 1, 0], 2, [15, 15]),
        ("bonus=none", "20", [0, 0, 1, 1, 0], 0, [-20, 10]),
        ("bonus_needs_top=off", "20", [0, 0, 1, 1, 0], 0, [20, 10]),
    ],
)
def test_7_8_scoring(
    options: str, bid: str, sides: list[int], best: int | None, points: list[int]
) -> None:
    trump = {} if best is None else {best: "JS"}
    game = settled(f"{GAME}:{options}", 0, bid, sides, best=trump)
    assert game.points == game.scores == points
    assert game.outcome == ("made" if points[0] > 0 else "set")


@pytest.mark.parametrize(("trump", "points"), [("KS", [-20, 10]), ("JS", [20, 10])])
def test_7_8_bonus_needs_top(trump: str, points: list[int]) -> None:
    game = settled(f"{GAME}:bonus_needs_top=on", 0, "20", [0, 0, 1, 1, 0], best={0: trump})
    assert game.points == points


def test_7_8_partners_take_together_and_defenders_score_apart() -> None:
    game = settled(GAME, 2, "20", [0, 2, 3, 0, 1], best={1: "5S"})
    assert game.points == [20, 10]
    game = settled(GAME, 1, "15", [1, 1, 0, 2, 4], players=5, best={0: "5S"})
    assert game.points == [5, 15, 5, 0, 5]
    game = settled(GAME, 1, "20", [1, 1, 0, 2, 4], players=5, best={0: "5S"})
    assert game.points == [5, -20, 5, 0, 5]


def test_7_8_below_zero() -> None:
    game = settled(GAME, 0, "20", [0, 1, 1, 0, 1], best={0: "5S"}, scores=[10, 0])
    assert game.scores == [-10, 15]


@pytest.mark.parametrize(
    ("option", "sides", "before", "points"),
    [
        ("off", [0, 0, 1, 0, 1], 105, [20, 10]),
        ("100", [0, 0, 1, 0, 1], 105, [20, 0]),
        ("100", [0, 1, 1, 0, 1], 105, [-20, 15]),
        ("100", [0, 0, 1, 0, 1], 100, [20, 0]),
        ("100", [0, 0, 1, 0, 1], 95, [20, 10]),
        ("60", [0, 0, 1, 0, 1], 60, [20, 0]),
    ],
)
def test_7_8_frozen_defenders(
    option: str, sides: list[int], before: int, points: list[int]
) -> None:
    spec = f"{GAME}:defenders_frozen_at={option}"
    game = settled(spec, 0, "20", sides, best={0: "5S"}, scores=[0, before])
    assert (game.points, game.scores) == (points, [points[0], before + points[1]])


def test_7_8_only_the_frozen_sides_are_frozen_and_never_the_bidder() -> None:
    spec = f"{GAME}:defenders_frozen_at=100"
    game = settled(spec, 0, "15", [0, 0, 0, 1, 2], players=3, scores=[105, 100, 95])
    assert game.points == [15, 0, 5]


# 7.9

MADE, FAILED = [0, 0, 1, 0, 1], [0, 1, 1, 0, 1]  # 20 : 10 and 15 : 15 with the bonus in trick 1


@pytest.mark.parametrize(
    ("options", "bid", "tricks", "best", "before", "after", "side"),
    [
        # step 1: the bidder first
        ("", "15", MADE, 0, [100, 115], [120, 125], 0),
        ("", "15", MADE, 0, [95, 115], [115, 125], 1),
        ("", "15", MADE, 0, [95, 105], [115, 115], None),
        ("target=115", "15", MADE, 0, [95, 60], [115, 70], 0),
        ("target=125", "15", MADE, 0, [100, 60], [120, 70], None),
        ("tie=bidder_first", "15", MADE, 0, [100, 115], [120, 125], 0),
        ("tie=trick_order", "15", MADE, 0, [100, 115], [120, 125], 0),
        ("tie=highest_total", "15", MADE, 0, [100, 115], [120, 125], 1),
        ("tie=highest_total", "15", MADE, 0, [105, 110], [125, 120], 0),
        # step 2: the defenders
        ("", "20", FAILED, 0, [90, 115], [70, 130], 1),
        ("tie=highest_total", "20", FAILED, 0, [160, 50], [140, 65], 0),  # made or set
        ("must_bid_out=off", "20", FAILED, 0, [90, 115], [70, 130], 1),
        ("must_bid_out=on", "20", FAILED, 0, [90, 115], [70, 130], None),
        ("must_bid_out=on", "15", MADE, 0, [100, 115], [120, 125], 0),
        ("must_bid_out=on", "15", MADE, 0, [95, 115], [115, 125], None),
        ("must_bid_out=on,tie=highest_total", "15", MADE, 0, [100, 115], [120, 125], 0),
        # step 3: the bidder's side loses
        ("lose_at=off", "20", FAILED, 0, [-110, 40], [-130, 55], None),
        ("lose_at=-125", "20", FAILED, 0, [-110, 40], [-130, 55], 1),
        ("lose_at=-125", "20", FAILED, 0, [-105, 40], [-125, 55], 1),
        ("lose_at=-125", "20", FAILED, 0, [-100, 40], [-120, 55], None),
        ("lose_at=-125", "20", FAILED, 0, [0, -140], [-20, -125], None),  # only the bidder's
        ("lose_at=-125,must_bid_out=on", "20", FAILED, 0, [-110, 110], [-130, 125], 1),
    ],
)
def test_7_9_end_of_the_game(
    options: str,
    bid: str,
    tricks: list[int],
    best: int,
    before: list[int],
    after: list[int],
    side: int | None,
) -> None:
    game = settled(f"{GAME}:{options}", 0, bid, tricks, best={best: "5S"}, scores=before)
    assert (game.scores, winner(game)) == (after, side)


@pytest.mark.parametrize(
    ("option", "tricks", "sets", "after", "side"),
    [
        ("3", FAILED, [2, 0], [3, 0], 1),
        ("3", FAILED, [1, 2], [2, 2], None),
        ("3", MADE, [2, 2], [2, 2], None),
        ("2", FAILED, [1, 0], [2, 0], 1),
        ("1", FAILED, [0, 0], [1, 0], 1),
        ("off", FAILED, [9, 0], [10, 0], None),
    ],
)
def test_7_9_sets_lose(
    option: str, tricks: list[int], sets: list[int], after: list[int], side: int | None
) -> None:
    spec = f"{GAME}:sets_lose={option}"
    game = settled(spec, 0, "20", tricks, best={0: "5S"}, scores=[60, 10], sets=sets)
    assert (game.sets, winner(game)) == (after, side)


def test_7_9_a_bagged_dealer_who_fails_is_counted() -> None:
    game = settled(f"{GAME}:sets_lose=3", 0, "bagged", [1] * 5, sets=[2, 0])
    assert (game.sets, winner(game)) == ([3, 0], 1)


def test_7_9_winning_comes_before_losing() -> None:
    game = settled(f"{GAME}:sets_lose=1,target=100", 0, "20", [1, 1, 1, 2, 2], players=3,
                   scores=[0, 0, 90])  # fmt: skip
    assert (game.scores, winner(game)) == ([-20, 15, 100], 2)


@pytest.mark.parametrize(
    ("dealer", "before", "side"),
    [(0, [50, 40], 1), (0, [40, 50], 2), (0, [40, 40], 1), (1, [40, 40], 2), (2, [40, 40], 1)],
)
def test_7_9_who_wins_where_the_bidder_loses(dealer: int, before: list[int], side: int) -> None:
    game = settled(
        f"{GAME}:lose_at=-100",
        0,
        "20",
        [0, 1, 1, 2, 2],
        players=3,
        dealer=dealer,
        scores=[-80, *before],
    )
    assert winner(game) == side


DEFENDERS = [2, 1, 1, 2, 0]  # ten points each


@pytest.mark.parametrize(
    ("tie", "dealer", "before", "side"),
    [
        ("bidder_first", 0, [115, 110], 1),
        ("bidder_first", 0, [110, 115], 2),
        ("bidder_first", 0, [110, 110], 1),
        ("bidder_first", 1, [110, 110], 2),
        ("bidder_first", 2, [110, 110], 1),
        ("trick_order", 0, [115, 115], 2),
        ("trick_order", 0, [110, 110], 1),
        ("trick_order", 0, [115, 130], 2),
        ("trick_order", 0, [110, 115], 2),
        ("highest_total", 0, [110, 115], 2),
        ("highest_total", 1, [110, 110], 2),
        ("highest_total,tie_equal=nondealer_first", 0, [110, 110], 1),
        ("highest_total,tie_equal=play_on", 0, [110, 110], None),
        ("highest_total,tie_equal=play_on", 0, [110, 115], 2),
    ],
)
def test_7_9_several_defenders(tie: str, dealer: int, before: list[int], side: int | None) -> None:
    game = settled(
        f"{GAME}:tie={tie}", 0, "20", DEFENDERS, players=3, dealer=dealer, scores=[0, *before]
    )
    assert game.points == [-20, 10, 10]
    assert winner(game) == side


def test_7_9_trick_order_counts_the_bonus_in_its_trick() -> None:
    for best, side in ((1, 1), (0, 2)):  # 110 each: the bonus brings its side there at once
        game = settled(
            f"{GAME}:tie=trick_order",
            0,
            "20",
            DEFENDERS,
            players=3,
            best={best: "5S"},
            scores=[0, 110, 110],
        )
        assert winner(game) == side


@pytest.mark.parametrize(
    ("options", "deals", "tricks", "before", "after", "side"),
    [
        ("game_deals=4", 3, MADE, [60, 50], [80, 60], 0),
        ("game_deals=4", 2, MADE, [60, 50], [80, 60], None),
        ("game_deals=3", 2, MADE, [60, 50], [80, 60], 0),
        ("game_deals=off", 9, MADE, [60, 50], [80, 60], None),
        ("game_deals=4", 3, MADE, [30, 50], [50, 60], 1),
        ("game_deals=4", 2, MADE, [160, 50], [180, 60], None),  # no target
        ("game_deals=4", 3, MADE, [40, 50], [60, 60], 1),  # level: not the dealer's side
        ("game_deals=4,tie_equal=play_on", 3, MADE, [40, 50], [60, 60], None),
        ("game_deals=4,tie_equal=play_on", 4, MADE, [45, 50], [65, 60], 0),
        ("game_deals=4,lose_at=-50", 1, FAILED, [-30, 0], [-50, 15], 1),
        ("game_deals=4,sets_lose=1", 3, FAILED, [90, 0], [70, 15], 1),
    ],
)
def test_7_9_game_deals(
    options: str,
    deals: int,
    tricks: list[int],
    before: list[int],
    after: list[int],
    side: int | None,
) -> None:
    game = settled(f"{GAME}:{options}", 0, "20", tricks, best={0: "5S"}, scores=before, deals=deals)
    assert (game.scores, game.deals_counted, winner(game)) == (after, deals + 1, side)


def test_7_9_deals_thrown_in_do_not_count() -> None:
    game = bidding_deal(f"{GAME}:game_deals=1,all_pass=redeal", scores=[10, 0])
    call(game, "pass pass pass pass")
    assert game.next_deal()
    assert (game.deals_counted, game.dealer) == (0, 1)


def test_7_9_partners_win_together() -> None:
    game = settled(GAME, 0, "15", MADE, best={0: "5S"}, scores=[100, 0])
    assert not game.next_deal()
    assert game.winners == [0, 2]
