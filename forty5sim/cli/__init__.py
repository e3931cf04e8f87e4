"""The command line: one file a command; what is heavy is imported inside the command."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer

from forty5sim.cli import (
    advise,
    bench,
    bot,
    cards,
    conformance,
    doctor,
    engine,
    experiment,
    odds,
    play,
    plot,
    replay,
    report,
    review,
    rules,
    solve,
    tournament,
    value,
    verify,
    watch,
)
from forty5sim.cli.common import INTERRUPTED, MAP, MISTAKE, fail
from forty5sim.cli.examples import epilog
from forty5sim.cli.mistakes import USAGE_ERROR, explain
from forty5sim.cli.settings import read_settings
from forty5sim.errors import Forty5Error

app = typer.Typer(
    name="forty5sim",
    help="Play, measure and study Forty-Five, Twenty-Five and Spoil Five.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("tournament")(tournament.command)
app.command("report")(report.command)
app.command("plot")(plot.command)
app.command("play")(play.command)
app.command("watch")(watch.command)
app.command("replay")(replay.command)
app.command("verify")(verify.command)
app.command("advise")(advise.command)
app.command("review")(review.command)
app.command("solve")(solve.command)
app.command("value")(value.command)
app.command("experiment")(experiment.command)
app.command("odds")(odds.command)
app.command("rules")(rules.command)
app.command("cards")(cards.command)
app.command("doctor")(doctor.command)
app.command("bench")(bench.command)
app.command("conformance", context_settings=conformance.SETTINGS)(conformance.command)
app.command("engine")(engine.command)
app.add_typer(bot.app, name="bot")

COMMANDS: dict[str, Callable[..., Any]] = {}
"""Every command by its name; one of a group by both names: ``bot check``."""

for _prefix, _group in (("", app), ("bot ", bot.app)):
    for _registered in _group.registered_commands:
        if _registered.name and _registered.callback:
            COMMANDS[_prefix + _registered.name] = _registered.callback
            _registered.epilog = epilog(_prefix + _registered.name)

LIST_OPTIONS = ("--bots",)
SPELLED = "forty5sim.spelled"
PLAIN_SIGNS = dict(
    zip("♠♣♦♥±…─∞█", ("S", "C", "D", "H", "+-", "...", "-", "inf", "#"), strict=True)
)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from forty5sim import __version__

        typer.echo(f"forty5sim {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(MAP)


def expand_lists(arguments: Sequence[str]) -> list[str]:
    """Write ``--bots a b`` as ``--bots a --bots b``, the form that the parser knows.

    >>> expand_lists(["--bots", "a", "b", "--seed", "1"])
    ['--bots', 'a', '--bots', 'b', '--seed', '1']
    """
    expanded: list[str] = []
    current = None
    for argument in arguments:
        if argument.startswith("-"):
            current = argument if argument in LIST_OPTIONS else None
            expanded.append(argument)
        elif current and expanded[-1] != current:
            expanded += [current, argument]
        else:
            expanded.append(argument)
    return expanded


def spell(error: UnicodeError) -> tuple[str, int]:
    """Write the signs that a terminal cannot show in plain letters: ``5♥`` as ``5H``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(PLAIN_SIGNS.get(sign, "?") for sign in text), error.end


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a user's mistake is one line and exit code 2."""
    codecs.register_error(SPELLED, spell)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else SPELLED)
    given = expand_lists(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
    except Forty5Error as error:
        fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        fail(f"cannot read or write: {error}")
    if code == INTERRUPTED:
        fail("interrupted", code=INTERRUPTED)
    raise SystemExit(code)


def _run(arguments: Sequence[str]) -> int:
    """Run a command with the user's own defaults; return the exit code."""
    try:
        code = app(
            arguments,
            prog_name="forty5sim",
            standalone_mode=False,
            default_map=read_settings(COMMANDS),
        )
    except USAGE_ERROR as error:
        fail(explain(error, arguments, COMMANDS), code=MISTAKE)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # ``| head``: typer ends with 1
            return 0
        raise
    return code or 0
