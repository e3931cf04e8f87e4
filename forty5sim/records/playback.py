"""Plays a record back on the engine, action by action, from what stands in the record alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from forty5sim.cards import Card, CardSet, card_name
from forty5sim.errors import Forty5Error, RecordError, unknown
from forty5sim.game import MAX_CHIPS, Game, Step
from forty5sim.kernels import layout
from forty5sim.named_rules import presets
from forty5sim.notation import JINK, WORDS
from forty5sim.options import POT, Value
from forty5sim.records.form import SEATING_OPTIONS, Record, RecordedAction
from forty5sim.rules import RuleSet

_ACTIONS = {word: action for action, word in WORDS.items()}
_PHASES = {"rob": "rob", "keep": "rob", "jink": "jink", "stop": "jink", "play": "play"}


class Playback:
    """A record on the engine.

    Raises:
        RecordError: if the rules, seats, cards or scores are impossible; names the key.

    Attributes:
        record: the record.
        game: the deal; it stands before the first action until ``steps`` has carried it out.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = opened(record)
        self._early: dict[int, int] = {}  # answers about robbing given before they were due

    def steps(self) -> Iterator[Step]:
        """Yield each action just before it is carried out, then carry it out.

        A rob or keep before the seat's own turn is moved there; who plays on under
        ``jink_declare=implicit`` is made to jink.

        Raises:
            RecordError: at an action that is not allowed; names it and the reason.
        """
        for index, action in enumerate(self.record.actions):
            if self._is_early(action):
                self._early[action.seat] = index
                continue
            yield from self._due(action)
            yield from self._take(index)
            while self.game.phase == "rob" and self.game.seat in self._early:
                yield from self._take(self._early.pop(self.game.seat))
        if not self.game.deal_is_over:
            raise RecordError(
                f"actions: they end before the deal does; seat {self.game.seat} has to"
                f" {self.game.phase}"
            )

    def _is_early(self, action: RecordedAction) -> bool:
        """Say whether this answers about robbing before the engine asks."""
        if _PHASES[action.act] != "rob" or action.seat in self._early:
            return False
        asked = self.game.phase == "rob" and self.game.seat == action.seat
        return self.game.right_to_rob == action.seat and not asked

    def _due(self, action: RecordedAction) -> Iterator[Step]:
        """Yield the jink of a seat that plays on instead of claiming the pot."""
        game = self.game
        plays_on = game.phase == "jink" and action.act == "play" and action.seat == game.seat
        if plays_on and game.rules.jink_declare == "implicit":
            yield Step(game.seat, "jink", JINK)
            game.push(JINK)

    def _take(self, index: int) -> Iterator[Step]:
        """Yield and carry out an action of the record."""
        action = self.record.actions[index]
        self._check_turn(index, action)
        card = action.card
        code = _ACTIONS[action.act] if card is None else card
        try:
            self.game.verify(code)
        except Forty5Error as error:
            raise RecordError(f"actions[{index}]: {error}") from None
        yield Step(action.seat, self.game.phase, code)
        self.game.push(code)

    def _check_turn(self, index: int, action: RecordedAction) -> None:
        game, seat = self.game, action.seat
        if game.deal_is_over:
            problem = f"{action.act} by seat {seat} after the deal is over"
        elif game.phase != _PHASES[action.act]:
            problem = self._not_now(action)
        elif seat != game.seat:
            problem = f"seat {seat} acts out of turn; seat {game.seat} has to {game.phase}"
        else:
            return
        raise RecordError(f"actions[{index}]: {problem}")

    def _not_now(self, action: RecordedAction) -> str:
        game, seat = self.game, action.seat
        if _PHASES[action.act] == "rob":
            had = int(game.state[layout.HAD_RIGHT]) == seat
            why = (
                "its right to rob is gone (docs/rules.md 3.4)"
                if had
                else "it has no right to rob (docs/rules.md 3.3)"
            )
            return f"seat {seat} cannot {action.act} now: {why}"
        if game.phase == "rob" and game.seat == seat:
            return (
                f"{action.act} by seat {seat}, which has to rob or keep before its first card"
                " (docs/rules.md 3.4)"
            )
        if _PHASES[action.act] == "jink":
            return (
                f"seat {seat} cannot {action.act} now: that is decided right after the deciding"
                " trick, by who has won all tricks so far (docs/rules.md 4.6, 5.3)"
            )
        return f"{action.act} by seat {seat}, but seat {game.seat} has to {game.phase}"


def rules_of(record: Record) -> RuleSet:
    """Return the rules that a record was played by.

    Raises:
        RecordError: if there is no such game or option, or the seating is impossible.
    """
    if record.game not in presets():
        raise RecordError(f"game: {unknown('game', record.game, presets())}")
    for name in record.options:
        if name in SEATING_OPTIONS:
            raise RecordError(f"options.{name}: it is no matter of a single deal's record")
    count = _side_count(record)
    return _rules(record.game, tuple(record.options.items()), record.players, count)


