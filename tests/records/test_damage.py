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
from tests.records.made_records import (
    bagged,
    dealer_robs,
    good,
    held,
    holder_last,
    jinked,
    no_trumps,
    overbid,
    restocked,
    thrown_in,
)

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


def bid(seat: int, word: str) -> Data:
    return {"seat": seat, "act": "bid", "bid": word}


def bids(*calls: tuple[int, str]):
    """Put these calls in place of those of a record."""

    def damage(data: Data) -> None:
        rest = [action for action in data["actions"] if action["act"] != "bid"]
        data["actions"] = [bid(*call) for call in calls] + rest

    return damage


def both(*damages):
    def damage(data: Data) -> None:
        for one in damages:
            one(data)

    return damage


def made(make, *arguments: Any, **options: Any):
    return lambda: make(*arguments, **options)


def over(value: Data, **options: Any):
    """Auction Forty-Fives with a state before that ends the game."""
    return both(change("options", options), lambda d: d["before"].update(value))


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


AUCTION_FAULTS = {
    "a bid too low": (held, bids((1, "20"), (2, "15")), r"actions\[1\]: illegal call '15' by seat 2: it is not above the standing bid"),
    "the same bid again": (held, bids((1, "20"), (2, "20")), r"actions\[1\]: illegal call '20' by seat 2"),
    "a bid that this game has not": (held, bids((1, "5")), r"actions\[0\]: illegal call '5' by seat 1: it is no first bid"),
    "a bid of another game": (held, bids((1, "7H")), r"actions\[0\]: illegal call '7H' by seat 1"),
    "a bid out of turn": (held, bids((2, "20")), r"actions\[0\]: seat 2 acts out of turn; seat 1 has to speak in the auction"),
    "a bid after a pass": (held, bids((1, "20"), (2, "pass"), (3, "pass"), (0, "25"), (1, "pass"), (2, "30")), r"actions\[5\]: bid 30 by seat 2, but seat 0 has to name trumps"),
    "a hold by another than the dealer": (held, bids((1, "20"), (2, "hold")), r"actions\[1\]: illegal call 'hold' by seat 2: only the dealer may hold"),
    "a hold of nothing": (held, bids((1, "pass"), (2, "pass"), (3, "pass"), (0, "hold")), r"actions\[3\]: illegal call 'hold' by seat 0"),
    "a hold where there is none": (held, change("options", {"dealer_hold": "off"}), r"actions\[3\]: illegal call 'hold' by seat 0"),
    "a pass missing in the middle": (held, remove("actions[1]"), r"actions\[1\]: seat 3 acts out of turn; seat 2"),
    "a pass missing at the end": (held, remove("actions[4]"), r"actions\[4\]: trump by seat 0, but seat 1 has to speak in the auction"),
    "a forced pass missing": (held, bids((1, "30"), (3, "pass"), (0, "pass")), r"actions\[1\]: seat 3 acts out of turn; seat 2"),
    "a call after the auction": (held, insert(5, bid(1, "25")), r"actions\[5\]: bid 25 by seat 1, but seat 0 has to name trumps"),
    "a late pass of who was not asked next": (overbid, insert(1, bid(3, "pass")), r"actions\[1\]: pass by seat 3, but seat 1 has to name trumps"),
    "a late pass of the bidder": (overbid, insert(1, bid(1, "pass")), r"actions\[1\]: pass by seat 1, but seat 1 has to name trumps"),
    "a late pass too many": (overbid, both(*(insert(1, bid(seat, "pass")) for seat in (2, 0, 3, 2))), r"actions\[4\]: pass by seat 2, but seat 1"),
    "a late pass of who has passed": (held, insert(5, bid(2, "pass")), r"actions\[5\]: pass by seat 2, but seat 0"),
    "a late pass after trumps": (overbid, insert(2, bid(2, "pass")), r"actions\[2\]: pass by seat 2, but seat 1 has to discard"),
    "a late pass in the play": (overbid, insert(7, bid(2, "pass")), r"actions\[7\]: pass by seat 2, but seat 3 has to play"),
    "a pass after a deal thrown in": (thrown_in, insert(4, bid(2, "pass")), r"actions\[4\]: pass by seat 2 after the deal is over"),
    "misère over a bid of six": (made(no_trumps, "misere"), change("actions[3].bid", "6H"), r"actions\[4\]: illegal call 'misere' by seat 1"),
    "a bid below on the ladder": (no_trumps, change("actions[1].bid", "6H"), r"actions\[1\]: illegal call '6H' by seat 2: it is not above"),
    "hold in Five Hundred": (no_trumps, change("actions[3].bid", "hold"), r"actions\[3\]: illegal call 'hold' by seat 0"),
    "trumps named by another": (held, change("actions[5].seat", 1), r"actions\[5\]: seat 1 acts out of turn; seat 0 has to name trumps"),
    "trumps not named": (held, remove("actions[5]"), r"actions\[5\]: discard by seat 1, but seat 0 has to name trumps"),
    "trumps named twice": (held, insert(6, {"seat": 0, "act": "trump", "suit": "H"}), r"actions\[6\]: trump by seat 0, but seat 1 has to discard"),
    "trumps named in Five Hundred": (no_trumps, insert(4, {"seat": 1, "act": "trump", "suit": "H"}), r"actions\[4\]: trump by seat 1, but seat 1 has to discard"),
    "a throw of what is not held": (held, change("actions[6].cards", ["5S"]), r"actions\[6\]: discard 5S: seat 1 does not hold it"),
    "a throw of the kitty by another": (held, change("actions[6].cards", ["7D"]), r"actions\[6\]: discard 7D: seat 1 does not hold it"),
    "a card thrown twice": (held, change("actions[6].cards", ["2D", "2D"]), r"actions\[6\]: discard 2D: seat 1 cannot throw it twice"),
    "too few thrown": (held, change("actions[9].cards", ["7D", "8D"]), r"actions\[9\]: illegal discard 'done' by seat 0: more cards have to be thrown"),
    "too many thrown": (held, change("actions[9].cards", ["5S", "JS", "AH", "KS", "QS", "7D", "8D", "9D"]), r"actions\[9\]: illegal discard 'AH' by seat 0: no more cards may be thrown"),
    "too many thrown where some are kept": (made(held, min_keep=2), change("actions[7].cards", ["KC", "QC", "JC", "AC"]), r"actions\[7\]: illegal discard 'AC' by seat 2: no more"),
    "too few thrown in Five Hundred": (no_trumps, remove("actions[4].cards[0]"), r"actions\[4\]: illegal discard .* by seat 1: .*\(docs/rules.md 8.4\)"),
    "a throw out of turn": (held, swap("actions[6]", "actions[7]"), r"actions\[6\]: seat 2 acts out of turn; seat 1 has to discard"),
    "no throw of a seat": (held, remove("actions[7]"), r"actions\[7\]: seat 3 acts out of turn; seat 2 has to discard"),
    "no throw of the last": (held, remove("actions[9]"), r"actions\[9\]: play by seat 1, but seat 0 has to discard"),
    "a throw too late": (held, insert(12, {"seat": 0, "act": "discard", "cards": []}), r"actions\[12\]: discard by seat 0, but seat 3 has to play"),
    "a throw of who throws none": (no_trumps, insert(4, {"seat": 2, "act": "discard", "cards": []}), r"actions\[4\]: seat 2 acts out of turn; seat 1 has to discard"),
    "no new stock": (restocked, remove("restock"), r"actions\[11\]: .*restock must"),
    "a new stock too short": (restocked, remove("restock[3]"), r"actions\[11\]: .*restock must"),
    "a new stock of other cards": (restocked, change("restock[0]", "9S"), r"actions\[11\]: the stock has run out; restock must begin with the cards thrown before: "),
    "a card of the new stock twice": (restocked, lambda d: change("restock[0]", d["restock"][1])(d), r"restock: \w+ is there twice"),
    "a new stock with a card of another deck": (restocked, change("restock[0]", "JK"), "restock: JK is not in the deck"),
    "a new stock too long": (restocked, lambda d: d["restock"].append("9S"), r"restock: expected 22 cards, the stock ran out for so many; got 23"),
    "a new stock though the old one did not run out": (held, lambda d: d.update(restock=["2D", "7D"]), "restock: expected 0 cards, the stock ran out for so many; got 2"),
    "a new stock in Five Hundred": (no_trumps, lambda d: d.update(restock=["4D"]), "restock: expected 0 cards"),
    "a kitty too short": (held, lambda d: d["stock"].append(d["kitty"].pop()), "kitty: expected 3 cards, got 2"),
    "a kitty where there is none": (made(overbid, "auction-forty-fives:dealer_hold=off,kitty=0"), lambda d: d["kitty"].append(d["stock"].pop()), "kitty: expected no cards, got 1"),
    "a card of the kitty twice": (held, change("kitty[0]", "8D"), r"kitty: 8D is there twice \(kitty and kitty\)"),
    "a card of kitty and hand": (held, change("kitty[0]", "5S"), r"kitty: 5S is there twice \(hands\[0\] and kitty\)"),
    "a stock in Five Hundred": (no_trumps, lambda d: d["stock"].append("4H"), r"stock: 4H is there twice \(kitty and stock\)"),
    "a turn-up where none is": (held, lambda d: d.update(turnup=d["stock"].pop()), "turnup: expected null, for none is turned up"),
    "a suit for the Joker by who has it not": (made(no_trumps, "6NT"), change("actions[5].seat", 2), r"actions\[5\]: seat 2 acts out of turn; seat 1 has to give the Joker a suit or none"),
    "a suit for the Joker with trumps": (made(no_trumps, "6NT"), change("actions[0].bid", "6S"), r"actions\[5\]: assign by seat 1, but seat 1 has to play"),
    "a suit for the Joker where that is not allowed": (no_trumps, change("options", {"joker_nt_suit": "misere_only"}), r"actions\[5\]: assign by seat 1, but seat 1 has to play"),
    "a suit for the Joker after the lead": (no_trumps, both(remove("actions[5]"), insert(6, {"seat": 1, "act": "assign", "suit": "S"})), r"actions\[6\]: assign by seat 1, but seat 2 has to play"),
    "a suit named with an ordinary card": (no_trumps, lambda d: d["actions"][6].update(suit="S"), r"actions\[6\]: suit: only a Joker without a suit that is led names one"),
    "a suit named with a Joker that has one": (made(no_trumps, joker="H", actions="JK"), lambda d: d["actions"][6].update(suit="H"), r"actions\[6\]: suit: only a Joker without a suit"),
    "a suit named with a Joker not led": (made(no_trumps, actions="6S"), lambda d: d["actions"][42].update(suit="H", card="6S"), r"actions\[42\]: illegal play '6S'"),
    "no suit with a Joker led": (made(no_trumps, actions="JK name:H"), remove("actions[6].suit"), r"actions\[6\]: a Joker without a suit was led and names none; expected suit"),
    "a suit that was led before": (made(no_trumps, actions="6S 5S QC 5C JK name:H"), change("actions[10].suit", "S"), r"actions\[10\]: illegal suit 'S' by seat 1.*the suit was led before"),
    "a Joker played while the suit led is held": (made(no_trumps, joker="S"), change("actions[7].card", "JK"), r"actions\[7\]: illegal play 'JK' by seat 2"),
    "a suit not followed": (no_trumps, change("actions[7].card", "8H"), r"actions\[7\]: illegal play '8H' by seat 2 in trick 1: must follow S \(docs/rules.md 8.6\)"),
    "a card of the partner who sits out": (made(no_trumps, "misere"), insert(10, {"seat": 3, "act": "play", "card": "QC"}), r"actions\[10\]: seat 3 acts out of turn; seat 0"),
    "play after a misère that failed": (made(no_trumps, "misere"), lambda d: d["actions"].append({"seat": 1, "act": "play", "card": "7S"}), r"actions\[11\]: play by seat 1 after the deal is over"),
    "outcome set instead of made": (held, change("result.outcome", "set"), "result.outcome: expected made, got set"),
    "outcome made instead of set": (restocked, change("result.outcome", "made"), "result.outcome: expected set, got made"),
    "outcome of a deal thrown in": (thrown_in, change("result.outcome", "scored"), "result.outcome: expected thrown-in, got scored"),
    "thrown in though played": (held, change("result.outcome", "thrown-in"), "result.outcome: expected made, got thrown-in"),
    "wrong points of a contract": (held, change("result.points[0]", 20), r"result.points: expected \[30, 0\], got \[20, 0\]"),
    "wrong points of a failed contract": (restocked, change("result.points[1]", 15), r"result.points: expected \[20, -15\]"),
    "wrong scores after": (bagged, change("result.after.scores[0]", 20), r"result.after.scores: expected \[25, 5\]"),
    "points for a deal thrown in": (thrown_in, change("result.points[0]", 10), r"result.points: expected \[0, 0\]"),
    "sets missing": (made(held, sets_lose=3), remove("before.sets"), "before.sets: it is missing; it stands where sets_lose is set"),
    "sets where they do not count": (held, lambda d: d["before"].update(sets=[0, 0]), "before.sets: it does not belong here"),
    "sets of too few sides": (made(held, sets_lose=3), remove("before.sets[1]"), "before.sets: expected 2 numbers, got 1"),
    "sets not counted": (made(held, sets_lose=3), change("result.after.sets", [2, 0]), r"result.after.sets: expected \[1, 0\], got \[2, 0\]"),
    "sets missing after": (made(held, sets_lose=3), remove("result.after.sets"), "result.after: expected scores and sets, got scores"),
    "sets in a game with a turn-up": (holder_last, lambda d: d["before"].update(sets=[0, 0, 0]), "before.sets: it does not belong here"),
    "deals missing": (made(held, game_deals=4), remove("before.deals"), "before.deals: it is missing; it stands where game_deals is set"),
    "deals where they do not count": (held, lambda d: d["before"].update(deals=0), "before.deals: it does not belong here"),
    "deals not counted": (made(held, game_deals=4), change("result.after.deals", 1), "result.after.deals: expected 2, got 1"),
    "over before by the target": (held, over({"scores": [120, 0]}), "before.scores: the game is over already; a side has 120 of 120"),
    "over before by level totals": (held, over({"scores": [125, 125]}), "before.scores: the game is over already"),
    "over before by lose_at": (held, over({"scores": [-125, 0]}, lose_at=-125), "before.scores: the game is over already; a side has -125 and loses at -125"),
    "over before by sets_lose": (made(held, sets_lose=3), over({"sets": [0, 3]}, sets_lose=3), "before.sets: the game is over already; a side loses with 3 bids set"),
    "over before by game_deals": (made(held, game_deals=4), over({"deals": 4, "scores": [10, 0]}, game_deals=4), "before.deals: the game is over already; it has 4 deals"),
    "over before though level": (made(held, game_deals=4), over({"deals": 4, "scores": [10, 10]}, game_deals=4), "before.deals: the game is over already"),
    "Five Hundred over before by losing": (no_trumps, change("before.scores", [0, -500]), "before.scores: the game is over already; a side has -500 and loses at -500"),
    "Five Hundred over before by any points": (no_trumps, over({"scores": [500, 0]}, win_needs_contract="off"), "before.scores: the game is over already; a side has 500 of 500"),
    "an option of seats": (held, change("options", {"first_dealer": 1}), "options.first_dealer: it is no matter of a single deal"),
    "an option of another game": (held, change("options", {"misere": "off"}), "options: unknown option|options: .*misere"),
    "Five Hundred alone": (no_trumps, both(change("sides", [0, 1, 2, 3]), change("before.scores", [0, 0, 0, 0])), "options: "),
    "Five Hundred for three": (no_trumps, both(change("players", 3), change("sides", [0, 1, 2])), "options: |players|sides"),
}  # fmt: skip
FAULTS |= AUCTION_FAULTS


