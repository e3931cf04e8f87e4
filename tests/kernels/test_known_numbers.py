"""Numbers known beforehand: exact chances, and averages of random play; shuffles that are even.

Each is measured on a fixed seed and may be 4 standard errors off.
"""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from forty5sim.bids import BID_NAMES, MISERE, bid_value, ladder, parse_bid
from forty5sim.cards import mask_of, parse_card
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.tables import rule_tables
from tests.kernels import probes
from tests.rulebook.bidding_table import ten_tricks

DEALS = 400_000
Counts = NDArray[np.int64]


def near(count: int, deals: int, chance: float) -> bool:
    """Is this count what the chance lets expect?"""
    return abs(count / deals - chance) < 4 * sqrt(chance * (1 - chance) / deals)


def counted(probe: object, spec: str, fields: int, *args: int) -> list[int]:
    """Run a probe that counts."""
    counts = np.zeros(fields, dtype=np.int64)
    probe(probes.new_state(), rule_tables(find_rules(spec)), *args, counts)  # type: ignore[operator]
    return [int(count) for count in counts]


# Robbing (docs/rules.md 3.9)


@pytest.mark.parametrize(
    ("players", "percent"), [(2, 25.79), (3, 34.84), (4, 43.89), (5, 52.94), (6, 61.99)]
)
def test_how_often_somebody_can_rob(players: int, percent: float) -> None:
    *rights, aces = counted(probes.count_rights, "forty-five", players + 1, players, 7, DEALS)
    dealer, holder = 1 / 13 + 12 / 13 * 5 / 51, 12 / 13 * 5 / 51
    chance = 1 / 13 + 12 / 13 * 5 * players / 51
    assert round(100 * chance, 2) == percent
    assert (round(100 * dealer, 3), round(100 * holder, 3)) == (16.742, 9.050)
    assert near(sum(rights), DEALS, chance)
    assert near(rights[0], DEALS, dealer)
    assert all(near(count, DEALS, holder) for count in rights[1:])
    assert near(aces, DEALS, 1 / 13)


# Trumps in a hand (docs/rules.md 1.2)


def test_trumps_in_a_hand_of_five() -> None:
    counts = counted(probes.count_trumps, "forty-five:trump=H", 6, 7, DEALS)
    assert sum(counts) == DEALS
    for held, percent in enumerate([22.153, 41.142, 27.428, 8.154, 1.073, 0.050]):
        chance = comb(13, held) * comb(39, 5 - held) / comb(52, 5)
        assert round(100 * chance, 3) == percent
        assert near(counts[held], DEALS, chance)


@pytest.mark.parametrize(("suit", "trumps"), [("S", 14), ("C", 14), ("D", 14)])
def test_trumps_in_a_hand_with_the_ace_of_hearts(suit: str, trumps: int) -> None:
    counts = counted(probes.count_trumps, f"forty-five:trump={suit}", 6, 7, DEALS)
    for held, count in enumerate(counts):
        assert near(count, DEALS, comb(trumps, held) * comb(52 - trumps, 5 - held) / comb(52, 5))


# Auction Forty-Fives and Five Hundred: cards in a hand (docs/rules.md 1.2, 8.5)

HEARTS_IN_FIVE = (22.153, 41.142, 27.428, 8.154, 1.073, 0.050)  # 13 trumps
OTHERS_IN_FIVE = (19.313, 39.762, 29.538, 9.846, 1.464, 0.077)  # 14 trumps


def among(special: int, pack: int, hand: int, held: int) -> float:
    """The chance that a hand has so many of the special cards of a pack."""
    return comb(special, held) * comb(pack - special, hand - held) / comb(pack, hand)


@pytest.mark.parametrize(
    ("suit", "percents"), [*((suit, OTHERS_IN_FIVE) for suit in range(3)), (3, HEARTS_IN_FIVE)]
)
def test_trumps_in_a_hand_of_auction_forty_fives(suit: int, percents: tuple[float, ...]) -> None:
    counts = counted(probes.count_hands, "auction-forty-fives", 6, suit, 7, DEALS)
    assert sum(counts) == DEALS
    for held, percent in enumerate(percents):
        chance = among(13 if suit == 3 else 14, 52, 5, held)
        assert round(100 * chance, 3) == percent
        assert near(counts[held], DEALS, chance)


