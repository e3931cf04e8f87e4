"""The search bots by name: their options, defaults, and how these become parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from forty5agents.search import flat, tree
from forty5agents.search.options import (
    MOST_BUDGET,
    PLAYOUTS,
    UTILITIES,
    Settings,
    named_policy,
    one_of,
    power_of_two,
    real,
    whole,
)
from forty5sim.agent import CompiledAgent
from forty5sim.errors import AgentError
from forty5sim.kernels import double_dummy, search, trials
from forty5sim.kernels import tree as tree_kernel
from forty5sim.kernels.policies import BY_POLICY

MOST_WORLDS = 100_000
MOST_SECONDS = 3600
CAUTION = 3.5
MEMO_ENTRIES = 1 << 12  # positions that the solver of pimc remembers
CALL_WORLDS = 5  # for each world that pimc solves, so many are played out for a call
DEFAULT_C = 0.7
MOST_RATE = 3e6  # iterations a second that a search given time may need room for
DEFAULT_ITERATIONS = 2000
OPPONENTS = {"maxn": search.MAXN, "paranoid": search.PARANOID, "policy": search.AS_POLICY}


def _agent(name: str, choose: Callable[..., int], settings: Settings, size: int) -> CompiledAgent:
    """Return a search bot with these settings and a workspace of so many words."""
    return CompiledAgent(
        name=name,
        version=1,
        choose=choose,
        params_for=settings.params_for,
        parts_for=settings.parts_for,
        workspace_size=size,
        notes_size=0,
        repeats=not settings.seconds,
        shows_findings=True,
    )


def _flat(
    name: str,
    worlds: int,
    policy: CompiledAgent,
    playout: int,
    utility: str,
    caution: float,
    solver: Mapping[int, float] | None = None,
) -> CompiledAgent:
    """Return a bot that tries every action in the same worlds; ``solver``: how they are solved."""
    budget = whole(name, "worlds", worlds, 1, MOST_WORLDS)
    settings = Settings(
        budget=budget,
        policy=policy,
        utility=one_of(name, "utility", utility, UTILITIES),
        solves=solver is not None,
        numbers={
            search.CALL_BUDGET: budget * (CALL_WORLDS if solver else 1),
            search.CAUTION: real(name, "caution", caution, 0, 100),
            search.PLAYOUT: playout,
            **(solver or {}),
        },
    )
    memory = double_dummy.KEYS + double_dummy.VECTOR_WORDS * MEMO_ENTRIES if solver else 0
    return _agent(name, flat.choose, settings, trials.FINISH + settings.policy_space + memory)


def mc(
    worlds: int = 300,
    playout: str = "mixed",
    utility: str = "auto",
    caution: float = CAUTION,
) -> CompiledAgent:
    """Return flat Monte Carlo: worlds played out partly at random.

    Args:
        worlds: in how many worlds every action is tried, at most.
        playout: ``random``: all at random; ``cards``: random cards, while calls, exchanges, robs
            and jinks are the heuristic's; ``mixed``: every fourth card at random, the rest the
            heuristic's; ``heuristic``: all.
        utility: what deals count, see ``docs/bots.md``.
        caution: how many standard errors behind an action is dropped; 0: never.
    """
    how = PLAYOUTS[one_of("mc", "playout", playout, list(PLAYOUTS))]
    return _flat("mc", worlds, named_policy("heuristic"), how, utility, caution)


def iimc(
    worlds: int = 300,
    inner: str | CompiledAgent = "heuristic",
    utility: str = "auto",
    caution: float = CAUTION,
) -> CompiledAgent:
    """Return Monte Carlo with playouts by a real policy, which sees only each seat's own view.

    Args:
        worlds: in how many worlds every action is tried, at most.
        inner: the policy: ``random``, ``heuristic``, ``pimc``, or a compiled bot.
        utility: what deals count, see ``docs/bots.md``.
        caution: how many standard errors behind an action is dropped; 0: never.
    """
    if not isinstance(inner, CompiledAgent):
        name = one_of("iimc", "inner", inner, ("random", "heuristic", "pimc"))
        inner = pimc(worlds=10) if name == "pimc" else named_policy(name)
    return _flat("iimc", worlds, inner, BY_POLICY, utility, caution)


def pimc(
    worlds: int = 60,
    solve: int = 3,
    playout: str = "heuristic",
    nodes: int = 20_000,
    utility: str = "auto",
    caution: float = CAUTION,
) -> CompiledAgent:
    """Return perfect-information Monte Carlo: worlds solved with all cards seen.

    Args:
        worlds: in how many worlds every action is tried, at most.
        solve: with how many tricks left a world is solved; before, it is played out.
        playout: how it is played out until then, as for ``mc``.
        nodes: positions after which a solve is given up and the world played out.
        utility: what deals count, see ``docs/bots.md``.
        caution: how many standard errors behind an action is dropped; 0: never.
    """
    name = "pimc"
    how = PLAYOUTS[one_of(name, "playout", playout, list(PLAYOUTS))]
    solver = {
        search.SOLVED_TRICKS: whole(name, "solve", solve, 0, 10),
        search.MOST_NODES_SOLVED: whole(name, "nodes", nodes, 1, 10**9),
        search.MEMORY: MEMO_ENTRIES,
    }
    return _flat(name, worlds, named_policy("heuristic"), how, utility, caution, solver)


def ismcts(
    iterations: int | None = None,
    seconds: float | None = None,
    c: float = DEFAULT_C,
    playout: str = "heuristic",
    opponents: str = "maxn",
    worlds: str = "common",
    utility: str = "auto",
) -> CompiledAgent:
    """Return single-observer information set Monte Carlo tree search.

    Args:
        iterations: worlds for a decision, 2000 if neither this nor seconds is given.
        seconds: of time for a decision, in place of iterations; such a bot does not repeat itself.
        c: how much it explores; 0.7 for a game that is won or lost.
        playout: as for ``mc``.
        opponents: what the others do in the tree. ``policy``: as in playouts; ``maxn``: each plays
            for its own side; ``paranoid``: all against the searcher.
        worlds: ``common``: the k-th try of every action is made in the same world; ``fresh``: each
            iteration has its own.
        utility: what deals count, see ``docs/bots.md``.
    """
    name = "ismcts"
    if iterations is not None and seconds is not None:
        raise AgentError(f"{name}: give iterations or seconds, not both")
    how = PLAYOUTS[one_of(name, "playout", playout, list(PLAYOUTS))]
    if seconds is None:
        asked = DEFAULT_ITERATIONS if iterations is None else iterations
        budget = whole(name, "iterations", asked, 1, MOST_BUDGET)
    else:
        longest = real(name, "seconds", seconds, 1e-6, MOST_SECONDS)
        budget = int(min(MOST_BUDGET, max(1000, MOST_RATE * longest)))
    others = OPPONENTS[one_of(name, "opponents", opponents, list(OPPONENTS))]
    memory = power_of_two(2 * budget)
    settings = Settings(
        budget=budget,
        seconds=float(seconds or 0),
        policy=named_policy("heuristic"),
        utility=one_of(name, "utility", utility, UTILITIES),
        numbers={
            search.EXPLORATION: real(name, "c", c, 0, 100),
            search.PLAYOUT: how,
            search.OPPONENTS: others,
            search.COMMON_WORLDS: one_of(name, "worlds", worlds, ("common", "fresh")) == "common",
            search.MEMORY: memory,
        },
    )
    size = tree_kernel.TREE + tree_kernel.ROW_SIZE * memory
    return _agent(name, tree.choose, settings, size)
