"""The cache on disk: it notices edits anywhere, and every entry loads from it."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

import forty5sim
from forty5sim import compiling
from forty5sim.agent import Part
from forty5sim.kernels import boards, games, jit

PACKAGE = Path(forty5sim.__file__).parent

pytestmark = pytest.mark.skipif(not jit.is_compiled(), reason="there is no cache without the JIT")


def run_python(code, folder, cache):
    environment = {**os.environ, "PYTHONPATH": str(folder), "FORTY5SIM_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_edit_of_a_helper_gives_the_new_result(tmp_path):
    """numba's own cache would go on returning the old machine code here."""
    shutil.copytree(PACKAGE, tmp_path / "forty5sim")
    code = (
        "import numpy as np\n"
        "from forty5sim.kernels import face, layout\n"
        "from forty5sim.named_rules import find_rules\n"
        "from forty5sim.tables import rule_tables\n"
        "state = np.zeros(layout.STATE_SIZE, dtype=np.int64)\n"
        "face.seat_game(state, rule_tables(find_rules('forty-five')), 4, 2, 0, 1)\n"
        "print(state[layout.NEXT])\n"
    )
    assert run_python(code, tmp_path, tmp_path / "cache") == "1"
    helper = tmp_path / "forty5sim" / "kernels" / "deal.py"
    text = helper.read_text(encoding="utf-8")
    assert "return seat + 1 + lowest(left) if left" in text
    helper.write_text(
        text.replace("return seat + 1 + lowest(left) if left", "return seat + 3 if left"),
        encoding="utf-8",
    )
    assert run_python(code, tmp_path, tmp_path / "cache") == "3"


ALL_ENTRIES = """
import importlib, pkgutil
import forty5agents, forty5sim.kernels
from forty5sim.kernels import jit
hits = misses = 0
for package in (forty5sim.kernels, forty5agents):
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            stats = getattr(value, "stats", None)
            is_entry = stats is not None and "Null" not in type(value._cache).__name__
            if is_entry and value.__module__ == info.name:
                hits += sum(stats.cache_hits.values())
                misses += sum(stats.cache_misses.values())
print(hits, misses)
"""

USE_ENTRIES = """
import forty5sim
from forty5sim import chances
from forty5sim.agent import as_plain, view_of
from forty5sim.counting import perft
from forty5sim.kernels import solving, speed, views
from forty5sim.arena.conditions import Conditions, board_game, in_columns
from forty5sim.arena.match import plain_twin, play_pairing
from forty5sim.arena.fields import column_names
from forty5sim.arena.schedule import fixed_table
from forty5sim.arena.store import pack_part
from forty5sim.arena.tally import Tally
from forty5sim.registry import find_bot
from forty5sim.named_rules import find_rules
from forty5sim.bench.deals import random_figures
from forty5sim.searches import two_player_table
from forty5sim.tables import rule_tables
game = forty5sim.Game("spoil-five", seed=1)
while game.next_deal() if game.deal_is_over else True:
    if game.deal_number > 2:
        break
    game.push(game.legal_actions[0])
game.is_over = True
game.winners
view_of(forty5sim.Game("spoil-five:unpaid=all_in", 3, playing=[0, 2], dealer=0))
board_game(Conditions(find_rules("spoil-five"), 3, 1, whole_games=True), 2)
perft(forty5sim.Game("forty-five", seed=1), 3)
bots = [find_bot("heuristic"), find_bot("random")]
for whole in (False, True):
    conditions = Conditions(find_rules("spoil-five"), 3, 1, whole_games=whole)
    rows, _ = play_pairing(conditions, bots, [(0, 1, 1)], 0, 2)
    tally = Tally(conditions, ["a", "b"], [fixed_table((0, 1, 1))])
    tally.add_rows([rows[:, [0, 0, 0]]], 0)
    pack_part([in_columns(rows)], column_names(conditions.rules, 3), [])
    play_pairing(conditions, [plain_twin(bots[0]), bots[1]], [(0, 1, 1)], 0, 2)
list(random_figures("spoil-five", 3, 1))
game = forty5sim.Game("spoil-five", 3, seed=1)
view = view_of(game)
infoset = forty5sim.InformationSet(view)
infoset.determinize(2)
infoset.marginals()
public = infoset._public, rule_tables(view.rules)
views.count_histories(*public, infoset._facts, infoset._plan, infoset._chances)
forty5sim.solve(game)
two = forty5sim.Game("forty-five:hand_size=2", 2, seed=1)
forty5sim.solve(two)
solving.look_up(two_player_table(two.rules), 1, 0, 1, 1, 1)
for rules, players in (("forty-five", 2), ("spoil-five", 3)):
    alone = forty5sim.Game(rules, players, seed=1, alone=True)
    forty5sim.analyse(view_of(alone), "pimc:worlds=1")
    forty5sim.analyse(view_of(alone), "ismcts:iterations=2")
forty5sim.value("rob", players=2, bots=["random"], deals=2)
chances.DEALS = 5
chances._measured(two.rules, 2)
"""


