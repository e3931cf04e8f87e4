"""Tables of contracts: what a tournament of games with an auction counts and tells."""

import json

import pandas as pd
import pytest

from forty5sim import load_run, tournament
from forty5sim.arena.fields import LEVEL_NAMES, column_names, measures_of, sums_of
from forty5sim.cli import main
from forty5sim.report import tournament_report

BOTS = ["heuristic", "random"]
LETTERS = ("S", "C", "D", "H", "NT")


@pytest.fixture(scope="module")
def five_hundred(tmp_path_factory):
    return tournament("five-hundred", BOTS, boards=400, results=tmp_path_factory.mktemp("r"))


@pytest.fixture(scope="module")
def forty_fives(tmp_path_factory):
    return tournament("auction-forty-fives", BOTS, boards=400, results=tmp_path_factory.mktemp("r"))


def test_contracts_are_made_or_set(five_hundred):
    frame = pd.DataFrame(five_hundred.contracts)
    assert list(frame.contract[:7]) == list(LEVEL_NAMES["five-hundred"])
    assert (abs(frame.made + frame.set - frame.played) < 1e-12).all()
    seats = five_hundred.table[0]["seat_deals"]
    assert (abs(frame.played * seats - frame.contracts) < 1e-6).all()


@pytest.mark.parametrize("which", ["five_hundred", "forty_fives"])
def test_the_tables_agree_with_each_other(which, request):
    result = request.getfixturevalue(which)
    frame = pd.DataFrame(result.contracts)
    for row in result.table:
        mine = frame[frame.bot == row["bot"]]
        assert row["contracts"] == pytest.approx(mine.played.sum())
        assert row["set"] == pytest.approx(mine.set.sum())
        trumps = next(t for t in result.trumps if t["bot"] == row["bot"])
        assert row["contracts"] == pytest.approx(sum(trumps[letter] for letter in LETTERS))
    both = sum(row["points"] for row in result.table)
    assert both == pytest.approx(sum(row["against"] for row in result.table))


def test_the_rows_tell_the_contracts_too(five_hundred):
    rows = load_run(five_hundred.folder).rows
    played = [f"played_{name}_{seat}" for name in LEVEL_NAMES["five-hundred"] for seat in range(4)]
    trumps = [f"trumps_{letter}_{seat}" for letter in LETTERS for seat in range(4)]
    assert (rows[played].sum(axis=1) == rows[trumps].sum(axis=1)).all()
    assert rows[played].sum(axis=1).isin([0, 1]).all()  # none if the deal was thrown in
    misere = rows[[f"played_misere_{s}" for s in range(4)]].sum(axis=1) > 0
    assert (rows.loc[misere, [f"trumps_NT_{s}" for s in range(4)]].sum(axis=1) == 1).all()


def test_files_and_json_hold_them(five_hundred, forty_fives):
    for result in (five_hundred, forty_fives):
        contracts = pd.read_csv(result.folder / "contracts.csv")
        assert len(contracts) == 14
        assert len(pd.read_csv(result.folder / "trumps.csv")) == 2
        told = json.loads(result.to_json())
        assert len(told["contracts"]) == 14
        assert told["trumps"][0]["bot"] == "heuristic"


def test_a_game_with_a_turn_up_has_none(tmp_path):
    result = tournament("spoil-five", BOTS, boards=20, results=tmp_path)
    assert (result.contracts, result.trumps) == ([], [])
    assert not (result.folder / "contracts.csv").exists()


def test_what_is_printed(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as code:
        main(["tournament", "--game", "five-hundred", "--boards", "300", "--quiet"])
    out = capsys.readouterr().out
    assert not code.value.code
    assert "open misère" in out
    assert "trumps of its bids" in out
    assert max(map(len, out.splitlines())) <= 100
    headings = ("against", "played %", "made %", "set %", "contracts")
    assert all(heading in out for heading in headings)


def test_whole_games_are_won_and_counted(tmp_path):
    result = tournament("pei-hall", BOTS, boards=60, results=tmp_path, whole_games=True)
    best = result.table[0]
    assert best["bot"] == "heuristic"
    assert best["games_won"] > 0.9
    assert best["deals"] == 4.0
    assert tournament_report(result)


def test_names_of_columns_and_measures_are_those_of_a_row():
    from forty5sim.kernels import rows
    from forty5sim.named_rules import find_rules

    for name in ("five-hundred", "merrimack"):
        rules = find_rules(name)
        columns = column_names(rules, 4)
        assert len(columns) == rows.HEAD_SIZE + 4 * rows.BIDDING_BLOCK_COUNT
        measures = measures_of(rules)
        assert sorted(measures.values()) == list(range(1, rows.BIDDING_BLOCK_COUNT))
        parts = {part for parts in sums_of(rules).values() for part in parts}
        assert parts <= set(measures)


class Blunderer:
    """A bot that raises when it is asked for a bid."""

    name, version = "blunderer", 1

    def act(self, view):
        if view.phase == "auction":
            raise ValueError("no idea")
        return view.legal[0]


def test_a_bot_that_fails_in_the_auction_forfeits_the_deal(tmp_path, monkeypatch):
    import inspect

    (tmp_path / "bad.py").write_text(inspect.getsource(Blunderer))
    monkeypatch.chdir(tmp_path)
    bots = ["random", "bad.py:Blunderer"]
    result = tournament("five-hundred", bots, boards=4, on_error="forfeit", workers=1)
    assert result.table[0]["bot"] == "random"
    assert result.table[1]["forfeits"] > 0
    assert "no idea" in str(result.faults[0])


@pytest.mark.parametrize(
    ("game", "players", "worst"),
    [
        ("auction-forty-fives", 4, 30 + 30),
        ("auction-forty-fives", 5, 30 + 30 / 4),
        ("merrimack", 3, 60 + 30 / 2),
        ("five-hundred", 4, 520 + 100),
        ("forty-five", 5, 30 / 4),
    ],
)
def test_a_forfeit_costs_as_much_as_the_highest_bid_that_is_set(game, players, worst):
    from forty5sim.arena.conditions import Conditions
    from forty5sim.named_rules import find_rules

    conditions = Conditions(find_rules(game), players, seed=1)
    assert conditions.worst_payoff == -worst * conditions.payoff_units
