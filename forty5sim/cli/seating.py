"""Who sits where, as it is asked for on the command line."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from forty5sim.errors import AgentError, RuleSetError
from forty5sim.rules import RuleSet
from forty5sim.strengths import resolved

USUAL_BOT = "heuristic"


def bot_specs(
    rules: RuleSet, players: int | None, bots: Sequence[str] | None, *, persons: int = 0
) -> list[str]:
    """Return the spec of the bot of each seat but the persons': those given, or one for all.

    Raises:
        AgentError: if there are more or fewer bots than seats.
        RuleSetError: if the game is not for so many players.
    """
    given = list(bots or [USUAL_BOT])
    if players is None:
        players = len(given) + persons if len(given) > 1 else rules.default_players
    rules.side_count(players)
    seats = players - persons
    if len(given) == 1:
        given *= seats
    if len(given) != seats:
        raise AgentError(
            f"{players} players need {seats} bots, or one for all, got {len(given)}: {given}"
        )
    return resolved(given, rules, players)


def seat_of_person(seat: int, players: int) -> int:
    """Return the person's seat.

    Raises:
        RuleSetError: if the table has no such seat.
    """
    if seat >= players:
        raise RuleSetError(f"seat {seat} is no seat of {players}; seats are 0..{players - 1}")
    return seat


def drawn_seed() -> int:
    """Return a seed at random, short enough to be typed again."""
    return secrets.randbelow(10**6)
