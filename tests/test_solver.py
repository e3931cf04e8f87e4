"""The exact solver: against every line of play, against known numbers, against itself."""

from __future__ import annotations

import importlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from forty5sim.bids import BID_NAMES
from forty5sim.cards import JOKER, SUIT_NAMES, Card, card_name, parse_card, rank_of
from forty5sim.errors import Forty5Error
from forty5sim.game import Game, Step, pack_of
from forty5sim.kernels import canonical, layout, solving
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import DONE, KEEP, action_name
from forty5sim.options import BIDDING, FAMILIES, FIVE_HUNDRED
from forty5sim.rules import RuleSet
from forty5sim.searches import two_player_table
from tests.kernels.cases import CARD_OF, reference_options
from tests.kernels.random_rules import one_option_changed, random_rules
from tests.reference import cards, double_dummy
from tests.reference.double_dummy import (
    MISERES,
    DifferenceError,
    Position,
    Question,
    Terms,
    compare,
    compare_random,
    each_value,
    questions,
    random_position,
    same_numbers,
    values_in,
)

FOR_TWO = ("table", "alphabeta", "maxn", "paranoid")
TIES = ("first", "average", "spite")


def solve(game: Game, objective: str = "tricks", search: str = "auto", **more: Any) -> Any:
    """The solver's answer."""
    return importlib.import_module("forty5sim").solve(
        game, objective=objective, search=search, **more
    )


def values_of(solution: Any) -> dict[int, list[float]]:
    """The values of each action."""
    return dict(zip(map(int, solution.actions), solution.values.tolist(), strict=True))


def game_of(rules: str, hands: Sequence[str], rest: str = "", **more: Any) -> Game:
    """A game with these hands, and with these cards next in the pack."""
    dealt = [[parse_card(card) for card in hand.split()] for hand in hands]
    found = find_rules(rules)
    pack = pack_of(dealt, [parse_card(card) for card in rest.split()], found)
    return Game(found, len(hands), pack=pack, **more)


def push_cards(game: Game, text: str) -> Game:
    """Play some cards."""
    for card in text.split():
        game.push(parse_card(card))
    return game


# Against the reference


@pytest.mark.parametrize("name", presets())
def test_presets(name: str) -> None:
    rng = random.Random(f"solver {name}")
    for _ in range(12):
        compare_random(rng, presets()[name])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8))
def test_random_options(family: str, seed: int) -> None:
    rng = random.Random(f"solver {family} {seed}")
    for _ in range(3):
        rules = random_rules(rng, families=[family])
        for _ in range(2):
            compare_random(rng, rules)


DECISIVE = {
    *("plain_red_ace", "plain_black_ace", "joker", "head", "plain_lead", "renege", "renege_cards"),
    *("ah_lead_needs_heart", "rob_timing", "dealer_ace", "rob_forced", "rob_missed", "sides"),
    *("bonus", "bonus_needs_top", "trick_scoring", "trump", "win_tricks", "play_out", "jink"),
    *("first_lead", "misere", "pass_out", "joker_nt_suit", "joker_lead"),
}
"""The options that can change what a position is worth."""


@pytest.mark.parametrize(
    "rules",
    [rules for rules in one_option_changed() if {*rules.changes()} <= DECISIVE],
    ids=lambda rules: str(rules.id),
)
def test_one_option_at_a_time(rules: RuleSet) -> None:
    rng = random.Random(f"solver {rules.id}")
    for _ in range(2):
        compare_random(rng, rules, lines=600)


def holds_joker(game: Game) -> bool:
    return any(JOKER in game.hands[seat] for seat in game.playing)


def is_misere(game: Game) -> bool:
    return game.bid in MISERES


