"""The full-screen table: whole games, every kind of decision, refusals, windows, leaving."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the full-screen table needs the extra play")

from textual.pilot import Pilot

from forty5sim.agent import view_of
from forty5sim.analysis import CHANCE, Analysis, Finding
from forty5sim.bids import parse_bid
from forty5sim.cards import JOKER, card_sign, parse_card
from forty5sim.cli import main
from forty5sim.game import Game
from forty5sim.narration import Narrator
from forty5sim.notation import DONE, HOLD, JINK, KEEP, NO_SUIT, PASS
from forty5sim.records import Record, faults_of, read_records
from forty5sim.screen.board import draw_board, places
from forty5sim.screen.table_app import Ending, TableApp
from forty5sim.screen.wording import Choice, bidding_box, hint_table
from forty5sim.session import Session
from tests.seated import (
    again,
    do,
    labels,
    legal_signs,
    said,
    screen_text,
    settled,
    shows,
    signs_marked,
    table,
)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="pexpect drives Unix terminals")
Script = Callable[[Pilot[Ending]], Awaitable[None]]


def run(app: TableApp, script: Script, size: tuple[int, int] = (80, 24)) -> TableApp:
    """Let a script play at a table, in a window of this size."""

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await script(pilot)

    asyncio.run(play())
    app.croupier.close()
    return app


def records_of(app: TableApp) -> list[Record]:
    return list(read_records(app.sitting.files.records))


# --- whole games ---------------------------------------------------------------------------------


def first_action(app: TableApp) -> list[int]:
    """The first card that may be played, the last one to throw for a turn-up; always jink."""
    view = app.view
    if view.phase == "jink":
        return [JINK]
    cards = [card for card in view.sorted(view.hand) if view.legal_mask >> card & 1]
    return [cards[-1] if view.phase == "rob" else cards[0]]


def advised_action(app: TableApp) -> list[int]:
    """What the heuristic would do."""
    return app.sitting.session.hint()[0]


def to_the_end(choose: Callable[[TableApp], list[int]]) -> Script:
    """Play until the game is over, and leave the table."""

    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        while not app.over:
            if app.shown.deal_is_over:
                assert labels(app) == ["Next deal (n)"]
                await pilot.press("enter")
                await settled(pilot)
                continue
            if app.view.phase == "play":
                assert signs_marked(app) == legal_signs(app)
            await do(pilot, *choose(app))
        assert labels(app) == ["Leave the table (n)"]
        await pilot.press("n")

    return script


@pytest.mark.parametrize(
    ("game", "seats", "seed", "choose"),
    [
        ("forty-five-three-handed", 3, 3, first_action),
        ("spoil-five:stack=6", 3, 29, first_action),
        ("auction-forty-fives:target=60", 4, 2, advised_action),
        ("five-hundred", 4, 26, advised_action),
    ],
)
def test_a_whole_game_is_played_by_keys(tmp_path, game, seats, seed, choose):
    app = run(table(tmp_path, game, *["heuristic"] * (seats - 1), seed=seed), to_the_end(choose))
    assert app.return_value == Ending("over", app.over)
    deals = records_of(app)
    assert [faults_of(record) for record in deals] == [[]] * len(deals)
    assert len({record.deal for record in deals}) == len(deals)
    assert not app.sitting.files.saved.exists()
    assert app.sitting.session.game.is_over
    story = " ".join(app._story.lines)
    acts = {(action.seat, action.act) for record in deals for action in record.actions}
    if "spoil" in game:
        assert {(0, "rob"), (0, "jink")} <= acts
        assert "you make the jink" in story or "you fail in the jink" in story
    else:
        assert deals[-1].result.outcome == "game-won"
        assert "the game" in story
    if "five-hundred" in game:
        assert {(0, "bid"), (0, "play")} <= acts


# --- each kind of decision ------------------------------------------------------------------------


def test_a_card_that_may_not_be_played_is_refused_with_the_reason(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)  # K♠ was led; the hand is J♦ 5♠ K♣ 4♣ 9♣
        assert said(app, "prompt").startswith("Your turn: play a card marked ▲")
        assert signs_marked(app) == ["5♠"]
        before = app.sitting.session.game.state
        await pilot.press("1")
        assert "not J♦: must follow" in said(app, "notice")
        assert "(docs/rules.md 2.2). You may choose of 5♠" in said(app, "notice")
        assert (app.sitting.session.game.state == before).all()
        await pilot.press("right", "enter")
        await settled(pilot)
        assert "· you follow with 5♠" in app._story.lines

    run(table(tmp_path, seed=3), script)


def test_the_mouse_plays_a_card_and_presses_buttons(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        await pilot.click("#keys", offset=(3, 0))
        await shows(pilot, "heuristic would play 5♠")
        await pilot.press("escape")
        await pilot.click(app._hand.boxes[1])
        await settled(pilot)
        assert "· you follow with 5♠" in app._story.lines
        while not app.shown.deal_is_over:
            await do(pilot, *first_action(app))
        await pilot.click(app._choices.buttons[0])
        await settled(pilot)
        assert app.shown.deal_number == 1

    run(table(tmp_path, seed=3), script)


def test_a_finished_trick_lies_there_until_the_next_is_led(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        while not (app.shown.history and app.shown.led is None):
            await do(pilot, *first_action(app))
        trick = app.shown.history[-1]
        board = str(app._board.render())
        assert all(card_sign(card) in board for card in trick.cards)
        assert "won" in board
        assert said(app, "prompt").startswith("You lead")

    run(table(tmp_path, "forty-five", *["random"] * 3, seed=3), script)


def test_the_turn_up_may_be_kept_or_robbed(tmp_path):
    async def to_the_rob(pilot: Pilot[Ending]) -> TableApp:
        app = await settled(pilot)
        while app.view.phase != "rob":
            await (pilot.press("n") if app.shown.deal_is_over else do(pilot, *first_action(app)))
            await settled(pilot)
        assert said(app, "prompt") == (
            "You may take the 5♠: choose a card to throw for it, or keep your hand."
        )
        assert labels(app) == ["Keep your hand (k)"]
        return app

    async def script(pilot: Pilot[Ending]) -> None:
        app = await to_the_rob(pilot)
        await do(pilot, KEEP)
        assert any("you leave the 5♠" in line for line in app._story.lines)
        await pilot.press("u")
        await to_the_rob(pilot)
        await do(pilot, parse_card("5C"))
        assert any("you rob the 5♠ for 5♣" in line for line in app._story.lines)
        while app.view.phase != "jink":
            await do(pilot, *first_action(app))
        assert said(app, "prompt").startswith("The pot is yours. Stop and take it, or jink")
        assert labels(app) == ["Jink (j)", "Stop and take the pot (s)"]
        await pilot.press("1")
        assert "is no answer here" in said(app, "notice")
        await pilot.press("s")
        await settled(pilot)
        assert any("you stop and take the pot" in line for line in app._story.lines)

    run(table(tmp_path, "spoil-five:stack=6", seed=29, practice=True), script)


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


def test_holding_naming_trumps_and_throwing(tmp_path, timid):
    seat = Game("auction-forty-fives", seed=1).dealer

    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        assert labels(app) == ["20", "25", "30", "Pass (p)", "Hold at 15 (h)"]
        await pilot.press("1")
        assert "choose one of the buttons" in said(app, "notice")
        await do(pilot, HOLD)
        assert labels(app) == ["♠ spades (s)", "♣ clubs (c)", "♦ diamonds (d)", "♥ hearts (h)"]
        await pilot.press("h")
        await settled(pilot)
        assert said(app, "prompt") == (
            "You have the kitty. Choose what to throw, 3 to 7 cards; then press t."
        )
        await pilot.press("t")
        assert said(app, "notice") == "throw 3 to 7 cards, not 0"
        await pilot.press("1", "2", "3", "4", "1")
        assert labels(app) == ["Throw these 3 cards (t)"]
        assert sum("throw" in str(box.render()) for box in app._hand.boxes) == 3
        await do(pilot, DONE)
        assert app.view.phase == "play"
        await pilot.press("u")
        assert (app.view.phase, labels(app)) == ("discard", ["Throw nothing (t)"])

    run(
        table(tmp_path, "auction-forty-fives", *[timid] * 3, seed=1, seat=seat, practice=True),
        script,
    )


def seed_with_the_joker() -> int:
    """Return a seed of Five Hundred that gives seat 0 the Joker; it deals, and speaks last."""
    games = (Game("five-hundred", seed=seed) for seed in range(200))
    return next(g.seed for g in games if JOKER in g.hands[0] and g.dealer == 0)


def test_a_bid_without_trumps_and_what_is_asked_of_the_joker(tmp_path, timid):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        assert labels(app)[-3:] == ["10NT", "open misère", "Pass (p)"] or "10NT" in labels(app)
        await do(pilot, parse_bid("10NT"))
        assert len(app.view.hand) == 13
        await do(pilot, *sorted(app.view.sorted(app.view.hand)[-3:]), DONE)
        assert app.view.phase == "assign"
        await do(pilot, NO_SUIT)
        await do(pilot, JOKER)
        assert said(app, "prompt") == "You lead the Joker. Which suit is to be followed?"
        await pilot.press("h")
        await settled(pilot)
        assert any("you win trick 1 with JK" in line for line in app._story.lines)

    seed = seed_with_the_joker()
    run(table(tmp_path, "five-hundred", *[timid] * 3, seed=seed), script)


def test_the_bids_of_five_hundred_are_a_box_with_a_column_a_suit():
    names = ["6H", "6NT", "7S", "7NT"]
    choices = [Choice(name, "", parse_bid(name)) for name in names]
    box = bidding_box([*choices, Choice("Pass", "p", PASS)])
    rows = [[c.label if c else "" for c in box[n : n + 6]] for n in range(0, len(box), 6)]
    assert rows == [["", "", "", "6H", "6NT", ""], ["7S", "", "", "", "7NT", "Pass"]]


# --- hints, undo, pages ---------------------------------------------------------------------------


def test_a_hint_is_a_page_over_the_table(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)
        await pilot.pause()
        assert len(app.screen_stack) == 2
        await shows(pilot, "heuristic would play 5♠")
        await pilot.press("escape")
        assert len(app.screen_stack) == 1
        for key, words in {
            "r": "The first side with 45 points wins the game",
            "l": "no trick has been finished in this deal",
            "f1": "from card to card",
        }.items():
            await pilot.press(key)
            await shows(pilot, words)
            await pilot.press("q")
        assert len(app.screen_stack) == 1
        assert app.is_running

    run(table(tmp_path, seed=3), script, size=(100, 60))


def test_each_choice_of_a_hint_has_its_interval_and_its_number():
    findings = (
        Finding(parse_card("5S"), "5S", 0.5, 0.02, 400),
        Finding(parse_card("KC"), "KC", 0.25, float("nan"), 1),
    )
    text = hint_table("mc would play 5♠", Analysis(findings[0].action, findings, 400, CHANCE, "mc"),
                      "play")  # fmt: skip
    assert "your chance to win the game ± 95 %" in text
    best, other = text.splitlines()[3:5]
    assert best.split() == ["▲", "5♠", "50", "±", "4", "%", "to", "win", "400"]
    assert other.split() == ["K♣", "not", "tried", "enough", "1"]
    assert "400 deals of the unseen cards" in text
    points = hint_table("mc would play 5♠", Analysis(5, findings, 400, "points", "mc"), "play")
    assert "+0.50 ± 0.04 points" in points


def test_moves_are_taken_back_in_practice(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        hand = app.view.hand
        await pilot.press("u")
        assert said(app, "notice") == "there is no move of yours in this deal to take back"
        await do(pilot, parse_card("5S"))
        assert app.view.hand != hand
        await pilot.press("u")
        assert said(app, "notice") == "taken back"
        assert app.view.hand == hand
        assert signs_marked(app) == ["5♠"]

    run(table(tmp_path, seed=3, practice=True), script)


def test_without_practice_nothing_is_taken_back_and_the_footer_does_not_offer_it(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        assert "undo" not in screen_text(app)
        await do(pilot, parse_card("5S"))
        before = app.sitting.session.game.state
        await pilot.press("u")
        assert (app.sitting.session.game.state == before).all()

    run(table(tmp_path, seed=3), script)


# --- saving, leaving ------------------------------------------------------------------------------


def test_a_saved_game_is_gone_on_with(tmp_path):
    async def leave(pilot: Pilot[Ending]) -> None:
        app = await do(pilot, parse_card("5S"))
        await pilot.press("ctrl+s")
        assert "saved; go on with: forty5sim play --continue" in said(app, "notice")
        await pilot.press("q")

    async def go_on(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        assert "trick 1: " in " ".join(app._story.lines)
        await to_the_end(first_action)(pilot)

    app = run(table(tmp_path, seed=3), leave)
    assert app.return_value == Ending("left")
    state = app.sitting.session.game.state
    later = again(app)
    assert (later.sitting.session.game.state == state).all()
    later = run(later, go_on)
    assert later.return_value is not None
    assert later.return_value.how == "over"
    assert records_of(later)[-1].result.outcome == "game-won"


def test_a_game_saved_between_two_deals_records_no_deal_twice(tmp_path):
    async def finish_a_deal(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        while not app.shown.deal_is_over:
            await do(pilot, *first_action(app))
        await pilot.press("1", "question_mark", "u")
        assert said(app, "notice") == "the deal is over and recorded; nothing of it is taken back"
        await pilot.press("q")

    app = run(table(tmp_path, seed=3, practice=True), finish_a_deal)
    later = run(again(app), to_the_end(first_action))
    deals = records_of(later)
    assert len({record.deal for record in deals}) == len(deals) > 1


def test_ctrl_c_leaves_as_interrupted(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        await settled(pilot)
        await pilot.press("r")
        await pilot.press("ctrl+c")

    app = run(table(tmp_path, seed=3), script)
    assert app.return_value == Ending("interrupted")


SLOW = """
import time

