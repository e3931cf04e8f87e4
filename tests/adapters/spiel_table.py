"""What the tests of the adapters share: small games, and playing at random in OpenSpiel."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from forty5sim.adapters import openspiel_games

ROBBING = "spoil-five:deck=AS+KS+QS+AC+KC+AD,hand_size=2,win_tricks=2,jink=off"
JOKER = "forty-five-joker:deck=5S+JS+KS+3H+KD+JK,hand_size=2,jink=off"
TINY = "spoil-five:deck=5S+KS+3H+2H,hand_size=2,win_tricks=2,trump=S,jink=off"
FIXED = "spoil-five:deck=5S+KS+3H+2H+KD,hand_size=2,win_tricks=2,trump=S,jink=off"


def mini(spec: str) -> Any:
    """Return a small game of two players, dealt by player 1."""
    return openspiel_games.load(spec, 2, dealer=1)


def step(state: Any, rng: random.Random) -> None:
    """Let a random action, or outcome of chance, be taken."""
    if state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def played(game: Any, rng: random.Random, seen: Callable[[Any], None] = lambda state: None) -> Any:
    """Play a deal at random and return its end; ``seen`` is shown every state before it."""
    state = game.new_initial_state()
    while not state.is_terminal():
        seen(state)
        step(state, rng)
    return state
