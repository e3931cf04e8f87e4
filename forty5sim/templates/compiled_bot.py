"""A compiled bot: a function on integers that numba turns into machine code. See ``choose``.

It plays in the engine's own loop, a hundred times as fast as a plain one. The first call compiles
it; the code is kept on disk until this file changes. Try it:

    forty5sim bot check my_bot.py:my_bot
    forty5sim tournament --bots my_bot.py:my_bot heuristic random --boards 20000
"""

from __future__ import annotations

from forty5sim import CompiledAgent
from forty5sim.kernels.bits import lowest, popcount
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    AUCTION_CALL,
    BEST,
    CARD_COUNT,
    DECLARE_JINK,
    DISCARD,
    DONE,
    JINK,
    LED_SUIT,
    NO_CARD,
    ORDER,
    PACKED_POWER,
    PASS,
    PHASE,
    PLAY,
    POSITION,
    POWER,
    ROB,
    SEAT,
    SIDE_OF,
    STOP,
    SUIT,
    SUIT_SIZE,
    SUITS,
    TRUMP_MASK,
)
from forty5sim.kernels.trick import seat_in
from forty5sim.kernels.vector import Reals, Vector

CARDS = (1 << NO_CARD) - 1


@entry
def choose(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    key: int,
    params: Reals,
    workspace: Vector,
) -> int:
    """Return one of the legal actions.

    ``public`` is what all seats see, by the names of ``forty5sim.kernels.layout``:
    ``public[SEAT]`` acts, ``public[TRICKS + seat]`` are its tricks. Both it and ``tables``, the
    rules as numbers, are read-only. ``hand``, ``thrown`` and ``legal`` are masks: bit 13 * suit +
    rank is a card, bits from 53 on are PASS, DONE and so on; the suits are S C D H, bit 52 the
    Joker. ``key`` makes random numbers (``kernels.rng.draw(key, n)``), ``params`` are this
    bot's own numbers, ``workspace`` its notes for this seat, 0 when a deal begins.
    """
    phase = public[PHASE]
    trumps = tables[public[ORDER] + TRUMP_MASK]
    if phase == PLAY:
        return card_to_play(public, legal, tables)
    if phase == ROB:
        return weakest(public, legal & CARDS, tables)  # the card to throw
    if phase == JINK:
        return DECLARE_JINK if hand & ~trumps == 0 else STOP
    if phase == AUCTION_CALL:
        return PASS if legal >> PASS & 1 else lowest(legal)
    if phase == DISCARD:
        return card_to_throw(legal, trumps)
    return longest_suit(hand, legal)  # trumps to name, or the suit of a Joker


@kernel
def card_to_play(public: Vector, legal: int, tables: Vector) -> int:
    """Lead the strongest; then the cheapest card that wins, unless the partner has the trick."""
    if public[POSITION] == 0:
        return strongest(public, legal, tables)
    best = public[BEST]  # the winning card, packed with its power and its seat
    if public[SIDE_OF + seat_in(best)] == public[SIDE_OF + public[SEAT]]:
        return weakest(public, legal, tables)
    winners = 0
    rest = legal
    while rest:  # how one goes through a mask: the lowest bit, and away with it
        card = lowest(rest)
        rest &= rest - 1
        power = tables[public[ORDER] + POWER + public[LED_SUIT] * CARD_COUNT + card]
        if power > best >> PACKED_POWER:
            winners |= 1 << card
    return weakest(public, winners if winners else legal, tables)


@kernel
def card_to_throw(legal: int, trumps: int) -> int:
    """Throw what is no trump, one card at a time, ascending; then say DONE."""
    plain = legal & CARDS & ~trumps
    if plain:
        return lowest(plain)
    return DONE if legal >> DONE & 1 else lowest(legal)


@kernel
def longest_suit(hand: int, suits: int) -> int:
    """Return which of these suits has most cards in hand."""
    longest = lowest(suits)
    for suit in range(longest + 1, SUITS):
        if suits >> suit & 1 and held(hand, suit) > held(hand, longest):
            longest = suit
    return longest


@kernel
def held(hand: int, suit: int) -> int:
    """Return how many cards of a suit are in hand."""
    return popcount(hand >> SUIT_SIZE * suit & (1 << SUIT_SIZE) - 1)


@kernel
def weakest(public: Vector, cards: int, tables: Vector) -> int:
    """Return the card of least strength; there must be one."""
    worst = lowest(cards)
    rest = cards & (cards - 1)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if strength(public, card, tables) < strength(public, worst, tables):
            worst = card
    return worst


@kernel
def strongest(public: Vector, cards: int, tables: Vector) -> int:
    """Return the card of most strength; there must be one."""
    best = lowest(cards)
    rest = cards & (cards - 1)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if strength(public, card, tables) > strength(public, best, tables):
            best = card
    return best


@kernel
def strength(public: Vector, card: int, tables: Vector) -> int:
    """Return a card's height in its own suit: 101 and more for trumps, 1..13 for others."""
    order = public[ORDER]
    return tables[order + POWER + tables[order + SUIT + card] * CARD_COUNT + card]


def my_bot() -> CompiledAgent:
    """Return the bot; raise the version when it plays otherwise."""
    return CompiledAgent(name="my-bot", version=1, choose=choose)
