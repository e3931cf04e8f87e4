"""Who sits where: the pairings of a tournament, each with its replays and how they are weighed.

A *seating* names the bot of each seat. A pairing's replays are the seatings of one board; its
weights turn their payoffs into a statistic for each bot of the pairing. Every pairing plays the
same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Seating = tuple[int, ...]

ROTATIONS, NEIGHBOURS = "rotations", "neighbours"
SEAT_DESIGNS = (ROTATIONS, NEIGHBOURS)


@dataclass(frozen=True)
class Pairing:
    """Some bots over a series of boards.

    Attributes:
        bots: the bots that take part, as places in the tournament's list.
        seatings: one for each replay of a board.
        weights: int64, shape (len(bots), replays, seats): a bot's payoff for a board is the sum
            of weight x payoff, divided by ``divisor``.
        divisor: int64, shape (len(bots),).
        is_duel: whether two bots meet, and what one gains the other loses.
    """

    bots: tuple[int, ...]
    seatings: tuple[Seating, ...]
    weights: NDArray[np.int64]
    divisor: NDArray[np.int64]
    is_duel: bool


def round_robin(bot_count: int, players: int, sides: int) -> list[Pairing]:
    """Return a pairing for every two bots."""
    return [pair(a, b, players, sides) for a, b in combinations(range(bot_count), 2)]


def gauntlet(new: int, bot_count: int, players: int, sides: int) -> list[Pairing]:
    """Return a pairing for each of the first ``new`` bots with each of the others, the field."""
    return [pair(a, b, players, sides) for a in range(new) for b in range(new, bot_count)]


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
    return Pairing((a, b), tuple(seatings), weights, divisor, is_duel=True)


def fixed_table(seating: Sequence[int], design: str = ROTATIONS) -> Pairing:
    """Return one given mix of bots in every seat; payoffs are means over seats.

    By ``rotations`` the order round the table stays; by ``neighbours`` each place of the list has
    each other one on its left equally often.
    """
    players = len(seating)
    orders = circular_orders(players) if design == NEIGHBOURS else [tuple(range(players))]
    turned = [
        tuple(seating[order[(seat + turn) % players]] for seat in range(players))
        for order in orders
        for turn in range(players)
    ]
    bots = tuple(sorted(set(seating)))
    table = np.array(turned)
    weights = np.stack([(table == bot).astype(np.int64) for bot in bots])
    return Pairing(bots, tuple(turned), weights, weights.sum(axis=(1, 2)), is_duel=False)


def circular_orders(players: int) -> list[Seating]:
    """Return orders round a table in which everybody follows everybody else equally often.

    All (n - 1)! orders would be too many. Walecki's cycles: one player stays, the others zigzag
    0, 1, -1, 2, -2, … and are turned on; each order is taken both ways round. For an odd number
    of players they hold each neighbourhood once, for an even number twice.

    >>> circular_orders(3)
    [(2, 0, 1), (1, 0, 2)]
    """
    moving = players - 1
    steps = [(step + 1) // 2 if step % 2 else -step // 2 for step in range(moving)]
    turns = moving if players % 2 == 0 else moving // 2
    cycles = [
        (moving, *((step + turn) % moving for step in steps)) for turn in range(max(1, turns))
    ]
    if players == 2:
        return cycles
    return cycles + [tuple(reversed(cycle)) for cycle in cycles]
