"""What is told of the auction games alone: calls, kitty, exchange, contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from forty5sim.bids import MISERES, POINTS, THIRTY, suit_bid
from forty5sim.cards import SUIT_SIGNS, SUIT_WORDS, CardSet, Seat, card_sign
from forty5sim.game import Game, Step
from forty5sim.notation import DONE, HOLD, NO_SUIT, PASS, bid_sign
from forty5sim.options import AUCTION
from forty5sim.table import Table

if TYPE_CHECKING:
    from forty5sim.narration.narrator import Narrator

CELL = 9


def call_sign(call: int) -> str:
    """Return a call as it is shown."""
    return {PASS: "pass", HOLD: "hold"}.get(call) or bid_sign(call)


def auction_table(table: Table, names: Sequence[str]) -> list[str]:
    """Return the calls so far in columns, a seat each from the dealer's left; ``names`` by seat."""
    order = [(table.dealer + step) % table.players for step in range(1, table.players + 1)]
    lines = ["".join(f"{names[seat]:<{CELL}}" for seat in order).rstrip()]
    row = [""] * len(order)
    last = -1
    for seat, call in table.calls:
        column = order.index(seat)
        if column <= last:
            lines.append(_row(row))
            row = [""] * len(order)
        row[column], last = call_sign(call), column
    if any(row):
        lines.append(_row(row))
    return lines


def _row(cells: Sequence[str]) -> str:
    return "".join(f"{cell:<{CELL}}" for cell in cells).rstrip()


def contract_sign(table: Table) -> str:
    """Return the contract with its trumps: ``20 in ♥``, ``7♥``, ``misère``."""
    assert table.bid is not None
    sign = bid_sign(table.bid)
    if table.rules.family != AUCTION or table.trump is None:
        return sign
    return f"{sign} in {SUIT_SIGNS[table.trump]}"


# --- an action ------------------------------------------------------------------------------------


def told_call(narrator: Narrator, game: Game, step: Step) -> list[str]:
    """Tell a call."""
    if step.action == PASS:
        return [narrator.does(step.seat, "pass")]
    if step.action == HOLD:
        assert game.bid is not None
        return [f"{narrator.does(step.seat, 'hold')} at {bid_sign(game.bid)}"]
    return [f"{narrator.does(step.seat, 'bid')} {bid_sign(step.action)}"]


def told_trump(narrator: Narrator, game: Game, step: Step) -> list[str]:
    """Tell the naming of trumps, and the taking up of the kitty after it."""
    assert game.bid is not None
    named = f"{SUIT_WORDS[step.action]} {SUIT_SIGNS[step.action]}"
    was_bagged = all(call == PASS for _, call in game.calls)
    at = "is bagged at" if step.seat != narrator.you else "are bagged at"
    who = f"{narrator.who(step.seat)} {at}" if was_bagged else narrator.does(step.seat, "play")
    line = f"{who} {bid_sign(game.bid)} and {narrator.verb(step.seat, 'name')} {named} trumps"
    if game.rules.name_trump == "after_kitty":
        return [line]
    return [line, *told_kitty(narrator, game, step.seat)]


def told_settled(narrator: Narrator, game: Game) -> list[str]:
    """Tell what an auction that is just over leads to before the next action."""
    if game.phase in ("auction", "over"):
        return []
    if game.bidder is None:
        return ["everybody passes: no trumps, no contract, ten points a trick"]
    if game.rules.family == AUCTION:
        sees_kitty = game.rules.name_trump == "after_kitty"
        return told_kitty(narrator, game, game.bidder) if sees_kitty else []
    contract = f"{narrator.does(game.bidder, 'play')} {contract_sign(game)}"
    return [contract, *told_kitty(narrator, game, game.bidder)]


def told_kitty(narrator: Narrator, game: Game, bidder: Seat) -> list[str]:
    """Tell that the bidder takes the kitty up; its cards to those who know them."""
    if not game.kitty:
        return []
    cards = f": {_signs(game, game.kitty)}" if narrator.knows(bidder) else ""
    return [f"{narrator.does(bidder, 'take')} up the kitty{cards}"]


def told_discard(narrator: Narrator, game: Game, step: Step) -> list[str]:
    """Tell what a seat throws and draws, all at once when it has done."""
    if step.action != DONE:
        return []
    count = game.discarded[step.seat]
    thrown = {0: "no card", 1: "one card"}.get(count, f"{count} cards")
    number = int(game.rules.hand_size) - len(game.hands[step.seat])
    drawn = str(number)
    if narrator.knows(step.seat):
        after = game.copy()
        after.push(DONE)
        new = after.hands[step.seat].mask & ~game.hands[step.seat].mask
        thrown, drawn = _signs(game, game.thrown[step.seat]) or thrown, _signs(game, CardSet(new))
    draws = f" and {narrator.verb(step.seat, 'draw')} {drawn}" if number else ""
    return [f"{narrator.does(step.seat, 'throw')} {thrown}{draws}"]


