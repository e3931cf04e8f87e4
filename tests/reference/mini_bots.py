"""Compiled bots on mini decks: the policy that a bot plays, and what it loses to an equilibrium.

A bot is asked about every information set that its own choices lead to, each time with a key of
its own, as if it were dealt that hand there and then. So one run through the tree is a pure
policy, and because its choices are independent of each other, its payoff is an unbiased sample of
the bot's; several runs give the mean and its standard error. From the command line, on twelve
cards, bots and their numbers of iterations or worlds:

    python tests/reference/mini_bots.py                            known figures: 10 min
    python tests/reference/mini_bots.py ismcts=100,300 pimc=1      these only: 1 min
    python tests/reference/mini_bots.py ismcts=1000 --repeats 40   with half the error: 6 min
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5agents import search
from forty5sim.agent import CompiledAgent, View, agent_list, params_matrix, view_of
from forty5sim.cards import Card, parse_card
from forty5sim.game import Game, pack_of
from forty5sim.kernels import face, layout
from forty5sim.tables import rule_tables
from tests.reference.mini_decks import TWELVE, Ints
from tests.reference.mini_games import (
    Policy,
    cfr_plus,
    in_proportion,
    own_reach,
    payoff_against,
    steps,
)
from tests.reference.mini_trees import NONE, Floats, Tree, build_tree


@dataclass(frozen=True)
class Question:
    """What a bot is asked at one infoset, and where its answer belongs.

    Attributes:
        public: the public words that it sees.
        hand: the mask of its cards.
        legal: the mask of its legal cards.
        cards: the legal cards, in the order of the actions.
        first_action: the number of the infoset's first action.
        parent_action: the player's last action before it, or NONE.
    """

    public: Ints
    hand: int
    legal: int
    cards: list[Card]
    first_action: int
    parent_action: int


@dataclass(frozen=True)
class Questions:
    """The questions at all infosets of a tree that leave a choice, level by level."""

    tree: Tree
    asked: list[Question]
    forced: Ints  # the actions of the infosets with only one


def all_questions(tree: Tree) -> Questions:
    """Find the questions of a tree; they serve any number of bots."""
    infosets, deals = tree.infosets, Deals(tree)
    asked, infoset = [], 0
    for depth, (level, below) in enumerate(steps(tree)):
        _, one_node = np.unique(level.infoset[level.inner], return_index=True)
        for node in level.inner[one_node].tolist():
            if infosets.choices[infoset] > 1:
                first = level.first_child[node]
                last = first + level.children[node]
                view = deals.view_at(depth, node)
                asked.append(
                    Question(
                        public=np.array(view._words[: layout.PUBLIC_SIZE], dtype=np.int64),
                        hand=view.hand.mask,
                        legal=view.legal_mask,
                        cards=[deals.cards[place] for place in below.card[first:last]],
                        first_action=int(infosets.first_action[infoset]),
                        parent_action=int(infosets.parent_action[infoset]),
                    )
                )
            infoset += 1
    return Questions(tree, asked, infosets.first_action[infosets.choices == 1])


class Deals:
    """The deals of a tree in the engine."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.rules = tree.deck.rules()
        self.cards = [parse_card(name) for name in tree.deck.cards()]
        self._opened: dict[int, Game] = {}

    def view_at(self, depth: int, node: int) -> View:
        """What the player to move sees at a node."""
        deal, played = self.tree.path(depth, node)
        game = self._open(deal).copy()
        for place in played:
            game.push(self.cards[place])
        return view_of(game)

    def _open(self, deal: int) -> Game:
        if deal not in self._opened:
            hands = [
                [card for place, card in enumerate(self.cards) if int(mask) >> place & 1]
                for mask in self.tree.dealt[:, deal]
            ]
            pack = pack_of(hands, [], self.rules)
            self._opened[deal] = Game(self.rules, 2, dealer=1, pack=pack, alone=True)
        return self._opened[deal]


class Asker:
    """A bot at this table, and its workspace, which holds what it found after each answer."""

    def __init__(self, questions: Questions, bot: CompiledAgent) -> None:
        rules = questions.tree.deck.rules()
        self.workspace = np.zeros(bot.workspace_size, np.int64)
        self._agents, self._tables = agent_list([bot], rules), rule_tables(rules)
        self._params = params_matrix([bot], rules, 2, True)

    def card(self, question: Question, key: int) -> Card:
        """The card that the bot plays."""
        return int(
            face.ask_agent(
                self._agents,
                question.public,
                question.hand,
                0,
                question.legal,
                self._tables,
                key,
                self._params,
                self.workspace,
            )
        )


def pure_policy(questions: Questions, bot: CompiledAgent, repeat: int = 0) -> Policy:
    """The choices of a bot where its own choices lead, 1 for each; 0 in all the rest."""
    asker, policy = Asker(questions, bot), np.zeros(len(questions.tree.seat))
    keys = np.random.default_rng(repeat).integers(-(2**63), 2**63 - 1, len(questions.asked))
    policy[questions.forced] = 1
    for question, key in zip(questions.asked, keys.tolist(), strict=True):
        if question.parent_action == NONE or policy[question.parent_action] == 1:
            card = asker.card(question, key)
            policy[question.first_action + question.cards.index(card)] = 1
    return policy


