"""What a position is worth when all cards are seen: every line of play is played to its end.

No line is cut off and no cards are taken for equal. The rules of following, robbing and winning a
trick are those of the reference; ``Position`` holds what changes while cards are played, ``Terms``
what does not. Also the program that compares this with ``forty5sim.solve``:

    python tests/reference/double_dummy.py --deals 20000 --seed 1
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.bids import BID_NAMES
from forty5sim.cards import JOKER as JOKER_NUMBER
from forty5sim.cards import card_name
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import presets
from forty5sim.notation import WORDS, action_name
from forty5sim.options import AUCTION, COUNTING, FAMILIES, FIVE_HUNDRED, POT
from forty5sim.rules import RuleSet
from tests.kernels.cases import CARD_OF, AnyDeal, Case, random_case, reference_options
from tests.kernels.random_rules import random_rules
from tests.reference import bidding_scores, cards, five_hundred, scores
from tests.reference.bidding_deal import BiddingDeal, first_leader
from tests.reference.cards import JOKER, SUITS, Options, number, word
from tests.reference.deal import Deal
from tests.reference.five_hundred import NO_TRUMP
from tests.reference.game import make_deal

Number = int | Fraction
Values = tuple[Number, ...]  # one number for each side

NUMBER_OF = {**CARD_OF, **{"rob " + name: card for name, card in CARD_OF.items()}}
NUMBER_OF |= {name: action for action, name in WORDS.items()}
NUMBER_OF |= {f"{act} {s}": i for act in ("assign", "name") for i, s in enumerate(SUITS)}


class Position(NamedTuple):
    """What changes while cards are played: equal positions of a deal have the same future.

    `tricks` are those won by each seat, `fallen` the cards of finished tricks, `best` the best
    trump among them with the seat that played it. `right` is the seat that may still rob, `stock`
    what lies under the turn-up, `asked` whether a contractor is asked for the Joker's suit, or the
    leader whether he jinks.
    """

    hands: tuple[frozenset[str], ...]
    leader: int
    tricks: tuple[int, ...]
    table: tuple[str, ...] = ()
    fallen: frozenset[str] = frozenset()
    best: tuple[str, int] | None = None
    trump: str | None = None
    asked: bool = False
    # games with a turn-up
    turnup: str | None = None
    stock: tuple[str, ...] = ()
    right: int | None = None
    missed: bool = False
    barred: int | None = None
    late_ace: str | None = None
    jinker: int | None = None
    # Five Hundred
    joker_suit: str | None = None
    named: str | None = None
    led_suits: frozenset[str] = frozenset()


@dataclass
class Terms:
    """What does not change: the rules, the seats that play, the contract."""

    options: Options
    seats: list[int]
    players: int
    sides: int
    dealer: int
    bidder: int | None = None
    bid: str | None = None
    pot_winner: int | None = None  # the pot has been won already
    legal_before: dict[Any, list[str]] = field(default_factory=dict)
    winner_before: dict[Any, int] = field(default_factory=dict)
    trumps_before: dict[Any, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.family = word(self.options, "family")

    def side(self, seat: int) -> int:
        return seat % self.sides

    # Whose turn it is, and for what

    def turn(self, position: Position) -> int:
        """The seat whose card is due next."""
        start = self.seats.index(position.leader)
        return self.seats[(start + len(position.table)) % len(self.seats)]

    def phase(self, position: Position) -> str:
        """What is asked now."""
        if position.asked:
            return "assign" if self.family == FIVE_HUNDRED else "jink"
        if self.must_name(position):
            return "name"
        return "rob" if self.is_robbing(position) else "play"

    def seat(self, position: Position) -> int:
        """The seat that is asked."""
        phase = self.phase(position)
        if phase == "rob":
            assert position.right is not None
            return position.right
        return self.turn(position) if phase == "play" else position.leader

    def is_robbing(self, position: Position) -> bool:
        """Is the seat with the right to rob asked now (docs/rules.md 3.4, 3.7)?"""
        if position.right is None or position.turnup is None:
            return False
        times = ["before_first_lead", "split"] if self.ace_up(position) else ["before_first_lead"]
        early = position.turnup == JOKER or self.options["rob_timing"] in times
        return early or position.right == self.turn(position)

    def ace_up(self, position: Position) -> bool:
        return position.turnup is not None and position.turnup[0] == "A"

    def must_name(self, position: Position) -> bool:
        """Has a Joker without a suit been led, and not to the last trick (8.7)?"""
        suitless = self.family == FIVE_HUNDRED and position.trump == NO_TRUMP
        led = position.table == (JOKER,) and position.joker_suit is None
        return (
            suitless and led and position.named is None and len(position.hands[position.leader]) > 0
        )

    # What may be done

    def actions(self, position: Position) -> list[str]:
        """The legal actions, as the engine numbers them, ascending."""
        phase = self.phase(position)
        if phase == "play":
            return self.cards_to_play(position)
        if phase == "jink":
            names = ["jink", "stop"]
        elif phase == "assign":
            names = ["assign none", *("assign " + suit for suit in SUITS)]
        elif phase == "name":
            suits = five_hundred.nameable(self.options, position.led_suits)
            names = ["name " + suit for suit in suits]
        else:
            names = ["rob " + card for card in position.hands[self.seat(position)]]
            names += [] if self.must_rob(position) else ["keep"]
        return sorted(names, key=NUMBER_OF.__getitem__)

    def must_rob(self, position: Position) -> bool:
        if position.turnup == JOKER or self.options["rob_forced"] == "all":
            return True
        return self.options["rob_forced"] == "dealer" and self.ace_up(position)

    def cards_to_play(self, position: Position) -> list[str]:
        """The legal cards; asked once only for what they depend on."""
        hand = position.hands[self.turn(position)]
        judged = position.fallen if self.options.get("renege") == "expires_in_deal" else None
        joker = (position.joker_suit, position.named, position.led_suits)
        depends = (hand, position.table, position.trump, position.missed, judged, joker)
        if depends not in self.legal_before:
            legal = sorted(self.legal_cards(position, hand), key=NUMBER_OF.__getitem__)
            self.legal_before[depends] = legal
        return self.legal_before[depends]

    def legal_cards(self, position: Position, hand: frozenset[str]) -> set[str]:
        trump, table, options = position.trump, position.table, self.options
        assert trump is not None
        if self.family == FIVE_HUNDRED:
            joker = position.joker_suit, position.named, position.led_suits
            return five_hundred.legal_cards(options, trump, hand, table, *joker)
        fallen = sorted(position.fallen)
        return cards.legal_cards(options, trump, hand, table, fallen, position.missed)

    # What comes of it

    def after(self, position: Position, action: str) -> Position:
        """The position after an action."""
        phase, said = self.phase(position), action.split(" ")[-1]
        if phase == "jink":
            jinker = position.leader if action == "jink" else None
            return position._replace(asked=False, jinker=jinker)
        if phase == "assign":
            return position._replace(asked=False, joker_suit=None if said == "none" else said)
        if phase == "name":
            return self.with_trick_finished(position._replace(named=said))
        if phase == "play":
            return self.after_card(position, action)
        return self.after_keeping(position) if action == "keep" else self.after_rob(position, said)

    def after_card(self, position: Position, card: str) -> Position:
        hands = list(position.hands)
        hands[self.turn(position)] -= {card}
        table = (*position.table, card)
        return self.with_trick_finished(position._replace(hands=tuple(hands), table=table))

    def with_trick_finished(self, position: Position) -> Position:
        """The position itself, or that at the next lead if everybody has played."""
        table = position.table
        if len(table) < len(self.seats):
            return position
        place = self.seats.index(position.leader)
        winner = self.seats[(place + self.best_card(position)) % len(self.seats)]
        tricks = list(position.tricks)
        tricks[winner] += 1
        hands = list(position.hands)
        if position.late_ace is not None:
            hands[self.dealer] |= {position.late_ace}
        return position._replace(
            hands=tuple(hands),
            leader=winner,
            tricks=tuple(tricks),
            table=(),
            fallen=position.fallen | set(table),
            best=self.best_trump(position, winner),
            late_ace=None,
            named=None,
            led_suits=position.led_suits | self.suits_led(position),
        )

    def best_card(self, position: Position) -> int:
        """Place of the card that wins the trick."""
        trump, table = position.trump, position.table
        assert trump is not None
        depends = (table, trump, position.missed, position.joker_suit, position.named)
        if depends not in self.winner_before:
            if self.family == FIVE_HUNDRED:
                named = position.joker_suit, position.named
                place = five_hundred.trick_winner(trump, table, *named)
            else:
                place = cards.trick_winner(self.options, trump, table, position.missed)
            self.winner_before[depends] = place
        return self.winner_before[depends]

    def best_trump(self, position: Position, winner: int) -> tuple[str, int] | None:
        """The best trump so far: a trick's best trump has won it (docs/rules.md 4.1)."""
        if self.family == FIVE_HUNDRED:
            return None
        order = self.trumps(position)
        in_trick = [card for card in order if card in position.table]
        if position.best is None or not in_trick:
            return (in_trick[0], winner) if in_trick else position.best
        beaten = order.index(in_trick[0]) < order.index(position.best[0])
        return (in_trick[0], winner) if beaten else position.best

    def trumps(self, position: Position) -> list[str]:
        """The trumps, best first."""
        trump, missed = position.trump, position.missed
        assert trump is not None
        if (trump, missed) not in self.trumps_before:
            self.trumps_before[trump, missed] = cards.trumps(self.options, trump, missed)
        return self.trumps_before[trump, missed]

    def suits_led(self, position: Position) -> set[str]:
        """The suit led to the trick, where a suitless Joker may have to know it."""
        if self.family != FIVE_HUNDRED or position.trump != NO_TRUMP:
            return set()
        joker = position.joker_suit, position.named
        led = five_hundred.suit_led(NO_TRUMP, position.table, *joker)
        return set() if led is None else {led}

    def after_keeping(self, position: Position) -> Position:
        barred = position.barred
        if self.options["rob_missed"] == "barred":
            barred = position.right
        missed = not self.ace_up(position)
        return position._replace(right=None, missed=missed, barred=barred)

    def after_rob(self, position: Position, thrown: str) -> Position:
        seat, taken, hands = position.right, position.turnup, list(position.hands)
        assert seat is not None
        assert taken is not None
        hands[seat] -= {thrown}
        if taken == JOKER:
            hands[seat] |= {taken}
            turnup, *stock = position.stock
            return position._replace(
                hands=tuple(hands),
                turnup=turnup,
                stock=tuple(stock),
                trump=cards.suit_of(turnup),
                right=cards.rob_right(self.options, turnup, self.dealer, hands),
            )
        if self.ace_up(position) and self.options["dealer_ace"] == "after_trick1" and hands[seat]:
            return position._replace(hands=tuple(hands), right=None, late_ace=taken)
        hands[seat] |= {taken}
        return position._replace(hands=tuple(hands), right=None)

    # What it is worth

    def is_over(self, position: Position) -> bool:
        """Have all cards been played?"""
        return not position.table and not any(position.hands[seat] for seat in self.seats)

    def result(self, objective: str, position: Position) -> Values | None:
        """What the deal is worth for each side; None if that is still open."""
        if objective == "win":
            return self.pot_won(position)
        if not self.is_over(position):
            return None
        if objective == "tricks":
            won = self.won(position)
            return tuple(won.count(side) for side in range(self.sides))
        if objective == "points":
            won, bonus = self.won(position), self.bonus(position)
            return tuple(scores.counting_points(self.options, self.sides, won, bonus, None))
        return self.contract_made(position)

    def won(self, position: Position) -> list[int]:
        """The sides that won the tricks: in any order, but with the last trick last."""
        last = self.side(position.leader)
        won = [self.side(seat) for seat in self.seats for _ in range(position.tricks[seat])]
        won.remove(last)
        return [*won, last]

    def bonus(self, position: Position) -> int | None:
        """Place in `won` of the trick that carries the bonus, or of one like it."""
        best, trump = None, position.trump
        assert trump is not None
        if position.best is not None:
            card, seat = position.best
            best = self.won(position).index(self.side(seat)), card
        if self.family == AUCTION:
            return bidding_scores.bonus_trick(self.options, trump, best)
        return scores.bonus_trick(self.options, trump, best, position.missed)

    def pot_won(self, position: Position) -> Values | None:
        """One for the seat that wins the pot; nothing for anybody if nobody can any more."""
        winner = self.pot_winner
        enough = number(self.options, "win_tricks")
        if winner is None and position.jinker is not None:
            jinker = position.jinker
            if position.tricks[jinker] == sum(position.tricks):
                if not self.is_over(position):
                    return None
                winner = jinker
        elif winner is None:
            for seat in self.seats:
                if position.tricks[seat] >= enough and seat != position.barred:
                    winner = seat
            if winner is None and not self.is_over(position):
                return None
        return tuple(int(seat == winner) for seat in range(self.players))

    def contract_made(self, position: Position) -> Values:
        """One for the bidder's side if it has kept its contract, for all others if not."""
        assert self.bidder is not None
        assert self.bid is not None
        side, won = self.side(self.bidder), self.won(position)
        if self.family == FIVE_HUNDRED:
            made = bidding_scores.five_hundred_made(self.bid, won.count(side))
        else:
            raw = bidding_scores.raw_points(self.sides, won, self.bonus(position))
            made = bidding_scores.auction_made(self.bid, raw, side, won)
        return tuple(int(made == (other == side)) for other in range(self.sides))


