"""The two kinds of agent give the same rows; nobody's draws move anybody else's; no leaks."""

import sys

import pytest

from forty5sim.agent import CompiledAgent, as_plain, view_of
from forty5sim.arena.conditions import Conditions
from forty5sim.arena.match import plain_twin, play_pairing
from forty5sim.arena.schedule import pair
from forty5sim.errors import AgentError
from forty5sim.game import Game
from forty5sim.kernels import layout
from forty5sim.kernels.bits import lowest
from forty5sim.kernels.jit import entry, is_compiled
from forty5sim.named_rules import find_rules, presets
from forty5sim.registry import Bot, find_bot, known_bots, spec_label


@pytest.mark.parametrize("name", list(presets()))
@pytest.mark.parametrize("whole_games", [False, True])
def test_compiled_and_plain_agents_give_the_same_rows(name, whole_games):
    rules = presets()[name]
    bots = [find_bot("heuristic"), find_bot("random")]
    twins = [plain_twin(bot) for bot in bots]
    boards = 1 if whole_games else 12
    if whole_games and rules.family == "pot":
        rules = rules.with_options(stack=10)  # a game of some twenty deals, not two hundred
    for players in rules.players[:3]:
        conditions = Conditions(rules, players, seed=5, whole_games=whole_games)
        seatings = pair(0, 1, players, conditions.sides).seatings
        compiled, _ = play_pairing(conditions, bots, seatings, 3, boards)
        mixed, _ = play_pairing(conditions, [twins[0], bots[1]], seatings, 3, boards)
        plain, _ = play_pairing(conditions, twins, seatings, 3, boards)
        assert (compiled == mixed).all()
        assert (compiled == plain).all()


def test_extra_draws_of_a_bot_change_no_other_choice(sample_bot):
    conditions = Conditions(find_rules("spoil-five"), 5, seed=9)
    seatings = [(0, 1, 0, 1, 1)]
    other = find_bot("random")
    few = find_bot(sample_bot("Random"))
    many = find_bot(sample_bot("Random:extra=7"))
    once, _ = play_pairing(conditions, [few, other], seatings, 0, 40)
    again, _ = play_pairing(conditions, [many, other], seatings, 0, 40)
    assert (once == again).all()


def test_building_an_installed_bot_leaves_standard_output_alone(monkeypatch):
    """Threads build them at the same time; a redirection of each would outlast the other's."""
    from forty5sim import registry

    streams = []

    class Watcher:
        def __init__(self):
            streams.append(sys.stdout)

        def act(self, view):
            return view.legal[0]

    monkeypatch.setattr(registry, "_packages", lambda: {"watcher": Watcher})
    find_bot("watcher").build()
    assert streams == [sys.stdout, sys.stdout]


def test_a_bot_that_keeps_notes_has_one_object_for_each_seat(sample_bot):
    conditions = Conditions(find_rules("spoil-five"), 5, seed=9)
    notes = find_bot(sample_bot("NoteTaker"))
    assert notes.keeps_notes
    rows, faults = play_pairing(conditions, [notes], [(0,) * 5], 0, 30)
    assert not faults
    again, _ = play_pairing(conditions, [notes], [(0,) * 5], 10, 20)
    assert (rows[10:] == again).all()


def test_a_view_shows_what_is_public_and_ones_own():
    game = Game("spoil-five", players=5, seed=3)
    while game.phase != "play" or not game.trick:
        game.push(game.legal_actions[-1])
    view = view_of(game)
    assert view.hand == game.hands[game.seat]
    assert view.legal == game.legal_actions
    assert view.trick == game.trick
    assert view.led == game.trick[0][1]
    assert view.winning is not None
    assert view.pot == 5
    assert view.rng.random() == view_of(game).rng.random()
    text = str(view)
    assert f"hand: {view.hand}" in text
    for seat, hand in enumerate(game.hands):
        assert (str(hand) in text) == (seat == game.seat)


