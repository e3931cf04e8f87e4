"""Advice on one decision: each legal action with its value, its chance to win, and why.

    advice = advise('game=spoil-five players=5 trump=H hand="5H 9C KD" trick="7H"')
    advice.choice           # what the bot would do
    advice.to_frame()       # a row for each action
    print(advice)

The bot searches as it does in play; that decides what it would do. A search looks longest at what
looks best, so its own figure for its choice is too rosy: the values told here come from worlds of
their own, the same for every action.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from forty5sim.advice.grounds import grounds, percent
from forty5sim.advice.positions import (
    Position,
    key_of,
    keyed,
    position_of,
    recorded_position,
)
from forty5sim.advice.samples import CONTRACT, DEAL, GAME, POT_STAKE, Samples, try_actions
from forty5sim.advice.telling import read_told
from forty5sim.advice.told import told_position
from forty5sim.agent import View, view_of
from forty5sim.analysis import CHIPS, POINTS, Analysis, Finding, analyse, searcher
from forty5sim.cards import Action
from forty5sim.errors import PositionError, is_whole
from forty5sim.game import Game
from forty5sim.infoset import determinize
from forty5sim.notation import DONE, action_name
from forty5sim.options import POT
from forty5sim.records import Record, parse_record
from forty5sim.stats import Estimate
from forty5sim.strengths import BEST, resolved

if TYPE_CHECKING:
    import pandas as pd

WORLDS = 2000
"""Worlds that every action is tried in, if no other number is asked for."""

MOST_WORLDS = 1_000_000
STAKES = {
    POT_STAKE: "the pot",
    CONTRACT: "the contract: made by the own side, or set by it",
    GAME: "the game, from the score after the deal",
    DEAL: "the deal: more points than any other side",
}


@dataclass(frozen=True)
class Advised:
    """What is told of one action.

    Attributes:
        action: the action.
        name: its name, as ``KS`` or ``rob 9C``.
        value: its mean payoff, in the advice's ``payoff_unit``.
        chance: the chance to win the advice's ``stake``.
        behind: what the bot's choice brings more, in the same worlds; of the chance to win the
            game where that is what is played for.
        why: what was seen of it.
    """

    action: Action
    name: str
    value: Estimate
    chance: Estimate
    behind: Estimate
    why: str


@dataclass(frozen=True)
class Advice(Analysis):
    """What a bot would do, and what each legal action is worth.

    Attributes:
        position: what was known.
        actions: one for each legal action, the bot's choice first, then by value.
        throws: in the exchange all the cards that the bot would throw.
        stake: what can be won: ``pot``, ``contract``, ``game`` or ``deal``.
        n: in how many worlds every action was tried.
        payoff_unit: what values are in: ``points`` of the deal less the mean of the other sides,
            or ``chips`` with an equal share of the pot left over.
    """

    position: Position
    actions: tuple[Advised, ...]
    throws: tuple[Action, ...]
    stake: str
    n: int
    payoff_unit: str

    @property
    def assumed(self) -> tuple[str, ...]:
        """What was assumed because it was not told."""
        return self.position.assumed

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each action; ``x_ci`` is half of the 95 % interval of ``x``.

        Columns: action, name, value, value_ci, chance, chance_ci, behind, behind_ci, n, searched
        (how often the search tried it), why.
        """
        import pandas as pd

        return pd.DataFrame([self._row(one) for one in self.actions])

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, for JSON; what is not a number is None."""
        rows = [
            {key: None if value != value else value for key, value in self._row(one).items()}
            for one in self.actions
        ]
        view = self.position.view
        return {
            "game": view.rules.id,
            "players": view.players,
            "seat": view.observer,
            "phase": view.phase,
            "hand": [action_name(card) for card in view.hand],
            "bot": self.bot,
            "choice": action_name(self.choice, view.phase),
            "throws": [action_name(card) for card in self.throws],
            "unit": self.payoff_unit,
            "plays_for": self.unit,
            "stake": self.stake,
            "searched": self.tried,
            "views": len(self.position.views),
            "assumed": list(self.assumed),
            "actions": rows,
        }

    def _row(self, one: Advised) -> dict[str, Any]:
        return {
            "action": one.action,
            "name": one.name,
            "value": one.value.mean,
            "value_ci": one.value.half_width,
            "chance": one.chance.mean,
            "chance_ci": one.chance.half_width,
            "behind": one.behind.mean,
            "behind_ci": one.behind.half_width,
            "n": self.n,
            "searched": self[one.action].visits,
            "why": one.why,
        }

    def __str__(self) -> str:
        lines = [f"{self.bot}; {self.payoff_unit} ± 95 %, chance to win {self.stake}, n={self.n}"]
        lines += [
            f"{'*' if one.action == self.choice else ' '} {one.name:<8}{value_text(one.value):<18}"
            f"{percent(one.chance):<14}{one.why}"
            for one in self.actions
        ]
        return "\n".join([*lines, *(f"assumed: {words}" for words in self.assumed)])


def advise(
    position: Position | View | Game | Record | str,
    bot: str = BEST,
    *,
    at: int | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
) -> Advice:
    """Return what a searching bot would do, and what each legal action is worth.

    Args:
        position: a short text (docs/advice.md); a record of a deal, finished or not, or its line
            of JSON; a game or a view. Of a game or a record only what the seat to act can see is
            looked at.
        bot: the spec of a bot that searches; ``best`` is the strongest one measured.
        at: after how many of a record's actions; after all of them if None.
        worlds: in how many worlds every action is tried beside the search.
        seed: the seed of the worlds; with the same view and seed the advice is the same.

    Raises:
        PositionError: if the position cannot be read or cannot have come about, or the deal is
            over.
        RecordError: if something is wrong with the record.
        AgentError: if the bot cannot be found, or does not search.
    """
    if not is_whole(worlds, 2, MOST_WORLDS):
        raise PositionError(f"worlds must be a whole number 2..{MOST_WORLDS}, got {worlds!r}")
    if not is_whole(seed, 0, 2**63 - 1):
        raise PositionError(f"seed must be a whole number from 0 on, got {seed!r}")
    return _advice(position_from(position, at, seed), bot, worlds, seed)


def position_from(
    position: Position | View | Game | Record | str, at: int | None = None, seed: int = 0
) -> Position:
    """Return the position that any of these stands for (errors as in ``advise``)."""
    if isinstance(position, str) and position.lstrip().startswith("{"):
        position = parse_record(position, unfinished=True)
    if isinstance(position, Record):
        return recorded_position(position, at)
    if at is not None:
        raise PositionError("at counts the actions of a record, and this is none")
    if isinstance(position, str):
        return told_position(read_told(position), seed)
    if isinstance(position, Game):
        return position_of(position)
    if isinstance(position, View):
        if not position.legal_mask:
            raise PositionError(f"it is not the turn of seat {position.observer}, or nobody's")
        return Position((position,))
    if isinstance(position, Position):
        return position
    raise PositionError(
        f"a position is a text, a record, a game or a view; got a {type(position).__name__}"
    )


def _advice(position: Position, bot: str, worlds: int, seed: int) -> Advice:
    view = position.view
    name = resolved([bot], view.rules, view.players)[0]
    agent = searcher(name)
    found = _searched(position.views, name, seed)
    each = max(2, math.ceil(worlds / len(position.views)))
    key = key_of(view, seed, "samples")
    samples = try_actions(position.views, agent, view.legal, each, key)
    rows = [_advised(view, samples, action, found) for action in view.legal]
    rows.sort(key=lambda one: (one.action != found.choice, -one.value.mean))
    return Advice(
        choice=found.choice,
        findings=found.findings,
        tried=found.tried,
        unit=found.unit,
        bot=name,
        position=position,
        actions=tuple(rows),
        throws=_throws(position, found, name, seed),
        stake=samples.stake,
        n=samples.n,
        payoff_unit=CHIPS if view.rules.family == POT else POINTS,
    )


def _advised(view: View, samples: Samples, action: Action, found: Analysis) -> Advised:
    return Advised(
        action=action,
        name=action_name(action, view.phase),
        value=samples.value(action),
        chance=samples.chance(action),
        behind=samples.gain(found.choice, action, chances=samples.stake == GAME),
        why=grounds(view, samples, action),
    )


# --- the search ---------------------------------------------------------------------------------


def searched(view: View, bot: str, seed: int) -> Analysis:
    """Return what a bot finds out about a view by worlds that depend on view and seed alone.

    Where there is no choice, nothing is searched.
    """
    if len(view.legal) > 1:
        return analyse(keyed(view, seed), bot)
    only = Finding(view.legal[0], action_name(view.legal[0], view.phase), math.nan, math.nan, 0)
    unit = CHIPS if view.rules.family == POT else POINTS
    return Analysis(only.action, (only,), 0, unit, bot)


def _searched(views: Sequence[View], bot: str, seed: int) -> Analysis:
    """Return what a bot finds out about one position that several views stand for."""
    each = [searched(view, bot, seed) for view in views]
    if len(each) == 1:
        return each[0]
    votes = Counter(one.choice for one in each)
    choice = max(votes, key=lambda action: (votes[action], -action))
    findings = [_together([one[f.action] for one in each]) for f in each[0].findings]
    findings.sort(key=lambda one: (one.action != choice, -one.visits, -one.value))
    first = each[0]
    return Analysis(choice, tuple(findings), sum(one.tried for one in each), first.unit, bot)


def _together(found: Sequence[Finding]) -> Finding:
    """Return what was found about one action in several views, each counting once."""
    values = [one.value for one in found if one.visits]
    mean = fmean(values) if values else math.nan
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    first = found[0]
    return Finding(first.action, first.name, mean, error, sum(one.visits for one in found))


def _throws(position: Position, found: Analysis, bot: str, seed: int) -> tuple[Action, ...]:
    """Return all the cards that the bot would throw in the exchange; none elsewhere."""
    if position.view.phase != "discard":
        return ()
    game = determinize(position.view, 1)[0]
    action, thrown = found.choice, list[Action]()
    while action != DONE:
        thrown.append(action)
        game.push(action)
        action = searched(view_of(game), bot, seed).choice
    return tuple(thrown)


def value_text(value: Estimate, *, sign: bool = True) -> str:
    """Return a value with its interval; one that was the same in every world says so."""
    digits = min(3, value.digits())
    plus = "+" if sign else ""
    if value.half_width == 0:
        return f"{value.mean:{plus}.2f} always"
    return f"{value.mean:{plus}.{digits}f} ± {value.half_width:.{digits}f}"
