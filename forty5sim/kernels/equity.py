"""What a hand of two players is worth with all cards seen: exact sums over all other hands.

The other's hands are counted by ``gap_patterns``, once for each of the ``hand_classes``; a hand is
looked up by the number of its class.
"""

from __future__ import annotations

from typing import Any

from forty5sim.kernels.gap_patterns import (
    CELLS,
    OTHER_HANDS,
    OUTCOMES,
    count_patterns,
    fill_cells,
    fill_choose,
    lay_hand,
    lay_rows,
    number_plains,
)
from forty5sim.kernels.hand_classes import class_of
from forty5sim.kernels.jit import entry
from forty5sim.kernels.vector import Reals, Vector, bare

# A class in one word, from the highest bit: tricks - 3 * three - 2 * five, three, five; the numbers
# of other hands against which it takes three tricks or more, and all five, and all its tricks.
WIN_BITS = 21
WIN_MASK = (1 << WIN_BITS) - 1
REST_MASK = (1 << 22) - 1
SHARE = 1.0 / OTHER_HANDS


@entry
def number_scheme(scheme_words: Vector) -> int:
    """Lay out the dense table of positions with five cards a hand; return its size."""
    scheme = bare(scheme_words, 0)
    fill_choose(scheme)
    number_plains(scheme)
    return lay_rows(scheme)


@entry
def fill_scheme(scheme_words: Vector, cells: Any, table_words: Vector, most_kept: int) -> None:
    """Fill the dense table from the complete one of ``canonical``; cells are int8."""
    fill_cells(bare(scheme_words, 0), bare(cells, 0), bare(table_words, 0), most_kept)


@entry
def count_hands(
    hands: Vector,
    lengths: Vector,
    scheme_words: Vector,
    cells: Any,
    most_kept: int,
    block_words: Vector,
    histograms: Vector,
) -> int:
    """Count the other's hands by (tricks as leader, tricks as follower) for each hand.

    Shapes: hands (n, 8), own masks of the suits by strength, trumps first, then masks of dead
    cards; histograms (n, 36). Returns how many positions were looked up.
    """
    blocks = bare(block_words, 0)
    scheme = bare(scheme_words, 0)
    total = 0
    for i in range(hands.shape[0]):
        lay_hand(blocks, scheme, bare(hands, 8 * i), bare(lengths, 0), most_kept)
        total += count_patterns(bare(histograms, CELLS * i), scheme, bare(cells, 0), blocks)
    return total


@entry
def count_classes(
    classes: Any,
    first: int,
    last: int,
    lengths: Vector,
    scheme_words: Vector,
    cells: Any,
    most_kept: int,
    block_words: Vector,
    histogram_words: Vector,
    counts: Any,
) -> int:
    """Count classes ``first`` .. ``last - 1``; return how many positions were looked up.

    Shapes: classes (n, 4), counts (n, 12): other hands by tricks as leader, then as follower.
    """
    blocks = bare(block_words, 0)
    scheme = bare(scheme_words, 0)
    hand = bare(histogram_words, CELLS)
    histogram = bare(histogram_words, 0)
    total = 0
    for i in range(first, last):
        for suit in range(4):
            hand[suit] = classes[i, suit]
            hand[4 + suit] = 0
        lay_hand(blocks, scheme, hand, bare(lengths, 0), most_kept)
        total += count_patterns(histogram, scheme, bare(cells, 0), blocks)
        for column in range(2 * OUTCOMES):
            counts[i, column] = 0
        for cell in range(CELLS):
            counts[i, cell // OUTCOMES] += histogram[cell]
            counts[i, OUTCOMES + cell % OUTCOMES] += histogram[cell]
    return total


@entry
def look_up_hands(
    hands: Vector,
    trump: int,
    index_words: Vector,
    translation_words: Vector,
    packed: Vector,
    numbers: Vector,
    values: Reals,
) -> None:
    """Write tricks, chance of three or more, and of all five, for each hand.

    Shapes: hands (n,), packed (classes,), numbers any (working memory), values (n, 3). First the
    numbers of some classes, then their words: so that many are on their way from memory at a time.
    """
    index = bare(index_words, 0)
    translation = bare(translation_words, 0)
    words = bare(packed, 0)
    places = bare(numbers, 0)
    found = bare(values, 0)
    for start in range(0, hands.size, numbers.size):
        count = min(numbers.size, hands.size - start)
        for i in range(count):
            places[i] = class_of(index, translation, trump, hands[start + i])
        for i in range(count):
            word = words[places[i]]
            three = word >> WIN_BITS & WIN_MASK
            five = word & WIN_MASK
            tricks = (word >> 2 * WIN_BITS & REST_MASK) + 3 * three + 2 * five
            at = 3 * (start + i)
            found[at] = tricks * SHARE
            found[at + 1] = three * SHARE
            found[at + 2] = five * SHARE
