"""The figures that a run can draw: what each shows, what it is drawn from, its caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from forty5sim import plot
from forty5sim.errors import RunError, unknown
from forty5sim.report.findings import MOST_BOARDS_APART, MOST_DUELS, Findings
from forty5sim.stats.extras import load_extra

NO_DECISIONS = "it has kept no decisions; forty5sim tournament --resume {} --decisions 200"


@dataclass(frozen=True)
class Picture:
    """A figure of a run.

    Attributes:
        name: as it is asked for.
        meaning: what it shows, in a line.
        lacks: why this run cannot draw it, "" if it can.
        draw: draws it on new axes.
        caption: what is shown, with the sample size, in a sentence.
    """

    name: str
    meaning: str
    lacks: Callable[[Findings], str]
    draw: Callable[[Findings], Any]
    caption: Callable[[Findings], str]


def drawable(found: Findings) -> list[Picture]:
    """Return the figures that this run can draw, in the order of the report."""
    return [picture for picture in PICTURES if not picture.lacks(found)]


def find_picture(found: Findings, name: str) -> Picture:
    """Return a figure of this run by its name.

    Raises:
        RunError: if there is no such figure, or this run cannot draw it.
    """
    wanted = name.replace("_", "-")
    for picture in PICTURES:
        if picture.name == wanted:
            why = picture.lacks(found)
            if why:
                can = ", ".join(other.name for other in drawable(found))
                raise RunError(f"no {wanted} of this run: {why}; it can draw: {can}")
            return picture
    raise RunError(unknown("plot", name, [picture.name for picture in PICTURES]))


def check_extras() -> None:
    """Raise if what draws figures is not installed.

    Raises:
        RunError: naming what to install.
    """
    for module in ("matplotlib", "jinja2", "statsmodels", "choix"):
        load_extra(module, "reports")


def _always(found: Findings) -> str:
    return ""


def _boards(found: Findings) -> str:
    return f"{_spaced(found.result.boards)} boards"


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _no_duels(found: Findings) -> str:
    return "" if found.result.duels else "no two bots met in it, it is one table"


def _no_ratings(found: Findings) -> str:
    few = "" if len(found.names) > 2 else "it has only two bots"
    return _no_duels(found) or few or _gaps(found)


def _gaps(found: Findings) -> str:
    return "it was stopped, and boards between are missing" if found.has_gaps else ""


def _no_series(found: Findings) -> str:
    if len(found.names) < 2:
        return "it has only one bot"
    return _gaps(found) if found.result.boards >= 3 else "it has fewer than three boards"


def _no_distribution(found: Findings) -> str:
    if found.result.duels:
        return ""
    many = found.result.boards > MOST_BOARDS_APART
    return f"it has more than {MOST_BOARDS_APART} boards of one table" if many else _gaps(found)


def _no_times(found: Findings) -> str:
    return "" if found.times is not None else "times were not measured"


def _standings(found: Findings) -> Any:
    return plot.standings(found.result.standings, unit=found.unit)


def _cross_table(found: Findings) -> Any:
    return plot.cross_table(found.duels, order=found.names, unit=found.unit)


def _convergence(found: Findings) -> Any:
    sums, what = found.lead()
    return plot.convergence(sums, found.series.boards, what=what, unit=found.unit)


def _seats(found: Findings) -> Any:
    return plot.seat_advantage(found.seats, unit=found.unit)


def _distribution(found: Findings) -> Any:
    return plot.payoff_distribution(found.distributions(), unit=found.unit)


def _times(found: Findings) -> Any:
    assert found.times is not None
    return plot.decision_times(found.times)


def _times_text(found: Findings) -> str:
    counts = [] if found.times is None else [int(count) for count in found.times["decisions"]]
    return (
        "Time of a decision of each bot on one core;"
        f" n = {_spaced(max(counts, default=0))} decisions a bot or fewer."
        " It depends on the machine, and is not part of the results."
    )


def _payoff_text(found: Findings) -> str:
    if found.result.is_table:
        return f"Mean payoff of a seat, in {found.unit}"
    return f"What a seat gains by this bot instead of its opponent, in {found.unit}"


def _distribution_text(found: Findings) -> str:
    some = len(found.result.duels) > MOST_DUELS
    shown = f" (only those of {found.names[0]})" if some else ""
    what = "the gain of the first bot of each two" if found.result.duels else "each bot's payoff"
    return (
        f"How often each value came up as {what}{shown} on {_boards(found)}; the diamond is the"
        " mean, and each row has its own height."
    )


def _decision_text(what: str) -> Callable[[Findings], str]:
    def text(found: Findings) -> str:
        table = found.decisions
        count = 0 if table is None else len(table)
        boards = 0 if table is None else table["board"].nunique()
        return (
            f"{what} The table holds {_spaced(count)} decisions on {_spaced(boards)} sampled"
            " boards; the decisions of a board go together, and the 95 % intervals know it."
        )

    return text


def _of_decisions(name: str, meaning: str, what: str) -> Picture:
    """Return a figure of the decisions table, which the games differ in."""
    function = name.replace("-", "_")

    def lacks(found: Findings) -> str:
        if found.decisions is None:
            return NO_DECISIONS.format(found.run.folder)
        return "" if function in plot.drawable(found.decisions) else "its decisions have none"

    def draw(found: Findings) -> Any:
        return getattr(plot, function)(found.decisions)

    return Picture(name, meaning, lacks, draw, _decision_text(what))


PICTURES = (
    Picture(
        "standings", "payoff of each bot with its 95 % interval", _always, _standings,
        lambda found: f"{_payoff_text(found)}, with its 95 % interval over {_boards(found)}.",
    ),
    Picture(
        "cross-table", "what each bot gained from each other one", _no_duels, _cross_table,
        lambda found: f"What the bot of the row gained from the bot of the column, in {found.unit},"
        f" ± half of the 95 % interval over {_boards(found)}; a star where it is clear at the 5 %"
        " level after Holm's correction for the number of pairs.",
    ),
    Picture(
        "convergence", "how the leader's difference settled", _no_series, _convergence,
        lambda found: f"The {found.lead()[1]}, averaged over the boards so far, up to"
        f" {_boards(found)}. The inner band is the 95 % interval for a number of boards fixed"
        " beforehand; the outer one holds at every number of boards at once. Who leads was seen on"
        " these same boards.",
    ),
    Picture(
        "ratings", "Bradley-Terry Elo with bootstrap intervals", _no_ratings,
        lambda found: plot.ratings(found.ratings),
        lambda found: f"Elo after Bradley and Terry from the replays each bot had more in, on"
        f" {_boards(found)}; 95 % intervals from 2000 draws of boards.",
    ),
    Picture(
        "seat-advantage", "payoff of each seat, from eldest to dealer", _always, _seats,
        lambda found: f"Mean payoff of whoever sat there, in {found.unit}, with 95 % intervals"
        f" over {_boards(found)}; every bot sat in every seat alike.",
    ),
    Picture(
        "payoff-distribution", "how often each payoff of a board came up", _no_distribution,
        _distribution, _distribution_text,
    ),
    Picture(
        "decision-times", "median, 99th percentile and longest time of a decision", _no_times,
        _times,
        _times_text,
    ),
    _of_decisions(
        "renege-use", "how often bots reneged where they could",
        "Share of plays to a trump led in which a bot kept its high trump back, of those in which"
        " it could.",
    ),
    _of_decisions(
        "rob-rates", "how often bots robbed where they could",
        "Share of decisions in which a bot took the turned-up card, of those in which it could.",
    ),
    _of_decisions(
        "jink-rates", "how often bots jinked where they could",
        "Share of decisions in which a bot went on for all tricks, of those in which it could.",
    ),
    _of_decisions(
        "lead-choices", "how often trumps were led, trick by trick",
        "Share of leads that were trumps, by trick, where a bot held trumps and other cards.",
    ),
    _of_decisions(
        "bidding-profile", "how often bots made each call",
        "Share of each level among a bot's calls, where it had a choice.",
    ),
    _of_decisions(
        "pot-growth", "the pot at the start of each deal of whole games",
        "Mean pot when a deal began, over the games that came so far.",
    ),
)  # fmt: skip
"""All figures, in the order of the report."""
