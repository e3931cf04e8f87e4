"""Estimates from deals with a fork: effects, chances, strata, each with its interval and n."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import HEARTS, card_name
from forty5sim.errors import RunError
from forty5sim.kernels import branching, layout
from forty5sim.options import POT
from forty5sim.rules import RuleSet
from forty5sim.rules.jinking import break_even
from forty5sim.stats import Estimate, estimate, share
from forty5sim.studies.branches import Branches
from forty5sim.tables import rule_tables

if TYPE_CHECKING:
    import pandas as pd

BOTH_WAYS = (branching.TOOK, branching.TAKEN_OTHERWISE)
AGAINST = (branching.TOOK, branching.DECLINED)
ONCE_A_DEAL = ("rob", "jink")
JINK_STRATA = ("trumps held", "best trump")
PAIRS = {
    "rob": (("trumps held", "turn-up"), ("trumps held", "seat"), ("turn-up", "seat")),
    "jink": (("trumps held", "best trump"), ("trumps held", "seat")),
}
"""The pairs of strata that are told at once (``crossed``), declared before any data are seen.

Other decisions are sorted by seat alone.
"""
IN_ORDER = ("eldest", "between", "dealer", "five", "jack", "ace", "king, queen", "low")
TURNUPS = {"5": "five", "J": "jack", "A": "ace", "K": "king, queen", "Q": "king, queen"}


def mean_of(values: NDArray[np.int64], units: int) -> Estimate:
    """Return the mean of independent whole values, with its interval."""
    whole = [int(value) for value in values]
    return estimate(sum(whole), sum(value * value for value in whole), len(whole), units)


def effect(branches: Branches) -> Estimate:
    """Return what taking the option gains over declining it, an opportunity."""
    return mean_of(branches.effects()[branches.found, 0], branches.units)


def summary_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return the estimates of one policy: effect, chance, a deal, own use, others, success."""
    found, units, effects = branches.found, branches.units, branches.effects()
    own = branches.effects(branching.OWN)[:, 0]
    took = branches.field(branching.OWN, branching.BRANCH_ACTION)[found]
    takes = (branches.question.take >> took) & 1
    rows = [
        row_of("effect", "of taking it, an opportunity", effect(branches)),
        row_of("chance", "of an opportunity, a deal", mean_of(found.astype(np.int64), 1)),
        row_of("a deal", "effect, counted over all deals", mean_of(effects[:, 0] * found, units)),
        row_of("own use", "the policy's choices, a deal", mean_of(own * found, units)),
        row_of("taken", "share of opportunities it takes", mean_of(takes, 1)),
    ]
    rows += _rule_rows(branches)
    for seat in range(1, branches.conditions.players):
        value = mean_of(effects[found, seat], units)
        rows.append(row_of("on others", f"{seat} to the left", value))
    if branches.question.name == "jink":
        rows += _jink_rows(branches)
    return rows


def _jink_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return how often a jink is made, by what is held too, and how often it has to be to pay."""
    found, rules = branches.found, branches.conditions.rules
    made = branches.field(branching.TOOK, branching.BRANCH_OUTCOME)[found] == layout.JINK_MADE
    rows = [row_of("success", "jinks made when always jinked", share(int(made.sum()), len(made)))]
    for name in JINK_STRATA if made.size else ():
        labels = strata(branches).get(name, [])
        for label in sorted(set(labels), key=_place):
            here = made[np.array([one == label for one in labels])]
            rows.append(row_of("success", f"{name}: {label}", share(int(here.sum()), len(here))))
    pots = branches.rows[found, branching.ROW_POT]
    if rules.family == POT and made.size and (pots == pots[0]).all():
        for told, left in (("with the share left", True), ("without the share left", False)):
            chance = break_even(rules, branches.conditions.players, int(pots[0]), share_left=left)
            rows.append(row_of("break-even", told, Estimate(chance, 0.0, len(made))))
    return rows


def _rule_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return what the rule is worth to each seat: the policy's use of it against nobody's, a deal.

    Only where a deal has one such decision at most, so that declining it is a deal without it.
    """
    if branches.question.name not in ONCE_A_DEAL:
        return []
    seats, dealers = branches.conditions.players, branches.rows[:, branching.ROW_DEALER]
    gains = branches.effects(branching.OWN) * branches.found[:, None]
    turn = (dealers - branches.rows[:, branching.ROW_SEAT])[:, None]
    from_eldest = np.take_along_axis(gains, (turn + 1 + np.arange(seats)) % seats, axis=1)
    return [
        row_of("the rule", name, mean_of(from_eldest[:, place], branches.units))
        for name, place in (("eldest", 0), ("dealer", seats - 1))
    ]


