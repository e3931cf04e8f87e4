"""The search bots against games solved exactly, and what their trees and findings must look like.

What a bot loses to an equilibrium of the twelve-card deck is known from elsewhere; more bots and
numbers: `tests/reference/mini_bots.py`. What it thinks of each card is compared with the mean
over every deal of the information set.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest

import forty5sim
from forty5agents import search
from forty5sim.agent import AsPlain, CompiledAgent, View, as_plain, view_of
from forty5sim.cards import JOKER, card_name
from forty5sim.game import Game
from forty5sim.infoset import InformationSet
from forty5sim.kernels import findings, tree
from forty5sim.kernels.search import MEMORY
from forty5sim.kernels.vector import Vector
from forty5sim.named_rules import find_rules
from forty5sim.registry import Bot
from forty5sim.rules import RuleSet
from forty5sim.seats import Seats
from tests.kernels.compare import choose
from tests.reference.mini_bots import (
    BOTS,
    Asker,
    Questions,
    all_questions,
    bot_policy,
    payoffs_against,
)
from tests.reference.mini_decks import EIGHT, TWELVE
from tests.reference.mini_games import (
    Policy,
    cfr_plus,
    double_dummy_values,
    greedy_policy,
    node_values,
    payoff_against,
    steps,
    uniform_policy,
)
from tests.reference.mini_trees import Floats, Tree, build_tree

OTHER_EQUILIBRIUM = 4e-4  # what is lost to one and to another equilibrium
PUBLISHED = 1e-3  # the error of known figures, which are means of samples themselves


class Found(NamedTuple):
    """What a search found about one action."""

    action: int
    visits: int
    total: float
    squares: float


def found_in(workspace: Vector) -> list[Found]:
    """What a search has left in its workspace."""
    rows = workspace[findings.ROWS :][: findings.ROW_SIZE * workspace[findings.COUNT]]
    reals = rows.view(np.float64)
    return [
        Found(
            int(rows[i + findings.ACTION]),
            int(rows[i + findings.VISITS]),
            float(reals[i + findings.TOTAL]),
            float(reals[i + findings.SQUARES]),
        )
        for i in range(0, len(rows), findings.ROW_SIZE)
    ]


# Mini decks


@pytest.fixture(scope="session")
def twelve() -> Tree:
    """The game tree of twelve cards."""
    return build_tree(TWELVE)


@pytest.fixture(scope="session")
def nash(twelve: Tree) -> Policy:
    """Twelve cards solved: an equilibrium but for 0.0005 a deal."""
    return cfr_plus(twelve, 64)


@pytest.fixture(scope="session")
def questions(twelve: Tree) -> Questions:
    """The questions at every infoset of twelve cards."""
    return all_questions(twelve)


@pytest.mark.parametrize(
    ("name", "number", "known", "repeats", "spread"),
    [
        ("ismcts", 100, -0.0331, 3, 0.0022),
        ("ismcts", 300, -0.0192, 1, 0.0015),
        ("pimc", 1, -0.139, 4, 0.0038),
        ("pimc", 10, -0.036, 2, 0.0023),
    ],
)
def test_loss_to_an_equilibrium(
    questions: Questions,
    nash: Policy,
    name: str,
    number: int,
    known: float,
    repeats: int,
    spread: float,
) -> None:
    """``spread`` is the standard deviation of one run; four of the mean's are allowed."""
    payoffs = payoffs_against(questions, BOTS[name](number), nash, range(repeats))
    within = PUBLISHED + OTHER_EQUILIBRIUM + 4 * spread / math.sqrt(repeats)
    assert payoffs.mean() == pytest.approx(known, abs=within)


def test_loss_of_flat_monte_carlo(twelve: Tree, questions: Questions, nash: Policy) -> None:
    """A few hundred worlds play nearly as all of them: equal cards, as here, by chance."""
    limit = greedy_policy(twelve, node_values(twelve, uniform_policy(twelve)), "share")
    known = payoff_against(twelve, limit, nash)
    assert known == pytest.approx(-0.0381, abs=PUBLISHED)  # which plays the first of equal cards
    payoffs = payoffs_against(questions, BOTS["mc"](200), nash, range(1))
    assert payoffs.mean() == pytest.approx(known, abs=0.004)


