"""Two players with all cards seen: a complete table of positions at the start of a trick.

Only who owns which rank matters. A suit is a *string*: a leading 1, then a bit a card from the
highest to the lowest, 1 if the leader owns it. Plain suits come to the same in any order. With
the number of trumps that may be kept back, which are the highest, that is a position: 48 549 of
them with up to five cards a hand, and every one is solved once, smaller hands first.
"""

from __future__ import annotations

from forty5sim.kernels.bits import highest, lowest, popcount
from forty5sim.kernels.desk import CARDS, HAND, MOVER, TOP_BIT
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.ranks import FIELD, FIELD_MASK, TRUMP_FIELD, kept_back
from forty5sim.kernels.rng import mix
from forty5sim.kernels.vector import Vector

MOST_CARDS = 5  # a hand
ENTRIES = 1 << 17
VALUE_BITS = 4
STRING_BITS = 11
KEPT_BITS = 3
EVERY_SUIT = 15
EMPTY = 1  # the string of a suit without cards

# how a plain lead is followed
FOLLOW_OR_TRUMP, STRICT_FOLLOW, MUST_FOLLOW_OR_TRUMP, FREE = range(4)
# which trumps may be kept back from a trump led
OUTRANKS, EXPIRES, SINGLE, NONE = range(4)

# a position: strings, trumps first, then
KEPT = 4  # how many of the highest trumps may be kept back
POSITION_SIZE = 5


@kernel
def remove(string: int, place: int) -> int:
    """Return a string without one card."""
    return (string >> (place + 1)) << place | (string & ((1 << place) - 1))


@kernel
def cards_in(string: int) -> int:
    """Return the mask of a string's places."""
    return (1 << highest(string)) - 1


@kernel
def others_in(string: int) -> int:
    """Return the places of the cards that the leader does not own."""
    return cards_in(string) & ~string


@kernel
def key_of(trumps: int, kept: int, first: int, second: int, third: int) -> int:
    """Return the number of a position; plain suits in any order."""
    low = min(first, second)
    high = max(first, second)
    middle = max(low, min(high, third))
    low = min(low, third)
    high = max(high, third)
    plain = (low << STRING_BITS | middle) << STRING_BITS | high
    return (plain << KEPT_BITS | kept) << STRING_BITS | trumps


@kernel
def entry_of(table: Vector, key: int) -> int:
    """Return where a position stands in the table, or would."""
    place = mix(key) & (ENTRIES - 1)
    while table[place] != 0 and table[place] >> VALUE_BITS != key:
        place = (place + 1) & (ENTRIES - 1)
    return place


@kernel
def value_of(table: Vector, key: int) -> int:
    """Return the tricks that the leader of a position gets."""
    return table[entry_of(table, key)] & ((1 << VALUE_BITS) - 1)


# --- building -------------------------------------------------------------------------------------


@kernel
def fill_positions(
    table: Vector, scratch: Vector, cards: int, most_kept: int, plain_lead: int, renege: int
) -> int:
    """Solve every position with so many cards a hand; smaller ones are solved. Return the number.

    ``most_kept`` is how many trumps may be kept back in the whole pack.
    """
    count = 0
    total = 2 * cards
    for split in range((total + 1) * (total + 1) * (total + 1)):
        lengths_left = split
        trumps = lengths_left % (total + 1)
        lengths_left //= total + 1
        first = lengths_left % (total + 1)
        second = lengths_left // (total + 1)
        third = total - trumps - first - second
        if third < 0 or not first <= second <= third:
            continue
        for owners in range(1 << total):
            if popcount(owners) == cards:
                lay_strings(scratch, owners, trumps, first, second, third)
                for kept in range(min(trumps, most_kept) + 1):
                    scratch[KEPT] = kept
                    count += solve_position(table, scratch, cards, plain_lead, renege)
    return count


@kernel
def lay_strings(
    position: Vector, owners: int, trumps: int, first: int, second: int, third: int
) -> None:
    """Write the strings of a position from its owners, card by card, and the suits' lengths."""
    position[0] = 1 << trumps | owners & ((1 << trumps) - 1)
    owners >>= trumps
    position[1] = 1 << first | owners & ((1 << first) - 1)
    owners >>= first
    position[2] = 1 << second | owners & ((1 << second) - 1)
    position[3] = 1 << third | owners >> second


@kernel
def solve_position(
    table: Vector, position: Vector, cards: int, plain_lead: int, renege: int
) -> int:
    """Solve a position unless it is solved; return 1 if it was not."""
    key = key_of(position[0], position[KEPT], position[1], position[2], position[3])
    place = entry_of(table, key)
    if table[place] != 0:
        return 0
    best = 0
    for suit in range(4):
        leads = position[suit] & cards_in(position[suit])
        while leads and best < cards:
            lead = lowest(leads)
            leads &= leads - 1
            value = worst_reply(table, position, cards, suit, lead, plain_lead, renege)
            best = max(best, value)
    table[place] = key << VALUE_BITS | best
    return 1


