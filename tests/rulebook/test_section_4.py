"""docs/rules.md 4: scoring Forty-Five and its relatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from tests.rulebook.table import deal, legal, play, script

pytestmark = pytest.mark.jit_off


def won(
    spec: str,
    winners: Sequence[int],
    *,
    players: int = 4,
    best: Mapping[int, str] | None = None,
    scores: Sequence[int] | None = None,
    dealer: int = 0,
    jink: str = "stop",
) -> Game:
    """Play a deal whose tricks these seats win, with spades trumps; ``best`` wins with trumps."""
    rules = find_rules(spec).with_options(trump="S", plain_lead="free")
    told = script(players, winners, dealer=dealer, best=best)
    game = deal(rules, told.hands, players=players, scores=scores, dealer=dealer)
    for trick in told.tricks:
        play(game, (jink + " " if game.phase == "jink" else "") + trick)
    return game


def winner(game: Game) -> int | None:
    """The side that has won the game with this deal."""
    side = int(game.state[layout.WINNER])
    assert game.deal_is_over
    assert game.next_deal() == (side < 0)
    return None if side < 0 else side


# 4.1


def test_4_1_five_a_trick_and_five_for_the_best_trump() -> None:
    assert won("forty-five", [0, 0, 1, 1, 0], best={0: "10S"}).points == [20, 10]
    individuals = won("forty-five", [0, 0, 1, 2, 3], players=5, best={3: "5S"})
    assert individuals.points == [10, 5, 10, 5, 0]


def test_4_1_no_trump_no_bonus() -> None:
    assert won("forty-five", [0, 0, 1, 1, 0]).points == [15, 10]


def test_4_1_the_best_of_several_trumps() -> None:
    game = won("forty-five", [0, 1, 0, 3, 2], best={1: "10S", 3: "2S"})
    assert game.points == [15, 15]
    game = won("forty-five", [0, 1, 0, 3, 2], best={0: "2S", 3: "10S"})
    assert game.points == [20, 10]


def test_4_1_ace_of_hearts_can_earn_the_bonus() -> None:
    assert won("forty-five", [0, 1, 1, 1, 0], best={0: "AH", 1: "KS"}).points == [15, 15]


def test_4_1_last_trick() -> None:
    game = won("forty-five-last-trick", [0, 0, 1, 0, 1], best={0: "5S"})
    assert game.points == [15, 15]
    assert won("forty-five-last-trick", [0, 0, 1, 0, 0]).points == [25, 5]


def test_4_1_no_bonus() -> None:
    assert won("forty-five:bonus=none", [0, 0, 1, 0, 1], best={0: "5S"}).points == [15, 10]


@pytest.mark.parametrize(
    ("card", "bonus"), [("5S", 5), ("JS", 5), ("AH", 5), ("AS", 0), ("KS", 0), ("2S", 0)]
)
def test_4_1_bonus_needs_top(card: str, bonus: int) -> None:
    game = won("forty-five:bonus_needs_top=on", [1, 0, 0, 0, 0], best={0: card})
    assert game.points == [20, 5 + bonus]


def test_4_1_bonus_needs_top_takes_the_joker() -> None:
    spec = "forty-five-joker:bonus_needs_top=on"
    assert won(spec, [1, 0, 0, 0, 0], best={0: "JK"}).points == [20, 10]


def test_4_1_an_ace_of_hearts_made_lowest_is_no_top_card() -> None:
    spec = "forty-five:bonus_needs_top=on,rob_missed=ace_lowest,hand_size=1"
    assert play(deal(spec, ["9C", "AH"], "3H", dealer=1), "9C keep AH").points == [0, 5]
    assert play(deal(spec, ["9C", "AH"], "3C", dealer=1), "9C AH").points == [0, 10]


# 4.2


@pytest.mark.parametrize(
    ("winners", "five_ten", "difference"),
    [
        ([0, 1, 0, 1, 0], [5, 0], [5, 0]),
        ([1, 1, 0, 1, 1], [0, 5], [0, 15]),
        ([0, 0, 0, 0, 0], [10, 0], [25, 0]),
    ],
)
def test_4_2_other_ways_of_counting(
    winners: list[int], five_ten: list[int], difference: list[int]
) -> None:
    for scoring, points in (("five_ten", five_ten), ("difference", difference)):
        game = won(f"forty-five:trick_scoring={scoring}", winners, best={0: "5S"})
        assert game.points == points


def test_4_2_nobody_with_three_tricks_scores_nothing() -> None:
    for scoring in ("five_ten", "difference"):
        game = won(f"forty-five:trick_scoring={scoring}", [0, 1, 2, 0, 1], players=3)
        assert game.points == [0, 0, 0]


# 4.3


def test_4_3_twenty_five_stops_at_the_target() -> None:
    game = won("twenty-five", [1], scores=[15, 20])
    assert game.deal_is_over
    assert (game.scores, winner(game)) == ([15, 25], 1)


def test_4_3_forty_five_is_played_out() -> None:
    game = won("forty-five", [1], scores=[15, 40])
    assert not game.deal_is_over


def test_4_3_the_bonus_does_not_count_during_the_deal() -> None:
    spec = "forty-five:stop_at_target=on,tie=trick_order"
    game = won(spec, [1, 1], best={0: "5S"}, scores=[0, 30])
    assert not game.deal_is_over
    game = won(spec, [1, 0, 0, 1, 0], best={0: "5S"}, scores=[0, 30])
    assert (game.scores, winner(game)) == ([15, 45], 1)


# 4.4


def test_4_4_target_or_above_wins() -> None:
    assert winner(won("forty-five", [0, 0, 0, 1, 1], scores=[25, 40])) == 1
    assert winner(won("forty-five", [0, 0, 0, 1, 1], scores=[25, 30])) is None
    assert winner(won("forty-five-to-110", [0] * 5, scores=[80, 0], best={0: "5S"})) == 0


def test_4_4_winning_total_can_be_70() -> None:
    game = won("forty-five", [0] * 5, scores=[40, 0], best={0: "5S"})
    assert (game.scores, winner(game)) == ([70, 0], 0)


@pytest.mark.parametrize(
    ("tie", "side"),
    [
        ("nondealer_first", 0),
        ("highest_total", 0),
        ("highest_total,tie_equal=play_on", None),
        ("trick_order", 1),
    ],
)
def test_4_4_level_at_fifty(tie: str, side: int | None) -> None:
    spec = f"forty-five:tie={tie}"
    game = won(spec, [1, 1, 1, 0, 0], scores=[40, 30], dealer=1, best={1: "5S"})
    assert game.scores == [50, 50]
    assert winner(game) == side


def test_4_4_highest_total() -> None:
    for dealer in (0, 1):
        game = won("forty-five:tie=highest_total", [1, 1, 0, 1, 1], scores=[40, 40], dealer=dealer)
        assert winner(game) == 1


def test_4_4_nondealer_first_counts_from_the_dealers_left() -> None:
    winners = [1, 2, 1, 2, 2]
    scores = [0, 35, 40, 0, 0]
    for dealer, side in ((3, 1), (1, 2), (2, 1), (0, 1)):
        game = won("forty-five", winners, players=5, scores=scores, dealer=dealer)
        assert game.scores == [0, 45, 55, 0, 0]
        assert winner(game) == side


def test_4_4_trick_order_counts_the_bonus_in_its_trick() -> None:
    spec = "forty-five:tie=trick_order"
    late = won(spec, [0, 1, 0, 1, 0], scores=[30, 35], best={4: "5S"})
    assert (late.scores, winner(late)) == ([50, 45], 1)
    early = won(spec, [0, 1, 0, 1, 0], scores=[30, 35], best={0: "5S"})
    assert (early.scores, winner(early)) == ([50, 45], 0)


def test_4_4_trick_order_with_the_last_trick() -> None:
    game = won("forty-five:tie=trick_order,bonus=last_trick", [0, 1, 0, 1, 0], scores=[35, 35])
    assert (game.scores, winner(game)) == ([55, 45], 0)
    game = won("forty-five:tie=trick_order,bonus=last_trick", [0, 1, 0, 1, 0], scores=[30, 35])
    assert (game.scores, winner(game)) == ([50, 45], 1)


def test_4_4_partners_win_together() -> None:
    game = won("forty-five", [2] * 5, scores=[40, 0])
    assert not game.next_deal()
    assert game.winners == [0, 2]


# 4.5


def test_4_5_all_five_tricks_win_the_game() -> None:
    game = won("forty-five:sweep=wins_game", [0, 2, 0, 2, 2], scores=[0, 40])
    assert winner(game) == 0
    assert winner(won("forty-five", [0, 2, 0, 2, 2], scores=[0, 40])) is None


def test_4_5_sweep_and_jink_exclude_each_other() -> None:
    with pytest.raises(RuleSetError, match="the same five tricks"):
        find_rules("forty-five:sweep=wins_game,jink=on")


# 4.6


def test_4_6_asked_before_the_lead_to_trick_4() -> None:
    game = won("forty-five:jink=on", [0, 2, 2])
    assert (game.phase, game.seat, legal(game)) == ("jink", 2, {"jink", "stop"})
    assert won("forty-five:jink=on", [0, 0, 1]).phase == "play"
    assert won("forty-five", [0, 0, 0]).phase == "play"


def test_4_6_made_doubles() -> None:
    spec = "forty-five-to-110:jink=on"
    game = won(spec, [0] * 5, best={0: "5S"}, jink="jink")
    assert (game.points, game.outcome) == ([60, 0], "jink-made")
    assert won(spec, [0, 2, 0, 2, 2], jink="jink").points == [50, 0]
    assert won(spec, [0] * 5, best={0: "5S"}, jink="stop").points == [30, 0]


def test_4_6_made_can_win_the_game_whatever_the_tie_rule() -> None:
    for tie in ("highest_total", "nondealer_first", "trick_order"):
        game = won(f"forty-five:jink=on,tie={tie}", [0] * 5, best={0: "5S"}, jink="jink")
        assert (game.scores, winner(game)) == ([60, 0], 0)


def test_4_6_failed_loses_the_game_at_the_lost_trick() -> None:
    game = won("forty-five:jink=on", [0, 0, 0, 1], best={1: "5S"}, jink="jink")
    assert game.deal_is_over
    assert (game.points, game.outcome, winner(game)) == ([15, 5], "jink-failed", 1)


def test_4_6_failed_in_the_fifth_trick_pays_the_bonus() -> None:
    game = won("forty-five:jink=on", [0, 0, 0, 0, 1], best={1: "5S"}, jink="jink")
    assert (game.points, winner(game)) == ([25, 5], 1)


def test_4_6_failed_among_several_the_highest_total_wins() -> None:
    game = won("forty-five:jink=on", [0, 0, 0, 1], players=3, scores=[30, 10, 25], jink="jink")
    assert (game.scores, winner(game)) == ([45, 15, 25], 2)
    for dealer, side in ((0, 1), (1, 2), (2, 1)):
        level = won(
            "forty-five:jink=on",
            [0, 0, 0, 1],
            players=3,
            scores=[30, 20, 25],
            dealer=dealer,
            jink="jink",
        )
        assert (level.scores, winner(level)) == ([45, 25, 25], side)


def test_4_6_stop_plays_on() -> None:
    game = won("forty-five:jink=on", [0, 0, 0, 1, 1])
    assert (game.points, game.outcome, winner(game)) == ([15, 10], "scored", None)
