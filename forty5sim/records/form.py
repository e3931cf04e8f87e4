"""The form of a deal record: its parts as frozen dataclasses, and its one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forty5sim.cards import Card, Seat, card_name
from forty5sim.options import Value

FORMAT = "forty5sim.deal.v1"
ACTS = {"rob": True, "keep": False, "jink": False, "stop": False, "play": True}
"""What a seat can do, and whether it does it with a card."""

OUTCOMES = ("scored", "spoiled", "pot-won", "jink-made", "jink-failed", "game-won")
SEATING_OPTIONS = ("sides", "first_dealer", "stack", "game_deals", "unpaid", "last_pot")
"""Options that say who sits where and how a game ends: no matter of a single deal's record."""

Extra = Mapping[str, Any]
"""Keys that this version does not know; they are kept and written after the known ones."""


def _none() -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class RecordedAction:
    """An action: the seat, what it did (see ``ACTS``), and the card it did it with, if any."""

    seat: Seat
    act: str
    card: Card | None = None
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        card = {} if self.card is None else {"card": card_name(self.card)}
        return {"seat": self.seat, "act": self.act, **card, **self.extra}


@dataclass(frozen=True)
class RecordedTrick:
    """A finished trick: who led, the cards in order of play, who won it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        return {
            "leader": self.leader,
            "cards": _names(self.cards),
            "winner": self.winner,
            **self.extra,
        }


@dataclass(frozen=True)
class Standing:
    """What stands before or after a deal: the score of each side; in pot games ``pot`` and chips.

    ``pot`` is None in counting games; ``scores`` are the stacks of the seats in pot games.
    """

    scores: tuple[int, ...]
    pot: int | None = None
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        if self.pot is None:
            return {"scores": list(self.scores), **self.extra}
        return {"pot": self.pot, "stacks": list(self.scores), **self.extra}


@dataclass(frozen=True)
class Result:
    """What came of a deal: tricks of each seat, points of each side (pot games: net chips)."""

    tricks: tuple[int, ...]
    points: tuple[int, ...]
    after: Standing
    outcome: str
    winner: int | None = None
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        winner = {} if self.winner is None else {"winner": self.winner}
        return {
            "tricks": list(self.tricks),
            "points": list(self.points),
            "after": self.after.as_dict(),
            "outcome": self.outcome,
            **winner,
            **self.extra,
        }


@dataclass(frozen=True)
class Record:
    """A deal from the cards as dealt to its result; see docs/records.md.

    Attributes:
        game: the preset.
        options: the options that differ from the preset.
        players: the number of seats.
        sides: the side of each seat.
        dealer: the seat that dealt.
        seed, deal: what reproduces the cards; None for a hand-made deal.
        bots: who sat on each seat.
        hands: the cards of each seat as dealt; none for a seat that has left the game.
        turnup: the card turned up, or None where none is.
        kitty: cards dealt aside; none in these games.
        stock: the cards left over, in the order in which they would be drawn.
        before: what stood before the deal (before its antes).
        actions: every action in order.
        tricks: the finished tricks.
        result: what came of it.
    """

    game: str
    options: Mapping[str, Value]
    players: int
    sides: tuple[int, ...]
    dealer: Seat
    seed: int | None
    deal: int | None
    bots: tuple[str, ...]
    hands: tuple[tuple[Card, ...], ...]
    turnup: Card | None
    kitty: tuple[Card, ...]
    stock: tuple[Card, ...]
    before: Standing
    actions: tuple[RecordedAction, ...]
    tricks: tuple[RecordedTrick, ...]
    result: Result
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written, in the order in which it is written."""
        return {
            "format": FORMAT,
            "game": self.game,
            "options": dict(self.options),
            "players": self.players,
            "sides": list(self.sides),
            "dealer": self.dealer,
            "seed": self.seed,
            "deal": self.deal,
            "bots": list(self.bots),
            "hands": [_names(hand) for hand in self.hands],
            "turnup": None if self.turnup is None else card_name(self.turnup),
            "kitty": _names(self.kitty),
            "stock": _names(self.stock),
            "before": self.before.as_dict(),
            "actions": [action.as_dict() for action in self.actions],
            "tricks": [trick.as_dict() for trick in self.tricks],
            "result": self.result.as_dict(),
            **self.extra,
        }

    def to_json(self) -> str:
        """Return the record as one line of JSON, without the line's end."""
        return json.dumps(self.as_dict(), ensure_ascii=False)


def _names(cards: Sequence[Card]) -> list[str]:
    return [card_name(card) for card in cards]
