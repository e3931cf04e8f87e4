"""Replays in lock-step: kernels play on to the next questions for plain bots, which are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.agent import (
    View,
    agent_list,
    ask,
    begin,
    caught,
    params_matrix,
    told,
)
from forty5sim.arena.asked import FINISH, NOWHERE, Fault, Place, Watch, is_from_file
from forty5sim.arena.conditions import Conditions
from forty5sim.errors import AgentError
from forty5sim.kernels import boards, games, layout, rows
from forty5sim.kernels.playout import FINISHED, PLAIN, PLAIN_TO_ACT
from forty5sim.registry import Bot
from forty5sim.tables import rule_tables

BATCH = 512
"""Replays that advance in lock-step where plain agents sit at the table, at most."""

BATCH_WORDS = 1 << 24
"""Words that the workspaces of such a batch may take, if it has more than one replay."""


class Batch:
    """Replays in lock-step: the kernel plays on to the next questions for plain agents."""

    def __init__(
        self,
        conditions: Conditions,
        bots: Sequence[Bot],
        seatings: Sequence[Sequence[int]],
        places: Sequence[tuple[int, int]],
        part: NDArray[np.int32],
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
        watched = runs_files(self.bots)
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


def batch_size(conditions: Conditions, bots: Sequence[Bot]) -> int:
    """Return how many replays advance in lock-step, as far as there is memory for their bots."""
    workspace = max([1, *(bot.compiled.workspace_size for bot in bots if bot.compiled)])
    return max(1, min(BATCH, BATCH_WORDS // (workspace * conditions.players)))


def runs_files(bots: Sequence[Bot]) -> bool:
    """Say whether kernels call compiled bots from files."""
    return any(bot.compiled and is_from_file(bot.spec) for bot in bots)
