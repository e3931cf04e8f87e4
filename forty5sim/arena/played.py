"""What a worker hands over of a chunk: a part to be written as it is, and its boards' sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache

from forty5sim.arena.asked import Fault
from forty5sim.arena.chunks import Chunk
from forty5sim.arena.fields import column_names, is_large
from forty5sim.arena.plan import Plan
from forty5sim.arena.store import PartRows
from forty5sim.arena.tally import Tally

BLOCK_DEALS = 10_000
"""Deals that are played, summed up and packed before the next: their rows stay in the cache."""


@dataclass(frozen=True)
class Played:
    """Some boards, summed up and packed where they were played.

    Attributes:
        first: number of the first board.
        count: number of boards.
        part: the file of their rows (``store.PartRows``).
        tally: their sums.
        faults: what bots did wrong.
    """

    first: int
    count: int
    part: bytes
    tally: Tally
    faults: list[Fault]


def play_packed(plan: Plan, first: int, count: int, play: Callable[[int, int], Chunk]) -> Played:
    """Play boards block by block, sum up and pack each.

    Args:
        plan: what is played.
        first: number of the first board.
        count: how many boards.
        play: plays a block, told its first board and how many.
    """
    tally = blank_tally(plan).empty()
    names = column_names(plan.rules, plan.players)
    columns = {name: is_large(name, whole_games=plan.whole_games) for name in names}
    rows = PartRows(first, count, [len(p.seatings) for p in tally.pairings], columns)
    faults: list[Fault] = []
    for start, size in _blocks(plan, first, count):
        block = play(start, size)
        tally.add(block.results, start)
        rows.put(start, block.results)
        faults += block.faults
    return Played(first, count, rows.packed([asdict(fault) for fault in faults]), tally, faults)


def _blocks(plan: Plan, first: int, count: int) -> Iterator[tuple[int, int]]:
    size = max(1, BLOCK_DEALS // plan.replays())
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


@lru_cache(maxsize=8)
def blank_tally(plan: Plan) -> Tally:
    """Return a tally of a plan to take empty copies of, which share its matrices."""
    tally = Tally(plan.conditions, plan.names or plan.bots, plan.pairings())
    _ = tally.weights
    return tally