def test_every_entry_loads_from_a_warm_cache_in_another_process():
    code = USE_ENTRIES + ALL_ENTRIES
    root, cache = PACKAGE.parent, jit.cache_root()
    run_python(code, root, cache)  # compiles what other tests have not used yet
    hits, misses = run_python(code, root, cache).split()
    assert int(hits) >= 37
    assert misses == "0"


def test_old_caches_are_forgotten(tmp_path):
    for number in range(12):
        folder = tmp_path / f"{number:016d}"
        folder.mkdir()
        os.utime(folder, (number, number))
    (tmp_path / "notes").mkdir()
    jit._forget_old(tmp_path)
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [*(f"{number:016d}" for number in range(4, 12)), "notes"]


def test_a_cache_folder_that_cannot_be_made_is_no_cache(tmp_path, monkeypatch):
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("FORTY5SIM_CACHE_DIR", str(blocker))
    jit.cache_folder.cache_clear()
    try:
        assert not jit.can_cache()
    finally:
        jit.cache_folder.cache_clear()


def test_the_cache_can_be_measured():
    assert jit.cache_size() > 0
    assert jit.can_cache()


@pytest.mark.parametrize("whole_games", [False, True])
def test_what_plays_boards_is_compiled_ahead_for_the_arrays_that_it_gets(tmp_path, whole_games):
    forty5sim.tournament(
        "spoil-five", ["random", "heuristic"], boards=2, whole_games=whole_games, results=tmp_path
    )
    kernel, contract = (
        (games.play_games, games.PLAY_GAMES)
        if whole_games
        else (boards.play_boards, boards.PLAY_BOARDS)
    )
    assert kernel.signatures == [contract.args]


def test_a_part_that_another_is_at_is_waited_for(tmp_path, monkeypatch):
    path, begun, done, seen = tmp_path / "part.lock", threading.Event(), [], []

    def other():
        with FileLock(path):
            begun.set()
            time.sleep(0.3)
            done.append("compiled")

    monkeypatch.setattr(compiling, "lock_file", lambda function: path)
    monkeypatch.setattr(compiling, "_load", lambda part: seen.append(list(done)))
    monkeypatch.setattr(compiling, "_helper", lambda parts: None)
    thread = threading.Thread(target=other)
    thread.start()
    begun.wait()
    meanwhile = []
    parts = [Part(boards.play_boards, boards.PLAY_BOARDS)]
    compiling.compile_parts(parts, meanwhile=lambda: meanwhile.append(list(done)))
    thread.join()
    assert meanwhile == [[]]
    assert seen == [["compiled"]]
    compiling.compile_parts(parts, meanwhile=lambda: meanwhile.append("nobody is at it"))
    assert meanwhile == [[]]
