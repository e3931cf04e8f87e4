"""Small deals under way, on purpose and at random, in which everything can be tried."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from forty5sim.cards import (
    ACE,
    ACE_OF_HEARTS,
    FIVE,
    JACK,
    JOKER,
    KING,
    Card,
    CardSet,
    Seat,
    card_name,
    parse_card,
)
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.rules import OPTIONS, RuleSet
from tests.rulebook.bidding_table import bidding_deal
from tests.rulebook.table import deal, play


class Shrunk(RuleSet):
    """The rules of a bidding game with a small pack (docs/rules.md 9 has none for these)."""

    def deck_cards(self) -> tuple[Card, ...]:
        """Return the cards of the small pack, in ascending order."""
        return tuple(parse_card(name) for name in self.deck.split("+"))

    @property
    def kitty_size(self) -> int:
        """The number of cards dealt aside for the bidder."""
        return int(self.kitty)


def shrunk(rules: RuleSet, cards: Iterable[Card], hand_size: int, kitty: int) -> RuleSet:
    """Return a bidding game with fewer cards in the pack, in a hand and in the kitty."""
    small = object.__new__(Shrunk)
    deck = "+".join(card_name(card) for card in sorted(cards))
    small.__dict__.update(rules.__dict__, deck=deck, hand_size=hand_size, kitty=kitty)
    return small


# --- positions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A small deal under way, and the seat whose knowledge is asked for.

    Attributes:
        name: what it is about.
        rules: the game, without its deck and the size of its hands, which follow from the cards.
        hands: the hand of each seat from seat 0, between slashes.
        rest: the cards turned up, or the kitty; then the stock.
        actions: what is done, as ``tests.rulebook.table.play`` takes it.
        seat: whose view it is.
        histories: how many histories agree with it, as ``consistent`` counts them.
        kitty: the number of cards in the kitty.
        dealer: the seat that deals.
    """

    name: str
    rules: str
    hands: str
    rest: str
    actions: str
    seat: Seat
    histories: int
    kitty: int = 0
    dealer: Seat = 2

    def game(self) -> Game:
        """Return the deal at this point."""
        hands = self.hands.split("/")
        cards = CardSet.parse(" ".join([*hands, self.rest]))
        size, rules = len(hands[0].split()), find_rules(self.rules)
        if rules.has_auction:
            small = shrunk(rules, cards, size, self.kitty)
            game = bidding_deal(small, hands, self.rest, players=len(hands), dealer=self.dealer)
        else:
            small = rules.with_options(deck="+".join(str(cards).split()), hand_size=size)
            game = deal(small, hands, self.rest, players=len(hands), dealer=self.dealer)
        return play(game, self.actions)

    def __str__(self) -> str:
        return self.name


def each(
    name: str, options: str, deal_and_view: tuple[str, str, str, Seat], histories: dict[str, int]
) -> list[Position]:
    """Return a position of Forty-Five under some values of an option, ``{}`` in the other texts."""
    hands, rest, actions, seat = deal_and_view
    return [
        Position(
            name.format(value), f"forty-five:{options.format(value)}", hands, rest, actions, seat, n
        )
        for value, n in histories.items()
    ]


def forty_five(
    name: str, options: str, deal_and_view: tuple[str, str, str, Seat], histories: int
) -> Position:
    """Return a position of Forty-Five."""
    return each(name, options, deal_and_view, {"": histories})[0]


def five_hundred(
    name: str, hands: str, rest: str, actions: str, seat: Seat, histories: int, options: str = ""
) -> Position:
    """Return a position of Five Hundred; seat 0 has dealt, and seat 1 plays the contract."""
    rules = f"five-hundred{options}"
    size = len(rest.split())
    return Position(name, rules, hands, rest, actions, seat, histories, kitty=size, dealer=0)


def auction(
    name: str, hands: str, rest: str, actions: str, seat: Seat, histories: int, options: str = ""
) -> Position:
    """Return a position of Auction Forty-Fives with a kitty of one card; seat 0 bids."""
    rules, calls = f"auction-forty-fives{options}", "bid:20 pass pass "
    return Position(name, rules, hands, rest, calls + actions, seat, histories, kitty=1)


