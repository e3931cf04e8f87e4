"""The strength ladder: how much each bot wins from the heuristic, and what its thinking costs.

In each setting every bot plays the same boards against the heuristic: in partnership games and
between two players side against side, sides exchanged; among individuals alone against a table of
heuristics, in every seat. So the payoff of a bot is what a seat gains by playing it instead of the
heuristic, and two bots are compared board by board. Runs are kept in a folder and gone on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forty5sim.arena.conditions import Conditions
from forty5sim.arena.plan import make_plan
from forty5sim.arena.running import tournament
from forty5sim.arena.runs import load_run
from forty5sim.arena.schedule import fixed_table, pair
from forty5sim.arena.timing import time_decisions
from forty5sim.files import written_whole
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.stats import Estimate, estimate

if TYPE_CHECKING:
    import pandas as pd

BASE = "heuristic"
SEED = 2026


@dataclass(frozen=True)
class Setting:
    """A game and its table.

    Attributes:
        game: the spec of the rules.
        players: seats.
        title: what it is called in tables and plots.
        unit: what payoffs are in.
        share: how many boards it gets, of those asked for: more where luck is greater.
    """

    game: str
    players: int
    title: str
    unit: str
    share: float = 1.0


SETTINGS = (
    Setting("twenty-five", 2, "Twenty-Five, 2 players", "points a deal"),
    Setting("forty-five", 4, "Forty-Five, 2 against 2", "points a deal"),
    Setting("forty-five:sides=individuals", 5, "Forty-Five, 5 players", "points a deal"),
    Setting("spoil-five", 5, "Spoil Five, 5 players", "chips a deal"),
    Setting("auction-forty-fives", 4, "Auction Forty-Fives, 2 against 2", "points a deal"),
    Setting("five-hundred", 4, "Five Hundred, 2 against 2", "points a deal", 1.2),
)


@dataclass(frozen=True)
class Rung:
    """A bot at one budget: ``times`` is the budget as a multiple of its default."""

    bot: str
    spec: str
    times: float


def rungs(multiples: Sequence[float] = (0.1, 1, 10)) -> list[Rung]:
    """Return the bots of the ladder, the search bots at these multiples of their defaults."""
    found = [Rung("random", "random", 1)]
    for name in ("mc", "pimc", "iimc", "ismcts"):
        option, default = DEFAULT_BUDGETS[name]
        for times in multiples:
            spec = name if times == 1 else f"{name}:{option}={max(1, round(default * times))}"
            found.append(Rung(name, spec, times))
    return found


DEFAULT_BUDGETS = {
    "mc": ("worlds", 300),
    "pimc": ("worlds", 60),
    "iimc": ("worlds", 300),
    "ismcts": ("iterations", 2000),
}
"""The option of each search bot that is its budget, and its default (a test holds them to it)."""


def climb(
    setting: Setting,
    rung: Rung,
    boards: int,
    folder: Path,
    *,
    seed: int = SEED,
    workers: int | None = None,
    progress: bool = False,
) -> NDArray[np.int64]:
    """Play a rung's boards, as far as they have not been, and return its payoffs.

    Returns:
        int64, one for each board, in units of 1 / ``payoff_units(setting)``.
    """
    bots, table = _seating(setting, rung.spec)
    result = tournament(
        setting.game,
        bots,
        players=setting.players,
        boards=boards,
        seed=seed,
        table=table,
        results=folder,
        workers=workers,
        progress=progress,
    )
    if not result.complete:
        raise KeyboardInterrupt
    return board_payoffs(setting, rung.spec, result.folder)


def _seating(setting: Setting, spec: str) -> tuple[list[str], bool]:
    """Return the bots, and whether they are one table: a bot alone among individuals."""
    if find_rules(setting.game).side_count(setting.players) == 2:
        return [spec, BASE], False
    return [spec, *[BASE] * (setting.players - 1)], True


def payoff_units(setting: Setting) -> int:
    """Return what a board's payoffs are to be divided by."""
    rules = find_rules(setting.game)
    conditions = Conditions(rules, setting.players, SEED)
    return conditions.payoff_units * int(_pairing(setting).divisor[0])


