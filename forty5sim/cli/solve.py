"""``forty5sim solve FILE``: recorded deals with all cards seen, decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import (
    announce_compiling,
    announce_solver_compiling,
    chosen_records,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forty5sim.records import Record
    from forty5sim.solved import Judged

Option = typer.Option


def command(
    file: Annotated[Path, typer.Argument(help="a file of deal records (.jsonl)")],
    line: Annotated[
        int | None, Option(min=1, help="solve the deal of this line  [default: all]")
    ] = None,
    objective: Annotated[
        str | None,
        Option(help="tricks, points, win or contract  [default: what the game is about]"),
    ] = None,
    search: Annotated[str, Option(help="table, alphabeta, maxn, paranoid, or auto")] = "auto",
    tie: Annotated[str, Option(help="max^n among equals: first, average or spite")] = "first",
    max_nodes: Annotated[
        int, Option(help="positions to search for an action before it is given up")
    ] = 5_000_000,
    as_json: Annotated[bool, Option("--json", help="print for a machine")] = False,
) -> None:
    """Show what each action was worth, had everybody seen all cards and played its best."""
    from forty5sim.errors import RecordError, SolverError
    from forty5sim.solved import judged
    from forty5sim.solver import check_terms

    check_terms(objective, search, tie, max_nodes)
    if not announce_compiling():
        announce_solver_compiling()
    rows: list[dict[str, Any]] = []
    for number, record in chosen_records(file, line):
        try:
            decisions = judged(record, objective, search, tie=tie, max_nodes=max_nodes)
            if as_json:
                for count, one in enumerate(decisions):
                    rows += _rows(number, count, one)
            else:
                _show(f"{file}, line {number}", record, decisions)
        except (RecordError, SolverError) as error:
            raise type(error)(f"{file}, line {number}: {error}") from None
    if as_json:
        print_json("solve", rows, file=str(file))


def _rows(line: int, decision: int, one: Judged) -> Iterator[dict[str, Any]]:
    """Yield a record for each action of a decision: proven bounds on what it is worth."""
    from forty5sim.notation import action_name

    solution = one.solution
    for action, low, high in zip(solution.actions, solution.low, solution.high, strict=True):
        yield {
            "line": line,
            "decision": decision,
            "trick": one.trick,
            "seat": one.step.seat,
            "phase": solution.phase,
            "action": action_name(action, solution.phase),
            "taken": action == one.step.action,
            "objective": solution.objective,
            "low": low[solution.side],
            "high": high[solution.side],
        }


def _show(where: str, record: Record, decisions: Iterator[Judged]) -> None:
    """Print the decisions of a deal, and what each seat gave away."""
    lost = [0.0] * record.players
    given_up = count = 0
    for one in decisions:
        if count == 0:
            say(*_heading(where, record, one))
        say(_line(one))
        lost[one.step.seat] += one.lost
        given_up += one.solution.given_up
        count += 1
    seats = ", ".join(f"seat {seat} {value:g}" for seat, value in enumerate(lost))
    least = "at least " if given_up else ""
    say(f"given away, all cards seen: {least}{seats} ({count} decisions)")
    if given_up:
        say(f"{given_up} actions were given up: a..b are bounds")


def _heading(where: str, record: Record, one: Judged) -> list[str]:
    """Return the lines above the decisions of a deal."""
    how = one.solution
    contract = f"; contract {one.contract}" if one.contract else ""
    return [
        f"--- {where}: {how.rules.id}, {record.players} players{contract}",
        f"{how.objective} of the seat's own side by {how.search}, all cards seen;"
        " [taken]  * best  all: whichever it takes",
    ]


def _line(one: Judged) -> str:
    """Return a decision as a line: each action and what it is worth to the seat's side."""
    from forty5sim.notation import action_name
    from forty5sim.solver import worth_text

    solution = one.solution
    side = solution.side
    alike = solution.is_exact and len(solution.best) == len(solution.actions)
    words = []
    for action, low, high in zip(solution.actions, solution.low, solution.high, strict=True):
        best = "*" if solution.is_exact and action in solution.best else ""
        worth = "" if alike else f" {worth_text(low[side], high[side])}{best}"
        word = action_name(action, solution.phase) + worth
        words.append(f"[{word}]" if action == one.step.action else word)
    if alike:
        words.append(f"all {worth_text(solution.low[0, side], solution.high[0, side])}")
    return f"trick {one.trick}  seat {one.step.seat}:  " + "  ".join(words)
