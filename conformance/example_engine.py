"""A small engine for a few games, as an example of a client of the conformance suite.

    python conformance/run.py "python conformance/example_engine.py"

It plays Forty-Five with a turn-up, robbing and the bonus for the best trump, to any target, and
answers ``unsupported`` to all else. Only Python's standard library is needed.
"""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import dataclass, field
from typing import Any

GAMES = ["forty-five", "forty-five-to-25", "forty-five-to-110"]
KNOWN = {
    "plain_red_ace": "lowest", "plain_black_ace": "below_jack", "joker": "none", "head": "modern",
    "plain_lead": "follow_or_trump", "renege": "outranks_led", "renege_cards": "top3",
    "ah_lead_needs_heart": "off", "rob_timing": "split", "dealer_ace": "at_once",
    "rob_forced": "off", "rob_missed": "none", "bonus": "best_trump", "bonus_needs_top": "off",
    "trick_scoring": "points", "stop_at_target": "off", "tie": "nondealer_first", "sweep": "off",
    "jink": "off", "hand_size": 5, "trump": "turned", "deck": "standard",
}  # fmt: skip
"""The options it knows, each with the one value it plays."""

FREE = ("target", "tie_equal", "sides", "first_dealer", "rob_announced")
"""Options that it plays whatever they are, or that do not matter within a deal."""

RED = {suit: ["10", "9", "8", "7", "6", "5", "4", "3", "2"] for suit in "DH"}
PIPS = RED | {suit: ["2", "3", "4", "5", "6", "7", "8", "9", "10"] for suit in "SC"}


class UnsupportedError(Exception):
    """Rules that this engine does not play."""


class RequestError(Exception):
    """A request that cannot be answered here."""


def trumps_of(trump: str) -> list[str]:
    """Return the trumps, best first."""
    top = ["5" + trump, "J" + trump, "AH"]
    ranks = ["A", "K", "Q", *PIPS[trump]]
    return top + [rank + trump for rank in ranks if rank + trump not in top]


def plain_of(suit: str) -> list[str]:
    """Return the cards of a plain suit, best first; the ace of hearts is none of them."""
    ranks = ["K", "Q", "J", *PIPS[suit]]
    if suit in "SC":
        ranks.insert(3, "A")
    return [rank + suit for rank in ranks + ["A"] * (suit == "D")]


@dataclass
class Deal:
    """A deal on the table."""

    hands: list[list[str]]
    sides: list[int]
    dealer: int
    turnup: str
    scores: list[int]
    target: int
    seat: int = 0
    trick: list[str] = field(default_factory=list)
    tricks: list[dict[str, Any]] = field(default_factory=list)
    robber: int | None = None

    def __post_init__(self) -> None:
        self.trump = self.turnup[-1]
        self.trumps = trumps_of(self.trump)
        self.seat = self.leader = (self.dealer + 1) % len(self.hands)
        ace = "A" + self.trump
        holders = [seat for seat, hand in enumerate(self.hands) if ace in hand]
        self.robber = self.dealer if self.turnup == ace else holders[0] if holders else None

    @property
    def is_over(self) -> bool:
        """Whether all tricks are played."""
        return len(self.tricks) == 5

    @property
    def robs(self) -> bool:
        """Whether robbing is to be decided now: by the dealer at once, else at one's first turn."""
        at_once = self.turnup[:-1] == "A"
        return self.robber is not None and (at_once or self.robber == self.seat)

    @property
    def to_act(self) -> int | None:
        """The seat that has to act."""
        if self.is_over:
            return None
        return self.robber if self.robs else self.seat

    def legal(self) -> list[str]:
        """Return what the seat to act may do."""
        if self.is_over:
            return []
        if self.robs and self.robber is not None:
            return ["keep", *("rob " + card for card in self.hands[self.robber])]
        hand = self.hands[self.seat]
        if not self.trick:
            return hand
        led = self.trick[0]
        mine = [card for card in hand if card in self.trumps]
        if led in self.trumps:
            return mine if any(self.obliges(card, led) for card in mine) else hand
        follows = [card for card in hand if card[-1] == led[-1] and card not in self.trumps]
        return follows + mine if follows else hand

    def obliges(self, card: str, led: str) -> bool:
        """Say whether a trump must be played to this lead: all but top trumps above it."""
        place = self.trumps.index(card)
        return place > 2 or place > self.trumps.index(led)

    def apply(self, action: str) -> None:
        """Carry out an action."""
        if action not in self.legal():
            raise RequestError(f"{action!r} is not legal now; legal: {', '.join(self.legal())}")
        if action == "keep" or action.startswith("rob "):
            self.rob(action)
            return
        self.hands[self.seat].remove(action)
        self.trick.append(action)
        self.seat = (self.seat + 1) % len(self.hands)
        if len(self.trick) == len(self.hands):
            self.end_trick()

    def rob(self, action: str) -> None:
        """Take up the turn-up, or do not."""
        assert self.robber is not None
        if action != "keep":
            hand = self.hands[self.robber]
            hand[hand.index(action.split()[1])] = self.turnup
        self.robber = None

    def end_trick(self) -> None:
        """Give the trick to whoever played its best card."""
        order = [*self.trumps, *(plain_of(self.trick[0][-1]))]
        best = min((card for card in self.trick if card in order), key=order.index)
        winner = (self.leader + self.trick.index(best)) % len(self.hands)
        self.tricks.append({"leader": self.leader, "cards": self.trick, "winner": winner})
        self.seat = self.leader = winner
        self.trick = []

    def result(self) -> dict[str, Any]:
        """Return what came of the deal."""
        if not self.is_over:
            raise RequestError("the deal is not over")
        points, won = [0] * len(self.scores), [0] * len(self.hands)
        for trick in self.tricks:
            won[trick["winner"]] += 1
            points[self.sides[trick["winner"]]] += 5
        fallen = [card for trick in self.tricks for card in trick["cards"] if card in self.trumps]
        if fallen:
            best = min(fallen, key=self.trumps.index)
            trick = next(trick for trick in self.tricks if best in trick["cards"])
            points[self.sides[trick["winner"]]] += 5
        scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        order = [
            self.sides[(self.dealer + 1 + i) % len(self.hands)] for i in range(len(self.hands))
        ]
        winner = next((side for side in order if scores[side] >= self.target), None)
        return {
            "tricks": won,
            "points": points,
            "after": {"scores": scores},
            "outcome": "scored" if winner is None else "game-won",
            "winner": winner,
        }


