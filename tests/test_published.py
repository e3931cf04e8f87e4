"""The published studies: they run in seconds when asked quickly, are kept, and go on."""

import pandas as pd
import pytest

from forty5sim.errors import RunError
from forty5sim.plot import bands
from forty5sim.studies import published
from forty5sim.studies.catalogue import STUDIES, Cell, Study
from forty5sim.studies.published import find_study, run_study, work_out

FEW = (Cell("rob", "spoil-five", 3, "random", 60), Cell("spoils", "spoil-five", 3, "random", 60))


def small(name, cells):
    return Study(name, "?", cells, STUDIES["spoils"].draw)


def test_a_study_is_kept_cell_by_cell(tmp_path, monkeypatch):
    monkeypatch.setitem(STUDIES, "few", small("few", FEW))
    folder = run_study("few", tmp_path)
    table = pd.read_csv(folder / "summary.csv")
    assert set(table["quantity"]) >= {"effect", "spoiled", "by turn-up"}
    assert (table["n"] > 0).all()
    assert (folder / "summary.svg").is_file()
    monkeypatch.setattr(published, "work_out", None)  # nothing is worked out again
    assert run_study("few", tmp_path) == folder
    assert pd.read_csv(folder / "summary.csv").equals(table)


def test_a_quick_study_is_another(tmp_path, monkeypatch):
    monkeypatch.setitem(STUDIES, "few", small("few", FEW))
    assert run_study("few", tmp_path, quick=True).name == "few-quick"


def test_spoils_of_random_players():
    shown = work_out(Cell("spoils", "spoil-five", 10, "random", 300)).iloc[0]
    assert 0.7 < shown["value"] < 1  # with ten players hardly anybody gets three tricks
    assert shown["n"] == 300


def test_seats_are_a_study_too():
    table = work_out(Cell("seat", "forty-five", 4, "random", 50))
    assert list(table["stratum"]) == ["eldest", "seat 2", "seat 3", "dealer"]


def test_every_study_can_be_found_and_every_cell_is_its_own():
    for name, study in STUDIES.items():
        assert find_study(name) is study
        assert len({cell.key() for cell in study.cells}) == len(study.cells)
    with pytest.raises(RunError, match="known: robbing, discards, jinking, seats"):
        find_study("ladders")


def test_long_names_under_an_axis_are_turned():
    table = pd.DataFrame(
        {"game": [f"a-game-with-a-long-name-{i}" for i in range(5)], "value": 1.0,
         "value_ci": 0.1, "n": 9, "stratum": "dealer"}
    )  # fmt: skip
    axes = bands(table, x="game", lines="stratum", heading="x", unit="chips")
    assert axes.get_xticklabels()[0].get_rotation() == 60
    with pytest.raises(RunError, match="nothing to draw"):
        bands(table.iloc[:0], x="game", lines="stratum")


@pytest.mark.parametrize("text", ["", "garbage", "a,b\n1,2\n"])
def test_a_damaged_cell_is_named(tmp_path, monkeypatch, text):
    monkeypatch.setitem(STUDIES, "few", small("few", FEW[1:]))
    folder = run_study("few", tmp_path)
    (cell,) = (folder / "cells").iterdir()
    cell.write_text(text)
    with pytest.raises(RunError, match="is damaged; delete it"):
        run_study("few", tmp_path)
