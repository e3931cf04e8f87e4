"""Recorded deals gone through from each seat's own view: where it gave most away.

    found = review("games/mine.jsonl", seats=[0])
    found.to_frame()        # a row for each decision
    print(found)            # the costliest ones

Each decision is judged by what the seat could know then. Three sets of worlds keep the figures
honest. A bot searches in the first and says what it would have done. Worlds of their own then give
the difference between that and what was done, so the bot's choice is not judged by the very worlds
that made it look best. The costliest decisions by that are a selection of large errors again, so
they are measured once more in fresh worlds, and those are the figures told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from forty5sim.advice.advising import MOST_WORLDS, searched
from forty5sim.advice.grounds import grounds
from forty5sim.advice.positions import as_alone, game_at, key_of
from forty5sim.advice.reviews import Review, Reviewed
from forty5sim.advice.samples import Samples, try_actions
from forty5sim.agent import View, view_of
from forty5sim.analysis import CHANCE, searcher
from forty5sim.cards import Action, Seat
from forty5sim.errors import PositionError, RecordError, is_whole
from forty5sim.game import Game
from forty5sim.options import POT
from forty5sim.records import Playback, Record, faults_of, read_lines
from forty5sim.records.making import actions_of
from forty5sim.stats import Estimate
from forty5sim.strengths import BEST, resolved

PERSON = "you"
NOTHING = Estimate(0.0, 0.0, 0)
WORLDS = 1000
"""Worlds that a decision is judged in, if no other number is asked for."""

AGAIN = 4
"""The costliest decisions are measured again in so many times as many worlds."""

TOP = 10
DEAL, GAME = "deal", "game"
UTILITIES = (DEAL, GAME)
"""What is judged by: the points or chips of the deal, or the chance to win the game."""


def review(
    records: str | Path | Record | Iterable[Record],
    seats: Seat | Sequence[Seat] | None = None,
    bot: str = BEST,
    *,
    top: int = TOP,
    worlds: int = WORLDS,
    utility: str = DEAL,
    seed: int = 0,
    progress: bool = False,
) -> Review:
    """Go through recorded deals and find the decisions that gave most away.

    Args:
        records: a file of records, a record, or several.
        seats: whose decisions, one seat or several; if None those of the person (``you``), in a
            record without one of everybody.
        bot: the spec of a bot that searches; ``best`` is the strongest one measured for each game.
        top: how many decisions of each game are measured again, at most.
        worlds: in how many worlds a decision is judged; again in four times as many.
        utility: ``deal``: by the points or chips of the deal; ``game``: by the chance to win the
            game from the score of the record.
        seed: the seed of the worlds.
        progress: whether to show a bar on standard error, where that is a terminal.

    Raises:
        RecordError: if a file cannot be read, or anything in a record is wrong.
        PositionError: if a seat or a number is impossible, or nothing was decided.
        AgentError: if the bot cannot be found, or does not search.
    """
    _check(top, worlds, utility, seed)
    records = [records] if isinstance(records, Record) else records
    seats = [seats] if isinstance(seats, int) else seats
    numbered = list(_numbered(records))
    judge = _Judge(bot, worlds, utility, seed)
    decisions: list[Reviewed] = []
    shown = None if progress else True  # None: where standard error is a terminal
    with tqdm(numbered, unit="deal", desc="review", disable=shown, leave=False) as bar:
        for line, record in bar:
            try:
                decisions += _judged(judge, line, record, seats)
            except (PositionError, RecordError) as error:
                raise type(error)(f"{_where(records, line)}: {error}") from None
    if not decisions:
        raise PositionError("there is nothing to review: no decision of these seats had a choice")
    costliest = [judge.again(one) for one in _selected(decisions, top)]
    clear = [one for one in costliest if one.least > 0]
    clear.sort(key=lambda one: (one.table, -one.least))
    return Review(tuple(decisions), tuple(clear), judge.bots, len(numbered), utility)


def _check(top: int, worlds: int, utility: str, seed: int) -> None:
    for what, value, least, most in (
        ("top", top, 1, 10_000),
        ("worlds", worlds, 2, MOST_WORLDS),
        ("seed", seed, 0, 2**63 - 1),
    ):
        if not is_whole(value, least, most):
            raise PositionError(f"{what} must be a whole number {least}..{most}, got {value!r}")
    if utility not in UTILITIES:
        raise PositionError(f"utility must be {' or '.join(UTILITIES)}, got {utility!r}")


def _numbered(records: str | Path | Iterable[Record]) -> Iterator[tuple[int, Record]]:
    """Yield records with their numbers, from 1."""
    if not isinstance(records, str | Path):
        yield from enumerate(records, start=1)
        return
    found = False
    for line, record in read_lines(records):
        if isinstance(record, RecordError):
            raise record
        found = True
        yield line, record
    if not found:
        raise RecordError(f"{records} has no records")


def _where(records: str | Path | Iterable[Record], line: int) -> str:
    return f"{records}, line {line}" if isinstance(records, str | Path) else f"record {line}"


def _selected(decisions: Sequence[Reviewed], top: int) -> list[Reviewed]:
    """Return those decisions of each game that gave most away at least."""
    chosen: list[Reviewed] = []
    for table in dict.fromkeys(one.table for one in decisions):
        own = [one for one in decisions if one.table == table and one.is_other and one.least > 0]
        chosen += sorted(own, key=lambda one: -one.least)[:top]
    return chosen


def _judged(
    judge: _Judge, line: int, record: Record, seats: Sequence[Seat] | None
) -> Iterator[Reviewed]:
    """Yield the decisions of a record by these seats."""
    for fault in faults_of(record):
        raise RecordError(fault)
    wanted = _seats(record, seats)
    playback = Playback(record)
    game = playback.game
    is_plain = _is_plain(record)
    for step in playback.steps():
        if step.seat in wanted and len(game.legal_actions) > 1:
            at = _place(game) if is_plain else None
            yield judge.judged(line, at, view_of(game), step.action)


def _seats(record: Record, seats: Sequence[Seat] | None) -> Sequence[Seat]:
    """Return the seats to be looked at."""
    if seats is None:
        persons = [seat for seat, bot in enumerate(record.bots) if bot == PERSON]
        return persons or range(record.players)
    for seat in seats:
        if not is_whole(seat, 0, record.players - 1):
            raise PositionError(f"seat {seat!r} is no seat; seats are 0..{record.players - 1}")
    return seats


def _is_plain(record: Record) -> bool:
    """Say whether a record tells every action when it was due, no more and no less."""
    played = [(one.seat, one.act) for one in actions_of(game_at(record).log)]
    return played == [(one.seat, one.act) for one in record.actions]


def _place(game: Game) -> int | None:
    """Return how many actions lead to where a game stands; None in the middle of an exchange."""
    if game.phase == "discard" and game.discarded[game.seat]:
        return None
    return len(list(actions_of(game.log)))


class _Judge:
    """Judges decisions by a bot's choice and by worlds of its own."""

    def __init__(self, bot: str, worlds: int, utility: str, seed: int) -> None:
        self.bot = bot
        self.worlds = worlds
        self.utility = utility
        self.seed = seed
        self.bots: dict[str, str] = {}
        self.count = 0

    def judged(self, line: int, at: int | None, view: View, taken: Action) -> Reviewed:
        """Return a decision, judged for the first time."""
        rules = view.rules
        if self.utility == GAME and rules.family == POT:
            raise PositionError(f"{rules.id} is played for chips: utility must be {DEAL}")
        view = as_alone(view) if self.utility == DEAL else view
        bot = resolved([self.bot], rules, view.players)[0]
        found = searched(view, bot, self.seed)
        one = Reviewed(
            number=self.count,
            line=line,
            at=at,
            game=rules.id,
            players=view.players,
            seat=view.observer,
            trick=len(view.history) + 1,
            phase=view.phase,
            view=view,
            taken=taken,
            better=found.choice,
            gain=NOTHING,
            unit=found.unit,
        )
        self.count += 1
        self.bots[one.table] = bot
        if not one.is_other:
            return one
        return replace(one, gain=gain_in(self._samples(one, "judged", self.worlds), one))

    def again(self, one: Reviewed) -> Reviewed:
        """Return a decision measured again in fresh worlds, and more of them."""
        samples = self._samples(one, "again", AGAIN * self.worlds)
        return replace(
            one,
            gain=gain_in(samples, one),
            is_again=True,
            why_taken=grounds(one.view, samples, one.taken),
            why_better=grounds(one.view, samples, one.better),
        )

    def _samples(self, one: Reviewed, purpose: str, worlds: int) -> Samples:
        agent = searcher(self.bots[one.table])
        key = key_of(one.view, self.seed, purpose)
        return try_actions([one.view], agent, (one.taken, one.better), worlds, key)


def gain_in(samples: Samples, one: Reviewed) -> Estimate:
    """Return what the better action brought more, in the unit of a decision."""
    return samples.gain(one.better, one.taken, chances=one.unit == CHANCE)
