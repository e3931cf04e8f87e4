"""The search bots: blind to hidden cards, lawful in every game, the same however they are asked.

They share kernels (``trials``, ``tree``) and working memory that keeps what was left there, so what
they choose must depend on nothing but the view, its key and their options: not on the true deal,
not on what was played before, not on the JIT.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from forty5agents import search
from forty5sim.agent import CompiledAgent, View, as_plain, view_of
from forty5sim.cards import Action
from forty5sim.errors import AgentError
from forty5sim.game import Game
from forty5sim.infoset import InformationSet
from forty5sim.kernels import findings, rows
from forty5sim.kernels.vector import Vector
from forty5sim.match import Conditions, Rows, plain_twin, play_pairing
from forty5sim.named_rules import find_rules, presets
from forty5sim.registry import find_bot
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules

ROOT = Path(__file__).parents[1]
MC, IIMC, ISMCTS = "mc:worlds=20", "iimc:worlds=20", "ismcts:iterations=60"
PIMC = "pimc:worlds=20,nodes=300"
BOTS = (MC, IIMC, PIMC, ISMCTS)
QUICK = ("mc:worlds=4", "iimc:worlds=4", "pimc:worlds=3,nodes=100", "ismcts:iterations=12")
PHASES = {"auction", "trump", "discard", "assign", "name", "rob", "play", "jink"}
FAMILIES = [
    ("forty-five", 3),
    ("forty-five-last-trick", 4),
    ("spoil-five-strict", 4),
    ("auction-forty-fives", 4),
    ("five-hundred", 4),
]  # games and seats
jit_off = pytest.mark.jit_off
each_bot = pytest.mark.parametrize("spec", BOTS)
each_preset = pytest.mark.parametrize("name", list(presets()))


class Finding(NamedTuple):
    """What a search found about an action."""

    action: Action
    visits: int
    total: float
    squares: float


class Choice(NamedTuple):
    """What a bot answered, and what it had found."""

    action: Action
    tried: int
    findings: list[Finding]


@cache
def compiled(spec: str) -> CompiledAgent:
    agent = find_bot(spec).compiled
    assert agent is not None
    return agent


def choice(spec: str, view: View, workspace: Vector | None = None) -> Choice:
    """Ask a bot once, in a workspace of zeros or in this one."""
    agent = as_plain(compiled(spec))
    if workspace is not None:
        agent.workspace = workspace
    action = agent.act(view)
    return Choice(action, *read_findings(agent.workspace))


def read_findings(workspace: Vector) -> tuple[int, list[Finding]]:
    """Return how often a search tried, and what it found."""
    count = int(workspace[findings.COUNT])
    table = workspace[findings.ROWS : findings.ROWS + count * findings.ROW_SIZE]
    found = []
    for words in table.reshape(count, findings.ROW_SIZE):
        reals = words.view(np.float64)
        action, visits = int(words[findings.ACTION]), int(words[findings.VISITS])
        total, squares = float(reals[findings.TOTAL]), float(reals[findings.SQUARES])
        found.append(Finding(action, visits, total, squares))
    return int(workspace[findings.TRIED]), found


@cache
def positions(name: str) -> list[Game]:
    """Return decisions of a preset met in random play: some of every phase, at tables of any size.

    Only at the usual table they are part of a game, whose chances to win must be worked out.
    """
    rules, rng = presets()[name], random.Random(name)
    found: list[Game] = []
    count: Counter[str] = Counter()
    for seed in range(120):
        players = rng.choice(rules.players)
        game = Game(rules, players, seed=seed, alone=players != rules.default_players)
        while not game.deal_is_over:
            rare = game.phase in ("assign", "name", "jink")
            if len(game.legal_actions) > 1 and count[game.phase] < 3 and rng.random() < 0.3 + rare:
                count[game.phase] += 1
                found.append(game.copy())
            game.push(choose(game.legal_actions, rng))
    return found


def table(bots: Sequence[int], players: int) -> list[list[int]]:
    """Return seatings in which these bots sit in turn, each of them first in one."""
    turns = range(len(bots))
    return [[bots[(seat + turn) % len(bots)] for seat in range(players)] for turn in turns]


def played(
    conditions: Conditions, specs: Sequence[str], first: int, count: int, *, plain: bool = False
) -> Rows:
    """Play some boards of these bots against each other, without faults."""
    bots = [find_bot(spec) for spec in specs]
    bots = [plain_twin(bot) for bot in bots] if plain else bots
    seatings = table(range(len(bots)), conditions.players)
    found, faults = play_pairing(conditions, bots, seatings, first, count, stop_on_fault=False)
    assert not faults, (conditions, [str(fault) for fault in faults])
    assert (found[:, :, rows.ROW_FORFEIT] == -1).all()
    return found


# --- nobody looks at hidden cards ---------------------------------------------------------------


def worlds_like(game: Game, count: int) -> list[Game]:
    """Return games in which all that the seat to act sees is the same, but hidden cards are not."""
    worlds = InformationSet(view_of(game)).determinize(4 * count)
    others = [world for world in worlds if world.hands != game.hands or world.kitty != game.kitty]
    return others[:count]


def expect_blind(ask: Callable[[Game, View], object], game: Game, count: int = 2) -> int:
    """Expect the same answer whatever cards are hidden; return how many deals were tried."""
    view = view_of(game)
    answer = ask(game, view)
    worlds = worlds_like(game, count)
    for world in worlds:
        same = view_of(world)
        same.key = view.key
        assert (same._words, same.hand, same.legal) == (view._words, view.hand, view.legal)
        assert ask(world, same) == answer, f"a leak of the true deal:\n{view}"
    return len(worlds)


@each_preset
@each_bot
def test_hidden_cards_change_no_choice(spec: str, name: str) -> None:
    tried = [expect_blind(lambda _, view: choice(spec, view), game, 1) for game in positions(name)]
    assert sum(tried) >= len(tried)


def test_positions_of_every_phase_are_asked_about() -> None:
    assert {game.phase for name in presets() for game in positions(name)} == PHASES


class Peeker:
    """A bot that turns up a hidden card: of the player on its left, where there is one."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def act(self, view: View) -> Action:
        seen = self.game.hands[(view.seat + 1) % view.players]
        return view.legal[sum(seen) % len(view.legal)]


