"""Every kind of damage to a record is found, and named with its place."""
# ruff: noqa: E501

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest

from forty5sim.errors import RecordError
from forty5sim.records import faults_of, parse_record
from tests.records.fuzzing import fuzz
from tests.records.made_records import dealer_robs, good, holder_last, jinked

Data = dict[str, Any]


def at(data: Data, path: str) -> tuple[Any, Any]:
    """Return the container and key of a path like ``result.points[0]``."""
    keys = [
        int(k) if k.isdigit() else k for k in path.replace("]", "").replace("[", ".").split(".")
    ]
    for key in keys[:-1]:
        data = data[key]
    return data, keys[-1]


def change(path: str, value: Any):
    def damage(data: Data) -> None:
        box, key = at(data, path)
        box[key] = value(box[key]) if callable(value) else value

    return damage


def remove(path: str):
    def damage(data: Data) -> None:
        box, key = at(data, path)
        del box[key]

    return damage


def swap(path: str, other: str):
    def damage(data: Data) -> None:
        (a, i), (b, j) = at(data, path), at(data, other)
        a[i], b[j] = b[j], a[i]

    return damage


def insert(place: int, action: Data):
    return lambda data: data["actions"].insert(place, action)


ROB = {"seat": 1, "act": "rob", "card": "2D"}
FAULTS = {
    "illegal play": (holder_last, change("actions[3].card", "9C"), r"actions\[3\]: illegal play '9C' by seat 0 in trick 1: must follow D or play a trump"),
    "card not held": (jinked, change("actions[2].card", "2H"), r"actions\[2\]: illegal play '2H'"),
    "wrong winner": (jinked, change("tricks[0].winner", 0), r"tricks\[0\].winner: expected 1, whose"),
    "wrong leader": (jinked, change("tricks[1].leader", 0), r"tricks\[1\].leader: expected 1, got 0"),
    "wrong trick": (jinked, swap("tricks[0].cards[0]", "tricks[0].cards[1]"), r"tricks\[0\].cards: exp"),
    "trick missing": (jinked, remove("tricks[2]"), "tricks: expected 3, got 2"),
    "duplicate card": (good, swap("hands[0][0]", "stock[0]"), "is there twice|does not hold it|rob"),
    "card twice": (good, lambda d: change("stock[0]", d["hands"][0][0])(d), r"stock: .* is there twice \(hands\[0\] and stock\)"),
    "card missing": (good, remove("stock[3]"), "stock: these cards are missing"),
    "card of another deck": (good, change("stock[0]", "JK"), "JK is not in the deck"),
    "short hand": (good, remove("hands[1][0]"), r"hands\[1\]: expected 5 cards, got 4"),
    "no turn-up": (good, change("turnup", None), "turnup: expected a card"),
    "turn-up though fixed": (jinked, lambda d: d.update(turnup=d["stock"].pop(0)), "turnup: expected null"),
    "kitty": (good, lambda d: d["kitty"].append(d["stock"].pop()), "kitty: expected no cards"),
    "wrong points": (good, change("result.points[0]", 7), r"result.points: expected \["),
    "wrong tricks": (good, change("result.tricks[0]", 5), r"result.tricks: expected \["),
    "wrong state after": (good, change("result.after.stacks[1]", 9), r"result.after.stacks: expected"),
    "wrong pot after": (good, change("result.after.pot", 99), "result.after.pot: expected"),
    "wrong pot before": (jinked, change("before.pot", 3), "result.points: expected"),
    "wrong outcome": (jinked, change("result.outcome", "spoiled"), "result.outcome: expected pot-won"),
    "winner of no game": (jinked, change("result.winner", 1), "result.winner: expected None, got 1"),
    "after of another game": (jinked, change("result.after", {"scores": [0, 0, 0]}), "result.after: expected pot and stacks, got scores"),
    "out of turn": (jinked, swap("actions[0]", "actions[1]"), r"actions\[0\]: seat 2 acts out of turn; seat 1"),
    "rob without right": (jinked, insert(0, ROB), r"actions\[0\]: seat 1 cannot rob now: it has no right"),
    "late rob": (holder_last, swap("actions[2]", "actions[3]"), r"actions\[2\]: play by seat 0, which has to rob or keep before"),
    "late rob of the dealer": (dealer_robs, swap("actions[0]", "actions[1]"), r"actions\[0\]: play by seat 1, but seat 0 has to rob"),
    "rob after the first card": (dealer_robs, lambda d: insert(5, d["actions"][0])(d), "its right to rob is gone"),
    "no rob and no keep": (holder_last, remove("actions[2]"), "has to rob or keep"),
    "keep though compulsory": (dealer_robs, lambda d: (change("options", {"rob_forced": "all"})(d), change("actions[0]", {"seat": 0, "act": "keep"})(d)), "illegal rob 'keep'"),
    "throws what it has not": (dealer_robs, change("actions[0].card", "KD"), r"actions\[0\]: illegal rob"),
    "jink without three tricks": (jinked, insert(3, {"seat": 1, "act": "jink"}), r"actions\[3\]: seat 1 cannot jink now"),
    "jink by another": (jinked, change("actions[9].seat", 2), "seat 2 acts out of turn"),
    "action after the end": (jinked, insert(10, {"seat": 1, "act": "play", "card": "AC"}), r"actions\[10\]: play by seat 1 after the deal is over"),
    "cut short": (jinked, remove("actions[9]"), "actions: they end before the deal does; seat 1 has to jink"),
    "unknown game": (good, change("game", "spoil-fife"), "game: unknown game 'spoil-fife', did you mean 'spoil-five'"),
    "unknown option": (good, change("options", {"ane": 2}), "options: unknown option of spoil-five 'ane', did you mean 'ante'"),
    "option out of range": (good, change("options", {"ante": 0}), "options: option ante cannot be 0"),
    "a deck as a number": (good, change("options", {"deck": 5}), "options: deck must be a text, as '5S"),
    "option of the game": (good, change("options", {"stack": 9}), "options.stack: it is no matter of a single deal"),
    "wrong sides": (good, change("sides", [0, 1, 1]), "sides: expected seat mod k"),
    "too few bots": (good, change("bots", ["a"]), "bots: expected one for each of 3 seats"),
    "dealer of no seat": (good, change("dealer", 4), "dealer: seat 4 does not play"),
    "chips of no seat": (good, change("before.stacks", [50, 50]), "before.stacks: expected 3 numbers, got 2"),
    "scores for a pot": (good, change("before", {"scores": [0, 0, 0]}), "before: expected pot and stacks"),
    "game over before": (holder_last, change("before.scores[0]", 45), "before.scores: the game is over already"),
    "chips without cards": (good, lambda d: (d["stock"].extend(d["hands"][0]), d["hands"].__setitem__(0, []), change("dealer", 1)(d)), "a seat without cards has chips"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FAULTS)
def test_what_cannot_have_happened_is_named(kind):
    make, damage, message = FAULTS[kind]
    data = copy.deepcopy(make().as_dict())
    damage(data)
    faults = faults_of(parse_record(json.dumps(data)))
    assert len(faults) >= 1
    assert re.search(message, "\n".join(faults)), faults


UNREADABLE = {
    "not JSON": ("nonsense", "it is no JSON: Expecting value at column 1"),
    "a list": ("[1]", "expected an object, got \\[1\\]"),
    "deeply nested": ("[" * 100_000, "nested too deeply|cut off"),
    "endless number": ('{"format": ' + "9" * 5000 + "}", "it is no record"),
    "not a number": ('{"format": NaN}', "NaN is no JSON"),
    "a number beyond numbers": ('{"format": 1e999}', "1e999 is no JSON"),
    "half a character": ('{"format": "\\ud800"}', "no Unicode"),
    "key twice": ('{"format": 1, "format": 2}', "the key 'format' stands twice"),
    "another format": ('{"format": "pbn"}', 'format: expected "forty5sim.deal.v1", got "pbn"'),
}
TYPES = {
    "players as text": ("players", "3", 'players: expected a whole number 2..10, got "3"'),
    "players as a fraction": ("players", 3.0, "players: expected a whole number 2..10, got 3.0"),
    "players as a truth": ("players", True, "players: expected a whole number 2..10, got true"),
    "too many players": ("players", 11, "players: expected a whole number 2..10, got 11"),
    "hands as an object": ("hands", {}, "hands: expected a list, got {}"),
    "a hand as text": ("hands[1]", "5H", r'hands\[1\]: expected a list, got "5H"'),
    "a card as a number": ("hands[1][2]", 5, r"hands\[1\]\[2\]: expected a text, got 5"),
    "no card": ("hands[1][2]", "1H", r'hands\[1\]\[2\]: expected a card, as 5H, 10S or JK, got "1H"'),
    "a German card": ("stock[0]", "BH", "expected a card"),
    "an act that is none": ("actions[0].act", "plya", "did you mean 'play'"),
    "no seat": ("actions[0].seat", -1, r"actions\[0\].seat: expected a whole number 0..9"),
    "an outcome that is none": ("result.outcome", "won", "unknown outcome 'won'"),
    "options as a list": ("options", [], "options: expected an object"),
    "an option as a list": ("options", {"ante": []}, "options.ante: expected a word or a whole"),
    "chips beyond counting": ("before.pot", 10**30, "before.pot: expected a whole number"),
    "a seed beyond 64 bits": ("seed", 2**64, "seed: expected a whole number"),
    "a thousand hands": ("hands", [[]] * 1000, "hands: expected at most 10 items, got 1000"),
    "the game as a list": ("game", ["spoil-five"], "game: expected a text"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_is_no_record_is_refused(kind):
    text, message = UNREADABLE[kind]
    with pytest.raises(RecordError, match=message):
        parse_record(text)


@pytest.mark.parametrize("kind", TYPES)
def test_wrong_types_name_the_key_and_what_was_expected(kind):
    path, value, message = TYPES[kind]
    data = good().as_dict()
    change(path, value)(data)
    with pytest.raises(RecordError, match=message):
        parse_record(json.dumps(data))


@pytest.mark.parametrize("key", list(good().as_dict()))
def test_a_missing_key_is_named(key):
    data = good().as_dict()
    del data[key]
    with pytest.raises(RecordError, match=f"the key '{key}' is missing"):
        parse_record(json.dumps(data))


def test_a_missing_key_inside_is_named_with_its_place():
    data = good().as_dict()
    del data["actions"][1]["seat"]
    with pytest.raises(RecordError, match=r"actions\[1\]: the key 'seat' is missing"):
        parse_record(json.dumps(data))


def test_damaged_records_give_nothing_but_clear_errors():
    judged = fuzz(400, 2)
    assert min(judged[what] for what in ("not read", "faulty", "right")) > 0
