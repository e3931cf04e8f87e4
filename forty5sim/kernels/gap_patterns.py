"""The other's hands by *gap patterns*: how many cards of each gap between one's own cards he holds.

Only who owns which rank matters. The product of binomials is the number of hands with a pattern;
some 1 500 patterns stand for C(47, 5) = 1 533 939 hands. A pattern is a position of ``canonical``,
found in a dense table of all those with five cards a hand, the *scheme*: a row for the trumps, a
place in the row for the plain suits. A suit of a hand is a mask by strength, bit 0 its lowest card.
"""

from __future__ import annotations

from typing import Any

from forty5sim.kernels.bits import highest, lowest, popcount
from forty5sim.kernels.canonical import (
    EMPTY,
    MOST_CARDS,
    STRING_BITS,
    cards_in,
    key_of,
    value_of,
)
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.rng import mix
from forty5sim.kernels.vector import Vector, bare

CARDS = MOST_CARDS
OTHER_HANDS = 1_533_939  # C(47, 5)
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
