"""From a determinized state back to a whole deal: its pack, and every action to this point."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from forty5sim.agent import View
from forty5sim.cards import JOKER, Action, Card, CardSet, Mask, Seat, mask_of
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.notation import DONE, JINK, KEEP, NO_SUIT, STOP
from forty5sim.table import Table


class Own(NamedTuple):
    """What a seat remembers of its own cards and no view shows.

    Attributes:
        dealt: the hand that it was dealt.
        kitty: the kitty, if it took it up.
    """

    dealt: Mask
    kitty: Mask = 0


class State(Table):
    """A complete state as a table: the cards that nobody sees, too."""

    def hidden(self, field: int, seat: Seat) -> Mask:
        """Return a seat's word of a hidden block."""
        return self._word(field + seat)

    @property
    def robbed(self) -> Seat | None:
        """The seat that has robbed, seen or not."""
        return self._or_none(layout.ROBBED)

    @property
    def took_joker(self) -> bool:
        """Whether the dealer has taken a Joker that was turned up."""
        return bool(self._word(layout.JOKER_TURNED)) and self.turnup != JOKER

    @property
    def played(self) -> list[Card]:
        """The cards played, in order."""
        return self._block(layout.HISTORY, self._word(layout.PLAYS))

    @property
    def stock(self) -> list[Card]:
        """The stock that was laid down, in order; often none is, where nobody draws."""
        start = self._word(layout.STOCK)
        deck = self.rules.deck_cards()
        cards = self._block(layout.DECK + start, len(deck) - start)
        is_laid = len(set(cards)) == len(cards) and set(cards) <= set(deck)
        return cards if is_laid else []

    def played_by(self, seat: Seat) -> Mask:
        """Return the cards that a seat has played."""
        cards = 0
        for trick in self.history:
            cards |= 1 << self.played_to(trick)[seat] if seat in self.played_to(trick) else 0
        return cards | mask_of(card for who, card in self.trick if who == seat)


def replayed(view: View, words: Vector, seed: str, own: Own | None = None) -> Game:
    """Return the game of a determinized state, from the deal to this point.

    Which cards of a hand were drawn or lay in the kitty, where that is open, is drawn by the seed;
    of the observer's hand it is as it remembers, if ``own`` says what. Where the stock ran out,
    that may be impossible with this state.
    """
    state = State(view.rules, words.tolist())
    if view.rules.has_auction:
        pack, restock = _AuctionPack(state, seed, view.observer, own).laid
    else:
        pack, restock = _pack(state), []
    game = Game.redealt(view, pack, restock)
    actions = _Actions(state)
    while (action := actions.next_for(game)) is not None:
        game.push(action)
    return game


def _pack(state: State) -> list[Card]:
    """Return the pack of a game with a turn-up, or with trumps fixed."""
    pack: list[Card] = []
    for seat in sorted(state.playing_from(state.leader)):
        held = state.hidden(layout.HANDS, seat) | state.hidden(layout.THROWN, seat)
        held |= state.played_by(seat)
        if state.took_joker and seat == state.dealer:
            held &= ~(1 << JOKER)
        if seat == state.robbed and state.turnup is not None:
            held &= ~(1 << state.turnup)
        pack += CardSet(held)
    if state.took_joker:
        pack.append(JOKER)
    if state.turnup is not None:
        pack.append(state.turnup)
    return _with_rest(state, pack, state.stock)


def _with_rest(state: State, pack: list[Card], stock: list[Card]) -> list[Card]:
    """Return a pack with the stock, then the cards that nobody ever sees."""
    pack = pack + [card for card in stock if card not in pack]
    return pack + [card for card in state.rules.deck_cards() if card not in pack]


