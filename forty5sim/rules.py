"""Rule sets as data: every option of the turn-up games, declared, checked, and read.

``RuleSet(family="pot", ante=2)`` builds one by hand; ``named_rules.find_rules`` finds the named
ones. The meaning of each option is written in docs/rules.md, whose sections are given here.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from forty5sim.cards import JOKER, SUIT_NAMES, Card, Suit, card_name, parse_card, parse_suit
from forty5sim.errors import RuleSetError, unknown
from forty5sim.options import COUNTING, FAMILIES, POT, Option, Value, option

RULES_VERSION = 1
"""Raised whenever the behaviour of a rule changes, not for speed or refactoring."""

MAX_PLAYERS = 10
MAX_HAND_SIZE = 10
SEATINGS = ("individuals", "2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5", "5x2")
_OFF_ON = ("off", "on")


def _switch(section: str, off: str, on: str, **more: Any) -> Any:
    return option(dict(zip(_OFF_ON, (off, on), strict=True)), section, **more)


@dataclass(frozen=True, kw_only=True)
class RuleSet:
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
    players: tuple[int, ...] = tuple(range(2, MAX_PLAYERS + 1))
    default_players: int = 0

    # the cards (docs/rules.md 1)
    plain_red_ace: str = option(
        {
            "lowest": "the ace of a plain red suit is its lowest card",
            "below_jack": "the ace of a plain red suit stands between its jack and its ten",
            "high": "the ace of a plain red suit is its highest card",
        },
        "1.3",
    )
    plain_black_ace: str = option(
        {
            "below_jack": "the ace of a plain black suit stands below its jack",
            "high": "the ace of a plain black suit is its highest card",
        },
        "1.3",
    )
    joker: str = option(
        {
            "none": "there is no Joker",
            "after_ah": "the Joker is the trump just below the ace of hearts",
            "before_ah": "the Joker is the trump just above the ace of hearts",
        },
        "1.4",
    )
    head: str = option(
        {
            "modern": "the top trumps are five, jack, ace of hearts, ace",
            "five_cards": "the top trumps are five, ace of hearts, ace, jack (the old order)",
        },
        "1.5",
    )

    # playing to a trick (docs/rules.md 2)
    plain_lead: str = option(
        {
            "follow_or_trump": "to a plain lead follow suit or trump; who has none of the suit"
            " plays anything",
            "strict_follow": "to a plain lead follow suit; who has none of it plays anything",
            "must_follow_or_trump": "to a plain lead follow suit or trump; no other card while"
            " either is held",
            "free": "to a plain lead play anything",
        },
        "2.2",
    )
    renege: str = option(
        {
            "outranks_led": "a top trump may be kept back if it outranks the trump led",
            "highest_so_far": "a top trump may be kept back if it outranks every trump on the"
            " trick so far",
            "expires_in_deal": "a top trump may be kept back if it outranks the trump led and no"
            " higher trump has been played in the deal",
            "single_unconditional": "a top trump may be kept back, whatever was led, if it is the"
            " only trump held",
            "none": "no trump may be kept back",
        },
        "2.3",
    )
    renege_cards: str = option(
        {
            "top3": "the five, the jack and the ace of hearts (and a Joker) have this privilege",
            "five_only": "only the five has this privilege",
        },
        "2.3",
    )
    ah_lead_needs_heart: str = _switch(
        "2.5",
        "who has no trump plays anything to the ace of hearts led",
        "who has no trump plays a heart to the ace of hearts led",
    )

    # robbing (docs/rules.md 3)
    rob_timing: str = option(
        {
            "split": "the dealer robs an ace turned up before the first lead, a holder of the ace"
            " before his own first card",
            "before_first_lead": "robbing is done before the first lead",
            "own_first_card": "who may rob does so before his own first card",
        },
        "3.4",
    )
    dealer_ace: str = option(
        {
            "at_once": "the dealer who robs an ace turned up has it in hand at once",
            "after_trick1": "the dealer who robs an ace turned up gets it after the first trick",
        },
        "3.5",
    )
    rob_forced: str = option(
        {
            "off": "robbing is optional",
            "dealer": "the dealer must rob an ace turned up; a holder of the ace may",
            "all": "who may rob must",
        },
        "3.6",
    )
    rob_missed: str = option(
        {
            "none": "not robbing has no penalty",
            "ace_lowest": "who holds the ace and does not rob has it as the lowest trump",
            "barred": "who lets a rob pass cannot win the pot",
        },
        "3.6",
    )
    rob_announced: str = option(
        {"on": "everybody sees who robs", "silent": "nobody sees that somebody robbed"}, "3.8"
    )

    # scoring Forty-Five and its relatives (docs/rules.md 4)
    bonus: str = option(
        {
            "best_trump": "5 points to the side that played the best trump of the deal",
            "last_trick": "5 points to the side that wins the last trick",
            "none": "no bonus",
        },
        "4.1",
        families=(COUNTING,),
    )
    bonus_needs_top: str = _switch(
        "4.1",
        "any trump can earn the bonus",
        "the bonus is paid only for a five, jack, ace of hearts or Joker",
        families=(COUNTING,),
    )
    trick_scoring: str = option(
        {
            "points": "5 points a trick",
            "five_ten": "5 points for most of the tricks, 10 for all; no bonus",
            "difference": "5 points for each trick more than all others together; no bonus",
        },
        "4.2",
        families=(COUNTING,),
    )
    stop_at_target: str = _switch(
        "4.3",
        "a deal is played to its end",
        "the deal stops as soon as a side reaches the target",
        families=(COUNTING,),
    )
    target: Value = option(
        {},
        "4.4",
        families=(COUNTING,),
        numbers=range(5, 1001),
        default=45,
        says="the game goes to {} points",
    )
    tie: str = option(
        {
            "highest_total": "if several reach the target, the highest total wins",
            "nondealer_first": "if several reach the target, the first from the dealer's left"
            " wins, the dealer's side last",
            "trick_order": "if several reach the target, who got there first, trick by trick, wins",
        },
        "4.4",
        families=(COUNTING,),
    )
    tie_equal: str = option(
        {
            "nondealer_first": "level totals: the first from the dealer's left wins",
            "play_on": "level totals: the game goes on",
        },
        "4.4",
        families=(COUNTING,),
    )
    sweep: str = option(
        {"off": "all the tricks win nothing extra", "wins_game": "all the tricks win the game"},
        "4.5",
        families=(COUNTING,),
    )

    # Spoil Five (docs/rules.md 5)
    ante: Value = option(
        {}, "5.1", families=(POT,), numbers=range(1, 1001), default=1, says="the ante is {}"
    )
    ante_rule: str = option(
        {
            "each_deal": "everybody pays the ante before each deal",
            "reduced_after_spoil": "everybody pays the ante for a new pot and 1 after a spoil, the"
            " dealer 1 more",
            "dealer_only_after_first": "everybody pays for a new pot, then only the dealer",
            "dealer_double": "the dealer pays the ante twice",
            "none_after_spoil": "everybody pays for a new pot, nobody after a spoil",
        },
        "5.1",
        families=(POT,),
    )
    pot_cap: Value = option(
        {"off": "the pot has no limit"},
        "5.1",
        families=(POT,),
        numbers=range(1, 100001),
        says="nobody pays once the pot has {}",
    )
    win_tricks: Value = option(
        {},
        "5.2",
        families=(POT,),
        numbers=range(1, MAX_HAND_SIZE + 1),
        default=3,
        says="the first to {} tricks wins the pot",
    )
    play_out: str = _switch(
        "5.2",
        "the deal ends when the pot is won",
        "all tricks are played although the pot is won",
        families=(POT,),
    )
    jink: str = _switch(
        "5.3",
        "there is no jink",
        "who has all the tricks so far may jink: undertake to win all five",
        by_family={COUNTING: "off", POT: "on"},
    )
    jink_declare: str = option(
        {
            "explicit": "a jink is declared",
            "implicit": "who plays on instead of claiming the pot jinks",
        },
        "5.3",
        families=(POT,),
    )
    jink_reward: str = option(
        {
            "pot_plus_ante_each": "a jink made wins the pot and a bonus from each opponent",
            "double_pot": "a jink made wins the pot and as much again from the opponents",
        },
        "5.3",
        families=(POT,),
    )
    jink_bonus: Value = option(
        {"ante": "the bonus for a jink is the ante"},
        "5.3",
        families=(POT,),
        numbers=range(0, 1001),
        says="the bonus for a jink is {} from each opponent",
    )
    stack: Value = option(
        {},
        "5.4",
        families=(POT,),
        numbers=range(1, 1000001),
        default=50,
        says="everybody starts the game with {} chips",
    )
    game_deals: Value = option(
        {"off": "the game goes on until somebody cannot pay"},
        "5.4",
        families=(POT,),
        numbers=range(1, 100001),
        says="the game ends after {} deals",
    )
    unpaid: str = option(
        {
            "leave": "the game ends when somebody cannot pay the ante",
            "all_in": "who cannot pay the ante puts in what is left, and leaves with nothing",
        },
        "5.4",
        families=(POT,),
    )
    last_pot: str = option(
        {
            "split": "a pot left over at the end is shared",
            "leader": "a pot left over at the end goes to the most chips",
        },
        "5.4",
        families=(POT,),
    )

    # the table
    sides: str = option(
        {"default": "", **{s: f"seats play as {s}" for s in SEATINGS}}, "3.1", default="default"
    )
    first_dealer: Value = option(
        {"random": "the first dealer is drawn"},
        "3.1",
        numbers=range(MAX_PLAYERS),
        says="seat {} deals first",
    )

    origin: tuple[tuple[str, Value], ...] = dataclasses.field(default=(), compare=False, repr=False)
    """The options of the preset that these rules stem from."""

    # small packs for exact tests (docs/rules.md 9)
    deck: str = "standard"
    hand_size: Value = option(
        {},
        "9",
        numbers=range(1, MAX_HAND_SIZE + 1),
        default=5,
        says="{} cards each",
    )
    trump: str = option(
        {"turned": "a card turned up makes trumps"}
        | {s: f"{s} is always trumps; nobody robs" for s in SUIT_NAMES},
        "9",
    )

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise RuleSetError(unknown("family", self.family, FAMILIES, plural="families"))
        for name, declared in OPTIONS.items():
            self._settle(name, declared)
        object.__setattr__(self, "deck", _deck_text(self.deck))
        object.__setattr__(self, "players", _player_counts(self))
        object.__setattr__(self, "default_players", _default_players(self))
        for holds, reason in _impossible(self):
            if holds:
                raise RuleSetError(f"impossible combination in {self.name}: {reason}")

    def _settle(self, name: str, declared: Option) -> None:
        """Give an option its checked value, or its family's default."""
        default = declared.default_in(self.family)
        value = getattr(self, name)
        value = default if value == "" else declared.check(name, value)
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
        if self.deck == "standard":
            return tuple(range(JOKER if self.joker == "none" else JOKER + 1))
        return tuple(parse_card(name) for name in self.deck.split("+"))

    def fixed_trump(self) -> Suit | None:
        """Return the suit that is always trumps, or None where a card is turned up."""
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
    return rules.family == COUNTING and players in (4, 6)


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
    turned = 0 if rules.trump != "turned" else 1 if rules.joker == "none" else 2
    return players * int(rules.hand_size) + turned


