"""All that a seat must hold possible, found by trying everything (docs/rules.md 6).

Every deal of a small pack that agrees with what a seat has of its own is dealt in turn. Whatever
could then have been done is done, in public as it was seen, in secret in every possible way; and
where the seat first sees exactly what it sees, that is one history more: who may just be asked
something in secret has not yet answered. Nothing is inferred and nothing is skipped but what
cannot lead there, so that this is slow, and hard to get wrong.

As a program it holds samples of the library against the histories of all ``POSITIONS``, and exact
chances against those of random positions; it exits with 1 where they differ.

    python tests/reference/consistent.py --draws 1000000
    python tests/reference/consistent.py --draws 0 --random 10000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import forty5sim
from forty5sim.agent import View, view_of
from forty5sim.cards import (
    ACE,
    ACE_OF_HEARTS,
    FIVE,
    JACK,
    JOKER,
    KING,
    Action,
    Card,
    CardSet,
    Mask,
    Seat,
    card_name,
    mask_of,
    parse_card,
)
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE
from forty5sim.options import AUCTION
from forty5sim.rules import OPTIONS, RuleSet
from tests.rulebook.bidding_table import bidding_deal
from tests.rulebook.table import deal, play

World = tuple[tuple[Mask, ...], tuple[Mask, ...]]
"""What each seat holds, and what each seat has thrown."""


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


# --- histories --------------------------------------------------------------------------------


class Sight:
    """What a seat sees in a deal, and what it has had.

    Attributes:
        game: the deal.
        seat: the seat.
        view: its view.
        words: the public words of the view.
        own: every card that it ever had.
        drawn: how many cards have been drawn from the stock by all.
        one_kitty: whether only such deals are tried in which the kitty, once a bidder has taken
            it up, was the lowest of his cards. Which of them it was multiplies all numbers alike.
    """

    def __init__(self, game: Game, seat: Seat, every_kitty: bool = False) -> None:
        self.game, self.seat = game, seat
        self.view = view_of(game, seat)
        self.words = self.view._block(0, layout.PUBLIC_SIZE)
        self.own = self.view.hand.mask | self.view.thrown.mask | played_by(self.view, seat)
        self.drawn = cards_drawn(self.view)
        taken_up = self.view.trump is not None and self.view.bidder is not None
        self.one_kitty = taken_up and not every_kitty

    def is_had_by(self, game: Game) -> bool:
        """Say whether a deal looks the same to the seat."""
        if game._word(layout.PLAYS) != self.words[layout.PLAYS]:
            return False
        other = view_of(game, self.seat)
        return (
            other._words == self.words
            and other.hand == self.view.hand
            and other.thrown == self.view.thrown
            and other.legal_mask == self.view.legal_mask
        )

    def rules_out(self, game: Game) -> bool:
        """Say whether the seat has come to cards that it never had."""
        state = game._state
        return bool(
            (state[layout.HANDS + self.seat] | state[layout.THROWN + self.seat]) & ~self.own
        )


def consistent(game: Game, seat: Seat, *, every_kitty: bool = False) -> Counter[World]:
    """Return how many histories of a deal lead to each world that a seat holds possible.

    Where there is a kitty, or cards are drawn, all numbers may be too small or too large by one
    and the same factor: the stock has an order here, and see ``Sight.one_kitty``.
    """
    return Counter(world_of(found) for found in histories(game, seat, every_kitty=every_kitty))


def world_of(game: Game) -> World:
    """Return who holds which cards now, and who has thrown which."""
    return tuple(hand.mask for hand in game.hands), tuple(cards.mask for cards in game.thrown)


def histories(game: Game, seat: Seat, *, every_kitty: bool = False) -> Iterator[Game]:
    """Yield a deal in every form in which a seat sees what it sees now."""
    sight = Sight(game, seat, every_kitty)
    for pack in packs(sight):
        yield from continued(dealt_again(game, pack), sight)


def dealt_again(game: Game, pack: Sequence[Card]) -> Game:
    """Return the beginning of a deal, with other cards."""
    before = game.before
    return Game(
        game.rules,
        game.players,
        seed=game.seed,
        dealer=game.dealer,
        pack=pack,
        scores=before.scores,
        pot=before.pot,
        playing=game.dealt_in,
        sets=before.sets,
        deals=before.deals,
    )


def continued(game: Game, sight: Sight) -> Iterator[Game]:
    """Yield all that can follow from here, up to where the seat sees what it sees."""
    if sight.is_had_by(game):
        yield game
        return
    for action in actions_to_try(game, sight):
        for new_stock in new_stocks(game, sight, action):
            twin = game.copy()
            twin._rule_words = game._rule_words  # looked up once
            if new_stock:
                twin._lay_restock(new_stock)
            twin.push(action)
            if not sight.rules_out(twin):
                yield from continued(twin, sight)


def actions_to_try(game: Game, sight: Sight) -> list[Action]:
    """Return the legal actions that are, or may be, those which led to what is seen."""
    wanted = game.legal_actions
    if game.phase == "play":
        wanted = next_of(game, sight, layout.PLAYS, layout.HISTORY)
    elif game.phase == "auction":
        calls = next_of(game, sight, layout.CALLS, layout.CALL_LOG)
        wanted = [call & layout.CALL_BITS for call in calls]
    elif game.phase == "trump":
        wanted = [] if sight.view.trump is None else [sight.view.trump]
    elif game.phase == "discard":
        wanted = throws_to_try(game, sight)
    return [action for action in wanted if game.can(action)]


def next_of(game: Game, sight: Sight, count: int, log: int) -> list[int]:
    """Return what comes next in a public log, in a list; nothing at its end."""
    done = game._word(count)
    return sight.words[log + done : log + min(done + 1, sight.words[count])]


def throws_to_try(game: Game, sight: Sight) -> list[Action]:
    """Return what the seat to act may throw next, or that it has thrown all it threw."""
    seat = game.seat
    if game.discarded[seat] == sight.view.discarded[seat]:
        return [DONE]
    return list(sight.view.thrown if seat == sight.seat else game.hands[seat])


def new_stocks(game: Game, sight: Sight, action: Action) -> Iterable[tuple[Card, ...]]:
    """Return the orders in which thrown cards may come back, if this action needs a new stock."""
    if game.phase != "discard" or action != DONE or game.restock:
        return [()]
    drawn = int(game.rules.hand_size) - len(game.hands[game.seat])
    if drawn <= len(game.pack) - game._word(layout.STOCK):
        return [()]
    cards = CardSet(game._word(layout.THROWN_BEFORE))
    used = game.players * int(game.rules.hand_size) + game.rules.kitty_size
    return ordered(list(cards), sight.drawn - (len(game.pack) - used))


# --- deals ------------------------------------------------------------------------------------


def packs(sight: Sight) -> Iterator[list[Card]]:
    """Yield every order of the pack that may have been dealt, cards that lie together as a set."""
    if sight.game.rules.has_auction:
        return packs_with_a_kitty(sight)
    return packs_with_a_turnup(sight)


def packs_with_a_turnup(sight: Sight) -> Iterator[list[Card]]:
    """Yield every deal of a game in which a card is turned up, or trumps are fixed."""
    rules, view = sight.game.rules, sight.view
    turned = turned_up(view)
    free = [card for card in rules.deck_cards() if card not in turned]
    dealt = {s: played_by(view, s) for s in sight.game.dealt_in}
    if sight.seat in dealt:
        dealt[sight.seat] = sight.own
    places = [(mask & mask_of(free), int(rules.hand_size)) for mask in dealt.values()]
    for hands, rest in filled(places, free):
        yield [card for hand in hands for card in hand] + turned + rest


def turned_up(view: View) -> list[Card]:
    """Return the cards that were turned up, in order."""
    joker = [JOKER] if view._word(layout.JOKER_TURNED) else []
    return joker + [card for card in [view.turnup] if card not in (None, JOKER)]


def packs_with_a_kitty(sight: Sight) -> Iterator[list[Card]]:
    """Yield every deal of a bidding game; if cards are drawn, with every order of those."""
    deck = list(sight.game.rules.deck_cards())
    for mine in combinations(CardSet(sight.own), hand_dealt(sight, sight.seat)):
        for groups, stock in filled(places_dealt(sight, mask_of(mine)), deck):
            dealt = with_one_kitty(sight, groups) if sight.one_kitty else groups
            for order in ordered(stock, sight.drawn):
                yield [*(card for group in dealt for card in group), *order]


def hand_dealt(sight: Sight, seat: Seat) -> int:
    """Return how many cards a seat was dealt, those of a kitty that it took up included."""
    takes = sight.one_kitty and seat == sight.view.bidder
    return int(sight.game.rules.hand_size) + (sight.game.rules.kitty_size if takes else 0)


def places_dealt(sight: Sight, mine: Mask) -> list[tuple[Mask, int]]:
    """Return for each seat what it was dealt for certain, and how many cards; then the kitty."""
    view, places = sight.view, []
    for seat in range(view.players):
        may_have_come_later = sight.drawn or (seat == view.bidder and not sight.one_kitty)
        held = 0 if may_have_come_later else played_by(view, seat)
        places.append((mine if seat == sight.seat else held, hand_dealt(sight, seat)))
    return places if sight.one_kitty else [*places, (0, sight.game.rules.kitty_size)]


def with_one_kitty(sight: Sight, groups: Sequence[list[Card]]) -> list[list[Card]]:
    """Return hands dealt and the kitty where a bidder's lowest cards were the kitty."""
    size = sight.game.rules.kitty_size
    low_first = [sorted(group) for group in groups]
    bidder = sight.view.bidder
    hands = [group[size:] if s == bidder else group for s, group in enumerate(low_first)]
    return [*hands, *(group[:size] for s, group in enumerate(low_first) if s == bidder)]


