"""One decision of the heuristic: what kind it is, and who knows about it.

Two functions, so that a game with a turn-up does not wait for the auction's to be compiled.
"""

from __future__ import annotations

from forty5agents.heuristic.auction import choose_call, choose_discard, choose_trump
from forty5agents.heuristic.contracts import WORKSPACE, choose_contract_card
from forty5agents.heuristic.five_hundred import (
    choose_bid,
    choose_exchange,
    choose_joker_suit,
    choose_led_suit,
)
from forty5agents.heuristic.fives import choose_card, choose_jink, choose_rob, unseen_cards
from forty5agents.heuristic.misere import choose_misere_card
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    ASSIGN,
    AUCTION_CALL,
    DISCARD,
    FAMILY,
    FIVE_HUNDRED,
    JINK,
    NAME_TRUMP,
    PHASE,
    PLAY,
    ROB,
)
from forty5sim.kernels.opening import is_misere
from forty5sim.kernels.vector import Reals, Vector

__all__ = ["WORKSPACE", "choose", "choose_in_auctions"]


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
    """Decide in a game with a turn-up: about robbing, jinking, or the card to play."""
    if public[PHASE] == ROB:
        return choose_rob(public, hand, legal, tables)
    unseen = unseen_cards(public, hand, thrown, tables)
    if public[PHASE] == JINK:
        return choose_jink(public, hand, unseen, tables, params)
    return choose_card(public, hand, unseen, legal, tables, params)


@entry
def choose_in_auctions(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    key: int,
    params: Reals,
    workspace: Vector,
) -> int:
    """Decide in a game with an auction: about a call, trumps, the exchange, the card to play."""
    if tables[FAMILY] == FIVE_HUNDRED:
        return in_five_hundred(public, hand, thrown, legal, tables, params, workspace)
    phase = public[PHASE]
    if phase == AUCTION_CALL:
        return choose_call(public, hand, legal, tables, params)
    if phase == NAME_TRUMP:
        return choose_trump(hand, tables, params)
    if phase == DISCARD:
        return choose_discard(public, hand, thrown, legal, tables)
    unseen = unseen_cards(public, hand, thrown, tables)
    return choose_card(public, hand, unseen, legal, tables, params)


@kernel
def in_five_hundred(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    params: Reals,
    workspace: Vector,
) -> int:
    """Decide in Five Hundred."""
    phase = public[PHASE]
    unseen = unseen_cards(public, hand, thrown, tables)
    if phase == PLAY:
        if is_misere(public, tables):
            return choose_misere_card(public, hand, unseen, legal, tables)
        return choose_contract_card(public, hand, unseen, legal, tables, params, workspace)
    if phase == AUCTION_CALL:
        return choose_bid(public, hand, legal, tables, params)
    if phase == DISCARD:
        return choose_exchange(public, hand, thrown, legal, tables)
    if phase == ASSIGN:
        return choose_joker_suit(public, hand, tables)
    return choose_led_suit(hand, legal, tables)
