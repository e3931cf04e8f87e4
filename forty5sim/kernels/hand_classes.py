"""Classes of hands that come to the same: plain suits of one length in any order.

They are numbered in two kinds: hearts trumps (13 trumps, three suits of 13), and another suit (14
trumps, hearts without its ace, two suits of 13). A suit of a hand is a mask by strength, bit 0 its
lowest card.
"""

from __future__ import annotations

from typing import Any

from forty5sim.kernels.bits import lowest, popcount, select
from forty5sim.kernels.gap_patterns import CARDS, fill_choose, order_number
from forty5sim.kernels.jit import entry, hot_kernel, kernel
from forty5sim.kernels.layout import ACE_OF_HEARTS, SUIT_SIZE
from forty5sim.kernels.vector import Vector, bare

SUIT_BITS = (1 << SUIT_SIZE) - 1

# the words of an index: numbers of the classes of one kind
IS_HEARTS = 0  # three plain suits of one length
LENGTHS = 1  # of the suits, trumps first
INDEX_CHOOSE = 5
GROUPS = INDEX_CHOOSE + 256  # by cards: 216 * trumps + 36 * first + 6 * second + third
RANK_BITS = 11
NUMBER_BITS = (1 << RANK_BITS) - 1
TRUMP_WORDS = GROUPS + 8 * 1296  # by mask of cards: how many << RANK_BITS | number among so many
PLAIN_WORDS = TRUMP_WORDS + (1 << 14)
INDEX_SIZE = PLAIN_WORDS + (1 << 13)
# the words of a group: the classes with so many cards of each suit. With a, b, c the numbers of
# the plain suits in their order, a class is
# BASE + trumps * SIZE + a * BY_FIRST + f(b) * BY_SECOND + g(c)
BASE, SIZE, BY_FIRST, BY_SECOND = range(4)
SECOND_PAIRS = 4  # f: first and second come to the same, which makes them a pair: n (n + 1) / 2
THIRD_PAIRS = 5  # g: second and third do
TRIPLES = 6  # g: all three do: n (n + 1) (n + 2) / 6
# the words of a translation, for one trump suit: from the cards of each suit printed, a mask of
# ranks, to those words; of the trump suit with the ace of hearts as bit 13
TRANSLATED_SUIT = 1 << 14
TRANSLATION_SIZE = 4 * TRANSLATED_SUIT


@kernel
def fill_index(index: Vector, lengths: Vector) -> int:
    """Write the index of one kind of trumps; return the number of classes."""
    index[IS_HEARTS] = lengths[1] == lengths[2]
    for suit in range(4):
        index[LENGTHS + suit] = lengths[suit]
    fill_choose(bare(index, INDEX_CHOOSE))
    for mask in range(1 << 14):
        if popcount(mask) <= CARDS:
            number = popcount(mask) << RANK_BITS | order_number(mask, bare(index, INDEX_CHOOSE))
            index[TRUMP_WORDS + mask] = number
            if mask < 1 << 13:
                index[PLAIN_WORDS + mask] = number
    total = 0
    for counts in range(1296):
        trumps, first = counts // 216, counts // 36 % 6
        second, third = counts // 6 % 6, counts % 6
        ascending = second <= third and (first <= second or not index[IS_HEARTS])
        if trumps + first + second + third == CARDS and ascending:
            group = bare(index, GROUPS + 8 * counts)
            describe_group(group, index, first, second, third)
            group[BASE] = total
            total += group[SIZE] * holdings(index, 0, trumps)
    return total


@kernel
def holdings(index: Vector, suit: int, count: int) -> int:
    """Return in how many ways one may hold so many cards of a suit."""
    return index[INDEX_CHOOSE + 16 * index[LENGTHS + suit] + count]


@kernel
def describe_group(group: Vector, index: Vector, first: int, second: int, third: int) -> None:
    """Write how the classes with so many cards of the plain suits are numbered."""
    one = holdings(index, 1, first)
    two = holdings(index, 2, second)
    three = holdings(index, 3, third)
    firsts = index[IS_HEARTS] and first == second
    group[SECOND_PAIRS] = 1 if firsts else 0
    group[TRIPLES] = 1 if firsts and second == third else 0
    group[THIRD_PAIRS] = 1 if second == third and not firsts else 0
    group[BY_FIRST] = group[BY_SECOND] = 1
    if group[TRIPLES]:
        group[SIZE] = one * (one + 1) * (one + 2) // 6
    elif firsts:
        group[BY_FIRST] = group[BY_SECOND] = three
        group[SIZE] = one * (one + 1) // 2 * three
    elif second == third:
        group[BY_FIRST] = two * (two + 1) // 2
        group[SIZE] = one * group[BY_FIRST]
    else:
        group[BY_SECOND] = three
        group[BY_FIRST] = two * three
        group[SIZE] = one * two * three


