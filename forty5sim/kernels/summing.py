"""What is made of finished rows: sums over boards, a fingerprint, columns for a file.

One pass each over memory that a chunk has just written; numpy's ways took as long as the playing.
"""

from __future__ import annotations

from forty5sim.kernels.bits import wrapping_multiply
from forty5sim.kernels.jit import entry
from forty5sim.kernels.rng import GOLDEN, deal_key, draw, mix
from forty5sim.kernels.vector import Vector, bare, readonly

FINGERPRINTS = 2
PURPOSE_FINGERPRINT = 5
COLUMN_ROWS = 64  # rows that are written to all columns before the next ones, to stay in the cache


@entry
def sum_boards(
    rows: Vector, starts: Vector, columns: Vector, weights: Vector, sums: Vector
) -> None:
    """Multiply boards by a sparse matrix.

    Shapes: rows (boards, fields); starts (fields + 1,), columns and weights (entries,): entries
    ``starts[f]`` to ``starts[f + 1]`` say with what weight field f counts in which column; sums
    (boards, columns), added to.
    """
    boards, fields = rows.shape
    words = readonly(rows, 0, rows.size)
    first = readonly(starts, 0, starts.size)
    column = readonly(columns, 0, columns.size)
    weight = readonly(weights, 0, weights.size)
    for board in range(boards):
        total = bare(sums, board * sums.shape[1])
        for place in range(fields):
            value = words[board * fields + place]
            if value != 0:  # most fields count what is rare
                for which in range(first[place], first[place + 1]):
                    total[column[which]] += value * weight[which]


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
def print_rows(rows: Vector, pairing: int, first: int, factors: Vector, prints: Vector) -> None:
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
            key ^= wrapping_multiply(words[row * fields + place], factor[place])
        for lane in range(FINGERPRINTS):
            prints[lane] ^= draw(key, lane)


@entry
def write_columns(rows: Vector, columns: Vector, at: int) -> None:
    """Write rows field by field, from place ``at`` of each column on.

    Shapes: rows (rows, fields); columns int32, (fields, places).
    """
    count, fields = rows.shape
    words = readonly(rows, 0, rows.size)
    out = bare(columns, at)
    size = columns.shape[1]
    for start in range(0, count, COLUMN_ROWS):
        end = min(count, start + COLUMN_ROWS)
        for place in range(fields):
            for row in range(start, end):
                out[place * size + row] = words[row * fields + place]
