"""Plays a record back on the engine, action by action, from what stands in the record alone."""

from __future__ import annotations

from collections.abc import Iterator

from forty5sim.bids import BID_NAMES, parse_bid
from forty5sim.cards import JOKER, Action, Seat, card_name
from forty5sim.errors import Forty5Error, RecordError
from forty5sim.game import Game, Step
from forty5sim.kernels import layout
from forty5sim.notation import DONE, HOLD, JINK, NO_SUIT, PASS, WORDS
from forty5sim.records.form import ACTS, Record, RecordedAction
from forty5sim.records.opening import opened

_WORDS = {word: action for action, word in WORDS.items()}
_CALLS = {"pass": PASS, "hold": HOLD}
_PHASES = {act: act for act in ACTS} | {
    "keep": "rob",
    "stop": "jink",
    "bid": "auction",
}
"""The phase in which each act is done."""


class Playback:
    """A record on the engine.

    Raises:
        RecordError: if the rules, seats, cards or scores are impossible; names the key.

    Attributes:
        record: the record.
        game: the deal; it stands before the first action until ``steps`` has carried it out.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = opened(record)
        self._early: dict[int, int] = {}  # answers about robbing given before they were due

    def steps(self, *, whole: bool = True) -> Iterator[Step]:
        """Yield each action just before it is carried out, then carry it out.

        Unless the ``whole`` deal is wanted the actions may end before it does.

        A rob or keep before the seat's own turn is moved there; who plays on under
        ``jink_declare=implicit`` is made to jink; a contractor who plays without a word about the
        Joker leaves it without a suit; passes that could not be anything else are passed over.

        Raises:
            RecordError: at an action that is not allowed; names it and the reason.
        """
        for index, action in enumerate(self.record.actions):
            if self._is_early(action):
                self._early[action.seat] = index
                continue
            if self._is_needless_pass(index):
                continue
            yield from self._implied(action)
            yield from self._take(index)
            while self.game.phase == "rob" and self.game.seat in self._early:
                yield from self._take(self._early.pop(self.game.seat))
        if whole:
            self._check_end()

    def _check_end(self) -> None:
        """Check that the deal is over, and that no new stock is left of it."""
        if not self.game.deal_is_over:
            raise RecordError(
                f"actions: they end before the deal does; seat {self.game.seat} has to"
                f" {_duty(self.game)}"
            )
        if len(self.record.restock) != len(self.game.restock):
            raise RecordError(
                f"restock: expected {len(self.game.restock)} cards, the stock ran out for so many;"
                f" got {len(self.record.restock)}"
            )

    def _is_early(self, action: RecordedAction) -> bool:
        """Say whether this answers about robbing before the engine asks."""
        if _PHASES[action.act] != "rob" or action.seat in self._early:
            return False
        asked = self.game.phase == "rob" and self.game.seat == action.seat
        return self.game.right_to_rob == action.seat and not asked

    def _is_needless_pass(self, index: int) -> bool:
        """Say whether this is a pass by who could do nothing else, told though nobody asked."""
        game, action = self.game, self.record.actions[index]
        calls = sum(a.act == "bid" for a in self.record.actions[:index])
        if action.bid != "pass" or game.phase == "auction" or game.bid is None:
            return False
        if calls < index or not game.calls or calls < len(game.calls):
            return False
        late = self._who_could_pass()
        place = calls - len(game.calls)
        return place < len(late) and late[place] == action.seat

    def _who_could_pass(self) -> list[Seat]:
        """Return the seats that were still to speak when nothing but a pass was left, in turn."""
        last = self.game.calls[-1][0]
        players = self.game.players
        order = [(last + step) % players for step in range(1, players + 1)]
        return [seat for seat in order if seat in self.game.callers and seat != self.game.bidder]

    def _implied(self, action: RecordedAction) -> Iterator[Step]:
        """Yield what an action says without being told."""
        game = self.game
        if action.act != "play" or action.seat != game.seat:
            return
        if game.phase == "jink" and game.rules.jink_declare == "implicit":
            yield from self._do(JINK)
        elif game.phase == "assign":
            yield from self._do(NO_SUIT)

    def _take(self, index: int) -> Iterator[Step]:
        """Yield and carry out an action of the record."""
        action = self.record.actions[index]
        self._check_turn(index, action)
        try:
            for code in self._codes(action):
                self.game.verify(code)
                yield from self._do(code)
            self._check_restock()
            yield from self._name_suit(action)
        except Forty5Error as error:
            raise RecordError(f"actions[{index}]: {error}") from None

    def _do(self, code: Action) -> Iterator[Step]:
        yield Step(self.game.seat, self.game.phase, code)
        self.game.push(code)

    def _codes(self, action: RecordedAction) -> list[Action]:
        """Return the engine's actions for one of the record."""
        if action.act == "discard":
            return self._discards(action)
        if action.bid is not None:
            return [_CALLS[action.bid] if action.bid in _CALLS else parse_bid(action.bid)]
        if action.act == "assign":
            return [NO_SUIT if action.suit is None else action.suit]
        if action.act == "trump":
            assert action.suit is not None
            return [action.suit]
        return [_WORDS[action.act] if action.card is None else action.card]

    def _discards(self, action: RecordedAction) -> list[Action]:
        cards = sorted(action.cards or ())
        hand = self.game.hands[action.seat]
        for card in cards:
            if card not in hand or cards.count(card) > 1:
                problem = "does not hold it" if card not in hand else "cannot throw it twice"
                raise RecordError(f"discard {card_name(card)}: seat {action.seat} {problem}")
        return [*cards, DONE]

    def _check_restock(self) -> None:
        """Check that the new stock of the record is made of the cards that were thrown."""
        laid, thrown = self.game.restock, self.game.restocked
        if len(laid) != len(set(laid)) or set(laid) != set(thrown):
            raise RecordError(
                f"the stock has run out; restock must begin with the cards thrown before: {thrown}"
            )
        if len(self.record.restock) < len(laid):
            raise RecordError(
                f"the stock has run out; restock must have the cards thrown: {thrown}"
            )

    def _name_suit(self, action: RecordedAction) -> Iterator[Step]:
        """Yield the suit named with a Joker that was led."""
        if self.game.phase == "name":
            if action.suit is None:
                raise RecordError("a Joker without a suit was led and names none; expected suit")
            self.game.verify(action.suit)
            yield from self._do(action.suit)
        elif action.act == "play" and action.suit is not None and not self._led_joker_last():
            raise RecordError("suit: only a Joker without a suit that is led names one")

    def _led_joker_last(self) -> bool:
        """Say whether the card just played led a suitless Joker to the last trick."""
        game = self.game
        last_lead = len(game.history) == int(game.rules.hand_size) - 1 and len(game.trick) == 1
        return last_lead and game.led == JOKER and game.led_suit is None

    def _check_turn(self, index: int, action: RecordedAction) -> None:
        game, seat = self.game, action.seat
        if game.deal_is_over:
            problem = f"{_told(action)} by seat {seat} after the deal is over"
        elif game.phase != _PHASES[action.act]:
            problem = self._not_now(action)
        elif seat != game.seat:
            problem = f"seat {seat} acts out of turn; seat {game.seat} has to {_duty(game)}"
        else:
            return
        raise RecordError(f"actions[{index}]: {problem}")

    def _not_now(self, action: RecordedAction) -> str:
        game, seat = self.game, action.seat
        if _PHASES[action.act] == "rob":
            had = int(game.state[layout.HAD_RIGHT]) == seat
            why = (
                "its right to rob is gone (docs/rules.md 3.4)"
                if had
                else "it has no right to rob (docs/rules.md 3.3)"
            )
            return f"seat {seat} cannot {action.act} now: {why}"
        if game.phase == "rob" and game.seat == seat:
            return (
                f"{action.act} by seat {seat}, which has to rob or keep before its first card"
                " (docs/rules.md 3.4)"
            )
        if _PHASES[action.act] == "jink":
            return (
                f"seat {seat} cannot {action.act} now: that is decided right after the deciding"
                " trick, by who has won all tricks so far (docs/rules.md 4.6, 5.3)"
            )
        return f"{_told(action)} by seat {seat}, but seat {game.seat} has to {_duty(game)}"


def _told(action: RecordedAction) -> str:
    return f"bid {action.bid}" if action.bid in BID_NAMES else action.bid or action.act


_DUTIES = {
    "auction": "speak in the auction",
    "trump": "name trumps",
    "discard": "discard",
    "assign": "give the Joker a suit or none",
    "name": "name a suit",
}


def _duty(game: Game) -> str:
    """Return what the seat to act has to do."""
    return _DUTIES.get(game.phase, game.phase)
