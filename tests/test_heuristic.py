"""The heuristic bot plays each kind of decision with a purpose: worked situations."""

import pytest

from forty5sim import Game, as_plain
from forty5sim.agent import View
from forty5sim.cards import CardSet, card_name, parse_card
from forty5sim.game import pack_of
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.notation import action_name, parse_action
from forty5sim.registry import find_bot


def deal(spec, hands, turnup, dealer, played="", scores=None):
    """Deal these hands and play these actions; the pack's other cards are the stock."""
    rules = find_rules(spec)
    pack = pack_of([list(CardSet.parse(h)) for h in hands], [parse_card(turnup)], rules)
    game = Game(rules, len(hands), dealer=dealer, pack=pack, scores=scores)
    for word in played.replace("rob ", "rob:").split():
        game.push(parse_action(word.replace(":", " ")))
    return game


def choice(game):
    """Return what the heuristic does now, as text."""
    state, seat = game.state, game.seat
    view = View(
        game.rules,
        state[: layout.PUBLIC_SIZE].tolist(),
        int(state[layout.HANDS + seat]),
        int(state[layout.THROWN + seat]),
        game.legal_mask,
        key=1,
    )
    return action_name(as_plain(find_bot("heuristic").compiled).act(view), game.phase)


def test_it_robs_and_throws_its_weakest_card():
    game = deal("spoil-five", ["AC 5D 6D KD QH", "JC 2S KS 6H 8S", "9H 3D 8D QC QS"], "7C", 2)
    assert game.phase == "rob"
    assert choice(game) == "rob 5D"


def test_it_robs_with_a_lone_ace_to_throw_a_plain_card():
    game = deal("forty-five", ["5C JC AC KC 2D", "JD 2S KS 6H 8S"], "10C", 1)
    game.push(game.legal_actions[0]) if game.phase == "play" and game.seat == 1 else None
    assert choice(game) == "rob 2D"


def test_it_keeps_five_trumps_that_are_all_better_than_the_turnup():
    game = deal("spoil-five", ["5C JC AC KC QC", "JD 2S KS 6H 8S", "9H 3D 8D QD QS"], "10C", 2)
    assert choice(game) == "keep"


def test_it_takes_a_joker_for_its_weakest_card():
    spec = "forty-five-joker:sides=individuals"
    game = deal(spec, ["JD 2S KS 6H 8S", "5C AH KD 2H KC"], "JK", 1)
    assert (game.phase, game.seat) == ("rob", 1)
    assert choice(game) == "rob 2H"


def test_it_leaves_a_trick_to_its_partner():
    """Seat 3 partners seat 1, whose queen is winning; with the last card a king would be waste."""
    hands = ["2D 3S 2H 9H 8H", "KD 3D QH 7H JH", "9D QS 8D 8S 4S", "5S JS 10D KH QC"]
    game = deal("forty-five", hands, "7S", 3, "2D KD 9D")
    assert choice(game) == "10D"


def test_it_wins_with_the_cheapest_card_that_does():
    hands = ["QD 2D 3D 3H 4H", "6C 7C 8C 9H 10H", "KD JS 9S 9C 10C"]
    game = deal("forty-five", hands, "7S", 2, "QD 6C")
    assert choice(game) == "KD"


def test_it_denies_the_pot_to_a_rival_who_needs_one_more_trick():
    """Seat 0 has two tricks and leads a king; seat 2 can ruff it with its last trump or throw."""
    hands = ["5S JS KD 2D 3D", "2H 3H 4H 6H 7H", "6S 8S QH JH 10H"]
    game = deal("spoil-five-traditional", hands, "7S", 2, "5S 2H 6S JS 3H")
    assert game.tricks == [1, 0, 0]
    game.push(parse_card("8S"))
    game.push(parse_card("KD"))
    assert game.tricks == [2, 0, 0]
    game = deal(
        "spoil-five-traditional",
        ["5S JS KD 2D 3D", "2H 3H 4H 6H 7H", "6S 8S 10S JH 10H"],
        "7S", 2, "5S 2H 6S JS 3H 8S KD 4H",
    )  # fmt: skip
    assert game.seat == 2
    assert choice(game) == "10S"


@pytest.mark.parametrize(
    ("hand", "answer"), [("5S JS AH AS KS", "jink"), ("5S JS AH 2D 3D", "stop")]
)
def test_it_jinks_only_when_the_rest_is_near_certain(hand, answer):
    others = ["2H 3H 4H 6H 7H", "6C 8C QC JC 10C", "2C 3C 4C 5C 7C", "KD QD JD 10D 9D"]
    game = deal("spoil-five-traditional", [hand, *others], "7S", 4)
    while game.phase != "jink":
        if game.phase == "rob":
            game.push(parse_action("keep"))
        elif game.seat == 0:
            best = max(game.legal_actions, key=game.strength)
            game.push(best)
        else:
            game.push(game.legal_actions[0])
    assert game.seat == 0
    assert choice(game) == answer


def test_it_does_not_waste_the_five_on_a_trick_it_cannot_need():
    """The last to play, nobody threatening: a low trump wins as well as the five."""
    hands = ["KD 2D 3D 3H 4H", "6C 7C 8C 9H 10H", "5S 10S 9S 9C 10C"]
    game = deal("spoil-five-traditional", hands, "7S", 2, "KD 6C")
    assert choice(game) in ("10S", "9S", "9C", "10C")


def test_names():
    bot = find_bot("heuristic")
    assert (bot.name, bot.version) == ("heuristic", 1)
    assert card_name(51) == "AH"
