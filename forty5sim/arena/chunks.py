"""A chunk: some boards of every pairing of a plan, played in one go by one worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from forty5sim.arena.asked import NOWHERE, Fault, Place, Watch, is_from_file
from forty5sim.arena.conditions import Rows
from forty5sim.arena.match import plain_twin, play_pairing
from forty5sim.arena.plan import Plan
from forty5sim.kernels.asking import address_of
from forty5sim.registry import Bot, find_bot


class Chunk(NamedTuple):
    """What came of some boards: the rows of each pairing, and the faults."""

    first: int
    results: list[Rows]
    faults: list[Fault]


class ChunkPlace(NamedTuple):
    """A place in a chunk: the pairing, and where in it."""

    pairing: int
    place: Place


Problems = Mapping[ChunkPlace, str]
"""What is known to go wrong, and where: there the bot is not asked, and its replay forfeited."""


class ChunkWatch(Watch):
    """Knows which pairing of a chunk is played, and what went wrong in it before.

    Args:
        problems: what is known to go wrong, and where.
        one_by_one: ask compiled bots from files one question at a time, so that each has a place.
    """

    def __init__(self, problems: Problems | None = None, one_by_one: bool = False) -> None:
        self.problems = problems or {}
        self.one_by_one = one_by_one
        self.pairing = 0

    def loaded(self, bots: Sequence[Bot]) -> None:
        """Note that these bots are ready to play."""

    def enters(self, place: Place) -> str | None:
        """Return what is known to go wrong here."""
        return self.problems.get(ChunkPlace(self.pairing, place)) if self.problems else None


def play_chunk(plan: Plan, first: int, count: int, watch: ChunkWatch | None = None) -> Chunk:
    """Play some boards of every pairing; workers call this, building the bots themselves."""
    watch = watch or ChunkWatch()
    bots = [load_bot(number, spec, watch, plan) for number, spec in enumerate(plan.bots)]
    watch.loaded(bots)
    chunk = Chunk(first, [], [])
    stop = plan.on_error == "stop"
    for number, pairing in enumerate(plan.pairings):
        watch.pairing = number
        rows, faults = play_pairing(
            plan.conditions, bots, pairing.seatings, first, count, stop_on_fault=stop, watch=watch
        )
        chunk.results.append(rows)
        chunk.faults.extend(faults)
    return chunk


def load_bot(number: int, spec: str, watch: ChunkWatch, plan: Plan | None = None) -> Bot:
    """Find a bot, compiled for a plan; while its file is loaded the word is with this bot."""
    if not is_from_file(spec):
        return _found(spec)
    watch.enters(Place(number, *NOWHERE))
    try:
        bot = _found(spec)
        if bot.compiled and plan:
            for part in bot.compiled.parts_in(plan.rules, plan.players):
                address_of(*part)
    finally:
        watch.leaves()
    return plain_twin(bot) if watch.one_by_one else bot


@cache
def _found(spec: str) -> Bot:
    return find_bot(spec)
