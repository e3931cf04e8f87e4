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
AUCTION = "auction"
FIVE_HUNDRED = "five-hundred"
TURN_UP = (COUNTING, POT)
FIVE_FINGERS = (*TURN_UP, AUCTION)
BIDDING = (AUCTION, FIVE_HUNDRED)
FAMILIES = (*TURN_UP, *BIDDING)


@dataclass(frozen=True)
class Option:
    """One option: words and whole numbers it takes, its default and what it means.

    Attributes:
        words: each word it takes -> what it means, in English for the printed rules; the first
            is the default unless ``default`` or ``by_family`` says otherwise.
        numbers: the whole numbers it takes besides, if any.
        says: the sentence for a number, with ``{}`` for it.
        section: the section of docs/rules.md that defines it; a section for each family where
            they differ.
        families: the families of games it belongs to.
        not_in: words that a family does not take.
    """

    words: Mapping[str, str]
    section: str | Mapping[str, str]
    families: tuple[str, ...] = TURN_UP
    numbers: range | None = None
    says: str = ""
    default: Value | None = None
    by_family: Mapping[str, Value] | None = None
    not_in: Mapping[str, tuple[str, ...]] | None = None

    def default_in(self, family: str) -> Value:
        """Return the default value in a family of games."""
        if self.by_family and family in self.by_family:
            return self.by_family[family]
        return self.default if self.default is not None else next(iter(self.words))

    def section_in(self, family: str) -> str:
        """Return the section of docs/rules.md that defines it in a family of games."""
        return self.section if isinstance(self.section, str) else self.section[family]

    def words_in(self, family: str) -> list[str]:
        """Return the words it takes in a family of games, the default first where it is one."""
        left_out = (self.not_in or {}).get(family, ())
        return [word for word in self.words if word not in left_out]

    def allowed(self, family: str) -> str:
        """Return the values it takes in a family, for error messages and help."""
        parts = self.words_in(family)
        if self.numbers is not None:
            step = "" if self.numbers.step == 1 else f" by {self.numbers.step}"
            parts.append(f"a whole number {self.numbers[0]}..{self.numbers[-1]}{step}")
        return ", ".join(parts)

    def check(self, name: str, value: object, family: str) -> Value:
        """Return the value, numbers in digits turned into ints.

        Raises:
            RuleSetError: if the option does not take this value in this family of games.
        """
        words = self.words_in(family)
        if isinstance(value, str) and value in words:
            return value
        number = _whole_number(value)
        if number is not None and self.numbers is not None and number in self.numbers:
            return number
        if words and self.numbers is None:
            raise RuleSetError(unknown(f"value of {name}", str(value), words, plural="values"))
        raise RuleSetError(f"option {name} cannot be {value!r}; it takes {self.allowed(family)}")

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


def option(words: Mapping[str, str], section: str | Mapping[str, str], **more: Any) -> Any:
    """Declare a dataclass field that is an option (see :class:`Option`)."""
    return field(default="", metadata={"option": Option(words, section, **more)})


def switch(section: str | Mapping[str, str], off: str, on: str, **more: Any) -> Any:
    """Declare an option that is ``off`` or ``on``, with what each means."""
    return option({"off": off, "on": on}, section, **more)
