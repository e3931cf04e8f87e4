"""Options of the table: who sits where, and small packs for exact tests (docs/rules.md 3.1, 9)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.cards import SUIT_NAMES
from forty5sim.options import FAMILIES, FIVE_FINGERS, FIVE_HUNDRED, Value, option

MAX_PLAYERS = 10
MAX_HAND_SIZE = 10
SEATINGS = ("individuals", "2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5", "5x2")


@dataclass(frozen=True, kw_only=True)
class SeatingOptions:
    """Who sits where (docs/rules.md 3.1)."""

    sides: str = option(
        {"default": "", **{s: f"seats play as {s}" for s in SEATINGS}},
        "3.1",
        default="default",
        families=FIVE_FINGERS,
    )
    first_dealer: Value = option(
        {"random": "the first dealer is drawn"},
        "3.1",
        numbers=range(MAX_PLAYERS),
        says="seat {} deals first",
        families=FAMILIES,
    )


@dataclass(frozen=True, kw_only=True)
class PackOptions:
    """Small packs for exact tests, in the games with a turn-up (docs/rules.md 9)."""

    deck: str = "standard"
    hand_size: Value = option(
        {},
        "9",
        numbers=range(1, MAX_HAND_SIZE + 1),
        default=5,
        by_family={FIVE_HUNDRED: 10},
        says="{} cards each",
    )
    trump: str = option(
        {"turned": "a card turned up makes trumps"}
        | {s: f"{s} is always trumps; nobody robs" for s in SUIT_NAMES},
        "9",
    )