@lru_cache(maxsize=64)
def _rules(game: str, options: tuple[tuple[str, Value], ...], players: int, sides: int) -> RuleSet:
    """Return the rules of a preset with options and a number of sides."""
    try:
        rules = presets()[game].with_options(**dict(options))
        if rules.side_count(players) != sides:
            seating = "individuals" if sides == players else f"{sides}x{players // sides}"
            rules = rules.with_options(sides=seating)
            rules.side_count(players)
    except Forty5Error as error:
        raise RecordError(f"options: {error}") from None
    return rules


def _side_count(record: Record) -> int:
    n = record.players
    count = max(record.sides, default=0) + 1
    if record.sides != tuple(seat % count for seat in range(n)) or count < 2 or n % count:
        raise RecordError(
            f"sides: expected seat mod k for each of {n} seats, with a k of 2 or more that divides"
            f" {n}; got {list(record.sides)}"
        )
    return count


def opened(record: Record) -> Game:
    """Return the game as it stood before the first action.

    Raises:
        RecordError: if that is impossible; names the key.
    """
    rules = rules_of(record)
    _expect_length(record, "bots", record.bots)
    _expect_length(record, "hands", record.hands)
    _check_cards(record, rules)
    _check_before(record, rules)
    playing = [seat for seat, hand in enumerate(record.hands) if hand]
    if record.dealer not in playing:
        raise RecordError(f"dealer: seat {record.dealer} does not play; playing are {playing}")
    dealt = [card for hand in record.hands for card in hand]
    turned = [] if record.turnup is None else [record.turnup]
    game = Game(
        rules,
        record.players,
        seed=record.seed or 0,
        deal=record.deal or 0,
        dealer=record.dealer,
        pack=[*dealt, *turned, *record.stock],
        scores=record.before.scores,
        pot=record.before.pot or 0,
        playing=playing,
    )
    game.is_hand_made = record.seed is None or record.deal is None
    return game


def _expect_length(record: Record, key: str, values: tuple[object, ...]) -> None:
    if len(values) != record.players:
        raise RecordError(f"{key}: expected one for each of {record.players} seats")


def _check_cards(record: Record, rules: RuleSet) -> None:
    size, pot = int(rules.hand_size), rules.family == POT
    for seat, hand in enumerate(record.hands):
        if len(hand) != size and (hand or not pot):
            raise RecordError(f"hands[{seat}]: expected {size} cards, got {len(hand)}")
    if sum(bool(hand) for hand in record.hands) < 2:
        raise RecordError("hands: expected two hands or more")
    if (record.turnup is None) == rules.turns_up:
        needs = "a card" if record.turnup is None else "null, for trumps are fixed"
        raise RecordError(f"turnup: expected {needs}")
    if record.kitty:
        raise RecordError(f"kitty: expected no cards; there is none in {record.game}")
    _check_deck(record, rules)


def _check_deck(record: Record, rules: RuleSet) -> None:
    """Check that each card of the deck is there once."""
    places: dict[Card, str] = {}
    groups = [(f"hands[{seat}]", hand) for seat, hand in enumerate(record.hands)]
    groups += [("turnup", () if record.turnup is None else (record.turnup,))]
    groups += [("stock", record.stock)]
    deck = set(rules.deck_cards())
    for place, cards in groups:
        for card in cards:
            if card in places:
                where = f"{places[card]} and {place}"
                raise RecordError(f"{place}: {card_name(card)} is there twice ({where})")
            if card not in deck:
                raise RecordError(f"{place}: {card_name(card)} is not in the deck of this game")
            places[card] = place
    if len(places) < len(deck):
        missing = CardSet(deck - set(places))
        raise RecordError(f"stock: these cards are missing: {missing}")


def _check_before(record: Record, rules: RuleSet) -> None:
    before, pot = record.before, rules.family == POT
    if pot != (before.pot is not None):
        raise RecordError(f"before: expected {'pot and stacks' if pot else 'scores'}")
    count = rules.side_count(record.players)
    if len(before.scores) != count:
        what = "stacks" if pot else "scores"
        raise RecordError(f"before.{what}: expected {count} numbers, got {len(before.scores)}")
    if pot and max(before.scores) > MAX_CHIPS:
        raise RecordError(f"before.stacks: expected at most {MAX_CHIPS} chips each")
    if not pot and max(before.scores) >= int(rules.target):
        raise RecordError(
            f"before.scores: the game is over already; a side has {max(before.scores)} of"
            f" {rules.target}"
        )
    if pot and any(s and not h for s, h in zip(before.scores, record.hands, strict=True)):
        raise RecordError("before.stacks: a seat without cards has chips")
