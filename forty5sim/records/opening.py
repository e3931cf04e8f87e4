"""From a record to the game as it stood before its first action; what is impossible is named."""

from __future__ import annotations

from functools import lru_cache

from forty5sim.cards import Card, CardSet, card_name
from forty5sim.errors import Forty5Error, RecordError, unknown
from forty5sim.game import MAX_CHIPS, Game
from forty5sim.named_rules import presets
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT, Value
from forty5sim.records.form import Record, Standing, is_seating_option
from forty5sim.records.making import counts_deals, counts_sets
from forty5sim.rules import RuleSet


def rules_of(record: Record) -> RuleSet:
    """Return the rules that a record was played by.

    Raises:
        RecordError: if there is no such game or option, or the seating is impossible.
    """
    if record.game not in presets():
        raise RecordError(f"game: {unknown('game', record.game, presets())}")
    for name in record.options:
        if is_seating_option(name, presets()[record.game].family):
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
        pack=[*dealt, *turned, *record.kitty, *record.stock],
        scores=record.before.scores,
        pot=record.before.pot or 0,
        playing=playing,
        sets=record.before.sets,
        deals=record.before.deals or 0,
        restock=record.restock,
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
        needs = "a card" if record.turnup is None else "null, for none is turned up"
        raise RecordError(f"turnup: expected {needs}")
    if len(record.kitty) != rules.kitty_size:
        wanted = f"{rules.kitty_size} cards" if rules.kitty_size else "no cards"
        raise RecordError(f"kitty: expected {wanted}, got {len(record.kitty)}")
    _check_deck(record, rules)
    _check_restock(record, rules)


def _check_restock(record: Record, rules: RuleSet) -> None:
    """Check that the new stock is made of different cards of the deck."""
    deck = set(rules.deck_cards())
    for card in record.restock:
        if card not in deck or record.restock.count(card) > 1:
            problem = "is not in the deck of this game" if card not in deck else "is there twice"
            raise RecordError(f"restock: {card_name(card)} {problem}")


def _check_deck(record: Record, rules: RuleSet) -> None:
    """Check that each card of the deck is there once."""
    places: dict[Card, str] = {}
    groups = [(f"hands[{seat}]", hand) for seat, hand in enumerate(record.hands)]
    groups += [("turnup", () if record.turnup is None else (record.turnup,))]
    groups += [("kitty", record.kitty), ("stock", record.stock)]
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
    if not pot:
        _check_history(before, rules, count)
        check_not_over(before, rules)
    if pot and any(s and not h for s, h in zip(before.scores, record.hands, strict=True)):
        raise RecordError("before.stacks: a seat without cards has chips")


def _check_history(before: Standing, rules: RuleSet, sides: int) -> None:
    """Check that bids set and deals are told exactly where they count."""
    for key, counts, where in (
        ("sets", counts_sets(rules), "sets_lose"),
        ("deals", counts_deals(rules), "game_deals"),
    ):
        if (getattr(before, key) is not None) != counts:
            problem = "is missing" if counts else "does not belong here"
            raise RecordError(f"before.{key}: it {problem}; it stands where {where} is set")
    if before.sets is not None and len(before.sets) != sides:
        raise RecordError(f"before.sets: expected {sides} numbers, got {len(before.sets)}")


def check_not_over(before: Standing, rules: RuleSet) -> None:
    """Raise a RecordError if the game was over before the deal."""
    best, count = max(before.scores), before.scores.count(max(before.scores))
    levels_play_on = rules.tie == "highest_total" and rules.tie_equal == "play_on" and count > 1
    if _ends_at_target(rules) and best >= int(rules.target) and not levels_play_on:
        raise RecordError(
            f"before.scores: the game is over already; a side has {best} of {rules.target}"
        )
    if not rules.has_auction:
        return
    if rules.lose_at != "off" and min(before.scores) <= int(rules.lose_at):
        raise RecordError(
            f"before.scores: the game is over already; a side has {min(before.scores)} and loses"
            f" at {rules.lose_at}"
        )
    if before.sets is not None and max(before.sets) >= int(rules.sets_lose):
        raise RecordError(
            f"before.sets: the game is over already; a side loses with {rules.sets_lose} bids set"
        )
    level = rules.tie_equal == "play_on" and count > 1
    if before.deals is not None and before.deals >= int(rules.game_deals) and not level:
        raise RecordError(
            f"before.deals: the game is over already; it has {rules.game_deals} deals"
        )


def _ends_at_target(rules: RuleSet) -> bool:
    """Say whether a side that stands at the target has always won by that."""
    if rules.family == FIVE_HUNDRED:
        return rules.win_needs_contract == "off"
    if rules.family == AUCTION:
        return rules.must_bid_out == "off" and rules.game_deals == "off"
    return True
