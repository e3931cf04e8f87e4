"""Advice: by what a seat can see, with values from worlds that had no part in the choice."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

import forty5sim
from forty5sim import Game, advise, determinize, view_of
from forty5sim.advice.advising import position_from
from forty5sim.advice.positions import keyed
from forty5sim.advice.samples import try_actions
from forty5sim.agent import as_plain, ask
from forty5sim.analysis import Analysis, searcher
from forty5sim.cards import JOKER
from forty5sim.cli import main
from forty5sim.errors import Forty5Error, PositionError
from forty5sim.notation import DONE
from forty5sim.records import Playback, Record, record_of
from forty5sim.stats import Estimate
from tests.advice.telling_views import stopped

GAMES = ("forty-five", "spoil-five", "auction-forty-fives", "five-hundred")
QUICK = "iimc:worlds=40"


def run(capsys, *arguments):
    """Run a command in this process; return exit code, output and errors."""
    code = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


def finished(name: str, seed: int) -> Record:
    """Return the record of a deal played at random."""
    game = Game(name, seed=seed)
    rng = random.Random(seed)
    while not game.deal_is_over:
        game.push(rng.choice(game.legal_actions))
    return record_of(game, ["random"] * game.players)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_is_told_of_and_no_other(name):
    rng = random.Random(2)
    for seed in range(6):
        game = stopped(Game(name, seed=seed), rng)
        advice = advise(game, QUICK, worlds=60)
        assert sorted(one.action for one in advice.actions) == game.legal_actions
        assert advice.actions[0].action == advice.choice
        assert all(one.value.n == one.chance.n == advice.n == 60 for one in advice.actions)
        assert all(0 <= one.chance.mean <= 1 and one.why for one in advice.actions)


@pytest.mark.parametrize("bot", ["mc:worlds=40", "ismcts:iterations=200", QUICK])
def test_the_bot_advised_by_does_that_itself(bot):
    rng = random.Random(3)
    for seed in range(8):
        view = view_of(stopped(Game("spoil-five", 5, seed=seed), rng))
        if len(view.legal) > 1:
            own = ask(as_plain(searcher(bot)), keyed(view, 0))
            assert advise(view, bot, worlds=2).choice == own


def test_advice_is_an_analysis_with_a_table():
    advice = advise(Game("spoil-five", 5, seed=3), QUICK, worlds=50)
    assert isinstance(advice, Analysis)
    assert advice[advice.choice].visits > 0
    frame = advice.to_frame()
    assert list(frame.columns) == [
        "action", "name", "value", "value_ci", "chance", "chance_ci", "behind", "behind_ci", "n",
        "searched", "why",
    ]  # fmt: skip
    assert len(frame) == len(advice.actions)
    assert frame.behind[0] == 0
    assert json.loads(json.dumps(advice.as_dict(), allow_nan=False))["unit"] == "chips"
    assert str(advice).splitlines()[1].startswith("* ")


@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_change_no_byte_of_the_advice(name):
    rng, compared = random.Random(7), 0
    for seed in range(5):
        view = view_of(stopped(Game(name, seed=seed), rng, 25))
        told = json.dumps(advise(view, QUICK, worlds=20).as_dict())
        for world in determinize(view, 3, seed)[:]:
            assert json.dumps(advise(world, QUICK, worlds=20).as_dict()) == told
            compared += view_of(world).hand == view.hand
    assert compared == 15


def swapped(record: Record, at: int, rng: random.Random) -> Record | None:
    """Return the record with two cards exchanged that the seat to act cannot see; None if the
    actions to there are not possible then."""
    playback = Playback(replace(record, actions=record.actions[:at]))
    for _ in playback.steps(whole=False):
        pass
    view = view_of(playback.game)
    seen = {*view.hand, *view.thrown, record.turnup, JOKER}
    seen |= {card for trick in view.history for card in trick.cards}
    seen |= {card for _, card in view.trick}
    hidden = [card for card in (*sum(record.hands, ()), *record.stock) if card not in seen]
    one, other = rng.sample(hidden, 2)
    change = {one: other, other: one}
    new = replace(
        record,
        seed=None,
        deal=None,
        hands=tuple(tuple(change.get(c, c) for c in hand) for hand in record.hands),
        stock=tuple(change.get(c, c) for c in record.stock),
        actions=record.actions[:at],
        tricks=(),
    )
    try:
        again = Playback(new)
        for _ in again.steps(whole=False):
            pass
    except Forty5Error:
        return None
    same = view_of(again.game)
    return new if same.hand == view.hand and same.legal == view.legal else None


@pytest.mark.parametrize("name", ["forty-five", "spoil-five"])
def test_a_record_is_reduced_to_the_view_before_anybody_looks_at_it(name, capsys, tmp_path):
    rng, compared = random.Random(1), 0
    for seed in range(4):
        record = finished(name, seed)
        at = rng.randrange(len(record.actions))
        twin = swapped(record, at, rng)
        if twin is None:
            continue
        outputs = []
        for one in (replace(record, actions=record.actions[:at], tricks=()), twin):
            line = one.as_dict()
            del line["result"]
            file = tmp_path / "deal.jsonl"
            file.write_text(json.dumps(line) + "\n")
            options = ["--bot", QUICK, "--worlds", "30"]
            code, out, err = run(capsys, "advise", str(file), *options, "--json")
            assert (code, err) == (0, "")
            outputs += [out, run(capsys, "advise", str(file), *options)[1]]
        assert outputs[:2] == outputs[2:]
        compared += 1
    assert compared >= 2


def test_values_are_those_of_worlds_that_the_search_did_not_see():
    """The search's own figure for its choice is the highest of several: too high on the whole."""
    gaps, widths = [], []
    for seed in range(40):
        game = Game("spoil-five", 5, seed=seed)
        if len(game.legal_actions) < 2:
            continue
        advice = advise(game, "iimc:worlds=20,caution=0", worlds=1000)
        gaps.append(advice[advice.choice].value - advice.actions[0].value.mean)
        widths.append(advice[advice.choice].error)
    assert np.mean(gaps) > 2 * np.std(gaps, ddof=1) / math.sqrt(len(gaps))


