"""The chance to win a game from the score: what a deal is worth where a whole game is played.

The points that sides make in one deal are measured on deals of the heuristic, and the chance to
win follows by value iteration: what it is now is the mean of what it will be after a deal. One
table serves a rule set and a number of players; it is kept on disk.

It is a model. The first side over the target wins (the higher one of two), which leaves out the
finer points of the rules, and in every deal points are made as at the start of a game. Where there
are too many sides for a table, it knows the own score and the best others'.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forty5sim.errors import RuleSetError
from forty5sim.files import written_whole
from forty5sim.kernels import face, layout, search, services
from forty5sim.kernels.asking import SERVICE, address_of
from forty5sim.kernels.jit import cache_root
from forty5sim.kernels.policies import BY_POLICY
from forty5sim.options import POT
from forty5sim.registry import find_bot
from forty5sim.rules import RULES_VERSION, RuleSet
from forty5sim.tables import rule_tables

DEALS = 10_000
SEED = 45
VERSION = 2
MOST_STATES = 12_000
MOST_ORDERS = 12
MOST_LEVELS = 4  # times the target below zero, where nobody loses by a low score
CONVERGED = 1e-7
MOST_SWEEPS = 2_000


@dataclass(frozen=True)
class Chances:
    """A table of chances to win.

    Attributes:
        values: float64, an axis for each side that is told apart: the own level first, then the
            best others'; shape (levels, levels, …).
        lowest: the score of level 0; lower ones count as this.
        step: points from level to level.
        deals: how many deals the points were measured on.
    """

    values: NDArray[np.float64]
    lowest: int
    step: int
    deals: int

    @property
    def sides(self) -> int:
        """How many sides are told apart."""
        return self.values.ndim

    @property
    def levels(self) -> int:
        """How many scores of a side are told apart."""
        return len(self.values)

    def __call__(self, own: int, *others: int) -> float:
        """Return the chance of a side with its score against those of the others."""
        best = sorted(others, reverse=True)[: self.sides - 1]
        return float(self.values[tuple(self._level(score) for score in (own, *best))])

    def _level(self, score: int) -> int:
        return min(max((score - self.lowest) // self.step, 0), self.levels - 1)


def win_chances(rules: RuleSet, players: int) -> Chances:
    """Return the chances to win a game of so many players.

    Raises:
        RuleSetError: for a pot game, which is played for chips.
    """
    if rules.family == POT:
        raise RuleSetError(f"{rules.name} is played for chips: there is no score to win from")
    rules.side_count(players)
    return _kept(rules, players)


@lru_cache(maxsize=32)
def _kept(rules: RuleSet, players: int) -> Chances:
    path = _path(rules, players)
    try:
        with np.load(path) as kept:
            numbers = {name: int(kept[name]) for name in ("lowest", "step", "deals")}
            return Chances(np.ascontiguousarray(kept["values"]), **numbers)
    except (OSError, ValueError, KeyError):
        chances = _worked_out(rules, players)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part, part.open("wb") as file:
            np.savez(
                file,
                values=chances.values,
                lowest=chances.lowest,
                step=chances.step,
                deals=chances.deals,
            )
    except OSError:
        pass  # a read-only folder: it is worked out again next time
    return chances


def _path(rules: RuleSet, players: int) -> Path:
    heuristic = find_bot("heuristic").version
    text = repr((RULES_VERSION, VERSION, heuristic, DEALS, players, rules.family, rules.options()))
    return cache_root() / "chances" / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"


def _worked_out(rules: RuleSet, players: int) -> Chances:
    points = _measured(rules, players)
    tables = rule_tables(rules)
    target = int(tables[layout.TARGET])
    floor = max(int(tables[layout.LOSE_AT]), -MOST_LEVELS * target) if rules.has_auction else -1
    step = math.gcd(target, *np.unique(np.abs(points)).tolist())
    lowest = 0 if points.min() >= 0 else max(floor + step, -target)
    levels = -(-(target - lowest) // step)
    sides = points.shape[1]
    while levels**sides > MOST_STATES:
        sides -= 1
    outcomes, weights = _outcomes(points, sides)
    values = _iterated(outcomes, weights, lowest, step, levels, target, floor)
    return Chances(values, lowest, step, DEALS)


def _measured(rules: RuleSet, players: int) -> NDArray[np.int64]:
    """Return the points of each side in deals of the heuristic, shape (deals, sides)."""
    heuristic = find_bot("heuristic").compiled
    assert heuristic is not None
    params = np.zeros(search.POLICY_PARAMS)
    params[search.PLAYOUT] = BY_POLICY
    params[search.POLICY] = heuristic.address_for(rules)
    params[search.POLICY_STRIDE] = heuristic.workspace_size
    params = np.array([*params, *heuristic.params_in(rules, players, True)])
    notes = np.zeros(heuristic.workspace_size * players, dtype=np.int64)
    state = np.zeros(layout.STATE_SIZE, dtype=np.int64)
    tables, sides = rule_tables(rules), rules.side_count(players)
    playing = address_of(services.playing, SERVICE)
    points = np.zeros((DEALS, sides), dtype=np.int64)
    for deal in range(DEALS):
        dealer = rules.first_dealer if isinstance(rules.first_dealer, int) else deal % players
        face.seat_game(state, tables, players, sides, dealer, SEED)
        face.shuffle_deal(state, tables, deal)
        face.open_deal(state, tables)
        face.play_out(state, tables, playing, params, notes)
        points[deal] = state[layout.POINTS : layout.POINTS + sides]
    return points


def _outcomes(
    points: NDArray[np.int64], sides: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return what so many sides make in a deal, whoever they are, and how often."""
    orders = islice(permutations(range(points.shape[1]), sides), MOST_ORDERS)
    seen = np.concatenate([points[:, list(order)] for order in orders])
    outcomes, counts = np.unique(seen, axis=0, return_counts=True)
    return outcomes, counts / len(seen)


def _iterated(
    outcomes: NDArray[np.int64],
    weights: NDArray[np.float64],
    lowest: int,
    step: int,
    levels: int,
    target: int,
    floor: int,
) -> NDArray[np.float64]:
    """Return the fixed point of the chances to win, shape (levels, …)."""
    sides = outcomes.shape[1]
    grid = np.indices((levels,) * sides).reshape(sides, -1).T * step + lowest
    after = grid[:, None, :] + outcomes[None, :, :]
    level = np.clip((after - lowest) // step, 0, levels - 1)
    following = np.ravel_multi_index(tuple(np.moveaxis(level, 2, 0)), (levels,) * sides)
    ended, share = _ended(after, target, floor)
    values = np.full(len(grid), 1 / sides)
    for _ in range(MOST_SWEEPS):
        before = values
        values = np.where(ended, share, before[following]) @ weights
        if np.abs(values - before).max() < CONVERGED:
            break
    return np.ascontiguousarray(values.reshape((levels,) * sides))


def _ended(
    after: NDArray[np.int64], target: int, floor: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return where a game is over after a deal, and the first side's share of the win there."""
    out = after <= floor if floor < -1 else np.zeros(after.shape, dtype=bool)
    standing = np.where(out, np.iinfo(np.int64).min, after)
    best = standing.max(axis=2, keepdims=True)
    over = (best[..., 0] >= target) | out.any(axis=2)
    winners = standing == best
    share = winners[..., 0] / winners.sum(axis=2)
    return over, share
