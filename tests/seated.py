"""A person at the full-screen table, scripted: keys, clicks, and what the screen shows."""

from __future__ import annotations

import html
import re
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Button, Static

from forty5sim.agent import view_of
from forty5sim.cards import Action, card_sign
from forty5sim.notation import DONE, is_card
from forty5sim.screen.table_app import Ending, TableApp
from forty5sim.session import PERSON, Session, Terms
from forty5sim.sitting import GameFiles, Sitting

NUMBERS = "1234567890"


def table(
    folder: Path,
    game: str = "forty-five-three-handed",
    *others: str,
    seed: int,
    seat: int = 0,
    practice: bool = False,
    pace: float = 0,
) -> TableApp:
    """Return a table with a person on a seat and these bots on the others; no pauses."""
    bots = list(others or ("heuristic", "heuristic"))
    seats = (*bots[:seat], PERSON, *bots[seat:])
    session = Session(Terms(game, seats, seed, practice), "heuristic")
    return TableApp(Sitting(session, GameFiles.new(folder, "game")), pace)


def again(app: TableApp) -> TableApp:
    """Save a game and sit down to it again."""
    files = app.sitting.files
    app.sitting.save()
    return TableApp(Sitting(Session.load(files.saved, "heuristic"), files), 0, resumed=True)


async def settled(pilot: Pilot[Ending]) -> TableApp:
    """Wait until the person has to decide, or the deal is over."""
    app = pilot.app
    assert isinstance(app, TableApp)
    await pilot.pause()
    while app.busy and app.is_running:
        await pilot.pause(0.005)
    return app


async def do(pilot: Pilot[Ending], *actions: Action) -> TableApp:
    """Do something with the keys that a person would press."""
    app = await settled(pilot)
    view = app.view
    for action in actions:
        if is_card(action, view.phase):
            box = next(b for b in app.query("CardBox") if getattr(b, "card", None) == action)
            place = view.sorted(view.hand).index(action)
            if place < len(NUMBERS):
                await pilot.press(NUMBERS[place])
            else:
                box.focus()
                await pilot.press("enter")
        elif action == DONE:
            await pilot.press("t")
        else:
            await press(pilot, action)
    return await settled(pilot)


async def press(pilot: Pilot[Ending], action: Action) -> None:
    """Press the button of an action: by its letter, else with the cursor on it."""
    app = pilot.app
    assert isinstance(app, TableApp)
    choices = app._choices
    place, choice = next((p, c) for p, c in enumerate(choices.now) if c and c.action == action)
    if choice.key:
        await pilot.press(choice.key)
        return
    choices.buttons[place].focus()
    await pilot.press("enter")


def labels(app: TableApp) -> list[str]:
    """Return what the buttons say."""
    buttons = [b for b in app._choices.query(Button) if b.display and b.visible]
    return [str(button.label) for button in buttons]


def said(app: TableApp, where: str) -> str:
    """Return a line of the screen: ``head``, ``prompt``, ``notice`` or ``too-small``."""
    return str(app.screen_stack[0].query_one(f"#{where}", Static).content)


def screen_text(app: TableApp) -> str:
    """Return all that is on the screen, without colours."""
    svg = app.export_screenshot()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    return html.unescape(" ".join(texts)).replace("\xa0", " ")


async def shows(pilot: Pilot[Ending], words: str) -> str:
    """Wait until these words are on the screen; return all that is there."""
    app = pilot.app
    assert isinstance(app, TableApp)
    for _ in range(500):
        text = screen_text(app)
        if words in text:
            return text
        await pilot.pause(0.01)
    raise AssertionError(f"{words!r} is not shown: {text}")


def signs_marked(app: TableApp) -> list[str]:
    """Return the cards of the hand that are marked as legal."""
    marked = [box for box in app._hand.boxes if box.card is not None and "▲" in str(box.render())]
    return [card_sign(box.card) for box in marked if box.card is not None]


def legal_signs(app: TableApp) -> list[str]:
    """Return the legal cards of the person, as they are held."""
    view = view_of(app.sitting.session.game)
    return [card_sign(card) for card in view.sorted(view.hand) if view.legal_mask >> card & 1]
