"""How long a determinization takes, and a double-dummy search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import numpy as np

from forty5sim.agent import view_of
from forty5sim.bench.timing import Figure, rate_figure, time_figure, timed
from forty5sim.bids import parse_bid
from forty5sim.cards import Mask
from forty5sim.game import Game
from forty5sim.infoset import InformationSet
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.measures import measure_for
from forty5sim.notation import DONE, KEEP, PASS
from forty5sim.searches import Count, TrickSearch, VectorSearch

WORLDS, ROUNDS = 50, 400
DEALS = {"table": 2000, "2x2": 1000, "five-hundred": 20, "max^n": 100, "paranoid": 500}
"""How many deals each search solves in a run."""
UNBOUNDED = 10**12


def determinization_figures(runs: int) -> Iterator[Figure]:
    """Yield the time of a determinization: nothing known, one void, two different voids."""
    states = np.zeros((WORLDS, layout.STATE_SIZE), dtype=np.int64)
    for name, voids in (("nothing known", 0), ("one void", 1), ("two voids", 2)):
        infoset = InformationSet(view_of(_with_voids(voids)))
        times, yardstick = timed(partial(_fill, infoset, states), runs)
        count = WORLDS * ROUNDS
        yield time_figure(f"determinization, spoil-five 5p, {name}", count, times, yardstick)


def _fill(infoset: InformationSet, states: Vector) -> None:
    """Write determinizations over and over into the same place, as a search does."""
    for seed in range(ROUNDS):
        infoset.fill(states, seed)


def _with_voids(voids: int) -> Game:
    """Return a position of five players in which so many different suits were not followed."""
    for deal in range(10_000):
        game = _at_first_lead("spoil-five", 5, deal)
        rng = random.Random(deal)
        for _ in range(5 * voids):
            game.push(rng.choice(game.legal_actions))
        if game.phase == "play" and len(_shown_voids(game)) == voids:
            return game
    raise AssertionError("no such position among 10 000 deals")


def _shown_voids(game: Game) -> set[tuple[int, int]]:
    """Return the seats that did not follow a plain lead, each with the suit."""
    voids = set()
    for trick in game.history:
        led = game.effective_suit(trick.cards[0])
        for seat, card in game.played_to(trick).items():
            followed = game.effective_suit(card) in (led, game.trump)
            if led is not None and led != game.trump and not followed and seat != game.seat:
                voids.add((seat, led))
    return voids


def _at_first_lead(rules: str, players: int, deal: int) -> Game:
    """Return a deal about to be played; who may rob keeps the hand."""
    game = Game(rules, players, seed=1, deal=deal)
    while game.phase == "rob":
        game.push(KEEP if game.can(KEEP) else game.legal_actions[0])
    return game


def solver_figures(runs: int) -> Iterator[Figure]:
    """Yield the speed of the searches, each on deals just dealt."""
    few = max(3, runs // 5)
    yield _tricks("table", "two players", "forty-five", 2, runs, 0b01, in_us=True)
    yield _tricks("2x2", "five cards, tricks", "forty-five", 4, few, 0b0101)
    yield _five_hundred(few)
    yield _vectors(few)
    yield _tricks("paranoid", "five players, tricks", "spoil-five", 5, few, 0b00001, in_us=True)


def _dealt(rules: str, players: int, deals: int) -> Vector:
    """Return states of deals about to be played, whose right to rob has lapsed."""
    states = np.array([_at_first_lead(rules, players, deal).state for deal in range(deals)])
    states[:, layout.RIGHT] = -1
    return states


def _tricks(
    kind: str, what: str, rules: str, players: int, runs: int, seats: Mask, *, in_us: bool = False
) -> Figure:
    """Measure how long the exact tricks of some seats against the others take."""
    game, deals = Game(rules, players), DEALS[kind]
    states = _dealt(rules, players, deals)
    bounds = np.tile([0, int(game.rules.hand_size)], (deals, 1))

    def solve() -> None:
        TrickSearch(game.rules).narrow(states, Count(seats, seats), bounds, UNBOUNDED)

    times, yardstick = timed(solve, runs)
    if in_us:
        return time_figure(f"solver, {kind}, {what}", deals, times, yardstick)
    return rate_figure(f"solver, {kind}, {what}", "deals/s", deals, times, yardstick)


def _vectors(runs: int, players: int = 3) -> Figure:
    """Measure how long max^n of all tricks takes."""
    game, deals = Game("spoil-five", players), DEALS["max^n"]
    states = _dealt("spoil-five", players, deals)
    terms = measure_for(game, "tricks").terms(game, "first")
    assert terms is not None
    rows = np.tile(terms, (deals, 1))
    search = VectorSearch(game.rules, players)
    times, yardstick = timed(lambda: search.find(states, rows, UNBOUNDED), runs)
    return time_figure("solver, max^n, three players, tricks", deals, times, yardstick)


def _five_hundred(runs: int) -> Figure:
    """Measure one question to ten cards each: does a declarer, by turns in all trumps, take six?"""
    games = [_declared(deal) for deal in range(DEALS["five-hundred"])]
    rules = games[0].rules
    states = np.array([game.state for game in games])

    def solve() -> None:
        for game, state in zip(games, states, strict=True):
            own = measure_for(game, "contract")
            search = TrickSearch(rules)
            side = own.counted_side
            search.narrow(
                state[None, :], own.count(game, side), np.array([own.window(game, side)]), UNBOUNDED
            )

    times, yardstick = timed(solve, runs)
    return time_figure("solver, five-hundred, six tricks?", len(games), times, yardstick)


def _declared(deal: int) -> Game:
    """Return a deal in which the first seat has bid six, and thrown any three cards."""
    game = Game("five-hundred", seed=1, deal=deal)
    rng = random.Random(deal)
    game.push(parse_bid("6" + ("S", "C", "D", "H", "NT")[deal % 5]))
    while game.phase == "auction":
        game.push(PASS)
    while game.phase == "discard":
        game.push(rng.choice([a for a in game.legal_actions if a != DONE] or [DONE]))
    while game.phase == "assign":
        game.push(game.legal_actions[0])
    return game
