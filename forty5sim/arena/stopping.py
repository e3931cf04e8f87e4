"""When a run ends before its last board: a sequential test, or an interval that is narrow enough.

Looks are taken after fixed numbers of boards, and each sees the boards up to it and no others. So
a run stops at the same board whatever the workers and chunks are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from forty5sim.arena.tally import Tally
from forty5sim.errors import RunError
from forty5sim.stats import LEVEL, SequentialTest, confidence_half_width, elo_test

LOOK_EVERY = 50
LOOK_GROWTH = 1.05
"""Boards between looks at first; then each look comes after so many times the boards before."""

PAYOFF, SCORE = "points", "elo"
ERRORS = {"alpha": 0.05, "beta": 0.05}
SPRT_FORM = "points0=0,points1=0.1 or elo0=0,elo1=10, with alpha=0.05,beta=0.05"


@dataclass(frozen=True)
class Stopping:
    """What ends a run early.

    Attributes:
        sprt: the hypotheses of a sequential test as they were given, "" for none.
        until: the half-width of every bot's always-valid interval that is wanted, 0 for none.
    """

    sprt: str = ""
    until: float = 0.0

    def __post_init__(self) -> None:
        if self.sprt and self.until:
            raise RunError("give --sprt or --until, not both")
        if isinstance(self.until, bool) or not (0 <= self.until < math.inf):
            raise RunError(f"until must be a half-width above 0, got {self.until!r}")
        if self.sprt:
            self.test()

    def __bool__(self) -> bool:
        return bool(self.sprt or self.until)

    def test(self) -> tuple[str, SequentialTest]:
        """Return what is tested, ``points`` or ``elo``, and the test.

        Raises:
            RunError: if the text names no test.
        """
        given = _numbers(self.sprt)
        errors = {name: given.pop(name, usual) for name, usual in ERRORS.items()}
        for kind in (PAYOFF, SCORE):
            if set(given) == {f"{kind}0", f"{kind}1"}:
                low, high = given[f"{kind}0"], given[f"{kind}1"]
                if not low < high:
                    raise RunError(f"sprt: {kind}0 must be below {kind}1, got {self.sprt!r}")
                make = SequentialTest if kind == PAYOFF else elo_test
                return kind, make(low, high, **errors)
        raise RunError(f"sprt must be {SPRT_FORM}, got {self.sprt!r}")


def _numbers(text: str) -> dict[str, float]:
    """Read ``name=number,…``."""
    found = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name.strip() in found:
            raise RunError(f"sprt: {name.strip()} is given twice in {text!r}")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            raise RunError(f"sprt must be {SPRT_FORM}, got {text!r}") from None
        if not math.isfinite(found[name.strip()]):
            raise RunError(f"sprt: {name.strip()} must be a finite number, got {number!r}")
    return found


def looks(boards: int) -> Iterator[int]:
    """Yield after how many boards a run of at most so many is looked at, ascending."""
    look = LOOK_EVERY
    while look < boards:
        yield look
        look = max(look + LOOK_EVERY, math.ceil(look * LOOK_GROWTH))
    yield boards


@dataclass(frozen=True)
class Conclusion:
    """What was concluded at a look, and at how many boards; ``ends`` the run or not."""

    boards: int
    text: str
    ends: bool


def conclude(stopping: Stopping, tally: Tally) -> Conclusion:
    """Return what the boards so far say."""
    return _of_test(stopping, tally) if stopping.sprt else _of_widths(stopping, tally)


def _of_test(stopping: Stopping, tally: Tally) -> Conclusion:
    kind, test = stopping.test()
    duel = tally.duels[0]
    values, counts = duel.payoff_support() if kind == PAYOFF else duel.score_support()
    ratio = test.log_likelihood_ratio(values, counts)
    decision = test.decision(ratio)
    low, high = test.bounds
    state = f"log-likelihood ratio {ratio:+.2f}, bounds {low:+.2f} and {high:+.2f}"
    unit = "Elo" if kind == SCORE else "a board's payoff"
    first = tally.names[duel.first]
    given = _numbers(stopping.sprt)
    if decision == "accept H1":
        text = f"{first} gains {given[f'{kind}1']:g} ({unit}) rather than {given[f'{kind}0']:g}"
    elif decision == "accept H0":
        text = f"{first} gains {given[f'{kind}0']:g} ({unit}) rather than {given[f'{kind}1']:g}"
    else:
        text = "no decision yet"
    return Conclusion(tally.boards, f"{text}; {state}", decision != "continue")


def always_valid(tally: Tally, bot: int, level: float = LEVEL) -> float:
    """Return the half-width of a bot's payoff that holds at every look; nan for one board."""
    sums = tally.sums["payoff", bot]
    return confidence_half_width(tally.boards, sums.deviation(tally.boards), level)


def _of_widths(stopping: Stopping, tally: Tally) -> Conclusion:
    widest = max(always_valid(tally, bot) for bot in range(len(tally.names)))
    text = f"the widest always-valid interval is ± {widest:.4g}, wanted ± {stopping.until:g}"
    return Conclusion(tally.boards, text, widest <= stopping.until)
