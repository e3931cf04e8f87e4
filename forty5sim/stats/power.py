"""How many boards it takes to see an effect of a given size."""

from __future__ import annotations

import math

from scipy.special import nctdtr, ndtri, stdtrit

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL
from forty5sim.stats.extras import check_positive, check_share


def power_of(boards: int, effect: float, deviation: float, level: float = LEVEL) -> float:
    """Return the probability that the interval of a mean over boards leaves out zero.

    It is the power of the two-sided one-sample t test, from the noncentral t distribution (Cohen,
    "Statistical Power Analysis", 1988). With an effect of 0 it is 1 - level.

    Args:
        boards: the number of boards, at least 2.
        effect: the true mean of the board values.
        deviation: the standard deviation of the board values, in the unit of the effect.
        level: the level of the interval.

    Raises:
        RunError: fewer than 2 boards, a deviation that is not positive, an effect that is not
            finite, or a level that is not between 0 and 1.
    """
    check_positive("the deviation", deviation)
    check_share("level", level)
    if boards < 2 or not math.isfinite(effect):
        raise RunError(
            f"power needs at least 2 boards and a finite effect, got {boards!r} and {effect!r}"
        )
    freedom = boards - 1
    shift = abs(effect) / deviation * math.sqrt(boards)
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    missed = nctdtr(freedom, shift, quantile) - nctdtr(freedom, shift, -quantile)
    return 1 - float(missed)


def boards_for(effect: float, deviation: float, power: float = 0.8, level: float = LEVEL) -> int:
    """Return the least number of boards at which an effect shows with the given probability.

    Args:
        effect: the true mean of the board values; the sign does not matter.
        deviation: the standard deviation of the board values, in the unit of the effect.
        power: the probability wanted, above 1 - level.
        level: the level of the interval.

    Raises:
        RunError: an effect of 0, a deviation that is not positive, a power that is not between
            1 - level and 1, or a level that is not between 0 and 1.

    >>> boards_for(effect=0.3, deviation=1.0)
    90
    """
    check_positive("the size of the effect", abs(effect))
    check_positive("the deviation", deviation)
    check_share("level", level)
    if not 1 - level < power < 1:
        raise RunError(f"power must lie between {1 - level:.6g} and 1, got {power!r}")
    normal = float(ndtri((1 + level) / 2) + ndtri(power)) * deviation / abs(effect)
    high = max(2, math.ceil(normal**2))
    while power_of(high, effect, deviation, level) < power:
        high *= 2
    low = 1
    while high - low > 1:
        middle = (low + high) // 2
        enough = power_of(middle, effect, deviation, level) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high
