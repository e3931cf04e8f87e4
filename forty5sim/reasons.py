"""Why a play is lawful or not: the rule behind it, in words, with its section of docs/rules.md."""

from __future__ import annotations

from forty5sim.cards import Action, Card, CardSet, Mask, card_name, suit_name
from forty5sim.kernels import layout
from forty5sim.table import Table

LEAD, FOLLOW, RUFF, RENEGE, DISCARD = "lead", "follow", "ruff", "renege", "discard"
"""The ways to play a card: to a trump led one follows with a trump, or reneges if one is held."""


def way_of_playing(table: Table, hand: CardSet, card: Card) -> str:
    """Return how a card of this hand would be played to the trick on the table."""
    led = table.led
    if led is None:
        return LEAD
    if table.is_trump(card):
        return FOLLOW if table.is_trump(led) else RUFF
    if table.is_trump(led):
        return RENEGE if any(map(table.is_trump, hand)) else DISCARD
    return FOLLOW if card // 13 == led // 13 else DISCARD


def why_not(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    """Return why the seat to act may not take an action, and where the rule stands."""
    if table.phase == "rob":
        may_keep = ", or keep" if legal >> layout.KEEP & 1 else "; here robbing is compulsory"
        return f"rob with a card of the hand{may_keep} (docs/rules.md 3)"
    if table.phase == "jink":
        return "jink or stop (docs/rules.md 4.6, 5.3)"
    if action not in hand:
        return "the seat does not hold it"
    assert table.led is not None
    if table.is_trump(table.led):
        return _against_a_trump(table, hand, legal)
    return _against_a_plain_card(table, legal, table.led)


def _against_a_plain_card(table: Table, legal: Mask, led: Card) -> str:
    suit = suit_name(led // 13)
    follow = any(card // 13 == led // 13 and not table.is_trump(card) for card in CardSet(legal))
    trump = any(map(table.is_trump, CardSet(legal)))
    if follow:
        duty = f"must follow {suit}"
        if trump or table.rules.plain_lead != "strict_follow":
            duty += " or play a trump"
    else:
        duty = f"holds no {suit} and must play a trump"
    return f"{duty} (docs/rules.md 2.2)"


def _against_a_trump(table: Table, hand: CardSet, legal: Mask) -> str:
    trumps = [card for card in hand if table.is_trump(card)]
    if not trumps:
        return "the ace of hearts was led and a heart is held (docs/rules.md 2.5)"
    section = "2.3" if table.rules.renege == "outranks_led" else "2.4"
    if table.rules.renege == "single_unconditional" and len(trumps) > 1:
        return (
            f"a trump was led, and only a single trump may be kept back (docs/rules.md {section})"
        )
    held = " ".join(card_name(card) for card in trumps)
    return (
        f"a trump was led and a trump that may not be kept back is held ({held};"
        f" docs/rules.md {section})"
    )
