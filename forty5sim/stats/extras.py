"""Loading of the packages that only reports need, and checks that several modules share."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forty5sim.errors import RunError

FloatArray = NDArray[np.float64]


def load_extra(module: str, purpose: str) -> Any:
    """Import a module of the extra ``forty5sim[report]`` and return it.

    Args:
        module: the dotted name of the module.
        purpose: what needs it, in the plural, for the message.

    Raises:
        RunError: the package is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        message = f'{purpose} need {package}: pip install "forty5sim[report]"'
        raise RunError(message) from None


def check_share(what: str, value: float) -> None:
    """Raise RunError unless a value lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise RunError(f"{what} must lie between 0 and 1, both excluded, got {value!r}")


def check_positive(what: str, value: float) -> None:
    """Raise RunError unless a value is a finite number above zero."""
    if not (math.isfinite(value) and value > 0):
        raise RunError(f"{what} must be a finite number above 0, got {value!r}")


def distribution(values: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return outcomes and their counts as float vectors of one length.

    Raises:
        RunError: the lengths differ, there is no outcome, an outcome is not finite, or a count is
            not a finite number of at least 0.
    """
    support = np.asarray(values, dtype=np.float64)
    weights = np.asarray(counts, dtype=np.float64)
    if support.ndim != 1 or support.shape != weights.shape or support.size == 0:
        raise RunError(
            f"values and counts must be two lists of one length, got {values!r} and {counts!r}"
        )
    if not np.isfinite(support).all():
        raise RunError(f"every value must be a finite number, got {values!r}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise RunError(f"every count must be a finite number of at least 0, got {counts!r}")
    return support, weights
