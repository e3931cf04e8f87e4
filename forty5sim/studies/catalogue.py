"""The published studies: which questions, and the cells that answer each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from forty5sim.named_rules import find_rules, presets
from forty5sim.plot import (
    agreement,
    bands,
    break_even_curves,
    calibration,
    changes,
    pot_lives,
    rates,
)

if TYPE_CHECKING:
    import pandas as pd

SEARCHING = {"mc:worlds=20": 18_000, "ismcts:iterations=500": 14_000}
"""Bots that search, at some 2 ms a decision or less, and how many deals they play on from."""


@dataclass(frozen=True)
class Cell:
    """One thing to be worked out.

    Attributes:
        what: ``rob``, ``jink``, … (``studies.decisions``), ``seat``, ``spoils``, ``pots``,
            ``rules``, ``contracts``, ``hands``, ``scores``, or how hands are valued: ``playouts``,
            ``exact``.
        game: spec of the rules.
        players: seats.
        bot: the policy at every seat.
        deals: how many are played; whole games for ``scores``, new pots for ``pots``.
        pot: chips in the pot before.
        seed: fixes cards and chances.
        readings: other rules to compare the game with, for ``rules``.
        taker: a bot that chooses how a decision is taken in one more branch.
    """

    what: str
    game: str
    players: int
    bot: str
    deals: int
    pot: int = 0
    seed: int = 2026
    readings: tuple[str, ...] = ()
    taker: str = ""

    def key(self) -> str:
        """Return a name for the file that keeps it."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Study:
    """A question with the cells that answer it.

    Attributes:
        name: of its folder and on the command line.
        question: in a sentence.
        cells: what is worked out.
        draw: the figure of its table.
    """

    name: str
    question: str
    cells: Sequence[Cell]
    draw: Callable[[pd.DataFrame], Any] = field(repr=False)


def _robbing() -> list[Cell]:
    cells = [Cell("rob", "spoil-five", n, "heuristic", 120_000) for n in range(2, 7)]
    for bot, deals in SEARCHING.items():
        cells += [Cell("rob", "spoil-five", n, bot, deals) for n in range(2, 7)]
    return cells


TAKERS = {"random": 120_000, "mc:worlds=100": 60_000, "iimc:worlds=100": 60_000}
"""Bots that choose what a robber throws, and in how many deals."""


def _discards() -> list[Cell]:
    return [
        Cell("rob", "spoil-five", n, "heuristic", deals, taker=taker)
        for n in range(2, 7)
        for taker, deals in TAKERS.items()
    ]


def _over_own_way(table: pd.DataFrame) -> pd.DataFrame:
    """Return what other bots' discards gain over the policy's, with whose they are."""
    told = table["stratum"].str.partition(", ")
    return table.assign(**{"thrown by": told[0]})[told[2] == "over the policy's way"]


def _jinking() -> list[Cell]:
    return [
        Cell("jink", "spoil-five", n, "heuristic", 200_000, pot)
        for n in (3, 4, 5)
        for pot in (0, 5, 10, 20)
    ]


def _seats() -> list[Cell]:
    return [
        Cell("seat", name, rules.default_players, "heuristic", 60_000)
        for name, rules in presets().items()
    ]


def _spoils() -> list[Cell]:
    return [
        Cell("spoils", "spoil-five", n, bot, 40_000)
        for n in range(2, 11)
        for bot in ("heuristic", "random")
    ]


TURN_UP_READINGS = (
    "plain_lead=follow_or_trump", "plain_lead=strict_follow", "plain_lead=must_follow_or_trump",
    "plain_lead=free", "renege=outranks_led", "renege=highest_so_far", "renege=expires_in_deal",
    "renege=single_unconditional", "renege=none", "renege_cards=five_only",
    "ah_lead_needs_heart=on", "rob_forced=all", "rob_announced=silent", "head=five_cards",
    "joker=after_ah", "joker=before_ah",
)  # fmt: skip
"""Readings of the rules that are played, each by itself."""

