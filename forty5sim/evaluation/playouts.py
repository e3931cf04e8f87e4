"""Deals around a fixed hand, played out by a policy in the engine: how many tricks its seat wins.

Deal number k around a hand is a pure function of (seed, k, hand), or of (seed, k) alone where
hands are to be compared: results do not depend on threads, order or what else is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import Card, Mask
from forty5sim.compiling import available_cores, compile_parts, missing_parts
from forty5sim.errors import AgentError, SolverError
from forty5sim.kernels import evaluator, layout, search, services
from forty5sim.kernels.asking import SERVICE, address_of
from forty5sim.kernels.policies import BY_POLICY, RANDOM
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.registry import find_bot
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables

ANYWHERE_ELSE = evaluator.ANYWHERE_ELSE
OUTCOMES = evaluator.OUTCOMES
DEALS_A_CALL = 20_000
"""A kernel call takes 50 ms or so, which keeps Ctrl-C alive."""


@dataclass(frozen=True)
class Table:
    """The table that hands are played at.

    Attributes:
        rules: the rules, with ``trump`` fixed where nobody is to rob.
        players: how many.
        policy: the spec of the compiled bot that plays for everybody.
        turn_up: the card turned up, None where trumps are named.
        dead: mask of cards that nobody has.
    """

    rules: RuleSet
    players: int
    policy: str
    turn_up: Card | None = None
    dead: Mask = 0


def play_around(
    hands: Vector, table: Table, position: int, playouts: int, seed: int, *, paired: bool = False
) -> NDArray[np.int64]:
    """Return how often each hand's seat took 0, 1, … 10 tricks: int64 of shape (n, 11).

    Args:
        hands: masks of cards, shape (n,).
        table: the table.
        position: of the hand's seat: 0 leads, 1 sits to its left, …; ``ANYWHERE_ELSE``: in each
            deal drawn among those that do not lead.
        playouts: deals for each hand.
        seed: the seed of the deals.
        paired: all hands meet the same shuffles, so that they can be compared.

    Raises:
        AgentError: for a policy that is not compiled, or answers with what is not legal.
        SolverError: where too few cards are left for the others.
    """
    _check_room(table)
    params, note_size = _params(table)
    rules = rule_tables(table.rules)
    sides = table.rules.side_count(table.players)
    playing = address_of(services.playing, SERVICE)
    streams = np.zeros_like(hands) if paired else hands

    def play(task: tuple[slice, int, int]) -> tuple[slice, NDArray[np.int64], int]:
        chosen, first, count = task
        state = np.zeros(layout.STATE_SIZE, dtype=np.int64)
        notes = np.zeros(max(note_size * table.players, 1), dtype=np.int64)
        found = np.zeros((len(hands[chosen]), OUTCOMES), dtype=np.int64)
        turn_up = -1 if table.turn_up is None else table.turn_up
        illegal = evaluator.play_hands(
            hands[chosen], streams[chosen], state, rules, playing, params, notes,
            table.players, sides, turn_up, table.dead, position, first, count, seed, found,
        )  # fmt: skip
        return chosen, found, int(illegal)

    total = np.zeros((len(hands), OUTCOMES), dtype=np.int64)
    with ThreadPoolExecutor(available_cores()) as pool:
        for chosen, found, illegal in pool.map(play, _tasks(len(hands), playouts)):
            total[chosen] += found
            if illegal:
                raise AgentError(f"bot {table.policy!r} gave an answer that is not legal")
    return total


def _tasks(hands: int, playouts: int) -> Iterator[tuple[slice, int, int]]:
    """Yield what a call of the kernel plays: which hands, the first deal and how many."""
    together = max(1, DEALS_A_CALL // playouts)
    for start in range(0, hands, together):
        for first in range(0, playouts, DEALS_A_CALL):
            yield slice(start, start + together), first, min(DEALS_A_CALL, playouts - first)


def _check_room(table: Table) -> None:
    """Raise unless there are cards enough for everybody."""
    used = table.players * int(table.rules.hand_size) + (table.turn_up is not None)
    left = len(table.rules.deck_cards()) - table.dead.bit_count()
    if used > left:
        raise SolverError(f"{table.players} players need {used} cards, and {left} are left")


def _params(table: Table) -> tuple[Reals, int]:
    """Return the numbers that steer the playouts, and the policy's words of notes a seat."""
    params = np.zeros(search.POLICY_PARAMS)
    if table.policy == "random":
        params[search.PLAYOUT] = RANDOM
        return params, 0
    bot = find_bot(table.policy).compiled
    if bot is None:
        raise AgentError(f"bot {table.policy!r} is not compiled: it cannot play hands out")
    compile_parts(missing_parts([bot], table.rules, table.players))
    params[search.PLAYOUT] = BY_POLICY
    params[search.POLICY] = bot.address_for(table.rules)
    params[search.POLICY_STRIDE] = bot.workspace_size
    return np.array([*params, *bot.params_in(table.rules, table.players, True)]), bot.workspace_size
