"""The bots that search: flat Monte Carlo, perfect play in sampled worlds, and tree search."""

from __future__ import annotations

from forty5agents.search.bots import iimc, ismcts, mc, pimc

__all__ = ["iimc", "ismcts", "mc", "pimc"]