@pytest.mark.parametrize(("name", "players"), FAMILIES)
def test_a_bot_that_peeks_is_found_out(name: str, players: int) -> None:
    def look() -> None:
        for game in positions(name):
            expect_blind(lambda true, view: Peeker(true).act(view), game)

    with pytest.raises(AssertionError, match="a leak of the true deal"):
        look()


def test_another_key_may_change_what_is_found() -> None:
    """Or the worlds would not be drawn by the key, and the tests above would prove little."""
    for spec in BOTS:
        found = set()
        for game in positions("forty-five"):
            view = view_of(game)
            before = choice(spec, view)
            view.key += 1
            found.add(choice(spec, view) == before)
        assert False in found, spec


# --- one policy twice ---------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["worlds=20", "worlds=40,caution=1", "worlds=17,caution=0"])
@pytest.mark.parametrize("name", ["forty-five-joker", *(name for name, _ in FAMILIES)])
def test_a_random_policy_is_random_playouts(name: str, options: str) -> None:
    """Of actions that did equally well ``iimc`` asks its policy for one, ``mc`` draws one."""
    alone = 0
    for game in positions(name):
        view = view_of(game)
        flat = choice(f"mc:playout=random,{options}", view)
        by_policy = choice(f"iimc:inner=random,{options}", view)
        assert by_policy[1:] == flat[1:]
        best = best_of(flat)
        assert {flat.action, by_policy.action} <= best
        alone += len(best) == 1
    assert alone > 0


def best_of(found: Choice) -> set[Action]:
    """Return the actions with the highest mean, of those that were not dropped."""
    open_still = [finding for finding in found.findings if finding.visits == found.tried]
    most = max(finding.total for finding in open_still)
    return {one.action for one in open_still if most - one.total < 1e-9 * found.tried}


# --- every game is played to its end --------------------------------------------------------------


@each_preset
@each_bot
def test_whole_deals_are_played_lawfully(spec: str, name: str) -> None:
    rules = presets()[name]
    quick = QUICK[BOTS.index(spec)]
    for players in {rules.players[0], rules.players[-1]}:
        rules.side_count(players)
        played(Conditions(rules, players, seed=3), [quick, "random"], 0, 2)


@pytest.mark.parametrize("seed", range(10))
def test_house_rules_are_played_lawfully(seed: int) -> None:
    rng = random.Random(f"search/{seed}")
    for _ in range(2):
        rules = random_rules(rng)
        players = rng.choice(rules.players)
        pot = rng.choice([0, 7]) if rules.family == "pot" else 0
        played(Conditions(rules, players, seed=seed, pot=pot), [*QUICK, "random"], 0, 1)


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("forty-five:target=10", 3),
        ("spoil-five:stack=6,unpaid=all_in", 3),
        ("auction-forty-fives:target=60,lose_at=-60", 4),
        ("five-hundred:target=200,lose_at=-200", 4),
    ],
)
@each_bot
def test_whole_games_are_played_lawfully(spec: str, game: str, players: int) -> None:
    quick = QUICK[BOTS.index(spec)]
    conditions = Conditions(find_rules(game), players, seed=4, whole_games=True)
    found = played(conditions, [quick, "heuristic"], 0, 1)
    assert (found[:, :, rows.ROW_DEALS] >= 1).all()


# --- asked by the kernel or one question at a time ------------------------------------------------


@pytest.mark.parametrize(("name", "players"), FAMILIES)
@each_bot
def test_both_paths_give_the_same_rows(spec: str, name: str, players: int) -> None:
    conditions = Conditions(find_rules(name), players, seed=6)
    specs = [spec, "heuristic"]
    boards = played(conditions, specs, 5, 2)
    assert np.array_equal(boards, played(conditions, specs, 5, 2, plain=True))


