"""Makes the record of a deal that was just played."""

from __future__ import annotations

from collections.abc import Sequence

from forty5sim.cards import Card
from forty5sim.errors import RecordError
from forty5sim.game import Game, Step
from forty5sim.named_rules import presets
from forty5sim.notation import WORDS, act_name
from forty5sim.options import POT, Value
from forty5sim.records.form import (
    SEATING_OPTIONS,
    Record,
    RecordedAction,
    RecordedTrick,
    Result,
    Standing,
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
    hands, turnup, stock = cards_dealt(game)
    return Record(
        game=preset,
        options=options,
        players=game.players,
        sides=tuple(game.sides),
        dealer=game.dealer,
        seed=None if game.is_hand_made else game.seed,
        deal=None if game.is_hand_made else game.deal,
        bots=tuple(bots),
        hands=hands,
        turnup=turnup,
        kitty=(),
        stock=stock,
        before=_standing(game, game.before.scores, game.before.pot),
        actions=tuple(_action(step) for step in game.log),
        tricks=tricks_of(game),
        result=result_of(game),
    )


def tricks_of(game: Game) -> tuple[RecordedTrick, ...]:
    """Return the finished tricks of a deal, as records have them."""
    return tuple(RecordedTrick(t.leader, t.cards, t.winner or 0) for t in game.history)


def result_of(game: Game) -> Result:
    """Return what came of a finished deal, as records have it."""
    return Result(
        tricks=tuple(game.tricks),
        points=tuple(game.points),
        after=_standing(game, game.scores, game.pot),
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
        if name not in SEATING_OPTIONS and value != base[name]
    }


Cards = tuple[Card, ...]


def cards_dealt(game: Game) -> tuple[tuple[Cards, ...], Card | None, Cards]:
    """Return the hands as dealt, the (first) turn-up and the stock of a game's deal."""
    pack, size = game.pack, int(game.rules.hand_size)
    hands: list[Cards] = [()] * game.players
    for place, seat in enumerate(game.playing):
        hands[seat] = tuple(pack[place * size : (place + 1) * size])
    rest = pack[len(game.playing) * size :]
    if not game.rules.turns_up:
        return tuple(hands), None, tuple(rest)
    return tuple(hands), rest[0], tuple(rest[1:])


def _standing(game: Game, scores: Sequence[int], pot: int) -> Standing:
    return Standing(tuple(scores), pot if game.rules.family == POT else None)


def _action(step: Step) -> RecordedAction:
    card = None if step.action in WORDS else step.action
    return RecordedAction(step.seat, act_name(step.action, step.phase), card)
