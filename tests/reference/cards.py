"""Ranking and legality, straight from the rule book (docs/rules.md), with strings and lists.

A card is a string such as "5H", "10S", "AC" or "JK" (the Joker); a suit is one of "S C D H".
Every order in this module is a list from the highest card to the lowest.
"""

from collections.abc import Collection, Sequence

Options = dict[str, str | int | list[str]]

SUITS = ["S", "C", "D", "H"]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
JOKER = "JK"
ACE_OF_HEARTS = "AH"


def word(options: Options, key: str) -> str:
    """An option as text."""
    return str(options[key])


def number(options: Options, key: str) -> int:
    """An option as a whole number."""
    value = options[key]
    assert isinstance(value, int)
    return value


def pack(options: Options) -> list[str]:
    """All cards of the game, unshuffled."""
    deck = options.get("deck")
    if isinstance(deck, list):
        return list(deck)
    cards = [rank + suit for suit in SUITS for rank in RANKS]
    return cards if options["joker"] == "none" else [*cards, JOKER]


def suit_of(card: str) -> str:
    """The suit printed on a card; the Joker has none."""
    return "" if card == JOKER else card[-1]


def pips(suit: str) -> list[str]:
    """The number cards of a suit: highest in red, lowest in black."""
    low_to_high = [str(value) + suit for value in range(2, 11)]
    return low_to_high if suit in "SC" else low_to_high[::-1]


def is_trump(trump: str, card: str) -> bool:
    """The trump suit, the ace of hearts and the Joker."""
    return card in (ACE_OF_HEARTS, JOKER) or suit_of(card) == trump


def ace_is_lowest(options: Options, missed: bool) -> bool:
    """Has the holder of the ace of trumps turned it into the lowest trump (D16)?"""
    return missed and options["rob_missed"] == "ace_lowest"


def trumps(options: Options, trump: str, missed: bool = False) -> list[str]:
    """The trumps as they rank in play; the privilege is judged by this order too."""
    hearts = [ACE_OF_HEARTS]
    if options["joker"] == "before_ah":
        hearts = [JOKER, ACE_OF_HEARTS]
    if options["joker"] == "after_ah":
        hearts = [ACE_OF_HEARTS, JOKER]
    five, jack, ace = "5" + trump, "J" + trump, "A" + trump
    aces = hearts if ace == ACE_OF_HEARTS else [*hearts, ace]
    top = [five, *aces, jack] if options["head"] == "five_cards" else [five, jack, *aces]
    order = [*top, "K" + trump, "Q" + trump, *[pip for pip in pips(trump) if pip != five]]
    if ace_is_lowest(options, missed):
        order.remove(ace)
        order.append(ace)
    return order


def plain_suit(options: Options, trump: str, suit: str) -> list[str]:
    """A suit other than trumps; the ace of hearts is never in it."""
    assert suit != trump
    court, ace = ["K" + suit, "Q" + suit, "J" + suit], "A" + suit
    if suit == "H":
        return [*court, *pips(suit)]
    place = options["plain_red_ace"] if suit == "D" else options["plain_black_ace"]
    if place == "high":
        return [ace, *court, *pips(suit)]
    if place == "below_jack":
        return [*court, ace, *pips(suit)]
    return [*court, *pips(suit), ace]


def suit_order(options: Options, trump: str, suit: str, missed: bool = False) -> list[str]:
    """All cards that count as this suit."""
    return trumps(options, trump, missed) if suit == trump else plain_suit(options, trump, suit)


def trick_winner(options: Options, trump: str, cards: Sequence[str], missed: bool = False) -> int:
    """Index of the winning card: the best trump, else the best card of the suit led."""
    order = trumps(options, trump, missed)
    if not is_trump(trump, cards[0]):
        order = order + plain_suit(options, trump, suit_of(cards[0]))
    contenders = [card for card in order if card in cards]
    return list(cards).index(contenders[0])


def privileged(options: Options, trump: str, missed: bool = False) -> set[str]:
    """The trumps that may be withheld at all. A missed ace of hearts has lost it (D16)."""
    if options["renege_cards"] == "five_only":
        return {"5" + trump}
    cards = {"5" + trump, "J" + trump, ACE_OF_HEARTS}
    if options["joker"] != "none":
        cards.add(JOKER)
    if trump == "H" and ace_is_lowest(options, missed):
        cards.remove(ACE_OF_HEARTS)
    return cards


def may_withhold(
    options: Options,
    trump: str,
    card: str,
    trick: Sequence[str],
    earlier: Sequence[str],
    missed: bool,
) -> bool:
    """May this trump be kept back on this trump lead (not for single_unconditional)?"""
    order = trumps(options, trump, missed)

    def outranks(high: str, low: str) -> bool:
        return order.index(high) < order.index(low)

    if card not in privileged(options, trump, missed) or not outranks(card, trick[0]):
        return False
    on_table = [other for other in trick if is_trump(trump, other)]
    fallen = [other for other in earlier if is_trump(trump, other)] + on_table
    if options["renege"] == "outranks_led":
        return True
    if options["renege"] == "highest_so_far":
        return all(outranks(card, other) for other in on_table)
    if options["renege"] == "expires_in_deal":
        return not any(outranks(other, card) for other in fallen)
    return False


def _legal_on_plain_lead(options: Options, trump: str, hand: set[str], led: str) -> set[str]:
    held = {card for card in hand if is_trump(trump, card)}
    follow = {card for card in hand - held if suit_of(card) == suit_of(led)}
    rule = options["plain_lead"]
    if rule == "strict_follow":
        return follow or hand
    if rule == "follow_or_trump":
        return follow | held if follow else hand
    if rule == "must_follow_or_trump":
        return follow | held or hand
    return hand


def _legal_on_trump_lead(
    options: Options,
    trump: str,
    hand: set[str],
    trick: Sequence[str],
    earlier: Sequence[str],
    missed: bool,
) -> set[str]:
    held = {card for card in hand if is_trump(trump, card)}
    if not held:
        hearts = {card for card in hand if suit_of(card) == "H"}
        asked = options["ah_lead_needs_heart"] == "on" and trick[0] == ACE_OF_HEARTS
        return hearts if asked and hearts else hand
    if options["renege"] == "single_unconditional":
        free = len(held) == 1 and held <= privileged(options, trump, missed)
    else:
        free = all(may_withhold(options, trump, card, trick, earlier, missed) for card in held)
    return hand if free else held


def legal_cards(
    options: Options,
    trump: str,
    hand: Collection[str],
    trick_cards: Sequence[str],
    earlier_cards: Sequence[str] = (),
    missed: bool = False,
) -> set[str]:
    """The cards that may be played to the trick on the table."""
    cards = set(hand)
    if not trick_cards:
        return cards
    if not is_trump(trump, trick_cards[0]):
        return _legal_on_plain_lead(options, trump, cards, trick_cards[0])
    return _legal_on_trump_lead(options, trump, cards, trick_cards, earlier_cards, missed)


def rob_right(
    options: Options, turnup: str | None, dealer: int, hands: Sequence[Collection[str]]
) -> int | None:
    """The one seat that may take the turn-up up, if any."""
    if turnup is None or options["trump"] != "turned":
        return None
    ace = "A" + suit_of(turnup)
    if turnup in (JOKER, ace):
        return dealer
    for seat, hand in enumerate(hands):
        if ace in hand:
            return seat
    return None