# The search


@dataclass
class Search:
    """A game tree for one objective and one way of choosing."""

    terms: Terms
    objective: str
    kind: str  # minimax, maxn or paranoid
    tie: str = "first"
    root: int = 0  # the side against which all others play (paranoid)
    known: dict[Position, Values] = field(default_factory=dict)

    def value(self, position: Position) -> Values:
        """The value for each side if everybody goes on as the search has it."""
        if position in self.known:
            return self.known[position]
        value = self.terms.result(self.objective, position)
        if value is None:
            seat = self.terms.seat(position)
            value = self.choice(self.terms.side(seat), list(self.each_value(position).values()))
        if not position.table:
            self.known[position] = value
        return value

    def each_value(self, position: Position) -> dict[str, Values]:
        """The value of each action."""
        terms = self.terms
        return {a: self.value(terms.after(position, a)) for a in terms.actions(position)}

    def choice(self, side: int, values: Sequence[Values]) -> Values:
        """What a side makes of the values of its actions."""
        if self.kind == "minimax":
            return max(values, key=lambda value: value[side] - value[1 - side])
        if self.kind == "paranoid":
            best = max if side == self.root else min
            return best(values, key=lambda value: value[self.root])
        most = max(value[side] for value in values)
        level = [value for value in values if value[side] == most]
        if self.tie == "average":
            return tuple(Fraction(sum(column), len(level)) for column in zip(*level, strict=True))
        if self.tie == "spite":
            return min(level, key=lambda value: max(value[:side] + value[side + 1 :]))
        return level[0]


