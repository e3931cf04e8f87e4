"""Bots at the table of one game, asked one decision at a time; a seat may be a person's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from forty5sim.agent import as_plain, ask, begin, view_of
from forty5sim.cards import Action, Seat
from forty5sim.errors import AgentError
from forty5sim.game import Game, Step
from forty5sim.registry import Bot


class Seats:
    """Who sits where in one game.

    A bot answers as in a tournament: it is asked only where it has a choice, and one that keeps
    notes is built anew for each seat and told where it sits.

    Args:
        bots: the bot of each seat; None is a person's seat, which is never asked.
    """

    def __init__(self, bots: Sequence[Bot | None]) -> None:
        self.bots = bots
        self._agents: dict[Seat, Any] = {}

    def is_person(self, seat: Seat) -> bool:
        """Say whether a person sits here."""
        return self.bots[seat] is None

    def answer(self, game: Game) -> Action:
        """Return what the bot to act does; where there is one choice it is not asked.

        Raises:
            AgentError: if it misbehaves; names the bot, its seat, and what it did.
        """
        mask = game.legal_mask
        if mask & (mask - 1) == 0:
            return mask.bit_length() - 1
        bot = self.bots[game.seat]
        assert bot is not None
        try:
            return ask(self._agent(bot, game), view_of(game))
        except AgentError as error:
            where = f"seat {game.seat}, trick {len(game.history) + 1}"
            raise AgentError(f"bot {bot.name} at {where}: {error}") from error.__cause__

    def _agent(self, bot: Bot, game: Game) -> Any:
        if game.seat not in self._agents:
            agent = bot.build() if bot.compiled is None else as_plain(bot.compiled)
            if hasattr(agent, "start"):
                begin(agent, game.rules, game.seat, view_of(game).key)
            self._agents[game.seat] = agent
        return self._agents[game.seat]

    def play_on(self, game: Game) -> Iterator[Step]:
        """Yield each action of the bots just before it is carried out.

        Ends when the deal is over or a person has to act (errors as in ``answer``).
        """
        while not game.deal_is_over and not self.is_person(game.seat):
            action = self.answer(game)
            yield Step(game.seat, game.phase, action)
            game.push(action)

    def follow(self, game: Game) -> None:
        """Let a bot that keeps notes see a decision that was taken before, as after a pause."""
        bot = self.bots[game.seat]
        mask = game.legal_mask
        if bot is not None and bot.keeps_notes and mask & (mask - 1):
            self.answer(game)
