"""Bits and random numbers: the same with and without the JIT, for ever."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from forty5sim.cards import card_name
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.kernels.rng import PURPOSE_DEAL, PURPOSE_DECISION, PURPOSE_GAME, SLOTS
from forty5sim.named_rules import find_rules
from forty5sim.tables import rule_tables
from tests.kernels import probes

pytestmark = pytest.mark.jit_off

WORD = (1 << 64) - 1
SMALL = "5S+JS+AS+KS+QS+2S+3S+AH+KH+QH+2H+3H+4D"
GOLDEN_HANDS = ["2S 10S 10D QD KH", "KS 2C AC JD 10H", "4S 10C 3D 6H JH", "8S 9C 2H 5H 9H"]
GOLDEN_KEYS = [
    3249320678913592053,
    5806801723504624090,
    6340254588054429212,
    -2458196683931557911,
    2162973890378633713,
]


def signed(word: int) -> int:
    word &= WORD
    return word - (1 << 64) if word >> 63 else word


def splitmix(word: int) -> int:
    """The finaliser of splitmix64 in Python's whole numbers."""
    word &= WORD
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & WORD
    return signed(word ^ word >> 31)


def draw(key: int, number: int) -> int:
    """Draw ``number`` of a key, as in the kernels."""
    return splitmix(key ^ (number + 1) * 0x9E3779B97F4A7C15)


def samples(count: int) -> list[int]:
    rng = random.Random(5)
    edges = [0, 1, -1, 2**31, 2**32, 2**63 - 1, -(2**63)]
    return edges + [signed(rng.getrandbits(64)) for _ in range(count)]


@pytest.mark.parametrize("bit_count", [1, 2, 4, 5, 6, 30, 63])
def test_bits_of_masks(bit_count: int) -> None:
    rng = random.Random(bit_count)
    facts = np.zeros(4, dtype=np.int64)
    for _ in range(20):
        places = sorted(rng.sample(range(63), bit_count))
        mask, n = sum(1 << place for place in places), rng.randrange(bit_count)
        probes.bit_facts(mask, n, facts)
        assert facts.tolist() == [bit_count, places[0], places[n], mask if mask & 1 else n]


def test_every_bit_of_a_full_mask() -> None:
    facts = np.zeros(4, dtype=np.int64)
    for n in range(63):
        probes.bit_facts(2**63 - 1, n, facts)
        assert facts[2] == n


def test_product_wraps_round() -> None:
    values = samples(10)
    for x in values:
        for y in values:
            assert probes.product(x, y) == signed(x * y)


def test_mix_is_the_finaliser_of_splitmix64() -> None:
    for word in samples(40):
        assert probes.mixed(word) == splitmix(word)


def test_draws_of_key_0_are_the_published_stream_of_splitmix64() -> None:
    published = [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
        0xF88BB8A8724C81EC,
        0x1B39896A51A8749B,
    ]
    assert [probes.drawn(0, n) & WORD for n in range(5)] == published


def test_golden_keys() -> None:
    """Numbers that must never change: every published result stands on them."""
    found = [
        probes.key_of_deal(0, 0, PURPOSE_DEAL),
        probes.key_of_deal(1, 0, PURPOSE_DEAL),
        probes.key_of_deal(1, 1, PURPOSE_DECISION),
        probes.key_of_deal(-5, 7, PURPOSE_GAME),
        probes.key_of_decision(123, 9, 14),
    ]
    assert found == GOLDEN_KEYS


def test_decision_keys_differ() -> None:
    slots = layout.SLOT_PLAY + layout.MAX_TRICKS
    assert slots <= SLOTS
    keys = {probes.key_of_decision(77, s, slot) for s in range(10) for slot in range(slots)}
    assert len(keys) == 10 * slots


def test_deal_keys_differ_by_seed_deal_and_purpose() -> None:
    purposes = (PURPOSE_DEAL, PURPOSE_DECISION, PURPOSE_GAME)
    keys = {probes.key_of_deal(s, d, p) for s in range(8) for d in range(8) for p in purposes}
    assert len(keys) == 8 * 8 * 3


def test_number_below_takes_the_low_half() -> None:
    assert probes.number_below(0, 52) == 0
    assert probes.number_below(0xFFFFFFFF, 52) == 51
    assert probes.number_below(-1, 1) == 0
    assert probes.number_below(0x7F_80000000, 10) == 5


def test_numbers_below_are_even() -> None:
    count = Counter(probes.number_below(probes.drawn(9, n), 5) for n in range(2000))
    assert sorted(count) == [0, 1, 2, 3, 4]
    assert all(abs(times - 400) < 4 * 18 for times in count.values())  # 4 standard errors


@pytest.mark.parametrize("spec", ["forty-five", "forty-five-joker", "forty-five:deck=" + SMALL])
def test_a_pack_is_shuffled_as_it_always_was(spec: str) -> None:
    """Fisher and Yates from the front; each word serves two cards, its low half the first."""
    rules = find_rules(spec)
    found = np.zeros((3, len(rules.deck_cards())), dtype=np.int64)
    probes.shuffles(probes.new_state(), rule_tables(rules), 6, found.shape[1], found)
    for deal in range(3):
        pack, key = list(rules.deck_cards()), probes.key_of_deal(6, deal, PURPOSE_DEAL)
        for i in range(len(pack)):
            half = draw(key, i // 2) >> 32 * (i % 2) & 0xFFFFFFFF
            j = i + (half * (len(pack) - i) >> 32)
            pack[i], pack[j] = pack[j], pack[i]
        assert found[deal].tolist() == pack


def test_a_golden_deal() -> None:
    """The cards of a seed must never change."""
    game = Game("forty-five", 4, seed=2026)
    assert [str(hand) for hand in game.hands] == GOLDEN_HANDS
    assert (game.dealer, card_name(game.turnup or 0)) == (3, "KD")
