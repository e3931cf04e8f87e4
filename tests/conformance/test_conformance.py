"""The conformance suite: this engine passes it, wrong and clumsy engines do not."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from forty5sim.named_rules import find_rules
from forty5sim.protocol import Engine
from forty5sim.records import faults_of, read_records
from tests.conformance.laying_out import LAY, kind_of, lay_out
from tests.conformance.regenerate import FOLDER, ROOT, about, read_lines

RUN = FOLDER / "run.py"
PYTHON = f'"{sys.executable}"'
EXAMPLE = f'{PYTHON} "{FOLDER / "example_engine.py"}"'
CLUMSY = f'{PYTHON} "{Path(__file__).with_name("clumsy_engine.py")}"'
WRONG = f'{PYTHON} "{Path(__file__).with_name("wrong_engines.py")}"'
SELF = f"{PYTHON} -c \"from forty5sim.cli import main; main(['engine'])\""


def run(*arguments):
    return subprocess.run(
        [sys.executable, RUN, *arguments], capture_output=True, text=True, check=False, timeout=300
    )


def report_of(*arguments):
    done = run(*arguments, "--json")
    return done.returncode, json.loads(done.stdout)


def failed_sections(report):
    return {one["section"] for one in report["sections"] if one["failed"]}


# The files


SEARCHED = {"score", "pot", "pot-chain", "antes", "auction: settle"}
"""Kinds whose deals are searched for, which takes long; their answers are compared instead."""


def test_every_position_is_laid_out_and_the_deals_are_those_of_the_positions():
    positions, written = read_lines("positions.jsonl"), read_lines("deals.jsonl")
    assert {kind_of(row) for row in positions} == set(LAY)
    assert list(dict.fromkeys(row["id"].split(".")[0] for row in written)) == [
        row["id"] for row in positions
    ]
    for position in positions:
        deals = [row for row in written if row["id"].split(".")[0] == position["id"]]
        if kind_of(position) not in SEARCHED:
            assert lay_out(position) == deals
        elif "points" in position["expect"] and position["kind"] != "pot-chain":
            assert deals[0]["checks"][0]["expect"]["points"] == position["expect"]["points"]


def test_the_games_and_sections_are_those_of_the_rule_book():
    told = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(about()))
    assert {row["section"] for row in read_lines("positions.jsonl")} < set(told["sections"])


def test_the_options_of_a_row_over_those_of_its_game_are_its_rules():
    games = about()["games"]
    for row in read_lines("deals.jsonl"):
        rules = find_rules(row["game"]).with_options(**row["options"])
        assert {**games[row["game"]]["options"], **row["options"]} == rules.options()


def test_replays_are_right_records_of_every_game_and_tell_what_was_legal():
    records = list(read_records(FOLDER / "replays.jsonl"))
    assert {record.game for record in records} == set(about()["games"])
    assert not [fault for record in records for fault in faults_of(record)]
    for row in read_lines("replays.jsonl"):
        assert len(row["legal"]) >= len(row["actions"])


# Engines


def test_this_engine_passes_everything():
    code, report = report_of(SELF)
    assert report["failures"] == []
    assert (code, report["failed"], report["skipped"]) == (0, 0, 0)
    rows = sum(len(read_lines(name)) for name in ("deals.jsonl", "perft.jsonl", "replays.jsonl"))
    assert report["passed"] == rows > 600


def test_the_example_is_right_in_what_it_claims():
    code, report = report_of(EXAMPLE)
    assert report["failures"] == []
    assert code == 0
    assert report["passed"] > 190
    counts = {one["section"]: one["passed"] for one in report["sections"]}
    assert min(counts[section] for section in ("1.2", "2.3", "3.4", "4.4", "perft", "replays")) > 0
    assert "does not claim five-hundred" in report["skips"]


@pytest.mark.parametrize(
    ("mistake", "sections", "ids"),
    [
        ("ace", {"1.2", "1.6", "2.2", "2.3", "2.4", "2.6"}, {"X21.5", "X28", "L07", "L13"}),
        ("renege", {"1.4", "2.3", "2.4"}, {"L11", "L13", "L18", "L20", "L34"}),
        ("both-over", {"4.4"}, {"S11b", "S11d", "X25", "X26"}),
    ],
)
def test_a_planted_mistake_is_found_in_its_sections_and_nowhere_else(mistake, sections, ids):
    code, report = report_of(f"{WRONG} {mistake}", "--only", "1", "2", "4", "7")
    assert code == 1
    assert failed_sections(report) == sections
    assert {failure["id"] for failure in report["failures"]} >= ids
    assert not report["breakdowns"]


def test_a_failure_shows_the_position_what_was_expected_and_what_came():
    done = run(f"{WRONG} renege", "--only", "section", "2.3", "--failures", "1")
    assert done.returncode == 1
    assert "L11 failed: 2.3 A trump is led; reneging; forty-five" in done.stdout
    for line in (
        "rule      release of top trumps",
        "hands     0: 7S 3C 4C 6C 7C; 1: JS 9C KD 8C KC",
        "done      7S",
        'request   {"ask": "legal"}',
        "expected  legal 9C, JS, KD (of 9C, JS, KD)",
        "got       legal JS",
    ):
        assert f"  {line}\n" in done.stdout
    assert "failures more (--failures 7)" in done.stdout


MANNERS = {
    "dies": "it ended with exit code 1; its last words: out of cards",
    "hangs": "no answer within 0.5 s",
    "prints": "it answered what is no JSON: 'now we trump!'",
    "lists": "it answered what is no JSON object: '[1, 2]'",
    "misnumbers": "it answered with id 999 instead of 6",
    "closes": "it closed its output and goes on running",
}


@pytest.mark.parametrize("manner", MANNERS)
def test_an_engine_that_breaks_down_is_named_with_the_request_and_started_again(manner):
    timeout = "0.5" if manner == "hangs" else "20"
    code, report = report_of(
        f"{CLUMSY} {manner}", "--only", "L01", "L02", "L07", "--timeout", timeout
    )
    assert code == 1
    assert (report["passed"], report["failed"]) == (2, 1)
    failure = report["failures"][0]
    assert failure["id"] == "L02"
    assert failure["request"] == {"ask": "apply", "action": "KD"} or failure["actions"] == ["KD"]
    assert MANNERS[manner] in failure["got"]


def test_an_answer_that_lacks_a_key_is_a_failure_not_a_breakdown():
    code, report = report_of(f"{CLUMSY} says-nothing", "--only", "L01", "L02")
    assert code == 1
    assert (report["failed"], report["breakdowns"]) == (1, 0)
    assert report["failures"][0]["got"] == "legal nothing"


def test_an_engine_that_keeps_breaking_down_is_given_up():
    code, report = report_of(f"{CLUMSY} dies", "--only", "1.2")
    assert code == 2
    assert (report["gave_up"], report["breakdowns"]) == (True, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-engine-here"], "cannot start 'no-such-engine-here': No such file"),
        ([f'{PYTHON} -c "pass"'], "does not answer hello: it ended with exit code 0"),
        (
            [f"{PYTHON} -c \"print('[]')\""],
            "does not answer hello: it answered what is no JSON obj",
        ),
        ([f'{PYTHON} -c "print(\'{{\\"id\\": 1}}\')"'], "answers hello with protocol None"),
        ([""], "no command is given"),
        (["'x"], 'cannot read the command "\'x": No closing quotation'),
        ([EXAMPLE, "--only", "99.9"], "--only '99.9' names nothing; sections: 1.2, 1.3"),
        ([EXAMPLE, "--timeout", "0"], "expected seconds above 0"),
        ([EXAMPLE, "--failures", "-1"], "expected a whole number"),
    ],
)
def test_what_cannot_be_tested_is_a_message_and_exit_code_2(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_engine_to_which_everything_is_unknown_has_not_passed():
    done = run(EXAMPLE, "--only", "five-hundred")
    assert done.returncode == 2
    assert "skipped 88: does not claim five-hundred" in done.stdout


def test_the_command_line_calls_the_runner():
    code = "from forty5sim.cli import main; main()"
    arguments = ["conformance", EXAMPLE, "--only", "2.3"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == run(EXAMPLE, "--only", "2.3").stdout


def test_the_runner_and_the_example_need_the_standard_library_only():
    for name in ("run.py", "example_engine.py"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        modules = re.findall(r"^(?:from|import) ([a-z_]+)", text, re.MULTILINE)
        assert set(modules) <= set(sys.stdlib_module_names)


# The protocol


def session():
    """Yield the requests and answers of the documentation."""
    text = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    block = next(part for part in text.split("```") if part.startswith("text\n> "))
    lines = re.sub(r"\n +", " ", block.removeprefix("text\n")).splitlines()
    requests = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
    answers = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    return list(zip(requests, answers, strict=True))


def test_the_session_in_the_documentation_is_what_the_example_and_this_engine_answer():
    example = runpy.run_path(str(FOLDER / "example_engine.py"))["Example"]()
    engine = Engine("example")
    for request, answer in session():
        assert example.answer(request) == answer
        mine = engine.answer(request)
        if request["ask"] == "hello":
            assert set(answer["games"]) < set(mine["games"])
        elif "error" in answer:
            assert "error" in mine
        else:
            assert {k: sorted(v) if k == "legal" else v for k, v in mine.items()} == {
                k: sorted(v) if k == "legal" else v for k, v in answer.items()
            }
    assert {request["ask"] for request, _ in session()} >= {"hello", "new", "legal", "apply"}


def test_every_request_is_described():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for ask in Engine("x")._answers:
        assert f"| `{ask}` |" in text


NEW = {
    "id": 1, "ask": "new", "rules": {"family": "counting", "options": {}}, "players": 2,
    "dealer": 0, "turnup": "4S",
    "hands": [["2S", "3S", "6S", "7S", "8S"], ["2H", "3H", "4H", "5H", "6H"]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON"),
        ("3", "expected an object"),
        ("{}", "ask must be a text, got None"),
        ('{"ask": "lega"}', "unknown request 'lega', did you mean 'legal'?"),
        ('{"ask": "legal"}', "no deal is laid"),
        ({**NEW, "players": "2"}, "players must be a whole number, got '2'"),
        ({**NEW, "players": 11}, "hands must be a list of cards for each seat"),
        ({**NEW, "rules": 3}, "rules must have a family"),
        ({**NEW, "rules": {"family": "pot", "options": 3}}, "rules.options must be an object"),
        ({**NEW, "turnup": None}, "these rules need a turnup"),
        ({**NEW, "turnup": "2S"}, "the pack must hold each"),
        ({**NEW, "hands": [["2S"], ["3S"]]}, "hands[0]: expected 5 cards, got 1"),
        ({**NEW, "before": {"scores": 3}}, "before.scores must be a list of numbers"),
        ({**NEW, "before": {"scores": [0]}}, "scores must have a number for each of 2"),
        ({**NEW, "before": 3}, "before must be an object"),
        ({**NEW, "dealer": 2}, "dealer 2 is no seat"),
        ({**NEW, "stock": "AC"}, "stock must be a list of cards"),
    ],
)
def test_a_wrong_request_is_answered_with_an_error(line, message):
    text = line if isinstance(line, str) else json.dumps(line)
    assert message in json.loads(Engine("x").answer_line(text))["error"]


def test_an_option_that_is_not_known_is_unsupported():
    request = {**NEW, "rules": {"family": "counting", "options": {"kings": "high"}}}
    assert "unknown option of custom 'kings'" in Engine("x").answer(request)["unsupported"]


def test_an_illegal_action_is_an_error_and_changes_nothing():
    engine = Engine("x")
    assert engine.answer(NEW) == {"id": 1, "ok": True}
    before = engine.answer({"id": 2, "ask": "legal"})
    for action in ("2S", "jink", "nonsense", "rob 2H", ""):
        answer = engine.answer({"id": 3, "ask": "apply", "action": action})
        assert "is not legal now; legal: 2H, 3H" in answer["error"]
    assert engine.answer({"id": 2, "ask": "legal"}) == before
    for ask in ("trick", "result"):
        assert "error" in engine.answer({"id": 4, "ask": ask})
    for request in ({"ask": "hand", "seat": 2}, {"ask": "perft", "depth": -1}):
        assert "error" in engine.answer({"id": 4, **request})
