"""What a decision is worth: robbing, jinking, bidding, holding, misère; and what a seat is worth.

The estimand. In each deal the first decision of the kind is found, as the policy plays up to it.
The deal is then played on from there by the same policy at every seat, with the same cards and the
same keyed random numbers, once with the option taken and once with it declined; how it is taken
(which card is thrown, which bid is made) is the policy's choice. So the difference of the two
payoffs is what taking it did in this deal.

* the *effect* is its mean over all opportunities: what is gained by always taking it;
* *a deal* it is worth the effect times the chance of an opportunity, counted deal by deal;
* the policy's *own use* is what its own choices gain over always declining, a deal;
* *the rule* is worth to a seat what the policy's own use of it changes there, against nobody's;
* the effect *on others* is told for each seat, counted from the one that decides;
* *taken by* another bot: what it gains that this bot chooses how it is taken; the policy plays on.

Opportunities are those that the policy's own play brings about. Deals are independent, so a deal is
the unit of every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_POT, MAX_SEED, whole_number
from forty5sim.arena.schedule import fixed_table
from forty5sim.arena.standings import payoff_unit, seat_rows
from forty5sim.arena.tally import Tally
from forty5sim.errors import AgentError, RunError
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.rules import MAX_PLAYERS, RuleSet
from forty5sim.stats import Estimate
from forty5sim.studies.branches import QUESTIONS, Branches, CutShort, Question, branch_out
from forty5sim.studies.effects import (
    crossed,
    effect,
    mean_of,
    row_of,
    stratum_rows,
    summary_rows,
    taker_rows,
    told_rows,
)

if TYPE_CHECKING:
    import pandas as pd

SEAT = "seat"
CHUNK = 2000
MOST_DEALS = 10**7  # all of them are kept, some 300 bytes each
POLICIES = ("heuristic", "mc:worlds=20", "random")
DEALS = {"heuristic": 40_000, "random": 40_000}
SEARCHING_DEALS = 600


@dataclass(frozen=True)
class DecisionValue:
    """What a decision is worth.

    Attributes:
        question: what was asked.
        conditions: what was played.
        branches: the deals, for each policy.
        table: a row for each policy and quantity or stratum: ``value`` and its 95 % half-width
            ``value_ci`` over n deals or opportunities.
        complete: False if it was interrupted: fewer deals, or fewer policies, than asked for.
    """

    question: Question
    conditions: Conditions
    branches: dict[str, Branches]
    table: pd.DataFrame
    complete: bool = True

    def crossed(
        self, rows: str = "trumps held", columns: str = "turn-up", policy: str | None = None
    ) -> pd.DataFrame:
        """Return the effect in each pair of strata (``crossed``), by the first policy if None."""
        return crossed(self.branches[policy or next(iter(self.branches))], rows, columns)

    @property
    def verdict(self) -> str:
        """The answer in a sentence, and what half the interval would cost."""
        first = next(iter(self.branches.values()))
        value, chance = effect(first), mean_of(first.found.astype(np.int64), 1)
        if value.n < 2:
            return f"no more than one opportunity in {len(first.rows)} deals: ask for more deals"
        deals = f"{4 * len(first.rows):,}".replace(",", " ")
        return (
            f"{self.question.taking} gains {value.mean:+.{value.digits()}f} ±"
            f" {value.half_width:.{value.digits()}f} {payoff_unit(self.conditions).split()[0]} each"
            f" time, by {first.bot} (n={value.n}); it can be done in {100 * chance.mean:.1f} ±"
            f" {100 * chance.half_width:.1f} % of deals; half the interval takes {deals} deals"
        )


def value(name: str, game: str | RuleSet | None = None, **options: Any) -> pd.DataFrame:
    """Return what a decision, or a seat, is worth, as a table.

    Args:
        name: ``rob``, ``jink``, ``bid``, ``hold``, ``misere``, or ``seat``.
        game: a rule set or its spec; one that has the decision if None.
        options: as of ``decision_value`` (errors too).

    Returns:
        A row for each policy and quantity: ``policy``, ``deals``, ``quantity``, ``stratum``,
        ``value``, its 95 % half-width ``value_ci``, and ``n``, deals or opportunities.
    """
    if name == SEAT:
        return seat_value(game or "spoil-five", **options)
    return decision_value(name, game, **options).table


def _conditions(rules: RuleSet, players: int | None, seed: int, pot: int) -> Conditions:
    """Return what is played, checked as in a tournament."""
    seats = rules.default_players if players is None else players
    seats = whole_number("players", seats, 2, MAX_PLAYERS)
    rules.side_count(seats)
    seed = whole_number("seed", seed, 0, MAX_SEED)
    return Conditions(rules, seats, seed, whole_number("pot", pot, 0, MAX_POT))


def seat_value(
    game: str | RuleSet,
    *,
    players: int | None = None,
    bots: Sequence[str] = ("heuristic", "random"),
    deals: int | None = None,
    seed: int = 1,
    pot: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what each seat is worth when a policy sits at all of them (arguments as above)."""
    import pandas as pd

    rules = game if isinstance(game, RuleSet) else find_rules(game)
    conditions = _conditions(rules, players, seed, pot)
    seats = conditions.players
    rows = []
    for bot in bots:
        count = DEALS.get(bot, SEARCHING_DEALS) if deals is None else deals
        count = whole_number("deals", count, 2, MOST_DEALS)
        table = fixed_table((0,) * seats)
        alone = replace(table, seatings=table.seatings[:1], weights=table.weights[:, :1])
        tally = Tally(conditions, [bot], [alone])
        for first in tqdm(range(0, count, CHUNK), desc=bot, disable=not progress, leave=False):
            size = min(CHUNK, count - first)
            found, _ = play_pairing(conditions, [find_bot(bot)], alone.seatings, first, size)
            tally.add_rows([found], first)
        for row in seat_rows(tally):
            value = Estimate(row["payoff"], row["payoff_ci"], count)
            rows.append({"policy": bot, "deals": count, **row_of(SEAT, row["seat"], value)})
    return pd.DataFrame(rows)


