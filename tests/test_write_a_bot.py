"""The templates, and docs/write-a-bot.md: each command on the page runs, in this order."""

import re
import shlex
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from forty5sim.cli import main

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "write-a-bot.md"
FENCE = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = "import sys; from forty5sim.cli import main; main(sys.argv[1:])"


def commands():
    """Return the commands of the page, in order."""
    return [line for block in FENCE.findall(PAGE.read_text()) for line in block.splitlines()]


def run(command, folder):
    program, *arguments = shlex.split(command)
    start = {"forty5sim": ["-c", SHELL], "python": []}[program]
    return subprocess.run(
        [sys.executable, *start, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_who_follows_the_page_gets_to_a_tournament(tmp_path):
    assert len(commands()) <= 10
    for command in commands():
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert {path.name for path in tmp_path.glob("*.py")} == {
        f"{test}{name}.py" for name in ("thrifty", "daring", "swift") for test in ("", "test_")
    }


def new(*arguments):
    """Run ``bot new``; return its exit code."""
    try:
        main(["bot", "new", *map(str, arguments)])
    except SystemExit as stop:
        return stop.code or 0
    return 0


def test_the_test_of_a_compiled_bot_passes(tmp_path):
    assert new("swift", "--compiled", "--folder", tmp_path) == 0
    done = run("python -m pytest -q -p no:cacheprovider test_swift.py", tmp_path)
    assert done.returncode == 0, done.stdout


def test_what_is_there_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "test_thrifty.py").write_text("mine")
    assert new("thrifty", "--folder", tmp_path) == 2
    assert capsys.readouterr().err.endswith(
        "test_thrifty.py is there already: choose another name, or --folder\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["test_thrifty.py"]
    assert (tmp_path / "test_thrifty.py").read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["Thrifty", "3x", "a-b", "a.b", "../x", "", "class", "random", "numba"]
)
def test_a_bad_name_is_one_line_and_writes_nothing(name, tmp_path, capsys):
    assert new(name, "--folder", tmp_path) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [[], ["--compiled"]])
def test_the_next_commands_are_told_and_the_bot_has_the_new_name_everywhere(kind, tmp_path, capsys):
    assert new("very_thrifty", "--folder", tmp_path, *kind) == 0
    told = capsys.readouterr().out
    name = "very_thrifty" if kind else "VeryThrifty"
    assert f"forty5sim bot check {tmp_path / 'very_thrifty.py'}:{name}" in told
    assert "forty5sim tournament --bots " in told
    assert "-m pytest " in told
    for file in tmp_path.iterdir():
        assert not re.search(r"my.?bot", file.read_text(), re.IGNORECASE)


def test_templates_are_shipped_and_as_tidy_as_the_rest():
    folder = resources.files("forty5sim") / "templates"
    names = {file.name for file in folder.iterdir() if file.name.endswith(".py")}
    assert names == {"plain_bot.py", "plain_test.py", "compiled_bot.py", "compiled_test.py"}
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
