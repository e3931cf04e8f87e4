"""Two-player games on mini decks, enumerated and solved exactly, against figures known beforehand.

Counts are exact. What needs no equilibrium (double-dummy values, best responses, one fixed policy
against another) must agree in every digit given. What a policy loses to CFR+ depends a little on
which of many equilibria CFR+ finds. More decks and digits: `tests/reference/mini_games.py`.
"""

from __future__ import annotations

import random

import pytest

from forty5sim.cards import parse_card
from forty5sim.game import Game, pack_of
from forty5sim.rules import RuleSet
from tests.reference.mini_decks import EIGHT, TWELVE, MiniDeck
from tests.reference.mini_games import (
    Policy,
    best_response,
    cfr_plus,
    double_dummy_values,
    exploitability,
    flat_monte_carlo,
    iimc,
    joined,
    nash_conv,
    payoff_against,
    pimc,
    uniform_policy,
    value,
)
from tests.reference.mini_trees import Tree, build_tree

SIX_DIGITS, FOUR_DIGITS = 5.1e-7, 5.1e-5
OTHER_EQUILIBRIUM = 4e-4  # what is lost to one and to another equilibrium


@pytest.fixture(scope="session")
def eight() -> Tree:
    """The game tree of eight cards."""
    return build_tree(EIGHT)


@pytest.fixture(scope="session")
def twelve() -> Tree:
    """The game tree of twelve cards."""
    return build_tree(TWELVE)


@pytest.fixture(scope="session")
def five_tricks() -> Tree:
    """A game tree in which the third trick may end the game and the fifth is the last."""
    return build_tree(MiniDeck(3, 2, (3, 2, 2), 5))


