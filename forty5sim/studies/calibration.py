"""Whether the evaluator's chances come true: predicted for hands, and seen in deals played.

Deals are played by a policy with trumps named and nobody robbing, as the evaluator takes them. For
eldest's hand the chance of three tricks or more is predicted, by playouts of the same policy around
it or, for two players, exactly; then it is seen whether the deal gave them. Playouts must come
true. The exact value is of perfect play with all cards seen, which no policy has to reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_SEED, whole_number
from forty5sim.errors import RunError
from forty5sim.evaluation.values import evaluate
from forty5sim.kernels import rows
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.stats import share

if TYPE_CHECKING:
    import pandas as pd

DEALS = 4000
PLAYOUTS = 1000
MOST_DEALS = 10**7
TRUMP = "H"
WAYS = ("playouts", "exact")


def calibrate(
    players: int = 5,
    *,
    way: str = "playouts",
    bot: str = "heuristic",
    deals: int = DEALS,
    playouts: int = PLAYOUTS,
    bins: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Return predicted chances of three tricks or more beside the shares that were seen.

    Args:
        players: at the table, all for themselves.
        way: how it is predicted: ``playouts``, by the same bot, or ``exact``, for two players.
        bot: who plays the deals.
        deals: how many.
        playouts: for each hand; other shuffles than those of the deals.
        bins: how many groups, as even in size as can be, the predictions are sorted into.
        seed: fixes cards and chances.

    Returns:
        A row for each group: ``evaluator``, the mean prediction; ``value``, the share of deals
        with three tricks or more, and its 95 % half-width ``value_ci``; ``n`` deals.

    Raises:
        RunError: for a way that is none, or numbers out of range.
        SolverError: for the exact way with more than two players.
        AgentError: for a bot that cannot be found or cannot play out.
    """
    import pandas as pd

    if way not in WAYS or (way == "exact" and players != 2):
        raise RunError(f"way must be playouts or, with two players, exact; got {way!r}")
    deals = whole_number("deals", deals, 10, MOST_DEALS)
    bins = whole_number("bins", bins, 1, 100)
    rules = find_rules("forty-five", trump=TRUMP, sides="individuals", first_dealer=players - 1)
    conditions = Conditions(rules, players, whole_number("seed", seed, 0, MAX_SEED))
    hands = np.array([board_game(conditions, deal).hands[0].mask for deal in range(deals)])
    policy = bot if way == "playouts" else None
    predicted = evaluate(
        hands, TRUMP, players, lead="eldest", policy=policy, playouts=playouts, seed=seed + 1
    ).win3[:, 0]
    found, _ = play_pairing(conditions, [find_bot(bot)], [(0,) * players], 0, deals)
    tricks = found[:, 0, rows.HEAD_SIZE + rows.BLOCK_TRICKS * players]
    table = pd.DataFrame({"predicted": predicted, "won": tricks >= 3})
    groups = table.groupby(pd.qcut(table["predicted"], bins, labels=False, duplicates="drop"))
    told = []
    for _, here in groups:
        seen = share(int(here["won"].sum()), len(here))
        told.append((here["predicted"].mean(), seen.mean, seen.half_width, seen.n))
    return pd.DataFrame(told, columns=["evaluator", "value", "value_ci", "n"])
