"""Watching, replaying and checking deals on the command line; sampled records and decisions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import forty5sim
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.cli import main
from forty5sim.errors import RunError
from forty5sim.game import Game
from forty5sim.narration import Narrator
from forty5sim.notation import JINK, parse_action
from forty5sim.options import POT
from forty5sim.records import faults_of, read_records, record_of, write_records
from forty5sim.registry import find_bot
from forty5sim.seats import Seats
from tests.records.made_records import (
    bagged,
    good,
    held,
    holder_last,
    jinked,
    no_trumps,
    overbid,
    restocked,
    thrown_in,
)
from tests.records.random_records import random_records
from tests.rulebook.bidding_table import bidding_deal, ten_tricks
from tests.rulebook.table import deal


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_of:
        main(list(arguments))
    shown = capsys.readouterr()
    return exit_of.value.code or 0, shown.out, shown.err


# --- watch ---------------------------------------------------------------------------------------


def test_watch_tells_a_deal(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    arguments = ["watch", "--game", "spoil-five", "--players", "5", "--seed", "7"]
    code, out, _ = run(capsys, *arguments, "--record", str(path))
    assert code == 0
    for line in (
        "spoil-five, seed 7, board 0",
        "seat 0 deals; 7♦ is turned up, diamonds ♦ are trumps",
        "  seat 4 robs the 7♦ for 4♠ (by the ace of diamonds)",
        "  seat 3 ruffs with J♦, now winning",
        "  one more trick and seat 3 wins the pot of 5",
        "seat 4 wins the pot: 4 chips up in this deal",
    ):
        assert line in out.splitlines()
    (record,) = read_records(path)
    assert faults_of(record) == []
    assert (record.seed, record.deal) == (7, 0)
    run(capsys, *arguments, "--record", str(path))
    assert list(read_records(path)) == [record, record]


def test_watch_plays_whole_games(capsys, tmp_path):
    path = tmp_path / "game.jsonl"
    code, out, _ = run(
        capsys, "watch", "--game", "spoil-five:stack=5", "--whole-game", "--seed", "3",
        "--bots", "random", "heuristic", "random", "--record", str(path),
    )  # fmt: skip
    assert code == 0
    assert "the game is over: " in out
    deals = list(read_records(path))
    assert len(deals) == out.count("\ndeal ")
    assert all(faults_of(record) == [] for record in deals)
    code, out, _ = run(capsys, "watch", "--game", "twenty-five", "--whole-game", "--seed", "3")
    assert out.splitlines()[-1].endswith("win the game")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "whist"], "unknown game 'whist'"),
        (["--bots", "heuristic", "random", "--players", "5"], "5 players need 5 bots, or one"),
        (["--bots", "nobody"], "unknown bot 'nobody'"),
        (["--seed", "-1"], "seed must be a whole number 0.."),
        (["--board", "-1"], "board must be a whole number 0.."),
        (["--pot", "-1"], "pot must be a whole number 0.."),
        (["--pot", "3"], "a pot from before is for single deals of pot games, not for forty-five"),
        (["--record", "/dev/null/x.jsonl"], "cannot write '/dev/null/x.jsonl'"),
    ],
)
def test_what_cannot_be_watched_is_explained(capsys, arguments, message):
    code, _, err = run(capsys, "watch", *arguments)
    assert code == 2
    assert message in err


def test_a_watched_board_is_the_board_of_a_tournament(capsys, tmp_path):
    forty5sim.tournament(
        "forty-five", ["heuristic"] * 4, table=True, boards=6, seed=9, results=tmp_path, records=6
    )
    (folder,) = tmp_path.iterdir()
    kept = [r for r in forty5sim.load_run(folder).records() if r.extra["run"]["replay"] == 0]
    path = tmp_path / "watched.jsonl"
    run(capsys, "watch", "--seed", "9", "--board", "4", "--record", str(path))
    (watched,) = read_records(path)
    assert watched.actions == kept[4].actions
    assert watched.result == kept[4].result


# --- what is told --------------------------------------------------------------------------------


def told(game: Game, actions: str, narrator: Narrator) -> str:
    """Return what is told while these actions are taken."""

    def steps():
        for word in actions.split():
            action = parse_action(word.replace(":", " "))
            yield forty5sim.game.Step(game.seat, game.phase, action)
            game.push(action)

    return "\n".join(narrator.tell(game, steps()))


RENEGES = {0: "8C 9C 6H 4H 3H", 1: "7S KD QD 8D 9D", 2: "JS 2D 3D 2C 3C"}


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("forty-five", "7♠ was led, which is lower"),
        ("forty-five:renege=highest_so_far", "7♠ was led, higher than every trump of the trick"),
        ("forty-five:renege=expires_in_deal", "7♠ was led, higher, and nothing above it has"),
        ("forty-five:renege=single_unconditional", "7♠ was led, its only trump"),
    ],
)
def test_why_a_card_could_be_kept_back(game, reason):
    table = deal(game, RENEGES, "10S", players=3)
    text = " ".join(told(table, "7S 2D", Narrator(sees_all=True)).split())
    assert f"seat 2 throws 2♦ and reneges the J♠: {reason}" in text


def test_who_may_not_see_a_renege_is_not_told_of_it():
    table = deal("forty-five", RENEGES, "10S", players=3)
    assert "renege" not in told(table, "7S 2D", Narrator(you=0))


def test_a_silent_rob_is_told_to_the_robber_alone():
    rules = "forty-five:rob_announced=silent"
    hands = {1: "AS 3S 9C 4D 6H"}
    for you, words in ((1, "you rob the 7♠ for 6♥ (by the ace of spades)"), (0, "")):
        text = told(deal(rules, hands, "7S", players=2), "rob:6H", Narrator(you=you))
        assert words in text
        assert ("rob" in text) == (you == 1)


def test_a_declined_rob_is_told_only_where_it_is_open():
    hands = {1: "AS 3S 9C 4D 6H"}
    holder = deal("forty-five", hands, "7S", players=2)
    assert told(holder, "keep", Narrator()) == ""
    assert "you leave the 7♠" in told(
        deal("forty-five", hands, "7S", players=2), "keep", Narrator(you=1)
    )
    dealer = deal("forty-five", {0: "3S 9S 9C 4D 6H"}, "AS", players=2)
    assert "seat 0 leaves the A♠" in told(dealer, "keep", Narrator())
    silent = "forty-five:rob_announced=silent"
    dealer = deal(silent, {0: "3S 9S 9C 4D 6H"}, "AS", players=2)
    assert told(dealer, "keep", Narrator()) == ""


def test_a_joker_turned_up_is_told():
    game = deal("forty-five-joker", {0: "3S 9S 9C 4D 6H"}, "JK 7D", players=2, dealer=0)
    assert Narrator().opening(game)[0] == "seat 0 deals; the Joker is turned up"
    assert "seat 0 takes the Joker for a card" in told(game, "rob:6H", Narrator())


def test_a_jink_is_told():
    record = jinked()
    playback = forty5sim.records.Playback(record)
    text = "\n".join(Narrator(sees_all=True).tell(playback.game, playback.steps()))
    assert "seat 1 stops and takes the pot" in text
    counting = deal("forty-five:jink=on", {1: "5S JS AH AS KS"}, "2S", players=2)
    told(counting, "keep 5S", Narrator())
    while counting.phase != "jink":
        counting.push(counting.legal_actions[-1])
    assert "or the game is lost" in " ".join(
        Narrator().action(counting, forty5sim.game.Step(1, "jink", JINK))
    )


# --- what is told of an auction ------------------------------------------------------------------


def story(record: forty5sim.records.Record, narrator: Narrator) -> str:
    """Return what is told of a recorded deal."""
    playback = forty5sim.records.Playback(record)
    opening = narrator.opening(playback.game)
    return "\n".join([*opening, *narrator.tell(playback.game, playback.steps())])


ALL = Narrator(sees_all=True)


def test_an_auction_with_a_hold_is_told():
    text = story(held(), ALL)
    for line in (
        "seat 0 deals; the kitty has 3 cards",
        "  the kitty is 9♦ 8♦ 7♦",
        "score: seats 0+2 0, seats 1+3 0 (of 120)",
        "  seat 1 bids 20",
        "  seat 2 passes",
        "  seat 0 holds at 20",
        "  seat 0 plays 20 and names spades ♠ trumps",
        "  seat 0 takes up the kitty: 9♦ 8♦ 7♦",
        "  seat 1 throws 2♦ and draws 10♣",
        "  seat 2 throws no card",
        "  seat 0 throws 9♦ 8♦ 7♦",
        "  seat 0 wins trick 1 with 5♠; tricks: seats 0+2 1, seats 1+3 0",
        "  seats 0+2: 5 of 20 points so far",
        "seats 0+2 make 20 in ♠ with 5 tricks",
    ):
        assert line in text.splitlines(), line


def test_kitty_and_throws_are_told_to_who_knows_them_alone():
    for you, kitty, thrown in (
        (0, ": 9♦ 8♦ 7♦", "  seat 1 throws one card and draws 1"),
        (1, "", "  you throw 2♦ and draw 10♣"),
        (None, "", "  seat 1 throws one card and draws 1"),
    ):
        lines = story(held(), Narrator(you=you)).splitlines()
        who = "you take" if you == 0 else "seat 0 takes"
        assert f"  {who} up the kitty{kitty}" in lines
        assert thrown in lines
        assert all("holds 5" not in line and "the kitty is" not in line for line in lines)
        threw = "  you throw 9♦ 8♦ 7♦" if you == 0 else "  seat 0 throws 3 cards"
        assert threw in lines


def test_a_kitty_seen_before_trumps_are_named_is_told_before():
    spec = "auction-forty-fives:name_trump=after_kitty"
    text = told(bidding_deal(spec, kitty="7D 8D 9D"), "bid:30 pass pass pass", Narrator(you=1))
    assert text.splitlines()[-1] == "  you take up the kitty: 9♦ 8♦ 7♦"


def test_the_contract_and_its_kitty_are_told_before_cards_are_thrown():
    game = bidding_deal("five-hundred", kitty="7D 8D 9D")
    text = told(game, "bid:10NT", Narrator(you=1))
    assert text.splitlines() == [
        "  you bid 10NT",
        "  you play 10NT",
        "  you take up the kitty: 9♦ 8♦ 7♦",
    ]
    assert "you" not in told(game, "discard:7D discard:8D discard:9D done", Narrator(you=2))


def test_a_bagged_dealer_and_a_deal_thrown_in_are_told():
    assert "  seat 0 is bagged at 15 and names spades ♠ trumps" in story(bagged(), Narrator())
    assert "  you are bagged at 15 and name spades ♠ trumps" in story(bagged(), Narrator(you=0))
    lines = story(thrown_in(), Narrator()).splitlines()
    assert lines[-3] == "everybody passes: the deal is thrown in"
    assert "trick" not in " ".join(lines)
    game = bidding_deal("auction-forty-fives:sides=3x2,ten_call=on,dealer_hold=off", players=6)
    text = told(game, "bid:10 pass pass pass pass pass", Narrator())
    assert "nobody goes above ten: the deal is thrown in" in text
    game = bidding_deal("five-hundred:pass_out=play_nt")
    text = told(game, "pass pass pass pass", Narrator())
    assert text.splitlines()[-1] == "  everybody passes: no trumps, no contract, ten points a trick"


def test_what_becomes_of_the_joker_is_told():
    assert "  seat 1 makes the Joker the highest heart" in story(no_trumps(joker="H"), Narrator())
    left = "leave the Joker without a suit"
    assert left in story(no_trumps(), Narrator(you=1))
    assert "leaves the Joker without a suit" in story(no_trumps(), ALL)
    for you in (None, 0, 2, 3):
        assert "without a suit" not in story(no_trumps(), Narrator(you=you))
    text = story(no_trumps(actions="JK name:H"), Narrator())
    assert "  seat 1 leads JK\n  seat 1 names hearts to be followed\n" in text
    text = story(overbid("five-hundred", "10NT"), Narrator())
    assert "  seat 3 plays the Joker, now winning" in text


def test_a_misere_is_told():
    text = story(no_trumps("misere"), Narrator(you=0))
    assert "\nseat 3 lays the cards down and sits out\ntrick 1\n" in text
    assert "seats 1+3 are set in misère with one trick" in text
    record = record_of(ten_tricks("five-hundred", "open-misere", 0), ["a"] * 4)
    for narrator in (ALL, Narrator(), Narrator(you=1)):
        lines = story(record, narrator).splitlines()
        (opened,) = [line for line in lines if "hand lies open" in line]
        assert opened.startswith("  seat 0's hand lies open: 6♠ 6♣ 5♣ ")
        assert lines.index(opened) > lines.index("trick 1")
        assert lines.index(opened) < lines.index("trick 2")
    assert "seats 0+2 make open misère with no trick" in story(record, Narrator())
    assert "  your hand lies open: " in story(record, Narrator(you=0))


def test_sets_and_deals_are_told_where_they_count():
    text = story(held(sets_lose=3, game_deals=4), Narrator())
    assert "score: seats 0+2 0, seats 1+3 0; bids set: seats 0+2 1 (of 3); deals: 1 of 4" in text
    text = story(held(game_deals=4), Narrator())
    assert text.splitlines()[-1] == "score: seats 0+2 30, seats 1+3 0; deals: 2 of 4"


@pytest.mark.parametrize(
    "game",
    [
        ["auction-forty-fives", "--players", "6"],
        ["auction-forty-fives:sides=individuals,sets_lose=2,game_deals=2", "--players", "6"],
        ["nova-scotia:target=60", "--players", "5"],
        ["five-hundred"],
    ],
)
def test_watching_an_auction_takes_eighty_columns(capsys, tmp_path, game):
    path = tmp_path / "game.jsonl"
    code, out, _ = run(
        capsys, "watch", "--game", *game, "--whole-game", "--seed", "5", "--record", str(path)
    )
    assert code == 0
    assert max(map(len, out.replace(str(path), "").splitlines())) <= 80
    assert "wins the game" in out or "win the game" in out
    records = list(read_records(path))
    assert [faults_of(record) for record in records] == [[]] * len(records)
    assert records[-1].result.outcome == "game-won"


# --- replay and verify ---------------------------------------------------------------------------


def test_replay_shows_deals_in_eighty_columns(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    write_records(path, [holder_last(), jinked(), *random_records(60, seed=5)])
    code, out, _ = run(capsys, "replay", str(path))
    assert code == 0
    assert max(map(len, out.replace(str(path), "").splitlines())) <= 80
    assert "seat 0 robs the 7♠ for 6♥ (by the ace of spades)" in out
    assert "   1   7♠*   >K♦     K♣" in out or ">K♦" in out
    code, out, _ = run(capsys, "replay", str(path), "--line", "2")
    assert code == 0
    assert out.count("---") == 1
    assert "seat 1 stops and takes the pot" in out
    assert "\x1b" not in out


def test_replay_shows_auctions_as_tables(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    records = [held(), thrown_in(), no_trumps("misere"), restocked(), bagged()]
    write_records(path, records)
    code, out, _ = run(capsys, "replay", str(path))
    assert code == 0
    assert max(map(len, out.replace(str(path), "").splitlines())) <= 80
    deals = [part.splitlines() for part in out.split("\n--- ")[1:]]
    assert deals[0][2] == "seat 0 deals"
    assert deals[0][7] == "kitty   9♦  8♦  7♦"
    assert deals[0][9:19] == [
        "      seat 1   seat 2   seat 3   seat 0",
        "      20       pass     pass     hold",
        "      pass",
        "",
        "      seat 0 plays 20 and names spades ♠ trumps",
        "      seat 0 takes up the kitty: 9♦ 8♦ 7♦",
        "      seat 1 throws 2♦ and draws 10♣",
        "      seat 2 throws no card",
        "      seat 3 throws no card",
        "      seat 0 throws 9♦ 8♦ 7♦",
    ]
    assert deals[0][19].split() == ["trick", *["seat", "0", "seat", "1", "seat", "2", "seat", "3"]]
    assert deals[1][-5:] == [
        "      pass     pass     pass     pass",
        "",
        "everybody passes: the deal is thrown in",
        "points: seats 0+2 0, seats 1+3 0",
        "score: seats 0+2 0, seats 1+3 0 (of 500)",
    ]
    assert "      misère                     pass" in deals[2]
    assert "      seat 1 plays misère" in deals[2]
    assert "      seat 1 leaves the Joker without a suit" in deals[2]
    assert deals[2][-4].split() == ["1", "5♣", ">6♠*", "5♠"]
    assert any("seat 5 throws" in line and "draws A♠ K♠" in line for line in deals[3])
    assert "      seat 0 is bagged at 15 and names spades ♠ trumps" in deals[4]


def test_replay_shows_what_was_named_with_the_joker(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    write_records(path, [no_trumps(joker="H"), no_trumps(actions="JK name:H")])
    _, out, _ = run(capsys, "replay", str(path))
    assert "      seat 1 makes the Joker the highest heart" in out
    assert "      seat 1 names hearts to be followed\n   1   6♥    >JK*" in out


def test_replay_of_a_plain_terminal_spells_the_suits(tmp_path):
    path = tmp_path / "deals.jsonl"
    write_records(path, [holder_last()])
    code = f"from forty5sim.cli import main; main(['replay', {str(path)!r}])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "spades S are trumps" in done.stdout
    assert ">KD" in done.stdout
    assert "?" not in done.stdout


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_without_records_are_explained(capsys, tmp_path, command):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    code, _, err = run(capsys, command, str(empty))
    assert (code, "has no records" in err) == (2, True)
    code, _, err = run(capsys, command, str(tmp_path / "none.jsonl"))
    assert (code, "cannot read" in err) == (2, True)
    code, _, err = run(capsys, command, str(tmp_path))
    assert (code, "cannot read" in err) == (2, True)


def test_replay_names_the_line_of_a_fault(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    data = good().as_dict()
    data["actions"][0]["seat"] = 9
    path.write_text(good().to_json() + "\n" + json.dumps(data) + "\n{\n")
    code, _, err = run(capsys, "replay", str(path))
    assert code == 2
    assert "deals.jsonl, line 2: actions[0]" in err
    code, _, err = run(capsys, "replay", str(path), "--line", "3")
    assert (code, "line 3: it is cut off" in err) == (2, True)
    code, _, err = run(capsys, "replay", str(path), "--line", "9")
    assert (code, "no line 9" in err) == (2, True)


def test_verify_counts_what_the_records_cover(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    write_records(path, [holder_last(), jinked(), jinked()])
    code, out, _ = run(capsys, "verify", str(path), "--stats")
    assert code == 0
    assert "3 of 3 deals are right" in out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if "-five" in line}
    assert rows["forty-five"][:2] == ["1", "15"]
    assert rows["spoil-five"] == ["2", "18", "0", "0", "0", "0", "0"]


def test_verify_counts_auctions_in_a_table_of_their_own(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    records = [held(), bagged(), thrown_in(), no_trumps("misere"), no_trumps(), jinked()]
    write_records(path, [*records, restocked()])
    code, out, _ = run(capsys, "verify", str(path), "--stats")
    assert code == 0
    assert "7 of 7 deals are right" in out
    assert max(map(len, out.splitlines())) <= 80
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert rows["spoil-five"] == ["1", "9", "0", "0", "0", "0", "0"]
    heads = [line.split()[1:] for line in out.splitlines() if line.startswith("game")]
    assert heads == [
        ["deals", "plays", "reneges", "robs", "keeps", "jinks", "spoils"],
        ["deals", "plays", "reneges", "calls", "holds", "thrown", "made", "set", "thrown", "in"],
    ]
    assert rows["auction-forty-fives"] == ["3", "70", "0", "14", "1", "34", "2", "1", "0"]
    assert rows["five-hundred"] == ["3", "43", "0", "14", "0", "6", "1", "1", "1"]


def test_verify_names_lines_and_faults(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    data = jinked().as_dict()
    data["result"]["points"] = [0, 0, 0]
    data["tricks"][2]["winner"] = 0
    path.write_text("\n".join([jinked().to_json(), json.dumps(data), "{"]) + "\n")
    code, out, _ = run(capsys, "verify", str(path))
    assert code == 1
    assert f"{path}, line 2: tricks[2].winner: expected 1" in out
    assert f"{path}, line 2: result.points: expected " in out
    assert f"{path}, line 3: it is cut off" in out
    assert "1 of 3 deals are right, 2 faulty" in out


def test_verify_shows_no_endless_list(capsys, tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_text("x\n" * 80)
    code, out, _ = run(capsys, "verify", str(path))
    assert code == 1
    assert "and 30 faults more" in out


# --- sampled boards ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    result = forty5sim.tournament(
        "spoil-five", ["heuristic", "random"], players=3, boards=400, pot=5, results=results,
        records=10, decisions=20,
    )  # fmt: skip
    return forty5sim.load_run(result.folder)


def test_records_of_sampled_boards_are_kept(sampled):
    records = list(sampled.records())
    assert len(records) == 10 * 6
    assert all(faults_of(record) == [] for record in records)
    rows = sampled.rows.set_index(["pairing", "board", "replay"])
    for record in records:
        row = rows.loc[tuple(record.extra["run"].values())]
        assert [row[f"points_{seat}"] for seat in range(3)] == list(record.result.points)
        assert record.before.pot == 5
        assert record.deal == record.extra["run"]["board"]


def test_the_decisions_table_holds_what_was_chosen(sampled):
    frame = sampled.decisions
    assert len(set(frame.board)) == 20
    assert set(frame.kind) <= {"rob", "play", "jink"}
    assert set(frame.way) >= {"lead", "follow", "ruff", "discard"}
    assert (frame.choices > 1).all()
    assert (frame.legal.str.split(" ").str.len() == frame.choices).all()
    assert all(c in legal.split() for c, legal in zip(frame.choice, frame.legal, strict=True))
    assert ((frame.position == 0) | (frame.way != "lead")).all()
    assert set(frame.bot) == {"heuristic", "random"}
    assert (frame.pot_before >= 5).all()
    rows = sampled.rows.set_index(["pairing", "board", "replay"])
    for _, d in frame.sample(50, random_state=1).iterrows():
        row = rows.loc[(d.pairing, d.board, d.replay)]
        units = sampled.plan.conditions.payoff_units
        assert row[f"payoff_{d.seat}"] / units == d.payoff_after


def test_samples_can_be_taken_of_a_run_that_is_there(sampled, capsys):
    before = (sampled.folder / "records.jsonl").read_bytes()
    code, *_ = run(
        capsys, "tournament", "--resume", str(sampled.folder), "--records", "10", "--quiet"
    )
    assert code == 0
    assert (sampled.folder / "records.jsonl").read_bytes() == before


def test_a_run_without_samples_says_how_to_take_them(tmp_path):
    result = forty5sim.tournament(boards=5, results=tmp_path)
    kept = forty5sim.load_run(result.folder)
    assert list(kept.standings.bot) == [row["bot"] for row in result.table]
    with pytest.raises(RunError, match="kept no decisions; forty5sim tournament --resume"):
        _ = kept.decisions
    with pytest.raises(RunError, match="kept no records; forty5sim tournament --resume"):
        kept.records()
    with pytest.raises(RunError, match="is no run folder"):
        forty5sim.load_run(tmp_path)
    with pytest.raises(RunError, match="records must be a whole number"):
        forty5sim.tournament(boards=5, results=tmp_path, records=-1)


def test_a_fresh_run_forgets_the_samples_before(tmp_path):
    forty5sim.tournament(boards=5, results=tmp_path, records=2, decisions=2)
    result = forty5sim.tournament(boards=5, results=tmp_path, fresh=True)
    names = {path.name for path in result.folder.iterdir()}
    assert names.isdisjoint({"records.jsonl", "decisions.parquet"})
    assert {"manifest.json", "parts", "standings.csv"} <= names


def test_whole_games_are_sampled_deal_by_deal(tmp_path):
    result = forty5sim.tournament(
        "forty-five", ["heuristic", "random"], boards=3, whole_games=True, results=tmp_path,
        records=2, decisions=2,
    )  # fmt: skip
    kept = forty5sim.load_run(result.folder)
    records = list(kept.records())
    assert all(faults_of(record) == [] for record in records)
    assert sum(record.result.outcome == "game-won" for record in records) == 2 * 2
    assert kept.decisions.deal.max() >= 1


def test_a_bot_that_does_not_repeat_itself_is_named(tmp_path):
    bot = tmp_path / "moody.py"
    bot.write_text(
        "import random\n"
        "class Moody:\n"
        "    def act(self, view):\n"
        "        return random.SystemRandom().choice(view.legal)\n"
    )
    with pytest.raises(RunError, match=r"comes out otherwise when it is played again: one of"):
        forty5sim.tournament(
            "forty-five", ["heuristic", f"{bot}:Moody"], boards=40, results=tmp_path, records=40
        )


def test_forfeited_replays_have_no_record(tmp_path, sample_bot):
    result = forty5sim.tournament(
        "forty-five", ["random", sample_bot("Illegal")], boards=4, on_error="forfeit",
        results=tmp_path, records=4, decisions=4,
    )  # fmt: skip
    kept = forty5sim.load_run(result.folder)
    assert all(faults_of(record) == [] for record in kept.records())
    assert len(list(kept.records())) < 4 * 2


def test_seats_play_as_the_kernels_do(tmp_path):
    """The records of a plain run through Seats agree with the rows of the compiled one."""
    for spec, players in (("spoil-five", 4), ("forty-five", 6), ("forty-five-joker", 3)):
        result = forty5sim.tournament(
            spec, ["heuristic", "random"], players=players, boards=12, results=tmp_path, records=12
        )
        kept = forty5sim.load_run(result.folder)
        rows = kept.rows.set_index(["pairing", "board", "replay"])
        for record in kept.records():
            row = rows.loc[tuple(record.extra["run"].values())]
            points = [row[f"points_{seat}"] for seat in range(players)]
            assert points == [record.result.points[side] for side in record.sides]


def test_a_board_can_be_played_by_hand():
    for name, whole in (("spoil-five", False), ("forty-five:first_dealer=2", True)):
        rules = forty5sim.find_rules(name)
        conditions = Conditions(rules, 4, 3, 2 * (rules.family == POT), whole)
        game = board_game(conditions, 5)
        assert game.dealer == (2 if whole else 1)
        list(Seats([find_bot("random")] * 4).play_on(game))
        assert faults_of(record_of(game, ["random"] * 4)) == []


def test_the_readme_way_of_records(tmp_path):
    game = forty5sim.Game("forty-five", seed=7)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
    path = Path(tmp_path / "deals.jsonl")
    forty5sim.write_records(path, [forty5sim.record_of(game, ["first"] * 4)])
    (record,) = forty5sim.read_records(path)
    assert forty5sim.faults_of(record) == []
