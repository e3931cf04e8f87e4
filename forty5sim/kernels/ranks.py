"""Cards by strength: the numbering that the solvers use inside.

A card becomes a bit 16 * field + rank: a field for each effective suit, rank 0 its lowest card.
So the stronger of two cards of a suit is the higher bit, and neighbours in a suit are found by
shifts. A Joker without a suit is a field of its own at bit 15. Legality comes from the same
tables as in ``play``: what obliges, what satisfies, per card led, translated once an order.
"""

from __future__ import annotations

from forty5sim.kernels.bits import lowest
from forty5sim.kernels.jit import hot_kernel, kernel
from forty5sim.kernels.layout import (
    ACE,
    ACE_OF_HEARTS,
    BEST,
    CARD_COUNT,
    DECK_MASK,
    INSTEAD,
    JOKER,
    JUDGE,
    LED,
    MAX_DECK,
    MAY,
    MUST,
    NO_SUIT,
    NO_TRUMP,
    ORDER_COUNT,
    ORDER_SIZE,
    ORDERS,
    PAIR,
    POWER,
    SUIT,
    SUIT_SIZE,
    TRUE_ORDER,
    TRUMP,
    TRUMP_MASK,
    TRUMPS,
)
from forty5sim.kernels.vector import Vector, bare

FIELD = 16
FIELD_MASK = (1 << 15) - 1  # of the lowest field, without the lone Joker
LONE = 15  # the bit of a Joker without a suit
NOTHING = 64  # in place of a bit: no card led

# against which card reneging is judged where trumps were led
BY_LED, BY_BEST, BY_TOP = range(3)

ABOVE = 0  # mask of the cards that beat every plain card: trumps, or a Joker without a suit
JUDGED = 1
PRIVILEGED = 2  # mask of the trumps that may be kept back from some lead
NAMED_HEART = 3  # mask of the ace of hearts, where its lead asks for hearts
TRUMP_FIELD = 4  # mask of the trumps
LONE_MASK = 6  # mask of a Joker without a suit
STRICT = 7  # who has the suit led must follow it, and who has not is free
RANKED = 5  # the order that these words describe
BIT_OF = 8  # per card
CARD_OF = BIT_OF + MAX_DECK  # per bit
OBLIGES = CARD_OF + NOTHING  # per bit led, and NOTHING: as MUST, MAY, PAIR, INSTEAD of the tables
SATISFIES = OBLIGES + NOTHING + 1
PAIRED = SATISFIES + NOTHING + 1
INSTEAD_OF = PAIRED + NOTHING + 1
FOLLOWS = INSTEAD_OF + NOTHING + 1  # per bit: mask of the cards of its suit
RANKS_SIZE = FOLLOWS + NOTHING + 1
ALL_RANKS_SIZE = ORDER_COUNT * RANKS_SIZE


