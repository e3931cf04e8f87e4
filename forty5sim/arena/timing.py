"""How long bots think: measured beside a run, one decision after another, on one core.

Times depend on the machine and the moment, so they are kept apart from the results.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from forty5sim.agent import as_plain, view_of
from forty5sim.arena.conditions import board_game
from forty5sim.arena.plan import Plan
from forty5sim.registry import Bot

MOST_BOARDS = 40
MOST_SECONDS = 1.0


def time_decisions(
    plan: Plan, bots: Sequence[Bot], names: Sequence[str], seconds: float = MOST_SECONDS
) -> list[dict[str, Any]]:
    """Return a row for each installed compiled bot: decisions, mean, median, p99, longest, in ms.

    The first bots of the plan play some of its boards; at each choice every bot is asked, and the
    first one's answer is carried out. Bots from files are not timed: they play elsewhere.

    Args:
        plan: what is played.
        bots: its bots.
        names: as they are called in tables.
        seconds: after which no further board is begun.
    """
    asked = {
        name: as_plain(bot.compiled) for name, bot in zip(names, bots, strict=True) if bot.compiled
    }
    if not asked:
        return []
    times: dict[str, list[float]] = {name: [] for name in asked}
    started = time.perf_counter()
    for board in range(MOST_BOARDS):
        _time_board(plan, board, asked, times if board else None)  # the first one warms up
        if time.perf_counter() - started > seconds and board:
            break
    return [{"bot": name, **_summary(found)} for name, found in times.items() if found]


def _time_board(
    plan: Plan, board: int, asked: dict[str, Any], times: dict[str, list[float]] | None
) -> None:
    game = board_game(plan.conditions, board)
    for agent in asked.values():
        agent.start(plan.rules, 0, 0)
    while not game.deal_is_over:
        mask = game.legal_mask
        if mask & (mask - 1) == 0:
            game.push(mask.bit_length() - 1)
            continue
        view, actions = view_of(game), []
        for name, agent in asked.items():
            begun = time.perf_counter()
            actions.append(agent.act(view))
            if times is not None:
                times[name].append(1e3 * (time.perf_counter() - begun))
        game.push(actions[0])


def _summary(found: list[float]) -> dict[str, float]:
    """Return the figures of some times."""
    return {
        "decisions": len(found),
        "mean": float(np.mean(found)),
        "median": float(np.median(found)),
        "p99": float(np.percentile(found, 99)),
        "longest": float(np.max(found)),
    }
