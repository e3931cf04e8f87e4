"""What a hand of two players is worth with all cards seen: exact sums over all other hands.

Only who owns which rank matters, so other hands are summed by *gap patterns*: how many cards of
each gap between the cards of the hand the other holds. The product of binomials is the number of
hands with that pattern; some 1 500 patterns stand for C(47, 5) = 1 533 939 hands. A pattern is a
position of ``canonical``, found in a dense table of all those with five cards a hand: a row for
the trumps, a place in the row for the plain suits.

A suit of a hand is a mask by strength, bit 0 its lowest card. Classes of hands that come to the
same, plain suits of one length in any order, are numbered in two kinds: hearts trumps (13 trumps,
three suits of 13), and another suit (14 trumps, hearts without its ace, two suits of 13).
"""

from __future__ import annotations

from typing import Any

from forty5sim.kernels.bits import highest, lowest, popcount, select
from forty5sim.kernels.canonical import (
    EMPTY,
    MOST_CARDS,
    STRING_BITS,
    cards_in,
    key_of,
    value_of,
)
from forty5sim.kernels.jit import entry, hot_kernel, kernel
from forty5sim.kernels.layout import ACE_OF_HEARTS, SUIT_SIZE
from forty5sim.kernels.rng import mix
from forty5sim.kernels.vector import Reals, Vector, bare

CARDS = MOST_CARDS
OTHER_HANDS = 1_533_939  # C(47, 5)
SUIT_BITS = (1 << SUIT_SIZE) - 1
STRINGS = 1 << STRING_BITS
KEPT_COUNT = 4  # none to three trumps that may be kept back
OUTCOMES = CARDS + 1
CELLS = OUTCOMES * OUTCOMES  # a cell: tricks as leader * 6 + tricks as follower
SIZES = OUTCOMES * OUTCOMES  # pairs of (own cards, other's cards), as 6 * own + other

# the words of a scheme: where the positions with five cards a hand stand in the dense table
CHOOSE = 0  # [16 * n + k]: binomials
PLAIN_COUNT = CHOOSE + 256  # per pair of numbers of plain cards: how many triples of strings
ROW_BASE = PLAIN_COUNT + SIZES  # per pair of numbers of trumps: its first row's start
ROWS = ROW_BASE + SIZES  # [kept * STRINGS + string of the trumps]: where its row starts
PLAINS = ROWS + KEPT_COUNT * STRINGS  # a hash table: triple of strings << PLACE_BITS | place
PLACE_BITS = 12
PLAIN_ENTRIES = 1 << 14  # 8 404 triples
SCHEME_SIZE = PLAINS + PLAIN_ENTRIES

# a block for each suit of a hand: its patterns, in the order of how many cards the other has
LAID = 0  # the masks that it was made for; of the other's cards one more, 0 while it is empty
LAID_OTHERS = 1
STARTS = 2  # by the other's number of cards, and the end
PATTERNS = STARTS + OUTCOMES + 1
MOST_PATTERNS = 800  # C(12, 5) = 792: up to 5 cards in 7 gaps
WAYS = PATTERNS  # how many holdings have the pattern
CODES = WAYS + MOST_PATTERNS  # the string; for trumps where its row starts
DRAFT_SIZES = CODES + MOST_PATTERNS
DRAFT_WAYS = DRAFT_SIZES + MOST_PATTERNS
DRAFT_CODES = DRAFT_WAYS + MOST_PATTERNS
BLOCK_SIZE = DRAFT_CODES + MOST_PATTERNS
BLOCKS_SIZE = 4 * BLOCK_SIZE

# --- the scheme -----------------------------------------------------------------------------------


@kernel
def fill_choose(scheme: Vector) -> None:
    """Write the binomials up to 15 choose 15."""
    for n in range(16):
        for k in range(16):
            here = CHOOSE + 16 * n + k
            scheme[here] = 1 if k == 0 else 0
            if n and k:
                scheme[here] = scheme[here - 16] + scheme[here - 17]


@kernel
def order_number(mask: int, scheme: Vector) -> int:
    """Return a mask's number among those with as many bits, in ascending order."""
    number = 0
    taken = 0
    while mask:
        taken += 1
        number += scheme[CHOOSE + 16 * lowest(mask) + taken]
        mask &= mask - 1
    return number


@hot_kernel
def plain_key(first: int, second: int, third: int) -> int:
    """Return the number of a triple of strings in any order."""
    low = min(first, second)
    high = max(first, second)
    middle = max(low, min(high, third))
    low = min(low, third)
    high = max(high, third)
    return (low << STRING_BITS | middle) << STRING_BITS | high


