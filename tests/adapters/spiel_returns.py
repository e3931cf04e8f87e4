"""Plays boards in OpenSpiel as bots have played them, and compares the returns with the arena's.

    python tests/adapters/spiel_returns.py --deals 100000

The arena's kernels shuffle, deal and score; here each card is an outcome of OpenSpiel's chance.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.adapters import openspiel_games
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.arena.match import play_pairing
from forty5sim.kernels import rows
from forty5sim.named_rules import presets
from forty5sim.registry import find_bot
from forty5sim.seats import Seats


class Setting(NamedTuple):
    """A preset, and how many play it."""

    preset: str
    players: int


def settings() -> list[Setting]:
    """Return every preset with every number of players."""
    return [Setting(rules.name, n) for rules in presets().values() for n in rules.players]


def differences(setting: Setting, first: int, deals: int, seed: int = 1) -> Iterator[str]:
    """Yield the deals, of so many that random bots play, whose returns are not the payoffs."""
    rules, n = presets()[setting.preset], setting.players
    conditions = Conditions(rules, n, seed)
    bot = find_bot("random")
    found, _ = play_pairing(conditions, [bot], [[0] * n], first, deals)
    start = rows.HEAD_SIZE + rows.BLOCK_PAYOFF * n
    game = openspiel_games.load(rules, n)
    for place in range(deals):
        deal = board_game(conditions, first + place)
        list(Seats([bot] * n).play_on(deal))
        state = openspiel_games.state_of(game, deal)
        payoffs = found[place, 0, start : start + n] / conditions.payoff_units
        if not state.is_terminal() or list(state.returns()) != list(payoffs):
            yield f"{setting}, deal {first + place}: {state.returns()}, expected {payoffs}"
        if not game.min_utility() <= min(payoffs) <= max(payoffs) <= game.max_utility():
            yield f"{setting}, deal {first + place}: {payoffs} is out of bounds"


def main() -> None:
    """Compare from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    places = settings()
    start, wrong = time.process_time(), 0
    for number, setting in enumerate(places):
        deals = asked.deals // len(places) + (number < asked.deals % len(places))
        for difference in differences(setting, 0, deals, asked.seed) if deals else ():
            print(difference)
            wrong += 1
    seconds = time.process_time() - start
    print(f"{asked.deals} deals in {len(places)} settings, {wrong} differ; {seconds:.0f} s of CPU")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
