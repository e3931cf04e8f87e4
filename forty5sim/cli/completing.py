"""What the shell may complete beside commands and options."""

from __future__ import annotations


def game_names(incomplete: str) -> list[str]:
    """Return the games whose names begin so."""
    from forty5sim.named_rules import presets

    return [name for name in presets() if name.startswith(incomplete)]


def bot_names(incomplete: str) -> list[str]:
    """Return the installed bots whose names begin so."""
    from forty5sim.registry import known_bots

    return [name for name in known_bots() if name.startswith(incomplete)]


def best_and_bot_names(incomplete: str) -> list[str]:
    """Return the installed bots whose names begin so, and ``best``, where that is understood."""
    from forty5sim.strengths import BEST

    return [name for name in (BEST,) if name.startswith(incomplete)] + bot_names(incomplete)
