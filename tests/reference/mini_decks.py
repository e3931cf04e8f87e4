"""Mini decks: small packs of real cards on which the two-player game can be solved exactly.

A deck is written (nT,np;s1,s2,s3),h: nT trumps, of which np are privileged (they may be kept
back), three plain suits of s1, s2 and s3 cards, and h cards to each of the two players. The other
cards are not dealt and nobody sees them. Spades are trumps, nobody robs, and the first player to
take most of the h tricks wins (docs/rules.md 9). For the exact solvers, a card is its place in
the deck and a hand is a mask of such places; what is legal and what wins comes from `cards`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from forty5sim.rules import RuleSet
from tests.reference import cards
from tests.reference.cards import Options

TRUMP = "S"
PRIVILEGED = ["5S", "JS", "AH"]
COMMON_TRUMPS = ["KS", "QS", "2S", "3S", "4S", "6S", "7S", "8S", "9S", "10S"]
PLAIN_SUITS = "HDC"

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class MiniDeck:
    """A mini deck by its sizes: (trumps,privileged;suits),hand_size."""

    trumps: int
    privileged: int
    suits: tuple[int, int, int]
    hand_size: int

    def __str__(self) -> str:
        suits = ",".join(str(size) for size in self.suits)
        return f"({self.trumps},{self.privileged};{suits}),{self.hand_size}"

    @property
    def majority(self) -> int:
        """The number of tricks that wins; the number of tricks is odd."""
        assert self.hand_size % 2 == 1, "an even number of tricks may be shared"
        return self.hand_size // 2 + 1

    def rules(self) -> RuleSet:
        """The game with this deck as a rule set."""
        return RuleSet(
            family="pot",
            deck="+".join(self.cards()),
            hand_size=self.hand_size,
            trump=TRUMP,
            win_tricks=self.majority,
            jink="off",
            plain_lead="follow_or_trump",
            renege="outranks_led",
        )

    def cards(self) -> list[str]:
        """The cards: trumps first, then suit by suit, each from the best card to the worst."""
        common = COMMON_TRUMPS[: self.trumps - self.privileged]
        options: Options = {"plain_red_ace": "lowest", "plain_black_ace": "below_jack"}
        plain = [
            card
            for suit, size in zip(PLAIN_SUITS, self.suits, strict=True)
            for card in cards.plain_suit(options, TRUMP, suit)[:size]
        ]
        names = [*PRIVILEGED[: self.privileged], *common, *plain]
        assert len(names) == self.trumps + sum(self.suits), f"there are no cards for {self}"
        return names


EIGHT = MiniDeck(3, 2, (2, 2, 1), 3)
TWELVE = MiniDeck(4, 2, (3, 3, 2), 3)


@dataclass(frozen=True)
class PlayTables:
    """The rules of play of one deck as arrays."""

    hands: Ints  # the masks of all hands of 1 to h cards, ascending
    replies: Ints  # [card led, number of the hand]: the mask of its legal cards
    reply_wins: Bools  # [card led, card replied]

    def legal(self, hand: Ints, led: Ints) -> Ints:
        """Which cards of each hand are legal; ``led`` is -1 for the leader."""
        number = np.searchsorted(self.hands, hand)
        return np.where(led < 0, hand, self.replies[led, number])


def play_tables(deck: MiniDeck) -> PlayTables:
    """Ask the reference rules about every card led and every hand that may reply."""
    rules, names = deck.rules(), deck.cards()
    options: Options = {**rules.options(), "family": rules.family, "deck": list(names)}
    places = range(len(names))
    hands = sorted(
        mask_of(hand)
        for size in range(1, deck.hand_size + 1)
        for hand in combinations(places, size)
    )
    replies = [[legal_mask(options, names, led, hand) for hand in hands] for led in names]
    wins = [[reply_wins(options, led, reply) for reply in names] for led in names]
    return PlayTables(np.array(hands), np.array(replies), np.array(wins))


def mask_of(places: Iterable[int]) -> int:
    """The mask of some places in the deck."""
    return sum(1 << place for place in places)


def legal_mask(options: Options, names: list[str], led: str, hand: int) -> int:
    """The cards of a hand that the reference rules allow on this lead."""
    held = [name for place, name in enumerate(names) if hand >> place & 1]
    legal = cards.legal_cards(options, TRUMP, held, [led])
    return mask_of(names.index(card) for card in legal)


def reply_wins(options: Options, led: str, reply: str) -> bool:
    """Does the reply win the trick from the card led? No card does from itself."""
    return led != reply and cards.trick_winner(options, TRUMP, [led, reply]) == 1
