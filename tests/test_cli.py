"""The command line as a user meets it: output, messages, exit codes."""

import json
import os
import subprocess
import sys

import pytest

from forty5sim import bench
from forty5sim.bench import deals, knowledge, searching, starting, storing, timing
from forty5sim.cli import expand_lists, main
from forty5sim.cli.common import MAP


def run(capsys, *arguments):
    """Run a command in this process; return exit code, output and errors."""
    code = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


def test_without_a_command_there_is_a_map(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    assert out.strip() == MAP.strip()


def test_version(capsys):
    assert run(capsys, "--version") == (0, "forty5sim 0.1.0\n", "")


@pytest.mark.parametrize(
    "command", ["tournament", "advise", "review", "rules", "cards", "bench", "doctor"]
)
def test_every_command_has_help(capsys, command):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert out.startswith("Usage: ")
    assert f"forty5sim {command}" in MAP


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom forty5sim.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('numba', 'numpy', 'pandas', 'scipy', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_rules_and_cards(capsys):
    code, out, _ = run(capsys, "rules")
    assert code == 0
    assert "spoil-five-strict" in out
    code, out, _ = run(capsys, "rules", "spoil-five:ante=2")
    assert "* The ante is 2." in out
    code, out, _ = run(capsys, "cards", "--trump", "S")
    assert out.count("trumps    ") == 1
    code, out, _ = run(capsys, "cards", "--game", "forty-five-joker")
    assert out.count("trumps    ") == 4
    assert "JK" in out


def test_a_list_of_presets_from_a_file(capsys, tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('[house]\nbase = "twenty-five"\ntarget = 50\n')
    code, out, _ = run(capsys, "rules", "--file", str(path))
    assert code == 0
    assert "house" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "spoil5"], "did you mean 'spoil-five'"),
        (["cards", "--trump", "X"], "unknown suit 'X'"),
        (["tournament", "--bots", "heuristik", "random"], "did you mean 'heuristic'"),
        (["tournament", "--game", "spoil-five:ante=0"], "option ante cannot be '0'"),
        (["tournament", "--boards", "0"], "boards must be a whole number"),
        (["tournament", "--boards", "many"], "--boards takes a whole number, got 'many'"),
        (["tournament", "--on-error", "hope"], "stop or forfeit"),
        (["tournament", "--resume", "nowhere"], "is no run folder"),
        (["tournement"], "unknown command 'tournement', did you mean 'tournament'?"),
    ],
)
def test_a_mistake_is_a_message_and_exit_code_2(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_a_tournament_prints_verdict_table_and_legend(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["tournament", "--game", "spoil-five", "--bots", "heuristic", "random",
                 "--boards", "200", "--workers", "1"]  # fmt: skip
    code, out, err = run(capsys, *arguments)
    assert code == 0
    assert out.startswith("heuristic gains 0.")
    assert "chips a deal on random; 200 boards" in out
    for word in ("payoff", "tricks", "spoiled %", "half of the 95 % interval", "kept in results"):
        assert word in out
    code, again, err = run(capsys, *arguments)
    assert again == out
    assert "this run is complete" in err


def test_a_tournament_for_a_machine(capsys, tmp_path):
    code, out, _ = run(
        capsys, "tournament", "--json", "--quiet", "--boards", "50", "--results", str(tmp_path),
        "--workers", "1",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["boards"] == 50
    assert found["complete"] is True
    assert {row["bot"] for row in found["standings"]} == {"heuristic", "random"}


def test_ctrl_c_says_how_to_go_on(capsys, tmp_path, monkeypatch):
    from forty5sim.arena.store import RunFolder

    write_part = RunFolder.write_part

    def once(self, *arguments):
        monkeypatch.setattr(RunFolder, "write_part", interrupt)
        write_part(self, *arguments)

    def interrupt(self, *arguments):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(RunFolder, "write_part", once)
    code, _, err = run(capsys, "tournament", "--boards", "40000", "--workers", "1")
    assert code == 130
    assert "forty5sim tournament --resume results/forty-five-4p" in err
    monkeypatch.setattr(RunFolder, "write_part", interrupt)
    code, _, err = run(capsys, "tournament", "--boards", "40001", "--workers", "1")
    assert code == 2
    assert "stopped before the first chunk" in err


def test_ctrl_c_in_value_shows_what_was_played(capsys, monkeypatch):
    from forty5sim.kernels import branching

    branch_deals, calls = branching.branch_deals, iter(range(3))

    def interrupted(*arguments):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return branch_deals(*arguments)

    monkeypatch.setattr(branching, "branch_deals", interrupted)
    code, out, err = run(capsys, "value", "rob", "--bots", "random", "--json", "--quiet")
    assert (code, err) == (130, "forty5sim: interrupted\n")
    found = json.loads(out)
    assert found["complete"] is False
    assert {row["deals"] for row in found["rows"]} == {1 + 4 + 16}


def test_ctrl_c_elsewhere_is_no_traceback(capsys, monkeypatch):
    from forty5sim.arena import running as arena

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "tournament", interrupt)
    code, _, err = run(capsys, "tournament")
    assert code in (1, 130)
    assert "Traceback" not in err


def test_a_terminal_without_the_signs_shows_others(tmp_path):
    code = "from forty5sim.cli import main; main(['tournament', '--boards', '20', '--quiet'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "points a deal on random; 20 boards" in done.stdout


def test_lists_of_bots():
    given = ["tournament", "--bots", "a", "b:x=1,y=2", "--seed", "3", "--bots", "c"]
    assert expand_lists(given) == [
        "tournament", "--bots", "a", "--bots", "b:x=1,y=2", "--seed", "3", "--bots", "c",
    ]  # fmt: skip


def test_doctor_says_that_all_is_well(capsys):
    code, out, _ = run(capsys, "doctor")
    assert code == 0
    for word in ("numba", "cores", "cache", "writable", "ismcts", "load and play"):
        assert word in out


def test_bench_measures(capsys, monkeypatch):
    monkeypatch.setattr(deals, "RANDOM_TABLES", (("spoil-five", 5),))
    monkeypatch.setattr(deals, "HEURISTIC_TABLES", (("forty-five", 4),))
    monkeypatch.setattr(timing, "YARDSTICK_STEPS", 1000)
    monkeypatch.setattr(knowledge, "ROUNDS", 2)
    monkeypatch.setattr(storing, "TABLES", (("twenty-five", 2),))
    monkeypatch.setattr(storing, "COMPILED_CHUNK_DEALS", 200)
    monkeypatch.setattr(searching, "FIRST_LEADS", (("forty-five", 4),))
    monkeypatch.setattr(searching, "DECISIONS", (("forty-five", 4),))
    monkeypatch.setattr(searching, "BOTS", ("iimc", "ismcts"))
    monkeypatch.setattr(knowledge, "DEALS", dict.fromkeys(knowledge.DEALS, 2))
    help_only = starting._start_figure("--help", ["--help"], {}, 1)
    monkeypatch.setattr(bench, "start_figures", lambda runs: iter([help_only]))
    code, out, _ = run(capsys, "bench", "--runs", "3", "--json")
    assert code == 0
    names = [figure["name"] for figure in json.loads(out)["rows"]]
    assert names[:2] == ["random deals, spoil-five 5p"] * 2
    assert names[-1] == "--help"
    assert all(figure["best"] > 0 for figure in json.loads(out)["rows"])
    code, out, _ = run(capsys, "bench", "--runs", "3")
    assert "yardstick" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume", "results/run", "--boards", "50"], "leave out --boards"),
        (["--resume", "results/run", "--seed", "2", "--fresh"], "leave out --seed, --fresh"),
        (["--plan", "0.5", "--json"], "--plan prints boards and time"),
        (["--plan", "1e-300"], "the effect to plan for must be 1e-06 to 1e+06"),
        (["--name", "../elsewhere"], "name must be that of one folder"),
        (["--name", "."], "name must be that of one folder"),
        (["--sprt", "points0=0,points0=0.2,points1=1"], "points0 is given twice"),
        (["--cluster", "nonsense"], "no Dask scheduler answers at 'nonsense'"),
    ],
)
def test_mistakes_with_a_run_there(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "tournament", "--boards", "10", "--name", "run", "--quiet")[0] == 0
    before = (tmp_path / "results" / "run" / "manifest.json").read_bytes()
    code, out, err = run(capsys, "tournament", *arguments, "--quiet")
    assert code == 2
    assert message in err
    assert not out
    assert (tmp_path / "results" / "run" / "manifest.json").read_bytes() == before


