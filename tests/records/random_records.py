"""Random deals of all presets and options as records, for tests and the long runs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from forty5sim.game import Game
from forty5sim.named_rules import presets
from forty5sim.records import Record, record_of
from forty5sim.rules import RuleSet
from tests.kernels.cases import random_case
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules

DEALS_PER_RULES = 40


def random_records(count: int, seed: int) -> Iterator[Record]:
    """Yield so many records: every other one of a preset, the rest of random options."""
    rng = random.Random(f"records/{seed}")
    named = list(presets().values())
    for number in range(count):
        if number % DEALS_PER_RULES == 0:
            own = random_rules(rng)
        yield random_record(own if number % 2 else named[number // 2 % len(named)], rng)


def random_record(rules: RuleSet, rng: random.Random) -> Record:
    """Play a deal at random, rare actions often, and return its record."""
    game = random_case(rules, rng.choice(rules.players), rng).engine()
    return record_of(played(game, rng), ["random"] * game.players)


def played(game: Game, rng: random.Random) -> Game:
    """Play a deal to its end at random."""
    while not game.deal_is_over:
        game.push(choose(game.legal_actions, rng))
    return game