# one seat ruffs, another throws a card away
NOT_FOLLOWED = ("KD 9S 8C / 2S 4S 7C / 2C KC QC", "QD JD 3D 5S JS", "KD 2S 2C", 0)
# the ace of hearts and a plain card are played to a low trump
TRUMP_LED = ("7S 9S 8C / AH 4C 7C / 2C KC QC", "JK 5S JS KS 3D", "7S AH 2C", 0)
# the same without the ace of hearts, but the five was played to the trick before
FIVE_GONE = ("KD 7S 8C / 5S 8S 7C / 3D 2C QC", "JK AH JS KS 4D", "KD 5S 3D 8S 2C 7S", 0)
ACE_OF_HEARTS_LED = ("AH 9S 8C / 2C 4C 7C / 7H KC QC", "8H KH 5S JS KS", "AH 2C 7H", 0)
NOBODY_ROBS = ("KD 9S 8C / 3D 4C 7C / 2C KC QC", "7S AS 5S JS 8D", "KD 3D 2C", 0)
SECOND_TO_PLAY = ("KD 9S 8C / 7C 4C 3D / 2C KC QC", "7S 5S JS 8D AS", "KD", 1)
HOLDER = ("KD 9S 8C / AS 4C 3D / 2C KC QC", "7S 5S JS 8D 7C")
ACE_TURNED = ("KD 9S 8C / 7C 4C 3D / 2C KC QC", "AS 5S JS 8D 7S")
SHORT, SHORT_ACE = (HOLDER[0], "7S 5S JS"), (ACE_TURNED[0], "AS 5S JS")
ACE_HIDDEN = ("KH 9H 8C / 5H 4C 3D / 2C KC QC", "7H AH JH 8H 7C", "9H 3D 2C", 0)
ACE_PLAYED = ("KH 9H 8C / AH 4C 3D / 2C KC QC", "7H 5H JH 8H 7C", "9H keep AH 2C", 0)
SEAT_1_IN_FRONT = ("KD 9S 8C / AS 5S JS / 2C KC QC", "7S 3D 4C 8D 7C", "KD keep 5S 2C JS KC 9S")
JOKER_FIRST = ("KD 9S 8C / AS 4C 3D / 2C KC QC", "JK 7S 5S 8D 7C")
TWO_TURNED = ("KD 9S 8C / AS 4C 3D / 2C KC QC", "JK AD 5S 8D 7C")
VOIDS = ("KH JS KD / QS AH QC / AD AS KS / QD JC JK", "KC AC")
WITH_JOKER = "trump=S,joker=after_ah,renege={}"
STRICT = "spoil-five-strict:win_tricks=2"
OTHERS_PASS = "pass pass pass "

