"""Works out the published studies (``catalogue``): a table and a figure each.

A cell is worked out by itself and kept, so that a study that was stopped goes on. Every row says
what was played, the policy, the value, its 95 % half-width and n.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import play_pairing
from forty5sim.errors import RunError
from forty5sim.files import written_whole
from forty5sim.kernels import rows as row_fields
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.stats import Estimate, estimate
from forty5sim.studies.calibration import calibrate
from forty5sim.studies.catalogue import STUDIES, Cell, Study
from forty5sim.studies.contracts import contract_rates, made_by_hand
from forty5sim.studies.decisions import value
from forty5sim.studies.pots import follow_pots
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
        **({"taker": cell.taker} if cell.taker else {}),
    )  # fmt: skip


def _spoiled(cell: Cell, progress: bool) -> pd.DataFrame:
    import pandas as pd

    rate = spoil_rate(cell)
    row = {"quantity": "spoiled", "stratum": "", "value": rate.mean, "value_ci": rate.half_width}
    return pd.DataFrame([{**row, "n": rate.n}])


def _followed(cell: Cell, progress: bool) -> pd.DataFrame:
    return follow_pots(
        cell.game, players=cell.players, bot=cell.bot, pots=cell.deals, seed=cell.seed
    )


def _compared(cell: Cell, progress: bool) -> pd.DataFrame:
    return compare_rules(
        cell.game, cell.readings, players=cell.players, bot=cell.bot, deals=cell.deals,
        seed=cell.seed, progress=progress,
    )  # fmt: skip


def _contracted(cell: Cell, progress: bool) -> pd.DataFrame:
    return contract_rates(
        cell.game, players=cell.players, bot=cell.bot, deals=cell.deals, seed=cell.seed
    )


def _by_hand(cell: Cell, progress: bool) -> pd.DataFrame:
    return made_by_hand(
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
    "pots": _followed,
    "rules": _compared,
    "contracts": _contracted,
    "hands": _by_hand,
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
