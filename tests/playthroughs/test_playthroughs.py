"""One whole game per preset, compared line by line with what it was.

After a change on purpose: ``python tests/playthroughs/regenerate.py``, and look at the difference.
"""

from __future__ import annotations

from itertools import zip_longest

import pytest

from forty5sim.named_rules import presets
from tests.playthroughs.playthrough import FOLDER, file_of, game_of, playthrough


@pytest.mark.parametrize("name", list(presets()))
def test_the_game_is_played_as_it_was(name: str) -> None:
    path = file_of(name)
    before = path.read_text(encoding="utf-8").splitlines()
    pairs = zip_longest(playthrough(*game_of(name)), before, fillvalue="(nothing)")
    for number, (now, then) in enumerate(pairs, start=1):
        assert now == then, f"{path.name}, line {number}: expected {then!r}, got {now!r}"


def test_every_preset_has_a_playthrough() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(presets())


def test_together_they_show_everything() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    for what in (
        "-> rob ", "-> keep", "-> jink", "-> stop", "spoiled:", "pot-won:", "scored:",
        "jink-made:", "jink-failed:", "turned up JK", "has thrown",
    ):  # fmt: skip
        assert what in text, what
