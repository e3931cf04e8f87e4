"""Nothing hidden is in a view, nor in what is told of an unfinished deal (docs/rules.md 6).

A deal is stopped somewhere. Two cards that the observer cannot see change places, in a hand, in the
kitty, in the stock or thrown away; the same public actions are taken again. Where that is possible,
all that the observer sees must be the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forty5sim.agent import view_of
from forty5sim.cards import JOKER, Action, Card, CardSet, Seat
from forty5sim.cli import dialogue
from forty5sim.game import Game, Step
from forty5sim.kernels import layout
from forty5sim.named_rules import presets
from forty5sim.narration import Narrator
from forty5sim.notation import DONE, KEEP, NO_SUIT
from forty5sim.screen.board import draw_board
from forty5sim.sitting import Sitting
from tests.kernels.cases import CARD_OF, CARDS, Case, random_case
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules
from tests.rulebook.bidding_table import bidding_deal, call, cards_of, contracted
from tests.rulebook.table import play

SECRET = {"rob": KEEP, "assign": NO_SUIT}
"""The answer of who is asked in secret and does nothing, by phase."""


class ImpossibleError(Exception):
    """The public actions cannot have been taken with these cards."""


@dataclass
class World:
    """A deal under way, and what was told of it to one observer."""

    game: Game
    narrator: Narrator
    told: list[str]

    def do(self, action: Action) -> None:
        self.told += self.narrator.tell(self.game, self._step(action))

    def _step(self, action: Action) -> Iterator[Step]:
        yield Step(self.game.seat, self.game.phase, action)
        self.game.push(action)


def begin(case: Case, narrator: Narrator, restock: Sequence[Card] = ()) -> World:
    """Deal; ``restock`` is the order in which cards thrown come back, should the stock run out."""
    game = case.engine()
    game._state[layout.RESTOCK : layout.RESTOCK + len(restock)] = restock
    game._state[layout.RESTOCK_GIVEN] = len(restock)
    trumps = [narrator.trumps(game)] if game.rules.turns_up else []
    return World(game, narrator, [*narrator.opening(game), *trumps])


def stopped_somewhere(case: Case, narrator: Narrator, rng: random.Random) -> World:
    """Play a deal at random and stop before its end."""
    whole = case.engine()
    while not whole.deal_is_over:
        whole.push(choose(whole.legal_actions, rng))
    world = begin(case, narrator)
    for step in whole.log[: rng.randrange(len(whole.log))]:
        world.do(step.action)
    return world


def hidden_cards(game: Game, observer: Seat | None) -> list[Card]:
    """Return the cards that an observer has never seen."""
    seen = {card for trick in game.history for card in trick.cards}
    seen |= {card for _, card in game.trick}
    if game.turnup is not None:
        seen |= {game.pack[int(game.rules.hand_size) * game.players], game.turnup}
    seen |= set(game.exposed)
    if observer is not None:
        seen |= set(game.hands[observer])
        seen |= set(CardSet(int(game.state[layout.THROWN + observer])))
    return [card for card in game.pack if card not in seen]


def with_exchanged(case: Case, a: Card, b: Card) -> Case:
    exchange = {a: b, b: a}
    pack = [CARDS[exchange.get(CARD_OF[name], CARD_OF[name])] for name in case.pack]
    return replace(case, pack=pack)


def is_public(game: Game, step: Step, observer: Seat | None) -> bool:
    """Say whether the observer knows that this action was taken (if not always with which card)."""
    if step.phase not in SECRET or step.seat == observer or not game.asks_in_secret:
        return True
    if step.action == SECRET[step.phase]:
        return False
    return step.phase == "assign" or game.rules.rob_announced == "on"


def public_steps(case: Case, log: list[Step], observer: Seat | None) -> list[Step]:
    game = case.engine()
    public = []
    for step in log:
        if is_public(game, step, observer):
            public.append(step)
        game.push(step.action)
    return public


def play_again(world: World, public: list[Step], exchange: dict[Card, Card]) -> None:
    """Take the public actions with other hidden cards; who is asked in secret does nothing."""
    game = world.game
    for step in with_other_cards(public, exchange):
        while game.phase in SECRET and (step.phase, step.seat) != (game.phase, game.seat):
            decline(world)
        if game.seat != step.seat or game.phase != step.phase or not game.can(step.action):
            raise ImpossibleError
        world.do(step.action)


def with_other_cards(public: list[Step], exchange: dict[Card, Card]) -> Iterator[Step]:
    """Yield the steps, but for cards thrown others; a seat throws its cards in ascending order."""
    thrown: list[Card] = []
    for step in public:
        if step.phase == "rob":
            yield replace(step, action=exchange.get(step.action, step.action))
        elif step.phase == "discard" and step.action != DONE:
            thrown.append(exchange.get(step.action, step.action))
        else:
            yield from (Step(step.seat, "discard", card) for card in sorted(thrown))
            thrown = []
            yield step
    if thrown:  # stopped in the middle of its throw
        yield from (Step(public[-1].seat, "discard", card) for card in sorted(thrown))


def decline(world: World) -> None:
    answer = SECRET[world.game.phase]
    if not world.game.asks_in_secret or not world.game.can(answer):
        raise ImpossibleError
    world.do(answer)


def place_of(game: Game, card: Card) -> str:
    """Return where a hidden card lies."""
    if any(card in thrown for thrown in game.thrown):
        return "thrown"
    if any(card in hand for hand in game.hands):
        return "hand"
    return "kitty" if card in game.kitty else "stock"


def dialogue_with(game: Game, observer: Seat) -> list[str]:
    """Return what a person on this seat is shown and asked, where it is to act."""
    if game.seat != observer or game.deal_is_over:
        return []
    seats = ["you" if seat == observer else "random" for seat in range(game.players)]
    session = SimpleNamespace(game=game, terms=SimpleNamespace(seats=seats))
    shown: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialogue, "say", lambda *lines: shown.extend(lines))
        table = dialogue.Dialogue(Sitting(session, SimpleNamespace()))  # type: ignore[arg-type]
        table.show()
        table.history()
    return [*shown, table.sitting.question()]


def seen_by(world: World, observer: Seat | None) -> list[object]:
    """Return all that an observer sees: the story, and the view of its seat."""
    game = world.game
    seen: list[object] = [*world.told, world.narrator.standing(game)]
    if observer is None:
        return seen
    view = view_of(game, observer)
    hidden_right = game.asks_in_secret and game.seat == observer
    seen += [str(view), view._words, view.thrown, view.legal_mask, hidden_right]
    asked = view.key if game.seat == observer else None
    seen.append(draw_board(view, Narrator(you=observer), 80, 24).plain)
    return [*seen, asked, *dialogue_with(game, observer)]


def compare(
    rng: random.Random, narrators: type[Narrator] = Narrator, **options: bool
) -> tuple[str, str, str] | None:
    """Compare one deal with one exchange.

    Returns:
        The family of the game and where the two cards lay; None if the exchange was not possible.
    """
    rules = random_rules(rng) if rng.random() < 0.5 else rng.choice(list(presets().values()))
    case = random_case(rules, rng.choice(rules.players), rng)
    observer = rng.choice([None, *range(case.players)])
    narrator = narrators(you=observer, **options)
    world = stopped_somewhere(case, narrator, rng)
    game = world.game
    if game.asks_in_secret and game.seat != observer and not game.can(SECRET[game.phase]):
        return None
    hidden = hidden_cards(game, observer)
    if len(hidden) < 2:
        return None
    place = rng.choice(sorted({place_of(game, card) for card in hidden}))
    a = rng.choice([card for card in hidden if place_of(game, card) == place])
    b = rng.choice([card for card in hidden if card != a])
    exchange = {a: b, b: a}
    restock = [exchange.get(card, card) for card in game.restock]
    other = begin(with_exchanged(case, a, b), narrator, restock)
    try:
        play_again(other, public_steps(case, game.log, observer), exchange)
        while other.game.phase in SECRET and game.phase not in SECRET:
            decline(other)
    except ImpossibleError:
        return None
    if (
        game.asks_in_secret
        and observer in (game.seat, other.game.seat)
        and (game.seat != other.game.seat)
    ):
        return None
    assert seen_by(world, observer) == seen_by(other, observer), (str(case), observer, a, b)
    return rules.family, place_of(game, a), place_of(game, b)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_no_hidden_card_is_seen_by_anybody(seed):
    compare(random.Random(seed))


def test_most_exchanges_are_possible_and_cards_lie_everywhere():
    tried = [compare(random.Random(f"possible/{seed}")) for seed in range(500)]
    possible = [found for found in tried if found]
    assert len(possible) > 250
    families = Counter(family for family, *_ in possible)
    assert min(families[f] for f in ("counting", "pot", "auction", "five-hundred")) > 20, families
    places = Counter((family, place) for family, *two in possible for place in two)
    for place in ("hand", "kitty", "thrown", "stock"):
        assert places["auction", place] > 5, places
    for place in ("hand", "kitty", "thrown"):
        assert places["five-hundred", place] > 2, places


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


# --- Five Hundred: the Joker, a partner who sits out, a hand laid open ----------------------------

HELD = {
    0: "AS AH KH QH JH 9H 8H 7H AD",
    1: "5S 6S 7S 8S 9S 10S JS QS KS",
    2: "5C 6C 7C 8C 9C 10C JC QC KC AC",
    3: "4D 5D 6D 7D 8D 9D 10D JD QD KD",
}


def contract_of_seat_1(
    bid: str, joker_in: int, kitty: str = "4H 5H 6H", options: str = "", dealer: int = 0
) -> Game:
    """A contract of seat 1, who threw the kitty; the Joker is in its hand or in that of seat 0."""
    hands = dict(HELD)
    hands[1 - joker_in] += " 10H"
    hands[joker_in] += " JK"
    if kitty != "4H 5H 6H":
        hands[3] = hands[3].replace("4D", "4H")
    return contracted(f"five-hundred{options}", hands, kitty, bid, seat=1, dealer=dealer)


BIDS_WITHOUT_TRUMPS = pytest.mark.parametrize("bid", ["7NT", "misere", "open-misere"])


def expect_the_same(games: Sequence[Game]) -> None:
    """Expect the seats that do not hold the Joker in either of two deals to see the same."""
    for seat in (0, 2, 3):
        one, two = (view_of(game, seat) for game in games)
        assert one._words == two._words
        assert seat == 0 or str(one) == str(two)


@pytest.mark.parametrize("dealer", [0, 2])
@BIDS_WITHOUT_TRUMPS
def test_a_contractor_who_is_asked_about_the_joker_is_not_betrayed(bid, dealer):
    games = [contract_of_seat_1(bid, holder, dealer=dealer) for holder in (1, 0)]
    assert [game.phase for game in games] == ["assign", "play"]
    expect_the_same(games)


@pytest.mark.parametrize("dealer", [0, 2])
@BIDS_WITHOUT_TRUMPS
def test_a_contractor_who_leaves_the_joker_without_a_suit_is_not_betrayed(bid, dealer):
    games = [contract_of_seat_1(bid, holder, dealer=dealer) for holder in (1, 0)]
    worlds = [World(game, Narrator(you=2), []) for game in games]
    worlds[0].do(NO_SUIT)
    assert worlds[0].told == []
    expect_the_same(games)
    for card in cards_of("5S 5C 4D AS AD" if bid == "7NT" else "5S 5C AS 9H"):
        for world in worlds:
            world.do(card)
        assert worlds[0].told == worlds[1].told or games[0].exposed
        if games[0].exposed:
            break
        expect_the_same(games)


def test_a_contractor_who_may_not_give_the_joker_a_suit_is_not_asked():
    game = contract_of_seat_1("7NT", 1, options=":joker_nt_suit=misere_only")
    assert game.phase == "play"


def test_a_suit_given_to_the_joker_is_seen_by_all():
    game = contract_of_seat_1("7NT", 1)
    world = World(game, Narrator(), [])
    world.do(0)
    assert world.told == ["  seat 1 makes the Joker the highest spade"]
    assert [view_of(game, seat).joker_suit for seat in range(4)] == [0] * 4


@pytest.mark.parametrize("bid", ["misere", "open-misere"])
def test_a_partner_who_lays_the_cards_down_shows_none(bid):
    worlds = [
        World(contract_of_seat_1(bid, 0, kitty), Narrator(you=2), [])
        for kitty in ("4H 5H 6H", "4D 5H 6H")
    ]
    assert worlds[0].game.hands[3] != worlds[1].game.hands[3]
    while not worlds[0].game.deal_is_over:
        for seat in (0, 2):
            assert seen_by(worlds[0], seat) == seen_by(worlds[1], seat)
        for seat in (1, 3):
            views = [view_of(world.game, seat) for world in worlds]
            assert views[0]._words == views[1]._words
        card = worlds[0].game.legal_actions[0]
        for world in worlds:
            world.do(card)
    assert worlds[0].told == worlds[1].told
    assert "seat 3 lays the cards down and sits out" in worlds[0].told
    assert not set(HELD[3].split()) & set(" ".join(worlds[0].told).split())


def test_the_hand_of_an_open_misere_is_seen_after_its_first_trick():
    world = World(contract_of_seat_1("open-misere", 0), Narrator(), [])
    game = world.game
    for card in cards_of("5S 5C AS"):
        assert [set(view_of(game, seat).exposed) for seat in range(4)] == [set()] * 4
        assert all("lies open" not in line for line in world.told)
        world.do(card)
    shown = "6S 7S 8S 9S 10S JS QS KS 10H"
    assert [view_of(game, seat).exposed for seat in range(4)] == [CardSet.parse(shown)] * 4
    (line,) = [line for line in world.told if "lies open" in line]
    assert line == "  seat 1's hand lies open: K♠ Q♠ J♠ 10♠ 9♠ 8♠ 7♠ 6♠ 10♥"
    for card in cards_of("9H 10H"):
        world.do(card)
    assert view_of(game, 2).exposed == game.hands[1] == CardSet.parse(shown.replace(" 10H", ""))


@pytest.mark.parametrize("bid", ["7NT", "misere"])
def test_no_other_hand_is_ever_laid_open(bid):
    game = contract_of_seat_1(bid, 0)
    while not game.deal_is_over:
        game.push(game.legal_actions[0])
        assert not game.exposed


def test_what_is_thrown_is_counted_but_not_shown():
    game = bidding_deal("auction-forty-fives", {1: "5S JS AS KS QS"}, "2H 3H 4H")
    play(call(game, "20 pass pass pass"), "trump:S")
    told = World(game, Narrator(you=2), [])
    for card in cards_of("2H 3H 4H"):
        told.do(card)
    told.do(DONE)
    assert told.told == ["  seat 1 throws 3 cards"]
    assert view_of(game, 2).discarded[1] == 3
    assert view_of(game, 1).thrown == CardSet.parse("2H 3H 4H")
    assert len(view_of(game, 2).thrown) == 0