RARE: dict[str, tuple[str, Callable[[Game], bool]]] = {
    "the dealer may rob": (
        "forty-five",
        lambda game: game.phase == "rob" and rank_of(game.turnup or 0) == 12,
    ),
    "the holder is asked before the lead": (
        "spoil-five",
        lambda game: game.phase == "rob" and not game.asks_in_secret,
    ),
    "the holder may rob later": (
        "forty-five:rob_missed=ace_lowest",
        lambda game: game.phase == "play" and game.right_to_rob is not None,
    ),
    "the dealer may rob later": (
        "forty-five:rob_timing=own_first_card,dealer_ace=after_trick1",
        lambda game: game.phase == "play" and game.right_to_rob == game.dealer,
    ),
    "the dealer must rob later, for the pot": (
        "spoil-five-forced-rob:rob_timing=own_first_card,dealer_ace=after_trick1",
        lambda game: game.phase == "play" and game.right_to_rob == game.dealer,
    ),
    "the ace waits": (
        "forty-five:dealer_ace=after_trick1",
        lambda game: game.state[layout.WAITING_ACE] >= 0,
    ),
    "the ace has become the lowest": (
        "forty-five:rob_missed=ace_lowest",
        lambda game: game.phase == "play" and game.state[layout.KEPT] >= 0,
    ),
    "the Joker is turned up": ("forty-five-joker", lambda game: game.trump is None),
    "somebody may be barred": ("spoil-five-strict", lambda game: game.phase == "rob"),
    "somebody is barred": ("spoil-five-strict", lambda game: game.state[layout.KEPT] >= 0),
    "a jink may be declared for the pot": (
        "spoil-five-traditional:win_tricks=2",
        lambda game: game.phase == "jink",
    ),
    "one of two may declare a jink": (
        "spoil-five-traditional:win_tricks=2,hand_size=3",
        lambda game: game.phase == "jink" and len(game.playing) == 2,
    ),
    "a jink may be declared for points": ("forty-five:jink=on", lambda game: game.phase == "jink"),
    "a jink has been declared": (
        "spoil-five-traditional:win_tricks=2,play_out=on",
        lambda game: game.jinker is not None,
    ),
    "the pot has been won": (
        "spoil-five-strict:play_out=on",
        lambda game: game.outcome == "pot-won",
    ),
    "seats have left": (
        "spoil-five-traditional",
        lambda game: len(game.playing) < game.players,
    ),
    "misère": ("five-hundred:misere=anytime", is_misere),
    "misère lost and played out": (
        "five-hundred:misere=anytime,play_out=on",
        lambda game: is_misere(game) and game.tricks[game.bidder or 0] > 0,
    ),
    "the Joker names a suit": (
        "five-hundred:joker_lead=any_suit,joker_nt_suit=misere_only",
        lambda game: game.phase == "name",
    ),
    "the Joker may name suits": (
        "five-hundred",
        lambda game: holds_joker(game) and game.trump == 4 and len(game.led_suits) < 4,
    ),
    "the Joker has a suit": (
        "five-hundred",
        lambda game: holds_joker(game) and game.joker_suit is not None,
    ),
    "the Joker may not be led": (
        "five-hundred:joker_lead=last_trick_only,joker_nt_suit=misere_only",
        lambda game: (
            game.trump == 4
            and JOKER in game.hands[game.seat]
            and not game.trick
            and game.joker_suit is None
        ),
    ),
    "passed out": ("five-hundred:pass_out=play_nt", lambda game: game.bidder is None),
}


@pytest.mark.jit_off
@pytest.mark.parametrize("what", RARE)
def test_rare_positions(what: str) -> None:
    rules, wanted = RARE[what]
    rng = random.Random(f"solver {what}")
    for _ in range(4):
        game = random_position(rng, find_rules(rules), 300, wanted)
        compare(game, rng.sample(questions(game), 4))


def test_whole_deals_for_two() -> None:
    rng = random.Random("whole deals for two")
    for size in (1, 2, 3, 3, 4) * 4:
        game = Game(f"forty-five:hand_size={size}", 2, seed=rng.randrange(10**9))
        while game.phase == "rob":
            game.push(KEEP)
        compare(game, [Question(search=search) for search in FOR_TWO])


# A difference is found


def test_a_difference_is_found_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    right = double_dummy.solve

    def wrong(game: Game, question: Question, **more: Any) -> Any:
        solution = right(game, question, **more)
        found = {name: getattr(solution, name) for name in ("actions", "is_exact", "low", "high")}
        return SimpleNamespace(values=solution.values + 1, **found)

    monkeypatch.setattr(double_dummy, "solve", wrong)
    with pytest.raises(DifferenceError, match=r"values: solver .* reference") as caught:
        compare_random(random.Random(1), find_rules("forty-five"), lines=40)
    exec(compile(str(caught.value), "reproduction", "exec"), {})  # the text is a program that runs


def test_the_program_counts_what_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert double_dummy.main(["--deals", "8", "--seed", "4", "--lines", "100"]) == 0
    assert "no difference" in capsys.readouterr().out


# Positions with known answers, for the reference and the solver


def both(game: Game, objective: str = "tricks", search: str = "auto", tie: str = "first") -> Any:
    """The values of each action by its name: what both say."""
    expected = each_value(game, objective, search, tie)
    compare(game, [Question(objective, search, tie)])
    return {action_name(action): value for action, value in expected.items()}


def test_a_trump_led_draws_the_jack_out_or_loses() -> None:
    game = game_of("forty-five:hand_size=2,trump=S", ["KS KD", "JS 3C"], dealer=1)
    assert both(game) == {"KS": [0, 2], "KD": [1, 1]}


def test_the_best_trumps_win_their_tricks_and_the_bonus() -> None:
    game = game_of("forty-five:hand_size=3,trump=S", ["5S JS AH", "AS KS QS"], dealer=1)
    assert both(game) == {card: [3, 0] for card in ("5S", "JS", "AH")}
    assert both(game, "points") == {card: [20, 0] for card in ("5S", "JS", "AH")}


def test_no_trump_no_bonus() -> None:
    game = game_of("forty-five:hand_size=2,trump=S", ["KD QD", "2D 3D"], dealer=1)
    assert both(game, "points") == {"KD": [10, 0], "QD": [10, 0]}


def kingmaker(played: str) -> Game:
    """After trick 1, seat 1 gets one trick more, but chooses who gets the other."""
    hands = ["5H KD 3S", "2H JH 10C", "4H 3D KC"]
    game = game_of("forty-five:hand_size=3,trump=H", hands, dealer=2)
    return push_cards(game, f"5H 2H 4H {played}")