def test_parts_of_another_run_are_noticed(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in ("1", "2"):
        run(capsys, "tournament", "--boards", "10", "--seed", seed, "--name", seed, "--quiet")
    for part in (tmp_path / "results" / "2" / "parts").iterdir():
        (tmp_path / "results" / "1" / "parts" / part.name).write_bytes(part.read_bytes())
    code, _, err = run(capsys, "tournament", "--resume", "results/1", "--quiet")
    assert code == 2
    assert "are not those of its run" in err


def test_json_has_no_infinity(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ("--game", "five-hundred", "--boards", "3", "--json", "--quiet")
    _, out, _ = run(capsys, "tournament", *arguments)
    assert "Infinity" not in out
    assert json.loads(out)["duels"][0]["elo"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.xyz"], "--out must end in .png, .svg, .pdf"),
        (["--out", "nowhere/x.png"], "--out: there is no folder"),
        (["--csv", "."], "--csv: there is no folder"),
        (["--out", "a.png", "--csv", "a.png"], "both name 'a.png'"),
        (["--pot", "-3"], "pot must be a whole number 0..1000000"),
        (["--players", "0"], "players must be a whole number 2..10"),
        (["--figure", "pie"], "no figure named 'pie'; known: effects, strata, break-even"),
        (["--figure", "break-even", "--out", "x.png"], "is for jink, not for rob"),
        (["--figure", "strata"], "needs a file"),
    ],
)
def test_a_value_that_cannot_be_told_is_refused_at_once(
    capsys, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "value", "rob", "--bots", "random", "--deals", "20", *arguments)
    assert code == 2
    assert message in err
    assert not out
    assert not list(tmp_path.iterdir())


def test_a_value_is_told_with_table_and_picture(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ("--bots", "random", "--deals", "80", "--quiet", "--out", "v.png", "--csv", "v.csv")
    code, out, _ = run(capsys, "value", "rob", *arguments)
    assert code == 0
    assert "robbing gains" in out
    assert "by trumps held" in out
    assert (tmp_path / "v.png").stat().st_size > 1000
    assert "by turn-up" in (tmp_path / "v.csv").read_text()
    code, out, _ = run(capsys, "value", "seat", "--bots", "random", "--deals", "20", "--quiet")
    assert code == 0
    assert "dealer" in out
    code, _, err = run(capsys, "value", "seat", "--out", "x.png")
    assert code == 2
    assert "a picture is drawn of decisions" in err


@pytest.mark.parametrize(("name", "figure"), [("rob", "strata"), ("jink", "break-even")])
def test_a_value_has_other_figures(capsys, tmp_path, monkeypatch, name, figure):
    monkeypatch.chdir(tmp_path)
    arguments = ("--players", "3", "--bots", "random", "--deals", "300", "--quiet")
    code, _, _ = run(capsys, "value", name, *arguments, "--figure", figure, "--out", "v.png")
    assert code == 0
    assert (tmp_path / "v.png").stat().st_size > 1000


def test_studies_are_listed_and_named(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, out, _ = run(capsys, "experiment")
    assert "robbing" in out
    code, _, err = run(capsys, "experiment", "robing")
    assert code == 2
    assert "no study named 'robing'" in err


def test_boards_are_planned(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "tournament", "--plan", "1", "--quiet")
    assert code == 0
    assert "heuristic against random: " in out
    assert "from a pilot of 5 000 boards" in out
    assert not list(tmp_path.iterdir())