@hot_kernel
def plain_entry(scheme: Vector, key: int) -> int:
    """Return where a triple of strings stands in the scheme, or would."""
    place = mix(key) & (PLAIN_ENTRIES - 1)
    while scheme[PLAINS + place] != 0 and scheme[PLAINS + place] >> PLACE_BITS != key:
        place = (place + 1) & (PLAIN_ENTRIES - 1)
    return PLAINS + place


@kernel
def size_of(string: int) -> int:
    """Return a string's cards of either player: 6 * the leader's + the other's; -1 if too many."""
    own = popcount(string) - 1
    others = highest(string) - own
    return OUTCOMES * own + others if own <= CARDS and others <= CARDS else -1


@kernel
def joint_size(one: int, other: int) -> int:
    """Return the sum of two sizes, -1 if one of the players would have too many cards."""
    own = one // OUTCOMES + other // OUTCOMES
    others = one % OUTCOMES + other % OUTCOMES
    return OUTCOMES * own + others if own <= CARDS and others <= CARDS else -1


@kernel
def number_plains(scheme: Vector) -> None:
    """Give each triple of strings its place among those with as many cards of either player."""
    for first in range(EMPTY, STRINGS):
        if size_of(first) < 0:
            continue
        for second in range(first, STRINGS):
            two = size_of(second)
            two = joint_size(size_of(first), two) if two >= 0 else -1
            if two < 0:
                continue
            for third in range(second, STRINGS):
                size = size_of(third)
                size = joint_size(two, size) if size >= 0 else -1
                if size >= 0:
                    key = plain_key(first, second, third)
                    place = scheme[PLAIN_COUNT + size]
                    scheme[plain_entry(scheme, key)] = key << PLACE_BITS | place
                    scheme[PLAIN_COUNT + size] = place + 1


@kernel
def lay_rows(scheme: Vector) -> int:
    """Write where the row of each string of trumps starts; return the size of all rows."""
    total = 0
    for size in range(SIZES):
        own = size // OUTCOMES
        others = size % OUTCOMES
        scheme[ROW_BASE + size] = total
        strings = scheme[CHOOSE + 16 * (own + others) + own]
        rows = strings * KEPT_COUNT
        plains = scheme[PLAIN_COUNT + SIZES - 1 - size]
        total += rows * plains
        for owners in range(1 << (own + others)):
            if popcount(owners) == own:
                for kept in range(KEPT_COUNT):
                    row = kept * strings + order_number(owners, scheme)
                    string = 1 << (own + others) | owners
                    start = scheme[ROW_BASE + size] + row * plains
                    scheme[ROWS + kept * STRINGS + string] = start
    return total


@kernel
def fill_cells(scheme: Vector, cells: Any, table: Vector, most_kept: int) -> None:
    """Write the tricks of all positions with five cards a hand: the leader's, the follower's."""
    for entry_number in range(PLAIN_ENTRIES):
        word = scheme[PLAINS + entry_number]
        if word == 0:
            continue
        place = word & ((1 << PLACE_BITS) - 1)
        third = word >> PLACE_BITS & (STRINGS - 1)
        second = word >> (PLACE_BITS + STRING_BITS) & (STRINGS - 1)
        first = word >> (PLACE_BITS + 2 * STRING_BITS)
        size = joint_size(size_of(first), joint_size(size_of(second), size_of(third)))
        own = CARDS - size // OUTCOMES
        trumps = own + CARDS - size % OUTCOMES
        for owners in range(1 << trumps):
            if popcount(owners) != own:
                continue
            string = 1 << trumps | owners
            for kept in range(min(trumps, most_kept) + 1):
                leading = value_of(table, key_of(string, kept, first, second, third))
                following = CARDS - value_of(
                    table,
                    key_of(turned(string), kept, turned(first), turned(second), turned(third)),
                )
                row = scheme[ROWS + kept * STRINGS + string]
                cells[row + place] = OUTCOMES * leading + following


@kernel
def turned(string: int) -> int:
    """Return a string as the other player sees it."""
    return string ^ cards_in(string)


# --- the patterns of a hand -----------------------------------------------------------------------


@kernel
def lay_suit(block: Vector, scheme: Vector, own: int, others: int, kept: int, trumps: bool) -> None:
    """Write the patterns of one suit, given the own cards and those that the other may have.

    ``kept``: the cards that may be kept back, the highest trumps. What is laid already stays.
    """
    if block[LAID] == own and block[LAID_OTHERS] == others + 1:
        return
    block[LAID] = own
    block[LAID_OTHERS] = others + 1
    count = draft_patterns(block, scheme, own, others, kept)
    place = 0
    for size in range(OUTCOMES):
        block[STARTS + size] = place
        for i in range(count):
            if block[DRAFT_SIZES + i] == size:
                code = block[DRAFT_CODES + i]
                block[WAYS + place] = block[DRAFT_WAYS + i]
                block[CODES + place] = scheme[ROWS + code] if trumps else code
                place += 1
    block[STARTS + OUTCOMES] = place


