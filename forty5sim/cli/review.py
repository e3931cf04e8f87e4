"""``forty5sim review FILE``: recorded deals, and the decisions that gave most away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import announce_compiling, compile_bots, say
from forty5sim.cli.completing import best_and_bot_names

if TYPE_CHECKING:
    from forty5sim.advice.reviews import Review, Reviewed

Option = typer.Option


def command(
    file: Annotated[Path, typer.Argument(help="a file of deal records (.jsonl)")],
    seat: Annotated[
        list[int] | None,
        Option(min=0, help="whose decisions; may be repeated  [default: yours, else all]"),
    ] = None,
    top: Annotated[int, Option(help="list so many decisions of each game, at most")] = 10,
    bot: Annotated[
        str,
        Option(
            help="who judges: a bot that searches, as ismcts:iterations=5000",
            autocompletion=best_and_bot_names,
        ),
    ] = "best",
    worlds: Annotated[
        int, Option(help="worlds that a decision is judged in; the costliest in four times as many")
    ] = 1000,
    utility: Annotated[
        str, Option(help="judge by the points or chips of the deal, or the chance to win the game")
    ] = "deal",
    seed: Annotated[int, Option(help="fixes the worlds")] = 0,
    as_json: Annotated[bool, Option("--json", help="print JSON, for machines")] = False,
) -> None:
    """List the decisions that gave most away, judged by what the seat could know then.

    forty5sim solve FILE judges with all cards seen, by perfect play.
    """
    from forty5sim.advice.reviewing import review

    announced = announce_compiling()
    _compile(file, bot, announced=announced)
    found = review(
        file, seat, bot, top=top, worlds=worlds, utility=utility, seed=seed, progress=True
    )
    if as_json:
        told = found.as_dict()
        print_json("review", told.pop("costliest"), **told)
        return
    _show(file, found)


def _compile(file: Path, spec: str, *, announced: bool) -> None:
    """Compile what the bot plays the first recorded game by."""
    from forty5sim.cli.common import chosen_records
    from forty5sim.records.opening import rules_of
    from forty5sim.registry import find_bot
    from forty5sim.strengths import resolved

    _, record = next(chosen_records(file, None))
    rules = rules_of(record)
    name = resolved([spec], rules, record.players)[0]
    compile_bots([find_bot(name)], rules, record.players, announced=announced)


def _show(file: Path, found: Review) -> None:
    """Print the costliest decisions, game by game, and what each seat gave away."""
    say(f"{file}: {_count(found.deals, 'deal')}, {_count(len(found.decisions), 'decision')}")
    for table, bot in found.bots.items():
        say("", f"{table}; judged by {bot}")
        costly = [one for one in found.costliest if one.table == table]
        for number, one in enumerate(costly, start=1):
            say(*_lines(file, number, one))
        if not costly:
            say("  no decision was clearly worse than what the bot would have done")
        say(*_totals(found, table))
    say("", *_notes(found))


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _lines(file: Path, number: int, one: Reviewed) -> list[str]:
    """Return a decision in a few lines: what it cost, the situation, and why."""
    from forty5sim.advice.reviews import gain_text
    from forty5sim.cards import card_sign
    from forty5sim.notation import action_sign

    done, better = (action_sign(action, one.phase) for action in (one.taken, one.better))
    hand = " ".join(map(card_sign, one.view.sorted(one.view.hand)))
    table = " ".join(card_sign(card) for _, card in one.view.trick)
    situation = f"hand {hand}" + (f"; on the table {table}" if table else "")
    lines = [
        f"{number:>3}. {gain_text(one)} (n={one.gain.n:,})  line {one.line}, {one.place},"
        f" seat {one.seat}: {done}, better {better}",
        f"     {situation}",
        f"     {done}: {one.why_taken}",
        f"     {better}: {one.why_better}",
    ]
    if one.at is not None:
        lines.append(f"     forty5sim advise {file} --line {one.line} --at {one.at}")
    return lines


def _totals(found: Review, table: str) -> list[str]:
    """Return what each seat gave away in all."""
    from forty5sim.advice.reviews import gain_text

    return [
        f"  seat {one.seat}: {_count(one.decisions, 'decision')}, {one.others} of them other than"
        f" the bot's; in all {gain_text(one)} given away"
        for one in found.totals
        if one.table == table
    ]


def _notes(found: Review) -> list[str]:
    """Return what the figures rest on."""
    what = {
        "deal": "each deal is judged by its own points or chips, whatever the score of the game",
        "game": "judged by the chance to win the game from the score of the record",
    }
    return [
        "what is given away: the difference to the bot's choice in the same worlds, dealt by what"
        " the seat could know; ± is half of its 95 % interval, of the sampling alone",
        "the bot chose in other worlds than those; and the decisions listed were picked by a first"
        " measurement, and measured again in fresh worlds, so that no figure is the best of many",
        "listed are those whose interval leaves out zero; totals count every decision, also where"
        " the bot's choice did worse",
        what[found.utility],
    ]
