"""docs/rules.md 3: the deal and robbing."""

from __future__ import annotations

from collections import Counter

import pytest

from forty5sim.cards import card_name
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules, presets
from tests.rulebook.table import deal, hand_of, legal, play, words

pytestmark = pytest.mark.jit_off

HOLDER = "AS 5D 6D 7D QH"
DEALER = "9H KD 3C 8D QC"


def throws(hand: str) -> set[str]:
    """The ways to rob with a hand."""
    return {"rob " + card for card in hand.split()}


# 3.1, 3.2


def test_3_1_two_to_ten_can_play() -> None:
    for players in range(2, 11):
        assert len(Game("spoil-five", players).hands) == players
    with pytest.raises(RuleSetError, match="not for 11 players"):
        Game("spoil-five", 11)
    with pytest.raises(RuleSetError, match="it is for 3"):
        Game("forty-five-three-handed", 4)


def test_3_1_sides() -> None:
    rules = find_rules("forty-five")
    counts = {players: rules.side_count(players) for players in rules.players}
    assert counts == {2: 2, 3: 3, 4: 2, 5: 5, 6: 2, 7: 7, 8: 8, 9: 9, 10: 10}
    for seating, players, sides in [("2x4", 8, 2), ("4x2", 8, 4), ("2x5", 10, 2), ("5x2", 10, 5)]:
        assert find_rules(f"forty-five:sides={seating}").side_count(players) == sides
    with pytest.raises(RuleSetError, match="not for 6 players"):
        find_rules("forty-five:sides=2x2").side_count(6)


def test_3_1_pot_games_are_for_individuals() -> None:
    for rules in presets().values():
        if rules.family == "pot":
            assert all(rules.side_count(players) == players for players in rules.players)
    with pytest.raises(RuleSetError, match="individuals"):
        find_rules("spoil-five:sides=2x2")


def test_3_1_first_dealer_is_drawn_or_named() -> None:
    drawn = Counter(Game("forty-five", 4, seed=seed).dealer for seed in range(400))
    assert all(abs(count - 100) < 4 * 8.7 for count in drawn.values())  # 4 standard errors
    assert Game("forty-five:first_dealer=3", 4, seed=1).dealer == 3


def test_3_1_the_deal_passes_to_the_left() -> None:
    game = Game("spoil-five", 3, dealer=2)
    dealers = []
    for _ in range(4):
        dealers.append(game.dealer)
        while not game.deal_is_over:
            game.push(game.legal_actions[-1])
        assert game.next_deal()
    assert dealers == [2, 0, 1, 2]


def test_3_2_five_cards_each_and_the_turn_up_makes_trumps() -> None:
    game = Game("forty-five", 10, seed=4)
    assert [len(hand) for hand in game.hands] == [5] * 10
    assert game.turnup is not None
    assert game.trump == game.turnup // 13
    assert all(game.turnup not in hand for hand in game.hands)


# 3.3


def test_3_3_the_holder_of_the_ace_may_rob() -> None:
    game = deal("forty-five", {1: HOLDER}, "7S", players=4)
    assert (game.phase, game.seat) == ("rob", 1)
    assert legal(game) == throws(HOLDER) | {"keep"}
    play(game, "rob:5D")
    assert hand_of(game, 1) == words("AS 6D 7D QH 7S")
    assert game.robber == 1


def test_3_3_with_an_ace_turned_up_only_the_dealer_may_rob() -> None:
    game = deal("forty-five", {0: DEALER}, "AS", players=4)
    assert (game.phase, game.seat) == ("rob", 0)
    assert legal(game) == throws(DEALER) | {"keep"}


def test_3_3_the_dealer_may_hold_the_ace_too() -> None:
    game = deal("forty-five:rob_timing=before_first_lead", {0: HOLDER}, "7S", players=4)
    assert (game.phase, game.seat) == ("rob", 0)


def test_3_3_nobody_may_rob_if_the_ace_is_in_the_stock() -> None:
    game = deal("forty-five:rob_timing=before_first_lead", {}, "7S", players=4)
    for _ in range(4):
        assert game.phase == "play"
        game.push(game.legal_actions[0])


def test_3_3_the_ace_of_hearts_gives_no_right_unless_hearts_are_trumps() -> None:
    spec = "forty-five:rob_timing=before_first_lead"
    assert deal(spec, {2: "AH"}, "7S", players=4).phase == "play"
    assert deal(spec, {2: "AH"}, "7H", players=4).seat == 2


def test_3_3_the_ace_may_be_thrown_but_not_the_turn_up() -> None:
    game = deal("forty-five", {1: HOLDER}, "7S")
    assert not game.can(game.turnup or 0)
    play(game, "rob:AS")
    assert hand_of(game, 1) == words("5D 6D 7D QH 7S")


# 3.4


@pytest.mark.parametrize(
    ("timing", "dealer_first", "holder_first"),
    [
        ("split", True, False),
        ("before_first_lead", True, True),
        ("own_first_card", False, False),
    ],
)
def test_3_4_when_to_rob(timing: str, dealer_first: bool, holder_first: bool) -> None:
    spec = f"forty-five:rob_timing={timing}"
    dealer = deal(spec, {0: DEALER}, "AS", players=3)
    holder = deal(spec, {2: HOLDER}, "7S", players=3)
    assert (dealer.phase == "rob") == dealer_first
    assert (holder.phase == "rob") == holder_first
    for game, seat in ((dealer, 0), (holder, 2)):
        while game.phase != "rob":
            assert game.seat != seat
            game.push(game.legal_actions[0])
        assert game.seat == seat


