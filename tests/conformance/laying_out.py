"""Lays the worked positions out as deals that any engine can be asked about.

A position asks a question ("which card wins?"); an engine is asked about a deal that has come to
that point, under the options of the position alone. Deals told by who wins the tricks are found by
search. What is expected comes from the position, never from this engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from forty5sim.bids import BID_NAMES, ladder, parse_bid
from forty5sim.cards import card_name
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE, JINK, KEEP, STOP, action_name
from forty5sim.records.making import cards_dealt, standing_of
from forty5sim.rules import RuleSet
from tests.rulebook import bidding_positions
from tests.rulebook.bidding_table import (
    bidding_deal,
    call,
    exchange,
    least,
    take,
    ten_tricks,
    throw_lowest,
)
from tests.rulebook.table import deal, play, play_quietly

Row = dict[str, Any]
MOST_DEALS = 3000
MOST_ACTIONS = 400
ROB = {f"rob {card_name(card)}" for card in range(52)}


@dataclass(frozen=True)
class Laid:
    """A deal that has been played to a point, and what is asked there or before."""

    game: Game
    checks: tuple[Row, ...]

    def row(self, name: str, position: Row) -> Row:
        """Return the line of ``deals.jsonl``."""
        told = {"id": name, **{key: position[key] for key in ("section", "game", "options")}}
        actions = [action_name(step.action, step.phase) for step in self.game.log]
        return {
            **told,
            **layout_of(self.game),
            "actions": actions,
            "checks": list(self.checks),
            "source": position["source"],
        }


def layout_of(game: Game) -> Row:
    """Return how a deal is told to an engine: cards, seats and what stood before."""
    dealt = cards_dealt(game)
    drawn = game.rules.has_auction or (dealt.turnup is not None and card_name(dealt.turnup) == "JK")
    told: Row = {
        "players": game.players,
        "sides": game.sides,
        "dealer": game.dealer,
        "hands": [[card_name(card) for card in hand] for hand in dealt.hands],
        "turnup": None if dealt.turnup is None else card_name(dealt.turnup),
        "kitty": [card_name(card) for card in dealt.kitty],
    }
    if drawn:
        told["stock"] = [card_name(card) for card in dealt.stock]
    if game.restock:
        told["restock"] = [card_name(card) for card in game.restock]
    return {**told, "before": standing_of(game.rules, game.before).as_dict()}


def lay_out(position: Row) -> list[Row]:
    """Return the lines of ``deals.jsonl`` for a position."""
    laid = list(LAY[kind_of(position)](position))
    names = [position["id"]] if len(laid) == 1 else [
        f"{position['id']}.{number}" for number in range(1, len(laid) + 1)
    ]  # fmt: skip
    return [one.row(name, position) for name, one in zip(names, laid, strict=True)]


def kind_of(position: Row) -> str:
    """Return the kind of a position; those of the bidding games are asked otherwise."""
    return ("auction: " if rules_of(position).has_auction else "") + str(position["kind"])


def rules_of(row: Row) -> RuleSet:
    return find_rules(row["game"]).with_options(**row["options"])


def legal_check(game: Game, legal: Sequence[str], among: Sequence[str] = (), **more: Any) -> Row:
    """Return the check that these actions are legal now, of those that count."""
    check = asked(game, "legal", **more, legal=sorted(legal))
    return {**check, "among": sorted(among)} if among else check


def asked(game: Game, ask: str, **expect: Any) -> Row:
    """Return the check that a request is answered now with these keys at least."""
    return {"at": len(game.log), "request": {"ask": ask}, "expect": expect}


def hand_check(game: Game, seat: int, cards: Sequence[str]) -> Row:
    """Return the check that a seat holds these cards now."""
    told = {"at": len(game.log), "request": {"ask": "hand", "seat": seat}}
    return {**told, "expect": {"hand": sorted(cards)}}


def robs(seat_hand: Sequence[str]) -> list[str]:
    return [f"rob {card}" for card in seat_hand]


# Single cards and hands of the five-fingers games


def pads(without: set[str], named: set[str]) -> Iterator[str]:
    """Yield cards that never oblige: of neither of these suits, and no aces."""
    for suit in "SCDH":
        for rank in (
            ("3", "4", "6", "7", "8", "9", "K", "Q", "2", "10") if suit not in without else ()
        ):
            if rank + suit not in named:
                yield rank + suit


def at_trick(row: Row, hands: list[list[str]], dealer: int) -> Game:
    """Return a deal in which these seats hold these cards, and others that never oblige."""
    trump, led = row["trump"], (row["trick"] or ["2S"])[0]
    named = {c for hand in hands for c in hand} | set(row.get("earlier", []))
    turnup = next(p + trump for p in ("4", "6", "7", "9") if p + trump not in named)
    spare = pads({trump, led[-1]}, named | {turnup})
    for hand in hands:
        while len(hand) < 5:
            hand.append(next(spare))
    return deal(rules_of(row), [" ".join(hand) for hand in hands], turnup, dealer=dealer)


def lay_winner(row: Row) -> Iterator[Laid]:
    trick = row["trick"]
    game = at_trick(row, [[card] for card in trick], dealer=len(trick) - 1)
    play_quietly(game, " ".join(trick))
    winner = trick.index(row["expect"])
    yield Laid(game, (asked(game, "trick", leader=0, cards=trick, winner=winner),))


def lay_order(row: Row) -> Iterator[Laid]:
    for high, low in pairwise(row["expect"]):
        for trick in ([high, low], [low, high]):
            yield from lay_winner({**row, "trick": trick, "expect": high})


def lay_legal(row: Row) -> Iterator[Laid]:
    trick, earlier = row["trick"], row.get("earlier", [])
    players = 3 if earlier else max(2, len(trick) + 1)
    hands: list[list[str]] = [[] for _ in range(players)]
    leader = earlier.index("5S") if earlier else 0
    for seat, card in enumerate(earlier):
        hands[seat].append(card)
    for turn, card in enumerate(trick):
        hands[(leader + turn) % players].append(card)
    asked = (leader + len(trick)) % players
    hands[asked] += row["hand"]
    game = at_trick(row, hands, dealer=players - 1)
    play_quietly(game, " ".join([*earlier, *trick]))
    if game.phase == "rob":
        play(game, "keep")
    yield Laid(game, (legal_check(game, row["expect"], row["hand"], seat=asked),))


# Robbing


def play_until_asked(game: Game, seat: int) -> None:
    """Play lowest cards until a seat has to act."""
    while game.seat != seat:
        game.push(game.legal_actions[0])


def lay_rob_seat(row: Row) -> Iterator[Laid]:
    hands = [" ".join(hand) for hand in row["hands"]]
    game = deal(rules_of(row), hands, row["turnup"], dealer=row["dealer"])
    play_until_asked(game, row["expect"])
    legal = ["keep", *robs(row["hands"][row["expect"]])]
    yield Laid(game, (legal_check(game, legal, seat=row["expect"]),))


def lay_rob_hand(row: Row) -> Iterator[Laid]:
    game = deal(rules_of(row), {1: " ".join(row["hand"])}, row["turnup"])
    play(game, "rob:" + row["throw"])
    yield Laid(game, (hand_check(game, 1, row["expect"]),))


def lay_rob_now(row: Row) -> Iterator[Laid]:
    """Come to the seat's decision after these were made: it is asked about robbing, or no more."""
    ace = {} if row["holder"] is None else {row["holder"]: "A" + row["turnup"][-1]}
    game = deal(rules_of(row), ace, row["turnup"], players=row["players"], dealer=row["dealer"])
    while len(game.trick) < len(row["played"]):
        game.push(KEEP if game.phase == "rob" else game.legal_actions[0])
    while game.seat != row["seat"]:
        game.push(game.legal_actions[0])
    among = [*sorted(ROB), "keep"]
    if row["expect"] == "no":
        yield Laid(game, (legal_check(game, [], among, seat=row["seat"]),))
        return
    held = [card_name(card) for card in game.hands[row["seat"]]]
    assert row["expect"] == "must"
    yield Laid(game, (legal_check(game, robs(held), among, seat=row["seat"]),))


