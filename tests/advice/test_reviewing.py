"""Reviews: a planted blunder is found, good play left alone, and no figure is the best of many."""

from __future__ import annotations

import json
import random

import pytest

import forty5sim
from forty5sim import Game, review
from forty5sim.advice.reviewing import NOTHING
from forty5sim.cards import Card, parse_card
from forty5sim.cli import main
from forty5sim.errors import AgentError, PositionError, RecordError
from forty5sim.game import pack_of
from forty5sim.named_rules import find_rules
from forty5sim.records import Record, record_of
from forty5sim.registry import find_bot
from forty5sim.seats import Seats

QUICK = "iimc:worlds=60"
FIVE = parse_card("5S")


def run(capsys, *arguments):
    """Run a command in this process; return exit code, output and errors."""
    code = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def played(game: Game, bot: str = "heuristic", blunders: dict[int, Card] | None = None) -> Record:
    """Return the record of a deal played by a bot, but for these actions (by place in the log)."""
    seats = Seats([find_bot(bot)] * game.players)
    while not game.deal_is_over:
        forced = (blunders or {}).get(len(game.log))
        game.push(seats.answer(game) if forced is None else forced)
    return record_of(game, [bot] * game.players)


def wasted_five() -> Record:
    """Seat 1's partner 3 leads the second best trump; seat 1 throws the best one under it.

    Seat 1 may keep the five back: nothing beats it, and nothing but it beats the jack.
    """
    hands = ["KS QS 4C 6C 8D", "5S 2D 3D 4D 4H", "7S 8S 9C 10D 9D", "JS 3C 2C 6D 5D"]
    rules = find_rules("forty-five")
    pack = pack_of([cards(hand) for hand in hands], cards("2S"), rules)
    game = Game(rules, 4, dealer=2, pack=pack, alone=True)
    lead = {0: parse_card("JS"), 2: FIVE}
    return played(game, blunders=lead)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    good = [played(Game("forty-five", 4, seed=seed)) for seed in range(2)]
    forty5sim.write_records(path, [*good, wasted_five()])
    return str(path)


def test_a_planted_blunder_is_the_first_line(capsys, file):
    found = review(file, bot=QUICK, worlds=200)
    first = found.costliest[0]
    assert (first.line, first.seat, first.trick, first.taken) == (3, 1, 1, FIVE)
    assert first.is_again
    assert first.least > 3
    assert first.at == 2
    code, out, err = run(capsys, "review", file, "--bot", QUICK, "--worlds", "200")
    assert (code, err) == (0, "")
    line = next(line for line in out.splitlines() if line.startswith("  1."))
    assert "line 3, trick 1, seat 1: 5♠, better " in line
    assert f"forty5sim advise {file} --line 3 --at 2" in out
    code, out, _ = run(capsys, "advise", file, "--line", "3", "--at", "2", "--bot", QUICK)
    assert code == 0
    assert "its side takes this trick" in out


def test_who_plays_as_the_judge_does_gives_nothing_away():
    records = [played(Game("forty-five", 4, seed=seed), QUICK) for seed in range(6)]
    found = review(records, bot="iimc:worlds=300", worlds=300)
    assert len(found.decisions) > 60
    assert all(one.gain.mean < 1.5 for one in found.costliest)
    same = [one for one in found.decisions if not one.is_other]
    assert len(same) > len(found.decisions) / 2
    assert all(one.gain == NOTHING for one in same)


def test_seats_are_those_asked_for_or_the_persons(file):
    asked = review(file, seats=[1], bot=QUICK, worlds=20)
    assert {one.seat for one in asked.decisions} == {1}
    everybody = review(file, bot=QUICK, worlds=20)
    assert {one.seat for one in everybody.decisions} == {0, 1, 2, 3}
    record = next(iter(forty5sim.read_records(file)))
    person = Record(**(vars(record) | {"bots": ("heuristic", "heuristic", "you", "heuristic")}))
    assert {one.seat for one in review([person], bot=QUICK, worlds=20).decisions} == {2}


