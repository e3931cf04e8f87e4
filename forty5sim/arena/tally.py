"""The exact sums of a tournament: added up in any order, by any number of workers, they agree.

All that is told of a bot is a sum over its seats, so a board's values are one product: its rows
times a matrix of weights. Whole numbers far below 2^53 are exact in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forty5sim.arena.fields import HEAD_MEASURES, measures_of, sums_of
from forty5sim.arena.match import Conditions, Rows, row_width
from forty5sim.arena.schedule import Pairing
from forty5sim.kernels import rows
from forty5sim.stats import Estimate, estimate

SAFE_SQUARES = 2**62


@dataclass
class Sums:
    """Exact sums of board values: the values, their squares, what divides them."""

    total: int = 0
    squares: int = 0
    divisor: int = 0

    def add(self, values: NDArray[np.int64]) -> None:
        """Add the values of some boards."""
        self.total += int(values.sum())
        most = int(np.abs(values).max(initial=0))
        if most * most * len(values) < SAFE_SQUARES:
            self.squares += int(values @ values)
        else:
            self.squares += sum(value * value for value in values.tolist())

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
        for counter, values in ((self.payoffs, payoffs), (self.scores, scores)):
            distinct, counts = np.unique(values, return_counts=True)
            counter.update(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))

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
    """What some boards come to: whole numbers, a row a board.

    Shapes: measures (boards, columns of ``Weights.keys``), seats (boards, players); for each duel
    payoffs (boards,) and scores (boards,).
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
        self.matrices = [self._matrix(pairing) for pairing in pairings]

    def _matrix(self, pairing: Pairing) -> NDArray[np.float64]:
        """Return the weights of a pairing: measures, seats, and in a duel its replays."""
        c = self.conditions
        shape = (len(pairing.seatings), row_width(c), len(self.keys) + c.players)
        weights = np.zeros(shape)
        for place, bot in enumerate(pairing.bots):
            self._weigh_bot(weights, pairing, place, bot)
        start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * c.players
        for seat in range(c.players):
            weights[:, start + seat, len(self.keys) + seat] = 1
        matrix = weights.reshape(-1, shape[2])
        return np.hstack([matrix, self._by_replay(pairing)]) if pairing.is_duel else matrix

    def _weigh_bot(
        self, weights: NDArray[np.float64], pairing: Pairing, place: int, bot: int
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

    def _by_replay(self, pairing: Pairing) -> NDArray[np.float64]:
        """Return the weights of a replay's difference: the first bot's mean less the second's."""
        c = self.conditions
        seatings = np.array(pairing.seatings)
        first, second = (seatings == bot for bot in pairing.bots)
        difference = np.where(first, second.sum(axis=1)[:, None], -first.sum(axis=1)[:, None])
        replays = len(seatings)
        weights = np.zeros((replays, row_width(c), replays))
        start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * c.players
        for replay in range(replays):
            weights[replay, start : start + c.players, replay] = difference[replay]
        return weights.reshape(-1, replays)

    def values(self, results: Sequence[Rows], first: int) -> Values:
        """Return the values of the boards from ``first`` on, from the rows of every pairing."""
        c, count = self.conditions, len(results[0])
        split = len(self.keys) + c.players
        total = np.zeros((count, split))
        duels = []
        for pairing, matrix, result in zip(self.pairings, self.matrices, results, strict=True):
            product = result.reshape(count, -1).astype(np.float64) @ matrix
            total += product[:, :split]
            if pairing.is_duel:
                payoffs = product[:, self.column["payoff", pairing.bots[0]]]
                scores = (np.sign(product[:, split:]) + 1).sum(axis=1)
                duels.append((payoffs.astype(np.int64), scores.astype(np.int64)))
        whole = total.astype(np.int64)
        seats = _from_eldest(whole[:, len(self.keys) :], c, first)
        return Values(whole[:, : len(self.keys)], seats, duels)


def _from_eldest(by_seat: NDArray[np.int64], conditions: Conditions, first: int) -> Rows:
    """Return values of seats in the order of play: the dealer's left neighbour first."""
    players = conditions.players
    named = conditions.rules.first_dealer
    boards = np.arange(first, first + len(by_seat))[:, None]
    dealers = named if isinstance(named, int) else boards % players
    order = (dealers + 1 + np.arange(players)) % players
    return np.take_along_axis(by_seat, np.broadcast_to(order, by_seat.shape), axis=1)


LANES = 2
WORD = 2**64 - 1


def fingerprint(pairing: int, first: int, result: Rows) -> list[int]:
    """Return two sums, modulo 2^64, of a hash of every row with its pairing, board and replay.

    Sums of hashes do not depend on the order or the cuts in which boards come in.
    """
    boards, replays, width = result.shape
    flat = result.reshape(-1, width).astype(np.uint64)
    places = np.arange(first * replays, (first + boards) * replays, dtype=np.uint64)
    sums = []
    for lane in range(LANES):
        odd = _mixed(np.arange(width + 2, dtype=np.uint64) + np.uint64(1 + lane * 4096)) | 1
        mine = np.full(1, pairing + 1, dtype=np.uint64) * odd[width + 1]
        hashes = flat @ odd[:width] + places * odd[width] + mine
        sums.append(int(_mixed(hashes).sum(dtype=np.uint64)))
    return sums


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return SplitMix64's finaliser of each word."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))


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
        prints: the sums of ``fingerprint``.
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
        self.prints = [0] * LANES
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

    def add(self, results: Sequence[Rows], first: int) -> None:
        """Add boards ``first`` and on: their rows for every pairing, in the pairings' order."""
        values = self.weights.values(results, first)
        self.boards += len(values.seats)
        for key, column in zip(self.weights.keys, values.measures.T, strict=True):
            self.sums[key].add(np.ascontiguousarray(column))
        for sums, column in zip(self.seats, values.seats.T, strict=True):
            sums.add(np.ascontiguousarray(column))
        for duel, (payoffs, scores) in zip(self.duels, values.duels, strict=True):
            duel.add(payoffs, scores)
        for number, (pairing, result) in enumerate(zip(self.pairings, results, strict=True)):
            self._add_forfeits(pairing, result[:, :, rows.ROW_FORFEIT])
            self._add_prints(fingerprint(number, first, result))

    def _add_prints(self, prints: Sequence[int]) -> None:
        self.prints = [(a + b) & WORD for a, b in zip(self.prints, prints, strict=True)]

    @property
    def digest(self) -> str:
        """The identity of all rows, in 32 hexadecimal digits."""
        return "".join(f"{word:016x}" for word in self.prints)

    def _add_forfeits(self, pairing: Pairing, forfeited: NDArray[np.int64]) -> None:
        for board, replay in zip(*np.nonzero(forfeited >= 0), strict=True):
            self.forfeits[pairing.seatings[replay][forfeited[board, replay]]] += 1

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
