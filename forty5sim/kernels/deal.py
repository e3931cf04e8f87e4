"""Seating, shuffling and dealing.

Deal number k of a seed is one permutation of the deck, a pure function of (seed, k): it is dealt
seat by seat from seat 0, then the turn-up or the kitty, then the stock, so that rule variants and
player counts share cards where they can.
"""

from __future__ import annotations

from forty5sim.kernels.bits import lowest
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    AUCTION,
    DECK,
    DECK_CARDS,
    DECK_SIZE,
    FAMILY,
    HAND_SIZE,
    HANDS,
    KITTY_CARDS,
    KITTY_SIZE,
    MAX_SEATS,
    NEXT,
    SEATS,
    SIDE_OF,
    SIDES,
    STOCK,
    TURNS_UP,
    TURNUP,
)
from forty5sim.kernels.rng import below, draw
from forty5sim.kernels.vector import Vector


@kernel
def seat_players(state: Vector, seats: int, sides: int, playing: int) -> None:
    """Seat players at a table: who is on which side, who sits left of whom.

    ``playing`` is the mask of the seats that take part; the others are passed over.
    """
    state[SEATS] = seats
    state[SIDES] = sides
    state[ACTIVE] = 0
    for seat in range(MAX_SEATS):
        state[SIDE_OF + seat] = seat % sides
        state[NEXT + seat] = next_playing(seat, seats, playing)
        if seat < seats:
            state[ACTIVE] += (playing >> seat) & 1


@kernel
def next_playing(seat: int, seats: int, playing: int) -> int:
    """Return the nearest playing seat to the left, which may be the seat itself."""
    left = playing >> (seat + 1)
    return seat + 1 + lowest(left) if left else lowest(playing)


@kernel
def shuffle(state: Vector, tables: Vector, key: int, count: int) -> None:
    """Shuffle the first ``count`` cards of the deck; the same whatever the count.

    Fisher and Yates from the front; each random word serves two draws.
    """
    size = tables[DECK_SIZE]
    for i in range(size):
        state[DECK + i] = tables[DECK_CARDS + i]
    for pair in range((count + 1) >> 1):
        word = draw(key, pair)
        i = 2 * pair
        swap_in(state, i, below(word, size - i))
        if i + 1 < size:
            swap_in(state, i + 1, below(word >> 32, size - i - 1))


@kernel
def swap_in(state: Vector, i: int, offset: int) -> None:
    """Exchange cards i and i + offset of the deck."""
    j = DECK + i + offset
    card = state[j]
    state[j] = state[DECK + i]
    state[DECK + i] = card


@kernel
def cards_needed(state: Vector, tables: Vector) -> int:
    """Return how many cards a deal can show: hands, turn-up, and one more after a Joker.

    In the auction games anything may be drawn.
    """
    size = tables[DECK_SIZE]
    if tables[FAMILY] >= AUCTION:
        return size
    turned = 2 if tables[TURNS_UP] else 0
    return min(state[ACTIVE] * tables[HAND_SIZE] + turned, size)


@kernel
def deal_hands(state: Vector, tables: Vector, playing_from: int) -> None:
    """Give each playing seat its hand, turn the next card or lay the kitty aside.

    ``playing_from`` is the lowest playing seat; the deck is shuffled.
    """
    for seat in range(MAX_SEATS):
        state[HANDS + seat] = 0
    size = tables[HAND_SIZE]
    place = DECK
    seat = playing_from
    for _ in range(state[ACTIVE]):
        hand = 0
        for _ in range(size):
            hand |= 1 << state[place]
            place += 1
        state[HANDS + seat] = hand
        seat = state[NEXT + seat]
    turned = tables[TURNS_UP]
    state[TURNUP] = state[place] if turned else -1
    kitty = 0
    for _ in range(tables[KITTY_SIZE]):
        kitty |= 1 << state[place]
        place += 1
    state[KITTY_CARDS] = kitty
    state[STOCK] = place - DECK + turned
