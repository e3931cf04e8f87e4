"""Positions told in a short text: what they amount to, and what is wrong with them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from forty5sim import Game, view_of
from forty5sim.advice.advising import position_from
from forty5sim.advice.pasts import PASTS
from forty5sim.agent import View
from forty5sim.bids import BID_NAMES
from forty5sim.cards import JOKER, NO_TRUMP, Card, card_name, parse_card
from forty5sim.errors import PositionError
from forty5sim.infoset import InformationSet
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import HOLD, PASS
from forty5sim.options import POT
from tests.advice.telling_views import stopped, text_of

FILE = Path(__file__).parents[2] / "conformance" / "positions.jsonl"
POSITIONS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
UNTELLABLE = {"earlier", "joker_suit", "named", "led_suits", "missed_rob"}


def words(view: View) -> list[int]:
    return [int(word) for word in view._words[: layout.PUBLIC_SIZE]]


def spec_of(position: dict[str, Any]) -> str:
    options = ",".join(f"{name}={value}" for name, value in position["options"].items())
    return f"{position['game']}:{options}" if options else position["game"]


LEGAL = [
    p
    for p in POSITIONS
    if p["kind"] == "legal" and not UNTELLABLE & set(p) and p["game"] != "five-hundred"
]
CALLS = [p for p in POSITIONS if p["kind"] == "bids" and "hand" not in p]


@pytest.mark.parametrize("position", LEGAL, ids=lambda p: p["id"])
def test_the_worked_positions_have_the_legal_cards_of_the_rule_book(position):
    text = f'game={spec_of(position)} trump={position["trump"]} hand="{" ".join(position["hand"])}"'
    if position["trick"]:
        text += f' trick="{" ".join(position["trick"])}"'
    found = position_from(text)
    for view in found.views:
        assert sorted(map(card_name, view.legal)) == sorted(position["expect"])
        assert view.hand == found.view.hand


@pytest.mark.parametrize("position", CALLS, ids=lambda p: p["id"])
def test_the_worked_auctions_have_the_legal_calls_of_the_rule_book(position):
    rules = find_rules(spec_of(position))
    players = position.get("players", rules.default_players)
    if [seat % 2 for seat in range(players)] != position.get("sides", [0, 1] * (players // 2)):
        pytest.skip("the short text takes the usual sides")
    expect = position["expect"]
    hand = " ".join(map(card_name, rules.deck_cards()[: int(rules.hand_size)]))
    text = f'game={spec_of(position)} players={players} dealer={position["dealer"]} hand="{hand}"'
    text += f" seat={expect['seat']}"
    if position["bids"]:
        text += f' bids="{" ".join(bid for _, bid in position["bids"])}"'
    if any(position.get("scores", [])):
        text += f' score="{" ".join(map(str, position["scores"]))}"'
    view = position_from(text).view
    names = {PASS: "pass", HOLD: "hold"}
    calls = [names.get(call) or BID_NAMES[call] for call in view.legal]
    assert sorted(calls) == sorted(expect["legal"])


@pytest.mark.parametrize("family", ["counting", "pot", "auction", "five-hundred"])
def test_a_view_told_in_words_is_the_same_view(family):
    rng, checked = random.Random(5), 0
    games = [rules for rules in presets().values() if rules.family.replace("_", "-") == family]
    games = games or [presets()["five-hundred"]]
    for seed in range(120):
        rules = rng.choice(games)
        alone = rules.family != POT and rng.random() < 0.5
        pot = rng.choice([0, 7]) if rules.family == POT else 0
        game = Game(rules, rng.choice(rules.players), seed=seed, alone=alone, pot=pot)
        game = stopped(game, rng)
        view = view_of(game)
        middle = view.phase == "discard" and view.discarded[view.observer]
        joker_up = bool(game.state[layout.JOKER_TURNED]) and rules.turns_up
        joker_led = view.trump == NO_TRUMP and JOKER in leads(view)
        untold = middle or joker_up or joker_led or view.phase == "name" or len(view.exposed)
        if game.deal_is_over or untold:
            continue
        found = position_from(text_of(game)).view
        assert words(found) == words(view), text_of(game)
        assert (found.hand, found.thrown, found.legal) == (view.hand, view.thrown, view.legal)
        checked += 1
    assert checked > 60


def leads(view: View) -> list[Card]:
    return [trick.cards[0] for trick in view.history] + [card for _, card in view.trick[:1]]


def test_what_is_not_told_is_as_likely_as_the_rules_make_it():
    view = position_from('game=spoil-five trump=H hand="5H 9C KD JC 2C" dealer=4 seat=0').view
    knowledge = InformationSet(view)
    chances = knowledge.marginals()
    assert len(knowledge.unseen) == 47
    for card in knowledge.unseen:
        assert chances[1:, card] == pytest.approx([5 / 47] * 4)


def test_earlier_tricks_that_are_not_told_are_drawn_and_said_to_be():
    found = position_from('game=spoil-five players=5 trump=H hand="5H 9C KD" trick="7H"')
    assert len(found.views) == PASTS
    assert any("2 earlier tricks are not told" in line for line in found.assumed)
    assert len({tuple(words(view)) for view in found.views}) == PASTS
    for view in found.views:
        assert [card_name(card) for _, card in view.trick] == ["7H"]
        assert len(view.history) == 2
        assert InformationSet(view).count > 0
    again = position_from('game=spoil-five players=5 trump=H hand="5H 9C KD" trick="7H"')
    assert [words(view) for view in again.views] == [words(view) for view in found.views]


def test_tricks_won_are_those_that_are_told():
    text = 'game=spoil-five players=3 trump=H hand="5H 9C KD" trick="7H" won="0 1 1"'
    found = position_from(text)
    assert all(view.tricks == [0, 1, 1] for view in found.views)
    assert {view.dealer for view in found.views} == {0, 1, 2}
    assert all(view.trick[0][0] == 2 for view in found.views)


def test_a_dealer_who_must_rob_has_robbed_in_every_past():
    found = position_from('game=spoil-five-forced-rob players=4 turnup=AS hand="5H 9C KD" trick=7H')
    assert {view.robber == view.dealer for view in found.views} == {True}
    assert 0 not in {view.dealer for view in found.views}
    assert any("nobody is taken to have robbed" in line for line in found.assumed)
    optional = position_from('game=spoil-five players=4 turnup=AS hand="5H 9C KD" trick=7H')
    assert {view.robber for view in optional.views} == {None}


HAND = 'hand="5H 9C KD JC 2C"'
AUCTION = 'game=auction-forty-fives hand="5H 9C KD JH AH"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "a position is told as key=value"),
        (f"{HAND}", "game: it is missing"),
        ("game=spoil-five trump=H", "hand: it is missing"),
        (f"game=spoil5 {HAND}", "did you mean 'spoil-five'"),
        (f"game=spoil-five {HAND}", "trump: it is missing"),
        (f"game=spoil-five trumps=H {HAND}", "unknown key 'trumps', did you mean 'trump'?"),
        (f"game=spoil-five trump=H trump=H {HAND}", "trump: it is told twice"),
        (f"game=spoil-five trump=NT {HAND}", "trump: unknown suit 'NT'"),
        (f"game=spoil-five trump=S turnup=4H {HAND}", "trump: S is told, but by the turn-up it is"),
        (f"game=spoil-five players=12 trump=H {HAND}", "players: expected a whole number 2..10"),
        (f"game=five-hundred players=5 {HAND}", "players: five-hundred is not for 5 players"),
        (f"game=spoil-five trump=H seat=5 {HAND}", "seat: expected a whole number 0..4, got '5'"),
        (f"game=spoil-five trump=H seat=2 dealer=0 {HAND}", "it is not the turn of seat 2"),
        ('game=spoil-five trump=H hand="5H 5H"', "hand: 5H is there twice"),
        ('game=spoil-five trump=H hand="5H', "no closing quotation"),
        ('game=spoil-five trump=H hand=""', "hand: it is empty"),
        ('game=spoil-five trump=H hand="5X"', "hand: unknown suit 'X'"),
        ('game=spoil-five trump=H hand="JK"', "hand: JK is not in the deck of this game"),
        (f"game=spoil-five trump=H trick=5H {HAND}", "trick: 5H is in hand too"),
        (f'game=spoil-five trump=H trick="3H 4H 6H 7H 8H" {HAND}', "expected less than 5 cards"),
        (f'game=spoil-five trump=H tricks="3H 4H 6H 7H 8H" {HAND}', "after 0 earlier tricks"),
        (f"game=spoil-five turnup=4H robbed=0 {HAND}", "thrown: expected the cards you threw, 1"),
        ("game=spoil-five turnup=4H robbed=0 hand=5H", "thrown: it is the card you threw"),
        ('game=spoil-five turnup=7H hand="AH 9C KD JC 2C" trick=KS', "robbed: you had the right"),
        (f"game=spoil-five trump=H robbed=1 {HAND}", "robbed: tell the turnup too"),
        (f"game=spoil-five trump=H jinked=1 {HAND}", "seat 1 cannot have declared a jink"),
        (f"game=spoil-five trump=H bids=pass {HAND}", "bids: spoil-five has nothing of that kind"),
        (f'game=twenty-five trump=H score="25 0" {HAND}', "score: the game is over already"),
        (f"{AUCTION} bids=frog", "bids: unknown bid 'frog'"),
        (f'{AUCTION} bids="20 15"', "bids: call 2: illegal call '15'"),
        (f"{AUCTION} trump=H", "bids: the auction is not over"),
        (
            f'{AUCTION} bids="pass 20 pass pass" seat=1 dealer=3 trump=H',
            "seat 0 has to act (discard)",
        ),
    ],
)
def test_what_is_wrong_with_a_text_is_told_by_its_key(text, message):
    with pytest.raises(PositionError) as caught:
        position_from(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_plays_that_the_rules_forbid_are_found_out():
    table = 'game=forty-five players=2 trump=S hand="4S 2D 3D 4D" tricks="KS 9C"'
    view = position_from(f"{table} seat=0 dealer=1").view  # seat 1 threw a club to a trump
    chances = InformationSet(view).marginals()
    assert chances[1, parse_card("6S")] == 0
    assert chances[1, parse_card("5S")] > 0
    with pytest.raises(PositionError, match="this cannot have come about: illegal play '9C'"):
        position_from(f"{table} seat=1 dealer=1 trick=7C")  # the same, with a trump in the hand
