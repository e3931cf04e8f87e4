"""Information sets and determinization (docs/rules.md 6), against full enumeration where it can be.

``tests/reference/consistent.py`` enumerates small deals, and holds a million samples against them
from the command line; here are its positions with fewer samples, random small positions with exact
chances, known numbers of worlds, and properties of samples of any game.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import forty5sim
from forty5sim.agent import View, view_of
from forty5sim.cards import JOKER, Card, CardSet, Seat, parse_card
from forty5sim.errors import Forty5Error
from forty5sim.game import Game
from forty5sim.infoset import Determinizations
from forty5sim.kernels import face, layout
from forty5sim.kernels.vector import Vector
from forty5sim.named_rules import presets
from forty5sim.notation import DONE
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables
from tests.kernels.cases import random_case
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules
from tests.reference.consistent import (
    UNLIKELY,
    chances,
    consistent,
    dealt_again,
    draws_needed,
    histories,
    histories_of,
    p_value,
    random_position,
    sampled,
    world_of,
)
from tests.reference.small_deals import POSITIONS, Position
from tests.rulebook.bidding_table import bidding_deal, call, throw
from tests.rulebook.table import deal, play

DRAWS = 20_000
each_position = pytest.mark.parametrize("position", POSITIONS, ids=str)


# --- the reference itself -------------------------------------------------------------------------


@each_position
def test_the_reference_counts_as_it_did(position: Position) -> None:
    assert sum(histories_of(position).values()) == position.histories


def test_the_reference_agrees_with_counting_by_hand() -> None:
    """Nine cards are unseen: three diamonds, three spades, three clubs; hands of two and two."""
    found = {p.name: p.histories for p in POSITIONS if p.name.startswith("plain_lead=")}
    both, one = math.comb(9, 2) * math.comb(7, 2), math.comb(7, 2)
    assert found == {
        "plain_lead=free": both,
        "plain_lead=follow_or_trump": math.comb(6, 2) * one,  # one has no diamond
        "plain_lead=must_follow_or_trump": math.comb(3, 2) * one,  # and no spade
        "plain_lead=strict_follow": math.comb(6, 2) * math.comb(4, 2),  # nobody has a diamond
    }
    top = {p.name.split(",")[0]: p.histories for p in POSITIONS if "a top trump in" in p.name}
    assert top == {  # what seat 2 may hold of 5S JS JK; besides, four plain cards and KS not
        "renege=outranks_led": math.comb(8, 2) * one,
        "renege=highest_so_far": math.comb(7, 2) * one,
        "renege=expires_in_deal": math.comb(7, 2) * one,
        "renege=single_unconditional": (math.comb(5, 2) + 3 * 5) * one,
        "renege=none": math.comb(5, 2) * one,
    }


@pytest.mark.parametrize("number", range(20))
def test_which_cards_were_the_kitty_changes_nothing(number: int) -> None:
    """The reference tries one kitty only for the cards of a bidder; here it tries all of them."""
    rng = random.Random(f"kitty/{number}")
    while True:
        game, seat = random_position(rng, 40)
        if game.rules.has_auction and len(game.rules.deck_cards()) < 20:
            break
    one, every = consistent(game, seat), consistent(game, seat, every_kitty=True)
    assert set(one) == set(every)
    assert len({every[world] / one[world] for world in one}) == 1


def test_the_reference_holds_the_truth_possible() -> None:
    for number in range(60):
        game, seat = random_position(random.Random(f"true/{number}"), 100)
        worlds = consistent(game, seat)
        assert worlds
        if seat == game.seat or game.rules.rob_announced == "on":
            assert world_of(game) in worlds  # else somebody may have robbed just now


# --- known numbers of worlds --------------------------------------------------------------------


def known_to_seat_0(hands: str, rest: str, actions: str) -> forty5sim.InformationSet:
    """Return what seat 0 knows in a small deal with spades trumps; it leads, and its side wins."""
    position = Position("", "forty-five:trump=S", hands, rest, actions, 0, 0)
    return forty5sim.InformationSet(view_of(position.game(), 0))


def chance(infoset: forty5sim.InformationSet, seat: Seat, card: str) -> float:
    """Return the chance that a seat holds a card."""
    return float(infoset.marginals()[seat, parse_card(card)])


def test_one_void_leaves_150_worlds() -> None:
    """Seat 1 has no diamond: it has two of five other cards, seat 2 two of the rest of eight."""
    infoset = known_to_seat_0("KD 9S 8C / 2C 4S 7C / 4D QD KC", "JD 3D 5S JS", "KD 2C 4D")
    assert infoset.unseen == CardSet.parse("4S 7C QD KC JD 3D 5S JS")
    assert infoset.count == 150
    assert [chance(infoset, 1, card) for card in ("QD", "JS")] == pytest.approx([0, 2 / 5])
    assert [chance(infoset, 2, card) for card in ("QD", "JS")] == pytest.approx([1 / 3, 1 / 5])


def test_two_voids_leave_471_worlds() -> None:
    """Seat 1 has no diamond, seat 2 no heart; three of each are unseen, and four others."""
    infoset = known_to_seat_0(
        "KD KH 9S 8C 7C / 2C 4H 5H JH 5S / 4D 3C QD JD JS", "3D 6H KC QS", "KD 2C 4D KH 4H 3C"
    )
    assert infoset.count == 471
    both = [chance(infoset, seat, card) for seat in (1, 2) for card in ("5S", "JS", "KC", "QS")]
    assert both == pytest.approx([54 / 157] * 8)


@pytest.mark.parametrize(
    ("led", "renege", "free"),
    [("10S", "outranks_led", 36), ("10S", "none", 33), ("JS", "outranks_led", 34),
     ("5S", "outranks_led", 33)],
)  # fmt: skip
def test_who_throws_a_card_on_a_trump_may_keep_the_best_back(
    led: str, renege: str, free: int
) -> None:
    """Of 45 unseen cards 12 are trumps; those that may be kept back can still be there."""
    hands = [f"{led} KD 9C 8C 7C", "KC 3D 2D 4D 6D"]
    game = play(deal(f"forty-five:renege={renege}", hands, "9S", dealer=1), f"{led} KC")
    infoset = forty5sim.InformationSet(view_of(game, 0))
    assert infoset.count == math.comb(free, 4) == {36: 58905, 34: 46376, 33: 40920}[free]
    assert chance(infoset, 1, "5S") == pytest.approx(4 / free if free > 33 else 0)


@pytest.mark.parametrize("seat", range(4))
def test_nothing_is_known_before_an_auction(seat: Seat) -> None:
    for name, size, unseen in (("auction-forty-fives", 5, 47), ("five-hundred", 10, 33)):
        infoset = forty5sim.InformationSet(view_of(Game(name, seed=1), seat))
        assert len(infoset.unseen) == unseen
        others = np.delete(infoset.marginals(), seat, axis=0)[:, list(infoset.unseen)]
        assert others == pytest.approx(np.full((3, unseen), size / unseen))
    ways = math.comb(33, 10) * math.comb(23, 10) * math.comb(13, 10)
    assert infoset.count == pytest.approx(ways, rel=1e-12)


# --- against full enumeration ---------------------------------------------------------------------


@each_position
def test_chances_are_those_of_all_histories(position: Position) -> None:
    game, worlds = position.game(), histories_of(position)
    infoset = forty5sim.InformationSet(view_of(game, position.seat))
    assert infoset.marginals() == pytest.approx(chances(worlds, game.players), abs=1e-12)
    if game.rules.family != "auction":  # there it stands for equal draws
        assert infoset.count == sum(worlds.values())


@each_position
def test_samples_are_uniform_over_all_histories(position: Position) -> None:
    worlds = histories_of(position)
    view, seed = view_of(position.game(), position.seat), 100 * POSITIONS.index(position)
    assert p_value(worlds, sampled(view, draws_needed(worlds, DRAWS), seed)) > UNLIKELY


@pytest.mark.parametrize("number", range(60))
def test_small_positions_at_random(number: int) -> None:
    game, seat = random_position(random.Random(f"small/{number}"))
    worlds = consistent(game, seat)
    infoset = forty5sim.InformationSet(view_of(game, seat))
    assert infoset.marginals() == pytest.approx(chances(worlds, game.players), abs=1e-12)
    if game.rules.family != "auction":
        assert infoset.count == pytest.approx(sum(worlds.values()))
    found = sampled(infoset.view, draws_needed(worlds, DRAWS // 10), number)
    assert p_value(worlds, found) > UNLIKELY


def test_whose_turn_waits_knows_that_somebody_is_asked_in_secret() -> None:
    """Seat 0 is to lead and may not yet: so somebody else holds the ace of trumps."""
    hands = ["KD 9S 8C", "AS 4C 3D", "2C KC QC"]
    rules = "forty-five:rob_timing=before_first_lead,hand_size=3"
    game = deal(rules, hands, "7S 5S", dealer=2)
    view = view_of(game, 0)
    assert (view.seat, view.phase, view.legal) == (0, "play", [])
    assert forty5sim.marginals(view)[1:, parse_card("AS")] == pytest.approx([1 / 2, 1 / 2])
    for world in forty5sim.determinize(view, 20):
        assert view_of(world, 0).legal_mask == 0


# --- Auction Forty-Fives with the whole pack ------------------------------------------------------


def exchanged(players: int, throws: list[int]) -> Game:
    """Return a deal in which seat 0 has bid 20 for spades and seats threw so many cards."""
    game = bidding_deal("auction-forty-fives", players=players, dealer=players - 1)
    play(call(game, "20" + " pass" * (players - 1)), "trump:S")
    for count in throws:
        throw(game, " ".join(str(game.hands[game.seat]).split()[:count]))
    return game


def test_cards_drawn_and_thrown_are_like_all_unseen_ones() -> None:
    game = exchanged(4, [4, 2, 0, 5])
    view = view_of(game, 1)
    infoset = forty5sim.InformationSet(view)
    unseen = 52 - 5 - 2
    assert len(infoset.unseen) == unseen
    others = np.delete(infoset.marginals(), 1, axis=0)[:, list(infoset.unseen)]
    assert others == pytest.approx(np.full((3, unseen), 5 / unseen))
    worlds = infoset.determinize(10_000)
    for seat, count in ((0, 4), (2, 0), (3, 5)):
        often = how_often(worlds.thrown[:, seat])[list(infoset.unseen)]
        assert abs(often - count / unseen).max() < 5 * math.sqrt(0.1 * 0.9 / 10_000)


STOCK_GONE = [7, 4, 4, 4, 4, 4]
"""What six seats throw: seat 4 draws the last three cards and one thrown, seat 5 four thrown."""


def never_had(view: View) -> list[Card]:
    """Return the cards that a seat has neither held nor thrown, before the first lead."""
    return [card for card in range(JOKER) if card not in view.hand and card not in view.thrown]


def test_own_cards_thrown_come_back_to_later_seats() -> None:
    """Nineteen cards come back into the stock, four of seat 1; seat 4 gets one, seat 5 four."""
    game = exchanged(6, STOCK_GONE)
    view = view_of(game, 1)
    infoset = forty5sim.InformationSet(view)
    found = infoset.marginals()
    for seat, drawn in enumerate([0, 0, 0, 0, 1, 4]):
        if seat != 1:
            taken = drawn / 43 * 15 / 19 + (5 - drawn) / 43
            assert found[seat, list(view.thrown)] == pytest.approx([drawn / 19] * 4)
            assert found[seat, never_had(view)] == pytest.approx([taken] * 43)
    worlds, mine = infoset.determinize(DRAWS), view.thrown.mask
    back = Counter(zip(*(bits(worlds.hands[:, s] & mine).tolist() for s in (4, 5)), strict=True))
    ways = {
        (a, b): math.comb(4, b) * math.comb(14, 4 - a - b) * DRAWS / math.comb(19, 4)
        for a in (0, 1)
        for b in range(5 - a)
    }
    assert set(back) <= set(ways)
    assert stats.chisquare([back[cell] for cell in ways], list(ways.values())).pvalue > UNLIKELY


@pytest.mark.parametrize("seat", [4, 5])
def test_who_draws_from_the_new_stock_learns_nothing_of_the_others(seat: Seat) -> None:
    view = view_of(exchanged(6, STOCK_GONE), seat)
    infoset = forty5sim.InformationSet(view)
    others = np.delete(infoset.marginals(), seat, axis=0)[:, never_had(view)]
    assert others == pytest.approx(np.full((5, 43), 5 / 43))


@pytest.mark.parametrize("seat", range(6))
def test_samples_after_the_stock_ran_out(seat: Seat) -> None:
    game = exchanged(6, STOCK_GONE)
    check_worlds(game, seat, 3)
    while game.trick or game.phase != "over":
        game.push(game.legal_actions[0])
        if len(game.trick) == 3:
            check_worlds(game, seat, 2)


# --- properties of samples of any game ------------------------------------------------------------


def how_often(masks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how often each card is in these sets of cards, as a share."""
    return np.array([(masks >> card & 1).mean() for card in range(JOKER + 1)])


