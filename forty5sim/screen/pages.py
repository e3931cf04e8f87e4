"""Pages that are laid over the table: a hint, the tricks so far, the rules, the keys."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class Page(ModalScreen[None]):
    """A text with a title, closed by Escape, Enter or q; long ones are scrolled.

    Args:
        title: what it is about.
        text: what it says.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q", "dismiss", "close"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Lay the text in a frame."""
        text = Text(self._text)
        text.highlight_regex(r"(10|[2-9JQKA])?[♥♦]", "#ff8a8a")
        with Vertical(id="page") as frame:
            frame.border_title = self._title
            frame.border_subtitle = "↑ ↓ scroll · Esc back to the table"
            with VerticalScroll():
                yield Static(text)

    def on_click(self, event: object) -> None:
        """Close when the table beside the page is clicked."""
        widget = getattr(event, "widget", None)
        if widget is self:
            self.dismiss()
