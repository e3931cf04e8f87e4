"""Turns a rule set into the one int64 vector that kernels take as their rules.

A variant is data here: the kernels look up what obliges, what satisfies and what wins, which bids
stand above which and what they are worth, and never ask for a game's name.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from forty5sim.cards import NO_TRUMP, Suit
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.options import FIVE_HUNDRED
from forty5sim.rules import RuleSet
from forty5sim.tables import bids, bowers, fives, options


@lru_cache(maxsize=64)
def rule_tables(rules: RuleSet) -> Vector:
    """Return the tables of a rule set: int64, shape (layout.TABLES_SIZE,), read-only."""
    tables = np.zeros(layout.TABLES_SIZE, dtype=np.int64)
    options.fill_options(tables, rules)
    if rules.has_auction:
        bids.fill_bids(tables, rules)
    if rules.family == FIVE_HUNDRED:
        _fill_bower_orders(tables)
    else:
        _fill_five_orders(tables, rules)
    tables.setflags(write=False)
    return tables


def _fill_five_orders(tables: Vector, rules: RuleSet) -> None:
    for suit in range(layout.SUITS):
        for ace_lowest in (False, True):
            block = _block(tables, order_offset(suit, ace_lowest=ace_lowest))
            fives.fill_order(block, rules, suit, ace_lowest=ace_lowest)


def _fill_bower_orders(tables: Vector) -> None:
    for trump in (*range(layout.SUITS), NO_TRUMP):
        bowers.fill_order(_block(tables, order_offset(trump)), trump, None)
    for suit in range(layout.SUITS):
        block = _block(tables, layout.JOKER_ORDERS + suit * layout.ORDER_SIZE)
        bowers.fill_order(block, NO_TRUMP, suit)


def _block(tables: Vector, start: int) -> Vector:
    return tables[start : start + layout.ORDER_SIZE]


def order_offset(trump: Suit, *, ace_lowest: bool = False) -> int:
    """Return where the block of a trump suit (or of no trump) starts in the tables."""
    start = layout.ORDERS + trump * layout.ORDER_SIZE
    return start + layout.MISSED_STEP if ace_lowest else start
