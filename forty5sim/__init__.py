"""Research and simulation toolkit for the Irish five-fingers card games.

``find_rules`` names a game, ``Game`` plays one by hand, ``tournament`` sets bots against each
other. Names are loaded when they are first used, so that ``import forty5sim`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forty5sim import vec
    from forty5sim.advice.advising import Advice, advise
    from forty5sim.advice.reviewing import review
    from forty5sim.advice.reviews import Review
    from forty5sim.agent import CompiledAgent, PlainAgent, View, as_plain, view_of
    from forty5sim.analysis import Analysis, Finding, analyse
    from forty5sim.arena.result import TournamentResult
    from forty5sim.arena.roster import read_roster
    from forty5sim.arena.running import resume, tournament
    from forty5sim.arena.runs import Run, load_run
    from forty5sim.bids import BID_NAMES, bid_value, ladder, parse_bid
    from forty5sim.cards import JOKER, NO_TRUMP, CardSet, card_name, parse_card
    from forty5sim.chances import Chances, win_chances
    from forty5sim.errors import (
        AgentError,
        Forty5Error,
        IllegalActionError,
        NotationError,
        PositionError,
        RecordError,
        RuleSetError,
        RunError,
        SolverError,
        ViewError,
    )
    from forty5sim.evaluation.values import HandValues, RobValue, evaluate, rob_value
    from forty5sim.game import Game
    from forty5sim.infoset import Determinizations, InformationSet, determinize, marginals
    from forty5sim.named_rules import find_rules, load_presets, presets
    from forty5sim.notation import (
        DONE,
        HOLD,
        JINK,
        KEEP,
        NO_SUIT,
        PASS,
        STOP,
        action_name,
        parse_action,
    )
    from forty5sim.records import Record, faults_of, read_records, record_of, write_records
    from forty5sim.rules import RuleSet
    from forty5sim.solver import Solution, solve
    from forty5sim.studies.contracts import contract_rates, made_by_hand
    from forty5sim.studies.decisions import DecisionValue, decision_value, value
    from forty5sim.studies.readings import compare_rules
    from forty5sim.studies.scores import chances_from_score
    from forty5sim.testing.checking import check_bot
    from forty5sim.testing.findings import BotCheck

__version__ = "0.1.0"

_HOMES = {
    "advice.advising": ("Advice", "advise"),
    "advice.reviewing": ("review",),
    "advice.reviews": ("Review",),
    "agent": ("CompiledAgent", "PlainAgent", "View", "as_plain", "view_of"),
    "analysis": ("Analysis", "Finding", "analyse"),
    "arena.result": ("TournamentResult",),
    "arena.roster": ("read_roster",),
    "arena.running": ("resume", "tournament"),
    "cards": ("JOKER", "NO_TRUMP", "CardSet", "card_name", "parse_card"),
    "chances": ("Chances", "win_chances"),
    "errors": (
        "AgentError",
        "Forty5Error",
        "IllegalActionError",
        "NotationError",
        "PositionError",
        "RecordError",
        "RuleSetError",
        "RunError",
        "SolverError",
        "ViewError",
    ),
    "evaluation.values": ("HandValues", "RobValue", "evaluate", "rob_value"),
    "game": ("Game",),
    "infoset": ("Determinizations", "InformationSet", "determinize", "marginals"),
    "bids": ("BID_NAMES", "bid_value", "ladder", "parse_bid"),
    "notation": (
        "DONE",
        "HOLD",
        "JINK",
        "KEEP",
        "NO_SUIT",
        "PASS",
        "STOP",
        "action_name",
        "parse_action",
    ),
    "named_rules": ("find_rules", "load_presets", "presets"),
    "records": ("Record", "faults_of", "read_records", "record_of", "write_records"),
    "rules": ("RuleSet",),
    "arena.runs": ("Run", "load_run"),
    "solver": ("Solution", "solve"),
    "studies.contracts": ("contract_rates", "made_by_hand"),
    "studies.readings": ("compare_rules",),
    "studies.scores": ("chances_from_score",),
    "studies.decisions": ("DecisionValue", "decision_value", "value"),
    "testing.checking": ("check_bot",),
    "testing.findings": ("BotCheck",),
}
_MODULES = ("vec",)
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022
    "Advice",
    "AgentError",
    "Analysis",
    "BID_NAMES",
    "BotCheck",
    "CardSet",
    "Chances",
    "CompiledAgent",
    "DONE",
    "DecisionValue",
    "Determinizations",
    "Finding",
    "Forty5Error",
    "Game",
    "HOLD",
    "HandValues",
    "IllegalActionError",
    "InformationSet",
    "JINK",
    "JOKER",
    "KEEP",
    "NO_SUIT",
    "NO_TRUMP",
    "NotationError",
    "PASS",
    "PlainAgent",
    "PositionError",
    "Record",
    "RecordError",
    "Review",
    "RobValue",
    "RuleSet",
    "RuleSetError",
    "Run",
    "RunError",
    "STOP",
    "Solution",
    "SolverError",
    "TournamentResult",
    "View",
    "ViewError",
    "action_name",
    "advise",
    "analyse",
    "as_plain",
    "bid_value",
    "card_name",
    "chances_from_score",
    "check_bot",
    "compare_rules",
    "contract_rates",
    "decision_value",
    "determinize",
    "evaluate",
    "faults_of",
    "find_rules",
    "ladder",
    "load_presets",
    "load_run",
    "made_by_hand",
    "marginals",
    "parse_action",
    "parse_bid",
    "parse_card",
    "presets",
    "read_records",
    "read_roster",
    "record_of",
    "resume",
    "review",
    "rob_value",
    "solve",
    "tournament",
    "value",
    "vec",
    "view_of",
    "win_chances",
    "write_records",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"forty5sim.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'forty5sim' has no attribute {name!r}")
    value = getattr(import_module(f"forty5sim.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF, *_MODULES])
