"""What must hold in every deal of every game, whatever is chosen (hypothesis)."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forty5sim.errors import IllegalActionError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.notation import action_name, parse_action
from forty5sim.options import FAMILIES, TURN_UP
from forty5sim.rules import RuleSet
from tests.kernels.random_rules import random_rules
from tests.rulebook.table import deal

EXAMPLES = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Start:
    """A game to play: everything that fixes it but the choices."""

    rules: RuleSet
    players: int
    seed: int

    def game(self) -> Game:
        return Game(self.rules, self.players, seed=self.seed)


@st.composite
def starts(draw: st.DrawFn, families: tuple[str, ...] = FAMILIES) -> Start:
    rng = random.Random(draw(st.integers(0, 10**6)))
    rules = random_rules(rng, whole_games=True, families=families)
    players = draw(st.sampled_from(rules.players))
    return Start(rules, players, draw(st.integers(0, 2**40)))


CHOICES = st.lists(st.integers(0, 10**6), min_size=5, max_size=120)


def play_on(game: Game, choice: int) -> bool:
    """Take one of the legal actions, or deal again; say whether the game goes on."""
    if game.deal_is_over:
        return game.next_deal()
    legal = game.legal_actions
    game.push(legal[choice % len(legal)])
    return True


def played(game: Game) -> list[int]:
    """The cards played in this deal, in order."""
    words, plays = game.state, game.state[layout.PLAYS]
    return [int(card) for card in words[layout.HISTORY : layout.HISTORY + plays]]


def cards_in_sight(game: Game) -> list[int]:
    """Every card of the deal with its place: hands, played, thrown, turn-up, stock."""
    state = game.state
    found = [card for hand in game.hands for card in hand] + played(game)
    for seat in range(game.players):
        thrown = int(state[layout.THROWN + seat])
        found += [card for card in range(53) if thrown >> card & 1]
    waiting = int(state[layout.WAITING_ACE]) >= 0
    if game.turnup is not None and (game.turnup not in found or waiting):
        found.append(game.turnup)
    stock = int(state[layout.STOCK])
    deck = state[layout.DECK : layout.DECK + len(game.rules.deck_cards())].tolist()
    return found + deck[stock:]


@EXAMPLES
@given(starts(TURN_UP), CHOICES)
def test_no_card_is_lost_or_found(start: Start, choices: list[int]) -> None:
    game = start.game()
    for choice in choices:
        if game.trump is not None:
            assert sorted(cards_in_sight(game)) == list(start.rules.deck_cards())
        sizes = {len(hand) for hand in game.hands if len(hand)}
        assert max(sizes, default=0) - min(sizes, default=0) <= 2
        if not play_on(game, choice):
            break


@pytest.mark.jit_off
@pytest.mark.parametrize("turnup", ["JK 7S", "JK AC", "JK AH"])
def test_no_card_is_lost_where_the_joker_is_turned_up(turnup: str) -> None:
    for seed in range(10):
        rng, game = random.Random(seed), deal("forty-five-joker", {2: "AS"}, turnup, players=4)
        while not game.deal_is_over:
            game.push(rng.choice(game.legal_actions))
            assert sorted(cards_in_sight(game)) == list(range(53))


@EXAMPLES
@given(starts(), CHOICES)
def test_tricks_points_and_chips_add_up(start: Start, choices: list[int]) -> None:
    game = start.game()
    chips = start.players * int(start.rules.stack)
    for choice in choices:
        active = int(game.state[layout.ACTIVE])
        assert sum(game.tricks) == len(game.history) == len(played(game)) // active
        if start.rules.family == "pot":
            assert sum(game.scores) + game.pot == chips
            assert min(game.scores) >= 0
            assert game.pot >= 0
        elif game.deal_is_over and start.rules.trick_scoring == "points":
            tricks, factor = sum(game.tricks), 2 if game.outcome == "jink-made" else 1
            assert sum(game.points) in (5 * tricks * factor, (5 * tricks + 5) * factor)
        if not play_on(game, choice):
            assert game.is_over
            assert game.winners
            assert start.rules.family != "pot" or game.pot == 0
            break


@EXAMPLES
@given(starts(), CHOICES)
def test_a_legal_action_never_raises_and_one_is_always_there(
    start: Start, choices: list[int]
) -> None:
    game = start.game()
    for choice in choices:
        legal = game.legal_actions
        assert bool(legal) != game.deal_is_over
        for action in legal:
            assert game.can(action)
            assert parse_action(action_name(action, game.phase)) == action
            game.copy().push(action)
        if not play_on(game, choice):
            break


@EXAMPLES
@given(starts(), CHOICES, st.integers(-3, 70))
def test_an_illegal_action_raises_and_changes_nothing(
    start: Start, choices: list[int], first: int
) -> None:
    game = start.game()
    for number, choice in enumerate(choices):
        action = (first + number) % 74 - 3
        if not game.can(action):
            before = game.state
            with pytest.raises(IllegalActionError, match="illegal"):
                game.push(action)
            assert (game.state == before).all()
        if not play_on(game, choice):
            break


@EXAMPLES
@given(starts(), CHOICES, CHOICES)
def test_a_copy_goes_its_own_way(start: Start, choices: list[int], others: list[int]) -> None:
    game = start.game()
    for choice in choices[:20]:
        if not play_on(game, choice):
            break
    twin, before = game.copy(), game.state
    for choice in others:
        if not play_on(twin, choice):
            break
    assert (game.state == before).all()
    again = game.copy()
    for choice in others:
        if not play_on(again, choice):
            break
    assert (again.state == twin.state).all()
    assert (again.is_over, again.winners) == (twin.is_over, twin.winners)


@EXAMPLES
@given(starts(), CHOICES)
def test_the_open_table_hides_nothing_it_shows(start: Start, choices: list[int]) -> None:
    """What the table says of the trick on it agrees with the cards played."""
    game = start.game()
    for choice in choices:
        cards = [card for trick in game.history for card in trick.cards]
        cards += [card for _, card in game.trick]
        assert cards == played(game)
        assert str(game)
        assert (game.winning is None) == (not game.trick)
        if game.winning is not None:
            assert game.winning in game.trick
        if not play_on(game, choice):
            break


@EXAMPLES
@given(starts())
def test_the_same_seed_deals_the_same_cards(start: Start) -> None:
    one, other = start.game(), start.game()
    assert np.array_equal(one.state, other.state)
    assert one.dealer == other.dealer < start.players
