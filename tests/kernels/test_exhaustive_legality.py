"""Every hand of one and of two cards against every card led, for each value of each option.

What is expected is worked out for all hands of one lead at once, from what the reference says of
single cards; a sample of the hands is put to the reference itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from forty5sim.cards import CardSet, card_name, parse_card
from forty5sim.kernels import layout
from forty5sim.named_rules import find_rules
from forty5sim.rules import RuleSet
from forty5sim.tables import order_offset, rule_tables
from tests.kernels import probes
from tests.kernels.cases import reference_options
from tests.reference import cards

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
SUITS = "SCDH"
SAMPLE = 2  # hands of each lead that are put to the reference itself
ONE_LED = [
    "plain_lead=follow_or_trump",
    "plain_lead=strict_follow",
    "plain_lead=must_follow_or_trump",
    "plain_lead=free",
    "renege=single_unconditional",
    "renege=none",
    "renege_cards=five_only",
    "renege_cards=five_only,renege=single_unconditional",
    "ah_lead_needs_heart=on",
    "head=five_cards",
    "rob_missed=ace_lowest",
    "joker=after_ah",
    "joker=before_ah",
    "joker=before_ah,ah_lead_needs_heart=on,renege=single_unconditional",
]
TWO_TRUMPS = [
    "renege=highest_so_far",
    "renege=highest_so_far,joker=after_ah",
    "renege=highest_so_far,ah_lead_needs_heart=on",
    "renege=expires_in_deal",
    "renege=expires_in_deal,joker=before_ah",
    "renege=expires_in_deal,rob_missed=ace_lowest",
]
RANKINGS = [
    "head=modern",
    "joker=after_ah",
    "joker=before_ah",
    "head=five_cards",
    "plain_red_ace=below_jack",
    "plain_red_ace=high,plain_black_ace=high",
    "rob_missed=ace_lowest",
]


@dataclass(frozen=True)
class Lead:
    """What lies on the table when a hand has to play, and what fell in earlier tricks."""

    rules: RuleSet
    trump: str
    trick: list[str]
    earlier: list[str]

    @property
    def missed(self) -> bool:
        return self.rules.rob_missed == "ace_lowest"

    @property
    def trump_led(self) -> bool:
        return cards.is_trump(self.trump, self.trick[0])

    def reference_card(self) -> str:
        """The card against which reneging is judged: the card led, or the best trump seen."""
        seen = [*self.trick, *self.earlier]
        order = cards.trumps(reference_options(self.rules), self.trump, self.missed)
        return next(card for card in order if card in seen) if self.trump_led else self.trick[0]

    def legal(self, hand: list[str]) -> set[str]:
        options = reference_options(self.rules)
        return cards.legal_cards(options, self.trump, hand, self.trick, self.earlier, self.missed)


def rules_of(changes: str) -> RuleSet:
    return find_rules(f"forty-five:{changes}")


def all_hands(rules: RuleSet, without: list[str]) -> tuple[Numbers, Numbers]:
    """All hands of one card (twice the same) and of two, as card numbers."""
    rest = [card for card in rules.deck_cards() if card_name(card) not in without]
    pairs = [(card, card) for card in rest] + list(combinations(rest, 2))
    first, second = np.array(pairs).T
    return first, second


def expected(lead: Lead, first: Numbers, second: Numbers) -> tuple[Flags, Flags]:
    """Whether the first and the second card of each hand may be played."""
    names = [card_name(card) for card in lead.rules.deck_cards()]
    is_trump = np.array([cards.is_trump(lead.trump, name) for name in names])
    trumps = is_trump[first], is_trump[second]
    if lead.trump_led:
        return expected_on_trumps(lead, names, is_trump, first, second)
    suit = cards.suit_of(lead.trick[0])
    follows = np.array([cards.suit_of(name) == suit for name in names]) & ~is_trump
    follow = follows[first], follows[second]
    either = follow[0] | trumps[0], follow[1] | trumps[1]
    can_follow = follow[0] | follow[1]
    rule = lead.rules.plain_lead
    if rule == "strict_follow":
        return follow[0] | ~can_follow, follow[1] | ~can_follow
    if rule == "follow_or_trump":
        return either[0] | ~can_follow, either[1] | ~can_follow
    if rule == "must_follow_or_trump":
        free = ~(either[0] | either[1])
        return either[0] | free, either[1] | free
    everything = np.ones(first.size, dtype=bool)
    return everything, everything


def expected_on_trumps(
    lead: Lead, names: list[str], is_trump: Flags, first: Numbers, second: Numbers
) -> tuple[Flags, Flags]:
    options = reference_options(lead.rules)
    trumps = is_trump[first], is_trump[second]
    place = lead.trick, lead.earlier, lead.missed
    if lead.rules.renege == "single_unconditional":
        single = (first == second) | ~(trumps[0] & trumps[1])
        privileged = cards.privileged(options, lead.trump, lead.missed)
        released = np.array([name in privileged for name in names])
    else:
        single = np.ones(first.size, dtype=bool)
        withheld = [
            trump and cards.may_withhold(options, lead.trump, name, *place)
            for name, trump in zip(names, is_trump, strict=True)
        ]
        released = np.array(withheld)
    released |= ~is_trump
    free = released[first] & released[second] & single
    legal = trumps[0] | free, trumps[1] | free
    if lead.rules.ah_lead_needs_heart == "on" and lead.trick[0] == "AH":
        hearts = np.array([cards.suit_of(name) == "H" for name in names]) & ~is_trump
        asked = ~trumps[0] & ~trumps[1] & (hearts[first] | hearts[second])
        legal = legal[0] & (hearts[first] | ~asked), legal[1] & (hearts[second] | ~asked)
    return legal


def check(lead: Lead, rng: random.Random) -> int:
    """Compare all hands of one lead; return the number of hands of two cards."""
    first, second = all_hands(lead.rules, [*lead.trick, *lead.earlier])
    hands = (1 << first) | (1 << second)
    may_first, may_second = expected(lead, first, second)
    answer = np.where(may_first, 1 << first, 0) | np.where(may_second, 1 << second, 0)
    legal = np.zeros_like(hands)
    order = order_offset(SUITS.index(lead.trump), ace_lowest=lead.missed)
    reference, led = parse_card(lead.reference_card()), parse_card(lead.trick[0])
    probes.legal_sweep(rule_tables(lead.rules), order, reference, led, hands, legal)
    wrong = np.nonzero(legal != answer)[0]
    for i in [*wrong[:1], *rng.choices(range(hands.size), k=SAMPLE)]:
        hand = str(CardSet(int(hands[i]))).split()
        told = {card_name(card) for card in CardSet(int(legal[i]))}
        assert told == lead.legal(hand), f"{lead.rules.id}, {lead.trump} trumps, {lead}, {hand}"
    assert wrong.size == 0
    return int((first != second).sum())


def single_leads(rules: RuleSet) -> Iterator[Lead]:
    for trump in SUITS:
        for card in rules.deck_cards():
            yield Lead(rules, trump, [card_name(card)], [])


def double_leads(rules: RuleSet) -> Iterator[Lead]:
    """A trump led and a better one, on the trick or fallen in an earlier trick."""
    for trump in SUITS:
        missed = rules.rob_missed == "ace_lowest"
        order = cards.trumps(reference_options(rules), trump, missed)
        for high, low in combinations(order, 2):
            yield Lead(rules, trump, [low, high], [])
            if rules.renege == "expires_in_deal":
                yield Lead(rules, trump, [low], [high])


@pytest.mark.parametrize("changes", ONE_LED)
def test_every_hand_against_every_card_led(changes: str) -> None:
    rules, rng = rules_of(changes), random.Random(changes)
    size = len(rules.deck_cards())
    assert sum(check(lead, rng) for lead in single_leads(rules)) == 4 * size * comb(size - 1, 2)


@pytest.mark.parametrize("changes", TWO_TRUMPS)
def test_every_hand_against_two_trumps(changes: str) -> None:
    rules, rng = rules_of(changes), random.Random(changes)
    leads = [*single_leads(rules), *double_leads(rules)]
    assert len(leads) >= 4 * 52 + 3 * comb(14, 2) + comb(13, 2)
    assert sum(check(lead, rng) for lead in leads) > 4 * 52 * comb(51, 2)


@pytest.mark.parametrize("changes", RANKINGS)
def test_every_trick_of_two_cards(changes: str) -> None:
    rules = rules_of(changes)
    missed, options = rules.rob_missed == "ace_lowest", reference_options(rules)
    deck = np.array(rules.deck_cards())
    names = [card_name(card) for card in deck]
    winners = np.zeros((deck.size, deck.size), dtype=np.int64)
    for trump in SUITS:
        order = order_offset(SUITS.index(trump), ace_lowest=missed)
        probes.winner_sweep(probes.new_state(), rule_tables(rules), order, deck, winners)
        for i, led in enumerate(names):
            beaters = int(rule_tables(rules)[order + layout.BEATERS + deck[i]])
            for j, other in enumerate(names):
                if i != j:
                    winner = cards.trick_winner(options, trump, [led, other], missed)
                    assert winners[i, j] == winner, (trump, led, other)
                    assert beaters >> int(deck[j]) & 1 == winner, (trump, led, other)
