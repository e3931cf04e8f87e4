"""The counts of action sequences in the conformance suite; on a difference the divide is shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from forty5sim.cards import card_name
from forty5sim.counting import divide, perft
from forty5sim.errors import IllegalActionError
from forty5sim.game import Game
from forty5sim.named_rules import presets
from forty5sim.notation import action_name
from tests.kernels.cases import Case
from tests.perft.perft_files import Entry, read_entries, read_rows

ENTRIES = read_entries()
REFERENCE_MOST = 1500


def check(entry: Entry, game: Game, depth: int, count: int) -> None:
    found = perft(game, depth)
    if found != count:
        parts = "\n".join(f"  {name}: {n}" for name, n in divide(game, depth).items())
        pytest.fail(f"{entry.id}: perft {depth} is {found}, not {count}; divide:\n{parts}\n{game}")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_counts(entry: Entry) -> None:
    game = entry.game()
    for depth, count in entry.counts:
        check(entry, game, depth, count)


def test_every_preset_is_counted() -> None:
    assert {entry.rules for entry in ENTRIES} == set(presets())
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)


def test_the_cards_written_out_are_those_of_the_seed() -> None:
    assert [entry.row() for entry in ENTRIES] == read_rows()


def count_by_reference(deal: Any, depth: int) -> int:
    """Count sequences by the slow reference."""
    if deal.phase == "over":
        return 0
    legal = deal.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = copy.deepcopy(deal)
        after.apply(action)
        total += count_by_reference(after, depth - 1)
    return total


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_small_counts_agree_with_the_reference(entry: Entry) -> None:
    game = entry.game()
    pack = [card_name(card) for card in game.pack]
    scores = list(game.before.scores)
    deal: Any = Case(
        game.rules, game.players, game.dealer, scores, game.before.pot, pack
    ).reference()
    for step in game.log:
        deal.apply(action_name(step.action, step.phase))
    small = [(depth, count) for depth, count in entry.counts if count <= REFERENCE_MOST]
    assert len(small) >= 2
    for depth, count in small:
        assert count_by_reference(deal, depth) == count


def test_a_wrong_count_shows_the_divide() -> None:
    entry = ENTRIES[0]
    depth, count = entry.counts[2]
    game = entry.game()
    assert sum(divide(game, depth).values()) == count
    with pytest.raises(pytest.fail.Exception, match=r"divide:\n  .*: [0-9]+\n"):
        check(entry, game, depth, count + 1)


@pytest.mark.parametrize("depth", [-1, 56, 10**12])
def test_an_impossible_depth_is_refused(depth: int) -> None:
    with pytest.raises(IllegalActionError, match=r"depth must be 0\.\.55"):
        perft(Game("forty-five", seed=1), depth)


@pytest.mark.jit_off
def test_in_plain_python() -> None:
    game = Game("spoil-five", 2, seed=1, deal=3)
    assert perft(game, 0) == 1
    assert perft(game, 1) == len(game.legal_actions)
    assert perft(game, 3) == sum(divide(game, 3).values())