@pytest.mark.parametrize("spec", ["heuristic", "random"])
def test_hidden_cards_change_no_choice(spec):
    """Swap other seats' cards and the stock: the same view must give the same answer."""
    agent = as_plain(find_bot(spec).compiled)
    for seed in range(60):
        game = Game("forty-five", players=4, seed=seed)
        for _ in range(seed % 15):
            if not game.deal_is_over:
                game.push(game.legal_actions[seed % len(game.legal_actions)])
        if game.deal_is_over or len(game.legal_actions) < 2:
            continue
        answer = agent.act(view_of(game))
        twin = game.copy()
        others = [s for s in range(4) if s != game.seat]
        hands = [int(twin._state[layout.HANDS + s]) for s in others]
        for seat, hand in zip(others, hands[1:] + hands[:1], strict=True):
            twin._state[layout.HANDS + seat] = hand
        twin._state[layout.DECK :] = 0
        assert agent.act(view_of(twin)) == answer


def test_a_compiled_agent_that_writes_to_its_view_does_not_compile():
    @entry
    def cheat(public, hand, thrown, legal, tables, key, params, workspace):
        public[0] = 1
        return 0

    if is_compiled():
        with pytest.raises(AgentError, match="bot 'cheat' does not compile"):
            CompiledAgent(name="cheat", version=1, choose=cheat)


def test_a_compiled_agent_must_return_an_integer():
    @entry
    def halves(public, hand, thrown, legal, tables, key, params, workspace):
        return 0.5

    with pytest.raises(AgentError, match="must return an int64"):
        CompiledAgent(name="halves", version=1, choose=halves)


@entry
def raises_in_trick_3(public, hand, thrown, legal, tables, key, params, workspace):
    if public[layout.TRICK] == 2:
        raise ValueError("no idea")
    return lowest(legal)


@entry
def answers_illegally(public, hand, thrown, legal, tables, key, params, workspace):
    return -5


def bot(name, choose):
    agent = CompiledAgent(name=name, version=1, choose=choose)
    return Bot(name, name, 1, agent, lambda: as_plain(agent), keeps_notes=True)


def test_a_compiled_agent_that_raises_is_named():
    conditions = Conditions(find_rules("forty-five"), 2, seed=1)
    bots = [find_bot("random"), bot("faulty", raises_in_trick_3)]
    with pytest.raises(AgentError, match=r"bot faulty at seat 1, board 0, .*ValueError: no idea"):
        play_pairing(conditions, bots, [(0, 1)], 0, 3)


def test_a_compiled_agent_that_answers_illegally_is_named():
    illegal = bot("illegal", answers_illegally)

    conditions = Conditions(find_rules("forty-five"), 2, seed=1)
    good = find_bot("random")
    with pytest.raises(AgentError, match=r"bot illegal at seat 0, board 0, replay 0: answered ill"):
        play_pairing(conditions, [illegal, good], [(0, 1)], 0, 3)
    _, faults = play_pairing(
        conditions, [good, illegal], [(0, 1), (1, 0)], 0, 3, stop_on_fault=False
    )
    assert {fault.bot for fault in faults} == {"illegal"}
    assert len(faults) == 6


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("NoAct", "has no method act"),
        ("Refuses", "cannot be built: RuntimeError: not today"),
        ("not_callable", "is a int, not a class or function"),
        ("Missing", "known names: Cheapest"),
        ("BadName", "1..60 printable characters"),
        ("BadVersion", "version must be a whole number, got 'two'"),
        ("Random:extr=1", "did you mean 'extra'"),
        ("Random:extra=1,x", "write option=value"),
    ],
)
def test_a_bot_that_cannot_be_built_says_why(sample_bot, name, message):
    with pytest.raises(AgentError, match=message):
        find_bot(sample_bot(name))


def test_a_file_that_does_not_load_names_the_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("x = 1\nraise TypeError('wrong')\n")
    with pytest.raises(AgentError, match=r"TypeError: wrong \(line 2\)"):
        find_bot(f"{path}:Bot")
    with pytest.raises(AgentError, match="there is no file"):
        find_bot(f"{tmp_path}/none.py:Bot")


def test_names_and_labels():
    assert known_bots() == ["heuristic", "iimc", "ismcts", "mc", "pimc", "random"]
    assert find_bot("heuristic").name == "heuristic"
    assert spec_label("some/where/my_bot.py:MyBot") == "my_bot:MyBot"
    with pytest.raises(AgentError, match="did you mean 'heuristic'"):
        find_bot("heuristik")
    with pytest.raises(AgentError, match=r"path/file\.py:Name"):
        find_bot("my_bot.py")
