"""Entries for Python: what a view tells, and determinizations of it."""

from __future__ import annotations

from forty5sim.kernels.determinize import determinize, prepare
from forty5sim.kernels.jit import entry
from forty5sim.kernels.layout import PUBLIC_SIZE, TABLES_SIZE
from forty5sim.kernels.restock import histories
from forty5sim.kernels.rng import PURPOSE_VIEW, deal_key
from forty5sim.kernels.shares import plan_lots
from forty5sim.kernels.vector import Reals, Vector, bare, readonly


@entry
def read_view(
    public_words: Vector,
    hand: int,
    thrown: int,
    observer: int,
    idle: bool,
    rule_words: Vector,
    fact_words: Vector,
    plan_words: Vector,
    chance_words: Reals,
) -> float:
    """Read what an observer knows, ``idle`` if it is not asked; see ``determinize.prepare``."""
    return prepare(
        readonly(public_words, 0, PUBLIC_SIZE),
        hand,
        thrown,
        observer,
        idle,
        readonly(rule_words, 0, TABLES_SIZE),
        bare(fact_words, 0),
        bare(plan_words, 0),
        bare(chance_words, 0),
        chance_words.size,
    )


@entry
def sample_view(
    states: Vector,
    public_words: Vector,
    thrown: int,
    rule_words: Vector,
    fact_words: Vector,
    plan_words: Vector,
    chance_words: Reals,
    seed: int,
) -> None:
    """Fill each row of ``states`` with a determinization; row i is a function of (seed, i)."""
    for i in range(states.shape[0]):
        determinize(
            bare(states, i * states.shape[1]),
            readonly(public_words, 0, PUBLIC_SIZE),
            thrown,
            readonly(rule_words, 0, TABLES_SIZE),
            bare(fact_words, 0),
            bare(plan_words, 0),
            bare(chance_words, 0),
            chance_words.size,
            deal_key(seed, i, PURPOSE_VIEW),
        )


@entry
def count_lots(fact_words: Vector, plan_words: Vector, chance_words: Reals) -> float:
    """Return the number of ways to deal unseen cards to bins; see ``shares.plan_lots``."""
    return plan_lots(
        bare(fact_words, 0), bare(plan_words, 0), bare(chance_words, 0), chance_words.size
    )


@entry
def count_histories(
    public_words: Vector,
    rule_words: Vector,
    fact_words: Vector,
    plan_words: Vector,
    chance_words: Reals,
) -> float:
    """Return how many histories explain the hands in a plan; see ``restock.histories``."""
    return histories(
        readonly(public_words, 0, PUBLIC_SIZE),
        readonly(rule_words, 0, TABLES_SIZE),
        bare(fact_words, 0),
        bare(plan_words, 0),
        bare(chance_words, 0),
    )
