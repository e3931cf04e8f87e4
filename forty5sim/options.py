"""How one option of a rule set is declared: its values, default, families and meaning.

A rule set's options are dataclass fields whose metadata is an :class:`Option`; validation, the
reading of texts, the printed rules and the help are all made from it, so that a rule is described
in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from forty5sim.errors import RuleSetError, unknown

Value: TypeAlias = str | int

COUNTING = "counting"
POT = "pot"
TURN_UP = (COUNTING, POT)
FAMILIES = TURN_UP


@dataclass(frozen=True)
class Option:
    """One option: words and whole numbers it takes, its default and what it means.

    Attributes:
        words: each word it takes -> what it means, in English for the printed rules; the first
            is the default unless ``default`` or ``by_family`` says otherwise.
        numbers: the whole numbers it takes besides, if any.
        says: the sentence for a number, with ``{}`` for it.
        section: the section of docs/rules.md that defines it.
        families: the families of games it belongs to.
    """

    words: Mapping[str, str]
    section: str
    families: tuple[str, ...] = TURN_UP
    numbers: range | None = None
    says: str = ""
    default: Value | None = None
    by_family: Mapping[str, Value] | None = None

    def default_in(self, family: str) -> Value:
        """Return the default value in a family of games."""
        if self.by_family and family in self.by_family:
            return self.by_family[family]
        return self.default if self.default is not None else next(iter(self.words))

    def allowed(self) -> str:
        """Return the values it takes, for error messages and help."""
        parts = list(self.words)
        if self.numbers is not None:
            parts.append(f"a whole number {self.numbers.start}..{self.numbers.stop - 1}")
        return ", ".join(parts)

    def check(self, name: str, value: object) -> Value:
        """Return the value, numbers in digits turned into ints.

        Raises:
            RuleSetError: if the option does not take this value.
        """
        if isinstance(value, str) and value in self.words:
            return value
        number = _whole_number(value)
        if number is not None and self.numbers is not None and number in self.numbers:
            return number
        if self.words and self.numbers is None:
            raise RuleSetError(unknown(f"value of {name}", str(value), self.words, plural="values"))
        raise RuleSetError(f"option {name} cannot be {value!r}; it takes {self.allowed()}")

    def describe(self, value: Value) -> str:
        """Return what a value means, one English sentence; empty where nothing need be said."""
        return self.says.format(value) if isinstance(value, int) else self.words[value]


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        return int(value)
    return None


def option(words: Mapping[str, str], section: str, **more: Any) -> Any:
    """Declare a dataclass field that is an option (see :class:`Option`)."""
    return field(default="", metadata={"option": Option(words, section, **more)})
