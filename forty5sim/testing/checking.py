"""Checks a bot: lawful everywhere, blind to hidden cards, repeatable, well-behaved, fast, strong.

It is asked in guarded processes (``arena.guard``), so that one which hangs, ends its process or
takes all memory is reported like any other.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from typing import Any

from forty5sim.arena.guard import LOADING_TIME, MEMORY, MOVE_TIME, Guard, Limits, Trouble
from forty5sim.arena.plan import MAX_BOARDS, MAX_SEED, whole_number
from forty5sim.arena.player import BotFacts
from forty5sim.arena.questions import AGAIN, FIRST, REDEALT, Answer, ExamRequest, positions
from forty5sim.arena.running import tournament
from forty5sim.arena.standings import payoff_unit
from forty5sim.errors import AgentError, RuleSetError, RunError, UnknownBotError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import action_name
from forty5sim.records import record_of
from forty5sim.stats.estimates import Estimate
from forty5sim.testing.findings import FAILED, OK, SKIPPED, BotCheck, Check

DEFAULT_POSITIONS = 2
DEFAULT_BOARDS = 100
MOST_POSITIONS = 100
MATCHES = ("forty-five", "auction-forty-fives")
"""The games of the short tournaments, where none is named."""

LATER = ("repeats", "blind", "view", "quiet", "speed")
"""The checks that rest on the answers of the first, ``legal``."""

OPPONENTS = ("random", "heuristic")
HALF_WIDTH = 1.96  # of a 95 % interval, in standard errors
LEAST_TIMED = 10  # answers, for their speed to be told


def check_bot(
    spec: str,
    games: Sequence[str] | None = None,
    *,
    positions: int = DEFAULT_POSITIONS,
    boards: int = DEFAULT_BOARDS,
    seed: int = 1,
    move_time: float = MOVE_TIME,
    loading_time: float = LOADING_TIME,
    memory: int | None = MEMORY,
) -> BotCheck:
    """Return what the checks of a bot found.

    Args:
        spec: the bot, as ``"heuristic"`` or ``"my_bot.py:MyBot"``.
        games: the games to check it in, each at tables of every size; if None, those that it says
            it is written for (its attribute ``games``), or else all presets.
        positions: how many of each kind of decision, for each game and size of table.
        boards: boards of each short tournament; 0 for none.
        seed: fixes positions and deals.
        move_time: seconds that an answer may take.
        loading_time: seconds that loading it may take.
        memory: bytes that its process may take; None for no limit.

    Raises:
        UnknownBotError: if there is no such bot; one that is there and does not work fails.
        RuleSetError: if there is no such game.
        RunError: if a number is out of range.
    """
    whole_number("positions", positions, 1, MOST_POSITIONS)
    whole_number("boards", boards, 0, MAX_BOARDS)
    whole_number("seed", seed, 0, MAX_SEED)
    if not 0 < move_time < math.inf:
        raise RunError(f"move_time must be seconds above 0, got {move_time!r}")
    for game in games or ():
        find_rules(game)
    limits = Limits(move_time, memory, loading_time)
    with Guard(limits) as guard:
        try:
            facts = guard.facts(spec)
            for game in facts.games or ():
                find_rules(game)
        except UnknownBotError:
            raise
        except (AgentError, RuleSetError, RunError) as error:
            return BotCheck(spec, "not loaded", (Check("loads", FAILED, str(error)),), seed)
        wanted = tuple(games or facts.games or presets())
        exam = _Exam(facts, ExamRequest(spec, wanted, positions, seed, (FIRST,)), limits)
        checks = exam.run(guard)
    if boards and checks[0].status == OK:
        for game in wanted[:2] if games or facts.games else MATCHES:
            checks += _matches(spec, facts, game, boards, seed, move_time)
    return BotCheck(spec, _title(facts), tuple(checks), seed)


def _title(facts: BotFacts) -> str:
    notes = ", keeps notes" if facts.keeps_notes else ""
    kind = "compiled" if facts.is_compiled else "plain Python"
    return f"{facts.name}, version {facts.version}, {kind}{notes}"


class _Exam:
    """The checks that ask a bot about positions."""

    def __init__(self, facts: BotFacts, request: ExamRequest, limits: Limits) -> None:
        self.facts = facts
        self.request = request
        self.limits = limits
        self.games = positions(request.games, request.each, request.seed)

    def run(self, guard: Guard) -> list[Check]:
        """Ask in two processes, so that what differs from process to process shows."""
        first = _examined(guard, self.request)
        if isinstance(first, Trouble):
            return [self._broke("legal", first), *map(self._not_reached, LATER)]
        [answers] = first
        with Guard(self.limits) as other:
            again = _examined(other, self.request._replace(rounds=(AGAIN, REDEALT)))
        if isinstance(again, Trouble):
            steadiness = [self._broke("repeats", again), self._not_reached("blind")]
        else:
            steadiness = self._steadiness(answers, *again)
        return [
            self._legal(answers),
            *steadiness,
            *self._manners(answers),
            self._speed(answers),
        ]

    def _legal(self, answers: Sequence[Answer]) -> Check:
        bad = [i for i, answer in enumerate(answers) if answer.problem]
        if bad:
            return self._fails("legal", bad, answers[bad[0]].problem)
        tables = len({(game.rules.id, game.players) for game in self.games})
        kinds = " ".join(sorted({game.phase for game in self.games}))
        told = f"{len(answers)} answers, {len(self.request.games)} games, {tables} tables: {kinds}"
        return Check("legal", OK, told, len(answers))

    def _manners(self, answers: Sequence[Answer]) -> list[Check]:
        n = len(answers)
        changed = [i for i, answer in enumerate(answers) if answer.changed]
        printed = [i for i, answer in enumerate(answers) if answer.printed]
        view = self._fails("view", changed, "changes the view it is given") if changed else None
        words = answers[printed[0]].printed if printed else ""
        quiet = self._fails("quiet", printed, f"prints {words!r}") if printed else None
        return [
            view or Check("view", OK, f"not changed by {n} answers", n),
            quiet or Check("quiet", OK, f"nothing printed in {n} answers", n),
        ]

    def _speed(self, answers: Sequence[Answer]) -> Check:
        """Tell how fast it answers; what is slower than allowed has broken down before."""
        seconds = sorted(answer.seconds for answer in answers if not answer.problem)
        n = len(seconds)
        if n < LEAST_TIMED:
            return Check("speed", SKIPPED, "too few answers to measure")
        low, high = median_interval(n)
        rate, least, most = (1 / seconds[i] for i in (n // 2, high, low))
        how = "; through Python, so slower than in a run" if self.facts.is_compiled else ""
        told = (
            f"{rate:.0f} decisions/s by the median (95 %: {least:.0f} to {most:.0f}, n = {n}),"
            f" slowest {1000 * seconds[-1]:.2f} ms{how}"
        )
        figures = {"per_second": rate, "least": least, "most": most, "slowest": seconds[-1]}
        return Check("speed", OK, told, n, figures)

    def _steadiness(
        self, first: Sequence[Answer], again: Sequence[Answer], dealt: Sequence[Answer]
    ) -> list[Check]:
        """Compare answers with those of another process, and with those in other worlds."""
        kept = [i for i, answer in enumerate(first) if not answer.problem]
        moved = [i for i in kept if again[i].action != first[i].action]
        if moved:
            reason = "answers otherwise when asked again, in another order: " + self._both(
                moved[0], first, again
            )
            skip = Check("blind", SKIPPED, "answers that change by themselves tell nothing")
            return [self._fails("repeats", moved, reason), skip]
        repeats = Check("repeats", OK, f"{len(kept)} answers, in another process and order",
                        len(kept))  # fmt: skip
        tried = [i for i in kept if dealt[i].action >= 0 or dealt[i].problem]
        leaks = [i for i in tried if dealt[i].action != first[i].action]
        if leaks:
            reason = (
                "answers otherwise when only hidden cards change, or what other seats were asked"
                " before: " + self._both(leaks[0], first, dealt)
            )
            return [repeats, self._fails("blind", leaks, reason)]
        told = f"{len(tried)} answers stay when the hidden cards are dealt anew"
        return [repeats, Check("blind", OK, told, len(tried))]

    def _both(self, place: int, first: Sequence[Answer], second: Sequence[Answer]) -> str:
        phase = self.games[place].phase
        names = [
            answer.problem or action_name(answer.action, phase)
            for answer in (first[place], second[place])
        ]
        return f"{names[0]}, then {names[1]}"

    def _fails(self, name: str, places: Sequence[int], reason: str) -> Check:
        game = self.games[places[0]]
        told = f"{reason}; {where(game)}; {len(places)} of {len(self.games)} answers"
        return self._failed(name, game, told)

    def _failed(self, name: str, game: Game, told: str) -> Check:
        trial = game.copy()
        while not trial.deal_is_over:
            trial.push(trial.legal_actions[0])
        record = record_of(trial, [self.facts.name] * game.players)
        return Check(name, FAILED, told, len(self.games), {}, record, len(game.log))

    def _broke(self, name: str, trouble: Trouble) -> Check:
        """Tell of a bot that broke its process down."""
        place = trouble.place.place if trouble.place else None
        if place is None or not 0 <= place.board < len(self.games):
            return Check(name, FAILED, trouble.problem, 0)
        game = self.games[place.board]
        return self._failed(name, game, f"{trouble.problem}; {where(game)}")

    def _not_reached(self, name: str) -> Check:
        return Check(name, SKIPPED, "it broke down before")


def _examined(guard: Guard, request: ExamRequest) -> list[list[Answer]] | Trouble:
    """Return the answers; a bot that was loaded before and now is not has broken down."""
    try:
        return guard.examine(request)
    except (AgentError, RunError) as error:
        return Trouble(None, str(error))


def median_interval(n: int) -> tuple[int, int]:
    """Return the places, among n sorted values, of the 95 % interval of their median."""
    half = HALF_WIDTH * math.sqrt(n) / 2
    return max(0, math.floor(n / 2 - half)), min(n - 1, math.ceil(n / 2 + half))


def where(game: Game) -> str:
    """Return in words where a game stands."""
    spot = f"trick {len(game.history) + 1}" if game.phase == "play" else game.phase
    return f"{game.rules.name}, {game.players} players, seat {game.seat}, {spot}"


def _matches(
    spec: str, facts: BotFacts, game: str, boards: int, seed: int, move_time: float
) -> list[Check]:
    """Return a check for each opponent: what a seat gains by the bot instead of it."""
    name = f"{facts.name} (checked)" if facts.name in OPPONENTS else facts.name
    field = {name: spec, **{other: other for other in OPPONENTS}}
    try:
        with tempfile.TemporaryDirectory(prefix="forty5sim-") as folder:
            result = tournament(
                game, field, boards=boards, seed=seed, gauntlet=1, move_time=move_time,
                results=folder,
            )  # fmt: skip
    except (AgentError, RunError) as error:
        return [Check("match", FAILED, f"{game}: {error}")]
    unit = payoff_unit(result.conditions).removesuffix(" a deal")
    return [_match(game, unit, row) for row in result.duels]


def _match(game: str, unit: str, row: dict[str, Any]) -> Check:
    gain = Estimate(row["payoff"], row["payoff_ci"], row["boards"])
    digits = gain.digits()
    told = (
        f"{game}: {gain.mean:+.{digits}f} ± {gain.half_width:.{digits}f} {unit} ({gain.n} boards)"
    )
    figures = {"payoff": gain.mean, "payoff_ci": gain.half_width}
    return Check(f"vs {row['against']}", OK, told, gain.n, figures)
