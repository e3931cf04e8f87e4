"""What each action came to in fresh worlds, the same for all of them; and estimates of that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from forty5sim.agent import CompiledAgent, View, params_matrix
from forty5sim.cards import Action
from forty5sim.errors import ViewError
from forty5sim.kernels import layout, samples, search, trials
from forty5sim.kernels.vector import Vector
from forty5sim.options import POT
from forty5sim.stats import Estimate, share
from forty5sim.stats.estimates import LEVEL

POT_STAKE, CONTRACT, GAME, DEAL = "pot", "contract", "game", "deal"
"""What can be won: the pot; the contract, made by the own side or set by it; the whole game from
the score after the deal; the deal, with more points than any other side."""

KEY_BITS = (1 << 63) - 1
_CLAIMS = (layout.POT_WON, layout.JINK_MADE)


@dataclass(frozen=True)
class Samples:
    """Actions tried in the same worlds; worlds of one view are dealt by what it can know.

    Attributes:
        actions: the actions.
        rows: int64 (worlds, actions, samples.ROW_SIZE): see ``kernels.samples``.
        chances: float64 (worlds, actions): chance to win the game, nan where none is played.
        groups: worlds to each view, where several views stand for one position: their means are
            what is independent then.
        side: the seats of the own side.
        units: what payoffs are to be divided by.
        stake: what can be won.
    """

    actions: tuple[Action, ...]
    rows: NDArray[np.int64]
    chances: NDArray[np.float64]
    groups: int
    side: frozenset[int] = field(default_factory=frozenset)
    units: int = 1
    stake: str = DEAL

    @property
    def n(self) -> int:
        """In how many worlds each action was tried."""
        return len(self.rows)

    def payoffs(self, action: Action) -> NDArray[np.float64]:
        """Return the payoff of an action in each world, in points or chips."""
        return np.asarray(self._column(action, samples.ROW_PAYOFF) / self.units)

    def wins(self, action: Action) -> NDArray[np.float64]:
        """Return whether the stake was won in each world; of the game the chance to win it."""
        if self.stake == GAME:
            return np.asarray(self.chances[:, self.actions.index(action)])
        outcome = self._column(action, samples.ROW_OUTCOME)
        if self.stake == POT_STAKE:
            claimed = np.isin(self._column(action, samples.ROW_CLAIMER), list(self.side))
            return np.asarray(claimed & np.isin(outcome, _CLAIMS), dtype=np.float64)
        more = self._column(action, samples.ROW_MARGIN) > 0
        if self.stake == DEAL:
            return more.astype(np.float64)
        ours = self.bids(action)
        won = np.where(ours, outcome == layout.MADE, outcome == layout.SET)
        return np.asarray(np.where(outcome == layout.SCORED, more, won), dtype=np.float64)

    def bids(self, action: Action) -> NDArray[np.bool_]:
        """Return in which worlds the own side plays the contract."""
        return np.isin(self._column(action, samples.ROW_BIDDER), list(self.side))

    def made(self, action: Action) -> NDArray[np.bool_]:
        """Return in which worlds the contract was made, whosever it was."""
        return np.asarray(self._column(action, samples.ROW_OUTCOME) == layout.MADE)

    def jinks(self, action: Action) -> NDArray[np.bool_]:
        """Return in which worlds a jink was made."""
        return np.asarray(self._column(action, samples.ROW_OUTCOME) == layout.JINK_MADE)

    def tricks(self, action: Action) -> NDArray[np.int64]:
        """Return how many tricks the own side took in each world, in the whole deal."""
        return self._column(action, samples.ROW_TRICKS)

    def takes_trick(self, action: Action) -> NDArray[np.bool_]:
        """Return in which worlds the own side won the trick under way."""
        return np.isin(self._column(action, samples.ROW_TRICK_WINNER), list(self.side))

    def _column(self, action: Action, field: int) -> NDArray[np.int64]:
        return self.rows[:, self.actions.index(action), field]

    # --- estimates ------------------------------------------------------------------------------

    def value(self, action: Action) -> Estimate:
        """Return the mean payoff of an action."""
        return self.mean(self.payoffs(action))

    def chance(self, action: Action) -> Estimate:
        """Return how often an action wins the stake; Wilson's interval where worlds are apart."""
        wins = self.wins(action)
        if self.groups == 1 and self.stake != GAME:
            return share(int(wins.sum()), self.n)
        return self.mean(wins)

    def gain(self, action: Action, over: Action, *, chances: bool = False) -> Estimate:
        """Return what an action brings more than another in the same worlds.

        Of the stake's chance if ``chances``, else of the payoff.
        """
        of = self.wins if chances else self.payoffs
        return self.mean(of(action) - of(over))

    def mean(self, values: NDArray[np.float64]) -> Estimate:
        """Return the mean of a value for each world with its 95 % interval (Student's t)."""
        clusters = values if self.groups == 1 else values.reshape(self.groups, -1).mean(axis=1)
        n = len(clusters)
        if n < 2:
            return Estimate(float(values.mean()) if len(values) else math.nan, math.nan, self.n)
        from scipy.special import stdtrit

        error = float(clusters.std(ddof=1)) / math.sqrt(n)
        quantile = float(stdtrit(n - 1, (1 + LEVEL) / 2))
        return Estimate(float(values.mean()), quantile * error, self.n)


