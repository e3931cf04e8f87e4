"""Single deals to compare: what lies before them, and the engine and the reference dealt alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from forty5sim.cards import JOKER, card_name
from forty5sim.game import Game
from forty5sim.rules import RuleSet
from tests.reference import cards
from tests.reference.deal import Deal

CARDS = [card_name(card) for card in range(JOKER + 1)]
CARD_OF = {name: card for card, name in enumerate(CARDS)}


@cache
def reference_options(rules: RuleSet) -> cards.Options:
    """The options of a rule set as the reference takes them."""
    options: dict[str, Any] = {**rules.options(), "family": rules.family}
    if rules.deck != "standard":
        options["deck"] = rules.deck.split("+")
    return options


class QuickDeal(Deal):
    """The reference, but it works out what is legal only once for each decision."""

    known: set[str] | None = None

    def legal(self) -> set[str]:
        if self.known is None:
            self.known = super().legal()
        return self.known

    def apply(self, action: str) -> None:
        super().apply(action)
        self.known = None


@dataclass
class Case:
    """One deal to compare."""

    rules: RuleSet
    players: int
    dealer: int
    scores: list[int]
    pot: int
    pack: list[str]
    actions: list[str] = field(default_factory=list)

    def engine(self) -> Game:
        return Game(
            self.rules,
            self.players,
            dealer=self.dealer,
            pack=[CARD_OF[name] for name in self.pack],
            scores=self.scores,
            pot=self.pot,
        )

    def reference(self) -> Deal:
        before: dict[str, object] = {"scores": self.scores}
        if self.rules.family == "pot":
            before = {"pot": self.pot, "stacks": self.scores}
        sides = self.rules.side_count(self.players)
        options = reference_options(self.rules)
        return QuickDeal(options, self.players, sides, self.dealer, self.pack, before)

    def __str__(self) -> str:
        return (
            "from forty5sim import Game, parse_action, parse_card\n"
            f"pack = [parse_card(c) for c in {' '.join(self.pack)!r}.split()]\n"
            f"game = Game({self.rules.id!r}, {self.players}, dealer={self.dealer}, pack=pack,"
            f" scores={self.scores}, pot={self.pot})\n"
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
        below = range(0, int(rules.target), 5)
        scores = [rng.choice(below) for _ in range(rules.side_count(players))]
    pack = cards.pack(reference_options(rules))
    rng.shuffle(pack)
    case = Case(rules, players, dealer, scores, pot, pack)
    stack_pack(case, rng)
    return case


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
