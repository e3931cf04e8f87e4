"""``forty5sim bot new`` and ``bot check``: a bot of one's own, from nothing to a tournament."""

from __future__ import annotations

import keyword
import re
import sys
import textwrap
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import announce_compiling, say
from forty5sim.cli.completing import bot_names
from forty5sim.errors import AgentError

if TYPE_CHECKING:
    from forty5sim.testing import BotCheck

Option = typer.Option
BOT_FAILED = 1

app = typer.Typer(
    help="A bot of your own: write one, and check it.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="small letters, digits and _: thrifty")],
    folder: Annotated[Path, Option(help="where it is written; made if need be")] = Path(),
    compiled: Annotated[
        bool, Option("--compiled", help="a numba function: harder to write, 100 times as fast")
    ] = False,
) -> None:
    """Write a bot that plays every game, and its test; say what to type next."""
    _check_name(name)
    kind = "compiled" if compiled else "plain"
    files = {folder / f"{name}.py": f"{kind}_bot.py", folder / f"test_{name}.py": f"{kind}_test.py"}
    for file in files:
        if file.exists():
            raise AgentError(f"{file} is there already: choose another name, or --folder")
    _check_import(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file, template in files.items():
        file.write_text(_filled(template, name), encoding="utf-8")
    bot, test = files
    spec = f"{bot}:{name if compiled else _class_name(name)}"
    typer.echo(f"wrote {bot} and {test}; next:\n")
    for command, why in (
        (f"forty5sim bot check {spec}", "is it lawful, blind, steady, fast?"),
        (f"forty5sim tournament --bots {spec} heuristic random --boards 2000", ""),
        (f"{Path(sys.executable).name} -m pytest {test}", "its test (pip install pytest)"),
    ):
        typer.echo(f"  {command}" + (f"  # {why}" if why else ""))


def _check_name(name: str) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise AgentError(
            f"{name!r} is no name for a bot: small letters, digits and _, a letter first, at most"
            " 40, and no word of Python's own"
        )


def _check_import(name: str) -> None:
    """Raise if a file of this name would stand before a module of Python or of a package."""
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise AgentError(
            f"{name!r} is the name of an installed module: choose another, as my_{name}"
        )


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_")) or name


def _filled(template: str, name: str) -> str:
    """Return the text of a template with its bot called otherwise."""
    text = resources.files("forty5sim").joinpath("templates", template).read_text(encoding="utf-8")
    for old, own in (
        ("MyBot", _class_name(name)),
        ("my_bot", name),
        ("my-bot", name.replace("_", "-")),
    ):
        text = text.replace(old, own)
    return text


@app.command("check")
def check(
    spec: Annotated[
        str,
        typer.Argument(
            help="the bot: my_bot.py:MyBot, heuristic, mc:worlds=20", autocompletion=bot_names
        ),
    ],
    game: Annotated[
        list[str] | None,
        Option(help="check it in this game; may be given again  [default: all it is written for]"),
    ] = None,
    positions: Annotated[
        int, Option(help="of each kind of decision, for each game and number of players")
    ] = 2,
    boards: Annotated[int, Option(help="of each short tournament; 0 for none")] = 100,
    seed: Annotated[int, Option(help="fixes positions and deals")] = 1,
    move_time: Annotated[float, Option(help="seconds that it may take for an answer")] = 10.0,
    record: Annotated[
        Path | None,
        Option(help="where positions that fail are recorded  [default: failed-BOT.jsonl]"),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="print the checks for a machine")] = False,
) -> None:
    """Check a bot, by asking it about random positions in every game, and by short tournaments.

    Exit code: 0 all checks passed, 1 one failed, 2 there is no such bot, game or option.
    """
    from forty5sim.testing import check_bot

    announce_compiling()
    found = check_bot(
        spec, game, positions=positions, boards=boards, seed=seed, move_time=move_time
    )
    if as_json:
        told = found.as_dict()
        print_json("bot check", told.pop("checks"), **told)
    else:
        say(str(found))
    if found.records and (record or not as_json):
        _write_positions(found, record or Path(f"failed-{_plain_name(spec)}.jsonl"), not as_json)
    if not found.passed:
        raise SystemExit(BOT_FAILED)


def _plain_name(spec: str) -> str:
    return re.sub(r"\W+", "-", Path(spec).name.replace(".py", "")).strip("-")


def _write_positions(found: BotCheck, file: Path, told: bool) -> None:
    """Record the positions where checks failed, and say which line is which."""
    from forty5sim.records import write_records

    write_records(file, found.records)
    failed = [check for check in found.failures if check.record]
    lines = [f"{c.name}, line {n} after {c.action} actions" for n, c in enumerate(failed, 1)]
    if told:
        say(*textwrap.wrap(f"forty5sim replay {file}  # {'; '.join(lines)}", 79))
