"""What a seat sees as numbers and as text: one layout for all adapters.

The vector is made of named pieces, each built from the seat's ``View``, or from what it remembers
(``memory.Memory``), so that nothing hidden can be in it. Seats are relative to the observer: place
0 is the observer, 1 the seat to its left. Cards are numbers 0..52, as everywhere; bids have the
numbers of ``forty5sim.bids``. Every number lies between -1 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import prod

import numpy as np
from numpy.typing import NDArray

from forty5sim.adapters.memory import Memory
from forty5sim.agent import View
from forty5sim.bids import BID_COUNT, BID_NAMES
from forty5sim.cards import Card, CardSet, Mask, Seat, card_name, suit_name, trump_name
from forty5sim.kernels.layout import MAX_DECK, NO_SUIT_GIVEN
from forty5sim.notation import HOLD, PASS, PHASE_NAMES, action_word
from forty5sim.options import POT
from forty5sim.rules import RuleSet

ACTION_COUNT = NO_SUIT_GIVEN + 1
"""Actions are numbers below this one; what they mean depends on the phase (``notation``)."""

Floats = NDArray[np.float32]
PHASES = list(PHASE_NAMES.values())
TRUMPS = 5  # the suits, and no trumps
SUITS = 4

Values = Iterable[tuple[int, float]]
"""What a piece holds: places within it, and the numbers there."""


@dataclass(frozen=True)
class Sight:
    """One seat's view of a deal, with what the pieces need of it.

    Attributes:
        view: the view; where only what is public is shown, of any seat.
        observer: the seat that the places of seats are relative to.
        memory: what the seat remembers.
    """

    view: View
    observer: Seat
    memory: Memory

    def place(self, seat: Seat) -> int:
        """Return where a seat sits as the observer counts: 0 is the observer."""
        return (seat - self.observer) % self._players

    @cached_property
    def _players(self) -> int:
        return self.view.players

    @cached_property
    def plays(self) -> list[tuple[Seat, Card]]:
        """Who played which card, in order."""
        finished = (self.view.played_to(trick).items() for trick in self.view.history)
        return [*chain.from_iterable(finished), *self.view.trick]


@dataclass(frozen=True)
class Piece:
    """A named part of the vector.

    Attributes:
        name: what it is called.
        shape: of its numbers.
        read: what gives its numbers.
        is_private: whether only this seat sees it.
        is_remembered: whether it is in no view: for perfect recall.
    """

    name: str
    shape: tuple[int, ...]
    read: Callable[[Sight], Values]
    is_private: bool = False
    is_remembered: bool = False

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


class Layout:
    """The pieces of one game's vector, in order.

    Args:
        rules: the game.
        players: the number of seats.
        public: whether what everybody sees is in it.
        private: whether what only the observer sees is in it.
        recall: whether what the observer remembers is in it.

    Attributes:
        pieces: the pieces.
        size: how many numbers the vector has.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        *,
        public: bool = True,
        private: bool = True,
        recall: bool = True,
    ) -> None:
        self.pieces = [
            piece
            for piece in _pieces(rules, players)
            if (private if piece.is_private else public) and (recall or not piece.is_remembered)
        ]
        sizes = [piece.size for piece in self.pieces]
        self.size = sum(sizes)
        self._starts = [sum(sizes[:i]) for i in range(len(sizes))]

    def write(self, sight: Sight, vector: Floats) -> None:
        """Write what is seen into a vector of ``size`` numbers."""
        places: list[int] = []
        numbers: list[float] = []
        for piece, start in zip(self.pieces, self._starts, strict=True):
            for place, number in piece.read(sight):
                places.append(start + place)
                numbers.append(number)
        vector.fill(0)
        vector[places] = numbers

    def parts(self, vector: Floats) -> dict[str, Floats]:
        """Return the pieces of a vector by name, in their shapes; they share its memory."""
        parts = {}
        for piece, start in zip(self.pieces, self._starts, strict=True):
            parts[piece.name] = vector[start : start + piece.size].reshape(piece.shape)
        return parts


# --- the pieces --------------------------------------------------------------------------------


def _pieces(rules: RuleSet, players: int) -> list[Piece]:
    """Return all pieces of a game."""
    pieces = [*_seat_pieces(players), *_card_pieces(rules, players), *_score_pieces(rules, players)]
    pieces += _bidding_pieces(rules, players) if rules.has_auction else _rob_pieces(players)
    return [*pieces, *_remembered_pieces()]