@pytest.mark.parametrize("name", ["mc", "pimc"])
def test_means_are_those_over_every_deal(twelve: Tree, questions: Questions, name: str) -> None:
    """What a bot thinks of a card, against the mean of the card's nodes: every deal, once."""
    values = node_values(twelve, uniform_policy(twelve))
    if name == "pimc":
        values = double_dummy_values(twelve)
    exact, worlds = action_means(twelve, values), 1000
    asker, bad, square = Asker(questions, BOTS[name](worlds)), 0, []
    for question in random.Random(1).sample(questions.asked, 500):
        asker.card(question, key=question.first_action)
        sign = 1 - 2 * int(twelve.seat[question.first_action])
        for found in found_in(asker.workspace):
            assert found.visits == found.squares == worlds  # each payoff is 1 or -1
            place = question.first_action + question.cards.index(found.action)
            mean, variance = sign * exact[place], (1 - exact[place] ** 2) / worlds
            gap = found.total / worlds - mean
            if variance > 1e-12:
                square.append(gap**2 / variance)
            bad += gap**2 > 25 * variance + 1e-12
    assert bad == 0
    assert np.mean(square) == pytest.approx(1, abs=0.25)


def action_means(twelve: Tree, values: Sequence[Floats]) -> Floats:
    """The mean of the values of each action's nodes, for seat 0."""
    means = [
        np.bincount(below.action, values[depth + 1]) / np.bincount(below.action)
        for depth, (_, below) in enumerate(steps(twelve))
    ]
    return np.concatenate(means)


def test_a_mean_policy_earns_the_mean() -> None:
    eight = build_tree(EIGHT)
    few, other, bot = all_questions(eight), uniform_policy(eight), BOTS["pimc"](1)
    payoffs = payoffs_against(few, bot, other, range(5))
    mean = payoff_against(eight, bot_policy(few, bot, range(5)), other)
    assert mean == pytest.approx(payoffs.mean(), abs=1e-12)
    assert payoffs.std() > 0


# The tree

PHASES = {
    "forty-five": {"play", "rob"},
    "spoil-five": {"play", "rob", "jink"},
    "auction-forty-fives": {"auction", "trump", "discard", "play"},
    "five-hundred": {"auction", "discard", "play"},
}
EACH = 4  # positions of each phase


def positions(preset: str, phases: set[str], each: int) -> Iterator[Game]:
    """Yield random decisions of a game, so many in each of these phases."""
    rng, left = random.Random(f"search {preset}"), dict.fromkeys(sorted(phases), each)
    rules = find_rules(preset)
    while any(left.values()):
        game = Game(
            rules,
            rng.choice(rules.players[:3]),
            seed=rng.randrange(10**9),
            alone=rng.random() < 0.5,
        )
        while not game.deal_is_over:
            legal = game.legal_actions
            if len(legal) > 1 and left.get(game.phase) and rng.random() < 0.2:
                left[game.phase] -= 1
                yield game
            game.push(choose(legal, rng))


@pytest.mark.parametrize("worlds", ["common", "fresh"])
@pytest.mark.parametrize(
    ("opponents", "playout"), [("maxn", "random"), ("paranoid", "cards"), ("policy", "heuristic")]
)
@pytest.mark.parametrize("preset", PHASES)
def test_the_tree_adds_up(preset: str, opponents: str, playout: str, worlds: str) -> None:
    iterations = 400
    bot = search.ismcts(
        iterations, playout=playout, opponents=opponents, worlds=worlds, utility="deal"
    )
    agent = as_plain(bot)
    for game in positions(preset, PHASES[preset], EACH):
        choice = agent.act(view_of(game))
        rows = tree_rows(bot, game, agent.workspace)
        visits, available = rows[:, tree.VISITS], rows[:, tree.AVAILABLE]
        assert len(rows) <= iterations
        assert (available >= visits).all()
        assert (visits >= 1).all()
        assert agent.workspace[findings.TRIED] == iterations
        assert choice in check_root(rows, agent.workspace, game, iterations)
        check_children(bot, game, agent.workspace)


