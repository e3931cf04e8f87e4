"""What the checks of a bot found: a table, a screen of text, or JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from forty5sim.records import Record

if TYPE_CHECKING:
    import pandas as pd

OK, FAILED, SKIPPED = "ok", "failed", "skipped"
WIDTH = 79
NAME_WIDTH = 13
MOST_LINES = 3  # of one check, so that all fit on a screen


@dataclass(frozen=True)
class Check:
    """One check of a bot.

    Attributes:
        name: what was looked at.
        status: ``ok``, ``failed`` or ``skipped`` (because it would tell nothing).
        told: the result, or the reason, in words.
        n: how many answers (of a match: boards) it rests on.
        figures: what was measured: ``payoff`` and the 95 % half-width ``payoff_ci``; decisions
            ``per_second`` by the median, ``least`` to ``most`` its 95 % interval, and the
            ``slowest`` in seconds.
        record: the deal of the first position where it failed, played on by first legal actions.
        action: how many actions of the record lead to that position.
    """

    name: str
    status: str
    told: str
    n: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)
    record: Record | None = None
    action: int | None = None

    def lines(self) -> list[str]:
        """Return the check as lines of text."""
        head = f"{self.status:<8}{self.name:<{NAME_WIDTH}}"
        return textwrap.wrap(
            self.told,
            WIDTH,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            max_lines=MOST_LINES,
            placeholder=" …",
        )

    def row(self) -> dict[str, Any]:
        """Return the check as a row of a table, without its record."""
        row = {"check": self.name, "status": self.status, "n": self.n, "told": self.told}
        return {**row, **self.figures}


@dataclass(frozen=True)
class BotCheck:
    """What the checks of a bot found; ``print`` shows it on one screen.

    Attributes:
        spec: the bot.
        title: its name, version and kind.
        checks: one after the other.
        seed: what fixed positions and deals.
    """

    spec: str
    title: str
    checks: tuple[Check, ...]
    seed: int

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failures

    @property
    def failures(self) -> list[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.status == FAILED]

    @property
    def records(self) -> list[Record]:
        """The deals of the positions where checks failed."""
        return [check.record for check in self.failures if check.record]

    def __getitem__(self, name: str) -> Check:
        """Return a check by its name; KeyError if it was not made."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)

    def to_frame(self) -> pd.DataFrame:
        """Return the checks as a DataFrame, a row each."""
        import pandas as pd

        return pd.DataFrame([check.row() for check in self.checks])

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, records too."""
        return {
            "bot": self.spec,
            "title": self.title,
            "passed": self.passed,
            "seed": self.seed,
            "checks": [self._for_machine(check) for check in self.checks],
        }

    def to_json(self) -> str:
        """Return all of it as JSON."""
        return json.dumps(self.as_dict(), indent=2)

    def _for_machine(self, check: Check) -> dict[str, Any]:
        record = json.loads(check.record.to_json()) if check.record else None
        return {**check.row(), "record": record, "action": check.action}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield textwrap.shorten(f"{self.spec}: {self.title}", WIDTH, placeholder=" …")
        for check in self.checks:
            yield from check.lines()
        if any(check.name.startswith("vs ") for check in self.checks):
            yield "vs: what a seat gains a deal by this bot instead of that; ± is a 95 % interval"
        failed, made = len(self.failures), f"{len(self.checks)} checks (seed {self.seed})"
        yield f"failed: {failed} of {made}" if failed else f"passed: {made}"
