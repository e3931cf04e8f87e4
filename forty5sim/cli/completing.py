"""What the shell may complete beside commands and options."""

from __future__ import annotations


def game_names(incomplete: str) -> list[str]:
    """Return the games whose names begin so."""
    from forty5sim.named_rules import presets

    return [name for name in presets() if name.startswith(incomplete)]
