"""The plan of a tournament: all that fixes its results, checked, and as it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsIndex

from forty5sim.arena.match import Conditions
from forty5sim.arena.schedule import Pairing, fixed_table, round_robin
from forty5sim.errors import AgentError, RunError
from forty5sim.registry import Bot, spec_label
from forty5sim.rules import MAX_PLAYERS, RULES_VERSION, RuleSet
from forty5sim.strengths import resolved

MAX_BOARDS = 10**12
MAX_SEED = 2**63 - 1
MAX_POT = 10**6


def whole_number(what: str, value: object, least: int, most: int) -> int:
    """Return a whole number in a range, of whatever integer type it came.

    Raises:
        RunError: if it is none; says what it is for and what is allowed.
    """
    if not isinstance(value, bool) and isinstance(value, SupportsIndex):
        number = index(value)
        if least <= number <= most:
            return number
    raise RunError(f"{what} must be a whole number {least}..{most}, got {value!r}")


@dataclass(frozen=True)
class Plan:
    """Everything that fixes the results of a tournament.

    Attributes:
        game: the spec of the rules, as it is shown.
        rules: the rules themselves.
        players: seats at the table.
        bots: the specs of the bots.
        boards: how many boards each pairing plays.
        seed: fixes the cards and the bots' random numbers.
        pot: chips in the pot before each deal.
        whole_games: a board is a game, not a deal.
        table: who sits where at the one table that is played; empty: every two bots meet.
        on_error: ``stop`` or ``forfeit``.
    """

    game: str
    rules: RuleSet
    players: int
    bots: tuple[str, ...]
    boards: int
    seed: int
    pot: int
    whole_games: bool
    table: tuple[int, ...]
    on_error: str

    def check(self) -> None:
        """Raise if this cannot be played (errors as in ``tournament``)."""
        whole_number("boards", self.boards, 1, MAX_BOARDS)
        whole_number("seed", self.seed, 0, MAX_SEED)
        whole_number("pot", self.pot, 0, MAX_POT)
        self.rules.side_count(self.players)
        _ = self.conditions
        if self.on_error not in ("stop", "forfeit"):
            raise RunError(f"on_error must be stop or forfeit, got {self.on_error!r}")

    @property
    def conditions(self) -> Conditions:
        """What is played at every table."""
        return Conditions(self.rules, self.players, self.seed, self.pot, self.whole_games)

    def pairings(self) -> list[Pairing]:
        """Return the pairings: one given table, or every two bots."""
        if self.table:
            return [fixed_table(self.table)]
        return round_robin(len(self.bots), self.players, self.conditions.sides)

    def replays(self) -> int:
        """Return how often a board is played, over all pairings."""
        return sum(len(pairing.seatings) for pairing in self.pairings())

    def identity(self, bots: Sequence[Bot]) -> dict[str, Any]:
        """Return what must agree for a run to be gone on with, as in the manifest."""
        return {
            "game": self.game,
            "family": self.rules.family,
            "rules_version": RULES_VERSION,
            "options": self.rules.options(),
            "players": self.players,
            "sides": self.conditions.sides,
            "bots": list(self.bots),
            "bot_versions": [bot.version for bot in bots],
            "table": list(self.table),
            "boards": self.boards,
            "unit": "game" if self.whole_games else "deal",
            "pot": self.pot,
            "seed": self.seed,
            "on_error": self.on_error,
        }


def make_plan(
    rules: RuleSet,
    bots: Sequence[str],
    players: int | None,
    boards: int,
    seed: int,
    pot: int,
    *,
    whole_games: bool,
    table: bool,
    on_error: str,
) -> Plan:
    """Check what was asked and return the plan (errors as in ``tournament``)."""
    if (
        not isinstance(bots, Sequence)
        or isinstance(bots, str)
        or not all(isinstance(bot, str) for bot in bots)
    ):
        raise AgentError(f"bots must be a list of specs, as ['heuristic', 'random'], got {bots!r}")
    seats = players if players is not None else len(bots) if table else rules.default_players
    rules.side_count(seats)
    bots = resolved(bots, rules, seats)
    specs = list(dict.fromkeys(bots)) if table else list(bots)
    if not table and len(bots) < 2:
        raise AgentError(f"a tournament needs two bots or more, got {list(bots)!r}")
    if table and len(bots) != seats:
        raise AgentError(f"a table of {seats} seats needs {seats} bots, got {len(bots)}")
    order = tuple(specs.index(bot) for bot in bots) if table else ()
    plan = Plan(
        game=rules.id,
        rules=rules,
        players=whole_number("players", seats, 2, MAX_PLAYERS),
        bots=tuple(specs),
        boards=whole_number("boards", boards, 1, MAX_BOARDS),
        seed=whole_number("seed", seed, 0, MAX_SEED),
        pot=whole_number("pot", pot, 0, MAX_POT),
        whole_games=bool(whole_games),
        table=order,
        on_error=on_error,
    )
    plan.check()
    return plan


def run_name(plan: Plan) -> str:
    """Return the default name of a run's folder, made from its plan."""
    bots = [plan.bots[i] for i in plan.table] if plan.table else plan.bots
    parts = [
        plan.game,
        f"{plan.players}p",
        *("table" for _ in plan.table[:1]),
        *(spec_label(bot) for bot in bots),
        *(f"pot{plan.pot}" for _ in range(plan.pot > 0)),
        f"{plan.boards}-{'games' if plan.whole_games else 'boards'}",
        f"seed{plan.seed}",
    ]
    text = "-".join(parts)
    clean = "".join(c if c.isalnum() or c in "-_." else "-" for c in text)
    if len(clean) <= 120:
        return clean
    return f"{clean[:100]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def plan_of(asked: dict[str, Any]) -> Plan:
    """Return the plan that a manifest holds.

    Raises:
        RunError: if it is not complete.
    """
    try:
        name = str(asked["game"]).partition(":")[0]
        plan = Plan(
            game=str(asked["game"]),
            rules=RuleSet(name=name, family=asked["family"], **asked["options"]),
            players=asked["players"],
            bots=tuple(asked["bots"]),
            boards=asked["boards"],
            seed=asked["seed"],
            pot=asked["pot"],
            whole_games=asked["unit"] == "game",
            table=tuple(asked["table"]),
            on_error=asked["on_error"],
        )
        plan.check()
        return plan
    except (KeyError, TypeError, AttributeError) as error:
        raise RunError(f"the manifest's plan is not complete: {error}") from None


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what differs between two plans as in manifests, a phrase each."""
    return [
        f"{key} was {before.get(key)!r}, now {value!r}"
        for key, value in now.items()
        if before.get(key) != value
    ]
