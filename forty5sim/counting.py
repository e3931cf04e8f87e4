"""Perft: how many action sequences of a length there are, in all and under each first action."""

from __future__ import annotations

import numpy as np

from forty5sim.errors import IllegalActionError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.kernels.perft import count_sequences
from forty5sim.notation import action_name

LONGEST_DEAL = layout.MAX_PLAYS + 3
"""Actions in a deal at most: every card played, two robs and a jink."""


def perft(game: Game, depth: int) -> int:
    """Return the number of legal sequences of ``depth`` actions in this deal.

    A sequence that the end of the deal cuts short is not counted.

    Raises:
        IllegalActionError: if the depth is negative, or longer than any deal.
    """
    if not 0 <= depth <= LONGEST_DEAL:
        raise IllegalActionError(f"depth must be 0..{LONGEST_DEAL}, got {depth!r}")
    if depth == 0:
        return 1
    states = np.zeros((depth, layout.STATE_SIZE), dtype=np.int64)
    states[0] = game.state
    return int(count_sequences(states, game._rule_words, np.zeros(depth, dtype=np.int64), depth))


def divide(game: Game, depth: int) -> dict[str, int]:
    """Return ``perft`` under each first action, by its name; the numbers add up to it."""
    counts = {}
    for action in game.legal_actions:
        after = game.copy()
        after.push(action)
        counts[action_name(action, game.phase)] = perft(after, depth - 1)
    return counts
