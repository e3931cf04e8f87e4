"""The wheel holds the two packages, and works beside a foreign package called ``agents``."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import forty5sim

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_exactly_the_two_packages(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"forty5sim", "forty5agents", "forty5sim-0.1.0.dist-info"}
    data = {"presets.toml", "screen/table.tcss", "conformance/run.py"}
    assert {f"forty5sim/{name}" for name in data} <= set(names)
    assert "forty5sim/py.typed" in names
    assert "forty5sim/templates/plain_bot.py" in names
    assert "forty5agents/heuristic/choosing.py" in names
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_it_works_beside_a_foreign_package_called_agents(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("FOREIGN = True\n")
    code = (
        "import agents, forty5agents, forty5sim\n"
        "from forty5sim.registry import find_bot\n"
        "print(agents.FOREIGN, forty5sim.__file__, forty5agents.__file__, find_bot('random').name)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    foreign, library, bots, name = done.stdout.split()
    assert foreign == "True"
    assert library.startswith(str(tmp_path))
    assert bots.startswith(str(tmp_path))
    assert name == "random"


def test_it_is_cited_as_the_version_that_it_is():
    import yaml

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == forty5sim.__version__


def test_the_readme_and_the_gate_say_the_same():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    test_command = (
        'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]" && .venv/bin/python -m pytest'
    )
    first_command = (
        "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/forty5sim tournament"
    )
    assert test_command in readme
    assert first_command in readme
    assert test_command.replace("install -e", "install -q -e") in gate
    assert first_command.replace("install -e", "install -q -e") in gate
