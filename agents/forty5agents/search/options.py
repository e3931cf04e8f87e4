"""The options of the search bots, checked, and as the numbers that kernels take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from forty5agents import heuristic, uniform
from forty5sim.agent import CompiledAgent, Part
from forty5sim.chances import win_chances
from forty5sim.errors import AgentError, unknown
from forty5sim.kernels import search
from forty5sim.kernels.asking import SERVICE, address_of
from forty5sim.kernels.layout import MAX_SEATS
from forty5sim.kernels.policies import BY_POLICY, MIXED_CARDS, RANDOM, RANDOM_CARDS
from forty5sim.kernels.services import (
    dealing,
    playing,
    reading,
    solving_for_all,
    solving_two_sides,
)
from forty5sim.kernels.vector import address_of_reals
from forty5sim.options import POT
from forty5sim.rules import RuleSet

PLAYOUTS = {
    "random": RANDOM,
    "cards": RANDOM_CARDS,
    "mixed": MIXED_CARDS,
    "heuristic": BY_POLICY,
}
PLURALS = {"utility": "utilities", "inner": "inner bots"}
UTILITIES = ("auto", "deal", "game")
LOG_COUNT = 1 << 16
MOST_BUDGET = 1 << 22


@dataclass(frozen=True)
class Settings:
    """What steers a search, whatever the game.

    Attributes:
        budget: worlds, or iterations.
        policy: the agent that plays deals out.
        utility: what deals count: ``deal`` points, ``game`` the chance to win the game, ``auto``
            the latter where a whole game is played.
        seconds: of time for a decision in place of a budget, 0: by the budget.
        solves: whether worlds are solved in the end.
        numbers: more parameters, by their place in ``kernels.search``.
    """

    budget: int
    policy: CompiledAgent
    utility: str
    seconds: float = 0.0
    solves: bool = False
    numbers: dict[int, float] = field(default_factory=dict)

    def parts_for(self, rules: RuleSet, players: int) -> list[Part]:
        """Return what a search calls: the services, and what its policy plays by."""
        services = [Part(service, SERVICE) for service in (playing, reading, dealing)]
        solver = self.solver_for(rules, players)
        solvers = [Part(solver, SERVICE)] if solver else []
        return [*services[:1], *solvers, *services[1:], *self.policy.parts_in(rules, players)]

    def solver_for(self, rules: RuleSet, players: int) -> Callable[..., int] | None:
        """Return the service that solves worlds, if any are solved."""
        if not self.solves:
            return None
        two = rules.side_count(players) == 2 and rules.family != POT
        return solving_two_sides if two else solving_for_all

    @property
    def policy_space(self) -> int:
        """How many words the workspaces of the policy take."""
        desks = MAX_SEATS if self.policy.notes else 1
        return max(1, self.policy.workspace_size * desks)

    def params_for(self, rules: RuleSet, players: int, alone: bool) -> Sequence[float]:
        """Return a search's parameters in a game, or where a deal is played alone."""
        row = [0.0] * search.POLICY_PARAMS
        row[search.BUDGET] = self.budget
        row[search.SECONDS] = self.seconds
        row[search.LOGS], row[search.LOG_COUNT] = _logs(), LOG_COUNT
        row[search.READ_VIEW] = address_of(reading, SERVICE)
        row[search.DEAL_WORLD] = address_of(dealing, SERVICE)
        row[search.CARRY_ON] = address_of(playing, SERVICE)
        solver = self.solver_for(rules, players)
        row[search.SOLVE] = address_of(solver, SERVICE) if solver else 0
        row[search.POLICY_SPACE] = self.policy_space
        row[search.POLICY] = self.policy.address_for(rules)
        row[search.POLICY_STRIDE] = self.policy.workspace_size if self.policy.notes else 0
        if rules.family != POT and (
            self.utility == "game" or (self.utility == "auto" and not alone)
        ):
            self._write_chances(row, rules, players)
        for place, number in self.numbers.items():
            row[place] = number
        return [*row, *self.policy.params_in(rules, players, alone)]

    def _write_chances(self, row: list[float], rules: RuleSet, players: int) -> None:
        chances = win_chances(rules, players)
        row[search.CHANCES] = address_of_reals(chances.values)
        row[search.CHANCES_ALWAYS] = self.utility == "game"
        row[search.CHANCES_SIDES] = chances.sides
        row[search.CHANCES_LOWEST] = chances.lowest
        row[search.CHANCES_STEP] = chances.step
        row[search.CHANCES_LEVELS] = chances.levels


@cache
def _logs() -> float:
    """Return the address of the logarithms of 0 (as 0), 1, 2, …"""
    return address_of_reals(np.log(np.maximum(np.arange(LOG_COUNT, dtype=np.float64), 1)))


def whole(bot: str, option: str, value: object, least: int, most: int) -> int:
    """Return a whole number in a range.

    Raises:
        AgentError: if it is none; names the option and what is allowed.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise AgentError(f"{bot}: {option} must be a whole number {least}..{most}, got {value!r}")
    return value


def real(bot: str, option: str, value: object, least: float, most: float) -> float:
    """Return a number in a range (errors as in ``whole``)."""
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise AgentError(f"{bot}: {option} must be a number {least}..{most}, got {value!r}")


def one_of(bot: str, option: str, value: object, allowed: Sequence[str]) -> str:
    """Return a word that is one of those allowed (errors as in ``whole``)."""
    if not isinstance(value, str) or value not in allowed:
        plural = PLURALS.get(option, option if option.endswith("s") else "")
        raise AgentError(f"{bot}: {unknown(option, str(value), allowed, plural=plural)}")
    return value


def power_of_two(least: int) -> int:
    """Return the smallest power of two that is not less."""
    return 1 << max(least - 1, 1).bit_length()


def named_policy(name: str) -> CompiledAgent:
    """Return a simple bot by name."""
    return uniform.build() if name == "random" else heuristic.build()
