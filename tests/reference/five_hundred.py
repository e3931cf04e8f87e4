"""Five Hundred: pack, bids, ranking, legality and the Joker (docs/rules.md 8).

`trump` is a suit or "NT" (no trump and both misères). `joker_suit` is the suit the contractor
gave his Joker, `named` the suit named with a suitless Joker that is led.
"""

from collections.abc import Collection, Sequence

from tests.reference.cards import JOKER, SUITS, Options, number

NO_TRUMP = "NT"
MISERES = ("misere", "open-misere")
SAME_COLOUR = {"S": "C", "C": "S", "D": "H", "H": "D"}
HAND_SIZE = 10
KITTY = 3


def plain_ranks(suit: str) -> list[str]:
    """Ranks of a suit in the pack, high to low; the red suits have a four."""
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5"]
    return [*ranks, "4"] if suit in "DH" else ranks


def pack() -> list[str]:
    """All cards of the game, unshuffled."""
    return [rank + suit for suit in SUITS for rank in plain_ranks(suit)] + [JOKER]


# Bids


def ladder(options: Options) -> list[str]:
    """All bids of the game, low to high."""
    steps = [str(level) + suit for level in range(6, 11) for suit in [*SUITS, NO_TRUMP]]
    if options["misere"] == "off":
        return steps
    steps.insert(steps.index("8S"), "misere")
    rank = options["open_misere_rank"]
    if rank == "after_10d":
        steps.insert(steps.index("10H"), "open-misere")
    elif rank == "before_10s":
        steps.insert(steps.index("10S"), "open-misere")
    else:
        steps.append("open-misere")
    return steps


def level(bid: str) -> int:
    """Tricks a bid promises; 0 for the misères."""
    return 0 if bid in MISERES else int(bid.removesuffix(NO_TRUMP).rstrip("SCDH"))


def trump_of(bid: str) -> str:
    """The trump suit of a contract, or "NT"."""
    return NO_TRUMP if bid in MISERES or bid.endswith(NO_TRUMP) else bid[-1]


def bid_allowed(options: Options, standing: str | None, bid: str) -> bool:
    """May this bid be made over the standing one?"""
    steps = ladder(options)
    if bid not in steps:
        return False
    if bid == "misere" and options["misere"] == "after_seven":
        return standing is not None and level(standing) == 7
    return standing is None or steps.index(bid) > steps.index(standing)


def bid_value(options: Options, bid: str) -> int:
    """What a contract is worth."""
    if bid == "misere":
        return number(options, "misere_value")
    if bid == "open-misere":
        return 500
    return 40 + 100 * (level(bid) - 6) + 20 * [*SUITS, NO_TRUMP].index(trump_of(bid))


# Ranking


def effective_suit(card: str, trump: str, joker_suit: str | None = None) -> str | None:
    """The suit a card counts as; None for a Joker without a suit."""
    if card == JOKER:
        return joker_suit if trump == NO_TRUMP else trump
    if trump != NO_TRUMP and card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[-1]


def suit_order(trump: str, suit: str, joker_suit: str | None = None) -> list[str]:
    """All cards that count as this suit, high to low."""
    cards = [rank + suit for rank in plain_ranks(suit)]
    if trump == NO_TRUMP:
        return [JOKER, *cards] if joker_suit == suit else cards
    right, left = "J" + trump, "J" + SAME_COLOUR[trump]
    rest = [card for card in cards if card not in (right, left)]
    return [JOKER, right, left, *rest] if suit == trump else rest


def suit_led(
    trump: str, trick: Sequence[str], joker_suit: str | None, named: str | None
) -> str | None:
    """The suit to follow; None when a Joker was led without naming a suit."""
    return effective_suit(trick[0], trump, joker_suit) or named


def trick_winner(
    trump: str, trick: Sequence[str], joker_suit: str | None = None, named: str | None = None
) -> int:
    """Index of the winning card."""
    if JOKER in trick and effective_suit(JOKER, trump, joker_suit) is None:
        return list(trick).index(JOKER)
    led = suit_led(trump, trick, joker_suit, named)
    assert led is not None
    order = [] if trump == NO_TRUMP else suit_order(trump, trump)
    order = order + suit_order(trump, led, joker_suit)
    best = next(card for card in order if card in trick)
    return list(trick).index(best)


# Legality


def joker_may_lead(options: Options, cards_held: int, led_suits: Collection[str]) -> bool:
    """May a Joker without a suit be led?"""
    if cards_held == 1 or options["joker_lead"] == "any_suit":
        return True
    if options["joker_lead"] == "last_trick_only":
        return False
    return any(suit not in led_suits for suit in SUITS)


def nameable(options: Options, led_suits: Collection[str]) -> set[str]:
    """The suits a Joker without a suit may name when it is led."""
    if options["joker_lead"] == "any_suit":
        return set(SUITS)
    return {suit for suit in SUITS if suit not in led_suits}


def legal_cards(
    options: Options,
    trump: str,
    hand: Collection[str],
    trick: Sequence[str],
    joker_suit: str | None = None,
    named: str | None = None,
    led_suits: Collection[str] = (),
) -> set[str]:
    """The cards that may be played to the trick on the table."""
    cards = set(hand)
    if not trick:
        suitless = JOKER in cards and effective_suit(JOKER, trump, joker_suit) is None
        if suitless and not joker_may_lead(options, len(cards), led_suits):
            cards.remove(JOKER)
        return cards
    led = suit_led(trump, trick, joker_suit, named)
    if led is None:
        return cards
    follow = {card for card in cards if effective_suit(card, trump, joker_suit) == led}
    return follow or cards


def may_assign(options: Options, bid: str) -> bool:
    """May the contractor give a Joker he holds a suit?"""
    if options["joker_nt_suit"] == "misere_only":
        return bid in MISERES
    return trump_of(bid) == NO_TRUMP


def playing_seats(bid: str | None, contractor: int | None) -> list[int]:
    """The seats that play cards; the contractor's partner is out at the misères."""
    if bid in MISERES and contractor is not None:
        return [seat for seat in range(4) if seat != (contractor + 2) % 4]
    return [0, 1, 2, 3]
