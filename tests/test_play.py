"""Sitting down with bots: whole games in a terminal, wrong input, saved games, what is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from forty5sim.bids import parse_bid
from forty5sim.cards import JOKER, parse_card
from forty5sim.cli import main
from forty5sim.cli.typed import typed_actions
from forty5sim.errors import IllegalActionError, NotationError, SaveError
from forty5sim.game import Game
from forty5sim.notation import DONE, HOLD, JINK, KEEP, NO_SUIT, PASS, STOP, typed_card
from forty5sim.records import faults_of, read_records
from forty5sim.session import PERSON, Session, Terms
from tests.rulebook.bidding_table import cards_of

pexpect = pytest.importorskip("pexpect", reason="terminals are driven by pexpect")
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="pexpect drives Unix terminals")

if sys.platform != "win32":
    from tests.terminal import ADVISER, COMMAND, Person, advice_in, usual_answer


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


def play_here(
    monkeypatch, capsys, *arguments: str, first: tuple[str, ...] = (), hints: bool = False
) -> tuple[int, str]:
    """Play in this process; ``first`` is typed before anything else. Return the code and text."""
    shown = ""
    waiting = list(first)
    asks = hints

    def typed(prompt: str) -> str:
        nonlocal shown, asks
        shown += capsys.readouterr().out + prompt
        if waiting:
            word = waiting.pop(0)
            if word == "^D":
                raise EOFError
            if word == "^C":
                raise KeyboardInterrupt
            return word
        if hints and "next deal" not in prompt:
            asks = not asks
            return advice_in(shown) if asks else "hint"
        return usual_answer(prompt, shown.rpartition("your hand:")[2])

    monkeypatch.setattr("builtins.input", typed)
    with pytest.raises(SystemExit) as exit_of:
        main(["play", "--plain", *ADVISER, *arguments])
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


# --- whole games with an auction -----------------------------------------------------------------

TIMID = """
from forty5sim import DONE, PASS

class Timid:  # bids the least if nobody has, throws as few cards as it may
    def act(self, view):
        if view.phase == "auction":
            return PASS if view.bid is not None or view.seat == view.dealer else min(view.legal)
        return DONE if DONE in view.legal else view.legal[0]