def tree_rows(bot: CompiledAgent, game: Game, workspace: Vector) -> Vector:
    """The rows of a tree that are in use."""
    rows = all_rows(bot, game, workspace)
    return rows[rows[:, tree.KEY] != 0]


def all_rows(bot: CompiledAgent, game: Game, workspace: Vector) -> Vector:
    """The rows of a tree, free ones too, at their places."""
    size = int(bot.params_in(game.rules, game.players, game.is_alone)[MEMORY])
    return workspace[tree.TREE :][: tree.ROW_SIZE * size].reshape(size, tree.ROW_SIZE)


def check_root(rows: Vector, workspace: Vector, game: Game, iterations: int) -> list[int]:
    """Compare the root's children with the findings; return the actions tried most often."""
    root = rows[rows[:, tree.KEY] // tree.TOKENS == tree.ROOT]
    visits = {int(row[tree.KEY] % tree.TOKENS) - 1: int(row[tree.VISITS]) for row in root}
    found = found_in(workspace)
    assert [finding.action for finding in found] == game.legal_actions
    assert {finding.action: finding.visits for finding in found} == visits
    assert sum(visits.values()) == iterations
    assert (root[:, tree.AVAILABLE] <= iterations).all()
    most = max(visits.values())
    return [action for action, times in visits.items() if times == most]


def check_children(bot: CompiledAgent, game: Game, workspace: Vector) -> None:
    """Every visit to a node but the first, which added it, goes on to a child or ends the deal."""
    rows = all_rows(bot, game, workspace)
    used = rows[rows[:, tree.KEY] != 0]
    parent = used[:, tree.KEY] // tree.TOKENS
    below = used[parent != tree.ROOT]
    went_on = np.bincount(
        parent[parent != tree.ROOT], below[:, tree.VISITS], minlength=len(rows)
    ).astype(np.int64)
    assert (went_on <= np.maximum(rows[:, tree.VISITS] - 1, 0)).all()
    longest = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(longest, parent[parent != tree.ROOT], below[:, tree.AVAILABLE])
    assert (longest <= np.maximum(rows[:, tree.VISITS] - 1, 0)).all()


# No choice, no question


class Counting:
    """A stand-in that chooses at random and notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, str, list[int]]] = []

    def act(self, view: View) -> int:
        self.asked.append((view.seat, view.phase, view.legal))
        return view.rng.choice(view.legal)


def seat_all(agent: object, game: Game) -> Seats:
    """Let one object play at every seat of a game."""
    bot = Bot("stand-in", "stand-in", 1, None, lambda: agent, keeps_notes=False)
    return Seats([bot] * game.players)


@pytest.mark.parametrize("preset", PHASES)
def test_who_has_no_choice_is_not_asked(preset: str) -> None:
    for seed in range(10):
        game, agent, choices = Game(preset, seed=seed), Counting(), []
        for _ in seat_all(agent, game).play_on(game):
            if len(game.legal_actions) > 1:
                choices.append((game.seat, game.phase, game.legal_actions))
        assert agent.asked == choices
        assert game.deal_is_over


@pytest.mark.parametrize("name", ["ismcts", "mc", "pimc"])
def test_the_last_trick_is_not_searched(name: str) -> None:
    game, agent = Game("forty-five", 2, seed=5), as_plain(BOTS[name](20))
    for _ in seat_all(agent, game).play_on(game):
        if all(len(hand) <= 1 for hand in game.hands):
            break
    assert agent.workspace[findings.TRIED] == 20
    agent.workspace[:] = 0
    seats = seat_all(agent, game)
    last = [(step.phase, len(game.legal_actions)) for step in seats.play_on(game)]
    assert last == [("play", 1)] * len(last)
    assert game.deal_is_over
    assert not agent.workspace.any()
    assert found_in(agent.workspace) == []


# Everything known


class Table(NamedTuple):
    """A game whose whole pack is dealt."""

    family: str
    players: int
    hand_size: int

    def rules(self, rng: random.Random) -> RuleSet:
        """The game with a pack of any cards."""
        cards = rng.sample(range(JOKER), self.players * self.hand_size)
        pot = {"win_tricks": self.hand_size // 2 + 1, "jink": "off"}
        return RuleSet(
            family=self.family,
            deck="+".join(map(card_name, cards)),
            hand_size=self.hand_size,
            trump="S",
            **(pot if self.family == "pot" else {}),
        )


TABLES = [
    Table("pot", 2, 5),
    Table("counting", 2, 4),
    Table("counting", 3, 4),
    Table("pot", 3, 3),
    Table("counting", 4, 5),
]


def all_known(table: Table, count: int) -> Iterator[Game]:
    """Yield decisions of the last two tricks in which the seat to act can place every card."""
    rng = random.Random(f"known {table}")
    rules = table.rules(rng)
    while count:
        pack = rng.sample(rules.deck_cards(), len(rules.deck_cards()))
        game = Game(rules, table.players, pack=pack, dealer=0, alone=True)
        while not game.deal_is_over and count:
            near_end = len(game.history) >= table.hand_size - 2
            if near_end and len(game.legal_actions) > 1 and is_open(game) and differs(game):
                count -= 1
                yield game
            game.push(rng.choice(game.legal_actions))


def is_open(game: Game) -> bool:
    """Whether the seat to act knows who holds what."""
    return InformationSet(view_of(game)).count == 1


def differs(game: Game) -> bool:
    """Whether it matters what is played, and not how others choose among what they like alike."""
    best = [forty5sim.solve(game, tie=tie).best for tie in ("first", "average", "spite")]
    return len(best[0]) < len(game.legal_actions) and best[0] == best[1] == best[2]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_perfect_play_where_everything_is_known(table: Table) -> None:
    bots = ("ismcts", 3000), ("ismcts-common", 3000), ("pimc", 3)
    agents = [as_plain(BOTS[name](number)) for name, number in bots]
    for game in all_known(table, 12):
        best = forty5sim.solve(game).best
        for agent in agents:
            assert agent.act(view_of(game)) in best, f"{agent.name}\n{game}\n{game.log}"


# Determinism


def quick_bot(name: str) -> CompiledAgent:
    """One of the bots with few worlds; few of few where each decision in a world takes some."""
    if name == "iimc":
        inner = search.pimc(worlds=1, playout="random", utility="deal")
        return search.iimc(worlds=2, inner=inner, utility="deal")
    return BOTS[name](20)


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("preset", PHASES)
def test_the_same_question_has_the_same_answer(preset: str, name: str) -> None:
    """Whatever was asked in between with the same workspace."""
    bot = quick_bot(name)
    views = [view_of(game) for game in positions(preset, PHASES[preset], 2)]
    first = [answer(as_plain(bot), view) for view in views]
    agent = as_plain(bot)
    assert [answer(agent, view) for view in views] == first
    assert [answer(agent, view) for view in views[::-1]] == first[::-1]


@pytest.mark.parametrize("name", BOTS)
def test_a_workspace_serves_several_games(name: str) -> None:
    """Packs and orders of the cards differ: nothing that was worked out before may stay."""
    bot = quick_bot(name)
    views = [
        view_of(game)
        for spec in ("twenty-five", "forty-five-joker", "auction-forty-fives", "five-hundred")
        for game in positions(spec, {"play"}, 2)
    ]
    agent = as_plain(bot)
    for view in (*views, *views[::-1]):
        assert answer(agent, view) == answer(as_plain(bot), view)


@pytest.mark.parametrize("preset", ["forty-five", "five-hundred"])
def test_what_another_bot_left_in_the_workspace_does_not_matter(preset: str) -> None:
    """In a tournament the bots of a board take turns in the words of a seat."""
    bots = [*map(quick_bot, BOTS), BOTS["ismcts"](2000)]
    views = [view_of(game) for game in positions(preset, {"play"}, 4)]
    shared = np.zeros(max(bot.workspace_size for bot in bots), dtype=np.int64)
    agents = [as_plain(bot) for bot in bots]
    for agent in agents:
        agent.workspace = shared
    for view in views:
        for number, bot in enumerate(bots):
            expected = answer(as_plain(bot), view)
            for other in agents:
                other.act(view)
                assert answer(agents[number], view) == expected


def answer(agent: AsPlain, view: View) -> tuple[int, list[Found]]:
    """What a bot chooses and finds."""
    return agent.act(view), found_in(agent.workspace)
