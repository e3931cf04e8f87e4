"""What a hand is worth: expected tricks, the chance of three or more, and of all five.

    values = evaluate("5H JH AH KD 2S", trump="H")              # two players: exact
    values = evaluate(hands, trump="S", players=5)              # more: played out by the heuristic

Two players are exact: all C(47, 5) other hands are counted, with perfect play of both and all
cards seen. More are played out: the other cards are dealt at random, a policy plays for everybody,
and the errors are standard errors. Trumps are named and nobody robs, unless a turn-up is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import (
    JOKER,
    Card,
    CardSet,
    Mask,
    Suit,
    card_name,
    parse_card,
    parse_suit,
    suit_of,
    trump_word,
)
from forty5sim.errors import NotationError, RuleSetError, SolverError, is_whole
from forty5sim.evaluation.equities import HandCounter, equity_table
from forty5sim.evaluation.playouts import ANYWHERE_ELSE, Table, play_around
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.named_rules import find_rules
from forty5sim.options import FIVE_HUNDRED, TURN_UP
from forty5sim.ranking import trump_ace
from forty5sim.rules import RuleSet

Hands: TypeAlias = str | CardSet | Sequence[str] | Sequence[CardSet] | Sequence[Mask] | Vector

POLICY = "heuristic"
PLAYOUTS = 20_000
SEED = 45
BOTH = ("leader", "others")
FEW_HANDS = 20_000
"""So many hands are counted one by one, half a second or so; more are looked up in a table."""
MOST_PLAYOUTS = 10**9
MOST_SEED = 2**63 - 1


@dataclass(frozen=True, eq=False)
class HandValues:
    """What hands are worth, a row a hand, a column a place at the table.

    Attributes:
        hands: masks of cards, int64, shape (n,).
        trump: the trump suit.
        players: at the table.
        places: what the columns are: ``leader`` leads to the first trick, ``others`` sits anywhere
            else, ``seat k`` is k to the leader's left.
        values: expected tricks, the chances to take three or more, and all five; float64 of shape
            (n, places, 3), also as ``tricks``, ``win3`` and ``win5``.
        errors: their standard errors, 0 where they are exact.
        n: how many deals each rests on; where it is exact all there are.
        policy: who played, None where they are exact.
    """

    hands: Vector
    trump: Suit
    players: int
    places: tuple[str, ...]
    values: Reals
    errors: Reals
    n: int
    policy: str | None

    @property
    def tricks(self) -> Reals:
        """Expected tricks, shape (n, places)."""
        return self.values[:, :, 0]

    @property
    def win3(self) -> Reals:
        """The chance to take three tricks or more, shape (n, places)."""
        return self.values[:, :, 1]

    @property
    def win5(self) -> Reals:
        """The chance to take all five, shape (n, places)."""
        return self.values[:, :, 2]

    @property
    def tricks_error(self) -> Reals:
        """The standard error of ``tricks``."""
        return self.errors[:, :, 0]

    @property
    def win3_error(self) -> Reals:
        """The standard error of ``win3``."""
        return self.errors[:, :, 1]

    @property
    def win5_error(self) -> Reals:
        """The standard error of ``win5``."""
        return self.errors[:, :, 2]

    @property
    def is_exact(self) -> bool:
        """Whether all deals were counted, with all cards seen."""
        return self.policy is None

    def __len__(self) -> int:
        return len(self.hands)

    def __str__(self) -> str:
        how = "exact, all cards seen" if self.is_exact else f"played by {self.policy}"
        lines = [f"{trump_word(self.trump)} trumps, {self.players} players, n {self.n} ({how})"]
        for i, hand in enumerate(self.hands.tolist()):
            for column, place in enumerate(self.places):
                lines.append(
                    f"{CardSet(hand)!s:<18} {place:<8} tricks {self.tricks[i, column]:.3f}"
                    f"  3+ {self.win3[i, column]:.4f}  5 {self.win5[i, column]:.4f}"
                )
        return "\n".join(lines)


def evaluate(
    hands: Hands,
    trump: str | Suit,
    players: int = 2,
    game: str | RuleSet = "forty-five",
    *,
    lead: str | int = "both",
    policy: str | None = None,
    playouts: int = PLAYOUTS,
    seed: int = SEED,
    turn_up: str | Card | None = None,
    dead: str | Iterable[Card] = (),
    paired: bool = False,
    progress: bool = False,
) -> HandValues:
    """Return what hands are worth with a trump suit.

    Args:
        hands: a hand as text (``"5H JH AH KD 2S"``), several, or masks of cards (int64 array).
        trump: the trump suit.
        players: at the table, the hand's seat among them.
        game: the game, with house rules.
        lead: ``eldest`` (the hand leads), ``others`` (anybody else does), ``both``, or the number
            of its seat from the leader's on, 0..players - 1.
        policy: the compiled bot that plays for everybody; by default two players are exact, and
            more are played by the heuristic. Tricks are those of the hand's own seat.
        playouts: deals for each hand and place.
        seed: fixes the deals: those around a hand are the same whatever else is asked for.
        turn_up: the card turned up, of the trump suit: then the deal is played out with robbing,
            as the policy likes it. Without one trumps are named, and nobody robs.
        dead: cards that nobody has, as thrown ones.
        paired: all hands meet the same shuffles, so that they can be compared.
        progress: show a bar where a table has to be built.

    Raises:
        NotationError: for what is no hand, card or suit, or cards that are held twice.
        RuleSetError: for a game that is not for so many players, or not played so.
        SolverError: for two players of a game without exact values, or a place that there is not.
        AgentError: for a policy that cannot play.
    """
    rules = find_rules(game) if isinstance(game, str) else game
    suit = _suit(trump, rules)
    turned = _turn_up(turn_up, suit)
    gone = _dead_mask(dead)
    masks = read_hands(hands, rules, gone | (0 if turned is None else 1 << turned))
    rules.side_count(players)
    places = _places(lead, players)
    if policy is None and players == 2 and turned is None:
        return _exact(masks, suit, rules, places, gone, progress)
    table = Table(
        _rules_for(rules, suit, turned), players, POLICY if policy is None else policy, turned, gone
    )
    _check_counts(playouts, seed)
    return _played(masks, suit, table, places, playouts, seed, paired)


# --- reading --------------------------------------------------------------------------------------


def read_hands(hands: Hands, rules: RuleSet, taken: Mask = 0) -> Vector:
    """Return hands as masks of cards, int64 of shape (n,).

    Raises:
        NotationError: unless each is as many different cards of the pack as a hand has, none of
            them ``taken``.
    """
    if isinstance(hands, np.ndarray):
        masks = np.asarray(hands, dtype=np.int64).reshape(-1)
    else:
        several = [hands] if isinstance(hands, (str, CardSet)) else hands
        masks = np.array([_hand_mask(hand) for hand in several], dtype=np.int64)
    pack = CardSet(rules.deck_cards()).mask
    size = int(rules.hand_size)
    wrong = (np.bitwise_count(masks) != size) | (masks & ~(pack & ~taken) != 0)
    if masks.size and wrong.any():
        raise NotationError(_fault(CardSet(int(masks[int(np.argmax(wrong))])), size, pack, taken))
    return masks


def _hand_mask(hand: object) -> Mask:
    if isinstance(hand, CardSet):
        return hand.mask
    if isinstance(hand, str):
        return _mask_in(hand, "hand")
    if is_whole(hand, 0, 2**53 - 1):
        return int(hand)  # type: ignore[call-overload, no-any-return]
    raise NotationError(f"a hand is a text as '5H JH AH KD 2S', or a mask, got {hand!r}")


def _mask_in(text: str, what: str) -> Mask:
    """Return the cards of a text, which must differ."""
    mask = 0
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if mask >> card & 1:
            raise NotationError(f"{what} {text!r} has {card_name(card)} twice")
        mask |= 1 << card
    return mask


def _fault(hand: CardSet, size: int, pack: Mask, taken: Mask) -> str:
    """Return what is wrong with a hand."""
    if hand.mask & ~pack:
        return f"hand {str(hand)!r}: {CardSet(hand.mask & ~pack)} is not in the pack"
    if hand.mask & taken:
        return (
            f"hand {str(hand)!r}: {CardSet(hand.mask & taken)} cannot be held, it is known to lie"
        )
    return f"hand {str(hand)!r} has {len(hand)} cards, not {size}"


def _dead_mask(dead: str | Iterable[Card]) -> Mask:
    return _mask_in(dead, "dead cards") if isinstance(dead, str) else CardSet(dead).mask


def _suit(trump: str | Suit, rules: RuleSet) -> Suit:
    suit = parse_suit(trump) if isinstance(trump, str) else trump
    if rules.family == FIVE_HUNDRED:
        raise RuleSetError(f"{rules.name} is no five-fingers game: its hands are not valued here")
    if not is_whole(suit, 0, 3):
        raise NotationError(f"trump must be a suit, S, C, D, H or 0..3, got {trump!r}")
    return suit


def _turn_up(card: str | Card | None, trump: Suit) -> Card | None:
    if card is None:
        return None
    turned = parse_card(card) if isinstance(card, str) else card
    if not is_whole(turned, 0, JOKER - 1) or suit_of(turned) != trump:
        shown = card_name(turned) if is_whole(turned, 0, JOKER) else repr(card)
        raise NotationError(
            f"the turn-up must be a card of the trump suit, {trump_word(trump)}; got {shown}"
        )
    return turned


def _rules_for(rules: RuleSet, trump: Suit, turned: Card | None) -> RuleSet:
    """Return the rules to play out by: with a trump suit fixed if no card is turned up."""
    if rules.family not in TURN_UP:
        raise RuleSetError(
            f"{rules.name} has an auction: its hands cannot be played out by themselves"
        )
    if turned is None:
        return rules.with_options(trump="SCDH"[trump])
    if not rules.turns_up:
        raise RuleSetError(f"in {rules.id} no card is turned up")
    return rules


def _places(lead: str | int, players: int) -> list[int]:
    """Return positions: 0 leads, ``ANYWHERE_ELSE`` any other."""
    named = {"both": [0, ANYWHERE_ELSE], "eldest": [0], "others": [ANYWHERE_ELSE]}
    if isinstance(lead, str) and lead in named:
        return named[lead]
    if not is_whole(lead, 0, players - 1):
        raise SolverError(
            f"lead must be eldest, others, both, or a seat 0..{players - 1} from the leader on,"
            f" got {lead!r}"
        )
    return [int(lead)]


def _place_name(position: int) -> str:
    return {0: "leader", ANYWHERE_ELSE: "others"}.get(position, f"seat {position}")


def _check_counts(playouts: int, seed: int) -> None:
    if not is_whole(playouts, 2, MOST_PLAYOUTS):
        raise SolverError(f"playouts must be a whole number 2..{MOST_PLAYOUTS}, got {playouts!r}")
    if not is_whole(seed, 0, MOST_SEED):
        raise SolverError(f"seed must be a whole number from 0 on, got {seed!r}")


# --- exact ----------------------------------------------------------------------------------------


def _exact(
    masks: Vector, trump: Suit, rules: RuleSet, places: list[int], dead: Mask, progress: bool
) -> HandValues:
    values = np.empty((len(places), len(masks), 3))
    if not dead and len(masks) > FEW_HANDS:
        table = equity_table(rules, trump, progress=progress)
        for column, place in enumerate(places):
            table.values(masks, trump, leads=place == 0, out=values[column])
    else:
        counts = HandCounter(rules, trump).counts(masks, np.full(len(masks), dead))
        for column, place in enumerate(places):
            values[column] = _shares(counts.sum(axis=2 if place == 0 else 1))
    n = comb(47 - dead.bit_count(), 5)
    errors = np.broadcast_to(np.zeros(1), (len(masks), len(places), 3))
    names = tuple(map(_place_name, places))
    return HandValues(masks, trump, 2, names, values.swapaxes(0, 1), errors, n, None)


def _shares(counts: NDArray[np.int64]) -> Reals:
    """Return tricks, P(3+), P(5) from counts by tricks, shape (n, outcomes); (n, 3)."""
    total = counts.sum(axis=1)
    tricks = counts @ np.arange(counts.shape[1])
    sums = np.stack([tricks, counts[:, 3:].sum(axis=1), counts[:, 5]], axis=1)
    return np.asarray(sums / total[:, None])


# --- played out -----------------------------------------------------------------------------------


def _played(
    masks: Vector,
    trump: Suit,
    table: Table,
    places: list[int],
    playouts: int,
    seed: int,
    paired: bool,
) -> HandValues:
    found = [play_around(masks, table, p, playouts, seed, paired=paired) for p in places]
    counts = np.stack(found, axis=1)
    tricks = np.arange(counts.shape[2])
    three, five = counts[:, :, 3:].sum(axis=2), counts[:, :, 5]
    means = np.stack([counts @ tricks, three, five], axis=2) / playouts
    squares = np.stack([counts @ tricks**2, three, five], axis=2) / playouts
    errors = np.sqrt(np.maximum(squares - means**2, 0.0) / (playouts - 1))
    names = tuple(map(_place_name, places))
    return HandValues(masks, trump, table.players, names, means, errors, playouts, table.policy)


# --- robbing, two players -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RobValue:
    """What robbing is worth to one of two players, exactly, all cards seen.

    Attributes:
        hand: the hand before.
        turn_up: the card taken.
        places: ``leader`` and ``others``; only ``others``, the dealer, with the ace turned up.
        kept: tricks, P(3+), P(5) if the hand is kept: float64 of shape (places, 3).
        thrown: the cards that may be thrown, ascending.
        robbed: the same after throwing each: shape (cards, places, 3).
        n: how many hands the other may have.
    """

    hand: CardSet
    turn_up: Card
    places: tuple[str, ...]
    kept: Reals
    thrown: tuple[Card, ...]
    robbed: Reals
    n: int

    @property
    def best(self) -> Reals:
        """Of each number the best after robbing: shape (places, 3)."""
        return np.asarray(self.robbed.max(axis=0))

    @property
    def gain(self) -> Reals:
        """What robbing with the best discard for each number adds: shape (places, 3)."""
        return np.asarray(self.best - self.kept)


def rob_value(
    hand: str | CardSet, turn_up: str | Card, game: str | RuleSet = "forty-five"
) -> RobValue:
    """Return what it is worth to rob, for the holder of the ace, or the dealer with the ace turned.

    The thrown card, or the turn-up left lying, is dead; robbing is before the first lead.

    Raises:
        NotationError: for what is no hand or card, or a hand without the right to rob.
        SolverError: for a game without exact values.
    """
    rules = find_rules(game) if isinstance(game, str) else game
    turned = parse_card(turn_up) if isinstance(turn_up, str) else turn_up
    trump = suit_of(turned)
    held = CardSet(int(read_hands(hand, rules, 1 << turned)[0]))
    ace = trump_ace(trump)
    if turned != ace and ace not in held:
        raise NotationError(f"hand {str(held)!r} cannot rob: it has no {card_name(ace)}")
    hands = [held.mask, *(held.mask ^ 1 << card | 1 << turned for card in held)]
    dead = [1 << turned, *(1 << card for card in held)]
    counts = HandCounter(rules, trump).counts(hands, dead)
    values = np.stack([_shares(counts.sum(axis=axis)) for axis in (2, 1)], axis=1)
    places = BOTH[1:] if turned == ace else BOTH
    values = values[:, -len(places) :]
    return RobValue(held, turned, places, values[0], tuple(held), values[1:], comb(46, 5))