@pytest.mark.parametrize(
    ("tie", "value"), [("first", [2, 1, 0]), ("spite", [1, 1, 1]), ("average", [1.5, 1, 0.5])]
)
def test_ties_of_maxn(tie: str, value: list[float]) -> None:
    assert both(kingmaker("KD"), "tricks", "maxn", tie) == {"10C": [2, 1, 0], "JH": [1, 1, 1]}
    assert both(kingmaker(""), "tricks", "maxn", tie)["KD"] == value


def test_paranoid_fears_the_worst() -> None:
    value = both(kingmaker(""), "tricks", "paranoid")["KD"]
    assert same_numbers(value, [1, math.nan, math.nan])


def test_robbing_is_searched() -> None:
    game = game_of("forty-five:hand_size=1", ["JS", "AS"], "5S", dealer=1)
    assert both(game) == {"JS": [0, 1]}
    push_cards(game, "JS")
    assert both(game) == {"AS": [0, 1], "keep": [1, 0]}


def test_a_barred_seat_wins_nothing() -> None:
    rules = "spoil-five-strict:hand_size=1,win_tricks=1"
    game = push_cards(game_of(rules, ["QH", "AS"], "2S", dealer=1), "QH")
    assert both(game, "win") == {"AS": [0, 1], "keep": [0, 0]}


@pytest.mark.parametrize(("last", "made"), [("2D", 0), ("AD", 0), ("AH", 1)])
def test_a_jink_must_be_made(last: str, made: int) -> None:
    rules = "spoil-five-traditional:hand_size=3,win_tricks=2,trump=S"
    game = push_cards(game_of(rules, [f"5S JS {last}", "3S 4S KD"], dealer=1), "5S 3S JS 4S")
    assert both(game, "win") == {"jink": [made, 0], "stop": [1, 0]}
    assert both(game) == {action: [2 + made, 1 - made] for action in ("jink", "stop")}


def test_the_dealers_ace_can_wait() -> None:
    """Taken up after trick 1, the ace cannot ruff the first lead."""
    hands = ["KD QD", "2C 3D"]
    game = game_of("forty-five:hand_size=2,dealer_ace=after_trick1", hands, "AS", dealer=1)
    assert both(game) == {"2C": [1, 1], "3D": [1, 1], "keep": [2, 0]}
    game = game_of("forty-five:hand_size=2", hands, "AS", dealer=1)
    assert both(game) == {"2C": [1, 1], "3D": [0, 2], "keep": [2, 0]}


@pytest.mark.parametrize("tie", TIES)
def test_an_ace_that_will_wait_does_not_win_trick_1(tie: str) -> None:
    rules = "spoil-five-forced-rob:rob_timing=own_first_card,dealer_ace=after_trick1"
    hands = ["10S QD", "4C 3C", "8H 5S"]
    game = game_of(f"{rules},hand_size=2,win_tricks=1", hands, "AC", dealer=2)
    assert both(game, "win", "maxn", tie) == {"10S": [0, 1, 0], "QD": [0, 1, 0]}


@pytest.mark.parametrize("search", ["alphabeta", "maxn", "paranoid"])
@pytest.mark.parametrize(("led", "value"), [("9H", [0, 10]), ("AH", [10, 0])])
def test_the_bonus_for_a_last_trick_that_is_over(search: str, led: str, value: list[int]) -> None:
    rules = "forty-five-last-trick:hand_size=1,trump=C"
    game = push_cards(game_of(rules, [led, "KH", "QD", "10S"], dealer=3), f"{led} KH QD")
    if search == "paranoid":
        assert both(game, "points", search)["10S"][1] == value[1]
    else:
        assert both(game, "points", search) == {"10S": value}


@pytest.mark.parametrize(
    ("options", "led", "expected"),
    [
        ("any_suit", "", {"JK": 2, "QS": 1}),
        ("unled_suit", "", {"JK": 2, "QS": 1}),
        ("unled_suit", "S", {"JK": 1, "QS": 1}),
        ("unled_suit", "SCDH", {"QS": 1}),
        ("any_suit", "SCDH", {"JK": 2, "QS": 1}),
        ("last_trick_only", "", {"QS": 1}),
    ],
)
def test_leading_the_joker(options: str, led: str, expected: dict[str, int]) -> None:
    """Naming spades with the Joker draws the king over the queen."""
    hands = ["JK QS", "KS 9H", "4D 5D", "4H 6D"]
    position = Position(
        tuple(frozenset(hand.split()) for hand in hands),
        leader=0,
        tricks=(8, 0, 0, 0),
        trump="NT",
        led_suits=frozenset(led),
    )
    rules = reference_options(find_rules(f"five-hundred:joker_lead={options}"))
    terms = Terms(rules, [0, 1, 2, 3], 4, 2, dealer=3, bidder=0, bid="8NT")
    found = values_in(terms, position, Question())
    assert {card_name(card): value[0] - 8 for card, value in found.items()} == expected
    if "JK" in expected:
        naming = values_in(terms, terms.after(position, "JK"), Question())
        best = {SUIT_NAMES[suit]: value[0] - 8 for suit, value in naming.items()}
        assert best == {suit: 2 if suit == "S" else 1 for suit in best}


