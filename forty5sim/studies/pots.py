"""How long a pot lasts: new pots, each followed deal by deal until somebody wins it.

A deal leaves its pot if it is spoiled, and a failed jink spoils it too. All pots that are left are
played for in the next deal, with the chips that lie in them by then; one bot sits at all seats, and
every deal has other cards. Stacks are full in each deal, so no pot ends because the chips do.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_POT, MAX_SEED, whole_number
from forty5sim.errors import RuleSetError, RunError
from forty5sim.kernels import rows as row_fields
from forty5sim.named_rules import find_rules
from forty5sim.options import POT
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RuleSet
from forty5sim.stats import share
from forty5sim.studies.effects import mean_of, row_of

if TYPE_CHECKING:
    import pandas as pd

POTS = 20_000
MOST_POTS = 10**7
FEWEST = 20
"""After so many spoiled deals that fewer pots than this were left, nothing more is told."""

Chips = NDArray[np.int64]


def follow_pots(
    game: str | RuleSet = "spoil-five",
    *,
    players: int = 5,
    bot: str = "heuristic",
    pots: int = POTS,
    seed: int = 1,
) -> pd.DataFrame:
    """Return how often a deal leaves its pot, how the pot grows, and how many deals it lasts.

    Args:
        game: rules with a pot, or their spec.
        players: at the table.
        bot: who plays, at all seats.
        pots: how many new pots are followed.
        seed: fixes cards and chances.

    Returns:
        Rows with ``players``, ``quantity``, ``stratum``, ``value``, its 95 % half-width
        ``value_ci`` and ``n``. For k deals without a winner, the stratum, from 0: ``spoiled``, the
        share of the n pots left that the next deal leaves too; ``standing``, the share of all n
        pots that were left; ``pot``, the mean chips in those, next antes not paid. ``lasted``: the
        share of all pots that were won in deal k, from 1. ``deals``: how many a pot lasts.

    Raises:
        RuleSetError: for a game without a pot.
        RunError: for numbers out of range, or pots that grow without end.
        AgentError: for a bot that cannot be found.
    """
    import pandas as pd

    rules = game if isinstance(game, RuleSet) else find_rules(game)
    if rules.family != POT:
        raise RuleSetError(f"{rules.id} has no pot")
    pots = whole_number("pots", pots, 2, MOST_POTS)
    seed = whole_number("seed", seed, 0, MAX_SEED)
    left = [np.zeros(pots, dtype=np.int64)]
    played = 0
    while len(left[-1]):
        left.append(_play_for(left[-1], rules, players, find_bot(bot), seed, played))
        played += len(left[-2])
    told = [{"players": players, **row} for row in _told(left)]
    return pd.DataFrame(told)


def _play_for(chips: Chips, rules: RuleSet, players: int, bot: Bot, seed: int, first: int) -> Chips:
    """Play one deal for each pot; return what lies in those that nobody won.

    Args:
        chips: in each pot, shape (pots,).
        rules: of the game.
        players: at the table.
        bot: at all seats.
        seed: of the cards.
        first: number of the first deal.
    """
    if len(chips) and chips.max() > MAX_POT:
        raise RunError(f"under {rules.id} a pot grew beyond {MAX_POT} chips")
    left = []
    for pot, count in zip(*np.unique(chips, return_counts=True), strict=True):
        conditions = Conditions(rules, players, seed, int(pot))
        found, _ = play_pairing(conditions, [bot], [(0,) * players], first, int(count))
        first += int(count)
        after = found[:, 0, row_fields.ROW_POT]
        left.append(after[after > 0])
    return np.concatenate(left)


def _told(left: list[Chips]) -> list[dict[str, Any]]:
    """Return the estimates from the pots left after 0, 1, 2, … deals."""
    counts = [len(chips) for chips in left]
    pots = counts[0]
    rows = []
    for spoiled, (now, then) in enumerate(pairwise(counts)):
        if now < FEWEST:
            break
        named = str(spoiled)
        rows += [
            row_of("spoiled", named, share(then, now)),
            row_of("standing", named, share(now, pots)),
            row_of("pot", named, mean_of(left[spoiled], 1)),
            row_of("lasted", str(spoiled + 1), share(now - then, pots)),
        ]
    lasted = np.repeat(np.arange(1, len(counts)), -np.diff(counts))
    return [*rows, row_of("deals", "", mean_of(lasted, 1))]