READINGS = {
    "forty-five": (*TURN_UP_READINGS, "bonus=last_trick", "bonus=none"),
    "spoil-five": (*TURN_UP_READINGS, "jink=off"),
    "auction-forty-fives": (
        "kitty=0", "kitty=5", "dealer_hold=off", "draw=off", "name_trump=after_kitty",
        "first_lead=bidder", "joker=after_ah", "joker=before_ah",
    ),
    "forty-five-joker": ("joker=before_ah",),
    "five-hundred": (
        "misere=off", "misere=anytime", "defender_points=none", "joker_lead=last_trick_only",
        "slam_bonus=off", "win_needs_contract=off",
    ),
}  # fmt: skip
"""The readings that each game is compared with."""

BIDDING = ("auction-forty-fives", "nova-scotia", "pei", "merrimack", "five-hundred")


def _rules() -> list[Cell]:
    cells = []
    for game, options in READINGS.items():
        rules = find_rules(game)
        readings = tuple(
            f"{game}:{option}" for option in options if find_rules(f"{game}:{option}") != rules
        )
        cells.append(
            Cell("rules", game, rules.default_players, "heuristic", 40_000, readings=readings)
        )
    return cells


def _contracts() -> list[Cell]:
    return [
        Cell("contracts", game, find_rules(game).default_players, "heuristic", 200_000)
        for game in BIDDING
    ]


STUDIES = {
    study.name: study
    for study in (
        Study(
            "robbing",
            "What is robbing worth, by the number of players and by who plays on?",
            _robbing(),
            lambda table: bands(
                table[table["quantity"] == "effect"], x="players", lines="policy",
                heading="Always robbing, gain an opportunity (Spoil Five)", unit="chips",
            ),
        ),
        Study(
            "discards",
            "What is it worth to throw a better card, or a worse one, when robbing?",
            _discards(),
            lambda table: bands(
                _over_own_way(table), x="players", lines="thrown by",
                heading="Robbing: another bot's discard over the heuristic's", unit="chips",
            ),
        ),
        Study(
            "jinking",
            "How often does a jink succeed, and what does jinking gain, by the pot?",
            _jinking(),
            lambda table: break_even_curves(
                table[table["players"] == 5],
                heading="When a jink pays: Spoil Five, 5 players, by the heuristic",
            ),
        ),
        Study(
            "seats",
            "What is it worth to sit left of the dealer, or to deal, in every game?",
            _seats(),
            lambda table: bands(
                table[table["stratum"].isin(["eldest", "dealer"])], x="game", lines="stratum",
                heading="What eldest and dealer gain over the mean seat", unit="payoff a deal",
            ),
        ),
        Study(
            "spoils",
            "How often is Spoil Five spoiled, by players and by who plays?",
            _spoils(),
            lambda table: bands(
                table, x="players", lines="policy", heading="Deals that nobody wins", unit="share",
            ),
        ),
        Study(
            "pots",
            "How many deals does a pot of Spoil Five last, and how does it grow?",
            [Cell("pots", "spoil-five", n, "heuristic", 40_000) for n in range(3, 9)],
            lambda table: pot_lives(table, heading="How long a pot lasts (Spoil Five, heuristic)"),
        ),
        Study(
            "readings",
            "Which reading of the rules matters, and how much?",
            _rules(),
            changes,
        ),
        Study(
            "contracts",
            "How often is each contract played, and how often made?",
            _contracts(),
            lambda table: rates(
                table[(table["quantity"] == "made") & (table["n"] > 0)],
                heading="Contracts that are made", unit="share of those played",
            ),
        ),
        Study(
            "hands",
            "How often is a contract made, by what the contractor was dealt?",
            [
                Cell("hands", game, 4, "heuristic", 20_000)
                for game in ("auction-forty-fives", "five-hundred")
            ],
            lambda table: rates(
                table, heading="Contracts made, by the hand dealt", unit="share",
            ),
        ),
        Study(
            "calibration",
            "Do the evaluator's chances come true?",
            [
                Cell("playouts", "forty-five", 5, "heuristic", 20_000),
                Cell("playouts", "forty-five", 2, "heuristic", 20_000),
                Cell("exact", "forty-five", 2, "heuristic", 20_000),
            ],
            calibration,
        ),
        Study(
            "scores",
            "What is the chance to win a game from the score?",
            [Cell("scores", "forty-five", 4, "heuristic", 4000)],
            lambda table: agreement(
                table, heading="Chance to win from the score, Forty-Five, 2 against 2"
            ),
        ),
    )
}  # fmt: skip
"""The studies by name."""
