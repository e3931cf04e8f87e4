"""``forty5sim advise POSITION``: what to do, what each action is worth, and why."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import announce_compiling, compile_bots, console, say
from forty5sim.cli.completing import best_and_bot_names

if TYPE_CHECKING:
    from forty5sim.advice.advising import Advice
    from forty5sim.advice.positions import Position
    from forty5sim.agent import View
    from forty5sim.stats import Estimate

Option = typer.Option
MOST_BYTES = 50_000_000
SURE = 2
"""Half-widths by which another action must be better to be noted: it is the best of many."""


def command(
    position: Annotated[
        str,
        typer.Argument(
            help="a file of deal records, a file with a position in a short text, - for standard"
            " input, or the text itself: 'game=spoil-five trump=H hand=\"5H 9C KD\" trick=7H'"
        ),
    ],
    line: Annotated[
        int | None, Option(min=1, help="the deal of this line, in a file of several records")
    ] = None,
    at: Annotated[
        int | None,
        Option(min=0, help="stand after so many of the record's actions  [default: after all]"),
    ] = None,
    bot: Annotated[
        str,
        Option(
            help="who is asked: a bot that searches, as ismcts:iterations=5000",
            autocompletion=best_and_bot_names,
        ),
    ] = "best",
    worlds: Annotated[
        int, Option(help="worlds that every action is tried in, beside the search")
    ] = 2000,
    seed: Annotated[int, Option(help="fixes the worlds")] = 0,
    as_json: Annotated[bool, Option("--json", help="print JSON, for machines")] = False,
) -> None:
    """Say what to do in a position, what each action is worth, and why.

    Only what the seat to act can see is looked at. docs/advice.md has the words of a short text.
    """
    from forty5sim.advice.advising import advise, position_from
    from forty5sim.errors import RecordError
    from forty5sim.registry import find_bot
    from forty5sim.strengths import resolved

    text, where = _text(position, line)
    announced = announce_compiling()
    try:
        known = position_from(text, at, seed)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None
    view = known.view
    name = resolved([bot], view.rules, view.players)[0]
    compile_bots([find_bot(name)], view.rules, view.players, announced=announced)
    advice = advise(known, name, worlds=worlds, seed=seed)
    if as_json:
        told = advice.as_dict()
        print_json("advise", told.pop("actions"), **told)
        return
    say(*_situation(known), "")
    _show(advice)


# --- where the position stands --------------------------------------------------------------------


def _text(given: str, line: int | None) -> tuple[str, str]:
    """Return the text of a position, and where it stands."""
    from forty5sim.errors import PositionError

    if given == "-":
        text, where = sys.stdin.read(), "standard input"
    elif not given.strip() or ("=" in given and not _is_file(given)):
        text, where = given, "the position"
    else:
        text, where = _read(given), given
    if not text.strip():
        raise PositionError(f"{where} is empty; a position is a deal record or a short text")
    if not text.lstrip().startswith("{"):
        if line is not None:
            raise PositionError(f"--line is for files of records; {where} has a short text")
        return text, where
    return _record(text, where, line)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False


def _read(path: str) -> str:
    from forty5sim.errors import PositionError

    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PositionError(f"cannot read {path!r}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PositionError(f"cannot read {path!r}: it is no UTF-8 (byte {error.start})") from None
    if len(text) > MOST_BYTES:
        raise PositionError(f"cannot read {path!r}: it is longer than {MOST_BYTES} bytes")
    return text


def _record(text: str, where: str, line: int | None) -> tuple[str, str]:
    """Return the line of a record, and where it stands."""
    from forty5sim.errors import RecordError

    lines = text.splitlines()
    filled = [number for number, one in enumerate(lines, start=1) if one.strip()]
    if line is None and len(filled) > 1:
        raise RecordError(
            f"{where} has {len(filled)} records; choose one: --line {filled[0]} to"
            f" --line {filled[-1]}"
        )
    number = filled[0] if line is None else line
    if number not in filled:
        raise RecordError(f"{where} has no record in line {number}; it has lines {filled[0]} to"
                          f" {filled[-1]}")  # fmt: skip
    return lines[number - 1].lstrip(), f"{where}, line {number}"


# --- what is shown --------------------------------------------------------------------------------


def _situation(position: Position) -> list[str]:
    """Return the position in words: what is public, and the hand."""
    from forty5sim.cards import SUIT_SIGNS, card_sign, trump_word
    from forty5sim.notation import action_sign

    view = position.view
    words = [f"{view.rules.id}, {view.players} players"]
    if view.trump is not None:
        sign = "" if view.trump >= len(SUIT_SIGNS) else f" {SUIT_SIGNS[view.trump]}"
        words.append(f"trumps {trump_word(view.trump)}{sign}")
    if view.turnup is not None:
        words.append(f"{card_sign(view.turnup)} turned up")
    if len(position.views) == 1:
        words.append(f"dealer {view.dealer}")
    lines = [", ".join(words)]
    if view.calls:
        calls = (f"seat {seat} {action_sign(call, 'auction')}" for seat, call in view.calls)
        lines.append(f"calls: {', '.join(calls)}")
    lines += _tricks(position)
    hand = " ".join(map(card_sign, view.sorted(view.hand)))
    return [*lines, f"seat {view.observer} to act ({view.phase}), hand: {hand}"]


def _tricks(position: Position) -> list[str]:
    """Return the tricks that are known, and the cards on the table."""
    from forty5sim.cards import card_sign

    view = position.view
    lines = []
    for number, trick in enumerate(view.history if len(position.views) == 1 else [], start=1):
        cards = " ".join(map(card_sign, trick.cards))
        lines.append(f"trick {number}: seat {trick.leader} led {cards}: seat {trick.winner} won")
    if view.trick:
        table = ", ".join(f"seat {seat} {card_sign(card)}" for seat, card in view.trick)
        lines.append(f"on the table: {table}")
    return lines


def _show(advice: Advice) -> None:
    """Print what the bot would do, the table of actions, and what the figures rest on."""
    from rich.table import Table
    from rich.text import Text

    from forty5sim.advice.advising import value_text
    from forty5sim.advice.grounds import percent
    from forty5sim.notation import action_sign

    view = advice.position.view
    say(_verdict(advice))
    table = Table(box=None, pad_edge=False)
    for head in ("", advice.payoff_unit, f"win the {advice.stake}", "behind", "searched"):
        table.add_column(head, justify="left" if head == "" else "right", no_wrap=True)
    table.add_column("seen in the worlds")
    for one in advice.actions:
        chosen = one.action == advice.choice
        sign = _label(view, one.action, action_sign(one.action, view.phase))
        table.add_row(
            Text(f"{'*' if chosen else ' '} {sign}", style="red" if {*sign} & {*"♥♦"} else ""),
            value_text(one.value),
            percent(one.chance),
            "" if chosen else _behind(advice, one.behind),
            f"{advice[one.action].visits:,}" if advice.tried else "",
            one.why,
        )
    console().print(table)
    say(*_notes(advice))


def _label(view: View, action: int, sign: str) -> str:
    """Return an action as it is shown: what a card is thrown for stands before it."""
    from forty5sim.notation import is_word

    verbs = {"rob": "rob, throw ", "discard": "throw "}
    return sign if is_word(action) else f"{verbs.get(view.phase, '')}{sign}"


def _behind(advice: Advice, behind: Estimate) -> str:
    """Return how far an action is behind, in what is played for."""
    from forty5sim.advice.advising import value_text
    from forty5sim.advice.grounds import percent

    return percent(behind) if advice.stake == "game" else value_text(behind, sign=False)


def _verdict(advice: Advice) -> str:
    """Return what the bot would do, in a line."""
    from forty5sim.cards import card_sign
    from forty5sim.notation import action_sign

    view = advice.position.view
    if len(view.legal) == 1:
        return f"there is no choice: {action_sign(view.legal[0], view.phase)}"
    if view.phase == "discard":
        thrown = " ".join(map(card_sign, view.sorted(advice.throws))) or "nothing"
        return f"{advice.bot} would throw {thrown}"
    chosen = _label(view, advice.choice, action_sign(advice.choice, view.phase))
    return f"{advice.bot} would choose {chosen}"


def _notes(advice: Advice) -> list[str]:
    """Return what the figures rest on, and what was assumed."""
    from forty5sim.advice.advising import STAKES

    values = {
        "points": "points of the deal less the mean of the other sides",
        "chips": "net chips of the deal, and an equal share of the pot left over",
    }
    lines = [
        f"{values[advice.payoff_unit]}; win {STAKES[advice.stake]}",
        f"n = {advice.n:,} worlds, the same for every action and others than the search's"
        f" {advice.tried:,}; played on as the bot plays worlds out",
        "±: half of the 95 % interval, of the sampling alone: it does not tell how well the worlds"
        " are played on",
    ]
    if len(advice.position.views) > 1:
        lines.append(f"± counts the {len(advice.position.views)} pasts as what is independent")
    lines += _disagreement(advice)
    return [*lines, *(f"assumed: {words}" for words in advice.assumed)]


def _disagreement(advice: Advice) -> list[str]:
    """Return that another action did clearly better in the worlds than the bot's choice, if so."""
    from forty5sim.notation import action_sign

    better = [one for one in advice.actions if one.behind.mean < -SURE * one.behind.half_width]
    if not better:
        return []
    one = min(better, key=lambda one: one.behind.mean)
    sign = action_sign(one.action, advice.position.view.phase)
    return [f"note: in these worlds {sign} did better than what the search chose, by"
            f" {_behind(advice, _turned(one.behind))}"]  # fmt: skip


def _turned(gain: Estimate) -> Estimate:
    from dataclasses import replace

    return replace(gain, mean=-gain.mean)
