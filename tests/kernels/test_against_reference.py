"""The engine against the slow reference: a sample of what compare.py does at length."""

from __future__ import annotations

import random

import pytest

from forty5sim.named_rules import find_rules, presets
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