def _pairing(setting: Setting) -> Any:
    sides = find_rules(setting.game).side_count(setting.players)
    if sides == 2:
        return pair(0, 1, setting.players, sides)
    return fixed_table((0, *[1] * (setting.players - 1)))


def board_payoffs(setting: Setting, spec: str, folder: Path) -> NDArray[np.int64]:
    """Return what a bot won on each board of a run, in units."""
    rows = load_run(folder).rows
    pairing = _pairing(setting)
    seats = [f"payoff_{seat}" for seat in range(setting.players)]
    payoffs = rows.sort_values(["board", "replay"])[seats].to_numpy(dtype=np.int64)
    by_board = payoffs.reshape(-1, len(pairing.seatings), setting.players)
    return np.asarray((by_board * pairing.weights[0]).sum(axis=(1, 2)), dtype=np.int64)


def mean_payoff(payoffs: NDArray[np.int64], units: int) -> Estimate:
    """Return the mean over boards and its 95 % half-width."""
    total, squares = sum(map(int, payoffs)), sum(int(x) ** 2 for x in payoffs)
    return estimate(total, squares, len(payoffs), units)


def decision_time(setting: Setting, spec: str) -> tuple[float, float]:
    """Return the mean and the longest time of a decision, in milliseconds, on one core.

    The heuristic plays some boards; at each of its choices the bot is asked too.
    """
    plan = make_plan(find_rules(setting.game), [BASE, spec], setting.players, seed=SEED)
    times = time_decisions(plan, [find_bot(bot) for bot in plan.bots], ["base", "asked"])[1]
    return times["mean"], times["longest"]


def ladder(
    settings: Sequence[Setting],
    chosen: Sequence[Rung],
    boards: dict[float, int],
    folder: Path,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each setting and rung: payoff, its interval, boards, time, against 1x.

    Args:
        settings: where.
        chosen: the bots and budgets.
        boards: how many boards a rung plays, by its multiple.
        folder: where runs are kept.
        workers: threads; all cores if None.
        progress: show a bar for each run.
    """
    for setting in settings:
        at_default: dict[str, NDArray[np.int64]] = {}
        units = payoff_units(setting)
        for rung in sorted(chosen, key=lambda rung: rung.times != 1):
            count = round(setting.share * boards[rung.times])
            payoffs = climb(setting, rung, count, folder, workers=workers, progress=progress)
            if rung.times == 1:
                at_default[rung.bot] = payoffs
            mean = mean_payoff(payoffs, units)
            row = {
                "game": setting.game,
                "players": setting.players,
                "unit": setting.unit,
                "bot": rung.bot,
                "spec": rung.spec,
                "budget": rung.times,
                "payoff": mean.mean,
                "payoff_ci": mean.half_width,
                "boards": len(payoffs),
                "more_than_default": np.nan,
                "more_ci": np.nan,
                "common_boards": 0,
            }
            if rung.times != 1:
                both = min(len(payoffs), len(at_default[rung.bot]))
                more = mean_payoff(payoffs[:both] - at_default[rung.bot][:both], units)
                row.update(more_than_default=more.mean, more_ci=more.half_width, common_boards=both)
            row["ms_mean"], row["ms_longest"] = decision_time(setting, rung.spec)
            yield row


def write_table(rows: Sequence[dict[str, Any]], path: Path) -> pd.DataFrame:
    """Write rows of the ladder as CSV, rounded for reading, and return them as a DataFrame."""
    import pandas as pd

    frame = pd.DataFrame(rows)
    with written_whole(path) as part:
        frame.round(4).to_csv(part, index=False)
    return frame
