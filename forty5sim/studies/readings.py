"""How much a rule matters: the same deals under two sets of rules, played by the same bots.

Each reading of the rules is played by one bot at all seats, by that bot against another, and over
whole games; deal n has the same seed under every reading, so differences are paired deal by deal.
The bots are not fitted to a reading: what is measured is the rule under these bots, not what it
would be worth to players who have learned to live with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from forty5sim.arena.conditions import Conditions, Rows, board_game
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_SEED, whole_number
from forty5sim.arena.schedule import pair
from forty5sim.arena.tally import from_eldest
from forty5sim.errors import RuleSetError, RunError
from forty5sim.kernels import rows
from forty5sim.named_rules import find_rules
from forty5sim.options import POT
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import MAX_PLAYERS, RuleSet
from forty5sim.seats import Seats
from forty5sim.stats import Estimate, estimate

if TYPE_CHECKING:
    import pandas as pd

DEALS = 20_000
GAMES_SHARE = 5  # whole games: one for so many deals
WATCHED_SHARE = 20  # deals whose legal cards are counted: one of so many
CHUNK = 2000
MILLION = 10**6
MOST_DEALS = 10**8


@dataclass(frozen=True)
class Sample:
    """What was counted under one reading, a value a deal or game, in units of 1 / ``units``."""

    values: NDArray[np.int64]
    units: int

    def mean(self) -> Estimate:
        """Return the mean with its interval."""
        return _mean(self.values, self.units)

    def less(self, other: Sample) -> Estimate:
        """Return the mean of the paired differences to another reading, with its interval."""
        return _mean(
            self.values * other.units - other.values * self.units, self.units * other.units
        )


def _mean(values: NDArray[np.int64], units: int) -> Estimate:
    whole = values.tolist()
    return estimate(sum(whole), sum(value * value for value in whole), len(whole), units)


def compare_rules(
    game: str | RuleSet,
    readings: str | RuleSet | Sequence[str | RuleSet],
    *,
    players: int | None = None,
    bot: str = "heuristic",
    against: str = "random",
    deals: int = DEALS,
    seed: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what each reading of the rules changes.

    Args:
        game: the rules to start from, or their spec.
        readings: other rules, or their specs: ``"spoil-five:jink=off"``; one or several.
        players: seats; the game's usual number if None.
        bot: who plays.
        against: the weaker bot that ``skill`` is measured by.
        deals: how many are played; a fifth as many whole games, and a twentieth are watched card
            by card.
        seed: fixes cards and chances.
        progress: show a bar.

    Returns:
        A row for each reading and quantity: ``game``, ``reading``, ``quantity``, ``value`` with its
        95 % half-width ``value_ci``, ``change`` from ``game`` with ``change_ci`` (nan for the game
        itself), and ``n``, deals or games. Quantities: ``eldest`` and ``dealer``, payoff a deal of
        these seats; ``spoiled``, share of deals that nobody wins (pot games); ``skill``, what a
        seat gains a deal by the bot instead of the other; ``choice``, legal cards at a play;
        ``deals``, in a whole game.

    Raises:
        RunError: without a reading, or for numbers out of range.
        RuleSetError: for rules that are none, are not for so many players, or are of another
            family of games or have other sides.
        AgentError: for a bot that cannot be found.
    """
    import pandas as pd

    if isinstance(readings, (str, RuleSet)):
        readings = [readings]
    if not readings:
        raise RunError("name at least one reading to compare with the game")
    base = _rules(game)
    seats = base.default_players if players is None else players
    seats = whole_number("players", seats, 2, MAX_PLAYERS)
    deals = whole_number("deals", deals, 2 * WATCHED_SHARE, MOST_DEALS)
    seed = whole_number("seed", seed, 0, MAX_SEED)
    several = [Conditions(rules, seats, seed) for rules in (base, *map(_rules, readings))]
    for conditions in several:
        _check_alike(several[0], conditions)
    bots = [find_bot(bot), find_bot(against)]
    found: list[dict[str, Any]] = []
    first: dict[str, Sample] = {}
    for conditions in tqdm(several, desc="readings", disable=not progress, leave=False):
        samples = dict(_samples(conditions, bots, deals))
        first = first or samples
        found += [
            {"game": base.id, **_row(conditions.rules.id, quantity, sample, first.get(quantity))}
            for quantity, sample in samples.items()
        ]
    return pd.DataFrame(found)


