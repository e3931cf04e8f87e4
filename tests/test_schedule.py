"""Who meets whom, in which seats: every design is balanced."""

from collections import Counter

import numpy as np
import pytest

from forty5sim.arena.schedule import (
    NEIGHBOURS,
    circular_orders,
    fixed_table,
    gauntlet,
    pair,
    round_robin,
)


@pytest.mark.parametrize("players", range(2, 11))
def test_everybody_follows_everybody_equally_often(players):
    orders = circular_orders(players)
    assert all(sorted(order) == list(range(players)) for order in orders)
    follows = Counter(
        (order[seat], order[(seat + 1) % players]) for order in orders for seat in range(players)
    )
    assert len(follows) == players * (players - 1)
    assert set(follows.values()) == {1 if players % 2 or players == 2 else 2}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_table_of_neighbours_seats_everybody_everywhere(players):
    table = fixed_table(tuple(range(players)), NEIGHBOURS)
    places = Counter((bot, seat) for seating in table.seatings for seat, bot in enumerate(seating))
    assert len(places) == players**2
    assert len(set(places.values())) == 1
    assert len(set(table.seatings)) == len(table.seatings)
    assert not table.is_duel


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (5, 5), (4, 2), (6, 2), (6, 3)])
def test_a_pair_is_balanced(players, sides):
    pairing = pair(0, 1, players, sides)
    places = Counter((b, s) for seating in pairing.seatings for s, b in enumerate(seating))
    assert len(set(places.values())) == 1
    assert (pairing.weights.sum(axis=0) == 0).all()
    for seating in pairing.seatings:  # partners are the same bot
        assert all(seating[s] == seating[s % sides] for s in range(players))


def test_a_gauntlet_is_new_bots_with_the_field():
    met = [pairing.bots for pairing in gauntlet(2, 5, 4, 2)]
    assert met == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    assert [pairing.bots for pairing in round_robin(3, 4, 2)] == [(0, 1), (0, 2), (1, 2)]


def test_payoffs_of_a_table_are_means_over_its_seats():
    table = fixed_table((0, 1, 1))
    assert table.divisor.tolist() == [3, 6]
    assert np.array_equal(table.weights.sum(axis=0), np.ones((3, 3)))
