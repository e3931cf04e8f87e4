"""Mini decks solved exactly: best response, NashConv, CFR+, and what simple policies lose.

A policy is one probability for each action of a `Tree`, for both seats. Values are payoffs of
seat 0, the leader, unless a seat is named. From the command line, one deck and all figures:

    python tests/reference/mini_games.py                     twelve cards: 15 s, 0.2 GB
    python tests/reference/mini_games.py --iterations 1024   the value to 5 digits: 1 min
    python tests/reference/mini_games.py 3,2 2,2,1 3 --iterations 2000         5 s, 0.1 GB
    python tests/reference/mini_games.py 5,3 4,4,3 3         sixteen cards: 5 min, 1.2 GB
    python tests/reference/mini_games.py 4,3 3,2,2 5 --iterations 4   five tricks: 3 min, 3.4 GB

The arguments are trumps and privileged trumps, the sizes of the plain suits, and cards each.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Literal, TypeAlias, cast

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.reference.mini_decks import TWELVE, MiniDeck
from tests.reference.mini_trees import NONE, Floats, Infosets, Level, Tree, build_tree

Policy: TypeAlias = Floats
Ties: TypeAlias = Literal["first", "share"]

SURE = 1e-9  # two mean payoffs, or two regrets in deals, that differ by less are equal


# Policies and their values


def uniform_policy(tree: Tree) -> Policy:
    """Every legal card equally often."""
    return np.repeat(1 / tree.infosets.choices, tree.infosets.choices)


def joined(tree: Tree, leader: Policy, other: Policy) -> Policy:
    """The policy of two different players: one for seat 0 and one for seat 1."""
    return np.where(tree.seat == 0, leader, other)


def node_values(tree: Tree, policy: Policy) -> list[Floats]:
    """The expected payoff from every node on, level by level, if both play this policy."""
    values = [tree.levels[-1].payoff]
    for level, below in steps(tree)[::-1]:
        weighted = values[-1] * policy[level.actions][below.action]
        values.append(level.payoff + sum_to_parents(level, below, weighted))
    return values[::-1]


def double_dummy_values(tree: Tree) -> list[Floats]:
    """The payoff from every node on if both see all cards and play perfectly."""
    values = [tree.levels[-1].payoff]
    for level, _ in steps(tree)[::-1]:
        here, first_child = level.payoff.copy(), level.first_child[level.inner]
        highest = np.maximum.reduceat(values[-1], first_child)
        lowest = np.minimum.reduceat(values[-1], first_child)
        here[level.inner] = np.where(level.mover[level.inner] == 0, highest, lowest)
        values.append(here)
    return values[::-1]


def steps(tree: Tree) -> list[tuple[Level, Level]]:
    """Each level but the last with the one below it."""
    return list(zip(tree.levels, tree.levels[1:], strict=False))


def sum_to_parents(level: Level, below: Level, values: Floats) -> Floats:
    """Add up the values of each node's children; 0 where the game is over."""
    return cast(Floats, np.bincount(below.parent, values, len(level.mover)))


def value(tree: Tree, policy: Policy) -> float:
    """The mean payoff over all deals if both play this policy."""
    return float(node_values(tree, policy)[0].mean())


# Best response


def action_values(
    tree: Tree, policy: Policy, seat: int, *, respond: bool = False
) -> tuple[Floats, Policy, float]:
    """Counterfactual values: of each action of a seat, its payoff summed over all nodes.

    Each node weighs as much as the deals and the other seat's policy bring it about; every deal
    counts 1. With `respond`, the seat plays its best action from the deepest level up instead of
    its policy. Returned are also the policy played, and its mean payoff for the seat.
    """
    own = tree.seat == seat
    weights, sign = np.where(own, policy, 1.0), 1 - 2 * seat
    reach = other_reach(tree, np.where(own, 1.0, policy))
    values, by_action = reach[-1] * tree.levels[-1].payoff, np.zeros_like(policy)  # of seat 0
    for (level, below), arriving in zip(steps(tree)[::-1], reach[-2::-1], strict=True):
        here = level.actions
        by_action[here] = np.bincount(below.action, values, here.stop - here.start)
        if respond:
            best = best_actions(level.infosets, sign * by_action[here], "first")
            weights[here] = np.where(own[here], best, 1.0)
        weighted = values * weights[here][below.action]
        values = arriving * level.payoff + sum_to_parents(level, below, weighted)
    return sign * by_action, np.where(own, weights, policy), sign * float(values.mean())


