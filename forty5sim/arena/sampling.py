"""Plays sampled boards of a run once more, one action at a time: its records and its decisions.

Every choice is a pure function of the plan, so the same deals come out; each is compared with the
row that the run kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from tqdm import tqdm

from forty5sim.arena.conditions import Rows, board_game
from forty5sim.arena.plan import Plan
from forty5sim.arena.played import unpacked
from forty5sim.arena.schedule import Seating
from forty5sim.arena.store import RunFolder
from forty5sim.cards import CardSet, trump_name
from forty5sim.errors import RunError
from forty5sim.game import Game, Step
from forty5sim.kernels import rows
from forty5sim.notation import act_name, action_word
from forty5sim.options import POT
from forty5sim.reasons import way_of_playing
from forty5sim.records import Record, record_of
from forty5sim.registry import Bot
from forty5sim.seats import Seats


@dataclass(frozen=True)
class Replay:
    """One replay of a sampled board: where it stands in the run, who sat where, its row."""

    pairing: int
    board: int
    replay: int
    seating: Seating
    row: Any

    def is_forfeited(self) -> bool:
        """Say whether a bot gave no legal answer, so that the deal has no end."""
        return bool(self.row[rows.ROW_FORFEIT] >= 0)


def sampled_boards(plan: Plan, count: int) -> list[int]:
    """Return the numbers of so many boards, drawn evenly by the plan's seed, ascending."""
    rng = np.random.default_rng(plan.seed)
    count = min(count, plan.boards)
    return sorted(rng.choice(plan.boards, count, replace=False).tolist())


def sampled_replays(plan: Plan, folder: RunFolder, count: int) -> Iterator[Replay]:
    """Yield every replay of so many sampled boards of a complete run."""
    boards = sampled_boards(plan, count)
    pairings = plan.pairings
    for part in folder.parts():
        here = [board for board in boards if part.first <= board < part.first + part.count]
        if not here:
            continue
        results, _ = unpacked(plan, part)
        for board in here:
            for number, pairing in enumerate(pairings):
                for replay, seating in enumerate(pairing.seatings):
                    row = results[number][replay, :, board - part.first]
                    yield Replay(number, board, replay, seating, row)


def played_again(
    plan: Plan, bots: Sequence[Bot], where: Replay
) -> Iterator[tuple[Game, Step | None]]:
    """Yield each action of a replay just before it is carried out, and None after each deal.

    Raises:
        RunError: if it comes out otherwise than in the run.
    """
    game = board_game(plan.conditions, where.board)
    seats = Seats([bots[bot] for bot in where.seating])
    tricks = np.zeros(game.players, dtype=np.int64)
    while True:
        yield from ((game, step) for step in seats.play_on(game))
        tricks += game.tricks
        yield game, None
        if not plan.whole_games or not game.next_deal():
            break
    start = rows.HEAD_SIZE + rows.BLOCK_TRICKS * game.players
    if (tricks != where.row[start : start + game.players]).any():
        names = ", ".join(dict.fromkeys(bots[bot].name for bot in where.seating))
        raise RunError(
            f"board {where.board} comes out otherwise when it is played again: one of {names} does"
            " not choose the same when it sees the same (random numbers are to come from view.rng)"
        )


def sample_records(
    plan: Plan, bots: Sequence[Bot], folder: RunFolder, count: int, *, progress: bool = False
) -> Iterator[Record]:
    """Yield the records of so many sampled boards of a complete run, all their replays.

    Each says where it stands in the run, under the key ``run``. Forfeited replays have no record.
    """
    for where in _with_bar(plan, folder, count, "records", progress):
        if where.is_forfeited():
            continue
        names = [plan.bots[bot] for bot in where.seating]
        place = {"pairing": where.pairing, "board": where.board, "replay": where.replay}
        for game, step in played_again(plan, bots, where):
            if step is None:
                yield replace(record_of(game, names), extra={"run": place})


