"""Cards and words drawn on a rectangle of cells; every card can be read without colours."""

from __future__ import annotations

from itertools import groupby

from rich.text import Text

from forty5sim.cards import JOKER, RED_SUITS, Card, card_sign, suit_of

CARD_WIDTH, CARD_HEIGHT = 6, 3
PAPER, WORN = "#f6f2e4", "#a5a296"
BLACK, RED, EDGE = "#101010", "#c00d1e", "#77746a"
FELT = "#0d3b2e"
THIN, THICK, DOUBLE = "╭─╮│╰╯", "┏━┓┃┗┛", "╔═╗║╚╝"
"""The lines around a card: usual, under the cursor, winning the trick."""


class Canvas:
    """A rectangle of cells that is drawn on in any order; what lies outside is left out.

    Args:
        width: columns.
        height: rows.
        style: of every cell that is not drawn on.
    """

    def __init__(self, width: int, height: int, style: str = "") -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", style)] * width for _ in range(height)]
        self._style = style

    def put(self, column: int, row: int, text: str, style: str = "") -> None:
        """Write text from a cell on, to the right."""
        if not 0 <= row < self.height:
            return
        for place, sign in enumerate(text, start=column):
            if 0 <= place < self.width:
                self._cells[row][place] = (sign, f"{self._style} {style}".strip())

    def centre(self, column: int, row: int, width: int, text: str, style: str = "") -> None:
        """Write text in the middle of so many columns, cut short where it is too long."""
        text = shortened(text, width)
        self.put(column + (width - len(text)) // 2, row, text, style)

    def card(
        self, column: int, row: int, card: Card, lines: str = THIN, paper: str = PAPER
    ) -> None:
        """Draw a card, 6 columns by 3 rows."""
        red = card != JOKER and suit_of(card) in RED_SUITS
        across = lines[1] * (CARD_WIDTH - 2)
        edge = f"{EDGE if lines == THIN else BLACK} on {paper}"
        self.put(column, row, lines[0] + across + lines[2], edge)
        self.put(column, row + 1, f"{lines[3]}    {lines[3]}", edge)
        self.put(column, row + 2, lines[4] + across + lines[5], edge)
        ink = f"bold {RED if red else BLACK} on {paper}"
        self.put(column + 1, row + 1, f"{card_sign(card):^4}", ink)

    def text(self) -> Text:
        """Return what was drawn."""
        text = Text(no_wrap=True, end="")
        for number, row in enumerate(self._cells):
            if number:
                text.append("\n")
            for style, cells in groupby(row, key=lambda cell: cell[1]):
                text.append("".join(sign for sign, _ in cells), style)
        return text


def shortened(text: str, width: int) -> str:
    """Return text of so many columns at most."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"[:width]