@pytest.fixture
def tree(request: pytest.FixtureRequest) -> Tree:
    """One of the trees, by name."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Tree)
    return found


@pytest.fixture(scope="session")
def nash(twelve: Tree) -> Policy:
    """Twelve cards solved: an equilibrium but for 0.00002 a deal."""
    return cfr_plus(twelve, 256)


@pytest.fixture(scope="session")
def policies(twelve: Tree) -> dict[str, Policy]:
    """The simple policies on twelve cards."""
    return {
        "uniform": uniform_policy(twelve),
        "flat": flat_monte_carlo(twelve),
        "pimc": pimc(twelve),
        "iimc": iimc(twelve),
    }


# The game and its tree


def test_the_twelve_cards_are_those_of_the_rule_book() -> None:
    deck = "5S+JS+KS+QS+KH+QH+JH+KD+QD+JD+KC+QC"
    rules = RuleSet(family="pot", deck=deck, hand_size=3, trump="S", win_tricks=2, jink="off")
    assert TWELVE.rules() == rules
    assert str(TWELVE) == "(4,2;3,3,2),3"


@pytest.mark.parametrize(
    ("tree", "deals", "nodes", "infosets"),
    [("eight", 560, 30_692, 4_016), ("twelve", 18_480, 972_608, 46_940)],
    indirect=["tree"],
)
def test_size(tree: Tree, deals: int, nodes: int, infosets: int) -> None:
    assert (tree.deals, tree.nodes, len(tree.infosets.seat)) == (deals, nodes, infosets)


@pytest.mark.parametrize("tree", ["eight", "twelve", "five_tricks"], indirect=True)
def test_paths_are_games(tree: Tree) -> None:
    """Random paths replayed in the engine: the seat to play, its legal cards, and the payoff."""
    rng, names = random.Random(1), tree.deck.cards()
    for _ in range(300):
        depth, node = 0, rng.randrange(tree.deals)
        game = new_game(tree, node)
        while tree.levels[depth].payoff[node] == 0:
            level, below = tree.levels[depth], tree.levels[depth + 1]
            children = slice(
                level.first_child[node], level.first_child[node] + level.children[node]
            )
            cards = [parse_card(names[card]) for card in below.card[children]]
            assert (game.seat, game.legal_actions) == (level.mover[node], sorted(cards))
            choice = rng.randrange(len(cards))
            game.push(cards[choice])
            depth, node = depth + 1, int(children.start) + choice
        while not game.deal_is_over:  # the last trick, which is not in the tree
            assert depth == len(tree.levels) - 1
            game.push(game.legal_actions[0])
        payoff = tree.levels[depth].payoff[node]
        assert game.points == [payoff, -payoff]


def new_game(tree: Tree, deal: int) -> Game:
    """A game whose first deal is this one of the tree; seat 0 is eldest."""
    names = tree.deck.cards()
    hands = [cards_of(int(mask), names) for mask in tree.dealt[:, deal]]
    rules = tree.deck.rules()
    return Game(rules, 2, dealer=1, pack=pack_of(hands, [], rules))


def cards_of(mask: int, names: list[str]) -> list[int]:
    """The numbers of the cards whose places in the deck are in the mask."""
    return [parse_card(name) for place, name in enumerate(names) if mask >> place & 1]


def test_an_infoset_is_a_hand_and_the_cards_played(eight: Tree) -> None:
    for depth, level in enumerate(eight.levels[:-1]):
        keys = []
        for node, (seat, infoset) in enumerate(zip(level.mover, level.infoset, strict=True)):
            deal, played = eight.path(depth, node)
            keys.append((int(infoset), int(eight.dealt[seat, deal]), tuple(played)))
        knowledge = {key[1:] for key in keys}
        assert len(set(keys)) == len(knowledge) == len(level.infosets.seat)


# Without equilibria


@pytest.mark.parametrize(
    ("tree", "double_dummy", "uniform"),
    [("eight", 0.192857, 0.557440), ("twelve", 0.166883, 0.509073)],
    indirect=["tree"],
)
def test_double_dummy_value_and_nash_conv_of_the_uniform_policy(
    tree: Tree, double_dummy: float, uniform: float
) -> None:
    assert double_dummy_values(tree)[0].mean() == pytest.approx(double_dummy, abs=SIX_DIGITS)
    assert nash_conv(tree, uniform_policy(tree)) == pytest.approx(uniform, abs=SIX_DIGITS)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_earns_what_it_promises(eight: Tree, seat: int) -> None:
    """The search for it and the plain expectation of the policies agree, deal by deal."""
    best, payoff = best_response(eight, pimc(eight), seat)
    sign = 1 - 2 * seat
    assert sign * value(eight, best) == pytest.approx(payoff, abs=1e-12)
    for other in (uniform_policy(eight), flat_monte_carlo(eight), pimc(eight), iimc(eight)):
        pair = (other, pimc(eight)) if seat == 0 else (pimc(eight), other)
        assert sign * value(eight, joined(eight, *pair)) <= payoff + 1e-12


@pytest.mark.parametrize(
    ("name", "known"), [("uniform", 0.2545), ("flat", 0.0497), ("pimc", 0.0265), ("iimc", 0.0137)]
)
def test_exploitability(twelve: Tree, policies: dict[str, Policy], name: str, known: float) -> None:
    assert exploitability(twelve, policies[name]) == pytest.approx(known, abs=FOUR_DIGITS)


@pytest.mark.parametrize(("name", "known"), [("flat", -0.0192), ("iimc", 0.0191)])
def test_against_pimc(twelve: Tree, policies: dict[str, Policy], name: str, known: float) -> None:
    payoff = payoff_against(twelve, policies[name], policies["pimc"])
    assert payoff == pytest.approx(known, abs=FOUR_DIGITS)


# With equilibria


def test_cfr_plus_on_eight_cards(eight: Tree) -> None:
    """After 16 iterations .1664 or so: how equal cards share their regrets shows in the 4th digit.

    The value itself is 47/280 = .167857.
    """
    early = cfr_plus(eight, 16)
    assert value(eight, early) == pytest.approx(0.1664, abs=1e-4)
    assert nash_conv(eight, early) == pytest.approx(0.0065, abs=5e-4)
    late = cfr_plus(eight, 400)
    assert nash_conv(eight, late) < 2e-5
    assert value(eight, late) == pytest.approx(47 / 280, abs=2e-5)


def test_the_value_of_twelve_cards(twelve: Tree, nash: Policy) -> None:
    """The best responses enclose the value: .13798 lies between them, 0.00004 apart."""
    low, high = -best_response(twelve, nash, 1)[1], best_response(twelve, nash, 0)[1]
    assert low < 0.13798 < high
    assert high - low < 4.4e-5
    assert value(twelve, nash) == pytest.approx(0.13798, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "known"),
    [("uniform", -0.2203), ("flat", -0.0381), ("pimc", -0.0183), ("iimc", -0.0046)],
)
def test_loss_to_an_equilibrium(
    twelve: Tree, policies: dict[str, Policy], nash: Policy, name: str, known: float
) -> None:
    loss = payoff_against(twelve, policies[name], nash)
    assert loss == pytest.approx(known, abs=OTHER_EQUILIBRIUM)
