"""What the searches share: one decision to be taken, and the numbers that steer a search.

A search is a compiled agent (``asking``): it sees its own seat's view, deals the unseen cards in
many ways that agree with it (``worlds``), tries its legal actions in them (``trials``, ``tree``)
and leaves what it found at the start of its workspace (``findings``).
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Decision(NamedTuple):
    """What an agent is asked, as in ``asking``."""

    public: Any
    hand: int
    thrown: int
    legal: int
    tables: Any
    key: int
    params: Any
    workspace: Any


# a search's parameters
BUDGET = 0  # worlds, or iterations
SECONDS = 1  # of time in place of a budget, 0: by the budget
CAUTION = 2  # trials: standard errors by which an action must be behind to be dropped, 0: never
EXPLORATION = 2  # tree: the constant of the confidence bound
PLAYOUT = 3  # how deals are played out: see ``policies``
OPPONENTS = 4  # tree: how the others choose, as below
SOLVED_TRICKS = 4  # double-dummy: with so many tricks left a world is solved
COMMON_WORLDS = 5  # tree: the k-th try of every root action is in world k
MOST_NODES_SOLVED = 6  # after so many nodes a solve is given up
MEMORY = 7  # entries of a memo or rows of a tree, a power of two
LOGS = 8  # address of the natural logarithms of 0 (as 0), 1, 2, …
LOG_COUNT = 9
CHANCES = 10  # address of the chances to win the game from a score, 0: deals count by points
CHANCES_ALWAYS = 11  # also where a deal is played alone
CHANCES_SIDES = 12  # the sides that they tell apart: the own and the best others
CHANCES_LOWEST = 13  # the score of level 0
CHANCES_STEP = 14  # points from level to level
CHANCES_LEVELS = 15
READ_VIEW, DEAL_WORLD, CARRY_ON, SOLVE = 16, 17, 18, 19  # numbers of the ``services``
CALL_BUDGET = 20  # trials: worlds where no card is played, but a call made, cards thrown, …
POLICY = 21  # the number that ``ask`` takes for the agent that plays deals out
POLICY_STRIDE = 22  # words of its workspace for each seat; 0: one for all, which keeps no notes
POLICY_SPACE = 23  # words of all its workspaces
POLICY_PARAMS = 24  # its parameters, to the end


# how the others choose in the tree: each for its own side, all against the searcher, by the policy
MAXN, PARANOID, AS_POLICY = range(3)

# what the service CARRY_ON is asked for, and what it answers
STEP, TO_THE_END, TO_THE_VERY_END = range(3)  # TO_THE_END stops where a world can be solved
FINISHED, SOLVABLE, ILLEGAL = range(3)

# where randomness comes from: draws of a decision's key
TIE_DRAW = 0
FIRST_WORLD = 1  # and the world's number
