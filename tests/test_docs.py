"""Every command and every block of Python in the README, the docs and the help does work.

Each page is gone through from top to bottom in an empty folder of its own. Commands that would
take long are given other sizes, those that cannot be run here have a reason: both are tables below,
and an entry that fits nothing any more is an error.
"""

import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest

from forty5sim.cli import main
from forty5sim.cli.examples import EXAMPLES
from tests import docs_pages

ROOT = Path(__file__).parents[1]
HELP = "the examples of --help"
FOLLOWED = ROOT / "docs" / "write-a-bot.md"  # tests/test_write_a_bot.py follows it
DOCS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md") if path != FOLLOWED)
PAGES = ["README.md", *DOCS, HELP]
KEPT = re.compile(r"# (\w+\.(?:py|toml))\n")
"""The first line of a block that is a file: its name."""
BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\S*)\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)

OTHER_SIZES = {
    "--boards 20000": "--boards 40",
    "--boards 2000": "--boards 40",
    "--boards 500": "--boards 1",
    "--boards 200 ": "--boards 1 ",
    "boards=2000": "boards=40",
    "--gauntlet 1": "--gauntlet 1 --boards 4",
    "ante=2": "ante=2 --boards 40",
    "--plan 0.5": "--plan 50",
    "value rob --players 5": "value rob --players 5 --bots random --deals 60",
    "--reading spoil-five:jink=off": "--reading spoil-five:jink=off --deals 60",
    "--deals 40000": "--deals 60",
    "--trump H --players 5": "--trump H --players 5 --playouts 100",
}
"""What is written: what is run instead. ``--plan 50`` needs no more than its pilot."""

NOT_RUN = {
    "forty5sim play": "asks a person; tests/test_play.py sits down at it",
    "forty5sim --install-completion": "writes into the start files of a person's shell",
    "forty5sim bench": "measures for a minute; tests/test_cli.py runs it on small sizes",
    "forty5sim experiment robbing": "takes a minute; tests/test_published.py works studies out",
    "forty5sim tournament --cluster": "needs a cluster; tests/test_cluster.py starts one",
    "forty5sim conformance": "starts engines; tests/conformance does",
    "forty5sim engine": "waits for a program's questions; tests/conformance asks them",
    "python conformance/run.py": "starts engines; tests/conformance does",
    "python3 -m venv": "installs; the gate does just that",
    "python tests/": "runs for hours; the tests beside them run the same on small sizes",
    "dask": "starts a cluster; tests/test_cluster.py does",
    "pip install": "installs",
}
"""How a command begins: why it is not run."""

BEFORE = {
    "docs/advice.md": ["watch --seed 7 --record deals.jsonl"] * 3,
    "docs/knowledge.md": ["watch --seed 7 --record deals.jsonl"],
    "docs/records.md": [
        *["watch --seed 7 --record deals.jsonl"] * 3,
        "tournament --game spoil-five --players 5 --boards 40 --decisions 4 --quiet"
        " --name spoil-five-5p-heuristic-random-20000-boards-seed1",
    ],
    HELP: [
        *["watch --seed 7 --record deals.jsonl"] * 3,
        "tournament --boards 20 --quiet --name my-run",
        "tournament --boards 20 --quiet --name forty-five-4p-heuristic-random-20000-boards-seed1",
    ],
}
"""What a page takes for granted: commands that are run first."""


def blocks(page):
    """Yield the language and the text of each block of a page; commands have no language."""
    if page == HELP:
        yield from (("", "\n".join(lines)) for lines in EXAMPLES.values())
        return
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found["language"], dedent(found["body"])


def commands_of(body):
    return [line for line in body.splitlines() if line.strip() and not line.startswith("#")]


def in_other_sizes(text):
    for written, run_instead in OTHER_SIZES.items():
        text = text.replace(written, run_instead)
    return text


def run_command(line):
    """Run one line of a shell; it must end well."""
    words = shlex.split(in_other_sizes(line), comments=True)
    assert words[0] == "forty5sim", f"who runs this? {line}"
    with pytest.raises(SystemExit) as stop:
        main(words[1:])
    assert not stop.value.code, line


def keep_files(page):
    """Write the blocks of a page that are files."""
    for _, body in blocks(page):
        name = KEPT.match(body)
        if name:
            Path(name[1]).write_text(body, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_says_does_work(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORTY5SIM_CONFIG", "")
    for kept in ("README.md", page):
        keep_files(kept)
    names = {"__name__": "__main__"}
    for command in BEFORE.get(page, ()):
        run_command(f"forty5sim {command}")
    for language, body in blocks(page):
        if KEPT.match(body):
            continue
        if language == "python":
            exec(compile(in_other_sizes(body), page, "exec"), names)
        elif language in ("", "bash"):
            for line in commands_of(body):
                if not line.startswith(tuple(NOT_RUN)):
                    run_command(line)
        else:
            assert language in ("text", "json"), f"what is {language!r}?"
    capsys.readouterr()


def test_settings_that_the_docs_show_are_in_order(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORTY5SIM_CONFIG", raising=False)
    keep_files("docs/command-line.md")
    run_command("forty5sim doctor")
    assert "settings     forty5sim.toml" in capsys.readouterr().out


def test_the_pages_that_are_made_are_up_to_date():
    assert docs_pages.GAMES.read_text(encoding="utf-8") == docs_pages.games_page()
    faq = docs_pages.FAQ.read_text(encoding="utf-8")
    assert faq == docs_pages.faq_page()
    assert faq.count("| | |") == 0


def test_no_entry_of_the_tables_is_out_of_date():
    everything = [body for page in PAGES for _, body in blocks(page)]
    lines = [line for body in everything for line in commands_of(body)]
    for written in OTHER_SIZES:
        assert any(written in body for body in everything), written
    for start in NOT_RUN:
        assert any(line.startswith(start) for line in lines), start
    assert set(BEFORE) <= set(PAGES)
