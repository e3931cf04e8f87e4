"""Rule sets as data: every option of every game, checked and read as one frozen object.

``RuleSet(family="pot", ante=2)`` builds one by hand; ``named_rules.find_rules`` finds the named
ones. The meaning of each option is written in docs/rules.md, whose sections are given here.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from forty5sim.cards import (
    FIVE_HUNDRED_PACK,
    JOKER,
    NO_TRUMP,
    Card,
    Suit,
    card_name,
    parse_card,
    parse_suit,
)
from forty5sim.errors import RuleSetError, unknown
from forty5sim.options import (
    AUCTION,
    BIDDING,
    COUNTING,
    FAMILIES,
    FIVE_HUNDRED,
    POT,
    TURN_UP,
    Option,
    Value,
)
from forty5sim.rules.bidding import AuctionOptions, BidScoreOptions, DrawOptions
from forty5sim.rules.combinations import impossible
from forty5sim.rules.counting import CountingOptions
from forty5sim.rules.five_fingers import BonusOptions, CardOptions, PlayOptions
from forty5sim.rules.five_hundred import FiveHundredOptions
from forty5sim.rules.pot import PotOptions
from forty5sim.rules.robbing import RobbingOptions
from forty5sim.rules.table import MAX_PLAYERS, SEATINGS, PackOptions, SeatingOptions

RULES_VERSION = 1
"""Raised whenever the behaviour of a rule changes, not for speed or refactoring."""

FIVE_HUNDRED_KITTY = 3
PLAYERS = {
    COUNTING: tuple(range(2, MAX_PLAYERS + 1)),
    POT: tuple(range(2, MAX_PLAYERS + 1)),
    AUCTION: tuple(range(2, 7)),
    FIVE_HUNDRED: (4,),
}
"""How many may play each family of games."""


@dataclass(frozen=True, kw_only=True)
class RuleSet(
    PackOptions,
    SeatingOptions,
    FiveHundredOptions,
    BidScoreOptions,
    DrawOptions,
    AuctionOptions,
    PotOptions,
    CountingOptions,
    BonusOptions,
    RobbingOptions,
    PlayOptions,
    CardOptions,
):
    """The rules of one game: a frozen, validated set of options.

    An option left out has its family's default. Two rule sets are equal if all their options are.

    Raises:
        RuleSetError: for an unknown value, an option of another family, or an impossible
            combination, with the reason.

    >>> RuleSet(family="pot", ante=2).ante
    2
    """

    name: str = "custom"
    family: str = COUNTING
    players: tuple[int, ...] = ()
    default_players: int = 0

    origin: tuple[tuple[str, Value], ...] = dataclasses.field(default=(), compare=False, repr=False)
    """The options of the preset that these rules stem from."""

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise RuleSetError(unknown("family", self.family, FAMILIES, plural="families"))
        for name, declared in OPTIONS.items():
            self._settle(name, declared)
        object.__setattr__(self, "deck", _deck_text(self.deck))
        object.__setattr__(self, "players", _player_counts(self))
        object.__setattr__(self, "default_players", _default_players(self))
        for holds, reason in impossible(self, joker_in_deck=JOKER in self.deck_cards()):
            if holds:
                raise RuleSetError(f"impossible combination in {self.name}: {reason}")

    def _settle(self, name: str, declared: Option) -> None:
        """Give an option its checked value, or its family's default."""
        default = declared.default_in(self.family)
        value = getattr(self, name)
        value = default if value == "" else declared.check(name, value, self.family)
        if self.family not in declared.families and value != default:
            raise RuleSetError(unknown_option(name, self.family, ""))
        object.__setattr__(self, name, value)

    @property
    def id(self) -> str:
        """The spec that names these rules: the preset, then what differs from it."""
        changes = ",".join(f"{name}={value}" for name, value in self.changes().items())
        return f"{self.name}:{changes}" if changes else self.name

    def changes(self) -> dict[str, Value]:
        """Return the options that differ from the preset it stems from, else from the family."""
        base = dict(self.origin)
        return {
            name: value
            for name, value in self.options().items()
            if value != base.get(name, option_default(name, self.family))
        }

    def options(self) -> dict[str, Value]:
        """Return every option of this family with its value, in the order of the rule book."""
        return {name: getattr(self, name) for name in options_of(self.family)}

    def with_options(self, **changes: object) -> RuleSet:
        """Return these rules with some options changed.

        Raises:
            RuleSetError: for an unknown option or value.
        """
        for name in changes:
            if name not in options_of(self.family):
                raise RuleSetError(unknown_option(name, self.family, f" of {self.name}"))
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def deck_cards(self) -> tuple[Card, ...]:
        """Return the cards of the deck, in ascending order."""
        if self.family == FIVE_HUNDRED:
            return FIVE_HUNDRED_PACK
        if self.deck == "standard":
            return tuple(range(JOKER if self.joker == "none" else JOKER + 1))
        return tuple(parse_card(name) for name in self.deck.split("+"))

    @property
    def turns_up(self) -> bool:
        """Whether a card is turned up to make trumps."""
        return self.family in TURN_UP and self.trump == "turned"

    @property
    def has_auction(self) -> bool:
        """Whether trumps are bid for."""
        return self.family in BIDDING

    @property
    def possible_trumps(self) -> list[Suit]:
        """What may be trumps: the suits, in Five Hundred no suit (``NO_TRUMP``) too."""
        return [*range(NO_TRUMP), *([NO_TRUMP] if self.family == FIVE_HUNDRED else [])]

    @property
    def kitty_size(self) -> int:
        """The number of cards dealt aside for the bidder."""
        if self.family == FIVE_HUNDRED:
            return FIVE_HUNDRED_KITTY
        return int(self.kitty) if self.family == AUCTION else 0

    def fixed_trump(self) -> Suit | None:
        """Return the suit that is always trumps, or None where there is none."""
        return None if self.trump == "turned" else parse_suit(self.trump)

    def side_count(self, players: int) -> int:
        """Return the number of sides; seat s plays on side ``s % side_count``.

        Raises:
            RuleSetError: if the game is not for so many players, or not in these sides.
        """
        if players not in self.players:
            known = ", ".join(map(str, self.players))
            raise RuleSetError(f"{self.name} is not for {players} players; it is for {known}")
        if isinstance(self.first_dealer, int) and self.first_dealer >= players:
            raise RuleSetError(
                f"first_dealer={self.first_dealer} is no seat of {players} players;"
                f" seats are 0..{players - 1}"
            )
        if self.sides == "individuals" or (self.sides == "default" and not _pairs(self, players)):
            return players
        if self.sides == "default":
            return 2
        count, each = map(int, self.sides.split("x"))
        if count * each != players:
            raise RuleSetError(
                f"sides={self.sides} seats {count * each} players, not {players};"
                f" {players} players can sit as {', '.join(_seatings(players))}"
            )
        return count


