"""The strength ladder on a few boards."""

import pandas as pd

from forty5sim.studies.ladder import Rung, Setting, ladder, rungs, write_table

TABLES = (
    Setting("twenty-five", 2, "Twenty-Five", "points a deal"),
    Setting("spoil-five", 3, "Spoil Five", "chips a deal"),
)


def test_a_ladder_of_two_rungs(tmp_path):
    chosen = [Rung("random", "random", 1), Rung("random", "random", 0.1)]
    rows = list(ladder(TABLES, chosen, {1: 8, 0.1: 4}, tmp_path, workers=1))
    table = write_table(rows, tmp_path / "ladder.csv")
    assert list(table["boards"]) == [8, 4, 8, 4]
    assert list(table["common_boards"]) == [0, 4, 0, 4]
    assert (table["more_than_default"].dropna() == 0).all()
    assert (table["ms_mean"] > 0).all()
    assert len(pd.read_csv(tmp_path / "ladder.csv")) == 4


def test_rungs_are_multiples_of_the_defaults():
    specs = [rung.spec for rung in rungs((1, 10))]
    assert specs[0] == "random"
    assert "mc" in specs
    assert "ismcts:iterations=20000" in specs