def ordered(cards: Sequence[Card], count: int) -> Iterator[tuple[Card, ...]]:
    """Yield cards with every choice of the first ones in every order, the rest as they are."""
    for first in permutations(cards, min(count, len(cards))):
        yield first + tuple(card for card in cards if card not in first)


def cards_drawn(view: View) -> int:
    """Return how many cards have been drawn in the exchange, from the stock or a new one."""
    if view.rules.family != AUCTION or view.rules.draw == "off":
        return 0
    kitty = {view.bidder: view.rules.kitty_size}
    return sum(max(0, count - kitty.get(s, 0)) for s, count in enumerate(view.discarded))


def filled(
    places: Sequence[tuple[Mask, int]], cards: Sequence[Card]
) -> Iterator[tuple[list[list[Card]], list[Card]]]:
    """Yield every way to fill places, each with cards it has and its size, and what is left."""
    if not places:
        yield [], list(cards)
        return
    (held, size), *others = places
    claimed = mask_of(card for mask, _ in places for card in CardSet(mask))
    free = [card for card in cards if not claimed >> card & 1]
    for more in combinations(free, size - held.bit_count()):
        group = [*CardSet(held), *more]
        rest = [card for card in cards if card not in group]
        for groups, left in filled(others, rest):
            yield [group, *groups], left