@hot_kernel
def more_than(x: int, y: int) -> int:
    """Return x - y if that is negative, else 0: what puts two numbers in order."""
    return (x - y) & ((x - y) >> 63)


@hot_kernel
def class_number(index: Vector, trumps: int, first: int, second: int, third: int) -> int:
    """Return the number of a hand's class from the words of its suits; without a branch."""
    over = more_than(third, second)
    low = second + over
    high = third - over
    over = more_than(low, first) & -index[IS_HEARTS]
    first += over
    low -= over
    over = more_than(high, low)
    low += over
    high -= over
    counts = 216 * (trumps >> RANK_BITS) + 36 * (first >> RANK_BITS)
    counts += 6 * (low >> RANK_BITS) + (high >> RANK_BITS)
    group = GROUPS + 8 * counts
    a = first & NUMBER_BITS
    b = low & NUMBER_BITS
    c = high & NUMBER_BITS
    pairs = c * (c + 1) >> 1
    b = select(index[group + SECOND_PAIRS] != 0, b * (b + 1) >> 1, b)
    c = select(index[group + TRIPLES] != 0, c * (c + 1) * (c + 2) // 6, c)
    c = select(index[group + THIRD_PAIRS] != 0, pairs, c)
    number = index[group + BASE] + (trumps & NUMBER_BITS) * index[group + SIZE]
    return number + a * index[group + BY_FIRST] + b * index[group + BY_SECOND] + c


@hot_kernel
def class_of(index: Vector, translation: Vector, trump: int, hand: int) -> int:
    """Return the number of the class of a hand, a mask of cards (five of the 52)."""
    trumps = hand >> SUIT_SIZE * trump & SUIT_BITS
    if trump < 3:
        trumps |= (hand >> ACE_OF_HEARTS & 1) << SUIT_SIZE
    first = 3 if trump < 3 else 2
    second = 1 if trump == 0 else 0
    third = 1 if trump >= 2 else 2
    return class_number(
        index,
        translation[trump * TRANSLATED_SUIT + trumps],
        translation[first * TRANSLATED_SUIT + (hand >> SUIT_SIZE * first & SUIT_BITS)],
        translation[second * TRANSLATED_SUIT + (hand >> SUIT_SIZE * second & SUIT_BITS)],
        translation[third * TRANSLATED_SUIT + (hand >> SUIT_SIZE * third & SUIT_BITS)],
    )


@kernel
def list_kind(index: Vector, classes: Any) -> int:
    """Write the masks by strength of every class of a kind at its number; return how many."""
    hearts = index[IS_HEARTS]
    count = 0
    for trumps in range(1 << index[LENGTHS]):
        left = CARDS - popcount(trumps)
        if left < 0:
            continue
        for first in range(1 << index[LENGTHS + 1]):
            one = left - popcount(first)
            if one < 0:
                continue
            for second in range(1 << index[LENGTHS + 2]):
                two = one - popcount(second)
                a = index[PLAIN_WORDS + first]
                b = index[PLAIN_WORDS + second]
                if two < 0 or (hearts and b < a) or b >> RANK_BITS > two:
                    continue
                number = 0
                third = (1 << two) - 1
                while third < 1 << index[LENGTHS + 3]:
                    c = index[PLAIN_WORDS + third]
                    if b <= c:
                        number = class_number(index, index[TRUMP_WORDS + trumps], a, b, c)
                        classes[4 * number] = trumps
                        classes[4 * number + 1] = first
                        classes[4 * number + 2] = second
                        classes[4 * number + 3] = third
                        count += 1
                    third = next_mask(third)
    return count


@kernel
def next_mask(mask: int) -> int:
    """Return the next mask with as many bits; after the empty mask one that is out of bounds."""
    if mask == 0:
        return 1 << 20
    low = mask & -mask
    ripple = mask + low
    return ripple | ((mask ^ ripple) >> 2) >> lowest(low)


@entry
def number_classes(index_words: Vector, lengths: Vector) -> int:
    """Write the index of one kind of trumps; return the number of its classes."""
    return fill_index(bare(index_words, 0), bare(lengths, 0))


@entry
def list_classes(index_words: Vector, classes: Any) -> int:
    """Write the masks of each class at its number, int16 of shape (classes, 4); return how many."""
    return list_kind(bare(index_words, 0), bare(classes, 0))


@entry
def find_classes(
    hands: Vector, trump: int, index_words: Vector, translation_words: Vector, numbers: Vector
) -> None:
    """Write the number of the class of each hand, a mask of five cards."""
    index = bare(index_words, 0)
    translation = bare(translation_words, 0)
    for i in range(hands.size):
        numbers[i] = class_of(index, translation, trump, hands[i])
