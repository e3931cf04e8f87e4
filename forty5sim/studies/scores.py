"""The chance to win a game from the score: played out, and by the model that bots play for.

Whole games are played by one bot at all seats. At the start of each deal both sides note the score,
and at the end whether they won. So every deal of a game is counted once from each side; its deals
hang together, and the game is the unit of the intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.arena.plan import MAX_SEED, whole_number
from forty5sim.chances import win_chances
from forty5sim.errors import RuleSetError
from forty5sim.named_rules import find_rules
from forty5sim.options import POT
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RuleSet
from forty5sim.seats import Seats
from forty5sim.stats import clustered_mean

if TYPE_CHECKING:
    import pandas as pd

GAMES = 1000
MOST_GAMES = 10**7
FEWEST = 20
"""Scores that occurred in fewer games than this are left out."""


def chances_from_score(
    game: str | RuleSet = "forty-five",
    *,
    players: int | None = None,
    bot: str = "heuristic",
    games: int = GAMES,
    seed: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Return how often a side wins the game from each score.

    Args:
        game: rules with two sides and a target, or their spec.
        players: seats; the game's usual number if None.
        bot: who plays, at all seats.
        games: how many are played.
        seed: fixes cards and chances.
        progress: show a bar.

    Returns:
        A row for each score from which ``FEWEST`` games or more were played on: ``own`` and
        ``other`` points, ``value``, the share won, with its 95 % half-width ``value_ci``, ``n``
        games, and ``model``, the chance by ``chances`` (value iteration; it leaves out who deals).

    Raises:
        RuleSetError: for a game that is not between two sides to a target.
        RunError: for numbers out of range.
        AgentError: for a bot that cannot be found.
    """
    import pandas as pd

    rules = game if isinstance(game, RuleSet) else find_rules(game)
    seats = rules.default_players if players is None else players
    if rules.family == POT or rules.side_count(seats) != 2:
        raise RuleSetError(f"{rules.id} with {seats} players is not between two sides to a target")
    games = whole_number("games", games, 2, MOST_GAMES)
    conditions = Conditions(rules, seats, whole_number("seed", seed, 0, MAX_SEED), whole_games=True)
    one = find_bot(bot)
    noted: list[tuple[int, int, int, bool]] = []
    for number in tqdm(range(games), desc="games", disable=not progress, leave=False):
        noted += _noted(conditions, one, number)
    frame = pd.DataFrame(noted, columns=["own", "other", "game", "won"])
    model = win_chances(rules, seats)
    found = []
    for score, here in frame.groupby(["own", "other"]):
        own, other = map(int, np.asarray(score))
        if here["game"].nunique() >= FEWEST:
            found.append(_row(own, other, here, model(own, other)))
    return pd.DataFrame(found)


def _noted(conditions: Conditions, bot: Bot, number: int) -> list[tuple[int, int, int, bool]]:
    """Return from one game, for each deal and side: own and other score, the game, who won."""
    game = board_game(conditions, number)
    scores = []
    while True:
        scores.append(tuple(game.scores))
        for _ in Seats([bot] * conditions.players).play_on(game):
            pass
        if not game.next_deal():
            break
    winner = game.winner
    return [
        (before[side], before[1 - side], number, winner == side)
        for before in scores
        for side in (0, 1)
    ]


def _row(own: int, other: int, here: pd.DataFrame, model: float) -> dict[str, Any]:
    mean = clustered_mean(here["won"].astype(float), here["game"])
    return {
        "own": own,
        "other": other,
        "value": mean.mean,
        "value_ci": mean.half_width,
        "n": int(here["game"].nunique()),
        "model": model,
    }
