"""The published studies: each answers one question with a table and a figure.

A study is a list of cells (a game, players, bots, a pot), each worked out by itself and kept, so
that a study that was stopped goes on. Every row says what was played, the policy, the value, its
95 % half-width and n.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.errors import RunError
from forty5sim.files import written_whole
from forty5sim.kernels import rows as row_fields
from forty5sim.named_rules import find_rules, presets
from forty5sim.plot import agreement, bands, break_even_curves, changes, rates
from forty5sim.registry import find_bot
from forty5sim.stats import Estimate, estimate
from forty5sim.studies.calibration import calibrate
from forty5sim.studies.contracts import contract_rates
from forty5sim.studies.decisions import value
from forty5sim.studies.readings import compare_rules
from forty5sim.studies.scores import chances_from_score

if TYPE_CHECKING:
    import pandas as pd

DOTS = 110
"""Dots to the inch of a published figure: a tall one stays under 200 kB."""

NUMBERS = ("value", "value_ci", "change", "change_ci")
"""Columns of a table that may be empty."""

QUICKLY = 50
"""By how much fewer deals a quick study plays."""

SEARCHING = {"mc:worlds=20": 18_000, "ismcts:iterations=500": 14_000}
"""Bots that search, at some 2 ms a decision or less, and how many deals they play on from."""


@dataclass(frozen=True)
class Cell:
    """One thing to be worked out.

    Attributes:
        what: ``rob``, ``jink``, … (``studies.decisions``), ``seat``, ``spoils``, ``rules``,
            ``contracts``, ``scores``, or how hands are valued: ``playouts``, ``exact``.
        game: spec of the rules.
        players: seats.
        bot: the policy at every seat.
        deals: how many are played; whole games for ``scores``.
        pot: chips in the pot before.
        seed: fixes cards and chances.
        readings: other rules to compare the game with, for ``rules``.
    """

    what: str
    game: str
    players: int
    bot: str
    deals: int
    pot: int = 0
    seed: int = 2026
    readings: tuple[str, ...] = ()

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
            "calibration",
            "Do the evaluator's chances come true?",
            [
                Cell("playouts", "forty-five", 5, "heuristic", 20_000),
                Cell("playouts", "forty-five", 2, "heuristic", 20_000),
                Cell("exact", "forty-five", 2, "heuristic", 20_000),
            ],
            lambda table: agreement(
                table, expected="evaluator", lines="method",
                heading="Three tricks or more: predicted for a hand, and seen",
            ),
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


def work_out(cell: Cell, *, progress: bool = False) -> pd.DataFrame:
    """Return the rows of a cell."""
    frame = WAYS.get(cell.what, _decision)(cell, progress)
    named = {name: getattr(cell, name) for name in ("game", "players", "pot", "seed")}
    told = {**named, "policy": cell.bot, "deals": cell.deals}
    frame = frame.drop(columns=list(told), errors="ignore")
    for place, (name, known) in enumerate(told.items()):
        frame.insert(place, name, known)
    return frame


def _decision(cell: Cell, progress: bool) -> pd.DataFrame:
    return value(
        cell.what, cell.game, players=cell.players, bots=[cell.bot], deals=cell.deals,
        seed=cell.seed, progress=progress, pot=cell.pot,
    )  # fmt: skip


def _spoiled(cell: Cell, progress: bool) -> pd.DataFrame:
    import pandas as pd

    rate = spoil_rate(cell)
    row = {"quantity": "spoiled", "stratum": "", "value": rate.mean, "value_ci": rate.half_width}
    return pd.DataFrame([{**row, "n": rate.n}])


def _compared(cell: Cell, progress: bool) -> pd.DataFrame:
    return compare_rules(
        cell.game, cell.readings, players=cell.players, bot=cell.bot, deals=cell.deals,
        seed=cell.seed, progress=progress,
    )  # fmt: skip


def _contracted(cell: Cell, progress: bool) -> pd.DataFrame:
    return contract_rates(
        cell.game, players=cell.players, bot=cell.bot, deals=cell.deals, seed=cell.seed
    )


def _calibrated(cell: Cell, progress: bool) -> pd.DataFrame:
    frame = calibrate(
        cell.players, way=cell.what, bot=cell.bot, deals=cell.deals, seed=cell.seed
    )  # fmt: skip
    frame.insert(0, "method", f"{cell.players} players, {cell.what}")
    return frame


def _scored(cell: Cell, progress: bool) -> pd.DataFrame:
    return chances_from_score(
        cell.game, players=cell.players, bot=cell.bot, games=cell.deals, seed=cell.seed,
        progress=progress,
    )  # fmt: skip


WAYS = {
    "spoils": _spoiled,
    "rules": _compared,
    "contracts": _contracted,
    "scores": _scored,
    "playouts": _calibrated,
    "exact": _calibrated,
}
"""How a cell is worked out that is not about a decision."""


def spoil_rate(cell: Cell) -> Estimate:
    """Return the share of deals that nobody wins when one bot sits at all seats."""
    conditions = Conditions(find_rules(cell.game), cell.players, cell.seed, cell.pot)
    seating = [(0,) * cell.players]
    spoiled = 0
    for first in range(0, cell.deals, 2000):
        count = min(2000, cell.deals - first)
        found, _ = play_pairing(conditions, [find_bot(cell.bot)], seating, first, count)
        spoiled += int(found[:, 0, row_fields.ROW_SPOILS].sum())
    return estimate(spoiled, spoiled, cell.deals)


def find_study(name: str) -> Study:
    """Return a study by its name.

    Raises:
        RunError: if there is none.
    """
    if name not in STUDIES:
        raise RunError(f"no study named {name!r}; known: {', '.join(STUDIES)}")
    return STUDIES[name]


def run_study(
    name: str, results: str | Path = "results", *, quick: bool = False, progress: bool = False
) -> Path:
    """Work out a study, as far as it has not been, and write its table and figure.

    Args:
        name: which.
        results: where its folder is; cells are kept in its ``cells/``.
        quick: a fiftieth of the deals, in a folder of its own.
        progress: show a bar.

    Returns:
        The folder, with ``summary.csv``, ``summary.svg`` and ``summary.png``.

    Raises:
        RunError: for a name that is none, or a folder that cannot be written.
    """
    import pandas as pd

    study = find_study(name)
    folder = Path(results) / (f"{name}-quick" if quick else name)
    try:
        (folder / "cells").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot write to {str(folder)!r}: {error.strerror}") from None
    cells = [_quick(cell) if quick else cell for cell in study.cells]
    frames = []
    for cell in tqdm(cells, desc=name, unit="cell", disable=not progress):
        path = folder / "cells" / f"{cell.key()}.csv"
        if not path.is_file():
            frame = work_out(cell)
            with written_whole(path) as part:
                frame.to_csv(part, index=False)
        frames.append(_read_cell(path, cell))
    table = pd.concat(frames, ignore_index=True)
    with written_whole(folder / "summary.csv") as part:
        table.round(5).to_csv(part, index=False)
    _draw(study, table, folder)
    return folder


def _read_cell(path: Path, cell: Cell) -> pd.DataFrame:
    """Return the rows that are kept of a cell.

    Raises:
        RunError: if the file is damaged.
    """
    import pandas as pd

    try:
        numbers = {name: ["", "nan"] for name in NUMBERS}
        frame = pd.read_csv(path, keep_default_na=False, na_values=numbers)
        whole = len(frame) > 0 and (frame["deals"] == cell.deals).all() and frame["n"].notna().all()
    except (OSError, ValueError, KeyError):  # pandas' own errors are ValueErrors
        whole = False
    if not whole:
        raise RunError(f"{str(path)!r} is damaged; delete it, and the study works it out again")
    return frame


def _quick(cell: Cell) -> Cell:
    return Cell(**{**asdict(cell), "deals": max(20, cell.deals // QUICKLY)})


def _draw(study: Study, table: pd.DataFrame, folder: Path) -> None:
    from forty5sim.plot import save_figure

    axes = study.draw(table)
    for ending in ("svg", "png"):
        save_figure(axes, folder / f"summary.{ending}", dots=DOTS)


def main(name: str) -> None:
    """Work out a study from the command line of its file in ``experiments/``."""
    parser = argparse.ArgumentParser(description=find_study(name).question)
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the deals")
    parser.add_argument("--results", default="results", help="where its folder is kept")
    asked = parser.parse_args()
    print(run_study(name, asked.results, quick=asked.quick, progress=True))
