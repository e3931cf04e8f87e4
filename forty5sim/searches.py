"""The double-dummy searches for Python: arrays of states in, bounds or vectors out.

Each keeps its own working memory and is good for one rule set, in one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import Mask
from forty5sim.kernels import alphabeta, canonical, desk, layout, maxn, ranks, solving
from forty5sim.kernels.vector import Vector
from forty5sim.options import FIVE_HUNDRED
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables

FEW_CARDS = 6  # a hand; with more the memo is large
MEMO_ENTRIES, MANY_ENTRIES = 1 << 12, 1 << 17
"""Small enough for the processor's cache where deals are solved in microseconds: measured, 4 096
entries solve 14 000 five-card deals a second, 65 536 entries 9 000."""
VECTOR_ENTRIES = {2: 1 << 12, 3: 1 << 14, 4: 1 << 16}  # by seats; for more of them
MANY_VECTORS = 1 << 18


@dataclass(frozen=True)
class Count:
    """What ``TrickSearch`` counts.

    Attributes:
        counted: mask of the seats whose tricks count.
        eager: mask of the seats that want them.
        last_extra: what the last trick counts beside one.
        best_extra: what owning the best trump counts, where it is open because of a rob to come.
    """

    counted: Mask
    eager: Mask
    last_extra: int = 0
    best_extra: int = 0


PLAIN_LEADS = {
    "follow_or_trump": canonical.FOLLOW_OR_TRUMP,
    "strict_follow": canonical.STRICT_FOLLOW,
    "must_follow_or_trump": canonical.MUST_FOLLOW_OR_TRUMP,
    "free": canonical.FREE,
}
RENEGES = {
    "outranks_led": canonical.OUTRANKS,
    "highest_so_far": canonical.OUTRANKS,  # two players: nothing lies on the trick but the lead
    "expires_in_deal": canonical.EXPIRES,
    "single_unconditional": canonical.SINGLE,
    "none": canonical.NONE,
}


def has_table(rules: RuleSet, seats: int) -> bool:
    """Say whether there is a complete table for this game of so many seats."""
    if seats != 2 or rules.family == FIVE_HUNDRED or int(rules.hand_size) > canonical.MOST_CARDS:
        return False
    highest_kept = rules.head == "modern" or rules.renege == "none"
    return highest_kept and rules.ah_lead_needs_heart == "off"


def uses_table(rules: RuleSet, seats: int, count: Count) -> bool:
    """Say whether the complete table of two players answers this."""
    plain = count.last_extra == 0 and count.counted == count.eager
    return plain and has_table(rules, seats)


def two_player_table(rules: RuleSet) -> Vector:
    """Return the complete table of two players; one is kept for all rules that play alike."""
    kept = 0 if rules.renege == "none" else 1 if rules.renege_cards == "five_only" else 3
    joker = rules.joker != "none" and kept == 3
    return _table(kept + joker, PLAIN_LEADS[rules.plain_lead], RENEGES[rules.renege])


@lru_cache(maxsize=8)
def _table(most_kept: int, plain_lead: int, renege: int) -> Vector:
    table = np.zeros(canonical.ENTRIES, dtype=np.int64)
    scratch = np.zeros(canonical.MOST_CARDS + canonical.POSITION_SIZE, dtype=np.int64)
    solving.fill_table(table, most_kept, plain_lead, renege, scratch)
    return table


class TrickSearch:
    """Two sides, by alpha-beta: how much more the one gets against the other's best play."""

    def __init__(self, rules: RuleSet) -> None:
        self._tables = rule_tables(rules)
        self._desk: Vector = np.zeros(desk.DESK_SIZE, dtype=np.int64)
        self._ranks: Vector = np.zeros(ranks.ALL_RANKS_SIZE, dtype=np.int64)
        self._question: Vector = np.zeros(alphabeta.QUESTION_SIZE, dtype=np.int64)
        self._rules = rules
        self._entries = MEMO_ENTRIES if int(rules.hand_size) <= FEW_CARDS else MANY_ENTRIES
        self._asks_for_hearts = rules.family != FIVE_HUNDRED and rules.ah_lead_needs_heart == "on"

    @cached_property
    def _memo(self) -> Vector:
        return np.zeros(alphabeta.ENTRY * self._entries, dtype=np.int64)

    def narrow(
        self, states: Vector, count: Count, bounds: Vector, max_nodes: int
    ) -> tuple[Vector, int]:
        """Narrow bounds on what is still to come, of shape (n, 2); return them and the nodes.

        Least and most differ where ``max_nodes`` were not enough.
        """
        seats = int(states[0, layout.SEATS]) if len(states) else 0
        question = self._question
        question[alphabeta.COUNTED] = count.counted
        question[alphabeta.EAGER] = count.eager
        question[alphabeta.LAST_EXTRA] = count.last_extra
        question[alphabeta.BEST_EXTRA] = count.best_extra
        question[alphabeta.SIZE_MASK] = self._entries - 1
        question[alphabeta.BY_OWNERS] = (
            seats <= alphabeta.OWNERS_SEATS and not self._asks_for_hearts
        )
        complete = uses_table(self._rules, seats, count)
        question[alphabeta.COMPLETE] = complete
        bounds = np.array(bounds, dtype=np.int64).reshape(-1, 2)
        nodes = solving.count_tricks(
            states,
            self._tables,
            self._desk,
            self._ranks,
            question,
            two_player_table(self._rules) if complete else self._memo,
            max_nodes,
            bounds,
        )
        return bounds, int(nodes)