class Slow:  # thinks until a file is there
    def act(self, view):
        from pathlib import Path
        while not Path({path!r}).exists():
            time.sleep(0.005)
        return view.legal[0]
"""


def test_the_screen_stays_alive_while_a_bot_thinks(tmp_path):
    go = tmp_path / "go"
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW.format(path=str(go)))

    async def script(pilot: Pilot[Ending]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await pilot.pause()
        assert app.busy
        assert said(app, "prompt").startswith("The others play")
        await pilot.press("r")
        await shows(pilot, "wins the game")
        await pilot.press("escape", "question_mark", "1", "u")
        assert app.busy
        go.touch()
        await settled(pilot)
        assert app.view.legal
        go.unlink()
        await do_not_wait(pilot)
        assert app.busy
        await pilot.press("q")
        go.touch()

    async def do_not_wait(pilot: Pilot[Ending]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        place = app.view.sorted(app.view.hand).index(first_action(app)[0])
        await pilot.press(str(place + 1))

    seat = (Game("forty-five-three-handed", seed=4).dealer) % 3  # so that bots play first
    slow = f"{bot}:Slow"
    app = run(table(tmp_path, "forty-five-three-handed", slow, slow, seed=4, seat=seat), script,
              size=(100, 60))  # fmt: skip
    assert app.return_value == Ending("left")
    app.sitting.save()
    saved = Session.load(app.sitting.files.saved)
    assert len(saved.choices) == 1


def test_a_bot_that_breaks_down_ends_the_game_under_its_name(tmp_path, sample_bot):
    dealer = Game("forty-five-three-handed", seed=4).dealer  # so that the bots play first
    bots = [sample_bot("Illegal")] * 2

    async def script(pilot: Pilot[Ending]) -> None:
        await settled(pilot)
        await pilot.pause()

    app = run(table(tmp_path, "forty-five-three-handed", *bots, seed=4, seat=dealer), script)
    assert app.return_value is not None
    assert "at seat" in str(app.return_value.error)


def test_records_that_cannot_be_written_end_the_game_with_the_reason(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        app.sitting.files.records.mkdir()
        while app.is_running and not app.shown.deal_is_over:
            await do(pilot, *first_action(app))

    app = run(table(tmp_path, seed=3), script)
    assert app.return_value is not None
    assert app.return_value.error is not None
    assert "game.jsonl" in str(app.return_value.error)


def test_space_goes_on_at_once(tmp_path):
    dealer = Game("forty-five-three-handed", seed=4).dealer

    async def script(pilot: Pilot[Ending]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        while app.busy:
            await pilot.press("space")
        assert app.view.legal

    app = table(tmp_path, "forty-five-three-handed", "random", "random", seed=4, seat=dealer,
                pace=1000)  # fmt: skip
    run(app, script)


# --- windows --------------------------------------------------------------------------------------


def test_the_table_fits_itself_to_the_window(tmp_path):
    async def script(pilot: Pilot[Ending]) -> None:
        app = await settled(pilot)
        for size in ((120, 40), (80, 24), (200, 60)):
            await pilot.resize_terminal(*size)
            for words in ("5♠", "Your turn", "save and quit"):
                await shows(pilot, words)
            for piece in ("head", "board", "prompt", "notice", "hand"):
                region = app.query_one(f"#{piece}").region
                assert app.screen.region.contains_region(region), (piece, size)
                assert region.area, (piece, size)
        await pilot.resize_terminal(79, 24)
        text = await shows(pilot, "The table needs 80 columns and 24 rows; this window has 79")
        assert "5♠" not in text
        await pilot.resize_terminal(80, 24)
        await shows(pilot, "5♠")
        await pilot.press("2")
        await settled(pilot)
        assert "· you follow with 5♠" in app._story.lines

    run(table(tmp_path, seed=3), script)


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize(("width", "height"), [(52, 12), (78, 28)])
def test_every_seat_has_a_place_of_its_own(players, width, height):
    if players >= 7 and width < 78:
        width = 80  # the story makes room
    spots = places(players, 0, width)
    assert len(spots) == players
    cells = [(spot.band, column) for spot in spots.values()
             for column in range(spot.left, spot.left + spot.width)]  # fmt: skip
    assert len(set(cells)) == len(cells)
    assert all(0 <= column < width for _, column in cells)
    game = Game("spoil-five", players, seed=5)
    while len(game.trick) < players - 1:
        game.push(KEEP if game.can(KEEP) else game.legal_actions[0])
    board = draw_board(view_of(game, 0), Narrator(you=0), width, height).plain
    assert all(f"seat {seat}" in board for seat in range(1, players))
    assert all(card_sign(card) in board for _, card in game.trick)
    assert "turned up" in board


# --- the command ----------------------------------------------------------------------------------


def spawn(folder: Path, *arguments: str, command: str = "", rows: int = 24, **environment: str):
    import os

    pexpect = pytest.importorskip("pexpect", reason="terminals are driven by pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-c", f"{command}from forty5sim.cli import main; main()", "play", *arguments],
        cwd=str(folder),
        encoding="utf-8",
        timeout=240,
        dimensions=(rows, 80),
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    child.delaybeforesend = 0.2
    return child


def ended(child) -> int:
    """Wait until the program has ended; return its exit code."""
    import pexpect

    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


@unix_only
@pytest.mark.parametrize(("key", "code"), [("q", 0), ("\x03", 130)])
def test_in_a_terminal_the_table_is_shown_and_leaves_a_saved_game(tmp_path, key, code):
    child = spawn(tmp_path, "--seed", "3", "--pace", "0", NO_COLOR="1")
    child.expect("Your turn")
    child.send(key)
    child.expect("saved; go on with: forty5sim play --continue games/")
    assert ended(child) == code
    (saved,) = (tmp_path / "games").glob("*.json")
    child = spawn(tmp_path, "--continue", str(saved), "--pace", "0")
    child.expect("Your turn")
    child.send("q")
    child.expect("saved; go on with")
    assert ended(child) == 0


@unix_only
def test_without_textual_lines_are_played_and_the_way_to_get_it_is_told(tmp_path):
    child = spawn(tmp_path, "--seed", "3", command="import sys; sys.modules['textual'] = None; ")
    child.expect_exact('line by line; for the full-screen table: pip install "forty5sim[play]"')
    child.expect("your card > ")
    child.sendline("quit")
    child.expect("saved; go on with")
    assert ended(child) == 0


@unix_only
@pytest.mark.parametrize("arguments", [["--plain"], []])
def test_lines_are_played_where_they_are_asked_for_or_the_terminal_is_dumb(tmp_path, arguments):
    child = spawn(tmp_path, "--seed", "3", *arguments, TERM="xterm" if arguments else "dumb")
    child.expect("your card > ")
    child.sendline("quit")
    child.expect("saved; go on with")
    assert "pip install" not in str(child.before)
    assert ended(child) == 0


def test_a_pace_that_makes_no_sense_is_refused(capsys):
    with pytest.raises(SystemExit) as exit_of:
        main(["play", "--pace", "-1"])
    assert exit_of.value.code == 2
    assert "pace" in capsys.readouterr().err
