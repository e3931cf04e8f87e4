"""The short text that tells a position: ``game=spoil-five players=5 trump=H hand="5H 9C KD"``.

Words of the form ``key=value``, in any order, values with blanks in quotes; ``KEYS`` says what
there is. What they amount to is worked out in ``told``.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forty5sim.bids import parse_bid
from forty5sim.cards import ACE, Card, Seat, Suit, card_name, parse_trump, rank_of
from forty5sim.errors import Forty5Error, PositionError, unknown
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.notation import HOLD, NO_SUIT, PASS, typed_card
from forty5sim.options import POT
from forty5sim.rules import RuleSet

NOBODY = -1
USE_A_RECORD = "a short text cannot tell that; use a deal record (docs/records.md)"
MOST_NUMBER = 10**6
KEYS = {
    "game": "the game, with house rules: spoil-five:ante=2",
    "players": "seats at the table",
    "hand": 'your cards now: "5H 9C KD"',
    "seat": "your seat, 0 if it is left out; the next seat sits on your left",
    "dealer": "the seat that dealt",
    "trump": "trumps: S, C, D, H, or NT",
    "turnup": "the card turned up",
    "robbed": "the seat that took the turn-up, or none",
    "thrown": "the cards you threw, robbing or in the exchange",
    "tricks": 'the earlier tricks, cards in order of play: "7H KD 2C / 9C 3C AC"',
    "trick": "the cards on the table, in order of play",
    "won": "if tricks are not told: how many each seat won, seat 0 first",
    "jinked": "the seat that declared a jink",
    "bids": 'the calls of the auction from the dealer\'s left: "pass 20 pass"',
    "discards": 'how many cards each seat threw, in the order in which they threw: "3 2 4 1"',
    "joker": "the suit that the contractor gave the Joker, or none",
    "score": "the score of each side, side 0 first; without it the deal is played by itself",
    "pot": "chips in the pot before the antes of this deal",
}
"""What may be told, and how."""


@dataclass(frozen=True)
class Told:
    """What a short text tells; None, or empty, where it says nothing.

    Attributes are the keys of ``KEYS``; ``robbed`` is ``NOBODY`` for none.
    """

    rules: RuleSet
    players: int
    hand: tuple[Card, ...]
    seat: Seat = 0
    dealer: Seat | None = None
    trump: Suit | None = None
    turnup: Card | None = None
    robbed: Seat | None = None
    thrown: tuple[Card, ...] = ()
    tricks: tuple[tuple[Card, ...], ...] = ()
    trick: tuple[Card, ...] = ()
    won: tuple[int, ...] | None = None
    jinked: Seat | None = None
    bids: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    joker: int | None = None
    score: tuple[int, ...] | None = None
    pot: int = 0

    def robber(self, dealer: Seat) -> Seat:
        """Return the seat that has robbed: as told, else a dealer who had to, or ``NOBODY``."""
        if self.robbed is not None:
            return self.robbed
        forced = self.rules.rob_forced in ("dealer", "all")
        ace_up = self.turnup is not None and rank_of(self.turnup) == ACE
        return dealer if forced and ace_up else NOBODY

    def dealt(self, dealer: Seat | None, pack: Sequence[Card]) -> Game:
        """Return the game at the beginning of the deal, with a pack."""
        return Game(
            self.rules,
            self.players,
            dealer=dealer,
            pack=pack,
            scores=self.score,
            pot=self.pot,
            alone=self.score is None and self.rules.family != POT,
        )


def read_told(text: str) -> Told:
    """Read a short text.

    Raises:
        PositionError: if it cannot be read; names the key and what is allowed.
    """
    words = _split(text)
    for needed in ("game", "hand"):
        if needed not in words:
            raise PositionError(f"{needed}: it is missing; {KEYS[needed]}")
    rules = _read("game", words.pop("game"), find_rules)
    players = rules.default_players
    if "players" in words:
        players = _read("players", words.pop("players"), _whole(2, 10))
    _read("players", players, rules.side_count)
    readers = _readers(rules, players)
    values = {key: _read(key, value, readers[key]) for key, value in words.items()}
    told = Told(rules, players, **values)
    _check_cards(told)
    return told


def _split(text: str) -> dict[str, str]:
    """Return the keys of a text with their values."""
    try:
        words = shlex.split(text.replace("\n", " "))
    except ValueError as error:
        raise PositionError(f"cannot read the position: {str(error).lower()}") from None
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.strip().lower()
        if not equals:
            raise PositionError(
                f"cannot read {_short(word)}; a position is told as key=value, several words in"
                ' quotes: hand="5H 9C KD"'
            )
        if key not in KEYS:
            raise PositionError(unknown("key", key[:40], KEYS))
        if key in found:
            raise PositionError(f"{key}: it is told twice")
        if not value.strip():
            raise PositionError(f"{key}: it is empty; {KEYS[key]}")
        found[key] = value
    return found


def _read(key: str, value: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return read(value)
    except PositionError as error:
        raise PositionError(f"{key}: {error}; {KEYS[key]}") from None
    except Forty5Error as error:
        raise PositionError(f"{key}: {error}") from None


def _readers(rules: RuleSet, players: int) -> Mapping[str, Callable[[str], Any]]:
    seat = _whole(0, players - 1)
    return {
        "hand": _cards,
        "seat": seat,
        "dealer": seat,
        "trump": lambda text: parse_trump(text, rules.possible_trumps),
        "turnup": typed_card,
        "robbed": lambda text: NOBODY if text.lower() in ("none", "no", "nobody") else seat(text),
        "thrown": _cards,
        "tricks": lambda text: tuple(_cards(part) for part in text.replace(";", "/").split("/")),
        "trick": _cards,
        "won": lambda text: _numbers(text, players, 0, 10, "seat"),
        "jinked": seat,
        "bids": lambda text: tuple(map(_call, text.replace(",", " ").split())),
        "discards": lambda text: tuple(
            map(_whole(0, 10), text.replace(",", " ").split()),
        ),
        "joker": lambda text: NO_SUIT if text.lower() == "none" else parse_trump(text, ()),
        "score": lambda text: _numbers(
            text, rules.side_count(players), -MOST_NUMBER, MOST_NUMBER, "side"
        ),
        "pot": _whole(0, MOST_NUMBER),
    }


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = most + 1
        if not least <= number <= most:
            raise PositionError(f"expected a whole number {least}..{most}, got {_short(text)}")
        return number

    return read


def _numbers(text: str, count: int, least: int, most: int, each: str) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    if len(words) != count:
        raise PositionError(f"expected {count} numbers, one for each {each}, got {len(words)}")
    return tuple(map(_whole(least, most), words))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(typed_card(word) for word in text.replace(",", " ").split())


def _call(word: str) -> int:
    calls = {"pass": PASS, "p": PASS, "hold": HOLD}
    return calls[word.lower()] if word.lower() in calls else parse_bid(word)


def _check_cards(told: Told) -> None:
    """Check that each card is of the deck, and told once."""
    places: dict[Card, str] = {}
    deck = set(told.rules.deck_cards())
    groups = [("hand", told.hand), ("trick", told.trick), ("thrown", told.thrown)]
    groups += [("tricks", cards) for cards in told.tricks]
    in_silence = told.rules.has_auction or told.rules.rob_announced == "silent"
    if told.turnup is not None and told.robbed in (None, NOBODY) and not in_silence:
        groups.append(("turnup", (told.turnup,)))
    for place, cards in groups:
        for card in cards:
            if card not in deck:
                raise PositionError(f"{place}: {card_name(card)} is not in the deck of this game")
            if card in places:
                where = "there twice" if places[card] == place else f"in {places[card]} too"
                raise PositionError(f"{place}: {card_name(card)} is {where}")
            places[card] = place


def _short(text: object) -> str:
    shown = str(text)
    return repr(shown if len(shown) <= 40 else shown[:40] + "…")
