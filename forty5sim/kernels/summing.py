"""What is made of finished boards: sums over them, a fingerprint.

A column is one field of one replay: shape (columns, boards), columns in the order of a row's
fields, replay after replay. All loops run along boards, where many are taken at a time.
"""

from __future__ import annotations

from forty5sim.kernels.bits import wrapping_multiply
from forty5sim.kernels.jit import entry
from forty5sim.kernels.rng import GOLDEN, deal_key, draw, mix
from forty5sim.kernels.vector import Counts, Vector, bare, readonly

FINGERPRINTS = 2
PURPOSE_FINGERPRINT = 5
BOARDS_SUMMED = 512  # at a time, so that a column's sums stay in the cache


@entry
def sum_boards(
    columns: Counts, starts: Vector, places: Vector, weights: Counts, sums: Vector
) -> None:
    """Multiply boards by a sparse matrix.

    Shapes: columns (columns, boards); starts (sums + 1,), places and weights (entries,): entries
    ``starts[s]`` to ``starts[s + 1]`` say with what weight which columns count in sum s; sums
    (sums, boards), added to.
    """
    boards = columns.shape[1]
    word = readonly(columns, 0, columns.size)
    first = readonly(starts, 0, starts.size)
    column = readonly(places, 0, places.size)
    weight = readonly(weights, 0, weights.size)
    total = bare(sums, 0)
    for start in range(0, boards, BOARDS_SUMMED):
        end = min(boards, start + BOARDS_SUMMED)
        for row in range(starts.size - 1):
            for number in range(first[row], first[row + 1]):
                times, from_, to = weight[number], column[number] * boards, row * boards
                for board in range(start, end):
                    total[to + board] += int(word[from_ + board]) * int(times)


@entry
def add_up(values: Vector, totals: Vector, squares: Vector) -> int:
    """Add up the rows of some values, and their squares; return the largest size of a value.

    Shapes: values (rows, boards), totals and squares (rows,), added to. Squares are of use only if
    the largest one times the number of boards is below 2^63.
    """
    rows, boards = values.shape
    word = readonly(values, 0, values.size)
    most = 0
    for row in range(rows):
        total, square, low, high = 0, 0, 0, 0
        for board in range(boards):
            value = word[row * boards + board]
            total += value
            square += value * value
            low, high = min(low, value), max(high, value)
        totals[row] += total
        squares[row] += square
        most = max(most, high, -low)
    return most


@entry
def print_rows(
    columns: Counts, pairing: int, first: int, factors: Vector, keys: Vector, prints: Vector
) -> None:
    """Add to two fingerprints, by exclusive or, hashes of each row with its pairing and place.

    They do not depend on the order in which rows come. Shapes: columns (replays, fields, boards),
    the first of the boards number ``first`` of the pairing; factors (fields,), odd numbers, are
    made here; keys (boards,) is scratch; prints (FINGERPRINTS,).
    """
    replays, fields, boards = columns.shape
    word = readonly(columns, 0, columns.size)
    factor, key = bare(factors, 0), bare(keys, 0)
    for place in range(fields):
        factor[place] = mix(wrapping_multiply(place + 1, GOLDEN)) | 1
    for replay in range(replays):
        for board in range(boards):
            number = (first + board) * replays + replay
            key[board] = deal_key(pairing, number, PURPOSE_FINGERPRINT)
        for place in range(fields):
            times, start = factor[place], (replay * fields + place) * boards
            for board in range(boards):
                key[board] ^= wrapping_multiply(int(word[start + board]), times)
        for board in range(boards):
            for lane in range(FINGERPRINTS):
                prints[lane] ^= draw(key[board], lane)
