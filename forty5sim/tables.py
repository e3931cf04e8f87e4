"""Turns a rule set into the one int64 vector that kernels take as their rules.

A variant is data here: the kernels look up what obliges, what satisfies and what wins, and
never ask for a game's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from forty5sim.cards import ACE_OF_HEARTS, HEARTS, Card, Mask, Suit, mask_of
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.options import COUNTING
from forty5sim.ranking import plain_order, privileged, top_trumps, trump_ace, trump_order
from forty5sim.rules import RuleSet

OFF = -1


@lru_cache(maxsize=64)
def rule_tables(rules: RuleSet) -> Vector:
    """Return the tables of a rule set: int64, shape (layout.TABLES_SIZE,), read-only."""
    tables = np.zeros(layout.TABLES_SIZE, dtype=np.int64)
    _fill_options(tables, rules)
    for suit in range(layout.SUITS):
        for ace_lowest in (False, True):
            start = order_offset(suit, ace_lowest=ace_lowest)
            block = tables[start : start + layout.ORDER_SIZE]
            _fill_order(block, rules, suit, ace_lowest=ace_lowest)
    tables.setflags(write=False)
    return tables


def order_offset(trump: Suit, *, ace_lowest: bool = False) -> int:
    """Return where the block of a trump suit starts in the tables."""
    start = layout.ORDERS + trump * layout.ORDER_SIZE
    return start + layout.MISSED_STEP if ace_lowest else start


def _fill_options(tables: Vector, rules: RuleSet) -> None:
    """Write the scalar options, each under its name in the layout."""
    deck = rules.deck_cards()
    fixed = rules.fixed_trump()
    values = {
        layout.FAMILY: layout.COUNTING if rules.family == COUNTING else layout.POT,
        layout.HAND_SIZE: rules.hand_size,
        layout.DECK_SIZE: len(deck),
        layout.DECK_MASK: mask_of(deck),
        layout.FIXED_TRUMP: OFF if fixed is None else fixed,
        layout.HAS_JOKER: rules.joker != "none",
        layout.HOLDER_ROBS_FIRST: rules.rob_timing == "before_first_lead",
        layout.DEALER_ROBS_FIRST: rules.rob_timing != "own_first_card",
        layout.ACE_WAITS: rules.dealer_ace == "after_trick1",
        layout.DEALER_MUST_ROB: rules.rob_forced != "off",
        layout.HOLDER_MUST_ROB: rules.rob_forced == "all",
        layout.ACE_FALLS: rules.rob_missed == "ace_lowest",
        layout.MISSED_BARS: rules.rob_missed == "barred",
        layout.ROB_SEEN: rules.rob_announced == "on",
        layout.CAN_JINK: rules.jink == "on",
        layout.WIN_TRICKS: rules.win_tricks,
        layout.PLAY_OUT: rules.play_out == "on",
        layout.TARGET: rules.target,
        layout.STOP_AT_TARGET: rules.stop_at_target == "on",
        layout.BONUS: {
            "none": layout.BONUS_NONE,
            "best_trump": layout.BONUS_BEST_TRUMP,
            "last_trick": layout.BONUS_LAST_TRICK,
        }[rules.bonus],
        layout.BONUS_NEEDS_TOP: rules.bonus_needs_top == "on",
        layout.TRICK_SCORING: {
            "points": layout.SCORE_POINTS,
            "five_ten": layout.SCORE_FIVE_TEN,
            "difference": layout.SCORE_DIFFERENCE,
        }[rules.trick_scoring],
        layout.TIE: {
            "highest_total": layout.TIE_HIGHEST,
            "nondealer_first": layout.TIE_NONDEALER,
            "trick_order": layout.TIE_TRICK_ORDER,
        }[rules.tie],
        layout.LEVEL_PLAYS_ON: rules.tie_equal == "play_on",
        layout.SWEEP_WINS: rules.sweep == "wins_game",
        layout.ANTE: rules.ante,
        layout.ANTE_RULE: {
            "each_deal": layout.ANTE_EACH_DEAL,
            "reduced_after_spoil": layout.ANTE_REDUCED,
            "dealer_only_after_first": layout.ANTE_DEALER_ONLY,
            "dealer_double": layout.ANTE_DEALER_DOUBLE,
            "none_after_spoil": layout.ANTE_NEW_POT_ONLY,
        }[rules.ante_rule],
        layout.POT_CAP: _number(rules.pot_cap),
        layout.JINK_DOUBLES_POT: rules.jink_reward == "double_pot",
        layout.JINK_BONUS: rules.ante if rules.jink_bonus == "ante" else rules.jink_bonus,
        layout.STACK: rules.stack,
        layout.GAME_DEALS: _number(rules.game_deals),
        layout.ALL_IN: rules.unpaid == "all_in",
        layout.LEADER_TAKES_LAST_POT: rules.last_pot == "leader",
        layout.FIRST_DEALER: _number(rules.first_dealer),
    }
    for offset, value in values.items():
        tables[offset] = int(value)
    tables[layout.DECK_CARDS : layout.DECK_CARDS + len(deck)] = deck


def _number(value: str | int) -> int:
    return value if isinstance(value, int) else OFF


def _fill_order(block: Vector, rules: RuleSet, trump: Suit, *, ace_lowest: bool) -> None:
    """Write everything that depends on the trump suit."""
    trumps = trump_order(rules, trump, ace_lowest=ace_lowest)
    plain = {s: plain_order(rules, s) for s in range(layout.SUITS) if s != trump}
    trump_mask = mask_of(trumps)
    block[layout.TRUMP_MASK] = trump_mask
    block[layout.TOP_MASK] = mask_of(top_trumps(trump, ace_lowest=ace_lowest))
    block[layout.ACE_CARD] = trump_ace(trump)
    block[layout.SUIT : layout.SUIT + layout.CARD_COUNT] = layout.NO_SUIT
    for suit, order in [*plain.items(), (layout.TRUMPS, trumps)]:
        for card in order:
            block[layout.SUIT + card] = suit
            beaters = mask_of(order[: order.index(card)])
            block[layout.BEATERS + card] = (
                beaters if suit == layout.TRUMPS else beaters | trump_mask
            )
            _fill_legality(block, rules, card, order, trump, ace_lowest=ace_lowest)
    _fill_power(block, plain, trump_order(rules, trump))
    if ace_lowest:
        _make_ace_lowest(block, trump_ace(trump))
    block[layout.JUDGE : layout.JUDGE + layout.SUIT_COUNT] = layout.LED
    block[layout.JUDGE + layout.TRUMPS] = {
        "highest_so_far": layout.BEST,
        "expires_in_deal": layout.TOP,
    }.get(rules.renege, layout.LED)


def _fill_power(block: Vector, plain: dict[Suit, tuple[Card, ...]], trumps: Sequence[Card]) -> None:
    """Write what each card can win: trumps above everything, then the suit led."""
    power = block[layout.POWER : layout.POWER + layout.SUIT_COUNT * layout.CARD_COUNT]
    rows = power.reshape(layout.SUIT_COUNT, layout.CARD_COUNT)
    for suit, order in plain.items():
        for height, card in enumerate(reversed(order), start=1):
            rows[suit, card] = height
    for height, card in enumerate(reversed(trumps), start=1):
        rows[:, card] = layout.TRUMP_POWER + height


def _make_ace_lowest(block: Vector, ace: Card) -> None:
    """Put the ace below the other trumps without moving them: some may lie on the table."""
    power = block[layout.POWER : layout.POWER + layout.SUIT_COUNT * layout.CARD_COUNT]
    power.reshape(layout.SUIT_COUNT, layout.CARD_COUNT)[:, ace] = layout.TRUMP_POWER


def _fill_legality(
    block: Vector,
    rules: RuleSet,
    led: Card,
    order: tuple[Card, ...],
    trump: Suit,
    *,
    ace_lowest: bool,
) -> None:
    """Write which cards oblige and which satisfy when ``led``, of the suit ``order``, is led."""
    trumps = int(block[layout.TRUMP_MASK])
    if not trumps >> led & 1:
        must, may = _plain_duty(rules, mask_of(order), trumps)
        pair = 0
    else:
        may = trumps
        privilege = trumps & mask_of(privileged(rules, trump, ace_lowest=ace_lowest))
        must = trumps & ~_releasable(rules, led, order, privilege)
        pair = privilege if rules.renege == "single_unconditional" else 0
    block[layout.MUST + led] = must
    block[layout.MAY + led] = may
    block[layout.PAIR + led] = pair
    if rules.ah_lead_needs_heart == "on" and led == ACE_OF_HEARTS and trump != HEARTS:
        block[layout.INSTEAD + led] = mask_of(plain_order(rules, HEARTS))


def _plain_duty(rules: RuleSet, follow: Mask, trumps: Mask) -> tuple[Mask, Mask]:
    """Return what obliges and what satisfies when a plain suit is led (docs/rules.md 2.2)."""
    return {
        "follow_or_trump": (follow, follow | trumps),
        "strict_follow": (follow, follow),
        "must_follow_or_trump": (follow | trumps, follow | trumps),
        "free": (0, 0),
    }[rules.plain_lead]


def _releasable(rules: RuleSet, led: Card, order: Iterable[Card], privilege: Mask) -> Mask:
    """Return the trumps that may be kept back against a trump (docs/rules.md 2.3, 2.4)."""
    if rules.renege == "none":
        return 0
    if rules.renege == "single_unconditional":
        return privilege
    higher = list(order)[: list(order).index(led)]
    return privilege & mask_of(higher)
