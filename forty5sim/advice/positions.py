"""A position to be advised on: what the seat to act knows, however it was handed in.

A recorded deal is played back to the point asked for and then reduced to the view of the seat to
act; nothing after this module ever sees the cards that this seat cannot see.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from forty5sim.agent import View, view_of
from forty5sim.errors import PositionError, is_whole
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.records import Playback, Record

KEY_BITS = (1 << 63) - 1


@dataclass(frozen=True)
class Position:
    """What is known at a decision.

    Attributes:
        views: what the seat to act sees; several, equally likely, where part of what it saw was
            not told.
        assumed: what was assumed because it was not told, in words.
    """

    views: tuple[View, ...]
    assumed: tuple[str, ...] = ()

    @property
    def view(self) -> View:
        """The first view: hand, table and legal actions are the same in all of them."""
        return self.views[0]


def position_of(game: Game) -> Position:
    """Return the position of the seat to act, without the cards that it cannot see.

    Raises:
        PositionError: if the deal is over.
    """
    if game.deal_is_over:
        raise PositionError("the deal is over; there is nothing to decide")
    return Position((view_of(game),))


def recorded_position(record: Record, at: int | None = None) -> Position:
    """Return the position of a recorded deal after ``at`` of its actions; after all if None.

    Raises:
        RecordError: if something is wrong with the record up to there.
        PositionError: if there are not so many actions, or the deal is over then.
    """
    game = game_at(record, at)
    if not game.deal_is_over:
        return position_of(game)
    count = len(record.actions)
    raise PositionError(
        f"the deal is over after its {count} actions; choose a point before: at 0..{count - 1}"
    )


def game_at(record: Record, at: int | None = None) -> Game:
    """Return a recorded deal after ``at`` of its actions; after all if None (errors as above)."""
    count = len(record.actions)
    if at is not None and not is_whole(at, 0, count):
        raise PositionError(f"the record has {count} actions: at must be 0..{count}, got {at!r}")
    playback = Playback(replace(record, actions=record.actions[:at]))
    for _ in playback.steps(whole=False):
        pass
    return playback.game


def as_alone(view: View) -> View:
    """Return a view of the same deal played by itself: its points count, and no game."""
    words = list(view._words)
    words[layout.ALONE] = 1
    return rebuilt(view, words)


def keyed(view: View, seed: int) -> View:
    """Return a view whose bots draw by what it shows and a seed, and not by the deal's number."""
    twin = rebuilt(view, list(view._words))
    twin.key = key_of(view, seed)
    return twin


def rebuilt(view: View, words: list[int]) -> View:
    """Return a view with other public words."""
    return View(
        view.rules,
        words,
        view.hand.mask,
        view.thrown.mask,
        view.legal_mask,
        view.key,
        view.observer,
    )


def key_of(view: View, seed: int, purpose: str = "") -> int:
    """Return a number that depends on what a view shows, a seed and a purpose alone."""
    seen = [int(word) for word in view._words[: layout.PUBLIC_SIZE]]
    own = [view.hand.mask, view.thrown.mask, view.legal_mask, view.observer]
    text = f"{view.rules.id}/{seen}/{own}/{seed}/{purpose}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) & KEY_BITS
