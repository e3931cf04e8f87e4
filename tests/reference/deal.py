"""One deal of a turn-up game, action by action."""

from collections.abc import Sequence
from typing import TypedDict, cast

from tests.reference import cards
from tests.reference.cards import JOKER, Options, number, word
from tests.reference.scores import (
    PotBook,
    best_trump,
    bonus_trick,
    counting_jink_window,
    counting_points,
    counting_stops,
    counting_winner,
)


class Trick(TypedDict):
    """A finished trick."""

    leader: int
    cards: list[str]
    winner: int


class Deal:
    """State of one deal: `phase`, `seat` to act, `legal()`, `apply(action)`, `result()`."""

    def __init__(
        self,
        options: Options,
        players: int,
        sides: int,
        dealer: int,
        pack: list[str],
        before: dict[str, object],
        active: list[int] | None = None,
    ) -> None:
        self.options, self.players, self.sides, self.dealer = options, players, sides, dealer
        self.active = list(range(players)) if active is None else sorted(active)
        self.phase, self.seat = "play", -1
        self.trump: str | None = None
        self.turnup: str | None = None
        self.right: int | None = None  # the seat whose right to rob is still open
        self.missed = False  # a holder has let the right to rob pass
        self.late_ace: str | None = None  # joins the dealer's hand after trick 1
        self.thrown: list[str] = []
        self.tricks: list[Trick] = []
        self.tricks_won = [0] * players
        self.trick: list[str] = []  # on the table
        self.jink_side: int | None = None  # counting games
        self.book: PotBook | None = None  # pot games
        self._read_before(before)
        self._deal_cards(pack)
        self.leader = self.turn = self._left_of(dealer)  # turn: the next seat to play a card
        self._begin()

    # Beginning

    def _read_before(self, before: dict[str, object]) -> None:
        if self.options["family"] == "counting":
            self.scores = list(cast(Sequence[int], before["scores"]))
            return
        pot, stacks = cast(int, before["pot"]), cast(Sequence[int], before["stacks"])
        self.book = PotBook(self.options, self.active, self.dealer, pot, stacks)

    def _deal_cards(self, pack: list[str]) -> None:
        if sorted(pack) != sorted(cards.pack(self.options)):
            raise ValueError("this is not the pack of the game")
        size = number(self.options, "hand_size")
        self.stock = list(pack)
        self.hands: list[set[str]] = [set() for _ in range(self.players)]
        for seat in self.active:
            self.hands[seat] = set(self.stock[:size])
            self.stock = self.stock[size:]
        if any(len(self.hands[seat]) != size for seat in self.active):
            raise ValueError("not enough cards")

    def _begin(self) -> None:
        if self.options["trump"] != "turned":
            self.trump = word(self.options, "trump")
            self._play_on()
            return
        self.turnup = self.stock.pop(0)
        if self.turnup == JOKER:
            self.phase, self.seat, self.right = "rob", self.dealer, self.dealer
        else:
            self._make_trump()

    def _make_trump(self) -> None:
        """The turn-up makes trump; whoever must be asked before the first lead is asked."""
        assert self.turnup is not None
        self.trump = cards.suit_of(self.turnup)
        self.right = cards.rob_right(self.options, self.turnup, self.dealer, self.hands)
        early = ["split", "before_first_lead"] if self._ace_up() else ["before_first_lead"]
        if self.right is not None and self.options["rob_timing"] in early:
            self.phase, self.seat = "rob", self.right
        else:
            self._play_on()

    def _ace_up(self) -> bool:
        return self.turnup is not None and self.turnup[0] == "A"

    def _left_of(self, seat: int) -> int:
        return next((s for s in self.active if s > seat), self.active[0])

    def _play_on(self) -> None:
        """The seat whose turn it is plays, unless it must first be asked whether it robs."""
        self.seat = self.turn
        self.phase = "rob" if self.right == self.seat else "play"

    # Acting

    def legal(self) -> set[str]:
        """The actions the seat to act may choose from; empty when the deal is over."""
        if self.phase == "rob":
            throws = {"rob " + card for card in self.hands[self.seat]}
            return throws if self.rob_is_forced() else throws | {"keep"}
        if self.phase == "jink":
            return {"jink", "stop"}
        if self.phase == "over":
            return set()
        assert self.trump is not None
        hand, earlier = self.hands[self.seat], [c for t in self.tricks for c in t["cards"]]
        return cards.legal_cards(self.options, self.trump, hand, self.trick, earlier, self.missed)

    def rob_is_forced(self) -> bool:
        """Must whoever has the right rob?"""
        if self.turnup == JOKER or self.options["rob_forced"] == "all":
            return True
        return self.options["rob_forced"] == "dealer" and self._ace_up()

    def apply(self, action: str) -> None:
        """Carry out one action of the seat to act."""
        if action not in self.legal():
            raise ValueError(f"seat {self.seat} cannot {action!r} in phase {self.phase!r}")
        if action == "keep":
            self._keep()
        elif action.startswith("rob "):
            self._rob(action.removeprefix("rob "))
        elif self.phase == "jink":
            self._answer(action)
        else:
            self._play(action)

    def _keep(self) -> None:
        self.missed = not self._ace_up()
        if self.book is not None and self.options["rob_missed"] == "barred":
            self.book.barred = self.seat
        self.right = None
        self._play_on()

    def _rob(self, card: str) -> None:
        assert self.turnup is not None
        hand = self.hands[self.seat]
        hand.remove(card)
        self.thrown.append(card)
        taken, self.right = self.turnup, None
        if taken == JOKER:
            hand.add(taken)
            self.turnup = self.stock.pop(0)
            self._make_trump()
            return
        if self._ace_up() and self.options["dealer_ace"] == "after_trick1" and hand:
            self.late_ace = taken
        else:
            hand.add(taken)
        self._play_on()

    def _play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append(card)
        if len(self.trick) < len(self.active):
            self.turn = self._left_of(self.seat)
            self._play_on()
        else:
            self._finish_trick()

    def _finish_trick(self) -> None:
        assert self.trump is not None
        index = cards.trick_winner(self.options, self.trump, self.trick, self.missed)
        winner = self.leader
        for _ in range(index):
            winner = self._left_of(winner)
        self.tricks.append({"leader": self.leader, "cards": self.trick, "winner": winner})
        self.tricks_won[winner] += 1
        self.trick, self.leader, self.turn = [], winner, winner
        if self.late_ace is not None:
            self.hands[self.dealer].add(self.late_ace)
            self.late_ace = None
        self._after_trick(winner)

    # After a trick

    def _won(self) -> list[int]:
        """The side that won each trick."""
        return [trick["winner"] % self.sides for trick in self.tricks]

    def _after_trick(self, winner: int) -> None:
        if self.book is not None:
            self.book.trick(winner)
            asked = self.book.asked is not None
            stops = self.book.stops()
        else:
            won = self._won()
            stops = counting_stops(self.options, self.dealer, self.scores, won, self.jink_side)
            asked = counting_jink_window(self.options, won)
        if stops:
            self.phase, self.seat = "over", -1
        elif asked:
            self.phase, self.seat = "jink", winner
        else:
            self._play_on()

    def _answer(self, action: str) -> None:
        if self.book is not None:
            self.book.answer(action)
            if self.book.stops():
                self.phase, self.seat = "over", -1
                return
        elif action == "jink":
            self.jink_side = self.seat % self.sides
        self._play_on()

    # Result

    def result(self) -> dict[str, object]:
        """What came of the deal."""
        if self.phase != "over":
            raise ValueError("the deal is not over")
        if self.book is None:
            return self._counting_result()
        return {
            "outcome": self.book.outcome,
            "points": self.book.points(),
            "after": {"pot": self.book.pot, "stacks": list(self.book.stacks)},
            "tricks": list(self.tricks_won),
            "winner": None,
        }

    def _counting_result(self) -> dict[str, object]:
        assert self.trump is not None
        options, won, played = self.options, self._won(), [t["cards"] for t in self.tricks]
        best = best_trump(options, self.trump, played, self.missed)
        bonus = bonus_trick(options, self.trump, best, self.missed)
        points = counting_points(options, self.sides, won, bonus, self.jink_side)
        winner = counting_winner(options, self.dealer, self.scores, won, bonus, self.jink_side)
        outcome = "scored" if self.jink_side is None else "jink-made"
        return {
            "outcome": outcome if winner is None else "game-won",
            "points": points,
            "after": {"scores": [a + b for a, b in zip(self.scores, points, strict=True)]},
            "tricks": list(self.tricks_won),
            "winner": winner,
        }
