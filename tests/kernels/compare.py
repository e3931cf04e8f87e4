"""The engine against the slow reference; also the program of the long run.

    python tests/kernels/compare.py --deals 1000000 --seed 1 --workers 2
    python tests/kernels/compare.py --deals 0 --games 5000
    python tests/kernels/compare.py --deals 300000 --bidding    # games with an auction alone

At every decision both must be in the same phase, ask the same seat and allow the same actions; at
the end they must agree on tricks, points, chips, outcome and winner. Chunk k of a seed is always
the same, whatever the number of workers. Exits with 1 and a reproduction at the first difference.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

if __name__ in ("__main__", "__mp_main__"):
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.bids import BID_NAMES
from forty5sim.cards import CardSet, trump_name
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.named_rules import presets
from forty5sim.notation import SUIT_PHASES, WORDS, action_name
from forty5sim.options import BIDDING, FAMILIES
from forty5sim.rules import RuleSet
from tests.kernels.cases import CARD_OF, CARDS, AnyDeal, Case, random_case, reference_options
from tests.kernels.random_rules import random_rules
from tests.reference.bidding_deal import BiddingDeal
from tests.reference.game import play_game

BIT_OF = {name: 1 << card for name, card in CARD_OF.items()}
BIT_OF |= {f"{act} {name}": bit for name, bit in BIT_OF.items() for act in ("rob", "discard")}
BIT_OF |= {word: 1 << action for action, word in WORDS.items()}
BIT_OF |= {f"bid {name}": 1 << bid for bid, name in enumerate(BID_NAMES)}
BIT_OF |= {f"{act} {s}": 1 << i for i, s in enumerate("SCDH") for act in SUIT_PHASES}
CHUNK_DEALS, CHUNK_GAMES = 2000, 50
DEALS_PER_RULES = 40


class DifferenceError(AssertionError):
    """The engine and the reference disagree; the text is a program that shows it."""


def choose(legal: list[int], rng: random.Random) -> int:
    """An action at random; what is rare otherwise often, and now and then what is likely."""
    for often in (layout.KEEP, layout.DECLARE_JINK, layout.PASS, layout.HOLD):
        if often in legal and rng.random() < 0.6:
            return often
    if layout.PASS in legal and rng.random() < 0.6:
        return min(legal)  # the lowest bid, for long auctions
    if layout.DONE in legal and rng.random() < 0.7:
        return min(legal)  # one card more, so that the stock runs out
    return rng.choice(legal)


def compare_step(case: Case, game: Game, deal: AnyDeal, rng: random.Random) -> str:
    """Compare one decision, take it in the engine, and return it for the reference."""
    expect(case, "phase", game.phase, deal.phase)
    expect(case, "seat", game.seat, deal.seat)
    phase, mask = game.phase, game.legal_mask
    legal = list(CardSet(mask))
    if mask != sum([BIT_OF[action] for action in deal.legal()]):
        names = {action_name(action, phase) for action in legal}
        expect(case, "legal", sorted(names), sorted(deal.legal()))
    action = choose(legal, rng)
    name = action_name(action, phase)
    case.actions.append(name)
    game.push(action)
    if isinstance(deal, BiddingDeal):
        drawn = [CARDS[card] for card in game.restock]
        deal.shuffle = lambda thrown: drawn[-len(thrown) :]
    return name


def expect(case: Case, what: str, engine: object, reference: object) -> None:
    """Raise unless both say the same."""
    if engine != reference:
        raise DifferenceError(f"{case}\n# {what}: engine {engine}, reference {reference}")


def compare_deal(case: Case, rng: random.Random) -> str:
    """Play a deal in both; return what came of it."""
    game, deal = case.engine(), case.reference()
    while deal.phase != "over":
        expect(case, "trump", None if game.trump is None else trump_name(game.trump), deal.trump)
        deal.apply(compare_step(case, game, deal, rng))
    compare_result(case, game, deal)
    check_totals(case, game)
    return game.outcome


def compare_result(case: Case, game: Game, deal: AnyDeal) -> None:
    """Compare what came of a finished deal."""
    result: dict[str, Any] = deal.result()
    winner = int(game.state[layout.WINNER])
    played = [[CARD_OF[card] for card in trick["cards"]] for trick in deal.tricks]
    expect(case, "phase", game.phase, "over")
    expect(case, "legal", game.legal_mask, 0)
    expect(case, "points", game.points, result["points"])
    expect(case, "winner of the game", None if winner < 0 else winner, result["winner"])
    history = game.history
    expect(case, "winners", [t.winner for t in history], [t["winner"] for t in deal.tricks])
    expect(case, "played", [list(trick.cards) for trick in history], played)
    expect(case, "tricks", game.tricks, deal.tricks_won)
    expect(case, "hands", [{CARDS[c] for c in hand} for hand in game.hands], deal.hands)
    if case.rules.family == "pot":
        expect(case, "chips", game.scores, result["after"]["stacks"])
        expect(case, "pot", game.pot, result["after"]["pot"])
        expect(case, "outcome", game.outcome, result["outcome"])
    else:
        expect(case, "scores", game.scores, result["after"]["scores"])
    if isinstance(deal, BiddingDeal):
        compare_bidding(case, game, deal, result)


def compare_bidding(case: Case, game: Game, deal: BiddingDeal, result: dict[str, Any]) -> None:
    """Compare what only games with an auction have."""
    expect(case, "outcome", game.outcome, result["outcome"])
    expect(case, "sets", game.sets, result["after"]["sets"])
    expect(case, "deals", game.deals_counted, result["after"]["deals"])
    expect(case, "bidder", game.bidder, deal.bidder)
    expect(case, "bid", None if game.bid is None else BID_NAMES[game.bid], deal.bid)
    expect(case, "thrown", [{CARDS[c] for c in cards} for cards in game.thrown], deal.thrown)
    expect(case, "restock", [CARDS[c] for c in game.restock], deal.restock)


def check_totals(case: Case, game: Game) -> None:
    """Check what holds in every deal, whatever the reference says."""
    played = [card for trick in game.history for card in trick.cards]
    expect(case, "cards played twice", len(played) - len(set(played)), 0)
    expect(case, "tricks", sum(game.tricks), len(game.history))
    rules, total = case.rules, sum(game.points)
    if rules.has_auction:
        return
    if rules.family == "pot":
        expect(case, "chips in all", sum(game.scores) + game.pot, sum(case.scores) + case.pot)
    elif rules.trick_scoring == "points" and game.outcome != "jink-made":
        full = len(game.history) == rules.hand_size
        bonus = full and rules.bonus == "last_trick"
        if rules.bonus == "best_trump" and rules.bonus_needs_top == "off":
            bonus = full and any(map(game.is_trump, played))
        if rules.bonus_needs_top == "off":
            expect(case, "points in all", total, 5 * len(game.history) + 5 * bonus)


class GamePair:
    """A whole game in both: the reference plays and asks, the engine follows."""

    def __init__(self, rules: RuleSet, players: int, seed: int, rng: random.Random) -> None:
        self.game = Game(rules, players, seed=seed)
        self.rules, self.rng, self.dealers = rules, rng, list[int]()
        self.chips = sum(self.game.scores) + self.game.pot
        self.deal: AnyDeal | None = None

    def packs(self) -> Iterator[list[str]]:
        """The packs that the engine deals from, one after another."""
        more = True
        while True:
            if self.deal is not None:
                compare_result(self.case, self.game, self.deal)
                more = self.game.next_deal()
            names = [CARDS[card] for card in self.game.state[layout.DECK :].tolist()]
            pack = names[: len(self.rules.deck_cards())]
            place = self.game.players, self.game.dealer, self.game.scores, self.game.pot
            self.case = Case(self.rules, *place, pack, self.game.sets, self.game.deals_counted)
            expect(self.case, "the game goes on", more, True)
            self.dealers.append(self.game.dealer)
            yield pack

    def choose(self, deal: AnyDeal, _legal: set[str]) -> str:
        self.deal = deal
        if self.rules.family == "pot":
            expect(self.case, "chips", sum(self.game.scores) + self.game.pot, self.chips)
        return compare_step(self.case, self.game, deal, self.rng)


def compare_game(rules: RuleSet, players: int, seed: int, rng: random.Random) -> int:
    """Play a whole game in both; return the number of deals."""
    pair = GamePair(rules, players, seed, rng)
    game, sides = pair.game, rules.side_count(players)
    options = reference_options(rules)
    told: dict[str, Any] = play_game(
        options, players, sides, game.dealer, pair.packs(), pair.choose
    )
    assert pair.deal is not None
    compare_result(pair.case, game, pair.deal)
    expect(pair.case, "the game goes on", game.next_deal(), False)
    expect(pair.case, "deals", game.deal_number, told["deals"])
    expect(pair.case, "dealers", pair.dealers, told["dealers"])
    winners = told["winners"]
    if rules.family == "pot":
        expect(pair.case, "chips at the end", game.scores, told["stacks"])
        expect(pair.case, "pot at the end", game.pot, 0)
    else:
        winners = [seat for seat in range(players) if seat % sides in winners]
        expect(pair.case, "scores at the end", game.scores, told["scores"])
    expect(pair.case, "winners of the game", game.winners, winners)
    return int(told["deals"])


# The long run


@dataclass(frozen=True)
class Chunk:
    """A piece of work: so many deals, or whole games, from one seed."""

    seed: int
    number: int
    deals: int = 0
    games: int = 0
    families: tuple[str, ...] = FAMILIES


def run_chunk(chunk: Chunk) -> Counter[str]:
    """Compare a chunk; count what was played by rule set and by what came of it."""
    try:
        return played_in(chunk)
    except DifferenceError as difference:
        raise DifferenceError(f"{difference}\n# found in {chunk}") from None


def played_in(chunk: Chunk) -> Counter[str]:
    rng = random.Random(f"{chunk.seed}/{chunk.number}/{'games' if chunk.games else 'deals'}")
    played: Counter[str] = Counter()
    for _ in range(chunk.games):
        rules = random_rules(rng, whole_games=True, families=chunk.families)
        players = rng.choice(rules.players[:6])
        played[f"{rules.name} (deals of games)"] += compare_game(
            rules, players, rng.randrange(10**9), rng
        )
        played["whole games"] += 1
    named = [rules for rules in presets().values() if rules.family in chunk.families]
    for number in range(chunk.deals):
        if number % DEALS_PER_RULES == 0:
            own = random_rules(rng, families=chunk.families)
        rules = own if number % 2 else named[(chunk.number + number // 2) % len(named)]
        outcome = compare_deal(random_case(rules, rng.choice(rules.players), rng), rng)
        played[rules.name + (" + options" if number % 2 else "")] += 1
        played[f"{rules.family}: {outcome}"] += 1
    return played


def run(chunks: list[Chunk], workers: int) -> Counter[str]:
    """Compare all chunks with a progress bar."""
    total: Counter[str] = Counter()
    slow = 1 if sys.stderr.isatty() else 30
    with tqdm(total=sum(c.deals + c.games for c in chunks), mininterval=slow) as bar:
        for chunk, played in zip(chunks, played_by(chunks, workers), strict=True):
            total += played
            bar.update(chunk.deals + chunk.games)
    return total


def played_by(chunks: list[Chunk], workers: int) -> Iterator[Counter[str]]:
    if workers == 1:
        yield from map(run_chunk, chunks)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(run_chunk, chunks)


def pieces(total: int, size: int) -> list[int]:
    return [min(size, total - start) for start in range(0, total, size)]


def main(words: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="compare the engine with the reference")
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--bidding", action="store_true", help="games with an auction alone")
    asked = parser.parse_args(words)
    seed, families = asked.seed, BIDDING if asked.bidding else FAMILIES
    deals, games = pieces(asked.deals, CHUNK_DEALS), pieces(asked.games, CHUNK_GAMES)
    chunks = [Chunk(seed, i, n, 0, families) for i, n in enumerate(deals)]
    chunks += [Chunk(seed, i, 0, n, families) for i, n in enumerate(games)]
    try:
        total = run(chunks, asked.workers)
    except DifferenceError as difference:
        print(difference)
        return 1
    for name, count in sorted(total.items()):
        print(f"{count:10d}  {name}")
    print("no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
