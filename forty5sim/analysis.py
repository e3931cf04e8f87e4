"""What a searching bot thinks of each legal action: its value, how sure it is, how often tried.

found = analyse(view_of(game), "ismcts:iterations=10000")
found.choice            # what the bot does
print(found)            # a line for each action
found.to_frame()        # the same as a DataFrame
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forty5sim.agent import AsPlain, CompiledAgent, View, ask
from forty5sim.cards import Action
from forty5sim.errors import AgentError, ViewError, is_whole
from forty5sim.game import Game
from forty5sim.kernels import findings, search
from forty5sim.kernels.vector import Vector
from forty5sim.notation import action_name
from forty5sim.options import POT
from forty5sim.registry import find_bot, known_bots
from forty5sim.strengths import resolved

if TYPE_CHECKING:
    import pandas as pd

CHANCE, POINTS, CHIPS = "chance to win", "points", "chips"
"""What values are in: the chance to win the game; or points of the deal less the mean of the other
sides; or chips, with an equal share of the pot left over."""


@dataclass(frozen=True)
class Finding:
    """What was found about one action.

    Attributes:
        action: the action.
        name: its name, as ``KS`` or ``keep``.
        value: the mean payoff to the own side, nan if it was not tried.
        error: the standard error of that mean, nan with fewer than two tries.
        visits: how often it was tried.
    """

    action: Action
    name: str
    value: float
    error: float
    visits: int


@dataclass(frozen=True)
class Analysis:
    """What a search found out about a decision.

    Attributes:
        choice: the action that the bot takes.
        findings: one for each legal action, the most promising first.
        tried: worlds dealt, or iterations.
        unit: what values are in (see ``CHANCE``, ``POINTS``, ``CHIPS``).
        bot: the bot.
    """

    choice: Action
    findings: tuple[Finding, ...]
    tried: int
    unit: str
    bot: str

    def __getitem__(self, action: Action) -> Finding:
        """Return what was found about an action; KeyError if it is not legal."""
        for finding in self.findings:
            if finding.action == action:
                return finding
        raise KeyError(action)

    def to_frame(self) -> pd.DataFrame:
        """Return the findings as a DataFrame: action, name, value, error, visits."""
        import pandas as pd

        return pd.DataFrame([vars(finding) for finding in self.findings])

    def __str__(self) -> str:
        head = f"{self.bot}, {self.tried} worlds; value in {self.unit} ± standard error"
        return "\n".join([head, *map(self._line, self.findings)])

    def _line(self, finding: Finding) -> str:
        mark = "*" if finding.action == self.choice else " "
        value = "not tried"
        if finding.visits:
            value = f"{finding.value:+8.3f} ± {finding.error:.3f}"
        return f"{mark} {finding.name:<6}{value:<20}{finding.visits:>8} times"


def analyse(view: View, bot: str | CompiledAgent = "ismcts", seed: int | None = None) -> Analysis:
    """Return what a searching bot finds out about the decision of a view.

    Args:
        view: what the seat to act sees (``view_of(game)``), with at least two legal actions.
        bot: the spec of a bot that searches, ``best`` too, or the compiled bot itself.
        seed: fixes the worlds it tries; those that it would try in the game if None.

    Raises:
        ViewError: if there is nothing to decide.
        AgentError: if the bot does not search, or cannot be found.
    """
    if not isinstance(view, View):
        hint = ": view_of(game) is what the seat to act sees" if isinstance(view, Game) else ""
        raise ViewError(f"a View is needed, got a {type(view).__name__}{hint}")
    if len(view.legal) < 2:
        raise ViewError(f"seat {view.observer} has nothing to decide here")
    if seed is not None and not is_whole(seed, 0, 2**63 - 1):
        raise ViewError(f"seed must be a whole number from 0 on, got {seed!r}")
    if isinstance(bot, str):
        bot = resolved([bot], view.rules, view.players)[0]
    agent = searcher(bot)
    if seed is not None:
        view = View(
            view.rules,
            view._words,
            view.hand.mask,
            view.thrown.mask,
            view.legal_mask,
            seed,
            view.observer,
        )
    asked = AsPlain(agent)
    choice = ask(asked, view)
    words = asked.workspace
    found = [_finding(view, words, number) for number in range(int(words[findings.COUNT]))]
    found.sort(key=lambda one: (one.action != choice, -one.visits, -one.value))
    name = bot if isinstance(bot, str) else agent.name
    return Analysis(choice, tuple(found), int(words[findings.TRIED]), _unit(agent, view), name)


def searcher(bot: str | CompiledAgent) -> CompiledAgent:
    """Return the compiled bot that a spec names.

    Raises:
        AgentError: if it does not search, or cannot be found.
    """
    agent = find_bot(bot).compiled if isinstance(bot, str) else bot
    if agent is None or not agent.shows_findings:
        searching = [
            name
            for name in known_bots()
            if (known := find_bot(name).compiled) and known.shows_findings
        ]
        raise AgentError(
            f"bot {bot!r} does not search, so it has found nothing; bots that do: "
            + ", ".join(searching)
        )
    return agent


def _finding(view: View, words: Vector, number: int) -> Finding:
    row = findings.ROWS + number * findings.ROW_SIZE
    cells = words[row : row + findings.ROW_SIZE]
    action, visits = int(cells[findings.ACTION]), int(cells[findings.VISITS])
    total, squares = (float(x) for x in cells.view("float64")[findings.TOTAL :])
    mean = total / visits if visits else math.nan
    error = math.nan
    if visits > 1:
        error = math.sqrt(max(squares / visits - mean * mean, 0.0) / (visits - 1))
    return Finding(action, action_name(action, view.phase), mean, error, visits)


def _unit(agent: CompiledAgent, view: View) -> str:
    params = agent.params_in(view.rules, view.players, view.is_alone)
    if params[search.CHANCES] and (not view.is_alone or params[search.CHANCES_ALWAYS]):
        return CHANCE
    return CHIPS if view.rules.family == POT else POINTS