KINDS = {"table": "minimax", "alphabeta": "minimax", "maxn": "maxn", "paranoid": "paranoid"}


@dataclass(frozen=True)
class Question:
    """What a solver is asked about a position."""

    objective: str = "tricks"
    search: str = "auto"
    tie: str = "first"


def search_of(terms: Terms, question: Question, root: int) -> Search:
    """The search that a solver's words mean.

    The bidder against all others, and a pot that nobody need win, are left to max^n, which says
    the same about the one, and what is meant about the other.
    """
    search = question.search
    if search == "auto":
        contest = terms.sides == 2 and question.objective in ("tricks", "points")
        search = "alphabeta" if contest else "maxn"
    return Search(terms, question.objective, KINDS[search], question.tie, root)


def each_value(
    game: Game, objective: str = "tricks", search: str = "auto", tie: str = "first"
) -> dict[int, list[float]]:
    """What each legal action is worth for each side; what the search does not tell is NaN."""
    question = Question(objective, search, tie)
    return values_in(*terms_and_position(deal_of(game)), question)


def values_in(terms: Terms, position: Position, question: Question) -> dict[int, list[float]]:
    """What each legal action is worth for each side; what the search does not tell is NaN."""
    root = terms.side(terms.seat(position))
    tree, found = search_of(terms, question, root), {}
    for action, values in tree.each_value(position).items():
        told = [float(value) for value in values]
        if question.search == "paranoid":
            told = [value if side == root else math.nan for side, value in enumerate(told)]
        found[NUMBER_OF[action]] = told
    return found


