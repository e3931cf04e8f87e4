"""Reads deal records, strictly: a fault names file, line, key and what was expected."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from forty5sim.bids import BID_NAMES, parse_bid
from forty5sim.cards import Card, Seat, Suit, parse_card, parse_suit
from forty5sim.errors import NotationError, RecordError, unknown
from forty5sim.game import MAX_CHIPS, MAX_WORD
from forty5sim.notation import HOLD, PASS, WORDS
from forty5sim.records.form import (
    ACTS,
    FORMAT,
    MAY_LACK_SUIT,
    OUTCOMES,
    Record,
    RecordedAction,
    RecordedTrick,
    Result,
    Standing,
)
from forty5sim.rules import MAX_PLAYERS

MAX_LINE = 1_000_000
"""Bytes of a line; a deal takes some three thousand."""

MAX_CARDS = 53
MAX_ACTIONS = 200

NO_RESULT = Result((), (), Standing(()), "unfinished")
"""In place of the result of a deal that is not over."""

_T = TypeVar("_T")


class Item:
    """A value of a record with the path that leads to it, for messages."""

    def __init__(self, value: Any, path: str = "") -> None:
        self.value = value
        self.path = path

    def fail(self, expected: str) -> NoReturn:
        """Say what was expected instead of the value."""
        shown = json.dumps(self.value, ensure_ascii=False, default=repr)
        if len(shown) > 60:
            shown = shown[:57] + "…"
        self.complain(f"expected {expected}, got {shown}")

    def complain(self, problem: str) -> NoReturn:
        """Say what is wrong here."""
        raise RecordError(f"{self.path}: {problem}" if self.path else problem)

    def number(self, least: int, most: int) -> int:
        """Return the value if it is a whole number in a range."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"a whole number {least}..{most}")
        if not least <= self.value <= most:
            self.fail(f"a whole number {least}..{most}")
        return self.value

    def text(self) -> str:
        """Return the value if it is a text."""
        if not isinstance(self.value, str):
            self.fail("a text")
        return self.value

    def card(self) -> Card:
        """Return the card that the value names."""
        try:
            return parse_card(self.text())
        except NotationError:
            self.fail("a card, as 5H, 10S or JK")

    def suit(self) -> Suit:
        """Return the suit that the value names by its letter or sign."""
        text = self.text()
        if len(text) != 1:
            self.fail("a suit: S, C, D or H")
        try:
            return parse_suit(text)
        except NotationError:
            self.fail("a suit: S, C, D or H")

    def bid(self) -> str:
        """Return the bid that the value names, ``pass`` or ``hold``."""
        text = self.text()
        if text.lower() in (WORDS[PASS], WORDS[HOLD]):
            return text.lower()
        try:
            return BID_NAMES[parse_bid(text)]
        except NotationError:
            self.fail("pass, hold or a bid, as 20, 30-for-60, 7H or misere")

    def items(self, most: int, read: Callable[[Item], _T]) -> tuple[_T, ...]:
        """Read a list of at most so many values."""
        if not isinstance(self.value, list):
            self.fail("a list")
        if len(self.value) > most:
            self.complain(f"expected at most {most} items, got {len(self.value)}")
        return tuple(read(Item(v, f"{self.path}[{i}]")) for i, v in enumerate(self.value))

    def cards(self) -> tuple[Card, ...]:
        """Read a list of cards."""
        return self.items(MAX_CARDS, Item.card)

    def numbers(self, least: int, most: int) -> tuple[int, ...]:
        """Read a list of whole numbers, one for each seat or side."""
        return self.items(MAX_PLAYERS, lambda item: item.number(least, most))

    def or_null(self, read: Callable[[Item], _T]) -> _T | None:
        """Read the value unless it is null."""
        return None if self.value is None else read(self)

    def fields(self) -> Fields:
        """Return the fields of an object."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        return Fields(self.value, self.path)


class Fields:
    """The keys of an object, taken one by one; those never asked for are kept as they are."""

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self.rest = dict(values)
        self.path = path

    def take(self, key: str) -> Item:
        """Take a key that must be there."""
        if key not in self.rest:
            place = f"{self.path}: " if self.path else ""
            raise RecordError(f"{place}the key {key!r} is missing")
        return Item(self.rest.pop(key), f"{self.path}.{key}" if self.path else key)

    def take_if_there(self, key: str) -> Item:
        """Take a key, or null where it is not there."""
        return Item(self.rest.pop(key, None), f"{self.path}.{key}" if self.path else key)


def parse_record(text: str, *, unfinished: bool = False) -> Record:
    """Read one record from its line of JSON.

    Cards may be written in lower case, with ``T`` for 10 and with suit signs.

    Args:
        text: the line.
        unfinished: whether the deal may still be under way: ``tricks`` and ``result`` may be
            missing or null then.

    Raises:
        RecordError: if it is no record; names the key and what was expected there. What the cards
            and actions amount to is not judged here; see ``faults_of``.
    """
    fields = Item(_load(text)).fields()
    form = fields.take("format")
    if form.value != FORMAT:
        form.fail(f'"{FORMAT}"')
    return Record(
        game=fields.take("game").text(),
        options=_options(fields.take("options")),
        players=fields.take("players").number(2, MAX_PLAYERS),
        sides=fields.take("sides").numbers(0, MAX_PLAYERS - 1),
        dealer=fields.take("dealer").number(0, MAX_PLAYERS - 1),
        seed=fields.take("seed").or_null(lambda item: item.number(-MAX_WORD - 1, MAX_WORD)),
        deal=fields.take("deal").or_null(lambda item: item.number(0, MAX_WORD)),
        bots=fields.take("bots").items(MAX_PLAYERS, Item.text),
        hands=fields.take("hands").items(MAX_PLAYERS, Item.cards),
        turnup=fields.take("turnup").or_null(Item.card),
        kitty=fields.take("kitty").cards(),
        stock=fields.take("stock").cards(),
        restock=_restock(fields.take_if_there("restock")),
        before=_standing(fields.take("before")),
        actions=fields.take("actions").items(MAX_ACTIONS, _action),
        tricks=_so_far(fields, "tricks", _tricks, () if unfinished else None),
        result=_so_far(fields, "result", _result, NO_RESULT if unfinished else None),
        extra=fields.rest,
    )


def _so_far(fields: Fields, key: str, read: Callable[[Item], _T], nothing: _T | None) -> _T:
    """Read a key; where it may be missing or null there is ``nothing`` in its place."""
    if nothing is None:
        return read(fields.take(key))
    found = fields.take_if_there(key).or_null(read)
    return nothing if found is None else found


def _load(text: str) -> Any:
    """Read JSON as the standard has it: no key twice, no NaN, nothing that cannot be written."""
    try:
        value = json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_no_constant, parse_float=_finite
        )
        text.encode()
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecordError:
        raise
    except UnicodeEncodeError:
        raise RecordError("a text in it is no Unicode (half of a pair of surrogates)") from None
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip())
        what = "it is cut off" if cut and text.strip() else "it is no JSON"
        raise RecordError(f"{what}: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise RecordError("it is no record: nested too deeply") from None
    except ValueError as error:  # numbers of thousands of digits
        raise RecordError(f"it is no record: {error}") from None
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RecordError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise RecordError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


def _options(item: Item) -> dict[str, str | int]:
    values = item.fields().rest
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            Item(value, f"{item.path}.{name}").fail("a word or a whole number")
    return values


def _restock(item: Item) -> tuple[Card, ...]:
    """Read the new stock of a deal whose stock ran out; the key stands only there."""
    cards = item.or_null(Item.cards) or ()
    if item.value is not None and not cards:
        item.fail("cards, or no such key where the stock did not run out")
    return cards


def _standing(item: Item) -> Standing:
    fields = item.fields()
    if "pot" in fields.rest or "stacks" in fields.rest:
        pot = fields.take("pot").number(0, MAX_CHIPS * MAX_PLAYERS)
        stacks = fields.take("stacks").numbers(0, MAX_CHIPS * MAX_PLAYERS)
        return Standing(stacks, pot, extra=fields.rest)
    scores = fields.take("scores").numbers(-MAX_CHIPS, MAX_CHIPS)
    sets = fields.take_if_there("sets").or_null(lambda item: item.numbers(0, MAX_CHIPS))
    deals = fields.take_if_there("deals").or_null(lambda item: item.number(0, MAX_CHIPS))
    return Standing(scores, None, sets, deals, fields.rest)


def _action(item: Item) -> RecordedAction:
    fields = item.fields()
    seat = fields.take("seat").number(0, MAX_PLAYERS - 1)
    act = fields.take("act")
    if act.text() not in ACTS:
        act.complain(unknown("act", act.value, ACTS))
    return _ACTION_READERS[ACTS[act.value]](seat, act.value, fields)


def _bare_action(seat: Seat, act: str, fields: Fields) -> RecordedAction:
    return RecordedAction(seat, act, extra=fields.rest)


def _card_action(seat: Seat, act: str, fields: Fields) -> RecordedAction:
    card = fields.take("card").card()
    suit = fields.take_if_there("suit").or_null(Item.suit) if act == "play" else None
    return RecordedAction(seat, act, card, suit=suit, extra=fields.rest)


def _bid_action(seat: Seat, act: str, fields: Fields) -> RecordedAction:
    return RecordedAction(seat, act, bid=fields.take("bid").bid(), extra=fields.rest)


def _suit_action(seat: Seat, act: str, fields: Fields) -> RecordedAction:
    item = fields.take_if_there("suit") if act == MAY_LACK_SUIT else fields.take("suit")
    suit = item.or_null(Item.suit) if act == MAY_LACK_SUIT else item.suit()
    return RecordedAction(seat, act, suit=suit, extra=fields.rest)


def _cards_action(seat: Seat, act: str, fields: Fields) -> RecordedAction:
    return RecordedAction(seat, act, cards=fields.take("cards").cards(), extra=fields.rest)


_ACTION_READERS = {
    "": _bare_action,
    "card": _card_action,
    "bid": _bid_action,
    "suit": _suit_action,
    "cards": _cards_action,
}


def _tricks(item: Item) -> tuple[RecordedTrick, ...]:
    return item.items(MAX_CARDS, _trick)


def _trick(item: Item) -> RecordedTrick:
    fields = item.fields()
    return RecordedTrick(
        fields.take("leader").number(0, MAX_PLAYERS - 1),
        fields.take("cards").cards(),
        fields.take("winner").number(0, MAX_PLAYERS - 1),
        fields.rest,
    )


def _result(item: Item) -> Result:
    fields = item.fields()
    tricks = fields.take("tricks").numbers(0, MAX_CARDS)
    points = fields.take("points").numbers(-MAX_CHIPS * MAX_PLAYERS, MAX_CHIPS * MAX_PLAYERS)
    after = _standing(fields.take("after"))
    outcome = fields.take("outcome")
    if outcome.text() not in OUTCOMES:
        outcome.complain(unknown("outcome", outcome.value, OUTCOMES))
    winner = fields.take_if_there("winner").or_null(lambda item: item.number(0, MAX_PLAYERS - 1))
    return Result(tricks, points, after, outcome.value, winner, fields.rest)


def read_lines(path: str | Path) -> Iterator[tuple[int, Record | RecordError]]:
    """Yield each line of a file of records: its number, and the record or what is wrong with it.

    The file is read as it goes, whatever its size.

    Raises:
        RecordError: if the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    yield number, _at(path, number, f"the line is longer than {MAX_LINE} bytes")
                    return
                yield number, _read_line(path, number, line)
    except OSError as error:
        raise RecordError(f"cannot read {str(path)!r}: {error.strerror}") from None


def _read_line(path: str | Path, number: int, line: bytes) -> Record | RecordError:
    if not line.strip():
        return _at(path, number, "the line is empty; each line holds one record")
    try:
        return parse_record(line.decode())
    except UnicodeDecodeError as error:
        return _at(path, number, f"it is no UTF-8 (byte {error.start})")
    except RecordError as error:
        return _at(path, number, str(error))


def _at(path: str | Path, number: int, problem: str) -> RecordError:
    return RecordError(f"{path}, line {number}: {problem}")


def read_records(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file, one by one.

    Raises:
        RecordError: if the file cannot be read, or at the first line that is no record.
    """
    for _, record in read_lines(path):
        if isinstance(record, RecordError):
            raise record
        yield record
