"""What was mistyped, in one line, with what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import typer

from forty5sim.cli.parameters import Parameter, parameters_of, shown_name
from forty5sim.errors import unknown

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises. Typer brings its own click or uses the installed one, by its version."""


def explain(
    error: Exception, arguments: Sequence[str], commands: Mapping[str, Callable[..., Any]]
) -> str:
    """Return a line about an error of the parser: what was given, where, and what would do.

    Args:
        error: a ``USAGE_ERROR``.
        arguments: the command line, without the program's name.
        commands: every command by its name, one of a group by both: ``bot check``.
    """
    words = [word for word in arguments if not word.startswith("-")]
    option = getattr(error, "option_name", None)
    before = arguments[: arguments.index(words[0]) if words else None]
    if option is not None and option in [argument.partition("=")[0] for argument in before]:
        return f"unknown option {option!r}; see forty5sim --help"
    if not words:
        return f"{_told(error)}; see forty5sim --help"
    named = (" ".join(words[:count]) for count in (2, 1))
    command = next((name for name in named if name in commands), None)
    if command is None:
        is_group = any(name.startswith(f"{words[0]} ") for name in commands)
        return unknown("command", " ".join(words[: 2 if is_group else 1]), commands)
    known = parameters_of(commands[command])
    if option is not None:
        return _about_option(option, command, known)
    name = getattr(getattr(error, "param", None), "name", None)
    parameter = next((one for one in known if one.name == name), None)
    if parameter is None:
        return f"{command}: {_told(error)}; see forty5sim {command} --help"
    given = _given(parameter, arguments)
    if given is None:
        return f"{command} needs {shown_name(parameter)}: {parameter.help}"
    return f"{parameter.option} takes {parameter.takes}, got {given!r}"


def _told(error: Exception) -> str:
    """Return the parser's own words as a message of ours."""
    words = str(getattr(error, "message", error)).rstrip(".")
    return words[:1].lower() + words[1:]


def _about_option(option: str, command: str, known: Sequence[Parameter]) -> str:
    """Return what is wrong with an option: it is none, lacks a value, or has one too many."""
    for parameter in known:
        if parameter.option == option and parameter.kind is bool:
            return f"{option} is a switch and takes no value"
        if parameter.option == option:
            return f"{option} takes {parameter.takes}, got nothing"
    close = get_close_matches(option, [one.option for one in known if one.option], n=1)
    hint = f", did you mean {close[0]!r}?" if close else ";"
    return f"unknown option {option!r}{hint} forty5sim {command} --help lists them"


def _given(parameter: Parameter, arguments: Sequence[str]) -> str | None:
    """Return the value that an option was given last, or None."""
    for place in range(len(arguments) - 1, -1, -1):
        name, sign, value = arguments[place].partition("=")
        if parameter.option and name == parameter.option:
            return value if sign else arguments[place + 1]
    return None