# From the engine's game to a position, by way of the reference's deal


def deal_of(game: Game) -> AnyDeal:
    """The reference's deal that has come as far as a game of the engine."""
    rules, before = game.rules, game.before
    standing: dict[str, object] = {"scores": before.scores}
    if rules.family == POT:
        standing = {"pot": before.pot, "stacks": before.scores}
    if rules.has_auction:
        standing |= {"sets": before.sets, "deals": before.deals}
    sides = rules.side_count(game.players)
    pack = [card_name(card) for card in game.pack]
    active = None if rules.has_auction else game.dealt_in
    options = reference_options(rules)
    deal = make_deal(options, game.players, sides, game.dealer, pack, standing, active)
    drawn = [card_name(card) for card in game.restock]
    if isinstance(deal, BiddingDeal):
        bidding = deal
        deal.shuffle = lambda thrown: drawn[len(bidding.restock) :][: len(thrown)]
    for step in game.log:
        deal.apply(action_name(step.action, step.phase))
    return deal


def terms_and_position(deal: AnyDeal) -> tuple[Terms, Position]:
    """What a deal of the reference has come to."""
    if isinstance(deal, Deal):
        return turn_up_terms(deal), turn_up_position(deal)
    terms = Terms(deal.options, deal.playing(), deal.players, deal.sides, deal.dealer)
    terms.bidder, terms.bid = deal.bidder, deal.bid
    leader = deal.leader
    if deal.phase == "assign":
        leader = first_leader(deal.options, deal.players, deal.dealer, deal.bidder)
    no_trump = deal.trump == NO_TRUMP
    position = Position(
        tuple(map(frozenset, deal.hands)),
        leader,
        tuple(deal.tricks_won),
        tuple(deal.trick),
        fallen_cards(deal),
        best_of(deal, missed=False),
        deal.trump,
        asked=deal.phase == "assign",
        joker_suit=deal.joker_suit,
        named=deal.named,
        led_suits=frozenset(deal.led_suits if no_trump else ()),
    )
    return terms, position


