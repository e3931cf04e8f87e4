"""A deal in which every chance is an action: the dealer, each card dealt, turned up or drawn.

The engine is given the cards as they fall: the hands, the turn-up and the kitty before the first
decision, and of the stock only what is drawn, when it is drawn. So all outcomes of a chance are
equally likely, and no chance is taken that nothing depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from forty5sim.adapters.memory import RememberedDeal
from forty5sim.arena.conditions import Conditions
from forty5sim.cards import Action, Card, Seat
from forty5sim.errors import RuleSetError, is_whole
from forty5sim.game import MAX_CHIPS, Game
from forty5sim.kernels import layout
from forty5sim.notation import DONE
from forty5sim.rules import RuleSet

DRAWN_BY_LOT = -1
"""In place of a dealer: every seat is equally likely to deal."""


@dataclass(frozen=True)
class Terms:
    """What is played: the deals of a board, one at a time.

    Attributes:
        rules: the rule set.
        players: seats at the table.
        dealer: the seat that deals, DRAWN_BY_LOT unless the rules name it.
        pot: chips in the pot before the antes (pot games).

    Raises:
        RuleSetError: if the game is not for so many players, or has no such seat, or no pot.
    """

    rules: RuleSet
    players: int
    dealer: Seat = DRAWN_BY_LOT
    pot: int = 0

    def __post_init__(self) -> None:
        if not is_whole(self.players, 0, MAX_CHIPS):
            raise RuleSetError(f"players must be a whole number, got {self.players!r}")
        self.rules.side_count(self.players)
        if not is_whole(self.dealer, DRAWN_BY_LOT, self.players - 1):
            raise RuleSetError(
                f"dealer {self.dealer!r} is no seat; seats are 0..{self.players - 1}, and"
                f" {DRAWN_BY_LOT} draws one"
            )
        if not is_whole(self.pot, 0, MAX_CHIPS):
            raise RuleSetError(f"pot must be a whole number 0..{MAX_CHIPS}, got {self.pot!r}")
        self.conditions()

    @property
    def fixed_dealer(self) -> Seat | None:
        """The seat that deals, None if it is drawn."""
        if self.dealer != DRAWN_BY_LOT:
            return self.dealer
        return self.rules.first_dealer if isinstance(self.rules.first_dealer, int) else None

    @property
    def dealt(self) -> int:
        """The number of cards that are dealt before the first decision."""
        hands = self.players * int(self.rules.hand_size)
        return hands + self.rules.kitty_size + self.rules.turns_up

    @property
    def worst(self) -> float:
        """The worst payoff that the rules allow a seat."""
        conditions = self.conditions()
        return conditions.worst_payoff / conditions.payoff_units

    @property
    def best(self) -> float:
        """A bound on the payoff of a seat: what the other sides can lose together."""
        return -self.worst * (self.rules.side_count(self.players) - 1)

    def conditions(self, seed: int = 0) -> Conditions:
        """Return the same as conditions of a tournament with a seed."""
        return Conditions(self.rules, self.players, seed, self.pot)

    def game(self, dealer: Seat, pack: list[Card]) -> Game:
        """Return the deal of a pack."""
        return Game(self.rules, self.players, dealer=dealer, pack=pack, pot=self.pot, alone=True)


class Waiting(NamedTuple):
    """An action that waits for the cards that are drawn or turned up by it.

    Attributes:
        action: the action.
        stock: how many cards of the stock it takes.
        pools: for each card to come, out of which cards it comes.
        came: the cards that have come.
    """

    action: Action
    stock: int
    pools: tuple[tuple[Card, ...], ...]
    came: tuple[Card, ...] = ()

    @property
    def possible(self) -> list[Card]:
        """The cards of which one comes next, ascending."""
        return [card for card in self.pools[len(self.came)] if card not in self.came]


class ChanceDeal:
    """One deal, by actions of chance and of the seats.

    Attributes:
        terms: what is played.
        dealer: the seat that deals, None while it is to be drawn.
        dealt: the cards dealt so far, in dealing order.
        table: the deal, None until the cards are dealt.
        waiting: the action of a seat that waits for cards, if one does.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.dealer = terms.fixed_dealer
        self.dealt: list[Card] = []
        self.table: RememberedDeal | None = None
        self.waiting: Waiting | None = None
        self._left = list(terms.rules.deck_cards())

    @property
    def outcomes(self) -> list[int]:
        """What may come of the chance that is due, each equally likely; empty if none is."""
        if self.table is None:
            return list(range(self.terms.players)) if self.dealer is None else self._left
        return self.waiting.possible if self.waiting else []

    def draw(self, outcome: int) -> None:
        """Let an outcome of the chance that is due come true."""
        if self.table is not None:
            self._come(outcome)
        elif self.dealer is None:
            self.dealer = outcome
        else:
            self._left.remove(outcome)
            self.dealt.append(outcome)
            if len(self.dealt) == self.terms.dealt:
                self.table = RememberedDeal(
                    self.terms.game(self.dealer, [*self.dealt, *self._left])
                )

    def push(self, action: Action) -> None:
        """Carry out an action of the seat to act, at once or when its cards have come."""
        assert self.table is not None
        self.waiting = _waiting(self.table.game, action)
        if self.waiting is None:
            self.table.push(action)

    def _come(self, card: Card) -> None:
        assert self.waiting is not None
        assert self.table is not None
        waiting = self.waiting._replace(came=(*self.waiting.came, card))
        self.waiting = waiting
        if len(waiting.came) < len(waiting.pools):
            return
        self.waiting = None
        _lay(self.table.game, waiting)
        self.table.push(waiting.action)

    def copy(self) -> ChanceDeal:
        """Return an independent copy."""
        twin = object.__new__(ChanceDeal)
        twin.terms, twin.dealer, twin.waiting = self.terms, self.dealer, self.waiting
        twin.dealt, twin._left = list(self.dealt), list(self._left)
        twin.table = self.table.copy() if self.table else None
        return twin

    def __deepcopy__(self, memo: object) -> ChanceDeal:
        return self.copy()