@kernel
def ranks_for(all_ranks: Vector, tables: Vector, state: Vector) -> Vector:
    """Return the ranks of a deal's cards: those of its order, worked out once."""
    order = state[TRUE_ORDER]
    ranks = bare(all_ranks, (order - ORDERS) // ORDER_SIZE * RANKS_SIZE)
    if ranks[RANKED] != order:
        rank_cards(ranks, tables, order, state[TRUMP])
    return ranks


@kernel
def rank_cards(ranks: Vector, tables: Vector, order: int, trump: int) -> None:
    """Number the cards by an order of the tables."""
    for word in range(RANKS_SIZE):
        ranks[word] = 0
    ranks[RANKED] = order
    ranks[STRICT] = 1
    deck = tables[DECK_MASK]
    rest = deck
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        bit = bit_for(tables, order, trump, deck, card)
        ranks[BIT_OF + card] = bit
        ranks[CARD_OF + bit] = card
    rest = deck
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        translate_card(ranks, tables, order, deck, card)
    trumps = by_rank(ranks, tables[order + TRUMP_MASK] & deck)
    ranks[TRUMP_FIELD] = trumps
    ranks[LONE_MASK] = 1 << LONE if has_lone(tables, order, trump) else 0
    ranks[ABOVE] = trumps | ranks[LONE_MASK]
    judge = tables[order + JUDGE + TRUMPS]
    ranks[JUDGED] = BY_LED if judge == LED else BY_BEST if judge == BEST else BY_TOP
    if tables[order + INSTEAD + ACE_OF_HEARTS]:
        ranks[NAMED_HEART] = 1 << ranks[BIT_OF + ACE_OF_HEARTS]


@kernel
def has_lone(tables: Vector, order: int, trump: int) -> bool:
    """Say whether there is a Joker without a suit in this order."""
    in_deck = tables[DECK_MASK] >> JOKER & 1
    return bool(in_deck and trump == NO_TRUMP and tables[order + SUIT + JOKER] == NO_SUIT)


@kernel
def bit_for(tables: Vector, order: int, trump: int, deck: int, card: int) -> int:
    """Return the bit of a card: its field, and how many cards of its suit are lower."""
    suit = tables[order + SUIT + card]
    if suit == NO_SUIT:
        return LONE
    rank = 0
    row = order + POWER + suit * CARD_COUNT
    rest = deck
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        lower = tables[row + other] < tables[row + card]
        rank += tables[order + SUIT + other] == suit and lower
    field = trump if suit == TRUMPS else suit
    return FIELD * field + rank


@kernel
def translate_card(ranks: Vector, tables: Vector, order: int, deck: int, card: int) -> None:
    """Translate what a card asks for when it is led."""
    bit = ranks[BIT_OF + card]
    suit = tables[order + SUIT + card]
    follows = 0
    rest = deck
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        if tables[order + SUIT + other] == suit:
            follows |= 1 << ranks[BIT_OF + other]
    must = by_rank(ranks, tables[order + MUST + card] & deck)
    pair = by_rank(ranks, tables[order + PAIR + card] & deck)
    ranks[FOLLOWS + bit] = follows
    ranks[OBLIGES + bit] = must
    ranks[SATISFIES + bit] = by_rank(ranks, tables[order + MAY + card] & deck)
    ranks[PAIRED + bit] = pair
    ranks[INSTEAD_OF + bit] = by_rank(ranks, tables[order + INSTEAD + card] & deck)
    if suit < TRUMPS and (must != follows or ranks[SATISFIES + bit] != follows):
        ranks[STRICT] = 0
    if suit == TRUMPS:
        ranks[PRIVILEGED] |= (follows & ~must) | pair


@kernel
def by_rank(ranks: Vector, cards: int) -> int:
    """Return a mask of cards as a mask of bits by rank."""
    ranked = 0
    while cards:
        ranked |= 1 << ranks[BIT_OF + lowest(cards)]
        cards &= cards - 1
    return ranked


@kernel
def ace_bit(ranks: Vector, suit: int) -> int:
    """Return the bit that stands for a suit named by a Joker led: its highest card."""
    return ranks[BIT_OF + SUIT_SIZE * suit + ACE]


@hot_kernel
def may_play(ranks: Vector, hand: int, led: int, judged: int) -> int:
    """Return what a hand may play, by the card led and that against which reneging is judged."""
    pair = hand & ranks[PAIRED + judged]
    obliged = (hand & ranks[OBLIGES + judged]) | (pair & (pair - 1))
    legal = hand & ranks[SATISFIES + judged] if obliged else hand
    instead = hand & ranks[INSTEAD_OF + led]
    if instead and not hand & ranks[TRUMP_FIELD]:
        legal = instead
    return legal


@hot_kernel
def beats(ranks: Vector, card: int, best: int, follows: int) -> bool:
    """Say whether a card beats the best so far, in a trick to which this suit was led."""
    above = ranks[ABOVE]
    if above >> card & 1:
        return not above >> best & 1 or card > best
    return not above >> best & 1 and follows >> card & 1 == 1 and card > best


@hot_kernel
def same_above(ranks: Vector, moves: int, cards: int, special: int, bit: int) -> int:
    """Return the next card up of a move's suit if that comes to the same, else -1.

    ``cards`` are all cards in hands and on the table. Neighbours among them in one hand come to
    the same, unless one may be kept back where the other may not.
    """
    higher = cards & ranks[FOLLOWS + bit] & ~((2 << bit) - 1)
    if higher == 0:
        return -1
    above = lowest(higher)
    apart = (special >> bit ^ special >> above) & 1 != 0
    asks = (1 << bit | 1 << above) & ranks[NAMED_HEART]
    return above if moves >> above & 1 and not apart and asks == 0 else -1


@hot_kernel
def kept_back(ranks: Vector, top: int) -> int:
    """Return the trumps that may still be kept back; ``top``: the highest played, -1."""
    return ranks[PRIVILEGED] & ~((2 << top) - 1) if top >= 0 else ranks[PRIVILEGED]


@hot_kernel
def unlike(ranks: Vector, moves: int, cards: int, top: int) -> int:
    """Keep of the moves that come to the same only the highest."""
    special = kept_back(ranks, top)
    kept = moves
    rest = moves
    while rest:
        bit = lowest(rest)
        rest &= rest - 1
        if same_above(ranks, moves, cards, special, bit) >= 0:
            kept &= ~(1 << bit)
    return kept


@kernel
def like(ranks: Vector, moves: int, cards: int, top: int, move: int) -> int:
    """Return the mask of the moves that come to the same as this one, itself too."""
    special = kept_back(ranks, top)
    alike = 0
    run = 0
    rest = moves
    while rest:
        bit = lowest(rest)
        rest &= rest - 1
        run |= 1 << bit
        if same_above(ranks, moves, cards, special, bit) < 0:
            if run >> move & 1:
                alike = run
            run = 0
    return alike
