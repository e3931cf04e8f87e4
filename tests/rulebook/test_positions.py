"""The worked positions of the conformance suite, put to the engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from forty5sim.cards import card_name, parse_suit, suit_name
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules, presets
from forty5sim.ranking import plain_order, trump_order
from forty5sim.rules import RuleSet
from tests.rulebook import bidding_positions
from tests.rulebook.table import deal, hand_of, legal, play, play_quietly, script

pytestmark = pytest.mark.jit_off

ROWS = Path(__file__).parents[2] / "conformance" / "positions.jsonl"
COUNT = 150
AUCTION = "auction: "  # before a kind of the games with an auction, which are asked otherwise
Row = dict[str, Any]


def all_rows() -> list[Row]:
    """The positions of all games."""
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]


def rules_of(row: Row, **changes: str | int) -> RuleSet:
    return find_rules(row["game"]).with_options(**{**row["options"], **changes})


# Single cards and hands


def ask_winner(row: Row) -> str:
    trick, trump = row["trick"], row["trump"]
    missed = row.get("missed_rob", False)
    rules = rules_of(row, hand_size=1, trump="turned" if missed else trump)
    turnup = next(pip + trump for pip in "3467" if pip + trump not in trick) if missed else ""
    game = deal(rules, trick, turnup, dealer=len(trick) - 1)
    play_quietly(game, " ".join(trick))
    assert not missed or game.state[layout.KEPT] >= 0 or "A" + trump not in trick
    return str(trick[game.history[0].winner or 0])


def ask_order(row: Row) -> list[str]:
    trump, suit = parse_suit(row["trump"]), parse_suit(row["suit"])
    missed = row.get("missed_rob", False)
    rules = rules_of(row)
    trumps = trump_order(rules, trump, ace_lowest=missed)
    order = [card_name(c) for c in (trumps if suit == trump else plain_order(rules, suit))]
    for high, low in pairwise(order):
        assert ask_winner({**row, "trick": [high, low]}) == high
        assert ask_winner({**row, "trick": [low, high]}) == high
    return order


def ask_legal(row: Row) -> set[str]:
    trick, earlier, asked = row["trick"], row.get("earlier", []), list(row["hand"])
    players, leader = max(2, len(trick) + 1), 0
    if earlier:
        players = 3
        assert len(earlier) == 3
        leader = earlier.index(ask_winner({**row, "trick": earlier}))
    rules = rules_of(row, hand_size=len(asked) + bool(earlier), trump=row["trump"])
    hands = [[card] for card in earlier] or [[] for _ in range(players)]
    for i, cards in enumerate([*([card] for card in trick), asked]):
        hands[(leader + i) % players] += cards
    pad(hands, int(rules.hand_size), {row["trump"], (trick or ["2S"])[0][-1]})
    game = deal(rules, [" ".join(hand) for hand in hands], dealer=players - 1)
    return legal(play(game, " ".join([*earlier, *trick])))


def pad(hands: list[list[str]], size: int, without: set[str]) -> None:
    """Fill up hands with cards that never oblige: none of the trump suit or the suit led."""
    named = {card for hand in hands for card in hand}
    spare = [rank + suit for suit in "SCDH" if suit not in without for rank in "KQJ9876432"]
    for hand in hands:
        while len(hand) < size:
            hand.append(next(card for card in spare if card not in named))
            named.add(hand[-1])


# Robbing


def ask_rob_seat(row: Row) -> int | None:
    rules = rules_of(row, rob_timing="before_first_lead")
    hands = [" ".join(hand) for hand in row["hands"]]
    game = deal(rules, hands, row["turnup"], dealer=row["dealer"])
    return game.seat if game.phase == "rob" else None


def ask_rob_hand(row: Row) -> set[str]:
    rules = rules_of(row, rob_timing="before_first_lead")
    game = deal(rules, {1: " ".join(row["hand"])}, row["turnup"])
    play(game, "rob:" + row["throw"])
    return hand_of(game, 1)


def ask_rob_now(row: Row) -> str:
    ace = {} if row["holder"] is None else {row["holder"]: "A" + row["turnup"][-1]}
    game = deal(rules_of(row), ace, row["turnup"], players=row["players"], dealer=row["dealer"])
    while len(game.trick) < len(row["played"]):
        assert game.phase == "rob" or game.seat in row["played"]
        play(game, "keep" if game.phase == "rob" else min(legal(game)))
    if game.state[layout.RIGHT] != row["seat"]:
        return "no"
    while game.phase != "rob":
        game.push(game.legal_actions[0])
    return "may" if "keep" in legal(game) else "must"


def ask_rob_play(row: Row) -> set[str]:
    assert row["trick_number"] == 1
    lead = row["trick"][0]
    game = deal(rules_of(row), [" ".join(row["hand"]), lead], row["turnup"])
    return legal(play(game, f"rob:{row['throw']} {lead}"))


def ask_joker_turnup(row: Row) -> Row:
    hands = [" ".join(hand) for hand in row["hands"]]
    game = deal(rules_of(row), hands, " ".join(["JK", *row["stock"]]), dealer=row["dealer"])
    assert game.trump is None
    assert legal(game) == {"rob " + card for card in row["hands"][row["dealer"]]}
    play(game, "rob:" + row["throw"])
    right = int(game.state[layout.RIGHT])
    trump = "" if game.trump is None else suit_name(game.trump)
    hand = hand_of(game, row["dealer"])
    return {"trump": trump, "right": None if right < 0 else right, "hand": hand}


# Whole deals, told by who wins the tricks


def scripted(
    row: Row, players: int, winners: list[int], best: Mapping[int, str], **more: Any
) -> Game:
    """Play a deal whose tricks these seats win; a jink is declared where the row says so."""
    turned = row.get("kept") is not None
    rules = rules_of(row, plain_lead="free", trump="turned" if turned else "S")
    told = script(players, winners, dealer=more.get("dealer", 0), best=best)
    game = deal(rules, told.hands, "2S" if turned else "", players=players, **more)
    for trick in told.tricks:
        answer(row, game)
        play(game, trick)
    if len(told.tricks) >= 3 and "jink" in row:
        answer(row, game)
    return game


def answer(row: Row, game: Game) -> None:
    """Keep, jink or stop, as the row says."""
    if game.phase == "rob":
        assert game.seat == row["kept"]
        play(game, "keep")
    if game.phase == "jink":
        side = row.get("jink", row.get("jink_side"))
        play(game, "jink" if game.sides[game.seat] == side else "stop")


def by_sides(row: Row) -> Game:
    """Play a counting deal; a side's tricks are won by the seat of its number."""
    players = len(row.get("sides", [0, 1, 0, 1]))
    best = row.get("best_trump_trick")
    cards = {} if best is None else {best - 1: row.get("best_trump", "5S")}
    before = row.get("before", [0, 0])
    game = scripted(
        row, players, row["trick_sides"], cards, dealer=row.get("dealer", 0), scores=before
    )
    assert "sides" not in row or game.sides == row["sides"]
    return game


