"""Random rule sets: a preset with one option changed, or many, or with a small pack."""

from __future__ import annotations

import random
from collections.abc import Collection

from forty5sim.errors import RuleSetError
from forty5sim.named_rules import find_rules, presets
from forty5sim.options import BIDDING, FAMILIES, Value
from forty5sim.rules import OPTIONS, SEATINGS, RuleSet

NUMBERS: dict[str, list[Value]] = {
    "target": [5, 10, 25, 45, 110],
    "ante": [1, 2, 3, 7],
    "pot_cap": [1, 4, 8, 11, 24],
    "win_tricks": [1, 2, 3, 4, 5],
    "jink_bonus": [0, 1, 4],
    "stack": [5, 12, 50],
    "game_deals": [1, 3, 6],
    "hand_size": [1, 2, 3, 4, 5, 6, 7, 10],
    "sides": [*SEATINGS],
    "first_dealer": [],
    "kitty": [0, 1, 2, 3, 4, 5],
    "min_bid": [5, 10, 15, 20, 25, 30],
    "min_bid_at_100": [15, 20, 25, 30],
    "no_bid_below": [-40, -30, 0],
    "min_keep": [0, 1, 2],
    "bidder_min_keep": [0, 1],
    "defenders_frozen_at": [20, 60, 100],
    "sets_lose": [1, 2, 3],
    "lose_at": [-20, -60, -125, -500],
    "misere_value": [150, 250, 230],
    "slam_bonus": [100, 250, 500],
}
# what auction games take instead, so that an end is near now and then
BIDDING_NUMBERS: dict[str, list[Value]] = {
    "target": [60, 120, 125, 200, 500],
    "game_deals": [1, 2, 3, 4],
}
# what whole games need so that they end soon
SHORT_GAMES: dict[str, list[Value]] = {
    "target": [5, 10, 25],
    "stack": [8, 12, 15],
    "game_deals": ["off", 1, 4, 10],
    "hand_size": [3, 4, 5],
    "win_tricks": [2, 3],
    "ante": [1, 2, 3],
    "first_dealer": ["random", 0, 1],
}
SHORT_BIDDING_GAMES: dict[str, list[Value]] = {
    "target": [60, 100, 120],
    "game_deals": ["off", 1, 2, 4],
    "lose_at": [-40, -60, -125],
    "sets_lose": ["off", 2, 3],
    "first_dealer": ["random", 0, 1],
}
ONE_OF_EACH_FAMILY = ("forty-five", "spoil-five-traditional", "auction-forty-fives", "five-hundred")
SUITS = "SCDH"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def values_of(name: str, family: str) -> list[Value]:
    """Some values of an option: all its words, and a few numbers."""
    if name == "sides":
        return NUMBERS[name]
    numbers = NUMBERS | (BIDDING_NUMBERS if family in BIDDING else {})
    return [*OPTIONS[name].words_in(family), *numbers.get(name, [])]


def one_option_changed() -> list[RuleSet]:
    """Each value of each option alone, where the preset allows it."""
    found: dict[str, RuleSet] = {}
    for base in map(find_rules, ONE_OF_EACH_FAMILY):
        names = [name for name, option in OPTIONS.items() if base.family in option.families]
        for name in names:
            for value in values_of(name, base.family):
                try:
                    rules = base.with_options(**{name: value})
                except RuleSetError:
                    continue
                found[rules.id] = rules
    return list(found.values())


def random_rules(
    rng: random.Random, *, whole_games: bool = False, families: Collection[str] = FAMILIES
) -> RuleSet:
    """A random rule set; with ``whole_games`` one whose games end soon."""
    bases = [rules for rules in presets().values() if rules.family in families]
    while True:
        rules = _try_rules(rng, rng.choice(bases), whole_games)
        if rules is not None:
            return rules


def _try_rules(rng: random.Random, base: RuleSet, whole_games: bool) -> RuleSet | None:
    names = [name for name, option in OPTIONS.items() if base.family in option.families]
    changed = (
        [rng.choice(names)] if rng.random() < 0.3 else [n for n in names if rng.random() < 0.3]
    )
    changes: dict[str, Value] = {
        name: rng.choice(values_of(name, base.family) or ["random"]) for name in changed
    }
    if whole_games:
        shortening = SHORT_BIDDING_GAMES if base.has_auction else SHORT_GAMES
        short = [name for name in shortening if name in names]
        changes |= {
            n: rng.choice(shortening[n]) for n in short if rng.random() < 0.8 or n in changes
        }
        if base.has_auction:
            end_soon(rng, base, changes)
    if not base.has_auction and rng.random() < 0.15:
        changes |= small_pack(rng, str(changes.get("joker", base.joker)))
    try:
        rules = base.with_options(**changes)
    except RuleSetError:
        return None
    return rules


def end_soon(rng: random.Random, base: RuleSet, changes: dict[str, Value]) -> None:
    """Let a game with an auction end after some deals, or as soon as a side sinks."""
    if not isinstance(changes.get("game_deals", base.game_deals), int):
        changes["lose_at"] = rng.choice(SHORT_BIDDING_GAMES["lose_at"])
    if changes.get("no_bid_below", "off") != "off":
        changes["all_pass"] = "dealer_bagged"  # or nobody would bid any more, once all are below


def small_pack(rng: random.Random, joker: str) -> dict[str, Value]:
    """A pack of some of the cards, and hands that fit it."""
    cards = [rank + suit for suit in SUITS for rank in RANKS]
    deck = rng.sample(cards, rng.randrange(12, 41)) + (["JK"] if joker != "none" else [])
    return {"deck": "+".join(deck), "hand_size": rng.choice([2, 3, 4, 5])}
