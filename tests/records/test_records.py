"""Records: written and read to the byte, played back, checked; every kind of damage is named."""

from __future__ import annotations

import json
import random

import pytest

from forty5sim.agent import view_of
from forty5sim.cards import CardSet
from forty5sim.errors import RecordError
from forty5sim.game import Game
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import JINK, KEEP
from forty5sim.records import (
    Coverage,
    Playback,
    RecordWriter,
    faults_of,
    parse_record,
    read_lines,
    read_records,
    record_of,
    write_records,
)
from forty5sim.records.making import named_in_records
from tests.records.long_run import run
from tests.records.made_records import good, held, holder_last, no_trumps, restocked, thrown_in
from tests.records.random_records import played, random_record, random_records
from tests.rulebook.table import deal, play, script

# --- round trips --------------------------------------------------------------------------------


def test_random_deals_are_read_as_written_and_are_right(tmp_path):
    coverage = run(800, 3, tmp_path)
    assert set(coverage.counts) == set(presets())
    for columns in (Coverage.TURN_UP, Coverage.BIDDING):
        games = [game for game in coverage.counts if coverage.columns(game) == columns]
        total = {what: sum(coverage.counts[game][what] for game in games) for what in columns}
        assert min(total.values()) > 0, total


def test_deals_whose_stock_ran_out_are_among_them():
    restocked = [record for record in random_records(1600, 3) if record.restock]
    assert len(restocked) > 3
    for record in restocked:
        again = parse_record(record.to_json())
        assert again == record
        assert again.to_json() == record.to_json()
        assert faults_of(again) == []
        assert Playback(again).record.restock == record.restock


@pytest.mark.jit_off
def test_a_record_says_everything():
    game = deal("spoil-five", {1: "AS 3S 9C 4D 6H"}, "7S", players=3, pot=4)
    play(game, "rob:6H")
    record = record_of(played(game, random.Random(1)), ["a", "b", "c"])
    data = record.as_dict()
    assert list(data) == [
        "format", "game", "options", "players", "sides", "dealer", "seed", "deal", "bots", "hands",
        "turnup", "kitty", "stock", "before", "actions", "tricks", "result",
    ]  # fmt: skip
    assert data["format"] == "forty5sim.deal.v1"
    assert (data["seed"], data["deal"], data["turnup"]) == (None, None, "7S")
    assert data["before"] == {"pot": 4, "stacks": [50, 50, 50]}
    assert data["actions"][0] == {"seat": 1, "act": "rob", "card": "6H"}
    assert set(data["hands"][1]) == {"AS", "3S", "9C", "4D", "6H"}
    assert len(data["stock"]) == 36
    assert sum(data["result"]["points"]) + data["result"]["after"]["pot"] == 4
    assert faults_of(record) == []


def test_unknown_keys_are_kept():
    data = json.loads(good().to_json())
    data["table"] = {"noise": [1, 2.5, "é"]}
    data["actions"][0]["seconds"] = 1.25
    data["tricks"][1]["note"] = None
    data["result"]["after"]["audience"] = 3
    text = json.dumps(data, ensure_ascii=False)
    record = parse_record(text)
    assert record.to_json() == text
    assert record.extra == {"table": {"noise": [1, 2.5, "é"]}}
    assert faults_of(record) == []


def test_cards_are_read_in_any_usual_way():
    data = json.loads(good().to_json())
    stock = data["stock"]
    data["stock"] = [
        card.lower().replace("10", "t").replace("s", "♠").replace("h", "♥") for card in stock
    ]
    assert parse_record(json.dumps(data)).as_dict()["stock"] == stock


def test_a_deal_of_a_seed_can_be_dealt_again():
    game = Game("forty-five", 4, seed=11, deal=5, dealer=2)
    record = record_of(played(game, random.Random(2)), ["random"] * 4)
    assert (record.seed, record.deal) == (11, 5)
    assert Playback(record).game.hands == Game("forty-five", 4, seed=11, deal=5, dealer=2).hands


