"""Who sits where: the pairings of a tournament, each with its replays and how they are weighed.

A *seating* names the bot of each seat. A pairing's replays are the seatings of one board; its
weights turn their payoffs into a statistic for each bot of the pairing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Seating = tuple[int, ...]


@dataclass(frozen=True)
class Pairing:
    """Some bots over a series of boards.

    Attributes:
        bots: the bots that take part, as places in the tournament's list.
        seatings: one for each replay of a board.
        weights: int64, shape (len(bots), replays, seats): a bot's payoff for a board is the sum
            of weight x payoff, divided by ``divisor``.
        divisor: int64, shape (len(bots),).
    """

    bots: tuple[int, ...]
    seatings: tuple[Seating, ...]
    weights: NDArray[np.int64]
    divisor: NDArray[np.int64]


def round_robin(bot_count: int, players: int, sides: int) -> list[Pairing]:
    """Return a pairing for every two bots."""
    return [pair(a, b, players, sides) for a, b in combinations(range(bot_count), 2)]


def pair(a: int, b: int, players: int, sides: int) -> Pairing:
    """Return the pairing of two bots: each alone on one side among the other, on every side.

    With two sides that is side against side, exchanged. The payoff of a bot is what a seat gains
    by playing it instead of the other: the mean of what it wins alone among the others, and of
    what the other loses alone among it. The two payoffs add up to zero.
    """
    alone = [(a, b)] if sides == 2 else [(a, b), (b, a)]
    seatings: list[Seating] = []
    weights = np.zeros((2, len(alone) * sides, players), dtype=np.int64)
    for lone, others in alone:
        for side in range(sides):
            sign = 1 if lone == a else -1
            weights[0, len(seatings), side] = sign
            weights[1, len(seatings), side] = -sign
            seatings.append(tuple(lone if s % sides == side else others for s in range(players)))
    divisor = np.full(2, len(seatings), dtype=np.int64)
    return Pairing((a, b), tuple(seatings), weights, divisor)


def fixed_table(seating: Sequence[int]) -> Pairing:
    """Return one given mix of bots, rotated through all seats; payoffs are means over seats."""
    players = len(seating)
    bots = tuple(sorted(set(seating)))
    rotations = [tuple(seating[(s + r) % players] for s in range(players)) for r in range(players)]
    table = np.array(rotations)
    weights = np.stack([(table == bot).astype(np.int64) for bot in bots])
    return Pairing(bots, tuple(rotations), weights, weights.sum(axis=(1, 2)))
