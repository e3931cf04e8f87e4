"""docs/rules.md 2: playing to a trick."""

from __future__ import annotations

import pytest

from tests.rulebook.table import deal, hand_of, legal, play, play_quietly, words

pytestmark = pytest.mark.jit_off

READINGS = ("follow_or_trump", "strict_follow", "must_follow_or_trump", "free")
RENEGE = (
    "outranks_led",
    "highest_so_far",
    "expires_in_deal",
    "single_unconditional",
    "none",
)


def against(led: str, hand: str, options: str = "", trump: str = "S") -> set[str]:
    """What a hand may play when these cards lie on the table."""
    size, players = len(hand.split()), len(led.split()) + 1
    spec = f"forty-five:hand_size={size},trump={trump},sides=individuals,{options}"
    return legal(play(deal(spec, [*led.split(), hand], dealer=players - 1), led))


def allowed(answer: str, hand: str) -> set[str]:
    return words(hand if answer == "all" else answer)


def test_2_1_eldest_leads_anything_and_the_winner_leads_on() -> None:
    game = deal("forty-five:trump=S", ["2D", "5S JS KD 9C 2C", "3D"], dealer=0)
    assert game.seat == 1
    assert legal(game) == hand_of(game, 1)
    play(game, "2C")
    play(game, min(legal(game)))
    play(game, min(legal(game)))
    assert game.seat == game.history[0].winner == game.leader
    assert legal(game) == hand_of(game, game.seat)


@pytest.mark.parametrize(
    ("led", "hand", "answers"),
    [
        ("KD", "7D 3S 9C 2C KH", ["7D 3S", "7D", "7D 3S", "all"]),
        ("KD", "3S 9C 2C KH", ["all", "all", "3S", "all"]),
        ("KD", "7D 9C 2C", ["7D", "7D", "7D", "all"]),
        ("KD", "9C 2C KH", ["all", "all", "all", "all"]),
        ("8H", "AH 7C 2D", ["all", "all", "AH", "all"]),
        ("8H", "AH 4H 7C", ["AH 4H", "4H", "AH 4H", "all"]),
    ],
)
def test_2_2_a_plain_suit_is_led(led: str, hand: str, answers: list[str]) -> None:
    for reading, answer in zip(READINGS, answers, strict=True):
        assert against(led, hand, f"plain_lead={reading}") == allowed(answer, hand), reading


def test_2_2_no_privilege_on_a_plain_lead() -> None:
    assert against("KD", "5S 9C 2C", "plain_lead=must_follow_or_trump") == {"5S"}
    assert against("KD", "5S JS 4D 9C") == {"5S", "JS", "4D"}


@pytest.mark.parametrize(
    ("table", "hand", "answer"),
    [
        ("7S", "JS 9C KD", "all"),
        ("7S", "JS 3S 9C", "JS 3S"),
        ("7S", "5S JS AH 9C", "all"),
        ("JS", "5S 9C", "all"),
        ("JS", "AH 9C", "AH"),
        ("5S", "JS 9C", "JS"),
        ("AH", "5S 9H 2D", "all"),
        ("KS", "AS QD", "AS"),
        ("3S 5S", "JS 8D", "all"),
        ("10S", "9C KD 2H", "all"),
    ],
)
def test_2_3_a_trump_is_led(table: str, hand: str, answer: str) -> None:
    assert against(table, hand) == allowed(answer, hand)


def test_2_3_five_may_always_be_kept_back() -> None:
    for led in ("JS", "AH", "AS", "KS", "2S", "10S"):
        assert "KD" in against(led, "5S KD")


def test_2_3_jack_only_if_the_five_was_not_led() -> None:
    assert against("5S", "JS KD") == {"JS"}
    assert all("KD" in against(led, "JS KD") for led in ("AH", "AS", "KS", "10S"))


def test_2_3_ace_of_hearts_only_below_five_and_jack() -> None:
    assert against("5S", "AH KD") == against("JS", "AH KD") == {"AH"}
    assert all("KD" in against(led, "AH KD") for led in ("AS", "KS", "10S"))


def test_2_3_ace_king_and_queen_of_trumps_have_no_privilege() -> None:
    for card in ("AS", "KS", "QS", "2S"):
        assert against("10S", f"{card} KD") == {card}


def test_2_3_the_privilege_forbids_nothing() -> None:
    assert against("7S", "5S 2S KD") == {"5S", "2S"}
    assert against("7S", "5S KD 9C") == {"5S", "KD", "9C"}