def lay_rob_play(row: Row) -> Iterator[Laid]:
    lead = row["trick"][0]
    game = deal(rules_of(row), [" ".join(row["hand"]), lead], row["turnup"])
    play(game, f"rob:{row['throw']} {lead}")
    yield Laid(game, (legal_check(game, row["expect"], seat=0),))


def lay_joker_turnup(row: Row) -> Iterator[Laid]:
    hands, expect = [" ".join(hand) for hand in row["hands"]], row["expect"]
    game = deal(rules_of(row), hands, " ".join(["JK", *row["stock"]]), dealer=row["dealer"])
    dealt = row["hands"][row["dealer"]]
    first = legal_check(game, robs(dealt), seat=row["dealer"])
    play(game, "rob:" + row["throw"])
    hand = hand_check(game, row["dealer"], expect["hand"])
    play_until_asked(game, expect["right"])
    held = expect["hand"] if expect["right"] == row["dealer"] else row["hands"][expect["right"]]
    yield Laid(game, (first, hand, legal_check(game, ["keep", *robs(held)], seat=expect["right"])))


# Whole deals, told by who wins the tricks


@dataclass(frozen=True)
class Wanted:
    """What is to happen in a deal.

    Attributes:
        winners: the side that wins each trick (its seat where each plays alone).
        best: in which trick (from 1) the best trump falls; None where none falls; 0 for any.
        jink: the side that declares a jink, and nobody else does.
        keeps: the seat that may rob and does not; None where robbing is as it comes.
    """

    winners: Sequence[int]
    best: int | None = 0
    jink: int | None = None
    keeps: int | None = None


