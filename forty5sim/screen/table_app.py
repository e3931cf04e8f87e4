"""The full-screen table: shows a sitting, and turns keys and clicks into actions of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from forty5sim.agent import View, view_of
from forty5sim.cards import Action, Card
from forty5sim.errors import Forty5Error
from forty5sim.notation import DONE, PASS
from forty5sim.rulebook import rules_text
from forty5sim.screen import croupier
from forty5sim.screen.croupier import Croupier
from forty5sim.screen.pages import Page
from forty5sim.screen.pieces import CHOOSABLE, Board, CardBox, Choices, Hand, Story
from forty5sim.screen.wording import KEYS, Choice, choices_in, hint_table, prompt
from forty5sim.sitting import Sitting

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
WIDE = 100  # columns from which the story is broad
CROWD = 7  # seats that need the whole width of a narrow screen
CLICK = 0.5  # of a column, as seen by the arrow keys that go up and down
FOOTER = (
    ("?", "hint", "hint"),
    ("u", "undo", "undo"),
    ("l", "tricks", "tricks"),
    ("r", "rules", "rules"),
    ("F1", "keys", "all keys"),
    ("^S", "save", "save"),
    ("q", "leave", "save and quit"),
)
"""Key, action and meaning; each can be clicked."""
NEXT_DEAL = Choice("Next deal", "n", PASS)
LEAVE_TABLE = Choice("Leave the table", "n", PASS)


@dataclass(frozen=True)
class Ending:
    """How a person has left the table.

    Attributes:
        how: ``over``, ``left``, ``interrupted``, or ``crashed`` by a mistake of the screen itself.
        lines: what came of a game that is over.
        error: the mistake of a bot, or a file's, that ended it.
    """

    how: str
    lines: tuple[str, ...] = ()
    error: Exception | None = None


class TableApp(App[Ending]):
    """A person's game on the full screen.

    Args:
        sitting: the person's place at the table.
        pace: seconds between the actions of two bots.
        resumed: whether it goes on with a saved game.
    """

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "hint"),
        Binding("u", "undo"),
        Binding("l", "tricks"),
        Binding("r", "rules"),
        Binding("f1", "keys"),
        Binding("ctrl+s", "save"),
        Binding("q,ctrl+q", "leave"),
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("left", "go(-1, 0)"),
        Binding("right", "go(1, 0)"),
        Binding("up", "go(0, -1)"),
        Binding("down", "go(0, 1)"),
    ]

    def __init__(self, sitting: Sitting, pace: float, *, resumed: bool = False) -> None:
        super().__init__()
        self.sitting = sitting
        self.croupier = Croupier(sitting, pace, self.post_message)
        self.shown = sitting.session.game.copy()
        self.busy = False
        self.over: tuple[str, ...] = ()
        self._resumed = resumed
        self._goes: set[Card] = set()
        self._board = Board(sitting.narrator)
        self._story = Story()
        self._choices = Choices()
        self._hand = Hand()

    # --- what is on the screen --------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="too-small")
        with Vertical(id="room"):
            yield Static(id="head")
            with Horizontal(id="middle"):
                yield self._board
                yield self._story
            yield Static(id="prompt")
            yield Static(id="notice")
            yield self._choices
            yield self._hand
            yield Static(self._footer(), id="keys")

    def _footer(self) -> str:
        """Return the line of keys; undo is offered in practice only."""
        practice = self.sitting.session.terms.practice
        offered = [entry for entry in FOOTER if practice or entry[1] != "undo"]
        return "   ".join(
            f"[@click=app.{action}()][bold]{key}[/bold] {meaning}[/]"
            for key, action, meaning in offered
        )

    def on_mount(self) -> None:
        """Sit down: say who is there, and begin or go on."""
        sitting = self.sitting
        self._story.tell(*sitting.greeting(), *sitting.opening())
        if self._resumed:
            self._story.tell(*sitting.history(self.shown))
        self._fit(self.size)
        self._refresh()
        if sitting.session.game.deal_is_over:
            self._rest()
        else:
            self._play_on()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the table to the window."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        width, height = size
        narrow = width < WIDE
        small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        self.query_one("#room").display = not small
        notice = self.query_one("#too-small", Static)
        notice.display = small
        notice.update(
            f"The table needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} rows; this window has"
            f" {width} and {height}.\n\nMake it larger, or press q: the game is saved."
        )
        self._story.display = not (narrow and self.shown.players >= CROWD)
        self._story.set_class(not narrow, "broad")

    @property
    def view(self) -> View:
        """What the person sees of the game as it is shown."""
        return view_of(self.shown, self.sitting.narrator.you)

    def _refresh(self) -> None:
        """Draw the game as it is shown, with what may be done now."""
        view = self.view
        asked = not self.busy and view.seat == view.observer and not self.shown.deal_is_over
        self._board.show(view)
        self.query_one("#head", Static).update(self._head(view))
        cards = view.sorted(view.hand)
        legal = {card for card in cards if view.legal_mask >> card & 1}
        if asked and view.phase == "discard":
            legal = set(cards)
        elif not asked or view.phase not in ("play", "rob"):
            legal = set()
        self._hand.show(cards, legal, self._goes)
        if asked:
            self._choices.show(self._offered(view))
            self._say_prompt(prompt(self.sitting, view))
        else:
            self._choices.show([])

    def _head(self, view: View) -> Text:
        """Return the lines on top: the game and how it stands, the contract, an open hand."""
        game, sitting = self.shown, self.sitting
        name = f"{game.rules.name}, deal {game.deal_number + 1}"
        lines = [f"{name}; {sitting.narrator.standing(game)}"]
        if game.phase == "auction":
            lines.append("the auction" if game.calls else "the auction begins")
        elif game.rules.has_auction and game.trump is not None:
            lines += sitting.situation(game)
        if view.exposed and view.bidder is not None:
            whose = sitting.narrator.who(view.bidder)
            lines.append(f"open hand of {whose}: {sitting.signs(game, view.exposed)}")
        return Text("\n".join(lines))

    def _offered(self, view: View) -> list[Choice]:
        """Return the buttons; that for throwing tells how many cards are marked."""
        choices = choices_in(view)
        if view.phase != "discard":
            return choices
        count = len(self._goes)
        label = {0: "Throw nothing", 1: "Throw this card"}.get(count, f"Throw these {count} cards")
        return [Choice(label, choice.key, choice.action) for choice in choices]

    def _say_prompt(self, text: str) -> None:
        self.query_one("#prompt", Static).update(Text(text))

    def _notify(self, text: str, *, refused: bool = False) -> None:
        """Say what has happened, or why not."""
        notice = self.query_one("#notice", Static)
        notice.set_class(refused, "refused")
        notice.update(Text(text.strip()))

    # --- the game goes on -------------------------------------------------------------------------

    def _play_on(self, actions: list[Action] | None = None) -> None:
        """Let the croupier carry this out and play on."""
        self.busy = True
        self._goes = set()
        self._refresh()
        self._say_prompt("The others play. Space: go on at once.")
        self.croupier.play_on(actions or [])

    @on(croupier.Told)
    def _told(self, message: croupier.Told) -> None:
        self._story.tell(message.line)
        self._notify(self._story.lines[-1].removeprefix("· "))

    @on(croupier.Delayed)
    def _delayed(self, message: croupier.Delayed) -> None:
        self._notify(message.reason)

    @on(croupier.Moved)
    def _moved(self, message: croupier.Moved) -> None:
        self.shown = message.game
        self._refresh()

    @on(croupier.Advised)
    def _advised(self, message: croupier.Advised) -> None:
        self._notify(message.text)
        phase = self.sitting.session.game.phase
        self.push_screen(Page("A hint", hint_table(message.text, message.found, phase)))

    @on(croupier.Broke)
    def _broke(self, message: croupier.Broke) -> None:
        self.exit(Ending("left", error=message.error))

    @on(croupier.Rested)
    def _rested(self) -> None:
        self._rest()

    def _rest(self) -> None:
        """Ask the person, or tell what came of the deal."""
        self.busy = False
        self.shown = self.sitting.session.game.copy()
        self._refresh()
        if self.shown.deal_is_over:
            self._end_deal()
        else:
            self._focus_first()

    def _end_deal(self) -> None:
        ending = self.sitting.narrator.ending(self.shown)
        self._notify(". ".join(line.strip() for line in ending))
        if self.sitting.session.ends_the_game:
            self.over = self.over or tuple(self.sitting.end_game())
            self._story.tell(*self.over)
            self._say_prompt(" ".join(["The game is over.", *self.over[:-1]]))
            self._choices.show([LEAVE_TABLE])
        else:
            self._say_prompt("The deal is over. Press Enter for the next one.")
            self._choices.show([NEXT_DEAL])
        self._choices.focus_first()

    def _next_deal(self) -> None:
        if self.over:
            self.exit(Ending("over", self.over))
            return
        self.sitting.session.next_deal()
        self.shown = self.sitting.session.game.copy()
        self._story.tell("", *self.sitting.opening())
        self._notify("")
        self._play_on()

    # --- what the person does ---------------------------------------------------------------------

    @on(CardBox.Chosen)
    def _card_chosen(self, message: CardBox.Chosen) -> None:
        self.choose_card(message.card)

    @on(Choices.Chosen)
    def _choice_made(self, message: Choices.Chosen) -> None:
        self.choose(message.choice)

    def choose_card(self, card: Card) -> None:
        """Play or throw a card, mark one that is to be thrown, or say why not."""
        view = self.view
        if self.busy:
            self.croupier.hurry()
        elif self.shown.deal_is_over:
            self._notify("The deal is over: press Enter for the next one.", refused=True)
        elif view.phase == "discard":
            self._goes ^= {card}
            self._refresh()
        elif view.phase in ("play", "rob", "jink"):
            self._do([card])
        else:
            self._notify("No card is played yet: choose one of the buttons.", refused=True)

    def choose(self, choice: Choice) -> None:
        """Do what a button says."""
        if self.busy:
            self.croupier.hurry()
        elif self.shown.deal_is_over:
            self._next_deal()
        elif choice.action == DONE:
            self._do([*sorted(self._goes), DONE])
        else:
            self._do([choice.action])

    def _do(self, actions: list[Action]) -> None:
        """Carry actions out, or say why not."""
        refusal = self.sitting.refusal(actions)
        if refusal:
            self._notify(refusal, refused=True)
        else:
            self._play_on(actions)

    def on_key(self, event: events.Key) -> None:
        """Read the numbers of cards and the letters of buttons; hurry the bots."""
        if len(self.screen_stack) > 1:
            return
        character = event.character or ""
        if self.busy:
            if event.key in ("space", "enter"):
                self.croupier.hurry()
            return
        boxes = self._hand.boxes
        place = "1234567890".find(character) if character else -1
        if place >= 0 and (card := boxes[place].card) is not None:
            boxes[place].focus()
            self.choose_card(card)
        elif character and self._choices.press(character):
            event.stop()
            event.prevent_default()

    def action_go(self, across: int, down: int) -> None:
        """Move the cursor to the nearest card or button on that side."""
        here = self.focused
        if here is None:
            self._focus_first()
            return
        column, row = here.region.center

        def distance(widget: Widget) -> float:
            x, y = widget.region.center
            ahead = (x - column) * across + (y - row) * down
            aside = abs((x - column) * down) * CLICK + abs((y - row) * across) * 100
            return ahead + aside if ahead > 0 else float("inf")

        others = [
            w for w in self.query(f".{CHOOSABLE}") if w.region and w.visible and w is not here
        ]
        nearest = min(others, key=distance, default=here)
        if distance(nearest) < float("inf"):
            nearest.focus()

    def _focus_first(self) -> None:
        """Set the cursor on the first card that may be chosen, or the first button."""
        if len(self.screen_stack) > 1:
            return
        view = self.view
        for box in self._hand.boxes:
            by_card = view.phase in ("play", "rob", "discard")
            if by_card and box.card is not None and (
                view.phase == "discard" or view.legal_mask >> box.card & 1
            ):  # fmt: skip
                box.focus()
                return
        self._choices.focus_first()

    # --- commands ---------------------------------------------------------------------------------

    def action_hint(self) -> None:
        """Ask the adviser."""
        if self.busy or self.shown.deal_is_over:
            self._notify("A hint is given when it is your turn.", refused=True)
            return
        self.busy = True
        self._say_prompt("The adviser is thinking …")
        self.croupier.advise()

    def action_undo(self) -> None:
        """Take the last move back."""
        if self.busy:
            self._notify("Moves are taken back when it is your turn.", refused=True)
            return
        before = self.sitting.session.game
        text = self.sitting.take_back()
        taken = self.sitting.session.game is not before
        self._goes = set()
        if taken:
            self._story.tell(text)
            self._rest()
        self._notify(text, refused=not taken)

    def action_tricks(self) -> None:
        """Show the tricks of this deal."""
        lines = self.sitting.history(self.shown)
        self.push_screen(Page("This deal", "\n".join(lines)))

    def action_rules(self) -> None:
        """Show the rules of the game."""
        self.push_screen(Page("The rules", rules_text(self.shown.rules)))

    def action_keys(self) -> None:
        """Show what keys there are."""
        self.push_screen(Page("Keys", KEYS))

    def action_save(self) -> None:
        """Write the game down and go on."""
        if self.over:
            self._notify("The game is over; there is nothing to save.", refused=True)
            return
        try:
            self._notify(self.sitting.save())
        except Forty5Error as error:
            self._notify(str(error), refused=True)

    def action_leave(self) -> None:
        """Leave the table."""
        self.exit(Ending("over", self.over) if self.over else Ending("left"))

    def action_interrupt(self) -> None:
        """Leave the table as Ctrl-C does."""
        self.exit(Ending("over", self.over) if self.over else Ending("interrupted"))


def sit_down(sitting: Sitting, pace: float, *, resumed: bool = False) -> Ending:
    """Play on the full screen until the game is over or the person leaves.

    Nothing is saved here: that is the caller's, who can also say it on the terminal.
    """
    app = TableApp(sitting, pace, resumed=resumed)
    try:
        return app.run() or Ending("crashed")
    finally:
        app.croupier.close()