def decision_value(
    name: str,
    game: str | RuleSet | None = None,
    *,
    players: int | None = None,
    bots: Sequence[str] = POLICIES,
    deals: int | None = None,
    seed: int = 1,
    pot: int = 0,
    silent: bool = False,
    taker: str | None = None,
    progress: bool = False,
) -> DecisionValue:
    """Return what a decision is worth, under each of some policies.

    Interrupted (Ctrl-C) it returns what the deals say that were played until then; asked for so
    many deals it says the same.

    Args:
        name: ``rob``, ``jink``, ``bid``, ``hold`` or ``misere``.
        game: a rule set or its spec; one that has the decision if None.
        players: seats; the game's usual number if None.
        bots: the policies; each plays at all seats.
        deals: how many deals each policy plays; if None 40 000, and 600 for searching bots.
        seed: fixes cards and chances.
        pot: chips in the pot before the deal (pot games).
        silent: play the same deals once more so that nobody sees who robs, and tell what being
            seen costs (``seen by all``).
        progress: show a bar.

    Raises:
        RunError: for a name that is none, or numbers out of range, or ``silent`` for anything but
            robbing.
        RuleSetError: for a game without the decision.
        AgentError: for a bot that cannot play on from a decision.
    """
    import pandas as pd

    if name not in QUESTIONS:
        raise RunError(f"no decision named {name!r}; known: {', '.join((*QUESTIONS, SEAT))}")
    question = QUESTIONS[name]
    rules = game if isinstance(game, RuleSet) else find_rules(game or question.game)
    question.check(rules)
    conditions = _conditions(rules, players, seed, pot)
    unseen = _unseen(question, conditions) if silent else None
    if not bots:
        raise AgentError("name at least one bot that plays the deals on")
    found: dict[str, Branches] = {}
    rows: list[dict[str, Any]] = []
    complete = True
    for bot in bots:
        count = DEALS.get(bot, SEARCHING_DEALS) if deals is None else deals
        count = whole_number("deals", count, 2, MOST_DEALS)
        other = None
        try:
            here = branch_out(
                question, conditions, bot, count, taker=taker or "", progress=progress
            )
            if unseen:
                other = branch_out(question, unseen, bot, count, progress=progress)
        except CutShort as cut:
            complete, here = False, cut.branches
        if complete or (here.conditions == conditions and len(here.rows) > 1):
            found[bot] = here
            told = _told(here, other)
            rows += [{"policy": bot, "deals": len(here.rows), **row} for row in told]
        if not complete:
            break
    if not found:
        raise KeyboardInterrupt
    return DecisionValue(question, conditions, found, pd.DataFrame(rows), complete)


def _told(branches: Branches, unseen: Branches | None) -> list[dict[str, Any]]:
    """Return the rows of a table on the deals of one policy."""
    told = [*summary_rows(branches), *stratum_rows(branches)]
    if branches.taker:
        told += taker_rows(branches)
    if unseen:
        told += told_rows(branches, unseen)
    return told


def _unseen(question: Question, conditions: Conditions) -> Conditions:
    """Return the same conditions with robbing that nobody sees.

    Raises:
        RunError: if the question is another one, or nobody sees it anyway.
    """
    rules = conditions.rules
    if question.name != "rob" or rules.rob_announced == "silent":
        raise RunError("silent is for rob, in a game in which robbing is seen")
    return replace(conditions, rules=rules.with_options(rob_announced="silent"))
