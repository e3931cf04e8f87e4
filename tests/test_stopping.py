"""Runs that end early: looks at fixed boards, hypotheses as written, intervals that hold."""

import json

import pytest

import forty5sim
from forty5sim.arena.stopping import LOOK_EVERY, Stopping, looks
from forty5sim.arena.store import RunFolder
from forty5sim.errors import AgentError, RunError


def play(tmp_path, **options):
    options = {"boards": 3000, "results": tmp_path, "workers": 1, **options}
    return forty5sim.tournament("forty-five", ["heuristic", "random"], **options)


def test_looks_are_a_matter_of_boards_alone():
    few, many = list(looks(2000)), list(looks(10**9))
    assert few[0] == LOOK_EVERY
    assert few[-1] == 2000
    assert few[:-1] == many[: len(few) - 1]
    assert len(many) < 400
    assert list(looks(7)) == [7]


@pytest.mark.parametrize(
    ("sprt", "until", "message"),
    [
        ("points0=0", 0, "points0=0,points1=0.1 or elo0=0"),
        ("points0=0,elo1=5", 0, "sprt must be"),
        ("points0=0,points1=x", 0, "sprt must be"),
        ("points0=0,points1=inf", 0, "finite"),
        ("points0=1,points1=0", 0, "below"),
        ("points0=0,points1=1,alpha=2", 0, "alpha"),
        ("points0=0,points1=1", 0.1, "not both"),
        ("", -1.0, "half-width"),
        ("", float("nan"), "half-width"),
    ],
)
def test_what_ends_no_run_is_refused(sprt, until, message):
    with pytest.raises(RunError, match=message):
        Stopping(sprt, until)


def test_a_sequential_test_ends_a_run_at_the_same_board_for_any_workers(tmp_path):
    one = play(tmp_path, sprt="points0=0,points1=2")
    assert one.complete
    assert one.boards < 3000
    assert "heuristic gains 2" in one.conclusion
    two = play(tmp_path, sprt="points0=0,points1=2", workers=2, chunk=7, fresh=True)
    assert (two.digest, two.boards) == (one.digest, one.boards)
    again = play(tmp_path, sprt="points0=0,points1=2")
    assert (again.digest, again.boards) == (one.digest, one.boards)
    manifest = json.loads((one.folder / "manifest.json").read_text())
    assert manifest["result"]["boards"] == one.boards
    assert manifest["result"]["conclusion"] == one.conclusion


def test_a_stopped_run_goes_on_to_the_same_end(tmp_path):
    whole = play(tmp_path, sprt="points0=0,points1=0.01", boards=400)
    assert whole.boards == 400
    for part in RunFolder(whole.folder).parts()[2:]:
        part.path.unlink()
    again = play(tmp_path, sprt="points0=0,points1=0.01", boards=400)
    assert again.digest == whole.digest
    assert "no decision yet" in again.conclusion


def test_elo_is_tested_too(tmp_path):
    result = play(tmp_path, sprt="elo0=0,elo1=50")
    assert result.boards < 3000
    assert "heuristic gains 50 (Elo)" in result.conclusion


def test_until_an_interval_is_narrow_enough(tmp_path):
    result = play(tmp_path, until=0.8)
    assert result.boards < 3000
    assert "wanted ± 0.8" in result.conclusion
    wider = play(tmp_path, until=2.0)
    assert wider.boards < result.boards


def test_a_test_compares_two_bots(tmp_path):
    with pytest.raises(RunError, match="compares two bots"):
        forty5sim.tournament(
            "forty-five", ["heuristic", "random", "random"], sprt="points0=0,points1=1",
            results=tmp_path,
        )  # fmt: skip
    assert not list(tmp_path.iterdir())


def test_the_same_deals_for_every_pairing_of_a_gauntlet(tmp_path):
    result = forty5sim.tournament(
        "forty-five", {"new": "heuristic", "old": "random", "older": "random"}, gauntlet=1,
        boards=30, results=tmp_path, workers=1,
    )  # fmt: skip
    assert [(row["bot"], row["against"]) for row in result.duels] == [
        ("new", "old"),
        ("new", "older"),
    ]
    assert result.duels[0]["payoff"] == result.duels[1]["payoff"]
    assert {row["bot"] for row in result.table} == {"new", "old", "older"}
    for wrong in (3, -1, 1.5):
        with pytest.raises(RunError, match="gauntlet"):
            forty5sim.tournament(
                "forty-five", ["heuristic", "random"], gauntlet=wrong, results=tmp_path
            )


def test_a_roster_names_its_bots(tmp_path):
    roster = tmp_path / "field.toml"
    roster.write_text('[bots]\nold = "heuristic"\n"the new one" = "mine.py:Mine"\n')
    assert forty5sim.read_roster(roster) == {
        "old": "heuristic",
        "the new one": str(tmp_path / "mine.py:Mine"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no bots"),
        ("bots = 3", "no bots"),
        ("[bots]\na = 1", "spec in quotes"),
        ('[bots]\n" a" = "random"', "printable"),
        ("[bots]\na = 'random'\n[more]", "unknown key 'more'"),
        ("[bots", "is no TOML file"),
    ],
)
def test_a_roster_that_is_none_is_refused(tmp_path, text, message):
    roster = tmp_path / "field.toml"
    roster.write_text(text)
    with pytest.raises(AgentError, match=message):
        forty5sim.read_roster(roster)
    with pytest.raises(AgentError, match="cannot read"):
        forty5sim.read_roster(tmp_path / "none.toml")
