"""How many boards, and how long, to see an effect: worked out from a pilot before a run."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from forty5sim.arena.chunks import play_chunk
from forty5sim.arena.plan import Plan
from forty5sim.arena.played import blank_tally
from forty5sim.arena.tally import Tally
from forty5sim.errors import RunError
from forty5sim.stats import LEVEL, boards_for

PILOT_BOARDS = 5000
PILOT_STEP = 50
PILOT_SECONDS = 20.0
LEAST_PILOT = 30
POWER = 0.8
LEAST_EFFECT, MOST_EFFECT = 1e-6, 1e6


@dataclass(frozen=True)
class Forecast:
    """What it takes to see an effect.

    Attributes:
        bot: whose gain.
        against: the bot it meets, "" at a table.
        effect: the gain that is to be seen.
        power: how likely it is then to be seen at the 5 % level.
        deviation: the standard deviation of a board's value in the pilot.
        boards: how many boards that takes.
        fewest: the same at the lower end of the 95 % interval of the deviation.
        most: and at its upper end.
        pilot: boards of the pilot.
        seconds: what these boards take on so many cores, at the pilot's speed.
    """

    bot: str
    against: str
    effect: float
    power: float
    deviation: float
    boards: int
    fewest: int
    most: int
    pilot: int
    seconds: float


def forecast(plan: Plan, effect: float, *, power: float = POWER, cores: int = 1) -> list[Forecast]:
    """Return a forecast for each two bots that meet, or for each bot of a table.

    Args:
        plan: what is to be played; the pilot plays its first boards.
        effect: the gain to be seen, in payoff a board.
        power: how likely it is to be seen.
        cores: how many cores will play.

    Raises:
        RunError: for an effect or power that cannot be, or bots that are too slow for a pilot.
    """
    if not LEAST_EFFECT <= effect <= MOST_EFFECT:
        raise RunError(
            f"the effect to plan for must be {LEAST_EFFECT:g} to {MOST_EFFECT:g}, got {effect!r}"
        )
    if not 0 < power < 1:
        raise RunError(f"power must be between 0 and 1, got {power!r}")
    tally, seconds = _pilot(plan)
    return [
        _forecast(names, deviation, tally.boards, effect, power, seconds / cores)
        for names, deviation in _deviations(tally)
    ]


def _pilot(plan: Plan) -> tuple[Tally, float]:
    """Return the sums of the pilot, and the seconds that a board takes on one core."""
    play_chunk(plan, 0, 1)  # compiles
    tally = blank_tally(plan).empty()
    started = time.perf_counter()
    while tally.boards < PILOT_BOARDS:
        tally.add_rows(play_chunk(plan, tally.boards, PILOT_STEP).results, tally.boards)
        taken = time.perf_counter() - started
        if taken > PILOT_SECONDS and tally.boards >= LEAST_PILOT:
            break
    return tally, (time.perf_counter() - started) / tally.boards


def _deviations(tally: Tally) -> list[tuple[tuple[str, str], float]]:
    """Return the standard deviation of a board's value for each two bots, or each of a table."""
    if tally.duels:
        return [
            ((tally.names[duel.first], tally.names[duel.second]), duel.deviation)
            for duel in tally.duels
        ]
    return [
        ((name, ""), tally.sums["payoff", bot].deviation(tally.boards))
        for bot, name in enumerate(tally.names)
    ]


def _forecast(
    names: tuple[str, str],
    deviation: float,
    pilot: int,
    effect: float,
    power: float,
    seconds: float,
) -> Forecast:
    from scipy.special import chdtri  # not before it is needed

    if deviation == 0:
        raise RunError(
            f"{names[0]} gains the same on each of {pilot} boards, so there is nothing to plan for"
        )
    low, high = (
        deviation * math.sqrt((pilot - 1) / chdtri(pilot - 1, tail))
        for tail in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    )
    boards, fewest, most = (boards_for(effect, sd, power) for sd in (deviation, low, high))
    return Forecast(*names, effect, power, deviation, boards, fewest, most, pilot, seconds * boards)
