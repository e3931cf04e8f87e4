"""Reads what a person types at the table."""

from __future__ import annotations

from forty5sim.cards import Action
from forty5sim.errors import NotationError
from forty5sim.notation import JINK, KEEP, STOP, WORDS, typed_card

MOST_SHOWN = 40

_ANSWERS = {
    "rob": {"keep": KEEP, "k": KEEP, "no": KEEP, "n": KEEP},
    "jink": {"jink": JINK, "j": JINK, "yes": JINK, "y": JINK}
    | {"stop": STOP, "s": STOP, "no": STOP, "n": STOP},
    "play": {"keep": KEEP, "jink": JINK, "stop": STOP},
}
_EXPECTED = {
    "play": "type a card of your hand, as 5H or 10S",
    "rob": "type the card to throw, as 9C, or keep",
    "jink": "type jink or stop",
}


def is_card(action: Action) -> bool:
    """Say whether an action is to play or throw a card."""
    return action not in WORDS


def typed_action(text: str, phase: str) -> Action:
    """Return the action that a person means.

    Raises:
        NotationError: if it cannot be understood; says what can be typed.
    """
    shown = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
    words = text.lower().split()
    if not words:
        raise NotationError(f"{_EXPECTED[phase]}, or help")
    if len(words) == 1 and words[0] in _ANSWERS[phase]:
        return _ANSWERS[phase][words[0]]
    if words[0] in ("rob", "throw", "play", "lead") and len(words) > 1:
        if (words[0] in ("rob", "throw")) != (phase == "rob"):
            raise NotationError(f"{shown!r}: {_EXPECTED[phase]}, or help")
        words = words[1:]
    if len(words) == 1 and words[0] in ("rob", "yes", "y") and phase == "rob":
        raise NotationError("which card do you throw for it? Type rob and the card, as rob 9C")
    try:
        return typed_card("".join(words))
    except NotationError:
        raise NotationError(f"{shown!r} is not understood; {_EXPECTED[phase]}, or help") from None