class _AuctionPack:
    """Works out which cards were dealt, drawn and lay in the kitty.

    ``laid`` is the pack, and the order of the cards that became a new stock.
    """

    def __init__(self, state: State, seed: str, observer: Seat, own: Own | None) -> None:
        self._state = state
        self._own = {} if own is None else {observer: own}
        self._rng = random.Random(seed)
        self._drawn: list[Card] = []
        self._again: list[Card] = []
        self._kept = {seat: self._cards_of(seat) for seat in range(state.players)}
        for seat in self._exchange_order():
            self._give_back(seat)
        kitty = self._take_kitty()
        hands = [card for seat in range(state.players) for card in sorted(self._kept[seat])]
        pack = _with_rest(state, [*hands, *kitty, *self._drawn], state.stock)
        size = state._word(layout.RESTOCK_SIZE)
        self.laid = pack, state._block(layout.RESTOCK, size)

    def _cards_of(self, seat: Seat) -> set[Card]:
        """Return all that a seat has had: in hand, played, thrown."""
        state = self._state
        held = state.hidden(layout.HANDS, seat) | state.hidden(layout.THROWN, seat)
        return set(CardSet(held | state.played_by(seat)))

    def _exchange_order(self) -> list[Seat]:
        """Return the seats that have thrown and drawn, in order."""
        state = self._state
        if state.phase in ("auction", "trump") or state.bidder is None:
            return []
        waiting = CardSet(state._word(layout.EXCHANGING))
        order = [(state.dealer + step) % state.players for step in range(1, state.players + 1)]
        if state.rules.has_auction and getattr(state.rules, "draw_order", "") == "bidder_first":
            order = [state.bidder, *(seat for seat in order if seat != state.bidder)]
        return [seat for seat in order if seat not in waiting]

    def _give_back(self, seat: Seat) -> None:
        """Take what a seat drew out of what it has had."""
        state = self._state
        kitty = state.rules.kitty_size if seat == state.bidder else 0
        count = state.discarded[seat] - kitty
        if count <= 0:
            return
        left = self._stock_size() - len(self._drawn)
        fresh, again = min(count, left), max(count - left, 0)
        start = len(self._again)
        from_thrown = state._block(layout.RESTOCK + start, again)
        self._again += from_thrown
        own = self._kept[seat] - set(CardSet(state.hidden(layout.THROWN, seat)))
        drawn = self._rng.sample(self._may_be_drawn(seat, own - set(from_thrown), fresh), fresh)
        self._drawn += drawn
        self._kept[seat] -= {*drawn, *from_thrown}

    def _may_be_drawn(self, seat: Seat, cards: set[Card], count: int) -> list[Card]:
        """Return which of these cards a seat may have drawn, as far as it remembers."""
        if seat in self._own:
            remembered = self._own[seat].dealt | self._own[seat].kitty
            drawn = cards - set(CardSet(remembered))
            cards = drawn if len(drawn) >= count else cards
        return sorted(cards)

    def _stock_size(self) -> int:
        rules, players = self._state.rules, self._state.players
        return len(rules.deck_cards()) - players * int(rules.hand_size) - rules.kitty_size

    def _take_kitty(self) -> list[Card]:
        """Return the kitty: as it lies, or some of what the bidder had."""
        state = self._state
        lying = CardSet(state._word(layout.KITTY_CARDS))
        if len(lying) or state.bidder is None or not state.rules.kitty_size:
            return list(lying)
        kept = self._kept[state.bidder]
        own = self._own.get(state.bidder)
        known = kept & set(CardSet(own.kitty)) if own else set()
        cards = known if len(known) == state.rules.kitty_size else kept
        kitty = self._rng.sample(sorted(cards), state.rules.kitty_size)
        self._kept[state.bidder] -= set(kitty)
        return kitty


class _Actions:
    """The actions of a determinized deal, one after the other."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._calls = iter([call for _, call in state.calls])
        self._plays = iter(state.played)
        self._thrown: dict[Seat, Iterator[Card]] = {}

    def next_for(self, game: Game) -> Action | None:
        """Return the next action, None when the state is reached."""
        if game.phase == "auction":
            return next(self._calls, None)
        if game.phase == "trump":
            return self._state.trump
        if game.phase == "discard":
            return self._discard(game)
        if game.phase == "assign":
            return self._assign()
        if game.phase == "rob":
            return self._rob(game)
        return self._play_on(game)

    def _play_on(self, game: Game) -> Action | None:
        if game.phase == "name":
            return self._state.named
        if game.phase == "jink":
            return self._jink(game)
        return next(self._plays, None) if game.phase == "play" else None

    def _discard(self, game: Game) -> Action | None:
        state, seat = self._state, game.seat
        if seat not in self._thrown:
            self._thrown[seat] = iter(CardSet(state.hidden(layout.THROWN, seat)))
        card = next(self._thrown[seat], None)
        if card is None and state.phase == "discard" and seat == state.seat:
            return None
        return DONE if card is None else card

    def _assign(self) -> Action | None:
        state = self._state
        if state.phase == "assign":
            return None
        return NO_SUIT if state.joker_suit is None else state.joker_suit

    def _jink(self, game: Game) -> Action | None:
        state = self._state
        if state.phase == "jink":
            return None
        return JINK if state.jinker == game.seat else STOP

    def _rob(self, game: Game) -> Action | None:
        state, seat = self._state, game.seat
        if game.turnup == JOKER:
            return self._thrown_for_joker() if state.took_joker else None
        if seat == state.robbed:
            thrown = list(CardSet(state.hidden(layout.THROWN, seat)))
            first = self._thrown_for_joker() if state.took_joker and seat == state.dealer else None
            return next(card for card in thrown if card != first)
        return KEEP if seat == state._or_none(layout.KEPT) else None

    def _thrown_for_joker(self) -> Card:
        """Return the card that the dealer threw for the Joker.

        Of two cards thrown it is not the Joker, nor the ace by which he robbed again.
        """
        state = self._state
        thrown = list(CardSet(state.hidden(layout.THROWN, state.dealer)))
        ace = int(state._rule_words[state._order() + layout.ACE_CARD])
        later = {JOKER} | ({ace} if state.robbed == state.dealer else set())
        return next(card for card in thrown if card not in later)
