"""What a double-dummy value measures: tricks, points, winning the pot, making the contract.

A measure tells the searches what to count and turns what they find into a value for each side.
Tricks and points are those of the whole deal played out, even where the rules would end it early.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import Card, Mask, Seat
from forty5sim.errors import SolverError
from forty5sim.game import Game
from forty5sim.kernels import layout, maxn
from forty5sim.kernels.jit import plain
from forty5sim.kernels.points import BONUS_POINTS, TRICK_POINTS, book_points
from forty5sim.kernels.vector import Vector
from forty5sim.options import AUCTION, COUNTING, POT
from forty5sim.searches import Count, Terms
from forty5sim.tables import rule_tables

Values = NDArray[np.float64]


def seats_of(game: Game, side: int) -> Mask:
    """Return the mask of the seats of a side."""
    return sum(1 << seat for seat, own in enumerate(game.sides) if own == side)


def side_tricks(game: Game) -> list[int]:
    """Return the tricks that each side has won."""
    taken = [0] * game.side_count
    for seat, tricks in enumerate(game.tricks):
        taken[game.sides[seat]] += tricks
    return taken


class Measure(ABC):
    """What the searches count, and what it is worth to each side.

    ``side`` is the side whose tricks the alpha-beta search counts.
    """

    objective: ClassVar[str]

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.seats = game.players
        self.sides = game.side_count
        self.tricks_in_deal = int(game.rules.hand_size)
        self.counted_side = 0

    @property
    def is_contest(self) -> bool:
        """Whether what one side gains the only other one loses."""
        return self.sides == 2

    @property
    def has_threshold(self) -> bool:
        """Whether a side's own tricks alone tell its value."""
        return True

    def settled(self, game: Game) -> Values | None:
        """Return the value where it is settled already."""
        return None

    def must_step(self, game: Game) -> bool:
        """Say whether a right to rob has to be settled by the engine before the search."""
        return game.right_to_rob is not None and getattr(self.rules, "rob_missed", "") == (
            "ace_lowest"
        )

    def count(self, game: Game, side: int) -> Count:
        """Return what the alpha-beta search is to count."""
        seats = seats_of(game, side)
        return Count(seats, seats)

    def window(self, game: Game, side: int) -> tuple[int, int]:
        """Return the least and the most that is still to come."""
        return 0, self.tricks_in_deal - sum(side_tricks(game))

    @abstractmethod
    def worth(self, game: Game, side: int, coming: int) -> Values:
        """Return each side's value if so much more comes to ``side``."""

    def terms(self, game: Game, tie: str) -> Vector | None:
        """Return the terms of the max^n search; None if the sides are always two."""
        return None

    def so_far(self, game: Game) -> Values:
        """Return what max^n does not count because it has been earned."""
        return np.zeros(self.sides)

    @abstractmethod
    def widest(self, game: Game) -> tuple[Values, Values]:
        """Return bounds on the value that hold without a search."""

    def lead(self, own: Values, other: Values, side: int) -> Values:
        """Return how far a side is ahead of the others, row by row.

        Its value is taken from the rows of ``own``, theirs from those of ``other``.
        """
        others = np.delete(other, side, axis=1).max(axis=1)
        return np.asarray(own[:, side] - others)


class TrickMeasure(Measure):
    """The tricks of each side."""

    objective = "tricks"

    def worth(self, game: Game, side: int, coming: int) -> Values:
        """Return each side's tricks if so many more come to ``side``."""
        own = side_tricks(game)[side] + coming
        return _pair(self.sides, side, own, self.tricks_in_deal - own)

    def terms(self, game: Game, tie: str) -> Vector:
        """Return the terms of the max^n search."""
        terms = Terms(maxn.TRICKS_SUM, tie, self.sides, self.tricks_in_deal)
        return terms.row(side_tricks(game), earned=self.so_far(game).tolist())

    def so_far(self, game: Game) -> Values:
        """Return the tricks that each side has."""
        return np.array(side_tricks(game), dtype=float)

    def widest(self, game: Game) -> tuple[Values, Values]:
        """Return the tricks that each side has, and with all that are left."""
        taken = self.so_far(game)
        return taken, taken + self.tricks_in_deal - taken.sum()


