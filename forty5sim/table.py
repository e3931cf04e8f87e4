"""What lies open on the table in a deal: read from the public words of the engine's state.

``Game`` (the whole game, hidden cards too) and a seat's ``View`` are tables with more to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from forty5sim.cards import (
    ACE_OF_HEARTS,
    JOKER,
    NO_TRUMP,
    Action,
    Card,
    CardSet,
    Seat,
    Suit,
    card_name,
    trump_word,
)
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.notation import OUTCOME_NAMES, PHASE_NAMES
from forty5sim.options import FIVE_HUNDRED
from forty5sim.rules import RuleSet
from forty5sim.tables import order_offset, rule_tables


@dataclass(frozen=True)
class Trick:
    """One trick: who led, the cards in order of play, who won it (None while it is played)."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


class Table:
    """What every seat may see of a deal; the words are those of ``kernels.layout``."""

    def __init__(self, rules: RuleSet, words: Sequence[int] | Vector) -> None:
        self.rules = rules
        self._words = words

    def _word(self, field: int) -> int:
        return int(self._words[field])

    def _block(self, field: int, count: int) -> list[int]:
        return [int(word) for word in self._words[field : field + count]]

    def _or_none(self, field: int) -> int | None:
        word = self._word(field)
        return None if word < 0 else word

    @property
    def phase(self) -> str:
        """``auction``, ``trump``, ``discard``, ``assign``, ``rob``, ``play``, ``name``, ``jink``
        or ``over``."""
        return PHASE_NAMES[self._word(layout.PHASE)]

    @property
    def seat(self) -> Seat:
        """The seat to act."""
        return self._word(layout.SEAT)

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._word(layout.SEATS)

    @property
    def is_alone(self) -> bool:
        """Whether the deal is played by itself, as on a board, and not as part of a game."""
        return bool(self._word(layout.ALONE))

    @property
    def side_count(self) -> int:
        """The number of sides."""
        return self._word(layout.SIDES)

    @property
    def sides(self) -> list[int]:
        """The side of each seat."""
        return self._block(layout.SIDE_OF, self.players)

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        return self._word(layout.DEALER)

    @property
    def trump(self) -> Suit | None:
        """The trump suit, NO_TRUMP where there is none; None while it is not known."""
        return self._or_none(layout.TRUMP)

    @property
    def turnup(self) -> Card | None:
        """The card turned up; it stays known after it was robbed."""
        return self._or_none(layout.TURNUP)

    @property
    def joker_was_turned(self) -> bool:
        """Whether the first card turned up was the Joker, which the dealer takes."""
        return bool(self._word(layout.JOKER_TURNED))

    @property
    def robber(self) -> Seat | None:
        """The seat seen to have robbed."""
        return self._or_none(layout.ROBBER)

    @property
    def jinker(self) -> Seat | None:
        """The seat that declared a jink."""
        return self._or_none(layout.JINKER)

    @property
    def leader(self) -> Seat:
        """The seat that leads, or led, to the trick on the table."""
        return self._word(layout.LEADER)

    @property
    def trick(self) -> list[tuple[Seat, Card]]:
        """The cards on the trick so far, with who played each."""
        start = self._word(layout.PLAYS) - self._word(layout.POSITION)
        cards = self._block(layout.HISTORY + start, self._word(layout.POSITION))
        return list(zip(self.playing_from(self.leader), cards, strict=False))

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table."""
        trick = self.trick
        return trick[0][1] if trick else None

    @property
    def led_suit(self) -> Suit | None:
        """The suit that was led, as printed on cards; of a Joker the suit that it named."""
        suit = self._word(layout.LED_SUIT)
        if suit == layout.TRUMPS:
            return self.trump
        return None if suit == layout.NO_SUIT else suit

    @property
    def winning(self) -> tuple[Seat, Card] | None:
        """Who wins the trick on the table so far, and with which card."""
        best = self._word(layout.BEST)
        if best == 0:
            return None
        return best >> layout.PACKED_SEAT & layout.SEAT_BITS, best & layout.CARD_BITS

    @property
    def best_trump(self) -> tuple[Seat, Card] | None:
        """The best trump played in the deal so far, and who played it."""
        top = self._word(layout.TOP)
        if top >> layout.PACKED_POWER < layout.TRUMP_POWER:
            return None
        return top >> layout.PACKED_SEAT & layout.SEAT_BITS, top & layout.CARD_BITS

    @property
    def history(self) -> list[Trick]:
        """The finished tricks in order."""
        active = self._word(layout.ACTIVE)
        winners = self._block(layout.WINNERS, self._word(layout.TRICK))
        leaders = [self._word(layout.OPENING), *winners]
        return [
            Trick(leaders[t], tuple(self._block(layout.HISTORY + t * active, active)), winner)
            for t, winner in enumerate(winners)
        ]

    def played_to(self, trick: Trick) -> dict[Seat, Card]:
        """Return the card that each seat played to a trick, in order of play."""
        return dict(zip(self.playing_from(trick.leader), trick.cards, strict=True))

    @property
    def tricks(self) -> list[int]:
        """The tricks won by each seat."""
        return self._block(layout.TRICKS, self.players)

    @property
    def scores(self) -> list[int]:
        """The score of each side; in pot games the chips of each seat."""
        return self._block(layout.SCORES, self._word(layout.SIDES))

    @property
    def points(self) -> list[int]:
        """The points of this deal for each side; in pot games the net chips of each seat."""
        return self._block(layout.POINTS, self._word(layout.SIDES))

    @property
    def pot(self) -> int:
        """The chips in the pot."""
        return self._word(layout.POT_CHIPS)

    @property
    def outcome(self) -> str:
        """What came of the deal: ``unfinished``, ``scored``, ``spoiled``, ``pot-won``, …"""
        return OUTCOME_NAMES[self._word(layout.OUTCOME)]

    # --- the auction games ----------------------------------------------------------------------

    @property
    def calls(self) -> list[tuple[Seat, Action]]:
        """The calls of the auction in order, with who made each: bids, ``PASS``, ``HOLD``."""
        packed = self._block(layout.CALL_LOG, self._word(layout.CALLS))
        return [(call >> layout.CALL_SEAT, call & layout.CALL_BITS) for call in packed]

    @property
    def bidder(self) -> Seat | None:
        """The seat whose bid stands; after the auction the one that plays it."""
        return self._or_none(layout.BIDDER)

    @property
    def bid(self) -> int | None:
        """The standing bid, at last the contract, as a number of ``forty5sim.bids``."""
        return self._or_none(layout.BID)

    @property
    def callers(self) -> list[Seat]:
        """The seats that may still speak in the auction."""
        return list(CardSet(self._word(layout.CALLERS)))

    @property
    def discarded(self) -> list[int]:
        """How many cards each seat has thrown in the exchange."""
        return self._block(layout.DISCARDED, self.players)

    @property
    def joker_suit(self) -> Suit | None:
        """The suit that the contractor gave the Joker, if that is so."""
        return self._or_none(layout.JOKER_SUIT)

    @property
    def named(self) -> Suit | None:
        """The suit that a Joker without one named when it was led."""
        return self._or_none(layout.NAMED)

    @property
    def led_suits(self) -> list[Suit]:
        """The suits led in finished tricks, where there are no trumps."""
        return [s for s in range(layout.SUITS) if self._word(layout.LED_SUITS) >> s & 1]

    @property
    def exposed(self) -> CardSet:
        """The cards of the hand that lies open (open misère), those played since taken away."""
        return CardSet(self._word(layout.EXPOSED) & ~self._word(layout.PLAYED))

    @property
    def sets(self) -> list[int]:
        """The bids of each side that were set in this game."""
        return self._block(layout.SETS, self._word(layout.SIDES))

    @property
    def deals_counted(self) -> int:
        """The deals of this game that were played, not thrown in (auction games)."""
        return self._word(layout.COUNTED)

    def effective_suit(self, card: Card) -> Suit | None:
        """Return the suit that a card counts as; the trump suit for any trump, None for none."""
        suit = int(self._rule_words[self._order() + layout.SUIT + card])
        if suit == layout.TRUMPS:
            return self.trump
        return None if suit == layout.NO_SUIT else suit

    # --- cards compared ---------------------------------------------------------------------------

    def is_trump(self, card: Card) -> bool:
        """Say whether a card is a trump in this deal."""
        trumps = int(self._rule_words[self._order() + layout.TRUMP_MASK])
        return self.trump is not None and bool(trumps >> card & 1)

    def strength(self, card: Card) -> int:
        """Return a card's height: 101 and more for trumps, 1..13 in its plain suit."""
        return self._strength_in(self._order(), card)

    def _strength_in(self, order: int, card: Card) -> int:
        tables = self._rule_words
        suit = int(tables[order + layout.SUIT + card])
        return int(tables[order + layout.POWER + suit * layout.CARD_COUNT + card])

    def sorted(self, cards: Iterable[Card]) -> list[Card]:
        """Return cards as people hold them: trumps first, then suit by suit, high to low."""
        return sorted(cards, key=self._place_before_trumps if self.trump is None else self._place)

    def _place(self, card: Card) -> tuple[int, int]:
        suit = self.effective_suit(card)
        first = self.is_trump(card) or suit is None
        return -1 if first or suit is None else suit, -self.strength(card)

    def _place_before_trumps(self, card: Card) -> tuple[int, int]:
        """Return where a card is held while nobody knows trumps: each suit as if it were trumps."""
        if card in (JOKER, ACE_OF_HEARTS) and self.rules.family != FIVE_HUNDRED:
            return -1, -card
        if card == JOKER:
            return -1, 0
        order = NO_TRUMP if self.rules.family == FIVE_HUNDRED else card // 13
        return card // 13, -self._strength_in(order_offset(order), card)

    def beats_trick(self, card: Card) -> bool:
        """Say whether a card would win the trick on the table as it lies."""
        best = self._word(layout.BEST)
        suit = self._word(layout.LED_SUIT)
        if best == 0:
            return True
        place = self._order() + layout.POWER + suit * layout.CARD_COUNT + card
        return int(self._rule_words[place]) > best >> layout.PACKED_POWER

    @cached_property
    def _rule_words(self) -> Vector:
        return rule_tables(self.rules)

    def _order(self) -> int:
        return self._word(layout.ORDER)

    def playing_from(self, seat: Seat) -> list[Seat]:
        """Return the seats that take part, clockwise from one of them."""
        seats = [seat]
        for _ in range(self._word(layout.ACTIVE) - 1):
            seats.append(self._word(layout.NEXT + seats[-1]))
        return seats

    def _table_text(self) -> str:
        trump = "?" if self.trump is None else trump_word(self.trump)
        turned = "" if self.turnup is None else f", turned up {card_name(self.turnup)}"
        lines = [f"{self.rules.name}, trumps {trump}{turned}, dealer {self.dealer}"]
        for number, trick in enumerate(self.history, start=1):
            cards = " ".join(card_name(card) for card in trick.cards)
            lines.append(f"trick {number}: seat {trick.leader} led {cards}: seat {trick.winner}")
        if self.trick:
            lines.append("on the table: " + " ".join(f"{s}:{card_name(c)}" for s, c in self.trick))
        if self.phase == "over":
            lines.append(f"{self.outcome}: points {self.points}, scores {self.scores}")
        else:
            lines.append(f"seat {self.seat} to act: {self.phase}")
        return "\n".join(lines)
