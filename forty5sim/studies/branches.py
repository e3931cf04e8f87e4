"""Deals played on from a decision in more than one way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from forty5sim.agent import CompiledAgent, agent_list, params_matrix
from forty5sim.arena.conditions import Conditions
from forty5sim.compiling import compile_parts, missing_parts
from forty5sim.errors import AgentError, RuleSetError
from forty5sim.kernels import branching, layout
from forty5sim.kernels.jit import is_cached
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT
from forty5sim.registry import find_bot
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables

CALL_SECONDS = 0.3
ALL_CARDS = (1 << 53) - 1
BIDS = (1 << layout.BID_COUNT) - 1
EVERYTHING = (1 << 62) - 1


@dataclass(frozen=True)
class Question:
    """A kind of decision.

    Attributes:
        name: what it is called.
        game: the usual game to ask it of.
        phase: where it is asked.
        decline: mask of the actions that decline.
        take: mask of those that take it.
        taking: how taking it is told: "robbing".
    """

    name: str
    game: str
    phase: int
    decline: int
    take: int
    taking: str

    def check(self, rules: RuleSet) -> None:
        """Raise if the game never asks it."""
        asks = {
            "rob": rules.turns_up,
            "jink": rules.jink == "on",
            "bid": rules.has_auction,
            "hold": rules.family == AUCTION and rules.dealer_hold == "on",
            "misere": rules.family == FIVE_HUNDRED and rules.misere != "off",
        }
        if not asks[self.name]:
            raise RuleSetError(
                f"{rules.id} has no {self.name}; ask it of {self.game}, or with its option on"
            )


QUESTIONS = {
    question.name: question
    for question in (
        Question("rob", "spoil-five", layout.ROB, 1 << layout.KEEP, ALL_CARDS, "robbing"),
        Question(
            "jink", "spoil-five", layout.JINK, 1 << layout.STOP, 1 << layout.DECLARE_JINK, "jinking"
        ),
        Question(
            "bid", "auction-forty-fives", layout.AUCTION_CALL, 1 << layout.PASS, BIDS, "bidding"
        ),
        Question(
            "hold", "auction-forty-fives", layout.AUCTION_CALL,
            EVERYTHING ^ (1 << layout.HOLD), 1 << layout.HOLD, "holding",
        ),
        Question(
            "misere", "five-hundred", layout.AUCTION_CALL,
            EVERYTHING ^ layout.MISERE_BIDS, layout.MISERE_BIDS, "bidding misère",
        ),
    )
}  # fmt: skip
"""The decisions whose value can be asked, by name."""


@dataclass(frozen=True)
class Branches:
    """Deals with every branch of a decision.

    Attributes:
        question: what was asked.
        conditions: what was played.
        bot: the policy at every seat.
        rows: int64, shape (deals, row size); fields are those of ``kernels.branching``.
        taker: the bot that chose how it is taken in one more branch; empty for none.
    """

    question: Question
    conditions: Conditions
    bot: str
    rows: NDArray[np.int64]
    taker: str = ""

    @property
    def found(self) -> NDArray[np.bool_]:
        """In which deals the decision came up, shape (deals,)."""
        return np.asarray(self.rows[:, branching.ROW_FOUND] == 1)

    @property
    def units(self) -> int:
        """What payoffs are to be divided by."""
        c = self.conditions
        return c.players if c.rules.family == POT else c.sides - 1

    def payoffs(self, branch: int) -> NDArray[np.int64]:
        """Return the payoffs of a branch from the seat that decides on, shape (deals, seats)."""
        seats = self.conditions.players
        start = branching.BRANCHES_AT + branch * (branching.BRANCH_PAYOFFS + seats)
        by_seat = self.rows[:, start + branching.BRANCH_PAYOFFS :][:, :seats]
        turn = (self.rows[:, [branching.ROW_SEAT]] + np.arange(seats)) % seats
        return np.take_along_axis(by_seat, turn, axis=1)

    def field(self, branch: int, which: int) -> NDArray[np.int64]:
        """Return the action or the outcome of a branch, shape (deals,)."""
        start = branching.BRANCHES_AT + branch * (
            branching.BRANCH_PAYOFFS + self.conditions.players
        )
        return self.rows[:, start + which]

    def effects(
        self, better: int = branching.TOOK, than: int = branching.DECLINED
    ) -> NDArray[np.int64]:
        """Return what one branch pays more than another, whole units, shape (deals, seats)."""
        return self.payoffs(better) - self.payoffs(than)


class CutShort(KeyboardInterrupt):
    """Ctrl-C while deals were played on; ``branches`` holds those that were done."""

    def __init__(self, branches: Branches) -> None:
        super().__init__()
        self.branches = branches


def branch_out(
    question: Question,
    conditions: Conditions,
    bot: str,
    deals: int,
    *,
    taker: str = "",
    first: int = 0,
    progress: bool = False,
) -> Branches:
    """Play deals with every branch of a decision.

    Args:
        question: the decision.
        conditions: what is played.
        bot: the policy at every seat.
        deals: how many.
        taker: in one more branch this bot chooses how it is taken (which card is thrown, which bid
            is made), and the policy plays on; empty for no such branch.
        first: number of the first deal.
        progress: show a bar.

    Raises:
        AgentError: for a bot that is not compiled, looks at a clock, or is at fault.
        CutShort: if it is interrupted.
    """
    agents = [policy_of(spec) for spec in (bot, taker) if spec]
    compile_parts(missing_parts(agents, conditions.rules, conditions.players))
    seats = conditions.players
    size = branching.BRANCHES_AT + branching.BRANCHES * (branching.BRANCH_PAYOFFS + seats)
    rows = np.zeros((deals, size), dtype=np.int64)
    common = (
        np.zeros((2, layout.STATE_SIZE), dtype=np.int64),
        rule_tables(conditions.rules),
        agent_list(agents, conditions.rules),
        np.repeat([[0], [len(agents) - 1]], seats, axis=1),
        params_matrix(agents, conditions.rules, seats, True),
        np.zeros((3, seats, max(1, *(a.workspace_size for a in agents))), dtype=np.int64),
        conditions.seed,
    )
    ways = (
        conditions.sides,
        max(agent.notes for agent in agents),
        conditions.pot,
        question.phase,
        question.decline,
        question.take,
        branching.BRANCHES if taker else branching.TAKEN_OTHERWISE,
    )
    done = 0
    try:
        with tqdm(total=deals, unit="deal", desc=bot, disable=not progress, leave=False) as bar:
            for part in _growing_parts(rows):
                played = branching.branch_deals(part, *common, first + done, *ways)
                if played < len(part):
                    who = " or ".join(repr(spec) for spec in (bot, taker) if spec)
                    where = first + done + played
                    raise AgentError(f"bot {who} answered illegally in deal {where}")
                done += len(part)
                bar.update(len(part))
    except KeyboardInterrupt:
        raise CutShort(Branches(question, conditions, bot, rows[:done], taker)) from None
    return Branches(question, conditions, bot, rows, taker)


def _growing_parts(rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield rows part by part, larger and larger, as far as Ctrl-C and a bar stay alive."""
    done, step = 0, 1
    while done < len(rows):
        part = rows[done : done + step]
        begun = time.perf_counter()
        yield part
        each = (time.perf_counter() - begun) / len(part)
        done += len(part)
        step = max(1, min(4 * step, int(CALL_SECONDS / max(each, 1e-9))))


def policy_of(spec: str) -> CompiledAgent:
    """Return a bot that can play on from a decision.

    Raises:
        AgentError: if it cannot.
    """
    agent = find_bot(spec).compiled
    if agent is None or not agent.repeats:
        raise AgentError(
            f"bot {spec!r} cannot play on from a decision: it must be compiled and look at no clock"
        )
    return agent


def needs_compiling() -> bool:
    """Say whether the kernel of the study has to be compiled first."""
    return not is_cached(branching.branch_deals)