def count(deal: Deal, depth: int) -> int:
    """Return the number of legal sequences of so many actions."""
    if depth == 1:
        return len(deal.legal())
    total = 0
    for action in deal.legal():
        after = copy.copy(deal)
        after.hands, after.trick = [list(hand) for hand in deal.hands], list(deal.trick)
        after.tricks = list(deal.tricks)
        after.apply(action)
        total += count(after, depth - 1)
    return total


def laid(request: dict[str, Any]) -> Deal:
    """Return the deal of a ``new`` request."""
    rules = request["rules"]
    if rules["family"] != "counting":
        raise UnsupportedError(f"the family {rules['family']}")
    for name, value in rules["options"].items():
        if name not in FREE and KNOWN.get(name) != value:
            raise UnsupportedError(f"{name}={value}")
    hands = [list(hand) for hand in request["hands"]]
    cards = request["sides"], request["dealer"], request["turnup"], request["before"]["scores"]
    return Deal(hands, *cards, rules["options"]["target"])


class Example:
    """The client of the suite: it holds one deal, and answers requests about it."""

    def __init__(self) -> None:
        self.deal: Deal | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        try:
            told = self.told(request["ask"], request)
        except UnsupportedError as reason:
            told = {"unsupported": str(reason)}
        except RequestError as mistake:
            told = {"error": str(mistake)}
        return {"id": request["id"], **told}

    def told(self, ask: str, request: dict[str, Any]) -> dict[str, Any]:
        """Return what an answer tells."""
        if ask == "hello":
            return {"protocol": 1, "engine": "example", "games": GAMES}
        if ask == "new":
            self.deal = None  # should this one be unsupported
            self.deal = laid(request)
            return {"ok": True}
        if self.deal is None:
            raise RequestError("no deal is laid")
        return told_of(self.deal, ask, request)


def told_of(deal: Deal, ask: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a deal."""
    if ask == "legal":
        return {"seat": deal.to_act, "legal": deal.legal()}
    if ask == "apply":
        deal.apply(request["action"])
        return {"ok": True}
    if ask == "trick" and deal.tricks:
        return deal.tricks[-1]
    if ask == "hand":
        return {"hand": deal.hands[request["seat"]]}
    if ask == "result":
        return deal.result()
    if ask == "perft":
        return {"count": count(deal, request["depth"])}
    raise UnsupportedError(f"the request {ask}")


def main() -> None:
    """Answer requests, one a line, until there are no more."""
    example = Example()
    for line in sys.stdin:
        print(json.dumps(example.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
