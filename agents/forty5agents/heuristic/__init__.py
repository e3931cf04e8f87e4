"""``heuristic``: plays every decision of every game by rule of thumb, with a purpose.

It looks at nothing but its own view and draws no random numbers. ``fives`` plays the cards of the
five-fingers games, ``auction`` bids and exchanges in them; ``five_hundred`` bids and exchanges in
Five Hundred, ``contracts`` and ``misere`` play its cards; ``weights`` holds every number.
"""

from __future__ import annotations

from forty5agents.heuristic.choosing import WORKSPACE, choose, choose_in_auctions
from forty5agents.heuristic.weights import PARAMS
from forty5sim.agent import CompiledAgent


def build() -> CompiledAgent:
    """Return the bot that plays by rule of thumb."""
    return CompiledAgent(
        name="heuristic",
        version=1,
        choose=choose,
        choose_in_auctions=choose_in_auctions,
        params=PARAMS,
        workspace_size=WORKSPACE,
    )