def _player_counts(rules: RuleSet) -> tuple[int, ...]:
    counts = tuple(sorted(set(rules.players)))
    if not counts or not set(counts) <= set(range(2, MAX_PLAYERS + 1)):
        raise RuleSetError(f"players must be numbers 2..{MAX_PLAYERS}, got {rules.players!r}")
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
    wanted = rules.default_players or (4 if rules.family == COUNTING else 5)
    return wanted if wanted in rules.players else rules.players[0]


def _impossible(rules: RuleSet) -> list[tuple[bool, str]]:
    """Return every combination that cannot be played: (is it so here, why not)."""
    return [*_impossible_rewards(rules), *_impossible_pots(rules), *_impossible_packs(rules)]


def _impossible_rewards(r: RuleSet) -> list[tuple[bool, str]]:
    return [
        (
            r.jink == "on" and r.sweep == "wins_game",
            "jink=on and sweep=wins_game reward the same five tricks; choose one of the two",
        ),
        (
            r.jink == "on" and r.stop_at_target == "on",
            "jink=on needs deals played to the end; stop_at_target=on ends them early",
        ),
        (
            r.trick_scoring != "points" and r.stop_at_target == "on",
            f"trick_scoring={r.trick_scoring} is known only after the last trick;"
            " stop_at_target=on needs points",
        ),
        (
            r.trick_scoring != "points" and r.tie == "trick_order",
            f"trick_scoring={r.trick_scoring} is known only after the last trick;"
            " tie=trick_order needs points",
        ),
        (
            r.bonus_needs_top == "on" and r.bonus != "best_trump",
            "bonus_needs_top=on needs bonus=best_trump",
        ),
        (
            r.rob_missed != "none" and r.rob_forced == "all",
            f"nobody can miss a compulsory rob; rob_missed={r.rob_missed} needs rob_forced off or"
            " dealer",
        ),
    ]