def test_3_4_after_keep_the_right_is_gone() -> None:
    game = play(deal("forty-five", {1: HOLDER}, "7S"), "keep")
    while not game.deal_is_over:
        assert game.phase == "play"
        game.push(game.legal_actions[0])
    assert game.robber is None


def test_3_4_after_an_early_rob_eldest_leads() -> None:
    game = play(deal("forty-five", {0: DEALER}, "AS", players=3), "rob:9H")
    assert (game.phase, game.seat) == ("play", 1)


# 3.5


def test_3_5_ace_taken_up_at_once() -> None:
    game = play(deal("forty-five", [DEALER, "7S"], "AS"), "rob:9H 7S")
    assert legal(game) == {"AS"}


def test_3_5_ace_taken_up_after_trick_1() -> None:
    game = deal("forty-five:dealer_ace=after_trick1", [DEALER, "7S"], "AS")
    play(game, "rob:9H 7S")
    assert legal(game) == words("KD 3C 8D QC")
    play(game, "KD")
    assert hand_of(game, 0) == words("AS 3C 8D QC")


def test_3_5_concerns_only_the_ace_turned_up() -> None:
    game = deal("forty-five:dealer_ace=after_trick1", {1: HOLDER}, "7S")
    assert "7S" in hand_of(play(game, "rob:5D"), 1)


# 3.6


@pytest.mark.parametrize(
    ("forced", "dealer_must", "holder_must"),
    [("off", False, False), ("dealer", True, False), ("all", True, True)],
)
def test_3_6_compulsory_robbing(forced: str, dealer_must: bool, holder_must: bool) -> None:
    spec = f"forty-five:rob_forced={forced}"
    up = deal(spec, {0: DEALER}, "AS")
    held = deal(spec, {1: HOLDER}, "7S")
    assert ("keep" not in legal(up)) == dealer_must
    assert ("keep" not in legal(held)) == holder_must


def test_3_6_dealer_who_holds_the_ace_is_free_under_dealer() -> None:
    spec = "forty-five:rob_forced=dealer,rob_timing=before_first_lead"
    game = deal(spec, {0: HOLDER}, "7S")
    assert (game.seat, "keep" in legal(game)) == (0, True)


def test_3_6_barred_player_cannot_win_the_pot() -> None:
    cases = [("keep", "spoiled", [0, 5, 0]), ("rob:QH", "pot-won", [0, 3, 0])]
    for answer, outcome, tricks in cases:
        game = deal("spoil-five-strict", {1: "5H JH AH KH QH"}, "7H", players=3)
        play(game, answer)
        while not game.deal_is_over:
            assert answer != "keep" or game.phase != "jink"
            game.push(game.legal_actions[-1])  # stop, if asked
        assert (game.outcome, game.tricks) == (outcome, tricks)


def test_3_6_barred_dealer_who_leaves_the_ace() -> None:
    hand = "5H JH KH QH 10H"
    game = play(deal("spoil-five-strict", {0: hand}, "AH", players=2), "keep")
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert game.tricks == [5, 0]
    assert game.outcome == "spoiled"


# 3.7

JOKER_DEAL = "KD 9C 2C QD 3H"


def test_3_7_the_dealer_takes_a_joker_turned_up() -> None:
    for timing in ("split", "before_first_lead", "own_first_card"):
        game = deal(f"forty-five-joker:rob_timing={timing}", {0: JOKER_DEAL}, "JK 7S", players=4)
        assert game.trump is None
        assert (game.phase, game.seat) == ("rob", 0)
        assert legal(game) == throws(JOKER_DEAL)
        play(game, "rob:9C")
        assert hand_of(game, 0) == words("KD 2C QD 3H JK")
        assert (card_name(game.turnup or 0), game.trump) == ("7S", 0)


def test_3_7_then_a_holder_may_rob() -> None:
    spec = "forty-five-joker:rob_timing=before_first_lead"
    game = play(deal(spec, {0: JOKER_DEAL, 2: HOLDER}, "JK 7S", players=4), "rob:9C")
    assert (game.phase, game.seat) == ("rob", 2)


def test_3_7_then_the_dealer_may_rob_an_ace_and_throw_the_joker() -> None:
    game = play(deal("forty-five-joker", {0: JOKER_DEAL}, "JK AC", players=4), "rob:9C")
    assert (game.phase, game.seat) == ("rob", 0)
    assert legal(game) == throws("KD 2C QD 3H JK") | {"keep"}
    assert hand_of(play(game, "rob:JK"), 0) == words("KD 2C QD 3H AC")


def test_3_7_an_ace_thrown_for_the_joker_is_gone() -> None:
    spec = "forty-five-joker:rob_timing=before_first_lead"
    game = play(deal(spec, {0: HOLDER}, "JK 7S", players=4), "rob:AS")
    assert (game.phase, game.seat) == ("play", 1)


# 3.8


def test_3_8_a_silent_rob_is_not_seen() -> None:
    game = deal("forty-five:rob_announced=silent", {1: HOLDER}, "7S")
    play(game, "rob:5D")
    assert game.robber is None
    assert "7S" in hand_of(game, 1)
