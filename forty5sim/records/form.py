"""The form of a deal record: its parts as frozen dataclasses, and its one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forty5sim.cards import Card, Seat, Suit, card_name, suit_name
from forty5sim.options import POT, Value

FORMAT = "forty5sim.deal.v1"
ACTS = {
    "rob": "card",
    "keep": "",
    "jink": "",
    "stop": "",
    "bid": "bid",
    "trump": "suit",
    "discard": "cards",
    "assign": "suit",
    "play": "card",
}
"""What a seat can do, and what it does it with."""

MAY_LACK_SUIT = "assign"
"""The act that may go without its suit: the Joker is left without one."""

OUTCOMES = (
    "scored",
    "spoiled",
    "pot-won",
    "jink-made",
    "jink-failed",
    "made",
    "set",
    "thrown-in",
    "game-won",
)


def is_seating_option(name: str, family: str) -> bool:
    """Say whether an option tells who sits where or how a game ends: no matter of one deal."""
    if name == "game_deals":
        return family == POT
    return name in ("sides", "first_dealer", "stack", "unpaid", "last_pot")


Extra = Mapping[str, Any]
"""Keys that this version does not know; they are kept and written after the known ones."""


def _none() -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class RecordedAction:
    """An action: the seat, what it did (see ``ACTS``), and what it did it with.

    Attributes:
        seat, act: who did what.
        card: the card thrown for the turn-up, or played.
        bid: ``pass``, ``hold`` or the bid.
        suit: the trump suit named, the suit given to the Joker, or named with a Joker led.
        cards: the cards thrown in the exchange.
    """

    seat: Seat
    act: str
    card: Card | None = None
    bid: str | None = None
    suit: Suit | None = None
    cards: tuple[Card, ...] | None = None
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        told: dict[str, Any] = {"seat": self.seat, "act": self.act}
        if self.bid is not None:
            told["bid"] = self.bid
        if self.cards is not None:
            told["cards"] = _names(self.cards)
        if self.card is not None:
            told["card"] = card_name(self.card)
        if self.suit is not None:
            told["suit"] = suit_name(self.suit)
        return {**told, **self.extra}


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

    Attributes:
        scores: of each side; in pot games the stacks of the seats.
        pot: the chips in the pot, None where there is none.
        sets: the bids of each side that were set, where they count (``sets_lose``).
        deals: the deals counted, where they are limited (``game_deals``).
    """

    scores: tuple[int, ...]
    pot: int | None = None
    sets: tuple[int, ...] | None = None
    deals: int | None = None
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written."""
        if self.pot is not None:
            return {"pot": self.pot, "stacks": list(self.scores), **self.extra}
        told: dict[str, Any] = {"scores": list(self.scores)}
        if self.sets is not None:
            told["sets"] = list(self.sets)
        if self.deals is not None:
            told["deals"] = self.deals
        return {**told, **self.extra}


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
        kitty: the cards dealt aside for the bidder.
        stock: the cards left over, in the order in which they would be drawn.
        restock: the cards thrown that became a new stock, in the order in which they would be
            drawn; none where the stock did not run out.
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
    restock: tuple[Card, ...] = ()
    extra: Extra = field(default_factory=_none)

    def as_dict(self) -> dict[str, Any]:
        """Return what is written, in the order in which it is written."""
        restock = {"restock": _names(self.restock)} if self.restock else {}
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
            **restock,
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
