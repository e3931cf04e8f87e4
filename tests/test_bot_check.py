"""``check_bot``: shipped bots pass, and each planted fault is told by its name."""

import json
import math
import random
import sys
from pathlib import Path

import pytest

from forty5sim import check_bot
from forty5sim.agent import view_of
from forty5sim.arena.questions import positions, redealt
from forty5sim.cli import main
from forty5sim.errors import RuleSetError, RunError, UnknownBotError
from forty5sim.named_rules import presets
from forty5sim.records import faults_of, read_records
from forty5sim.testing.checking import median_interval

ZOO = Path(__file__).parent / "bots" / "zoo.py"
GAME = "forty-five-three-handed"
PHASES = {"auction", "trump", "discard", "assign", "name", "rob", "play", "jink"}
QUICK = ["random", "heuristic", "mc:worlds=2", "iimc:worlds=2", "pimc:worlds=2,nodes=50",
         "ismcts:iterations=6"]  # fmt: skip


def check(name, *, games=(GAME,), positions=30, boards=0, **limits):
    """Check a bot of the zoo in a small way."""
    spec = name if ":" in name or name in QUICK else f"{ZOO}:{name}"
    given = {"move_time": 0.5, "loading_time": 5, "memory": 300 << 20, **limits}
    return check_bot(spec, games, positions=positions, boards=boards, **given)


def failed(found):
    return [check.name for check in found.failures]


def test_positions_of_every_kind_of_decision_are_asked_about():
    games = positions(tuple(presets()), 1, 1)
    assert {game.phase for game in games} == PHASES
    tables = {(game.rules.name, game.players) for game in games}
    assert tables == {(name, n) for name, rules in presets().items() for n in rules.players}


def test_a_deal_made_anew_shows_the_seat_the_same_and_hides_others_cards():
    for game in positions((GAME, "auction-forty-fives", "five-hundred"), 2, 3):
        world = redealt(game, 1)
        assert world.hands != game.hands or world.kitty != game.kitty
        assert (view_of(world)._words, view_of(world).hand) == (
            view_of(game)._words,
            view_of(game).hand,
        )


@pytest.mark.parametrize("spec", QUICK)
def test_a_shipped_bot_passes(spec):
    found = check_bot(
        spec, (GAME, "spoil-five", "merrimack", "five-hundred"), positions=1, boards=0
    )
    assert found.passed, f"\n{found}"
    assert found["blind"].n > 30
    assert {check.status for check in found.checks} == {"ok"}


@pytest.mark.parametrize("name", ["First", "Redirects", "StartsThreads"])
def test_a_bot_that_does_no_harm_passes(name):
    found = check(name, positions=8, memory=None)
    assert found.passed, f"\n{found}"
    assert [c.name for c in found.checks] == ["legal", "repeats", "blind", "view", "quiet", "speed"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Hangs", "gave no answer within 0.5 s"),
        ("Late", "gave no answer within 0.5 s"),
        ("HangsInStart", "gave no answer within 0.5 s"),
        ("EndsItsProcess", "ended its process (exit code 3)"),
        ("KillsItself", "was killed (signal 9"),
        ("Crashes", "was killed (signal 11"),
        ("ClosesEverything", "ended"),
        ("TakesAllMemory", "MemoryError"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_bot_that_breaks_down_is_named_and_the_checker_goes_on(name, words):
    found = check(name, move_time=5 if name == "TakesAllMemory" else 0.5)
    assert failed(found) == ["legal"]
    assert words in found["legal"].told
    assert found["blind"].status == "skipped"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Cheats", "is not legal"),
        ("ReadsInput", "raised EOFError"),
        ("RaisesBadly", "raised WrongError"),
        ("Escapes", "raised BaseException: out of here"),
        ("SaysItIsAnInt", "answered"),
        (f"{ZOO.with_name('sample_bots.py')}:Nonsense", "answered 'the best one'"),
        (f"{ZOO.with_name('sample_bots.py')}:Exits", "raised SystemExit: 3"),
        (f"{ZOO.with_name('sample_bots.py')}:Interrupts", "raised KeyboardInterrupt"),
    ],
)
def test_an_answer_that_is_none_is_told_with_the_position(name, words):
    found = check(name, positions=4)
    legal = found["legal"]
    assert legal.status == "failed"
    assert words in legal.told
    assert f"{GAME}, 3 players, seat" in legal.told
    assert faults_of(legal.record) == []
    assert 0 <= legal.action < len(legal.record.actions)


