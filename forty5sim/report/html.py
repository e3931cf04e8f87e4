"""One page that holds all of a run: ``report.html``, readable without a network or scripts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from forty5sim.arena.store import FIGURES, REPORT
from forty5sim.errors import RunError
from forty5sim.files import written_whole
from forty5sim.plot import inline_svg, save_figure
from forty5sim.report.findings import Findings, read_findings
from forty5sim.report.pictures import check_extras, drawable
from forty5sim.report.terminal import (
    COLUMNS,
    DUELS_LEGEND,
    cell,
    contracts_legend,
    duel_cells,
    fault_lines,
    legend,
    level_name,
    printed_measures,
    share_cell,
    shown_trumps,
    trump_heading,
)
from forty5sim.stats.extras import load_extra

TEMPLATE = "report.html.jinja"


@dataclass(frozen=True)
class Sheet:
    """A table of the page.

    Attributes:
        title: what it is.
        headings: of its columns.
        rows: their texts.
        note: what is to be known.
        words: how many of the first columns hold words, not numbers.
    """

    title: str
    headings: list[str]
    rows: list[list[str]]
    note: str = ""
    words: int = 1


@dataclass(frozen=True)
class Plate:
    """A figure of the page: its name, the SVG element, its caption."""

    name: str
    svg: str
    caption: str


def write_report(folder: str | Path) -> Path:
    """Write ``report.html`` and ``figures/*.png`` into a run's folder and return the page's path.

    Made from the parts of the run; of one that is not complete, from those there are.

    Raises:
        RunError: if the folder holds no run or no boards, a package of ``forty5sim[report]`` is
            missing, or the page cannot be written.
    """
    check_extras()
    found = read_findings(folder)
    path = Path(folder) / REPORT
    try:
        plates = _plates(found, Path(folder) / FIGURES)
        with written_whole(path) as temporary:
            temporary.write_text(_page(found, plates), encoding="utf-8")
    except OSError as error:
        raise RunError(f"cannot write to {str(folder)!r}: {error.strerror}") from None
    return path


def _plates(found: Findings, folder: Path) -> list[Plate]:
    """Draw all figures; keep each as a picture, and return them for the page."""
    folder.mkdir(exist_ok=True)
    plates = []
    for picture in drawable(found):
        axes = picture.draw(found)
        save_figure(axes, folder / f"{picture.name}.png")
        svg = inline_svg(axes, picture.name)
        plates.append(Plate(picture.name, svg, picture.caption(found)))
    return plates


def _page(found: Findings, plates: Sequence[Plate]) -> str:
    jinja = load_extra("jinja2", "reports")
    environment = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = files("forty5sim.report").joinpath(TEMPLATE).read_text(encoding="utf-8")
    page: str = environment.from_string(text).render(
        title=_title(found),
        result=found.result,
        planned=found.run.plan.boards,
        sheets=_sheets(found),
        plates=plates,
        faults=fault_lines(found.result),
        facts=_facts(found),
        versions=found.run.manifest.get("versions", {}),
        command=repeat_command(found),
        renamed=bool(found.run.plan.names),
    )
    return page


def _title(found: Findings) -> str:
    plan = found.run.plan
    return f"{plan.game}, {plan.players} players: {', '.join(found.names)}"


def _sheets(found: Findings) -> list[Sheet]:
    """Return the tables of the page."""
    result = found.result
    sheets = [_standings(found)]
    if len(result.duels) > 1:
        rows = [[row["bot"], row["against"], *duel_cells(row)] for row in result.duels]
        heads = ["bot", "against", "gain", "won %", "tied %", "lost %", "Elo"]
        sheets.append(Sheet("Bot against bot", heads, rows, DUELS_LEGEND, words=2))
    if result.contracts:
        sheets += _contracts(found)
    return sheets


def _standings(found: Findings) -> Sheet:
    measures = printed_measures(found.result)
    heads = ["bot", "payoff", *(COLUMNS[measure].heading for measure in measures)]
    rows = []
    for row in found.result.table:
        cells = [
            cell(row, name, COLUMNS[name].scale, sign="+" if name == "chips" else "")
            for name in measures
        ]
        rows.append([row["bot"], cell(row, "payoff", sign="+"), *cells])
    return Sheet("Standings", heads, rows, legend(found.result))


def _contracts(found: Findings) -> list[Sheet]:
    result = found.result
    contracts = [
        [row["bot"], level_name(row["contract"]), f"{row['contracts']:,}".replace(",", " ")]
        + [share_cell(row, measure) for measure in ("played", "made", "set")]
        for row in result.contracts
        if row["contracts"]
    ]
    suits = shown_trumps(result)
    trumps = [[row["bot"], *(share_cell(row, suit) for suit in suits)] for row in result.trumps]
    heads = ["bot", "contract", "contracts", "played %", "made %", "set %"]
    return [
        Sheet("Contracts", heads, contracts, contracts_legend(result), words=2),
        Sheet("Trumps of its contracts", ["bot", *map(trump_heading, suits)], trumps),
    ]


def _facts(found: Findings) -> list[tuple[str, str]]:
    """Return the plan and the identity of the results, a name and a text each."""
    asked: dict[str, Any] = found.run.manifest["plan"]
    shown = {key: value for key, value in asked.items() if key != "options" and value}
    facts = [(key.replace("_", " "), _text(value)) for key, value in shown.items()]
    options = ", ".join(f"{key}={value}" for key, value in asked["options"].items())
    return [*facts, ("rules", options), ("digest", found.result.digest)]


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def repeat_command(found: Findings) -> str:
    """Return the command line that plays this run again."""
    plan = found.run.plan
    bots = [plan.bots[bot] for bot in plan.table] if plan.table else list(plan.bots)
    words = ["forty5sim", "tournament", "--game", plan.game, "--players", str(plan.players)]
    words += ["--bots", *bots, "--boards", str(plan.boards), "--seed", str(plan.seed)]
    for option, value in (
        ("--pot", plan.pot),
        ("--gauntlet", plan.gauntlet),
        ("--seats", "" if plan.seats == "rotations" else plan.seats),
        ("--sprt", plan.stopping.sprt),
        ("--until", plan.stopping.until),
        ("--on-error", "" if plan.on_error == "stop" else plan.on_error),
    ):
        words += [option, f"{value}"] if value else []
    words += ["--games"] * plan.whole_games + ["--table"] * bool(plan.table)
    return shlex.join(words)