"""


@pytest.fixture
def timid(tmp_path) -> str:
    """Return the spec of a bot that somebody can sit down with and know what it will do."""
    path = tmp_path / "timid.py"
    path.write_text(TIMID)
    return f"{path}:Timid"


def again(person: Person, folder: Path) -> Person:
    """Quit, and go on with the game; wait for the prompt."""
    person.child.sendline("quit")
    assert person.next_prompt() is None
    (saved,) = (folder / "games").glob("*.json")
    continued = Person(folder, "--continue", str(saved), follows_hints=True)
    assert continued.next_prompt() is not None
    return continued


@unix_only
def test_a_whole_game_of_five_hundred(tmp_path):
    rules = "five-hundred:lose_at=-1000"
    person = Person(tmp_path, "--game", rules, "--seed", "4", "--practice", follows_hints=True)
    assert "your call (" in str(person.next_prompt())
    hand = person.hand().splitlines()[0]
    assert "you take up the kitty: " in person.say("10NT")
    thirteen = person.hand().splitlines()[0]
    assert len(thirteen.split()) == 13
    assert "taken back" in person.say("undo")
    assert person.hand().splitlines()[0] == hand
    person.say("10NT")
    throw = advice_in(person.say("hint"))
    assert f"you throw {throw}" in person.say(throw)
    while "throw 3 cards" not in (shown := person.say("undo")):
        assert "taken back" in shown
    assert person.hand().splitlines()[0] == thirteen
    person = again(person, tmp_path)  # in the middle of the exchange
    assert person.hand().splitlines()[0] == thirteen
    assert f"you throw {throw}" in person.say(throw)
    assert "taken back" in person.say("undo")
    person.child.sendline(throw)
    prompt = person.play_until("your call")
    assert prompt is not None, person.text()
    person = again(person, tmp_path)  # in the middle of the second auction
    shown = person.play_to_the_end("your call")
    assert person.child.exitstatus == 0
    assert "Traceback" not in shown
    assert "win the game" in shown
    deals = records_in(tmp_path)
    assert [faults_of(record) for record in deals] == [[]] * len(deals)
    assert deals[-1].result.outcome == "game-won"
    acts = [(a.act, a.bid) for a in deals[0].actions if a.seat == 0][:2]
    assert acts == [("bid", "10NT"), ("discard", None)]
    assert not list((tmp_path / "games").glob("*.json"))


@unix_only
def test_a_deal_of_auction_forty_fives_with_a_hold(tmp_path, timid):
    seat = str(Game("auction-forty-fives", seed=1).dealer)
    game = ["--game", "auction-forty-fives", "--seed", "1", "--seat", seat, "--bots", timid]
    person = Person(tmp_path, *game, "--practice")
    assert person.next_prompt() == "your call (20 25 30 pass hold)"
    for typed, answer in {
        "15": "not 15: it is not above the standing bid",
        "10": "not 10: this game has no such bid. You may choose of 20 25 30 pass hold",
        "7H": "not 7♥: this game has no such bid",
        "21": "'21' is no bid; type a bid, as 20 or 7H, or pass, or help",
        "5H": "'5H' is no bid",
        "hold": "you hold at 15",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    for typed, answer in {
        "NT": "'NT' is no suit; type a suit: S, C, D or H, or help",
        "": "type a suit: S, C, D or H",
        "undo": "your call (20 25 30 pass hold) >",
        "hold": "name trumps",
        "hint": "heuristic would name ",
        "♥": "you play 15 and name hearts ♥ trumps",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    hand = person.hand().splitlines()[0].split()
    elsewhere = next(card for card in ("2♠", "3♠", "4♠", "6♠", "7♠", "8♠") if card not in hand)
    for typed, answer in {
        "none": "throw 3 to 7 cards, not 0",
        " ".join(hand[:2]): "throw 3 to 7 cards, not 2",
        " ".join(hand): "throw 3 to 7 cards, not 8",
        f"{hand[0]} {elsewhere}": f"you do not hold {elsewhere}; your hand is {hand[0]}",
        "hearts": "'hearts' is not understood; type the cards to throw",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    person.child.sendline(" ".join(hand[-4:]))
    assert person.play_until("next deal")
    assert f"you throw {' '.join(hand[-4:])} and draw " in person.text()
    assert "you play 15 in ♥; tricks: your side 0, seats 1+3 0" in person.text()
    (record,) = records_in(tmp_path)
    assert faults_of(record) == []
    assert next(a.bid for a in record.actions if a.seat == int(seat)) == "hold"


@unix_only
def test_every_kind_of_wrong_input_in_five_hundred_is_explained(tmp_path, timid):
    seat = str(Game("five-hundred", seed=4).dealer)
    game = ["--game", "five-hundred", "--seed", "4", "--seat", seat, "--bots", timid]
    person = Person(tmp_path, *game, "--practice")
    assert person.next_prompt() == "your call (6♣ 6♦ 6♥ 6NT 7♠ 7♣ 7♦ … open misère 10NT pass)"
    for typed, answer in {
        "": "type a bid, as 20 or 7H, or pass, or help",
        "6S": "not 6♠: it is not above the standing bid",
        "misere": "not misère: misère is bid over a bid of seven, where it is played",
        "20": "not 20: this game has no such bid",
        "hold": "not hold: nobody may hold in this game",
        "seven hearts": "'seven hearts' is no bid",
        "11H": "'11H' is no bid",
        "KS 5S 6C": "'KS 5S 6C' is no bid",
        "hint": "heuristic would ",
        "history": "no trick has been finished in this deal",
        "help": "misere, open misere",
        "10 nt": "you take up the kitty: ",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    hand = person.hand().splitlines()[0].split()
    for typed, answer in {
        "none": "throw 3 cards, not 0",
        hand[0]: "throw 3 cards, not 1",
        " ".join(hand[:4]): "throw 3 cards, not 4",
        f"{hand[0]} {hand[0]} {hand[1]}": "throw 3 cards, not 2",
        "2H 3H 5H": "you do not hold 2♥ 3♥",
        "10NT": "'10nt' is not understood; type the cards to throw",
        " ".join(hand[-3:]): f"you throw {' '.join(hand[-3:])}",
        "♥": "'♥' is not understood; type a card of your hand",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed


def seed_with_the_joker() -> int:
    """Return a seed of Five Hundred that gives seat 0 the Joker; it deals, and speaks last."""
    games = (Game("five-hundred", seed=seed) for seed in range(200))
    return next(g.seed for g in games if JOKER in g.hands[0] and g.dealer == 0)


@unix_only
def test_what_may_be_done_with_the_joker_is_asked(tmp_path, timid):
    seed = str(seed_with_the_joker())
    game = ["--game", "five-hundred", "--seed", seed, "--bots", timid]
    person = Person(tmp_path, *game, "--practice")
    person.next_prompt()
    person.say("10NT")
    person.say(" ".join(person.hand().splitlines()[0].split()[-3:]))
    for typed, answer in {
        "": "type a suit: S, C, D or H, or none, or help",
        "NT": "'NT' is no suit; type a suit: S, C, D or H, or none",
        "5H": "'5H' is no suit",
        "hint": "heuristic would say ",
        "hearts": "you make the Joker the highest heart",
        "undo": "give the Joker a suit, or none >",
        "none": "you leave the Joker without a suit",
        "JK": "which suit is to be followed? >",
        "X": "'X' is no suit; type a suit: S, C, D or H, or help",
        "hold": "'hold' is no suit",
        "h": "you name hearts to be followed",
    }.items():
        assert answer in " ".join(person.say(typed).split()), typed
    assert "you win trick 1 with JK" in person.text()


@unix_only
def test_games_with_an_auction_in_this_process(tmp_path, monkeypatch, capsys, timid):
    monkeypatch.chdir(tmp_path)
    first = (
        "help", "history", "hold", "20", "6S", "10nt", "none", "2H", "hint", "undo", "10NT",
    )  # fmt: skip
    rules = "five-hundred:lose_at=-1000"
    seed = str(seed_with_the_joker())
    code, shown = play_here(
        monkeypatch, capsys, "--game", rules, "--seed", seed, "--practice", first=first, hints=True
    )
    assert code == 0
    assert "you throw " in shown
    assert "win the game" in shown
    for game in ("auction-forty-fives:target=60", "pei-hall:game_deals=2", "bicycle-ns:target=60"):
        first = ("7H", "hold", "10") if "pei" not in game else ()
        code, shown = play_here(
            monkeypatch, capsys, "--game", game, "--seed", "2", first=first, hints=True
        )
        assert code == 0
        assert "the game\n" in shown
    for path in (tmp_path / "games").glob("*.jsonl"):
        assert all(faults_of(record) == [] for record in read_records(path))


@unix_only
def test_an_exchange_is_gone_on_with_in_this_process(tmp_path, monkeypatch, capsys, timid):
    monkeypatch.chdir(tmp_path)
    game = ["--game", "five-hundred", "--seed", "4", "--bots", timid, "--practice"]
    code, shown = play_here(monkeypatch, capsys, *game, first=("10NT", "quit"))
    assert (code, "throw 3 cards" in shown) == (0, True)
    hand = shown.rpartition("your hand: ")[2].splitlines()[0]
    (saved,) = (tmp_path / "games").glob("*.json")
    code, shown = play_here(
        monkeypatch, capsys, "--continue", str(saved), first=("undo", "10NT", "hint", "^D")
    )
    assert shown.count(f"your hand: {hand}") == 2
    session = Session.load(saved)
    assert session.game.phase == "discard"
    assert session.undo()
    assert session.game.phase == "auction"
    assert not session.undo()


def test_an_exchange_is_taken_back_as_a_whole():
    session = Session(Terms("five-hundred", (PERSON, "random", "random", "random"), seed=4))
    list(session.bots_play())
    list(session.steps_of([parse_bid("10NT")]))
    assert session.game.phase == "discard"
    before = session.game.hands[0]
    thrown = sorted(before)[:3]
    with pytest.raises(IllegalActionError):
        session.check([*thrown, thrown[0]])
    list(session.steps_of([*thrown, DONE]))
    assert session.game.phase != "discard"
    assert session.undo()
    assert (session.game.phase, session.game.hands[0]) == ("discard", before)
    assert session.undo()
    assert session.game.phase == "auction"
    assert not session.undo()


def test_a_game_saved_in_the_middle_of_a_throw_comes_back(tmp_path):
    session = Session(Terms("five-hundred", (PERSON, "random", "random", "random"), seed=4))
    list(session.bots_play())
    list(session.steps_of([parse_bid("10NT")]))
    list(session.steps_of(session.game.legal_actions[:1]))
    session.save(tmp_path / "game.json")
    loaded = Session.load(tmp_path / "game.json")
    assert (loaded.game.state == session.game.state).all()
    assert loaded.choices == session.choices
    assert loaded.hint()[0][-1] == DONE


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
        "hint": "heuristic would play 5♠",
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
        "hint": "heuristic would",
    }.items():
        assert answer in person.say(typed), typed
    person.child.sendline("rob 5c")
    assert person.play_until("jink")
    assert "type jink or stop" in person.say("7S 7S")
    assert "7♠ is no answer here" in person.say("7S")
    assert "heuristic would" in person.say("hint")


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
    assert typed_actions(typed, phase) == [expected]


H = 3


@pytest.mark.parametrize(
    ("typed", "phase", "action"),
    [
        ("20", "auction", "20"), ("bid 20", "auction", "20"), ("30 for 60", "auction", "30-for-60"),
        ("7h", "auction", "7H"), ("7 ♥", "auction", "7H"), ("H7", "auction", "7H"),
        ("♥ 7", "auction", "7H"), ("8nt", "auction", "8NT"), ("10 NT", "auction", "10NT"),
        ("8 no trump", "auction", "8NT"), ("nt 10", "auction", "10NT"),
        ("misere", "auction", "misere"), ("Misère", "auction", "misere"),
        ("open misère", "auction", "open-misere"), ("open-misere", "auction", "open-misere"),
        ("pass", "auction", PASS), ("p", "auction", PASS), ("no", "auction", PASS),
        ("hold", "auction", HOLD), ("h", "auction", HOLD),
        ("hearts", "trump", H), ("♥", "trump", H), ("h", "name", H), ("H", "assign", H),
        ("none", "assign", NO_SUIT), ("no suit", "assign", NO_SUIT),
    ],
)  # fmt: skip
def test_what_may_be_typed_in_an_auction(typed, phase, action):
    expected = parse_bid(action) if isinstance(action, str) else action
    assert typed_actions(typed, phase) == [expected]


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("9c 4D, 2s", "2S 9C 4D"), ("throw 9c 4d", "9C 4D"), ("discard BH", "JH"), ("T♠", "10S"),
        ("9c 9c", "9C"), ("none", ""), ("0", ""), ("nothing", ""), ("-", ""),
    ],
)  # fmt: skip
def test_what_may_be_typed_to_throw_cards(typed, cards):
    assert typed_actions(typed, "discard") == [*sorted(cards_of(cards)), DONE]


@pytest.mark.parametrize(
    ("typed", "phase", "message"),
    [
        ("", "auction", "type a bid, as 20 or 7H, or pass, or help"),
        ("21", "auction", "'21' is no bid"), ("5H 3", "auction", "'5H 3' is no bid"),
        ("7", "auction", "'7' is no bid"), ("play 7H", "auction", "'play 7H': type a bid"),
        ("NT", "trump", "'NT' is no suit; type a suit: S, C, D or H"), ("x", "name", "is no suit"),
        ("", "assign", "type a suit: S, C, D or H, or none"),
        ("", "discard", "type the cards to throw"), ("throw", "discard", "type the cards to throw"),
        ("9c 4x", "discard", "'4x' is not understood; type the cards to throw"),
        ("none 9c", "discard", "'none' is not understood"),
    ],
)  # fmt: skip
def test_what_means_nothing_in_an_auction(typed, phase, message):
    with pytest.raises(NotationError, match=message):
        typed_actions(typed, phase)


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
        list(session.steps_of(session.game.legal_actions[:1]))
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
        list(session.steps_of(session.game.legal_actions[:1]))
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
        main(["play", *ADVISER, *arguments])
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