def _pairs(rules: RuleSet, players: int) -> bool:
    """Say whether so many players sit as two sides by default (docs/rules.md 3.1)."""
    return rules.family != POT and players in (4, 6)


def _seatings(players: int) -> list[str]:
    pairs = [s for s in SEATINGS[1:] if int(s[0]) * int(s[2]) == players]
    return ["individuals", *pairs]


def _deck_text(deck: str) -> str:
    """Return a deck as ``standard`` or card names in ascending order joined by ``+``."""
    if deck in ("standard", ""):
        return "standard"
    if not isinstance(deck, str):
        raise RuleSetError(f"deck must be a text, as '5S+JS+KH', got {deck!r}")
    cards = [parse_card(word) for word in deck.replace("+", " ").split()]
    twice = sorted({card_name(card) for card in cards if cards.count(card) > 1})
    if twice:
        raise RuleSetError(f"deck holds {', '.join(twice)} twice")
    return "+".join(card_name(card) for card in sorted(cards))


def _cards_needed(rules: RuleSet, players: int) -> int:
    turned = 0 if not rules.turns_up else 1 if rules.joker == "none" else 2
    return players * int(rules.hand_size) + rules.kitty_size + turned


def _player_counts(rules: RuleSet) -> tuple[int, ...]:
    possible = PLAYERS[rules.family]
    counts = tuple(sorted(set(rules.players or possible)))
    if not set(counts) <= set(possible):
        allowed = ", ".join(map(str, possible))
        raise RuleSetError(f"players must be of {allowed}, got {rules.players!r}")
    size = len(rules.deck_cards())
    enough = tuple(n for n in counts if _cards_needed(rules, n) <= size)
    if not enough:
        raise RuleSetError(
            f"a deck of {size} cards is too small: {counts[0]} players need"
            f" {_cards_needed(rules, counts[0])}"
        )
    if "x" not in rules.sides:
        return enough
    sides, each = map(int, rules.sides.split("x"))
    if sides * each not in enough:
        raise RuleSetError(f"sides={rules.sides} needs {sides * each} players; {rules.name} is for"
                           f" {', '.join(map(str, enough))}")  # fmt: skip
    return (sides * each,)


def _default_players(rules: RuleSet) -> int:
    wanted = rules.default_players or (5 if rules.family == POT else 4)
    return wanted if wanted in rules.players else rules.players[0]


OPTIONS: dict[str, Option] = {
    f.name: f.metadata["option"] for f in dataclasses.fields(RuleSet) if "option" in f.metadata
}
"""Every declared option by name, in the order of the rule book."""


def options_of(family: str) -> dict[str, Option | None]:
    """Return the options that a family of games has (``deck`` has no list of values: None)."""
    named: dict[str, Option | None] = {
        name: declared for name, declared in OPTIONS.items() if family in declared.families
    }
    return named | {"deck": None} if family in TURN_UP else named


def option_default(name: str, family: str) -> Value:
    """Return the default of an option in a family."""
    return "standard" if name == "deck" else OPTIONS[name].default_in(family)


def unknown_option(name: str, family: str, where: str) -> str:
    """Return the message for an option that a family does not have."""
    if name in OPTIONS:
        homes = " and ".join(OPTIONS[name].families)
        return f"option {name} has no meaning here: it belongs to the family {homes}, not {family}"
    return unknown(f"option{where}", name, options_of(family), plural="options")
