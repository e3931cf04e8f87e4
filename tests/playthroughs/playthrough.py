"""A whole game as text: every view, every action, every result, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from forty5sim.agent import View, view_of
from forty5sim.bids import BID_NAMES
from forty5sim.cards import card_name, trump_name
from forty5sim.game import Game
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import action_name, action_word
from forty5sim.options import POT
from forty5sim.registry import find_bot
from forty5sim.seats import Seats

FOLDER = Path(__file__).parent
SEEDS = {"forty-five-joker": 26, "spoil-five-traditional": 48, "spoil-five-strict": 4}
"""Seeds other than 1, where they show more: a Joker turned up, a jink."""
SHORTER = {"merrimack": "target=60", "bicycle-ns": "target=60", "pei-tignish": "target=60"}
"""Options that make some games shorter."""


def file_of(name: str) -> Path:
    """Return the file of a preset's playthrough."""
    return FOLDER / f"{name}.txt"


def game_of(name: str) -> tuple[str, int, int]:
    """Return the spec, players and seed of a preset's playthrough: a short game of it."""
    rules = presets()[name]
    shorter = "stack=8" if rules.family == POT else SHORTER.get(name, "")
    spec = f"{name}:{shorter}" if shorter else name
    return spec, rules.default_players, SEEDS.get(name, 1)


def playthrough(spec: str, players: int, seed: int) -> Iterator[str]:
    """Yield the lines of a game: bots are heuristic and random in turn, deal by deal."""
    rules = find_rules(spec)
    game = Game(rules, players, seed=seed)
    yield f"game {spec}, {players} players, seed {seed}"
    while True:
        yield from _deal(game, bot_of(game))
        if not game.next_deal():
            break
    yield ""
    yield f"game over: winners {game.winners}, scores {game.scores}, pot {game.pot}"


def bot_of(game: Game) -> str:
    """Return the bot that plays all seats of this deal."""
    return "heuristic" if game.deal_number % 2 == 0 else "random"


def _deal(game: Game, bot: str) -> Iterator[str]:
    yield ""
    yield f"deal {game.deal_number}: dealer {game.dealer}, all play as {bot}"
    before = game.before
    counted = f", sets {list(before.sets)}, deals {before.deals}" * game.rules.has_auction
    yield f"before: scores {list(before.scores)}, pot {before.pot}{counted}"
    for seat in game.dealt_in:
        yield f"seat {seat} is dealt {game.hands[seat]}"
    if game.kitty:
        yield f"the kitty is {game.kitty}"
    seats = Seats([find_bot(bot)] * game.players)
    yield from _opened(game)
    tricks = 0
    for step in seats.play_on(game):
        if len(game.history) > tricks:
            tricks += 1
            yield _trick_won(game)
        yield from _question(game)
        yield f"  -> {action_name(step.action, step.phase)}"
    if len(game.history) > tricks:
        yield _trick_won(game)
    if game.restock:
        yield f"a new stock: {' '.join(map(card_name, game.restock))}"
    yield f"{game.outcome}: tricks {game.tricks}, points {game.points}"
    yield f"after: scores {game.scores}, pot {game.pot}, game won by side {game.winner}"


def _opened(game: Game) -> Iterator[str]:
    turned = "nothing" if game.turnup is None else card_name(game.turnup)
    trump = "none yet" if game.trump is None else trump_name(game.trump)
    yield f"turned up {turned}, trumps {trump}, pot {game.pot}, sides {game.sides}"


def _trick_won(game: Game) -> str:
    trick = game.history[-1]
    cards = " ".join(map(card_name, trick.cards))
    return f"trick {len(game.history)}: {cards} won by {trick.winner}"


def _question(game: Game) -> Iterator[str]:
    """Yield what the seat to act sees that changes from decision to decision."""
    view = view_of(game)
    table = " ".join(f"{seat}:{card_name(card)}" for seat, card in view.trick) or "-"
    legal = " ".join(action_name(action, view.phase) for action in view.legal)
    trump = "-" if view.trump is None else trump_name(view.trump)
    won = f"tricks {view.tricks}, scores {view.scores}, pot {view.pot}"
    yield f"seat {view.seat} {view.phase}: trumps {trump}, {won}"
    if view.rules.has_auction:
        yield f"  {_auction(view)}"
    yield f"  table {table}, hand {view.hand}, legal {legal}"
    if len(view.thrown):
        yield f"  has thrown {view.thrown}"
    if view.exposed:
        yield f"  lies open {view.exposed}"


def _auction(view: View) -> str:
    """Return how the auction stands, and what has come of it so far."""
    if view.phase == "auction":
        calls = " ".join(f"{seat}:{action_word(call, 'auction')}" for seat, call in view.calls)
        return f"calls {calls or '-'}"
    bid = "no bid" if view.bid is None else f"{BID_NAMES[view.bid]} by {view.bidder}"
    joker = "" if view.joker_suit is None else f", the Joker is {trump_name(view.joker_suit)}"
    return f"{bid}, thrown {view.discarded}, led {view.led_suits}{joker}"
