"""Why an action is lawful or not: the rule behind it, with its section of docs/rules.md."""

from __future__ import annotations

from forty5sim.bids import MISERE
from forty5sim.cards import JOKER, Action, Card, CardSet, Mask, card_name, suit_name
from forty5sim.kernels import layout
from forty5sim.notation import DONE, HOLD, PASS
from forty5sim.options import FIVE_HUNDRED
from forty5sim.table import Table

LEAD, FOLLOW, RUFF, RENEGE, DISCARD = "lead", "follow", "ruff", "renege", "discard"
PLAY_JOKER = "joker"
"""The ways to play a card: to a trump led one follows with a trump, or reneges if one is held; a
Joker without a suit follows nothing and is trumped by nothing."""


def way_of_playing(table: Table, hand: CardSet, card: Card) -> str:
    """Return how a card of this hand would be played to the trick on the table."""
    if table.led is None:
        return LEAD
    suit = table.effective_suit(card)
    if suit is None:
        return PLAY_JOKER
    if suit == table.led_suit:
        return FOLLOW
    if table.is_trump(card):
        return RUFF
    held_back = table.is_trump(table.led) and any(map(table.is_trump, hand))
    return RENEGE if held_back else DISCARD


def why_not(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    """Return why the seat to act may not take an action, and where the rule stands."""
    if table.phase in _OTHER_PHASES:
        return _OTHER_PHASES[table.phase](table, hand, legal, action)
    if action not in hand:
        return "the seat does not hold it"
    if table.rules.family == FIVE_HUNDRED:
        return _in_five_hundred(table, action)
    assert table.led is not None
    if table.is_trump(table.led):
        return _against_a_trump(table, hand, legal)
    return _against_a_plain_card(table, legal, table.led)


# --- playing a card -------------------------------------------------------------------------------


def _in_five_hundred(table: Table, card: Card) -> str:
    suitless = card == JOKER and table.effective_suit(card) is None
    if table.led is None:
        return "the Joker may not be led now, while another card is held (docs/rules.md 8.7)"
    led = "the suit led" if table.led_suit is None else suit_name(table.led_suit)
    if suitless:
        return f"a Joker without a suit needs a hand without {led} (docs/rules.md 8.7)"
    return f"must follow {led} (docs/rules.md 8.6)"


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


# --- everything else ------------------------------------------------------------------------------


def _about_robbing(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    may_keep = ", or keep" if legal >> layout.KEEP & 1 else "; here robbing is compulsory"
    return f"rob with a card of the hand{may_keep} (docs/rules.md 3)"


def _about_jinks(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    return "jink or stop (docs/rules.md 4.6, 5.3)"


def _about_calls(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    section = "8.3" if table.rules.family == FIVE_HUNDRED else "7.2"
    if action == HOLD:
        return "only the dealer may hold, over another seat's bid (docs/rules.md 7.3)"
    if legal == 1 << PASS:
        return f"there is nothing left to bid, only to pass (docs/rules.md {section})"
    if action == MISERE:
        return "misère is bid over a bid of seven, where it is played (docs/rules.md 8.2)"
    if table.bid is None:
        return f"it is no first bid (docs/rules.md {section})"
    return f"it is not above the standing bid, or may not be bid now (docs/rules.md {section})"


def _about_discards(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    section = "8.4" if table.rules.family == FIVE_HUNDRED else "7.6"
    if action == DONE:
        return f"more cards have to be thrown (docs/rules.md {section})"
    if action not in hand:
        return "the seat does not hold it"
    if legal == 1 << DONE:
        return f"no more cards may be thrown (docs/rules.md {section})"
    return f"cards are thrown in ascending order, and enough of them (docs/rules.md {section})"


def _about_suits(table: Table, hand: CardSet, legal: Mask, action: Action) -> str:
    section = {"trump": "7.5", "assign": "8.7", "name": "8.7"}[table.phase]
    if table.phase == "name" and 0 <= action < layout.SUITS:
        return f"the suit was led before (docs/rules.md {section})"
    return f"name a suit (docs/rules.md {section})"


_OTHER_PHASES = {
    "rob": _about_robbing,
    "jink": _about_jinks,
    "auction": _about_calls,
    "discard": _about_discards,
    "trump": _about_suits,
    "assign": _about_suits,
    "name": _about_suits,
}