def bot_policy(questions: Questions, bot: CompiledAgent, repeats: Iterable[int]) -> Policy:
    """The mean of several pure policies: it earns what they earn in the mean."""
    tree = questions.tree
    pure = [pure_policy(questions, bot, repeat) for repeat in repeats]
    total: Floats = np.sum([own_reach(tree, policy) * policy for policy in pure], axis=0)
    return in_proportion(tree, total)


def payoffs_against(
    questions: Questions, bot: CompiledAgent, other: Policy, repeats: Iterable[int]
) -> Floats:
    """The mean payoff of each of several pure policies of a bot, in the mean of both seats."""
    pure = (pure_policy(questions, bot, repeat) for repeat in repeats)
    return np.array([payoff_against(questions.tree, policy, other) for policy in pure])


# The bots, each by its number of iterations or worlds


def ismcts(iterations: int) -> CompiledAgent:
    """Information set Monte Carlo tree search as published: a world for each iteration."""
    return search.ismcts(
        iterations=iterations, playout="random", utility="deal", c=0.7, worlds="fresh"
    )


def ismcts_common(iterations: int) -> CompiledAgent:
    """The same with the same worlds for every card."""
    return search.ismcts(
        iterations=iterations, playout="random", utility="deal", c=0.7, worlds="common"
    )


def mc(worlds: int) -> CompiledAgent:
    """Flat Monte Carlo."""
    return search.mc(worlds=worlds, playout="random", utility="deal", caution=0)


def pimc(worlds: int) -> CompiledAgent:
    """Perfect-information Monte Carlo: every world is solved."""
    return search.pimc(worlds=worlds, solve=5, playout="random", utility="deal", caution=0)


def iimc(worlds: int) -> CompiledAgent:
    """Imperfect-information Monte Carlo over ``pimc``."""
    inner = pimc(INNER_WORLDS)
    return search.iimc(worlds=worlds, inner=inner, utility="deal", caution=0)


INNER_WORLDS = 10
BOTS: dict[str, Callable[[int], CompiledAgent]] = {
    "ismcts": ismcts,
    "ismcts-common": ismcts_common,
    "mc": mc,
    "pimc": pimc,
    "iimc": iimc,
}
KNOWN = {
    ("ismcts", 100): -0.0331,
    ("ismcts", 300): -0.0192,
    ("ismcts", 1000): -0.0130,
    ("ismcts", 3000): -0.0108,
    ("pimc", 1): -0.139,
    ("pimc", 10): -0.036,
    ("pimc", 100): -0.020,
    ("mc", 1000): -0.0381,  # of all worlds, playing the first of equal cards
    ("iimc", 30): -0.005,  # of all worlds, over pimc of all worlds
}


# Command line


def report(asked: list[tuple[str, int]], repeats: int, iterations: int) -> None:
    """Print what bots lose on twelve cards."""
    start = time.perf_counter()
    tree = build_tree(TWELVE)
    nash = cfr_plus(tree, iterations)
    questions = all_questions(tree)
    print(f"{TWELVE}: {len(questions.asked)} infosets with a choice")
    print(f"CFR+ {iterations} and questions: {time.perf_counter() - start:.0f} s")
    print(f"\n{'bot':>8}{'number':>8}{'payoff':>10}{'error':>9}{'known':>9}{'seconds':>9}")
    for name, number in asked:
        start = time.perf_counter()
        payoffs = payoffs_against(questions, BOTS[name](number), nash, range(repeats))
        error = payoffs.std(ddof=1) / math.sqrt(repeats) if repeats > 1 else math.nan
        known = KNOWN.get((name, number), math.nan)
        seconds = (time.perf_counter() - start) / repeats
        print(
            f"{name:>8}{number:8}{payoffs.mean():10.5f}{error:9.5f}{known:9.4f}{seconds:9.1f}",
            flush=True,
        )


def bots_of(text: str) -> list[tuple[str, int]]:
    """Read a bot and its numbers, as ``ismcts=100,300``."""
    name, _, numbers = text.partition("=")
    if name not in BOTS:
        raise argparse.ArgumentTypeError(f"no bot {name!r}; there are {', '.join(BOTS)}")
    return [(name, int(number)) for number in numbers.split(",")]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="what bots lose on the mini deck of twelve cards")
    parser.add_argument("bots", type=bots_of, nargs="*", help="name=number,number,...")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=256, help="of CFR+")
    asked = parser.parse_args()
    pairs = [pair for pairs in asked.bots for pair in pairs]
    report(pairs or list(KNOWN), asked.repeats, asked.iterations)


if __name__ == "__main__":
    main()
