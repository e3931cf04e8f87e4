"""Checks a record: every action, trick, score and the state after it; and counts what it covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from forty5sim.cards import card_name
from forty5sim.errors import RecordError
from forty5sim.game import Game, Step
from forty5sim.named_rules import presets
from forty5sim.notation import DONE, HOLD, JINK, KEEP
from forty5sim.reasons import RENEGE, way_of_playing
from forty5sim.records.form import Record, Standing
from forty5sim.records.making import result_of, tricks_of
from forty5sim.records.playback import Playback


class Coverage:
    """What the records checked so far covered: counts by preset."""

    TURN_UP = ("deals", "plays", "reneges", "robs", "keeps", "jinks", "spoils")
    BIDDING = ("deals", "plays", "reneges", "calls", "holds", "thrown", "made", "set", "thrown in")

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}

    def columns(self, preset: str) -> tuple[str, ...]:
        """Return what is counted for a preset, in the order in which it is shown."""
        return self.BIDDING if presets()[preset].has_auction else self.TURN_UP

    def count(self, preset: str, what: str) -> None:
        """Count one more of something."""
        self.counts.setdefault(preset, Counter())[what] += 1

    def count_step(self, preset: str, game: Game, step: Step) -> None:
        """Count an action that is about to be carried out."""
        if step.phase == "play":
            self.count(preset, "plays")
            if way_of_playing(game, game.hands[step.seat], step.action) == RENEGE:
                self.count(preset, "reneges")
        elif step.phase == "rob":
            self.count(preset, "keeps" if step.action == KEEP else "robs")
        elif step.phase == "auction":
            self.count(preset, "holds" if step.action == HOLD else "calls")
        elif step.phase == "discard" and step.action != DONE:
            self.count(preset, "thrown")
        elif step.action == JINK:
            self.count(preset, "jinks")

    def count_outcome(self, preset: str, game: Game) -> None:
        """Count a finished deal and what came of it."""
        self.count(preset, "deals")
        counted = {"spoiled": "spoils", "made": "made", "set": "set", "thrown-in": "thrown in"}
        if game.outcome in counted:
            self.count(preset, counted[game.outcome])


def faults_of(record: Record, coverage: Coverage | None = None) -> list[str]:
    """Return everything that is wrong with a record, in words; nothing if it is right.

    An action that is not allowed ends the check, for nothing after it can be judged.

    Args:
        record: the record.
        coverage: where to count what the record covers, if it is wanted.
    """
    try:
        playback = Playback(record)
        for step in playback.steps():
            if coverage:
                coverage.count_step(record.game, playback.game, step)
    except RecordError as error:
        return [str(error)]
    if coverage:
        coverage.count_outcome(record.game, playback.game)
    return [*_wrong_tricks(record, playback.game), *_wrong_result(record, playback.game)]


def _wrong_tricks(record: Record, game: Game) -> Iterator[str]:
    played = tricks_of(game)
    if len(record.tricks) != len(played):
        yield f"tricks: expected {len(played)}, got {len(record.tricks)}"
    for number, (told, right) in enumerate(zip(record.tricks, played, strict=False)):
        if told.leader != right.leader:
            yield f"tricks[{number}].leader: expected {right.leader}, got {told.leader}"
        if told.cards != right.cards:
            names = " ".join(map(card_name, right.cards))
            got = " ".join(map(card_name, told.cards))
            yield f"tricks[{number}].cards: expected {names} as played, got {got}"
        if told.winner != right.winner:
            best = card_name(game.played_to(game.history[number])[right.winner])
            yield (
                f"tricks[{number}].winner: expected {right.winner}, whose {best} is best;"
                f" got {told.winner}"
            )


def _wrong_result(record: Record, game: Game) -> Iterator[str]:
    told, right = record.result, result_of(game)
    for key in ("tricks", "points", "outcome", "winner"):
        expected, got = _plain(getattr(right, key)), _plain(getattr(told, key))
        if expected != got:
            yield f"result.{key}: expected {expected}, got {got}"
    yield from _wrong_standing("result.after", right.after, told.after)


def _wrong_standing(key: str, right: Standing, told: Standing) -> Iterator[str]:
    expected, got = right.as_dict(), replace(told, extra={}).as_dict()
    if set(expected) != set(got):
        yield f"{key}: expected {' and '.join(expected)}, got {' and '.join(got)}"
        return
    for name, value in expected.items():
        if got[name] != value:
            yield f"{key}.{name}: expected {value}, got {got[name]}"


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
