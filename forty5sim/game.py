"""A game for people: ask what is legal, push an action, print the table.

``Game`` is the readable face of the engine: a state vector and the rule tables underneath.
``Table`` is what lies open on the table; a seat's view (``forty5sim.agent``) is a table too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forty5sim.cards import (
    SUIT_WORDS,
    Action,
    Card,
    CardSet,
    Mask,
    Seat,
    Suit,
    card_name,
    mask_of,
    suit_name,
)
from forty5sim.errors import IllegalActionError, RuleSetError
from forty5sim.kernels import face, layout
from forty5sim.kernels.vector import Vector
from forty5sim.named_rules import find_rules
from forty5sim.notation import OUTCOME_NAMES, PHASE_NAMES, action_name
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables


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
        """``rob``, ``play``, ``jink`` or ``over``."""
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
    def sides(self) -> list[int]:
        """The side of each seat."""
        return self._block(layout.SIDE_OF, self.players)

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        return self._word(layout.DEALER)

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None while a Joker turned up has not been taken."""
        return self._or_none(layout.TRUMP)

    @property
    def turnup(self) -> Card | None:
        """The card turned up; it stays known after it was robbed."""
        return self._or_none(layout.TURNUP)

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
        return list(zip(self._seats_from(self.leader), cards, strict=False))

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table."""
        card = self._word(layout.LED)
        return None if card == layout.NO_CARD else card

    @property
    def winning(self) -> tuple[Seat, Card] | None:
        """Who wins the trick on the table so far, and with which card."""
        best = self._word(layout.BEST)
        if best == 0:
            return None
        return best >> layout.PACKED_SEAT & layout.SEAT_BITS, best & layout.CARD_BITS

    @property
    def history(self) -> list[Trick]:
        """The finished tricks in order."""
        active = self._word(layout.ACTIVE)
        winners = self._block(layout.WINNERS, self._word(layout.TRICK))
        eldest = self._word(layout.NEXT + self.dealer)
        leaders = [eldest, *winners]
        return [
            Trick(leaders[t], tuple(self._block(layout.HISTORY + t * active, active)), winner)
            for t, winner in enumerate(winners)
        ]

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

    def is_trump(self, card: Card) -> bool:
        """Say whether a card is a trump in this deal."""
        trumps = int(self._tables()[self._order() + layout.TRUMP_MASK])
        return self.trump is not None and bool(trumps >> card & 1)

    def strength(self, card: Card) -> int:
        """Return a card's height: 101 and more for trumps, 1..13 in its plain suit."""
        tables, order = self._tables(), self._order()
        suit = int(tables[order + layout.SUIT + card])
        return int(tables[order + layout.POWER + suit * layout.CARD_COUNT + card])

    def beats_trick(self, card: Card) -> bool:
        """Say whether a card would win the trick on the table as it lies."""
        best = self._word(layout.BEST)
        suit = self._word(layout.LED_SUIT)
        if best == 0:
            return True
        place = self._order() + layout.POWER + suit * layout.CARD_COUNT + card
        return int(self._tables()[place]) > best >> layout.PACKED_POWER

    def _tables(self) -> Vector:
        return rule_tables(self.rules)

    def _order(self) -> int:
        return self._word(layout.ORDER)

    def _seats_from(self, seat: Seat) -> list[Seat]:
        """Return the playing seats clockwise from one of them."""
        seats = [seat]
        for _ in range(self._word(layout.ACTIVE) - 1):
            seats.append(self._word(layout.NEXT + seats[-1]))
        return seats

    def _table_text(self) -> str:
        trump = "?" if self.trump is None else SUIT_WORDS[self.trump]
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
            lines.append(f"seat {self.seat} to {self.phase}")
        return "\n".join(lines)


