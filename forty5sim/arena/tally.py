"""The exact sums of a tournament: added up in any order, by any number of workers, they agree.

All that is told of a bot is a sum over its seats, so a board's values are one product: its rows
times a sparse matrix of weights.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from forty5sim.arena.conditions import Columns, Conditions, Rows, in_columns, row_width
from forty5sim.arena.fields import HEAD_MEASURES, measures_of, sums_of
from forty5sim.arena.schedule import Pairing
from forty5sim.kernels import rows, summing
from forty5sim.stats import Estimate, estimate

SAFE_SQUARES = 2**62
MOST_BINS = 1 << 16
WORD = 2**64 - 1


@dataclass
class Sums:
    """Exact sums of board values: the values, their squares, what divides them."""

    total: int = 0
    squares: int = 0
    divisor: int = 0

    def merge(self, other: Sums) -> None:
        """Add the sums of other boards."""
        self.total += other.total
        self.squares += other.squares

    def deviation(self, boards: int) -> float:
        """Return the standard deviation of a board's value; nan for fewer than two boards."""
        if boards < 2:
            return math.nan
        spread = boards * self.squares - self.total * self.total
        return math.sqrt(spread / (boards * (boards - 1))) / self.divisor

    def estimate(self, boards: int) -> Estimate:
        """Return the mean over so many boards and its interval."""
        return estimate(self.total, self.squares, boards, self.divisor)


def add_values(sums: Sequence[Sums], values: NDArray[np.int64]) -> None:
    """Add the values of some boards, shape (values, boards), the first ones to so many sums."""
    totals, squares = np.zeros((2, len(values)), dtype=np.int64)
    most = summing.add_up(values, totals, squares)
    exact: list[int] = squares.tolist()
    if most * most * values.shape[1] >= SAFE_SQUARES:
        exact = [sum(value * value for value in row) for row in values.tolist()]
    for one, total, square in zip(sums, totals.tolist(), exact, strict=False):
        one.total += total
        one.squares += square


def counts_of(values: NDArray[np.int64]) -> dict[int, int]:
    """Return the values that occur and how often each."""
    low, high = int(values.min()), int(values.max())
    if high - low > MOST_BINS:
        distinct, counts = np.unique(values, return_counts=True)
        return dict(zip(distinct.tolist(), counts.tolist(), strict=True))
    counts = np.bincount(values - low)
    found = np.nonzero(counts)[0]
    return dict(zip((found + low).tolist(), counts[found].tolist(), strict=True))


@dataclass
class Duel:
    """Two bots against each other: every board value that occurred, and how often.

    Attributes:
        first: the bot whose gain is counted.
        second: the other one.
        payoff_divisor: what a payoff is counted in.
        replays: how often a board is played.
        payoffs: what the first bot gained on a board, in units, and on how many boards.
        scores: two points for each replay in which it had more than the other, one for a tie.
    """

    first: int
    second: int
    payoff_divisor: int
    replays: int
    payoffs: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)

    def add(self, payoffs: NDArray[np.int64], scores: NDArray[np.int64]) -> None:
        """Add some boards."""
        self.payoffs.update(counts_of(payoffs))
        self.scores.update(counts_of(scores))

    def merge(self, other: Duel) -> None:
        """Add other boards."""
        self.payoffs.update(other.payoffs)
        self.scores.update(other.scores)

    @property
    def payoff(self) -> Estimate:
        """The mean gain of the first bot, and its interval over boards."""
        return self._sums().estimate(self.payoffs.total())

    @property
    def deviation(self) -> float:
        """The standard deviation of the first bot's gain on a board; nan for fewer than two."""
        return self._sums().deviation(self.payoffs.total())

    def _sums(self) -> Sums:
        total = sum(value * count for value, count in self.payoffs.items())
        squares = sum(value * value * count for value, count in self.payoffs.items())
        return Sums(total, squares, self.payoff_divisor)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """On how many boards the first bot gained, gained nothing, and lost."""
        signs = Counter[int]()
        for value, count in self.payoffs.items():
            signs[(value > 0) - (value < 0)] += count
        return signs[1], signs[0], signs[-1]

    def payoff_support(self) -> tuple[list[float], list[int]]:
        """Return the gains that occurred, ascending, and how often each."""
        values = sorted(self.payoffs)
        return [value / self.payoff_divisor for value in values], [self.payoffs[v] for v in values]

    def score_support(self) -> tuple[list[float], list[int]]:
        """Return all scores of a board from 0 to 1, and how often each occurred."""
        most = 2 * self.replays
        return [score / most for score in range(most + 1)], [
            self.scores[s] for s in range(most + 1)
        ]


class Values(NamedTuple):
    """What some boards come to, in whole numbers.

    Shapes: measures (values, boards), the first of them those of ``Weights.keys``; seats (players,
    boards), from eldest to dealer; for each duel payoffs (boards,) and scores (boards,).
    """

    measures: NDArray[np.int64]
    seats: NDArray[np.int64]
    duels: list[tuple[NDArray[np.int64], NDArray[np.int64]]]


