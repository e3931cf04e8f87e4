"""The exact worth of robbing for every hand of two players and every turn-up, all cards seen.

Hands come in classes (``equities``). A class with the ace of trumps may rob any turn-up that it
does not hold; one without it robs only the ace, as the dealer. Each pair of hand and turn-up is
counted six times: kept, and with each of the five cards thrown; what is thrown or left is dead.
Work is done in parts of some classes, written whole, so that a long run can go on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from forty5sim.evaluation.equities import Classes, check_rules, classes_of, most_kept, scheme_of
from forty5sim.files import written_whole
from forty5sim.kernels import equity, gap_patterns
from forty5sim.kernels.vector import Vector
from forty5sim.rules import RuleSet

CLASSES_A_PART = 4_096
CLASSES_A_CALL = 512
ACE = 10  # the place of the ace of trumps by strength, in either kind
ACE_OF_HEARTS = 11  # where another suit is trumps: it is a trump, and makes hearts trumps if turned
LOW_CARDS = ("2", "3", "4", "6", "7", "8", "9", "10")
OTHER_HANDS = comb(46, 5)
HAND = gap_patterns.CARDS

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Robs:
    """Pairs of hand and turn-up, with what they are worth.

    Attributes:
        classes: the number of the hand's class, shape (pairs,).
        turned: the place of the turn-up among the trumps by strength, 0 the lowest.
        weights: how many hands each stands for.
        counts: int32 of shape (pairs, 6, 2, 6): kept, then each card thrown, suit by suit from
            the trumps on, low to high; as leader and as follower; hands of the other by tricks.
    """

    classes: Ints
    turned: Ints
    weights: Ints
    counts: NDArray[np.int32]


def pairs_of(classes: Classes, first: int, last: int, *, hearts: bool) -> tuple[Ints, Ints]:
    """Return the pairs with a right to rob of these classes: class numbers, places turned up."""
    trumps = classes.masks[first:last, 0].astype(np.int64)
    holds = trumps >> ACE & 1 == 1
    places = np.arange(classes.lengths[0])
    may = (trumps[:, None] >> places & 1 == 0) & (holds[:, None] | (places == ACE))
    if not hearts:
        may[:, ACE_OF_HEARTS] = False
    found, turned = np.nonzero(may)
    return first + found.astype(np.int64), turned.astype(np.int64)


def count_robs(rules: RuleSet, first: int, last: int, *, hearts: bool) -> Robs:
    """Count all pairs of classes ``first`` .. ``last - 1``.

    Raises:
        SolverError: for a game without exact values.
    """
    check_rules(rules)
    classes = classes_of(hearts)
    scheme, cells = scheme_of(rules)
    blocks = np.zeros(gap_patterns.BLOCKS_SIZE, dtype=np.int64)
    numbers, turned = pairs_of(classes, first, last, hearts=hearts)
    hands = _hands(classes.masks[numbers].astype(np.int64), turned)
    found = np.zeros((len(hands), gap_patterns.CELLS), dtype=np.int64)
    equity.count_hands(hands, classes.lengths, scheme, cells, most_kept(rules), blocks, found)
    cross = found.reshape(-1, HAND + 1, gap_patterns.OUTCOMES, gap_patterns.OUTCOMES)
    counts = np.stack([cross.sum(axis=3), cross.sum(axis=2)], axis=2).astype(np.int32)
    return Robs(numbers, turned, classes.weights[numbers], counts)


def _hands(own: Ints, turned: Ints) -> Vector:
    """Return the hands to count for pairs: own and dead masks, six rows a pair; (6 * pairs, 8)."""
    rows = np.zeros((len(own), HAND + 1, 8), dtype=np.int64)
    rows[:, :, :4] = own[:, None, :]
    rows[:, 0, 4] = 1 << turned
    rows[:, 1:, 0] |= 1 << turned[:, None]
    left = own.copy()
    for thrown in range(1, HAND + 1):
        suit = np.argmax(left != 0, axis=1)
        every = np.arange(len(own))
        lowest = left[every, suit] & -left[every, suit]
        left[every, suit] ^= lowest
        rows[every, thrown, suit] ^= lowest
        rows[every, thrown, 4 + suit] = lowest
    return rows.reshape(-1, 8)


# --- a long run -----------------------------------------------------------------------------------


@dataclass
class RobbingRun:
    """A run over all classes, in parts; the same folder again goes on where it stopped.

    Attributes:
        rules: the rules.
        folder: where parts and summary are kept.
        threads: how many parts are counted at a time.
    """

    rules: RuleSet
    folder: Path
    threads: int = 2

    def play(self, *, most_parts: int | None = None, progress: bool = True) -> float:
        """Count the parts that are missing, ``most_parts`` at most; return seconds a 1000 classes.

        Raises:
            OSError: if a part cannot be written.
        """
        check_rules(self.rules)
        scheme_of(self.rules)
        missing = [part for part in self.parts() if not self._path(part).exists()][:most_parts]
        total = sum(last - first for _, first, last in missing)
        self._parts_folder.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        with (
            ThreadPoolExecutor(self.threads) as pool,
            tqdm(total=total, desc="classes", disable=not progress) as bar,
        ):
            for done in pool.map(self._count, missing):
                bar.update(done)
        return (time.perf_counter() - started) / max(total, 1) * 1000

    def parts(self) -> Iterator[tuple[bool, int, int]]:
        """Yield the parts: hearts or another suit, first class, the one after the last."""
        for hearts in (True, False):
            size = len(classes_of(hearts))
            for first in range(0, size, CLASSES_A_PART):
                yield hearts, first, min(first + CLASSES_A_PART, size)

    @property
    def _parts_folder(self) -> Path:
        return self.folder / "parts"

    def _path(self, part: tuple[bool, int, int]) -> Path:
        hearts, first, last = part
        return (
            self._parts_folder / f"{'hearts' if hearts else 'other'}-{first:07d}-{last:07d}.parquet"
        )

    def _count(self, part: tuple[bool, int, int]) -> int:
        hearts, first, last = part
        starts = range(first, last, CLASSES_A_CALL)
        ends = [min(start + CLASSES_A_CALL, last) for start in starts]
        robs = [
            worth(count_robs(self.rules, start, end, hearts=hearts))
            for start, end in zip(starts, ends, strict=True)
        ]
        with written_whole(self._path(part)) as path:
            pd.concat(map(pd.DataFrame, robs)).to_parquet(path, index=False)
        return last - first

    def summary(self) -> pd.DataFrame:
        """Return what robbing is worth on the average, from the parts that there are."""
        rows = []
        for hearts, table in self._tables():
            rows += _summaries("hearts" if hearts else "another suit", table)
        return pd.DataFrame(rows)

    def by_hand(self) -> pd.DataFrame:
        """Return the holder's mean gain by the trumps that he holds before and by the turn-up.

        Returns:
            A row for each: ``trumps``, ``trumps held``, ``turn-up`` (of a red suit, and in
            brackets of a black one that stands in the same place), ``value``, the chance of three
            tricks or more that is gained, the mean of leading and not leading, ``value_ci``, 0,
            for it is exact, and ``n``, the hands.
        """
        rows: list[dict[str, object]] = []
        for hearts, table in self._tables():
            some = table[table["turned"] != ACE].copy()
            trumps = classes_of(hearts).masks[:, 0].astype(np.int64)
            some["held"] = np.bitwise_count(trumps[some["class"].to_numpy()])
            for pair, here in some.groupby(["held", "turned"]):
                held, turned = map(int, np.asarray(pair))
                weights = here["weight"].to_numpy()
                gains = sum(
                    here[f"best_three_{role}"].to_numpy() - here[f"kept_three_{role}"].to_numpy()
                    for role in ("lead", "follow")
                )
                gain = float(weights @ gains) / int(weights.sum()) / 2 / OTHER_HANDS
                told = {"value": gain, "value_ci": 0.0, "n": int(weights.sum())}
                names = {"trumps held": held, "turn-up": turn_up_name(turned, hearts)}
                rows.append({"trumps": "hearts" if hearts else "another suit", **names, **told})
        columns = ["trumps", "trumps held", "turn-up", "value", "value_ci", "n"]
        return pd.DataFrame(rows, columns=columns)

    def _tables(self) -> Iterator[tuple[bool, pd.DataFrame]]:
        """Yield the parts that there are: whether hearts are trumps, and their rows."""
        for hearts in (True, False):
            done = [
                part for part in self.parts() if part[0] == hearts and self._path(part).exists()
            ]
            if done:
                yield hearts, pd.concat([pd.read_parquet(self._path(part)) for part in done])


def turn_up_name(place: int, hearts: bool) -> str:
    """Return the card in this place of the trumps, 0 the lowest: of a red suit (of a black one).

    >>> turn_up_name(0, hearts=False), turn_up_name(12, hearts=True)
    ('2 (10)', '5')
    """
    if place >= len(LOW_CARDS):
        high = ("Q", "K", "A", "J", "5") if hearts else ("Q", "K", "A", "ace of hearts", "J", "5")
        return high[place - len(LOW_CARDS)]
    red, black = LOW_CARDS[place], LOW_CARDS[-1 - place]
    return red if hearts else f"{red} ({black})"


def worth(robs: Robs) -> dict[str, Ints]:
    """Return columns for pairs: what they are, three or more and tricks, kept and robbed at best.

    Numbers are of the other's C(46, 5) hands; the best discard is chosen by three or more, for
    tricks by tricks; ``throw`` is its number, 0..4, as in ``Robs.counts``.
    """
    three = robs.counts[:, :, :, 3:].sum(axis=3, dtype=np.int64)
    tricks = robs.counts.astype(np.int64) @ np.arange(gap_patterns.OUTCOMES)
    columns = {"class": robs.classes, "turned": robs.turned, "weight": robs.weights}
    for role, name in enumerate(("lead", "follow")):
        columns[f"kept_three_{name}"] = three[:, 0, role]
        columns[f"best_three_{name}"] = three[:, 1:, role].max(axis=1)
        columns[f"kept_tricks_{name}"] = tricks[:, 0, role]
        columns[f"best_tricks_{name}"] = tricks[:, 1:, role].max(axis=1)
        columns[f"throw_{name}"] = three[:, 1:, role].argmax(axis=1)
    return columns


def _summaries(trumps: str, table: pd.DataFrame) -> list[dict[str, object]]:
    """Return a row for the holder who leads, the holder who does not, and the dealer."""
    holder = table["turned"] != ACE
    cases = [
        ("holder of the ace, leading", holder, "lead"),
        ("holder of the ace, not leading", holder, "follow"),
        ("dealer, the ace turned up", ~holder, "follow"),
    ]
    rows: list[dict[str, object]] = []
    for who, chosen, role in cases:
        some = table[chosen]
        weights = some["weight"].to_numpy()
        total = max(int(weights.sum()), 1)
        kept = some[f"kept_three_{role}"].to_numpy()
        best = some[f"best_three_{role}"].to_numpy()
        tricks = (some[f"best_tricks_{role}"] - some[f"kept_tricks_{role}"]).to_numpy()
        rows.append(
            {
                "trumps": trumps,
                "who": who,
                "pairs": len(some),
                "hands": int(weights.sum()),
                "kept": float(weights @ kept) / total / OTHER_HANDS,
                "robbed": float(weights @ best) / total / OTHER_HANDS,
                "gain": float(weights @ (best - kept)) / total / OTHER_HANDS,
                "tricks_gain": float(weights @ tricks) / total / OTHER_HANDS,
                "never_worse": float(weights @ (best >= kept)) / total,
                "worst": float((best - kept).min(initial=0)) / OTHER_HANDS,
                "most": float((best - kept).max(initial=0)) / OTHER_HANDS,
            }
        )
    return rows
