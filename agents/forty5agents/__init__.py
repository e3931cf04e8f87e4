"""The bots that come with forty5sim: name -> factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from forty5agents.heuristic import heuristic
from forty5agents.uniform import random_agent
from forty5sim.agent import CompiledAgent

AGENTS: Mapping[str, Callable[..., CompiledAgent]] = {
    "random": random_agent,
    "heuristic": heuristic,
}
"""Every bot of this package; the entry point ``forty5sim.agents`` names this mapping."""
