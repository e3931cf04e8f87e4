"""The search bots: blind to hidden cards, lawful in every game, the same however they are asked.

They share kernels (``trials``, ``tree``) and working memory that keeps what was left there, so what
they choose must depend on nothing but the view, its key and their options: not on the true deal,
not on what was played before, not on the JIT.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from forty5agents import search
from forty5sim import chances
from forty5sim.agent import CompiledAgent, View, as_plain, ask, view_of
from forty5sim.arena.conditions import Conditions, Rows
from forty5sim.arena.match import plain_twin, play_pairing
from forty5sim.cards import Action, mask_of
from forty5sim.errors import AgentError
from forty5sim.game import Game
from forty5sim.infoset import InformationSet
from forty5sim.kernels import findings, rows
from forty5sim.kernels.jit import entry
from forty5sim.kernels.vector import Reals, Vector
from forty5sim.named_rules import find_rules, presets
from forty5sim.registry import find_bot
from tests.kernels.compare import choose
from tests.kernels.random_rules import random_rules
from tests.rulebook.table import deal, play

ROOT = Path(__file__).parents[1]
MC, IIMC, ISMCTS = "mc:worlds=20", "iimc:worlds=20", "ismcts:iterations=60"
PIMC = "pimc:worlds=20,solve=5,nodes=300"  # gives up now and then
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


NESTED = "iimc with pimc inside"


@cache
def compiled(spec: str) -> CompiledAgent:
    """Return a search bot by its spec."""
    if spec == NESTED:  # as iimc:inner=pimc, but quick
        return search.iimc(worlds=2, inner=search.pimc(worlds=1, nodes=30))
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


@cache
def choices(spec: str, name: str) -> list[Choice]:
    """Return what a bot chooses and finds in these positions, each in a workspace of zeros."""
    return [choice(spec, view_of(game)) for game in positions(name)]


def seatings_of(bots: Sequence[int], players: int) -> list[list[int]]:
    """Return seatings in which these bots sit in turn, each of them first in one."""
    turns = range(len(bots))
    return [[bots[(seat + turn) % len(bots)] for seat in range(players)] for turn in turns]


def played(
    conditions: Conditions, specs: Sequence[str], first: int, count: int, *, plain: bool = False
) -> Rows:
    """Play some boards of these bots against each other, without faults."""
    bots = [find_bot(spec) for spec in specs]
    bots = [plain_twin(bot) for bot in bots] if plain else bots
    seatings = seatings_of(range(len(bots)), conditions.players)
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


def expect_blind(decide: Callable[[Game, View], object], game: Game, count: int = 2) -> int:
    """Expect the same answer whatever cards are hidden; return how many deals were tried."""
    view = view_of(game)
    answer = decide(game, view)
    worlds = worlds_like(game, count)
    for world in worlds:
        same = view_of(world)
        same.key = view.key
        assert (same._words, same.hand, same.legal) == (view._words, view.hand, view.legal)
        assert decide(world, same) == answer, f"a leak of the true deal:\n{view}"
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


ROBBED_FIRST = "rob_timing=before_first_lead"


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (f"forty-five:{ROBBED_FIRST}", 4),
        (f"forty-five:{ROBBED_FIRST},renege=expires_in_deal", 4),
        (f"forty-five:{ROBBED_FIRST},sides=individuals", 3),
        ("spoil-five", 4),
        (f"spoil-five-traditional:{ROBBED_FIRST}", 5),
        ("auction-forty-fives", 4),
        ("five-hundred", 4),
    ],
)
def test_a_solve_that_is_given_up_changes_nothing(game: str, players: int) -> None:
    """The world is played out from where it stood, as if nobody had tried to solve it.

    But who may still rob has decided before, so here nobody may.
    """
    rng = random.Random(game)
    for seed in range(8):
        table = Game(find_rules(game), players, seed=seed, alone=True)
        while not table.deal_is_over and len(table.history) < 2:
            if table.phase == "play" and len(table.legal_actions) > 1:
                view = view_of(table)
                given_up = choice("pimc:worlds=10,solve=5,nodes=1", view)
                assert given_up == choice("pimc:worlds=10,solve=0", view)
            table.push(choose(table.legal_actions, rng))


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
    for _ in range(4):
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


NEIGHBOURS = (*BOTS, NESTED, "ismcts:iterations=2000", "pimc:worlds=5,solve=2")
"""Bots that sit at the same seats in a tournament, and so work in the same memory."""


@pytest.mark.parametrize("before", NEIGHBOURS)
def test_what_another_bot_left_in_the_workspace_changes_nothing(before: str) -> None:
    for name, _ in FAMILIES:
        for spec in (*BOTS, NESTED):
            size = max(compiled(which).workspace_size for which in (before, spec))
            workspace = np.zeros(size, dtype=np.int64)
            for number in range(0, len(positions(name)), 2):
                view = view_of(positions(name)[number])
                for which in (before, spec):
                    found = choice(which, view, workspace)
                    assert found == choices(which, name)[number], (which, spec, name)


def leavings(kind: str, size: int) -> Vector:
    """Return words that a bot might leave in its workspace, a compiled one of anybody's too."""
    rng = np.random.default_rng(5)
    if kind == "ones":
        return np.ones(size).view(np.int64)
    if kind == "small":
        return rng.integers(-1, 60, size)
    return rng.integers(-(2**63), 2**63 - 1, size)