def found(start: Callable[[int], Game | None], wanted: Wanted) -> Game:
    """Return the first deal of those started that can be played as wanted, so played.

    Raises:
        LookupError: if there is none.
    """
    for number in range(MOST_DEALS):
        game = start(number)
        played = game and Search(wanted, number).play(game)
        if played:
            return played
    raise LookupError(f"no deal as wanted: {wanted}")


class Search:
    """A search for a way to play a deal as wanted; it gives up after some hundred actions."""

    def __init__(self, wanted: Wanted, seed: int) -> None:
        self.wanted = wanted
        self.rng = random.Random(seed)
        self.left = MOST_ACTIONS

    def play(self, game: Game) -> Game | None:
        """Return the deal played as wanted from here, or None."""
        if not self.can_be_wanted(game):
            return None
        if len(game.history) == len(self.wanted.winners) and game.phase != "jink":
            return game
        if game.deal_is_over:
            return None
        for action in self.answers(game):
            if self.left == 0:
                return None
            self.left -= 1
            after = game.copy()
            after.push(action)
            played = self.play(after)
            if played:
                return played
        return None

    def can_be_wanted(self, game: Game) -> bool:
        """Say whether a deal is as wanted so far: its tricks and its best trump."""
        if game.trick:
            return True
        wanted, won = self.wanted, [game.sides[t.winner or 0] for t in game.history]
        if won != list(wanted.winners[: len(won)]):
            return False
        if wanted.keeps not in (None, int(game.state[layout.KEPT])) and won:
            return False
        if wanted.best == 0:
            return True
        if wanted.best is None:
            return game.best_trump is None
        top = 0 if game.best_trump is None else int(game.state[layout.TOP_TRICK]) + 1
        return len(won) < wanted.best or top == wanted.best

    def answers(self, game: Game) -> list[int]:
        """Return the actions worth trying."""
        if game.phase == "jink":
            return [JINK if game.sides[game.seat] == self.wanted.jink else STOP]
        if game.phase == "rob" and game.can(KEEP):
            return [KEEP]
        legal = undisputed(game)
        return self.rng.sample(legal, len(legal))


