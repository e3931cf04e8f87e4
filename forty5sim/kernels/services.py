"""The large parts that all searches share, each compiled once and called by its number.

They have one signature (``asking.SERVICE``). So a search bot is compiled in seconds: what it does
in every world, knowledge, engine and solver, is machine code that other bots have brought already.
"""

from __future__ import annotations

from forty5sim.kernels.double_dummy import solve_for_all, solve_two_sides
from forty5sim.kernels.jit import entry
from forty5sim.kernels.phases import legal_actions
from forty5sim.kernels.policies import carry_out, play_out
from forty5sim.kernels.search import SOLVE, STEP, TO_THE_END
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.kernels.worlds import read_view, write_world


@entry
def reading(
    state: Vector, tables: Vector, params: Reals, words: Vector, hand: int, thrown: int
) -> int:
    """Read a view (``worlds.read_view``); return 0 if no world agrees with it."""
    return 1 if read_view(tables, words, hand, thrown) else 0


@entry
def dealing(
    state: Vector, tables: Vector, params: Reals, words: Vector, thrown: int, key: int
) -> int:
    """Write a world into ``state`` (``worlds.write_world``)."""
    write_world(state, tables, words, thrown, key)
    return 0


@entry
def playing(
    state: Vector, tables: Vector, params: Reals, words: Vector, action: int, how: int
) -> int:
    """Carry out an action and return what is legal then, or play to the end (``play_out``)."""
    if how == STEP:
        carry_out(state, tables, action)
        return legal_actions(state, tables)
    solve = how == TO_THE_END and params[SOLVE] != 0.0
    return play_out(state, tables, params, words, action, solve)


@entry
def solving_two_sides(
    state: Vector, tables: Vector, params: Reals, words: Vector, first: int, second: int
) -> int:
    """Finish a world of two sides by perfect play (``double_dummy``); return 0 if given up."""
    return 1 if solve_two_sides(state, tables, params, words) else 0


@entry
def solving_for_all(
    state: Vector, tables: Vector, params: Reals, words: Vector, first: int, second: int
) -> int:
    """Finish a world in which everybody plays for themselves; return 0 if given up."""
    return 1 if solve_for_all(state, tables, params, words) else 0