def _check_alike(base: Conditions, other: Conditions) -> None:
    """Raise unless payoffs of the two can be compared: one family, and as many sides."""
    if base.rules.family != other.rules.family or base.sides != other.sides:
        raise RuleSetError(
            f"{other.rules.id} cannot be compared with {base.rules.id}: readings are of one family"
            f" and have as many sides, {base.rules.family} and {base.sides} here, not"
            f" {other.rules.family} and {other.sides}"
        )


def _rules(rules: str | RuleSet) -> RuleSet:
    return rules if isinstance(rules, RuleSet) else find_rules(rules)


def _row(reading: str, quantity: str, sample: Sample, base: Sample | None) -> dict[str, Any]:
    here = sample.mean()
    known = base is not None and base is not sample
    change = sample.less(base) if known and base else Estimate(np.nan, np.nan, here.n)
    return {
        "reading": reading,
        "quantity": quantity,
        "value": here.mean,
        "value_ci": here.half_width,
        "change": change.mean,
        "change_ci": change.half_width,
        "n": here.n,
    }


def _samples(
    conditions: Conditions, bots: Sequence[Bot], deals: int
) -> Iterator[tuple[str, Sample]]:
    """Yield all quantities of one reading, by name."""
    seats, units = conditions.players, conditions.payoff_units
    alone = np.concatenate(
        [
            np.column_stack([_from_eldest(conditions, found, at), found[:, 0, rows.ROW_SPOILS]])
            for at, found in _played(conditions, bots[:1], [(0,) * seats], deals)
        ]
    )
    yield "eldest", Sample(alone[:, 0], units)
    yield "dealer", Sample(alone[:, seats - 1], units)
    if conditions.rules.family == POT:
        yield "spoiled", Sample(alone[:, seats], 1)
    yield "skill", _skill(conditions, bots, deals)
    yield "choice", _choice(conditions, bots[0], deals // WATCHED_SHARE)
    whole = replace(conditions, whole_games=True)
    lengths = _played(whole, bots[:1], [(0,) * seats], max(2, deals // GAMES_SHARE))
    yield "deals", Sample(np.concatenate([found[:, 0, rows.ROW_DEALS] for _, found in lengths]), 1)


def _played(
    conditions: Conditions, bots: Sequence[Bot], seatings: Sequence[Sequence[int]], boards: int
) -> Iterator[tuple[int, Rows]]:
    """Yield the rows of boards, chunk by chunk, each with the number of its first board."""
    for first in range(0, boards, CHUNK):
        count = min(CHUNK, boards - first)
        yield first, play_pairing(conditions, bots, seatings, first, count)[0]


def _payoffs(conditions: Conditions, found: Rows) -> Rows:
    """Return the payoffs of all seats, shape (boards, replays, seats), in units."""
    start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * conditions.players
    return found[:, :, start : start + conditions.players]


def _from_eldest(conditions: Conditions, found: Rows, first: int) -> NDArray[np.int64]:
    payoffs = _payoffs(conditions, found)[:, 0].astype(np.int64)
    return from_eldest(payoffs.T, conditions, first).T


def _skill(conditions: Conditions, bots: Sequence[Bot], deals: int) -> Sample:
    """Return what the first bot gains from the second, a value a board: one deal, all seatings."""
    pairing = pair(0, 1, conditions.players, conditions.sides)
    boards = max(2, deals // len(pairing.seatings))
    gains = [
        (_payoffs(conditions, found) * pairing.weights[0]).sum(axis=(1, 2))
        for _, found in _played(conditions, bots, pairing.seatings, boards)
    ]
    return Sample(np.concatenate(gains), conditions.payoff_units * int(pairing.divisor[0]))


def _choice(conditions: Conditions, bot: Bot, deals: int) -> Sample:
    """Return the mean number of legal cards at a play, a value a deal, in millionths."""
    found = np.zeros(deals, dtype=np.int64)
    for deal in range(deals):
        game = board_game(conditions, deal)
        legal = [
            game.legal_mask.bit_count()
            for step in Seats([bot] * conditions.players).play_on(game)
            if step.phase == "play"
        ]
        found[deal] = MILLION * sum(legal) // max(1, len(legal))
    return Sample(found, MILLION)
