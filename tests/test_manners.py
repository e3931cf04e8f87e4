"""Manners of the command line: defaults of one's own, answers for machines, help, colours."""

import json
import os
import re
import subprocess
import sys

import pytest

from forty5sim.cli import COMMANDS, main
from forty5sim.cli.examples import EXAMPLES
from forty5sim.cli.parameters import KINDS, parameters_of
from forty5sim.records import record_of, write_records

COMMAND = "from forty5sim.cli import main; main()"
CODES_OF_COLOURS = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;[0-9]+)*m")


def run(capsys, *arguments):
    """Run a command in this process; return exit code, output and errors."""
    code = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder, made the current one, where no settings of another are in force."""
    monkeypatch.delenv("FORTY5SIM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def deals(folder):
    """Return a file with one recorded deal."""
    from forty5sim.game import Game

    game = Game("forty-five", 4, seed=3)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    write_records(folder / "deals.jsonl", [record_of(game, ["random"] * 4)])
    return folder / "deals.jsonl"


OWN_HELP = {"conformance"}  # that of conformance/run.py, which stands alone


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - OWN_HELP))
def test_every_command_has_examples_in_its_help(capsys, command):
    code, out, _ = run(capsys, *command.split(), "--help")
    assert code == 0
    assert EXAMPLES[command]
    for example in EXAMPLES[command]:
        assert example.startswith(f"forty5sim {command}")
        assert f"    {example}\n" in out


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - OWN_HELP))
def test_what_a_command_may_be_given_is_known_as_it_is_typed(capsys, command):
    _, out, _ = run(capsys, *command.split(), "--help")
    options = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", out, re.MULTILINE)) - {"--help"}
    known = parameters_of(COMMANDS[command])
    assert {one.option for one in known if one.option} == options
    assert all(one.kind in KINDS for one in known)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cards", "--trump"], "--trump takes a text, got nothing"),
        (["play", "--seat", "-1"], "--seat takes a whole number of at least 0, got '-1'"),
        (["tournament", "--until=soon"], "--until takes a number, got 'soon'"),
        (["tournament", "--json=3"], "--json is a switch and takes no value"),
        (["tournament", "--bords", "3"], "unknown option '--bords', did you mean '--boards'?"),
        (["verify"], "verify needs FILE: a file of deal records (.jsonl)"),
        (["rules", "spoil-five", "more"], "rules: got unexpected extra argument"),
        (["--sped"], "unknown option '--sped'; see forty5sim --help"),
        (["--sped=2", "rules"], "unknown option '--sped'; see forty5sim --help"),
        (["bot", "chek"], "unknown command 'bot chek', did you mean 'bot check'?"),
        (["bot", "check", "random", "--bords", "3"], "did you mean '--boards'?"),
        (["bot", "new"], "bot new needs NAME"),
        (["sovle"], "unknown command 'sovle', did you mean 'solve'?"),
    ],
)
def test_a_mistyped_word_is_one_line(capsys, folder, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("forty5sim: ")
    assert message in err
    assert err.count("\n") == 1


def test_defaults_come_from_the_file_and_the_command_line_counts_more(capsys, folder):
    text = '[tournament]\nboards = 7\nbots = ["random", "heuristic"]\non_error = "forfeit"\n'
    (folder / "forty5sim.toml").write_text(text + "quiet = true\n[cards]\ntrump = 'S'\n")
    _, out, err = run(capsys, "tournament", "--json")
    assert json.loads(out)["boards"] == 7
    assert err == ""
    _, out, _ = run(capsys, "tournament", "--json", "--boards", "8", "--bots", "random", "random")
    assert json.loads(out)["boards"] == 8
    assert {row["bot"] for row in json.loads(out)["standings"]} == {"random#1", "random#2"}
    _, out, _ = run(capsys, "cards")
    assert out.count("trumps    ") == 1
    _, out, _ = run(capsys, "tournament", "--help")
    assert "[default: 7]" in out


def test_the_file_may_be_named_and_doctor_says_which_is_in_force(capsys, folder, monkeypatch):
    (folder / "forty5sim.toml").write_text("[cards]\ntrump = 'S'\n")
    (folder / "other.toml").write_text("[cards]\ngame = 'five-hundred'\n")
    _, out, _ = run(capsys, "doctor")
    assert "settings     forty5sim.toml" in out
    monkeypatch.setenv("FORTY5SIM_CONFIG", str(folder / "other.toml"))
    _, out, _ = run(capsys, "cards")
    assert "no trumps" in out
    _, out, _ = run(capsys, "doctor")
    assert str(folder / "other.toml") in out
    monkeypatch.setenv("FORTY5SIM_CONFIG", "")
    _, out, _ = run(capsys, "doctor")
    assert "settings     none" in out
    monkeypatch.setenv("FORTY5SIM_CONFIG", "nowhere.toml")
    code, _, err = run(capsys, "cards")
    assert code == 2
    assert err == "forty5sim: FORTY5SIM_CONFIG names 'nowhere.toml', and there is no such file\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[tournament]\nbords = 3\n",
            "[tournament]: unknown option 'bords', did you mean 'boards'",
        ),
        ("[tournamint]\n", "unknown command 'tournamint', did you mean 'tournament'?"),
        ("boards = 3\n", "unknown command 'boards'"),
        ("cards = 3\n", "cards must be a table, as [cards], got 3"),
        ("[tournament]\nboards = '3'\n", "[tournament] boards takes a whole number, got '3'"),
        ("[tournament]\nboards = true\n", "[tournament] boards takes a whole number, got true"),
        ("[tournament]\nquiet = 1\n", "[tournament] quiet takes true or false, got 1"),
        ("[tournament]\nbots = 'mc'\n", "[tournament] bots takes a list, each a text, got 'mc'"),
        ("[tournament]\ngauntlet = -1\n", "takes a whole number of at least 0, got -1"),
        ("[verify]\nfile = 'x'\n", "[verify]: unknown option 'file'"),
        ("[tournament\n", "is no TOML: "),
    ],
)
def test_a_mistake_in_the_file_is_one_line_with_file_and_key(capsys, folder, text, message):
    (folder / "forty5sim.toml").write_text(text)
    code, out, err = run(capsys, "cards")
    assert (code, out) == (2, "")
    assert err.startswith("forty5sim: forty5sim.toml")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("tournament", "--boards", "20"),
        ("value", "rob", "--bots", "random", "--deals", "60"),
        ("value", "rules", "--reading", "spoil-five:jink=off", "--bots", "random", "--deals", "60"),
        ("odds", "5H JH AH KD 2S", "--trump", "H"),
        ("odds", "5H JH AH KD 2S", "--compare", "--players", "3", "--playouts", "50"),
    ],
)
def test_what_is_measured_is_told_to_machines_in_one_shape(folder, arguments):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["command"] == arguments[0]
    assert answer["rows"]
    for row in answer["rows"]:
        assert row.keys() >= {"quantity", "value", "value_ci", "n"}
        assert row["n"] >= 0


def test_rows_are_the_numbers_of_the_tables(capsys, folder):
    _, out, _ = run(capsys, "tournament", "--boards", "20", "--json", "--quiet")
    answer = json.loads(out)
    best = answer["standings"][0]
    rows = {row["quantity"]: row for row in answer["rows"] if row["bot"] == best["bot"]}
    assert rows["payoff"]["value"] == best["payoff"]
    assert rows["tricks"]["value_ci"] == best["tricks_ci"]
    assert rows["tricks"]["n"] == 20
    _, out, _ = run(capsys, "odds", "5H JH AH KD 2S", "--trump", "H", "--json")
    rows = json.loads(out)["rows"]
    assert {row["value_ci"] for row in rows} == {0.0}
    assert [row["value"] for row in rows if row["quantity"] == "three_or_more"] == [1.0, 1.0]
    _, text, _ = run(capsys, "odds", "5H JH AH KD 2S", "--trump", "H")
    assert f"{rows[0]['value']:.4f}" in text


def test_records_are_judged_for_machines(capsys, deals):
    code, out, _ = run(capsys, "verify", str(deals), "--stats", "--json")
    answer = json.loads(out)
    assert (code, answer["deals"], answer["faulty"], answer["rows"]) == (0, 1, 0, [])
    assert answer["coverage"]["forty-five"]["plays"] == 20
    code, out, _ = run(capsys, "solve", str(deals), "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    taken = [row for row in rows if row["taken"]]
    assert len(taken) == len({row["decision"] for row in rows}) > 0
    assert all(row["low"] <= row["high"] for row in rows)
    deals.write_text(deals.read_text() + "{\n")
    code, out, _ = run(capsys, "verify", str(deals), "--json")
    answer = json.loads(out)
    assert (code, answer["faulty"]) == (1, 1)
    assert answer["rows"][0]["line"] == 2


def test_rules_are_told_to_machines(capsys, folder):
    _, out, _ = run(capsys, "rules", "--json")
    games = {row["game"]: row for row in json.loads(out)["rows"]}
    assert games["forty-five-to-25"]["changes"] == {"tie": "nondealer_first", "target": 25}
    _, out, _ = run(capsys, "rules", "spoil-five:ante=2", "--json")
    ante = next(row for row in json.loads(out)["rows"] if row["option"] == "ante")
    assert (ante["value"], ante["default"]) == (2, 1)
    assert ante["meaning"] == "the ante is 2"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix's kind")
@pytest.mark.parametrize(
    "arguments", ["rules", "odds '5H JH AH KD 2S' --compare", "watch --seed 7"]
)
def test_no_color_is_honoured_at_a_terminal(folder, arguments):
    import pexpect

    def shown(**more):
        environment = {**os.environ, "TERM": "xterm-256color", **more}
        environment = {key: value for key, value in environment.items() if value}
        text, code = pexpect.run(
            f'{sys.executable} -c "{COMMAND}" {arguments}', env=environment, withexitstatus=True
        )
        assert code == 0
        return text.decode()

    assert not CODES_OF_COLOURS.search(shown(NO_COLOR="1"))
    assert bool(CODES_OF_COLOURS.search(shown(NO_COLOR=""))) == (arguments != "rules")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_pipe_that_is_closed_early_is_no_error(folder):
    command = f'"{sys.executable}" -c "{COMMAND}" watch --seed 3 --whole-game'
    text = f"set -o pipefail; {command} | head -1"
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("forty5sim to", "tournament"),
        ("forty5sim cards --game merr", "merrimack"),
        ("forty5sim tournament --bots be", "best"),
        ("forty5sim value rob --taker ism", "ismcts"),
    ],
)
def test_the_shell_is_told_how_a_word_may_go_on(folder, words, expected):
    place = str(len(words.split()) - 1)
    asked = {"_FORTY5SIM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": place}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [expected]


def test_completion_can_be_installed(capsys):
    _, out, _ = run(capsys, "--help")
    assert "--install-completion" in out
