"""A chunk as it is handed over: a part to be written as it is, and its boards' sums."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

from forty5sim.arena.asked import Fault
from forty5sim.arena.chunks import Chunk
from forty5sim.arena.conditions import Columns, in_columns
from forty5sim.arena.fields import column_names
from forty5sim.arena.plan import Plan
from forty5sim.arena.store import Part, pack_part, read_part
from forty5sim.arena.tally import Tally


@dataclass(frozen=True)
class Played:
    """Some boards, summed up and packed where they were played.

    Attributes:
        first: number of the first board.
        count: number of boards.
        part: the file of their rows (``store.pack_part``).
        tally: their sums.
        faults: what bots did wrong.
    """

    first: int
    count: int
    part: bytes
    tally: Tally
    faults: list[Fault]


def packed(plan: Plan, chunk: Chunk) -> Played:
    """Sum up and pack what a worker has played."""
    columns = [in_columns(result) for result in chunk.results]
    tally = blank_tally(plan).empty()
    tally.add(columns, chunk.first)
    fields = column_names(plan.rules, plan.players)
    part = pack_part(columns, fields, [asdict(fault) for fault in chunk.faults])
    return Played(chunk.first, columns[0].shape[-1], part, tally, chunk.faults)


def unpacked(plan: Plan, part: Part) -> tuple[list[Columns], list[Fault]]:
    """Return what a part of a plan's run holds: the columns of each pairing, and the faults.

    Raises:
        RunError: if it is damaged, or of another plan.
    """
    replays = [len(pairing.seatings) for pairing in plan.pairings]
    columns, faults = read_part(part, column_names(plan.rules, plan.players), replays)
    return columns, [Fault(**fault) for fault in faults]


@lru_cache(maxsize=8)
def blank_tally(plan: Plan) -> Tally:
    """Return a tally of a plan to take empty copies of, which share its matrices."""
    tally = Tally(plan.conditions, plan.names or plan.bots, plan.pairings)
    _ = tally.weights
    return tally
