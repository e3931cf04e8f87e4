"""Cards as ints 0..52, the same number in every deck; text and sets for people.

A card is ``13 * suit + rank`` with suits S, C, D, H = 0..3 and ranks 2..10, J, Q, K, A = 0..12;
52 is the Joker. What a card *counts* as depends on trumps and lives in the rule tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from forty5sim.errors import NotationError, unknown

Card: TypeAlias = int
Suit: TypeAlias = int
Seat: TypeAlias = int
Mask: TypeAlias = int
Action: TypeAlias = int

SUIT_NAMES = "SCDH"
SUIT_WORDS = ("spades", "clubs", "diamonds", "hearts")
SUIT_SIGNS = "♠♣♦♥"
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPADES, CLUBS, DIAMONDS, HEARTS = range(4)
NO_TRUMP: Suit = 4
RED_SUITS = (DIAMONDS, HEARTS)
FOUR, FIVE, JACK, QUEEN, KING, ACE = 2, 3, 9, 10, 11, 12
JOKER: Card = 52
ACE_OF_HEARTS: Card = 13 * HEARTS + ACE


def card_of(suit: Suit, rank: int) -> Card:
    """Return the card of a suit (0..3) and a rank (0..12: 2..A)."""
    return 13 * suit + rank


def suit_of(card: Card) -> Suit:
    """Return the suit printed on a card; 4 for the Joker."""
    return card // 13


def rank_of(card: Card) -> int:
    """Return the rank printed on a card, 0..12 for 2..A."""
    return card % 13


def card_name(card: Card) -> str:
    """Return the text of a card: rank, then suit letter.

    >>> card_name(51), card_name(8), card_name(52)
    ('AH', '10S', 'JK')
    """
    if card == JOKER:
        return "JK"
    if not 0 <= card < JOKER:
        raise NotationError(f"no card has the number {card!r}; cards are 0..52")
    return RANK_NAMES[rank_of(card)] + SUIT_NAMES[suit_of(card)]


def card_sign(card: Card) -> str:
    """Return a card with its suit as a sign.

    >>> card_sign(51), card_sign(8), card_sign(52)
    ('A♥', '10♠', 'JK')
    """
    return "JK" if card == JOKER else RANK_NAMES[rank_of(card)] + SUIT_SIGNS[suit_of(card)]


_CARDS = {card_name(card): card for card in range(JOKER + 1)}


def parse_card(text: str) -> Card:
    """Read a card: ``5H``, ``10S``, ``T♠``, ``jd``, ``JK``.

    Raises:
        NotationError: if the text names no card.

    >>> parse_card("t♠") == parse_card("10S")
    True
    """
    if text in _CARDS:
        return _CARDS[text]
    plain = text.strip().upper()
    if plain in ("JK", "JOKER"):
        return JOKER
    rank = plain[:-1].replace("T", "10")
    if len(plain) < 2 or rank not in RANK_NAMES:
        raise NotationError(f"{text!r} is no card; write rank and suit, as 5H, 10S, JD, or JK")
    return card_of(parse_suit(plain[-1]), RANK_NAMES.index(rank))


def suit_name(suit: Suit) -> str:
    """Return the letter of a suit, 0..3."""
    return SUIT_NAMES[suit]


def parse_suit(text: str) -> Suit:
    """Read a suit: its letter, sign or name.

    Raises:
        NotationError: if the text names no suit.
    """
    plain = text.strip().lower()
    for suit, word in enumerate(SUIT_WORDS):
        if plain in (word, word[0], SUIT_SIGNS[suit]):
            return suit
    raise NotationError(unknown("suit", text, [*SUIT_NAMES, *SUIT_WORDS]))


def trump_name(trump: Suit) -> str:
    """Return the letter of a trump suit, ``NT`` where there is none."""
    return "NT" if trump == NO_TRUMP else SUIT_NAMES[trump]


def trump_word(trump: Suit) -> str:
    """Return the name of a trump suit, ``no trump`` where there is none."""
    return "no trump" if trump == NO_TRUMP else SUIT_WORDS[trump]


def parse_trump(text: str, possible: Sequence[Suit]) -> Suit:
    """Read what is trumps: a suit, or ``NT`` where a game may have none.

    Raises:
        NotationError: if the text names nothing that can be trumps.
    """
    plain = text.strip().lower().replace(" ", "")
    if plain in ("nt", "notrump", "notrumps") and NO_TRUMP in possible:
        return NO_TRUMP
    return parse_suit(text)


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the set of cards as bits: bit c is set if card c is in it."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


FIVE_HUNDRED_PACK: tuple[Card, ...] = tuple(
    card
    for card in range(JOKER + 1)
    if card == JOKER or rank_of(card) >= (FOUR if suit_of(card) in RED_SUITS else FIVE)
)
"""The 43 cards of Five Hundred: the fours only in red, and the Joker (docs/rules.md 8.1)."""


class CardSet:
    """A printable view of a mask: iterates over its cards in ascending order.

    >>> print(CardSet.parse("5H 10S JK"))
    10S 5H JK
    """

    __slots__ = ("mask",)

    def __init__(self, mask: Mask | Iterable[Card] = 0) -> None:
        self.mask: Mask = mask if isinstance(mask, int) else mask_of(mask)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Read cards separated by spaces or commas."""
        return cls(parse_card(word) for word in text.replace(",", " ").split())

    def __iter__(self) -> Iterator[Card]:
        rest = self.mask
        while rest:
            yield (rest & -rest).bit_length() - 1
            rest &= rest - 1

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and card >= 0 and bool(self.mask >> card & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __str__(self) -> str:
        return " ".join(card_name(card) for card in self)

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"
