"""What the commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from forty5sim.records import Record
    from forty5sim.registry import Bot
    from forty5sim.rules import RuleSet

MISTAKE = 2
INTERRUPTED = 130

MAP = """\
forty5sim: research and simulation for the Irish five-fingers card games

  forty5sim tournament                      bots play 20 000 boards of Forty-Five
  forty5sim tournament --game spoil-five --players 5 --bots heuristic random
  forty5sim tournament --bots heuristic my_bot.py:MyBot     try your own bot
  forty5sim bot new thrifty                 write a bot of your own; bot check tries it
  forty5sim tournament --game five-hundred   the same with bidding, a kitty, misère
  forty5sim report FOLDER                   a page about a tournament, with figures
  forty5sim plot FOLDER                     the figures there are; plot FOLDER WHAT draws one
  forty5sim play                            sit down with two of them
  forty5sim watch --game spoil-five         see a deal, told in words
  forty5sim replay FILE                     show recorded deals; verify FILE checks them
  forty5sim advise FILE                     what to do in a position, and why
  forty5sim review FILE                     your costliest decisions, by what you could know
  forty5sim solve FILE                      what each decision was worth, all cards seen
  forty5sim value rob --players 5           what a decision is worth: rob, jink, bid, hold …
  forty5sim experiment robbing --quick      a published study again: robbing, jinking, seats …
  forty5sim odds "5H JH AH KD 2S" --trump H   what a hand is worth; --compare what to throw
  forty5sim rules                           the games there are
  forty5sim rules spoil-five                the rules of one, in plain English
  forty5sim cards --trump S                 what beats what
  forty5sim bench                           how fast this machine plays
  forty5sim conformance COMMAND             does another engine play by the rules?
  forty5sim doctor                          is everything in order?

Each command explains itself: forty5sim tournament --help
"""


def fail(message: str, code: int = MISTAKE) -> NoReturn:
    """Print what went wrong and leave with an exit code; 2 is a user's mistake."""
    typer.echo(f"forty5sim: {message}", err=True)
    raise SystemExit(code)


def announce_compiling() -> bool:
    """Say so if what a single deal needs has to be compiled first; say whether it was said."""
    from forty5sim.kernels import face
    from forty5sim.kernels.jit import COMPILING, is_cached

    needed = (face.open_deal, face.legal_actions, face.apply)
    missing = not all(is_cached(kernel) for kernel in needed)
    if missing:
        typer.echo(COMPILING, err=True)
    return missing


def announce_solver_compiling() -> None:
    """Say so if the solver has to be compiled first."""
    from forty5sim.kernels import solving
    from forty5sim.kernels.jit import COMPILING, is_cached

    if not is_cached(solving.count_tricks):
        typer.echo(COMPILING, err=True)


def announce_odds_compiling(*, exact: bool) -> None:
    """Say so if what hands are valued by has to be compiled first."""
    from forty5sim.kernels import equity, evaluator
    from forty5sim.kernels.jit import COMPILING, is_cached

    if not is_cached(equity.count_hands if exact else evaluator.play_hands):
        typer.echo(COMPILING, err=True)


def compile_bots(
    bots: Sequence[Bot | None], rules: RuleSet, players: int, *, announced: bool
) -> None:
    """Compile what these bots play a game by, and say so, if there is anything to compile."""
    from forty5sim.compiling import compile_parts, missing_parts
    from forty5sim.kernels.jit import COMPILING

    missing = missing_parts([bot.compiled for bot in bots if bot], rules, players)
    if missing and not announced:
        typer.echo(COMPILING, err=True)
    compile_parts(missing)


def chosen_records(file: Path, line: int | None) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file, or the one of a line, each with the number of its line.

    Raises:
        RecordError: for a line that is no record, and for a file without any, or without the line.
    """
    from forty5sim.errors import RecordError
    from forty5sim.records import read_lines

    found = False
    for number, record in read_lines(file):
        if line not in (None, number):
            continue
        if isinstance(record, RecordError):
            raise record
        found = True
        yield number, record
        if line is not None:
            return
    if not found:
        raise RecordError(f"{file} has {'no records' if line is None else f'no line {line}'}")


def say(*lines: str) -> None:
    """Print lines of text, red suits in red where the terminal has colours."""
    from rich.text import Text

    terminal = console()
    for line in lines:
        text = Text(line)
        text.highlight_regex(r"(10|[2-9JQKA])?[♥♦]", "red")
        terminal.print(text, soft_wrap=True)


def console() -> Console:
    """Return where tables are printed; at least 80 columns where there is no terminal."""
    from rich.console import Console

    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=100)