def turn_up_terms(deal: Deal) -> Terms:
    terms = Terms(deal.options, deal.active, deal.players, deal.sides, deal.dealer)
    if deal.book is not None and deal.book.outcome == "pot-won":
        won = deal.book.winners
        enough = number(deal.options, "win_tricks")
        counts = [(seat, won[: i + 1].count(seat)) for i, seat in enumerate(won)]
        there = [seat for seat, count in counts if count == enough and seat != deal.book.barred]
        terms.pot_winner = there[0]
    return terms


def turn_up_position(deal: Deal) -> Position:
    return Position(
        tuple(map(frozenset, deal.hands)),
        deal.leader,
        tuple(deal.tricks_won),
        tuple(deal.trick),
        fallen_cards(deal),
        best_of(deal, missed=deal.missed),
        deal.trump,
        asked=deal.phase == "jink",
        turnup=deal.turnup,
        stock=tuple(deal.stock) if deal.turnup == JOKER else (),
        right=deal.right,
        missed=deal.missed,
        barred=None if deal.book is None else deal.book.barred,
        late_ace=deal.late_ace,
        jinker=None if deal.book is None else deal.book.jinker,
    )


def fallen_cards(deal: AnyDeal) -> frozenset[str]:
    return frozenset(card for trick in deal.tricks for card in trick["cards"])