def ask_score(row: Row) -> Row:
    game = by_sides(row)
    assert game.deal_is_over
    winner = int(game.state[layout.WINNER])
    return {
        "points": game.points,
        "after": game.scores,
        "winner": None if winner < 0 else winner,
    }


def ask_over(row: Row) -> bool:
    return by_sides(row).deal_is_over


def ask_jink_now(row: Row) -> int | bool | None:
    if "trick_sides" in row:
        return by_sides(row).phase == "jink"
    game = scripted(row, 5, row["winners"], {})
    return game.seat if game.phase == "jink" else None


def ask_bonus(row: Row) -> Row | None:
    winners = [trick.index(ask_winner({**row, "trick": trick})) for trick in row["tricks"]]
    hands: list[list[str]] = [[], []]
    leader = 0
    for trick, winner in zip(row["tricks"], winners, strict=True):
        hands[leader].append(trick[0])
        hands[1 - leader].append(trick[1])
        leader = leader if winner == 0 else 1 - leader
    rules = rules_of(row, plain_lead="free", trump=row["trump"])
    game = deal(rules, [" ".join(hand) for hand in hands], dealer=1)
    play(game, " ".join(card for trick in row["tricks"] for card in trick))
    top, trick = int(game.state[layout.TOP]), int(game.state[layout.TOP_TRICK])
    assert sum(game.points) == (25 if row["expect"] is None else 30)
    if top >> layout.PACKED_POWER < layout.TRUMP_POWER:
        return None
    return {"trick": trick + 1, "card": card_name(top & layout.CARD_BITS)}


# Pots


def ask_antes(row: Row) -> list[int]:
    game = Game(rules_of(row), row["players"], dealer=row["dealer"], pot=row["pot"])
    return [50 - chips for chips in game.scores]


def ask_pot(row: Row) -> Row:
    kept = row.get("kept")
    ace = {} if kept is None else {row["winners"].index(kept): "AS"}
    game = scripted(row, row["players"], row["winners"], ace, dealer=row["dealer"], pot=row["pot"])
    assert game.deal_is_over
    told = {"outcome": game.outcome, "points": game.points, "pot": game.pot}
    assert game.next_deal()
    return {**told, "next_pot": game.pot}


def ask_pot_chain(row: Row) -> Row:
    players, chips, pot, pots = row["players"], [50] * row["players"], row["pot"], []
    for number, one in enumerate(row["deals"]):
        dealer = (row["dealer"] + number) % players
        game = scripted(
            {**row, **one}, players, one["winners"], {}, dealer=dealer, scores=chips, pot=pot
        )
        assert game.deal_is_over
        chips, pot = game.scores, game.pot
        pots.append(pot)
    return {"pots": pots, "points": [now - 50 for now in chips]}


ASK: dict[str, Callable[[Row], object]] = {
    "winner": ask_winner,
    "legal": ask_legal,
    "order": ask_order,
    "rob-seat": ask_rob_seat,
    "rob-hand": ask_rob_hand,
    "rob-now": ask_rob_now,
    "rob-play": ask_rob_play,
    "joker-turnup": ask_joker_turnup,
    "bonus": ask_bonus,
    "score": ask_score,
    "over": ask_over,
    "jink-now": ask_jink_now,
    "antes": ask_antes,
    "pot": ask_pot,
    "pot-chain": ask_pot_chain,
    **{AUCTION + kind: asks for kind, asks in bidding_positions.ASK.items()},
}


def kind_of(row: Row) -> str:
    kind = str(row["kind"])
    return AUCTION + kind if find_rules(row["game"]).has_auction else kind


@pytest.mark.parametrize("row", all_rows(), ids=lambda row: str(row["id"]))
def test_position(row: Row) -> None:
    answer, expect = ASK[kind_of(row)](row), row["expect"]
    if isinstance(answer, set):
        assert answer == set(expect)
    elif isinstance(answer, dict):
        asked = {key: set(v) if isinstance(answer[key], set) else v for key, v in expect.items()}
        assert {key: answer[key] for key in asked} == asked
    else:
        assert answer == expect


def test_every_position_is_asked_and_every_way_of_asking_used() -> None:
    rows = all_rows()
    assert len({row["id"] for row in rows}) == len(rows) == COUNT
    assert {kind_of(row) for row in rows} == set(ASK)
    assert {row["game"] for row in rows} <= set(presets())
    assert sum(find_rules(row["game"]).has_auction for row in rows) == 59