@pytest.mark.parametrize(
    ("suit", "trumps", "mean"), [(0, 12, 2.7907), (1, 12, 2.7907), (2, 13, 3.0233), (3, 13, 3.0233)]
)
def test_trumps_in_a_hand_of_five_hundred(suit: int, trumps: int, mean: float) -> None:
    counts = counted(probes.count_hands, "five-hundred", 11, suit, 7, DEALS)
    chances = [among(trumps, 43, 10, held) for held in range(11)]
    exact = sum(held * chance for held, chance in enumerate(chances))
    assert abs(exact - trumps * 10 / 43) < 1e-12
    assert round(exact, 4) == mean
    spread = sqrt(sum((held - exact) ** 2 * chance for held, chance in enumerate(chances)))
    measured = sum(held * count for held, count in enumerate(counts)) / DEALS
    assert abs(measured - exact) < 4 * spread / sqrt(DEALS)
    for held in range(1, 7):
        assert near(counts[held], DEALS, chances[held])


@pytest.mark.parametrize(
    ("cards", "hand", "kitty", "taken"),
    [
        ("JK", 23.256, 6.977, 30.233),
        ("JS JC", 4.983, None, None),  # both bowers of spades, and of clubs
        ("JD JH", 4.983, None, None),
        ("JS JC JK", 0.972, None, None),
        ("JD JH JK", 0.972, None, None),
    ],
)
def test_who_holds_the_best_trumps_of_five_hundred(
    cards: str, hand: float, kitty: float | None, taken: float | None
) -> None:
    mask = mask_of(parse_card(card) for card in cards.split())
    bid, special = parse_bid("6S"), len(cards.split())
    counts = counted(probes.count_holders, "five-hundred", 6, mask, bid, 7, DEALS)
    chances = [among(special, 43, size, special) for size in (10, 3, 13)]
    for chance, percent in zip(chances, (hand, kitty, taken), strict=True):
        assert percent is None or round(100 * chance, 3) == percent
    assert all(near(count, DEALS, chances[0]) for count in counts[:4])
    assert near(counts[4], DEALS, chances[1])
    assert near(counts[5], DEALS, chances[2])


# The values of Five Hundred, and two deals worked out (docs/rules.md 8.2, 8.9)

STEPS = {
    "6S": 40, "6C": 60, "6D": 80, "6H": 100, "6NT": 120,
    "7S": 140, "7C": 160, "7D": 180, "7H": 200, "7NT": 220, "misere": 250,
    "8S": 240, "8C": 260, "8D": 280, "8H": 300, "8NT": 320,
    "9S": 340, "9C": 360, "9D": 380, "9H": 400, "9NT": 420,
    "10S": 440, "10C": 460, "10D": 480, "open-misere": 500, "10H": 500, "10NT": 520,
}  # fmt: skip


def test_the_ladder_of_five_hundred() -> None:
    rules = find_rules("five-hundred")
    steps, tables = ladder(rules), rule_tables(rules)
    assert len(steps) == 27
    assert [(BID_NAMES[bid], bid_value(rules, bid)) for bid in steps] == list(STEPS.items())
    for place, bid in enumerate(steps):
        over, value = int(tables[layout.OVERBIDS + bid + 1]), STEPS[BID_NAMES[bid]]
        assert over & ~(1 << MISERE) == mask_of(steps[place + 1 :]) & ~(1 << MISERE)
        assert over >> MISERE & 1 == (BID_NAMES[bid][0] == "7")
        assert tables[layout.BID_SCORE + bid] == tables[layout.BID_LOSS + bid] == value


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("bid", "tricks", "points"), [("7H", 8, (200, 20)), ("8NT", 7, (-320, 30))]
)
def test_deals_of_five_hundred_worked_out(
    bid: str, tricks: int, points: tuple[int, int], side: int
) -> None:
    game = ten_tricks("five-hundred", bid, tricks, seat=side)
    assert (game.points[side], game.points[1 - side]) == points


