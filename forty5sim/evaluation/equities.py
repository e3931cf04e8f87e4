"""Exact values of five-card hands of two players: all other hands counted, all cards seen.

``HandCounter`` counts the other's hands for one hand, at some 15 microseconds each; an
``EquityTable`` holds the counts of every class of hands, so that a hand is a look-up. Trumps are
named, and nobody robs; cards may be dead. With perfect play on both sides and all cards seen the
leader's tricks are a number for each of the C(47, 5) other hands: their distribution is what the
hand is worth.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from forty5sim.cards import ACE_OF_HEARTS, HEARTS, NO_TRUMP, Card, Mask, Suit, rank_of, suit_of
from forty5sim.errors import SolverError
from forty5sim.files import written_whole
from forty5sim.kernels import equity, gap_patterns, hand_classes
from forty5sim.kernels.jit import cache_root
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.ranking import plain_order, trump_order
from forty5sim.rules import RuleSet
from forty5sim.searches import PLAIN_LEADS, RENEGES, has_table, two_player_table

OTHER_HANDS = gap_patterns.OTHER_HANDS
"""How many hands the other may have: C(47, 5) = 1 533 939."""
VERSION = 1
CHUNK = 8_192
BLOCK = 4_096
HEARTS_LENGTHS, OTHER_LENGTHS = (13, 13, 13, 13), (14, 12, 13, 13)
HEARTS_CLASSES, OTHER_CLASSES = 484_731, 1_350_284

Counts = NDArray[np.int64]
Table = NDArray[np.int32]


def check_rules(rules: RuleSet) -> None:
    """Raise unless two players' hands can be valued exactly by these rules.

    Raises:
        SolverError: for a game without a complete table of two players, or another pack or hand.
    """
    plain_pack = (
        len(rules.deck_cards()) == NO_TRUMP * 13 and int(rules.hand_size) == gap_patterns.CARDS
    )
    if not has_table(rules, 2) or rules.joker != "none" or not plain_pack:
        raise SolverError(
            f"{rules.id} has no exact values of two players' hands: they need 52 cards, five a"
            " hand, the modern order, and ah_lead_needs_heart=off"
        )


def most_kept(rules: RuleSet) -> int:
    """Return how many trumps of the pack may be kept back."""
    return 0 if rules.renege == "none" else 1 if rules.renege_cards == "five_only" else 3


@lru_cache(maxsize=4)
def _scheme(
    kept: int, plain_lead: str, renege: str, rules: RuleSet
) -> tuple[Vector, NDArray[np.int8]]:
    """Return the dense table of positions with five cards a hand, and how it is laid out."""
    scheme = np.zeros(gap_patterns.SCHEME_SIZE, dtype=np.int64)
    cells = np.zeros(equity.number_scheme(scheme), dtype=np.int8)
    equity.fill_scheme(scheme, cells, two_player_table(rules), kept)
    return scheme, cells


def suits_by_strength(rules: RuleSet, trump: Suit) -> list[tuple[Card, ...]]:
    """Return the cards of each suit, low to high: trumps, then plain suits, the shortest first."""
    plain = [plain_order(rules, suit) for suit in range(NO_TRUMP) if suit != trump]
    plain.sort(key=len)
    return [suit[::-1] for suit in (trump_order(rules, trump), *plain)]


@dataclass
class HandCounter:
    """Counts the other's hands for single hands; good for one thread.

    Attributes:
        rules: the rules; see ``check_rules``.
        trump: the trump suit.
        looked_up: how many positions were looked up so far.
    """

    rules: RuleSet
    trump: Suit
    looked_up: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        check_rules(self.rules)
        self._kept = most_kept(self.rules)
        self._scheme, self._cells = scheme_of(self.rules)
        self._suits = suits_by_strength(self.rules, self.trump)
        self._lengths = np.array([len(suit) for suit in self._suits], dtype=np.int64)
        self._blocks = np.zeros(gap_patterns.BLOCKS_SIZE, dtype=np.int64)

    def counts(
        self, hands: Sequence[Mask] | Vector, dead: Sequence[Mask] | Vector | None = None
    ) -> Counts:
        """Return the numbers of other hands by the tricks of hands, masks of five cards.

        ``dead`` are masks of cards that nobody has, one for each hand. Shape of the result:
        (n, 6, 6), int64: tricks with the hand as leader, and as follower. Each sums to
        C(47 - d, 5), d the number of dead cards.
        """
        masks = np.asarray(hands, dtype=np.int64).reshape(-1)
        gone = np.zeros_like(masks) if dead is None else np.asarray(dead, dtype=np.int64)
        words = np.concatenate([self._by_suit(masks), self._by_suit(gone)], axis=1)
        found = np.zeros((len(words), gap_patterns.CELLS), dtype=np.int64)
        self.looked_up += equity.count_hands(
            words, self._lengths, self._scheme, self._cells, self._kept, self._blocks, found
        )
        return found.reshape(-1, gap_patterns.OUTCOMES, gap_patterns.OUTCOMES)

    def _by_suit(self, masks: Vector) -> Vector:
        """Return masks of cards as masks by strength of each suit, shape (n, 4)."""
        words = np.zeros((len(masks), 4), dtype=np.int64)
        for suit, cards in enumerate(self._suits):
            for place, card in enumerate(cards):
                words[:, suit] |= (masks >> card & 1) << place
        return words


def scheme_of(rules: RuleSet) -> tuple[Vector, NDArray[np.int8]]:
    """Return the dense table of positions for these rules; one is kept for all that play alike."""
    return _scheme(most_kept(rules), rules.plain_lead, rules.renege, rules)


# --- classes of hands -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of hands for hearts as trumps, or for another suit.

    Attributes:
        lengths: the numbers of cards of the suits, trumps first.
        masks: own cards by strength, int16 of shape (classes, 4).
        weights: how many hands each class stands for, int64; they sum to 2 598 960.
    """

    lengths: Vector
    masks: NDArray[np.int16]
    weights: Counts

    def __len__(self) -> int:
        return len(self.masks)


