"""Bots from files that break down: each is named, and nothing else suffers from it."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from forty5sim.agent import ask, view_of
from forty5sim.arena.crew import Crew
from forty5sim.arena.fields import column_names
from forty5sim.arena.guard import Guard, Limits
from forty5sim.arena.plan import make_plan
from forty5sim.arena.workers import play_chunks
from forty5sim.errors import AgentError, RunError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot

ZOO = Path(__file__).parent / "bots" / "zoo.py"
MOVE_TIME = 0.5
SEED = 1

has_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def zoo(name):
    return f"{ZOO}:{name}"


def plan_of(*bots, boards=2, on_error="stop"):
    return make_plan(find_rules("forty-five"), bots, 2, boards, SEED, on_error=on_error)


def play(name, *, boards=2, on_error="stop", workers=1, chunk=None, **limits):
    """Play the heuristic against a bot of the zoo; return the rows and the faults, in order."""
    plan = plan_of("heuristic", zoo(name), boards=boards, on_error=on_error)
    size = chunk or boards
    ranges = [(start, size) for start in range(0, boards, size)]
    limits = Limits(**{"move_time": MOVE_TIME, **limits})
    played = sorted(play_chunks(Crew(plan, limits), ranges, workers), key=lambda chunk: chunk.first)
    faults = [fault for chunk in played for fault in chunk.faults]
    return np.concatenate([rows_of(plan, chunk) for chunk in played]), faults


def rows_of(plan, played):
    table = pa.ipc.open_file(played.part).read_all()
    columns = [table[name].to_numpy() for name in column_names(plan.rules, plan.players)]
    return np.stack(columns).reshape(len(columns), -1, played.count).transpose(2, 1, 0)


def players(kept=()):
    """Return the processes of guards that this process has started and that are still there."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
            command = (stat.parent / "cmdline").read_text()
        except OSError:
            continue
        if (
            int(parent) == os.getpid()
            and "player.main" in command
            and int(stat.parent.name) not in kept
        ):
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="module")
def guard():
    """A guard for all the bots that do no harm to its process."""
    with Guard(Limits(move_time=5)) as guard:
        yield guard


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path, monkeypatch, guard):
    """After each test no process, no thread and no file of a guard is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    before = players()
    yield
    assert players(before) == []
    assert list((tmp_path / "shared").iterdir()) == []


@pytest.fixture(scope="module")
def clean(guard):
    """The rows of a bot that does nothing wrong."""
    return play_guarded(guard, "First")[0]


def play_guarded(guard, name, on_error="stop", boards=2):
    chunk = guard.play(plan_of("heuristic", zoo(name), on_error=on_error), 0, boards)
    return chunk.results[0], chunk.faults


def test_a_run_with_forfeits_is_the_same_for_any_workers():
    rows, faults = play("Hangs", on_error="forfeit")
    others, again = play("Hangs", on_error="forfeit", workers=2, chunk=1)
    assert (rows == others).all()
    assert faults == again
    assert [str(fault) for fault in faults] == [
        "Hangs at seat 1, board 1, replay 0: gave no answer within 0.5 s"
    ]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Late", r"gave no answer within 0.5 s"),
        ("EndsItsProcess", r"ended its process \(exit code 3\)"),
        ("KillsItself", r"was killed \(signal 9; out of memory\?\)"),
        ("HangsInStart", r"gave no answer within 0.5 s"),
    ],
)
def test_a_bot_that_breaks_down_stops_the_run(name, problem):
    with pytest.raises(AgentError, match=f"bot {name} at seat ., board ., replay .: {problem}"):
        play(name)


def test_a_process_that_ends_between_two_questions_is_charged_to_nobody():
    with pytest.raises(RunError, match=r"exit code 1\); the bot last asked was ClosesEverything"):
        play("ClosesEverything", on_error="forfeit")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory")
def test_a_bot_that_takes_all_memory_is_named():
    with pytest.raises(AgentError, match=r"bot TakesAllMemory at seat .*: raised MemoryError"):
        play("TakesAllMemory", memory=300_000_000, move_time=20)


def test_a_crash_is_a_fault_of_the_bot_that_was_asked():
    _, faults = play("Crashes", on_error="forfeit")
    assert [str(fault) for fault in faults] == [
        "Crashes at seat 1, board 1, replay 0: was killed (signal 11)"
    ]


def test_a_fault_in_finish_costs_no_deal(clean):
    rows, faults = play("HangsInFinish", on_error="forfeit", boards=1)
    assert (rows == clean[:1]).all()
    assert [(f.seat, f.problem) for f in faults] == [(1, "gave no answer within 0.5 s")]


def test_a_bot_that_hangs_once_is_let_off(tmp_path, clean):
    rows, faults = play(f"HangsOnce:mark={tmp_path / 'mark'}")
    assert faults == []
    assert (rows == clean).all()


@pytest.mark.parametrize(
    "name", ["Mutates", "PrintsALot", "Redirects", "StartsThreads", "StartsAProcess"]
)
def test_what_does_no_harm(name, clean, guard):
    rows, faults = play_guarded(guard, name)
    assert faults == []
    assert (rows == clean).all()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Cheats", "which is not legal"),
        ("SaysItIsAnInt", "answered -5 where the legal actions are"),
        ("RaisesBadly", "raised WrongError: <WrongError that cannot be shown>"),
        ("Escapes", "raised BaseException: out of here"),
        ("ReadsInput", "raised EOFError"),
    ],
)
def test_what_is_a_fault_at_once(name, problem, guard):
    _, faults = play_guarded(guard, name, on_error="forfeit")
    assert len(faults) == 4
    assert {fault.bot for fault in faults} == {name}
    assert problem in faults[0].problem


def found(*bots, limits=None):
    with Crew(plan_of(*bots), limits or Limits()) as crew:
        return crew.look_up()


def test_bots_that_do_not_load(tmp_path):
    limits = Limits(MOVE_TIME, loading_time=0.5)
    with pytest.raises(
        AgentError, match=r"HangsInInit' cannot be built: gave no answer within 0.5"
    ):
        found("heuristic", zoo("HangsInInit"), limits=limits)
    path = tmp_path / "hangs.py"
    path.write_text("while True: pass\n")
    plan = plan_of("heuristic", f"{path}:Bot", on_error="forfeit")
    with Guard(limits) as guard, pytest.raises(AgentError, match="Bot' cannot be built: gave no"):
        guard.play(plan, 0, 1)


def test_bots_are_found_without_loading_them_here():
    bots = found("heuristic", zoo("First"), zoo("HangsInStart"))
    assert [bot.name for bot in bots] == ["heuristic", "First", "HangsInStart"]
    assert [bot.keeps_notes for bot in bots[1:]] == [False, True]
    assert bots[1].build().act
    with pytest.raises(AgentError, match="there is no file"):
        found("heuristic", "nowhere.py:Bot")


def test_ctrl_c_ends_a_hanging_bot():
    plan = plan_of("heuristic", zoo("Hangs"))
    timer = threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(play_chunks(Crew(plan, Limits(60)), [(0, 1), (1, 1)], 2))
    timer.join()


def test_closing_the_generator_ends_the_processes():
    plan = plan_of("heuristic", zoo("First"))
    played = play_chunks(Crew(plan), [(0, 1), (1, 1)], 2)
    next(played)
    played.close()


@has_proc
def test_a_process_ends_when_its_parent_is_killed():
    code = (
        "from forty5sim.arena.guard import Guard, Limits\n"
        "from tests.test_guard import plan_of, zoo\n"
        "guard = Guard(Limits(None))\n"
        "child = guard._current()\n"
        "print(child.process.pid, flush=True)\n"
        "guard.play(plan_of('heuristic', zoo('Hangs')), 0, 2)\n"
    )
    root = Path(__file__).parent.parent
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root) as parent:
        child = Path("/proc") / parent.stdout.readline().decode().strip()
        time.sleep(3)
        assert child.exists()
        parent.kill()
    until = time.monotonic() + 5
    while child.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not child.exists()


def test_answers_are_taken_by_their_type():
    class Says:
        def __init__(self, answer):
            self.answer = answer

        def act(self, view):
            return self.answer

    class Five(int):
        def __index__(self):
            return legal

        __int__ = __index__

    class Unshowable:
        __class__ = int

        def __repr__(self):
            raise KeyError

    view = view_of(Game(find_rules("forty-five"), 2, seed=1, deal=1))
    legal = view.legal[0]
    assert ask(Says(np.int32(legal)), view) == legal
    for answer in (True, 1.0, None, "x", np.bool_(True), [legal], Unshowable()):
        with pytest.raises(AgentError, match="which is no action"):
            ask(Says(answer), view)
    for answer in (Five(-5), -1, 10**5000, 63, np.int64(-(2**63))):
        with pytest.raises(AgentError, match="which is not legal"):
            ask(Says(answer), view)
    with pytest.raises(AgentError, match="WrongError that cannot be shown"):
        ask(find_bot(zoo("RaisesBadly")).build(), view)
