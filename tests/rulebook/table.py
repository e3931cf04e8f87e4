"""A table for tests: hands and a turn-up in words, plays in words, what is legal in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forty5sim.cards import JOKER, card_name, parse_card
from forty5sim.game import Game, pack_of
from forty5sim.named_rules import find_rules
from forty5sim.notation import action_name, parse_action
from forty5sim.rules import RuleSet

ACES_AND_JOKER = {12, 25, 38, 51, JOKER}


def deal(
    spec: str | RuleSet,
    hands: Sequence[str] | Mapping[int, str],
    turnup: str = "",
    *,
    players: int | None = None,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
    pot: int = 0,
) -> Game:
    """Return a game whose first deal has these hands by seat, and this turn-up.

    ``turnup`` may go on with the next cards of the stock. Hands left out or too short are filled
    with cards of no interest: neither an ace, nor the Joker, nor trumps.
    """
    rules = find_rules(spec) if isinstance(spec, str) else spec
    given = dict(hands) if isinstance(hands, Mapping) else dict(enumerate(hands))
    players = players or max(2, max(given, default=0) + 1)
    stock = [parse_card(word) for word in turnup.split()]
    held = [[parse_card(word) for word in given.get(s, "").split()] for s in range(players)]
    fill_up(rules, held, stock)
    pack = pack_of(held, stock, rules)
    return Game(rules, players, dealer=dealer, pack=pack, scores=scores, pot=pot)


def fill_up(rules: RuleSet, held: list[list[int]], stock: list[int]) -> None:
    """Fill up the hands with cards of no interest."""
    named = {card for hand in held for card in hand} | set(stock) | ACES_AND_JOKER
    trump = next((card // 13 for card in stock if card != JOKER), rules.fixed_trump())
    spare = [card for card in rules.deck_cards() if card not in named and card // 13 != trump]
    for hand in held:
        while len(hand) < int(rules.hand_size):
            hand.append(spare.pop())


def play(game: Game, actions: str) -> Game:
    """Push these actions, a throw written as ``rob:9C``; return the game."""
    for word in actions.split():
        game.push(parse_action(word.replace(":", " ")))
    return game


def play_quietly(game: Game, cards: str) -> Game:
    """Play these cards; whoever is asked about robbing keeps, about a jink stops."""
    for word in cards.split():
        if game.phase == "rob":
            play(game, "keep")
        if game.phase == "jink":
            play(game, "stop")
        play(game, word)
    return game


def legal(game: Game) -> set[str]:
    """Return the legal actions in words."""
    return {action_name(action, game.phase) for action in game.legal_actions}


def hand_of(game: Game, seat: int) -> set[str]:
    """Return the cards that a seat holds."""
    return {card_name(card) for card in game.hands[seat]}


def words(text: str) -> set[str]:
    """Return the words of a text."""
    return set(text.split())


@dataclass(frozen=True)
class Script:
    """A deal in which given seats win the tricks: its hands, and its tricks as played."""

    hands: list[str]
    tricks: list[str]


def script(
    players: int, winners: Sequence[int], *, dealer: int = 0, best: Mapping[int, str] | None = None
) -> Script:
    """Return a deal whose tricks these seats win, with spades trumps and ``plain_lead`` free.

    ``best`` names the card that wins a trick (from 0), if it is to be a trump. All other tricks
    are won with a club among red cards. Six players at most.
    """
    high, low = ["KC", "QC", "JC", "AC", "2C"], ["10C", "9C", "8C", "7C", "6C"]
    red = [card_name(card) for card in range(26, 51)]
    hands: list[list[str]] = [[] for _ in range(players)]
    tricks, leader = [], (dealer + 1) % players
    for number, winner in enumerate(winners):
        named = {leader: low[number]} | {winner: (best or {}).get(number, high[number])}
        order = [(leader + i) % players for i in range(players)]
        cards = [named[seat] if seat in named else red.pop() for seat in order]
        for seat, card in zip(order, cards, strict=True):
            hands[seat].append(card)
        tricks.append(" ".join(cards))
        leader = winner
    return Script([" ".join(hand) for hand in hands], tricks)
