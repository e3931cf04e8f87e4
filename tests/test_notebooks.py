"""Every notebook runs, on small sizes, in a folder of its own, and draws something."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

FOLDER = Path(__file__).parent.parent / "notebooks"
SMALL = {
    "01_first_tournament": {"BOARDS": 60},
    "02_value_of_robbing": {"DEALS": 800},
    "03_when_to_jink": {"DEALS": 2000, "POTS": [0, 10]},
    "04_write_your_own_bot": {"BOARDS": 20},
    "05_five_hundred": {"BOARDS": 40, "DEALS": 400, "VALUED": 100},
}


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def parameters_of(notebook):
    tagged = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", ())]
    assert len(tagged) == 1
    return tagged[0]


def test_these_are_all():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_a_notebook_is_kept_without_output(name):
    for cell in read(name).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.filterwarnings("ignore")  # what jupyter warns of is not ours; a cell's error is told
def test_a_notebook_runs(name, tmp_path):
    notebook = read(name)
    place = notebook.cells.index(parameters_of(notebook))
    for parameter in SMALL[name]:
        assert f"{parameter} = " in notebook.cells[place].source
    sizes = "\n".join(f"{key} = {value!r}" for key, value in SMALL[name].items())
    notebook.cells.insert(place + 1, new_code_cell(sizes))
    client = NotebookClient(
        notebook,
        timeout=300,
        resources={"metadata": {"path": str(tmp_path)}},
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(FOLDER.parent)])},
    )
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", ()) for output in shown)
    assert list(tmp_path.iterdir()) == []  # nothing is left behind
