"""Plays one pairing over numbered boards and returns rows of counts.

Tables of compiled agents run through one kernel; where a plain Python agent sits at the table,
many replays advance in lock-step and the plain agents are asked in between. Both ways give the
same rows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forty5sim.agent import (
    CompiledAgent,
    View,
    agent_list,
    as_plain,
    ask,
    begin,
    caught,
    params_matrix,
    told,
)
from forty5sim.bids import bid_value, ladder
from forty5sim.errors import AgentError, RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import boards, face, games, layout, rows
from forty5sim.kernels.playout import FINISHED, PLAIN, PLAIN_TO_ACT
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT
from forty5sim.registry import Bot
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables

KERNEL_DEALS = 20_000
KERNEL_SECONDS = 0.2
"""Deals and seconds of one kernel call: short enough for Ctrl-C, long enough to cost nothing."""

FIRST_BOARDS = 4
"""Boards of the first call, which tells how long a board takes."""

BATCH = 512
"""Replays that advance in lock-step where plain agents sit at the table, at most."""

BATCH_WORDS = 1 << 24
"""Words that the workspaces of such a batch may take, if it has more than one replay."""

Rows = NDArray[np.int64]
"""Shape (boards, replays, row size); the fields are those of ``kernels.rows``."""


@dataclass(frozen=True)
class Conditions:
    """What is played: the game, its seats, the seed, and what a board is.

    Attributes:
        rules: the rule set.
        players: seats at the table.
        seed: fixes all cards and the bots' random numbers.
        pot: chips in the pot before a single deal (pot games).
        whole_games: a board is a game to its end, not a deal.

    Raises:
        RuleSetError: for a pot where there is none from before.
    """

    rules: RuleSet
    players: int
    seed: int
    pot: int = 0
    whole_games: bool = False

    def __post_init__(self) -> None:
        if self.pot and (self.rules.family != POT or self.whole_games):
            where = "whole games" if self.whole_games else self.rules.name
            raise RuleSetError(
                f"pot={self.pot}: a pot from before is for single deals of pot games, not for"
                f" {where}"
            )

    @property
    def sides(self) -> int:
        """The number of sides."""
        return self.rules.side_count(self.players)

    @property
    def payoff_units(self) -> int:
        """How many units a row counts for a payoff of 1, so that all are whole numbers."""
        others = self.sides - 1
        return others * (self.players if self.rules.family == POT else others)

    @property
    def worst_payoff(self) -> int:
        """The worst payoff the rules allow a seat, in units: what a forfeit costs."""
        if self.rules.family == POT:
            lost = int(self.rules.stack) if self.whole_games else self._most_lost()
            return -(self.players * lost + self.pot) * (self.sides - 1)
        most = 1 if self.whole_games else most_points(self.rules)
        return -most * (self.sides - 1)

    def _most_lost(self) -> int:
        """The most chips a seat can lose in one deal: its ante and a jinker's reward."""
        ante = _most_ante(self.rules)
        reward = 0
        if self.rules.jink == "on" and self.rules.jink_reward == "double_pot":
            reward = -(-(self.pot + ante * self.players) // (self.players - 1))
        elif self.rules.jink == "on":
            bonus = self.rules.jink_bonus
            reward = int(self.rules.ante if bonus == "ante" else bonus)
        return min(ante + reward, int(self.rules.stack))


def _most_ante(rules: RuleSet) -> int:
    extra = {"dealer_double": int(rules.ante), "reduced_after_spoil": 1}
    return int(rules.ante) + extra.get(rules.ante_rule, 0)


def most_points(rules: RuleSet) -> int:
    """Return the most that a side can gain on another in a deal."""
    if rules.family == FIVE_HUNDRED:
        slam = 0 if rules.slam_bonus == "off" else int(rules.slam_bonus)
        best = max(slam, *(bid_value(rules, bid) for bid in ladder(rules)))
        return best + 10 * int(rules.hand_size)
    if rules.family == AUCTION:
        return 60 + 30
    tricks = int(rules.hand_size)
    most = {
        "points": 5 * tricks + 5 * (rules.bonus != "none"),
        "five_ten": 10,
        "difference": 5 * tricks,
    }[rules.trick_scoring]
    return 2 * most if rules.jink == "on" else most


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


def board_game(conditions: Conditions, board: int) -> Game:
    """Return a board's deal, or its game at the first deal, to be played one action at a time."""
    rules, players = conditions.rules, conditions.players
    named = rules.first_dealer
    dealer = named if isinstance(named, int) else board % players
    if conditions.whole_games:
        seed = int(face.board_seed(conditions.seed, board))
        return Game(rules, players, seed=seed, dealer=dealer)
    seed, pot = conditions.seed, conditions.pot
    return Game(rules, players, seed=seed, deal=board, dealer=dealer, pot=pot, alone=True)


def play_pairing(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    *,
    stop_on_fault: bool = True,
    watch: Watch = NOBODY_WATCHES,
) -> tuple[Rows, list[Fault]]:
    """Play boards ``first`` .. ``first + count - 1``, each once for every seating.

    Args:
        conditions: what is played.
        bots: the bots; a seating names them by their place in this list.
        seatings: for each replay the bot of each seat.
        first: number of the first board.
        count: number of boards.
        stop_on_fault: raise when a bot misbehaves; else its deal is forfeited and reported.
        watch: is told before each question to a plain bot and after its answer.

    Returns:
        The rows, shape (count, replays, row size), and the faults.

    Raises:
        AgentError: if a bot misbehaved and ``stop_on_fault`` is set; names it and the place.
    """
    if all(bots[bot].compiled for seating in seatings for bot in seating):
        try:
            result, faults = _play_compiled(conditions, bots, seatings, first, count, watch)
        except Exception:  # a compiled bot raised: find out which, one question at a time
            twins = [plain_twin(bot) for bot in bots]
            result, faults = _play_plain(
                conditions, twins, seatings, first, count, stop_on_fault, watch
            )
    else:
        result, faults = _play_plain(conditions, bots, seatings, first, count, stop_on_fault, watch)
    if faults and stop_on_fault:
        raise AgentError(f"bot {faults[0]}")
    return result, faults


def plain_twin(bot: Bot) -> Bot:
    """Return a bot that chooses as this compiled one does, one question at a time."""
    agent = bot.compiled
    if agent is None:
        return bot
    return replace(bot, compiled=None, build=lambda: as_plain(agent), keeps_notes=True)


def row_width(conditions: Conditions) -> int:
    """Return the number of fields of a row."""
    blocks = rows.BIDDING_BLOCK_COUNT if conditions.rules.has_auction else rows.BLOCK_COUNT
    return rows.HEAD_SIZE + blocks * conditions.players


def _play_compiled(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    watch: Watch,
) -> tuple[Rows, list[Fault]]:
    agents = [bot.compiled for bot in bots if bot.compiled]
    place = {index: agents.index(bot.compiled) for index, bot in enumerate(bots) if bot.compiled}
    seats = np.array([[place[bot] for bot in seating] for seating in seatings], dtype=np.int64)
    result = np.zeros((count, len(seatings), row_width(conditions)), dtype=np.int64)
    most = max(1, KERNEL_DEALS // len(seatings))
    watched = _runs_files(bots)
    start, step = 0, min(most, FIRST_BOARDS)
    while start < count:
        part = result[start : start + step]
        begun = time.perf_counter()
        if watched:
            watch.enters_kernel()
        _call_boards(conditions, agents, seats, first + start, part)
        watch.leaves()
        each = (time.perf_counter() - begun) / len(part)
        start, step = start + step, max(1, min(most, int(KERNEL_SECONDS / max(each, 1e-9))))
    return result, _illegal_answers(result, bots, seatings, first)


def _runs_files(bots: Sequence[Bot]) -> bool:
    """Say whether kernels call compiled bots from files."""
    return any(bot.compiled and is_from_file(bot.spec) for bot in bots)


def _call_boards(
    conditions: Conditions,
    agents: Sequence[CompiledAgent],
    seatings: NDArray[np.int64],
    first: int,
    part: Rows,
) -> None:
    """Fill the rows of some boards by one kernel call."""
    boards_here, replays, width = part.shape
    workspace = max([1, *(agent.workspace_size for agent in agents)])
    common = (
        part.reshape(boards_here * replays, width),
        np.zeros((1, layout.STATE_SIZE), dtype=np.int64),
        rule_tables(conditions.rules),
        agent_list(agents, conditions.rules),
        seatings,
        params_matrix(agents, conditions.rules, conditions.players, not conditions.whole_games),
        np.zeros((1, conditions.players, workspace), dtype=np.int64),
        conditions.seed,
        first,
        boards_here,
        conditions.sides,
        max(agent.notes for agent in agents),
    )
    if conditions.whole_games:
        games.play_games(*common, conditions.worst_payoff)
    else:
        boards.play_boards(*common, conditions.pot, conditions.worst_payoff)


def _illegal_answers(
    result: Rows, bots: Sequence[Bot], seatings: Sequence[Sequence[int]], first: int
) -> list[Fault]:
    """Return a fault for each replay that a compiled bot forfeited."""
    faults = []
    for board, replay in zip(*np.nonzero(result[:, :, rows.ROW_FORFEIT] >= 0), strict=True):
        seat = int(result[board, replay, rows.ROW_FORFEIT])
        bot = bots[seatings[replay][seat]].name
        faults.append(Fault(bot, first + int(board), int(replay), seat, "answered illegally"))
    return faults


def _play_plain(
    conditions: Conditions,
    bots: Sequence[Bot],
    seatings: Sequence[Sequence[int]],
    first: int,
    count: int,
    stop_on_fault: bool,
    watch: Watch,
) -> tuple[Rows, list[Fault]]:
    replays = len(seatings)
    result = np.zeros((count * replays, row_width(conditions)), dtype=np.int64)
    faults: list[Fault] = []
    batch_size = _batch_size(conditions, bots)
    for start in range(0, count * replays, batch_size):
        numbers = range(start, min(start + batch_size, count * replays))
        places = [(first + number // replays, number % replays) for number in numbers]
        batch = _Batch(conditions, bots, seatings, places, result[start : numbers.stop], watch)
        batch.play(stop_on_fault)
        faults += batch.faults
        if faults and stop_on_fault:
            break
    return result.reshape(count, replays, -1), faults


def _batch_size(conditions: Conditions, bots: Sequence[Bot]) -> int:
    workspace = max([1, *(bot.compiled.workspace_size for bot in bots if bot.compiled)])
    return max(1, min(BATCH, BATCH_WORDS // (workspace * conditions.players)))


class _Batch:
    """Replays in lock-step: the kernel plays on to the next questions for plain agents."""

    def __init__(
        self,
        conditions: Conditions,
        bots: Sequence[Bot],
        seatings: Sequence[Sequence[int]],
        places: Sequence[tuple[int, int]],
        part: NDArray[np.int64],
        watch: Watch,
    ) -> None:
        self.watch = watch
        self.conditions = conditions
        self.bots = bots
        self.seatings = seatings
        self.places = places
        self.part = part
        self.faults: list[Fault] = []
        self.tables = rule_tables(conditions.rules)
        self.agents = [bot.compiled for bot in bots if bot.compiled]
        n = len(places)
        self.states = np.zeros((n, layout.STATE_SIZE), dtype=np.int64)
        self.statuses = np.full(n, PLAIN_TO_ACT, dtype=np.int64)
        self.actions = np.full(n, boards.NO_ANSWER, dtype=np.int64)
        self.questions = np.zeros((n, 2), dtype=np.int64)
        self.counts = np.zeros((n, conditions.players), dtype=np.int64).tolist()
        shared = [i for i, bot in enumerate(bots) if not (bot.compiled or bot.keeps_notes)]
        self.shared = {i: self._shared(i) for i in shared}
        self.own: dict[tuple[int, int], Any] = {}
        self._deal()

    def _deal(self) -> None:
        c = self.conditions
        numbers = np.array([board for board, _ in self.places], dtype=np.int64)
        common = (self.part, self.states, self.tables, numbers, c.players, c.seed, c.sides)
        if c.whole_games:
            games.deal_games(*common)
        else:
            boards.deal_batch(*common, c.pot)

    def play(self, stop_on_fault: bool) -> None:
        """Play all replays to their end, or to the first fault."""
        place = {i: self.agents.index(b.compiled) for i, b in enumerate(self.bots) if b.compiled}
        seats = [[place.get(bot, PLAIN) for bot in seating] for seating in self.seatings]
        table = np.array([seats[replay] for _, replay in self.places], dtype=np.int64)
        workspace = max([1, *(agent.workspace_size for agent in self.agents)])
        c = self.conditions
        common = (
            self.part,
            self.states,
            self.tables,
            agent_list(self.agents, c.rules),
            table,
            params_matrix(self.agents, c.rules, c.players, not c.whole_games),
            np.zeros((len(self.places), c.players, workspace), dtype=np.int64),
            self.statuses,
            self.actions,
            self.questions,
        )
        watched = _runs_files(self.bots)
        while True:
            if watched:
                self.watch.enters_kernel()
            if c.whole_games:
                games.advance_games(*common, c.worst_payoff)
            else:
                boards.advance_batch(*common, c.pot, c.worst_payoff)
            if watched:
                self.watch.leaves()
            waiting = np.nonzero(self.statuses == PLAIN_TO_ACT)[0]
            if waiting.size == 0:
                break
            for i in waiting.tolist():
                self.actions[i] = self._answer(i)
                if self.faults and stop_on_fault:
                    return
        self._note_illegal()
        self._tell_results()

    def _answer(self, i: int) -> int:
        """Return a plain agent's answer, or GIVE_UP with a fault noted."""
        words = self.states[i].tolist()
        seat = words[layout.SEAT]
        legal, key = self.questions[i].tolist()
        view = View(
            self.conditions.rules,
            words[: layout.PUBLIC_SIZE],
            words[layout.HANDS + seat],
            words[layout.THROWN + seat],
            legal,
            key,
        )
        place = self._place(i, seat, self.counts[i][seat])
        self.counts[i][seat] += 1
        problem = self.watch.enters(place)
        if problem:
            return self._fault(i, seat, problem)
        try:
            action = ask(self._agent(i, seat), view)
        except AgentError as error:
            self.watch.leaves(error.__cause__)
            return self._fault(i, seat, str(error))
        self.watch.leaves()
        return action

    def _place(self, i: int, seat: int, question: int) -> Place:
        board, replay = self.places[i]
        return Place._make((self.seatings[replay][seat], board, replay, seat, question))

    def _shared(self, bot: int) -> Any:
        """Build the object that answers for a bot at all seats."""
        self.watch.enters(Place(bot, *NOWHERE))
        try:
            return self.bots[bot].build()
        finally:
            self.watch.leaves()

    def _agent(self, i: int, seat: int) -> Any:
        """Return the object that plays a seat of a replay, built and told where it sits."""
        _, replay = self.places[i]
        bot = self.seatings[replay][seat]
        if bot in self.shared:
            return self.shared[bot]
        if (i, seat) not in self.own:
            agent = self.bots[bot].build()
            begin(agent, self.conditions.rules, seat, int(self.questions[i, 1]))
            self.own[i, seat] = agent
        return self.own[i, seat]

    def _fault(self, i: int, seat: int, problem: str) -> int:
        board, replay = self.places[i]
        bot = self.bots[self.seatings[replay][seat]].name
        self.faults.append(Fault(bot, board, replay, seat, problem))
        return boards.GIVE_UP

    def _note_illegal(self) -> None:
        """Note the illegal answers of compiled agents at these tables."""
        for i in np.nonzero((self.statuses != FINISHED) & (self.actions != boards.GIVE_UP))[0]:
            self._fault(int(i), int(self.part[i, rows.ROW_FORFEIT]), "answered illegally")

    def _tell_results(self) -> None:
        for (i, seat), agent in self.own.items():
            if not self._is_forfeited(i):
                problem = self._finish(agent, i, seat)
                if problem:
                    self._fault(i, seat, problem)

    def _finish(self, agent: Any, i: int, seat: int) -> str | None:
        """Tell an agent its points; return what went wrong, if anything."""
        place = self._place(i, seat, FINISH)
        problem = self.watch.enters(place)
        if problem:
            return problem
        start = rows.HEAD_SIZE + rows.BLOCK_POINTS * self.conditions.players
        points = self.part[i, start : start + self.conditions.players].tolist()
        try:
            finish = getattr(agent, "finish", None)
            if finish is not None:
                finish(points)
        except caught() as error:
            self.watch.leaves(error)
            return told(error, " in finish")
        self.watch.leaves()
        return None

    def _is_forfeited(self, i: int) -> bool:
        return bool(self.part[i, rows.ROW_FORFEIT] >= 0)
