"""All that a seat must hold possible, found by trying everything (docs/rules.md 6).

Every deal of a small pack that agrees with what a seat has of its own is dealt in turn. Whatever
could then have been done is done, in public as it was seen, in secret in every possible way; and
where the seat first sees exactly what it sees, that is one history more: who may just be asked
something in secret has not yet answered. Nothing is inferred and nothing is skipped but what
cannot lead there, so that this is slow, and hard to get wrong.

As a program it holds samples of the library against the histories of all ``POSITIONS``, and exact
chances against those of random positions; it exits with 1 where they differ.

    python tests/reference/consistent.py --draws 1000000
    python tests/reference/consistent.py --draws 0 --random 10000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import forty5sim
from forty5sim.agent import View, view_of
from forty5sim.cards import (
    JOKER,
    Action,
    Card,
    CardSet,
    Mask,
    Seat,
    mask_of,
)
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.notation import DONE
from forty5sim.options import AUCTION
from tests.reference.small_deals import POSITIONS, Position, random_small_deal, stopped

World = tuple[tuple[Mask, ...], tuple[Mask, ...]]
"""What each seat holds, and what each seat has thrown."""


# --- histories --------------------------------------------------------------------------------


class Sight:
    """What a seat sees in a deal, and what it has had.

    Attributes:
        game: the deal.
        seat: the seat.
        view: its view.
        words: the public words of the view.
        own: every card that it ever had.
        drawn: how many cards have been drawn from the stock by all.
        one_kitty: whether only such deals are tried in which the kitty, once a bidder has taken
            it up, was the lowest of his cards. Which of them it was multiplies all numbers alike.
    """

    def __init__(self, game: Game, seat: Seat, every_kitty: bool = False) -> None:
        self.game, self.seat = game, seat
        self.view = view_of(game, seat)
        self.words = self.view._block(0, layout.PUBLIC_SIZE)
        self.own = self.view.hand.mask | self.view.thrown.mask | played_by(self.view, seat)
        self.drawn = cards_drawn(self.view)
        taken_up = self.view.trump is not None and self.view.bidder is not None
        self.one_kitty = taken_up and not every_kitty

    def is_had_by(self, game: Game) -> bool:
        """Say whether a deal looks the same to the seat."""
        if game._word(layout.PLAYS) != self.words[layout.PLAYS]:
            return False
        other = view_of(game, self.seat)
        return (
            other._words == self.words
            and other.hand == self.view.hand
            and other.thrown == self.view.thrown
            and other.legal_mask == self.view.legal_mask
        )

    def rules_out(self, game: Game) -> bool:
        """Say whether the seat has come to cards that it never had."""
        state = game._state
        return bool(
            (state[layout.HANDS + self.seat] | state[layout.THROWN + self.seat]) & ~self.own
        )


def consistent(game: Game, seat: Seat, *, every_kitty: bool = False) -> Counter[World]:
    """Return how many histories of a deal lead to each world that a seat holds possible.

    Where there is a kitty, or cards are drawn, all numbers may be too small or too large by one
    and the same factor: the stock has an order here, and see ``Sight.one_kitty``.
    """
    return Counter(world_of(found) for found in histories(game, seat, every_kitty=every_kitty))


def world_of(game: Game) -> World:
    """Return who holds which cards now, and who has thrown which."""
    return tuple(hand.mask for hand in game.hands), tuple(cards.mask for cards in game.thrown)


def histories(game: Game, seat: Seat, *, every_kitty: bool = False) -> Iterator[Game]:
    """Yield a deal in every form in which a seat sees what it sees now."""
    sight = Sight(game, seat, every_kitty)
    for pack in packs(sight):
        yield from continued(dealt_again(game, pack), sight)


def dealt_again(game: Game, pack: Sequence[Card]) -> Game:
    """Return the beginning of a deal, with other cards."""
    before = game.before
    return Game(
        game.rules,
        game.players,
        seed=game.seed,
        dealer=game.dealer,
        pack=pack,
        scores=before.scores,
        pot=before.pot,
        playing=game.dealt_in,
        sets=before.sets,
        deals=before.deals,
    )


def continued(game: Game, sight: Sight) -> Iterator[Game]:
    """Yield all that can follow from here, up to where the seat sees what it sees."""
    if sight.is_had_by(game):
        yield game
        return
    for action in actions_to_try(game, sight):
        for new_stock in new_stocks(game, sight, action):
            twin = game.copy()
            twin._rule_words = game._rule_words  # looked up once
            if new_stock:
                twin._lay_restock(new_stock)
            twin.push(action)
            if not sight.rules_out(twin):
                yield from continued(twin, sight)


def actions_to_try(game: Game, sight: Sight) -> list[Action]:
    """Return the legal actions that are, or may be, those which led to what is seen."""
    wanted = game.legal_actions
    if game.phase == "play":
        wanted = next_of(game, sight, layout.PLAYS, layout.HISTORY)
    elif game.phase == "auction":
        calls = next_of(game, sight, layout.CALLS, layout.CALL_LOG)
        wanted = [call & layout.CALL_BITS for call in calls]
    elif game.phase == "trump":
        wanted = [] if sight.view.trump is None else [sight.view.trump]
    elif game.phase == "discard":
        wanted = throws_to_try(game, sight)
    return [action for action in wanted if game.can(action)]


def next_of(game: Game, sight: Sight, count: int, log: int) -> list[int]:
    """Return what comes next in a public log, in a list; nothing at its end."""
    done = game._word(count)
    return sight.words[log + done : log + min(done + 1, sight.words[count])]


def throws_to_try(game: Game, sight: Sight) -> list[Action]:
    """Return what the seat to act may throw next, or that it has thrown all it threw."""
    seat = game.seat
    if game.discarded[seat] == sight.view.discarded[seat]:
        return [DONE]
    return list(sight.view.thrown if seat == sight.seat else game.hands[seat])


def new_stocks(game: Game, sight: Sight, action: Action) -> Iterable[tuple[Card, ...]]:
    """Return the orders in which thrown cards may come back, if this action needs a new stock."""
    if game.phase != "discard" or action != DONE or game.restock:
        return [()]
    drawn = int(game.rules.hand_size) - len(game.hands[game.seat])
    if drawn <= len(game.pack) - game._word(layout.STOCK):
        return [()]
    cards = CardSet(game._word(layout.THROWN_BEFORE))
    used = game.players * int(game.rules.hand_size) + game.rules.kitty_size
    return ordered(list(cards), sight.drawn - (len(game.pack) - used))


# --- deals ------------------------------------------------------------------------------------


def packs(sight: Sight) -> Iterator[list[Card]]:
    """Yield every order of the pack that may have been dealt, cards that lie together as a set."""
    if sight.game.rules.has_auction:
        return packs_with_a_kitty(sight)
    return packs_with_a_turnup(sight)


def packs_with_a_turnup(sight: Sight) -> Iterator[list[Card]]:
    """Yield every deal of a game in which a card is turned up, or trumps are fixed."""
    rules, view = sight.game.rules, sight.view
    turned = turned_up(view)
    free = [card for card in rules.deck_cards() if card not in turned]
    dealt = {s: played_by(view, s) for s in sight.game.dealt_in}
    if sight.seat in dealt:
        dealt[sight.seat] = sight.own
    places = [(mask & mask_of(free), int(rules.hand_size)) for mask in dealt.values()]
    for hands, rest in filled(places, free):
        yield [card for hand in hands for card in hand] + turned + rest


def turned_up(view: View) -> list[Card]:
    """Return the cards that were turned up, in order."""
    joker = [JOKER] if view._word(layout.JOKER_TURNED) else []
    return joker + [card for card in [view.turnup] if card not in (None, JOKER)]


def packs_with_a_kitty(sight: Sight) -> Iterator[list[Card]]:
    """Yield every deal of a bidding game; if cards are drawn, with every order of those."""
    deck = list(sight.game.rules.deck_cards())
    for mine in combinations(CardSet(sight.own), hand_dealt(sight, sight.seat)):
        for groups, stock in filled(places_dealt(sight, mask_of(mine)), deck):
            dealt = with_one_kitty(sight, groups) if sight.one_kitty else groups
            for order in ordered(stock, sight.drawn):
                yield [*(card for group in dealt for card in group), *order]


def hand_dealt(sight: Sight, seat: Seat) -> int:
    """Return how many cards a seat was dealt, those of a kitty that it took up included."""
    takes = sight.one_kitty and seat == sight.view.bidder
    return int(sight.game.rules.hand_size) + (sight.game.rules.kitty_size if takes else 0)


def places_dealt(sight: Sight, mine: Mask) -> list[tuple[Mask, int]]:
    """Return for each seat what it was dealt for certain, and how many cards; then the kitty."""
    view, places = sight.view, []
    for seat in range(view.players):
        may_have_come_later = sight.drawn or (seat == view.bidder and not sight.one_kitty)
        held = 0 if may_have_come_later else played_by(view, seat)
        places.append((mine if seat == sight.seat else held, hand_dealt(sight, seat)))
    return places if sight.one_kitty else [*places, (0, sight.game.rules.kitty_size)]


def with_one_kitty(sight: Sight, groups: Sequence[list[Card]]) -> list[list[Card]]:
    """Return hands dealt and the kitty where a bidder's lowest cards were the kitty."""
    size = sight.game.rules.kitty_size
    low_first = [sorted(group) for group in groups]
    bidder = sight.view.bidder
    hands = [group[size:] if s == bidder else group for s, group in enumerate(low_first)]
    return [*hands, *(group[:size] for s, group in enumerate(low_first) if s == bidder)]