@pytest.mark.parametrize("kind", FAULTS)
def test_what_cannot_have_happened_is_named(kind):
    make, damage, message = FAULTS[kind]
    data = copy.deepcopy(make().as_dict())
    damage(data)
    faults = faults_of(parse_record(json.dumps(data)))
    assert len(faults) >= 1
    assert re.search(message, "\n".join(faults)), faults


def late_passes(*seats: int):
    return both(*(insert(1, bid(seat, "pass")) for seat in reversed(seats)))


def as_it_is(data: Data) -> None:
    pass


ACCEPTED = {
    "all late passes": (overbid, late_passes(2, 3, 0)),
    "some late passes": (overbid, late_passes(2)),
    "late passes in Five Hundred": (made(overbid, "five-hundred", "10NT"), late_passes(2, 3)),
    "late passes where one may speak again": (made(overbid, "five-hundred:rebid_after_pass=on", "10NT"), late_passes(2, 3, 0)),
    "the Joker left without a suit, not told": (no_trumps, remove("actions[5]")),
    "the Joker left without a suit, told as null": (no_trumps, change("actions[5].suit", None)),
    "a suit named with a Joker led to the last trick": (no_trumps, lambda d: d["actions"][42].update(suit="H")),
    "any suit where any may be named": (made(no_trumps, actions="6S 5S QC 5C JK name:S", options=":joker_lead=any_suit"), as_it_is),
    "cards thrown in any order": (held, lambda d: d["actions"][9]["cards"].reverse()),
    "names in capitals": (made(no_trumps, "misere"), change("actions[4].bid", "MISERE")),
    "a suit by its sign": (held, change("actions[5].suit", "♠")),
    "points of the defence do not end Five Hundred": (made(no_trumps, scores=[620, 500]), as_it_is),
    "level totals that play on": (held, both(over({"scores": [40, 40]}, target=40, tie="highest_total", tie_equal="play_on"), lambda d: d["result"].update(after={"scores": [70, 40]}, outcome="game-won", winner=0))),
    "a side at the target that must bid out": (held, both(over({"scores": [0, 130]}, must_bid_out="on"), change("result.after.scores", [30, 130]))),
}  # fmt: skip