@pytest.mark.parametrize("kind", ["ones", "small", "any"])
@pytest.mark.parametrize("spec", [*BOTS, NESTED])
def test_no_word_left_in_the_workspace_changes_a_choice(spec: str, kind: str) -> None:
    for name, _ in FAMILIES:
        workspace = leavings(kind, compiled(spec).workspace_size)
        for game, expected in zip(positions(name), choices(spec, name), strict=True):
            assert choice(spec, view_of(game), workspace.copy()) == expected, name


# --- with the JIT off -----------------------------------------------------------------------------

TINY = (
    "mc:worlds=2",
    "mc:worlds=2,playout=random",
    "mc:worlds=2,playout=cards",
    "iimc:worlds=2",
    "pimc:worlds=2",
    "pimc:worlds=2,nodes=2",
    "pimc:worlds=2,playout=random",
    "ismcts:iterations=4",
    "ismcts:iterations=4,opponents=paranoid,playout=random",
)
SMALL_DECISIONS = [
    ("forty-five:hand_size=2", 2, "rob", 0),
    ("forty-five:hand_size=2", 2, "play", 0),
    ("forty-five:hand_size=3", 4, "play", 1),
    ("forty-five-last-trick:hand_size=2", 4, "play", 0),
    ("forty-five-wikipedia:hand_size=2", 3, "play", 0),
    ("forty-five-joker:hand_size=2,rob_announced=silent", 2, "play", 0),
    ("spoil-five-strict:hand_size=2,win_tricks=2", 3, "play", 0),
    ("spoil-five:hand_size=3,win_tricks=2", 2, "jink", 2),
    ("auction-forty-fives", 2, "auction", 0),
    ("auction-forty-fives", 2, "discard", 0),
    ("auction-forty-fives", 2, "play", 3),
    ("five-hundred", 4, "assign", 0),
    ("five-hundred", 4, "play", 7),
]
"""Games, seats, and where in a deal a bot is asked: the phase, and tricks played before."""


@cache
def small_decision(spec: str, players: int, phase: str, tricks: int) -> View:
    """Return the first decision of this kind met in random play."""
    rules, rng = find_rules(spec), random.Random(spec)
    for seed in range(1000):
        game = Game(rules, players, seed=seed, alone=True)
        while not game.deal_is_over:
            here = game.phase == phase and len(game.history) == tricks
            if here and len(game.legal_actions) > 1:
                return view_of(game)
            game.push(choose(game.legal_actions, rng))
    raise AssertionError(f"{spec} has no {phase} after {tricks} tricks")


def expect_sound(found: Choice, view: View) -> None:
    """Expect a legal choice, and findings about each legal action that add up."""
    assert found.action in view.legal
    assert [finding.action for finding in found.findings] == view.legal
    visits = [finding.visits for finding in found.findings]
    assert found.tried in (max(visits), sum(visits))  # in the same worlds, or one at a time
    for _, count, total, squares in found.findings:
        assert total * total <= count * squares * (1 + 1e-9)


@jit_off
@pytest.mark.parametrize("decision", SMALL_DECISIONS, ids=str)
@pytest.mark.parametrize("spec", TINY)
def test_small_decisions(spec: str, decision: tuple[str, int, str, int]) -> None:
    view = small_decision(*decision)
    expect_sound(choice(spec, view), view)