class Weights:
    """The matrices that turn rows into board values, one for each pairing."""

    def __init__(self, conditions: Conditions, bots: int, pairings: Sequence[Pairing]) -> None:
        self.conditions = conditions
        self.pairings = pairings
        self.fields = {**measures_of(conditions.rules)}
        told = (*self.fields, *HEAD_MEASURES, *sums_of(conditions.rules))
        self.keys = [(measure, bot) for bot in range(bots) for measure in ("payoff", *told)]
        self.column = {key: place for place, key in enumerate(self.keys)}
        self.duels = [pairing for pairing in pairings if pairing.is_duel]
        self.shared = len(self.keys) + conditions.players
        self.width = self.shared + sum(1 + len(duel.seatings) for duel in self.duels)
        self.matrices = [_sparse(matrix) for matrix in self._matrices()]

    def _matrices(self) -> Iterator[NDArray[np.int64]]:
        """Yield the weights of each pairing: measures, seats, and columns for each duel alone."""
        c, at = self.conditions, self.shared
        for pairing in self.pairings:
            weights = np.zeros((len(pairing.seatings), row_width(c), self.width), dtype=np.int64)
            for place, bot in enumerate(pairing.bots):
                self._weigh_bot(weights, pairing, place, bot)
            start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * c.players
            payoffs = weights[:, start : start + c.players]
            for seat in range(c.players):
                payoffs[:, seat, len(self.keys) + seat] = 1
            if pairing.is_duel:
                _weigh_duel(payoffs[:, :, at:], pairing)
                at += 1 + len(pairing.seatings)
            yield weights.reshape(-1, self.width)

    def _weigh_bot(
        self, weights: NDArray[np.int64], pairing: Pairing, place: int, bot: int
    ) -> None:
        players = self.conditions.players
        mine = np.array(pairing.seatings) == bot

        def weigh(measure: str, block: int, by_seat: NDArray[np.int64]) -> None:
            start = rows.HEAD_SIZE + block * players
            weights[:, start : start + players, self.column[measure, bot]] += by_seat

        weigh("payoff", rows.BLOCK_PAYOFF, pairing.weights[place])
        for measure, block in self.fields.items():
            weigh(measure, block, mine.astype(np.int64))
        for measure, parts in sums_of(self.conditions.rules).items():
            for part, sign in parts.items():
                weigh(measure, self.fields[part], sign * mine.astype(np.int64))
        for measure, head in HEAD_MEASURES.items():
            weights[:, head, self.column[measure, bot]] = mine.sum(axis=1)

    def values(self, results: Sequence[Columns], first: int) -> Values:
        """Return the values of the boards from ``first`` on, from the columns of every pairing."""
        count = results[0].shape[-1]
        total = np.zeros((self.width, count), dtype=np.int64)
        for matrix, result in zip(self.matrices, results, strict=True):
            columns = result.reshape(-1, count)
            summing.sum_boards(columns, matrix.indptr, matrix.indices, matrix.data, total)
        duels, at = [], self.shared
        for duel in self.duels:
            end = at + 1 + len(duel.seatings)
            duels.append((total[at], _scores(total[at + 1 : end])))
            at = end
        seats = from_eldest(total[len(self.keys) : self.shared], self.conditions, first)
        return Values(total, seats, duels)


def _weigh_duel(payoffs: NDArray[np.int64], pairing: Pairing) -> None:
    """Write the columns of a duel: the first bot's gain, then for each replay who had more.

    Shape: payoffs (replays, seats, columns).
    """
    seatings = np.array(pairing.seatings)
    first, second = (seatings == bot for bot in pairing.bots)
    payoffs[:, :, 0] = pairing.weights[0]
    means = np.where(first, second.sum(axis=1)[:, None], -first.sum(axis=1)[:, None])
    for replay in range(len(seatings)):
        payoffs[replay, :, 1 + replay] = means[replay]


