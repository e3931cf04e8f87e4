"""A recorded deal gone through with all cards seen: what each decision was worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from forty5sim.game import Game, Step
from forty5sim.records import Playback, Record
from forty5sim.solver import MAX_NODES, PHASES, Solution, solve


@dataclass(frozen=True)
class Judged:
    """A decision of a recorded deal.

    Attributes:
        step: who did what.
        trick: the trick that it belongs to, from 1.
        solution: what each action was worth.
    """

    step: Step
    trick: int
    solution: Solution

    @property
    def lost(self) -> float:
        """What the action gave away against the best, to the side of the seat that took it."""
        own = self.solution.values[:, self.solution.side]
        return float(own.max() - own[self.solution.actions.index(self.step.action)])


def judged(
    record: Record,
    objective: str | None = None,
    search: str = "auto",
    *,
    tie: str = "first",
    max_nodes: int = MAX_NODES,
) -> Iterator[Judged]:
    """Yield each decision of a deal that can be solved, where there was a choice.

    Arguments are those of ``solver.solve``.

    Raises:
        RecordError: if the record cannot be played back.
        SolverError: for an objective or a search that does not fit.
    """
    playback = Playback(record)
    game = playback.game
    for step in playback.steps():
        if is_decision(game):
            solution = solve(game, objective, search, tie=tie, max_nodes=max_nodes)
            yield Judged(step, len(game.history) + 1, solution)


def is_decision(game: Game) -> bool:
    """Say whether the seat to act has a choice that can be solved."""
    return game.phase in PHASES and len(game.legal_actions) > 1
