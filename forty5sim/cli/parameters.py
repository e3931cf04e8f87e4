"""What a command may be given, read from its signature: for settings files and for messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from typer.models import OptionInfo, ParameterInfo

KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
}


@dataclass(frozen=True)
class Parameter:
    """An option or an argument of a command.

    Attributes:
        name: of the command's own argument, as ``on_error``.
        option: how it is written, as ``--on-error``; empty for an argument without a name.
        kind: the type of its value, or of each of many.
        many: whether it takes a list.
        least: the smallest number allowed, if there is one.
        help: what it means.
    """

    name: str
    option: str
    kind: type
    many: bool
    least: float | None
    help: str

    @property
    def takes(self) -> str:
        """What is allowed, in words.

        >>> Parameter("line", "--line", int, False, 1, "").takes
        'a whole number of at least 1'
        """
        if self.many:
            return f"a list, each {KINDS[self.kind]}"
        bound = "" if self.least is None else f" of at least {self.least:g}"
        return KINDS[self.kind] + bound

    def allows(self, value: object) -> bool:
        """Say whether a value, as a TOML file has it, is one that this takes."""
        if self.many:
            return isinstance(value, list) and all(self._allows_one(one) for one in value)
        return self._allows_one(value)

    def _allows_one(self, value: object) -> bool:
        if isinstance(value, bool) or self.kind is bool:
            return isinstance(value, bool) and self.kind is bool
        if isinstance(value, int | float):
            fits = self.kind is float or (self.kind is int and isinstance(value, int))
            return fits and (self.least is None or value >= self.least)
        return isinstance(value, str) and self.kind in (str, Path)


def parameters_of(command: Callable[..., Any]) -> list[Parameter]:
    """Return what a command may be given, in the order of its signature."""
    found = []
    for name, hint in get_type_hints(command, include_extras=True).items():
        info = next((one for one in get_args(hint) if isinstance(one, ParameterInfo)), None)
        if info is not None:
            found.append(_parameter(name, get_args(hint)[0], info))
    return found


def _parameter(name: str, annotation: Any, info: ParameterInfo) -> Parameter:
    """Return a parameter by its annotation: ``int``, ``list[str] | None``, …"""
    kind = annotation
    if isinstance(annotation, UnionType):
        kind = next(one for one in get_args(annotation) if one is not NoneType)
    many = get_origin(kind) is list
    if many:
        kind = get_args(kind)[0]
    option = ""
    if isinstance(info, OptionInfo):
        texts = [str(info.default), *(info.param_decls or ())]  # the first name is its default
        usual = f"--{name.replace('_', '-')}"
        option = next((text for text in texts if text.startswith("--")), usual)
    return Parameter(name, option, kind, many, info.min, info.help or "")


def shown_name(parameter: Parameter) -> str:
    """Return how a person knows a parameter: ``--line``, or ``FILE`` for an argument."""
    return parameter.option or parameter.name.upper()