def test_a_decision_is_judged_by_what_was_known_then():
    """What lay hidden, and what came after, changes nothing."""
    rules, judged = find_rules("forty-five"), []
    own, partner = "5S 2D 3D 4D 4H", "JS 3C 2C 6D 5D"
    for left, right in (
        ("KS QS 4C 6C 8D", "7S 8S 9C 10D 9D"),
        ("7S 8D 9C 6C 3S", "KS AH 4C 9D QS"),
    ):
        hands = [cards(hand) for hand in (left, own, right, partner)]
        game = Game(rules, 4, dealer=0, pack=pack_of(hands, cards("2S"), rules))
        found = review([played(game, blunders={0: FIVE})], [1], QUICK, worlds=50)
        judged.append(found.decisions[0])
    assert judged[0].taken == FIVE
    assert judged[0].better == judged[1].better
    assert judged[0].gain == judged[1].gain


def test_no_figure_is_the_best_of_many():
    """Measured once, those picked for their size look worse than they are; not so again."""
    records = [played(Game("spoil-five", 5, seed=seed), "random") for seed in range(12)]
    found = review(records, bot="iimc:worlds=100", worlds=30, top=12)
    again = {one.number: one.gain.mean for one in found.costliest}
    once = {one.number: one.gain.mean for one in found.decisions}
    assert len(again) > 5
    assert sum(once[number] - again[number] for number in again) > 0
    fresh = review(records, bot="iimc:worlds=100", worlds=1500, top=1)
    right = {one.number: one.gain.mean for one in fresh.decisions}
    better = {one.number: one.better for one in fresh.decisions}
    fair = [one for one in found.costliest if better[one.number] == one.better]
    within = sum(abs(one.gain.mean - right[one.number]) <= 2 * one.gain.half_width for one in fair)
    assert within >= 0.9 * len(fair)


def test_totals_and_tables_agree(file):
    found = review(file, bot=QUICK, worlds=40)
    frame = found.to_frame()
    assert len(frame) == len(found.decisions)
    assert list(frame.line) == [one.line for one in found.decisions]
    assert frame.measured_again.sum() == len(found.costliest)
    assert sum(one.decisions for one in found.totals) == len(found.decisions)
    total = sum(one.gain.mean for one in found.totals)
    assert total == pytest.approx(sum(one.gain.mean for one in found.decisions))
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["decisions"] == len(found.decisions)


def test_the_game_can_be_what_is_judged_by(file):
    found = review(file, bot=QUICK, worlds=40, utility="game")
    assert {one.unit for one in found.decisions} == {"chance to win"}
    assert all(abs(one.gain.mean) <= 1 for one in found.decisions)
    deal = played(Game("spoil-five", 5, seed=1), "random")
    with pytest.raises(PositionError, match="played for chips"):
        review([deal], bot=QUICK, utility="game")


def test_an_auction_is_reviewed_too():
    game = Game("five-hundred", 4, seed=5)
    rng = random.Random(1)
    while not game.deal_is_over:
        game.push(rng.choice(game.legal_actions))
    found = review([record_of(game, ["random"] * 4)], bot=QUICK, worlds=40, top=3)
    assert "auction" in {one.phase for one in found.decisions}
    assert 0 < len(found.costliest) <= 3
    assert "gives up" in str(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-file"], "cannot read 'no-file'"),
        (["FILE", "--seat", "4"], "line 1: seat 4 is no seat; seats are 0..3"),
        (["FILE", "--top", "0"], "top must be a whole number 1.."),
        (["FILE", "--worlds", "1"], "worlds must be a whole number 2.."),
        (["FILE", "--utility", "fun"], "utility must be deal or game"),
        (["FILE", "--bot", "random"], "bot 'random' does not search"),
        (["FILE", "--bot", "ismct"], "did you mean 'ismcts'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(capsys, file, arguments, message):
    code, out, err = run(capsys, "review", *(file if a == "FILE" else a for a in arguments))
    assert code == 2
    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_a_record_with_a_fault_is_not_reviewed(file):
    record = next(iter(forty5sim.read_records(file)))
    wrong = Record(**(vars(record) | {"actions": record.actions[::-1]}))
    with pytest.raises(RecordError, match="record 1: "):
        review([wrong])
    with pytest.raises(AgentError, match="does not search"):
        review([record], bot="heuristic")
