"""Makes the record of a deal that was just played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from forty5sim.bids import BID_NAMES
from forty5sim.cards import Card
from forty5sim.errors import RecordError
from forty5sim.game import Before, Game, Step
from forty5sim.named_rules import presets
from forty5sim.notation import DONE, WORDS, act_name, is_word
from forty5sim.options import POT, Value
from forty5sim.records.form import (
    ACTS,
    Record,
    RecordedAction,
    RecordedTrick,
    Result,
    Standing,
    is_seating_option,
)
from forty5sim.rules import RuleSet


def record_of(game: Game, bots: Sequence[str]) -> Record:
    """Return the record of the deal that a game has just finished (before ``next_deal``).

    Args:
        game: the game.
        bots: who sat on each seat.

    Raises:
        RecordError: if the deal is not over.
    """
    if not game.deal_is_over:
        raise RecordError("a record is made of a finished deal; this one is not over")
    preset, options = named_in_records(game.rules, game.players)
    dealt = cards_dealt(game)
    return Record(
        game=preset,
        options=options,
        players=game.players,
        sides=tuple(game.sides),
        dealer=game.dealer,
        seed=None if game.is_hand_made else game.seed,
        deal=None if game.is_hand_made else game.deal,
        bots=tuple(bots),
        hands=dealt.hands,
        turnup=dealt.turnup,
        kitty=dealt.kitty,
        stock=dealt.stock,
        before=standing_of(game.rules, game.before),
        actions=tuple(actions_of(game.log)),
        tricks=tricks_of(game),
        result=result_of(game),
        restock=tuple(game.restock),
    )


def tricks_of(game: Game) -> tuple[RecordedTrick, ...]:
    """Return the finished tricks of a deal, as records have them."""
    return tuple(RecordedTrick(t.leader, t.cards, t.winner or 0) for t in game.history)


def result_of(game: Game) -> Result:
    """Return what came of a finished deal, as records have it."""
    return Result(
        tricks=tuple(game.tricks),
        points=tuple(game.points),
        after=standing_of(game.rules, game.standing),
        outcome=game.outcome if game.winner is None else "game-won",
        winner=game.winner,
    )


def named_in_records(rules: RuleSet, players: int) -> tuple[str, dict[str, Value]]:
    """Return the preset that stands in a record for these rules, and the options that differ.

    Rules of one's own are told by the shipped preset nearest to them, so that anybody can read
    them.
    """
    if rules.name in presets() and players in presets()[rules.name].players:
        return rules.name, _options_against(rules, presets()[rules.name])
    candidates = {
        name: _options_against(rules, preset)
        for name, preset in presets().items()
        if preset.family == rules.family and players in preset.players
    }
    nearest = min(candidates, key=lambda name: len(candidates[name]))
    return nearest, candidates[nearest]


def _options_against(rules: RuleSet, preset: RuleSet) -> dict[str, Value]:
    base = preset.options()
    return {
        name: value
        for name, value in rules.options().items()
        if not is_seating_option(name, rules.family) and value != base[name]
    }


Cards = tuple[Card, ...]


class Dealt(NamedTuple):
    """The cards of a deal as they were dealt: hands by seat, (first) turn-up, kitty, stock."""

    hands: tuple[Cards, ...]
    turnup: Card | None
    kitty: Cards
    stock: Cards


def cards_dealt(game: Game) -> Dealt:
    """Return the cards of a game's deal as they were dealt."""
    pack, size = game.pack, int(game.rules.hand_size)
    hands: list[Cards] = [()] * game.players
    for place, seat in enumerate(game.dealt_in):
        hands[seat] = tuple(pack[place * size : (place + 1) * size])
    rest = tuple(pack[len(game.dealt_in) * size :])
    if game.rules.turns_up:
        return Dealt(tuple(hands), rest[0], (), rest[1:])
    kitty = game.rules.kitty_size
    return Dealt(tuple(hands), None, rest[:kitty], rest[kitty:])


def standing_of(rules: RuleSet, now: Before) -> Standing:
    """Return what stands before or after a deal, as far as records of these rules tell it."""
    return Standing(
        now.scores,
        now.pot if rules.family == POT else None,
        now.sets if counts_sets(rules) else None,
        now.deals if counts_deals(rules) else None,
    )


def counts_sets(rules: RuleSet) -> bool:
    """Say whether the bids set decide the game, so that records tell them."""
    return rules.has_auction and rules.sets_lose != "off"


def counts_deals(rules: RuleSet) -> bool:
    """Say whether the number of deals decides the game, so that records tell it."""
    return rules.has_auction and rules.game_deals != "off"


def actions_of(log: Iterable[Step]) -> Iterator[RecordedAction]:
    """Yield the actions of a deal as records have them: a seat's discards are one action, and
    the suit named with a Joker led belongs to its play."""
    thrown: list[Card] = []
    told: RecordedAction | None = None
    for step in log:
        if step.phase == "name":
            assert told is not None
            told = replace(told, suit=step.action)
            continue
        if told is not None:
            yield told
            told = None
        if step.phase != "discard":
            told = _action(step)
        elif step.action == DONE:
            told = RecordedAction(step.seat, "discard", cards=tuple(thrown))
            thrown = []
        else:
            thrown.append(step.action)
    if told is not None:
        yield told


def _action(step: Step) -> RecordedAction:
    act = act_name(step.action, step.phase)
    if act == "bid":
        name = WORDS[step.action] if is_word(step.action) else BID_NAMES[step.action]
        return RecordedAction(step.seat, act, bid=name)
    value = None if is_word(step.action) else step.action
    if ACTS[act] == "suit":
        return RecordedAction(step.seat, act, suit=value)
    return RecordedAction(step.seat, act, value)
