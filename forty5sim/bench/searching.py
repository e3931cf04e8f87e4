"""How fast the search bots search: iterations a second, and the time of a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from forty5sim.agent import CompiledAgent, View, agent_list, as_plain, params_matrix, view_of
from forty5sim.bench.timing import Figure, rate_figure, time_figure, timed
from forty5sim.game import Game
from forty5sim.kernels import face, findings, layout
from forty5sim.registry import find_bot

ITERATIONS = 2000
FIRST_LEADS = (
    ("forty-five", 4),
    ("spoil-five", 4),
    ("spoil-five", 5),
    ("forty-five:sides=individuals", 5),
    ("five-hundred", 4),
)
BOTS = ("mc", "pimc", "iimc", "ismcts")
DECISIONS = (("forty-five", 4), ("spoil-five", 5), ("five-hundred", 4))


def search_figures(runs: int) -> Iterator[Figure]:
    """Yield tree search from the first lead, then each bot's time for a decision there."""
    for game, players in FIRST_LEADS:
        for playout in ("random", "heuristic"):
            bot = f"ismcts:iterations={ITERATIONS},playout={playout}"
            work, tried = _asked(bot, _first_lead(game, players))
            times, yardstick = timed(work, runs)
            name = f"ismcts from the first lead, {playout} playouts, {game} {players}p"
            yield rate_figure(name, "iterations/s", tried(), times, yardstick)
    for game, players in DECISIONS:
        for bot in BOTS:
            work, _ = _asked(bot, _first_lead(game, players))
            times, yardstick = timed(work, runs)
            yield time_figure(f"{bot}, first lead, {game} {players}p", 1, times, yardstick)


def _first_lead(game_name: str, players: int) -> View:
    """Return what the first seat with a choice of cards sees at its lead, cards being played.

    In Five Hundred all seats play: not a misère, at which one sits out.
    """
    heuristic = _compiled("heuristic")
    base = as_plain(heuristic)
    for deal in range(1000):
        game = Game(game_name, players, seed=1, deal=deal, alone=True)
        base.start(game.rules, 0, 0)
        while game.phase not in ("play", "over"):
            mask = game.legal_mask
            one = mask & (mask - 1) == 0
            game.push(mask.bit_length() - 1 if one else base.act(view_of(game)))
        view = view_of(game)
        if game.phase == "play" and view._word(layout.ACTIVE) == players:
            return view
    raise AssertionError("no such deal among 1000")


def _compiled(spec: str) -> CompiledAgent:
    agent = find_bot(spec).compiled
    assert agent is not None
    return agent


def _asked(spec: str, view: View) -> tuple[Callable[[], object], Callable[[], int]]:
    """Return what asks a bot about a view, and what tells how many worlds it tried."""
    agent = _compiled(spec)
    workspace = np.zeros(agent.workspace_size, dtype=np.int64)
    arguments = (
        agent_list([agent], view.rules),
        np.asarray(view._words[: layout.PUBLIC_SIZE], dtype=np.int64),
        view.hand.mask,
        view.thrown.mask,
        view.legal_mask,
        view._rule_words,
        view.key,
        params_matrix([agent], view.rules, view.players, view.is_alone),
        workspace,
    )
    return lambda: face.ask_agent(*arguments), lambda: int(workspace[findings.TRIED])
