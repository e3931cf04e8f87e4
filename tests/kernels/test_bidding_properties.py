"""What must hold in every deal of the games with an auction, whatever is chosen (hypothesis)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forty5sim.bids import MISERES, bid_value, ladder, parse_bid
from forty5sim.cards import JOKER, NO_TRUMP, CardSet
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.options import AUCTION, BIDDING, FIVE_HUNDRED
from forty5sim.rules import RuleSet
from tests.kernels.random_rules import random_rules
from tests.rulebook.bidding_table import settled, ten_tricks

EXAMPLES = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
T = TypeVar("T")
QUIET = {layout.PASS, layout.HOLD, layout.DONE}


@dataclass(frozen=True)
class Start:
    """A deal to play: everything that fixes it but the choices."""

    rules: RuleSet
    players: int
    scores: list[int]
    dealer: int
    seed: int

    def game(self) -> Game:
        return Game(
            self.rules, self.players, seed=self.seed, dealer=self.dealer, scores=self.scores
        )


@st.composite
def starts(draw: st.DrawFn, families: Sequence[str] = BIDDING, options: str = "") -> Start:
    """A deal of some rules, with some scores before it; these options are set in any case."""
    changes = dict(option.split("=") for option in options.split(",") if option)
    rng = random.Random(draw(st.integers(0, 10**6)))
    rules = random_rules(rng, families=families).with_options(first_dealer="random", **changes)
    players = rng.choice(rules.players)
    sides = rules.side_count(players)
    scores = [rng.choice([-60, -35, 0, 0, 55, 95, 100, 110]) for _ in range(sides)]
    return Start(rules, players, scores, rng.randrange(players), rng.randrange(2**40))


CHOICES = st.lists(st.integers(0, 10**6), min_size=40, max_size=40)


@dataclass
class Course:
    """How a deal was played: each step with who took it, and what was allowed."""

    game: Game
    seats: list[int] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    allowed: list[list[int]] = field(default_factory=list)

    def in_phase(self, phase: str) -> list[tuple[int, int]]:
        """Who did what in a phase."""
        steps = zip(self.seats, self.phases, self.actions, strict=True)
        return [(seat, action) for seat, held, action in steps if held == phase]


def step(game: Game, choice: int, bold: bool) -> int:
    """One of the legal actions; the lowest bid rather than any, a bold player rather bids."""
    legal = game.legal_actions
    if game.phase == "auction":
        bids = [action for action in legal if action not in QUIET]
        if bids and (bold or choice % 3 == 0):
            return bids[0] if choice % 5 else bids[choice % len(bids)]
        return legal[-1 - choice % 7 % (len(legal) - len(bids))]
    return legal[choice % len(legal)]


def course(start: Start, choices: Sequence[int], *, bold: bool = False) -> Course:
    """Play the deal to its end by these choices, over and over."""
    found = Course(start.game())
    for number in range(1000):
        game = found.game
        if game.deal_is_over:
            return found
        action = step(game, choices[number % len(choices)] + number, bold)
        found.seats.append(game.seat)
        found.phases.append(game.phase)
        found.allowed.append(game.legal_actions)
        found.actions.append(action)
        game.push(action)
    raise AssertionError("the deal does not end")


# The auction


@EXAMPLES
@given(starts(), CHOICES, st.booleans())
def test_a_pass_is_final_but_by_one_option(start: Start, choices: list[int], bold: bool) -> None:
    deal = course(start, choices, bold=bold)
    again = start.rules.rebid_after_pass == "on"
    passed: set[int] = set()
    for seat, call in deal.in_phase("auction"):
        assert again or seat not in passed
        if call == layout.PASS:
            passed.add(seat)
    assert deal.game.calls == deal.in_phase("auction")


@EXAMPLES
@given(starts(), CHOICES, st.booleans())
def test_bids_rise_and_a_hold_repeats(start: Start, choices: list[int], bold: bool) -> None:
    game, order = start.game(), ladder(start.rules)
    standing, bidder, holds = -1, None, 0
    while game.phase == "auction":
        seat, number = game.seat, len(game.calls)
        assert (game.bidder, game.bid) == (bidder, None if standing < 0 else order[standing])
        assert seat != bidder  # nobody is asked to raise their own bid
        for call in game.legal_actions:
            assert call in QUIET or order.index(call) > standing
        call = step(game, choices[number % 40] + number, bold)
        game.push(call)
        if call == layout.HOLD:
            assert standing >= 0
            assert seat == game.dealer
            holds += 1
        elif call != layout.PASS:
            standing = order.index(call)
        bidder = bidder if call == layout.PASS else seat
    assert holds == game.state[layout.HOLDS]
    if standing >= 0 and game.outcome != "thrown-in":
        assert (game.bidder, game.bid) == (bidder, order[standing])


@EXAMPLES
@given(starts(), CHOICES, st.booleans())
def test_the_auction_ends(start: Start, choices: list[int], bold: bool) -> None:
    deal, players = course(start, choices, bold=bold), start.players
    calls, steps = deal.in_phase("auction"), len(ladder(start.rules))
    bids = [call for _, call in calls if call != layout.PASS]
    holds = bids.count(layout.HOLD)
    assert len(bids) - holds <= steps
    assert holds <= steps
    if start.rules.rebid_after_pass == "on":  # between two bids all others but one pass at most
        assert len(calls) <= players - 1 + steps + (steps - 1) * (players - 2) + players - 1
    else:
        assert len(calls) - len(bids) <= players
    assert len(calls) <= layout.MAX_CALLS
    if start.rules.auction_rounds == "one" and start.rules.family == AUCTION:
        assert len({seat for seat, _ in calls}) == len(calls)


def test_the_longest_auctions_fit() -> None:
    """Every step of the ladder is bid, with as many passes between as can be."""
    game = Game("five-hundred:rebid_after_pass=on,misere=anytime", dealer=3)
    for number, bid in enumerate(ladder(game.rules)):
        for _ in range(2 if number else 3):
            game.push(layout.PASS)
        game.push(bid)
    assert game.phase == "discard"
    assert len(game.calls) == 27 + 26 * 2 + 3 <= layout.MAX_CALLS


@EXAMPLES
@given(starts([AUCTION], "all_pass=dealer_bagged"))
def test_a_bagged_dealer_cannot_pass(start: Start) -> None:
    game = start.game()
    for _ in range(start.players):
        game.push(layout.PASS)
    assert (game.phase, game.seat, game.bidder) == ("trump", start.dealer, start.dealer)
    assert game.legal_actions == [0, 1, 2, 3]
    assert not game.can(layout.PASS)
    lowest = int(start.rules.min_bid)
    near = start.rules.min_bid_at_100
    if game.scores[game.sides[start.dealer]] >= 100 and isinstance(near, int):
        lowest = near
    assert game.bid is not None
    assert bid_value(start.rules, game.bid) == lowest


# The exchange


@EXAMPLES
@given(starts(), CHOICES)
def test_each_seat_is_asked_once_in_the_exchange(start: Start, choices: list[int]) -> None:
    deal = course(start, choices, bold=True)
    turns = [seat for seat, action in deal.in_phase("discard") if action == layout.DONE]
    order = [seat for seat, _ in deal.in_phase("discard")]
    blocks = [seat for i, seat in enumerate(order) if i == 0 or order[i - 1] != seat]
    assert blocks == turns  # a seat finishes before the next one throws
    assert len(set(turns)) == len(turns)
    named = [seat for seat, _ in deal.in_phase("trump")]
    assert named in ([], [deal.game.bidder])
    given_by = [seat for seat, _ in deal.in_phase("assign")]
    assert given_by in ([], [deal.game.bidder])


@EXAMPLES
@given(starts(), CHOICES)
def test_no_card_is_lost_or_found(start: Start, choices: list[int]) -> None:
    game, number = start.game(), 0
    deck, size = list(start.rules.deck_cards()), int(start.rules.hand_size)
    while not game.deal_is_over:
        assert sorted(places(game)) == deck
        if game.phase in ("assign", "play") and not game.history and not game.trick:
            assert [len(hand) for hand in game.hands] == [size] * start.players
        check_throws(game)
        game.push(step(game, choices[number % 40] + number, bold=True))
        number += 1
    assert sorted(places(game)) == deck
    check_throws(game)


def places(game: Game) -> list[int]:
    """Every card with its place: hands, played, kitty, stock, thrown and not come back."""
    state = game.state
    found = [card for hand in game.hands for card in hand]
    found += [card for trick in game.history for card in trick.cards]
    found += [card for _, card in game.trick]
    taken = game.trump is not None and game.bidder is not None
    if game.phase == "trump":
        taken = game.rules.name_trump == "after_kitty"
    found += [] if taken else list(game.kitty)
    found += game.pack[int(state[layout.STOCK]) :]
    back = set(game.restocked)
    found += [card for cards in game.thrown for card in cards if card not in back]
    return found + game.restock[int(state[layout.RESTOCK_NEXT]) :]


def check_throws(game: Game) -> None:
    """What was thrown is out of play, unless it became a new stock."""
    thrown = [card for cards in game.thrown for card in cards]
    back = set(game.restocked)
    assert sorted(game.restock) == sorted(back)
    assert back <= set(thrown)
    gone = set(thrown) - back
    in_play = {card for hand in game.hands for card in hand}
    in_play |= {card for trick in game.history for card in trick.cards}
    in_play |= {card for _, card in game.trick}
    assert not gone & in_play
    assert set(game.restock[: int(game.state[layout.RESTOCK_NEXT])]) <= in_play
    assert game.discarded == [len(cards) for cards in game.thrown]


@EXAMPLES
@given(starts([AUCTION], "draw=on"), CHOICES)
def test_how_many_are_thrown(start: Start, choices: list[int]) -> None:
    game = course(start, choices).game
    if game.outcome == "thrown-in":
        return
    rules = start.rules
    keep = rules.min_keep
    least = max(start.players - 4, 0) if keep == "by_players" else int(keep)
    for seat, count in enumerate(game.discarded):
        kitty, kept = 0, least
        if seat == game.bidder:
            kitty, kept = rules.kitty_size, max(least, int(rules.bidder_min_keep))
        assert kitty <= count <= kitty + 5 - kept


# The Joker without trumps


@EXAMPLES
@given(starts([FIVE_HUNDRED], "misere=anytime,pass_out=play_nt"), CHOICES, st.booleans())
def test_the_joker_without_a_suit(start: Start, choices: list[int], to_contractor: bool) -> None:
    game, rules = no_trump_game(start, choices, to_contractor), start.rules
    number = 0
    while not game.deal_is_over:
        hand, joker = game.hands[game.seat], game.can(JOKER) and game.phase == "play"
        last = len(game.history) == 9
        if game.phase == "play" and JOKER in hand and game.joker_suit is None:
            check_suitless_joker(game, joker=joker, last=last)
        if game.phase == "name":
            fresh = {0, 1, 2, 3} - set(game.led_suits)
            every = rules.joker_lead == "any_suit"
            assert set(game.legal_actions) == ({0, 1, 2, 3} if every else fresh)
            assert not last
        game.push(step(game, choices[number % 40] + number, bold=True))
        number += 1


def no_trump_game(start: Start, choices: list[int], to_contractor: bool) -> Game:
    """A no trump, misère or passed-out deal of some rules, come to the play."""
    game = start.game()
    bid = [parse_bid("6NT"), *MISERES, layout.PASS][choices[0] % 4]
    number = 0
    while game.phase not in ("play", "over"):
        number += 1
        legal = game.legal_actions
        if game.phase == "auction":
            game.push(bid if game.bid is None else layout.PASS)
        elif game.phase == "discard":  # keep the Joker or throw it
            others = [card for card in legal if card != JOKER] if to_contractor else legal[::-1]
            game.push(others[choices[number] % len(others)] if others else legal[0])
        else:
            assert game.phase == "assign"
            game.push(legal[choices[number] % len(legal)])
    return game


def check_suitless_joker(game: Game, *, joker: bool, last: bool) -> None:
    """May its holder, whose turn it is, play it?"""
    hand, rule = game.hands[game.seat], game.rules.joker_lead
    if len(hand) == 1:
        assert joker
    elif game.trick:
        follows = {card for card in hand if game.effective_suit(card) == game.led_suit}
        assert joker == (not follows)
        assert set(game.legal_actions) == (follows or set(hand))
    else:
        barred = rule == "last_trick_only" or (rule == "unled_suit" and len(game.led_suits) == 4)
        assert joker == (last or not barred)
        assert set(game.legal_actions) >= set(hand) - {JOKER}


@EXAMPLES
@given(starts([FIVE_HUNDRED]), CHOICES)
def test_who_gives_the_joker_a_suit(start: Start, choices: list[int]) -> None:
    deal = course(start, choices, bold=True)
    game, asked = deal.game, bool(deal.in_phase("assign"))
    if game.bid is None or game.bidder is None:
        assert not asked
        return
    played = {game.played_to(trick).get(game.bidder) for trick in game.history}
    has_joker = JOKER in played or JOKER in game.hands[game.bidder]
    allowed = game.bid in MISERES or start.rules.joker_nt_suit == "allowed"
    assert asked == (game.trump == NO_TRUMP and has_joker and allowed)


@EXAMPLES
@given(starts([FIVE_HUNDRED], "misere=anytime"), CHOICES)
def test_a_joker_with_a_suit_is_a_card_of_it(start: Start, choices: list[int]) -> None:
    game, number = no_trump_game(start, choices, to_contractor=True), 0
    while not game.deal_is_over:
        if game.joker_suit is not None and game.trick and game.phase == "play":
            hand = game.hands[game.seat]
            follows = {card for card in hand if game.effective_suit(card) == game.led_suit}
            assert set(game.legal_actions) == (follows or set(hand))
            assert (JOKER in follows) == (JOKER in hand and game.led_suit == game.joker_suit)
        assert game.phase != "name" or game.joker_suit is None
        game.push(step(game, choices[number % 40] + number, bold=True))
        number += 1


# Misère


@EXAMPLES
@given(starts([FIVE_HUNDRED], "misere=anytime"), CHOICES, st.booleans())
def test_misere_is_played_by_three(start: Start, choices: list[int], opened: bool) -> None:
    game, number = misere_game(start, opened), 0
    assert game.bidder is not None
    partner = (game.bidder + 2) % 4
    hand = game.hands[partner]
    while not game.deal_is_over:
        assert game.seat != partner
        shown = opened and len(game.history) >= 1
        assert game.exposed == (game.hands[game.bidder] if shown else CardSet())
        game.push(step(game, choices[number % 40] + number, bold=True))
        number += 1
    assert game.hands[partner] == hand
    assert all(len(trick.cards) == 3 for trick in game.history)
    lost = [trick.winner for trick in game.history].count(game.bidder)
    if start.rules.play_out == "off" and lost:
        assert (lost, game.history[-1].winner) == (1, game.bidder)
    else:
        assert len(game.history) == 10
    assert game.outcome == ("set" if lost else "made")
    assert game.points[1 - game.bidder % 2] == 0


def misere_game(start: Start, opened: bool) -> Game:
    """A misère that eldest plays."""
    game = start.game()
    game.push(MISERES[opened])
    while game.phase == "auction":
        game.push(layout.PASS)
    while game.phase not in ("play", "over"):
        game.push(game.legal_actions[-1])
    return game


# Turning the table round


def turned(items: Sequence[T], by: int) -> list[T]:
    """What belongs to the seats, or to the sides, moved on by so many places."""
    return [items[(place - by) % len(items)] for place in range(len(items))]


@EXAMPLES
@given(starts(), CHOICES, st.booleans())
def test_a_deal_turns_with_the_table(start: Start, choices: list[int], bold: bool) -> None:
    """The same cards, calls and plays by other seats come to the same."""
    deal, players, size = course(start, choices, bold=bold), start.players, start.rules.hand_size
    pack, sides = deal.game.pack, len(start.scores)
    hands = [pack[place * int(size) :][: int(size)] for place in range(players)]
    for by in range(1, players):
        dealt = [card for hand in turned(hands, by) for card in hand]
        game = Game(
            start.rules,
            players,
            dealer=(start.dealer + by) % players,
            pack=dealt + pack[len(dealt) :],
            scores=turned(start.scores, by),
            restock=deal.game.restock,
        )
        for seat, action, allowed in zip(deal.seats, deal.actions, deal.allowed, strict=True):
            assert game.seat == (seat + by) % players
            assert game.legal_actions == allowed
            game.push(action)
        assert game.deal_is_over
        assert game.outcome == deal.game.outcome
        assert game.scores == turned(deal.game.scores, by)
        assert game.tricks == turned(deal.game.tricks, by)
        winner = None if game.winner is None else (game.winner - by) % sides
        assert winner == deal.game.winner


SEATED = [
    (players, seating)
    for players, seating in product(range(2, 7), ("individuals", "2x2", "2x3", "3x2"))
    if seating == "individuals" or int(seating[0]) * int(seating[2]) == players
]
TIES = ["bidder_first", "trick_order", "highest_total", "highest_total,tie_equal=play_on"]
ENDS = ["", "must_bid_out=on", "lose_at=-60", "sets_lose=2", "game_deals=3"]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("players", "seating"), SEATED)
def test_the_end_of_a_game_turns_with_the_table(players: int, seating: str, tie: str) -> None:
    """Several sides near the target: seats, dealer and scores moved on, and so the winner."""
    rng, decided = random.Random(f"{players} {seating} {tie}"), 0
    for number in range(20):
        end = ENDS[number % len(ENDS)]
        rules = find_rules(f"auction-forty-fives:sides={seating},tie={tie},{end}")
        sides = rules.side_count(players)
        won = [rng.randrange(players) for _ in range(5)]
        best, bidder, dealer = rng.randrange(5), rng.randrange(players), rng.randrange(players)
        bid = rng.choice(["15", "20", "25", "30"])
        scores = [rng.choice([105, 110, 115, 115, 115]) for _ in range(sides)]
        if rng.random() < 0.3:
            scores[bidder % sides] = -45
        sets = [rng.randrange(2) for _ in range(sides)]
        found = []
        for by in range(players):
            game = settled(
                rules,
                (bidder + by) % players,
                bid,
                [(seat + by) % players for seat in won],
                players=players,
                dealer=(dealer + by) % players,
                best={best: "5S"},
                scores=turned(scores, by),
                sets=turned(sets, by),
                deals=2,
            )
            side = None if game.winner is None else (game.winner - by) % sides
            found.append((side, turned(game.points, -by), turned(game.sets, -by)))
        assert all(one == found[0] for one in found), (rules.id, won, bidder, dealer, scores, sets)
        if end == "" and tie != "trick_order":
            totals = [old + new for old, new in zip(scores, found[0][1], strict=True)]
            own = bidder % sides
            made = found[0][1][own] > 0
            assert found[0][0] == at_the_target(tie, dealer, players, own, made, totals)
        decided += found[0][0] is not None
    assert decided > 0


def at_the_target(
    tie: str, dealer: int, players: int, own: int, made: bool, totals: list[int]
) -> int | None:
    """Who has won, by the words of docs/rules.md 7.9: steps 1 and 2, no option but ``tie``."""
    there = [side for side, total in enumerate(totals) if total >= 120]
    if tie == "bidder_first":
        if made and own in there:
            return own
        there = [side for side in there if side != own]
    level = [side for side in there if totals[side] == max(totals[other] for other in there)]
    if not level or (len(level) > 1 and "play_on" in tie):
        return None
    from_left = [(dealer + 1 + turn) % players % len(totals) for turn in range(players)]
    last = dealer % len(totals)
    return min(level, key=lambda side: (side == last, from_left.index(side)))


@pytest.mark.parametrize("needs_contract", ["on", "off"])
@pytest.mark.parametrize("dealer", range(4))
def test_the_end_of_five_hundred_turns_with_the_table(needs_contract: str, dealer: int) -> None:
    """Every seat as contractor, from every seat as dealer: both sides at the target or neither."""
    spec = f"five-hundred:win_needs_contract={needs_contract}"
    for tricks, before in product((5, 6, 8), ([470, 470], [470, 490], [0, 480], [-480, 480])):
        found = []
        for seat in range(4):
            scores = turned(before, seat)
            game = ten_tricks(spec, "6S", tricks, seat=seat, dealer=dealer, scores=scores)
            side = None if game.winner is None else (game.winner - seat) % 2
            found.append((side, turned(game.points, -seat)))
        assert all(one == found[0] for one in found), (tricks, before)
        made, there = tricks >= 6, [before[0] + 40, before[1] + 10 * (10 - tricks)]
        if made and there[0] >= 500:
            assert found[0][0] == 0  # the contractor first, whoever else is there
