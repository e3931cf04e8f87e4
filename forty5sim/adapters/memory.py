"""A deal in which every seat remembers what it has seen.

A view shows the table and a seat's own cards as they are now. Which of them it was dealt, which it
drew, and what it did in secret, a player knows too: with that, nobody forgets anything
(perfect recall).
"""

from __future__ import annotations

from typing import NamedTuple

from forty5sim.agent import View, view_of
from forty5sim.cards import Action, Card, Mask, Seat
from forty5sim.game import Game
from forty5sim.kernels.layout import NO_CARD
from forty5sim.notation import KEEP, NO_SUIT
from forty5sim.options import POT

SECRET_PHASES = ("rob", "discard", "assign")


class Memory(NamedTuple):
    """What a seat remembers that its view does not show.

    Attributes:
        dealt: the hand that it was dealt.
        gained: what came to its hand later, each time: the turn-up, the kitty, cards drawn.
        threw: the cards that it threw, in order.
        declined: whether it let a right pass in secret: to rob, to give the Joker a suit.
    """

    dealt: Mask
    gained: tuple[Mask, ...] = ()
    threw: tuple[Card, ...] = ()
    declined: bool = False

    def after(self, phase: str, action: Action) -> Memory:
        """Return what it remembers after an action of its own."""
        if action in (KEEP, NO_SUIT):
            return self._replace(declined=True)
        if phase in ("rob", "discard") and action < NO_CARD:
            return self._replace(threw=(*self.threw, action))
        return self


class RememberedDeal:
    """A deal under way: the game, and what each seat remembers of it.

    Attributes:
        game: the game; to be played on by ``push`` alone.
        memories: what each seat remembers.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._held = [hand.mask for hand in game.hands]
        self.memories = [Memory(hand) for hand in self._held]

    def push(self, action: Action) -> None:
        """Carry out an action of the seat to act.

        Raises:
            IllegalActionError: if it is not legal; nothing has changed then.
        """
        game, seat, phase = self.game, self.game.seat, self.game.phase
        game.push(action)
        if phase in SECRET_PHASES:
            self.memories[seat] = self.memories[seat].after(phase, action)
        held = [hand.mask for hand in game.hands]
        for seat, (before, now) in enumerate(zip(self._held, held, strict=True)):
            if gained := now & ~before:
                memory = self.memories[seat]
                self.memories[seat] = memory._replace(gained=(*memory.gained, gained))
        self._held = held

    def view(self, seat: Seat) -> View:
        """Return what a seat sees now."""
        return view_of(self.game, seat)

    def open_view(self) -> View:
        """Return what the table shows to everybody: what a seat sees that is not asked."""
        return view_of(self.game, (self.game.seat + 1) % self.game.players)

    def copy(self) -> RememberedDeal:
        """Return an independent copy."""
        twin = object.__new__(RememberedDeal)
        twin.game = self.game.copy()
        twin._held = self._held
        twin.memories = list(self.memories)
        return twin


def payoffs(game: Game) -> list[float]:
    """Return what a finished deal is worth to each seat; they sum to zero.

    The points of its side less the mean of the other sides; in pot games the net chips with an
    equal share of what the pot has gained.
    """
    points, n = game.points, len(game.points)
    if game.rules.family == POT:
        gained = game.pot - game.before.pot
        return [(n * points[side] + gained) / n for side in game.sides]
    total = sum(points)
    return [(n * points[side] - total) / (n - 1) for side in game.sides]
