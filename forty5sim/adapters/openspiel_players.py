"""Our bots as bots of OpenSpiel, for ``evaluate_bots`` and loops of one's own.

bots = [player("heuristic", 0), player("ismcts:iterations=500", 1)]
returns = evaluate_bots(game.new_initial_state(), bots, numpy.random)
"""

from __future__ import annotations

from random import Random
from typing import Any

from forty5sim.adapters.extras import missing

try:
    import pyspiel
except ImportError:
    raise missing("open_spiel", "openspiel") from None

from forty5sim.adapters.openspiel_games import DealState
from forty5sim.agent import as_plain, ask, begin
from forty5sim.cards import Action, Seat
from forty5sim.errors import AgentError
from forty5sim.registry import Bot, find_bot


class Player(pyspiel.Bot):
    """One of our bots on a seat: it sees its view, and is asked only where it has a choice.

    Args:
        bot: the bot.
        player: its seat.
        seed: fixes its random numbers, together with how often it was asked.
    """

    def __init__(self, bot: Bot, player: Seat, seed: int = 0) -> None:
        super().__init__()
        self._bot = bot
        self._player = player
        self._rng = Random(f"{seed}/{player}")
        self._agent: Any = None
        self._seen: list[int] = []

    def player_id(self) -> Seat:
        """Return its seat."""
        return self._player

    def restart_at(self, state: DealState) -> None:
        """Forget the deal before; it also notices by itself when a new one begins."""
        self._agent = None

    def step(self, state: DealState) -> Action:
        """Return what the bot does.

        Raises:
            AgentError: if the state is none of our games, it is not the bot's turn, or the bot
                misbehaves.
        """
        if not isinstance(state, DealState):
            raise AgentError(f"bot {self._bot.name} plays the games forty5sim_…, not {state}")
        if state.current_player() != self._player:
            raise AgentError(f"bot {self._bot.name} is asked out of turn at seat {self._player}")
        legal: list[Action] = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        view = state.view(self._player)
        view.key = self._rng.getrandbits(63)
        try:
            return ask(self._agent_for(state, view.key), view)
        except AgentError as error:
            where = f"bot {self._bot.name} at seat {self._player}"
            raise AgentError(f"{where}: {error}") from error.__cause__

    def _agent_for(self, state: DealState, key: int) -> Any:
        """Return the bot's agent: for a new deal a new one, if it keeps notes."""
        history = state.history()
        if self._agent is None or history[: len(self._seen)] != self._seen:
            bot = self._bot
            self._agent = bot.build() if bot.compiled is None else as_plain(bot.compiled)
            if hasattr(self._agent, "start"):
                begin(self._agent, state.deal.terms.rules, self._player, key)
        self._seen = history
        return self._agent


def player(spec: str, seat: Seat, seed: int = 0) -> Player:
    """Return a bot of ours for a seat of OpenSpiel.

    Args:
        spec: the bot, as ``"heuristic"``, ``"mc:worlds=20"`` or ``"my_bot.py:MyBot"``.
        seat: its seat.
        seed: fixes its random numbers.

    Raises:
        AgentError: if there is no such bot.
    """
    return Player(find_bot(spec), seat, seed)
