"""docs/rules.md 5: Spoil Five."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from tests.rulebook.table import deal, legal, play, script

pytestmark = pytest.mark.jit_off

ANTE_RULES = [
    ("each_deal", [2, 2, 2, 2], [2, 2, 2, 2]),
    ("reduced_after_spoil", [3, 2, 2, 2], [2, 1, 1, 1]),
    ("dealer_only_after_first", [2, 2, 2, 2], [2, 0, 0, 0]),
    ("dealer_double", [4, 2, 2, 2], [4, 2, 2, 2]),
    ("none_after_spoil", [2, 2, 2, 2], [0, 0, 0, 0]),
]


def won(
    spec: str,
    winners: Sequence[int],
    *,
    players: int = 5,
    dealer: int = 0,
    chips: Sequence[int] | None = None,
    pot: int = 0,
    jink: str = "stop",
) -> Game:
    """Play a deal whose tricks these seats win; who may jink does as ``jink`` says."""
    rules = find_rules(spec).with_options(trump="S", plain_lead="free")
    told = script(players, winners, dealer=dealer)
    game = deal(rules, told.hands, players=players, dealer=dealer, scores=chips, pot=pot)
    for trick in told.tricks:
        play(game, (jink + " " if game.phase == "jink" else "") + trick)
    if game.phase == "jink":
        play(game, jink)
    return game


# 5.1


@pytest.mark.parametrize(("rule", "new", "carried"), ANTE_RULES)
def test_5_1_antes(rule: str, new: list[int], carried: list[int]) -> None:
    for pot, due in ((0, new), (7, carried)):
        game = Game(f"spoil-five:ante=2,ante_rule={rule}", 4, dealer=0, pot=pot)
        assert game.points == [-chips for chips in due]
        assert game.scores == [50 - chips for chips in due]
        assert game.pot == pot + sum(due)


def test_5_1_pot_cap() -> None:
    spec = "spoil-five:ante=2,ante_rule=dealer_only_after_first,pot_cap=8"
    paid = [Game(spec, 4, dealer=1, pot=pot).points for pot in (0, 6, 7, 8, 9)]
    assert paid == [[-2] * 4, [0, -2, 0, 0], [0, -2, 0, 0], [0] * 4, [0] * 4]
    with pytest.raises(RuleSetError, match="pot_cap needs"):
        find_rules("spoil-five:pot_cap=8")


# 5.2


def test_5_2_three_tricks_win_the_pot_and_end_the_deal() -> None:
    game = won("spoil-five", [2, 2, 0, 2])
    assert game.deal_is_over
    assert (game.outcome, game.points, game.pot) == ("pot-won", [-1, -1, 4, -1, -1], 0)


def test_5_2_a_spoil_carries_the_pot_over() -> None:
    game = won("spoil-five", [0, 1, 0, 1, 2])
    assert (game.outcome, game.points, game.pot) == ("spoiled", [-1] * 5, 5)
    assert game.next_deal()
    assert game.pot == 10


def test_5_2_two_deals_of_four_players() -> None:
    first = won("spoil-five", [0, 1, 2, 0, 1], players=4)
    assert first.pot == 4
    second = won("spoil-five", [1, 1, 0, 1], players=4, chips=first.scores, pot=4, dealer=1)
    assert [chips - 50 for chips in second.scores] == [-2, 6, -2, -2]


def test_5_2_first_to_three() -> None:
    game = won("spoil-five", [0, 1, 1, 0, 1], players=2)
    assert (game.outcome, game.points) == ("pot-won", [-1, 1])


def test_5_2_a_spoil_is_never_called_early() -> None:
    game = won("spoil-five", [0, 1, 2, 3])
    assert (game.deal_is_over, game.outcome) == (False, "unfinished")


def test_5_2_win_tricks_2() -> None:
    game = won("spoil-five:win_tricks=2,jink=off", [0, 1, 2, 1])
    assert (game.outcome, game.points[1]) == ("pot-won", 4)
    assert won("spoil-five:win_tricks=2", [0, 1, 2, 3, 4]).outcome == "spoiled"


def test_5_2_play_out_changes_nothing_else() -> None:
    game = won("spoil-five:play_out=on", [2, 2, 0, 2, 0])
    assert (game.outcome, game.points, game.pot) == ("pot-won", [-1, -1, 4, -1, -1], 0)
    game = won("spoil-five:play_out=on", [2, 2, 2, 0, 2], jink="stop")
    assert (game.outcome, game.points[2]) == ("pot-won", 4)
    game = won("spoil-five:play_out=on", [2, 2, 2, 0, 0], jink="jink")
    assert (game.outcome, game.points, game.pot) == ("jink-failed", [-1] * 5, 5)


# 5.3


def test_5_3_asked_before_the_lead_to_trick_4() -> None:
    rules = find_rules("spoil-five:trump=S,plain_lead=free")
    told = script(5, [3, 3, 3])
    game = deal(rules, told.hands, players=5)
    play(game, " ".join(told.tricks))
    assert (game.phase, game.seat, legal(game)) == ("jink", 3, {"jink", "stop"})
    play(game, "jink")
    assert (game.phase, game.seat, game.jinker) == ("play", 3, 3)


def test_5_3_only_with_the_first_three_tricks() -> None:
    assert won("spoil-five", [0, 0, 1, 0]).outcome == "pot-won"
    assert won("spoil-five-no-jink", [0, 0, 0]).outcome == "pot-won"


def test_5_3_stop_takes_the_pot() -> None:
    game = won("spoil-five", [0, 0, 0], jink="stop")
    assert (game.outcome, game.points, game.jinker) == ("pot-won", [4, -1, -1, -1, -1], None)


def test_5_3_made_takes_the_pot_and_an_ante_of_each() -> None:
    game = won("spoil-five", [0] * 5, pot=5, jink="jink")
    assert (game.outcome, game.points, game.pot) == ("jink-made", [13, -2, -2, -2, -2], 0)


def test_5_3_failed_spoils_and_ends_the_deal() -> None:
    game = won("spoil-five", [0, 0, 0, 0, 1], pot=5, jink="jink")
    assert (game.outcome, game.points, game.pot) == ("jink-failed", [-1] * 5, 10)
    game = won("spoil-five", [0, 0, 0, 1], pot=5, jink="jink")
    assert (game.deal_is_over, game.outcome, game.pot) == (True, "jink-failed", 10)


def test_5_3_win_tricks_2_still_all_five() -> None:
    spec = "spoil-five:win_tricks=2"
    assert won(spec, [0, 0], jink="stop").points[0] == 4
    assert won(spec, [0] * 5, jink="jink").outcome == "jink-made"
    assert won(spec, [0, 0, 0, 1], jink="jink").outcome == "jink-failed"
    assert won(spec, [0, 1, 0]).outcome == "pot-won"


def test_5_3_implicit_means_the_same_choice() -> None:
    spec = "spoil-five:jink_declare=implicit"
    assert won(spec, [0, 0, 0], jink="stop").outcome == "pot-won"
    assert won(spec, [0] * 5, jink="jink").outcome == "jink-made"


def test_5_3_double_pot() -> None:
    game = won("spoil-five:jink_reward=double_pot", [0] * 5, pot=5, jink="jink")
    assert game.points == [19, -4, -4, -3, -3]


@pytest.mark.parametrize(("bonus", "each"), [("ante", 2), (0, 0), (4, 4)])
def test_5_3_jink_bonus(bonus: str | int, each: int) -> None:
    spec = f"spoil-five:ante=2,ante_rule=dealer_double,jink_bonus={bonus}"
    game = won(spec, [1] * 5, dealer=1, jink="jink")
    assert game.points == [-2 - each, 8 + 4 * each, -2 - each, -2 - each, -2 - each]


def test_5_3_who_cannot_pay_the_jinker_in_full_pays_what_is_left() -> None:
    spec = "spoil-five:jink_bonus=4"
    game = won(spec, [0] * 5, chips=[9, 1, 3, 5, 9], jink="jink")
    assert game.scores == [8 + 5 + 0 + 2 + 4 + 4, 0, 0, 0, 4]


# 5.4


def test_5_4_stack() -> None:
    assert Game("spoil-five:stack=12", 3).scores == [11] * 3
    with pytest.raises(RuleSetError, match="cannot pay the first ante"):
        find_rules("spoil-five:stack=1,ante=2")


def test_5_4_game_deals_and_level_chips_share_the_win() -> None:
    game = won("spoil-five:game_deals=1", [0, 1, 0, 1, 2])
    assert not game.next_deal()
    assert (game.scores, game.pot) == ([50] * 5, 0)
    assert game.winners == [0, 1, 2, 3, 4]


def test_5_4_leave_ends_before_the_deal_that_cannot_be_paid() -> None:
    game = won("spoil-five:ante=2", [0, 1, 0, 1, 2], chips=[9, 3, 9, 9, 9])
    assert not game.next_deal()
    assert game.scores == [9, 3, 9, 9, 9]
    assert game.winners == [0, 2, 3, 4]


def test_5_4_all_in_puts_in_what_is_left_and_leaves_with_nothing() -> None:
    spec = "spoil-five:ante=2,unpaid=all_in"
    game = won(spec, [0, 1, 0, 1, 2], chips=[9, 3, 2, 9, 9], dealer=1)
    assert game.next_deal()
    assert (game.dealer, game.pot) == (3, 10 + 2 + 1 + 2 + 2)  # seat 2 has left the game
    assert game.scores == [5, 0, 0, 5, 5]
    assert [len(hand) for hand in game.hands] == [5, 5, 0, 5, 5]


def test_5_4_all_in_ends_with_fewer_than_two_seats() -> None:
    game = won("spoil-five:ante=2,unpaid=all_in", [1, 1, 0, 1], chips=[2, 5, 1], players=3)
    assert not game.next_deal()
    assert (game.scores, game.winners) == ([0, 8, 0], [1])


def test_5_4_last_pot_is_split_from_the_dealers_left() -> None:
    game = won("spoil-five:game_deals=1", [0, 1, 0, 1, 2], pot=2, dealer=3)
    assert not game.next_deal()
    assert game.scores == [51, 50, 50, 50, 51]


def test_5_4_last_pot_to_the_leaders() -> None:
    spec = "spoil-five:game_deals=1,last_pot=leader"
    game = won(spec, [0, 1, 0, 1, 2], chips=[20, 30, 10, 30, 5], pot=2)
    assert not game.next_deal()
    assert game.scores == [19, 33, 9, 32, 4]  # 7 chips: the odd one to the dealer's left


def test_5_4_the_last_deal_keeps_its_own_outcome() -> None:
    game = won("spoil-five:game_deals=1", [0, 1, 0, 1, 2])
    assert not game.next_deal()
    assert (game.outcome, game.points) == ("spoiled", [-1] * 5)