TIES = ("first", "average", "spite")
"""What a side does among moves that are equal for itself: the lowest action, each equally often,
or the one that leaves the best of the others with least."""


@dataclass(frozen=True)
class Terms:
    """What a side's value is to ``VectorSearch``, as numbers of ``kernels.maxn``."""

    mode: int
    tie: str
    sides: int
    tricks_in_deal: int
    worth: int = 1
    last_worth: int = 0
    best_worth: int = 0
    tricks_to_win: int = 0
    jink_side: int = -1
    keeping_bars: bool = False
    scoring: int = 0

    def row(self, taken: Sequence[int], barred: Mask = 0, earned: Sequence[float] = ()) -> Vector:
        """Return the words that the kernel takes, with the tricks that each side has.

        ``earned`` is what they have earned of a sum, with bonuses that are certain.
        """
        row = np.zeros(maxn.TERMS_SIZE, dtype=np.int64)
        row[maxn.MODE] = self.mode
        row[maxn.WORTH] = self.worth
        row[maxn.LAST_WORTH] = self.last_worth
        row[maxn.BEST_WORTH] = self.best_worth
        row[maxn.TOPS] = -1
        row[maxn.TIE_RULE] = TIES.index(self.tie)
        row[maxn.SIDE_COUNT] = self.sides
        row[maxn.TRICKS_TO_WIN] = self.tricks_to_win
        row[maxn.JINK_SIDE] = self.jink_side
        row[maxn.KEEPING_BARS] = self.keeping_bars
        row[maxn.BARRED] = barred
        row[maxn.SCORING] = self.scoring
        row[maxn.TRICKS_IN_DEAL] = self.tricks_in_deal
        row[maxn.BONUS_SIDE] = -1
        row[maxn.TAKEN_BY : maxn.TAKEN_BY + len(taken)] = taken
        row[maxn.EARNED_BY : maxn.EARNED_BY + len(earned)] = earned
        return row


class VectorSearch:
    """Any number of sides, each for itself (max^n)."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self._tables = rule_tables(rules)
        self._entries = VECTOR_ENTRIES.get(seats, MANY_VECTORS)
        self._desk: Vector = np.zeros(desk.DESK_SIZE, dtype=np.int64)
        self._ranks: Vector = np.zeros(ranks.ALL_RANKS_SIZE, dtype=np.int64)
        self._keys: Vector = np.zeros(maxn.KEY_WORDS * self._entries, dtype=np.int64)
        self._memo = np.zeros(layout.MAX_SEATS * self._entries)
        self._values = np.zeros(layout.MAX_SEATS * (desk.MAX_FRAMES + 1))
        self._searches = 0

    def find(
        self, states: Vector, terms: Vector, max_nodes: int
    ) -> tuple[NDArray[np.float64], int]:
        """Return the value of each state for each side, NaN where it was given up; and the nodes.

        ``terms`` has a row for each state (``Terms.row``); values have MAX_SEATS columns.
        """
        terms = terms.copy()
        for row in terms:
            row[maxn.VECTORS_MASK] = self._entries - 1
            row[maxn.SEARCH] = self._searches
            self._searches += 1
        values = np.full((len(states), layout.MAX_SEATS), np.nan)
        nodes = solving.find_vectors(
            states,
            self._tables,
            self._desk,
            self._ranks,
            terms,
            self._keys,
            self._memo,
            self._values,
            max_nodes,
            values,
        )
        return values, int(nodes)