def ordered(cards: Sequence[Card], count: int) -> Iterator[tuple[Card, ...]]:
    """Yield cards with every choice of the first ones in every order, the rest as they are."""
    for first in permutations(cards, min(count, len(cards))):
        yield first + tuple(card for card in cards if card not in first)


def cards_drawn(view: View) -> int:
    """Return how many cards have been drawn in the exchange, from the stock or a new one."""
    if view.rules.family != AUCTION or view.rules.draw == "off":
        return 0
    kitty = {view.bidder: view.rules.kitty_size}
    return sum(max(0, count - kitty.get(s, 0)) for s, count in enumerate(view.discarded))


def filled(
    places: Sequence[tuple[Mask, int]], cards: Sequence[Card]
) -> Iterator[tuple[list[list[Card]], list[Card]]]:
    """Yield every way to fill places, each with cards it has and its size, and what is left."""
    if not places:
        yield [], list(cards)
        return
    (held, size), *others = places
    claimed = mask_of(card for mask, _ in places for card in CardSet(mask))
    free = [card for card in cards if not claimed >> card & 1]
    for more in combinations(free, size - held.bit_count()):
        group = [*CardSet(held), *more]
        rest = [card for card in cards if card not in group]
        for groups, left in filled(others, rest):
            yield [group, *groups], left


