"""docs/rules.md 8: Five Hundred."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forty5sim.bids import BID_NAMES, bid_value, ladder, parse_bid
from forty5sim.cards import NO_TRUMP, SUIT_NAMES, card_name, parse_suit
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.tables import rule_tables
from tests.rulebook.bidding_table import (
    bidding_deal,
    call,
    calls_of,
    cards_of,
    climb_to_seven,
    contract_of,
    contracted,
    take_over,
    ten_tricks,
    throw,
    winner,
)
from tests.rulebook.table import hand_of, legal, play, words

pytestmark = pytest.mark.jit_off

GAME = "five-hundred"
ALL = "SCDH"
ALL_BIDS = (
    "6S 6C 6D 6H 6NT 7S 7C 7D 7H 7NT misere 8S 8C 8D 8H 8NT 9S 9C 9D 9H 9NT"
    " 10S 10C 10D open-misere 10H 10NT"
)
LADDER = ALL_BIDS.split()
# a suit for each seat, seat 1 clubs; the fours are left over
SPADES = "AS KS QS JS 10S 9S 8S 7S 6S 5S"
CLUBS = "AC KC QC JC 10C 9C 8C 7C 6C 5C"
DIAMONDS = "AD KD QD JD 10D 9D 8D 7D 6D 5D"
HEARTS = "AH KH QH JH 10H 9H 8H 7H 6H 5H"


def bidding(options: str = "", scores: Sequence[int] | None = None, dealer: int = 0) -> Game:
    """A deal with these options."""
    return bidding_deal(f"{GAME}:{options}", scores=scores, dealer=dealer)


def above(bid: str) -> set[str]:
    """The bids above one on the ladder of the defaults, without misère."""
    return set(LADDER[LADDER.index(bid) + 1 :]) - {"misere"}


def suits(
    options: str = "", bid: str = "6NT", *, joker: int | None = 1, given: str = "none"
) -> Game:
    """A deal in which every seat has one suit, the Joker instead of a five; seat 1 plays."""
    hands = [SPADES, CLUBS, DIAMONDS, HEARTS]
    kitty = "JK 4D 4H"
    if joker is not None:
        five = hands[joker].split()[-1]
        hands[joker], kitty = hands[joker].replace(five, "JK"), f"{five} 4D 4H"
    game = contracted(f"{GAME}:{options}", hands, kitty, bid)
    return play(game, "assign:" + given) if game.phase == "assign" else game


# 8.1


def test_8_1_the_pack_and_the_deal() -> None:
    game = bidding()
    deck = [card_name(card) for card in game.rules.deck_cards()]
    low = {"S": ["5"], "C": ["5"], "D": ["4", "5"], "H": ["4", "5"]}
    high = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert set(deck) == {r + s for s in ALL for r in [*low[s], *high]} | {"JK"}
    assert len(deck) == 43
    assert (game.sides, [len(hand) for hand in game.hands]) == ([0, 1, 0, 1], [10] * 4)
    assert set(game.kitty) == set(game.pack[40:])
    assert (game.phase, game.seat, game.turnup) == ("auction", 1, None)


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_8_1_four_play(players: int) -> None:
    with pytest.raises(RuleSetError, match="players"):
        Game(GAME, players)


def test_8_1_the_course_of_a_deal() -> None:
    game, phases = bidding(), []
    while not game.deal_is_over:
        if game.phase not in phases:
            phases.append(game.phase)
        game.push(game.legal_actions[0])
    assert phases[:3] == ["auction", "discard", "play"]
    assert len(game.history) == 10


@pytest.mark.parametrize(
    "option", ["kitty=3", "sides=individuals", "bonus=none", "draw=on", "plain_lead=free"]
)
def test_8_1_options_of_other_games_are_refused(option: str) -> None:
    with pytest.raises(RuleSetError):
        find_rules(f"{GAME}:{option}")


# 8.2

VALUES = {
    "S": [40, 140, 240, 340, 440],
    "C": [60, 160, 260, 360, 460],
    "D": [80, 180, 280, 380, 480],
    "H": [100, 200, 300, 400, 500],
    "NT": [120, 220, 320, 420, 520],
}


@pytest.mark.parametrize(("strain", "values"), VALUES.items())
def test_8_2_values(strain: str, values: list[int]) -> None:
    rules, tables = find_rules(GAME), rule_tables(find_rules(GAME))
    for level, value in zip(range(6, 11), values, strict=True):
        bid = parse_bid(f"{level}{strain}")
        assert bid_value(rules, bid) == value
        assert tables[layout.BID_SCORE + bid] == tables[layout.BID_LOSS + bid] == value
        assert tables[layout.BID_TRICKS + bid] == level


@pytest.mark.parametrize(("option", "value"), [("250", 250), ("150", 150), ("520", 520)])
def test_8_2_misere_value(option: str, value: int) -> None:
    rules = find_rules(f"{GAME}:misere_value={option}")
    assert bid_value(rules, parse_bid("misere")) == value
    assert bid_value(rules, parse_bid("open-misere")) == 500
    assert [BID_NAMES[bid] for bid in ladder(rules)] == LADDER
    assert ten_tricks(rules, "misere", 0).points == [value, 0]
    assert ten_tricks(rules, "misere", 1).points == [-value, 0]
    assert ten_tricks(rules, "open-misere", 0).points == [500, 0]


def place(*order: str) -> list[str]:
    """The ladder with open misère at another place: after the first of these two bids."""
    steps = [step for step in LADDER if step != "open-misere"]
    steps.insert(steps.index(order[0]) + 1, "open-misere")
    return steps


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ("", LADDER),
        ("open_misere_rank=after_10d", LADDER),
        ("open_misere_rank=highest", place("10NT")),
        ("open_misere_rank=before_10s", place("9NT")),
        ("misere=anytime", LADDER),
        ("misere=off", [step for step in LADDER if "misere" not in step]),
    ],
)
def test_8_2_the_ladder(options: str, steps: list[str]) -> None:
    """Climbed step by step, all seats bidding in turn: nothing on it goes down."""
    game = bidding(options)
    assert [BID_NAMES[bid] for bid in ladder(game.rules)] == steps
    for number, step in enumerate(steps):
        assert calls_of(game) - {"pass", "misere"} == set(steps[number:]) - {"misere"}
        call(game, step)
    assert contract_of(game) == (len(steps) % 4, steps[-1])


@pytest.mark.parametrize(
    ("options", "standing", "bid", "may"),
    [
        ("", "7H", "7D", False),
        ("", "7H", "7NT", True),
        ("", "6H", "misere", False),
        ("misere=after_seven", "6H", "misere", False),
        ("misere=anytime", "6H", "misere", True),
        ("misere=anytime", "", "misere", True),
        ("misere=anytime", "8S", "misere", False),
        ("", "", "misere", False),
        ("", "7S", "misere", True),
        ("", "7NT", "misere", True),
        ("", "8S", "misere", False),
        ("misere=off", "7NT", "misere", False),
        ("misere=off", "7NT", "open-misere", False),
        ("", "7NT misere", "8S", True),
        ("", "7NT misere", "7NT", False),
        ("", "7NT misere", "misere", False),
        ("", "", "open-misere", True),
        ("", "7NT misere", "open-misere", True),
        ("", "10D", "open-misere", True),
        ("", "10H", "open-misere", False),
        ("open_misere_rank=before_10s", "10D", "open-misere", False),
        ("open_misere_rank=before_10s", "9NT", "open-misere", True),
        ("open_misere_rank=highest", "10NT", "open-misere", True),
        ("open_misere_rank=highest", "open-misere", "10NT", False),
        ("open_misere_rank=before_10s", "open-misere", "10S", True),
        ("open_misere_rank=after_10d", "open-misere", "10D", False),
    ],
)
def test_8_2_what_may_be_bid(options: str, standing: str, bid: str, may: bool) -> None:
    game = call(bidding(options), standing)
    assert (game.phase == "auction" and game.can(parse_bid(bid))) == may


# 8.3


@pytest.mark.parametrize(
    ("options", "calls", "contract"),
    [
        ("", "6S pass pass pass", (1, "6S")),
        ("", "6S pass 7D pass", "open"),
        ("", "6S pass 7D pass pass", (3, "7D")),
        ("rebid_after_pass=on", "6S pass 7D pass pass", "open"),
        ("rebid_after_pass=on", "6S pass 7D pass pass pass", (3, "7D")),
        ("rebid_after_pass=on", "6S pass 7D pass pass 7H pass pass pass", (2, "7H")),
        ("rebid_after_pass=on", "pass pass pass 6S pass pass 7S pass pass", "open"),
        ("", "pass pass pass 6S", (0, "6S")),
        ("rebid_after_pass=on", "pass pass pass 6S", "open"),
        ("rebid_after_pass=on", "pass pass pass 6S pass pass pass", (0, "6S")),
        ("", "10NT", (1, "10NT")),
        ("rebid_after_pass=on", "10NT", (1, "10NT")),
        ("open_misere_rank=highest", "10NT", "open"),
        ("open_misere_rank=highest", "10NT open-misere", (2, "open-misere")),
        ("rebid_after_pass=on,open_misere_rank=highest", "open-misere", (1, "open-misere")),
        ("", "open-misere", "open"),
        ("misere=off,rebid_after_pass=on", "6S 10NT", (2, "10NT")),
        ("pass_out=redeal", "pass pass pass pass", "thrown-in"),
        ("rebid_after_pass=on", "pass pass pass pass", "thrown-in"),
        ("rebid_after_pass=on", "pass pass pass", "open"),
        ("pass_out=play_nt", "pass pass pass pass", "unfinished"),
    ],
)
def test_8_3_when_the_auction_ends(
    options: str, calls: str, contract: tuple[int, str] | str
) -> None:
    assert contract_of(call(bidding(options), calls)) == contract


@pytest.mark.parametrize(
    ("options", "seat"), [("rebid_after_pass=off", 3), ("rebid_after_pass=on", 2)]
)
def test_8_3_a_pass_is_final_or_not(options: str, seat: int) -> None:
    game = call(bidding(options), "6S pass 7D pass")
    assert (game.seat, calls_of(game)) == (1, {"pass", "misere"} | above("7D"))
    assert call(game, "7H").seat == seat


def test_8_3_nobody_is_asked_to_raise_their_own_bid() -> None:
    for options in ("", "rebid_after_pass=on"):
        game = call(bidding(options), "6S pass pass pass")
        assert (game.phase, game.seat, game.bid) == ("discard", 1, parse_bid("6S"))


def test_8_3_thrown_in() -> None:
    game = bidding_deal(GAME, dealer=1, scores=[40, -60])
    call(game, "pass pass pass pass")
    assert (game.outcome, game.points, game.scores) == ("thrown-in", [0, 0], [40, -60])
    assert game.next_deal()
    assert (game.dealer, game.seat, game.deals_counted) == (2, 3, 0)


def passed_out(options: str = "", joker: int = 1, dealer: int = 0) -> Game:
    """A deal that is played without a contract; every seat has a suit."""
    hands = [SPADES, CLUBS, DIAMONDS, HEARTS]
    hands[joker] = hands[joker].replace("6", "#").replace(f"#{ALL[joker]}", "JK")
    spec = f"{GAME}:pass_out=play_nt,{options}"
    return call(bidding_deal(spec, hands, dealer=dealer), "pass pass pass pass")


@pytest.mark.parametrize("dealer", range(4))
def test_8_3_passed_out_and_played(dealer: int) -> None:
    eldest = (dealer + 1) % 4
    game = passed_out(joker=eldest, dealer=dealer)
    assert (game.phase, game.seat, game.leader) == ("play", eldest, eldest)  # not "assign"
    assert (game.trump, game.bid, game.bidder, game.joker_suit) == (NO_TRUMP, None, None, None)
    assert [len(hand) for hand in game.hands] == [10] * 4
    while not game.deal_is_over:
        assert set(game.kitty).isdisjoint(game.legal_actions)
        game.push(game.legal_actions[0])
    tricks = [sum(game.tricks[side::2]) for side in (0, 1)]
    assert game.points == [10 * count for count in tricks]
    assert (game.outcome, sum(game.points), game.deals_counted) == ("scored", 100, 1)
    assert game.sets == [0, 0]


def test_8_3_passed_out_the_joker_has_no_suit() -> None:
    game = play(passed_out(), "AC AD AH AS JK")
    assert (game.phase, legal(game)) == ("name", {"name S", "name D", "name H"})
    game = passed_out("joker_lead=last_trick_only")
    assert "JK" not in legal(game)


# 8.4


@pytest.mark.parametrize("bid", ["6S", "6NT", "open-misere", "misere"])
def test_8_4_the_contractor_throws_three_of_thirteen(bid: str) -> None:
    game = bidding_deal(f"{GAME}:misere=anytime", [SPADES, CLUBS, DIAMONDS, HEARTS], "JK 4D 4H")
    take_over(game, 1, bid)
    assert (game.phase, game.seat) == ("discard", 1)
    assert hand_of(game, 1) == words(CLUBS) | {"JK", "4D", "4H"}
    throw(game, "AC 5C JK")  # any card, even the Joker
    assert hand_of(game, 1) == words(CLUBS) - {"AC", "5C"} | {"4D", "4H"}
    assert (game.discarded, set(game.thrown[1])) == ([0, 3, 0, 0], set(cards_of("AC 5C JK")))
    assert game.phase == "play"  # nobody else throws


def test_8_4_neither_more_nor_fewer_than_three() -> None:
    game = bidding()
    take_over(game, 1, "6S")
    for _ in range(3):
        assert "done" not in legal(game)
        game.push(game.legal_actions[0])
    assert legal(game) == {"done"}


# 8.5

RANKING = {
    "S": ["JK JS JC AS KS QS 10S 9S 8S 7S 6S 5S", "AC KC QC 10C 9C 8C 7C 6C 5C"],
    "C": ["JK JC JS AC KC QC 10C 9C 8C 7C 6C 5C", "AS KS QS 10S 9S 8S 7S 6S 5S"],
    "D": ["JK JD JH AD KD QD 10D 9D 8D 7D 6D 5D 4D", "AH KH QH 10H 9H 8H 7H 6H 5H 4H"],
    "H": ["JK JH JD AH KH QH 10H 9H 8H 7H 6H 5H 4H", "AD KD QD 10D 9D 8D 7D 6D 5D 4D"],
}
MATE = {"S": "C", "C": "S", "D": "H", "H": "D"}
OTHERS = {"S": "AS KS QS JS 10S 9S 8S 7S 6S 5S", "C": "AC KC QC JC 10C 9C 8C 7C 6C 5C"}
OTHERS |= {s: "AX KX QX JX 10X 9X 8X 7X 6X 5X 4X".replace("X", s) for s in "DH"}


def in_order(game: Game, suit: str) -> str:
    """The cards that count as a suit, best first."""
    number = parse_suit(suit)
    cards = [card for card in game.rules.deck_cards() if game.effective_suit(card) == number]
    return " ".join(card_name(c) for c in sorted(cards, key=game.strength, reverse=True))


def opened(bid: str, options: str = "") -> Game:
    """A deal in which seat 1 plays a contract."""
    game = bidding_deal(f"{GAME}:{options}")
    take_over(game, 1, bid)
    return throw(game, " ".join(card_name(card) for card in game.kitty))


@pytest.mark.parametrize("trump", ALL)
def test_8_5_ranking_with_trumps(trump: str) -> None:
    game = opened("6" + trump)
    trumps, mates = RANKING[trump]
    assert in_order(game, trump) == trumps
    assert in_order(game, MATE[trump]) == mates
    for suit in set(ALL) - {trump, MATE[trump]}:
        assert in_order(game, suit) == OTHERS[suit]
    for card in cards_of(trumps):
        assert game.is_trump(card)


@pytest.mark.parametrize("bid", ["6NT", "open-misere"])
def test_8_5_ranking_without_trumps(bid: str) -> None:
    game = opened(bid)
    assert game.trump == NO_TRUMP
    for suit in ALL:
        assert in_order(game, suit) == OTHERS[suit]
    assert game.effective_suit(cards_of("JK")[0]) is None


def won_by(bid: str, trick: str) -> str:
    """The card that wins a trick; seat 1 leads it and plays the contract."""
    cards = trick.split()
    hands = {(1 + turn) % 4: [card] for turn, card in enumerate(cards)}
    game = opened(bid)
    led = game.effective_suit(cards_of(cards[0])[0])
    rest = [c for c in game.rules.deck_cards() if card_name(c) not in cards]
    rest.sort(key=lambda card: game.effective_suit(card) in (led, None))
    for seat in (0, 2, 3, 1):  # what there is of the suit led goes to the leader and the kitty
        while len(hands[seat]) < 10:
            hands[seat].append(card_name(rest.pop(0)))
    kitty = " ".join(card_name(card) for card in rest)
    game = contracted(GAME, {seat: " ".join(h) for seat, h in hands.items()}, kitty, bid)
    play(game, ("assign:none " if game.phase == "assign" else "") + trick)
    return card_name(game.played_to(game.history[0])[game.history[0].winner or 0])


@pytest.mark.parametrize(
    ("bid", "trick", "best"),
    [
        ("6S", "AS JC JS JK", "JK"),
        ("6S", "AS JC QS JS", "JS"),
        ("6S", "AS JC QS KS", "JC"),
        ("6H", "KS AS 4H 10S", "4H"),
        ("6H", "KS 4H 5H 10S", "5H"),
        ("6D", "AC 5C KH 10C", "AC"),
        ("6C", "KS JS QS 10S", "JS"),  # a trump
        ("6D", "KS JS AS 10S", "AS"),
        ("6NT", "JC AC KC JS", "AC"),
        ("6NT", "4D 5D AH 10D", "10D"),
        ("6NT", "AC 10C JK KC", "JK"),
    ],
)
def test_8_5_who_wins(bid: str, trick: str, best: str) -> None:
    assert won_by(bid, trick) == best


# 8.6


def follow(bid: str, led: str, hand: str, given: str = "none") -> set[str]:
    """What seat 2 may play of these cards to a card led by seat 1, who plays the contract.

    The rest of its hand neither follows nor obliges.
    """
    game = opened(bid)
    suit = game.effective_suit(cards_of(led)[0])
    held = words(hand) | {led}
    spare = [c for c in game.rules.deck_cards() if card_name(c) not in held]
    spare = [c for c in spare if game.effective_suit(c) not in (suit, None)]
    mine = hand.split() + [card_name(card) for card in spare][: 10 - len(hand.split())]
    kitty = "JK" if "JK" not in held else ""
    game = contracted(GAME, {1: led, 2: " ".join(mine)}, kitty, bid)
    play(game, led)
    return legal(game) & words(hand)


@pytest.mark.parametrize(
    ("trump", "led", "hand", "may"),
    [
        ("S", "KC", "JC 5D 9H", "JC 5D 9H"),
        ("S", "KS", "JC 5D 9H", "JC"),
        ("S", "KS", "JK 5D 9H", "JK"),
        ("H", "KD", "JD 10S 5S", "JD 10S 5S"),
        ("H", "KD", "4D 10S 5S", "4D"),
        ("H", "KD", "4D JD AH JK", "4D"),
        ("H", "KD", "4H JD JK 5C", "4H JD JK 5C"),  # nobody must trump
        ("H", "4H", "JH JD JK 5C", "JH JD JK"),  # no reneging
        ("S", "JC", "5S AC KC", "5S"),  # the left bower led is a trump
        ("NT", "KC", "JC 5D 9H", "JC"),
    ],
)
def test_8_6_following(trump: str, led: str, hand: str, may: str) -> None:
    assert follow("6" + trump, led, hand) == words(may)


def test_8_6_a_joker_led_asks_for_trumps() -> None:
    game = contracted(GAME, {1: "JK", 2: "JC 5H " + DIAMONDS[:24]}, "", "6S")
    assert legal(play(game, "JK")) == {"JC"}


@pytest.mark.parametrize("seat", range(4))
def test_8_6_the_contractor_leads_then_the_winners(seat: int) -> None:
    game = bidding_deal(GAME)
    take_over(game, seat, "6S")
    throw(game, " ".join(card_name(card) for card in game.kitty))
    assert (game.phase, game.leader, game.seat) == ("play", seat, seat)
    assert set(game.legal_actions) == set(game.hands[seat])
    for _ in range(4):
        game.push(game.legal_actions[0])
    assert game.leader == game.history[0].winner


# 8.7


@pytest.mark.parametrize(
    ("option", "bid", "asked"),
    [
        ("allowed", "6NT", True),
        ("allowed", "misere", True),
        ("allowed", "open-misere", True),
        ("misere_only", "6NT", False),
        ("misere_only", "misere", True),
        ("misere_only", "open-misere", True),
        ("allowed", "7C", False),
    ],
)
@pytest.mark.parametrize("holder", range(4))
def test_8_7_who_may_give_the_joker_a_suit(option: str, bid: str, asked: bool, holder: int) -> None:
    hands = {holder: "JK"}
    game = contracted(f"{GAME}:joker_nt_suit={option}", hands, "", bid)
    assert game.phase == ("assign" if asked and holder == 1 else "play")
    if game.phase == "assign":
        assert game.seat == 1
        assert legal(game) == {"assign " + word for word in ["S", "C", "D", "H", "none"]}


def test_8_7_a_joker_thrown_gets_no_suit() -> None:
    game = bidding_deal(GAME, {1: "JK"})
    take_over(game, 1, "6NT")
    assert throw(game, "JK " + " ".join(card_name(c) for c in list(game.kitty)[:2])).phase == "play"


@pytest.mark.parametrize("suit", ALL)
def test_8_7_a_joker_with_a_suit_is_its_best_card(suit: str) -> None:
    game = suits(given=suit)
    assert game.joker_suit == SUIT_NAMES.index(suit)
    assert in_order(game, suit) == f"JK {OTHERS[suit]}"
    assert legal(game) == hand_of(game, 1)


def test_8_7_nothing_is_said_of_a_joker_without_a_suit() -> None:
    game = suits(given="none")
    assert (game.phase, game.joker_suit, game.seat) == ("play", None, 1)


def jokers_turn(given: str, led: str, mine: str) -> set[str]:
    """What the contractor may play of these cards to a card that seat 0 leads to trick 2."""
    suit = next(s for s in "CDHS" if all(card[-1] != s for card in f"{led} {mine}".split()))
    spare = [r + suit for r in ("6", "7", "8", "9", "10", "J")]
    hand = [*mine.split(), "5" + suit, *spare]
    game = contracted(GAME, {1: " ".join(hand), 0: f"A{suit} {led}"}, "", "6NT")
    play(game, f"assign:{given} 5{suit}")
    while game.trick:
        game.push(max(game.legal_actions, key=game.strength))
    assert game.seat == 0
    return legal(play(game, led)) & words(mine)


@pytest.mark.parametrize(
    ("given", "led", "mine", "may"),
    [
        ("none", "KD", "JK 7D AS", "7D"),
        ("none", "KD", "JK 7C AS", "JK 7C AS"),
        ("S", "KS", "JK 7C AH", "JK"),
        ("S", "KD", "JK 7D AS", "7D"),
        ("S", "KD", "JK 7C AS", "JK 7C AS"),
        ("S", "KS", "JK 7S AH", "JK 7S"),
        ("D", "KD", "JK 7C AS", "JK"),
    ],
)
def test_8_7_the_contractors_joker_to_a_lead(given: str, led: str, mine: str, may: str) -> None:
    assert jokers_turn(given, led, mine) == words(may)


def test_8_7_another_seats_joker_to_a_lead() -> None:
    assert follow("6NT", "KD", "JK 7D AS") == words("7D")
    assert follow("6NT", "KD", "JK 7C AS") == words("JK 7C AS")


@pytest.mark.parametrize(("given", "trick", "best"), [
    ("none", "AC JK", 3), ("S", "AC JK", 1), ("C", "AC JK", 3),
])  # fmt: skip
def test_8_7_what_the_joker_wins(given: str, trick: str, best: int) -> None:
    """Seat 3 is the contractor and void in clubs, but for the Joker; seat 1 leads to trick 2."""
    hands = {1: "AC AH", 3: "JK 4H 5H AD KD QD JD 10D 9D 8D", 2: "KS QS", 0: "5S 6S"}
    game = contracted(GAME, hands, "", "6NT", seat=3, dealer=2)
    play(game, f"assign:{given} 4H")
    while game.trick:
        game.push(max(game.legal_actions, key=lambda c: (game.strength(c), c)))
    assert game.seat == 1
    play(game, "AC")
    game.push(game.legal_actions[0])
    play(game, "JK")
    game.push(game.legal_actions[0])
    assert game.history[1].winner == best


def on_lead(options: str, led: str) -> Game:
    """The contractor leads, with a Joker without a suit, when these suits have been led."""
    hand = "AS KS AC KC AD KD AH KH QH JK"
    game = contracted(f"{GAME}:{options}", {1: hand}, "", "6NT")
    if game.phase == "assign":
        play(game, "assign:none")
    for suit in led:
        play(game, "A" + suit)
        while game.trick:
            game.push(game.legal_actions[0])
    assert game.seat == 1
    return game


@pytest.mark.parametrize(
    ("option", "led", "names"),
    [
        ("unled_suit", "", "SCDH"),
        ("unled_suit", "SD", "CH"),
        ("unled_suit", "SCD", "H"),
        ("unled_suit", "SCDH", ""),
        ("any_suit", "SD", "SCDH"),
        ("any_suit", "SCDH", "SCDH"),
        ("last_trick_only", "", ""),
        ("last_trick_only", "SD", ""),
    ],
)
@pytest.mark.parametrize("given", ["allowed", "misere_only"])
def test_8_7_leading_a_joker_without_a_suit(option: str, led: str, names: str, given: str) -> None:
    game = on_lead(f"joker_lead={option},joker_nt_suit={given}", led)
    assert [SUIT_NAMES[suit] for suit in game.led_suits] == [s for s in ALL if s in led]
    assert legal(game) == hand_of(game, 1) - (set() if names else {"JK"})
    if names:
        assert legal(play(game, "JK")) == {"name " + suit for suit in names}
        assert (game.phase, game.seat) == ("name", 1)


def test_8_7_the_suit_named_must_be_followed_and_counts_as_led() -> None:
    game = play(suits(), "JK name:H")
    assert (game.seat, game.led_suit) == (2, SUIT_NAMES.index("H"))
    assert legal(game) == hand_of(game, 2)  # no heart there
    play(game, "AD")
    assert legal(game) == words(HEARTS)
    play(game, "AH AS")
    assert (game.history[0].winner, game.led_suits) == (1, [SUIT_NAMES.index("H")])


def test_8_7_the_suit_led_counts_when_the_joker_was_played_to_it() -> None:
    game = suits(joker=2)
    play(game, "AC JK AH AS")
    assert (game.history[0].winner, game.led_suits) == (2, [SUIT_NAMES.index("C")])
    assert game.seat == 2


@pytest.mark.parametrize("option", ["unled_suit", "any_suit", "last_trick_only"])
def test_8_7_the_last_trick_names_nothing(option: str) -> None:
    game = suits(f"joker_lead={option}")
    for card in CLUBS.split()[:9]:
        play(game, card)
        while game.trick:
            game.push(max(game.legal_actions))
    assert (game.seat, legal(game)) == (1, {"JK"})
    play(game, "JK")
    assert (game.phase, game.seat) == ("play", 2)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert (game.history[-1].winner, game.points) == (1, [0, 250])


def test_8_7_a_joker_with_a_suit_names_nothing() -> None:
    for option in ("unled_suit", "any_suit", "last_trick_only"):
        game = play(suits(f"joker_lead={option}", given="C"), "JK")
        assert (game.phase, game.seat, game.led_suit) == ("play", 2, SUIT_NAMES.index("C"))


def test_8_7_another_seat_leads_its_joker() -> None:
    game = play(suits(joker=2), "AC JK AH AS")
    assert legal(game) == hand_of(game, 2)
    other = suits(joker=3)
    play(other, "AC AD JK AS KH KS KC KD")
    assert (other.history[1].winner, other.led_suits) == (3, [1, 3])


# 8.8


@pytest.mark.parametrize("bid", ["misere", "open-misere"])
@pytest.mark.parametrize("seat", range(4))
def test_8_8_three_play_and_the_contractor_leads(bid: str, seat: int) -> None:
    game = contracted(f"{GAME}:misere=anytime", {}, "JK", bid, seat=seat)
    partner = (seat + 2) % 4
    assert game.playing == sorted({0, 1, 2, 3} - {partner})
    assert (game.trump, game.seat, game.leader) == (NO_TRUMP, seat, seat)
    seats = []
    for _ in range(3):
        seats.append(game.seat)
        game.push(game.legal_actions[0])
    assert seats == [seat, (seat + 1) % 4, (seat + 3) % 4]
    assert (len(game.history[0].cards), len(game.hands[partner])) == (3, 10)


@pytest.mark.parametrize(
    ("bid", "tricks", "options", "played", "points"),
    [
        ("misere", 0, "", 10, [250, 0]),
        ("misere", 1, "", 1, [-250, 0]),
        ("misere", 1, "play_out=off", 1, [-250, 0]),
        ("misere", 1, "play_out=on", 10, [-250, 0]),
        ("misere", 0, "play_out=on", 10, [250, 0]),
        ("open-misere", 0, "", 10, [500, 0]),
        ("open-misere", 1, "", 1, [-500, 0]),
        ("open-misere", 1, "play_out=on", 10, [-500, 0]),
    ],
)
def test_8_8_misere(bid: str, tricks: int, options: str, played: int, points: list[int]) -> None:
    game = ten_tricks(f"{GAME}:{options}", bid, tricks)
    assert (len(game.history), game.points) == (played, points)
    assert game.outcome == ("set" if tricks else "made")
    assert all(len(trick.cards) == 3 for trick in game.history)


@pytest.mark.parametrize(("bid", "shown"), [("misere", False), ("open-misere", True)])
def test_8_8_an_open_hand_is_shown_after_the_first_trick(bid: str, shown: bool) -> None:
    low = "5S 6S 5C 6C 4D 5D 6D 4H 5H 6H"
    game = contracted(GAME, {1: low}, "JK", bid)
    play(game, "5S")
    while game.trick:
        assert not game.exposed
        game.push(game.legal_actions[0])
    while not game.deal_is_over:
        assert set(game.exposed) == (set(game.hands[1]) if shown else set())
        game.push(game.legal_actions[0])


def test_8_8_all_four_play_the_next_deal() -> None:
    game = ten_tricks(GAME, "misere", 0)
    assert game.next_deal()
    take_over(game, game.seat, "6S")
    throw(game, " ".join(card_name(card) for card in list(game.hands[game.seat])[:3]))
    assert game.playing == [0, 1, 2, 3]


# 8.9


@pytest.mark.parametrize(
    ("options", "bid", "tricks", "points"),
    [
        ("", "7H", 8, [200, 20]),
        ("", "7H", 7, [200, 30]),
        ("", "7H", 6, [-200, 40]),
        ("", "8NT", 7, [-320, 30]),
        ("", "6S", 6, [40, 40]),
        ("", "6S", 5, [-40, 50]),
        ("", "10NT", 10, [520, 0]),
        ("", "10NT", 9, [-520, 10]),
        ("defender_points=always", "7H", 8, [200, 20]),
        ("defender_points=only_if_set", "7H", 8, [200, 0]),
        ("defender_points=only_if_set", "8NT", 7, [-320, 30]),
        ("defender_points=none", "7H", 8, [200, 0]),
        ("defender_points=none", "8NT", 7, [-320, 0]),
        ("", "7S", 10, [250, 0]),
        ("slam_bonus=250", "7S", 10, [250, 0]),
        ("slam_bonus=off", "7S", 10, [140, 0]),
        ("slam_bonus=off", "6S", 10, [40, 0]),
        ("slam_bonus=300", "7S", 10, [300, 0]),
        ("", "6S", 10, [250, 0]),
        ("", "7NT", 10, [250, 0]),
        ("", "8S", 10, [250, 0]),
        ("", "8C", 10, [260, 0]),
        ("slam_bonus=300", "8D", 10, [300, 0]),
        ("", "7S", 9, [140, 10]),
        ("slam_bonus=500", "7S", 6, [-140, 40]),  # what it costs stays
        ("slam_bonus=500", "misere", 0, [250, 0]),
        ("defender_points=always", "misere", 1, [-250, 0]),
        ("defender_points=always,play_out=on", "misere", 1, [-250, 0]),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_8_9_scoring(options: str, bid: str, tricks: int, points: list[int], seat: int) -> None:
    game = ten_tricks(f"{GAME}:{options}", bid, tricks, seat=seat)
    assert game.points == game.scores == (points if seat == 0 else points[::-1])
    assert game.outcome == ("made" if points[0] > 0 else "set")


def test_8_9_partners_take_together() -> None:
    game = suits(joker=3)  # seat 3 has the Joker and hearts, its partner the contract
    play(game, "AC AD JK AS")
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert (game.tricks, game.points) == ([0, 0, 0, 10], [0, 250])


@pytest.mark.parametrize("option", ["always", "only_if_set", "none"])
def test_8_9_passed_out_ten_a_trick(option: str) -> None:
    game = passed_out(f"defender_points={option}")
    while not game.deal_is_over:
        game.push(max(game.legal_actions))
    assert game.points == [10 * sum(game.tricks[side::2]) for side in (0, 1)]
    assert sum(game.points) == 100


# 8.10


@pytest.mark.parametrize(
    ("options", "seat", "bid", "tricks", "before", "after", "side"),
    [
        ("", 1, "7C", 7, [480, 0], [510, 160], None),
        ("win_needs_contract=on", 1, "7C", 7, [480, 0], [510, 160], None),
        ("win_needs_contract=off", 1, "7C", 7, [480, 0], [510, 160], 0),
        ("win_needs_contract=on", 0, "6S", 6, [510, 160], [550, 200], 0),
        ("win_needs_contract=on", 0, "6S", 6, [470, 480], [510, 520], 0),
        ("win_needs_contract=off", 0, "6S", 6, [470, 480], [510, 520], 0),
        ("win_needs_contract=off", 0, "6S", 5, [470, 460], [430, 510], 1),
        ("win_needs_contract=on", 0, "6S", 5, [560, 0], [520, 50], None),  # not with a set
        ("win_needs_contract=on", 0, "7C", 6, [510, 0], [350, 40], None),
        ("", 0, "6S", 6, [460, 0], [500, 40], 0),
        ("", 0, "6S", 6, [450, 0], [490, 40], None),
        ("target=490", 0, "6S", 6, [450, 0], [490, 40], 0),
        ("target=510", 0, "6S", 6, [460, 0], [500, 40], None),
        ("", 0, "8C", 7, [-260, 0], [-520, 30], 1),
        ("", 0, "8C", 7, [-240, 0], [-500, 30], 1),
        ("", 0, "8C", 7, [-230, 0], [-490, 30], None),
        ("lose_at=-400", 0, "8C", 7, [-150, 0], [-410, 30], 1),
        ("lose_at=off", 0, "8C", 7, [-800, 0], [-1060, 30], None),
        ("win_needs_contract=on", 0, "8C", 7, [-300, 480], [-560, 510], 1),
        ("", 0, "open-misere", 1, [0, 0], [-500, 0], 1),
        ("", 0, "open-misere", 0, [0, 0], [500, 0], 0),
    ],
)
def test_8_10_end_of_the_game(
    options: str,
    seat: int,
    bid: str,
    tricks: int,
    before: list[int],
    after: list[int],
    side: int | None,
) -> None:
    game = ten_tricks(f"{GAME}:{options}", bid, tricks, seat=seat, scores=before)
    assert (game.scores, winner(game)) == (after, side)


@pytest.mark.parametrize(
    ("option", "dealer", "scores", "side"),
    [
        ("on", 0, [600, 510], None),
        ("off", 0, [490, 300], 0),
        ("off", 0, [460, 500], 1),
        ("off", 0, [450, 450], 1),  # level: the side that did not deal
        ("off", 1, [450, 450], 0),
        ("off", 0, [300, 300], None),
    ],
)
def test_8_10_after_a_deal_passed_out(
    option: str, dealer: int, scores: list[int], side: int | None
) -> None:
    """Five tricks each: eldest has the best clubs, the next seat the best diamonds."""
    eldest, mine = (dealer + 1) % 4, "AC KC QC JC 10C 5D"
    hands = {eldest: mine, (eldest + 1) % 4: "9C 8C 7C 6C 5C AD KD QD JD 10D"}
    spec = f"{GAME}:pass_out=play_nt,win_needs_contract={option}"
    game = bidding_deal(spec, hands, "JK 4D 4H", dealer=dealer, scores=scores)
    call(game, "pass pass pass pass")
    play(game, mine.split()[0])
    while not game.deal_is_over:
        leads = [card for card in cards_of(mine) if game.can(card)]
        if game.seat == eldest and leads:
            game.push(leads[0])
        else:
            game.push(min(game.legal_actions, key=game.strength))
    assert game.points == [50, 50]
    assert winner(game) == side


def test_8_10_partners_win_together() -> None:
    game = ten_tricks(GAME, "6S", 6, scores=[460, 0])
    assert not game.next_deal()
    assert game.winners == [0, 2]


def test_8_10_misere_after_a_seven_can_always_be_reached() -> None:
    for seat in range(4):
        game = bidding(dealer=2)
        climb_to_seven(game, seat)
        assert game.can(parse_bid("misere"))
        assert game.seat == seat