def _with_bar(
    plan: Plan, folder: RunFolder, count: int, what: str, progress: bool
) -> Iterator[Replay]:
    """Yield the sampled replays under a progress bar."""
    total = min(count, plan.boards) * plan.replays()
    replays = sampled_replays(plan, folder, count)
    bar = tqdm(replays, desc=what, total=total, unit="replay", disable=not progress, leave=False)
    return iter(bar)


# --- decisions -----------------------------------------------------------------------------------

DECISION_SCHEMA = pa.schema(
    [
        ("pairing", pa.int16()),
        ("board", pa.int64()),
        ("replay", pa.int16()),
        ("deal", pa.int16()),  # of a whole game, from 0
        ("seat", pa.int8()),
        ("bot", pa.string()),
        ("kind", pa.string()),  # the phase: auction, trump, discard, assign, rob, play, name, jink
        ("trick", pa.int8()),  # from 1
        ("position", pa.int8()),  # cards on the trick before
        ("choices", pa.int8()),  # how many actions were legal
        ("legal", pa.string()),
        ("choice", pa.string()),
        ("way", pa.string()),  # lead, follow, ruff, renege, discard, joker; else what is done
        ("hand", pa.string()),
        ("trump", pa.string()),
        ("trumps_held", pa.int8()),
        ("tricks_won", pa.int8()),  # by its side, in this deal
        ("score_before", pa.int32()),  # of its side; pot games: its chips, antes paid
        ("pot_before", pa.int32()),
        ("payoff_after", pa.float64()),  # of its seat for the deal, or the whole game
    ]
)
"""A row of the decisions table: one decision where there was a choice."""


def sample_decisions(
    plan: Plan, bots: Sequence[Bot], folder: RunFolder, count: int, *, progress: bool = False
) -> pa.Table:
    """Return the decisions of so many sampled boards of a complete run, a row each.

    Bots are asked only where they have a choice, and only such decisions are rows.
    """
    columns: dict[str, list[Any]] = {name: [] for name in DECISION_SCHEMA.names}
    for where in _with_bar(plan, folder, count, "decisions", progress):
        if where.is_forfeited():
            continue
        payoffs = _payoffs(plan, where.row)
        for game, step in played_again(plan, bots, where):
            if step is None or game.legal_mask.bit_count() < 2:
                continue
            place = {"pairing": where.pairing, "board": where.board, "replay": where.replay}
            values = place | _decision(game, step)
            values["bot"] = plan.bots[where.seating[step.seat]]
            values["payoff_after"] = payoffs[step.seat]
            for name, value in values.items():
                columns[name].append(value)
    return pa.table(columns, schema=DECISION_SCHEMA)


def _payoffs(plan: Plan, row: Rows) -> list[float]:
    start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * plan.players
    units = plan.conditions.payoff_units
    return [value / units for value in row[start : start + plan.players].tolist()]


def _decision(game: Game, step: Step) -> dict[str, Any]:
    """Return what there is to say of a decision that is about to be carried out."""
    seat, hand = step.seat, game.hands[step.seat]
    side = game.sides[seat]
    sides = zip(game.tricks, game.sides, strict=True)
    return {
        "deal": game.deal_number,
        "seat": seat,
        "kind": step.phase,
        "trick": len(game.history) + 1,
        "position": len(game.trick),
        "choices": game.legal_mask.bit_count(),
        "legal": " ".join(action_word(action, step.phase) for action in game.legal_actions),
        "choice": action_word(step.action, step.phase),
        "way": _way(game, step, hand),
        "hand": str(hand),
        "trump": "" if game.trump is None else trump_name(game.trump),
        "trumps_held": sum(map(game.is_trump, hand)),
        "tricks_won": sum(tricks for tricks, other in sides if other == side),
        "score_before": game.scores[side],
        "pot_before": game.pot if game.rules.family == POT else 0,
    }


def _way(game: Game, step: Step, hand: CardSet) -> str:
    if step.phase == "play":
        return way_of_playing(game, hand, step.action)
    return act_name(step.action, step.phase)