def undisputed(game: Game) -> list[int]:
    """Return what is legal under every reading of 2.2 and 2.3: follow, else trump, else anything.

    So only the deals that are about following fail in an engine that has it wrong.
    """
    legal, led = game.legal_actions, game.led
    if led is None or game.phase != "play":
        return legal
    suit = game.effective_suit(led)
    follows = [card for card in legal if game.effective_suit(card) == suit]
    return follows or [card for card in legal if game.is_trump(card)] or legal


def lay_score(row: Row) -> Iterator[Laid]:
    game, expect = by_sides(row), dict(row["expect"])
    if "after" in expect:
        expect["after"] = {"scores": expect["after"]}
    yield Laid(game, (asked(game, "result", **expect),))


def by_sides(row: Row) -> Game:
    """Play a counting deal as a row tells it."""
    sides = row.get("sides", [0, 1, 0, 1])
    rules, before = rules_of(row), row.get("before", [0] * (max(sides) + 1))

    def start(number: int) -> Game:
        game = Game(rules, len(sides), seed=5, deal=number, dealer=row.get("dealer", 0),
                    scores=before)  # fmt: skip
        assert game.sides == sides
        return game

    best = row.get("best_trump_trick", 0)
    return found(start, Wanted(row["trick_sides"], best, row.get("jink_side")))


def lay_over(row: Row) -> Iterator[Laid]:
    assert row["expect"] is True
    game = by_sides({**row, "best_trump_trick": 0})
    yield Laid(game, (legal_check(game, [], seat=None),))


def lay_jink_now(row: Row) -> Iterator[Laid]:
    told = "trick_sides" in row
    game = by_sides_until_asked(row) if told else pot_deal(row, row["winners"], players=5)
    seat = game.seat if told else row["expect"]
    legal = [] if row["expect"] is None else ["jink", "stop"]
    yield Laid(game, (legal_check(game, legal, ["jink", "stop"], seat=seat),))


def by_sides_until_asked(row: Row) -> Game:
    """Play three tricks, to the question; the search would answer it."""
    game = by_sides(row)
    return undone(game) if game.log[-1].phase == "jink" else game


def undone(game: Game) -> Game:
    """Return a deal as it stood before its last action."""
    earlier = Game(
        game.rules, game.players, seed=game.seed, deal=game.deal, dealer=game.dealer,
        scores=game.before.scores, pot=game.before.pot,
    )  # fmt: skip
    for step in game.log[:-1]:
        earlier.push(step.action)
    return earlier


def lay_bonus(row: Row) -> Iterator[Laid]:
    """Five for each trick, and five more in the trick in which the best trump is expected."""
    hands: list[list[str]] = [[], []]
    leader, points, best = 1, [0, 0], (row["expect"] or {"trick": 0})["trick"]
    for number, trick in enumerate(row["tricks"], 1):
        hands[leader].append(trick[0])
        hands[1 - leader].append(trick[1])
        alone = play_quietly(
            at_trick({**row, "trick": trick}, [[card] for card in trick], dealer=1), " ".join(trick)
        )
        leader = leader if alone.history[0].winner == 0 else 1 - leader
        points[leader] += 10 if number == best else 5
    game = deal(rules_of(row), [" ".join(h) for h in hands], "4" + row["trump"], dealer=0)
    play_quietly(game, " ".join(card for trick in row["tricks"] for card in trick))
    yield Laid(game, (asked(game, "result", points=points),))


# Pots