def played_by(view: View, seat: Seat) -> Mask:
    """Return the cards that a seat has played."""
    tricks = [view.played_to(trick) for trick in view.history]
    return mask_of(
        [trick[seat] for trick in tricks if seat in trick]
        + [card for s, card in view.trick if s == seat]
    )


@lru_cache(maxsize=256)
def histories_of(position: Position) -> Counter[World]:
    """Return what ``consistent`` counts at a position."""
    return consistent(position.game(), position.seat)


MOST_PACKS = 200


def random_position(rng: random.Random, most_packs: int = MOST_PACKS) -> tuple[Game, Seat]:
    """Return a small deal stopped somewhere, with a seat; few enough deals can be tried for it."""
    while True:
        game = stopped(random_small_deal(rng), rng)
        seat = rng.randrange(game.players)
        if game.phase == "discard":
            seat = game.seat
        if sum(1 for _ in islice(packs(Sight(game, seat)), most_packs + 1)) <= most_packs:
            return game, seat


# --- comparing ----------------------------------------------------------------------------------

LEAST_EXPECTED = 5
"""What is to be expected at least in each cell of a chi-square test."""
BATCH = 20_000
UNLIKELY = 1e-5


def chances(worlds: Counter[World], players: int) -> NDArray[np.float64]:
    """Return the chance that a seat holds a card now, float64 of shape (players, 53)."""
    found = np.zeros((players, JOKER + 1))
    for (hands, _), count in worlds.items():
        for seat, hand in enumerate(hands):
            found[seat, list(CardSet(hand))] += count
    return found / sum(worlds.values())


