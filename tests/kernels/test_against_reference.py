"""The engine against the slow reference: a sample of what compare.py does at length."""

from __future__ import annotations

import random

import pytest

from forty5sim.named_rules import find_rules, presets
from forty5sim.options import BIDDING
from forty5sim.rules import OPTIONS, RuleSet
from tests.kernels import cases, compare
from tests.kernels.cases import random_case
from tests.kernels.compare import DifferenceError, compare_deal, compare_game
from tests.kernels.random_rules import one_option_changed, random_rules


def deals(rules: RuleSet, count: int, rng: random.Random) -> None:
    """Compare deals of one rule set, each number of players in turn."""
    for number in range(count):
        players = rules.players[number % len(rules.players)]
        compare_deal(random_case(rules, players, rng), rng)


@pytest.mark.parametrize("name", presets())
def test_presets_with_every_number_of_players(name: str) -> None:
    rules = presets()[name]
    deals(rules, 8 * len(rules.players), random.Random(name))


@pytest.mark.parametrize("rules", one_option_changed(), ids=lambda rules: str(rules.id))
def test_one_option_at_a_time(rules: RuleSet) -> None:
    deals(rules, 18, random.Random(rules.id))


@pytest.mark.parametrize("seed", range(15))
def test_random_options(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        deals(random_rules(rng), 20, rng)


@pytest.mark.parametrize("seed", range(20))
def test_whole_games(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        rules = random_rules(rng, whole_games=True)
        compare_game(rules, rng.choice(rules.players[:6]), rng.randrange(10**9), rng)


@pytest.mark.parametrize("seed", range(20))
def test_random_options_and_whole_games_of_auctions(seed: int) -> None:
    rng = random.Random(f"auctions {seed}")
    for family in BIDDING:
        deals(random_rules(rng, families=[family]), 20, rng)
        for _ in range(2):
            rules = random_rules(rng, whole_games=True, families=[family])
            compare_game(rules, rng.choice(rules.players), rng.randrange(10**9), rng)


AUCTION_ENDS = [
    "lose_at=-60",
    "lose_at=-60,target=60",
    "lose_at=-40,must_bid_out=on",
    "lose_at=-60,sets_lose=2",
    "sets_lose=1",
    "game_deals=1",
    "game_deals=3",
    "game_deals=3,tie_equal=play_on",
    "game_deals=4,lose_at=-40,all_pass=redeal",
    "lose_at=-60,target=60,tie_equal=play_on",
    "lose_at=-60,target=60,defenders_frozen_at=40",
    "lose_at=-60,no_bid_below=-20",
]


@pytest.mark.parametrize("end", AUCTION_ENDS)
@pytest.mark.parametrize("tie", OPTIONS["tie"].words_in("auction"))
def test_whole_auction_games_with_each_tie_and_end(tie: str, end: str) -> None:
    rng = random.Random(tie + end)
    rules = find_rules(f"auction-forty-fives:tie={tie},{end}")
    for players in rules.players:
        compare_game(rules, players, rng.randrange(10**9), rng)


@pytest.mark.parametrize("needs_contract", ["on", "off"])
@pytest.mark.parametrize("target", [50, 300, 500])
@pytest.mark.parametrize("pass_out", ["redeal", "play_nt"])
def test_whole_games_of_five_hundred(needs_contract: str, target: int, pass_out: str) -> None:
    rng = random.Random(f"{needs_contract} {target} {pass_out}")
    spec = f"five-hundred:win_needs_contract={needs_contract},target={target}"
    for number in range(4):
        rules = find_rules(f"{spec},pass_out={pass_out},lose_at={(-100, -500)[number % 2]}")
        compare_game(rules, 4, number, rng)


@pytest.mark.parametrize("tie", ["highest_total", "nondealer_first", "trick_order", "play_on"])
def test_whole_counting_games_with_each_tie(tie: str) -> None:
    rng = random.Random(tie)
    ties = "highest_total,tie_equal=play_on" if tie == "play_on" else tie
    for number in range(12):
        bonus = ("best_trump", "last_trick", "none")[number % 3]
        rules = find_rules(f"forty-five:target=15,tie={ties},bonus={bonus}")
        compare_game(rules, rng.choice(rules.players), number, rng)


@pytest.mark.parametrize("unpaid", ["leave", "all_in"])
@pytest.mark.parametrize("last_pot", ["split", "leader"])
def test_whole_pot_games(unpaid: str, last_pot: str) -> None:
    rng = random.Random(unpaid + last_pot)
    for number, ante_rule in enumerate(OPTIONS["ante_rule"].words):
        spec = f"spoil-five-strict:ante=2,ante_rule={ante_rule},stack=7,game_deals=12"
        rules = find_rules(f"{spec},unpaid={unpaid},last_pot={last_pot}")
        for players in (2, 3, 5, 8):
            compare_game(rules, players, number, rng)


# The comparison itself


@pytest.mark.parametrize(
    ("played", "believed"),
    [
        ("forty-five", "forty-five:renege=none"),
        ("forty-five", "forty-five:plain_lead=strict_follow"),
        ("forty-five", "forty-five:bonus=none"),
        ("forty-five", "forty-five:tie=highest_total"),
        ("spoil-five", "spoil-five:ante=2"),
        ("spoil-five", "spoil-five:rob_timing=split"),
        ("auction-forty-fives", "auction-forty-fives:min_bid=20"),
        ("auction-forty-fives", "auction-forty-fives:dealer_hold=off"),
        ("auction-forty-fives", "auction-forty-fives:hold_scope=displaced_only"),
        ("auction-forty-fives", "auction-forty-fives:draw_order=bidder_first"),
        ("auction-forty-fives", "auction-forty-fives:bidder_min_keep=0"),
        ("auction-forty-fives", "auction-forty-fives:first_lead=bidder"),
        ("auction-forty-fives", "auction-forty-fives:renege=none"),
        ("auction-forty-fives", "auction-forty-fives:thirty=plain"),
        ("auction-forty-fives", "auction-forty-fives:tie=highest_total"),
        ("five-hundred", "five-hundred:misere=anytime"),
        ("five-hundred", "five-hundred:open_misere_rank=highest"),
        ("five-hundred", "five-hundred:rebid_after_pass=on"),
        ("five-hundred", "five-hundred:joker_nt_suit=misere_only"),
        ("five-hundred", "five-hundred:joker_lead=any_suit"),
        ("five-hundred", "five-hundred:play_out=on"),
        ("five-hundred", "five-hundred:defender_points=none"),
        ("five-hundred", "five-hundred:win_needs_contract=off"),
    ],
)
def test_a_difference_is_found_and_shown(
    played: str, believed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = cases.reference_options(find_rules(believed))
    monkeypatch.setattr(cases, "reference_options", lambda _rules: options)
    rng = random.Random(1)
    with pytest.raises(DifferenceError, match=r"engine .* reference") as caught:
        deals(find_rules(played), 2000, rng)
    shown = str(caught.value)
    exec(compile(shown, "reproduction", "exec"), {})  # the text is a program that runs


def test_the_program_counts_what_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["--deals", "90", "--games", "2", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert "no difference" in told
    assert "2  whole games" in told


def test_the_program_fails_at_a_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(_chunk: compare.Chunk) -> None:
        raise DifferenceError("here it is")

    monkeypatch.setattr(compare, "run_chunk", wrong)
    assert compare.main(["--deals", "10"]) == 1
    assert "here it is" in capsys.readouterr().out


def test_chunks_do_not_depend_on_their_neighbours() -> None:
    chunk = compare.Chunk(seed=5, number=3, deals=60)
    assert compare.run_chunk(chunk) == compare.run_chunk(chunk)