@kernel
def worst_reply(
    table: Vector,
    position: Vector,
    cards: int,
    suit: int,
    lead: int,
    plain_lead: int,
    renege: int,
) -> int:
    """Return the tricks that a lead is worth against the best reply."""
    worst = cards
    suits = reply_suits(position, suit, lead, plain_lead, renege)
    for answer in range(4):
        held = others_in(position[answer]) if suits >> answer & 1 else 0
        while held:
            reply = lowest(held)
            held &= held - 1
            value = trick_value(table, position, cards, suit, lead, answer, reply, renege)
            worst = min(worst, value)
    return worst


@kernel
def reply_suits(position: Vector, suit: int, lead: int, plain_lead: int, renege: int) -> int:
    """Return the mask of suits that the other may reply with (docs/rules.md 2.2, 2.3)."""
    trumps = others_in(position[0])
    if suit == 0:
        return 1 if must_trump(position, trumps, lead, renege) else EVERY_SUIT
    follow = others_in(position[suit])
    if plain_lead == FREE or (follow == 0 and plain_lead != MUST_FOLLOW_OR_TRUMP):
        return EVERY_SUIT
    if plain_lead == STRICT_FOLLOW:
        return 1 << suit
    return 1 << suit | 1 if follow | trumps else EVERY_SUIT


@kernel
def must_trump(position: Vector, trumps: int, lead: int, renege: int) -> bool:
    """Say whether these trumps of the other oblige him, a trump being led."""
    kept = privileged_in(highest(position[0]), position[KEPT])
    if renege == NONE:
        return bool(trumps)
    if renege == SINGLE:
        own = trumps & kept
        return bool(trumps & ~kept | own & (own - 1))
    return bool(trumps & ~(kept & ~((2 << lead) - 1)))


@kernel
def privileged_in(length: int, kept: int) -> int:
    """Return the places of the trumps that may be kept back: the highest."""
    return ((1 << length) - 1) & ~((1 << (length - kept)) - 1)


@kernel
def trick_value(
    table: Vector,
    position: Vector,
    cards: int,
    suit: int,
    lead: int,
    answer: int,
    reply: int,
    renege: int,
) -> int:
    """Return the tricks that the leader gets after a trick."""
    beaten = reply > lead if answer == suit else answer == 0
    trumps = position[0]
    kept = position[KEPT]
    first = position[1]
    second = position[2]
    third = position[3]
    high = highest(trumps)
    played = 0  # mask of the trumps played, as places
    if suit == 0:
        played |= 1 << lead
    if answer == 0:
        played |= 1 << reply
    if played:
        kept = kept_after(high, kept, played, renege)
        trumps = remove(trumps, highest(played))
        if popcount(played) == 2:
            trumps = remove(trumps, lowest(played))
    first = shorten(first, 1, suit, lead, answer, reply)
    second = shorten(second, 2, suit, lead, answer, reply)
    third = shorten(third, 3, suit, lead, answer, reply)
    if cards == 1:
        return 0 if beaten else 1
    if beaten:
        trumps ^= cards_in(trumps)
        first ^= cards_in(first)
        second ^= cards_in(second)
        third ^= cards_in(third)
        return cards - 1 - value_of(table, key_of(trumps, kept, first, second, third))
    return 1 + value_of(table, key_of(trumps, kept, first, second, third))


@kernel
def shorten(string: int, own: int, suit: int, lead: int, answer: int, reply: int) -> int:
    """Return the string of a plain suit without what was played of it."""
    if suit == own and answer == own:
        return remove(remove(string, max(lead, reply)), min(lead, reply))
    if suit == own:
        return remove(string, lead)
    return remove(string, reply) if answer == own else string


@kernel
def kept_after(length: int, kept: int, played: int, renege: int) -> int:
    """Return how many trumps may be kept back once these have been played."""
    privileged = privileged_in(length, kept)
    if renege == EXPIRES:
        return popcount(privileged & ~((2 << highest(played)) - 1))
    return kept - popcount(privileged & played)


# --- looking up -----------------------------------------------------------------------------------


@kernel
def leader_tricks(table: Vector, desk: Vector, ranks: Vector, frame: int) -> int:
    """Return the tricks that the leader of a trick gets, by the table."""
    mine = desk[HAND + desk[frame + MOVER]]
    trumps = first = second = third = EMPTY
    for field in range(4):
        cards = desk[CARDS] & (FIELD_MASK << (FIELD * field))
        if cards == 0:
            continue
        string = string_of(cards, mine)
        if cards & ranks[TRUMP_FIELD]:
            trumps = string
        elif first == EMPTY:
            first = string
        elif second == EMPTY:
            second = string
        else:
            third = string
    kept = popcount(kept_back(ranks, desk[frame + TOP_BIT]) & desk[CARDS])
    return value_of(table, key_of(trumps, kept, first, second, third))


@kernel
def string_of(cards: int, mine: int) -> int:
    """Return the string of a suit's cards."""
    string = 0
    place = 0
    while cards:
        string |= (mine >> lowest(cards) & 1) << place
        cards &= cards - 1
        place += 1
    return string | 1 << place
