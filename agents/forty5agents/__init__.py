"""The bots that come with forty5sim: name -> factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from forty5agents import heuristic, search, uniform
from forty5sim.agent import CompiledAgent

AGENTS: Mapping[str, Callable[..., CompiledAgent]] = {
    "random": uniform.build,
    "heuristic": heuristic.build,
    "mc": search.mc,
    "pimc": search.pimc,
    "iimc": search.iimc,
    "ismcts": search.ismcts,
}
"""Every bot of this package; the entry point ``forty5sim.agents`` names this mapping."""
