"""Rule sets as data. ``ruleset`` puts together the options that the other modules declare."""

from forty5sim.rules.ruleset import (
    OPTIONS,
    RULES_VERSION,
    RuleSet,
    option_default,
    options_of,
    unknown_option,
)
from forty5sim.rules.table import MAX_HAND_SIZE, MAX_PLAYERS, SEATINGS

__all__ = [
    "MAX_HAND_SIZE",
    "MAX_PLAYERS",
    "OPTIONS",
    "RULES_VERSION",
    "SEATINGS",
    "RuleSet",
    "option_default",
    "options_of",
    "unknown_option",
]
