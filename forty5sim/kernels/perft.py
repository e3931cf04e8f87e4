"""Counts action sequences: a number that changes when any rule does."""

from __future__ import annotations

from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import entry
from forty5sim.kernels.layout import STATE_SIZE, TABLES_SIZE
from forty5sim.kernels.phases import apply, legal_actions
from forty5sim.kernels.vector import Vector, bare, readonly


@entry
def count_sequences(
    state_words: Vector, rule_words: Vector, pending_words: Vector, depth: int
) -> int:
    """Return the number of legal sequences of ``depth`` actions (1 or more) from a state.

    A sequence that the end of the deal cuts short is not counted. Shapes: state_words
    (depth, STATE_SIZE), the first of them the state to start from; pending_words (depth,).
    """
    tables = readonly(rule_words, 0, TABLES_SIZE)
    pending = bare(pending_words, 0)
    pending[0] = legal_actions(bare(state_words, 0), tables)
    count = 0
    level = 0
    while level >= 0:
        left = pending[level]
        if level == depth - 1 or left == 0:
            count += popcount(left)
            level -= 1
            continue
        pending[level] = left & (left - 1)
        here = bare(state_words, level * STATE_SIZE)
        level += 1
        state = bare(state_words, level * STATE_SIZE)
        for word in range(STATE_SIZE):
            state[word] = here[word]
        apply(state, tables, lowest(left))
        pending[level] = legal_actions(state, tables)
    return count
