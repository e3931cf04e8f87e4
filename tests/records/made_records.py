"""Records of deals made for a purpose."""

from __future__ import annotations

import random

from forty5sim.game import Game
from forty5sim.named_rules import find_rules
from forty5sim.records import Record, record_of
from tests.records.random_records import played
from tests.rulebook.table import deal, play, script


def holder_last() -> Record:
    """A deal of three in which seat 0, the last to play, holds the ace of trumps and robs."""
    hands = {0: "AS 3S 9C 4D 6H", 1: "KD QD 2D 3D 8H", 2: "KC QC JC AC 2C"}
    game = deal("forty-five", hands, "7S", players=3, dealer=0)
    play(game, "KD KC rob:6H")
    return record_of(played(game, random.Random(1)), ["a", "b", "c"])


def good(spec: str = "spoil-five", players: int = 3, seed: int = 5) -> Record:
    """A record of a seeded deal played at random."""
    return record_of(
        played(Game(spec, players, seed=seed), random.Random(seed)), ["random"] * players
    )


def jinked() -> Record:
    """A record of Spoil Five in which seat 1 wins three tricks and stops."""
    told = script(3, [1, 1, 1])
    rules = find_rules("spoil-five:plain_lead=free,trump=S")
    game = deal(rules, told.hands, players=3, pot=2)
    for trick in told.tricks:
        play(game, trick)
    play(game, "stop")
    return record_of(game, ["a", "b", "c"])


def dealer_robs() -> Record:
    """A record of Forty-Five in which the dealer, seat 0, takes an ace turned up."""
    hands = {0: "3S 9S 9C 4D 6H", 1: "KD QD 2D 3D 8H", 2: "KC QC JC AC 2C"}
    game = deal("forty-five", hands, "AS", players=3, dealer=0)
    play(game, "rob:6H")
    return record_of(played(game, random.Random(1)), ["a", "b", "c"])
