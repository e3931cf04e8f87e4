"""Small compiled loops that tests look into the kernels with; one file, so one cache folder."""

from __future__ import annotations

import numpy as np

from forty5sim.kernels import bits, rng
from forty5sim.kernels.deal import seat_players, shuffle
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    AUCTION_CALL,
    BEST,
    BID,
    CALLS,
    DEAL_KEY,
    DECK,
    HAD_RIGHT,
    HANDS,
    KEEP,
    KITTY_CARDS,
    ORDER,
    ORDER_SIZE,
    ORDERS,
    OVER,
    PASS,
    PHASE,
    PLAYS,
    ROB,
    SEAT,
    STATE_SIZE,
    TABLES_SIZE,
    TRICKS,
    TRUE_ORDER,
    TRUMP_MASK,
    TURNUP,
)
from forty5sim.kernels.phases import apply, deal_cards, decision_slot, legal_actions, start_deal
from forty5sim.kernels.play import legal_cards
from forty5sim.kernels.playout import choose_randomly
from forty5sim.kernels.trick import put_card, seat_in, start_trick
from forty5sim.kernels.vector import Vector, bare, readonly


def new_state() -> Vector:
    """An empty state vector."""
    return np.zeros(STATE_SIZE, dtype=np.int64)


# Playing to a trick


@entry
def legal_sweep(
    rule_words: Vector, order: int, reference: int, led: int, hands: Vector, legal: Vector
) -> None:
    """Write what each of these hands may play, shape (n,) both."""
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(hands.size):
        legal[i] = legal_cards(tables, order, hands[i], reference, led)


@entry
def winner_sweep(
    state_words: Vector, rule_words: Vector, order: int, cards: Vector, winners: Vector
) -> None:
    """Write who wins each trick of two cards: 0 the card led, 1 the other; shape (n, n)."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    seat_players(state, 2, 2, 3)
    state[TRUE_ORDER] = order
    for i in range(cards.size):
        for j in range(cards.size):
            state[PLAYS] = 0
            start_trick(state, 0)
            state[SEAT] = 0
            put_card(state, tables, cards[i])
            state[SEAT] = 1
            put_card(state, tables, cards[j])
            winners[i, j] = seat_in(state[BEST])


# Dealing


@entry
def shuffles(state_words: Vector, rule_words: Vector, seed: int, count: int, packs: Vector) -> None:
    """Write the packs of deals 0, 1, ... of a seed, ``count`` cards of each shuffled."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    deals, size = packs.shape
    for deal in range(deals):
        shuffle(state, tables, rng.deal_key(seed, deal, rng.PURPOSE_DEAL), count)
        for i in range(size):
            packs[deal, i] = state[DECK + i]


@entry
def count_rights(
    state_words: Vector, rule_words: Vector, seats: int, seed: int, deals: int, counts: Vector
) -> None:
    """Count which seat has the right to rob (counts[seat]), and aces turned up (counts[-1])."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    start_game(state, tables, seats, seats, 0)
    for deal in range(deals):
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        counts[seats] += state[TURNUP] % 13 == 12
        if state[HAD_RIGHT] >= 0:
            counts[state[HAD_RIGHT]] += 1


@entry
def count_trumps(
    state_words: Vector, rule_words: Vector, seed: int, deals: int, counts: Vector
) -> None:
    """Count how many trumps seat 0 is dealt (counts[0..5]); two players, a fixed trump."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    start_game(state, tables, 2, 2, 0)
    for deal in range(deals):
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        counts[bits.popcount(state[HANDS] & tables[state[ORDER] + TRUMP_MASK])] += 1


@entry
def count_hands(
    state_words: Vector, rule_words: Vector, trump: int, seed: int, deals: int, counts: Vector
) -> None:
    """Count how many trumps seat 0 is dealt of a game for four with an auction (counts[0..10])."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    trumps = tables[ORDERS + trump * ORDER_SIZE + TRUMP_MASK]
    start_game(state, tables, 4, 2, 0)
    for deal in range(deals):
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        counts[bits.popcount(state[HANDS] & trumps)] += 1


@entry
def count_holders(
    state_words: Vector,
    rule_words: Vector,
    cards: int,
    bid: int,
    seed: int,
    deals: int,
    counts: Vector,
) -> None:
    """Count who has all of these cards in a game for four with an auction.

    counts[seat], counts[4] the kitty; counts[5] seat 1, which has bid and taken the kitty up.
    """
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    start_game(state, tables, 4, 2, 0)
    for deal in range(deals):
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        for seat in range(4):
            counts[seat] += state[HANDS + seat] & cards == cards
        counts[4] += state[KITTY_CARDS] & cards == cards
        while state[PHASE] == AUCTION_CALL:
            apply(state, tables, PASS if state[CALLS] else bid)
        counts[5] += state[BID] == bid and state[HANDS + 1] & cards == cards


# Playing deals out


@kernel
def play_without_robbing(state: Vector, tables: Vector) -> None:
    """Play a deal to its end at random, but never rob."""
    while state[PHASE] != OVER:
        legal = legal_actions(state, tables)
        key = rng.decision_key(state[DEAL_KEY], state[SEAT], decision_slot(state))
        action = KEEP if state[PHASE] == ROB else choose_randomly(legal, key)
        apply(state, tables, action)


@entry
def count_tricks(
    state_words: Vector, rule_words: Vector, seats: int, seed: int, deals: int, counts: Vector
) -> None:
    """Play at random, nobody robbing: tricks by seat, deals in which nobody has 3 (counts[-1])."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for deal in range(deals):
        start_game(state, tables, seats, seats, 0)
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        play_without_robbing(state, tables)
        most = 0
        for seat in range(seats):
            counts[seat] += state[TRICKS + seat]
            most = max(most, state[TRICKS + seat])
        counts[seats] += most < 3


# Bits and random numbers


@entry
def bit_facts(mask: int, n: int, facts: Vector) -> None:
    """Write popcount, lowest, nth and select of a mask that is not empty."""
    facts[0] = bits.popcount(mask)
    facts[1] = bits.lowest(mask)
    facts[2] = bits.nth(mask, n)
    facts[3] = bits.select(mask & 1 == 1, mask, n)


@entry
def product(x: int, y: int) -> int:
    """Return the product modulo 2^64, signed."""
    return bits.wrapping_multiply(x, y)


@entry
def mixed(x: int) -> int:
    """Return the mixed number."""
    return rng.mix(x)


@entry
def drawn(key: int, number: int) -> int:
    """Return a draw of a key."""
    return rng.draw(key, number)


@entry
def key_of_deal(seed: int, deal: int, purpose: int) -> int:
    """Return the key of a deal."""
    return rng.deal_key(seed, deal, purpose)


@entry
def key_of_decision(key: int, seat: int, slot: int) -> int:
    """Return the key of a decision."""
    return rng.decision_key(key, seat, slot)


@entry
def number_below(word: int, n: int) -> int:
    """Return a number 0..n-1 from random bits."""
    return rng.below(word, n)