def sampled(view: View, draws: int, seed: int = 0) -> Counter[World]:
    """Return how often each world comes among samples of the library."""
    found: Counter[World] = Counter()
    for batch in range(-(-draws // BATCH)):
        count = min(BATCH, draws - batch * BATCH)
        worlds = forty5sim.determinize(view, count, seed=seed + batch)
        rows = np.concatenate([worlds.hands, worlds.thrown], axis=1)
        different, counts = np.unique(rows, axis=0, return_counts=True)
        for row, times in zip(different.tolist(), counts.tolist(), strict=True):
            found[tuple(row[: view.players]), tuple(row[view.players :])] += times
    return found


def p_value(worlds: Counter[World], found: Counter[World]) -> float:
    """Return how likely samples are to be as far from what they should be; 0 if impossible."""
    draws, total = sum(found.values()), sum(worlds.values())
    if set(found) - set(worlds):
        return 0.0
    assert draws * min(worlds.values()) >= LEAST_EXPECTED * total, "more draws are needed"
    if len(worlds) == 1:
        return 1.0
    expected = [draws * count / total for count in worlds.values()]
    return float(stats.chisquare([found[world] for world in worlds], expected).pvalue)


def draws_needed(worlds: Counter[World], draws: int) -> int:
    """Return so many draws, or as many as a chi-square test needs."""
    return max(draws, -(-LEAST_EXPECTED * sum(worlds.values()) // min(worlds.values())))


def compare_samples(draws: int, seed: int) -> bool:
    """Print for each position whether samples are as they should be; say whether all are."""
    all_well = True
    for number, position in enumerate(POSITIONS):
        worlds, view = histories_of(position), view_of(position.game(), position.seat)
        found = sampled(view, draws_needed(worlds, draws), seed + 1000 * number)
        p = p_value(worlds, found)
        all_well &= p > UNLIKELY
        print(f"p = {p:8.2g}  {len(worlds):5} worlds  {position}", flush=True)
    return all_well


def compare_chances(count: int, seed: int) -> bool:
    """Print the random positions where exact chances differ; say whether there are none."""
    all_well = True
    for number in range(count):
        game, seat = random_position(random.Random(f"{seed}/{number}"))
        worlds = consistent(game, seat)
        found = forty5sim.marginals(view_of(game, seat))
        if not np.allclose(found, chances(worlds, game.players), atol=1e-9):
            all_well = False
            where = f"position {number} of seed {seed}, seat {seat}"
            print(f"{where}:\n{game.rules.id}\n{game}", flush=True)
    if count:
        print(f"{count} random positions: {'no difference' if all_well else 'differences'}")
    return all_well


def main() -> None:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=100_000, help="samples of each position")
    parser.add_argument("--random", type=int, default=0, help="random positions to compare")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    well = options.draws == 0 or compare_samples(options.draws, options.seed)
    well &= compare_chances(options.random, options.seed)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
