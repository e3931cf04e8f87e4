"""Double dummy: what each action is worth when all cards are seen and everybody plays its best.

    solution = solve(game)
    print(solution)              # a line an action
    solution.values              # float64 (actions, sides)

Two players are looked up in a complete table, two sides solved by alpha-beta, more by max^n (each
takes what is best for itself) or, for the side to act, by paranoid search (everybody else against
it). A search that takes more than
``max_nodes`` is given up: then the bounds that it has proven stand for its value, and the solution
says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import Action, Seat
from forty5sim.errors import SolverError, is_whole, unknown
from forty5sim.game import Game
from forty5sim.kernels.vector import Vector
from forty5sim.measures import OBJECTIVES, Measure, default_objective, measure_for
from forty5sim.notation import action_name
from forty5sim.rules import RuleSet
from forty5sim.searches import TIES, TrickSearch, VectorSearch, uses_table

SEARCHES = ("auto", "table", "alphabeta", "maxn", "paranoid")
PHASES = ("play", "rob", "jink", "assign", "name")
MAX_NODES = 5_000_000
"""Positions searched for one action before it is given up: a second or less, as a rule."""
MOST_NODES = 2**62

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Solution:
    """What each action of a position is worth, with all cards seen.

    Attributes:
        rules: the rules.
        seat: the seat to act.
        side: its side.
        phase: the phase of the position.
        objective: what is counted.
        search: how it was found.
        actions: the legal actions, ascending.
        low, high: proven bounds on the value of each action for each side, float64 of shape
            (actions, sides); NaN for the other sides of a paranoid search.
        nodes: the positions that were searched.
    """

    rules: RuleSet
    seat: Seat
    side: int
    phase: str
    objective: str
    search: str
    actions: list[Action]
    low: Values
    high: Values
    nodes: int

    @property
    def values(self) -> Values:
        """The value of each action for each side; where a search was given up, mid-way."""
        return (self.low + self.high) / 2

    @property
    def is_exact(self) -> bool:
        """Whether no search was given up."""
        return self.given_up == 0

    @property
    def given_up(self) -> int:
        """How many actions have bounds instead of a value."""
        return int(np.any(self.low < self.high, axis=1).sum())

    @cached_property
    def best(self) -> list[Action]:
        """The actions that are worth most to the seat to act."""
        own = self.values[:, self.side]
        return [a for a, value in zip(self.actions, own, strict=True) if value >= own.max() - 1e-9]

    def __str__(self) -> str:
        how = f"{self.objective}, {self.search}, all cards seen"
        lines = [f"seat {self.seat} to act: {self.phase} ({how})"]
        for action, low, high in zip(self.actions, self.low, self.high, strict=True):
            mark = "*" if action in self.best and self.is_exact else " "
            worth = "  ".join(
                f"side {side}: {worth_text(low[side], high[side])}"
                for side in range(len(low))
                if not np.isnan(low[side])
            )
            lines.append(f"{mark} {action_name(action, self.phase):<12} {worth}")
        if not self.is_exact:
            lines.append(f"{self.given_up} of {len(self.actions)} given up: bounds, not values")
        return "\n".join(lines)


def worth_text(low: float, high: float) -> str:
    """Return a value, or the bounds that it lies between."""
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"


def solve(
    game: Game,
    objective: str | None = None,
    search: str = "auto",
    *,
    tie: str = "first",
    max_nodes: int = MAX_NODES,
) -> Solution:
    """Return what each action is worth with all cards seen.

    Args:
        game: a position in the phase ``play``, ``rob``, ``jink``, ``assign`` or ``name``.
        objective: ``tricks`` (of each side, in the whole deal, however early it may end),
            ``points`` (for tricks and bonus, of the whole deal), ``win`` (1 for the seat that wins
            the pot) or ``contract`` (1 for the bidder's side if it makes its bid); if None, points
            in counting games, win in pot games, contract where there is one.
        search: ``table`` for two players, ``alphabeta`` for two sides, ``maxn``, ``paranoid``, or
            what suits (``auto``).
        tie: what a side does in max^n among what is equal for itself: ``first``, ``average`` or
            ``spite``.
        max_nodes: positions to search for each action before it is given up.

    Raises:
        SolverError: for a position, an objective or a search that does not fit.
    """
    check_terms(objective, search, tie, max_nodes)
    _check_position(game)
    objective = default_objective(game) if objective is None else objective
    measure = measure_for(game, objective)
    chosen = _search_for(game, measure, search)
    solver = _Solver(measure, chosen, tie, max_nodes, game.sides[game.seat])
    low, high = solver.bounds_of(_after_each_action(game))
    return Solution(
        game.rules,
        game.seat,
        game.sides[game.seat],
        game.phase,
        objective,
        chosen,
        game.legal_actions,
        low,
        high,
        solver.nodes,
    )


def _after_each_action(game: Game) -> list[Game]:
    """Return the game after each of the legal actions, ascending."""
    children = []
    for action in game.legal_actions:
        child = game.copy()
        child.push(action)
        children.append(child)
    return children


def check_terms(objective: str | None, search: str, tie: str, max_nodes: int) -> None:
    """Raise unless there are such an objective, search and tie, and a whole number of nodes.

    Raises:
        SolverError: with what there is.
    """
    if objective is not None and objective not in OBJECTIVES:
        raise SolverError(unknown("objective", str(objective), OBJECTIVES))
    if search not in SEARCHES:
        raise SolverError(unknown("search", str(search), SEARCHES, plural="searches"))
    if tie not in TIES:
        raise SolverError(unknown("tie", str(tie), TIES))
    if not is_whole(max_nodes, 1, MOST_NODES):
        raise SolverError(f"max_nodes must be a whole number from 1 on, got {max_nodes!r}")


def _check_position(game: Game) -> None:
    if not isinstance(game, Game):
        raise SolverError(f"solve takes a Game, with all cards seen; got {type(game).__name__}")
    if game.deal_is_over:
        raise SolverError("the deal is over: there is nothing to solve")
    if game.phase not in PHASES:
        raise SolverError(
            f"the phase {game.phase!r} cannot be solved: too much is open; can be: "
            + ", ".join(PHASES)
        )


def _search_for(game: Game, measure: Measure, search: str) -> str:
    """Return the search that is meant, if it fits."""
    two = measure.is_contest
    count = measure.count(game, measure.counted_side)
    table = two and uses_table(game.rules, game.players, count)
    if search == "auto":
        return "table" if table else "alphabeta" if two else "maxn"
    if search == "table" and not table:
        raise SolverError("the complete table is for two players of a usual game; use alphabeta")
    if search == "alphabeta" and not two:
        why = f"there are {measure.sides}" if measure.sides > 2 else "here nobody may win"
        raise SolverError(
            f"alphabeta is for two sides, one of which gains what the other loses; {why}:"
            " use maxn or paranoid"
        )
    if search == "paranoid" and not measure.has_threshold:
        raise SolverError("win_tricks leaves room for two winners: paranoid search cannot tell")
    return search


class _Solver:
    """Solves positions by one measure and one search; counts nodes."""

    def __init__(self, measure: Measure, search: str, tie: str, max_nodes: int, side: int) -> None:
        self._measure = measure
        self._search = search
        self._tie = tie
        self._max_nodes = max_nodes
        self._side = side
        self._tricks = TrickSearch(measure.rules)
        self._vectors = VectorSearch(measure.rules, measure.seats)
        self._left = 0  # nodes that may still be searched for this action
        self.nodes = 0

    def bounds_of(self, games: Sequence[Game]) -> tuple[Values, Values]:
        """Return bounds on the value of each game for each side, each by nodes of its own."""
        rows = []
        for game in games:
            self._left = self._max_nodes
            rows.append(self._bounds(game))
        return np.array([low for low, _ in rows]), np.array([high for _, high in rows])

    def _bounds(self, game: Game) -> tuple[Values, Values]:
        """Return bounds on the value of a game, stepping over what the searches do not know."""
        settled = self._measure.settled(game)
        if settled is not None:
            own = self._own(settled)
            return own, own
        if self._left <= 0:
            low, high = self._measure.widest(game)
            return self._own(low), self._own(high)
        if self._measure.must_step(game):
            return self._step(game)
        terms = self._measure.terms(game, self._tie) if self._search == "maxn" else None
        return self._by_tricks(game) if terms is None else self._by_vectors(game, terms)

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        self._left -= nodes

    def _own(self, values: Values) -> Values:
        """Return values without those of which a paranoid search says nothing."""
        if self._search != "paranoid":
            return values
        return np.where(np.arange(self._measure.sides) == self._side, values, np.nan)

    def _step(self, game: Game) -> tuple[Values, Values]:
        """Return bounds on the best of a seat's actions, each carried out by the engine."""
        self._count(1)
        rows = [self._bounds(child) for child in _after_each_action(game)]
        low, high = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        side = game.sides[game.seat]
        if self._search == "paranoid":
            pick = np.max if side == self._side else np.min
            return pick(low, axis=0), pick(high, axis=0)
        if self._search == "maxn":
            if np.array_equal(low, high):
                best = _choose(low, side, self._tie)
                return best, best
            return _best_bounds(low, high, low[:, side], high[:, side])
        least = self._measure.lead(low, high, side)
        most = self._measure.lead(high, low, side)
        if np.array_equal(low, high):
            best = low[int(np.argmax(least))]
            return best, best
        return _best_bounds(low, high, least, most)

    def _by_tricks(self, game: Game) -> tuple[Values, Values]:
        side = self._side if self._search == "paranoid" else self._measure.counted_side
        count = self._measure.count(game, side)
        least, most = self._measure.window(game, side)
        state = game.state[None, :]
        bounds, nodes = self._tricks.narrow(state, count, np.array([[least, most]]), self._left)
        self._count(nodes)
        low, high = (self._own(self._measure.worth(game, side, int(b))) for b in bounds[0])
        return np.fmin(low, high), np.fmax(low, high)

    def _by_vectors(self, game: Game, terms: Vector) -> tuple[Values, Values]:
        values, nodes = self._vectors.find(game.state[None, :], terms[None, :], self._left)
        self._count(nodes)
        found = values[0, : self._measure.sides]
        if np.isnan(found).any():
            return self._measure.widest(game)
        found = found + self._measure.so_far(game)
        return found, found


def _best_bounds(low: Values, high: Values, least: Values, most: Values) -> tuple[Values, Values]:
    """Return bounds that hold whichever action is best for the mover.

    ``least`` and ``most`` are bounds, action by action, on what the mover looks at; an action can
    be the best if its most is not below the least of another.
    """
    possible = most >= least.max() - 1e-9
    return np.asarray(low[possible].min(axis=0)), np.asarray(high[possible].max(axis=0))


def _choose(values: Values, side: int, tie: str) -> Values:
    """Return the row that a side takes, by what it does among equals."""
    own = values[:, side]
    equal = np.flatnonzero(own >= own.max() - 1e-9)
    if tie == "average":
        return np.asarray(values[equal].mean(axis=0))
    if tie == "spite":
        others = np.delete(values[equal], side, axis=1).max(axis=1)
        return np.asarray(values[equal[int(np.argmin(others))]])
    return np.asarray(values[equal[0]])
