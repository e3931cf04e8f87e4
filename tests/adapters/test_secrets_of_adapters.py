"""Nothing hidden is in an observation, whatever the hidden cards are.

The machinery of tests/test_secrets.py exchanges two cards that an observer cannot see and takes
the same public actions again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from forty5sim.adapters.memory import RememberedDeal
from forty5sim.adapters.observation import Layout, Sight, told
from forty5sim.cards import Action
from forty5sim.game import Step
from tests import test_secrets
from tests.test_secrets import World, compare


@dataclass
class RememberedWorld(World):
    """A deal under way in which the seats remember."""

    def __post_init__(self) -> None:
        self.deal = RememberedDeal(self.game)

    def _step(self, action: Action) -> Iterator[Step]:
        yield Step(self.game.seat, self.game.phase, action)
        self.deal.push(action)


def observed(world: RememberedWorld, observer: int | None) -> list[object]:
    """Return all that the adapters give an observer; what is public, if it is none of the seats."""
    game, is_seat = world.game, observer is not None
    view = world.deal.view(observer) if is_seat else world.deal.open_view()
    seat = observer if is_seat else 0
    sight = Sight(view, seat, world.deal.memories[seat])
    layout = Layout(game.rules, game.players, private=is_seat)
    vector = np.zeros(layout.size, dtype=np.float32)
    layout.write(sight, vector)
    assert np.abs(vector).max() <= 1
    return [vector.tolist(), told(sight, private=is_seat)]


def onlooker(world: RememberedWorld, observer: int | None) -> list[object]:
    """Return what one would see who looks into the cards of the next seat."""
    return observed(world, ((observer or 0) + 1) % world.game.players)


@pytest.fixture
def remembering(monkeypatch):
    monkeypatch.setattr(test_secrets, "World", RememberedWorld)
    monkeypatch.setattr(test_secrets, "seen_by", observed)


def test_no_hidden_card_is_in_an_observation(remembering):
    compared = [compare(random.Random(f"adapters/{seed}")) for seed in range(250)]
    assert sum(found is not None for found in compared) > 120


def test_who_looks_into_another_hand_would_be_found_out(remembering, monkeypatch):
    monkeypatch.setattr(test_secrets, "seen_by", onlooker)

    def look() -> None:
        for seed in range(100):
            compare(random.Random(f"leak/{seed}"))

    with pytest.raises(AssertionError):
        look()
