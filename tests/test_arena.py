"""Tournaments: reproducible to the byte, resumable, fair, and clear about bots that misbehave."""

import errno
import io
import json
import math
import os
import random
import shutil

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy.special import stdtrit

import forty5sim
from forty5sim.arena import running as arena
from forty5sim.arena.chunks import play_chunk
from forty5sim.arena.conditions import Conditions
from forty5sim.arena.crew import run_on_threads
from forty5sim.arena.fields import column_names
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import make_plan, run_name
from forty5sim.arena.planning import forecast
from forty5sim.arena.schedule import pair
from forty5sim.arena.store import RunFolder, missing_ranges
from forty5sim.arena.tally import Tally
from forty5sim.errors import AgentError, RuleSetError, RunError
from forty5sim.kernels import rows
from forty5sim.named_rules import find_rules, presets
from forty5sim.registry import find_bot
from forty5sim.report import fault_lines, legend, tournament_report
from forty5sim.stats import boards_for
from tests import killing


def play(tmp_path, game="spoil-five", bots=("heuristic", "random"), **options):
    options = {"boards": 60, "results": tmp_path, "workers": 1, **options}
    return forty5sim.tournament(game, list(bots), **options)


def test_the_digest_is_the_same_for_any_workers_and_chunks(tmp_path):
    digests = {
        play(tmp_path, workers=workers, chunk=chunk, fresh=True).digest
        for workers in (1, 2, 7)
        for chunk in (None, 1, 7, 60)
    }
    assert len(digests) == 1


def test_the_digest_is_the_same_in_any_order(tmp_path, monkeypatch):
    whole = play(tmp_path / "whole")
    in_turn = arena._chunks_left

    def shuffled(*arguments):
        chunks = in_turn(*arguments)
        random.Random(3).shuffle(chunks)
        return chunks

    monkeypatch.setattr(arena, "_chunks_left", shuffled)
    again = play(tmp_path, chunk=7, workers=5)
    assert again.digest == whole.digest
    assert again.verdict == whole.verdict


def test_the_digest_of_plain_bots_is_the_same_for_any_workers(tmp_path, sample_bot):
    bots = ["heuristic", sample_bot("Random")]
    one = play(tmp_path, bots=bots, workers=1, fresh=True)
    two = play(tmp_path, bots=bots, workers=2, chunk=11, fresh=True)
    assert one.digest == two.digest
    assert one.verdict == two.verdict


@pytest.mark.parametrize("game", ["spoil-five", "forty-five", "forty-five-three-handed"])
@pytest.mark.parametrize("whole_games", [False, True])
def test_a_bot_against_itself_differs_by_nothing(tmp_path, game, whole_games):
    result = play(
        tmp_path, game, ["random", "random"], boards=9, whole_games=whole_games, fresh=True
    )
    assert list(result.standings["bot"]) == ["random#1", "random#2"]
    assert (result.standings["payoff"] == 0).all()
    assert (result.standings["payoff_ci"] == 0).all()
    assert "no difference at all" in result.verdict


def test_a_plain_bot_against_itself_differs_by_nothing(tmp_path, sample_bot):
    result = play(tmp_path, bots=[sample_bot("Random"), sample_bot("Random")], boards=10)
    assert (result.standings["payoff"] == 0).all()


def test_every_seat_deals_first_equally_often():
    """Under dealer_double the dealer is who pays two: each seat in one board of five."""
    conditions = Conditions(find_rules("spoil-five:ante_rule=dealer_double,jink=off"), 5, seed=3)
    result, _ = play_pairing(conditions, [find_bot("random")], [(0,) * 5], 0, 200)
    spoiled = result[result[:, 0, rows.ROW_SPOILS] == 1, 0]
    start = rows.HEAD_SIZE + rows.BLOCK_POINTS * 5
    dealers = spoiled[:, start : start + 5].argmin(axis=1)
    boards = np.nonzero(result[:, 0, rows.ROW_SPOILS] == 1)[0]
    assert (dealers == boards % 5).all()
    assert len(boards) > 50


def test_payoffs_of_every_deal_sum_to_zero(tmp_path):
    for game, whole in (("spoil-five", False), ("forty-five", False), ("spoil-five", True)):
        result = play(tmp_path, game, boards=20, whole_games=whole, fresh=True)
        frame = result.rows()
        payoffs = frame[[c for c in frame if c.startswith("payoff_")]]
        sides = result.conditions.sides
        assert (payoffs.iloc[:, :sides].sum(axis=1) == 0).all()