class Game(Table):
    """A game from its first deal to its end, one action at a time.

    Args:
        rules: a rule set or its spec, as ``"spoil-five:ante=2"``.
        players: the number of seats; the game's usual number if None.
        seed: fixes the cards and, where it is drawn, the first dealer.
        dealer: the first dealer; by the rules (drawn, or a fixed seat) if None.
        pack: the first deal's cards in dealing order instead of shuffled ones: hand by hand from
            seat 0, the turn-up, the stock.
        scores: the score of each side (pot games: chips of each seat) before the first deal.
        pot: the pot before the first deal's antes.

    >>> game = Game("forty-five", seed=7)
    >>> while not game.deal_is_over:
    ...     game.push(game.legal_actions[0])
    >>> sum(game.tricks)
    5
    """

    def __init__(
        self,
        rules: RuleSet | str,
        players: int | None = None,
        *,
        seed: int = 0,
        dealer: Seat | None = None,
        pack: Sequence[Card] | None = None,
        scores: Sequence[int] | None = None,
        pot: int = 0,
    ) -> None:
        rules = rules if isinstance(rules, RuleSet) else find_rules(rules)
        if not (_is_whole(seed, 2**63 - 1) and _is_whole(pot, 10**6)):
            raise RuleSetError(
                f"seed must be 0..2^63 - 1 and pot 0..1000000, got seed={seed!r}, pot={pot!r}"
            )
        players = rules.default_players if players is None else players
        sides = rules.side_count(players)
        if dealer is not None and not 0 <= dealer < players:
            raise RuleSetError(f"dealer {dealer!r} is no seat; seats are 0..{players - 1}")
        self._state: Vector = np.zeros(layout.STATE_SIZE, dtype=np.int64)
        super().__init__(rules, self._state)
        first = -1 if dealer is None else dealer
        face.seat_game(self._state, self._tables(), players, sides, first, seed)
        if scores is not None:
            self._set_scores(scores, sides)
        self._state[layout.POT_CHIPS] = pot
        self.is_over = False
        face.shuffle_deal(self._state, self._tables(), 0)
        if pack is not None:
            self._lay_pack(pack)
        face.open_deal(self._state, self._tables())

    def _set_scores(self, scores: Sequence[int], sides: int) -> None:
        if len(scores) != sides:
            raise RuleSetError(f"scores must have a number for each of {sides}, got {scores!r}")
        self._state[layout.SCORES : layout.SCORES + sides] = scores

    def _lay_pack(self, pack: Sequence[Card]) -> None:
        deck = set(self.rules.deck_cards())
        wrong = {card for card in pack if card not in deck or list(pack).count(card) > 1}
        wrong |= deck - set(pack)
        if wrong:
            names = " ".join(str(CardSet([c])) if c in deck else repr(c) for c in sorted(wrong))
            raise RuleSetError(f"the pack must hold each of the deck's cards once; wrong: {names}")
        self._state[layout.DECK : layout.DECK + len(pack)] = pack

    @property
    def deal_is_over(self) -> bool:
        """Whether the deal is over: nothing is legal until ``next_deal``."""
        return self._word(layout.PHASE) == layout.OVER

    @property
    def deal_number(self) -> int:
        """The number of deals of this game that were finished before this one."""
        return self._word(layout.DEALS)

    @property
    def hands(self) -> list[CardSet]:
        """The hand of each seat (hidden from the others in play)."""
        return [CardSet(mask) for mask in self._block(layout.HANDS, self.players)]

    @property
    def legal_mask(self) -> Mask:
        """The legal actions of the seat to act, as bits."""
        return int(face.legal_actions(self._state, self._tables()))

    @property
    def legal_actions(self) -> list[Action]:
        """The legal actions of the seat to act, ascending; empty when the deal is over."""
        return list(CardSet(self.legal_mask))

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won the game; empty until it is over."""
        return list(CardSet(int(face.winners(self._state, self._tables())))) if self.is_over else []

    @property
    def state(self) -> Vector:
        """A copy of the state vector, shape (layout.STATE_SIZE,)."""
        return self._state.copy()

    def can(self, action: Action) -> bool:
        """Say whether an action is legal now."""
        return 0 <= action < 63 and bool(self.legal_mask >> action & 1)

    def verify(self, action: Action) -> None:
        """Raise unless an action is legal now.

        Raises:
            IllegalActionError: with the reason and what would be legal.
        """
        if not self.can(action):
            raise IllegalActionError(self._why_not(action))

    def push(self, action: Action) -> None:
        """Carry out an action of the seat to act.

        Raises:
            IllegalActionError: if it is not legal; nothing has changed then.
        """
        self.verify(action)
        face.apply(self._state, self._tables(), action)

    def next_deal(self) -> bool:
        """After a deal, deal the next one; say whether the game goes on.

        Raises:
            IllegalActionError: if the deal is not over.
        """
        if not self.deal_is_over:
            raise IllegalActionError("the deal is not over yet; push actions until it is")
        if self.is_over or not face.next_deal(self._state, self._tables()):
            self.is_over = True
            return False
        face.shuffle_deal(self._state, self._tables(), self.deal_number)
        face.open_deal(self._state, self._tables())
        return True

    def copy(self) -> Game:
        """Return an independent copy."""
        twin = object.__new__(Game)
        twin._state = self._state.copy()
        Table.__init__(twin, self.rules, twin._state)
        twin.is_over = self.is_over
        return twin

    def _why_not(self, action: Action) -> str:
        if self.deal_is_over:
            return f"illegal action {action!r}: the deal is over"
        named = 0 <= action < layout.NO_CARD or layout.KEEP <= action <= layout.STOP
        name = action_name(action, self.phase) if named else str(action)
        legal = " ".join(action_name(a, self.phase) for a in self.legal_actions)
        where = (
            f"illegal {self.phase} {name!r} by seat {self.seat} in trick {len(self.history) + 1}"
        )
        return f"{where}: {self._reason(action)}; legal: {legal}"

    def _reason(self, action: Action) -> str:
        if self.phase != "play":
            return {"rob": "rob with a card of the hand, or keep where that is allowed",
                    "jink": "jink or stop"}[self.phase]  # fmt: skip
        if action not in self.hands[self.seat]:
            return "the seat does not hold it"
        assert self.led is not None
        if self.is_trump(self.led):
            return "a trump was led and a trump that may not be kept back is held"
        suit = suit_name(self.led // 13)
        return {
            "strict_follow": f"must follow {suit}",
            "free": f"must follow {suit}",
        }.get(self.rules.plain_lead, f"must follow {suit} or play a trump")

    def __str__(self) -> str:
        hands = [f"seat {seat}: {hand}" for seat, hand in enumerate(self.hands)]
        return "\n".join([self._table_text(), *hands])

    def __repr__(self) -> str:
        return f"<Game {self.rules.id}, {self.players} players, {self.phase}>"


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int | np.integer) and 0 <= int(value) <= most


def pack_of(hands: Sequence[Sequence[Card]], rest: Sequence[Card], rules: RuleSet) -> list[Card]:
    """Return a pack in dealing order: the hands, then ``rest``, then what is left ascending."""
    named = [card for hand in hands for card in hand] + list(rest)
    named_mask = mask_of(named)
    return named + [card for card in rules.deck_cards() if not named_mask >> card & 1]