def best_of(deal: AnyDeal, *, missed: bool) -> tuple[str, int] | None:
    """The best trump in the finished tricks, and the seat that played it."""
    if deal.options["family"] == FIVE_HUNDRED or deal.trump is None:
        return None
    played = [trick["cards"] for trick in deal.tricks]
    best = scores.best_trump(deal.options, deal.trump, played, missed)
    return None if best is None else (best[1], deal.tricks[best[0]]["winner"])


# Random positions


LINES = 1500  # of play, at most, before a question takes too long
TRIALS = 10_000  # deals to find a position in
ASKED = ("play", "rob", "jink", "assign", "name")
OBJECTIVES = {
    COUNTING: ["tricks", "points"],
    POT: ["tricks", "win"],
    AUCTION: ["tricks", "points", "contract"],
    FIVE_HUNDRED: ["tricks", "contract"],
}
MISERES = [BID_NAMES.index(name) for name in five_hundred.MISERES]
NO_TRUMPS = [BID_NAMES.index(f"{level}NT") for level in range(6, 11)]


def any_position(_game: Game) -> bool:
    return True


def random_position(
    rng: random.Random,
    rules: RuleSet,
    lines: int = LINES,
    wanted: Callable[[Game], bool] = any_position,
) -> Game:
    """A game of these rules, or of a shorter form of them, somewhere near the end of a deal."""
    for _ in range(TRIALS):
        players = rng.choice(rules.players[:5])
        try:
            case = random_case(shortened(rng, rules, players, lines), players, rng)
        except RuleSetError:  # the shorter hands do not fit the other options
            continue
        put_in_reach(rng, case)
        game = started(rng, case)
        if play_until_small(
            rng, game, rng.choice([lines // 20, lines // 5, lines // 5, lines]), wanted
        ):
            return game
    raise ValueError(f"{rules.id} has no such position")


def shortened(rng: random.Random, rules: RuleSet, players: int, lines: int) -> RuleSet:
    """The same rules with short hands, so that whole deals can be searched."""
    most = int(rules.hand_size)
    sizes = [n for n in range(1, most + 1) if math.factorial(n) ** players <= lines]
    if rules.has_auction or not sizes or rng.random() < 0.2:
        return rules
    size = rng.choice([*sizes[-2:], sizes[-1]])
    changes = {"hand_size": size}
    if rules.family == POT:
        changes["win_tricks"] = rng.choice([min(2, size), (size + 1) // 2])
    return rules.with_options(**changes)


def put_in_reach(rng: random.Random, case: Case) -> None:
    """Deal the ace or the Joker to somebody, or turn it up, oftener than chance has it."""
    rules, pack = case.rules, case.pack
    if rules.family == FIVE_HUNDRED:
        swap(pack, pack.index(JOKER), rng.randrange(40))
    if not rules.turns_up or rng.random() < 0.4:
        return
    place = case.players * int(rules.hand_size)
    if JOKER in pack and rng.random() < 0.4:
        swap(pack, pack.index(JOKER), place)
    ace = "A" + cards.suit_of(pack[place + (pack[place] == JOKER)])
    if ace in pack and rng.random() < 0.7:
        swap(pack, pack.index(ace), rng.randrange(place + 1))


def swap(pack: list[str], one: int, other: int) -> None:
    pack[one], pack[other] = pack[other], pack[one]


def started(rng: random.Random, case: Case) -> Game:
    """The engine's game; in pot games now and then with seats that have left."""
    if case.rules.family != POT or case.players < 3 or rng.random() < 0.9:
        return case.engine()
    stay = rng.sample(range(case.players), rng.randrange(2, case.players))
    return Game(
        case.rules,
        case.players,
        dealer=stay[0],
        pack=[CARD_OF[name] for name in case.pack],
        scores=case.scores,
        pot=case.pot,
        playing=stay,
    )


def play_until_small(
    rng: random.Random, game: Game, lines: int, wanted: Callable[[Game], bool]
) -> bool:
    """Play on until few cards are left, then some cards more; say whether that went well."""
    while not game.deal_is_over:
        if game.phase not in ASKED or lines_of(game) > lines or not wanted(game):
            game.push(some_action(rng, game))
        elif rng.random() < (0.6 if len(game.legal_actions) > 1 else 0.1):
            return True
        else:
            game.push(rng.choice(game.legal_actions))
    return False


def lines_of(game: Game) -> int:
    """How many lines of play there would be if every card were legal."""
    hands = [len(game.hands[seat]) for seat in game.playing]
    return math.prod(map(math.factorial, hands))


def some_action(rng: random.Random, game: Game) -> int:
    """An action at random, but one that keeps what is rare alive."""
    if game.phase == "auction":
        return some_call(rng, game)
    legal = game.legal_actions
    if game.phase == "assign" and rng.random() < 0.5:
        return layout.NO_SUIT_GIVEN
    if game.rules.family != FIVE_HUNDRED or game.phase not in ("discard", "play"):
        return rng.choice(legal)
    if rng.random() < (0.95 if lines_of(game) > LINES else 0.4):
        legal = [card for card in legal if card != JOKER_NUMBER] or legal
    if game.phase == "discard" or rng.random() < 0.2:
        return rng.choice(legal)
    if game.bid in MISERES and game.seat == game.bidder:
        return min(legal, key=game.strength)  # with luck it wins no trick
    if game.led is None:  # leave some suits for the Joker to name
        legal = [card for card in legal if game.effective_suit(card) in game.led_suits] or legal
    return rng.choice(legal)


def some_call(rng: random.Random, game: Game) -> int:
    """A call at random; low bids, misères, and no trump with the Joker oftener than others."""
    legal = game.legal_actions
    if layout.PASS in legal and rng.random() < (0.5 if game.bid is None else 0.8):
        return layout.PASS
    if game.rules.family != FIVE_HUNDRED:
        return rng.choice(legal[:8])
    miseres = [call for call in MISERES if call in legal]
    no_trump = [call for call in legal if call in NO_TRUMPS]
    if miseres and rng.random() < 0.15:
        return rng.choice(miseres)
    if no_trump and JOKER_NUMBER in game.hands[game.seat] and rng.random() < 0.6:
        return rng.choice(no_trump[:3])
    return rng.choice(legal[:8])


# The comparison


class DifferenceError(AssertionError):
    """The solver and the reference disagree; the text is a program that shows it."""


def questions(game: Game) -> list[Question]:
    """All questions that a position allows."""
    objectives = OBJECTIVES[game.rules.family]
    if game.bidder is None:
        objectives = [name for name in objectives if name != "contract"]
    asked = [Question(name, search) for name in objectives for search in searches(game, name)]
    ties = [Question(name, "maxn", tie) for name in objectives for tie in ("average", "spite")]
    return asked + [question for question in ties if question.objective != "contract"]


def searches(game: Game, objective: str) -> list[str]:
    """The searches for an objective; a pot that several can win, or nobody, is for max^n alone."""
    rules, two = game.rules, game.rules.side_count(game.players) == 2
    if objective == "contract":
        return ["auto", "paranoid", *(["alphabeta"] if two else [])]
    margin = 2 * int(rules.win_tricks) - int(rules.hand_size) if objective == "win" else 1
    jinks = game.phase == "jink" or game.jinker is not None
    sure = objective != "win" or (rules.rob_missed != "barred" and not jinks)
    found = ["auto", "maxn", *(["paranoid"] if margin > 0 else [])]
    return [*found, "alphabeta"] if two and margin == 1 and sure else found


def solve(game: Game, question: Question, **more: Any) -> Any:
    """The solver's answer."""
    forty5sim = importlib.import_module("forty5sim")
    asked = {"objective": question.objective, "search": question.search}
    if question.tie != "first":
        asked["tie"] = question.tie
    return forty5sim.solve(game, **asked, **more)


def compare(game: Game, asked: Sequence[Question]) -> None:
    """Raise unless the solver and the reference say the same about every action."""
    terms, position = terms_and_position(deal_of(game))
    for question in asked:
        compare_solution(game, question, values_in(terms, position, question))


def compare_solution(game: Game, question: Question, expected: dict[int, list[float]]) -> None:
    before = game.state.tobytes()
    solution = solve(game, question)
    expect(game, question, "the game", game.state.tobytes() == before, True)
    expect(game, question, "actions", [int(a) for a in solution.actions], sorted(expected))
    expect(game, question, "is_exact", bool(solution.is_exact), True)
    rows = [expected[action] for action in sorted(expected)]
    for name in ("values", "low", "high"):
        told = getattr(solution, name).tolist()
        if not all(map(same_numbers, told, rows)) or len(told) != len(rows):
            expect(game, question, name, told, rows)


def same_numbers(told: Sequence[float], wanted: Sequence[float]) -> bool:
    """Are these the same numbers, but for rounding?"""
    if len(told) != len(wanted):
        return False
    pairs = zip(told, wanted, strict=True)
    return all(math.isnan(a) == math.isnan(b) and not abs(a - b) > 1e-9 for a, b in pairs)


def expect(game: Game, question: Question, what: str, told: object, wanted: object) -> None:
    """Raise unless the solver told what was wanted."""
    if told != wanted:
        raise DifferenceError(
            f"{reproduction(game, question)}# {what}: solver {told}, reference {wanted}"
        )


def reproduction(game: Game, question: Question) -> str:
    """A program that asks the solver the same."""
    before, pack = game.before, " ".join(map(card_name, game.pack))
    playing = None if game.rules.has_auction else game.dealt_in
    restock = [card_name(card) for card in game.restock]
    actions = [action_name(step.action, step.phase) for step in game.log]
    more = f", sets={list(before.sets)}, deals={before.deals}" if game.rules.has_auction else ""
    return (
        "from forty5sim import Game, parse_action, parse_card, solve\n"
        f"pack = [parse_card(card) for card in {pack!r}.split()]\n"
        f"restock = [parse_card(card) for card in {restock}]\n"
        f"game = Game({game.rules.id!r}, {game.players}, dealer={game.dealer}, pack=pack,\n"
        f"    scores={list(before.scores)}, pot={before.pot}, playing={playing},"
        f" restock=restock{more})\n"
        f"for action in {actions}:\n"
        "    game.push(parse_action(action))\n"
        f"print(solve(game, objective={question.objective!r}, search={question.search!r},"
        f" tie={question.tie!r}))\n"
    )


# The program


def some_rules(rng: random.Random, families: Sequence[str]) -> RuleSet:
    """A preset, or a rule set with random options, of one of these families."""
    family = rng.choice(families)
    if rng.random() < 0.5:
        return random_rules(rng, families=[family])
    return rng.choice([rules for rules in presets().values() if rules.family == family])


def compare_random(rng: random.Random, rules: RuleSet, lines: int = LINES) -> list[str]:
    """Compare three questions about a random position; return what was compared, for counting."""
    game = random_position(rng, rules, lines)
    asked = rng.sample(questions(game), 3)
    compare(game, asked)
    return [f"{rules.family} {game.phase}: {q.objective}, {q.search} {q.tie}" for q in asked]


def main(words: list[str] | None = None) -> int:
    """Run from the command line; exit with 1 at the first difference."""
    parser = argparse.ArgumentParser(description="compare the solver with the reference")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--families", nargs="*", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--lines", type=int, default=LINES, help="of play in a position, at most")
    asked = parser.parse_args(words)
    counts: Counter[str] = Counter()
    for deal in tqdm(range(asked.first, asked.first + asked.deals), mininterval=5):
        rng = random.Random(f"{asked.seed} {deal}")
        try:
            counts.update(compare_random(rng, some_rules(rng, asked.families), asked.lines))
        except DifferenceError as difference:
            print(f"# deal {deal} of seed {asked.seed}\n{difference}")
            return 1
    for name, count in sorted(counts.items()):
        print(f"{count:8d}  {name}")
    print("no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