@pytest.mark.parametrize(("suit", "made"), [("none", 0), ("S", 0), ("C", 0), ("D", 1), ("H", 1)])
def test_a_suit_for_the_joker_at_misere(suit: str, made: int) -> None:
    """The Joker loses the last trick only if it has a suit that the others do not lead."""
    hands = ["JK 5C", "AC 6C", "KH QH", "7S 8C"]
    position = Position(
        tuple(frozenset(hand.split()) for hand in hands),
        leader=0,
        tricks=(0, 8, 0, 0),
        trump="NT",
        asked=True,
    )
    rules = reference_options(find_rules("five-hundred"))
    terms = Terms(rules, [0, 1, 3], 4, 2, dealer=3, bidder=0, bid="misere")
    tree = double_dummy.search_of(terms, Question("contract"), root=0)
    values = tree.each_value(position)
    assert values[f"assign {suit}"] == (made, 1 - made)


# Sums


@pytest.mark.parametrize("family", FAMILIES)
def test_sums(family: str) -> None:
    rng = random.Random(f"sums {family}")
    for _ in range(12):
        game = random_position(rng, double_dummy.some_rules(rng, [family]), lines=300)
        for search, tie in [("auto", "first"), *(("maxn", tie) for tie in TIES)]:
            check_sums(game, search, tie)


def check_sums(game: Game, search: str, tie: str) -> None:
    """Check that the tricks of all sides are those of the deal."""
    more = {} if tie == "first" else {"tie": tie}
    found = [
        each_value(game, "tricks", search, tie),
        values_of(solve(game, "tricks", search, **more)),
    ]
    for value in itertools.chain(*(values.values() for values in found)):
        assert sum(value) == pytest.approx(hand_size(game.rules))


@pytest.mark.parametrize("family", BIDDING)
def test_a_contract_is_made_or_set(family: str) -> None:
    rng = random.Random(f"contracts {family}")
    for _ in range(12):
        game = random_position(rng, double_dummy.some_rules(rng, [family]), lines=300)
        if game.bidder is None:
            continue
        side = game.sides[game.bidder]
        for value in [
            *each_value(game, "contract").values(),
            *values_of(solve(game, "contract")).values(),
        ]:
            assert {1 - made for other, made in enumerate(value) if other != side} == {value[side]}


# Two players: the same value three ways


@pytest.mark.parametrize(("size", "enough"), [(3, 2), (5, 3)])
@pytest.mark.parametrize("base", ["spoil-five-traditional", "spoil-five", "five-cards"])
def test_two_players_have_one_value(base: str, size: int, enough: int) -> None:
    rng = random.Random(f"two {base} {size}")
    for _ in range(15):
        rules = f"{base}:hand_size={size},win_tricks={enough}"
        game = Game(rules, 2, seed=rng.randrange(10**9))
        tricks, win = values_of(solve(game)), values_of(solve(game, "win"))
        assert {a: [float(n >= enough) for n in v] for a, v in tricks.items()} == win
        for objective, expected in (("tricks", tricks), ("win", win)):
            assert values_of(solve(game, objective, "maxn")) == expected
            own = {a: v[game.seat] for a, v in expected.items()}
            paranoid = values_of(solve(game, objective, "paranoid"))
            assert {a: v[game.seat] for a, v in paranoid.items()} == own


# One action later


@pytest.mark.parametrize(
    ("rules", "players", "cards_left"),
    [
        ("forty-five", 2, 5),
        ("spoil-five", 3, 4),
        ("forty-five", 4, 5),
        ("spoil-five-strict", 5, 3),
        ("auction-forty-fives", 4, 5),
        ("five-hundred", 4, 6),
    ],
)
@pytest.mark.parametrize("search", ["auto", "maxn"])
def test_values_are_those_one_action_later(
    rules: str, players: int, cards_left: int, search: str
) -> None:
    rng = random.Random(f"later {rules} {players}")
    lines = math.factorial(cards_left) ** players
    for _ in range(3):
        found = random_position(rng, find_rules(rules), lines, lambda game: game.players == players)
        check_one_action_later(found, "tricks", search)


def check_one_action_later(game: Game, objective: str, search: str) -> None:
    """Check that each value is the best one that the next seat to act has."""
    for action, value in values_of(solve(game, objective, search)).items():
        later = game.copy()
        later.push(action)
        if later.deal_is_over:
            continue
        side = later.sides[later.seat]
        assert value[side] == max(
            v[side] for v in values_of(solve(later, objective, search)).values()
        )


@pytest.mark.parametrize(("bid", "objective"), [("open-misere", "contract"), ("8NT", "tricks")])
def test_a_suit_for_the_joker(bid: str, objective: str) -> None:
    rng = random.Random(f"assign {bid}")
    for _ in range(2):
        check_one_action_later(asked_for_a_suit(rng, bid), objective, "auto")


