"""The strongest measured bot for a game and a time: what ``--bots best`` stands for.

``ladder.csv`` is the table of ``experiments/ladder.py``: what each bot wins from the heuristic and
what a decision takes it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from forty5sim.errors import AgentError
from forty5sim.named_rules import find_rules
from forty5sim.rules import RuleSet

BEST = "best"
BUDGET = 20.0
"""Milliseconds a decision, if none are given."""


@dataclass(frozen=True)
class Strength:
    """How strong a bot was measured to be.

    Attributes:
        game: the game it was measured in.
        players: seats at the table.
        spec: the bot.
        payoff: what a seat gains by playing it instead of the heuristic, a deal.
        payoff_ci: half the width of its 95 % interval.
        boards: on how many boards.
        unit: what that is in.
        ms: milliseconds a decision, on one core.
    """

    game: str
    players: int
    spec: str
    payoff: float
    payoff_ci: float
    boards: int
    unit: str
    ms: float

    def __str__(self) -> str:
        gain = f"{self.payoff:+.2f} ± {self.payoff_ci:.2f} {self.unit} over heuristic"
        measured = f"{self.game}, {self.players} players, n={self.boards}"
        return f"{self.spec} ({gain} in {measured}; {self.ms:.1f} ms a decision)"


@cache
def strengths() -> tuple[Strength, ...]:
    """Return the measured strengths."""
    text = resources.files("forty5sim").joinpath("ladder.csv").read_text(encoding="utf-8")
    return tuple(
        Strength(
            game=row["game"],
            players=int(row["players"]),
            spec=row["spec"],
            payoff=float(row["payoff"]),
            payoff_ci=float(row["payoff_ci"]),
            boards=int(row["boards"]),
            unit=row["unit"],
            ms=float(row["ms_mean"]),
        )
        for row in csv.DictReader(text.splitlines())
    )


def strongest(rules: RuleSet, players: int, budget: float = BUDGET) -> Strength:
    """Return the bot that won most, of those that decide in so many milliseconds.

    Most is what it won for certain: the lower end of its interval. It was measured in this game,
    or in the one most like it: of the same family, with about as many sides and players.
    """
    games = {(one.game, one.players) for one in strengths()}
    game = min(sorted(games), key=lambda game: _distance(rules, players, *game))
    here = [one for one in strengths() if (one.game, one.players) == game]
    quick = [one for one in here if one.ms <= budget] or [min(here, key=lambda one: one.ms)]
    return max(quick, key=lambda one: one.payoff - one.payoff_ci)


def _distance(rules: RuleSet, players: int, game: str, seats: int) -> tuple[int, ...]:
    """Return how unlike two tables are, the most telling difference first."""
    other = find_rules(game)
    sides = rules.side_count(players), other.side_count(seats)
    return (
        rules.family != other.family,
        (sides[0] == 2) != (sides[1] == 2),
        rules.name != other.name,
        abs(players - seats),
    )


def resolved(specs: Sequence[str], rules: RuleSet, players: int) -> list[str]:
    """Return specs with ``best``, or ``best:ms=5``, replaced by the bot that it stands for.

    Raises:
        AgentError: if what follows ``best`` cannot be read.
    """
    return [_resolved(spec, rules, players) for spec in specs]


def _resolved(spec: str, rules: RuleSet, players: int) -> str:
    name, colon, option = spec.partition(":")
    if name != BEST:
        return spec
    budget = BUDGET
    if colon:
        key, _, value = option.partition("=")
        try:
            budget = float(value) if key == "ms" else 0.0
        except ValueError:
            budget = 0.0
        if not 0 < budget < float("inf"):
            raise AgentError(f"cannot read {spec!r}; write best, or best:ms=5 for 5 ms a decision")
    return strongest(rules, players, budget).spec
