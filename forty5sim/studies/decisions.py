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
* the effect *on others* is told for each seat, counted from the one that decides.

Opportunities are those that the policy's own play brings about. Deals are independent, so a deal is
the unit of every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_POT, MAX_SEED, whole_number
from forty5sim.arena.schedule import fixed_table
from forty5sim.arena.standings import payoff_unit, seat_rows
from forty5sim.arena.tally import Tally
from forty5sim.cards import HEARTS, card_name
from forty5sim.errors import AgentError, RunError
from forty5sim.kernels import branching, layout
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.rules import MAX_PLAYERS, RuleSet
from forty5sim.stats import Estimate, estimate, share
from forty5sim.studies.branches import QUESTIONS, Branches, Question, branch_out
from forty5sim.tables import rule_tables

if TYPE_CHECKING:
    import pandas as pd

SEAT = "seat"
ONCE_A_DEAL = ("rob", "jink")
JINK_STRATA = ("trumps held", "best trump")
CHUNK = 2000
MOST_DEALS = 10**9
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
        _row("effect", "of taking it, an opportunity", effect(branches)),
        _row("chance", "of an opportunity, a deal", mean_of(found.astype(np.int64), 1)),
        _row("a deal", "effect, counted over all deals", mean_of(effects[:, 0] * found, units)),
        _row("own use", "the policy's choices, a deal", mean_of(own * found, units)),
        _row("taken", "share of opportunities it takes", mean_of(takes, 1)),
    ]
    rows += _rule_rows(branches)
    for seat in range(1, branches.conditions.players):
        value = mean_of(effects[found, seat], units)
        rows.append(_row("on others", f"{seat} to the left", value))
    if branches.question.name == "jink":
        rows += _jink_rows(branches)
    return rows


def _jink_rows(branches: Branches) -> list[dict[str, Any]]:
    """Return how often a jink is made, by what is held too, and how often it has to be to pay."""
    found, rules = branches.found, branches.conditions.rules
    made = branches.field(branching.TOOK, branching.BRANCH_OUTCOME)[found] == layout.JINK_MADE
    rows = [_row("success", "jinks made when always jinked", share(int(made.sum()), len(made)))]
    for name in JINK_STRATA if made.size else ():
        labels = strata(branches).get(name, [])
        for label in sorted(set(labels), key=_place):
            here = made[np.array([one == label for one in labels])]
            rows.append(_row("success", f"{name}: {label}", share(int(here.sum()), len(here))))
    pots = branches.rows[found, branching.ROW_POT]
    if made.size and (pots == pots[0]).all():
        for told, left in (("with the share left", True), ("without the share left", False)):
            chance = break_even(rules, branches.conditions.players, int(pots[0]), share_left=left)
            rows.append(_row("break-even", told, Estimate(chance, 0.0, len(made))))
    return rows


def break_even(rules: RuleSet, players: int, pot: int, *, share_left: bool = True) -> float:
    """Return the chance above which a jink pays more than taking the pot.

    Made, it wins the pot and a bonus from each opponent; failed, the pot stays. Of what stays a
    share of 1 / ``players`` can be counted as one's own: ``share_left``.

    Args:
        rules: of a pot game with jinks.
        players: at the table.
        pot: the chips in it at the decision, antes and all.
        share_left: count the share of the pot that stays.
    """
    bonus = int(rules.ante if rules.jink_bonus == "ante" else rules.jink_bonus)
    won = pot + (pot if rules.jink_reward == "double_pot" else (players - 1) * bonus)
    left = pot / players if share_left else 0.0
    return (pot - left) / (won - left)


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
        _row("the rule", name, mean_of(from_eldest[:, place], branches.units))
        for name, place in (("eldest", 0), ("dealer", seats - 1))
    ]


def told_rows(open_: Branches, silent: Branches) -> list[dict[str, Any]]:
    """Return what it costs that all see it: payoff when it was seen, less when it was not.

    Both have the same deals; the policies know by which rule they play.
    """
    both = open_.found & silent.found
    gains = open_.payoffs(branching.TOOK)[both] - silent.payoffs(branching.TOOK)[both]
    row = _row("seen by all", "payoff less if nobody saw", mean_of(gains[:, 0], open_.units))
    return [row]


def _row(quantity: str, stratum: str, value: Estimate) -> dict[str, Any]:
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
            rows.append(_row(f"by {name}", label, mean_of(here, branches.units)))
    return rows


def crossed(branches: Branches, rows: str, columns: str) -> pd.DataFrame:
    """Return the effect in each pair of strata of two kinds.

    Args:
        branches: the deals.
        rows: a kind of stratum: ``trumps held``, ``best trump``, ``trump suit``, ``turn-up`` or
            ``seat``.
        columns: another one.

    Returns:
        A row for each pair that came up: the two strata, ``value``, its 95 % half-width
        ``value_ci`` (nan for a single case), and ``n`` opportunities.

    Raises:
        RunError: for strata that this decision has not.
    """
    import pandas as pd

    known = strata(branches)
    for name in (rows, columns):
        if name not in known:
            raise RunError(f"there are no strata {name!r} here; known: {', '.join(known)}")
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


# --- the face ------------------------------------------------------------------------------------

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
    """

    question: Question
    conditions: Conditions
    branches: dict[str, Branches]
    table: pd.DataFrame

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
            tally.add([found], first)
        for row in seat_rows(tally):
            value = Estimate(row["payoff"], row["payoff_ci"], count)
            rows.append({"policy": bot, "deals": count, **_row(SEAT, row["seat"], value)})
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
    progress: bool = False,
) -> DecisionValue:
    """Return what a decision is worth, under each of some policies.

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
    found, rows = {}, []
    for bot in bots:
        count = DEALS.get(bot, SEARCHING_DEALS) if deals is None else deals
        count = whole_number("deals", count, 2, MOST_DEALS)
        found[bot] = branch_out(question, conditions, bot, count, progress=progress)
        told = [*summary_rows(found[bot]), *stratum_rows(found[bot])]
        if unseen:
            other = branch_out(question, unseen, bot, count, progress=progress)
            told += told_rows(found[bot], other)
        rows += [{"policy": bot, "deals": count, **row} for row in told]
    return DecisionValue(question, conditions, found, pd.DataFrame(rows))


def _unseen(question: Question, conditions: Conditions) -> Conditions:
    """Return the same conditions with robbing that nobody sees.

    Raises:
        RunError: if the question is another one, or nobody sees it anyway.
    """
    rules = conditions.rules
    if question.name != "rob" or rules.rob_announced == "silent":
        raise RunError("silent is for rob, in a game in which robbing is seen")
    return replace(conditions, rules=rules.with_options(rob_announced="silent"))