# fmt: off
POSITIONS = [
    *each("plain_lead={}", "trump=S,plain_lead={}", NOT_FOLLOWED,
        {"follow_or_trump": 315, "strict_follow": 90, "must_follow_or_trump": 63, "free": 756}),
    *each("renege={}, with a top trump in the trick", WITH_JOKER, TRUMP_LED,
        {"outranks_led": 588, "highest_so_far": 441, "expires_in_deal": 441,
         "single_unconditional": 525, "none": 210}),
    *each("renege={}, when the five has gone", WITH_JOKER, FIVE_GONE,
        {"outranks_led": 36, "highest_so_far": 36, "expires_in_deal": 18,
         "single_unconditional": 36, "none": 18}),
    *each("renege_cards={}", "trump=S,joker=after_ah,renege_cards={}", TRUMP_LED,
        {"top3": 588, "five_only": 315}),
    forty_five("head=five_cards", "trump=S,head=five_cards",
        ("AS 9S 8C / 7S 4C 7C / 2C KC QC", "5S JS AH KS 3D", "AS 7S 2C", 0), 441),
    forty_five("head=five_cards, rob_missed=ace_lowest where nobody can rob",
        "trump=S,head=five_cards,rob_missed=ace_lowest",
        ("AS 9S 8C / 7S 4C 7C / 2C KC QC", "5S JS AH KS 3D", "AS 7S 2C", 0), 441),
    *each("ah_lead_needs_heart={}", "trump=S,ah_lead_needs_heart={}", ACE_OF_HEARTS_LED,
        {"off": 420, "on": 285}),
    forty_five("ah_lead_needs_heart=on with renege=single_unconditional",
        "trump=S,ah_lead_needs_heart=on,renege=single_unconditional", ACE_OF_HEARTS_LED, 264),
    # robbing with the ace of trumps in hand
    *each("rob_forced={}, nobody robs", "rob_forced={}", NOBODY_ROBS, {"off": 315, "all": 150}),
    *each("rob_timing={}, who plays later may have to rob", "rob_forced=all,rob_timing={}",
        SECOND_TO_PLAY, {"split": 980, "before_first_lead": 560, "own_first_card": 980}),
    forty_five("a holder robs", "rob_missed=none", (*HOLDER, "KD rob:4C 3D 2C", 0), 150),
    forty_five("a holder robs before the lead", "rob_timing=before_first_lead",
        (*HOLDER, "rob:4C KD 3D 2C", 2), 210),
    *each("rob_announced=silent, rob_forced={}", "rob_announced=silent,rob_forced={}",
        (*HOLDER, "KD rob:4C 3D 2C", 0), {"off": 660, "all": 495}),
    forty_five("rob_announced=silent before the lead, to play last",
        "rob_announced=silent,rob_forced=all,rob_timing=before_first_lead",
        (*HOLDER, "rob:4C KD 3D", 2), 630),
    forty_five("rob_announced=silent without an ace of trumps in the pack", "rob_announced=silent",
        ("KD 9S 8C / 3S 4C 3D / 2C KC QC", "7S 5S JS 8D 7C", "KD 3D 2C", 0), 315),
    *each("rob_missed={}, a trump lead is not followed", "rob_missed={}", ACE_HIDDEN,
        {"none": 210, "ace_lowest": 90}),
    *each("rob_missed={}, the ace comes out", "rob_missed={}", ACE_PLAYED,
        {"none": 315, "ace_lowest": 315}),
    *each("rob_missed={} and rob_announced=silent, the ace comes out",
        "rob_missed={},rob_announced=silent", ACE_PLAYED, {"none": 945, "ace_lowest": 315}),
    forty_five("rob_missed=ace_lowest and rob_announced=silent, the ace comes out and is high",
        "rob_missed=ace_lowest,rob_announced=silent",
        (*ACE_PLAYED[:2], "9H rob:4C AH 2C", 0), 630),
    forty_five("rob_missed=ace_lowest and rob_announced=silent",
        "rob_missed=ace_lowest,rob_announced=silent", ACE_HIDDEN, 90),
    Position("rob_missed=barred: play goes on", STRICT, *SEAT_1_IN_FRONT, 0, 3),
    Position("rob_missed=barred and rob_announced=silent", f"{STRICT},rob_announced=silent",
        *SEAT_1_IN_FRONT, 2, 5),
    Position("rob_missed=barred: a jink is possible", STRICT, "KD 9S 8C / 4C 5S JS / 2C KC QC",
        "7S 3D AS 8D 7C", "KD 5S 2C JS KC 9S", 0, 12),
    # who is just asked in secret has not answered
    forty_five("who plays next may have to decide", "rob_missed=none", (*SHORT, "KD", 0), 560),
    forty_five("who plays next may have to decide in silence", "rob_announced=silent",
        (*SHORT, "KD", 0), 560),
    forty_five("somebody may have to decide before the lead", "rob_timing=before_first_lead",
        (*SHORT, "", 2), 560),
    # robbing with the ace turned up
    forty_five("the dealer robs", "rob_missed=none", (*ACE_TURNED, "rob:2C KD 3D QC", 0), 735),
    forty_five("the dealer leaves the ace", "rob_missed=ace_lowest",
        (*ACE_TURNED, "keep 9S 3D KC", 0), 210),
    forty_five("the dealer has just left the ace", "rob_missed=none", (*SHORT_ACE, "keep", 1), 560),
    forty_five("the dealer, who plays next, has just left the ace", "rob_timing=own_first_card",
        (*ACE_TURNED, "KD 3D keep", 0), 1260),
    forty_five("a holder has just robbed", "rob_missed=none", (*SHORT, "KD rob:4C", 0), 630),
    forty_five("dealer_ace=after_trick1, in the first trick", "dealer_ace=after_trick1",
        (*SHORT_ACE, "rob:2C 9S", 1), 630),
    forty_five("dealer_ace=after_trick1, after it", "dealer_ace=after_trick1",
        (*ACE_TURNED, "rob:2C 9S 3D KC", 0), 525),
    *each("a silent dealer, rob_forced={}", "rob_announced=silent,rob_forced={}",
        (*ACE_TURNED, "rob:2C KD 3D QC", 0), {"off": 1050, "dealer": 735}),
    forty_five("a silent dealer whose ace waits", "rob_announced=silent,dealer_ace=after_trick1",
        (*ACE_TURNED, "rob:2C 9S 3D KC", 0), 735),
    forty_five("a silent dealer with rob_timing=own_first_card",
        "rob_announced=silent,rob_timing=own_first_card", (*ACE_TURNED, "KD", 1), 1260),
    # a Joker turned up
    Position("a Joker turned up, before trumps", "forty-five-joker", JOKER_FIRST[0], "JK 7S 5S", "",
        0, 560),
    Position("a Joker turned up, then a holder robs", "forty-five-joker", *JOKER_FIRST,
        "rob:2C KD rob:4C 3D QC", 0, 200),
    Position("a Joker turned up, a holder's own view", "forty-five-joker", *JOKER_FIRST,
        "rob:2C KD", 1, 1680),
    Position("a Joker turned up, then an ace", "forty-five-joker", *TWO_TURNED,
        "rob:2C rob:KC KD 3D JK", 0, 3360),
    Position("a Joker turned up, then an ace, in silence", "forty-five-joker:rob_announced=silent",
        *TWO_TURNED, "rob:2C rob:KC 9S AS QC", 0, 1140),
    Position("a Joker turned up, the dealer holds the ace, in silence",
        "forty-five-joker:rob_announced=silent", "KD 9S 8C / 7C 4C 3D / 2C AS QC", "JK 7S 5S 8D KC",
        "rob:2C KD 3D rob:AS QC", 0, 680),
    # Five Hundred
    five_hundred("voids with trumps and a left bower", *VOIDS,
        f"bid:6S {OTHERS_PASS} discard:KC discard:AH done QC AD JK JS QD KD AC", 0, 90),
    five_hundred("a contractor's own view", "QS AC JC / QC KC JK / QD JS AH / KS AD KH", "AS KD",
        f"bid:6S {OTHERS_PASS} discard:KD discard:JK done AS JS", 1, 560),
    five_hundred("a Joker without a suit is led", "JS AH AC / JC QC JK / QD KH KC / KD AD QS",
        "AS KS",
        f"bid:6NT {OTHERS_PASS} discard:JC discard:QC done assign:none JK name:S KH QS JS KS QD", 0,
        150),
    five_hundred("a Joker without a suit is kept back", *VOIDS,
        f"bid:6NT {OTHERS_PASS} discard:KC discard:AH done QC AD JC KD AC AS", 0, 150),
    five_hundred("a Joker that was given a suit", "JS KH QD / JC QS AH / AS AC KS / QC KC AD",
        "KD JK", f"bid:6NT {OTHERS_PASS} discard:KD discard:AH done assign:H QS KS KC JS", 0, 450),
    five_hundred("a contractor may have to decide about the Joker", "AH AC / KC JK / KS KH / KD AD",
        "AS", f"bid:6NT {OTHERS_PASS} discard:KC done", 0, 630),
    five_hundred("a misère", "AD KH QC / JC QD KD / JS AH KS / AC AS QS", "JK KC",
        f"bid:misere {OTHERS_PASS} discard:KD discard:JK done QD JS AD KH JC AH", 0, 360,
        ":misere=anytime"),
    five_hundred("a misère seen by the partner, who sits out",
        "JK QD KH / AD AC JC / KC QC JS / QS KS AH", "AS KD",
        f"bid:misere {OTHERS_PASS} discard:KD discard:AD done JC KC JK KH AS", 3, 120,
        ":misere=anytime"),
    five_hundred("a hand laid open at open misère", "AS JK KD / KH KS JC / AD QC QS / AH JS QD",
        "AC KC", f"bid:open-misere {OTHERS_PASS} discard:AC discard:KH done JC QC KD QS AS KS", 0,
        60),
    five_hundred("passed out and played", "KD KC JS / QS QC QD / AC JK AH / JC KS AS", "AD KH",
        f"pass {OTHERS_PASS} QC AC JC KC JK name:D KS KD QD", 0, 48, ":pass_out=play_nt"),
    # Auction Forty-Fives; each world as often as its cards can have been drawn
    auction("cards are drawn", "KS AH / 7S QH / JS KH", "5S 3D KD 2C",
        "trump:H discard:KS done done discard:JS discard:KH done 7S", 0, 360),
    auction("nobody draws", "KS AH / 7S QH / JS KH", "5S 3D KD 2C",
        "trump:H discard:AH done QH KH KS", 2, 120, ":draw=off"),
    auction("a new stock, seen by who threw into it", "KS 2C / 5S AH / KD 7S", "QH JS KH",
        "trump:H discard:KS done discard:5S done discard:7S discard:KD done", 0, 720),
    auction("a new stock, later in the play", "KH 5S / QH AH / JS KD", "7S KS 2C",
        "trump:C discard:7S done discard:QH discard:AH done discard:JS done 2C QH 5S", 0, 120),
    auction("a new stock, seen by who draws the last card of the old one", "KS 5S / KD AH / 2C 7S",
        "KH QH JS", "trump:S discard:5S discard:KH done discard:AH done discard:2C done KD 7S QH",
        1, 240),
    auction("a new stock, seen by who draws last", "AH 5S / KS 2C / 7S JS", "KH KD QH",
        "trump:S discard:5S discard:KH done discard:KS discard:2C done done QH", 2, 720),
]
# fmt: on


