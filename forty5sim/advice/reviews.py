"""What a review of recorded deals found: each decision, what it gave away, and the costliest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forty5sim.advice.advising import value_text
from forty5sim.agent import View
from forty5sim.analysis import CHANCE
from forty5sim.cards import Action, Seat
from forty5sim.notation import action_name, action_sign
from forty5sim.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Reviewed:
    """One decision of a recorded deal, judged by what its seat could know.

    Attributes:
        number: which of the decisions of the review it is, from 0.
        line: the line of the record, from 1.
        at: how many of the record's actions came before; None in the middle of an exchange.
        game: the rules, as ``spoil-five:ante=2``.
        players: seats at the table.
        seat: whose decision it was.
        trick: the number of the trick, from 1.
        phase: what was decided, as ``View.phase``.
        view: what the seat saw.
        taken, better: what was done, and what the bot would have done.
        gain: what ``better`` brings more, paired, in worlds that had no part in choosing either;
            zero if they are the same.
        unit: what that is in.
        is_again: whether ``gain`` comes from a second measurement, in fresh worlds.
        why_taken, why_better: what was seen of the two in those worlds.
    """

    number: int
    line: int
    at: int | None
    game: str
    players: int
    seat: Seat
    trick: int
    phase: str
    view: View
    taken: Action
    better: Action
    gain: Estimate
    unit: str
    is_again: bool = False
    why_taken: str = ""
    why_better: str = ""

    @property
    def least(self) -> float:
        """What was given away at least: the lower end of the 95 % interval."""
        return self.gain.mean - (0.0 if math.isnan(self.gain.half_width) else self.gain.half_width)

    @property
    def table(self) -> str:
        """The game and the number of its players."""
        return f"{self.game}, {self.players} players"

    @property
    def place(self) -> str:
        """Where in the deal it was: ``trick 3``, ``auction``, …"""
        return f"trick {self.trick}" if self.phase == "play" else self.phase

    @property
    def is_other(self) -> bool:
        """Whether the bot would have done something else."""
        return self.taken != self.better

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "line": self.line,
            "at": self.at,
            "game": self.game,
            "players": self.players,
            "seat": self.seat,
            "trick": self.trick,
            "phase": self.phase,
            "hand": " ".join(action_name(card) for card in self.view.hand),
            "table": " ".join(action_name(card) for _, card in self.view.trick),
            "taken": action_name(self.taken, self.phase),
            "better": action_name(self.better, self.phase),
            "value": self.gain.mean,
            "value_ci": self.gain.half_width,
            "n": self.gain.n,
            "unit": self.unit,
            "measured_again": self.is_again,
            "why_taken": self.why_taken,
            "why_better": self.why_better,
        }


@dataclass(frozen=True)
class Total:
    """What a seat gave away in all its decisions at one kind of table (``Reviewed.table``).

    Attributes:
        table: the game and the number of players.
        seat: the seat.
        decisions: how many decisions with a choice it had.
        others: in how many of them the bot would have done something else.
        gain: what the bot's choices bring more, in all; n is the number of decisions.
        unit: what that is in.
    """

    table: str
    seat: Seat
    decisions: int
    others: int
    gain: Estimate
    unit: str


@dataclass(frozen=True)
class Review:
    """Recorded deals gone through.

    Attributes:
        decisions: every decision, in the order in which they were taken.
        costliest: those that were clearly worse than what the bot would have done, measured again
            in fresh worlds, the costliest first; game by game.
        bots: who judged, by table (``Reviewed.table``).
        deals: how many deals were gone through.
        utility: what was judged by.
    """

    decisions: tuple[Reviewed, ...]
    costliest: tuple[Reviewed, ...]
    bots: dict[str, str]
    deals: int
    utility: str

    @property
    def totals(self) -> list[Total]:
        """What each seat gave away in each game: sums over all its decisions.

        Every decision that the bot would have taken otherwise counts with its difference, also
        where that is negative; half-widths add up as those of independent estimates.
        """
        places = dict.fromkeys((one.table, one.seat) for one in self.decisions)
        return [self._total(table, seat) for table, seat in sorted(places)]

    def _total(self, table: str, seat: Seat) -> Total:
        own = [one for one in self.decisions if (one.table, one.seat) == (table, seat)]
        others = [one for one in own if one.is_other]
        width = math.hypot(*(one.gain.half_width for one in others)) if others else 0.0
        total = Estimate(sum(one.gain.mean for one in others), width, len(own))
        return Total(table, seat, len(own), len(others), total, own[0].unit)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each decision; ``value`` is what the better action gains.

        The rows of ``costliest`` are those measured again, in place of their first measurement.
        """
        import pandas as pd

        again = {one.number: one for one in self.costliest}
        return pd.DataFrame([again.get(one.number, one).as_dict() for one in self.decisions])

    def as_dict(self) -> dict[str, Any]:
        """Return totals and costliest decisions as plain values, for JSON."""
        return {
            "deals": self.deals,
            "decisions": len(self.decisions),
            "bots": self.bots,
            "utility": self.utility,
            "totals": [
                {
                    "table": one.table,
                    "seat": one.seat,
                    "decisions": one.decisions,
                    "otherwise": one.others,
                    "value": one.gain.mean,
                    "value_ci": one.gain.half_width,
                    "unit": one.unit,
                }
                for one in self.totals
            ],
            "costliest": [one.as_dict() for one in self.costliest],
        }

    def __str__(self) -> str:
        if not self.costliest:
            return f"{len(self.decisions)} decisions, none clearly worse than the bot's"
        return "\n".join(line_of(one) for one in self.costliest)


def line_of(one: Reviewed) -> str:
    """Return a decision in a line: where, what was done, what is better and by how much."""
    done = action_sign(one.taken, one.phase)
    better = action_sign(one.better, one.phase)
    return (
        f"line {one.line}, {one.place}, seat {one.seat}: {done} instead of {better} gives up"
        f" {gain_text(one)} (n={one.gain.n})"
    )


def gain_text(one: Reviewed | Total) -> str:
    """Return what was given away, with its interval and unit."""
    if one.unit != CHANCE:
        return f"{value_text(one.gain, sign=False)} {one.unit}"
    percent = Estimate(100 * one.gain.mean, 100 * one.gain.half_width, one.gain.n)
    return f"{value_text(percent, sign=False)} % of the game"