@kernel
def draft_patterns(block: Vector, scheme: Vector, own: int, others: int, kept: int) -> int:
    """Write the patterns as they come, from the highest card down; return their number."""
    block[DRAFT_SIZES] = 0
    block[DRAFT_WAYS] = 1
    block[DRAFT_CODES] = popcount(own & kept) * STRINGS + EMPTY
    count = 1
    rest = own | others
    while rest:
        top = highest(rest)
        if own >> top & 1:
            rest ^= 1 << top
            for i in range(count):
                code = block[DRAFT_CODES + i]
                string = code & (STRINGS - 1)
                block[DRAFT_CODES + i] = code - string + (string << 1 | 1)
            continue
        floor = highest(rest & own) + 1
        if kept >> top & 1:
            floor = max(floor, lowest(kept))
        gap = rest & ~((1 << floor) - 1)
        rest ^= gap
        count = widen(block, scheme, count, popcount(gap), kept >> top & 1)
    return count


@kernel
def widen(block: Vector, scheme: Vector, count: int, gap: int, privileged: int) -> int:
    """Add the patterns in which the other has cards of a gap; return the number of all."""
    last = count
    for i in range(count):
        size = block[DRAFT_SIZES + i]
        code = block[DRAFT_CODES + i]
        string = code & (STRINGS - 1)
        for taken in range(1, min(gap, CARDS - size) + 1):
            block[DRAFT_SIZES + last] = size + taken
            block[DRAFT_WAYS + last] = block[DRAFT_WAYS + i] * scheme[CHOOSE + 16 * gap + taken]
            kept = code - string + privileged * taken * STRINGS
            block[DRAFT_CODES + last] = kept + (string << taken)
            last += 1
    return last


@kernel
def count_patterns(histogram: Vector, scheme: Vector, cells: Any, blocks: Vector) -> int:
    """Count the other hands by cell; return how many positions were looked up."""
    trumps = bare(blocks, 0)
    first = bare(blocks, BLOCK_SIZE)
    second = bare(blocks, 2 * BLOCK_SIZE)
    third = bare(blocks, 3 * BLOCK_SIZE)
    looked_up = 0
    for cell in range(CELLS):
        histogram[cell] = 0
    for one in range(OUTCOMES):
        for i in range(first[STARTS + one], first[STARTS + one + 1]):
            for two in range(OUTCOMES - one):
                for j in range(second[STARTS + two], second[STARTS + two + 1]):
                    ways = first[WAYS + i] * second[WAYS + j]
                    for three in range(OUTCOMES - one - two):
                        left = CARDS - one - two - three
                        start = trumps[STARTS + left]
                        end = trumps[STARTS + left + 1]
                        if start == end:
                            continue
                        for k in range(third[STARTS + three], third[STARTS + three + 1]):
                            key = plain_key(first[CODES + i], second[CODES + j], third[CODES + k])
                            word = scheme[plain_entry(scheme, key)]
                            place = word & ((1 << PLACE_BITS) - 1)
                            all_ways = ways * third[WAYS + k]
                            looked_up += end - start
                            for m in range(start, end):
                                found = cells[trumps[CODES + m] + place]
                                histogram[found] += all_ways * trumps[WAYS + m]
    return looked_up


@kernel
def lay_hand(blocks: Vector, scheme: Vector, hand: Vector, lengths: Vector, most_kept: int) -> None:
    """Lay the four suits of a hand: ``hand`` has own masks by strength, then masks of dead cards.

    Trumps come first; ``lengths`` are the numbers of cards of the suits in the pack.
    """
    for suit in range(4):
        whole = (1 << lengths[suit]) - 1
        kept = whole & ~(whole >> most_kept) if suit == 0 else 0
        others = whole & ~hand[suit] & ~hand[4 + suit]
        block = bare(blocks, suit * BLOCK_SIZE)
        lay_suit(block, scheme, hand[suit], others, kept, suit == 0)


# A class in one word, from the highest bit: tricks - 3 * three - 2 * five, three, five; the numbers
# of other hands against which it takes three tricks or more, and all five, and all its tricks.
WIN_BITS = 21
WIN_MASK = (1 << WIN_BITS) - 1
REST_MASK = (1 << 22) - 1
SHARE = 1.0 / OTHER_HANDS

# --- classes of hands -----------------------------------------------------------------------------

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


# --- entries --------------------------------------------------------------------------------------


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
