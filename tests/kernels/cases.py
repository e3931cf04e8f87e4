"""Single deals to compare: what lies before them, and the engine and the reference dealt alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from forty5sim.cards import JOKER, card_name
from forty5sim.game import Game
from forty5sim.options import Value
from forty5sim.rules import RuleSet
from tests.reference import cards
from tests.reference.bidding_deal import BiddingDeal
from tests.reference.deal import Deal

AnyDeal = Deal | BiddingDeal

CARDS = [card_name(card) for card in range(JOKER + 1)]
CARD_OF = {name: card for card, name in enumerate(CARDS)}


@cache
def reference_options(rules: RuleSet) -> cards.Options:
    """The options of a rule set as the reference takes them."""
    options: dict[str, Any] = {**rules.options(), "family": rules.family}
    if rules.deck != "standard":
        options["deck"] = rules.deck.split("+")
    if rules.family == "auction":
        options |= {"hand_size": 5, "deck": "standard", "trick_scoring": "points"}
    return options


class Quick:
    """The reference, but it works out what is legal only once for each decision."""

    known: set[str] | None = None

    def legal(self) -> set[str]:
        if self.known is None:
            self.known = super().legal()  # type: ignore[misc]
        return self.known

    def apply(self, action: str) -> None:
        super().apply(action)  # type: ignore[misc]
        self.known = None


class QuickDeal(Quick, Deal):
    """A deal of a game with a turn-up."""


class QuickBiddingDeal(Quick, BiddingDeal):
    """A deal of a game with an auction."""


@dataclass
class Case:
    """One deal to compare."""

    rules: RuleSet
    players: int
    dealer: int
    scores: list[int]
    pot: int
    pack: list[str]
    sets: list[int] = field(default_factory=list)
    deals: int = 0
    actions: list[str] = field(default_factory=list)

    def engine(self) -> Game:
        return Game(
            self.rules,
            self.players,
            dealer=self.dealer,
            pack=[CARD_OF[name] for name in self.pack],
            scores=self.scores,
            pot=self.pot,
            sets=self.sets or None,
            deals=self.deals,
        )

    def reference(self) -> AnyDeal:
        before: dict[str, object] = {"scores": self.scores}
        if self.rules.family == "pot":
            before = {"pot": self.pot, "stacks": self.scores}
        sides = self.rules.side_count(self.players)
        options = reference_options(self.rules)
        if self.rules.has_auction:
            before |= {"sets": self.sets or [0] * sides, "deals": self.deals}
            return QuickBiddingDeal(options, self.players, sides, self.dealer, self.pack, before)
        return QuickDeal(options, self.players, sides, self.dealer, self.pack, before)

    def __str__(self) -> str:
        return (
            "from forty5sim import Game, parse_action, parse_card\n"
            f"pack = [parse_card(c) for c in {' '.join(self.pack)!r}.split()]\n"
            f"game = Game({self.rules.id!r}, {self.players}, dealer={self.dealer}, pack=pack,"
            f" scores={self.scores}, pot={self.pot}, sets={self.sets or None},"
            f" deals={self.deals})\n"
            f"for action in {self.actions}:\n    game.push(parse_action(action))"
        )


def random_case(rules: RuleSet, players: int, rng: random.Random) -> Case:
    """A random deal with random scores or chips before it."""
    dealer, pot = rng.randrange(players), 0
    if rules.family == "pot":
        pot = rng.choice([0, 0, 1, 3, 5, 11, 24])
        chips = [1, 2, 5, 20] if rules.unpaid == "all_in" else [20, 50]
        scores = [rng.choice(chips) for _ in range(players)]
    else:
        scores = random_scores(rules, rules.side_count(players), rng)
    pack = [CARDS[card] for card in rules.deck_cards()]
    rng.shuffle(pack)
    case = Case(rules, players, dealer, scores, pot, pack)
    if rules.has_auction:
        draw_history(case, rng)
    else:
        stack_pack(case, rng)
    return case


def random_scores(rules: RuleSet, sides: int, rng: random.Random) -> list[int]:
    """Scores that do not end the game yet; near the target more often than chance has it."""
    target, step = int(rules.target), 10 if rules.family == "five-hundred" else 5
    least = 0 if not rules.has_auction else max(-target, _above(rules.lose_at, step))
    scores = range(least, target, step)
    close = scores[-7:]
    near = rules.has_auction and rng.random() < 0.4
    return [rng.choice(close if near else scores) for _ in range(sides)]


def _above(lose_at: Value, step: int) -> int:
    return -(10**6) if isinstance(lose_at, str) else (lose_at // step + 1) * step


def draw_history(case: Case, rng: random.Random) -> None:
    """Let some bids have been set before, and some deals been played, but not too many."""
    rules, most = case.rules, 3
    if isinstance(rules.sets_lose, int):
        most = rules.sets_lose - 1
    case.sets = [rng.randrange(most + 1) for _ in case.scores]
    last = rules.game_deals - 1 if isinstance(rules.game_deals, int) else 5
    case.deals = rng.randrange(last + 1)


def stack_pack(case: Case, rng: random.Random) -> None:
    """Now and then turn up an ace or the Joker, or give a seat the best trumps."""
    pack, size = case.pack, int(case.rules.hand_size)
    turned = case.players * size

    def put(card: str, place: int) -> None:
        if card in pack and place < len(pack):
            other = pack.index(card)
            pack[place], pack[other] = card, pack[place]

    luck = rng.random()
    if luck < 0.1:
        put(rng.choice(["AS", "AC", "AD", "AH", "JK"]), turned)
    elif luck < 0.35:
        suit = case.rules.trump if turned >= len(pack) else cards.suit_of(pack[turned])
        strong = rng.randrange(case.players) * size
        for i, card in enumerate(cards.trumps(reference_options(case.rules), suit or "H")[:size]):
            if turned >= len(pack) or card != pack[turned]:
                put(card, strong + i)