def played_by(view: View, seat: Seat) -> Mask:
    """Return the cards that a seat has played."""
    tricks = [view.played_to(trick) for trick in view.history]
    return mask_of(
        [trick[seat] for trick in tricks if seat in trick]
        + [card for s, card in view.trick if s == seat]
    )


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
    forty_five("who plays next may have to decide", "rob_missed=none", (*HOLDER, "KD", 0), 4200),
    forty_five("who plays next may have to decide in silence", "rob_announced=silent",
        (*HOLDER, "KD", 0), 4200),
    forty_five("somebody may have to decide before the lead", "rob_timing=before_first_lead",
        (*HOLDER, "", 2), 4200),
    # robbing with the ace turned up
    forty_five("the dealer robs", "rob_missed=none", (*ACE_TURNED, "rob:2C KD 3D QC", 0), 735),
    forty_five("the dealer leaves the ace", "rob_missed=ace_lowest",
        (*ACE_TURNED, "keep 9S 3D KC", 0), 210),
    forty_five("the dealer has just left the ace", "rob_missed=none", (*ACE_TURNED, "keep", 1),
        4200),
    forty_five("the dealer, who plays next, has just left the ace", "rob_timing=own_first_card",
        (*ACE_TURNED, "KD 3D keep", 0), 1260),
    forty_five("a holder has just robbed", "rob_missed=none", (*HOLDER, "KD rob:4C", 0), 3780),
    forty_five("dealer_ace=after_trick1, in the first trick", "dealer_ace=after_trick1",
        (*ACE_TURNED, "rob:2C 9S", 1), 3780),
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


