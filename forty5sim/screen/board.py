"""The middle of the table: who sits where, the cards of the trick, what was turned up.

Everything is read from a ``View``, so nothing that the person may not know can be drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from forty5sim.agent import View
from forty5sim.cards import NO_TRUMP, SUIT_SIGNS, Seat
from forty5sim.narration import Narrator, contract_sign
from forty5sim.notation import HOLD, PASS, bid_sign
from forty5sim.options import POT
from forty5sim.screen.drawing import CARD_WIDTH, DOUBLE, FELT, THIN, Canvas, shortened
from forty5sim.table import Trick

GROUND = f"#e8e6dc on {FELT}"
QUIET = "#9fb8ab"
TURN = "bold #ffd75f"
WIDEST_PLACE = 16
BIDDING = ("auction", "trump", "discard", "assign")
"""The phases before the first card of a game with an auction."""


@dataclass(frozen=True)
class Place:
    """Where a seat is drawn: columns from ``left`` on, ``band`` 0 at the top, 2 at the bottom."""

    left: int
    width: int
    band: int


def draw_board(view: View, narrator: Narrator, width: int, height: int) -> Text:
    """Return the table as the person sees it, in so many columns and rows."""
    canvas = Canvas(width, height, GROUND)
    trick = trick_shown(view)
    rows = _band_rows(height)
    room = width
    for seat, place in places(view.players, view.observer, width).items():
        _draw_seat(canvas, view, narrator, trick, seat, place, rows[place.band])
        room -= place.width if place.band == 1 else 0
    _draw_centre(canvas, view, narrator, room, rows[1] + (height >= 12))
    return canvas.text()


def trick_shown(view: View) -> Trick | None:
    """Return the trick on the table: the one being played, else the last one until the next."""
    if view.trick:
        cards = tuple(card for _, card in view.trick)
        return Trick(view.leader, cards, view.winning[0] if view.winning else None)
    return view.history[-1] if view.history else None


def places(players: int, observer: Seat, width: int) -> dict[Seat, Place]:
    """Return where each seat is drawn: the observer below, the others clockwise around."""
    others = players - 1
    below = 1 if others >= 7 else 0  # on each side of the observer
    beside = 1 if others >= 3 else 0  # on each side of the middle
    above = others - 2 * (below + beside)
    size = min(WIDEST_PLACE, width // max(above, 3))
    left, right = 0, width - size
    spots = [Place((width - size) // 2, size, 2)]
    spots += [Place(left, size, 2)] * below + [Place(left, size, 1)] * beside
    spots += [Place((2 * n + 1) * width // (2 * above) - size // 2, size, 0) for n in range(above)]
    spots += [Place(right, size, 1)] * beside + [Place(right, size, 2)] * below
    return {(observer + step) % players: spot for step, spot in enumerate(spots)}


def _band_rows(height: int) -> list[int]:
    """Return the first row of each of the three bands of seats."""
    size = min(4, height // 3)
    return [0, (height - size) // 2, height - size]


def _draw_seat(
    canvas: Canvas,
    view: View,
    narrator: Narrator,
    trick: Trick | None,
    seat: Seat,
    place: Place,
    row: int,
) -> None:
    acts = view.phase != "over" and seat == view.seat
    name = f"{'▶' if acts else ' '} {narrator.who(seat)}"
    dealer = " dealer" if place.width >= len(name) + 7 else " D"
    name += dealer if seat == view.dealer else ""
    canvas.put(place.left, row, shortened(name, place.width), TURN if acts else "bold")
    cards = view.played_to(trick) if trick and view.trick == [] else dict(view.trick)
    notes = _notes(view, seat, trick, in_words=place.width >= CARD_WIDTH + 8)
    card = cards.get(seat)
    beside = place.left + 2
    if card is not None:
        won = trick is not None and seat == trick.winner
        canvas.card(place.left, row + 1, card, DOUBLE if won else THIN)
        beside = place.left + CARD_WIDTH + 1
    for line, note in enumerate(notes, start=1):
        style = TURN if note.startswith("win") or note == "won" else QUIET
        canvas.put(beside, row + line, shortened(note, place.left + place.width - beside), style)


def _notes(view: View, seat: Seat, trick: Trick | None, *, in_words: bool) -> list[str]:
    """Return what is said of a seat, three lines at most."""
    if view.phase in BIDDING:
        return [_call(view, seat), _relation(view, seat)]
    if seat not in view.playing_from(view.leader):
        return ["sits out", _relation(view, seat)]
    number = view.tricks[seat]
    unit = ("trick" if number == 1 else "tricks") if in_words else "tr."
    return [f"{number} {unit}", _part_in(view, trick, seat), _relation(view, seat)]


def _call(view: View, seat: Seat) -> str:
    """Return what a seat did last before the first card."""
    if view.phase == "discard" and view.discarded[seat]:
        return f"threw {view.discarded[seat]}"
    calls = [call for caller, call in view.calls if caller == seat]
    if not calls:
        return "…"
    if calls[-1] in (PASS, HOLD):
        return {PASS: "passes", HOLD: "holds"}[calls[-1]]
    return f"bids {bid_sign(calls[-1])}"


def _part_in(view: View, trick: Trick | None, seat: Seat) -> str:
    """Return a seat's part in the trick on the table."""
    if trick is None:
        return ""
    if seat == trick.winner:
        return "winning" if view.trick else "won"
    return "led" if seat == trick.leader else ""


def _relation(view: View, seat: Seat) -> str:
    """Return what a seat is to the person, or in this deal."""
    if seat == view.jinker:
        return "jinks"
    if view.rules.has_auction and seat == view.bidder and view.phase != "auction":
        return "bidder"
    partner = seat != view.observer and view.sides[seat] == view.sides[view.observer]
    return "partner" if partner else ""


# --- the middle -----------------------------------------------------------------------------------


def _draw_centre(canvas: Canvas, view: View, narrator: Narrator, room: int, row: int) -> None:
    """Draw the turn-up with what it made trumps, or the contract, in so many columns."""
    card = view.turnup if view.robber is None else None
    beside = CARD_WIDTH + 1 if card is not None else 0
    lines = [shortened(line, room - beside) for line in _centre_lines(view, narrator)]
    left = (canvas.width - beside - max(map(len, lines), default=0)) // 2
    if card is not None:
        canvas.card(left, row, card)
    for number, line in enumerate(lines):
        canvas.put(left + beside, row + number, line)


def _centre_lines(view: View, narrator: Narrator) -> list[str]:
    """Return what was turned up or bid, what is trumps, and the pot."""
    lines = []
    if view.turnup is not None:
        lines.append("turned up" if view.robber is None else _robbed(narrator, view.robber))
    elif view.bid is not None and view.phase == "auction":
        lines.append(f"bid: {bid_sign(view.bid)}")
    elif view.bid is not None:
        lines.append(f"playing {contract_sign(view)}")
    if view.trump == NO_TRUMP:
        lines.append("no trumps")
    elif view.trump is not None:
        lines.append(f"{SUIT_SIGNS[view.trump]} are trumps")
    if view.rules.family == POT:
        lines.append(f"pot {view.pot} chips")
    return lines


def _robbed(narrator: Narrator, robber: Seat) -> str:
    return f"robbed by {narrator.who(robber)}"