def test_intervals_cover_what_many_worlds_say():
    view = view_of(Game("spoil-five", 5, seed=3))
    agent = searcher("iimc:worlds=20")
    right = try_actions([view], agent, view.legal[:2], 40_000, 1)
    covered = behind = 0
    for key in range(200):
        found = try_actions([view], agent, view.legal[:2], 100, key + 10)
        covered += holds(found.value(view.legal[0]), right.value(view.legal[0]).mean)
        gain, true = (s.gain(view.legal[0], view.legal[1]) for s in (found, right))
        behind += holds(gain, true.mean)
    assert 178 <= covered <= 200  # 95 % of 200 is 190, standard deviation 3
    assert 178 <= behind <= 200


def holds(estimate: Estimate, value: float) -> bool:
    return abs(estimate.mean - value) <= estimate.half_width


def test_worlds_are_paired_so_an_action_gains_nothing_over_its_like():
    view = view_of(Game("five-hundred", seed=3))
    samples = try_actions([view], searcher(QUICK), view.legal, 50, 1)
    gains = [samples.gain(action, action) for action in view.legal]
    assert {(one.mean, one.half_width) for one in gains} == {(0.0, 0.0)}


def test_a_certain_trick_and_an_impossible_one_are_named():
    text = 'game=forty-five players=2 trump=S dealer=1 seat=0 hand="5S 2H 4H" trick="KS" '
    advice = advise(text + 'tricks="AS 6S / 9D KD"', QUICK, worlds=50)
    whys = {one.name: one.why for one in advice.actions}
    assert whys["5S"].startswith("takes this trick;")
    assert whys["2H"].startswith("keeps back 5♠; cannot take this trick")