def other_reach(tree: Tree, weights: Policy) -> list[Floats]:
    """The product of the weights of all actions on the way to every node, level by level."""
    reach = [np.ones(tree.deals)]
    for level, below in steps(tree):
        reach.append(reach[-1][below.parent] * weights[level.actions][below.action])
    return reach


def best_actions(infosets: Infosets, values: Floats, ties: Ties) -> Policy:
    """Play the action of the highest value; the first of equal ones, or all of them alike."""
    highest = over_infoset(infosets, np.maximum, values)
    best: Floats = (values >= highest - SURE).astype(float)
    if ties == "share":
        return best / over_infoset(infosets, np.add, best)
    start = infosets.first_action - infosets.first_action[0]
    earlier = np.cumsum(best) - best
    return np.where(earlier == np.repeat(earlier[start], infosets.choices), best, 0.0)


def over_infoset(infosets: Infosets, combine: np.ufunc, values: Floats) -> Floats:
    """Combine the values of each infoset's actions; give the result to each of them."""
    start = infosets.first_action - infosets.first_action[0]
    return cast(Floats, np.repeat(combine.reduceat(values, start), infosets.choices))


def best_response(tree: Tree, policy: Policy, seat: int) -> tuple[Policy, float]:
    """The policy with which a seat does best against the other's, and its mean payoff."""
    _, best, payoff = action_values(tree, policy, seat, respond=True)
    return best, payoff


def nash_conv(tree: Tree, policy: Policy) -> float:
    """What both seats together could gain by best responses; 0 for an equilibrium."""
    return best_response(tree, policy, 0)[1] + best_response(tree, policy, 1)[1]


def exploitability(tree: Tree, policy: Policy) -> float:
    """Half of NashConv: what a best response wins in the mean of both seats."""
    return nash_conv(tree, policy) / 2


# CFR+


def cfr_plus(tree: Tree, iterations: int) -> Policy:
    """An approximate equilibrium (Tammelin 2014): the average policy of CFR+.

    Seat 0 is updated before seat 1, regrets are clipped at 0, and iteration t weighs t in the
    average. Cards of the same worth are common, and the regrets between them are 0 but for
    rounding: tiny regrets are cut to 0, or else rounding would choose among such cards.
    """
    policy = uniform_policy(tree)
    regrets, total = np.zeros_like(policy), np.zeros_like(policy)
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            own = tree.seat == seat
            total += np.where(own, iteration * own_reach(tree, policy) * policy, 0.0)
            values, _, _ = action_values(tree, policy, seat)
            gain = values - over_infoset(tree.infosets, np.add, values * policy)
            raised = np.where(regrets + gain > SURE, regrets + gain, 0.0)
            regrets = np.where(own, raised, regrets)
            policy = np.where(own, in_proportion(tree, regrets), policy)
    return in_proportion(tree, total)


def own_reach(tree: Tree, policy: Policy) -> Floats:
    """Per action, the probability that its player's own earlier actions lead to its infoset."""
    reach, played = np.ones_like(policy), np.ones_like(policy)
    for level in tree.levels[:-1]:
        parent, here = level.infosets.parent_action, level.actions
        earlier = np.where(parent == NONE, 1.0, played[parent])
        reach[here] = np.repeat(earlier, level.infosets.choices)
        played[here] = reach[here] * policy[here]
    return reach


def in_proportion(tree: Tree, weights: Floats) -> Policy:
    """Each infoset's weights as probabilities; uniform where all are 0."""
    total = over_infoset(tree.infosets, np.add, weights)
    return np.where(total > 0, weights / np.where(total > 0, total, 1.0), uniform_policy(tree))


