"""Who has the word: where a bot is asked, who looks on, and what went wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Fault:
    """A bot that gave no legal answer: who, where, and what went wrong."""

    bot: str
    board: int
    replay: int
    seat: int
    problem: str

    def __str__(self) -> str:
        where = f"seat {self.seat}, board {self.board}, replay {self.replay}"
        return f"{self.bot} at {where}: {self.problem}"


class Place(NamedTuple):
    """Where a bot is asked: the n-th question to it in a replay; ``FINISH`` for its ``finish``."""

    bot: int
    board: int
    replay: int
    seat: int
    question: int


FINISH = -1
"""The number of the question that ``finish`` is."""

NOWHERE = (-1, -1, -1, 0)
"""The board, replay, seat and question of a bot that is loaded or built, not asked."""


class Watch:
    """Is told whenever a match hands over to a bot and when it is back; this one looks on."""

    def enters(self, place: Place) -> str | None:
        """Note that a bot's own code runs from here on.

        Returns:
            What is known to go wrong here: then the bot is not to be asked, nor ``leaves`` called.
        """
        return None

    def leaves(self, error: BaseException | None = None) -> None:
        """Note that it has ended, by this error if it raised one."""

    def enters_kernel(self) -> None:
        """Note that a kernel runs which calls compiled bots from files."""


NOBODY_WATCHES = Watch()


def is_from_file(spec: str) -> bool:
    """Say whether a spec names a bot in a file, not one that is installed."""
    return ".py:" in spec