def _scores(means: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return two points for each replay in which the first bot had more, and one for a tie."""
    ahead: NDArray[np.int64] = np.sign(means).sum(axis=0)
    return ahead + len(means)


def _sparse(matrix: NDArray[np.int64]) -> Any:
    """Return a matrix column by column without its zeros, as ``summing`` takes it."""
    assert np.abs(matrix).max() < 2**31
    found = csc_array(matrix)
    found.indptr, found.indices = found.indptr.astype(np.int64), found.indices.astype(np.int64)
    found.data = found.data.astype(np.int32)
    return found


def from_eldest(
    by_seat: NDArray[np.int64], conditions: Conditions, first: int
) -> NDArray[np.int64]:
    """Return values of seats in the order of play: the dealer's left neighbour first.

    Shapes: by_seat and what is returned (players, boards), board ``first`` and on.
    """
    players, boards = by_seat.shape
    named = conditions.rules.first_dealer
    dealers = named if isinstance(named, int) else np.arange(first, first + boards)
    turns = 1 + np.arange(players)[:, None]
    return np.take_along_axis(by_seat, (dealers + turns) % players, axis=0)


def fingerprint(pairing: int, first: int, columns: Columns) -> list[int]:
    """Return two fingerprints of a pairing's rows from board ``first`` on."""
    _, width, boards = columns.shape
    factors, keys = np.zeros(width, np.int64), np.zeros(boards, np.int64)
    prints = np.zeros(summing.FINGERPRINTS, np.int64)
    summing.print_rows(columns, pairing, first, factors, keys, prints)
    return prints.tolist()


@dataclass
class Tally:
    """The running sums of a tournament; boards may be added in any order.

    Attributes:
        conditions: what is played.
        names: of the bots.
        pairings: who meets whom.
        boards: how many boards are in the sums.
        sums: of each measure and bot.
        seats: of the payoffs of each seat, from eldest to dealer.
        duels: of each two bots that met.
        forfeits: how often each bot forfeited.
        prints: the exclusive or of all ``fingerprint``.
    """

    conditions: Conditions
    names: Sequence[str]
    pairings: Sequence[Pairing]
    boards: int = 0
    sums: dict[tuple[str, int], Sums] = field(default_factory=dict)
    seats: list[Sums] = field(default_factory=list)
    duels: list[Duel] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)
    prints: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        units = self.conditions.payoff_units
        self.forfeits = [0] * len(self.names)
        self.prints = [0] * summing.FINGERPRINTS
        replays = sum(len(pairing.seatings) for pairing in self.pairings)
        self.seats = [Sums(divisor=replays * units) for _ in range(self.conditions.players)]
        for measure, bot in self.weights.keys:
            mine = [pairing for pairing in self.pairings if bot in pairing.bots]
            seats = sum(s.count(bot) for pairing in mine for s in pairing.seatings)
            divisors = [int(p.divisor[p.bots.index(bot)]) for p in mine]
            divisor = sum(divisors) * units if measure == "payoff" else seats
            self.sums[measure, bot] = Sums(divisor=divisor)
        self.duels = [
            Duel(a, b, int(pairing.divisor[0]) * units, len(pairing.seatings))
            for pairing in self.weights.duels
            for a, b in [pairing.bots]
        ]

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "weights"}

    @cached_property
    def weights(self) -> Weights:
        """What turns rows into board values."""
        return Weights(self.conditions, len(self.names), self.pairings)

    def empty(self) -> Tally:
        """Return a tally of the same tournament without any boards."""
        other = Tally.__new__(Tally)
        other.__dict__.update(self.__dict__)
        other.boards, other.sums = 0, {}
        other.__post_init__()
        return other

    def add_rows(self, results: Sequence[Rows], first: int) -> None:
        """Add boards ``first`` and on: their rows for every pairing, in the pairings' order."""
        self.add([in_columns(result) for result in results], first)

    def add(self, results: Sequence[Columns], first: int) -> None:
        """Add boards ``first`` and on: their columns for every pairing, in the pairings' order."""
        values = self.weights.values(results, first)
        self.boards += values.seats.shape[1]
        add_values([self.sums[key] for key in self.weights.keys], values.measures)
        add_values(self.seats, values.seats)
        for duel, (payoffs, scores) in zip(self.duels, values.duels, strict=True):
            duel.add(payoffs, scores)
        for number, (pairing, result) in enumerate(zip(self.pairings, results, strict=True)):
            self._add_forfeits(pairing, result[:, rows.ROW_FORFEIT])
            self._add_prints(fingerprint(number, first, result))

    def _add_prints(self, prints: Sequence[int]) -> None:
        self.prints = [a ^ b for a, b in zip(self.prints, prints, strict=True)]

    @property
    def digest(self) -> str:
        """The identity of all rows, in 32 hexadecimal digits."""
        return "".join(f"{word & WORD:016x}" for word in self.prints)

    def _add_forfeits(self, pairing: Pairing, forfeited: NDArray[np.int32]) -> None:
        if forfeited.max() < 0:
            return
        for replay, board in zip(*np.nonzero(forfeited >= 0), strict=True):
            self.forfeits[pairing.seatings[replay][forfeited[replay, board]]] += 1

    def merge(self, other: Tally) -> None:
        """Add the boards of another tally of the same tournament."""
        self.boards += other.boards
        for key, sums in other.sums.items():
            self.sums[key].merge(sums)
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.merge(theirs)
        for duel, found in zip(self.duels, other.duels, strict=True):
            duel.merge(found)
        self.forfeits = [a + b for a, b in zip(self.forfeits, other.forfeits, strict=True)]
        self._add_prints(other.prints)

    def estimate(self, measure: str, bot: int) -> Estimate:
        """Return a measure of a bot per deal (per game), with its interval over boards."""
        return self.sums[measure, bot].estimate(self.boards)

    def running_estimate(self) -> str:
        """Return the leader's payoff so far, for a progress bar."""
        best = max(range(len(self.names)), key=lambda bot: self.estimate("payoff", bot).mean)
        value = self.estimate("payoff", best)
        digits = value.digits()
        return f"{self.names[best]} {value.mean:+.{digits}f} ± {value.half_width:.{digits}f}"