def test_every_deal_of_whole_games_is_right():
    for spec, players in (
        ("spoil-five:stack=9,ante=2,unpaid=all_in", 5),
        ("spoil-five:game_deals=4", 3),
        ("forty-five:sides=2x2", 4),
        ("twenty-five:sides=3x2", 6),
        ("auction-forty-fives:sets_lose=3,kitty=5", 6),
        ("pei-hall:game_deals=3", 4),
        ("nova-scotia:target=60", 3),
        ("five-hundred:lose_at=-300", 4),
    ):
        rng = random.Random(4)
        game, standing = Game(spec, players, seed=3), None
        while True:
            record = record_of(played(game, rng), ["random"] * players)
            assert faults_of(record) == []
            assert standing in (None, record.before)
            standing = record.result.after
            if not game.next_deal():
                break
        if "all_in" in spec:
            assert () in record.hands, "a seat should have left"
        if game.rules.family != "pot":
            assert record.result.outcome == "game-won"
            assert record.result.winner == game.winner


@pytest.mark.jit_off
def test_rules_of_ones_own_are_told_by_the_nearest_preset():
    rules = find_rules("spoil-five:ante=2,stack=9,first_dealer=1,last_pot=leader")
    assert named_in_records(rules, 5) == ("spoil-five", {"ante": 2})
    own = find_rules("spoil-five-traditional:rob_missed=barred,ante=3")
    house = type(own)(name="house", family="pot", **own.options())
    assert named_in_records(house, 5) == ("spoil-five-strict", {"ante": 3})
    pair = find_rules("forty-five:sides=2x2")
    assert named_in_records(pair, 4) == ("forty-five", {})


def test_an_unfinished_deal_has_no_record():
    with pytest.raises(RecordError, match="not over"):
        record_of(Game("forty-five"), [""] * 4)


# --- what a reader may find in another order ----------------------------------------------------


@pytest.mark.parametrize("place", [0, 1])
def test_a_rob_before_ones_own_turn_is_moved_there(place):
    record = holder_last()
    data = record.as_dict()
    assert data["actions"][2]["act"] == "rob"
    data["actions"].insert(place, data["actions"].pop(2))
    early = parse_record(json.dumps(data))
    assert faults_of(early) == []
    phases = [step.phase for step in Playback(early).steps()]
    assert phases[:3] == ["play", "play", "rob"]


def test_who_robs_early_cannot_rob_again():
    data = holder_last().as_dict()
    data["actions"].insert(0, data["actions"][2])
    assert "seat 0 cannot rob now" in faults_of(parse_record(json.dumps(data)))[0]


def test_playing_on_is_a_jink_where_that_is_implicit():
    told = script(3, [1, 1, 1, 1, 1])
    rules = find_rules("spoil-five:jink_declare=implicit,plain_lead=free,trump=S")
    game = deal(rules, told.hands, players=3)
    for trick in told.tricks[:3]:
        play(game, trick)
    game.push(JINK)
    for trick in told.tricks[3:]:
        play(game, trick)
    data = record_of(game, ["a", "b", "c"]).as_dict()
    data["actions"] = [action for action in data["actions"] if action["act"] != "jink"]
    assert data["result"]["outcome"] == "jink-made"
    assert faults_of(parse_record(json.dumps(data))) == []
    del data["options"]["jink_declare"]
    assert "seat 1 has to jink" in faults_of(parse_record(json.dumps(data)))[0]


def test_a_record_of_an_auction_says_everything():
    data = held().as_dict()
    assert (data["turnup"], data["kitty"], len(data["stock"])) == (None, ["7D", "8D", "9D"], 29)
    assert "restock" not in data
    assert data["before"] == {"scores": [0, 0]}
    assert data["actions"][3:7] == [
        {"seat": 0, "act": "bid", "bid": "hold"},
        {"seat": 1, "act": "bid", "bid": "pass"},
        {"seat": 0, "act": "trump", "suit": "S"},
        {"seat": 1, "act": "discard", "cards": ["2D"]},
    ]
    assert data["actions"][7] == {"seat": 2, "act": "discard", "cards": []}
    assert data["result"]["outcome"] == "made"
    counted = held(sets_lose=3, game_deals=4).as_dict()
    assert counted["before"] == {"scores": [0, 0], "sets": [1, 0], "deals": 1}
    assert counted["result"]["after"] == {"scores": [30, 0], "sets": [1, 0], "deals": 2}


