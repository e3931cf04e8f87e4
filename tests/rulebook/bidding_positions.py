"""Asking the engine the worked positions of the games with an auction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from forty5sim.bids import BID_NAMES, ladder, parse_bid
from forty5sim.cards import card_name, parse_suit, suit_name
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables
from tests.rulebook.bidding_table import (
    bidding_deal,
    call,
    calls_of,
    cards_of,
    contract_of,
    exchange,
    least,
    names,
    settled,
    take,
    take_over,
    ten_tricks,
    throw,
    throw_lowest,
)
from tests.rulebook.table import legal, play

Row = dict[str, Any]
CONTRACTOR, DEALER = 0, 3  # of the tricks of Five Hundred that are asked about


def rules_of(row: Row, **changes: str | int) -> RuleSet:
    return find_rules(row["game"]).with_options(**{**row["options"], **changes})


# The auction


def auction(row: Row) -> Game:
    """The auction of a row; passes that come after its end are left out."""
    players = row.get("players", 4)
    game = Game(rules_of(row), players, dealer=row["dealer"], scores=row.get("scores"))
    assert "sides" not in row or game.sides == row["sides"]
    for seat, bid in row["bids"]:
        if game.phase != "auction":
            assert bid == "pass"
            continue
        assert game.seat == seat
        call(game, bid)
    return game


def ask_bids(row: Row) -> Row:
    game = auction(row)
    return {"seat": game.seat, "legal": calls_of(game)}


def ask_contract(row: Row) -> Row | str:
    contract = contract_of(auction(row))
    return contract if isinstance(contract, str) else {"seat": contract[0], "bid": contract[1]}


def ask_bid_ok(row: Row) -> bool:
    game = bidding_deal(rules_of(row))
    if row["standing"] is not None:
        if not game.can(parse_bid(row["standing"])):
            call(game, "7NT")
        call(game, row["standing"])
    return game.can(parse_bid(row["bid"]))


def ask_ladder(row: Row) -> list[str]:
    """Climb the ladder on the engine, a step a call: no bid goes down, none is left out."""
    rules = rules_of(row)
    game, steps = bidding_deal(rules), [BID_NAMES[bid] for bid in ladder(rules)]
    for number, step in enumerate(steps):
        assert calls_of(game) - {"pass", "misere"} == set(steps[number:]) - {"misere"}
        call(game, step)
    assert game.phase != "auction"
    return steps


def ask_value(row: Row) -> int:
    tables, bid = rule_tables(rules_of(row)), parse_bid(row["bid"])
    value = int(tables[layout.BID_SCORE + bid])
    assert value == tables[layout.BID_LOSS + bid]
    return value


# The exchange and the lead of Auction Forty-Fives


def ask_discard_count(row: Row) -> list[int] | None:
    found = []
    for most in (False, True):
        game = bidding_deal(rules_of(row), players=row["players"])
        play(take(game, 1, "30"), "trump:S")
        while game.phase == "discard" and (game.seat == 1) != row["bidder"]:
            throw_lowest(game, least(game))
        if game.phase != "discard":
            return None
        seat = game.seat
        while game.phase == "discard" and game.seat == seat:
            cards = [action for action in game.legal_actions if action != layout.DONE]
            stops = "done" in legal(game) and not (most and cards)
            game.push(layout.DONE if stops else cards[0])
        found.append(game.discarded[seat])
    return found


def ask_draw(row: Row) -> Row:
    game = bidding_deal(rules_of(row), players=row["players"], dealer=row["players"] - 1)
    dealt = row["players"] * 5 + len(game.kitty)
    play(take(game, 0, "30"), "trump:S")
    while game.phase == "discard":
        throw_lowest(game, row["asked"][game.seat] + least(game))
    assert all(len(hand) == 5 for hand in game.hands)
    return {
        "stock": len(game.rules.deck_cards()) - dealt,
        "from_thrown": int(game.state[layout.RESTOCK_NEXT]),
    }


def ask_leader(row: Row) -> int:
    game = bidding_deal(rules_of(row), players=row["players"], dealer=row["dealer"])
    play(take(game, row["bidder"], "30"), "trump:S")
    exchange(game)
    return game.leader


# Scores


def ask_settle(row: Row) -> Row:
    side, before, dealer = row["contractor"], row.get("before"), row.get("dealer", 0)
    if "tricks" in row:
        seat = {"seat": side, "dealer": dealer, "scores": before}
        game = ten_tricks(rules_of(row), row["contract"], row["tricks"][side], **seat)
    else:
        best = row["best_trump_trick"]
        game = settled(
            rules_of(row),
            side,
            row["contract"],
            row["trick_sides"],  # by the seat of its number
            players=len(row["sides"]),
            dealer=dealer,
            best={} if best is None else {best - 1: "5S"},
            scores=before,
            sets=row.get("sets"),
            deals=row.get("deals", 1) - 1,
        )
        assert game.sides == row["sides"]
    assert game.outcome in ("made", "set")
    return {
        "made": game.outcome == "made",
        "points": game.points,
        "after": game.scores,
        "winner": game.winner,
        "sets": game.sets,
    }


# Tricks of Five Hundred


def playing_game(row: Row) -> Game:
    """A deal in which these trumps are made, before the first lead."""
    game = bidding_deal(rules_of(row), {CONTRACTOR: "JK"}, dealer=DEALER)
    take_over(game, CONTRACTOR, "6" + row["trump"])
    throw_lowest(game, 3)
    return give_suit(row, game)


def give_suit(row: Row, game: Game) -> Game:
    """Let the contractor who is asked give the Joker the suit of the row, or none."""
    suit = row.get("joker_suit") or "none"
    return play(game, "assign:" + suit) if game.phase == "assign" else game


def ask_suit(row: Row) -> str | None:
    suit = playing_game(row).effective_suit(cards_of(row["card"])[0])
    return None if suit is None else suit_name(suit)


def ask_order(row: Row) -> list[str]:
    game, suit = playing_game(row), parse_suit(row["suit"])
    members = [c for c in game.rules.deck_cards() if game.effective_suit(c) == suit]
    order = [card_name(c) for c in sorted(members, key=game.strength, reverse=True)]
    for first in range(len(order) - 3):
        four = order[first : first + 4]
        for turn in range(4):
            trick = four[turn:] + four[:turn]
            assert ask_winner({**row, "trick": trick}) == four[0]
    return order


def ask_winner(row: Row) -> str:
    game = at_trick(row)
    won = game.history[-1].winner
    assert won is not None
    return card_name(game.played_to(game.history[-1])[won])


def ask_legal(row: Row) -> set[str]:
    """What may be played, of the cards asked about; the others of the hand never oblige."""
    game = at_trick(row)
    return legal(game) & set(row["hand"])


def ask_names(row: Row) -> set[str]:
    asked = {**row, "trump": "NT", "trick": [], "hand": ["JK"]}
    game = play(at_trick(asked), "JK")
    return {word.removeprefix("name ") for word in legal(game)}


def at_trick(row: Row) -> Game:
    """A deal of Five Hundred that has come to the trick of a row, with its cards played.

    The contractor leads to it, after leads of ``led_suits``; or follows with a Joker that has got
    a suit, and loses a trick before.
    """
    trick, hand = row["trick"], row.get("hand", [])
    place = trick.index("JK") if "JK" in trick else len(trick)
    leader = (CONTRACTOR - place) % 4 if row.get("joker_suit") else CONTRACTOR
    held: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for turn, card in enumerate(trick):
        held[(leader + turn) % 4].append(card)
    held[(leader + len(trick)) % 4] += hand
    leads = earlier_leads(row, held, leader)
    game = dealt(row, held, leader)
    for lead in leads:
        play(game, lead)
        while game.trick:
            spare = [c for c in game.legal_actions if card_name(c) not in (*trick, *hand, *leads)]
            game.push(max(spare, key=lambda card: card % 13))
    assert game.seat == leader
    return play(game, " ".join(trick))


def earlier_leads(row: Row, held: dict[int, list[str]], leader: int) -> list[str]:
    """Give the contractor a card to lead to each earlier trick, and an ace to who is to win it."""
    named = [card for hand in held.values() for card in hand]
    if leader != CONTRACTOR:
        suit = next(s for s in "CDHS" if all(card[-1] != s for card in named))
        held[CONTRACTOR].append("5" + suit)
        held[leader].append("A" + suit)
        return ["5" + suit]
    best = [next(r + s for r in "AKQ" if r + s not in named) for s in row.get("led_suits", [])]
    held[CONTRACTOR] += best
    return best


def dealt(row: Row, held: dict[int, list[str]], leader: int) -> Game:
    """Deal these cards; what more there is of the suit led goes to its leader and the kitty."""
    plain = playing_game({**row, "joker_suit": None})
    led = plain.effective_suit(cards_of(row["trick"][0])[0]) if row["trick"] else None
    named = {card for hand in held.values() for card in hand}
    rest = [card for card in plain.rules.deck_cards() if card_name(card) not in named]
    rest.sort(key=lambda card: plain.effective_suit(card) not in (led, None))
    hands = {seat: cards_of(" ".join(hand)) for seat, hand in held.items()}
    take_up = 10 - len(hands[leader])
    hands[leader] += rest[:take_up]
    kitty, rest = rest[take_up : take_up + 3], rest[take_up + 3 :]
    for hand in hands.values():
        while len(hand) < 10:
            hand.append(rest.pop())
    game = bidding_deal(
        rules_of(row), {s: names(hand) for s, hand in hands.items()}, names(kitty), dealer=DEALER
    )
    take_over(game, CONTRACTOR, "6" + row["trump"])
    throw(game, names(kitty))
    return give_suit(row, game)


# Who plays, and the Joker's suit


def contract_with_joker(row: Row, seat: int) -> Game:
    game = bidding_deal(rules_of(row), {seat: "JK"}, dealer=(seat - 1) % 4)
    if not game.can(parse_bid(row["contract"])):
        call(game, "6S pass pass 7NT")
    take_over(game, seat, row["contract"])
    return throw_lowest(game, 3)


def ask_assign_ok(row: Row) -> bool:
    return contract_with_joker(row, 1).phase == "assign"


def ask_seats(row: Row) -> list[int]:
    game = contract_with_joker(row, row["contractor"])
    return play(game, "assign:none").playing


ASK: dict[str, Callable[[Row], object]] = {
    "bids": ask_bids,
    "contract": ask_contract,
    "bid-ok": ask_bid_ok,
    "ladder": ask_ladder,
    "value": ask_value,
    "discard-count": ask_discard_count,
    "draw": ask_draw,
    "leader": ask_leader,
    "settle": ask_settle,
    "suit": ask_suit,
    "order": ask_order,
    "winner": ask_winner,
    "legal": ask_legal,
    "names": ask_names,
    "assign-ok": ask_assign_ok,
    "seats": ask_seats,
}
