"""The readable face: what is legal, why not, copies, whole games."""

import pytest

from forty5sim import Game, parse_action, parse_card
from forty5sim.cards import CardSet
from forty5sim.errors import IllegalActionError, RuleSetError
from forty5sim.game import pack_of
from forty5sim.named_rules import find_rules


def cards(text):
    return list(CardSet.parse(text))


def three_handed(hands, turnup="7C", game="forty-five"):
    """A deal of three players with seat 0 dealing, so that seat 1 leads."""
    rules = find_rules(game)
    pack = pack_of([[parse_card(c) for c in h.split()] for h in hands], cards(turnup), rules)
    return Game(rules, 3, dealer=0, pack=pack)


HANDS = ["9H KD 3D 8D QC", "10C 5D 6D 7D QH", "JC 2S KS 6H 8S"]


def test_a_deal_is_played_by_pushing_actions():
    game = three_handed(HANDS)
    assert (game.phase, game.seat, game.leader) == ("play", 1, 1)
    assert game.trump == 1
    assert game.can(parse_card("10C"))
    game.push(parse_card("10C"))
    assert game.led == parse_card("10C")
    assert game.trick == [(1, parse_card("10C"))]
    assert game.legal_actions == sorted(cards("JC 2S KS 6H 8S"))  # the jack may be kept back
    game.push(parse_card("2S"))
    assert game.legal_actions == cards("QC")
    game.push(parse_card("QC"))
    assert game.history[0].winner == 0
    assert game.winning is None
    assert game.tricks == [1, 0, 0]
    assert "trick 1: seat 1 led 10C 2S QC: seat 0" in str(game)


@pytest.mark.parametrize(
    ("rules", "hand", "lead", "card", "reason"),
    [
        ("forty-five", "7S JD KD", "QS", "KD", "not be kept back is held .7S; docs/rules.md 2.3"),
        ("forty-five:renege=single_unconditional", "5S JS KD", "QS", "KD", "only a single trump"),
        ("forty-five:renege=none", "JS KD 2D", "QS", "KD", "back is held .JS; docs/rules.md 2.4"),
        ("forty-five:ah_lead_needs_heart=on", "2H KD 3C", "AH", "KD", "a heart is held .* 2.5"),
        ("spoil-five", "7S JD KH", "QC", "JD", "holds no C and must play a trump .* 2.2"),
        ("spoil-five", "7S JD 3C", "QC", "JD", "must follow C or play a trump .* 2.2"),
        ("forty-five:plain_lead=strict_follow", "7S JD 3C", "QC", "7S", "must follow C .docs"),
    ],
)  # fmt: skip
def test_the_reason_names_the_rule_and_its_section(rules, hand, lead, card, reason):
    rules = find_rules(rules).with_options(hand_size=3, trump="S")
    hands = [cards(hand), cards(f"{lead} 9D 10D")]
    table = Game(rules, 2, dealer=0, pack=pack_of(hands, [], rules))
    table.push(parse_card(lead))
    with pytest.raises(IllegalActionError, match=reason):
        table.verify(parse_card(card))


@pytest.mark.parametrize(
    ("game", "lead", "card", "reason"),
    [
        ("forty-five", "10C", "9H", "a trump was led"),
        ("forty-five", "5D", "9H", "must follow D or play a trump"),
        ("forty-five:plain_lead=strict_follow", "5D", "QC", "must follow D"),
        ("forty-five", "5D", "5C", "does not hold it"),
    ],
)
def test_an_illegal_play_is_refused_with_the_reason(game, lead, card, reason):
    table = three_handed(HANDS, game=game)
    table.push(parse_card(lead))
    table.push(parse_card("2S"))
    before = table.state
    with pytest.raises(
        IllegalActionError, match=f"illegal play .* by seat 0 in trick 1: .*{reason}"
    ):
        table.push(parse_card(card))
    assert (table.state == before).all()


def test_robbing_is_asked_and_refused_by_name():
    game = three_handed(["9H KD 3D 8D QC", "AC 5D 6D 7D QH", "JC 2S KS 6H 8S"])
    assert (game.phase, game.seat) == ("rob", 1)
    with pytest.raises(IllegalActionError, match="illegal rob 'jink' by seat 1"):
        game.push(parse_action("jink"))
    game.push(parse_action("rob 5D"))
    assert game.robber == 1
    assert game.turnup == parse_card("7C")
    assert game.hands[1] == CardSet.parse("AC 6D 7D QH 7C")
    assert game.phase == "play"


def test_nothing_is_legal_when_the_deal_is_over():
    game = Game("forty-five", 2, seed=4)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert game.legal_actions == []
    assert game.outcome == "scored"
    assert "scored: points" in str(game)
    with pytest.raises(IllegalActionError, match="the deal is over"):
        game.push(0)


def test_a_copy_goes_its_own_way():
    game = Game("spoil-five", seed=2)
    twin = game.copy()
    assert str(twin) == str(game)
    twin.push(twin.legal_actions[0])
    assert str(twin) != str(game)
    assert repr(game) == "<Game spoil-five, 5 players, play>" or "rob" in repr(game)


def test_a_whole_game_ends_with_winners():
    game = Game("forty-five", 4, seed=11)
    with pytest.raises(IllegalActionError, match="not over yet"):
        game.next_deal()
    dealers = [game.dealer]
    while True:
        while not game.deal_is_over:
            game.push(game.legal_actions[-1])
        assert game.winners == []
        if not game.next_deal():
            break
        dealers.append(game.dealer)
    assert game.is_over
    assert max(game.scores) >= 45
    assert len(game.winners) == 2
    assert [(a + 1) % 4 for a in dealers[:-1]] == dealers[1:]
    assert not game.next_deal()


def test_a_pot_game_keeps_its_chips_together():
    game = Game("spoil-five:stack=6,unpaid=all_in", 3, seed=1)
    deals = 0
    while True:
        while not game.deal_is_over:
            assert sum(game.scores) + game.pot == 18
            game.push(game.legal_actions[0])
        deals += 1
        if not game.next_deal():
            break
    assert sum(game.scores) == 18
    assert game.pot == 0
    assert game.winners


def test_what_cannot_be_seated():
    with pytest.raises(RuleSetError, match="not for 11 players"):
        Game("forty-five", 11)
    with pytest.raises(RuleSetError, match=r"seats are 0\.\.3"):
        Game("forty-five", 4, dealer=4)
    with pytest.raises(RuleSetError, match="each of the deck's cards once"):
        Game("forty-five", 4, pack=[1, 2, 3])
    with pytest.raises(RuleSetError, match="a number for each of 2"):
        Game("forty-five", 4, scores=[1, 2, 3])


def test_scores_before_a_deal():
    game = Game("twenty-five", 2, seed=1, scores=[20, 20])
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    assert len(game.history) == 1
    assert max(game.scores) == 25


def test_the_same_seed_gives_the_same_game():
    assert str(Game("spoil-five", seed=5)) == str(Game("spoil-five", seed=5))
    assert str(Game("spoil-five", seed=5)) != str(Game("spoil-five", seed=6))