def _pair(sides: int, side: int, own: float, others: float) -> Values:
    values = np.full(sides, float(others))
    values[side] = own
    return values


class PointMeasure(Measure):
    """The points of each side for tricks and bonus (docs/rules.md 4.2)."""

    objective = "points"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        tables = rule_tables(game.rules)
        self._scoring = int(tables[layout.TRICK_SCORING])
        self._by_book = self._scoring != layout.SCORE_POINTS
        bonus = layout.BONUS_NONE if self._by_book else int(tables[layout.BONUS])
        self._last = bonus == layout.BONUS_LAST_TRICK
        self._best = bonus == layout.BONUS_BEST_TRUMP
        self._needs_top = bool(tables[layout.BONUS_NEEDS_TOP])

    def must_step(self, game: Game) -> bool:
        """Say whether a right to rob may change whether there is a bonus at all."""
        open_bonus = self._best and self._needs_top and game.right_to_rob is not None
        return open_bonus or super().must_step(game)

    def count(self, game: Game, side: int) -> Count:
        """Return what the alpha-beta search is to count: the bonus like one trick more."""
        seats = seats_of(game, side)
        is_open = self._best and game.right_to_rob is not None
        return Count(seats, seats, int(self._last), int(is_open))

    def window(self, game: Game, side: int) -> tuple[int, int]:
        """Return the least and the most that is still to come."""
        least, most = super().window(game, side)
        is_open = self._best and game.right_to_rob is not None
        return least, most + int(is_open) + int(self._last and most > 0)

    def worth(self, game: Game, side: int, coming: int) -> Values:
        """Return each side's points if so many tricks, the bonus as one, come to ``side``."""
        own = side_tricks(game)[side] + coming
        if self._by_book:
            others = self._book(self.tricks_in_deal - own)
            return _pair(self.sides, side, self._book(own), others)
        owner = self._bonus_side(game)
        own += owner == side
        own += self._last_bonus_side(game) == side
        paid = self._last or (self._best and game.right_to_rob is not None) or owner is not None
        others = self.tricks_in_deal + int(paid) - own
        return _pair(self.sides, side, TRICK_POINTS * own, TRICK_POINTS * others)

    def _book(self, tricks: int) -> int:
        total = self.tricks_in_deal
        return plain(book_points)(self._scoring, tricks, total, total)

    def _bonus_side(self, game: Game) -> int | None:
        """Return the side that is certain of the bonus: its seat owns the best trump."""
        if not self._best:
            return None
        best = _best_trump(game)
        if best is None or game.right_to_rob is not None:
            return None
        seat, card = best
        tables = rule_tables(game.rules)
        tops = int(tables[int(game.state[layout.TRUE_ORDER]) + layout.TOP_MASK])
        if self._needs_top and not tops >> card & 1:
            return None
        return game.sides[seat]

    def _last_bonus_side(self, game: Game) -> int | None:
        """Return the side that has the bonus for the last trick, once that is over."""
        if not self._last or len(game.history) < self.tricks_in_deal:
            return None
        winner = game.history[-1].winner
        return None if winner is None else game.sides[winner]

    def terms(self, game: Game, tie: str) -> Vector:
        """Return the terms of the max^n search."""
        return Terms(
            maxn.BOOK if self._by_book else maxn.TRICKS_SUM,
            tie,
            self.sides,
            self.tricks_in_deal,
            worth=TRICK_POINTS,
            last_worth=BONUS_POINTS * self._last,
            best_worth=BONUS_POINTS * self._best,
            scoring=self._scoring,
        ).row(side_tricks(game), earned=self.so_far(game).tolist())

    def so_far(self, game: Game) -> Values:
        """Return the points for tricks won, and the bonus where it is certain."""
        earned = np.zeros(self.sides)
        if self._by_book:
            return earned
        earned += TRICK_POINTS * np.array(side_tricks(game))
        owner = self._bonus_side(game)
        if owner is not None:
            earned[owner] += BONUS_POINTS
        last = self._last_bonus_side(game)
        if last is not None:
            earned[last] += BONUS_POINTS
        return earned

    def widest(self, game: Game) -> tuple[Values, Values]:
        """Return the points that each side has for certain, and with all that is left."""
        earned = self.so_far(game)
        if self._by_book:
            return earned, earned + self._book(self.tricks_in_deal)
        left = self.tricks_in_deal - sum(side_tricks(game))
        is_open = (self._best and game.right_to_rob is not None) or (self._last and left > 0)
        return earned, earned + TRICK_POINTS * left + BONUS_POINTS * int(is_open)