def test_the_exchange_names_all_cards_to_throw():
    text = (
        'game=auction-forty-fives hand="5H 9C KD JH AH 2S 3S 4S" bids="pass pass 20 pass" seat=3'
        ' dealer=0 trump=H discards="2 1"'
    )
    advice = advise(text, QUICK, worlds=20)
    cards = {forty5sim.card_name(card) for card in advice.throws}
    assert {"2S", "3S", "4S"} <= cards
    assert not {"5H", "JH", "AH"} & cards
    assert DONE not in advice.throws


def test_what_is_won_depends_on_what_is_played():
    stakes = {
        'game=spoil-five trump=H hand="5H 9C KD JC 2C"': "pot",
        'game=twenty-five trump=H hand="5H 9C KD JC 2C"': "deal",
        'game=auction-forty-fives hand="5H 9C KD JC 2C"': "contract",
        'game=auction-forty-fives hand="5H 9C KD JC 2C" score="50 60"': "game",
    }
    for text, stake in stakes.items():
        assert advise(text, QUICK, worlds=20).stake == stake


def test_a_forced_action_is_advised_without_a_search():
    text = 'game=forty-five players=2 trump=S seat=0 dealer=0 hand="3S 2H" trick="5S"'
    advice = advise(text, QUICK, worlds=40)
    assert [one.name for one in advice.actions] == ["3S"]
    assert advice.tried == 0


def test_no_advice_without_a_decision():
    record = finished("forty-five", 1)
    with pytest.raises(PositionError, match=r"the deal is over after its \d+ actions"):
        advise(record)
    with pytest.raises(PositionError, match="at must be 0"):
        advise(record, at=99)
    with pytest.raises(PositionError, match="at counts the actions of a record"):
        advise(Game("forty-five"), at=2)
    idle = view_of(Game("forty-five", dealer=0), 0)
    with pytest.raises(PositionError, match="it is not the turn of seat 0"):
        advise(idle)
    with pytest.raises(PositionError, match="got a int"):
        advise(3)
    with pytest.raises(PositionError, match="worlds must be"):
        advise(Game("forty-five"), worlds=1)
    assert position_from(record, at=0).view.history == []


@pytest.fixture(scope="module")
def deals(tmp_path_factory):
    file = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    forty5sim.write_records(file, [finished("forty-five", 1), finished("spoil-five", 2)])
    return str(file)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-file"], "cannot read 'no-file'"),
        (["DEALS"], "has 2 records; choose one: --line 1 to --line 2"),
        (["DEALS", "--line", "3"], "has no record in line 3"),
        (["DEALS", "--line", "1"], "the deal is over after its"),
        (["DEALS", "--line", "1", "--at", "500"], "at must be 0.."),
        (["DEALS", "--line", "1", "--at", "1", "--bot", "heuristic"], "does not search"),
        (["DEALS", "--line", "1", "--at", "1", "--bot", "mcc"], "did you mean 'mc'"),
        (["DEALS", "--line", "1", "--at", "1", "--worlds", "1"], "worlds must be"),
        (["game=spoil-five trump=H hand=5X"], "hand: unknown suit 'X'"),
        (["game=spoil-five trump=H hand=5H", "--line", "1"], "--line is for files of records"),
        ([""], "the position is empty"),
        (['{"format": 3}='], "it is no JSON"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(capsys, deals, arguments, message):
    code, out, err = run(capsys, "advise", *(deals if a == "DEALS" else a for a in arguments))
    assert code == 2
    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_advise_shows_each_action_and_what_was_assumed(capsys):
    text = 'game=spoil-five players=5 trump=H hand="5H 9C KD" trick="7H"'
    code, out, _ = run(capsys, "advise", text, "--bot", QUICK, "--worlds", "200")
    assert code == 0
    assert "seat 0 to act (play), hand: 5♥ 9♣ K♦" in out
    assert f"{QUICK} would choose " in out
    assert "win the pot" in out
    assert "assumed: the 2 earlier tricks are not told" in out
    assert "n = 200 worlds" in out
    assert "trick 1" not in out, "a drawn past is not what happened"
