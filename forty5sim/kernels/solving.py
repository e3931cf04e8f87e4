"""Entries for Python: double-dummy values of positions, many at a time."""

from __future__ import annotations

from forty5sim.kernels.alphabeta import exact_tricks, stamp
from forty5sim.kernels.canonical import MOST_CARDS, fill_positions, key_of, value_of
from forty5sim.kernels.desk import MOST_NODES, NODES, lay_desk
from forty5sim.kernels.jit import entry
from forty5sim.kernels.layout import MAX_SEATS, TABLES_SIZE
from forty5sim.kernels.maxn import TERMS_SIZE, search_vectors
from forty5sim.kernels.ranks import ranks_for
from forty5sim.kernels.vector import Reals, Vector, bare, readonly


@entry
def count_tricks(
    states: Vector,
    rule_words: Vector,
    desk_words: Vector,
    rank_words: Vector,
    question_words: Vector,
    memo_words: Vector,
    most_nodes: int,
    bounds: Vector,
) -> int:
    """Solve each row of ``states`` for two sides; narrow its bounds on what is still to come.

    ``bounds`` has shape (n, 2): least and most, as given and as found. Returns the nodes searched.
    """
    tables = readonly(rule_words, 0, TABLES_SIZE)
    desk = bare(desk_words, 0)
    question = bare(question_words, 0)
    total = 0
    for i in range(states.shape[0]):
        state = bare(states, i * states.shape[1])
        ranks = ranks_for(bare(rank_words, 0), tables, state)
        lay_desk(desk, ranks, state, tables)
        desk[NODES] = 0
        desk[MOST_NODES] = most_nodes
        stamp(ranks, question)
        least = bounds[i, 0]
        most = bounds[i, 1]
        guess = (least + most + 1) >> 1
        found = exact_tricks(desk, ranks, question, bare(memo_words, 0), least, most, guess)
        bounds[i, 0] = found & 31
        bounds[i, 1] = found >> 5
        total += desk[NODES]
    return total


@entry
def find_vectors(
    states: Vector,
    rule_words: Vector,
    desk_words: Vector,
    rank_words: Vector,
    terms_words: Vector,
    key_words: Vector,
    memo_words: Reals,
    value_words: Reals,
    most_nodes: int,
    values: Reals,
) -> int:
    """Solve each row of ``states`` for all sides; ``terms`` has a row of terms for each.

    ``values`` has shape (n, MAX_SEATS) and is left as it is where a search is given up. Returns
    the nodes searched.
    """
    tables = readonly(rule_words, 0, TABLES_SIZE)
    desk = bare(desk_words, 0)
    total = 0
    for i in range(states.shape[0]):
        state = bare(states, i * states.shape[1])
        ranks = ranks_for(bare(rank_words, 0), tables, state)
        lay_desk(desk, ranks, state, tables)
        desk[NODES] = 0
        desk[MOST_NODES] = most_nodes
        found = bare(value_words, 0)
        terms = bare(terms_words, i * TERMS_SIZE)
        if search_vectors(desk, ranks, terms, bare(key_words, 0), bare(memo_words, 0), found):
            for seat in range(MAX_SEATS):
                values[i, seat] = found[seat]
        total += desk[NODES]
    return total


@entry
def fill_table(
    table_words: Vector, most_kept: int, plain_lead: int, renege: int, counts: Vector
) -> None:
    """Solve all positions of two players; write how many there are with 1, 2, … cards a hand."""
    scratch = bare(counts, MOST_CARDS)
    for cards in range(1, MOST_CARDS + 1):
        counts[cards - 1] = fill_positions(
            bare(table_words, 0), scratch, cards, most_kept, plain_lead, renege
        )


@entry
def look_up(
    table_words: Vector, trumps: int, kept: int, first: int, second: int, third: int
) -> int:
    """Return the leader's tricks in a position of two players, given as strings."""
    return value_of(bare(table_words, 0), key_of(trumps, kept, first, second, third))