def _waiting(game: Game, action: Action) -> Waiting | None:
    """Return what an action waits for; None if it neither draws cards nor turns one up.

    The engine says what it takes: the action is tried on a copy.
    """
    if not (game.phase == "discard" and action == DONE) and game.phase != "rob":
        return None
    game.verify(action)
    trial = game.copy()
    trial.push(action)
    before, after = game.state, trial.state
    stock = int(after[layout.STOCK] - before[layout.STOCK])
    again = int(after[layout.RESTOCK_NEXT] - before[layout.RESTOCK_NEXT])
    if stock + again == 0:
        return None
    lying = tuple(sorted(game.pack[int(before[layout.STOCK]) :]))
    return Waiting(action, stock, (lying,) * stock + _again(game, trial, again))


def _again(game: Game, trial: Game, count: int) -> tuple[tuple[Card, ...], ...]:
    """Return out of which cards thrown each of so many comes: an earlier new stock, then a later.

    ``trial`` is the game after they were drawn in some order.
    """
    next_, size = (int(game.state[field]) for field in (layout.RESTOCK_NEXT, layout.RESTOCK_SIZE))
    earlier = tuple(sorted(trial.restock[next_:size]))
    later = tuple(sorted(trial.restock[size:]))
    first = min(count, len(earlier))
    return (earlier,) * first + (later,) * (count - first)


def _lay(game: Game, waiting: Waiting) -> None:
    """Lay the cards that came where the engine draws them, those that did not after them."""
    came = list(waiting.came)
    stock = came[: waiting.stock]
    pools = list(dict.fromkeys(waiting.pools[waiting.stock :]))
    again = [card for pool in pools for card in _ordered(pool, came[waiting.stock :])]
    lying = game.pack[int(game.state[layout.STOCK]) :]
    game.lay_stock([*stock, *(card for card in lying if card not in stock)], again)


def _ordered(pool: tuple[Card, ...], came: list[Card]) -> Iterator[Card]:
    """Yield the cards of a pool: those that came first, in their order."""
    yield from (card for card in came if card in pool)
    yield from (card for card in pool if card not in came)


def outcomes_of(terms: Terms, game: Game) -> Iterator[int]:
    """Yield the outcomes of all chances in a deal that was played: the dealer, the cards in order.

    Of the cards drawn in an exchange only those that came from the stock and the new stock.
    """
    if terms.fixed_dealer is None:
        yield game.dealer
    yield from game.pack[: int(game.state[layout.STOCK])]
    yield from game.restock[: int(game.state[layout.RESTOCK_NEXT])]
