"""Engines with a mistake planted, as clients of the line protocol, for the tests:

    python tests/conformance/wrong_engines.py MISTAKE

Each is this engine with some answers or rules altered.
"""

from __future__ import annotations

import sys

from forty5sim.cards import ACE_OF_HEARTS, Card, parse_suit
from forty5sim.options import FIVE_HUNDRED
from forty5sim.protocol import Engine, Message

HEARTS = parse_suit("H")


class AceIsAHeart(Engine):
    """The ace of hearts is a heart like others, the highest, unless hearts are trumps."""

    def answer(self, request: Message) -> Message:
        right = super().answer(request)
        ask = request["ask"]
        if ask not in ("legal", "trick") or "error" in right or not self.concerned():
            return right
        return {**right, **(self.other_winner() if ask == "trick" else self.other_legal(right))}

    def concerned(self) -> bool:
        return self.game.rules.family != FIVE_HUNDRED and self.game.trump not in (None, HEARTS)

    def other_legal(self, right: Message) -> Message:
        game = self.game
        if game.led in (None, ACE_OF_HEARTS) or game.phase != "play" or "AH" not in right["legal"]:
            return {}
        if game.led_suit == HEARTS:
            mine = [card for card in game.hands[game.seat] if game.effective_suit(card) == HEARTS]
            trumps = [c for c in right["legal"] if c[-1] == "SCDH"[game.trump or 0]]
            return {} if mine else {"legal": ["AH", *trumps]}
        legal = [card for card in right["legal"] if card != "AH"]
        return {"legal": legal or str(game.hands[game.seat]).split()}

    def other_winner(self) -> Message:
        game = self.game
        cards = game.played_to(game.history[-1])
        first = next(iter(cards.values()))
        led = HEARTS if first == ACE_OF_HEARTS else game.effective_suit(first)

        def height(card: Card) -> tuple[bool, bool, int]:
            if card == ACE_OF_HEARTS:
                return False, led == HEARTS, 99
            return game.is_trump(card), game.effective_suit(card) == led, game.strength(card)

        return {"winner": max(cards, key=lambda seat: height(cards[seat]))}


class NoRenege(Engine):
    """The top trumps may never be withheld from a trump lead."""

    def answer(self, request: Message) -> Message:
        if request["ask"] == "new" and request["rules"]["family"] != FIVE_HUNDRED:
            rules = request["rules"]
            options = {**rules["options"], "renege": "none"}
            request = {**request, "rules": {**rules, "options": options}}
        return super().answer(request)


class FirstSideWins(Engine):
    """Where several sides are at the target after a deal, side 0 wins."""

    def answer(self, request: Message) -> Message:
        right = super().answer(request)
        scores = right.get("after", {}).get("scores", [])
        if sum(score >= int(self.game.rules.target) for score in scores) < 2:
            return right
        return {**right, "winner": 0}


MISTAKES = {"ace": AceIsAHeart, "renege": NoRenege, "both-over": FirstSideWins}


def main(mistake: str) -> None:
    """Answer requests, wrongly."""
    engine = MISTAKES[mistake](mistake)
    for line in sys.stdin:
        print(engine.answer_line(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