def _best_trump(game: Game) -> tuple[Seat, Card] | None:
    """Return the best trump of a deal that is played out, and who plays it."""
    tables = rule_tables(game.rules)
    order = int(game.state[layout.TRUE_ORDER])
    trumps = int(tables[order + layout.TRUMP_MASK])
    row = order + layout.POWER + layout.TRUMPS * layout.CARD_COUNT
    owned = [(seat, card) for seat, hand in enumerate(game.hands) for card in hand]
    owned += game.trick
    for trick in game.history:
        owned += game.played_to(trick).items()
    waiting = int(game.state[layout.WAITING_ACE])
    if waiting >= 0 and game.turnup is not None:
        owned.append((waiting, game.turnup))
    held = [(seat, card) for seat, card in owned if trumps >> card & 1]
    return max(held, key=lambda one: int(tables[row + one[1]]), default=None)


class WinMeasure(Measure):
    """Who wins the pot (docs/rules.md 5); after a declared jink it takes all tricks."""

    objective = "win"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._needed = int(game.rules.win_tricks)
        self._bars = game.rules.rob_missed == "barred"
        self._jinks = game.jinker is not None or game.phase == "jink"

    @property
    def is_contest(self) -> bool:
        """Whether exactly one of two wins."""
        exact = 2 * self._needed == self.tricks_in_deal + 1
        return self.sides == 2 and exact and not self._bars and not self._jinks

    @property
    def has_threshold(self) -> bool:
        """Whether only one side can have the tricks that win."""
        return 2 * self._needed > self.tricks_in_deal

    def settled(self, game: Game) -> Values | None:
        """Return the value of a deal that is won, spoiled, or whose jink has failed."""
        winner = game._or_none(layout.CLAIMER)
        if winner is not None:
            return _pair(self.sides, winner, 1, 0)
        return None if game.outcome == "unfinished" else np.zeros(self.sides)

    def must_step(self, game: Game) -> bool:
        """Say whether keeping the hand would bar a seat: it is a matter of the deal then."""
        return (self._bars and game.right_to_rob is not None) or super().must_step(game)

    def _barred(self, game: Game) -> Mask:
        kept = int(game.state[layout.KEPT])
        return 1 << kept if self._bars and kept >= 0 else 0

    def window(self, game: Game, side: int) -> tuple[int, int]:
        """Return bounds between which the tricks that win lie."""
        left = self.tricks_in_deal - sum(side_tricks(game))
        needed = self._needed if game.jinker is None else self.tricks_in_deal
        return _around(needed - side_tricks(game)[side], left)

    def worth(self, game: Game, side: int, coming: int) -> Values:
        """Return 1 for ``side`` if so many more tricks are enough, and it may win."""
        needed = self._needed if game.jinker is None else self.tricks_in_deal
        may = game.jinker is None or game.sides[game.jinker] == side
        may = may and not self._barred(game) >> side & 1
        won = may and side_tricks(game)[side] + coming >= needed
        return _pair(self.sides, side, won, 1 - won)

    def terms(self, game: Game, tie: str) -> Vector:
        """Return the terms of the max^n search."""
        return Terms(
            maxn.FIRST_TO,
            tie,
            self.sides,
            self.tricks_in_deal,
            tricks_to_win=self._needed,
            jink_side=-1 if game.jinker is None else game.sides[game.jinker],
            keeping_bars=self._bars,
        ).row(side_tricks(game), self._barred(game))

    def widest(self, game: Game) -> tuple[Values, Values]:
        """Return nothing and everything."""
        return np.zeros(self.sides), np.ones(self.sides)


