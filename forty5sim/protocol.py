"""This engine behind the line protocol of the conformance suite: a request in, an answer out.

One JSON object a line, both ways; ``conformance/README.md`` describes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from forty5sim.bids import BID_NAMES
from forty5sim.cards import Card, parse_card
from forty5sim.counting import perft
from forty5sim.errors import Forty5Error, IllegalActionError, RuleSetError, unknown
from forty5sim.game import Game, pack_of
from forty5sim.named_rules import presets
from forty5sim.notation import action_name
from forty5sim.options import FAMILIES
from forty5sim.records.making import result_of, tricks_of
from forty5sim.rules import RuleSet

PROTOCOL = 1
Message: TypeAlias = dict[str, Any]


class ProtocolError(Forty5Error):
    """A request that cannot be read, or that lacks what it needs."""


class UnsupportedError(Forty5Error):
    """A request for rules that this engine does not play."""


class Engine:
    """The engine of one client: it holds the deal that was laid last.

    >>> Engine("forty5sim 0").answer({"id": 7, "ask": "legal"})
    {'id': 7, 'error': "no deal is laid; ask 'new' first"}
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._game: Game | None = None
        self._answers: dict[str, Callable[[Message], Message]] = {
            "hello": self._hello,
            "new": self._new,
            "legal": self._legal,
            "apply": self._apply,
            "trick": self._trick,
            "hand": self._hand,
            "contract": self._contract,
            "result": self._result,
            "perft": self._perft,
        }

    def answer_line(self, line: str) -> str:
        """Return the answer to a line, as a line of JSON without its end."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            return json.dumps({"id": None, "error": f"no JSON: {error}"})
        if not isinstance(request, dict):
            return json.dumps({"id": None, "error": "expected an object, as {...}"})
        return json.dumps(self.answer(request))

    def answer(self, request: Message) -> Message:
        """Return the answer to a request; one that is wrong gets an ``error``."""
        number = request.get("id")
        try:
            ask = _text(request, "ask")
            if ask not in self._answers:
                raise ProtocolError(unknown("request", ask, self._answers))
            return {"id": number, **self._answers[ask](request)}
        except UnsupportedError as error:
            return {"id": number, "unsupported": str(error)}
        except Forty5Error as error:
            return {"id": number, "error": str(error)}

    @property
    def game(self) -> Game:
        """The deal that was laid last."""
        if self._game is None:
            raise ProtocolError("no deal is laid; ask 'new' first")
        return self._game

    def _hello(self, request: Message) -> Message:
        perft(Game("forty-five"), 1)  # loaded now, and not while a short answer is awaited
        return {"protocol": PROTOCOL, "engine": self.name, "games": list(presets())}

    def _new(self, request: Message) -> Message:
        self._game = None
        rules = _rules(request)
        self._game = _laid(request, rules)
        return {"ok": True}

    def _legal(self, request: Message) -> Message:
        game = self.game
        if game.deal_is_over:
            return {"seat": None, "legal": []}
        return {
            "seat": game.seat,
            "legal": [action_name(action, game.phase) for action in game.legal_actions],
        }

    def _apply(self, request: Message) -> Message:
        self.game.push(_action(self.game, _text(request, "action")))
        return {"ok": True}

    def _trick(self, request: Message) -> Message:
        tricks = tricks_of(self.game)
        if not tricks:
            raise ProtocolError("no trick is finished yet")
        return tricks[-1].as_dict()

    def _hand(self, request: Message) -> Message:
        seat = _whole(request, "seat")
        if not 0 <= seat < self.game.players:
            raise ProtocolError(f"seat {seat} is no seat; seats are 0..{self.game.players - 1}")
        return {"hand": str(self.game.hands[seat]).split()}

    def _contract(self, request: Message) -> Message:
        game = self.game
        if game.phase == "auction" or game.bid is None:
            return {"seat": None, "bid": None}
        return {"seat": game.bidder, "bid": BID_NAMES[game.bid]}

    def _result(self, request: Message) -> Message:
        if not self.game.deal_is_over:
            raise ProtocolError("the deal is not over yet")
        return {"winner": None, **result_of(self.game).as_dict()}

    def _perft(self, request: Message) -> Message:
        return {"count": perft(self.game, _whole(request, "depth"))}


def _action(game: Game, text: str) -> int:
    """Return the legal action of this name."""
    legal = {action_name(action, game.phase): action for action in game.legal_actions}
    if text not in legal:
        raise IllegalActionError(
            f"{text!r} is not legal now; legal: {', '.join(legal) or 'nothing, the deal is over'}"
        )
    return legal[text]


def _rules(request: Message) -> RuleSet:
    """Return the rules of a request, from their family and options."""
    told = request.get("rules")
    if not isinstance(told, Mapping) or told.get("family") not in FAMILIES:
        raise ProtocolError(f"rules must have a family, one of {', '.join(FAMILIES)}")
    options = told.get("options", {})
    if not isinstance(options, Mapping):
        raise ProtocolError(f"rules.options must be an object, got {options!r}")
    try:
        return RuleSet(family=told["family"]).with_options(**options)
    except RuleSetError as error:
        raise UnsupportedError(str(error)) from None


def _laid(request: Message, rules: RuleSet) -> Game:
    """Return the deal of a request, laid on the table."""
    hands = _lists(request, "hands")
    before = request.get("before") or {}
    if not isinstance(before, Mapping):
        raise ProtocolError(f"before must be an object, got {before!r}")
    return Game(
        rules,
        _whole(request, "players"),
        dealer=_whole(request, "dealer"),
        pack=pack_of(hands, _rest(request, rules, hands), rules),
        scores=_numbers(before, "stacks" if "stacks" in before else "scores"),
        pot=before.get("pot", 0),
        playing=[seat for seat, hand in enumerate(hands) if hand],
        sets=_numbers(before, "sets"),
        deals=before.get("deals", 0),
        restock=_cards(request, "restock"),
    )


def _rest(request: Message, rules: RuleSet, hands: Sequence[Sequence[Card]]) -> list[Card]:
    """Return the cards below the hands: turn-up, kitty, stock; checked for number."""
    turnup, kitty = request.get("turnup"), _cards(request, "kitty")
    if (turnup is not None) != rules.turns_up or len(kitty) != rules.kitty_size:
        needs = "a turnup" if rules.turns_up else f"no turnup, and a kitty of {rules.kitty_size}"
        raise ProtocolError(f"these rules need {needs}")
    for seat, hand in enumerate(hands):
        if len(hand) not in (0, int(rules.hand_size)):
            raise ProtocolError(f"hands[{seat}]: expected {rules.hand_size} cards, got {len(hand)}")
    turned = [] if turnup is None else [parse_card(str(turnup))]
    return [*turned, *kitty, *_cards(request, "stock")]


def _lists(request: Message, key: str) -> list[list[Card]]:
    """Return a list of lists of cards."""
    lists = request.get(key)
    if not isinstance(lists, list) or len(lists) != _whole(request, "players"):
        raise ProtocolError(f"{key} must be a list of cards for each seat")
    return [_cards({key: cards}, key) for cards in lists]


def _cards(request: Message, key: str) -> list[Card]:
    """Return a list of cards; none where the key is missing."""
    names = request.get(key) or []
    if not isinstance(names, list):
        raise ProtocolError(f"{key} must be a list of cards, got {names!r}")
    return [parse_card(str(name)) for name in names]


def _numbers(before: Mapping[str, Any], key: str) -> list[int] | None:
    """Return a list of numbers, or None where the key is missing."""
    numbers = before.get(key)
    if numbers is not None and not isinstance(numbers, list):
        raise ProtocolError(f"before.{key} must be a list of numbers, got {numbers!r}")
    return numbers


def _whole(request: Message, key: str) -> int:
    value = request.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ProtocolError(f"{key} must be a whole number, got {value!r}")
    return value


def _text(request: Message, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise ProtocolError(f"{key} must be a text, got {value!r}")
    return value