def pot_deal(
    row: Row, winners: Sequence[int], *, players: int, pot: int = 0, chips: Sequence[int] = (),
    dealer: int = 0,
) -> Game:  # fmt: skip
    """Play a deal of a pot game in which these seats win the tricks."""
    rules = rules_of(row)
    stop = "kind" in row and row["kind"] == "jink-now"

    def start(number: int) -> Game | None:
        game = Game(rules, players, seed=6, deal=number, dealer=dealer, pot=pot,
                    scores=list(chips) or None)  # fmt: skip
        return game if row.get("kept") in (None, game.right_to_rob) else None

    game = found(start, Wanted(winners, jink=row.get("jink"), keeps=row.get("kept")))
    return undone(game) if stop and game.log[-1].phase == "jink" else game


def pot_check(game: Game, expect: Row) -> Row:
    told = {key: value for key, value in expect.items() if key not in ("pot", "next_pot")}
    return asked(game, "result", **told, after={"pot": expect["pot"]})


def lay_antes(row: Row) -> Iterator[Laid]:
    """Antes are what everybody lacks after a deal that nobody wins."""
    paid = row["expect"]
    game = pot_deal(row, [0, 1, 2, 3, 0], players=row["players"], dealer=row["dealer"])
    expect = {"points": [-chips for chips in paid], "pot": sum(paid), "outcome": "spoiled"}
    yield Laid(game, (pot_check(game, expect),))


def lay_pot(row: Row) -> Iterator[Laid]:
    players, expect = row["players"], row["expect"]
    game = pot_deal(row, row["winners"], players=players, pot=row["pot"], dealer=row["dealer"])
    yield Laid(game, (pot_check(game, expect),))
    if "next_pot" in expect:
        nobody = {**row, "jink": None, "kept": None}
        spoiled = pot_deal(nobody, [0, 1, 2, 3, 0], players=players, pot=expect["pot"], dealer=1)
        told = {"outcome": "spoiled", "pot": expect["next_pot"]}
        yield Laid(spoiled, (pot_check(spoiled, told),))


def lay_pot_chain(row: Row) -> Iterator[Laid]:
    """Lay each deal out with what the one before left; the points add up to those expected."""
    players, expect, total = row["players"], row["expect"], [0] * row["players"]
    pot, chips = row["pot"], [50] * players
    for number, (one, after) in enumerate(zip(row["deals"], expect["pots"], strict=True)):
        dealer = (row["dealer"] + number) % players
        game = pot_deal(
            {**row, **one}, one["winners"], players=players, pot=pot, chips=chips, dealer=dealer
        )
        total = [a + b for a, b in zip(total, game.points, strict=True)]
        last = number == len(row["deals"]) - 1
        stacks = {"stacks": [50 + gain for gain in expect["points"]]} if last else {}
        yield Laid(game, (asked(game, "result", after={"pot": after, **stacks}),))
        pot, chips = game.pot, game.scores
    assert total == expect["points"]


# The games with an auction


def lay_bids(row: Row) -> Iterator[Laid]:
    game, expect = bidding_positions.auction(row), row["expect"]
    yield Laid(game, (legal_check(game, map_calls(expect["legal"]), seat=expect["seat"]),))


def map_calls(calls: Sequence[str]) -> list[str]:
    return [bid if bid in ("pass", "hold") else f"bid {bid}" for bid in calls]


def lay_contract(row: Row) -> Iterator[Laid]:
    game, expect = bidding_positions.auction(row), row["expect"]
    if expect == "thrown-in":
        yield Laid(game, (asked(game, "result", outcome="thrown-in"),))
        return
    told = {"seat": None, "bid": None} if expect == "open" else expect
    yield Laid(game, (asked(game, "contract", **told),))


def lay_bid_ok(row: Row) -> Iterator[Laid]:
    game = bidding_deal(rules_of(row))
    if row["standing"] is not None:
        if not game.can(parse_bid(row["standing"])):
            call(game, "7NT")
        call(game, row["standing"])
    bid = f"bid {row['bid']}"
    yield Laid(game, (legal_check(game, [bid] if row["expect"] else [], [bid]),))