# Policies that average over deals


def greedy_policy(tree: Tree, values: list[Floats], ties: Ties) -> Policy:
    """Play the card whose following nodes have the best mean value over all consistent deals.

    The deals consistent with an infoset are its nodes: all hidden hands with which the cards
    played were legal, each weighing the same.
    """
    policy = []
    for depth, (level, below) in enumerate(steps(tree)):
        sign = np.where(np.repeat(level.infosets.seat, level.infosets.choices) == 0, 1, -1)
        mean = np.bincount(below.action, values[depth + 1]) / np.bincount(below.action)
        policy.append(best_actions(level.infosets, sign * mean, ties))
    return np.concatenate(policy)


def flat_monte_carlo(tree: Tree) -> Policy:
    """Flat Monte Carlo without sampling: both play at random after the card, in every deal.

    Of cards with the same mean it plays the first in the deck, where the best trump comes first.
    """
    return greedy_policy(tree, node_values(tree, uniform_policy(tree)), "first")


def pimc(tree: Tree) -> Policy:
    """Perfect-information Monte Carlo over every consistent deal: both see all cards afterwards.

    Cards with the same mean are played equally often.
    """
    return greedy_policy(tree, double_dummy_values(tree), "share")


def iimc(tree: Tree) -> Policy:
    """Imperfect-information Monte Carlo: both play `pimc` after the card, in every deal.

    Cards with the same mean are played equally often.
    """
    return greedy_policy(tree, node_values(tree, pimc(tree)), "share")


def payoff_against(tree: Tree, policy: Policy, other: Policy) -> float:
    """The mean payoff of a policy against another, in the mean of both seats."""
    leading = value(tree, joined(tree, policy, other))
    return (leading - value(tree, joined(tree, other, policy))) / 2


# Command line


def report(deck: MiniDeck, iterations: int) -> None:
    """Print all figures of one deck."""
    start = time.perf_counter()
    tree = build_tree(deck)
    print(f"{deck}: {' '.join(deck.cards())}")
    print(f"deals {tree.deals}, nodes {tree.nodes}, infosets {len(tree.infosets.seat)}")
    print(f"double-dummy value {double_dummy_values(tree)[0].mean():.6f}")
    print(f"NashConv of the uniform policy {nash_conv(tree, uniform_policy(tree)):.6f}")
    nash = cfr_plus(tree, iterations)
    low, high = -best_response(tree, nash, 1)[1], best_response(tree, nash, 0)[1]
    print(f"CFR+ {iterations}: self-play {value(tree, nash):.6f}, NashConv {high - low:.2e},")
    print(f"so the game's value is between {low:.6f} and {high:.6f}")
    print(f"\n{'policy':18}{'against CFR+':>14}{'exploitability':>16}{'against PIMC':>14}")
    rows = {"uniform": uniform_policy(tree), "flat Monte Carlo": flat_monte_carlo(tree)}
    rows |= {"PIMC": pimc(tree), "IIMC": iimc(tree), "CFR+": nash}
    for name, policy in rows.items():
        lost, exploited = payoff_against(tree, policy, nash), exploitability(tree, policy)
        against_pimc = payoff_against(tree, policy, rows["PIMC"])
        print(f"{name:18}{lost:14.4f}{exploited:16.4f}{against_pimc:14.4f}")
    print(f"\n{time.perf_counter() - start:.0f} s")


def numbers(text: str) -> tuple[int, ...]:
    """Read numbers separated by commas."""
    return tuple(int(word) for word in text.split(","))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="solve a mini deck")
    parser.add_argument("trumps", type=numbers, nargs="?", default=(4, 2))
    parser.add_argument("suits", type=numbers, nargs="?", default=TWELVE.suits)
    parser.add_argument("hand_size", type=int, nargs="?", default=TWELVE.hand_size)
    parser.add_argument("--iterations", type=int, default=256)
    asked = parser.parse_args()
    trumps, privileged = asked.trumps
    report(MiniDeck(trumps, privileged, asked.suits, asked.hand_size), asked.iterations)


if __name__ == "__main__":
    main()