def asked_for_a_suit(rng: random.Random, bid: str) -> Game:
    """A contractor with the Joker, before the first lead."""
    pack = list(find_rules("five-hundred").deck_cards())
    rng.shuffle(pack)
    place = pack.index(JOKER)
    pack[10], pack[place] = pack[place], pack[10]  # to seat 1
    game = Game("five-hundred", dealer=0, pack=pack)
    game.push(BID_NAMES.index(bid))
    while game.phase == "auction":
        game.push(layout.PASS)
    while game.phase == "discard":
        game.push(min(set(game.legal_actions) - {JOKER}))
    assert game.phase == "assign"
    return game


# Other seats, other suits


def hand_size(rules: RuleSet) -> int:
    return {"auction": 5, FIVE_HUNDRED: 10}.get(rules.family, int(rules.hand_size))


def replayed(game: Game, steps: Sequence[int], **changes: Any) -> Game:
    """The same game with something else about it, as far as it has come."""
    before, more = game.before, {}
    if game.rules.has_auction:
        more = {"sets": before.sets, "deals": before.deals, "restock": game.restock}
    asked: dict[str, Any] = {
        "dealer": game.dealer,
        "pack": game.pack,
        "scores": before.scores,
        "pot": before.pot,
        **more,
        **changes,
    }
    again = Game(game.rules, game.players, **asked)
    for action in steps:
        again.push(action)
    assert again.phase == game.phase
    return again


def one_seat_on(game: Game) -> Game:
    """The same game with everybody one seat further to the left."""
    count, size = game.players, hand_size(game.rules)
    hands = {(seat + 1) % count: i for i, seat in enumerate(game.dealt_in)}
    pack = [card for seat in sorted(hands) for card in game.pack[hands[seat] * size :][:size]]
    pack += game.pack[len(pack) :]
    changes: dict[str, Any] = {"dealer": (game.dealer + 1) % count, "pack": pack}
    scores = list(game.before.scores)
    changes["scores"] = scores[-1:] + scores[:-1]
    if game.rules.has_auction:
        sets = list(game.before.sets)
        changes["sets"] = sets[-1:] + sets[:-1]
    else:
        changes["playing"] = sorted(hands)
    return replayed(game, [step.action for step in game.log], **changes)


@pytest.mark.parametrize("family", FAMILIES)
def test_seats_are_alike(family: str) -> None:
    rng = random.Random(f"seats {family}")
    for _ in range(25):
        game = random_position(rng, double_dummy.some_rules(rng, [family]), lines=300)
        moved = one_seat_on(game)
        for question in rng.sample(questions(game), 3):
            values = double_dummy.solve(game, question).values
            assert same_rows(double_dummy.solve(moved, question).values, np.roll(values, 1, axis=1))


def same_rows(one: Any, other: Any) -> bool:
    return all(map(same_numbers, one.tolist(), other.tolist()))


def some_card_map(rng: random.Random, game: Game) -> dict[Card, Card] | None:
    """Each card's image under an exchange of suits that play alike; None if there is none.

    In Five Hundred these are the suits of one colour, elsewhere any two that are as long: the
    cards of a suit go to those of the other by rank.
    """
    if game.rules.family == FIVE_HUNDRED:
        black, red = rng.choice([(1, 0), (0, 1), (1, 1)])
        to = {"S": "SC"[black], "C": "CS"[black], "D": "DH"[red], "H": "HD"[red]}
        return {
            card: CARD_OF[name[:-1] + to[name[-1]]]
            for name, card in CARD_OF.items()
            if name != "JK"
        } | {JOKER: JOKER}
    if game.trump is None or game.rules.deck != "standard":
        return None
    trump, plain = SUIT_NAMES[game.trump], ["S", "C", "D"]
    fixed = game.rules.trump if "trump" in game.rules.options() else "turned"
    images = rng.sample(plain, 3)
    if trump != "H" and fixed != "turned":
        images.remove(trump)
        images.insert(plain.index(trump), trump)
    to = dict(zip(plain, images, strict=True)) | {"H": "H"}
    options = reference_options(game.rules)
    found: dict[Card, Card] = {}
    for suit, image in to.items():
        order = cards.suit_order(options, trump, suit)
        other = cards.suit_order(options, to[trump], image)
        pairs = zip(order, other, strict=True)
        found |= {CARD_OF[name]: CARD_OF[there] for name, there in pairs}
    return found