def _seat_pieces(n: int) -> list[Piece]:
    return [
        Piece("observer", (n,), lambda s: _one(s.observer), is_private=True),
        Piece("phase", (len(PHASES),), lambda s: _one(PHASES.index(s.view.phase))),
        Piece("to_act", (n,), _to_act),
        Piece("dealer", (n,), lambda s: _one(s.place(s.view.dealer))),
        Piece("leader", (n,), lambda s: _one(s.place(s.view.leader))),
    ]


def _card_pieces(rules: RuleSet, n: int) -> list[Piece]:
    hand, plays = int(rules.hand_size), n * int(rules.hand_size)
    return [
        Piece("hand", (MAX_DECK,), lambda s: _cards(s.view.hand.mask), is_private=True),
        Piece("thrown", (MAX_DECK,), lambda s: _cards(s.view.thrown.mask), is_private=True),
        Piece("trump", (TRUMPS,), lambda s: _one(s.view.trump)),
        Piece("turnup", (MAX_DECK,), lambda s: _one(s.view.turnup)),
        Piece("trick", (n, MAX_DECK), lambda s: _by_seat(s, s.view.trick)),
        Piece("played", (n, MAX_DECK), lambda s: _by_seat(s, s.plays)),
        Piece(
            "order",
            (MAX_DECK,),
            lambda s: [(card, i / plays) for i, (_, card) in enumerate(s.plays, start=1)],
        ),
        Piece("tricks", (n,), lambda s: _numbers(s, s.view.tricks, hand)),
    ]


def _score_pieces(rules: RuleSet, n: int) -> list[Piece]:
    scale = int(rules.stack if rules.family == POT else rules.target)
    pieces = [Piece("scores", (n,), lambda s: _numbers(s, _scores_by_seat(s.view), scale))]
    if rules.family == POT:
        pieces.append(Piece("pot", (1,), lambda s: [(0, _scaled(s.view.pot, n * scale))]))
    return pieces


def _rob_pieces(n: int) -> list[Piece]:
    return [
        Piece("robber", (n,), lambda s: _one_seat(s, s.view.robber)),
        Piece("jinker", (n,), lambda s: _one_seat(s, s.view.jinker)),
        Piece("joker_turned", (1,), lambda s: [(0, float(s.view.joker_was_turned))]),
    ]


def _bidding_pieces(rules: RuleSet, n: int) -> list[Piece]:
    most = int(rules.hand_size) + rules.kitty_size
    return [
        Piece("bidder", (n,), lambda s: _one_seat(s, s.view.bidder)),
        Piece("bid", (BID_COUNT,), lambda s: _one(s.view.bid)),
        Piece("callers", (n,), lambda s: ((s.place(seat), 1.0) for seat in s.view.callers)),
        Piece("bids", (n, BID_COUNT), _bids),
        Piece("passes", (2, BID_COUNT + 1, n), _passes),
        Piece("holds", (BID_COUNT,), _holds),
        Piece("discarded", (n,), lambda s: _numbers(s, s.view.discarded, most)),
        Piece("exposed", (MAX_DECK,), lambda s: _cards(s.view.exposed.mask)),
        Piece("joker_suit", (SUITS,), lambda s: _one(s.view.joker_suit)),
        Piece("named", (SUITS,), lambda s: _one(s.view.named)),
    ]


def _remembered_pieces() -> list[Piece]:
    remembered = {"is_private": True, "is_remembered": True}
    return [
        Piece("dealt", (MAX_DECK,), lambda s: _cards(s.memory.dealt), **remembered),
        Piece("gained", (2, MAX_DECK), _gained, **remembered),
        Piece("threw", (MAX_DECK,), _threw, **remembered),
        Piece("declined", (1,), lambda s: [(0, float(s.memory.declined))], **remembered),
    ]


def _one(place: int | None) -> Values:
    return () if place is None else ((place, 1.0),)


def _one_seat(sight: Sight, seat: Seat | None) -> Values:
    return () if seat is None else ((sight.place(seat), 1.0),)


def _cards(mask: Mask) -> Values:
    return ((card, 1.0) for card in CardSet(mask))


def _by_seat(sight: Sight, plays: Iterable[tuple[Seat, int]]) -> Values:
    return ((sight.place(seat) * MAX_DECK + card, 1.0) for seat, card in plays)


def _scaled(number: int, scale: int) -> float:
    return max(-1.0, min(1.0, number / scale))


def _numbers(sight: Sight, numbers: Sequence[int], scale: int) -> Values:
    return ((sight.place(seat), _scaled(n, scale)) for seat, n in enumerate(numbers))


