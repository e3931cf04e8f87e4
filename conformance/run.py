"""Tests an engine for the five-fingers games and Five Hundred, whatever it is written in.

    python conformance/run.py "COMMAND THAT STARTS THE ENGINE"

The engine answers one JSON object a line on standard input and output; ``README.md`` beside this
file describes the requests and the files of questions. Only Python's standard library is needed.
Exit code 0: all that was asked is right; 1: something is wrong; 2: nothing could be asked, or the
engine broke down too often.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

FOLDER = Path(__file__).resolve().parent
PROTOCOL = 1
SHALLOW = 3000
"""Perft counts up to this are asked without ``--deep``."""
MOST_BREAKDOWNS = 5
MOST_SHOWN = 10
FILES = ("deals", "perft", "replays")
LAYOUT = ("players", "sides", "dealer", "hands", "turnup", "kitty", "stock", "restock", "before")
FINE, WRONG, IMPOSSIBLE = 0, 1, 2


class UsageError(Exception):
    """A mistake on the command line, or an engine that cannot be tested at all."""


class BrokenError(Exception):
    """The engine died, hung, or answered what is no answer; it has to be started again."""


class UnsupportedError(Exception):
    """The engine says that it does not know these rules or this request."""


class RefusedError(Exception):
    """The engine answers a request with an error."""


# The questions


@dataclass(frozen=True)
class Check:
    """What is asked once some actions were carried out, and the right answer."""

    at: int
    request: dict[str, Any]
    expect: dict[str, Any]
    among: tuple[str, ...] = ()
    """Of legal actions only these count; all where there are none."""


@dataclass(frozen=True)
class Case:
    """One deal with what is asked about it: the unit that passes, fails or is skipped."""

    id: str
    section: str
    source: str
    game: str
    rules: dict[str, Any]
    layout: dict[str, Any]
    actions: tuple[str, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Suite:
    """All cases, and what ``rules.json`` says about games and sections."""

    about: dict[str, Any]
    cases: tuple[Case, ...]

    def title(self, section: str) -> str:
        """Return the title of a section of the rule book, or what one of the others covers."""
        return str(self.about["sections"].get(section, ""))


def read_suite(*, deep: bool = False) -> Suite:
    """Read the files beside this one."""
    about = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
    rows = {name: _rows(FOLDER / f"{name}.jsonl") for name in FILES}
    cases = [_of_deal(row, about) for row in rows["deals"]]
    cases += [case for row in rows["perft"] for case in _of_counts(row, about, deep=deep)]
    cases += [_of_record(number, row, about) for number, row in enumerate(rows["replays"], 1)]
    return Suite(about, tuple(cases))


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def _case(
    row: dict[str, Any],
    about: dict[str, Any],
    name: str,
    section: str,
    actions: Sequence[str],
    checks: Sequence[Check],
) -> Case:
    game = about["games"][row["game"]]
    rules = {"family": game["family"], "options": {**game["options"], **row["options"]}}
    layout = {key: row[key] for key in LAYOUT if key in row}
    source = row.get("source", "")
    return Case(name, section, source, row["game"], rules, layout, tuple(actions), tuple(checks))


def _of_deal(row: dict[str, Any], about: dict[str, Any]) -> Case:
    """Return the case of a worked position that is laid as a deal."""
    checks = [
        Check(told["at"], told["request"], told["expect"], tuple(told.get("among", ())))
        for told in row["checks"]
    ]
    return _case(row, about, row["id"], row["section"], row["actions"], checks)


def _of_counts(row: dict[str, Any], about: dict[str, Any], *, deep: bool) -> Iterator[Case]:
    """Yield the case of a perft entry, without the large counts unless they are wanted."""
    last = len(row["actions"])
    checks = [
        Check(last, {"ask": "perft", "depth": depth}, {"count": count})
        for depth, count in row["counts"]
        if deep or count <= SHALLOW
    ]
    yield _case(row, about, row["id"], "perft", row["actions"], checks)


def _of_record(number: int, row: dict[str, Any], about: dict[str, Any]) -> Case:
    """Return the case of a recorded deal: every legal action, every trick, the result."""
    seats, actions, checks = [], [], []
    for told in row["actions"]:
        for action in _single(told):
            seats.append(told["seat"])
            actions.append(action)
    for at, (seat, legal) in enumerate(zip(seats, row["legal"], strict=True)):
        checks.append(Check(at, {"ask": "legal"}, {"seat": seat, "legal": legal}))
    ends = _ends_of_tricks(row, actions)
    for trick, end in zip(row["tricks"], ends, strict=True):
        checks.append(Check(end, {"ask": "trick"}, trick))
    result = {"winner": None, **row["result"]}
    checks.append(Check(len(actions), {"ask": "legal"}, {"seat": None, "legal": []}))
    checks.append(Check(len(actions), {"ask": "result"}, result))
    checks.sort(key=lambda check: check.at)
    return _case(row, about, f"replay-{number}", "replays", actions, checks)


def _single(told: dict[str, Any]) -> list[str]:
    """Return the single actions of a recorded one: ``discard 5S``, …, ``done``; ``JK``, ``name S``.

    >>> _single({"seat": 0, "act": "discard", "cards": ["2S"]})
    ['discard 2S', 'done']
    """
    act, suit = told["act"], told.get("suit")
    card = str(told.get("card", ""))
    if act == "discard":
        return [*(f"discard {card}" for card in told["cards"]), "done"]
    if act == "play":
        return [card, f"name {suit}"] if suit else [card]
    if act == "bid":
        return [told["bid"] if told["bid"] in ("pass", "hold") else f"bid {told['bid']}"]
    if act in ("assign", "trump"):
        return [f"{act} {suit or 'none'}"]
    return [f"{act} {card}" if card else act]


def _ends_of_tricks(row: dict[str, Any], actions: Sequence[str]) -> list[int]:
    """Return how many actions were carried out when each trick was full."""
    ends, played, trick = [], 0, 0
    for done, action in enumerate(actions, 1):
        if len(action.split()) == 1 and action[-1] in "SCDHK" and action[0] in "23456789JQKA1":
            played += 1
        if trick < len(row["tricks"]) and played == len(row["tricks"][trick]["cards"]):
            ends.append(done)
            trick, played = trick + 1, 0
    return ends


# The engine


class Engine:
    """An engine in a process of its own; it is started at the first request, and again if need be.

    Args:
        command: what starts it, as typed in a shell (no pipes).
        timeout: seconds for an answer.
        start_timeout: seconds for the answer to ``hello``.
    """

    def __init__(self, command: str, timeout: float, start_timeout: float) -> None:
        self.command = command
        self.timeout, self.start_timeout = timeout, start_timeout
        self.number = 0
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._said: deque[str] = deque(maxlen=3)

    def start(self) -> dict[str, Any]:
        """Start the engine and return its answer to ``hello``.

        Raises:
            UsageError: if the command cannot be run, or the engine speaks another protocol.
            BrokenError: if it does not answer.
        """
        words = _words(self.command)
        if not words:
            raise UsageError("no command is given that starts an engine")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=os.name != "nt",
            )
        except OSError as error:
            raise UsageError(f"cannot start {self.command!r}: {error.strerror}") from None
        self._lines, self._said = queue.Queue(), deque(maxlen=3)
        self._listen(self._process)
        hello = self._exchange({"ask": "hello", "protocol": PROTOCOL}, self.start_timeout)
        if hello.get("protocol") != PROTOCOL:
            self.stop()
            raise UsageError(
                f"the engine answers hello with protocol {hello.get('protocol')!r};"
                f" this runner speaks {PROTOCOL}"
            )
        return hello

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        lines, said = self._lines, self._said
        threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True).start()
        threading.Thread(target=_keep, args=(process.stderr, said), daemon=True).start()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request.

        Raises:
            BrokenError: if there is none, or it is no answer to this request.
            RefusedError: if it is an error.
            UnsupportedError: if the engine does not know this.
        """
        if self._process is None:
            self.start()
        answer = self._exchange(request, self.timeout)
        if "unsupported" in answer:
            raise UnsupportedError(str(answer["unsupported"]))
        if "error" in answer:
            raise RefusedError(str(answer["error"]))
        return answer

    def _exchange(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        self.number += 1
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps({"id": self.number, **request}) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise self._broken(f"no answer within {timeout:g} s") from None
        except OSError:
            line = None
        if line is None:
            raise self._broken(self._how_it_ended(process))
        return self._read(line)

    def _read(self, line: str) -> dict[str, Any]:
        shown = line.strip()[:200]
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self._broken(f"it answered what is no JSON: {shown!r}") from None
        if not isinstance(answer, dict):
            raise self._broken(f"it answered what is no JSON object: {shown!r}")
        if answer.get("id") != self.number:
            raise self._broken(
                f"it answered with id {answer.get('id')!r} instead of {self.number}: {shown!r}"
            )
        return answer

    def _how_it_ended(self, process: subprocess.Popen[str]) -> str:
        try:
            code: int | str = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its output and goes on running"
        time.sleep(0.05)  # its last words may still be on their way
        words = f"; its last words: {' | '.join(self._said)}" if self._said else ""
        return f"it ended with exit code {code}{words}"

    def _broken(self, problem: str) -> BrokenError:
        self.stop()
        return BrokenError(problem)

    def stop(self) -> None:
        """End the engine and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            try:
                process.stdin.close()
                process.wait(timeout=1 if process.poll() is None else 0)
            except (OSError, subprocess.TimeoutExpired):
                pass
        _kill(process)


def _words(command: str) -> str | list[str]:
    """Return a command as a process is started with it: its words, on Windows as it stands."""
    if os.name == "nt":
        return command
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"cannot read the command {command!r}: {error}") from None


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process that has not ended by itself, with its children where that is possible."""
    if os.name == "nt":
        process.kill()
    elif process.poll() is None:
        os.killpg(process.pid, 9)
    process.wait()


def _pump(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    """Pass on the lines of an engine, and None at their end."""
    for line in stream:
        if line.strip():
            lines.put(line)
    lines.put(None)


def _keep(stream: IO[str], said: deque[str]) -> None:
    for line in stream:
        if line.strip():
            said.append(line.strip()[:200])


# Asking


@dataclass
class Failure:
    """A case that failed: what was asked, what was expected and what came."""

    case: Case
    done: int
    request: dict[str, Any]
    expected: str
    got: str

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        case = self.case
        return {
            "id": case.id,
            "section": case.section,
            "game": case.game,
            "rule": case.source,
            "deal": case.layout,
            "actions": case.actions[: self.done],
            "request": self.request,
            "expected": self.expected,
            "got": self.got,
        }


@dataclass
class Report:
    """What came of the cases: counts by section, and the failures."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    skips: Counter[str] = field(default_factory=Counter)
    breakdowns: int = 0
    gave_up: bool = False

    def count(self, case: Case, what: str) -> None:
        """Count a case as passed, failed or skipped."""
        self.counts.setdefault(case.section, Counter())[what] += 1

    def total(self, what: str) -> int:
        """Return how many cases passed, failed or were skipped in all."""
        return sum(counter[what] for counter in self.counts.values())

    @property
    def exit_code(self) -> int:
        """0 if all is right, 1 if not, 2 if nothing was asked or the engine was given up."""
        if self.gave_up or self.total("passed") + self.total("failed") == 0:
            return IMPOSSIBLE
        return WRONG if self.failures else FINE


def test(engine: Engine, cases: Sequence[Case]) -> tuple[dict[str, Any], Report]:
    """Ask an engine all cases; return what it says of itself, and the report."""
    report = Report()
    try:
        hello = engine.start()
        games = hello.get("games")
        for case in cases:
            if isinstance(games, list) and case.game not in games:
                report.count(case, "skipped")
                report.skips[f"does not claim {case.game}"] += 1
            elif report.breakdowns >= MOST_BREAKDOWNS:
                report.gave_up = True
                break
            else:
                _test_case(engine, case, report)
    except BrokenError as problem:
        raise UsageError(f"the engine does not answer hello: {problem}") from None
    finally:
        engine.stop()
    return hello, report


def _test_case(engine: Engine, case: Case, report: Report) -> None:
    trial = Trial(engine, case)
    try:
        failure = trial.run()
    except UnsupportedError as reason:
        report.count(case, "skipped")
        report.skips[str(reason)] += 1
        return
    except BrokenError as problem:
        report.breakdowns += 1
        failure = trial.failure("an answer", f"the engine broke down: {problem}")
    except RefusedError as error:
        failure = trial.failure("an answer without an error", f"error: {error}")
    report.count(case, "failed" if failure else "passed")
    if failure:
        report.failures.append(failure)


class Trial:
    """One case put to an engine; it remembers what was asked last."""

    def __init__(self, engine: Engine, case: Case) -> None:
        self.engine = engine
        self.case = case
        self.done = 0
        self.request: dict[str, Any] = {}

    def run(self) -> Failure | None:
        """Lay the deal, carry out its actions, ask; return the first answer that is wrong."""
        case = self.case
        self.ask({"ask": "new", "game": case.game, "rules": case.rules, **case.layout})
        checks = deque(case.checks)
        for self.done in range(len(case.actions) + 1):
            while checks and checks[0].at == self.done:
                failure = self.check(checks.popleft())
                if failure:
                    return failure
            if self.done < len(case.actions) and checks:
                self.ask({"ask": "apply", "action": case.actions[self.done]})
        return None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        self.request = request
        return self.engine.ask(request)

    def check(self, check: Check) -> Failure | None:
        """Ask, and return what is wrong with the answer."""
        answer = self.ask(check.request)
        expect = check.expect
        for key, right in expect.items():
            got = answer.get(key, "nothing")
            if key == "legal" and check.among and isinstance(got, list):
                got = [action for action in got if action in check.among]
            if not agrees(key, right, got):
                only = f" (of {_listed(check.among)})" if check.among else ""
                return self.failure(f"{key} {_shown(right)}{only}", f"{key} {_shown(got)}")
        return None

    def failure(self, expected: str, got: str) -> Failure:
        """Return what is wrong with the answer to the last request."""
        return Failure(self.case, self.done, self.request, expected, got)


def agrees(key: str, right: Any, got: Any) -> bool:
    """Say whether an answer is right: legal actions and hands in any order, of objects all keys.

    >>> agrees("legal", ["5H", "JH"], ["JH", "5H"]), agrees("count", 5, True)
    (True, False)
    """
    if isinstance(right, dict):
        return isinstance(got, dict) and all(agrees(k, right[k], got.get(k)) for k in right)
    if key in ("legal", "hand"):
        known = isinstance(got, list) and all(isinstance(word, str) for word in got)
        return known and sorted(got) == sorted(right)
    return isinstance(got, bool) == isinstance(right, bool) and bool(got == right)


# Choosing and telling


def chosen(suite: Suite, words: Sequence[str]) -> list[Case]:
    """Return the cases that any of these words names: a section, chapter, game, file or id.

    Raises:
        UsageError: if a word names none.
    """
    wanted = [word for word in words if word not in ("section", "game")]
    for word in wanted:
        if not any(_is_named(case, word) for case in suite.cases):
            sections = ", ".join(suite.about["sections"])
            raise UsageError(
                f"--only {word!r} names nothing; sections: {sections}; or a chapter (2), a game"
                " (spoil-five), or the id of a case (L12)"
            )
    if not wanted:
        return list(suite.cases)
    return [case for case in suite.cases if any(_is_named(case, word) for word in wanted)]


def _is_named(case: Case, word: str) -> bool:
    return (
        word in (case.section, case.game, case.id)
        or case.section.startswith(word + ".")
        or case.id.startswith(word + ".")
    )


def in_order(sections: Sequence[str]) -> list[str]:
    """Return sections as the rule book has them, the others after them."""
    return sorted(sections, key=_place)


def _place(section: str) -> list[int]:
    return [int(part) for part in section.split(".")] if section[0].isdigit() else [99]


def tell(suite: Suite, hello: dict[str, Any], report: Report, most: int) -> Iterator[str]:
    """Yield the lines of a report for people."""
    yield f"{hello.get('engine', 'the engine')}, rules version {suite.about['rules_version']}"
    yield f"{'section':<9} {'passed':>7} {'failed':>7} {'skipped':>8}  what"
    for section in in_order(list(report.counts)):
        counter = report.counts[section]
        numbers = f"{counter['passed']:>7} {counter['failed']:>7} {counter['skipped']:>8}"
        yield f"{section:<9} {numbers}  {suite.title(section)}"
    yield (
        f"{'all':<9} {report.total('passed'):>7} {report.total('failed'):>7}"
        f" {report.total('skipped'):>8}"
    )
    for reason, count in report.skips.most_common(5):
        yield f"skipped {count}: {reason}"
    for failure in report.failures[:most]:
        yield from _told(suite, failure)
    if len(report.failures) > most:
        count = len(report.failures)
        yield f"… and {count - most} failures more (--failures {count})"
    if report.gave_up:
        yield f"given up: the engine broke down {report.breakdowns} times"


def _told(suite: Suite, failure: Failure) -> Iterator[str]:
    case = failure.case
    title = suite.title(case.section)
    yield ""
    yield f"{case.id} failed: {case.section} {title}; {case.game}"
    if case.source:
        yield f"  rule      {case.source}"
    differing = suite.about["games"][case.game]["options"]
    options = {k: v for k, v in case.rules["options"].items() if differing.get(k) != v}
    if options:
        yield "  options   " + " ".join(f"{name}={value}" for name, value in options.items())
    hands = [f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(case.layout["hands"])]
    yield f"  hands     {'; '.join(hands)}"
    turned = case.layout.get("turnup")
    yield f"  dealer    {case.layout['dealer']}" + (f", turned up {turned}" if turned else "")
    if case.layout.get("before"):
        yield f"  before    {_shown(case.layout['before'])}"
    yield f"  done      {', '.join(case.actions[: failure.done]) or 'nothing yet'}"
    yield f"  request   {_request(failure.request)}"
    yield f"  expected  {failure.expected}"
    yield f"  got       {failure.got}"


def _request(request: dict[str, Any]) -> str:
    """Return a request as it was sent, without the deal that is told anyway."""
    short = {k: v for k, v in request.items() if k not in (*LAYOUT, "rules")}
    return json.dumps(short) + " with these rules and this deal" * (len(short) < len(request))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "nothing"


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return _listed(value)
    return value if isinstance(value, str) else json.dumps(value)


def as_json(suite: Suite, hello: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return the report for programs."""
    return {
        "format": suite.about["format"],
        "rules_version": suite.about["rules_version"],
        "engine": hello.get("engine"),
        **{what: report.total(what) for what in ("passed", "failed", "skipped")},
        "sections": [
            {
                "section": section,
                "title": suite.title(section),
                **{w: report.counts[section][w] for w in ("passed", "failed", "skipped")},
            }
            for section in in_order(list(report.counts))
        ],
        "skips": dict(report.skips),
        "breakdowns": report.breakdowns,
        "gave_up": report.gave_up,
        "failures": [failure.as_dict() for failure in report.failures],
    }


def main(arguments: Sequence[str] | None = None, program: str = "run.py") -> int:
    """Test the engine that the arguments name; return the exit code."""
    options = _parser(program).parse_args(arguments)
    try:
        suite = read_suite(deep=options.deep)
        cases = chosen(suite, options.only)
        engine = Engine(options.command, options.timeout, options.start_timeout)
        hello, report = test(engine, cases)
    except (UsageError, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return IMPOSSIBLE
    if options.json:
        print(json.dumps(as_json(suite, hello, report), indent=1))
    else:
        print("\n".join(tell(suite, hello, report, options.failures)))
    return report.exit_code


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Tests an engine in any language; see docs/conformance.md.",
        epilog="exit code 0: all right; 1: something is wrong; 2: it could not be tested",
    )
    parser.add_argument("command", help='what starts the engine, as "python my_engine.py"')
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="WHAT",
        help="sections (2.2; 2 is a chapter), perft, replays, games or ids of cases",
    )
    parser.add_argument("--deep", action="store_true", help="also the large perft counts")
    parser.add_argument("--json", action="store_true", help="the report for programs")
    parser.add_argument(
        "--failures", type=_count, default=MOST_SHOWN, help="failures to show  [default: 10]"
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=10.0, help="seconds for an answer  [default: 10]"
    )
    parser.add_argument(
        "--start-timeout", type=_seconds, default=180.0, help="seconds to start  [default: 180]"
    )
    return parser


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"expected seconds above 0, up to 86400, got {text!r}")
    return seconds


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(130) from None
