"""Recorded deals gone through with all cards seen: ``forty5sim solve`` and what it stands on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forty5sim
from forty5sim.cli import main
from forty5sim.errors import Forty5Error
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.records import read_records
from forty5sim.solved import judged


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of a deal of Forty-Five and of one of Auction Forty-Fives."""
    file = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    for game in ("forty-five", "auction-forty-fives"):
        main_of(["watch", "--game", game, "--seed", "7", "--record", str(file)])
    return file


def main_of(arguments: list[str]) -> int:
    """Run the command line; return its exit code."""
    try:
        main(arguments)
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def test_each_decision_is_judged(deals: Path) -> None:
    record = next(iter(read_records(deals)))
    found = list(judged(record))
    assert [one.trick for one in found] == sorted(one.trick for one in found)
    assert all(one.step.action in one.solution.actions for one in found)
    assert all(one.solution.is_exact and one.lost >= 0 for one in found)
    by_best = [one for one in found if one.step.action in one.solution.best]
    assert all(one.lost == 0 for one in by_best)
    assert all(one.lost > 0 for one in found if one not in by_best)


def test_what_is_given_away_is_never_more_than_is_proven(deals: Path) -> None:
    record = next(iter(read_records(deals)))
    pairs = zip(judged(record), judged(record, max_nodes=30), strict=True)
    for exact, bounded in pairs:
        assert bounded.lost <= exact.lost
        assert (bounded.solution.low <= exact.solution.values).all()
        assert (bounded.solution.high >= exact.solution.values).all()


def test_solve_shows_what_actions_are_worth(deals: Path, capsys: Any) -> None:
    assert main_of(["solve", str(deals)]) == 0
    out = capsys.readouterr().out
    assert "points of the seat's own side by alphabeta" in out
    assert "contract 20 by seat" in out or "contract 25 by seat" in out
    assert out.count("given away, all cards seen:") == 2
    assert "*" in out
    assert "[" in out


def test_solve_says_what_it_gave_up(deals: Path, capsys: Any) -> None:
    assert main_of(["solve", str(deals), "--line", "1", "--max-nodes", "20"]) == 0
    out = capsys.readouterr().out
    assert "at least" in out
    assert "were given up: a..b are bounds" in out
    assert ".." in out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--objective", "trick"], "did you mean 'tricks'"),
        (["--search", "minimax"], "known searches"),
        (["--tie", "last"], "average"),
        (["--max-nodes", "0"], "whole number from 1"),
        (["--line", "9"], "no line 9"),
        (["--objective", "win"], "line 1: objective 'win' does not fit"),
    ],
)
def test_what_does_not_fit_is_said(deals: Path, capsys: Any, asked: list[str], said: str) -> None:
    assert main_of(["solve", str(deals), *asked]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_a_faulty_record_is_not_solved(deals: Path, tmp_path: Path, capsys: Any) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(deals.read_text().replace('"winner":', '"winner": 9, "loser":', 1))
    assert main_of(["solve", str(broken)]) == 2
    assert "line 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "mistake",
    [
        lambda game: forty5sim.view_of(game, 4),
        lambda game: forty5sim.view_of(game, -1),
        forty5sim.determinize,
        lambda game: forty5sim.determinize(forty5sim.view_of(game), -1),
        lambda game: forty5sim.determinize(forty5sim.view_of(game), 1.5),
        lambda game: forty5sim.determinize(forty5sim.view_of(game), 1, 2**63),
        lambda game: forty5sim.determinize(forty5sim.view_of(game), 1, "x"),
        lambda game: forty5sim.solve(forty5sim.view_of(game)),
        lambda game: forty5sim.solve(game, max_nodes=1.5),
        lambda game: forty5sim.solve(game, max_nodes=2**63),
        lambda game: forty5sim.solve(game, objective=5),
        lambda game: forty5sim.InformationSet(forty5sim.view_of(game)).fill(
            np.zeros((2, layout.STATE_SIZE))
        ),
        lambda game: forty5sim.InformationSet(forty5sim.view_of(game)).fill(
            np.zeros((2, 10), dtype=np.int64)
        ),
    ],
)
def test_mistakes_from_python_are_told(mistake: Any) -> None:
    with pytest.raises(Forty5Error):
        mistake(Game("forty-five", 4, seed=1))


@pytest.mark.parametrize(
    ("rules", "players", "seed", "asked"),
    [
        ("forty-five-to-110:bonus_needs_top=on", 4, 2152, {"max_nodes": 60}),
        ("spoil-five-strict", 3, 768, {"tie": "average", "max_nodes": 1000}),
        ("forty-five:rob_missed=ace_lowest", 3, 2156, {"tie": "average", "max_nodes": 300}),
    ],
)
def test_bounds_hold_where_a_rob_is_still_to_come(
    rules: str, players: int, seed: int, asked: dict[str, Any]
) -> None:
    game = Game(rules, players, seed=seed)
    bounded = forty5sim.solve(game, **asked)
    exact = forty5sim.solve(game, tie=asked.get("tie", "first"))
    assert exact.is_exact
    assert (bounded.low <= exact.values + 1e-9).all()
    assert (bounded.high >= exact.values - 1e-9).all()


def test_few_nodes_are_few_wherever_a_rob_is_still_to_come() -> None:
    solution = forty5sim.solve(Game("spoil-five-strict", 7, seed=12), max_nodes=100)
    assert not solution.is_exact
    assert solution.nodes <= 101 * len(solution.actions)


def test_a_knowledge_shared_by_threads_samples_the_same() -> None:
    from concurrent.futures import ThreadPoolExecutor

    game = Game("spoil-five:rob_announced=silent", 5, seed=3)
    while len(game.history) < 2:
        game.push(game.legal_actions[0])
    infoset = forty5sim.InformationSet(forty5sim.view_of(game))
    alone = infoset.determinize(2000, seed=5).states
    with ThreadPoolExecutor(4) as pool:
        for states in pool.map(lambda _: infoset.determinize(2000, seed=5).states, range(12)):
            assert np.array_equal(states, alone)
