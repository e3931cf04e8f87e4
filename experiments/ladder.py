"""How strong is each bot, and what does its thinking cost?

    python experiments/ladder.py                       all six settings, hours
    python experiments/ladder.py --quick               a few boards, minutes
    python experiments/ladder.py --settings 0 3 --boards 2000 --more-boards 400

Every bot plays the same boards against the heuristic, the search bots at a tenth, once and ten
times their default budget (``forty5sim.studies.ladder``). Runs are kept in ``results/ladder/runs``
and gone on with; the table and the plot are ``results/ladder/ladder.csv`` and ``ladder.svg``.

Answer: see ``docs/bots.md``.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from forty5sim.plot import strength_ladder
from forty5sim.studies.ladder import SETTINGS, ladder, rungs, write_table


@dataclass(frozen=True)
class Config:
    """What is played.

    Attributes:
        settings: places in ``SETTINGS``.
        boards: boards of a bot at its default budget; a quarter of them at a tenth of it.
        more_boards: boards at ten times the default.
        budgets: multiples of the default budgets; 1 must be among them.
        folder: where table, plot and runs are kept.
    """

    settings: tuple[int, ...] = tuple(range(len(SETTINGS)))
    boards: int = 1000
    more_boards: int = 40
    budgets: tuple[float, ...] = (0.1, 1, 10)
    folder: Path = Path("results/ladder")


def main(config: Config, workers: int | None) -> None:
    """Climb the ladder, printing each rung as it is done."""
    config.folder.mkdir(parents=True, exist_ok=True)
    boards = {0.1: config.boards // 4, 1: config.boards, 10: config.more_boards}
    settings = [SETTINGS[place] for place in config.settings]
    rows = []
    climbed = ladder(
        settings,
        rungs(config.budgets),
        boards,
        config.folder / "runs",
        workers=workers,
        progress=True,
    )
    for row in climbed:
        rows.append(row)
        print(
            f"{row['game']:30} {row['spec']:24} {row['payoff']:+9.3f} ± {row['payoff_ci']:.3f}"
            f" {row['unit']} (n={row['boards']}), {row['ms_mean']:.2f} ms",
            flush=True,
        )
        table = write_table(rows, config.folder / "ladder.csv")
    figure = strength_ladder(table)
    figure.savefig(config.folder / "ladder.svg")
    figure.savefig(config.folder / "ladder.png", dpi=120)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="climb the strength ladder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--settings", type=int, nargs="*", default=Config.settings)
    parser.add_argument("--boards", type=int, default=Config.boards)
    parser.add_argument("--more-boards", type=int, default=Config.more_boards)
    parser.add_argument("--budgets", type=float, nargs="*", default=Config.budgets)
    parser.add_argument("--folder", type=Path, default=Config.folder)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    boards, more_boards = (40, 10) if asked.quick else (asked.boards, asked.more_boards)
    settings, budgets = tuple(asked.settings), tuple(asked.budgets)
    main(Config(settings, boards, more_boards, budgets, asked.folder), asked.workers)