def test_a_record_tells_what_becomes_of_the_joker():
    given, left = no_trumps(joker="H").as_dict(), no_trumps(actions="JK name:H").as_dict()
    assert given["actions"][5] == {"seat": 1, "act": "assign", "suit": "H"}
    assert left["actions"][5] == {"seat": 1, "act": "assign"}
    assert left["actions"][6] == {"seat": 1, "act": "play", "card": "JK", "suit": "H"}
    last = no_trumps().as_dict()
    assert last["actions"][42] == {"seat": 1, "act": "play", "card": "JK"}


def test_a_new_stock_is_told_in_the_order_in_which_it_is_drawn():
    record = restocked()
    data = record.as_dict()
    keys = list(data)
    assert keys[keys.index("stock") + 1] == "restock"
    thrown = [card for action in data["actions"][7:11] for card in action["cards"]]
    assert sorted(data["restock"]) == sorted(thrown)
    playback = Playback(record)
    list(playback.steps())
    drawn = data["restock"][:5]
    assert set(drawn) <= {a["card"] for a in data["actions"][13:] if a["seat"] == 5}
    data["restock"][0], data["restock"][20] = data["restock"][20], data["restock"][0]
    assert faults_of(parse_record(json.dumps(data))), "another card would have been drawn"


def test_a_deal_thrown_in_has_no_tricks_and_is_not_counted():
    record = thrown_in()
    assert (record.tricks, record.result.outcome) == ((), "thrown-in")
    assert record.result.after == record.before


# --- files --------------------------------------------------------------------------------------


def test_a_file_is_read_line_by_line_and_faults_name_the_line(tmp_path):
    path = tmp_path / "deals.jsonl"
    text = good().to_json()
    lines = [
        text,
        text[:200],
        "",
        text.encode().replace(b"5H", b"\xff"),
        b"\xef\xbb\xbf" + text.encode(),
    ]
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines) + b"\n")
    found = dict(read_lines(path))
    assert found[1] == good()
    assert "deals.jsonl, line 2: it is cut off" in str(found[2])
    assert "line 3: the line is empty" in str(found[3])
    assert "line 4: it is no UTF-8" in str(found[4])
    assert "line 5: it is no JSON" in str(found[5])
    with pytest.raises(RecordError, match="line 2"):
        list(read_records(path))


def test_a_file_without_lines_is_not_read_into_memory(tmp_path):
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(10**10)  # a sparse file: ten gigabytes of nothing
    (only,) = read_lines(path)
    assert "the line is longer than 1000000 bytes" in str(only[1])


def test_files_that_cannot_be_used_are_named(tmp_path):
    with pytest.raises(RecordError, match=r"cannot read .*: No such file"):
        list(read_records(tmp_path / "none.jsonl"))
    with pytest.raises(RecordError, match="cannot write"):
        RecordWriter(tmp_path)
    with pytest.raises(RecordError, match=r"cannot write '/dev/null/deals.jsonl'"):
        write_records("/dev/null/deals.jsonl", [])


def test_nothing_is_written_half(tmp_path):
    path = tmp_path / "deals.jsonl"

    def breaking():
        yield good()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(path, breaking())
    assert list(tmp_path.iterdir()) == []
    assert write_records(path, [good(), good()]) == 2
    with RecordWriter(path) as writer:
        writer.write(good())
    assert len(list(read_records(path))) == 3


# --- what is hidden ------------------------------------------------------------------------------


def test_a_holder_who_keeps_is_recorded_but_not_seen():
    hands = {0: "AS 3S 9C 4D 6H", 1: "KD QD 2D 3D 8H"}
    game = deal("forty-five", hands, "7S", players=2, dealer=0)
    play(game, "KD")
    assert view_of(game, 1).phase == "play"
    game.push(KEEP)
    record = record_of(played(game, random.Random(1)), ["a", "b"])
    assert record.as_dict()["actions"][1] == {"seat": 0, "act": "keep"}
    assert CardSet(record.hands[0]) == CardSet.parse(hands[0])


def test_random_records_of_every_preset_play_back():
    for rules in presets().values():
        assert faults_of(random_record(rules, random.Random(6))) == []