@lru_cache(maxsize=2)
def _index(hearts: bool) -> tuple[Vector, Vector]:
    """Return the lengths of the suits, and the words that number the classes."""
    lengths = np.array(HEARTS_LENGTHS if hearts else OTHER_LENGTHS, dtype=np.int64)
    index = np.zeros(hand_classes.INDEX_SIZE, dtype=np.int64)
    hand_classes.number_classes(index, lengths)
    return lengths, index


@lru_cache(maxsize=2)
def classes_of(hearts: bool) -> Classes:
    """Return the classes of hands with hearts as trumps (484 731), or another suit (1 350 284)."""
    lengths, index = _index(hearts)
    masks = np.zeros((HEARTS_CLASSES if hearts else OTHER_CLASSES, 4), dtype=np.int16)
    hand_classes.list_classes(index, masks)
    alike = masks[:, 1:] if hearts else masks[:, 2:]
    different = 1 + (np.diff(np.sort(alike, axis=1), axis=1) != 0).sum(axis=1)
    orders = np.array([0, 1, 3, 6] if hearts else [0, 1, 2], dtype=np.int64)
    return Classes(lengths, masks, orders[different])


@lru_cache(maxsize=32)
def _translation(rules: RuleSet, trump: Suit) -> Vector:
    """Return the words of ``kernels.hand_classes`` for the masks of ranks of each suit printed."""
    index = _index(trump == HEARTS)[1]
    words = np.zeros((4, hand_classes.TRANSLATED_SUIT), dtype=np.int64)
    for suit, cards in enumerate(suits_by_strength(rules, trump)):
        printed = suit_of(cards[0])
        masks = np.arange(hand_classes.TRANSLATED_SUIT)
        strength = np.zeros_like(masks)
        for place, card in enumerate(cards):
            strange = card == ACE_OF_HEARTS and printed != HEARTS
            strength |= (masks >> (13 if strange else rank_of(card)) & 1) << place
        start = hand_classes.PLAIN_WORDS if suit else hand_classes.TRUMP_WORDS
        words[printed] = index[start + strength]
    return words.reshape(-1)