# --- positions at random ------------------------------------------------------------------------

SMALL_GAMES = (
    "forty-five",
    "forty-five-joker",
    "spoil-five-traditional:win_tricks=2",
    "spoil-five-strict:win_tricks=2",
)
SMALL_OPTIONS = (
    "plain_lead",
    "renege",
    "renege_cards",
    "ah_lead_needs_heart",
    "head",
    "rob_timing",
    "dealer_ace",
    "rob_forced",
    "rob_missed",
    "rob_announced",
    "trump",
)
BIDDING_OPTIONS = (
    "plain_lead",
    "renege",
    "ah_lead_needs_heart",
    "name_trump",
    "draw",
    "draw_order",
    "misere",
    "pass_out",
    "joker_nt_suit",
    "joker_lead",
)
FEW_CARDS = 14


def random_small_deal(rng: random.Random) -> Game:
    """Return the beginning of a deal with few cards; sometimes of Five Hundred with all of them."""
    if rng.random() < 0.1:
        return Game("five-hundred", seed=rng.randrange(10**9))
    kind = rng.choice([small_turn_up_game, small_turn_up_game, small_five_hundred, small_auction])
    rules, players = kind(rng)
    pack = list(rules.deck_cards())
    rng.shuffle(pack)
    turned = players * int(rules.hand_size)
    if JOKER in pack and rules.turns_up and rng.random() < 0.3:
        joker = pack.index(JOKER)
        pack[turned], pack[joker] = pack[joker], pack[turned]
    return Game(rules, players, dealer=rng.randrange(players), pack=pack)


