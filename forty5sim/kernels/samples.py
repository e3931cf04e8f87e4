"""Actions tried in the same fresh worlds, each played on to its end, and what came of them.

A search stops trying what looks bad and keeps what looks good, so what it found of its choice is
too rosy. Here every action is tried in every world, and the worlds are others than those of the
search: the means are fair, and differences between actions are paired.
"""

from __future__ import annotations

from forty5sim.kernels.asking import serve
from forty5sim.kernels.jit import entry, kernel
from forty5sim.kernels.layout import (
    ALONE,
    BIDDER,
    CLAIMER,
    OUTCOME,
    POINTS,
    PUBLIC_SIZE,
    SEAT,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    STATE_SIZE,
    TABLES_SIZE,
    TRICK,
    WINNERS,
)
from forty5sim.kernels.payoff import deal_payoff, write_payoffs
from forty5sim.kernels.search import CARRY_ON, CHANCES, ILLEGAL, TO_THE_VERY_END, Decision
from forty5sim.kernels.trials import FINISH, PAYOFFS, TRIAL, WORLD, WORLDS
from forty5sim.kernels.vector import Reals, Vector, bare, readonly, reals
from forty5sim.kernels.worlds import deal_world, open_worlds

# a row: what came of an action in a world, for the seat that acts and its side
ROW_PAYOFF = 0  # in units of 1 / ``payoff.payoff_divisor``
ROW_OUTCOME, ROW_BIDDER, ROW_CLAIMER = 1, 2, 3  # as in the state
ROW_MARGIN = 4  # points more than the best other side's
ROW_TRICKS = 5  # tricks of the side in the whole deal
ROW_TRICK_WINNER = 6  # seat that won the trick under way (or the first), -1: it was not finished
ROW_SIZE = 7


@kernel
def write_row(decision: Decision, trial: Vector, row: Vector) -> None:
    """Write what came of a finished deal."""
    public = decision.public
    own = public[SIDE_OF + public[SEAT]]
    best = -(1 << 40)
    for side in range(trial[SIDES]):
        if side != own:
            best = max(best, trial[POINTS + side])
    row[ROW_PAYOFF] = deal_payoff(trial, decision.tables, own, 0)
    row[ROW_OUTCOME] = trial[OUTCOME]
    row[ROW_BIDDER] = trial[BIDDER]
    row[ROW_CLAIMER] = trial[CLAIMER]
    row[ROW_MARGIN] = trial[POINTS + own] - best
    row[ROW_TRICKS] = trial[SIDE_TRICKS + own]
    trick = public[TRICK]
    row[ROW_TRICK_WINNER] = trial[WINNERS + trick] if trial[TRICK] > trick else -1


@kernel
def chance_to_win(decision: Decision, trial: Vector) -> float:
    """Return the own side's chance to win the game after a finished deal; nan: none is played."""
    params = decision.params
    if params[CHANCES] == 0.0 or trial[ALONE] != 0:
        return float("nan")
    payoffs = reals(decision.workspace, PAYOFFS)
    write_payoffs(trial, decision.tables, params, payoffs)
    return payoffs[decision.public[SIDE_OF + decision.public[SEAT]]]


@entry
def try_in_worlds(
    row_words: Vector,
    chance_words: Reals,
    action_words: Vector,
    public_words: Vector,
    hand: int,
    thrown: int,
    rule_words: Vector,
    key: int,
    param_words: Reals,
    workspace_words: Vector,
    first: int,
) -> int:
    """Try actions in the worlds ``first`` and on of a key; return in how many: less if at fault.

    Shapes: row_words (worlds, actions, ROW_SIZE), chance_words (worlds, actions). The parameters
    are those of a search; its playouts' policy plays the worlds on.
    """
    worlds, actions, _ = row_words.shape
    words = bare(workspace_words, 0)
    decision = Decision(
        readonly(public_words, 0, PUBLIC_SIZE),
        hand,
        thrown,
        0,
        readonly(rule_words, 0, TABLES_SIZE),
        key,
        readonly(param_words, 0, param_words.size),
        words,
    )
    if not open_worlds(decision, bare(words, WORLDS)):
        return 0
    service = int(decision.params[CARRY_ON])
    trial = bare(words, TRIAL)
    for world in range(worlds):
        deal_world(decision, bare(words, WORLDS), bare(words, WORLD), first + world)
        for number in range(actions):
            for word in range(STATE_SIZE):
                trial[word] = words[WORLD + word]
            action = action_words[number]
            notes = bare(words, FINISH)
            tables, params = decision.tables, decision.params
            if serve(service, trial, tables, params, notes, action, TO_THE_VERY_END) == ILLEGAL:
                return world
            place = world * actions + number
            write_row(decision, trial, bare(row_words, place * ROW_SIZE))
            bare(chance_words, place)[0] = chance_to_win(decision, trial)
    return worlds
