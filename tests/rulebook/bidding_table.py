"""A table for tests of the games with an auction: hands, kitty and calls in words, whole deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forty5sim.bids import BID_NAMES, MISERES, parse_bid, suit_bid
from forty5sim.bowers import suit_order
from forty5sim.cards import JOKER, NO_TRUMP, card_name, parse_card
from forty5sim.game import Game, pack_of
from forty5sim.named_rules import find_rules
from forty5sim.rules import RuleSet
from tests.rulebook.table import ACES_AND_JOKER, legal, play, script


def bidding_deal(
    spec: str | RuleSet,
    hands: Sequence[str] | Mapping[int, str] = (),
    kitty: str = "",
    stock: str = "",
    *,
    players: int | None = None,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
    sets: Sequence[int] | None = None,
    deals: int = 0,
    restock: str = "",
) -> Game:
    """Return a game whose first deal has these hands by seat, this kitty and this stock.

    Hands left out or too short are filled with the lowest cards left, aces and the Joker last.
    """
    rules = find_rules(spec) if isinstance(spec, str) else spec
    given = dict(hands) if isinstance(hands, Mapping) else dict(enumerate(hands))
    players = rules.default_players if players is None else players
    held = [cards_of(given.get(seat, "")) for seat in range(players)]
    aside, rest = cards_of(kitty), cards_of(stock)
    named = {card for hand in held for card in hand} | set(aside) | set(rest)
    spare = sorted(set(rules.deck_cards()) - named, key=lambda c: (c in ACES_AND_JOKER, c % 13, c))
    for hand in held:
        while len(hand) < int(rules.hand_size):
            hand.append(spare.pop(0))
    while len(aside) < rules.kitty_size:
        aside.append(spare.pop(0))
    pack = pack_of(held, aside + rest, rules)
    back = cards_of(restock)
    return Game(
        rules, players, dealer=dealer, pack=pack, scores=scores, sets=sets, deals=deals,
        restock=back,
    )  # fmt: skip


def cards_of(text: str) -> list[int]:
    """Return the cards of a text."""
    return [parse_card(word) for word in text.split()]


def call(game: Game, calls: str) -> Game:
    """Push these calls: bids, ``pass``, ``hold``; return the game."""
    for word in calls.split():
        play(game, word if word in ("pass", "hold") else "bid:" + word)
    return game


def calls_of(game: Game) -> set[str]:
    """Return what the seat to act may call."""
    return {word.removeprefix("bid ") for word in legal(game)}


def contract_of(game: Game) -> tuple[int, str] | str:
    """Return bidder and bid; ``open`` while it is bid for, else what came of the deal."""
    if game.phase == "auction":
        return "open"
    if game.bidder is None or game.bid is None:
        return game.outcome
    return game.bidder, BID_NAMES[game.bid]


def take(game: Game, seat: int, bid: str) -> Game:
    """Let one seat make the only bid; a dealer who is bagged makes none."""
    while game.phase == "auction":
        speaks = game.seat == seat and game.bid is None and bid != "bagged"
        call(game, bid if speaks else "pass")
    assert game.bidder == seat
    return game


def throw(game: Game, cards: str = "") -> Game:
    """Let the seat to act throw these cards."""
    for card in sorted(cards_of(cards)):
        play(game, "discard:" + card_name(card))
    return play(game, "done")


def throw_lowest(game: Game, count: int) -> Game:
    """Let the seat to act throw so many of its cards."""
    return throw(game, " ".join(card_name(card) for card in list(game.hands[game.seat])[:count]))


def least(game: Game) -> int:
    """Return how many cards the seat to act must throw at least."""
    return len(game.hands[game.seat]) - int(game.rules.hand_size)


def exchange(game: Game) -> list[int]:
    """Let every seat throw as few cards as it may; return the seats in order."""
    seats = []
    while game.phase == "discard":
        seats.append(game.seat)
        throw_lowest(game, least(game))
    return seats


def winner(game: Game) -> int | None:
    """Return the side that has won the game with this deal, as the game goes on or ends."""
    side = game.winner
    assert game.deal_is_over
    assert game.next_deal() == (side is None)
    return side


# Auction Forty-Fives: a deal told by who wins the tricks


def settled(
    spec: str | RuleSet,
    bidder: int,
    bid: str,
    winners: Sequence[int],
    *,
    players: int = 4,
    dealer: int = 0,
    best: Mapping[int, str] | None = None,
    scores: Sequence[int] | None = None,
    sets: Sequence[int] | None = None,
    deals: int = 0,
) -> Game:
    """Play a deal in which these seats win the tricks, with spades trumps and nothing drawn.

    ``best`` names the trump that wins a trick (from 0); no other trump is played. ``bid`` may be
    ``bagged``.
    """
    rules = find_rules(spec) if isinstance(spec, str) else spec
    rules = rules.with_options(
        plain_lead="free", first_lead="left_of_dealer", kitty=0, draw="off", dealer_hold="off"
    )
    told = script(players, winners, dealer=dealer, best=best)
    game = bidding_deal(
        rules, told.hands, players=players, dealer=dealer, scores=scores, sets=sets, deals=deals
    )
    play(take(game, bidder, bid), "trump:S")
    return play(game, " ".join(told.tricks))


# Five Hundred: a deal in which the contractor wins so many tricks


def contracted(
    spec: str | RuleSet,
    hands: Sequence[str] | Mapping[int, str],
    kitty: str,
    bid: str,
    *,
    seat: int = 1,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Game:
    """Return a deal in which a seat has the contract and has thrown the kitty as it was dealt."""
    game = bidding_deal(spec, hands, kitty, dealer=dealer, scores=scores)
    if bid == "misere" and not game.can(parse_bid(bid)):
        climb_to_seven(game, seat)
    take_over(game, seat, bid)
    return throw(game, " ".join(card_name(card) for card in game.kitty))


def climb_to_seven(game: Game, seat: int) -> None:
    """Let the seat that speaks before another one bid seven, so that misère may be bid."""
    while (game.seat + 1) % 4 != seat:
        call(game, "pass" if game.seat != seat else "6S")
    call(game, "7NT")


def take_over(game: Game, seat: int, bid: str) -> None:
    """Let a seat bid at its turn, and all others pass."""
    while game.phase == "auction":
        call(game, bid if game.seat == seat else "pass")


def ten_tricks(
    spec: str | RuleSet,
    bid: str,
    tricks: int,
    *,
    seat: int = 0,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Game:
    """Play a deal in which the contractor wins this many tricks (5 at least; misère: 0 or 1).

    The contractor has the best trumps (no trump: spades) and leads them; then a low card of
    another suit, of which the left neighbour has the best cards. The Joker lies in the kitty
    where there are no trumps.
    """
    if parse_bid(bid) in MISERES:
        return lost_tricks(spec, bid, tricks, seat=seat, dealer=dealer, scores=scores)
    trump = suit_bid(parse_bid(bid)).trump
    long = 0 if trump == NO_TRUMP else trump
    other = (long + 2) % 4
    best, run = suit_order(long, trump), suit_order(other, trump)
    mine, left = [*best[:tricks], *run[-1:]][:10], run[: 10 - tricks]
    rest = best[tricks:]  # falls under the best ones, or lies in the kitty
    aside = [JOKER] if trump == NO_TRUMP else list(rest[:3])
    partner = [card for card in rest if card not in aside]
    held = {seat: mine, (seat + 1) % 4: left, (seat + 2) % 4: partner}
    game = contracted(
        spec,
        {who: names(cards) for who, cards in held.items()},
        names(aside),
        bid,
        seat=seat,
        dealer=dealer,
        scores=scores,
    )
    while not game.deal_is_over:
        wanted = mine if game.seat == seat else left if game.led in (None, *run) else ()
        fits = [card for card in wanted if game.can(card)]
        game.push(fits[0] if fits else others_card(game, keep=left))
    assert game.tricks[seat] == tricks
    return game


def others_card(game: Game, keep: Sequence[int] = ()) -> int:
    """Return the lowest card that may be played, rather none of these and no trump."""
    return min(game.legal_actions, key=lambda c: (c in keep, game.is_trump(c), c % 13))


LOWEST = "5S 6S 5C 6C 4D 5D 6D 4H 5H 6H"
NEXT_SPADES = "7S 8S 9S 10S JS QS KS AS"


def lost_tricks(
    spec: str | RuleSet,
    bid: str,
    tricks: int,
    *,
    seat: int = 0,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Game:
    """Play a misère: made, or set with the card led (the deal may go on after that)."""
    assert tricks in (0, 1)
    mine = LOWEST if tricks == 0 else LOWEST.replace("6S", "AS")
    left = NEXT_SPADES if tricks == 0 else NEXT_SPADES.replace("AS", "6S")
    game = contracted(
        spec, {seat: mine, (seat + 1) % 4: left}, "JK", bid, seat=seat, dealer=dealer, scores=scores
    )
    play(game, "5S" if tricks == 0 else "AS")
    while not game.deal_is_over:
        game.push(others_card(game))
    return game


def names(cards: Sequence[int]) -> str:
    """Return cards as text."""
    return " ".join(card_name(card) for card in cards)