@lru_cache(maxsize=256)
def histories_of(position: Position) -> Counter[World]:
    """Return what ``consistent`` counts at a position."""
    return consistent(position.game(), position.seat)


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
MOST_PACKS = 200


def random_position(rng: random.Random, most_packs: int = MOST_PACKS) -> tuple[Game, Seat]:
    """Return a small deal stopped somewhere, with a seat; few enough deals can be tried for it."""
    while True:
        game = stopped(random_small_deal(rng), rng)
        seat = rng.randrange(game.players)
        if game.phase == "discard":
            seat = game.seat
        if is_kept_waiting(game, seat):
            continue
        if sum(1 for _ in islice(packs(Sight(game, seat)), most_packs + 1)) <= most_packs:
            return game, seat


def is_kept_waiting(game: Game, seat: Seat) -> bool:
    """Say whether a seat's own turn waits because somebody else is asked in secret before."""
    return game.asks_in_secret and game.seat != seat == game.seat_to_play


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


# --- comparing ----------------------------------------------------------------------------------

LEAST_EXPECTED = 5
"""What is to be expected at least in each cell of a chi-square test."""
BATCH = 20_000
UNLIKELY = 1e-5


def chances(worlds: Counter[World], players: int) -> NDArray[np.float64]:
    """Return the chance that a seat holds a card now, float64 of shape (players, 53)."""
    found = np.zeros((players, JOKER + 1))
    for (hands, _), count in worlds.items():
        for seat, hand in enumerate(hands):
            found[seat, list(CardSet(hand))] += count
    return found / sum(worlds.values())


def sampled(view: View, draws: int, seed: int = 0) -> Counter[World]:
    """Return how often each world comes among samples of the library."""
    found: Counter[World] = Counter()
    for batch in range(-(-draws // BATCH)):
        count = min(BATCH, draws - batch * BATCH)
        worlds = forty5sim.determinize(view, count, seed=seed + batch)
        rows = np.concatenate([worlds.hands, worlds.thrown], axis=1)
        different, counts = np.unique(rows, axis=0, return_counts=True)
        for row, times in zip(different.tolist(), counts.tolist(), strict=True):
            found[tuple(row[: view.players]), tuple(row[view.players :])] += times
    return found


def p_value(worlds: Counter[World], found: Counter[World]) -> float:
    """Return how likely samples are to be as far from what they should be; 0 if impossible."""
    draws, total = sum(found.values()), sum(worlds.values())
    if set(found) - set(worlds):
        return 0.0
    assert draws * min(worlds.values()) >= LEAST_EXPECTED * total, "more draws are needed"
    if len(worlds) == 1:
        return 1.0
    expected = [draws * count / total for count in worlds.values()]
    return float(stats.chisquare([found[world] for world in worlds], expected).pvalue)


def draws_needed(worlds: Counter[World], draws: int) -> int:
    """Return so many draws, or as many as a chi-square test needs."""
    return max(draws, -(-LEAST_EXPECTED * sum(worlds.values()) // min(worlds.values())))


def compare_samples(draws: int, seed: int) -> bool:
    """Print for each position whether samples are as they should be; say whether all are."""
    all_well = True
    for number, position in enumerate(POSITIONS):
        worlds, view = histories_of(position), view_of(position.game(), position.seat)
        found = sampled(view, draws_needed(worlds, draws), seed + 1000 * number)
        p = p_value(worlds, found)
        all_well &= p > UNLIKELY
        print(f"p = {p:8.2g}  {len(worlds):5} worlds  {position}", flush=True)
    return all_well


def compare_chances(count: int, seed: int) -> bool:
    """Print the random positions where exact chances differ; say whether there are none."""
    all_well = True
    for number in range(count):
        game, seat = random_position(random.Random(f"{seed}/{number}"))
        worlds = consistent(game, seat)
        found = forty5sim.marginals(view_of(game, seat))
        if not np.allclose(found, chances(worlds, game.players), atol=1e-9):
            all_well = False
            print(f"position {number} of seed {seed}, seat {seat}:\n{game.rules.id}\n{game}")
    return all_well


def main() -> None:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=100_000, help="samples of each position")
    parser.add_argument("--random", type=int, default=0, help="random positions to compare")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    well = options.draws == 0 or compare_samples(options.draws, options.seed)
    well &= compare_chances(options.random, options.seed)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