def _around(needed: int, left: int) -> tuple[int, int]:
    """Return the bounds around a threshold, as far as it can be missed or reached."""
    return min(max(needed - 1, 0), left), min(max(needed, 0), left)


class ContractMeasure(Measure):
    """Whether the bidder's side makes its contract (docs/rules.md 7.8, 8.8, 8.9)."""

    objective = "contract"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if game.bid is None or game.bidder is None:
            raise SolverError("there is no contract in this deal; objectives: tricks")
        tables = rule_tables(game.rules)
        self.counted_side = game.sides[game.bidder]
        self._tricks = int(tables[layout.BID_TRICKS + game.bid])
        self._points = int(tables[layout.BID_POINTS + game.bid])
        self.is_misere = self._tricks < 0
        self._raw = PointMeasure(game) if game.rules.family == AUCTION else None

    @property
    def is_contest(self) -> bool:
        """Whether it is the bidder against everybody else: always."""
        return True

    def settled(self, game: Game) -> Values | None:
        """Return the value of a contract made or set already."""
        if game.outcome in ("made", "set"):
            return self._value(game.outcome == "made")
        return None

    def _value(self, made: bool) -> Values:
        return _pair(self.sides, self.counted_side, made, not made)

    def count(self, game: Game, side: int) -> Count:
        """Return what the alpha-beta search is to count: the bidder's tricks, whoever asks."""
        everybody = (1 << self.seats) - 1
        bidders = seats_of(game, self.counted_side)
        for_it = bidders if side == self.counted_side else everybody & ~seats_of(game, side)
        eager = everybody & ~for_it if self.is_misere else for_it
        last = self._raw.count(game, side).last_extra if self._points and self._raw else 0
        return Count(bidders, eager, last)

    def _needed(self, game: Game) -> int:
        """Return how much more the bidder's side needs; at misère, what sets it."""
        taken = side_tricks(game)[self.counted_side]
        if self.is_misere:
            return 1 - taken
        if not self._points or self._raw is None:
            return self._tricks - taken
        bonus = self._raw._bonus_side(game) == self.counted_side
        return -(-self._points // TRICK_POINTS) - taken - int(bonus)

    def window(self, game: Game, side: int) -> tuple[int, int]:
        """Return bounds between which the contract lies."""
        left = self.tricks_in_deal - sum(side_tricks(game))
        extra = self.count(game, side).last_extra if left > 0 else 0
        return _around(self._needed(game), left + extra)

    def worth(self, game: Game, side: int, coming: int) -> Values:
        """Return whether the contract is made if so many more tricks come to the bidder."""
        return self._value((coming >= self._needed(game)) != self.is_misere)

    def widest(self, game: Game) -> tuple[Values, Values]:
        """Return set and made."""
        return np.zeros(self.sides), np.ones(self.sides)


_MEASURES: dict[str, type[Measure]] = {
    measure.objective: measure
    for measure in (TrickMeasure, PointMeasure, WinMeasure, ContractMeasure)
}
OBJECTIVES = tuple(_MEASURES)


def objectives_for(game: Game) -> list[str]:
    """Return the objectives that fit a position."""
    fitting = ["tricks"]
    if game.rules.family in (COUNTING, AUCTION):
        fitting.append("points")
    if game.rules.family == POT:
        fitting.append("win")
    if game.rules.has_auction and game.bid is not None:
        fitting.append("contract")
    return fitting


def default_objective(game: Game) -> str:
    """Return the objective that a game is about, as far as it fits."""
    return objectives_for(game)[-1]


def measure_for(game: Game, objective: str) -> Measure:
    """Return the measure of an objective for the deal of a position.

    Raises:
        SolverError: if it does not fit.
    """
    fitting = objectives_for(game)
    if objective not in fitting:
        raise SolverError(
            f"objective {objective!r} does not fit {game.rules.name} here; objectives: "
            + ", ".join(fitting)
        )
    return _MEASURES[objective](game)
