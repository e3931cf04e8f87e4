"""Loops that ``forty5sim bench`` times: random deals through the engine, and a fixed yardstick."""

from __future__ import annotations

from forty5sim.kernels.bits import wrapping_multiply
from forty5sim.kernels.boards import board_dealer
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry
from forty5sim.kernels.layout import PLAYS, TABLES_SIZE
from forty5sim.kernels.phases import deal_cards, start_deal
from forty5sim.kernels.playout import play_randomly
from forty5sim.kernels.rng import GOLDEN
from forty5sim.kernels.vector import Vector, bare, readonly


@entry
def random_deals(
    state_words: Vector, rule_words: Vector, seed: int, deals: int, seats: int, sides: int
) -> int:
    """Shuffle, deal, rob, play at random and score so many deals; return the cards played."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    plays = 0
    for deal in range(deals):
        start_game(state, tables, seats, sides, board_dealer(tables, deal, seats))
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        play_randomly(state, tables)
        plays += state[PLAYS]
    return plays


@entry
def yardstick(steps: int) -> int:
    """Do a fixed amount of dependent arithmetic: about a nanosecond a step."""
    x = 1
    for step in range(steps):
        x = wrapping_multiply(x ^ step, GOLDEN)
    return x
