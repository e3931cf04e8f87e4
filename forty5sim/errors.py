"""One class per way to be wrong; every message says what, where and what would do."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable
from typing import SupportsIndex


class Forty5Error(ValueError):
    """A mistake of the user, a file or a bot: shown as a message, never as a traceback."""


class RuleSetError(Forty5Error):
    """A rule set, an option or a way of seating that does not exist or does not fit together."""


class IllegalActionError(Forty5Error):
    """An action that the rules do not allow in this position."""


class NotationError(Forty5Error):
    """A text that does not name a card, a suit or an action."""


class ViewError(Forty5Error):
    """A view from which nothing can be concluded: no deal agrees with it, or not at this point."""


class SolverError(Forty5Error):
    """A position or an objective that the solver does not know."""


class AgentError(Forty5Error):
    """A bot that cannot be found, cannot be built, or misbehaved at the table."""


class UnknownBotError(AgentError):
    """A spec that names no bot, or an option that it does not have."""


class RecordError(Forty5Error):
    """A deal record that cannot be read, or that tells of what cannot have happened."""


class PositionError(Forty5Error):
    """A position that cannot be read, cannot have come about, or leaves nothing to decide."""


class RunError(Forty5Error):
    """A run folder that cannot be used: another plan, a broken part, no room."""


class SettingsError(Forty5Error):
    """A file of the user's own defaults that cannot be read, or that sets what there is not."""


class BatchError(Forty5Error):
    """A batch of tables that cannot be set up so, or actions that do not fit it."""


class SaveError(Forty5Error):
    """A saved game that cannot be written, read, or gone on with."""


def is_whole(value: object, least: int, most: int) -> bool:
    """Say whether a value is a whole number (no bool, no float) between two bounds."""
    whole = isinstance(value, SupportsIndex) and not isinstance(value, bool)
    return whole and least <= operator.index(value) <= most  # type: ignore[arg-type]


def unknown(what: str, name: str, known: Iterable[str], *, plural: str = "") -> str:
    """Return the message for an unknown name: what there is, and a guess at what was meant.

    >>> unknown("option", "ane", ["ante", "pot_cap"])
    "unknown option 'ane', did you mean 'ante'? known options: ante, pot_cap"
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f", did you mean {close[0]!r}?" if close else ";"
    return f"unknown {what} {name!r}{hint} known {plural or what + 's'}: {', '.join(names)}"
