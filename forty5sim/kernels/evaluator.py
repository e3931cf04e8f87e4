"""Deals around a fixed hand, played out by a policy: what its seat wins."""

from __future__ import annotations

from forty5sim.kernels.asking import serve
from forty5sim.kernels.bits import lowest
from forty5sim.kernels.deal import deal_hands
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    ALONE,
    DEAL_KEY,
    DECK,
    DECK_MASK,
    HAND_SIZE,
    TABLES_SIZE,
    TRICKS,
)
from forty5sim.kernels.phases import first_seat, start_deal
from forty5sim.kernels.rng import (
    PURPOSE_DEAL,
    PURPOSE_DECISION,
    PURPOSE_VIEW,
    below,
    deal_key,
    draw,
)
from forty5sim.kernels.search import FINISHED, TO_THE_VERY_END
from forty5sim.kernels.vector import Reals, Vector, bare, readonly

ANYWHERE_ELSE = -1  # a position: any but the leader's, each equally often
OUTCOMES = 11  # tricks


@kernel
def swap(state: Vector, i: int, j: int) -> None:
    """Exchange cards i and j of the deck."""
    card = state[DECK + i]
    state[DECK + i] = state[DECK + j]
    state[DECK + j] = card


@kernel
def lay_deck(
    state: Vector,
    tables: Vector,
    hand: int,
    turnup: int,
    dead: int,
    seat: int,
    seats: int,
    key: int,
) -> None:
    """Put the pack into dealing order: the hand at its seat, the rest shuffled.

    A known turn-up lies where it is turned; ``dead`` cards, which nobody has, come last.
    """
    size = tables[HAND_SIZE]
    hidden = tables[DECK_MASK] & ~hand & ~dead
    if turnup >= 0:
        hidden &= ~(1 << turnup)
    place = DECK
    while hidden:
        state[place] = lowest(hidden)
        hidden &= hidden - 1
        place += 1
    count = place - DECK
    for i in range(min((seats - 1) * size + 2, count)):
        swap(state, i, i + below(draw(key, i), count - i))
    known = 0 if turnup < 0 else 1
    for i in range(count - 1, seat * size - 1, -1):
        past = size if i < (seats - 1) * size else size + known
        state[DECK + i + past] = state[DECK + i]
    for i in range(size):
        state[DECK + seat * size + i] = lowest(hand)
        hand &= hand - 1
    if known:
        state[DECK + seats * size] = turnup
    place = DECK + count + size + known
    while dead:
        state[place] = lowest(dead)
        dead &= dead - 1
        place += 1


@entry
def play_hands(
    hands: Vector,
    streams: Vector,
    state_words: Vector,
    rule_words: Vector,
    service: int,
    param_words: Reals,
    note_words: Vector,
    seats: int,
    sides: int,
    turnup: int,
    dead: int,
    position: int,
    first: int,
    playouts: int,
    seed: int,
    counts: Vector,
) -> int:
    """Deal around each hand ``playouts`` times, from number ``first`` on, and play it out.

    Hand i is dealt from stream ``streams[i]``. Shapes: hands (n,), counts (n, 11): how often its
    seat took so many tricks, added to. Returns how many deals ended with an answer that is not
    legal.
    """
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    params = readonly(param_words, 0, param_words.size)
    bad = 0
    for i in range(hands.size):
        for number in range(first, first + playouts):
            key = draw(deal_key(seed, number, PURPOSE_VIEW), streams[i])
            place = position if position >= 0 else 1 + below(draw(key, 0), seats - 1)
            start_game(state, tables, seats, sides, seats - 1)
            state[ALONE] = 1
            lay_deck(state, tables, hands[i], turnup, dead, place, seats, draw(key, PURPOSE_DEAL))
            deal_hands(state, tables, first_seat(state))
            state[DEAL_KEY] = draw(key, PURPOSE_DECISION)
            start_deal(state, tables)
            done = serve(service, state, tables, params, bare(note_words, 0), -1, TO_THE_VERY_END)
            bad += done != FINISHED
            counts[i, state[TRICKS + place]] += 1
    return bad