@pytest.mark.parametrize("quick", QUICK)
def test_both_paths_give_the_same_games(quick: str) -> None:
    conditions = Conditions(find_rules("forty-five:target=15"), 3, seed=6, whole_games=True)
    games = played(conditions, [quick, "random"], 0, 1)
    assert np.array_equal(games, played(conditions, [quick, "random"], 0, 1, plain=True))


# --- what was played before changes nothing -------------------------------------------------------


def in_pieces(conditions: Conditions, specs: Sequence[str], cuts: Sequence[int]) -> Rows:
    """Play the boards between these cuts, the last first, and put them in order."""
    ranges = [(first, last - first) for first, last in pairwise(cuts)]
    pieces = [played(conditions, specs, *boards) for boards in reversed(ranges)]
    return np.concatenate(pieces[::-1])


@pytest.mark.parametrize(("name", "players"), FAMILIES)
@pytest.mark.parametrize("specs", [*((spec,) for spec in BOTS), BOTS], ids=str)
def test_rows_do_not_depend_on_what_was_played_before(
    specs: Sequence[str], name: str, players: int
) -> None:
    conditions = Conditions(find_rules(name), players, seed=8)
    at_once = played(conditions, specs, 0, 6)
    assert np.array_equal(at_once, in_pieces(conditions, specs, [0, 1, 3, 6]))


NEIGHBOURS = (*BOTS, "ismcts:iterations=900", "iimc:worlds=3,inner=pimc", "pimc:worlds=5,solve=3")
"""Bots that sit at the same seats in a tournament, and so work in the same memory."""


@pytest.mark.parametrize("before", NEIGHBOURS)
def test_what_another_bot_left_in_the_workspace_changes_nothing(before: str) -> None:
    for number, spec in enumerate((*BOTS, "iimc:worlds=3,inner=pimc")):
        name, _ = FAMILIES[(number + NEIGHBOURS.index(before)) % len(FAMILIES)]
        size = max(compiled(which).workspace_size for which in (before, spec))
        workspace = np.zeros(size, dtype=np.int64)
        for game in positions(name)[::4]:
            view = view_of(game)
            for which in (before, spec):
                assert choice(which, view, workspace) == choice(which, view), (spec, name)


def leavings(kind: str, size: int) -> Vector:
    """Return words that a bot might leave in its workspace, a compiled one of anybody's too."""
    rng = np.random.default_rng(5)
    if kind == "ones":
        return np.ones(size).view(np.int64)
    if kind == "small":
        return rng.integers(-1, 60, size)
    return rng.integers(-(2**63), 2**63 - 1, size)


@pytest.mark.parametrize("kind", ["ones", "small", "any"])
@each_bot
def test_no_word_left_in_the_workspace_changes_a_choice(spec: str, kind: str) -> None:
    for name, _ in FAMILIES:
        for game in positions(name)[::4]:
            view = view_of(game)
            workspace = leavings(kind, compiled(spec).workspace_size)
            assert choice(spec, view, workspace) == choice(spec, view), name


# --- options --------------------------------------------------------------------------------------

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


# --- with the JIT off -----------------------------------------------------------------------------

TINY = ("mc:worlds=2", "mc:worlds=2,playout=random", "iimc:worlds=2", "pimc:worlds=2",
        "pimc:worlds=2,nodes=2", "ismcts:iterations=4",
        "ismcts:iterations=4,opponents=paranoid")  # fmt: skip
SMALL_DECISIONS = [
    ("forty-five:hand_size=2", 2, "rob", 0),
    ("forty-five:hand_size=2", 2, "play", 0),
    ("forty-five-last-trick:hand_size=2", 4, "play", 0),
    ("forty-five:hand_size=2,sides=individuals", 3, "play", 0),
    ("spoil-five-strict:hand_size=2,win_tricks=2", 3, "play", 0),
    ("auction-forty-fives", 2, "play", 3),
    ("auction-forty-fives", 2, "discard", 0),
    ("five-hundred", 4, "play", 8),
]
"""Games, seats, and where in a deal a bot is asked: the phase, and tricks played before."""


def small_decision(game: str, players: int, phase: str, tricks: int) -> View:
    """Return the first decision of this kind met in random play."""
    rules, rng = find_rules(game), random.Random(game)
    for seed in range(1000):
        deal = Game(rules, players, seed=seed)
        while not deal.deal_is_over:
            here = deal.phase == phase and len(deal.history) == tricks
            if here and len(deal.legal_actions) > 1:
                return view_of(deal)
            deal.push(choose(deal.legal_actions, rng))
    raise AssertionError(f"{game} has no {phase} after {tricks} tricks")


@jit_off
@pytest.mark.parametrize("decision", SMALL_DECISIONS, ids=str)
@pytest.mark.parametrize("spec", TINY)
def test_small_decisions(spec: str, decision: tuple[str, int, str, int]) -> None:
    view = small_decision(*decision)
    found = choice(spec, view)
    assert found.action in view.legal
    assert [finding.action for finding in found.findings] == view.legal
    assert found.tried == (4 if "iterations" in spec else 2)
