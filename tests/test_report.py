"""The report of a run: one page with everything, and its figures one by one."""

import importlib
import json
import re
import shlex

import pytest

from forty5sim.arena.running import resume, tournament
from forty5sim.cli import expand_lists, main
from forty5sim.errors import RunError
from forty5sim.report import tournament_report, write_report
from forty5sim.report.findings import read_findings
from forty5sim.report.html import repeat_command
from forty5sim.report.pictures import PICTURES, drawable, find_picture

HOSTILE = "<script>alert(1)</script>$x_1$&"


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    return tournament(
        "forty-five", {"heuristic": "heuristic", HOSTILE: "random"}, boards=40, decisions=10,
        results=folder, workers=1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    return tournament(
        "spoil-five", ["heuristic", "random", "heuristic"], players=5, boards=40, chunk=10,
        results=folder, workers=1, until=0.01,
    )  # fmt: skip


@pytest.fixture(scope="module")
def page(two):
    return write_report(two.folder).read_text(encoding="utf-8")


def test_the_page_holds_everything(two, page):
    assert page.count("<html") == 1
    assert not re.search(r"https?://|<script|<link|<img|@import|src=", page)
    assert two.digest in page
    assert "± " in page
    assert "40 boards" in page
    assert two.verdict.split(" on ")[0] in page
    assert "forty5sim tournament --game forty-five" in page
    shown = [picture.name for picture in drawable(read_findings(two.folder))]
    assert page.count("<figcaption>") == len(shown)
    assert page.count("<svg") == len(shown)
    assert {path.stem for path in (two.folder / "figures").glob("*.png")} == set(shown)
    assert {"standings", "convergence", "seat-advantage", "renege-use"} <= set(shown)
    assert "ratings" not in shown
    assert "not complete" not in page


def test_ids_are_unique(page):
    figures = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    ids = [set(re.findall(r'\bid="([^"]*)"', figure)) for figure in figures]
    assert sum(map(len, ids)) == len(set.union(*ids))


def test_a_hostile_name_is_escaped(page):
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page


def test_three_bots_have_ratings_and_a_conclusion(three):
    page = write_report(three.folder).read_text(encoding="utf-8")
    assert 'id="figure-ratings"' in page
    assert "Bot against bot" in page
    assert three.conclusion
    assert three.conclusion in page
    assert "heuristic#2" in page


def test_the_terminal_shows_duels_and_conclusion(three):
    from rich.console import Console

    console = Console(width=80)
    with console.capture() as capture:
        console.print(tournament_report(three))
    text = capture.get()
    assert "against" in text
    assert "widest always-valid interval" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_run_that_was_stopped_is_told_from_what_there_is(three, tmp_path):
    folder = tmp_path / "stopped"
    for path in sorted((three.folder / "parts").iterdir()):
        (folder / "parts").mkdir(parents=True, exist_ok=True)
        if not path.name.startswith("boards-000000000010"):
            (folder / "parts" / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((three.folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "result": None}))
    page = write_report(folder).read_text(encoding="utf-8")
    assert "This run is not complete" in page
    with pytest.raises(RunError, match=r"no convergence of this run: it was stopped"):
        find_picture(read_findings(folder), "convergence")


def test_the_command_plays_the_run_again(three, tmp_path):
    words = expand_lists(shlex.split(repeat_command(read_findings(three.folder))))
    assert words[:2] == ["forty5sim", "tournament"]
    main_arguments = [*words[1:], "--results", str(tmp_path), "--name", "again", "--quiet"]
    with pytest.raises(SystemExit) as left:
        main(main_arguments)
    assert left.value.code in (0, None)
    again = resume(tmp_path / "again")
    assert again.digest == three.digest


def run(capsys, *arguments):
    try:
        main(list(map(str, arguments)))
        code = 0
    except SystemExit as left:
        code = left.code or 0
    return code, *capsys.readouterr()


def test_plot_lists_and_draws(two, tmp_path, capsys):
    code, out, _ = run(capsys, "plot", two.folder)
    assert code == 0
    assert re.search(r"^standings +payoff of each bot", out, flags=re.MULTILINE)
    assert len(out.splitlines()) < len(PICTURES)
    file = tmp_path / "a.svg"
    code, out, _ = run(capsys, "plot", two.folder, "cross_table", "--out", file)
    assert (code, out.strip()) == (0, str(file))
    assert "<svg" in file.read_text()


def test_mistakes_are_one_line_and_code_two(two, tmp_path, capsys):
    code, _, err = run(capsys, "plot", two.folder, "standing")
    assert code == 2
    assert "did you mean 'standings'?" in err
    code, _, err = run(capsys, "plot", two.folder, "ratings")
    assert code == 2
    assert "only two bots; it can draw: standings" in err
    code, _, err = run(capsys, "plot", two.folder, "standings", "--out", tmp_path / "a.doc")
    assert code == 2
    assert "known:" in err
    code, _, err = run(capsys, "report", tmp_path)
    assert code == 2
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("package", ["matplotlib", "jinja2", "choix", "statsmodels"])
def test_a_missing_package_is_named(two, monkeypatch, package):
    real = importlib.import_module

    def refuse(name, *rest):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr("forty5sim.stats.extras.import_module", refuse)
    with pytest.raises(RunError, match=rf'{package}: pip install "forty5sim\[report\]"'):
        write_report(two.folder)