def lay_ladder(row: Row) -> Iterator[Laid]:
    """Climb the ladder a step a call: no bid goes down, none is left out."""
    steps, game, checks = row["expect"], bidding_deal(rules_of(row)), []
    asked = [f"bid {step}" for step in steps if step != "misere"]
    assert [BID_NAMES[bid] for bid in ladder(game.rules)] == steps
    for number, step in enumerate(steps):
        left = [f"bid {bid}" for bid in steps[number:] if bid != "misere"]
        checks.append(legal_check(game, left, asked))
        call(game, step)
    yield Laid(game, tuple(checks))


def lay_value(row: Row) -> Iterator[Laid]:
    tricks = int(row["bid"][0])
    game = ten_tricks(rules_of(row), row["bid"], tricks)
    points = [row["expect"], (10 - tricks) * 10]
    yield Laid(game, (asked(game, "result", outcome="made", points=points),))


def lay_discard_count(row: Row) -> Iterator[Laid]:
    """Throw card by card: ``done`` is legal from the fewest on, and nothing else at the most."""
    fewest, most = row["expect"]
    game = bidding_deal(rules_of(row), players=row["players"])
    play(take(game, 1, "30"), "trump:S")
    while (game.seat == 1) != row["bidder"]:
        throw_lowest(game, least(game))
    checks, seat = [], game.seat
    for thrown in range(most + 1):
        done = ["done"] if thrown >= fewest else []
        among = [] if thrown == most else ["done"]
        checks.append(legal_check(game, done, among, seat=seat))
        game.push(DONE if thrown == most else game.legal_actions[0])
    yield Laid(game, tuple(checks))


def lay_draw(row: Row) -> Iterator[Laid]:
    """Exchange; the last to draw gets the cards that were laid down as the new stock."""
    players, asked = row["players"], row["asked"]
    game = bidding_deal(rules_of(row), players=players, dealer=players - 1)
    play(take(game, 0, "30"), "trump:S")
    last = 0
    while game.phase == "discard":
        last = game.seat
        throw_lowest(game, asked[last] + least(game))
    drawn = [card_name(card) for card in game.restock[: row["expect"]["from_thrown"]]]
    assert len(cards_dealt(game).stock) == row["expect"]["stock"]
    kept = [card_name(card) for card in game.hands[last] if card_name(card) not in drawn]
    assert len(kept) + len(drawn) == 5
    yield Laid(game, (hand_check(game, last, [*kept, *drawn]),))


def lay_leader(row: Row) -> Iterator[Laid]:
    game = bidding_deal(rules_of(row), players=row["players"], dealer=row["dealer"])
    play(take(game, row["bidder"], "30"), "trump:S")
    exchange(game)
    yield Laid(game, (asked(game, "legal", seat=row["expect"]),))


def lay_settle(row: Row) -> Iterator[Laid]:
    side, before, dealer = row["contractor"], row.get("before"), row.get("dealer", 0)
    if "tricks" in row:
        game = ten_tricks(
            rules_of(row), row["contract"], row["tricks"][side], seat=side, dealer=dealer,
            scores=before,
        )  # fmt: skip
    else:
        game = contract_deal(row)
    expect = row["expect"]
    won = expect["winner"] is not None
    outcome = "game-won" if won else "made" if expect["made"] else "set"
    told = {"points": expect["points"], "after": {"scores": expect["after"]}}
    yield Laid(game, (asked(game, "result", outcome=outcome, **told, winner=expect["winner"]),))


def contract_deal(row: Row) -> Game:
    """Play a deal of Auction Forty-Fives as a row tells it."""
    rules, sides = rules_of(row), row["sides"]

    def start(number: int) -> Game:
        game = Game(rules, len(sides), seed=8, deal=number, dealer=row["dealer"],
                    scores=row["before"])  # fmt: skip
        seat = next(s for s in (1, 2, 3, 0) if sides[s] == row["contractor"])
        take(game, seat, row["contract"])
        game.push(game.legal_actions[number % 4])
        exchange(game)
        return game

    return found(start, Wanted(row["trick_sides"], row["best_trump_trick"]))


