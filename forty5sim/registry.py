"""Finds bots by spec: ``name``, ``name:option=value,…`` or ``path/file.py:Name``.

Installed packages offer bots through the entry point group ``forty5sim.agents``, each entry a
mapping name -> factory. Workers get specs and build the bots themselves.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from forty5sim.agent import Agent, CompiledAgent, caught, safe_text
from forty5sim.errors import AgentError, UnknownBotError, unknown

ENTRY_POINT_GROUP = "forty5sim.agents"


@dataclass(frozen=True)
class Bot:
    """A bot as found: its spec, name and version, and how to build one.

    ``compiled`` is the compiled agent, or None for a plain one. Plain bots are built as often as
    they are needed; ``keeps_notes`` says that one object may serve a single seat only. ``games``
    are those that it says it is written for; all if None.
    """

    spec: str
    name: str
    version: int
    compiled: CompiledAgent | None
    build: Callable[[], Any]
    keeps_notes: bool
    games: tuple[str, ...] | None = None


def find_bot(spec: str) -> Bot:
    """Return the bot that a spec names.

    Raises:
        UnknownBotError: if there is no such bot or option; says what there is.
        AgentError: if it cannot be loaded or built.
    """
    name, options = _split_spec(spec)
    factory = _from_file(name) if ".py:" in name else _from_packages(name)
    _check_options(spec, factory, options)

    def build() -> Agent:
        try:
            with _printing_apart(name):
                agent: Agent = factory(**options)
        except AgentError:
            raise
        except caught() as error:
            raise AgentError(f"bot {spec!r} cannot be built: {_brief(error)}") from error
        if not isinstance(agent, CompiledAgent) and not callable(getattr(agent, "act", None)):
            raise AgentError(f"bot {spec!r} has no method act(view); got {type(agent).__name__}")
        return agent

    agent = build()
    compiled = agent if isinstance(agent, CompiledAgent) else None
    default_name = name.rpartition(":")[2]
    return Bot(
        spec=spec,
        name=_name(spec, agent, default_name) if not options else spec_label(spec),
        version=_version(spec, agent),
        compiled=compiled,
        build=build,
        keeps_notes=callable(getattr(agent, "start", None)),
        games=_games(spec, agent),
    )


def _printing_apart(name: str) -> AbstractContextManager[object]:
    """Send what a bot from a file prints to standard error, out of the way of results.

    Installed bots are left alone: threads build them at the same time, and the redirection, one
    for the whole process, would stay if two overlapped.
    """
    return redirect_stdout(sys.stderr) if ".py:" in name else nullcontext()


def _name(spec: str, agent: Agent, default: str) -> str:
    name = getattr(agent, "name", default)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name.strip()) <= 60:
        raise AgentError(f"bot {spec!r}: name must be 1..60 printable characters, got {name!r}")
    return name


def _version(spec: str, agent: Agent) -> int:
    version = getattr(agent, "version", 1)
    if isinstance(version, bool) or not isinstance(version, int):
        raise AgentError(f"bot {spec!r}: version must be a whole number, got {version!r}")
    return version


def _games(spec: str, agent: Agent) -> tuple[str, ...] | None:
    games = getattr(agent, "games", None)
    if games is None:
        return None
    if not isinstance(games, list | tuple) or not all(isinstance(game, str) for game in games):
        raise AgentError(
            f"bot {spec!r}: games must be a list of games, got {safe_text(repr, games)}"
        )
    return tuple(games)


def spec_label(spec: str) -> str:
    """Return a short label for a spec: without the folders of a file."""
    head, separator, tail = spec.rpartition(".py:")
    return f"{Path(head).name}:{tail}" if separator else spec


def known_bots() -> list[str]:
    """Return the names of the installed bots."""
    return sorted(_packages())


@cache
def _packages() -> Mapping[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        found.update(entry.load())
    return found


def _from_packages(name: str) -> Callable[..., Any]:
    if name not in _packages():
        hint = "" if "/" not in name and not name.endswith(".py") else (
            "; a bot in a file is named path/file.py:Name")  # fmt: skip
        raise UnknownBotError(unknown("bot", name, known_bots()) + hint)
    return _packages()[name]


def _split_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Split a spec into the bot's name and its options."""
    head, colon, tail = spec.rpartition(":")
    if not colon or "=" not in tail:
        return spec, {}
    options: dict[str, Any] = {}
    for entry in filter(None, tail.split(",")):
        key, equals, value = entry.partition("=")
        if not equals:
            raise UnknownBotError(f"cannot read {entry!r} in bot {spec!r}; write option=value")
        options[key.strip()] = _value(value.strip())
    return head, options


def _value(text: str) -> Any:
    """Read an option's value: a number, True, False or None, else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _check_options(spec: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> None:
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        return
    for name in options:
        if name not in parameters:
            known = list(parameters) or ["none"]
            raise UnknownBotError(f"bot {spec!r}: {unknown('option', name, known)}")


@cache
def _from_file(name: str) -> Callable[..., Any]:
    """Load ``path/file.py:Name``."""
    path_text, _, attribute = name.rpartition(":")
    path = Path(path_text)
    if not path.is_file():
        raise UnknownBotError(f"bot {name!r}: there is no file {path_text!r}")
    module = _load(path)
    if not hasattr(module, attribute):
        classes = [n for n, v in vars(module).items() if callable(getattr(v, "act", None))]
        raise UnknownBotError(f"bot {name!r}: {unknown('name', attribute, classes or ['none'])}")
    factory = getattr(module, attribute)
    if not callable(factory):
        raise UnknownBotError(
            f"bot {name!r} is a {type(factory).__name__}, not a class or function"
        )
    return factory  # type: ignore[no-any-return]


def _load(path: Path) -> ModuleType:
    module_name = f"forty5sim_bot_{path.stem}_{crc32(os.fsencode(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"cannot load {str(path)!r} as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except caught() as error:
        raise AgentError(f"cannot load {str(path)!r}: {_brief(error, path)}") from error
    finally:
        sys.path.pop(0)
    return module


def _brief(error: BaseException, path: Path | None = None) -> str:
    """Return an error in one line: its kind, text and, in this file, the line."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f.lineno for f in frames if path and Path(f.filename).name == path.name]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {safe_text(str, error)}{where}"
