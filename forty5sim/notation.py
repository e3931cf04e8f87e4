"""Text for actions, both ways: ``5H``, ``rob 9C``, ``keep``, ``jink``, ``stop``."""

from __future__ import annotations

from forty5sim.cards import Action, Card, card_name, card_sign, parse_card
from forty5sim.errors import NotationError
from forty5sim.kernels import layout

KEEP: Action = layout.KEEP
JINK: Action = layout.DECLARE_JINK
STOP: Action = layout.STOP

PHASE_NAMES = {layout.OVER: "over", layout.ROB: "rob", layout.PLAY: "play", layout.JINK: "jink"}
OUTCOME_NAMES = {
    layout.UNFINISHED: "unfinished",
    layout.SCORED: "scored",
    layout.SPOILED: "spoiled",
    layout.POT_WON: "pot-won",
    layout.JINK_MADE: "jink-made",
    layout.JINK_FAILED: "jink-failed",
}
WORDS = {KEEP: "keep", JINK: "jink", STOP: "stop"}
"""The actions that are no cards."""


def action_name(action: Action, phase: str = "play") -> str:
    """Return the text of an action; a card thrown in the phase ``rob`` reads ``rob 9C``.

    >>> action_name(3), action_name(3, "rob"), action_name(KEEP)
    ('5S', 'rob 5S', 'keep')
    """
    if action in WORDS:
        return WORDS[action]
    return f"rob {card_name(action)}" if phase == "rob" else card_name(action)


def act_name(action: Action, phase: str) -> str:
    """Return what is done, without the card: ``play``, ``rob``, ``keep``, ``jink``, ``stop``."""
    return WORDS.get(action, phase)


def action_sign(action: Action) -> str:
    """Return the text of an action with its suit as a sign: ``5♥``, ``keep``."""
    return WORDS[action] if action in WORDS else card_sign(action)


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


def parse_action(text: str) -> Action:
    """Read an action: a card, ``rob`` and a card, ``keep``, ``jink`` or ``stop``.

    Raises:
        NotationError: if the text names no action.
    """
    plain = text.strip().lower()
    for action, word in WORDS.items():
        if plain == word:
            return action
    try:
        return parse_card(plain.removeprefix("rob "))
    except NotationError:
        raise NotationError(
            f"{text!r} is no action; write a card (5H), rob 9C, keep, jink or stop"
        ) from None
