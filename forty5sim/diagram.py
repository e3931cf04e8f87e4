"""A recorded deal as a picture in text: who held what, and the tricks, seats across."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rich.text import Text

from forty5sim.cards import DIAMONDS, HEARTS, Card, Seat, card_sign
from forty5sim.game import Game
from forty5sim.narration import Narrator, auction_table
from forty5sim.options import POT
from forty5sim.reasons import RENEGE, way_of_playing
from forty5sim.records import Playback, Record

WIDTH = 79
CELL = 7
RED_SUITS = (DIAMONDS, HEARTS)
LEGEND = "> leads   * wins the trick   r reneges: keeps back a top trump"


def deal_diagram(record: Record) -> Text:
    """Return a deal, 80 columns wide for up to ten seats.

    Raises:
        RecordError: if the record cannot be played back; names the key.
    """
    playback = Playback(record)
    game = playback.game
    lines = [*_head(record, game), *_hands(record, game), Text()]
    lines += _play(playback)
    for line in Narrator(sees_all=True).ending(game):
        lines += _wrapped(line)
    return Text("\n").join(lines)


def _head(record: Record, game: Game) -> Iterator[Text]:
    seeded = "" if record.seed is None else f", seed {record.seed} deal {record.deal}"
    yield from _wrapped(f"{game.rules.id}, {record.players} players{seeded}", "bold")
    if game.rules.has_auction:
        yield Text(f"seat {record.dealer} deals")
        return
    yield Text(Narrator().trumps(game) + f"; seat {record.dealer} deals")
    if game.rules.family == POT:
        yield Text(f"pot {record.before.pot} before the antes, {game.pot} with them")


def _wrapped(line: str, style: str = "") -> Iterator[Text]:
    """Yield a line of text in as many lines as it takes."""
    for part in textwrap.wrap(line, WIDTH, subsequent_indent="  "):
        yield Text(part, style)


def _hands(record: Record, game: Game) -> Iterator[Text]:
    """Yield a line for each seat: its hand, who sat there, what it had before."""
    side_count = len(record.before.scores)
    for seat in range(record.players):
        line = Text(f"seat {seat:<3}")
        hand = game.sorted(record.hands[seat])
        for card in hand:
            line.append_text(_card(card)).append(" " * (4 - len(card_sign(card))))
        side = f"side {game.sides[seat]}, " if side_count < record.players else ""
        had = record.before.scores[game.sides[seat]]
        unit = "chips" if game.rules.family == POT else "points"
        line.append(f" {record.bots[seat]} ({side}{had} {unit})", style="dim")
        line.truncate(WIDTH, overflow="ellipsis")
        yield line
    if record.kitty:
        line = Text(f"{'kitty':<8}")
        for card in game.sorted(record.kitty):
            line.append_text(_card(card)).append(" " * (4 - len(card_sign(card))))
        line.rstrip()
        yield line


def _play(playback: Playback) -> Iterator[Text]:
    """Yield the auction, a line for each trick, and one for whatever else is done."""
    game = playback.game
    narrator = Narrator(sees_all=True)
    reneging: set[Seat] = set()
    shown = -1  # the heading of the tricks comes first
    for step in playback.steps():
        if step.phase == "auction":
            continue
        if game.calls and len(game.log) == len(game.calls):
            yield from _auction(game)
            for line in narrator.contract(game):
                yield from _wrapped(f"      {line}", "italic")
        if len(game.history) > max(shown, 0):
            yield _trick(game, reneging)
            shown, reneging = shown + 1, set()
        if step.phase == "play" and shown < 0:
            yield _heading(game)
            shown = 0
        if step.phase != "play":
            for line in narrator.action(game, step):
                yield from _wrapped(f"      {line}", "italic")
        elif way_of_playing(game, game.hands[step.seat], step.action) == RENEGE:
            reneging.add(step.seat)
    if game.history:
        yield _trick(game, reneging)
    else:
        yield from _auction(game)


def _heading(game: Game) -> Text:
    return Text("trick".ljust(6) + "".join(f"{f'seat {s}':<{CELL}}" for s in game.playing))


def _auction(game: Game) -> Iterator[Text]:
    """Yield the calls as a table, and what is played."""
    for line in auction_table(game, [f"seat {seat}" for seat in range(game.players)]):
        yield Text(f"      {line}")
    yield Text()


def _trick(game: Game, reneging: set[Seat]) -> Text:
    """Return the line of the last trick."""
    trick = game.history[-1]
    cards = game.played_to(trick)
    line = Text(f"{len(game.history):>4}  ")
    for seat in game.playing:
        won = seat == trick.winner
        line.append(">" if seat == trick.leader else " ")
        line.append_text(_card(cards[seat], bold=won))
        line.append("*" if won else "r" if seat in reneging else " ")
        line.append(" " * (CELL - 2 - len(card_sign(cards[seat]))))
    line.rstrip()
    return line


def _card(card: Card, *, bold: bool = False) -> Text:
    style = "red" if card // 13 in RED_SUITS else ""
    return Text(card_sign(card), style=f"bold {style}".strip() if bold else style)
