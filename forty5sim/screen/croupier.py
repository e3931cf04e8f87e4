"""Plays a game on in a thread of its own, so that the screen stays alive while bots think.

It tells the screen by messages; the screen draws the copies of the game that they bring, never the
game itself while the thread is at work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.message import Message

from forty5sim.analysis import Analysis
from forty5sim.cards import Action
from forty5sim.compiling import compile_parts, missing_parts
from forty5sim.game import Game, Step
from forty5sim.sitting import Sitting

TRICK_PAUSE = 2.5  # pauses after a trick, before the next is led
CLOSING_SECONDS = 2.0  # that the thread is given to finish what it is at


@dataclass
class Told(Message):
    """Something has happened; in words."""

    line: str


@dataclass
class Moved(Message):
    """The table looks otherwise; a copy of the game."""

    game: Game


@dataclass
class Advised(Message):
    """The adviser has answered."""

    text: str
    found: Analysis | None


@dataclass
class Delayed(Message):
    """Something takes its time; why."""

    reason: str


@dataclass
class Broke(Message):
    """A bot has misbehaved, or a file could not be written."""

    error: Exception


class Rested(Message):
    """The person has to decide, or the deal is over."""


class _LeftError(Exception):
    """The person has left the table."""


class Croupier:
    """The one who moves the game on.

    Args:
        sitting: the person's place.
        pace: seconds between the actions of two bots.
        post: takes the messages, from any thread.
    """

    def __init__(self, sitting: Sitting, pace: float, post: Callable[[Message], object]) -> None:
        self.sitting = sitting
        self.pace = pace
        self._post = post
        self._hurried = threading.Event()
        self._left = False
        self._thread: threading.Thread | None = None

    def play_on(self, actions: Sequence[Action] = ()) -> None:
        """Carry out what the person does, and play on until the person is asked again."""
        self._begin(lambda: self._play(actions))

    def advise(self) -> None:
        """Ask the adviser."""
        self._begin(self._advise)

    def hurry(self) -> None:
        """Cut the pause short."""
        self._hurried.set()

    def close(self) -> None:
        """Stop at the next pause; wait a little for it, not for a bot that thinks long."""
        self._left = True
        self._hurried.set()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)

    def _begin(self, work: Callable[[], None]) -> None:
        # a daemon: whoever leaves does not wait for a bot that thinks long or for ever
        self._thread = threading.Thread(target=self._guarded, args=(work,), daemon=True)
        self._thread.start()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except _LeftError:
            return
        except Exception as error:  # nobody else would hear of it in this thread
            self._tell(Broke(error))
        else:
            self._tell(Rested())

    def _tell(self, message: Message) -> None:
        if not self._left:
            self._post(message)

    def _advise(self) -> None:
        session = self.sitting.session
        missing = missing_parts(
            [session.adviser.compiled], session.game.rules, session.game.players
        )
        if missing:
            self._tell(Delayed("The adviser is compiled first, once: half a minute or so."))
            compile_parts(missing)
        self._tell(Advised(*self.sitting.hint()))

    def _play(self, actions: Sequence[Action]) -> None:
        game = self.sitting.session.game
        for line in self.sitting.narrator.tell(game, self._paced(self.sitting.play_on(actions))):
            self._tell(Told(line))
        self._tell(Moved(game.copy()))
        if game.deal_is_over:
            self.sitting.record_deal()

    def _paced(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Pass steps on to be told, show what each leads to, and pause after what could be seen."""
        sitting = self.sitting
        game = sitting.session.game
        for step in steps:
            if self._left:
                raise _LeftError
            seen = bool(sitting.narrator.action(game, step))
            yield step
            after = game.copy()
            after.push(step.action)
            self._tell(Moved(after))
            if seen and not after.deal_is_over:
                self._pause(step, after)

    def _pause(self, step: Step, after: Game) -> None:
        """Pause, longer after a trick, not before the person."""
        you = self.sitting.narrator.you
        ends_trick = step.phase == "play" and not after.trick
        if after.seat == you and not after.asks_in_secret:
            return
        self._hurried.clear()
        if not self._left and self.pace > 0:
            self._hurried.wait(self.pace * (TRICK_PAUSE if ends_trick else 1))
        if self._left:
            raise _LeftError
