"""Plays chunks on a Dask cluster (``pip install "forty5sim[dask]"``).

A task is a chunk: it takes a plan of a few hundred bytes and returns a part and sums, so
that little goes over the network. Chunks can be played twice without harm: what a worker that was
lost had under way is played by another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any

from forty5sim.arena.crew import Crew
from forty5sim.arena.guard import Limits
from forty5sim.arena.plan import Plan
from forty5sim.arena.played import Played
from forty5sim.errors import RunError

CONNECT_SECONDS = 10


@contextmanager
def cluster_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on the cluster at an address, and how many tasks it plays at once.

    Raises:
        RunError: if there is no Dask, no cluster at that address, or it is lost on the way.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise RunError(f"no Dask scheduler answers at {address!r}: {error}") from None
    try:
        threads = sum(client.nthreads().values())
        if threads == 0:
            raise RunError(f"the cluster at {address!r} has no workers")
        with client.get_executor(pure=False) as executor:
            yield executor, threads
    except CancelledError:
        raise RunError(
            f"the cluster at {address!r} was lost; the same command goes on from here"
        ) from None
    finally:
        client.close()


def check_cluster(address: str) -> None:
    """Raise as ``cluster_executor`` does, before anything is written."""
    with cluster_executor(address):
        pass


def play_task(plan: Plan, limits: Limits, first: int, count: int) -> Played:
    """Play a chunk as a task of the cluster."""
    return _crew(plan, limits).play(first, count)


@lru_cache(maxsize=1)
def _crew(plan: Plan, limits: Limits) -> Crew:
    """Return what plays the tasks of one plan in this process."""
    return Crew(plan, limits)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ModuleNotFoundError:
        raise RunError('a cluster needs Dask: pip install "forty5sim[dask]"') from None
