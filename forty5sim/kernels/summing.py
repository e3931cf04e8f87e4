"""What is made of finished rows: sums over boards, a fingerprint, columns for a file.

One pass each over memory that a chunk has just written; numpy's ways took as long as the playing.
"""

from __future__ import annotations

from forty5sim.kernels.bits import wrapping_multiply
from forty5sim.kernels.jit import entry
from forty5sim.kernels.rng import GOLDEN, deal_key, draw, mix
from forty5sim.kernels.vector import Bytes, Counts, Vector, bare, readonly

FINGERPRINTS = 2
PURPOSE_FINGERPRINT = 5
COLUMN_ROWS = 64  # rows that are written to all columns before the next ones, to stay in the cache


@entry
def sum_boards(rows: Counts, starts: Vector, fields: Vector, weights: Vector, sums: Vector) -> None:
    """Multiply boards by a sparse matrix.

    Shapes: rows (boards, all fields); starts (columns + 1,), fields and weights (entries,): entries
    ``starts[c]`` to ``starts[c + 1]`` say with what weight which fields count in column c; sums
    (boards, columns), added to.
    """
    boards, size = rows.shape
    words = readonly(rows, 0, rows.size)
    first = readonly(starts, 0, starts.size)
    field = readonly(fields, 0, fields.size)
    weight = readonly(weights, 0, weights.size)
    columns = starts.size - 1
    for board in range(boards):
        total = bare(sums, board * columns)
        for column in range(columns):
            value = 0  # no branch on what is 0: half of them would be guessed wrong
            for entry_number in range(first[column], first[column + 1]):
                value += words[board * size + field[entry_number]] * weight[entry_number]
            total[column] += value


@entry
def add_up(values: Vector, totals: Vector, squares: Vector) -> int:
    """Add the columns of some values, and their squares, to two vectors; return the largest size.

    Shapes: values (boards, columns), totals and squares (columns,). Squares are of use only if the
    largest one times the number of boards is below 2^63.
    """
    boards, columns = values.shape
    words = readonly(values, 0, values.size)
    total = bare(totals, 0)
    square = bare(squares, 0)
    most = 0
    for board in range(boards):
        for column in range(columns):
            value = words[board * columns + column]
            total[column] += value
            square[column] += value * value
            most = max(most, abs(value))
    return most


@entry
def print_rows(rows: Counts, pairing: int, first: int, factors: Vector, prints: Vector) -> None:
    """Add to two fingerprints, by exclusive or, hashes of each row with its pairing and place.

    They do not depend on the order in which rows come. Shapes: rows (rows, fields), the
    first of them number ``first`` of the pairing; factors (fields,), odd numbers, are made here;
    prints (FINGERPRINTS,).
    """
    count, fields = rows.shape
    words = readonly(rows, 0, rows.size)
    factor = bare(factors, 0)
    for place in range(fields):
        factor[place] = mix(wrapping_multiply(place + 1, GOLDEN)) | 1
    for row in range(count):
        key = deal_key(pairing, first + row, PURPOSE_FINGERPRINT)
        for place in range(fields):
            key ^= wrapping_multiply(int(words[row * fields + place]), factor[place])
        for lane in range(FINGERPRINTS):
            prints[lane] ^= draw(key, lane)


@entry
def write_columns(
    rows: Counts, large_fields: Vector, large: Counts, small_fields: Vector, small: Bytes, at: int
) -> None:
    """Write rows field by field, from place ``at`` of the columns on.

    Shapes: rows (rows, fields); large_fields and small_fields say which field each column of
    ``large`` and ``small`` holds; these are (columns, size), int32 and int8.
    """
    count, fields = rows.shape
    words = readonly(rows, 0, rows.size)
    large_field, small_field = bare(large_fields, 0), bare(small_fields, 0)
    wide, narrow = bare(large, at), bare(small, at)
    for start in range(0, count, COLUMN_ROWS):
        end = min(count, start + COLUMN_ROWS)
        for column in range(large_fields.size):
            for row in range(start, end):
                wide[column * large.shape[1] + row] = words[row * fields + large_field[column]]
        for column in range(small_fields.size):
            for row in range(start, end):
                narrow[column * small.shape[1] + row] = words[row * fields + small_field[column]]