def told_assign(narrator: Narrator, game: Game, step: Step) -> list[str]:
    """Tell that the Joker is given a suit; that it is not, only to those who know who has it."""
    if step.action != NO_SUIT:
        return [f"{narrator.does(step.seat, 'make')} the Joker the highest {_one_of(step.action)}"]
    if not narrator.knows(step.seat):
        return []
    return [f"{narrator.does(step.seat, 'leave')} the Joker without a suit"]


def told_suit(narrator: Narrator, game: Game, step: Step) -> list[str]:
    """Tell the suit named with a Joker that was led."""
    return [f"{narrator.does(step.seat, 'name')} {SUIT_WORDS[step.action]} to be followed"]


def _one_of(suit: int) -> str:
    return SUIT_WORDS[suit][:-1]


def _signs(game: Game, cards: CardSet) -> str:
    return " ".join(card_sign(card) for card in game.sorted(cards))


# --- as the deal goes on, and at its end ----------------------------------------------------------


def told_opening(narrator: Narrator, game: Game) -> list[str]:
    """Tell what lies on the table before the first call."""
    size = game.rules.kitty_size
    kitty = f"; the kitty has {size} cards" if size else "; there is no kitty"
    lines = [
        f"{narrator.does(game.dealer, 'deal')}{kitty if size != 1 else '; the kitty has a card'}"
    ]
    if narrator.sees_all and size:
        lines.append(f"  the kitty is {_signs(game, game.kitty)}")
    return lines


def told_first_lead(narrator: Narrator, game: Game) -> list[str]:
    """Tell who sits out, before the first card of a misère."""
    idle = [seat for seat in range(game.players) if seat not in game.playing]
    return [f"{narrator.does(seat, 'lay')} the cards down and sits out" for seat in idle]


def told_exposed(narrator: Narrator, game: Game) -> list[str]:
    """Tell the hand that is laid open after the first trick of an open misère."""
    if not game.exposed or len(game.history) != 1 or game.bidder is None:
        return []
    whose = "your" if game.bidder == narrator.you else f"seat {game.bidder}'s"
    return [f"{whose} hand lies open: {_signs(game, game.exposed)}"]


def told_progress(narrator: Narrator, game: Game) -> list[str]:
    """Tell how far the bidder's side has come with its contract."""
    if game.bid is None or game.bidder is None or game.bid in MISERES:
        return []
    side = game.sides[game.bidder]
    won = sum(t for t, s in zip(game.tricks, game.sides, strict=True) if s == side)
    who = narrator.side(game, side)
    if game.rules.family == AUCTION and game.bid < THIRTY:
        return [f"{who}: {5 * won} of {POINTS[game.bid]} points so far"]
    needed = 5 if game.rules.family == AUCTION else suit_bid(game.bid).level
    if won == needed - 1:
        return [f"one more trick and {who} {narrator.side_verb(game, side, 'makes', 'make')} it"]
    return []


def told_contract(narrator: Narrator, game: Game) -> list[str]:
    """Tell whether the contract was made."""
    if game.outcome == "thrown-in":
        only_ten = any(call not in (PASS, HOLD) for _, call in game.calls)
        why = "nobody goes above ten" if only_ten else "everybody passes"
        return [f"{why}: the deal is thrown in"]
    if game.bidder is None:
        return ["played without a bid, ten points a trick"]
    side = game.sides[game.bidder]
    won = sum(t for t, s in zip(game.tricks, game.sides, strict=True) if s == side)
    who = narrator.side(game, side)
    tricks = {0: "no trick", 1: "one trick"}.get(won, f"{won} tricks")
    if game.outcome == "made":
        does = narrator.side_verb(game, side, "makes", "make")
        return [f"{who} {does} {contract_sign(game)} with {tricks}"]
    does = narrator.side_verb(game, side, "is", "are")
    return [f"{who} {does} set in {contract_sign(game)} with {tricks}"]


def told_history(narrator: Narrator, game: Game) -> str:
    """Return the bids set and the deals counted, where they decide the game; else nothing."""
    rules, told = game.rules, []
    if rules.sets_lose != "off":
        sets = [f"{narrator.side(game, s)} {n}" for s, n in enumerate(game.sets) if n]
        told.append(f"bids set: {', '.join(sets) or 'none'} (of {rules.sets_lose})")
    if rules.game_deals != "off":
        told.append(f"deals: {game.deals_counted} of {rules.game_deals}")
    return "; ".join(told)