def _to_act(sight: Sight) -> Values:
    return () if sight.view.phase == "over" else _one_seat(sight, sight.view.seat)


def _scores_by_seat(view: View) -> list[int]:
    scores = view.scores
    return [scores[side] for side in view.sides]


def _standing(view: View) -> Iterator[tuple[Seat, int, int, bool]]:
    """Yield each call: its seat, the call, the bid that stood before (-1), whether by a hold."""
    bid, is_held = -1, False
    for seat, call in view.calls:
        yield seat, call, bid, is_held
        if call == HOLD:
            is_held = True
        elif call != PASS:
            bid, is_held = call, False


def _bids(sight: Sight) -> Values:
    calls = sight.view.calls
    return ((sight.place(s) * BID_COUNT + c, 1.0) for s, c in calls if c not in (PASS, HOLD))


def _passes(sight: Sight) -> Values:
    n = sight.view.players
    for seat, call, bid, is_held in _standing(sight.view):
        if call == PASS:
            yield (is_held * (BID_COUNT + 1) + bid + 1) * n + sight.place(seat), 1.0


def _holds(sight: Sight) -> Values:
    return ((bid, 1.0) for _, call, bid, _ in _standing(sight.view) if call == HOLD)


def _gained(sight: Sight) -> Values:
    for time, cards in enumerate(sight.memory.gained):
        yield from ((time * MAX_DECK + card, 1.0) for card in CardSet(cards))


def _threw(sight: Sight) -> Values:
    threw = sight.memory.threw
    return ((card, i / len(threw)) for i, card in enumerate(threw, start=1))


# --- in words ----------------------------------------------------------------------------------


def told(sight: Sight, *, public: bool = True, private: bool = True, recall: bool = True) -> str:
    """Return what is seen, in one line; what the vector says, it says too."""
    parts = []
    if private:
        parts.append(f"seat {sight.observer}: {sight.view.hand}")
        parts += _told_memory(sight.memory) if recall else _told_thrown(sight.view)
    if public:
        parts += [*_told_deal(sight.view), *_told_auction(sight.view), *_told_play(sight)]
    return "; ".join(parts)


def _told_memory(memory: Memory) -> Iterator[str]:
    yield f"dealt {CardSet(memory.dealt)}"
    if memory.threw:
        yield "threw " + " ".join(map(card_name, memory.threw))
    for gained in memory.gained:
        yield f"gained {CardSet(gained)}"
    if memory.declined:
        yield "declined"


def _told_thrown(view: View) -> Iterator[str]:
    if view.thrown:
        yield f"threw {view.thrown}"


def _told_deal(view: View) -> Iterator[str]:
    yield f"dealer {view.dealer}"
    if view.turnup is not None:
        joker = " after JK" if view.joker_was_turned else ""
        yield f"turned up {card_name(view.turnup)}{joker}"
    if view.trump is not None:
        yield f"trumps {trump_name(view.trump)}"
    yield f"scores {' '.join(map(str, view.scores))}"
    if view.rules.family == POT:
        yield f"pot {view.pot}"
    if view.robber is not None:
        yield f"seat {view.robber} robbed"
    if view.jinker is not None:
        yield f"seat {view.jinker} jinks"


def _told_auction(view: View) -> Iterator[str]:
    if not view.rules.has_auction:
        return
    if view.calls:
        calls = (f"{seat}:{action_word(call, 'auction')}" for seat, call in view.calls)
        yield "calls " + " ".join(calls)
    if view.bidder is not None and view.bid is not None:
        yield f"seat {view.bidder} has {BID_NAMES[view.bid]}"
    if any(view.discarded):
        yield f"threw {' '.join(map(str, view.discarded))} cards"
    if view.exposed:
        yield f"open {view.exposed}"
    if view.joker_suit is not None:
        yield f"the Joker is of {suit_name(view.joker_suit)}"
    if view.named is not None:
        yield f"the Joker named {suit_name(view.named)}"


def _told_play(sight: Sight) -> Iterator[str]:
    view = sight.view
    for trick in view.history:
        cards = " ".join(map(card_name, trick.cards))
        yield f"{trick.leader}: {cards}"
    if view.trick:
        yield f"{view.leader}: " + " ".join(card_name(card) for _, card in view.trick)
    if view.phase == "over":
        yield f"{view.outcome}: {' '.join(map(str, view.points))}"
    else:
        yield f"seat {view.seat} to act: {view.phase}"