# Random play without robbing (docs/rules.md 5.2)

PLAY_OUT = "spoil-five-traditional:play_out=on,jink=off"


@pytest.mark.parametrize(
    ("players", "nobody", "eldest"),
    [
        (2, 0.0, 2.598),
        (3, 26.1, 1.722),
        (4, 46.4, 1.291),
        (5, 60.0, 1.037),
        (6, 69.0, None),
    ],
)
def test_random_play_of_spoil_five(players: int, nobody: float, eldest: float | None) -> None:
    deals = DEALS // 2
    *tricks, spoilt = counted(probes.count_tricks, PLAY_OUT, players + 1, players, 3, deals)
    assert sum(tricks) == 5 * deals
    assert abs(100 * spoilt / deals - nobody) < 0.4
    assert (spoilt == 0) == (players == 2)
    if eldest is not None:
        assert abs(tricks[1] / deals - eldest) < 0.01


# Shuffling


def packs(spec: str, count: int, deals: int, seed: int = 11) -> Counts:
    """The packs of many deals, ``count`` cards of each shuffled; shape (deals, cards)."""
    rules = find_rules(spec)
    found = np.zeros((deals, len(rules.deck_cards())), dtype=np.int64)
    probes.shuffles(probes.new_state(), rule_tables(rules), seed, count, found)
    return found


def is_even(counts: Counts) -> bool:
    """Chi-square: neither too uneven nor too even."""
    return 1e-4 < float(stats.chisquare(counts).pvalue) < 1 - 1e-4


def test_every_place_of_the_pack_is_uniform() -> None:
    found = packs("forty-five", 52, DEALS)
    assert (np.sort(found[:1000], axis=1) == np.arange(52)).all()
    for place in (0, 1, 2, 9, 25, 49, 50, 51):
        assert is_even(np.bincount(found[:, place], minlength=52))


@pytest.mark.parametrize("places", [(0, 1), (1, 2), (0, 51), (20, 21), (24, 25), (50, 51)])
def test_pairs_of_places_are_uniform(places: tuple[int, int]) -> None:
    found = packs("forty-five", 52, DEALS)
    first, second = found[:, places[0]], found[:, places[1]]
    counts = np.bincount(52 * first + second, minlength=52 * 52).reshape(52, 52)
    assert not counts.diagonal().any()
    assert is_even(counts[~np.eye(52, dtype=bool)])


def test_neighbouring_deals_and_seeds_are_independent() -> None:
    found = packs("forty-five", 52, DEALS)
    other = packs("forty-five", 52, DEALS, seed=12)
    assert is_even(np.bincount(52 * found[:-1, 0] + found[1:, 0], minlength=52 * 52))
    assert is_even(np.bincount(52 * found[:, 0] + other[:, 0], minlength=52 * 52))


@pytest.mark.parametrize("spec", ["forty-five", "forty-five-joker"])
@pytest.mark.parametrize("count", [1, 2, 11, 12, 21, 51])
def test_a_partial_shuffle_is_the_beginning_of_the_whole_one(spec: str, count: int) -> None:
    whole, part = packs(spec, 53 if "joker" in spec else 52, 200), packs(spec, count, 200)
    assert (whole[:, :count] == part[:, :count]).all()


def test_a_deal_does_not_depend_on_the_players() -> None:
    for seed in range(50):
        few, many = (Game("spoil-five", players, seed=seed) for players in (2, 10))
        assert few.hands[:2] == many.hands[:2]


def test_a_deal_does_not_depend_on_the_rules() -> None:
    for seed in range(50):
        hands = [Game(spec, 4, seed=seed).hands for spec in ("forty-five", "spoil-five:trump=S")]
        assert hands[0] == hands[1]