@pytest.mark.parametrize(
    ("name", "check_name", "words"),
    [
        ("Mutates", "view", "changes the view"),
        ("SortsInPlace", "view", "changes the view"),
        ("PrintsALot", "quiet", "prints 'xxx"),
        ("Moody", "repeats", "answers otherwise when asked again"),
        ("Counts", "repeats", "answers otherwise when asked again"),
        ("Peeks", "blind", "answers otherwise when only hidden cards change"),
        ("HangsInInit", "loads", "gave no answer within"),
        ("ForNoGame", "loads", "unknown game 'whist'"),
    ],
)
def test_a_fault_fails_its_own_check_and_no_other(name, check_name, words):
    found = check(name, positions=10, loading_time=2)
    assert failed(found) == [check_name], f"\n{found}"
    assert words in found[check_name].told


def test_a_bot_that_passes_on_what_other_seats_see_is_found_out():
    assert set(failed(check("TellsItsPartner"))) & {"repeats", "blind"}


def test_a_bot_is_asked_about_the_games_it_is_written_for_and_no_others():
    found = check_bot(f"{ZOO}:ForOneGame", positions=2, boards=0)
    assert found.passed, f"\n{found}"
    assert "1 games, 1 tables" in found["legal"].told


def test_whole_boards_are_played_and_finish_is_called():
    found = check("HangsInFinish", boards=1, positions=1)
    assert failed(found) == ["match"]
    assert "gave no answer within 0.5 s" in found["match"].told


def test_the_interval_of_a_median_holds_it_in_95_of_100_samples():
    rng = random.Random(5)
    held = 0
    for _ in range(2000):
        values = sorted(rng.expovariate(1) for _ in range(60))
        low, high = median_interval(60)
        held += values[low] <= math.log(2) <= values[high]
    assert 0.94 < held / 2000 < 0.985


def test_a_bot_against_itself_gains_nothing_and_more_on_random():
    found = check("heuristic", boards=30, positions=1, move_time=10)
    assert found["vs heuristic"].figures == {"payoff": 0.0, "payoff_ci": 0.0}
    gain = found["vs random"].figures
    assert gain["payoff"] > gain["payoff_ci"] > 0
    assert found["vs random"].n == 30


def test_the_screen_is_not_larger_than_a_screen_and_the_table_has_a_row_each():
    found = check_bot(f"{ZOO}:PrintsALot", [GAME], positions=1, boards=2)
    lines = str(found).splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) < 80
    assert list(found.to_frame()["check"]) == [check.name for check in found.checks]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"spec": "no_such_file.py:MyBot"}, UnknownBotError),
        ({"spec": f"{ZOO}:Frist"}, UnknownBotError),
        ({"spec": "heuristc"}, UnknownBotError),
        ({"spec": "random", "games": ["whist"]}, RuleSetError),
        ({"spec": "random", "positions": 0}, RunError),
        ({"spec": "random", "boards": -1}, RunError),
    ],
)
def test_a_users_mistake_is_raised_and_no_check_fails(call, error):
    with pytest.raises(error):
        check_bot(**call)


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main(["bot", *arguments])
    return stop.value.code or 0


def test_exit_codes_tell_a_bot_that_fails_from_a_mistake(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small = ("--game", GAME, "--positions", "2", "--boards", "0")
    assert run("check", "random", *small) == 0
    assert "passed: 6 checks" in capsys.readouterr().out
    assert run("check", f"{ZOO}:Cheats", *small) == 1
    out = capsys.readouterr().out
    assert "failed: 2 of 6 checks" in out
    assert "forty5sim replay failed-zoo-Cheats.jsonl" in out
    assert len(list(read_records("failed-zoo-Cheats.jsonl"))) == 2
    assert run("check", "nobody.py:Bot", *small) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "forty5sim: bot 'nobody.py:Bot': there is no file 'nobody.py'\n")


def test_json_holds_the_checks_and_the_records(capsys):
    small = ("--game", GAME, "--positions", "2", "--boards", "0", "--json")
    assert run("check", f"{ZOO}:Cheats", *small) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["passed"]
    assert found["rows"][0]["record"]["players"] == 3
    assert not Path("failed-zoo-Cheats.jsonl").exists()
