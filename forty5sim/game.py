"""A game for people: ask what is legal, push an action, print the table.

``Game`` is the readable face of the engine: a state vector and the rule tables underneath.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forty5sim.cards import ACE, JOKER, Action, Card, CardSet, Mask, Seat, mask_of, rank_of
from forty5sim.errors import IllegalActionError, RuleSetError
from forty5sim.kernels import face, layout
from forty5sim.kernels.vector import Vector
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE, action_name, action_word, is_named
from forty5sim.options import POT
from forty5sim.reasons import why_not
from forty5sim.rules import RuleSet
from forty5sim.table import Table

MAX_WORD = 2**63 - 1
MAX_CHIPS = 10**6
_NOUNS = {"auction": "call", "assign": "suit", "name": "suit"}  # what is illegal in these phases


@dataclass(frozen=True)
class Step:
    """One action taken: by which seat, in which phase."""

    seat: Seat
    phase: str
    action: Action


@dataclass(frozen=True)
class Before:
    """What stood before a deal.

    Attributes:
        scores: of each side; in pot games the chips of each seat before the antes.
        pot: the chips in the pot.
        sets: the bids of each side that were set (auction games).
        deals: the deals that were counted (auction games).
    """

    scores: tuple[int, ...]
    pot: int = 0
    sets: tuple[int, ...] = ()
    deals: int = 0


class Game(Table):
    """A game from its first deal to its end, one action at a time.

    Args:
        rules: a rule set or its spec, as ``"spoil-five:ante=2"``.
        players: the number of seats; the game's usual number if None.
        seed: fixes the cards and, where it is drawn, the first dealer; a number of 64 bits.
        deal: the number of the first deal among those of the seed.
        dealer: the first dealer; by the rules (drawn, or a fixed seat) if None.
        pack: the first deal's cards in dealing order instead of shuffled ones: hand by hand from
            seat 0, the turn-up or the kitty, the stock.
        scores: the score of each side (pot games: chips of each seat) before the first deal.
        pot: the pot before the first deal's antes.
        playing: the seats that take part, where others have left; all if None.
        sets: the bids of each side that were set before the first deal (auction games).
        deals: the deals that were counted before it (auction games).
        restock: the order of the cards thrown that become a new stock, should the stock run out
            in the first deal, instead of a shuffled one (see docs/rules.md 7.6).
        alone: whether the first deal is played by itself, for its points, as on a board; bots
            see it.

    Attributes:
        log: the actions of this deal in order, hidden ones and forced ones too.
        before: what stood before this deal.
        is_hand_made: whether the cards were given, not shuffled from the seed.

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
        deal: int = 0,
        dealer: Seat | None = None,
        pack: Sequence[Card] | None = None,
        scores: Sequence[int] | None = None,
        pot: int = 0,
        playing: Sequence[Seat] | None = None,
        sets: Sequence[int] | None = None,
        deals: int = 0,
        restock: Sequence[Card] = (),
        alone: bool = False,
    ) -> None:
        rules = rules if isinstance(rules, RuleSet) else find_rules(rules)
        _check_whole("seed", seed, -MAX_WORD - 1, MAX_WORD)
        _check_whole("deal", deal, 0, MAX_WORD)
        _check_whole("pot", pot, 0, MAX_CHIPS)
        players = rules.default_players if players is None else players
        sides = rules.side_count(players)
        if dealer is not None and not 0 <= dealer < players:
            raise RuleSetError(f"dealer {dealer!r} is no seat; seats are 0..{players - 1}")
        self._state: Vector = np.zeros(layout.STATE_SIZE, dtype=np.int64)
        super().__init__(rules, self._state)
        first = -1 if dealer is None else dealer
        face.seat_game(self._state, self._rule_words, players, sides, first, seed)
        if scores is not None:
            self._set_scores(scores, sides)
        if playing is not None:
            self._seat_only(playing)
        self._set_history(sets or [0] * sides, deals, sides)
        self._state[layout.POT_CHIPS] = pot
        self._state[layout.ALONE] = bool(alone)
        self._first_deal = deal
        self.is_over = False
        self._open_deal(pack)
        self._lay_restock(restock)

    def _open_deal(self, pack: Sequence[Card] | None = None) -> None:
        self.log: list[Step] = []
        self.is_hand_made = pack is not None
        self.before = self.standing
        face.shuffle_deal(self._state, self._rule_words, self._first_deal + self.deal_number)
        if pack is not None:
            self._lay_pack(pack)
        face.open_deal(self._state, self._rule_words)

    def _set_scores(self, scores: Sequence[int], sides: int) -> None:
        if len(scores) != sides:
            raise RuleSetError(f"scores must have a number for each of {sides}, got {scores!r}")
        for score in scores:
            _check_whole("a score", score, -MAX_CHIPS, MAX_CHIPS)
        self._state[layout.SCORES : layout.SCORES + sides] = scores

    def _set_history(self, sets: Sequence[int], deals: int, sides: int) -> None:
        if len(sets) != sides:
            raise RuleSetError(f"sets must have a number for each of {sides}, got {sets!r}")
        for count in sets:
            _check_whole("a number of sets", count, 0, MAX_CHIPS)
        _check_whole("deals", deals, 0, MAX_CHIPS)
        self._state[layout.SETS : layout.SETS + sides] = sets
        self._state[layout.COUNTED] = deals

    def _lay_restock(self, restock: Sequence[Card], first: int = 0) -> None:
        deck = self.rules.deck_cards()
        if len(set(restock)) < len(restock) or not set(restock) <= set(deck):
            raise RuleSetError(f"restock must be different cards of the deck, got {restock!r}")
        end = first + len(restock)
        self._state[layout.RESTOCK + first : layout.RESTOCK + end] = restock
        self._state[layout.RESTOCK_GIVEN] = end

    def _seat_only(self, playing: Sequence[Seat]) -> None:
        seats = sorted(set(playing))
        if len(seats) < 2 or not set(seats) <= set(range(self.players)):
            raise RuleSetError(
                f"playing must name two seats or more of 0..{self.players - 1}, got {playing!r}"
            )
        if self.dealer not in seats:
            raise RuleSetError(f"dealer {self.dealer} does not play; playing are {seats}")
        face.seat_only(self._state, mask_of(seats))

    def _lay_pack(self, pack: Sequence[Card]) -> None:
        deck = set(self.rules.deck_cards())
        wrong = {card for card in pack if card not in deck or list(pack).count(card) > 1}
        wrong |= deck - set(pack)
        if wrong:
            names = " ".join(str(CardSet([c])) if c in deck else repr(c) for c in sorted(wrong))
            raise RuleSetError(f"the pack must hold each of the deck's cards once; wrong: {names}")
        self._state[layout.DECK : layout.DECK + len(pack)] = pack

    @classmethod
    def redealt(cls, table: Table, pack: Sequence[Card], restock: Sequence[Card] = ()) -> Game:
        """Return a game that stands as this table did before its deal, dealt from a pack."""
        points, sides = table.points, range(len(table.points))
        scores = [table.scores[side] - points[side] for side in sides]
        sets = list(table.sets)
        settled = table.rules.has_auction and table.outcome in ("made", "set", "scored")
        if table.outcome == "set" and table.bidder is not None:
            sets[table.sides[table.bidder]] -= 1
        game = cls(
            table.rules,
            table.players,
            alone=table.is_alone,
            dealer=table.dealer,
            pack=pack,
            scores=scores,
            pot=table.pot + sum(points) if table.rules.family == POT else 0,
            playing=None if table.rules.has_auction else table.playing_from(table.leader),
            sets=sets,
            deals=table.deals_counted - settled,
            restock=restock,
        )
        game._state[layout.DEALS] = table._word(layout.DEALS)
        return game

    @property
    def deal_is_over(self) -> bool:
        """Whether the deal is over: nothing is legal until ``next_deal``."""
        return self._word(layout.PHASE) == layout.OVER

    @property
    def deal_number(self) -> int:
        """The number of deals of this game that were finished before this one."""
        return self._word(layout.DEALS)

    @property
    def deal(self) -> int:
        """The number of this deal among those of the seed."""
        return self._first_deal + self.deal_number

    @property
    def seed(self) -> int:
        """The seed of the cards."""
        return self._word(layout.GAME_SEED)

    @property
    def standing(self) -> Before:
        """What stands now: scores, pot, bids set, deals counted."""
        return Before(tuple(self.scores), self.pot, tuple(self.sets), self.deals_counted)

    @property
    def playing(self) -> list[Seat]:
        """The seats that take part in this deal; not a misère contractor's partner."""
        return sorted(self.playing_from(self.leader))

    @property
    def dealt_in(self) -> list[Seat]:
        """The seats that were dealt cards."""
        return list(range(self.players)) if self.rules.has_auction else self.playing

    @property
    def kitty(self) -> CardSet:
        """The kitty as it was dealt (hidden)."""
        return CardSet(self._word(layout.KITTY_CARDS))

    @property
    def restock(self) -> list[Card]:
        """The cards thrown that became a new stock, in drawing order (hidden)."""
        return self._block(layout.RESTOCK, self._word(layout.RESTOCK_SIZE))

    @property
    def restocked(self) -> CardSet:
        """The cards that had to become a new stock (hidden)."""
        return CardSet(self._word(layout.RESTOCKED))

    @property
    def thrown(self) -> list[CardSet]:
        """The cards that each seat threw (hidden from the others)."""
        return [CardSet(mask) for mask in self._block(layout.THROWN, self.players)]

    @property
    def pack(self) -> list[Card]:
        """The deck in dealing order: hand by hand, the turn-up or the kitty, the stock."""
        return self._block(layout.DECK, len(self.rules.deck_cards()))

    @property
    def right_to_rob(self) -> Seat | None:
        """The seat that may still rob and has not been asked or has not answered (hidden)."""
        return self._or_none(layout.RIGHT)

    @property
    def asks_in_secret(self) -> bool:
        """Whether the seat to act is asked what no other may know.

        So is the ace's holder, to rob, and a contractor about the suit of the Joker he holds. The
        dealer with an ace turned up is asked openly, unless robbing is silent.
        """
        if self.phase == "assign":
            return True
        if self.phase != "rob" or self.turnup is None or self.turnup == JOKER:
            return False
        return rank_of(self.turnup) != ACE or self.rules.rob_announced == "silent"

    @property
    def seat_to_play(self) -> Seat:
        """The seat whose card is due next, whoever is asked in secret before."""
        return self.playing_from(self.leader)[self._word(layout.POSITION)]

    @property
    def winner(self) -> int | None:
        """The side that has won the game with this deal; None in pot games and before."""
        return self._or_none(layout.WINNER)

    @property
    def hands(self) -> list[CardSet]:
        """The hand of each seat (hidden from the others in play)."""
        return [CardSet(mask) for mask in self._block(layout.HANDS, self.players)]

    @property
    def legal_mask(self) -> Mask:
        """The legal actions of the seat to act, as bits."""
        return int(face.legal_actions(self._state, self._rule_words))

    @property
    def legal_actions(self) -> list[Action]:
        """The legal actions of the seat to act, ascending; empty when the deal is over."""
        return list(CardSet(self.legal_mask))

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won the game; empty until it is over."""
        return (
            list(CardSet(int(face.winners(self._state, self._rule_words)))) if self.is_over else []
        )

    @property
    def state(self) -> Vector:
        """A copy of the state vector, shape (layout.STATE_SIZE,)."""
        return self._state.copy()

    @property
    def discard_limits(self) -> tuple[int, int]:
        """How few and how many cards more the seat to act may throw in the exchange."""
        trial, least, most = self.copy(), 0, 0
        while trial.legal_actions != [DONE]:
            least += DONE not in trial.legal_actions
            most += 1
            trial.push(trial.legal_actions[0])
        return least, most

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
        self.log.append(Step(self.seat, self.phase, action))
        face.apply(self._state, self._rule_words, action)

    def lay_stock(self, stock: Sequence[Card], restock: Sequence[Card] = ()) -> None:
        """Lay the cards that have yet to be drawn in another order.

        Args:
            stock: all cards of the stock, the next to be drawn (or turned up) first.
            restock: the order of the cards thrown that are drawn once the stock has run out.

        Raises:
            RuleSetError: if these are not the cards of the stock, or no cards of the deck.
        """
        start = self._word(layout.STOCK)
        lying = self.pack[start:]
        if sorted(stock) != sorted(lying):
            raise RuleSetError(f"the stock is {CardSet(lying)}, got {list(stock)!r}")
        self._state[layout.DECK + start : layout.DECK + start + len(lying)] = stock
        if restock:
            self._lay_restock(restock, self._word(layout.RESTOCK_NEXT))

    def next_deal(self) -> bool:
        """After a deal, deal the next one; say whether the game goes on.

        Raises:
            IllegalActionError: if the deal is not over.
        """
        if not self.deal_is_over:
            raise IllegalActionError("the deal is not over yet; push actions until it is")
        if self.is_over or not face.next_deal(self._state, self._rule_words):
            self.is_over = True
            return False
        self._open_deal()
        return True

    def copy(self) -> Game:
        """Return an independent copy."""
        twin = object.__new__(Game)
        twin._state = self._state.copy()
        Table.__init__(twin, self.rules, twin._state)
        twin.is_over = self.is_over
        twin.log = list(self.log)
        twin.before = self.before
        twin.is_hand_made = self.is_hand_made
        twin._first_deal = self._first_deal
        return twin

    def _why_not(self, action: Action) -> str:
        if self.deal_is_over:
            return f"illegal action {action!r}: the deal is over"
        named = is_named(action, self.phase)
        name = action_word(action, self.phase) if named else str(action)
        legal = ", ".join(action_name(a, self.phase) for a in self.legal_actions)
        trick = f" in trick {len(self.history) + 1}" if self.phase in ("play", "rob") else ""
        what = _NOUNS.get(self.phase, self.phase)
        where = f"illegal {what} {name!r} by seat {self.seat}{trick}"
        reason = why_not(self, self.hands[self.seat], self.legal_mask, action)
        return f"{where}: {reason}; legal: {legal}"

    def __str__(self) -> str:
        hands = [f"seat {seat}: {hand}" for seat, hand in enumerate(self.hands)]
        return "\n".join([self._table_text(), *hands])

    def __repr__(self) -> str:
        return f"<Game {self.rules.id}, {self.players} players, {self.phase}>"


def _check_whole(what: str, value: object, least: int, most: int) -> None:
    if isinstance(value, int | np.integer) and least <= int(value) <= most:
        return
    raise RuleSetError(f"{what} must be a whole number {least}..{most}, got {value!r}")


def pack_of(hands: Sequence[Sequence[Card]], rest: Sequence[Card], rules: RuleSet) -> list[Card]:
    """Return a pack in dealing order: the hands, then ``rest``, then what is left ascending."""
    named = [card for hand in hands for card in hand] + list(rest)
    named_mask = mask_of(named)
    return named + [card for card in rules.deck_cards() if not named_mask >> card & 1]