# Tricks of Five Hundred


def lay_hundred_winner(row: Row) -> Iterator[Laid]:
    game = bidding_positions.at_trick(row)
    trick, leader = row["trick"], game.history[-1].leader
    winner = (leader + trick.index(row["expect"])) % 4
    yield Laid(game, (asked(game, "trick", cards=trick, winner=winner),))


def lay_hundred_order(row: Row) -> Iterator[Laid]:
    order = row["expect"]
    for first in range(len(order) - 3):
        four = order[first : first + 4]
        for turn in (0, 3):
            trick = four[turn:] + four[:turn]
            yield from lay_hundred_winner({**row, "trick": trick, "expect": four[0]})


def lay_hundred_legal(row: Row) -> Iterator[Laid]:
    game = bidding_positions.at_trick(row)
    yield Laid(game, (legal_check(game, row["expect"], row["hand"]),))


def lay_suit(row: Row) -> Iterator[Laid]:
    """A card follows the suit it counts as, and no other."""
    card, trump, suit = row["card"], row["trump"], row["expect"]
    for led in "SCDH":
        other = next(f"7{s}" for s in "DHSC" if s not in (led, trump, suit))
        follows = led == suit
        own = [] if follows else [f"8{led}"]
        legal = [card] if follows else own
        told = {**row, "trick": [f"K{led}"], "hand": [card, other, *own], "expect": legal}
        yield from lay_hundred_legal(told)


def lay_names(row: Row) -> Iterator[Laid]:
    asked = {**row, "trump": "NT", "trick": [], "hand": ["JK"]}
    game = play(bidding_positions.at_trick(asked), "JK")
    legal = [f"name {suit}" for suit in row["expect"]]
    yield Laid(game, (legal_check(game, legal),))


def lay_assign_ok(row: Row) -> Iterator[Laid]:
    assert row["expect"] is True
    game = bidding_positions.contract_with_joker(row, 1)
    suits = [f"assign {suit}" for suit in ("S", "C", "D", "H", "none")]
    yield Laid(game, (legal_check(game, suits, seat=1),))


def lay_seats(row: Row) -> Iterator[Laid]:
    """Play a trick: these seats are asked, nobody else."""
    game = bidding_positions.contract_with_joker(row, row["contractor"])
    play(game, "assign:none")
    checks, seats = [], []
    while not game.history:
        checks.append(asked(game, "legal", seat=game.seat))
        seats.append(game.seat)
        game.push(game.legal_actions[0])
    assert sorted(seats) == row["expect"]
    cards = [card_name(card) for card in game.history[0].cards]
    yield Laid(game, (*checks, asked(game, "trick", cards=cards)))


LAY: dict[str, Callable[[Row], Iterator[Laid]]] = {
    "winner": lay_winner,
    "order": lay_order,
    "legal": lay_legal,
    "rob-seat": lay_rob_seat,
    "rob-hand": lay_rob_hand,
    "rob-now": lay_rob_now,
    "rob-play": lay_rob_play,
    "joker-turnup": lay_joker_turnup,
    "bonus": lay_bonus,
    "score": lay_score,
    "over": lay_over,
    "jink-now": lay_jink_now,
    "antes": lay_antes,
    "pot": lay_pot,
    "pot-chain": lay_pot_chain,
    "auction: bids": lay_bids,
    "auction: contract": lay_contract,
    "auction: bid-ok": lay_bid_ok,
    "auction: ladder": lay_ladder,
    "auction: value": lay_value,
    "auction: discard-count": lay_discard_count,
    "auction: draw": lay_draw,
    "auction: leader": lay_leader,
    "auction: settle": lay_settle,
    "auction: winner": lay_hundred_winner,
    "auction: order": lay_hundred_order,
    "auction: legal": lay_hundred_legal,
    "auction: suit": lay_suit,
    "auction: names": lay_names,
    "auction: assign-ok": lay_assign_ok,
    "auction: seats": lay_seats,
}
