"""How many deals a second the engine plays, at random and with bots."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import numpy as np

from forty5sim.agent import View
from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.bench.timing import Figure, rate_figure, timed
from forty5sim.cards import Action
from forty5sim.kernels import layout, speed
from forty5sim.named_rules import find_rules
from forty5sim.registry import Bot, find_bot
from forty5sim.tables import rule_tables

RANDOM_TABLES = (
    ("forty-five", 2),
    ("forty-five", 4),
    ("forty-five:sides=individuals", 4),
    ("forty-five", 6),
    ("twenty-five", 4),
    ("spoil-five", 3),
    ("spoil-five", 4),
    ("spoil-five", 5),
    ("spoil-five-traditional", 5),
    ("spoil-five", 10),
    ("auction-forty-fives", 4),
    ("five-hundred", 4),
)
HEURISTIC_TABLES = (
    ("forty-five", 4),
    ("spoil-five", 5),
    ("auction-forty-fives", 4),
    ("five-hundred", 4),
)


class FirstLegal:
    """A plain Python bot of the simplest kind."""

    name, version = "first-legal", 1

    def act(self, view: View) -> Action:
        """Return the first card that would win the trick so far, else the first legal action."""
        for card in view.legal:
            if view.phase == "play" and view.beats_trick(card):
                return card
        return view.legal[0]


def deal_figures(runs: int) -> Iterator[Figure]:
    """Measure random deals, deals of the heuristic, and a plain Python bot among them."""
    for game, players in RANDOM_TABLES:
        yield from random_figures(game, players, runs)
    heuristic = find_bot("heuristic")
    for game, players in HEURISTIC_TABLES:
        conditions = Conditions(find_rules(game), players, seed=1)
        yield deals_figure(
            f"heuristic deals, {game} {players}p", conditions, [heuristic], runs, 3000
        )
    plain = Bot("first-legal", "first-legal", 1, None, FirstLegal, keeps_notes=False)
    conditions = Conditions(find_rules("spoil-five"), 5, seed=1)
    name = "one plain Python bot among 4 heuristics, spoil-five 5p"
    yield deals_figure(name, conditions, [heuristic, plain], max(3, runs // 3), 1000)


def random_figures(game: str, players: int, runs: int) -> Iterator[Figure]:
    """Yield deals a second and ns a play of random deals on one core."""
    rules = find_rules(game)
    tables, sides = rule_tables(rules), rules.side_count(players)
    state = np.zeros(layout.STATE_SIZE, dtype=np.int64)
    deals = 60_000 // players
    plays = speed.random_deals(state, tables, 1, deals, players, sides)
    times, yardstick = timed(
        lambda: speed.random_deals(state, tables, 1, deals, players, sides), runs
    )
    name = f"random deals, {game} {players}p"
    yield rate_figure(name, "deals/s", deals, times, yardstick)
    per_play = [1e9 * seconds / plays for seconds in times]
    yield Figure(name, "ns/play", min(per_play), median(per_play), runs, yardstick)


def deals_figure(
    name: str, conditions: Conditions, bots: list[Bot], runs: int, deals: int
) -> Figure:
    """Return deals a second at a table whose last seat is the last of the bots."""
    seating = [[0] * (conditions.players - 1) + [len(bots) - 1]]
    play_pairing(conditions, bots, seating, 0, 1)
    times, yardstick = timed(lambda: play_pairing(conditions, bots, seating, 0, deals), runs)
    return rate_figure(name, "deals/s", deals, times, yardstick)
