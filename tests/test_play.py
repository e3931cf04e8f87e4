"""Sitting down with bots: whole games in a terminal, wrong input, saved games, what is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from forty5sim.cards import parse_card
from forty5sim.cli import main
from forty5sim.cli.typed import typed_action
from forty5sim.errors import NotationError, SaveError
from forty5sim.game import Game
from forty5sim.notation import JINK, KEEP, STOP, typed_card
from forty5sim.records import faults_of, read_records
from forty5sim.session import PERSON, Session, Terms

pexpect = pytest.importorskip("pexpect", reason="terminals are driven by pexpect")
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="pexpect drives Unix terminals")

if sys.platform != "win32":
    from tests.terminal import COMMAND, Person, usual_answer


def records_in(folder: Path) -> list:
    (path,) = (folder / "games").glob("*.jsonl")
    return list(read_records(path))


# --- whole games ---------------------------------------------------------------------------------


@unix_only
def test_a_whole_game_of_forty_five_for_three(tmp_path):
    person = Person(tmp_path, "--seed", "3")
    shown = person.play_to_the_end()
    assert person.child.exitstatus == 0
    assert "you sit on seat 0; seat 1: heuristic, seat 2: heuristic" in shown
    assert "wins the game" in shown or "you win the game" in shown
    assert "Traceback" not in shown
    deals = records_in(tmp_path)
    assert [faults_of(record) for record in deals] == [[]] * len(deals)
    assert deals[-1].result.outcome == "game-won"
    assert max(deals[-1].result.after.scores) >= 45
    assert deals[0].bots == ("you", "heuristic", "heuristic")
    assert not list((tmp_path / "games").glob("*.json")), "a finished game is not kept as saved"


@unix_only
def test_a_whole_game_of_spoil_five_with_a_rob_and_a_jink(tmp_path):
    person = Person(
        tmp_path, "--game", "spoil-five:stack=6", "--players", "3", "--seed", "29", columns=40
    )
    shown = person.play_to_the_end()
    assert person.child.exitstatus == 0
    for words in (
        "rob the 5♠: throw which card, or keep?",
        "you rob the 5♠ for 5♣",
        "jink, or stop and take the pot?",
        "you make the jink",
        "the deal is spoiled",
        "one more trick and you win the pot",
        "the game is over: you and seat 1 win, level on chips",
    ):
        assert words in shown, words
    deals = records_in(tmp_path)
    acts = {(action.seat, action.act) for record in deals for action in record.actions}
    assert {(0, "rob"), (0, "jink")} <= acts
    assert [faults_of(record) for record in deals] == [[]] * 5


@unix_only
@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "forty-five", "--players", "4", "--seat", "2", "--bots", "random"],
        ["--game", "twenty-five:sides=individuals", "--bots", "random", "heuristic", "random"],
        ["--game", "forty-five-joker", "--players", "2"],
    ],
)
def test_other_tables(tmp_path, arguments):
    person = Person(tmp_path, "--seed", "8", *arguments)
    shown = person.play_to_the_end()
    assert person.child.exitstatus == 0
    assert "win the game" in shown or "wins the game" in shown
    assert all(faults_of(record) == [] for record in records_in(tmp_path))


def play_here(monkeypatch, capsys, *arguments: str, first: tuple[str, ...] = ()) -> tuple[int, str]:
    """Play in this process; ``first`` is typed before anything else. Return the code and text."""
    shown = ""
    waiting = list(first)

    def typed(prompt: str) -> str:
        nonlocal shown
        shown += capsys.readouterr().out + prompt
        if waiting:
            word = waiting.pop(0)
            if word == "^D":
                raise EOFError
            if word == "^C":
                raise KeyboardInterrupt
            return word
        return usual_answer(prompt, shown.rpartition("your hand:")[2])

    monkeypatch.setattr("builtins.input", typed)
    with pytest.raises(SystemExit) as exit_of:
        main(["play", *arguments])
    return int(exit_of.value.code or 0), shown + capsys.readouterr().out


@unix_only
def test_commands_at_the_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = (
        "", "foo", "JD", "2H", "keep", "rob 9C", "help", "?", "hint", "history", "rules", "undo",
        "5S", "undo", "5S", "history", "save",
    )  # fmt: skip
    code, shown = play_here(monkeypatch, capsys, "--seed", "3", "--practice", first=words)
    assert code == 0
    assert "taken back" in shown
    assert "there is no move of yours" in shown
    assert "is not understood" in shown
    assert "not J♦: must follow S" in shown
    spoil = ["--game", "spoil-five:stack=6", "--players", "3", "--seed", "29"]
    code, shown = play_here(monkeypatch, capsys, *spoil)
    assert code == 0
    assert "you make the jink" in shown
    assert all(faults_of(r) == [] for r in read_records(tmp_path / "games/spoil-five-seed29.jsonl"))


@unix_only
@pytest.mark.parametrize(("word", "code"), [("^D", 0), ("^C", 130), ("quit", 0)])
def test_ways_to_leave(tmp_path, monkeypatch, capsys, word, code):
    monkeypatch.chdir(tmp_path)
    left, shown = play_here(monkeypatch, capsys, "--seed", "3", first=("5S", word))
    assert left == code
    assert "saved; go on with" in shown
    saved = "games/forty-five-three-handed-seed3.json"
    left, shown = play_here(monkeypatch, capsys, "--continue", saved)
    assert left == 0
    assert "win the game" in shown or "wins the game" in shown


# --- wrong input ---------------------------------------------------------------------------------


@unix_only
def test_every_kind_of_wrong_input_is_explained(tmp_path):
    person = Person(tmp_path, "--seed", "3")
    person.next_prompt()  # K♠ was led; the hand is J♦ 5♠ K♣ 4♣ 9♣
    for typed, answer in {
        "": "type a card of your hand, as 5H or 10S, or help",
        "foo": "'foo' is not understood",
        "1H": "'1H' is not understood",
        "T♠": "you do not hold 10♠; your hand is",
        "bh": "you do not hold J♥",
        "DD": "you do not hold Q♦",
        "JK": "you do not hold JK",
        "JD": "not J♦: must follow S (docs/rules.md 2.2). You may choose of 5♠",
        "play kc": "not K♣: must follow S (docs/rules.md 2.2)",
        "rob 9C": "'rob 9C': type a card of your hand",
        "keep": "keep is no answer here: your card",
        "jink": "jink is no answer here",
        "x" * 300: "'" + "x" * 40 + "…' is not understood",
        "help": "take your last move back",
        "hint": "the heuristic would play 5♠",
        "history": "no trick has been finished in this deal",
        "rules": "The first side with 45 points wins the game",
        "undo": "moves are taken back in practice only: forty5sim play --practice",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    assert "you follow with 5♠" in person.say("♠5")
    person.child.send(b"\xff\xfe".decode("latin-1"))
    assert "Traceback" not in person.say("")


@unix_only
def test_what_cannot_be_robbed_or_jinked_is_explained(tmp_path):
    person = Person(tmp_path, "--game", "spoil-five:stack=6", "--players", "3", "--seed", "29")
    assert person.play_until("throw")
    for typed, answer in {
        "yes": "which card do you throw for it? Type rob and the card, as rob 9C",
        "5S": "you do not hold 5♠",
        "jink": "'jink' is not understood; type the card to throw, as 9C, or keep",
        "hint": "the heuristic would",
    }.items():
        assert answer in person.say(typed), typed
    person.child.sendline("rob 5c")
    assert person.play_until("jink")
    assert "type jink or stop" in person.say("7S 7S")
    assert "7♠ is no answer here" in person.say("7S")
    assert "the heuristic would" in person.say("hint")


@unix_only
def test_between_two_deals_nothing_of_the_next_is_told(tmp_path):
    person = Person(tmp_path, "--seed", "3", "--practice")
    assert person.play_until("next deal")
    assert "the deal is over" in person.say("hint")
    assert "trick 5: " in person.say("history")
    assert "the deal is over and recorded" in person.say("undo")
    assert "\r\nEnter for the next deal" in person.say("what now")
    person.say("save")
    person.child.sendeof()
    assert person.next_prompt() is None
    (saved,) = (tmp_path / "games").glob("*.json")
    again = Person(tmp_path, "--continue", str(saved))
    assert again.next_prompt() == "next deal"
    shown = again.play_to_the_end("next deal")
    assert again.child.exitstatus == 0, shown
    deals = records_in(tmp_path)
    assert len({record.deal for record in deals}) == len(deals)


@pytest.mark.parametrize(
    ("typed", "phase", "action"),
    [
        ("5h", "play", "5H"), ("10S", "play", "10S"), ("T♠", "play", "10S"), ("JD", "play", "JD"),
        ("bd", "play", "JD"), ("DD", "play", "QD"), ("♥ D", "play", "QH"),
        ("lead 5 h", "play", "5H"),
        ("rob 9c", "rob", "9C"), ("9C", "rob", "9C"), ("throw 9c", "rob", "9C"),
        ("keep", "rob", KEEP), ("no", "rob", KEEP), ("jink", "jink", JINK), ("y", "jink", JINK),
        ("stop", "jink", STOP), ("N", "jink", STOP),
    ],
)  # fmt: skip
def test_what_may_be_typed(typed, phase, action):
    expected = parse_card(action) if isinstance(action, str) else action
    assert typed_action(typed, phase) == expected


@pytest.mark.parametrize("typed", ["", "5", "BB", "5X", "♥", "10", "hh", "rob"])
def test_what_is_no_card(typed):
    with pytest.raises(NotationError):
        typed_card(typed)


# --- going away and coming back ------------------------------------------------------------------


@unix_only
def test_quit_saves_and_the_game_goes_on_where_it_stood(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    expected = Person(tmp_path / "a", "--seed", "3").play_to_the_end()
    person = Person(tmp_path / "b", "--seed", "3")
    for _ in range(7):
        prompt = person.next_prompt()
        person.child.sendline(person.answer(str(prompt)))
    person.next_prompt()
    person.child.sendline("quit")
    assert person.next_prompt() is None
    person.child.close()
    assert person.child.exitstatus == 0
    assert "saved; go on with: forty5sim play --continue games/" in person.text()
    assert "the finished deals are recorded in games/" in person.text()
    (saved,) = (tmp_path / "b" / "games").glob("*.json")
    again = Person(tmp_path / "b", "--continue", str(saved.relative_to(tmp_path / "b")))
    assert again.play_to_the_end().splitlines()[-3:] == expected.splitlines()[-3:]
    assert records_in(tmp_path / "b") == records_in(tmp_path / "a")


@unix_only
@pytest.mark.parametrize(("key", "code"), [("c", 130), ("d", 0)])
def test_ctrl_c_and_the_end_of_input_leave_a_saved_game(tmp_path, key, code):
    person = Person(tmp_path, "--seed", "3")
    person.next_prompt()
    person.child.sendcontrol(key)
    assert person.next_prompt() is None
    person.child.close()
    assert person.child.exitstatus == code
    assert "saved; go on with" in person.text()
    assert "Traceback" not in person.text()
    (saved,) = (tmp_path / "games").glob("*.json")
    assert Session.load(saved).terms.seed == 3


@unix_only
def test_a_new_game_never_overwrites_another(tmp_path):
    for _ in range(2):
        person = Person(tmp_path, "--seed", "3")
        person.next_prompt()
        assert "saved" in person.say("save")
        person.child.close(force=True)
    assert len(list((tmp_path / "games").glob("*.json"))) == 2


def test_piped_input_that_ends_is_saved(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "play", "--seed", "3"],
        cwd=tmp_path,
        input=b"5s\nnonsense\n" + b"\xff\xfe\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"saved; go on with" in done.stdout


@unix_only
def test_undo_takes_the_last_move_back(tmp_path):
    person = Person(tmp_path, "--seed", "3", "--practice")
    person.next_prompt()
    assert "there is no move of yours in this deal to take back" in person.say("undo")
    hand = person.hand().split("\r\n")[0]
    person.say("5S")
    shown = person.say("undo")
    assert "taken back" in shown
    assert person.hand().split("\r\n")[0] == hand


def session_after(moves: int, **terms) -> Session:
    """A game in which the person has made so many moves, each the first that was legal."""
    session = Session(Terms("spoil-five", (PERSON, "random", "heuristic"), seed=5, **terms))
    while moves:
        list(session.bots_play())
        if session.game.deal_is_over:
            session.next_deal()
            continue
        list(session.steps_of(session.game.legal_actions[0]))
        moves -= 1
    return session


def test_a_saved_game_comes_back_as_it_was(tmp_path):
    session = session_after(12)
    session.save(tmp_path / "deep" / "game.json")
    again = Session.load(tmp_path / "deep" / "game.json")
    assert (again.game.state == session.game.state).all()
    assert again.done == session.done
    assert again.as_dict() == session.as_dict()


def test_bots_that_keep_notes_see_a_saved_game_again(tmp_path, sample_bot):
    seats = (PERSON, sample_bot("NoteTaker"), "random")
    session = Session(Terms("forty-five", seats, seed=2))
    twin = Session(Terms("forty-five", seats, seed=2))
    for _ in range(3):
        list(session.bots_play())
        list(session.steps_of(session.game.legal_actions[0]))
    session.save(tmp_path / "game.json")
    again = Session.load(tmp_path / "game.json")
    list(again.bots_play())
    list(session.bots_play())
    assert again.game.log == session.game.log
    assert twin.game.log == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: "nonsense", "holds no saved game"),
        (lambda d: [1], "it has no format"),
        (lambda d: {**d, "format": "x"}, "it has no format"),
        (lambda d: {**d, "rules_version": 0}, "was played under version 0 of the rules"),
        (lambda d: {k: v for k, v in d.items() if k != "seed"}, "holds no saved game: KeyError"),
        (lambda d: {**d, "seed": "x"}, "cannot be gone on with: seed must be a whole number"),
        (lambda d: {**d, "seats": 5}, "holds no saved game"),
        (lambda d: {**d, "seats": ["you", "nobody"]}, "unknown bot 'nobody'"),
        (lambda d: {**d, "game": "whist"}, "unknown game 'whist'"),
        (lambda d: {**d, "deals": [["5H", "5H"]]}, "cannot be gone on with: illegal"),
        (lambda d: {**d, "deals": [["hop"]]}, "'hop' is no action"),
        (lambda d: {**d, "deals": [[], []]}, "the deal is not over yet"),
        (lambda d: {**d, "deals": [[1]]}, "holds no saved game"),
    ],
)
def test_a_damaged_saved_game_is_explained(tmp_path, change, message):
    path = tmp_path / "game.json"
    data = change(session_after(2).as_dict())
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    with pytest.raises(SaveError, match=message):
        Session.load(path)


def test_files_that_cannot_be_used_are_named(tmp_path, capsys):
    with pytest.raises(SaveError, match="cannot read"):
        Session.load(tmp_path / "none.json")
    with pytest.raises(SaveError, match=r"cannot save the game to '/dev/null/game.json'"):
        session_after(1).save(Path("/dev/null/game.json"))
    with pytest.raises(SystemExit) as exit_of:
        main(["play", "--continue", str(tmp_path / "none.json")])
    assert exit_of.value.code == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "3"], "seat 3 is no seat of 3; seats are 0..2"),
        (["--game", "whist"], "unknown game 'whist'"),
        (["--players", "4"], "forty-five-three-handed is not for 4 players"),
        (["--bots", "random", "random", "random"], "is not for 4 players"),
        (["--bots", "nobody"], "unknown bot 'nobody'"),
        (["--seed", "-1"], "seed must be a whole number"),
        (["--folder", "/dev/null/x"], "cannot keep games in '/dev/null/x': Not a directory"),
        (["--game", "forty-five", "--players", "4", "--bots", "random", "random"],
         "4 players need 3 bots, or one for all, got 2"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_set_is_explained(capsys, arguments, message):
    with pytest.raises(SystemExit) as exit_of:
        main(["play", *arguments])
    assert exit_of.value.code == 2
    assert message in capsys.readouterr().err


def test_a_bot_that_breaks_down_leaves_a_saved_game(tmp_path, monkeypatch, capsys, sample_bot):
    monkeypatch.chdir(tmp_path)
    dealer = Game("forty-five-three-handed", seed=4).dealer  # so that the bots play first
    with pytest.raises(SystemExit) as exit_of:
        main(["play", "--seed", "4", "--bots", sample_bot("Illegal"), "--seat", str(dealer)])
    assert exit_of.value.code == 2
    shown = capsys.readouterr()
    assert "saved; go on with" in shown.out
    assert "at seat" in shown.err
    assert "Traceback" not in shown.err