def try_actions(
    views: Sequence[View],
    agent: CompiledAgent,
    actions: Sequence[Action],
    worlds: int,
    key: int,
    *,
    first: int = 0,
) -> Samples:
    """Try actions in fresh worlds of each view, played on as a search bot plays worlds out.

    Args:
        views: one, or several that stand for one position; with the same seat to act.
        agent: a bot that searches.
        actions: legal ones.
        worlds: how many for each view.
        key: fixes the worlds; world i is a function of (view, key, i).
        first: the number of the first world.

    Raises:
        ViewError: if no deal agrees with a view.
    """
    view = views[0]
    keys = [key + number & KEY_BITS for number in range(len(views))]
    found = [
        _tried(one, agent, actions, worlds, own, first)
        for one, own in zip(views, keys, strict=True)
    ]
    rules = view.rules
    own = view.sides[view.observer]
    return Samples(
        actions=tuple(actions),
        rows=np.concatenate([rows for rows, _ in found]),
        chances=np.concatenate([chances for _, chances in found]),
        groups=len(views),
        side=frozenset(seat for seat, side in enumerate(view.sides) if side == own),
        units=view.players if rules.family == POT else view.side_count - 1,
        stake=_stake(view, found[0][1]),
    )


def _tried(
    view: View,
    agent: CompiledAgent,
    actions: Sequence[Action],
    worlds: int,
    key: int,
    first: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    params = params_matrix([agent], view.rules, view.players, view.is_alone)
    rows = np.zeros((worlds, len(actions), samples.ROW_SIZE), dtype=np.int64)
    chances = np.full((worlds, len(actions)), np.nan)
    room = trials.FINISH + int(params[0, search.POLICY_SPACE])
    workspace: Vector = np.zeros(room, dtype=np.int64)
    tried = samples.try_in_worlds(
        rows,
        chances,
        np.array(actions, dtype=np.int64),
        np.asarray(view._words[: layout.PUBLIC_SIZE], dtype=np.int64),
        view.hand.mask,
        view.thrown.mask,
        view._rule_words,
        key,
        params,
        workspace,
        first,
    )
    if tried < worlds:
        raise ViewError(f"no deal agrees with what seat {view.observer} sees:\n{view}")
    return rows, chances


def _stake(view: View, chances: NDArray[np.float64]) -> str:
    if view.rules.family == POT:
        return POT_STAKE
    if not np.isnan(chances).any():
        return GAME
    return CONTRACT if view.rules.has_auction else DEAL