@dataclass(frozen=True, eq=False)
class EquityTable:
    """The exact values of all hands of two players, by class: every hand is a look-up.

    Attributes:
        rules: the rules that it was made for.
        hearts: whether it is for hearts as trumps, or for another suit.
        counts: int32 of shape (classes, 2, 6): other hands by tricks as leader and as follower;
            each of the two sums to 1 533 939.
    """

    rules: RuleSet
    hearts: bool
    counts: Table

    def __post_init__(self) -> None:
        one, two, three, four, five = (self.counts[:, :, n].astype(np.int64) for n in range(1, 6))
        rest = one + 2 * two + four
        words = (rest << equity.WIN_BITS | three + four + five) << equity.WIN_BITS | five
        object.__setattr__(self, "_packed", np.ascontiguousarray(words.T))

    def values(self, hands: Vector, trump: Suit, *, leads: bool, out: Reals | None = None) -> Reals:
        """Return expected tricks, P(3 or more), P(5) of hands: float64 of shape (n, 3).

        ``hands`` are masks of five cards each, not checked; ``leads``: the hand is the leader's.
        They are written to ``out`` if it is given, which saves fresh memory.
        """
        packed: Vector = self._packed[0 if leads else 1]  # type: ignore[attr-defined]
        values = np.empty((len(hands), 3)) if out is None else out
        index, translation = _index(self.hearts)[1], _translation(self.rules, trump)
        numbers = np.empty(BLOCK, dtype=np.int64)
        equity.look_up_hands(hands, trump, index, translation, packed, numbers, values)
        return values

    def classes(self, hands: Vector, trump: Suit) -> Vector:
        """Return the number of the class of each hand."""
        numbers = np.empty(len(hands), dtype=np.int64)
        index, translation = _index(self.hearts)[1], _translation(self.rules, trump)
        hand_classes.find_classes(hands, trump, index, translation, numbers)
        return numbers


def equity_table(
    rules: RuleSet, trump: Suit, *, threads: int = 2, progress: bool = False
) -> EquityTable:
    """Return the table for a trump suit: in memory, from disk, or built, in half a minute.

    Raises:
        SolverError: as ``check_rules``.
    """
    check_rules(rules)
    hearts = trump == HEARTS
    if (rules, hearts) not in _TABLES:
        path = table_path(rules, hearts)
        counts = _read(path, HEARTS_CLASSES if hearts else OTHER_CLASSES)
        if counts is None:
            counts = build_counts(rules, hearts, threads=threads, progress=progress)
            _write(path, counts)
        _TABLES[rules, hearts] = EquityTable(rules, hearts, counts)
    return _TABLES[rules, hearts]


_TABLES: dict[tuple[RuleSet, bool], EquityTable] = {}


def table_path(rules: RuleSet, hearts: bool) -> Path:
    """Return where the table is kept on disk: one for all rules that play alike."""
    play = f"{most_kept(rules)}{PLAIN_LEADS[rules.plain_lead]}{RENEGES[rules.renege]}"
    name = f"equity-{'hearts' if hearts else 'other'}-{play}-v{VERSION}.npz"
    return cache_root() / "tables" / name


def build_counts(
    rules: RuleSet, hearts: bool, *, threads: int = 2, progress: bool = False
) -> Table:
    """Count the other's hands for every class; int32 of shape (classes, 2, 6)."""
    classes = classes_of(hearts)
    scheme, cells = scheme_of(rules)
    counts = np.zeros((len(classes), 2 * gap_patterns.OUTCOMES), dtype=np.int32)

    def count(first: int) -> int:
        last = min(first + CHUNK, len(classes))
        blocks = np.zeros(gap_patterns.BLOCKS_SIZE, dtype=np.int64)
        scratch = np.zeros(gap_patterns.CELLS + 8, dtype=np.int64)
        equity.count_classes(
            classes.masks, first, last, classes.lengths, scheme, cells, most_kept(rules),
            blocks, scratch, counts,
        )  # fmt: skip
        return last - first

    chunks = range(0, len(classes), CHUNK)
    what = f"equity table, {'hearts' if hearts else 'another suit'} trumps"
    with (
        ThreadPoolExecutor(threads) as pool,
        tqdm(total=len(classes), desc=what, disable=not progress) as bar,
    ):
        for done in pool.map(count, chunks):
            bar.update(done)
    return counts.reshape(-1, 2, gap_patterns.OUTCOMES)


def _read(path: Path, classes: int) -> Table | None:
    """Return a table from disk; None if there is none, or it is not whole (its sums, its CRC)."""
    try:
        with path.open("rb") as file, np.load(file) as kept:
            counts: Table = kept["counts"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    whole = counts.shape == (classes, 2, gap_patterns.OUTCOMES) and counts.dtype == np.int32
    return counts if whole and bool((counts.sum(axis=2) == OTHER_HANDS).all()) else None


def _write(path: Path, counts: Table) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part, part.open("wb") as file:
            np.savez(file, counts=counts)
    except OSError:
        pass  # a read-only folder: it is built again next time
