"""Nothing hidden is in a view, nor in what is told of an unfinished deal (docs/rules.md 6).

A deal is stopped somewhere. Two cards that the observer cannot see change places, in a hand, under
the stock or thrown away; the same public actions are taken again. Where that is possible, all that
the observer sees must be the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forty5sim.agent import view_of
from forty5sim.cards import JOKER, Card, CardSet, Seat
from forty5sim.game import Game, Step
from forty5sim.kernels import layout
from forty5sim.named_rules import presets
from forty5sim.narration import Narrator
from forty5sim.notation import KEEP
from tests.kernels.cases import CARD_OF, Case, random_case
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules


class ImpossibleError(Exception):
    """The public actions cannot have been taken with these cards."""


@dataclass
class World:
    """A deal under way, and what was told of it to one observer."""

    game: Game
    narrator: Narrator
    told: list[str]

    def do(self, action: int) -> None:
        step = Step(self.game.seat, self.game.phase, action)
        self.told += self.narrator.action(self.game, step)
        tricks = len(self.game.history)
        self.game.push(action)
        if len(self.game.history) > tricks:
            self.told += self.narrator.trick_won(self.game)


def begin(case: Case, narrator: Narrator) -> World:
    game = case.engine()
    return World(game, narrator, [*narrator.opening(game), narrator.trumps(game)])


def stopped_somewhere(case: Case, narrator: Narrator, rng: random.Random) -> World:
    """Play a deal at random and stop before its end."""
    world = begin(case, narrator)
    for _ in range(rng.randrange(case.players * int(case.rules.hand_size))):
        before = world.game.copy()
        action = choose(world.game.legal_actions, rng)
        before.push(action)
        if before.deal_is_over:
            break
        world.do(action)
    return world


def hidden_cards(game: Game, observer: Seat | None) -> list[Card]:
    """Return the cards that an observer has never seen."""
    seen = {card for trick in game.history for card in trick.cards}
    seen |= {card for _, card in game.trick}
    seen |= {game.pack[int(game.rules.hand_size) * game.players]} if game.turnup else set()
    seen |= {game.turnup} if game.turnup is not None else set()
    if observer is not None:
        seen |= set(game.hands[observer])
        seen |= set(CardSet(int(game.state[layout.THROWN + observer])))
    return [card for card in game.pack if card not in seen]


def with_exchanged(case: Case, a: Card, b: Card) -> Case:
    exchange = {a: b, b: a}
    names = {card: name for name, card in CARD_OF.items()}
    pack = [names[exchange.get(CARD_OF[name], CARD_OF[name])] for name in case.pack]
    return Case(case.rules, case.players, case.dealer, case.scores, case.pot, pack)


def is_public(game: Game, step: Step, observer: Seat | None) -> bool:
    """Say whether the observer knows that this action was taken."""
    if step.phase != "rob" or step.seat == observer:
        return True
    if not game.asks_in_secret:
        return True
    return step.action != KEEP and game.rules.rob_announced == "on"


def public_steps(case: Case, log: list[Step], observer: Seat | None) -> list[Step]:
    game = case.engine()
    public = []
    for step in log:
        if is_public(game, step, observer):
            public.append(step)
        game.push(step.action)
    return public


def play_again(
    case: Case, narrator: Narrator, public: list[Step], exchange: dict[Card, Card]
) -> World:
    """Take the public actions with other hidden cards; who is asked in secret keeps."""
    world = begin(case, narrator)
    game = world.game
    for step in public:
        while game.phase == "rob" and (step.phase != "rob" or game.seat != step.seat):
            decline(world)
        action = exchange.get(step.action, step.action) if step.phase == "rob" else step.action
        if game.seat != step.seat or game.phase != step.phase or not game.can(action):
            raise ImpossibleError
        world.do(action)
    return world


def decline(world: World) -> None:
    if not world.game.asks_in_secret or not world.game.can(KEEP):
        raise ImpossibleError
    world.do(KEEP)


def seen_by(world: World, observer: Seat | None) -> list[object]:
    """Return all that an observer sees: the story, and the view of its seat."""
    game = world.game
    seen: list[object] = [*world.told, world.narrator.standing(game)]
    if observer is None:
        return seen
    view = view_of(game, observer)
    hidden_right = game.asks_in_secret and game.seat == observer
    return [*seen, str(view), view._words, view.thrown, view.legal_mask, hidden_right]


def compare(rng: random.Random, narrators: type[Narrator] = Narrator, **options: bool) -> bool:
    """Compare one deal with one exchange; say whether the exchange was possible."""
    rules = random_rules(rng) if rng.random() < 0.5 else rng.choice(list(presets().values()))
    case = random_case(rules, rng.choice(rules.players), rng)
    observer = rng.choice([None, *range(case.players)])
    narrator = narrators(you=observer, **options)
    world = stopped_somewhere(case, narrator, rng)
    game = world.game
    if game.asks_in_secret and game.seat != observer and not game.can(KEEP):
        return False
    hidden = hidden_cards(game, observer)
    if len(hidden) < 2:
        return False
    a, b = rng.sample(hidden, 2)
    public = public_steps(case, game.log, observer)
    try:
        other = play_again(with_exchanged(case, a, b), narrator, public, {a: b, b: a})
    except ImpossibleError:
        return False
    if game.asks_in_secret and game.seat == observer and other.game.seat != observer:
        return False
    assert seen_by(world, observer) == seen_by(other, observer), (case, a, b)
    return True


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_no_hidden_card_is_seen_by_anybody(seed):
    compare(random.Random(seed))


def test_most_exchanges_are_possible():
    possible = sum(compare(random.Random(f"possible/{seed}")) for seed in range(300))
    assert possible > 150


def test_an_onlooker_behind_the_chairs_would_be_found_out():
    def look() -> None:
        for seed in range(100):
            compare(random.Random(f"leak/{seed}"), sees_all=True)

    with pytest.raises(AssertionError):
        look()


def test_a_decision_in_secret_is_not_shown():
    """The ace's holder is asked about robbing while the others see the next card being due."""
    for name in ("forty-five", "spoil-five"):
        for seed in range(40):
            game = Game(name, 3, seed=seed)
            while not game.deal_is_over and not game.asks_in_secret:
                game.push(game.legal_actions[0])
            if game.deal_is_over:
                continue
            for seat in range(3):
                view = view_of(game, seat)
                assert (view.phase == "rob") == (seat == game.seat)
                if seat != game.seat:
                    assert view.seat == game.seat_to_play
                    assert view.legal == []


def test_a_joker_turned_up_is_taken_openly():
    for seed in range(400):
        game = Game("forty-five-joker", 4, seed=seed)
        if game.turnup == JOKER:
            assert not game.asks_in_secret
            assert view_of(game, (game.dealer + 1) % 4).phase == "rob"
            return
    pytest.fail("no Joker was turned up")