def test_2_3_hearts_trumps_make_the_ace_of_hearts_the_ace_of_trumps() -> None:
    assert "KD" in against("KH", "AH KD", trump="H")
    assert against("JH", "AH KD", trump="H") == {"AH"}


def test_2_3_five_only() -> None:
    assert against("7S", "JS 9C KD", "renege_cards=five_only") == {"JS"}
    assert against("7S", "5S 9C", "renege_cards=five_only") == {"5S", "9C"}


@pytest.mark.parametrize(
    ("table", "hand", "answers"),
    [
        ("3S 5S", "JS 8D", ["all", "JS", "JS", "all", "JS"]),
        ("JS", "AH 9C", ["AH", "AH", "AH", "all", "AH"]),
        ("7S", "5S JS 9C", ["all", "all", "all", "5S JS", "5S JS"]),
    ],
)
def test_2_4_other_readings_of_renege(table: str, hand: str, answers: list[str]) -> None:
    for reading, answer in zip(RENEGE, answers, strict=True):
        assert against(table, hand, f"renege={reading}") == allowed(answer, hand), reading


def test_2_4_five_of_trumps_gone() -> None:
    for reading, answer in zip(RENEGE, ["all", "all", "JS", "all", "JS"], strict=True):
        spec = f"forty-five:hand_size=3,trump=S,sides=individuals,renege={reading}"
        game = deal(spec, ["KD 10D 9D", "5S 4S 9H", "QD JS 8D"], dealer=2)
        assert legal(play(game, "KD 5S QD 4S")) == allowed(answer, "JS 8D"), reading


def test_2_4_a_ruff_does_not_take_the_privilege_away() -> None:
    spec = "forty-five:hand_size=2,trump=S,sides=individuals,renege=highest_so_far"
    game = play(deal(spec, ["KD 10C", "5S 9H", "JS 8D"], dealer=2), "KD 5S")
    assert legal(game) == {"JS", "8D"}


@pytest.mark.parametrize(
    ("hand", "off", "on"),
    [
        ("9H 2D 3C", "all", "9H"),
        ("5S 9H 2D", "all", "all"),
        ("4S 9H 2D", "4S", "4S"),
        ("2D 3C", "all", "all"),
    ],
)
def test_2_5_the_ace_of_hearts_led(hand: str, off: str, on: str) -> None:
    assert against("AH", hand) == allowed(off, hand)
    assert against("AH", hand, "ah_lead_needs_heart=on") == allowed(on, hand)


def test_2_5_only_where_the_ace_of_hearts_is_led() -> None:
    assert against("KS", "9H 2D", "ah_lead_needs_heart=on") == {"9H", "2D"}
    assert against("AH", "9S 2D", "ah_lead_needs_heart=on", trump="H") == {"9S", "2D"}


def test_2_6_missed_ace_is_the_lowest_trump() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=2"
    game = play_quietly(deal(spec, ["AS KD", "10S QD"], "7S", dealer=1), "AS 10S")
    assert game.history[0].winner == 1
    game = play(deal(spec, ["AS KD", "10S QD"], "7S", dealer=1), "rob:KD AS 10S")
    assert game.history[0].winner == 0


def test_2_6_missed_ace_of_hearts_loses_its_privilege() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=2"
    game = deal(spec, ["2H KD", "AH 9C"], "7H", dealer=1)
    assert legal(play(game, "2H keep")) == {"AH"}
    game = deal(spec, ["2S KD", "AH 9C"], "7S", dealer=1)
    assert legal(play(game, "2S")) == {"AH", "9C"}


def test_2_6_a_dealer_who_leaves_the_ace_lowers_nothing() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=2"
    game = deal(spec, ["2H KD", "KH 9C"], "AH", dealer=1)
    play(game, "keep 2H KH")
    assert game.history[0].winner == 1


def test_2_6_the_others_learn_of_it_when_the_ace_falls() -> None:
    spec = "forty-five:rob_missed=ace_lowest,hand_size=2"
    game = play(deal(spec, ["AS KD", "10S QD"], "7S", dealer=1), "keep")
    ace, ten = 12, 8
    assert game.strength(ace) > game.strength(ten)
    play(game, "AS")
    assert game.strength(ace) < game.strength(ten)
    assert game.beats_trick(ten)
