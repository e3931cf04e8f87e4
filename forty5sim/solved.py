"""A recorded deal gone through with all cards seen: what each decision was worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from forty5sim.bids import BID_NAMES
from forty5sim.errors import RecordError
from forty5sim.game import Game, Step
from forty5sim.records import Playback, Record, faults_of
from forty5sim.solver import MAX_NODES, PHASES, Solution, solve


@dataclass(frozen=True)
class Judged:
    """A decision of a recorded deal.

    Attributes:
        step: who did what.
        trick: the trick that it belongs to, from 1.
        solution: what each action was worth.
        contract: what is played for, in words; empty where there is no auction.
    """

    step: Step
    trick: int
    solution: Solution
    contract: str = ""

    @property
    def lost(self) -> float:
        """What the action gave away for certain, of what its own side could have had."""
        side = self.solution.side
        taken = self.solution.actions.index(self.step.action)
        least = self.solution.low[:, side].max() - self.solution.high[taken, side]
        return max(0.0, float(least))


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
        RecordError: if anything in the record is wrong.
        SolverError: for an objective or a search that does not fit.
    """
    for fault in faults_of(record):
        raise RecordError(fault)
    playback = Playback(record)
    game = playback.game
    for step in playback.steps():
        if is_decision(game):
            solution = solve(game, objective, search, tie=tie, max_nodes=max_nodes)
            yield Judged(step, len(game.history) + 1, solution, _contract(game))


def is_decision(game: Game) -> bool:
    """Say whether the seat to act has a choice that can be solved."""
    return game.phase in PHASES and len(game.legal_actions) > 1


def _contract(game: Game) -> str:
    """Return what is played for, in words."""
    if game.bid is None or game.bidder is None:
        return ""
    return f"{BID_NAMES[game.bid]} by seat {game.bidder} (side {game.sides[game.bidder]})"
