"""What one seat knows, and determinization: sampling whole deals that agree with it.

    worlds = determinize(view, n=1000, seed=0)
    worlds.hands          # int64 (n, players): the cards each seat holds, as masks
    worlds[0]             # the first of them as a Game, played to this point
    marginals(view)       # float64 (players, 53): the chance that a seat holds a card

What a seat can conclude from the rules is written in docs/rules.md 6. Every complete history
(the cards dealt, and every hidden action: cards thrown, a silent rob) that agrees with everything
the seat sees is equally likely; what bids and plays say about skill or taste is not weighed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import overload

import numpy as np
from numpy.typing import NDArray

from forty5sim.agent import View
from forty5sim.cards import Card, CardSet, Mask, Seat, mask_of
from forty5sim.errors import ViewError, is_whole
from forty5sim.game import Game
from forty5sim.histories import replayed
from forty5sim.kernels import evidence, layout, shares, views
from forty5sim.kernels.determinize import ALL_FACTS_SIZE, MAX_HYPOTHESES
from forty5sim.kernels.vector import Vector
from forty5sim.tables import rule_tables

CARDS = layout.MAX_DECK
MOST_DETERMINIZATIONS = 10**8
MOST_SEED = 2**63 - 1
ROOM = 1 << 14
"""Words for the table of a class count to begin with; it grows when it must."""


class InformationSet:
    """Everything that the seat of a view may conclude from it.

    Args:
        view: what a seat sees; of any seat, but not while another one chooses what to throw.

    Attributes:
        view: the same.
        unseen: the cards that the seat cannot place.

    Raises:
        ViewError: if no deal agrees with the view.
    """

    def __init__(self, view: View) -> None:
        if not isinstance(view, View):
            hint = ": view_of(game) is what the seat to act sees" if isinstance(view, Game) else ""
            raise ViewError(f"a View is needed, got a {type(view).__name__}{hint}")
        if view.phase == "discard" and view.seat != view.observer:
            raise ViewError(
                f"seat {view.seat} is choosing cards to throw; what seat {view.observer} knows"
                " can be sampled when it is done"
            )
        self.view = view
        self._public = np.asarray(view._words[: layout.PUBLIC_SIZE], dtype=np.int64)
        self._facts: Vector = np.zeros(ALL_FACTS_SIZE, dtype=np.int64)
        self._plan: Vector = np.zeros(shares.PLAN_SIZE, dtype=np.int64)
        self._chances = _chances(ROOM)
        ways = self._read()
        while ways < 0:
            self._chances = _chances(int(-ways))
            ways = self._read()
        if ways == 0:
            raise ViewError(f"no deal agrees with what seat {view.observer} sees:\n{view}")
        self.unseen = CardSet(int(self._facts[evidence.UNSEEN]))

    def _read(self) -> float:
        return views.read_view(
            self._public,
            self.view.hand.mask,
            self.view.thrown.mask,
            self.view.observer,
            self.view.legal_mask == 0,
            rule_tables(self.view.rules),
            self._facts,
            self._plan,
            self._chances,
        )

    def determinize(self, n: int, seed: int = 0) -> Determinizations:
        """Return ``n`` determinizations; the i-th depends on the seed and i alone."""
        if not is_whole(n, 0, MOST_DETERMINIZATIONS):
            raise ViewError(f"n must be a whole number from 0 on, got {n!r}")
        states = np.zeros((n, layout.STATE_SIZE), dtype=np.int64)
        self.fill(states, seed)
        return Determinizations(self.view, states, seed)

    def fill(self, states: Vector, seed: int = 0) -> None:
        """Write a determinization into each row of an array (n, layout.STATE_SIZE), int64.

        Raises:
            ViewError: if the array is not of this kind, or the seed no whole number of 64 bits.
        """
        is_rows = states.ndim == 2 and states.shape[1] == layout.STATE_SIZE
        if not is_rows or states.dtype != np.int64 or not states.flags.c_contiguous:
            raise ViewError(
                f"states must be an int64 array of shape (n, {layout.STATE_SIZE}), in one piece;"
                f" got {states.dtype} {states.shape}"
            )
        if not is_whole(seed, -MOST_SEED - 1, MOST_SEED):
            raise ViewError(f"seed must be a whole number of 64 bits, got {seed!r}")
        several = np.count_nonzero(self._weights) > 1  # then the table is made anew
        views.sample_view(
            states,
            self._public,
            self.view.thrown.mask,
            rule_tables(self.view.rules),
            self._facts,
            self._plan.copy(),
            self._chances.copy() if several else self._chances,
            int(seed),
        )

    @property
    def _weights(self) -> NDArray[np.float64]:
        return self._chances[shares.WEIGHTS : shares.WEIGHTS + MAX_HYPOTHESES]

    @property
    def count(self) -> float:
        """The number of ways to place the unseen cards: in hands, as cards thrown, as the rest.

        How the rest divides into kitty, stock and cards thrown in an exchange is not counted.
        Exact up to 2^53.
        """
        return math.fsum(weight for _, _, weight in self._cases(_Counter()))

    def marginals(self) -> NDArray[np.float64]:
        """Return the chance that a seat holds a card now, float64 of shape (players, 53)."""
        chances = np.zeros((self.view.players, CARDS))
        counter, total = _Counter(), self.count
        for facts, owners, weight in self._cases(counter):
            for seat, cards in enumerate(self._held_for_certain(facts, owners)):
                chances[seat, list(CardSet(cards))] += weight / total
            self._add_unseen(chances, facts, weight / total, counter)
        return chances

    def _held_for_certain(self, facts: Vector, owners: dict[Card, Seat | None]) -> list[Mask]:
        known = [int(facts[evidence.KNOWN + seat]) for seat in range(self.view.players)]
        for card, owner in owners.items():
            if owner is not None:
                known[owner] |= 1 << card
        return known

    def _add_unseen(
        self, chances: NDArray[np.float64], facts: Vector, share: float, counter: _Counter
    ) -> None:
        """Add the chances of the cards that are open in a case, one count for cards alike."""
        ways = counter.ways(facts)
        for cards in _alike(facts):
            for seat in range(self.view.players):
                if facts[evidence.ALLOW + seat] & 1 << cards[0] and facts[evidence.NEED + seat]:
                    placed = facts.copy()
                    _place(placed, cards[0], seat)
                    chances[seat, cards] += share * counter.ways(placed) / ways

    def _cases(self, counter: _Counter) -> Iterator[tuple[Vector, dict[Card, Seat | None], float]]:
        """Yield facts without either-ors, who holds the cards that these turn on, their ways.

        An either-or turns on a few cards (top trumps, or the observer's own drawn again): for
        each way to give them out, what is left are cards that a seat can or cannot hold.
        """
        for h in range(MAX_HYPOTHESES):
            facts = self._facts[h * evidence.FACTS_SIZE : (h + 1) * evidence.FACTS_SIZE]
            if self._weights[h] == 0:
                continue
            seats = _tied_seats(facts)
            cards = list(CardSet(_turning_cards(facts, seats)))
            for chosen in product([None, *seats], repeat=len(cards)):
                owners = dict(zip(cards, chosen, strict=True))
                case = _case(facts, seats, owners)
                if case is None:
                    continue
                weight = counter.ways(case) * self._histories(case, owners, counter)
                if weight > 0:
                    yield case, owners, weight

    def _histories(
        self, facts: Vector, owners: dict[Card, Seat | None], counter: _Counter
    ) -> float:
        """Return how many histories each way of a case stands for, where a stock ran out."""
        if not facts[evidence.RETURNED]:
            return 1.0
        plan = counter.plan
        plan[shares.LOT : shares.LOT + evidence.BINS] = 0
        for card, owner in owners.items():
            if owner is not None:
                plan[shares.LOT + owner] |= 1 << card
        rules = rule_tables(self.view.rules)
        return float(views.count_histories(self._public, rules, facts, plan, counter.chances))


class _Counter:
    """Counts ways to deal unseen cards to bins, in working memory of its own."""

    def __init__(self) -> None:
        self.plan: Vector = np.zeros(shares.PLAN_SIZE, dtype=np.int64)
        self.chances = _chances(ROOM)

    def ways(self, facts: Vector) -> float:
        """Return the number of ways."""
        ways = views.count_lots(facts, self.plan, self.chances)
        while ways < 0:
            self.chances = _chances(int(-ways))
            ways = views.count_lots(facts, self.plan, self.chances)
        return float(ways)


def _chances(room: int) -> NDArray[np.float64]:
    """Return words for counting: the binomial coefficients, and room for a table."""
    chances = np.zeros(max(room, ROOM))
    chances[shares.BINOMIALS : shares.BINOMIALS + shares.ROW**2] = _binomials()
    return chances


@cache
def _binomials() -> NDArray[np.float64]:
    rows = [[math.comb(n, k) for k in range(shares.ROW)] for n in range(shares.ROW)]
    return np.array(rows, dtype=float).reshape(-1)


def _tied_seats(facts: Vector) -> list[Seat]:
    """Return the seats whose hands no mask of cards can describe."""
    again = int(facts[evidence.AGAIN_MASK]) if facts[evidence.RETURNED] else 0
    return [
        seat
        for seat in range(layout.MAX_SEATS)
        if facts[evidence.FEW + seat] or facts[evidence.EITHER + seat] or again >> seat & 1
        if seat != facts[evidence.OBSERVER]
    ]


def _turning_cards(facts: Vector, seats: Sequence[Seat]) -> Mask:
    """Return the unseen cards that the either-ors of these seats turn on."""
    cards = int(facts[evidence.RETURNED])
    for seat in seats:
        excuse = int(facts[evidence.EXCUSE + seat]) if facts[evidence.EITHER + seat] else 0
        may_hold = int(facts[evidence.ALLOW + seat])
        cards |= may_hold & (int(facts[evidence.FEW + seat]) | excuse)
    return cards & int(facts[evidence.UNSEEN])


def _case(facts: Vector, seats: Sequence[Seat], owners: dict[Card, Seat | None]) -> Vector | None:
    """Return the facts once the owners of some cards are fixed; None if they do not agree.

    A card without an owner is with none of these seats.
    """
    case = facts.copy()
    for card, owner in owners.items():
        if owner is not None:
            if not case[evidence.ALLOW + owner] >> card & 1 or not case[evidence.NEED + owner]:
                return None
            _place(case, card, owner)
        for seat in seats:
            case[evidence.ALLOW + seat] &= ~(1 << card)
    for seat in seats:
        own = mask_of(card for card, owner in owners.items() if owner == seat)
        if (own & int(facts[evidence.FEW + seat])).bit_count() > 1:
            return None
        either = facts[evidence.EITHER + seat]
        if either and not own & int(facts[evidence.EXCUSE + seat]):
            if either == evidence.EXCUSED:
                return None
            case[evidence.ALLOW + seat] &= ~facts[evidence.HEARTS]
    return case


def _place(facts: Vector, card: Card, bin_: int) -> None:
    """Put an unseen card into a bin."""
    facts[evidence.UNSEEN] &= ~(1 << card)
    facts[evidence.ALLOW : evidence.ALLOW + evidence.BINS] &= ~(1 << card)
    facts[evidence.NEED + bin_] -= 1


def _alike(facts: Vector) -> list[list[Card]]:
    """Return the unseen cards, those together that the same bins may hold."""
    allow = facts[evidence.ALLOW : evidence.ALLOW + evidence.BINS]
    classes: dict[tuple[int, ...], list[Card]] = {}
    for card in CardSet(int(facts[evidence.UNSEEN])):
        classes.setdefault(tuple((allow >> card & 1).tolist()), []).append(card)
    return list(classes.values())


class Determinizations(Sequence[Game]):
    """Determinizations of a view: arrays of all of them, and each as a Game.

    Attributes:
        states: complete states for the kernels, int64 of shape (n, layout.STATE_SIZE).
    """

    def __init__(self, view: View, states: Vector, seed: int) -> None:
        self.view = view
        self.states = states
        self._seed = seed

    def __len__(self) -> int:
        return len(self.states)

    @property
    def hands(self) -> NDArray[np.int64]:
        """The cards that each seat holds, masks of shape (n, players)."""
        return self._block(layout.HANDS)

    @property
    def thrown(self) -> NDArray[np.int64]:
        """The cards that each seat has thrown, masks of shape (n, players)."""
        return self._block(layout.THROWN)

    def _block(self, field: int) -> NDArray[np.int64]:
        return self.states[:, field : field + self.view.players]

    @overload
    def __getitem__(self, place: int) -> Game: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Game]: ...
    def __getitem__(self, place: int | slice) -> Game | Sequence[Game]:
        """Return one of them as a game played from the deal to this point."""
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        return replayed(self.view, self.states[place], f"{self._seed}/{place}")

    def __repr__(self) -> str:
        return f"<{len(self)} determinizations of the view of seat {self.view.observer}>"


def determinize(view: View, n: int = 1, seed: int = 0) -> Determinizations:
    """Sample whole deals that agree with everything a seat sees, each equally likely.

    Raises:
        ViewError: if no deal agrees with the view, or another seat is choosing what to throw.
    """
    return InformationSet(view).determinize(n, seed)


def marginals(view: View) -> NDArray[np.float64]:
    """Return the chance that a seat holds a card now, float64 of shape (players, 53).

    Exact, not sampled: what is missing to 1 in a card's column is the chance that it was played,
    thrown or not dealt.

    Raises:
        ViewError: as ``determinize``.
    """
    return InformationSet(view).marginals()
