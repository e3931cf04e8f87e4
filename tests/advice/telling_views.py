"""Views written as short texts, as a person at the table would tell them."""

from __future__ import annotations

import random

from forty5sim.agent import View, view_of
from forty5sim.bids import BID_NAMES
from forty5sim.cards import Card, card_name, suit_name
from forty5sim.game import Game
from forty5sim.notation import HOLD, KEEP, NO_SUIT, PASS
from forty5sim.options import FIVE_HUNDRED, POT


def stopped(game: Game, rng: random.Random, most: int = 40) -> Game:
    """Play at random for a while; return the game where a seat has to act."""
    for _ in range(rng.randrange(most)):
        if game.deal_is_over:
            break
        before = game.copy()
        game.push(rng.choice(game.legal_actions))
        if game.deal_is_over:
            return before
    return game


def words_of(cards: list[Card]) -> str:
    return '"' + " ".join(map(card_name, cards)) + '"'


def text_of(game: Game) -> str:
    """Return the position of the seat to act as a short text."""
    view, rules = view_of(game), game.rules
    told = {
        "game": rules.id,
        "players": str(game.players),
        "dealer": str(game.dealer),
        "seat": str(view.observer),
        "hand": words_of(list(view.hand)),
    }
    if len(view.thrown):
        told["thrown"] = words_of(list(view.thrown))
    if view.history:
        told["tricks"] = '"' + " / ".join(words_of(list(t.cards))[1:-1] for t in view.history) + '"'
    if view.trick:
        told["trick"] = words_of([card for _, card in view.trick])
    told |= auction_words(game, view) if rules.has_auction else turn_up_words(game, view)
    if rules.family == POT:
        told["pot"] = str(game.before.pot)
    elif not game.is_alone:
        told["score"] = '"' + " ".join(map(str, game.before.scores)) + '"'
    return " ".join(f"{key}={value}" for key, value in told.items())


def turn_up_words(game: Game, view: View) -> dict[str, str]:
    told = {} if view.turnup is None else {"turnup": card_name(view.turnup)}
    mine = [step for step in game.log if step.phase == "rob" and step.seat == view.observer]
    if view.robber is not None:
        told["robbed"] = str(view.robber)
    elif mine and mine[0].action != KEEP:
        told["robbed"] = str(view.observer)  # in silence
    elif view.phase != "rob" and mine:
        told["robbed"] = "none"
    if view.jinker is not None:
        told["jinked"] = str(view.jinker)
    return told


def auction_words(game: Game, view: View) -> dict[str, str]:
    calls = {PASS: "pass", HOLD: "hold"}
    told = {}
    if view.calls:
        told["bids"] = '"' + " ".join(calls.get(c) or BID_NAMES[c] for _, c in view.calls) + '"'
    if view.trump is not None and view.trump < 4 and game.rules.family != FIVE_HUNDRED:
        told["trump"] = suit_name(view.trump)
    thrown = [step for step in game.log if step.phase == "discard"]
    order = list(dict.fromkeys(step.seat for step in thrown))
    order = [seat for seat in order if view.phase != "discard" or seat != view.observer]
    if order:
        told["discards"] = '"' + " ".join(str(view.discarded[seat]) for seat in order) + '"'
    if view.joker_suit is not None:
        told["joker"] = suit_name(view.joker_suit)
    elif any(step.phase == "assign" and step.action == NO_SUIT and step.seat == view.observer
             for step in game.log):  # fmt: skip
        told["joker"] = "none"
    return told
