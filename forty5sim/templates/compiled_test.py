"""Tests of my_bot; run them with: python -m pytest test_my_bot.py"""

from __future__ import annotations

from pathlib import Path

import forty5sim
from forty5sim.game import pack_of
from forty5sim.registry import find_bot

SPEC = f"{Path(__file__).with_name('my_bot.py')}:my_bot"
GAMES = ["forty-five-joker", "spoil-five", "auction-forty-fives", "five-hundred"]


def table(hands: list[str], turnup: str) -> forty5sim.Game:
    """Return a deal of Twenty-Five from these hands; seat 0 leads."""
    rules = forty5sim.find_rules("twenty-five")
    cards = [[forty5sim.parse_card(name) for name in hand.split()] for hand in hands]
    pack = pack_of(cards, [forty5sim.parse_card(turnup)], rules)
    return forty5sim.Game(rules, len(hands), pack=pack, dealer=len(hands) - 1)


def test_it_passes_the_checks() -> None:
    """Ask it about positions in these games, and let it play a few boards."""
    found = forty5sim.check_bot(SPEC, GAMES, positions=1, boards=10)
    assert found.passed, f"\n{found}"


def test_it_wins_with_the_cheapest_card_that_does() -> None:
    """The king of clubs is led: the two of trumps is enough."""
    game = table(["KC 2C 3C 4C 6C", "2S 5S QS 3H 4H"], turnup="7S")
    game.push(forty5sim.parse_card("KC"))
    bot = find_bot(SPEC).compiled  # as a tournament loads it, so that it is compiled only once
    assert bot is not None
    action = forty5sim.as_plain(bot).act(forty5sim.view_of(game))
    assert forty5sim.card_name(action) == "2S"