def rare_decisions() -> list[View]:
    """Return decisions to lead where the dealer may, will or will not have the ace, or it jinks."""
    hands = ["5S JS KD", "2D 3D 4D", "6C 7C 8C", "9C 10C JC"]
    late = deal("forty-five:hand_size=3,rob_timing=own_first_card", hands[:3], "AS", dealer=2)
    robbed = deal("forty-five:hand_size=3,dealer_ace=after_trick1", hands, "AS", dealer=3)
    kept = deal("spoil-five-strict:hand_size=3,win_tricks=2", hands[:3], "AS", dealer=2)
    strong = ["5S JS AH KS", "2D 3D 4D 2H"]
    jinked = deal("spoil-five-traditional:hand_size=4,win_tricks=2", strong, "7S", dealer=1)
    play(robbed, "rob:9C")
    play(kept, "keep")
    play(jinked, "5S 2D JS 3D jink")
    return [view_of(game) for game in (late, robbed, kept, jinked)]


@jit_off
@pytest.mark.parametrize("spec", ["pimc:worlds=2", "ismcts:iterations=60,playout=random"])
def test_small_searches_of_what_is_rare(spec: str) -> None:
    for view in rare_decisions():
        assert view.phase == "play"
        expect_sound(choice(f"{spec},utility=deal", view), view)


@jit_off
def test_a_small_tree_with_cards_thrown() -> None:
    view = small_decision("auction-forty-fives", 2, "discard", 0)
    expect_sound(choice("ismcts:iterations=60,playout=random", view), view)


@jit_off
def test_a_search_of_no_time_looks_at_the_clock_once() -> None:
    view = small_decision("forty-five:hand_size=2", 2, "play", 0)
    found = choice("ismcts:seconds=1e-6", view)
    assert found.tried == 64
    expect_sound(found, view)


@jit_off
def test_actions_that_fall_behind_are_dropped() -> None:
    view = small_decision("five-hundred", 4, "play", 8)
    careless, careful = (choice(f"iimc:worlds=40,caution={caution}", view) for caution in (1, 0))
    expect_sound(careless, view)
    assert {finding.visits for finding in careful.findings} == {40}
    assert min(finding.visits for finding in careless.findings) < 40
    assert careless.action == careful.action


@entry
def answers_illegally(
    public: Vector,
    hand: int,
    thrown: int,
    legal: int,
    tables: Vector,
    key: int,
    params: Reals,
    workspace: Vector,
) -> int:
    """Choose no legal action, ever."""
    return 60


@jit_off
def test_a_policy_that_answers_illegally_is_noticed() -> None:
    policy = CompiledAgent("illegal", 1, answers_illegally)
    agent = search.iimc(worlds=2, inner=policy)
    view = small_decision("forty-five:hand_size=3", 4, "play", 1)
    with pytest.raises(AgentError, match="which is not legal"):
        ask(as_plain(agent), view)


@jit_off
@pytest.mark.parametrize("spec", ["mc:worlds=2", "ismcts:iterations=4"])
def test_a_view_that_cannot_be_is_not_answered(spec: str) -> None:
    """Here a hand holds all cards, so that the other player has none."""
    view = small_decision("forty-five:hand_size=2", 2, "play", 0)
    every = mask_of(view.rules.deck_cards())
    wrong = View(view.rules, view._words, every, 0, view.legal_mask, view.key)
    assert choice(spec, wrong).action == -1


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let the chances to win be those of a few deals."""
    monkeypatch.setattr(chances, "DEALS", 4)
    monkeypatch.setattr(chances, "_path", lambda rules, players: tmp_path / "none" / "chances")
    chances._kept.cache_clear()
    yield
    chances._kept.cache_clear()


@jit_off
@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize("spec", ["mc:worlds=2,utility=game", "ismcts:iterations=4,utility=game"])
@pytest.mark.parametrize(
    ("game", "players"),
    [("forty-five:hand_size=2,target=15", 4), ("twenty-five:hand_size=2,target=15", 3)],
)
def test_small_decisions_that_count_the_chance_to_win(spec: str, game: str, players: int) -> None:
    view = small_decision(game, players, "play", 0)
    found = choice(spec, view)
    expect_sound(found, view)
    assert all(0 <= finding.total <= finding.visits for finding in found.findings)


def all_choices() -> list[object]:
    """Return what tiny searches choose and find in all small decisions, as JSON takes it."""
    return [choice(spec, small_decision(*one)) for spec in TINY for one in SMALL_DECISIONS]


def test_the_same_choices_without_the_jit() -> None:
    code = "import json; import tests.test_search_bots as t; print(json.dumps(t.all_choices()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(all_choices()))