def taker_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return what it gains that another bot chooses how it is taken: which card is thrown …"""
    found, bot = branches.found, branches.taker
    ways = [branches.field(way, branching.BRANCH_ACTION)[found] for way in BOTH_WAYS]
    gains = [branches.effects(branching.TAKEN_OTHERWISE, than)[found, 0] for than in AGAINST]
    over_own, over_none = (mean_of(gain, branches.units) for gain in gains)
    same = (ways[0] == ways[1]).astype(np.int64)
    return [
        row_of("taken by", f"{bot}, over the policy's way", over_own),
        row_of("taken by", f"{bot}, over declining", over_none),
        row_of("taken alike", f"by {bot}, share", mean_of(same, 1)),
    ]


def told_rows(open_: Branches, silent: Branches) -> list[dict[str, Any]]:
    """Return what it costs that all see it: payoff when it was seen, less when it was not.

    Both have the same deals; the policies know by which rule they play.
    """
    both = open_.found & silent.found
    gains = open_.payoffs(branching.TOOK)[both] - silent.payoffs(branching.TOOK)[both]
    row = row_of("seen by all", "payoff less if nobody saw", mean_of(gains[:, 0], open_.units))
    return [row]


def row_of(quantity: str, stratum: str, value: Estimate) -> dict[str, Any]:
    """Return an estimate as a row of a table."""
    return {
        "quantity": quantity,
        "stratum": stratum,
        "value": value.mean,
        "value_ci": value.half_width,
        "n": value.n,
    }


def stratum_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return the effect in each stratum; strata are declared here, before any data are seen."""
    found = branches.found
    effects = branches.effects()[found, 0]
    rows = []
    for name, labels in strata(branches).items():
        for label in sorted(set(labels), key=_place):
            here = effects[np.array([one == label for one in labels])]
            rows.append(row_of(f"by {name}", label, mean_of(here, branches.units)))
    return rows


def crossed(branches: Branches, rows: str, columns: str) -> pd.DataFrame:
    """Return the effect in each pair of strata of two kinds.

    Args:
        branches: the deals.
        rows: a kind of stratum, as ``trumps held``.
        columns: another one; the two are a pair of ``PAIRS``, in either order.

    Returns:
        A row for each pair that came up: the two strata, ``value``, its 95 % half-width
        ``value_ci`` (nan for a single case), and ``n`` opportunities.

    Raises:
        RunError: for strata that are no pair of this decision, or if it never came up.
    """
    import pandas as pd

    _check_pair(branches.question.name, rows, columns)
    known = strata(branches)
    if not branches.found.any():
        raise RunError(f"nobody could {branches.question.name} in {len(branches.rows)} deals")
    pairs = list(zip(known[rows], known[columns], strict=True))
    effects = branches.effects()[branches.found, 0]
    found = []
    for pair in sorted(set(pairs), key=lambda pair: (_place(pair[0]), _place(pair[1]))):
        here = effects[np.array([one == pair for one in pairs])]
        value = mean_of(here, branches.units)
        told = {"value": value.mean, "value_ci": value.half_width, "n": value.n}
        found.append({rows: pair[0], columns: pair[1], **told})
    table = pd.DataFrame(found, columns=[rows, columns, "value", "value_ci", "n"])
    for name in (rows, columns):
        table[name] = pd.Categorical(table[name], sorted(set(known[name]), key=_place))
    return table


def _check_pair(decision: str, rows: str, columns: str) -> None:
    """Raise unless these strata were declared as a pair of the decision."""
    pairs = PAIRS.get(decision, ())
    if (rows, columns) not in pairs and (columns, rows) not in pairs:
        known = ", ".join(f"{one} by {other}" for one, other in pairs) or "none"
        raise RunError(f"{decision} is not told by {rows!r} and {columns!r}; known: {known}")


def _place(label: str) -> tuple[int, str]:
    """Return where a stratum stands among others of its kind."""
    return (IN_ORDER.index(label) if label in IN_ORDER else -1), label


def strata(branches: Branches) -> dict[str, list[str]]:
    """Return for each way to sort opportunities the stratum of each one."""
    rules, rows = branches.conditions.rules, branches.rows[branches.found]
    seats = branches.conditions.players
    after = (rows[:, branching.ROW_SEAT] - rows[:, branching.ROW_DEALER] - 1) % seats
    sorted_by = {"seat": [_seat_name(int(seat), seats) for seat in after]}
    trumps = rows[:, branching.ROW_TRUMP]
    if len(rows) and ((trumps >= 0) & (trumps < layout.NO_TRUMP)).all():
        hands = rows[:, branching.ROW_HAND]
        held = np.bitwise_count(hands & _masks(rules, layout.TRUMP_MASK)[trumps])
        top = (hands & _masks(rules, layout.TOP_MASK)[trumps]) != 0
        sorted_by["trumps held"] = [str(count) for count in held]
        sorted_by["best trump"] = [
            "five, jack or ace of hearts" if high else "lower" for high in top
        ]
        sorted_by["trump suit"] = ["hearts" if trump == HEARTS else "another" for trump in trumps]
    if branches.question.name == "rob":
        sorted_by["turn-up"] = [_turnup_name(int(card)) for card in rows[:, branching.ROW_TURNUP]]
    return sorted_by


def _masks(rules: RuleSet, which: int) -> NDArray[np.int64]:
    """Return a mask of cards of the rule tables for each trump suit."""
    orders = layout.ORDERS + np.arange(layout.SUITS) * layout.ORDER_SIZE
    return np.asarray(rule_tables(rules)[orders + which])


def _seat_name(after: int, seats: int) -> str:
    return "eldest" if after == 0 else "dealer" if after == seats - 1 else "between"


def _turnup_name(card: int) -> str:
    rank = card_name(card)[:-1]
    return {"5": "five", "J": "jack", "A": "ace"}.get(
        rank, "king, queen" if rank in "KQ" else "low"
    )