def _impossible_pots(r: RuleSet) -> list[tuple[bool, str]]:
    ante = int(r.ante) * (2 if r.ante_rule == "dealer_double" else 1)
    ante += r.ante_rule == "reduced_after_spoil"
    return [
        (
            r.rob_missed == "barred" and r.family != POT,
            "there is no pot to be barred from; rob_missed=barred is for Spoil Five",
        ),
        (
            r.pot_cap != "off" and r.ante_rule != "dealer_only_after_first",
            "pot_cap needs ante_rule=dealer_only_after_first",
        ),
        (
            r.jink_bonus != "ante" and r.jink_reward == "double_pot",
            "double_pot pays no bonus; jink_bonus needs jink_reward=pot_plus_ante_each",
        ),
        (
            r.family == POT and r.sides not in ("default", "individuals"),
            f"Spoil Five is played by individuals, not sides={r.sides}",
        ),
        (
            r.family == POT and int(r.stack) < ante,
            f"a stack of {r.stack} cannot pay the first ante of {ante}",
        ),
        (
            int(r.win_tricks) > int(r.hand_size) and r.family == POT,
            f"win_tricks={r.win_tricks} is more than the {r.hand_size} tricks of a deal",
        ),
    ]


def _impossible_packs(r: RuleSet) -> list[tuple[bool, str]]:
    joker_in_deck = JOKER in r.deck_cards()
    return [
        (
            r.family == COUNTING and r.jink == "on" and r.hand_size != 5,
            "the announced jink is about five tricks; jink=on needs hand_size=5",
        ),
        (
            r.dealer_ace == "after_trick1" and r.hand_size == 1,
            "dealer_ace=after_trick1 leaves the dealer no card to play; it needs hand_size 2",
        ),
        (
            r.deck != "standard" and joker_in_deck != (r.joker != "none"),
            "the deck holds a Joker exactly if joker is after_ah or before_ah",
        ),
        (
            isinstance(r.first_dealer, int) and r.first_dealer >= max(r.players),
            f"first_dealer={r.first_dealer} is no seat; seats are 0..{max(r.players) - 1}",
        ),
    ]


OPTIONS: dict[str, Option] = {
    f.name: f.metadata["option"] for f in dataclasses.fields(RuleSet) if "option" in f.metadata
}
"""Every declared option by name, in the order of the rule book."""


def options_of(family: str) -> dict[str, Option | None]:
    """Return the options that a family of games has (``deck`` has no list of values: None)."""
    named: dict[str, Option | None] = {
        name: declared for name, declared in OPTIONS.items() if family in declared.families
    }
    return named | {"deck": None}


def option_default(name: str, family: str) -> Value:
    """Return the default of an option in a family."""
    return "standard" if name == "deck" else OPTIONS[name].default_in(family)


def unknown_option(name: str, family: str, where: str) -> str:
    """Return the message for an option that a family does not have."""
    if name in OPTIONS:
        homes = " and ".join(OPTIONS[name].families)
        return f"option {name} has no meaning here: it belongs to the family {homes}, not {family}"
    return unknown(f"option{where}", name, options_of(family), plural="options")
