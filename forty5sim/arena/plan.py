"""The plan of a tournament: all that fixes its results, checked, and as it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, SupportsIndex

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.roster import checked_name
from forty5sim.arena.schedule import (
    NEIGHBOURS,
    ROTATIONS,
    SEAT_DESIGNS,
    Pairing,
    fixed_table,
    gauntlet,
    round_robin,
)
from forty5sim.arena.stopping import Stopping
from forty5sim.errors import AgentError, RunError
from forty5sim.registry import Bot, spec_label
from forty5sim.rules import MAX_PLAYERS, RULES_VERSION, RuleSet
from forty5sim.strengths import resolved

MAX_BOARDS = 10**12
MAX_SEED = 2**63 - 1
MAX_POT = 10**6
DEFAULT_BOARDS = 20_000


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
        table: who sits where at the one table that is played; empty: bots meet two by two.
        on_error: ``stop`` or ``forfeit``.
        gauntlet: the first so many bots meet the others, the field; 0: every two bots meet.
        seats: how a table is turned, one of ``SEAT_DESIGNS``.
        names: of the bots in tables; empty: their own.
        stopping: what ends the run before its last board.
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
    gauntlet: int = 0
    seats: str = ROTATIONS
    names: tuple[str, ...] = ()
    stopping: Stopping = Stopping()

    def check(self) -> None:
        """Raise if this cannot be played (errors as in ``tournament``)."""
        whole_number("boards", self.boards, 1, MAX_BOARDS)
        whole_number("seed", self.seed, 0, MAX_SEED)
        whole_number("pot", self.pot, 0, MAX_POT)
        self.rules.side_count(self.players)
        _ = self.conditions
        if self.on_error not in ("stop", "forfeit"):
            raise RunError(f"on_error must be stop or forfeit, got {self.on_error!r}")
        self._check_schedule()

    def _check_schedule(self) -> None:
        if self.seats not in SEAT_DESIGNS:
            raise RunError(f"seats must be {' or '.join(SEAT_DESIGNS)}, got {self.seats!r}")
        if self.seats == NEIGHBOURS and not self.table:
            raise RunError("seats=neighbours is for one table of bots; give --table too")
        if self.table and self.gauntlet:
            raise RunError("give --table or --gauntlet, not both")
        whole_number("gauntlet", self.gauntlet, 0, len(self.bots) - 1)
        if self.stopping.sprt and (self.table or len(self.pairings) != 1):
            raise RunError(
                f"sprt compares two bots, the first with the second; got {len(self.bots)}"
                f"{' at one table' if self.table else ''}"
            )

    @property
    def conditions(self) -> Conditions:
        """What is played at every table."""
        return Conditions(self.rules, self.players, self.seed, self.pot, self.whole_games)

    @cached_property
    def pairings(self) -> list[Pairing]:
        """The pairings: one given table, new bots with a field, or every two bots."""
        bots, players, sides = len(self.bots), self.players, self.conditions.sides
        if self.table:
            return [fixed_table(self.table, self.seats)]
        if self.gauntlet:
            return gauntlet(self.gauntlet, bots, players, sides)
        return round_robin(bots, players, sides)

    def replays(self) -> int:
        """Return how often a board is played, over all pairings."""
        return sum(len(pairing.seatings) for pairing in self.pairings)

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
            "gauntlet": self.gauntlet,
            "seats": self.seats,
            "names": list(self.names),
            "sprt": self.stopping.sprt,
            "until": self.stopping.until,
        }

    def labels(self, bots: Sequence[Bot]) -> list[str]:
        """Return the names of the bots in tables, numbered where one is there several times."""
        names = list(self.names) or [bot.name for bot in bots]
        return [
            f"{name}#{names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]


def make_plan(
    rules: RuleSet,
    bots: Sequence[str] | Mapping[str, str],
    players: int | None = None,
    boards: int = DEFAULT_BOARDS,
    seed: int = 1,
    pot: int = 0,
    *,
    whole_games: bool = False,
    table: bool = False,
    on_error: str = "stop",
    gauntlet: int = 0,
    seats: str = ROTATIONS,
    sprt: str = "",
    until: float = 0.0,
) -> Plan:
    """Check what was asked and return the plan (arguments and errors as in ``tournament``)."""
    names, given = _named(bots)
    places = players if players is not None else len(given) if table else rules.default_players
    rules.side_count(places)
    given = list(resolved(given, rules, places))
    specs = list(dict.fromkeys(given)) if table else given
    if not table and len(given) < 2:
        raise AgentError(f"a tournament needs two bots or more, got {given!r}")
    if table and len(given) != places:
        raise AgentError(f"a table of {places} seats needs {places} bots, got {len(given)}")
    if table and names:
        raise AgentError("a table seats bots by their specs; a roster's names are for pairings")
    plan = Plan(
        game=rules.id,
        rules=rules,
        players=whole_number("players", places, 2, MAX_PLAYERS),
        bots=tuple(specs),
        boards=whole_number("boards", boards, 1, MAX_BOARDS),
        seed=whole_number("seed", seed, 0, MAX_SEED),
        pot=whole_number("pot", pot, 0, MAX_POT),
        whole_games=bool(whole_games),
        table=tuple(specs.index(bot) for bot in given) if table else (),
        on_error=on_error,
        gauntlet=whole_number("gauntlet", gauntlet, 0, len(specs) - 1),
        seats=seats,
        names=names,
        stopping=Stopping(sprt, float(until)),
    )
    plan.check()
    return plan


def _named(bots: Sequence[str] | Mapping[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the names, if they were given, and the specs of the bots."""
    if isinstance(bots, Mapping):
        return tuple(checked_name(name) for name in bots), list(bots.values())
    texts = isinstance(bots, Sequence) and not isinstance(bots, str)
    if not texts or not all(isinstance(bot, str) for bot in bots):
        raise AgentError(f"bots must be a list of specs, as ['heuristic', 'random'], got {bots!r}")
    return (), list(bots)


def run_name(plan: Plan) -> str:
    """Return the default name of a run's folder, made from its plan."""
    bots = [plan.bots[i] for i in plan.table] if plan.table else plan.bots
    parts = [
        plan.game,
        f"{plan.players}p",
        *("table" for _ in plan.table[:1]),
        *(plan.seats for _ in range(plan.seats != ROTATIONS)),
        *(f"gauntlet{plan.gauntlet}" for _ in range(plan.gauntlet > 0)),
        *(plan.names or (spec_label(bot) for bot in bots)),
        *(f"pot{plan.pot}" for _ in range(plan.pot > 0)),
        f"{plan.boards}-{'games' if plan.whole_games else 'boards'}",
        *(f"sprt-{plan.stopping.sprt}" for _ in range(bool(plan.stopping.sprt))),
        *(f"until{plan.stopping.until:g}" for _ in range(plan.stopping.until > 0)),
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
            gauntlet=asked["gauntlet"],
            seats=asked["seats"],
            names=tuple(asked["names"]),
            stopping=Stopping(asked["sprt"], asked["until"]),
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
