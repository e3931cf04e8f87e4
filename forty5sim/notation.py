"""Text for actions, both ways: ``5H``, ``rob 9C``, ``bid 20``, ``pass``, ``trump H``, …

A number means different things in different phases (13 is a card to play, a bid, a suit), so the
text of an action other than a card to play begins with what is done.
"""

from __future__ import annotations

from forty5sim.bids import BID_NAMES, parse_bid
from forty5sim.cards import (
    SUIT_SIGNS,
    Action,
    Card,
    card_name,
    card_sign,
    parse_card,
    parse_suit,
    suit_name,
)
from forty5sim.errors import NotationError
from forty5sim.kernels import layout

KEEP: Action = layout.KEEP
JINK: Action = layout.DECLARE_JINK
STOP: Action = layout.STOP
PASS: Action = layout.PASS
HOLD: Action = layout.HOLD
DONE: Action = layout.DONE
NO_SUIT: Action = layout.NO_SUIT_GIVEN

PHASE_NAMES = {
    layout.OVER: "over",
    layout.ROB: "rob",
    layout.PLAY: "play",
    layout.JINK: "jink",
    layout.AUCTION_CALL: "auction",
    layout.NAME_TRUMP: "trump",
    layout.DISCARD: "discard",
    layout.ASSIGN: "assign",
    layout.NAME_SUIT: "name",
}
OUTCOME_NAMES = {
    layout.UNFINISHED: "unfinished",
    layout.SCORED: "scored",
    layout.SPOILED: "spoiled",
    layout.POT_WON: "pot-won",
    layout.JINK_MADE: "jink-made",
    layout.JINK_FAILED: "jink-failed",
    layout.MADE: "made",
    layout.SET: "set",
    layout.THROWN_IN: "thrown-in",
}
WORDS = {
    KEEP: "keep",
    JINK: "jink",
    STOP: "stop",
    PASS: "pass",
    HOLD: "hold",
    DONE: "done",
    NO_SUIT: "assign none",
}
"""The actions that are a word in any phase."""

CARD_PHASES = ("play", "rob", "discard")
SUIT_PHASES = ("trump", "assign", "name")


def is_word(action: Action) -> bool:
    """Say whether an action is a word of its own: no card, no bid, no suit."""
    return action in WORDS


def is_card(action: Action, phase: str) -> bool:
    """Say whether an action is to play or throw a card."""
    return phase in CARD_PHASES and not is_word(action)


def is_named(action: Action, phase: str) -> bool:
    """Say whether an int is an action that has a name in a phase."""
    if action in WORDS:
        return True
    if phase == "auction":
        return 0 <= action < len(BID_NAMES)
    limit = len(SUIT_SIGNS) if phase in SUIT_PHASES else layout.NO_CARD
    return 0 <= action < limit


def action_name(action: Action, phase: str = "play") -> str:
    """Return the text of an action.

    >>> action_name(3), action_name(3, "rob"), action_name(3, "auction"), action_name(3, "trump")
    ('5S', 'rob 5S', 'bid 20', 'trump H')
    """
    if action in WORDS:
        return WORDS[action]
    if phase == "auction":
        return f"bid {BID_NAMES[action]}"
    if phase in SUIT_PHASES:
        return f"{phase} {suit_name(action)}"
    return card_name(action) if phase == "play" else f"{phase} {card_name(action)}"


def action_word(action: Action, phase: str) -> str:
    """Return the text of an action in one word, for tables: ``5H``, ``20``, ``pass``, ``none``.

    >>> action_word(3, "auction"), action_word(3, "trump"), action_word(PASS, "auction")
    ('20', 'H', 'pass')
    """
    return action_name(action, phase).split()[-1]


def act_name(action: Action, phase: str) -> str:
    """Return what is done, without the card, bid or suit: ``play``, ``keep``, ``bid``, …"""
    if phase == "auction":
        return "bid"
    if phase in ("discard", "assign"):
        return phase
    return WORDS.get(action, phase)


def action_sign(action: Action, phase: str = "play") -> str:
    """Return the text of an action as it is shown: ``5♥``, ``keep``, ``20``, ``no suit``."""
    if action == NO_SUIT:
        return "no suit"
    if action in WORDS:
        return WORDS[action]
    if phase == "auction":
        return bid_sign(action)
    return SUIT_SIGNS[action] if phase in SUIT_PHASES else card_sign(action)


def bid_sign(bid: int) -> str:
    """Return a bid with its suit as a sign: ``20``, ``7♥``, ``8NT``, ``misère``."""
    name = BID_NAMES[bid]
    if "misere" in name:
        return name.replace("misere", "misère").replace("-", " ")
    if name[-1] in "SCDH":
        return name[:-1] + SUIT_SIGNS[parse_suit(name[-1])]
    return name.replace("-", " ")


GERMAN_RANKS = {"B": "J", "D": "Q"}


def typed_card(text: str) -> Card:
    """Read a card as people type it: also ``♥5``, ``5 h``, and ``B`` and ``D`` for J and Q.

    Raises:
        NotationError: if the text names no card.

    >>> typed_card("bh") == parse_card("JH"), typed_card("♠10") == parse_card("10S")
    (True, True)
    """
    plain = "".join(text.split()).upper()
    for rank, suit in ((plain[:-1], plain[-1:]), (plain[1:], plain[:1])):
        try:
            return parse_card(GERMAN_RANKS.get(rank, rank) + suit)
        except NotationError:
            continue
    return parse_card(text)


_KNOWN = {word: action for action, word in WORDS.items()}
_READERS = {"bid": parse_bid, "rob": parse_card, "discard": parse_card}
_READERS |= dict.fromkeys(SUIT_PHASES, parse_suit)


def parse_action(text: str) -> Action:
    """Read an action as ``action_name`` writes it.

    Raises:
        NotationError: if the text names no action.

    >>> parse_action("bid 20"), parse_action("trump H"), parse_action("5S")
    (3, 3, 3)
    """
    plain = " ".join(text.lower().split())
    if plain in _KNOWN:
        return _KNOWN[plain]
    head, _, tail = plain.partition(" ")
    try:
        return _READERS[head](tail) if head in _READERS else parse_card(plain)
    except NotationError:
        raise NotationError(
            f"{text!r} is no action; write a card (5H), rob 9C, keep, jink, stop; in an auction"
            " bid 20, bid 7H, pass, hold; trump H, discard 9C, done, assign H, name H"
        ) from None
