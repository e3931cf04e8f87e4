"""The pieces of the screen: the board, the story beside it, the buttons, the hand."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from forty5sim.agent import View
from forty5sim.cards import Card
from forty5sim.narration import Narrator
from forty5sim.screen.board import draw_board
from forty5sim.screen.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    PAPER,
    THICK,
    THIN,
    WORN,
    Canvas,
)
from forty5sim.screen.wording import BOX_COLUMNS, Choice, bidding_box

MOST_CARDS = 13  # of a hand with the kitty in it
MOST_CHOICES = 36  # the bids of Five Hundred, the words, and the gaps between them
MOST_IN_ROWS = 12  # choices beyond that are laid out as a bidding box
STORY_LINES = 200
GOES_ON = "    "  # how the narrator begins the second line of a long one
CHOOSABLE = "choosable"  # the class of what the arrow keys go to


class Board(Widget):
    """The middle of the table."""

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(id="board")
        self._narrator = narrator
        self._view: View | None = None

    def show(self, view: View) -> None:
        """Draw what the person sees now."""
        self._view = view
        self.refresh()

    def render(self) -> Text:
        """Return the table."""
        if self._view is None:
            return Text()
        return draw_board(self._view, self._narrator, self.size.width, self.size.height)


class Story(VerticalScroll, can_focus=False):
    """What has happened, line by line, the last at the bottom."""

    def __init__(self) -> None:
        super().__init__(id="story")
        self.lines: list[str] = []
        self._text = Static(id="told")

    def compose(self) -> ComposeResult:
        """Lay the text in."""
        yield self._text

    def on_mount(self) -> None:
        """Stay at the bottom as lines come, until the person scrolls."""
        self.anchor()

    def tell(self, *lines: str) -> None:
        """Add lines, one that only goes on with the last one to that; the oldest go."""
        for line in lines:
            if line.startswith(GOES_ON) and self.lines:
                self.lines[-1] += f" {line.strip()}"
            else:
                self.lines.append(f"· {line.strip()}" if line.startswith(" ") else line)
        del self.lines[:-STORY_LINES]
        self._text.update(Text("\n").join(map(_told, self.lines)))


def _told(line: str) -> Text:
    """Return a line of the story: what opens a deal or a trick in bold, red suits in red."""
    text = Text(line, "bold" if line.startswith(("trick ", "deal ")) else "")
    text.highlight_regex(r"(10|[2-9JQKA])?[♥♦]", "#ff8a8a")
    return text


class CardBox(Widget, can_focus=True):
    """A card of the hand, with a line below it: its number, ▲ where it may be chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """The person has chosen a card."""

        card: Card

    def __init__(self, number: int) -> None:
        super().__init__(classes=CHOOSABLE)
        self._number = number
        self.card: Card | None = None
        self._may, self._goes = False, False

    def show(self, card: Card | None, *, may: bool = False, goes: bool = False) -> None:
        """Show this card, or none; whether it may be chosen, and whether it is to be thrown."""
        self.card, self._may, self._goes = card, may, goes
        self.display = card is not None
        self.refresh()

    def render(self) -> Text:
        """Return the card."""
        canvas = Canvas(CARD_WIDTH, CARD_HEIGHT + 1)
        if self.card is None:
            return canvas.text()
        lines = THICK if self.has_focus else THIN
        canvas.card(0, 0, self.card, lines, PAPER if self._may else WORN)
        key = "1234567890"[self._number : self._number + 1]
        mark = "throw" if self._goes else f"▲ {key}" if self._may else f"  {key}"
        style = "reverse bold" if self.has_focus else "bold" if self._may else ""
        canvas.centre(0, CARD_HEIGHT, CARD_WIDTH, mark, style)
        return canvas.text()

    def action_choose(self) -> None:
        """Choose the card."""
        if self.card is not None:
            self.post_message(self.Chosen(self.card))

    def on_click(self) -> None:
        """Choose the card."""
        self.action_choose()


class Hand(Horizontal):
    """The person's cards."""

    def __init__(self) -> None:
        super().__init__(id="hand")
        self.boxes = [CardBox(number) for number in range(MOST_CARDS)]

    def compose(self) -> ComposeResult:
        """Lay the cards in a row."""
        yield from self.boxes

    def show(self, cards: Sequence[Card], may: Set[Card], goes: Set[Card]) -> None:
        """Show these cards; which may be chosen, and which are to be thrown."""
        for place, box in enumerate(self.boxes):
            card = cards[place] if place < len(cards) else None
            box.show(card, may=card in may, goes=card in goes)


class Choices(ItemGrid):
    """The buttons for what is no card."""

    @dataclass
    class Chosen(Message):
        """The person has pressed a button."""

        choice: Choice

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.now: list[Choice | None] = []
        self.display = False
        self.buttons = [Button("", compact=True, classes=CHOOSABLE) for _ in range(MOST_CHOICES)]
        for button in self.buttons:
            button.display = False

    def compose(self) -> ComposeResult:
        """Lay the buttons in rows."""
        yield from self.buttons

    def show(self, choices: Sequence[Choice]) -> None:
        """Show these choices and no others; many bids as a box, a column for each suit."""
        boxed = len(choices) > MOST_IN_ROWS
        now: list[Choice | None] = bidding_box(choices) if boxed else [*choices]
        if now == self.now:
            return
        self.now = now
        self.display = bool(choices)
        widest = max((len(choice.text) for choice in choices), default=0)
        self.min_column_width = None if boxed else widest + 4
        self.styles.grid_size_columns = BOX_COLUMNS if boxed else 1
        for place, button in enumerate(self.buttons):
            choice = self.now[place] if place < len(self.now) else None
            button.display = place < len(self.now)
            button.visible = choice is not None
            button.label = choice.text if choice else ""

    def press(self, key: str) -> bool:
        """Press the button of a key; say whether there is one."""
        found = [choice for choice in self.now if choice and choice.key == key.lower()]
        for choice in found:
            self.post_message(self.Chosen(choice))
        return bool(found)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Tell which choice was made."""
        event.stop()
        place = self.buttons.index(event.button)
        choice = self.now[place] if place < len(self.now) else None
        if choice is not None:
            self.post_message(self.Chosen(choice))

    def focus_first(self) -> None:
        """Set the cursor on the first button."""
        for button in self.buttons:
            if button.display and button.visible:
                button.focus()
                return