def bits(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many cards are in each of these sets."""
    return sum((masks >> card & 1 for card in range(JOKER + 1)), np.zeros_like(masks))


def stopped_game(rules: RuleSet, rng: random.Random) -> Game:
    """Return a deal of a game, played at random to some point."""
    game = random_case(rules, rng.choice(rules.players), rng).engine()
    points = [game.copy()]
    while not game.deal_is_over:
        game.push(choose(game.legal_actions, rng))
        points.append(game.copy())
    return rng.choice(points)


def check_worlds(game: Game, seat: Seat, n: int, seed: int = 0) -> None:
    """Expect samples of what a seat knows to be whole deals that look to it as this one does."""
    view = view_of(game, seat)
    if game.phase == "discard" and game.seat != seat:
        for ask in (forty5sim.determinize, forty5sim.marginals, forty5sim.InformationSet):
            with pytest.raises(Forty5Error):
                ask(view)
        return
    worlds = forty5sim.determinize(view, n=n, seed=seed)
    assert len(worlds) == n
    assert worlds.hands.shape == worlds.thrown.shape == (n, game.players)
    assert worlds.states.shape == (n, layout.STATE_SIZE)
    for place in range(n):
        check_world(view, worlds, place)
    check_no_leak(view, worlds, seed)


def check_world(view: View, worlds: Determinizations, place: int) -> None:
    """Expect one sample to be a deal that was played by the rules up to this view."""
    world, state = worlds[place], worlds.states[place]
    assert [hand.mask for hand in world.hands] == worlds.hands[place].tolist()
    assert [cards.mask for cards in world.thrown] == worlds.thrown[place].tolist()
    assert_same_view(view_of(world, view.observer), view)
    assert public_words(world.state) == public_words(state)
    for field in hidden_fields(world):
        assert world.state[field] == state[field], (field - layout.HANDS, str(world))
    check_replay(world)
    assert played_on(world.state, world) == played_on(state, world)


def assert_same_view(one: View, other: View) -> None:
    assert public_words(one._words) == public_words(other._words)
    assert (one.observer, one.hand, one.thrown) == (other.observer, other.hand, other.thrown)
    assert one.legal_mask == other.legal_mask


def public_words(words: Sequence[int] | Vector) -> list[int]:
    """Return public words without what an earlier deal has left in them: who won its tricks."""
    stale = range(layout.WINNERS + int(words[layout.TRICK]), layout.WINNERS + layout.MAX_TRICKS)
    return [0 if field in stale else int(words[field]) for field in range(layout.PUBLIC_SIZE)]


def hidden_fields(world: Game) -> Iterator[int]:
    """Yield the hidden words that may still be read; not keys, nor where cards dealt have lain."""
    state, all_held = world.state, sum(hand.mask for hand in world.hands)
    yield from range(layout.HANDS, layout.DEAL_KEY)
    yield from (layout.STOCK, layout.EXCHANGING, layout.THROWN_BEFORE)
    yield from range(layout.RESTOCKED, layout.RESTOCK_GIVEN)
    if world.phase == "auction" or (world.phase == "trump" and world.kitty.mask & all_held == 0):
        yield layout.KITTY_CARDS
    if world.phase == "discard":
        yield layout.LAST_THROWN
        start, end = int(state[layout.RESTOCK_NEXT]), int(state[layout.RESTOCK_SIZE])
        yield from range(layout.RESTOCK + start, layout.RESTOCK + end)
    if world.phase in ("auction", "trump", "discard"):
        yield from range(layout.DECK + int(state[layout.STOCK]), layout.DECK + len(world.pack))


def check_replay(world: Game) -> None:
    """Expect that a deal comes out the same when its actions are pushed again."""
    again = dealt_again(world, world.pack)
    if world.restock:
        again._lay_restock(world.restock)
    for step in world.log:
        assert (again.seat, again.phase) == (step.seat, step.phase)
        again.push(step.action)
    again._state[layout.DEALS] = world.state[layout.DEALS]
    assert public_words(again.state) == public_words(world.state)
    assert again.hands == world.hands
    assert again.thrown == world.thrown


def played_on(state: Vector, world: Game) -> list[list[int]]:
    """Return what may be done from a state to the end of its deal, and how that deal stands."""
    state, tables = state.copy(), rule_tables(world.rules)
    state[layout.DEAL_KEY] = 1  # a new stock is shuffled by it
    rng, legal = random.Random(0), []
    while state[layout.PHASE] != layout.OVER:
        legal.append(int(face.legal_actions(state, tables)))
        face.apply(state, tables, choose(list(CardSet(legal[-1])), rng))
    return [legal, public_words(state)]


def check_no_leak(view: View, worlds: Determinizations, seed: int) -> None:
    """Expect the same samples from another deal that the seat cannot tell from the true one."""
    other = worlds[len(worlds) - 1]
    again = forty5sim.determinize(view_of(other, view.observer), n=len(worlds), seed=seed)
    for one, two in zip(again.states, worlds.states, strict=True):
        assert public_words(one) == public_words(two)
        assert np.array_equal(one[layout.PUBLIC_SIZE :], two[layout.PUBLIC_SIZE :])


@pytest.mark.jit_off
@each_position
def test_samples_of_each_position(position: Position) -> None:
    check_worlds(position.game(), position.seat, 2)


@pytest.mark.parametrize("stock", [0, 1, 2])
def test_samples_with_hardly_any_stock(stock: int) -> None:
    """Three hands of three, a turn-up, and few cards more; the two of spades is not among them."""
    cards = "5S JS AS KH QH JH KD QD JD KC QC JC"
    deck = "+".join(cards.split()[: 10 + stock])
    for number in range(10):
        game = Game(f"forty-five:hand_size=3,deck={deck}", 3, seed=number)
        for _ in range(3):
            game.push(game.legal_actions[-1])
        check_worlds(game, game.seat, 2)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_samples_are_deals_that_look_the_same(number: int) -> None:
    rng = random.Random(number)
    game = stopped_game(random_rules(rng), rng)
    seat = rng.randrange(game.players)
    check_worlds(game, seat, 2, seed=number)


@pytest.mark.parametrize("name", list(presets()))
def test_samples_of_every_preset(name: str) -> None:
    for number in range(8):
        rng = random.Random(f"{name}/{number}")
        game = stopped_game(presets()[name], rng)
        for seat in {game.seat, rng.randrange(game.players)}:
            check_worlds(game, seat, 2, seed=number)


def test_samples_where_seats_have_left_and_in_later_deals() -> None:
    """A view of a later deal of a game, some seats of which are not dealt in."""
    rules = "spoil-five:unpaid=all_in,stack=4,ante=1"
    for number in range(30):
        rng = random.Random(f"later/{number}")
        game = Game(rules, 5, seed=number, dealer=0, playing=[0, 2, 3, 4])
        for _ in range(rng.randrange(3)):
            while not game.deal_is_over:
                game.push(choose(game.legal_actions, rng))
            if not game.next_deal():
                break
        for _ in range(rng.randrange(12)):
            if not game.deal_is_over:
                game.push(choose(game.legal_actions, rng))
        for seat in {game.seat, 1}:
            check_worlds(game, seat, 2)


@pytest.mark.parametrize("name", ["auction-forty-fives", "five-hundred"])
def test_samples_in_later_deals_of_bidding_games(name: str) -> None:
    for number in range(6):
        rng = random.Random(f"{name}/{number}")
        game = Game(name, seed=number)
        while not game.deal_is_over:
            game.push(choose(game.legal_actions, rng))
        assert game.next_deal()
        for _ in range(rng.randrange(40)):
            if not game.deal_is_over:
                game.push(choose(game.legal_actions, rng))
        check_worlds(game, game.seat, 2)


# --- no leak, seeds -------------------------------------------------------------------------------


@each_position
def test_true_deals_that_look_the_same_give_the_same_samples(position: Position) -> None:
    game, seat = position.game(), position.seat
    view = view_of(game, seat)
    states = forty5sim.determinize(view, 30, seed=7).states
    for number, other in enumerate(islice(histories(game, seat), 0, 60, 15)):
        other._state[layout.GAME_SEED] = number
        other._state[layout.DEAL_KEY] = number
        assert np.array_equal(forty5sim.determinize(view_of(other, seat), 30, 7).states, states)


def test_samples_depend_on_seed_and_place_alone() -> None:
    for position in POSITIONS[::7]:
        infoset = forty5sim.InformationSet(view_of(position.game(), position.seat))
        many = infoset.determinize(50, seed=3).states
        assert np.array_equal(infoset.determinize(5, seed=3).states, many[:5])
        assert np.array_equal(forty5sim.determinize(infoset.view, 50, seed=3).states, many)
        other = infoset.determinize(50, seed=4)
        assert not np.array_equal(other.hands, infoset.determinize(50, seed=3).hands)
        assert len(np.unique(other.hands, axis=0)) > 1


def test_one_sample_is_the_default() -> None:
    view = view_of(Game("forty-five", seed=1))
    assert len(forty5sim.determinize(view)) == 1
    assert np.array_equal(
        forty5sim.determinize(view).states, forty5sim.determinize(view, n=1, seed=0).states
    )


# --- chances --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(24))
def test_chances_are_those_of_samples(number: int) -> None:
    rng = random.Random(f"chances/{number}")
    rules = rng.choice([random_rules(rng), *presets().values()])
    while True:
        game = stopped_game(rules, rng)
        seat = rng.choice([game.seat, rng.randrange(game.players)])
        if game.phase not in ("over", "discard"):
            break
    draws, infoset = 4000, forty5sim.InformationSet(view_of(game, seat))
    found, worlds = infoset.marginals(), infoset.determinize(draws, seed=number)
    for s in range(game.players):
        allowed = 5 * np.sqrt(found[s] * (1 - found[s]) / draws) + 5 / draws
        assert (abs(how_often(worlds.hands[:, s]) - found[s]) <= allowed).all()
    check_what_is_known(game, seat, found)


def check_what_is_known(game: Game, seat: Seat, found: NDArray[np.float64]) -> None:
    """Expect chances to be chances, and certain where a seat knows where a card is."""
    view = view_of(game, seat)
    assert found.shape == (game.players, JOKER + 1)
    assert (found >= 0).all()
    assert (found.sum(axis=0) <= 1 + 1e-9).all()
    assert CardSet(int(card) for card in np.flatnonzero(found[seat])) == view.hand
    assert (found[seat, list(view.hand)] == 1).all()
    played = [card for trick in view.history for card in trick.cards]
    assert not found[:, [*played, *(card for _, card in view.trick)]].any()
    in_pack = np.isin(np.arange(JOKER + 1), game.rules.deck_cards())
    assert not found[:, ~in_pack].any()
    if game.rules.rob_announced == "on":  # else nobody knows how many cards a dealer holds
        held = [len(hand) for hand in game.hands]
        assert found.sum(axis=1) == pytest.approx(held)


def test_nobody_is_told_while_another_seat_throws() -> None:
    game = bidding_deal("auction-forty-fives", players=4, dealer=3)
    play(call(game, "20 pass pass pass"), "trump:S")
    assert game.phase == "discard"
    for seat in range(1, 4):
        with pytest.raises(Forty5Error):
            forty5sim.determinize(view_of(game, seat))
    assert len(forty5sim.determinize(view_of(game, 0), 5)) == 5
    throw(game, " ".join(str(game.hands[0]).split()[:3]))
    assert game.can(DONE)
    assert len(forty5sim.determinize(view_of(game), 5)) == 5
