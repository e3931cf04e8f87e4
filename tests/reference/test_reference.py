"""The reference implementation checked against worked positions, by hand and by random play."""

import json
import random
import tomllib
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import pytest

from tests.reference import cards, scores
from tests.reference.cards import Options
from tests.reference.deal import Deal, Trick
from tests.reference.game import play_game

DATA = Path(__file__).parents[1] / "data"
CONFORMANCE = Path(__file__).parents[2] / "conformance"
PRESETS = tomllib.loads((DATA / "presets.toml").read_text(encoding="utf-8"))
MINI: Options = {"hand_size": 5, "deck": "standard", "trump": "turned"}
NOT_OPTIONS = {"players", "default_players", "sides", "first_dealer"}
Row = dict[str, Any]


def preset(name: str, **changes: str | int | list[str]) -> Options:
    """All options of a preset, with some of them changed."""
    own = {key: value for key, value in PRESETS[name].items() if key not in NOT_OPTIONS}
    unknown = set(changes) - set(own) - set(MINI)
    assert not unknown, unknown
    return {**MINI, **own, **changes}


def turn_up_rows() -> list[Row]:
    """The positions of the counting and pot games."""
    lines = (CONFORMANCE / "positions.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines]
    return [row for row in rows if PRESETS[row["game"]]["family"] in ("counting", "pot")]


# Building deals by hand


def stacked(options: Options, hands: list[list[str]], after: list[str]) -> list[str]:
    """A pack that deals these hands and then these cards (turn-up, stock)."""
    first = [card for hand in hands for card in hand] + after
    return first + [card for card in cards.pack(options) if card not in first]


def filled(options: Options, players: int, given: dict[int, list[str]], after: list[str]) -> Deal:
    """A deal in which these seats hold these cards; the others get cards of no interest."""
    used = {card for hand in given.values() for card in hand} | set(after)
    aces = {"A" + suit for suit in "SCDH"} | {"JK"}
    spare = [card for card in cards.pack(options) if card not in used | aces]
    hands = []
    for seat in range(players):
        hand = list(given.get(seat, []))
        while len(hand) < 5:
            hand.append(spare.pop())
        hands.append(hand)
    return new_deal(options, players, stacked(options, hands, after))


def new_deal(options: Options, players: int, pack: list[str], dealer: int = 0) -> Deal:
    before: dict[str, object] = {"scores": [0] * players}
    if options["family"] == "pot":
        before = {"pot": 0, "stacks": [50] * players}
    return Deal(options, players, players, dealer, pack, before)


def run(deal: Deal, *actions: str) -> Deal:
    for action in actions:
        deal.apply(action)
    return deal


# Positions


def ask_winner(options: Options, row: Row) -> object:
    trick = row["trick"]
    return trick[cards.trick_winner(options, row["trump"], trick, row.get("missed_rob", False))]


def ask_legal(options: Options, row: Row) -> object:
    missed, earlier = row.get("missed_rob", False), row.get("earlier", [])
    found = cards.legal_cards(options, row["trump"], row["hand"], row["trick"], earlier, missed)
    return sorted(found)


def ask_order(options: Options, row: Row) -> object:
    return cards.suit_order(options, row["trump"], row["suit"], row.get("missed_rob", False))


def ask_rob_seat(options: Options, row: Row) -> object:
    return cards.rob_right(options, row["turnup"], row["dealer"], row["hands"])


def ask_rob_hand(options: Options, row: Row) -> object:
    dealer = row["turnup"][0] == "A"
    seat = 0 if dealer else 1
    changes = {**options, "rob_timing": "before_first_lead"}
    deal = filled(changes, 2, {seat: row["hand"]}, [row["turnup"]])
    return sorted(run(deal, "rob " + row["throw"]).hands[seat])


def ask_rob_now(options: Options, row: Row) -> object:
    ace = "A" + row["turnup"][-1]
    given = {} if row["holder"] is None else {row["holder"]: [ace]}
    deal = filled(options, row["players"], given, [row["turnup"]])
    deal.dealer = row["dealer"]
    assert row["dealer"] == 0, "the deals of these rows are dealt by seat 0"
    while len(deal.trick) < len(row["played"]):
        if deal.phase == "rob":
            deal.apply("keep" if "keep" in deal.legal() else min(deal.legal()))
        else:
            assert deal.seat in row["played"]
            deal.apply(min(deal.legal()))
    if deal.right != row["seat"]:
        return "no"
    return "must" if deal.rob_is_forced() else "may"


def ask_rob_play(options: Options, row: Row) -> object:
    hand = set(row["hand"]) - {row["throw"]} - set(row.get("gone", []))
    if options["dealer_ace"] == "at_once" or row["trick_number"] > 1:
        hand.add(row["turnup"])
    trump = row["turnup"][-1]
    return sorted(cards.legal_cards(options, trump, hand, row["trick"]))


def ask_joker_turnup(options: Options, row: Row) -> object:
    pack = stacked(options, row["hands"], ["JK", *row["stock"]])
    deal = new_deal(options, row["players"], pack, row["dealer"])
    assert deal.trump is None
    assert deal.phase == "rob"
    assert "keep" not in deal.legal()
    run(deal, "rob " + row["throw"])
    hand = sorted(deal.hands[row["dealer"]])
    return {"trump": deal.trump, "right": deal.right, "hand": hand}


def ask_bonus(options: Options, row: Row) -> object:
    best = scores.best_trump(options, row["trump"], row["tricks"], False)
    return None if best is None else {"trick": best[0] + 1, "card": best[1]}


def ask_score(options: Options, row: Row) -> object:
    before, won = row["before"], row["trick_sides"]
    best = row["best_trump_trick"]
    card = row.get("best_trump", "5S")
    bonus = scores.bonus_trick(options, "S", None if best is None else (best - 1, card), False)
    jink = row.get("jink_side")
    points = scores.counting_points(options, len(before), won, bonus, jink)
    winner = scores.counting_winner(options, row["dealer"], before, won, bonus, jink)
    after = [old + new for old, new in zip(before, points, strict=True)]
    return {"points": points, "after": after, "winner": winner}


def ask_over(options: Options, row: Row) -> object:
    return scores.counting_stops(options, 0, row["before"], row["trick_sides"])


def ask_jink_now(options: Options, row: Row) -> object:
    if "trick_sides" in row:
        return scores.counting_jink_window(options, row["trick_sides"])
    book = scores.PotBook(options, range(10), 0, 0, [50] * 10)
    book.barred = row.get("kept")
    for winner in row["winners"]:
        if book.asked is not None:
            book.answer("jink")
        book.trick(winner)
    return book.asked


def ask_antes(options: Options, row: Row) -> object:
    due = scores.antes(options, range(row["players"]), row["dealer"], row["pot"])
    return [due[seat] for seat in range(row["players"])]


def pot_deal(
    options: Options, row: Row, dealer: int, pot: int, stacks: list[int]
) -> scores.PotBook:
    book = scores.PotBook(options, range(row["players"]), dealer, pot, stacks)
    book.barred = row.get("kept")
    for winner in row["winners"]:
        assert not book.stops()
        book.trick(winner)
        if book.asked is not None:
            book.answer("jink" if book.asked == row.get("jink") else "stop")
    assert book.stops()
    return book


def ask_pot(options: Options, row: Row) -> object:
    players, dealer = row["players"], row["dealer"]
    book = pot_deal(options, row, dealer, row["pot"], [50] * players)
    dues = scores.antes(options, range(players), (dealer + 1) % players, book.pot)
    next_pot = book.pot + sum(dues.values())
    points = book.points()
    return {"outcome": book.outcome, "points": points, "pot": book.pot, "next_pot": next_pot}


def ask_pot_chain(options: Options, row: Row) -> object:
    stacks, pot, pots = [50] * row["players"], row["pot"], []
    for index, one in enumerate(row["deals"]):
        dealer = (row["dealer"] + index) % row["players"]
        book = pot_deal(options, {**one, "players": row["players"]}, dealer, pot, stacks)
        stacks, pot = book.stacks, book.pot
        pots.append(pot)
    return {"pots": pots, "points": [chips - 50 for chips in stacks]}


ASK: dict[str, Callable[[Options, Row], object]] = {
    "winner": ask_winner,
    "legal": ask_legal,
    "order": ask_order,
    "rob-seat": ask_rob_seat,
    "rob-hand": ask_rob_hand,
    "rob-now": ask_rob_now,
    "rob-play": ask_rob_play,
    "joker-turnup": ask_joker_turnup,
    "bonus": ask_bonus,
    "score": ask_score,
    "over": ask_over,
    "jink-now": ask_jink_now,
    "antes": ask_antes,
    "pot": ask_pot,
    "pot-chain": ask_pot_chain,
}
UNORDERED = {"legal", "rob-hand", "rob-play"}


@pytest.mark.parametrize("row", turn_up_rows(), ids=lambda row: str(row["id"]))
def test_position(row: Row) -> None:
    options = preset(row["game"], **row["options"])
    answer, expect = ASK[row["kind"]](options, row), row["expect"]
    if row["kind"] in UNORDERED:
        expect = sorted(expect)
    if isinstance(expect, dict) and isinstance(answer, dict):
        expect = {k: sorted(v) if k == "hand" else v for k, v in expect.items()}
        answer = {key: answer[key] for key in expect}
    assert answer == expect


# Rules that no position covers


def test_five_cards_head_moves_the_rank_by_which_privilege_is_judged() -> None:
    options = preset("five-cards", joker="after_ah")
    assert cards.trumps(options, "S")[:7] == ["5S", "AH", "JK", "AS", "JS", "KS", "QS"]
    assert cards.trumps(options, "H")[:5] == ["5H", "AH", "JK", "JH", "KH"]
    assert cards.trick_winner(options, "S", ["JS", "AS"]) == 1
    assert cards.legal_cards(options, "S", ["JS", "9C"], ["AS"]) == {"JS"}
    assert cards.legal_cards(options, "S", ["AH", "9C"], ["JS"]) == {"AH", "9C"}  # 1.5


def test_missed_ace_of_hearts_cannot_be_withheld() -> None:
    options = preset("forty-five", rob_missed="ace_lowest", bonus_needs_top="on")
    assert cards.trumps(options, "H", missed=True)[-1] == "AH"
    assert cards.legal_cards(options, "H", ["AH", "9C"], ["2H"]) == {"AH", "9C"}
    assert cards.legal_cards(options, "H", ["AH", "9C"], ["2H"], missed=True) == {"AH"}
    assert scores.bonus_trick(options, "H", (2, "AH"), missed=True) is None
    assert scores.bonus_trick(options, "H", (2, "AH"), missed=False) == 2


def test_plain_aces() -> None:
    high = preset("forty-five", plain_red_ace="high", plain_black_ace="high")
    assert cards.plain_suit(high, "S", "D")[:2] == ["AD", "KD"]
    assert cards.plain_suit(high, "S", "C")[:2] == ["AC", "KC"]
    below = preset("forty-five", plain_red_ace="below_jack")
    assert cards.plain_suit(below, "S", "D")[2:5] == ["JD", "AD", "10D"]
    assert len(cards.plain_suit(below, "S", "H")) == 12


def test_ace_of_hearts_led_asks_for_a_heart() -> None:
    options = preset("forty-five-three-handed")
    assert cards.legal_cards(options, "S", ["9H", "2D"], ["AH"]) == {"9H"}
    assert cards.legal_cards(options, "S", ["9H", "2D"], ["KS"]) == {"9H", "2D"}
    assert cards.legal_cards(options, "S", ["5S", "9H", "2D"], ["AH"]) == {"5S", "9H", "2D"}


def test_renege_readings_differ_as_told() -> None:
    hand, trick = ["JS", "8D"], ["3S", "5S"]
    legal = {
        value: cards.legal_cards(preset("forty-five", renege=value), "S", hand, trick)
        for value in ("outranks_led", "highest_so_far", "expires_in_deal", "none")
    }
    assert legal["outranks_led"] == {"JS", "8D"}
    assert legal["highest_so_far"] == legal["expires_in_deal"] == legal["none"] == {"JS"}


def test_split_asks_the_dealer_first_and_a_holder_late() -> None:
    options = preset("forty-five")
    up = filled(options, 4, {}, ["AS"])
    assert (up.phase, up.seat) == ("rob", 0)
    held = filled(options, 4, {2: ["AS", "2D", "3D", "4D", "5D"]}, ["7S"])
    assert (held.phase, held.seat) == ("play", 1)
    run(held, min(held.legal()))
    assert (held.phase, held.seat) == ("rob", 2)
    run(held, "rob AS")
    assert (held.phase, held.seat) == ("play", 2)
    assert "7S" in held.hands[2]


def test_ace_comes_to_hand_after_the_first_trick() -> None:
    options = preset("forty-five", dealer_ace="after_trick1", rob_timing="own_first_card")
    deal = filled(options, 2, {1: ["7S"], 0: ["2H", "3H", "4H", "6H", "7H"]}, ["AS"])
    run(deal, "7S")
    assert (deal.phase, deal.seat) == ("rob", 0)
    run(deal, "rob 2H")
    assert deal.legal() == {"3H", "4H", "6H", "7H"}
    run(deal, "3H")
    assert deal.hands[0] == {"4H", "6H", "7H", "AS"}
    assert deal.seat == 1


def test_joker_robbed_first_and_thrown_the_second_time() -> None:
    options = preset("forty-five-joker", rob_timing="own_first_card")
    deal = filled(options, 2, {0: ["2H", "3H", "4H", "6H", "7H"]}, ["JK", "AS"])
    assert deal.legal() == {"rob " + card for card in deal.hands[0]}
    run(deal, "rob 2H")
    assert (deal.phase, deal.seat) == ("play", 1)
    assert str(deal.trump) == "S"
    run(deal, min(deal.legal()))
    assert (deal.phase, deal.seat) == ("rob", 0)
    assert "rob JK" in deal.legal()
    assert "rob AS" not in deal.legal()


@pytest.mark.parametrize(
    ("changes", "pot", "due"),
    [
        ({"ante_rule": "reduced_after_spoil", "ante": 5}, 0, [5, 5, 6]),
        ({"ante_rule": "reduced_after_spoil", "ante": 5}, 7, [1, 1, 2]),
        ({"ante_rule": "dealer_only_after_first", "ante": 2}, 0, [2, 2, 2]),
        ({"ante_rule": "dealer_only_after_first", "ante": 2}, 7, [0, 0, 2]),
        ({"ante_rule": "dealer_only_after_first", "ante": 2, "pot_cap": 7}, 7, [0, 0, 0]),
        ({"ante_rule": "dealer_only_after_first", "ante": 2, "pot_cap": 8}, 7, [0, 0, 2]),
        ({"ante_rule": "none_after_spoil", "ante": 2}, 7, [0, 0, 0]),
        ({"ante_rule": "dealer_double", "ante": 2}, 7, [2, 2, 4]),
    ],
)
def test_ante_rules(changes: Options, pot: int, due: list[int]) -> None:
    found = scores.antes(preset("spoil-five", **changes), range(3), 2, pot)
    assert [found[seat] for seat in range(3)] == due


def test_double_pot_and_a_seat_that_cannot_pay() -> None:
    options = preset("spoil-five", jink_reward="double_pot", unpaid="all_in")
    book = scores.PotBook(options, range(4), 0, 4, [50, 50, 50, 2])
    for winner in (1, 1, 1):
        book.trick(winner)
    book.answer("jink")
    for winner in (1, 1):
        book.trick(winner)
    assert (book.outcome, book.pot) == ("jink-made", 0)
    # pot 8: three opponents owe 3 (seat 2), 3 (seat 3, who has 1 left), 2 (seat 0)
    assert book.stacks == [47, 63, 46, 0]
    assert sum(book.points()) == 4


def test_jink_bonus_in_chips_and_play_out() -> None:
    options = preset("spoil-five", jink_bonus=3, play_out="on")
    book = scores.PotBook(options, range(3), 0, 0, [9, 9, 9])
    for winner in (2, 2, 2):
        book.trick(winner)
    book.answer("stop")
    assert not book.stops()
    book.trick(0)
    book.trick(0)
    assert book.stops()
    assert book.outcome == "pot-won"
    assert book.points() == [-1, -1, 2]


def test_two_tricks_win_and_the_window_comes_after_the_second() -> None:
    options = preset("spoil-five", win_tricks=2)
    book = scores.PotBook(options, range(5), 0, 0, [9] * 5)
    book.trick(4)
    book.trick(4)
    assert book.asked == 4
    book.answer("jink")
    book.trick(0)
    assert book.outcome == "jink-failed"
    assert book.stops()


def test_announced_jink_in_counting_games() -> None:
    options = preset("forty-five", jink="on")
    made = scores.counting_points(options, 2, [0] * 5, 3, 0)
    assert made == [60, 0]
    assert scores.counting_points(options, 2, [0] * 5, None, 0) == [50, 0]
    assert scores.counting_winner(options, 0, [0, 0], [0] * 5, 3, 0) == 0
    lost = scores.counting_winner(options, 0, [40, 0, 0], [0, 0, 0, 0, 1], 1, 0)
    assert lost == 1
    assert scores.counting_winner(options, 1, [0, 5, 10], [0, 0, 0, 1], None, 0) == 2
    assert scores.counting_stops(options, 0, [0, 0], [0, 0, 0, 1], 0)


def test_five_ten_and_difference_against_all_others() -> None:
    five_ten = preset("forty-five", trick_scoring="five_ten")
    assert scores.counting_points(five_ten, 3, [0, 0, 0, 1, 2], None, None) == [5, 0, 0]
    assert scores.counting_points(five_ten, 3, [0, 0, 2, 1, 2], None, None) == [0, 0, 0]
    assert scores.counting_points(five_ten, 3, [2] * 5, None, None) == [0, 0, 10]
    gap = preset("forty-five", trick_scoring="difference")
    assert scores.counting_points(gap, 3, [0, 0, 0, 0, 2], None, None) == [15, 0, 0]


def test_last_pot_split_and_leader() -> None:
    assert scores.share_out(8, [0, 1, 2], 0) == {1: 3, 2: 3, 0: 2}
    assert scores.share_out(8, [0, 2, 3], 2) == {3: 3, 0: 3, 2: 2}


# Random play

CARD_RULES: dict[str, list[str]] = {
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
    "rob_timing": ["split", "before_first_lead", "own_first_card"],
    "dealer_ace": ["at_once", "after_trick1"],
    "rob_forced": ["off", "dealer", "all"],
    "rob_missed": ["none", "ace_lowest", "barred"],
}
COUNTING_RULES: dict[str, list[Any]] = {
    "bonus": ["best_trump", "last_trick", "none"],
    "bonus_needs_top": ["off", "on"],
    "trick_scoring": ["points", "points", "five_ten", "difference"],
    "tie": ["highest_total", "nondealer_first", "trick_order"],
    "tie_equal": ["nondealer_first", "play_on"],
    "stop_at_target": ["off", "on"],
    "jink": ["off", "on"],
    "sweep": ["off", "wins_game"],
    "target": [10, 25, 45],
}
POT_RULES: dict[str, list[Any]] = {
    "ante": [1, 2, 3],
    "ante_rule": [
        "each_deal",
        "reduced_after_spoil",
        "dealer_only_after_first",
        "dealer_double",
        "none_after_spoil",
    ],
    "pot_cap": ["off", 8],
    "win_tricks": [2, 3],
    "jink": ["off", "on"],
    "jink_declare": ["explicit", "implicit"],
    "jink_reward": ["pot_plus_ante_each", "double_pot"],
    "jink_bonus": ["ante", 0, 4],
    "play_out": ["off", "on"],
    "stack": [5, 12],
    "game_deals": ["off", 3],
    "unpaid": ["leave", "all_in"],
    "last_pot": ["split", "leader"],
}


def random_options(rng: random.Random, family: str) -> Options:
    own = COUNTING_RULES if family == "counting" else POT_RULES
    name = "forty-five" if family == "counting" else "spoil-five"
    changes = {key: rng.choice(values) for key, values in {**CARD_RULES, **own}.items()}
    if changes.get("sweep") == "wins_game" and changes["jink"] == "on":
        changes["jink"] = "off"
    if rng.random() < 0.2:
        changes.update(hand_size=rng.choice([2, 3, 4]), trump=rng.choice(["turned", "S", "H"]))
    if family == "pot" and rng.random() < 0.2:
        changes["win_tricks"] = rng.randint(1, changes.get("hand_size", 5))
    options = preset(name, **changes)
    options["win_tricks"] = min(options.get("win_tricks", 3), options["hand_size"])
    return options


def packs(options: Options, rng: random.Random) -> Iterator[list[str]]:
    while True:
        pack = cards.pack(options)
        rng.shuffle(pack)
        yield pack


class Watcher:
    """Chooses at random and checks what must hold in every deal."""

    def __init__(self, options: Options, rng: random.Random) -> None:
        self.options, self.rng = options, rng
        self.seen: Deal | None = None

    def __call__(self, deal: Deal, legal: set[str]) -> str:
        if self.seen is not deal:
            self.check_finished()
            self.seen = deal
        self.check(deal, legal)
        weights = [8 if action == "jink" else 1 for action in sorted(legal)]
        return self.rng.choices(sorted(legal), weights)[0]

    def check(self, deal: Deal, legal: set[str]) -> None:
        assert legal
        assert deal.seat in deal.active
        with pytest.raises(ValueError, match="cannot"):
            deal.apply("nonsense")
        played = [card for trick in deal.tricks for card in trick["cards"]] + deal.trick
        held = [card for hand in deal.hands for card in hand]
        up = [] if deal.turnup is None or deal.turnup in held + played else [deal.turnup]
        up = [] if deal.turnup in deal.thrown else up
        everything = played + held + up + deal.stock + deal.thrown
        assert sorted(everything) == sorted(cards.pack(self.options))
        if deal.phase == "play":
            assert legal <= deal.hands[deal.seat]

    def check_finished(self) -> None:
        if self.seen is None:
            return
        deal, result = self.seen, self.seen.result()
        assert deal.legal() == set()
        assert sum(deal.tricks_won) == len(deal.tricks)
        if deal.book is None:
            check_counting(self.options, deal, result)
        else:
            check_pot(self.options, deal, result)


def check_counting(options: Options, deal: Deal, result: dict[str, object]) -> None:
    points = cast(list[int], result["points"])
    won = [trick["winner"] % deal.sides for trick in deal.tricks]
    full = len(won) == options["hand_size"]
    assert full or deal.jink_side is not None or options["stop_at_target"] == "on"
    assert all(value >= 0 for value in points)
    if options["trick_scoring"] != "points" or result["outcome"] == "jink-made":
        return
    extra = sum(points) - 5 * len(won)
    doubled = deal.jink_side is not None and set(won) == {deal.jink_side}
    assert extra in (0, 5) or doubled
    trick = played_best(options, deal)
    if extra == 5 and options["bonus"] == "best_trump":
        assert trick is not None  # the best trump wins its trick: one side gets both (C-17)
        side = trick["winner"] % deal.sides
        assert points[side] == 5 * won.count(side) + 5


def played_best(options: Options, deal: Deal) -> Trick | None:
    assert deal.trump is not None
    best = scores.best_trump(options, deal.trump, [t["cards"] for t in deal.tricks], deal.missed)
    if best is None:
        return None
    trick = deal.tricks[best[0]]
    order = trick["cards"].index(best[1])
    start = deal.active.index(trick["leader"])
    assert deal.active[(start + order) % len(deal.active)] == trick["winner"]
    return trick


def check_pot(options: Options, deal: Deal, result: dict[str, object]) -> None:
    assert deal.book is not None
    after = cast(dict[str, Any], result["after"])
    assert min(after["stacks"]) >= 0
    assert after["pot"] >= 0
    assert sum(after["stacks"]) + after["pot"] == deal.players * cast(int, options["stack"])
    assert (result["outcome"] in ("pot-won", "jink-made")) == (after["pot"] == 0)
    won = list(deal.tricks_won)
    if deal.book.barred is not None:
        won[deal.book.barred] = 0
    short = max(won) < cast(int, options["win_tricks"])
    assert (result["outcome"] == "spoiled") == short


@pytest.mark.parametrize("seed", range(150))
def test_random_counting_games(seed: int) -> None:
    rng = random.Random(seed)
    options = random_options(rng, "counting")
    players = rng.randint(2, 6)
    sides = rng.choice([k for k in range(2, players + 1) if players % k == 0])
    watcher = Watcher(options, rng)
    first = rng.randrange(players)
    played = play_game(options, players, sides, first, packs(options, rng), watcher)
    watcher.check_finished()
    dealers = cast(list[int], played["dealers"])
    assert dealers == [(first + i) % players for i in range(cast(int, played["deals"]))]
    assert watcher.seen is not None
    assert watcher.seen.result()["outcome"] == "game-won"


@pytest.mark.parametrize("seed", range(150))
def test_random_pot_games(seed: int) -> None:
    rng = random.Random(seed)
    options = random_options(rng, "pot")
    players = rng.randint(2, 10)
    watcher = Watcher(options, rng)
    played = play_game(options, players, players, 0, packs(options, rng), watcher)
    watcher.check_finished()
    stacks = cast(list[int], played["stacks"])
    assert sum(stacks) == players * cast(int, options["stack"])
    assert played["winners"] == [s for s in range(players) if stacks[s] == max(stacks)]
    deals = cast(int, played["deals"])
    assert options["game_deals"] == "off" or deals <= 3
    if deals and options["game_deals"] != deals:
        check_nobody_could_go_on(options, watcher)


def check_nobody_could_go_on(options: Options, watcher: Watcher) -> None:
    deal = watcher.seen
    assert deal is not None
    assert deal.book is not None
    stacks = deal.book.stacks
    if options["unpaid"] == "all_in":
        assert sum(chips > 0 for chips in stacks) < 2
        return
    dealer = (deal.dealer + 1) % deal.players
    due = scores.antes(options, range(deal.players), dealer, deal.book.pot)
    assert any(stacks[seat] < due[seat] for seat in due)


def test_mini_deck_of_twelve_cards() -> None:
    deck = ["5S", "JS", "AS", "KS", "KD", "QD", "JD", "KC", "QC", "AC", "KH", "QH"]
    options = preset("spoil-five", deck=deck, hand_size=3, trump="S", win_tricks=2, jink="off")
    rng = random.Random(1)
    for pack in (pack for pack, _ in zip(packs(options, rng), range(50), strict=False)):
        deal = new_deal(options, 2, pack)
        while deal.phase != "over":
            assert deal.phase == "play"
            deal.apply(rng.choice(sorted(deal.legal())))
        assert deal.result()["outcome"] == "pot-won"
        assert len(deal.stock) == 6


# Every hand of two cards


@pytest.mark.parametrize("trump", ["S", "H"])
def test_two_card_hands_always_have_an_answer(trump: str) -> None:
    every = cards.pack(preset("forty-five"))
    for renege in CARD_RULES["renege"]:
        options = preset("forty-five", renege=renege)
        for led in ("5" + trump, "AH", "2" + trump, "KD"):
            rest = [card for card in every if card != led]
            for hand in combinations(rest, 2):
                legal = cards.legal_cards(options, trump, hand, [led])
                assert legal
                assert legal <= set(hand)
                held = {card for card in hand if cards.is_trump(trump, card)}
                assert held <= legal  # no reading of the privilege forbids a trump


# Games steered by hand


def quiet_play(deal: Deal, legal: set[str]) -> str:
    """Nobody robs or jinks; the first legal card by name is played."""
    for quiet in ("keep", "stop"):
        if quiet in legal:
            return quiet
    return min(legal)


def spoiling_packs(options: Options, players: int) -> Iterator[list[str]]:
    """Shuffles packs until one is spoiled by quiet play, whoever deals."""
    for pack in packs(options, random.Random(7)):
        ends = []
        for dealer in range(players):
            deal = new_deal(options, players, pack, dealer)
            while deal.phase != "over":
                deal.apply(quiet_play(deal, deal.legal()))
            ends.append(deal.result()["outcome"])
        if set(ends) == {"spoiled"}:
            yield pack


def test_bankrupt_ends_the_game_and_the_pot_is_split() -> None:
    options = preset("spoil-five", stack=3, ante=2, ante_rule="dealer_double", unpaid="all_in")
    packs_of_five = spoiling_packs(options, 5)
    played = play_game(options, 5, 5, 2, packs_of_five, quiet_play)
    # deal 1 (dealer 2): 2 2 3 2 2 -> seat 2 is out; deal 2 (dealer 3): the last chips go in;
    # nobody is left, so the four of the last deal share 15: 4 4 4 and the dealer 3
    assert played["dealers"] == [2, 3]
    assert played["stacks"] == [4, 4, 0, 3, 4]
    assert played["winners"] == [0, 1, 4]


def test_leave_ends_before_the_deal_that_cannot_be_paid() -> None:
    options = preset("spoil-five", stack=3, ante=2)
    played = play_game(options, 5, 5, 1, spoiling_packs(options, 5), quiet_play)
    assert played == {"deals": 1, "stacks": [3] * 5, "winners": [0, 1, 2, 3, 4], "dealers": [1]}


def test_leader_takes_the_last_pot() -> None:
    options = preset("spoil-five", stack=9, ante_rule="dealer_double", last_pot="leader")
    options["game_deals"] = 1
    played = play_game(options, 3, 3, 1, spoiling_packs(options, 3), quiet_play)
    # pot 4; seats 0 and 2 have 8 each, the dealer 7
    assert played["stacks"] == [10, 7, 10]
    assert played["winners"] == [0, 2]


def test_seats_that_sit_out_are_skipped() -> None:
    options = preset("spoil-five", rob_timing="own_first_card")
    pack = stacked(options, [["2C", "3C", "4C", "6C", "7C"], ["KD"]], [])
    before: dict[str, object] = {"pot": 2, "stacks": [5, 0, 5, 5]}
    deal = Deal(options, 4, 4, 0, pack, before, [0, 2, 3])
    assert deal.seat == 2
    assert deal.hands[0] == set(pack[:5])
    assert deal.hands[1] == set()
    assert "KD" in deal.hands[2]
    assert deal.turnup == pack[15]
    assert deal.book is not None
    assert deal.book.stacks == [4, 0, 4, 4]
    while deal.phase != "over":
        deal.apply(quiet_play(deal, deal.legal()))
    assert deal.tricks_won[1] == 0
