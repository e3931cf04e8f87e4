"""The options of the search bots: what is wrong is refused with what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from forty5agents import search
from forty5sim.agent import CompiledAgent
from forty5sim.errors import AgentError
from forty5sim.registry import find_bot

FACTORIES: dict[str, Callable[..., CompiledAgent]] = {
    "mc": search.mc,
    "iimc": search.iimc,
    "pimc": search.pimc,
    "ismcts": search.ismcts,
}
HUGE = 10**400
WHOLES = [("mc", "worlds"), ("iimc", "worlds"), ("pimc", "worlds"), ("pimc", "nodes"),
          ("pimc", "solve"), ("ismcts", "iterations")]  # fmt: skip
REALS = [("mc", "caution"), ("iimc", "caution"), ("pimc", "caution"), ("ismcts", "c"),
         ("ismcts", "seconds")]  # fmt: skip
PLAYOUTS, UTILITIES = ["random", "cards", "mixed", "heuristic"], ["auto", "deal", "game"]
WORDS = {
    ("mc", "playout"): PLAYOUTS,
    ("mc", "utility"): UTILITIES,
    ("iimc", "inner"): ["random", "heuristic", "pimc"],
    ("iimc", "utility"): UTILITIES,
    ("pimc", "playout"): PLAYOUTS,
    ("pimc", "utility"): UTILITIES,
    ("ismcts", "playout"): PLAYOUTS,
    ("ismcts", "opponents"): ["maxn", "paranoid", "policy"],
    ("ismcts", "worlds"): ["common", "fresh"],
    ("ismcts", "utility"): UTILITIES,
}  # some of the words that each option knows


def wrong_numbers() -> Iterator[tuple[str, str, object]]:
    """Yield bots, options, and values that they cannot have."""
    for bot, option in WHOLES:
        for value in (-1, 1.5, 5.0, "many", True, float("nan"), 10**12, HUGE, -HUGE, (3,)):
            yield bot, option, value
        if option != "solve":
            yield bot, option, 0
    for bot, option in REALS:
        for value in (-1, "much", True, float("nan"), float("inf"), 1e300, HUGE, -HUGE, [1]):
            yield bot, option, value
    yield "ismcts", "seconds", 0


def refusal(make: Callable[[], object]) -> str:
    """Return what a bot that cannot be made says."""
    with pytest.raises(AgentError) as caught:
        make()
    return str(caught.value)


def test_wrong_numbers_are_refused_with_what_is_allowed() -> None:
    for bot, option, value in wrong_numbers():
        said = refusal(partial(FACTORIES[bot], **{option: value}))
        allowed = rf"{bot}: {option} must be a (whole )?number [\de.+-]+\.\.[\de.+]+, got "
        assert re.match(allowed, said), said


def test_wrong_words_are_refused_with_what_there_is() -> None:
    for (bot, option), known in WORDS.items():
        for value in ("hueristic", "", 3, None, True, float("nan"), ["random"], {}):
            said = refusal(partial(FACTORIES[bot], **{option: value}))
            assert said.startswith(f"{bot}: unknown {option} "), said
            assert set(known) <= set(said.split("known ")[2].split(": ")[1].split(", ")), said


def test_a_word_that_is_nearly_right_is_suggested() -> None:
    said = refusal(lambda: search.mc(playout="hueristic"))
    assert said.startswith("mc: unknown playout 'hueristic', did you mean 'heuristic'? known play")


def test_iterations_and_seconds_exclude_each_other() -> None:
    said = refusal(lambda: search.ismcts(iterations=100, seconds=1))
    assert said == "ismcts: give iterations or seconds, not both"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ismcts:iterations=0", "ismcts: iterations must be a whole number 1..4194304, got 0"),
        ("ismcts:iterations=1.5", "ismcts: iterations must be a whole number 1..4194304, got 1.5"),
        ("ismcts:iterations=9,seconds=1", "ismcts: give iterations or seconds, not both"),
        ("ismcts:c=-1", "ismcts: c must be a number 0..100, got -1"),
        ("ismcts:c=nan", "ismcts: c must be a number 0..100, got 'nan'"),
        ("ismcts:c=1e999", "ismcts: c must be a number 0..100, got inf"),
        ("ismcts:seconds=-1", "ismcts: seconds must be a number 1e-06..3600, got -1"),
        ("mc:worlds=0", "mc: worlds must be a whole number 1..100000, got 0"),
        ("mc:utility=gain", "mc: unknown utility 'gain'; known utilities: auto, deal, game"),
        ("iimc:inner=mc", "iimc: unknown inner 'mc'"),
        ("ismcts:opponents=all", "unknown opponents 'all'; known opponents: maxn, paranoid, pol"),
        ("ismcts:worlds=20", "ismcts: unknown worlds '20'; known worlds: common, fresh"),
        ("pimc:nodes=1e3", "pimc: nodes must be a whole number 1..1000000000, got 1000.0"),
        ("pimc:solve=11", "pimc: solve must be a whole number 0..10, got 11"),
        ("pimc:world=5", "bot 'pimc:world=5': unknown option 'world', did you mean 'worlds'?"),
        ("ismcts:iteration=5", "unknown option 'iteration', did you mean 'iterations'?"),
        ("ismct", "unknown bot 'ismct', did you mean 'ismcts'?"),
    ],
)
def test_a_spec_that_is_wrong_says_why(spec: str, message: str) -> None:
    assert message in refusal(lambda: find_bot(spec))


@pytest.mark.parametrize("spec", ["mc:caution=1e300", f"ismcts:c={'9' * 400}"])
def test_a_spec_with_a_huge_number_names_the_option(spec: str) -> None:
    assert "must be a number 0..100" in refusal(lambda: find_bot(spec))


def test_limits_are_allowed() -> None:
    for bot, options in {
        "mc": {"worlds": 1, "caution": 0},
        "pimc": {"worlds": 100_000, "nodes": 1, "solve": 0, "caution": 100},
        "ismcts": {"iterations": 1, "c": 0},
    }.items():
        assert FACTORIES[bot](**options).name == bot
    assert search.mc().repeats
    assert search.ismcts(iterations=5).repeats
    assert not search.ismcts(seconds=0.001).repeats