def small_five_hundred(rng: random.Random) -> tuple[RuleSet, int]:
    """Return a game of Five Hundred with hands of two or three, and the number of players."""
    rules = with_random_options(find_rules("five-hundred"), BIDDING_OPTIONS, rng)
    size, kitty = rng.choice([(2, 1), (2, 2), (3, 1), (3, 2)])
    others = rng.sample(rules.deck_cards()[:-1], 4 * size + kitty - 1)
    return shrunk(rules, [JOKER, *others], size, kitty), 4


def small_auction(rng: random.Random) -> tuple[RuleSet, int]:
    """Return an auction game with hands of two, in which the stock may run out."""
    rules = with_random_options(find_rules("auction-forty-fives"), BIDDING_OPTIONS, rng)
    players, stock = rng.choice([(2, 2), (2, 3), (3, 2), (3, 2), (3, 3)])
    return shrunk(rules, rng.sample(rules.deck_cards(), 2 * players + 1 + stock), 2, 1), players


def small_turn_up_game(rng: random.Random) -> tuple[RuleSet, int]:
    """Return a game with a turn-up, with hands of two or three, and the number of players."""
    base = find_rules(rng.choice(SMALL_GAMES)).with_options(hand_size=rng.choice([2, 3]))
    rules = with_random_options(base, SMALL_OPTIONS, rng)
    suits = rng.sample(range(4), 2) if rules.trump == "turned" else [rules.fixed_trump() or 0]
    cards = {13 * suit + rank for suit in suits for rank in (FIVE, JACK, KING, ACE)}
    cards |= {ACE_OF_HEARTS} | ({JOKER} if rules.joker != "none" else set())
    while len(cards) < FEW_CARDS:
        cards.add(rng.randrange(JOKER))
    deck = "+".join(card_name(card) for card in sorted(cards))
    return rules.with_options(deck=deck), rng.choice([2, 3, 3, 4])


def with_random_options(rules: RuleSet, names: Sequence[str], rng: random.Random) -> RuleSet:
    """Return rules with some of these options changed."""
    possible = [name for name in names if rules.family in OPTIONS[name].families]
    while True:
        changed = [name for name in possible if rng.random() < 0.4]
        values = {name: rng.choice(OPTIONS[name].words_in(rules.family)) for name in changed}
        try:
            return rules.with_options(**values)
        except RuleSetError:
            continue


def stopped(game: Game, rng: random.Random) -> Game:
    """Return a deal played on at random to some point, rather not to its very end."""
    points = [game.copy()]
    while not game.deal_is_over:
        game.push(rng.choice(game.legal_actions))
        points.append(game.copy())
    return rng.choice(points)
