"""Reads what a person types at the table."""

from __future__ import annotations

from forty5sim.bids import MISERE, OPEN_MISERE, parse_bid
from forty5sim.cards import Action, parse_suit
from forty5sim.errors import NotationError
from forty5sim.notation import (
    DONE,
    HOLD,
    JINK,
    KEEP,
    NO_SUIT,
    PASS,
    STOP,
    SUIT_PHASES,
    typed_card,
)

MOST_SHOWN = 40

_ANSWERS: dict[str, dict[str, Action]] = {
    "rob": {"keep": KEEP, "k": KEEP, "no": KEEP, "n": KEEP},
    "jink": {"jink": JINK, "j": JINK, "yes": JINK, "y": JINK}
    | {"stop": STOP, "s": STOP, "no": STOP, "n": STOP},
    "play": {"keep": KEEP, "jink": JINK, "stop": STOP},
    "auction": {"pass": PASS, "p": PASS, "no": PASS, "hold": HOLD, "h": HOLD}
    | {"m": MISERE, "misère": MISERE, "open misere": OPEN_MISERE, "open misère": OPEN_MISERE},
    "assign": {"none": NO_SUIT, "no": NO_SUIT, "n": NO_SUIT, "no suit": NO_SUIT},
}
_EXPECTED = {
    "play": "type a card of your hand, as 5H or 10S",
    "rob": "type the card to throw, as 9C, or keep",
    "jink": "type jink or stop",
    "auction": "type a bid, as 20 or 7H, or pass",
    "discard": "type the cards to throw, as 9C 4D",
    "trump": "type a suit: S, C, D or H",
    "assign": "type a suit: S, C, D or H, or none",
    "name": "type a suit: S, C, D or H",
}
_VERBS = {
    "rob": ("rob", "throw"),
    "discard": ("discard", "throw"),
    "auction": ("bid",),
    "play": ("play", "lead"),
}
_THROW_NOTHING = ("none", "done", "nothing", "keep", "-", "0")


def typed_actions(text: str, phase: str) -> list[Action]:
    """Return the actions that a person means: one, or all the cards to throw and ``DONE``.

    Raises:
        NotationError: if it cannot be understood; says what can be typed.
    """
    if phase == "discard":
        return _typed_discards(text)
    return [_typed_action(text, phase)]


def _typed_discards(text: str) -> list[Action]:
    words = text.replace(",", " ").lower().split()
    if words and words[0] in _VERBS["discard"]:
        words = words[1:]
    if not words:
        raise NotationError(f"{_EXPECTED['discard']}, or help")
    if len(words) == 1 and words[0] in _THROW_NOTHING:
        return [DONE]
    return [*sorted({_typed_card(word, "discard") for word in words}), DONE]


def _typed_action(text: str, phase: str) -> Action:
    words = text.lower().split()
    if not words:
        raise NotationError(f"{_EXPECTED[phase]}, or help")
    answer = _ANSWERS.get(phase, {}).get(" ".join(words))
    if answer is not None:
        return answer
    if len(words) > 1:
        words = _without_verb(words, text, phase)
    if len(words) == 1 and words[0] in ("rob", "yes", "y") and phase == "rob":
        raise NotationError("which card do you throw for it? Type rob and the card, as rob 9C")
    if phase == "auction":
        return _typed_bid(words, text)
    if phase in SUIT_PHASES:
        return _typed_suit(words, text, phase)
    return _typed_card("".join(words), phase, text)


def _without_verb(words: list[str], text: str, phase: str) -> list[str]:
    """Return what is typed without ``play``, ``rob``, ``bid`` before it."""
    verbs = {verb for known in _VERBS.values() for verb in known}
    if words[0] not in verbs:
        return words
    if words[0] not in _VERBS.get(phase, ()):
        raise NotationError(f"{_shown(text)}: {_EXPECTED[phase]}, or help")
    return words[1:]


def _typed_bid(words: list[str], text: str) -> Action:
    """Return a bid, its suit as a letter or sign before or after the level, ``7 h`` or ``h7``."""
    plain = "".join(words).upper()
    for sign, letter in zip("♠♣♦♥", "SCDH", strict=True):
        plain = plain.replace(sign, letter)
    plain = plain.replace("NOTRUMP", "NT")
    turned = (plain[1:] + plain[:1], plain[2:] + plain[:2])
    for spelled in (plain, *turned, "-".join(words)):
        try:
            return parse_bid(spelled)
        except NotationError:
            continue
    raise NotationError(f"{_shown(text)} is no bid; {_EXPECTED['auction']}, or help")


def _typed_suit(words: list[str], text: str, phase: str) -> Action:
    try:
        return parse_suit(words[-1])
    except NotationError:
        raise NotationError(f"{_shown(text)} is no suit; {_EXPECTED[phase]}, or help") from None


def _typed_card(word: str, phase: str, text: str = "") -> Action:
    try:
        return typed_card(word)
    except NotationError:
        shown = _shown(text or word)
        raise NotationError(f"{shown} is not understood; {_EXPECTED[phase]}, or help") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")
