"""What a seat to act sees, as masks: an observation for bots that learn.

A row of masks; word k holds features 64 k to 64 k + 63, and ``spread_bits`` makes a byte of each.
It is written from the public part of the state, the seat's own cards, and notes that are kept
as cards are played and calls made; so nothing hidden can get into it. Seats are counted from the
seat that sees: 0 is itself, 1 sits to its left.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from forty5sim.kernels.bits import select
from forty5sim.kernels.jit import compiled_as, hot_kernel, kernel
from forty5sim.kernels.layout import (
    AUCTION,
    BEST,
    BID,
    BIDDER,
    CALLERS,
    CLAIMER,
    DEALER,
    DISCARDED,
    EXPOSED,
    FAMILY,
    JINKER,
    JOKER_SUIT,
    JOKER_TURNED,
    LEADER,
    LED_SUIT,
    NAMED,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    PHASE,
    PLAYED,
    ROBBER,
    SEAT,
    SEATS,
    TRICK,
    TRICKS,
    TRUMP,
    TURNUP,
)
from forty5sim.kernels.trick import card_in
from forty5sim.kernels.vector import WORDS, Vector

WORD = 64  # bits of a mask, bytes of its spread

# the words of an observation
(
    SEE_HAND,
    SEE_THROWN,  # the cards that the seat threw itself
    SEE_TRICK,  # the cards on the table
    SEE_BEST,  # the one of them that wins so far
    SEE_TURNUP,
    SEE_FACTS,
    SEE_SEATS,
    SEE_PLAYED,  # a word for each seat: the cards it played, and a bit for each trick it won
) = range(8)
# and after those of all seats, in games with an auction
SEE_BIDS, SEE_EXPOSED, SEE_CALLED = range(3)  # the last a word for each seat

# bits of SEE_FACTS
FACT_PHASE = 0
FACT_TRUMP = 9  # four suits and no trump
FACT_ORDER = 14  # which order of the cards holds (``layout.ORDERS``)
FACT_LED = 23  # the effective suit led; none
FACT_TRICKS = 29  # a bit for each trick finished
FACT_JOKER_TURNED = 39
FACT_JOKER_SUIT = 40  # the suit given to the Joker
FACT_NAMED = 44  # the suit that a Joker led has named
# bits of SEE_SEATS, ten each
DEALS, LEADS, BIDS, ROBBED, JINKS, CLAIMED = range(0, 60, 10)
# a seat's own words
WON = 53  # SEE_PLAYED: from here on a bit for each trick won
GIVEN_AWAY = 34  # SEE_CALLED: from here on a bit for each card thrown; the rest are its calls
MOST_THROWN = 19  # of them, so far as there is room below PASS
STANDING_CALLERS = 34  # SEE_BIDS: the bid that stands, and from here on who may still speak

# the notes of a table: the cards of finished tricks, then of each seat those it played, its calls
NOTED = 1


@kernel
def note_size(seats: int) -> int:
    """Return the number of words of a table's notes."""
    return NOTED + 2 * seats


@kernel
def word_count(tables: Vector, seats: int) -> int:
    """Return the number of words of an observation."""
    bidding = SEE_CALLED + seats if tables[FAMILY] >= AUCTION else 0
    return SEE_PLAYED + seats + bidding


@hot_kernel
def flag(place: int, number: int) -> int:
    """Return the bit for a number of a block of bits; none for a negative one."""
    return select(number >= 0, 1 << (place + max(number, 0)), 0)


@hot_kernel
def seat_flag(public: Vector, place: int, seat: int) -> int:
    """Return the bit for a seat, counted from the seat to act; none for -1."""
    away = seat - public[SEAT]
    return select(seat >= 0, 1 << (place + away + select(away < 0, public[SEATS], 0)), 0)


@hot_kernel
def first_bits(place: int, count: int) -> int:
    """Return the bit of each of ``count`` things, from a place on."""
    return ((1 << count) - 1) << place


@hot_kernel
def facts_of(public: Vector) -> int:
    """Return the word SEE_FACTS."""
    return (
        flag(FACT_PHASE, public[PHASE])
        | flag(FACT_TRUMP, public[TRUMP])
        | flag(FACT_ORDER, (public[ORDER] - ORDERS) // ORDER_SIZE)
        | flag(FACT_LED, public[LED_SUIT])
        | first_bits(FACT_TRICKS, public[TRICK])
        | public[JOKER_TURNED] << FACT_JOKER_TURNED
        | flag(FACT_JOKER_SUIT, public[JOKER_SUIT])
        | flag(FACT_NAMED, public[NAMED])
    )


@hot_kernel
def seats_of(public: Vector) -> int:
    """Return the word SEE_SEATS."""
    return (
        seat_flag(public, DEALS, public[DEALER])
        | seat_flag(public, LEADS, public[LEADER])
        | seat_flag(public, BIDS, public[BIDDER])
        | seat_flag(public, ROBBED, public[ROBBER])
        | seat_flag(public, JINKS, public[JINKER])
        | seat_flag(public, CLAIMED, public[CLAIMER])
    )


@kernel
def write_masks(public: Vector, hand: int, thrown: int, notes: Vector, masks: Vector) -> None:
    """Write what the seat to act sees in every game."""
    trick = public[PLAYED] & ~notes[0]
    masks[SEE_HAND] = hand
    masks[SEE_THROWN] = thrown
    masks[SEE_TRICK] = trick
    masks[SEE_BEST] = select(public[BEST] > 0, 1 << card_in(public[BEST]), 0)
    masks[SEE_TURNUP] = flag(0, public[TURNUP])
    masks[SEE_FACTS] = facts_of(public)
    masks[SEE_SEATS] = seats_of(public)
    seat = public[SEAT]
    for away in range(public[SEATS]):
        won = first_bits(WON, public[TRICKS + seat])
        masks[SEE_PLAYED + away] = notes[NOTED + seat] | won
        seat = select(seat + 1 == public[SEATS], 0, seat + 1)


@kernel
def write_bidding_masks(public: Vector, notes: Vector, masks: Vector) -> None:
    """Write what it sees besides in a game with an auction."""
    seats = public[SEATS]
    seat = public[SEAT]
    callers = 0
    for away in range(seats):
        callers |= (public[CALLERS] >> seat & 1) << away
        thrown = first_bits(GIVEN_AWAY, public[DISCARDED + seat])
        masks[SEE_CALLED + away] = notes[NOTED + seats + seat] | thrown
        seat = select(seat + 1 == seats, 0, seat + 1)
    masks[SEE_BIDS] = flag(0, public[BID]) | callers << STANDING_CALLERS
    masks[SEE_EXPOSED] = public[EXPOSED]


@intrinsic
def _spread_bits(typingctx: Any, mask: Any, target: Any, start: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask, pointer, start = args
        bits = builder.bitcast(mask, ir.VectorType(ir.IntType(1), WORD))
        spread = builder.zext(bits, ir.VectorType(ir.IntType(8), WORD))
        place = builder.bitcast(builder.gep(pointer, [start]), spread.type.as_pointer())
        builder.store(spread, place, align=8)
        return context.get_dummy_value()

    return types.void(types.int64, WORDS, types.int64), code


@compiled_as(_spread_bits)
def spread_bits(mask: int, target: Vector, start: int) -> None:
    """Write the 64 bits of a mask as bytes 0 or 1, into eight words of ``target``.

    One vector of bits made one of bytes: a few instructions, where a loop takes a hundred.
    """
    for byte in range(8):
        bits = int(mask) >> 8 * byte & 255
        target[start + byte] = sum((bits >> bit & 1) << 8 * bit for bit in range(8))