def test_a_run_goes_on_where_it_stopped(tmp_path):
    whole = play(tmp_path, chunk=10)
    for part in list(RunFolder(whole.folder).parts())[1:5]:
        part.path.unlink()
    again = play(tmp_path, chunk=7)
    assert again.digest == whole.digest
    assert arena.resume(whole.folder).digest == whole.digest


def test_ctrl_c_keeps_what_is_done_and_the_run_goes_on(tmp_path, monkeypatch):
    whole = play(tmp_path / "whole", boards=60, chunk=10)
    write_part = RunFolder.write_part
    calls = []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        write_part(self, *arguments)

    monkeypatch.setattr(RunFolder, "write_part", interrupted)
    stopped = play(tmp_path, chunk=10)
    assert not stopped.complete
    assert stopped.boards == 20
    assert (stopped.standings["payoff"].sum()) == pytest.approx(0)
    assert play(tmp_path, chunk=7).digest == whole.digest


def test_overlapping_parts_are_refused(tmp_path):
    whole = play(tmp_path, chunk=30)
    part = RunFolder(whole.folder).parts()[1]
    shutil.copy(part.path, part.path.with_name("boards-000000000010-30.arrow"))
    with pytest.raises(RunError, match="hold the same boards"):
        play(tmp_path)


def test_parts_of_an_earlier_version_are_told_and_replaced(tmp_path):
    whole = play(tmp_path)
    old = RunFolder(whole.folder).parts()[0].path.with_suffix(".parquet")
    old.write_bytes(b"")
    with pytest.raises(RunError, match=r"of an earlier version; start anew with --fresh"):
        play(tmp_path)
    assert play(tmp_path, fresh=True).digest == whole.digest
    assert not old.exists()


@pytest.mark.parametrize("whole_games", [False, True])
@pytest.mark.parametrize("game", ["spoil-five", "five-hundred"])
def test_rows_come_back_as_they_were_played(tmp_path, game, whole_games):
    done = play(tmp_path, game, boards=12, whole_games=whole_games, chunk=5)
    run = forty5sim.load_run(done.folder)
    bots = [find_bot(name) for name in run.plan.bots]
    seatings = run.plan.pairings[0].seatings
    played, _ = play_pairing(run.plan.conditions, bots, seatings, 0, 12)
    flat = played.reshape(12 * len(seatings), -1)
    pd.testing.assert_frame_equal(
        run.rows[column_names(run.plan.rules, run.plan.players)],
        pd.DataFrame(flat, columns=column_names(run.plan.rules, run.plan.players)),
    )
    assert (run.rows["board"] == np.repeat(np.arange(12), len(seatings))).all()


def test_a_finished_run_is_not_played_again(tmp_path):
    whole = play(tmp_path)
    before = {part.path: part.path.stat().st_mtime_ns for part in RunFolder(whole.folder).parts()}
    assert play(tmp_path).digest == whole.digest
    after = {part.path: part.path.stat().st_mtime_ns for part in RunFolder(whole.folder).parts()}
    assert before == after


def test_a_changed_plan_is_refused_with_what_differs(tmp_path):
    play(tmp_path, name="x")
    with pytest.raises(RunError, match=r"seed was 1, now 2.*--fresh"):
        play(tmp_path, name="x", seed=2)
    assert play(tmp_path, name="x", seed=2, fresh=True).boards == 60


def test_a_damaged_part_is_named(tmp_path):
    whole = play(tmp_path)
    part = RunFolder(whole.folder).parts()[0]
    part.path.write_bytes(b"nonsense")
    with pytest.raises(RunError, match=r"cannot be read .*delete it and run again"):
        play(tmp_path)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"game": "forty-five"}, "is of another plan"),
        ({"bots": ("heuristic", "random", "mc:worlds=1")}, "is of another plan"),
        ({"boards": 30}, "it has not so many rows as its name says"),
    ],
)
def test_a_part_of_another_run_is_named(tmp_path, other, message):
    part = RunFolder(play(tmp_path).folder).parts()[0]
    alien = RunFolder(play(tmp_path / "other", **other).folder).parts()[0]
    shutil.copy(alien.path, part.path)
    with pytest.raises(RunError, match=f"{part.path.name}' .*{message}.* delete it and run again"):
        play(tmp_path)