def suit_map(game: Game, card_map: dict[Card, Card]) -> list[int]:
    """Where each suit goes: where its queen goes."""
    return [card_map[CARD_OF["Q" + suit]] // 13 for suit in SUIT_NAMES]


def mapped_action(action: int, phase: str, card_map: dict[Card, Card], suits: list[int]) -> int:
    """What an action becomes when the suits are exchanged."""
    if phase in ("play", "rob", "discard"):
        return card_map.get(action, action)
    if phase in ("trump", "assign", "name"):
        return suits[action] if action < 4 else action
    if phase == "auction" and action < len(BID_NAMES):
        name = BID_NAMES[action]
        if name[-1] in SUIT_NAMES and name[0].isdigit():
            return BID_NAMES.index(name[:-1] + SUIT_NAMES[suits[SUIT_NAMES.index(name[-1])]])
    return action


def mapped_steps(log: Sequence[Step], card_map: dict[Card, Card], suits: list[int]) -> list[int]:
    """The actions with the suits exchanged; cards thrown one by one in ascending order."""
    found, thrown = list[int](), list[int]()
    for step in log:
        action = mapped_action(step.action, step.phase, card_map, suits)
        if step.phase != "discard":
            found.append(action)
        elif action != DONE:
            thrown.append(action)
        else:
            found += [*sorted(thrown), DONE]
            thrown = []
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_suits_are_alike(family: str) -> None:
    rng = random.Random(f"suits {family}")
    compared = 0
    while compared < 25:
        game = random_position(rng, double_dummy.some_rules(rng, [family]), lines=300)
        bids = [step for step in game.log if step.phase == "auction" and step.action < 34]
        card_map = some_card_map(rng, game)
        if card_map is None or (family == FIVE_HUNDRED and len(bids) != 1):
            continue
        compared += 1
        compare_with_suits_exchanged(rng, game, card_map)


def compare_with_suits_exchanged(
    rng: random.Random, game: Game, card_map: dict[Card, Card]
) -> None:
    suits = suit_map(game, card_map)
    changes: dict[str, Any] = {"pack": [card_map[card] for card in game.pack]}
    if game.rules.has_auction:
        changes["restock"] = [card_map[card] for card in game.restock]
    else:
        changes["playing"] = game.dealt_in
    other = replayed(game, mapped_steps(game.log, card_map, suits), **changes)
    alike = [question for question in questions(game) if not depends_on_numbers(game, question)]
    for question in rng.sample(alike, 2):
        values = values_of(double_dummy.solve(game, question))
        images = {mapped_action(a, game.phase, card_map, suits): v for a, v in values.items()}
        found = values_of(double_dummy.solve(other, question))
        assert found.keys() == images.keys()
        assert all(same_numbers(found[action], images[action]) for action in found)


def depends_on_numbers(game: Game, question: Question) -> bool:
    """Does the order of the actions decide, where they are worth the same?"""
    sides = game.rules.side_count(game.players)
    auto = question.search == "auto" and (sides > 2 or question.objective == "win")
    maxn = question.search == "maxn" or auto
    return maxn and question.tie != "average"


# Bounds when the search is cut short


@pytest.mark.parametrize("rules", ["forty-five", "forty-five:sides=individuals", "spoil-five"])
@pytest.mark.parametrize("search", ["auto", "maxn", "paranoid"])
def test_bounds_of_a_search_cut_short(rules: str, search: str) -> None:
    rng = random.Random(f"bounds {rules} {search}")
    for _ in range(2):
        game = Game(find_rules(rules).with_options(hand_size=3), 4, seed=rng.randrange(10**9))
        exact = each_value(game, "tricks", search)
        solution = solve(game, "tricks", search, max_nodes=1)
        assert not solution.is_exact
        wanted = np.array([exact[action] for action in solution.actions])
        told = ~np.isnan(wanted)
        assert (solution.low[told] <= wanted[told] + 1e-9).all()
        assert (wanted[told] <= solution.high[told] + 1e-9).all()
        assert solution.low.shape == solution.high.shape == wanted.shape


@pytest.mark.parametrize("rules", ["forty-five", "five-hundred", "spoil-five"])
def test_bounds_grow_no_wider_with_more_nodes(rules: str) -> None:
    rng = random.Random(f"budget {rules}")
    game = random_position(rng, find_rules(rules), 10**6, lambda game: game.phase == "play")
    exact = values_of(solve(game))
    for budget in (1, 10, 100, 1000):
        solution = solve(game, max_nodes=budget)
        wanted = np.array([exact[action] for action in solution.actions])
        assert (solution.low <= wanted + 1e-9).all()
        assert (wanted <= solution.high + 1e-9).all()
        if solution.is_exact:
            assert (solution.low == solution.high).all()


def test_what_a_solution_says() -> None:
    game = Game("forty-five:hand_size=2,trump=S", 3, seed=3)
    solution = solve(game)
    assert solution.actions == game.legal_actions
    assert solution.values.dtype == np.float64
    assert solution.values.shape == solution.low.shape == solution.high.shape == (2, 3)
    assert solution.is_exact
    assert solution.nodes > 0


# Questions that have no answer


def in_phase(phase: str) -> Game:
    game = Game("auction-forty-fives", seed=1)
    while game.phase != phase:
        game.push(game.legal_actions[0])
    return game


@pytest.mark.parametrize("phase", ["auction", "trump", "discard", "over"])
def test_phases_that_are_not_searched(phase: str) -> None:
    with pytest.raises(Forty5Error):
        solve(in_phase(phase))


@pytest.mark.parametrize(
    ("rules", "players", "asked"),
    [
        ("forty-five", 4, {"objective": "trick"}),
        ("forty-five", 4, {"search": "alpha"}),
        ("forty-five", 3, {"search": "maxn", "tie": "last"}),
        ("forty-five", 3, {"search": "table"}),
        ("forty-five", 3, {"search": "alphabeta"}),
        ("forty-five", 4, {"objective": "win"}),
        ("forty-five", 4, {"objective": "contract"}),
        ("spoil-five", 4, {"objective": "contract"}),
    ],
)
def test_questions_without_an_answer(rules: str, players: int, asked: dict[str, str]) -> None:
    game = Game(find_rules(rules).with_options(hand_size=3), players, seed=1)
    with pytest.raises(Forty5Error):
        solve(game, **asked)


def test_no_contract_no_answer() -> None:
    game = Game("five-hundred:pass_out=play_nt", seed=1)
    while game.phase == "auction":
        game.push(layout.PASS)
    with pytest.raises(Forty5Error):
        solve(game, "contract")


# Two players: the number of deals by double-dummy tricks, exactly

LENGTHS = {"H": (13, (13, 13, 13)), "N": (14, (12, 13, 13))}
"""The number of trumps and the lengths of the plain suits, with hearts trumps and with others."""
DEALS_BY_TRICKS = {
    "H": [295620175136, 685032001797, 811707083616, 937960187021, 885241746961, 371084908909],
    "N": [302518369582, 686504764264, 815406176552, 932120578037, 876042209251, 374054005754],
}
PATTERNS = {1: 13, 2: 126, 3: 968, 4: 6568, 5: 40874}

Value = Callable[[str, tuple[str, str, str]], int]
Pattern = tuple[str, tuple[str, str, str]]


def patterns(size: int) -> Iterator[Pattern]:
    """All patterns of two hands of this size: who holds which card of each suit.

    A string has the owners of a suit's cards, best card first: ``l`` the leader, ``f`` the other;
    capitals for the trumps that may be kept back. The three plain suits are in ascending order.
    """
    for own, other in itertools.product(range(size + 1), repeat=2):
        for plain in plain_patterns(size - own, size - other):
            for owners in arrangements(own, other):
                for top in range(min(3, own + other) + 1):
                    yield owners[:top].upper() + owners[top:], plain


@cache
def arrangements(own: int, other: int) -> list[str]:
    """All orders of so many cards of the leader's and of the other's."""
    places = range(own + other)
    chosen = itertools.combinations(places, own)
    return ["".join("l" if i in mine else "f" for i in places) for mine in map(set, chosen)]


@cache
def plain_patterns(own: int, other: int) -> list[tuple[str, str, str]]:
    """All ways for three suits to hold so many cards, but for the order of the suits."""
    found = set()
    for a, b in itertools.product(range(own + 1), range(other + 1)):
        for c, d in itertools.product(range(own - a + 1), range(other - b + 1)):
            rest = own - a - c, other - b - d
            some = arrangements(a, b), arrangements(c, d), arrangements(*rest)
            found |= {tuple(sorted(suits)) for suits in itertools.product(*some)}
    return [(one, two, three) for one, two, three in sorted(found)]


def deals_with(pattern: Pattern, lengths: tuple[int, tuple[int, ...]]) -> int:
    """How many deals of the whole pack have a pattern."""
    trumps, plain = pattern
    top = sum(map(str.isupper, trumps))
    in_trumps = math.comb(3, top) * math.comb(lengths[0] - 3, len(trumps) - top)
    return in_trumps * sum(
        math.prod(map(math.comb, lengths[1], map(len, suits)))
        for suits in set(itertools.permutations(plain))
    )


def deals_by_tricks(value: Value, kind: str, size: int = 5) -> list[int]:
    """The number of deals in which the leader takes 0, 1 ... tricks.

    Args:
        value: the leader's tricks for a pattern (trumps, plain suits), see ``patterns``.
        kind: ``"H"`` with hearts trumps, ``"N"`` with another suit.
        size: the number of cards in a hand.
    """
    counts: Counter[int] = Counter()
    for pattern in patterns(size):
        counts[value(*pattern)] += deals_with(pattern, LENGTHS[kind])
    return [counts[tricks] for tricks in range(size + 1)]


def check_deals_by_tricks(value: Value) -> None:
    """Check a solver for two players against the number of all deals by tricks."""
    for kind, expected in DEALS_BY_TRICKS.items():
        counts = deals_by_tricks(value, kind)
        assert sum(counts) == math.comb(52, 5) * math.comb(47, 5)
        assert counts == expected
        mean = sum(tricks * count for tricks, count in enumerate(counts)) / sum(counts)
        most = sum(counts[3:]) / sum(counts)
        assert mean == pytest.approx({"H": 2.638488090, "N": 2.630812328}[kind], abs=1e-9)
        assert most == pytest.approx({"H": 0.550409238, "N": 0.547381618}[kind], abs=1e-9)


@cache
def leaders_tricks(trumps: str, plain: tuple[str, str, str]) -> int:
    """The tricks that the leader takes, by trying every lead and every answer."""
    suits = (trumps, *plain)
    places = [(suit, i) for suit, owners in enumerate(suits) for i in range(len(owners))]
    own = [(suit, i) for suit, i in places if suits[suit][i] in "lL"]
    other = [(suit, i) for suit, i in places if suits[suit][i] in "fF"]
    answers = {led: answers_to(led, other, suits) for led in own}
    return max(
        (min(tricks_after(suits, led, card) for card in answers[led]) for led in own), default=0
    )


def answers_to(
    led: tuple[int, int], held: list[tuple[int, int]], suits: Sequence[str]
) -> list[tuple[int, int]]:
    """The legal cards: 0 is the trump suit, and lower places are better cards."""
    trumps = [card for card in held if card[0] == 0]
    if led[0] == 0:
        obliged = [card for card in trumps if not (suits[0][card[1]] == "F" and card < led)]
        return trumps if obliged else held
    followers = [card for card in held if card[0] == led[0]]
    return followers + trumps if followers else held


def tricks_after(suits: Sequence[str], led: tuple[int, int], card: tuple[int, int]) -> int:
    """The leader's tricks when these two cards have been played."""
    lost = card < led if card[0] == led[0] else card[0] == 0
    left = list(suits)
    for suit, i in sorted((led, card), reverse=True):
        left[suit] = left[suit][:i] + left[suit][i + 1 :]
    size = sum(map(len, left)) // 2
    if lost:
        left = [owners.translate(TURNED) for owners in left]
    one, two, three = sorted(left[1:])
    tricks = leaders_tricks(left[0], (one, two, three))
    return size - tricks if lost else 1 + tricks


TURNED = str.maketrans("lfLF", "flFL")


@pytest.mark.parametrize("size", PATTERNS)
def test_the_number_of_patterns(size: int) -> None:
    found = list(patterns(size))
    assert len(found) == len(set(found)) == PATTERNS[size]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("kind", LENGTHS)
def test_patterns_stand_for_all_deals(kind: str, size: int) -> None:
    deals = math.comb(52, size) * math.comb(52 - size, size)
    assert sum(deals_by_tricks(leaders_tricks, kind, size)) == deals


def test_every_deal_for_two_by_the_table() -> None:
    """The number of all deals by the leader's tricks, to the last of 3 986 646 103 440 a class."""
    table = two_player_table(find_rules("forty-five"))

    def value(trumps: str, plain: tuple[str, str, str]) -> int:
        kept = sum(map(str.isupper, trumps))
        strings = [string(suit) for suit in plain]
        return int(solving.look_up(table, string(trumps), kept, *strings))

    check_deals_by_tricks(value)


def string(owners: str) -> int:
    """The owners of a suit as the table takes them: a leading 1, then a bit a card, best first."""
    return int("1" + "".join("1" if owner in "lL" else "0" for owner in owners), 2)


def test_the_table_has_every_position_once() -> None:
    table = np.zeros(canonical.ENTRIES, dtype=np.int64)
    counts = np.zeros(canonical.MOST_CARDS + canonical.POSITION_SIZE, dtype=np.int64)
    solving.fill_table(table, 3, canonical.FOLLOW_OR_TRUMP, canonical.OUTRANKS, counts)
    assert dict(enumerate(counts[: canonical.MOST_CARDS].tolist(), start=1)) == PATTERNS
    assert np.count_nonzero(table) == sum(PATTERNS.values()) == 48_549


def test_the_slow_recursion_counts_the_same_for_small_hands() -> None:
    table = two_player_table(find_rules("forty-five"))
    for trumps, plain in patterns(3):
        kept = sum(map(str.isupper, trumps))
        found = solving.look_up(table, string(trumps), kept, *map(string, plain))
        assert found == leaders_tricks(trumps, plain), (trumps, plain)


def game_with(pattern: Pattern, rng: random.Random) -> Game:
    """A game for two with hands of a pattern; seat 0 leads."""
    trumps, plain = pattern
    trump = rng.choice("SCDH")
    size = (len(trumps) + sum(map(len, plain))) // 2
    rules = find_rules(f"forty-five:trump={trump},hand_size={size}")
    order = [CARD_OF[name] for name in cards.trumps(reference_options(rules), trump)]
    top = sum(map(str.isupper, trumps))
    places = sorted(rng.sample(range(3), top))
    places += sorted(rng.sample(range(3, len(order)), len(trumps) - top))
    held = list(zip(trumps.lower(), [order[place] for place in places], strict=True))
    for suit, owners in zip(rng.sample(sorted(set("SCDH") - {trump}), 3), plain, strict=True):
        order = [CARD_OF[name] for name in cards.suit_order(reference_options(rules), trump, suit)]
        chosen = sorted(rng.sample(range(len(order)), len(owners)))
        held += zip(owners, [order[place] for place in chosen], strict=True)
    hands = [[card for owner, card in held if owner == who] for who in "lf"]
    return Game(rules, 2, dealer=1, pack=pack_of(hands, [], rules))


@pytest.mark.parametrize("size", PATTERNS)
@pytest.mark.parametrize("search", FOR_TWO)
def test_patterns_in_the_solver(search: str, size: int) -> None:
    rng = random.Random(f"patterns {size}")
    for pattern in rng.sample(list(patterns(size)), min(12, PATTERNS[size])):
        game = game_with(pattern, rng)
        values = values_of(solve(game, search=search))
        assert max(value[0] for value in values.values()) == leaders_tricks(*pattern)