@pytest.mark.parametrize("kind", ACCEPTED)
def test_what_may_be_told_otherwise_is_accepted(kind):
    make, alter = ACCEPTED[kind]
    data = copy.deepcopy(make().as_dict())
    alter(data)
    assert faults_of(parse_record(json.dumps(data))) == []


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
AUCTION_TYPES = {
    "a bid as a number": ("actions[0].bid", 20, r"actions\[0\].bid: expected a text, got 20"),
    "no bid": ("actions[0].bid", "21", r'actions\[0\].bid: expected pass, hold or a bid, as 20, .*, got "21"'),
    "a bid as a list": ("actions[0].bid", ["20"], r"actions\[0\].bid: expected a text"),
    "a bid as null": ("actions[0].bid", None, r"actions\[0\].bid: expected a text, got null"),
    "no suit": ("actions[5].suit", "X", r'actions\[5\].suit: expected a suit: S, C, D or H, got "X"'),
    "no trump in Auction Forty-Fives": ("actions[5].suit", "NT", r"actions\[5\].suit: expected a suit"),
    "a suit as a number": ("actions[5].suit", 3, r"actions\[5\].suit: expected a text, got 3"),
    "a trump suit as null": ("actions[5].suit", None, r"actions\[5\].suit: expected a text, got null"),
    "cards as a text": ("actions[6].cards", "2D", r'actions\[6\].cards: expected a list, got "2D"'),
    "cards as null": ("actions[6].cards", None, r"actions\[6\].cards: expected a list, got null"),
    "no card thrown": ("actions[6].cards", ["2X"], r"actions\[6\].cards\[0\]: expected a card"),
    "a suit of a play as a list": ("actions[10].suit", [], r"actions\[10\].suit: expected a text"),
    "a kitty as null": ("kitty", None, "kitty: expected a list, got null"),
    "a new stock as a text": ("restock", "2D", 'restock: expected a list, got "2D"'),
    "an empty new stock": ("restock", [], "restock: expected cards, or no such key"),
    "sets as a number": ("before.sets", 1, r"before.sets: expected a list, got 1"),
    "sets below none": ("before.sets", [-1, 0], r"before.sets\[0\]: expected a whole number 0..1000000, got -1"),
    "deals as a text": ("before.deals", "1", r'before.deals: expected a whole number 0..1000000, got "1"'),
    "deals as a truth": ("before.deals", True, "before.deals: expected a whole number"),
    "scores as fractions": ("before.scores", [0.5, 0], r"before.scores\[0\]: expected a whole number"),
}  # fmt: skip


@pytest.mark.parametrize("kind", AUCTION_TYPES)
def test_wrong_types_of_an_auction_name_the_key(kind):
    path, value, message = AUCTION_TYPES[kind]
    data = held().as_dict()
    change(path, value)(data)
    with pytest.raises(RecordError, match=message):
        parse_record(json.dumps(data))


@pytest.mark.parametrize(("index", "key"), [(0, "bid"), (5, "suit"), (6, "cards"), (10, "card")])
def test_what_an_act_is_done_with_must_be_there(index, key):
    data = held().as_dict()
    del data["actions"][index][key]
    with pytest.raises(RecordError, match=rf"actions\[{index}\]: the key '{key}' is missing"):
        parse_record(json.dumps(data))


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