def test_no_half_part_is_left_when_writing_fails(tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.create({"plan": {}})
    shutil.rmtree(tmp_path / "run" / "parts")
    with pytest.raises(RunError, match="cannot write"):
        folder.write_part(0, 2, b"rows")
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_a_manifest_says_what_was_asked(tmp_path):
    result = play(tmp_path, "spoil-five:ante=2")
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["plan"]["game"] == "spoil-five:ante=2"
    assert manifest["plan"]["options"]["ante"] == 2
    assert manifest["plan"]["bots"] == ["heuristic", "random"]
    assert manifest["result"]["digest"] == result.digest
    assert "numba" in manifest["versions"]
    assert arena.resume(result.folder).digest == result.digest


def test_resuming_where_there_is_nothing(tmp_path):
    with pytest.raises(RunError, match="is no run folder"):
        arena.resume(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(RunError, match="holds no manifest"):
        arena.resume(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(RunError, match="not complete"):
        arena.resume(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RunError, match="cannot read"):
        arena.resume(tmp_path)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"boards": 0}, RunError, "boards must be a whole number 1"),
        ({"seed": -1}, RunError, "seed"),
        ({"bots": ["random"]}, AgentError, "two bots or more"),
        ({"bots": ["random"] * 3, "table": True, "players": 5}, AgentError, "needs 5 bots"),
        ({"players": 11}, RuleSetError, "not for 11 players"),
        ({"players": 5.0}, RunError, "players must be a whole number"),
        ({"name": "a\nb"}, RunError, "printable"),
        ({"pot": -3}, RunError, "pot must be"),
        ({"pot": 3, "whole_games": True}, RuleSetError, "single deals"),
        ({"pot": 3, "game": "forty-five"}, RuleSetError, "pot games"),
        ({"boards": 2.5}, RunError, "whole number"),
        ({"chunk": 0}, RunError, "chunk must be"),
        ({"workers": -1}, RunError, "workers must be"),
        ({"game": 7}, RuleSetError, "named by a text"),
        ({"on_error": "ignore"}, RunError, "stop or forfeit"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        play(tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_numbers_of_numpy_are_whole_numbers(tmp_path):
    result = play(tmp_path, boards=np.int64(5), seed=np.int64(1), workers=np.int64(1))
    assert result.digest == play(tmp_path, boards=5).digest


def test_bots_are_a_list(tmp_path):
    with pytest.raises(AgentError, match="list of specs"):
        forty5sim.tournament("spoil-five", "heuristic", results=tmp_path)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Raises", "raised KeyError: 'lost the thread'"),
        ("Illegal", "which is not legal"),
        ("Nonsense", "'the best one', which is no action"),
        ("Exits", "raised SystemExit: 3"),
        ("Interrupts", "raised KeyboardInterrupt: "),
        ("BadFinish", "raised ValueError in finish: sore loser"),
    ],
)
def test_bots_that_misbehave_are_named(tmp_path, sample_bot, name, problem):
    bots = ["heuristic", sample_bot(name)]
    with pytest.raises(AgentError, match=f"bot {name} at seat .*{problem}"):
        play(tmp_path, bots=bots, boards=4)
    result = play(tmp_path, bots=bots, boards=4, on_error="forfeit")
    assert {fault.bot for fault in result.faults} == {name}
    forfeits = result.standings.set_index("bot")["forfeits"]
    assert forfeits["heuristic"] == 0
    assert len(result.faults) > 0
    assert forfeits[name] == (0 if name == "BadFinish" else len(result.faults))
    assert problem.split(":")[0] in fault_lines(result)[0]
    assert result.standings["bot"][0] == "heuristic"


def test_a_forfeit_costs_the_worst_and_the_others_share_it(tmp_path, sample_bot):
    result = play(tmp_path, bots=["heuristic", sample_bot("Illegal")], on_error="forfeit")
    frame = result.rows()
    units = result.conditions.payoff_units
    lost = frame[frame["forfeit"] >= 0].iloc[0]
    payoffs = [lost[f"payoff_{seat}"] / units for seat in range(5)]
    assert payoffs[int(lost["forfeit"])] == pytest.approx(-2)  # the ante and a jinker's bonus
    assert sum(payoffs) == pytest.approx(0)
    assert sorted(payoffs)[1:] == [pytest.approx(0.5)] * 4


def test_compiled_bots_of_installed_packages_run_on_threads():
    assert run_on_threads(["heuristic", "random"])
    assert not run_on_threads(["heuristic", "my_bot.py:MyBot"])


def test_a_fixed_table_with_whole_games(tmp_path):
    result = play(
        tmp_path, "forty-five-three-handed", ["heuristic", "random", "random"], table=True,
        boards=12, whole_games=True,
    )  # fmt: skip
    assert result.is_table
    assert set(result.standings["bot"]) == {"heuristic", "random"}
    wins = result.standings.set_index("bot")["games_won"]
    assert wins["heuristic"] + 2 * wins["random"] == pytest.approx(1)
    assert "mean payoff of a seat" in legend(result)


def test_a_pot_from_before(tmp_path):
    plain = play(tmp_path, boards=30)
    rich = play(tmp_path, boards=30, pot=20)
    assert rich.digest != plain.digest
    frame = rich.rows()
    payoffs = frame[[c for c in frame if c.startswith("payoff_")]]
    assert (payoffs.sum(axis=1) == 0).all()


def test_the_report_fits_eighty_columns(tmp_path):
    console = Console(width=80, record=True, file=io.StringIO())
    for options in ({}, {"whole_games": True, "boards": 4}):
        console.print(tournament_report(play(tmp_path, **options)))
    text = console.export_text()
    assert "…" not in text
    assert "payoff" in text
    assert max(map(len, text.splitlines())) <= 80


def test_missing_ranges():
    class Done:
        def __init__(self, first, count):
            self.first, self.count = first, count

    assert list(missing_ranges([], 5)) == [(0, 5)]
    assert list(missing_ranges([Done(2, 2), Done(5, 1)], 8)) == [(0, 2), (4, 1), (6, 2)]
    assert list(missing_ranges([Done(0, 8)], 8)) == []


def test_labels_and_names():
    bots = [find_bot("random"), find_bot("random"), find_bot("heuristic")]
    plan = make_plan(find_rules("spoil-five:ante=2"), ["random", "heuristic"], boards=10)
    assert plan.labels(bots) == ["random#1", "random#2", "heuristic"]
    assert run_name(plan) == "spoil-five-ante-2-5p-random-heuristic-10-boards-seed1"


@pytest.mark.parametrize("name", list(presets()))
def test_heuristic_beats_random_everywhere(name):
    rules = presets()[name]
    bots = [find_bot("heuristic"), find_bot("random")]
    for players in [n for n in rules.players if n <= 6]:
        conditions = Conditions(rules, players, seed=11)
        pairing = pair(0, 1, players, conditions.sides)
        result, _ = play_pairing(conditions, bots, pairing.seatings, 0, 1500)
        tally = Tally(conditions, ["heuristic", "random"], [pairing])
        tally.add_rows([result], 0)
        value = tally.estimate("payoff", 0)
        assert value.mean > 4 * value.half_width / 1.96, (name, players, value)


def test_rows_count_what_happened():
    conditions = Conditions(find_rules("spoil-five"), 5, seed=2)
    result, _ = play_pairing(conditions, [find_bot("random")], [(0,) * 5], 0, 400)
    flat = result.reshape(400, -1)
    blocks = flat[:, rows.HEAD_SIZE :].reshape(400, rows.BLOCK_COUNT, 5)
    pots = blocks[:, rows.BLOCK_POTS].sum(axis=1)
    failed = blocks[:, rows.BLOCK_JINKS_FAILED].sum(axis=1)
    assert (pots + flat[:, rows.ROW_SPOILS] == 1).all()
    assert failed.sum() > 0  # rules 5.3: a failed jink leaves the pot, the deal counts as spoiled
    assert (flat[:, rows.ROW_SPOILS] >= failed).all()
    assert (blocks[:, rows.BLOCK_TRICKS].sum(axis=1) <= 5).all()
    assert (blocks[:, rows.BLOCK_POINTS].sum(axis=1) == -flat[:, rows.ROW_POT]).all()
    assert (flat[:, rows.ROW_DEALS] == 1).all()


def test_two_processes_on_one_folder(tmp_path):
    result = play(tmp_path)
    with (
        RunFolder(result.folder).locked(),
        pytest.raises(RunError, match="another process is playing"),
    ):
        play(tmp_path)
    assert play(tmp_path).digest == result.digest


def test_a_full_disk_leaves_no_half_part(tmp_path, monkeypatch):
    whole = play(tmp_path / "whole", chunk=10)
    write_bytes = type(tmp_path).write_bytes
    calls = []

    def full(self, data):
        calls.append(self)
        if len(calls) == 3:
            write_bytes(self, data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(self, data)

    monkeypatch.setattr(type(tmp_path), "write_bytes", full)
    with pytest.raises(RunError, match=r"cannot write .*No space left on device"):
        play(tmp_path, chunk=10)
    assert not list(tmp_path.rglob("*.tmp"))
    assert len(list(tmp_path.glob("*/parts/*.arrow"))) == 2
    assert play(tmp_path).digest == whole.digest


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder not to write to")
def test_a_folder_that_cannot_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match="cannot write to"):
        play(tmp_path)


def test_a_file_in_the_way_of_a_folder(tmp_path):
    (tmp_path / "results").write_text("")
    with pytest.raises(RunError, match="cannot write to"):
        play(tmp_path, results=tmp_path / "results")


def test_a_table_of_neighbours(tmp_path):
    bots = ["heuristic", "random", "random"]
    game = "forty-five-three-handed"
    plain = play(tmp_path, game, bots, table=True)
    result = play(tmp_path, game, bots, table=True, seats="neighbours")
    assert result.digest != plain.digest
    assert not result.duels
    with pytest.raises(RunError, match="for one table"):
        play(tmp_path, seats="neighbours")
    with pytest.raises(RunError, match="rotations or neighbours"):
        play(tmp_path, game, bots, table=True, seats="random")


def test_seats_and_duels_are_told_and_kept(tmp_path):
    result = play(tmp_path, bots=["heuristic", "random", "random"])
    run = forty5sim.load_run(result.folder)
    assert [row["seat"] for row in result.seats][::4] == ["eldest", "dealer"]
    assert sum(row["payoff"] for row in result.seats) == pytest.approx(0)
    assert len(run.duels) == 3
    row = run.duels.iloc[0]
    assert row["wins"] + row["ties"] + row["losses"] == row["boards"] == 60
    assert run.duels.iloc[2]["elo"] == 0  # random against random
    assert list(run.times["bot"]) == ["heuristic", "random#1", "random#2"]
    series = run.series(most=7)
    assert series.boards.tolist() == [9] * 6 + [6]
    means = series.payoffs.sum(axis=0) / series.boards.sum()
    by_name = result.standings.set_index("bot")["payoff"]
    assert means == pytest.approx([by_name[name] for name in series.names])
    assert run.tally.digest == result.digest


def simulated_power(plan, found, runs=4000):
    """Return how often the planned boards show the effect, drawn from boards that have it.

    Three points of a hundred are what 10 % more or fewer boards would make.
    """
    results = play_chunk(plan, 0, 20_000).results
    tally = Tally(plan.conditions, plan.bots, plan.pairings)
    tally.add_rows(results, 0)
    values, counts = (np.array(part) for part in tally.duels[0].payoff_support())
    shifted = values - np.average(values, weights=counts) + found.effect
    rng = np.random.default_rng(1)
    drawn = rng.choice(shifted, (runs, found.boards), p=counts / counts.sum())
    errors = drawn.std(axis=1, ddof=1) / math.sqrt(found.boards)
    return (np.abs(drawn.mean(axis=1)) > stdtrit(found.boards - 1, 0.975) * errors).mean()


def test_a_plan_made_in_advance(tmp_path):
    plan = make_plan(find_rules("forty-five"), ["heuristic", "random"])
    (found,) = forecast(plan, 1.0, cores=2)
    assert (found.bot, found.against, found.pilot) == ("heuristic", "random", 5000)
    assert found.fewest < found.boards < found.most
    assert found.boards == boards_for(1.0, found.deviation)
    assert simulated_power(plan, found) == pytest.approx(0.8, abs=0.03)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(RunError, match="effect to plan for must be"):
            forecast(plan, wrong)
    same = make_plan(find_rules("forty-five"), ["random", "random"])
    with pytest.raises(RunError, match="nothing to plan for"):
        forecast(same, 1.0)


def test_kill_at_any_moment_and_go_on(tmp_path):
    """The process is killed again and again, some of the time while a part takes its name."""
    whole = play(tmp_path / "whole", boards=4000, chunk=40)
    outcomes = killing.killed_runs(tmp_path, kills=5, boards=4000, chunk=40)
    assert outcomes.digest == whole.digest
    assert outcomes.kills >= 5
