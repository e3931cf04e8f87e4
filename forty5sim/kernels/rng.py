"""Counter-based random numbers, keyed by meaning: a draw is a pure function of its key.

A key is made of (seed, deal) and, for a bot's decision, of its seat and slot; draws are numbered
from 0. So no draw moves another: results do not depend on order, workers or other bots' draws.
The mixing function is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from forty5sim.kernels.bits import wrapping_multiply
from forty5sim.kernels.jit import hot_kernel, kernel

GOLDEN = -7046029254386353131  # 0x9E3779B97F4A7C15, as a signed number
_MULTIPLIER_1 = -4658895280553007687  # 0xBF58476D1CE4E5B9
_MULTIPLIER_2 = -7723592293110705685  # 0x94D049BB133111EB

PURPOSE_DEAL = 1
PURPOSE_DECISION = 2
PURPOSE_GAME = 3
PURPOSE_VIEW = 4
SLOTS = 1024


@hot_kernel
def mix(x: int) -> int:
    """Return 64 well-mixed bits, as a signed number."""
    x = wrapping_multiply(x ^ ((x >> 30) & 0x3FFFFFFFF), _MULTIPLIER_1)
    x = wrapping_multiply(x ^ ((x >> 27) & 0x1FFFFFFFFF), _MULTIPLIER_2)
    return x ^ ((x >> 31) & 0x1FFFFFFFF)


@hot_kernel
def draw(key: int, number: int) -> int:
    """Return draw ``number`` (from 0) of a key: 64 random bits as a signed number."""
    return mix(key ^ wrapping_multiply(number + 1, GOLDEN))


@kernel
def deal_key(seed: int, deal: int, purpose: int) -> int:
    """Return the key of one purpose in deal number ``deal`` of a seed."""
    return draw(draw(mix(seed ^ GOLDEN), deal), purpose)


@hot_kernel
def decision_key(key: int, seat: int, slot: int) -> int:
    """Return the key of the decision of a seat in a slot of the deal with this key."""
    return draw(key, seat * SLOTS + slot)


@hot_kernel
def below(bits: int, n: int) -> int:
    """Return a number 0..n-1 from the low 32 of some random bits; uneven by n / 2^32 at most."""
    return ((bits & 0xFFFFFFFF) * n) >> 32


@hot_kernel
def fraction(bits: int) -> float:
    """Return a number from 0 to below 1 with the high 53 of some random bits."""
    return ((bits >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0
