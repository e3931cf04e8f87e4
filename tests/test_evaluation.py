"""What hands are worth: known numbers, brute force over other hands, playouts, the command."""

from __future__ import annotations

import os
import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

import forty5sim
from forty5sim import searches
from forty5sim.cards import CardSet, card_name, mask_of, suit_of
from forty5sim.cli import main
from forty5sim.errors import AgentError, NotationError, RuleSetError, SolverError
from forty5sim.evaluation import equities
from forty5sim.evaluation.robbing import RobbingRun, count_robs, worth
from forty5sim.evaluation.values import HandValues, evaluate, read_hands, rob_value
from forty5sim.game import Game, pack_of
from forty5sim.kernels import face, layout, services
from forty5sim.kernels.asking import SERVICE, address_of
from forty5sim.kernels.policies import RANDOM
from forty5sim.kernels.search import PLAYOUT, POLICY_PARAMS
from forty5sim.named_rules import find_rules
from forty5sim.ranking import plain_order, trump_order
from forty5sim.tables import rule_tables

FORTY_FIVE = find_rules("forty-five")
OTHERS = 1_533_939
FULL = os.environ.get("FORTY5SIM_FULL_TABLES") == "1"
"""Whether the tables of all hands are built too: a minute on two cores."""

# ranks by strength, 0 the highest: trumps, the plain suit that is 12 long where it is, two more
KNOWN = [
    (((0, 1, 2, 3, 4), (), (), ()), (1.0, 1.0, 1.0, 1.0)),
    (((0,), (0,), (0,), (0, 1)), (0.969257578, 0.950325926, 0.960752677, 0.941175627)),
    (((5, 6, 7), (11,), (11,), ()), (0.741884130, 0.696118294, 0.726759017, 0.664220024)),
    (((), (0,), (0, 1), (0, 1)), (0.793695186, 0.731701195, 0.770295950, 0.714576655)),
    (((-2, -1), (11,), (11,), (11,)), (0.171023098, 0.171023098, 0.127128915, 0.127128915)),
]
ALL_DEALS = {
    True: (295620175136, 685032001797, 811707083616, 937960187021, 885241746961, 371084908909),
    False: (302518369582, 686504764264, 815406176552, 932120578037, 876042209251, 374054005754),
}


def hand_of(ranks, trump: int) -> int:
    """The mask of a hand given as ranks by strength."""
    suits = [trump_order(FORTY_FIVE, trump)]
    plain = [plain_order(FORTY_FIVE, suit) for suit in range(4) if suit != trump]
    suits += sorted(plain, key=len)
    return mask_of(cards[rank] for cards, held in zip(suits, ranks, strict=True) for rank in held)


def random_hands(count: int, seed: int) -> list[int]:
    rng = random.Random(seed)
    return [mask_of(rng.sample(range(52), 5)) for _ in range(count)]


def solved(rules, trump, hand, others, *, leads, monkeypatch) -> np.ndarray:
    """The tricks of a hand against each other hand, by alpha-beta on real cards."""
    monkeypatch.setattr(searches, "uses_table", lambda *_: False)
    fixed = rules.with_options(trump="SCDH"[trump])
    game = Game(fixed, 2, dealer=1 if leads else 0, pack=pack_of([list(CardSet(hand))], [], fixed))
    states = np.tile(game.state, (len(others), 1))
    states[:, layout.HANDS] = hand
    states[:, layout.HANDS + 1] = others
    bounds = np.tile(np.array([[0, 5]]), (len(others), 1))
    count = searches.Count(counted=1, eager=1)
    found, _ = searches.TrickSearch(fixed).narrow(states, count, bounds, 10**9)
    assert (found[:, 0] == found[:, 1]).all()
    return found[:, 0]


# Exact


@pytest.mark.parametrize("trump", range(4))
@pytest.mark.parametrize(("ranks", "known"), KNOWN)
def test_known_equities(ranks, known, trump):
    values = evaluate(read_hands([CardSet(hand_of(ranks, trump))], FORTY_FIVE), trump)
    expected = known[:2] if trump == 3 else known[2:]
    assert values.win3[0].tolist() == pytest.approx(expected, abs=1e-9)
    assert values.is_exact
    assert not values.errors.any()


def test_a_known_count():
    counter = equities.HandCounter(FORTY_FIVE, 3)
    counts = counter.counts([hand_of(KNOWN[1][0], 3)])
    assert counts[0, 3:].sum() == 1_486_782
    assert counter.looked_up < 5_000


@pytest.mark.parametrize("trump", range(4))
def test_patterns_sum_to_all_other_hands(trump):
    hands = random_hands(200, trump)
    counter = equities.HandCounter(FORTY_FIVE, trump)
    assert (counter.counts(hands).sum(axis=(1, 2)) == OTHERS).all()
    dead = [mask_of(random.Random(h).sample(list(CardSet((1 << 52) - 1 & ~h)), 7)) for h in hands]
    assert (counter.counts(hands, dead).sum(axis=(1, 2)) == comb(40, 5)).all()


RULES = ["forty-five", "spoil-five", "forty-five:renege=none,plain_lead=free",
         "forty-five:renege_cards=five_only,plain_lead=strict_follow,plain_red_ace=high",
         "forty-five:renege=single_unconditional"]  # fmt: skip


@pytest.mark.parametrize("spec", RULES)
def test_counts_against_every_other_hand(spec, monkeypatch):
    rules = find_rules(spec)
    rng = random.Random(spec)
    for trump in range(4):
        trumps = list(trump_order(rules, trump))
        pack = list(rng.sample(range(52), 16))
        pack = list(dict.fromkeys(trumps[:4] + pack))[:16]
        rng.shuffle(pack)
        hand, rest = mask_of(pack[:5]), pack[5:]
        others = [mask_of(five) for five in combinations(rest, 5)]
        dead = (1 << 52) - 1 & ~mask_of(pack)
        found = equities.HandCounter(rules, trump).counts([hand], [dead])[0]
        for axis, leads in ((1, True), (0, False)):
            tricks = solved(rules, trump, hand, others, leads=leads, monkeypatch=monkeypatch)
            expected = np.bincount(tricks, minlength=6)
            assert found.sum(axis=axis).tolist() == expected.tolist(), (CardSet(hand), leads)


def test_counts_against_some_of_all_other_hands(monkeypatch):
    rng = random.Random(5)
    for number, hand in enumerate(random_hands(20, 6)):
        trump = number % 4
        unseen = list(CardSet((1 << 52) - 1 & ~hand))
        others = [mask_of(rng.sample(unseen, 5)) for _ in range(500)]
        tricks = solved(FORTY_FIVE, trump, hand, others, leads=True, monkeypatch=monkeypatch)
        counts = equities.HandCounter(FORTY_FIVE, trump).counts([hand])[0].sum(axis=1)
        mean = counts @ np.arange(6) / OTHERS
        spread = np.sqrt(counts @ np.arange(6) ** 2 / OTHERS - mean**2)
        assert tricks.mean() == pytest.approx(mean, abs=4.5 * spread / np.sqrt(500) + 1e-9)


def test_one_is_worth_what_the_other_loses():
    one, other = random_hands(1, 1)[0], 0
    unseen = list(CardSet((1 << 52) - 1 & ~one))
    other = mask_of(unseen[:5])
    dead = (1 << 52) - 1 & ~one & ~other
    counter = equities.HandCounter(FORTY_FIVE, 2)
    leading = counter.counts([one], [dead])[0]
    following = counter.counts([other], [dead])[0]
    assert leading.sum() == 1
    assert np.argwhere(leading)[0, 0] == 5 - np.argwhere(following)[0, 1]


# Classes and tables


@pytest.mark.parametrize("hearts", [True, False])
def test_classes_stand_for_all_hands(hearts):
    classes = equities.classes_of(hearts)
    assert classes.weights.sum() == comb(52, 5)
    assert (np.bitwise_count(classes.masks.view(np.uint16)).sum(axis=1) == 5).all()
    assert len(np.unique(classes.masks, axis=0)) == len(classes)


@pytest.mark.parametrize("trump", range(4))
def test_the_table_looks_up_what_is_counted(trump):
    hands = np.array(random_hands(300, 40 + trump) + [hand_of(k[0], trump) for k in KNOWN])
    cross = equities.HandCounter(FORTY_FIVE, trump).counts(hands)
    size = equities.HEARTS_CLASSES if trump == 3 else equities.OTHER_CLASSES
    counts = np.zeros((size, 2, 6), dtype=np.int32)
    table = equities.EquityTable(FORTY_FIVE, trump == 3, counts)
    numbers = table.classes(hands, trump)
    counts[numbers, 0] = cross.sum(axis=2)
    counts[numbers, 1] = cross.sum(axis=1)
    table = equities.EquityTable(FORTY_FIVE, trump == 3, counts)
    exact = evaluate(hands, trump)
    for column, leads in enumerate((True, False)):
        assert table.values(hands, trump, leads=leads) == pytest.approx(exact.values[:, column])
    masks = equities.classes_of(trump == 3).masks[numbers]
    suits = equities.suits_by_strength(FORTY_FIVE, trump)
    for hand, row in zip(hands.tolist(), masks.tolist(), strict=True):
        own = [mask_of(i for i, card in enumerate(suit) if hand >> card & 1) for suit in suits]
        assert own[0] == row[0]
        assert sorted(own[1:]) == sorted(row[1:])


def test_plain_suits_of_one_length_come_to_the_same():
    one = evaluate("5S 9S KC 10C QD", "S")
    other = evaluate("5S 9S KD AD QC", "S")
    assert one.values.tolist() == other.values.tolist()


def test_a_damaged_table_is_not_used(tmp_path):
    path = tmp_path / "equity.npz"
    counts = np.zeros((3, 2, 6), dtype=np.int32)
    counts[:, :, 0] = OTHERS
    equities._write(path, counts)
    assert equities._read(path, 3) is not None
    assert equities._read(path, 4) is None
    damaged = bytearray(path.read_bytes())
    damaged[-200] ^= 1
    path.write_bytes(damaged)
    assert equities._read(path, 3) is None
    path.write_bytes(damaged[:100])
    assert equities._read(path, 3) is None
    assert equities._read(tmp_path / "none.npz", 3) is None


@pytest.mark.skipif(not FULL, reason="a minute; FORTY5SIM_FULL_TABLES=1 asks for it")
@pytest.mark.parametrize("hearts", [True, False])
def test_all_hands(hearts):
    table = equities.equity_table(FORTY_FIVE, 3 if hearts else 0)
    weights = equities.classes_of(hearts).weights
    sums = (table.counts.astype(np.int64) * weights[:, None, None]).sum(axis=0)
    assert tuple(sums[0]) == ALL_DEALS[hearts]
    assert tuple(sums[1]) == ALL_DEALS[hearts][::-1]
    share = sums[0, 3:].sum() / sums[0].sum()
    assert share == pytest.approx(0.550409238 if hearts else 0.547381618, abs=1e-9)


# The face


def test_the_order_of_cards_does_not_matter():
    one, other = evaluate("5H JH AH KD 2S", "H"), evaluate("2s,KD 5♥ jh AH", "hearts")
    assert one.values.tolist() == other.values.tolist()
    assert (one.places, one.n, len(one)) == (("leader", "others"), OTHERS, 1)
    assert "exact, all cards seen" in str(one)
    assert forty5sim.evaluate is evaluate
    assert forty5sim.HandValues is HandValues


def test_hands_are_read_in_every_form():
    text = ["5H JH AH KD 2S", "AS KS AH JS 5S"]
    masks = read_hands(text, FORTY_FIVE)
    assert read_hands(masks, FORTY_FIVE).tolist() == masks.tolist()
    assert read_hands([CardSet.parse(t) for t in text], FORTY_FIVE).tolist() == masks.tolist()
    assert read_hands(masks.tolist(), FORTY_FIVE).tolist() == masks.tolist()
    alone = evaluate(text, "S", lead="others")
    both = evaluate(text, "S")
    assert alone.values[:, 0].tolist() == both.values[:, 1].tolist()
    assert both.win5[1].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("hand", "more", "error", "message"),
    [
        ("5H JH AH KD", {}, NotationError, "has 4 cards, not 5"),
        ("5H JH AH KD KD", {}, NotationError, "has KD twice"),
        ("5H JH AH KD XX", {}, NotationError, "'XX' is no card"),
        ("5H JH AH KD JK", {}, NotationError, "JK is not in the pack"),
        ("5H JH AH KD 2S", {"trump": "X"}, NotationError, "unknown suit 'X'"),
        ("5H JH AH KD 2S", {"trump": 7}, NotationError, "trump must be a suit"),
        ("5H JH AH KD 2S", {"players": 12}, RuleSetError, "not for 12 players"),
        ("5H JH AH KD 2S", {"lead": 2}, SolverError, "seat 0..1"),
        ("5H JH AH KD 2S", {"turn_up": "2S"}, NotationError, "must be a card of the trump suit"),
        ("5H JH AH KD 2S", {"turn_up": "JH"}, NotationError, "cannot be held"),
        ("5H JH AH KD 2S", {"dead": "JH"}, NotationError, "cannot be held"),
        ("5H JH AH KD 2S", {"policy": "nobody"}, AgentError, "unknown bot"),
        ("5H JH AH KD 2S", {"policy": "random", "playouts": 0}, SolverError, "playouts must be"),
        ("5H JH AH KD 2S", {"policy": "random", "seed": -1}, SolverError, "seed must be"),
        ("5H JH AH KD 2S", {"game": "five-hundred", "players": 4}, RuleSetError, "five-fingers"),
        ("5H JH AH KD 2S", {"game": "forty-five-wikipedia"}, SolverError, "no exact values"),
        ("5H JH AH KD 2S", {"game": "auction-forty-fives", "players": 4}, RuleSetError, "auction"),
        ("5H JH AH KD 2S", {"players": 9, "dead": "2H 3H 4H"}, SolverError, None),
    ],
)
def test_errors(hand, more, error, message):
    asked = {"trump": "H"} | more
    if message is None:
        asked["dead"] = " ".join(
            card_name(c) for c in range(35) if card_name(c) not in hand.split()
        )
    with pytest.raises(error, match=message):
        evaluate(hand, **asked)


# Playouts


def test_playouts_are_the_same_however_they_are_asked_for():
    hands = ["5H JH AH KD 2S", "AS KS QS JS 5S", "2C 3C 4D 9D 10H"]
    asked = {"trump": "D", "players": 4, "policy": "random", "playouts": 300}
    together = evaluate(hands, **asked)
    for number, hand in enumerate(hands):
        alone = evaluate(hand, **asked)
        assert alone.values[0].tolist() == together.values[number].tolist()
    assert evaluate(hands, **asked, seed=1).values.tolist() != together.values.tolist()
    assert together.places == ("leader", "others")
    assert (together.n, together.policy, together.is_exact) == (300, "random", False)
    assert (together.tricks_error > 0).all()


def test_playouts_have_no_bias():
    """The mean over random hands is that of random deals, seat by seat."""
    rules = FORTY_FIVE.with_options(trump="C")
    hands = np.array(random_hands(4_000, 8))
    params = np.zeros(POLICY_PARAMS)
    params[PLAYOUT] = RANDOM
    state, notes = np.zeros(layout.STATE_SIZE, dtype=np.int64), np.zeros(1, dtype=np.int64)
    playing, tables = address_of(services.playing, SERVICE), rule_tables(rules)
    tricks = np.zeros((6_000, 3))
    for deal in range(len(tricks)):
        face.seat_game(state, tables, 3, 3, 2, 11)
        face.shuffle_deal(state, tables, deal)
        face.open_deal(state, tables)
        face.play_out(state, tables, playing, params, notes)
        tricks[deal] = state[layout.TRICKS : layout.TRICKS + 3]
    for seat in range(3):
        values = evaluate(hands, "C", 3, policy="random", lead=seat, playouts=2)
        error = np.hypot(
            tricks[:, seat].std() / len(tricks) ** 0.5, values.tricks.std() / len(hands) ** 0.5
        )
        assert values.tricks.mean() == pytest.approx(tricks[:, seat].mean(), abs=4.5 * error)


def test_the_standard_error_covers():
    exact = evaluate("5H 9H KD QD 2S", "H", policy="random", playouts=200_000, lead="eldest")
    runs = [
        evaluate("5H 9H KD QD 2S", "H", policy="random", playouts=200, lead="eldest", seed=seed)
        for seed in range(60)
    ]
    deviations = [float((v.tricks - exact.tricks)[0, 0] / v.tricks_error[0, 0]) for v in runs]
    assert 0.75 < np.std(deviations) < 1.3
    assert abs(np.mean(deviations)) < 0.6


def test_a_hand_that_takes_all_takes_all_played_out():
    values = evaluate("5S JS AH AS KS", "S", 5, policy="random", playouts=200, lead="eldest")
    assert values.win5[0, 0] == 1.0


def test_with_a_turn_up_the_ace_robs():
    values = evaluate("AH 2S 3S 6C 7C", "H", 3, turn_up="5H", playouts=500, lead="others")
    kept = evaluate("AH 2S 3S 6C 7C", "H", 3, dead="5H", playouts=500, lead="others")
    robbed = evaluate("AH 5H 2S 3S 6C", "H", 3, dead="7C", playouts=500, lead="others")
    assert kept.win3[0, 0] < values.win3[0, 0]
    assert values.win3[0, 0] == pytest.approx(robbed.win3[0, 0], abs=0.12)


def test_pairs_meet_the_same_shuffles():
    hands = ["AH 2S 3S 6C 7C", "AH 2S 3S 6C 8C"]
    asked = {"trump": "H", "players": 3, "policy": "random", "playouts": 1_000}
    paired = evaluate(hands, **asked, paired=True).tricks
    assert abs(paired[0, 0] - paired[1, 0]) < 0.2


# Robbing


def test_rob_value_is_the_best_of_all_discards():
    found = rob_value("AH KH 5S KD 2S", "5H")
    assert found.places == ("leader", "others")
    assert found.n == comb(46, 5)
    kept = evaluate("AH KH 5S KD 2S", "H", dead="5H")
    assert found.kept.tolist() == kept.values[0].tolist()
    for card, values in zip(found.thrown, found.robbed, strict=True):
        after = CardSet(CardSet.parse("AH KH 5S KD 2S 5H").mask ^ 1 << card)
        assert values.tolist() == evaluate(after, "H", dead=[card]).values[0].tolist()
    assert found.gain.tolist() == (found.robbed.max(axis=0) - found.kept).tolist()
    assert (found.gain > 0).all()


def test_the_dealer_robs_the_ace():
    found = rob_value("KH 5S KD 2S 3S", "AH")
    assert found.places == ("others",)
    assert found.gain.shape == (1, 3)
    with pytest.raises(NotationError, match="has no AH"):
        rob_value("KH 5S KD 2S 3S", "5H")
    with pytest.raises(NotationError, match="cannot be held"):
        rob_value("AH 5S KD 2S 3S", "AH")


@pytest.mark.parametrize("hearts", [True, False])
def test_the_robbing_table_agrees_with_single_hands(hearts):
    classes = equities.classes_of(hearts)
    trump = 3 if hearts else 0
    suits = equities.suits_by_strength(FORTY_FIVE, trump)
    rng = random.Random(hearts)
    for number in rng.sample(range(len(classes)), 30):
        robs = count_robs(FORTY_FIVE, number, number + 1, hearts=hearts)
        columns = worth(robs)
        row = classes.masks[number].tolist()
        cards = [c for suit, own in zip(suits, row, strict=True) for c in suit_cards(suit, own)]
        holds = 13 * trump + 12 in cards
        printed = [card for card in suits[0] if suit_of(card) == trump and card not in cards]
        assert len(robs.turned) == (len(printed) if holds else 1)
        for k, place in enumerate(robs.turned.tolist()):
            found = rob_value(CardSet(cards), suits[0][place])
            assert columns["kept_three_follow"][k] == round(found.kept[-1, 1] * found.n)
            assert columns["best_three_follow"][k] == round(found.best[-1, 1] * found.n)
            assert columns["best_tricks_follow"][k] == round(found.best[-1, 0] * found.n)


def suit_cards(suit, own: int) -> list[int]:
    """The cards of a suit, low to high, that a mask by strength names."""
    return [card for place, card in enumerate(suit) if own >> place & 1]


def test_a_robbing_run_goes_on(tmp_path):
    run = RobbingRun(FORTY_FIVE, tmp_path, threads=2)
    run.play(most_parts=1, progress=False)
    parts = sorted((tmp_path / "parts").iterdir())
    assert len(parts) == 1
    before = parts[0].stat().st_mtime_ns
    run.play(most_parts=1, progress=False)
    assert len(list((tmp_path / "parts").iterdir())) == 2
    assert parts[0].stat().st_mtime_ns == before
    table = run.summary()
    assert table["hands"].sum() > 0
    assert (table["robbed"] >= 0).all()
    assert run.by_hand().empty  # the first parts are of hands without the ace


def test_robbing_by_hand_and_turn_up(tmp_path):
    run = RobbingRun(FORTY_FIVE, tmp_path, threads=2)
    last = [part for part in run.parts() if part[0]][-1]
    run.parts = lambda: iter([last])  # hands with high trumps, the ace among them
    run.play(progress=False)
    by_hand, table = run.by_hand(), run.summary()
    assert set(by_hand["trumps"]) == {"hearts"}
    holders = table[table["who"].str.startswith("holder")]
    mean = (by_hand["value"] * by_hand["n"]).sum() / by_hand["n"].sum()
    assert mean == pytest.approx(holders["gain"].mean())
    assert by_hand["n"].sum() == holders["hands"].iloc[0]


# The command


def run_odds(capsys, *arguments):
    code = 0
    try:
        main(["odds", *arguments])
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err.replace("compiling", "").strip()


def test_odds_of_a_hand(capsys):
    code, out, _ = run_odds(capsys, "5H JH AH KD 2S", "--trump", "H")
    assert code == 0
    assert "2♠ K♦ 5♥ J♥ A♥, hearts trumps, 2 players (forty-five)" in out
    assert "leading      4.6204   100.000%  ████████████████████   62.285%" in out
    assert "exact: all 1,533,939 other hands" in out


def test_odds_played_out(capsys):
    asked = ("5H JH AH KD 2S", "--trump", "H", "--players", "5", "--playouts", "200")
    code, out, _ = run_odds(capsys, *asked)
    assert code == 0
    assert "not leading" in out
    assert "±" in out
    assert "n = 200 deals a line, played by heuristic" in out


def test_odds_compared(capsys):
    code, out, _ = run_odds(capsys, "AH KH 5S KD 2S", "--turn-up", "5H", "--compare")
    assert code == 0
    assert out.index("throw 5♠") < out.index("throw 2♠") < out.index("keep the hand")
    code, out, _ = run_odds(capsys, "AH KH 5S KD 2S", "--compare")
    assert code == 0
    assert out.index("♠ spades") < out.index("♣ clubs")


def test_odds_of_a_mistake(capsys):
    code, _, err = run_odds(capsys, "AH KH 5S KD 2S")
    assert code == 2
    assert "which suit is trumps?" in err
    code, _, err = run_odds(capsys, "AH KH", "--trump", "H")
    assert code == 2
    assert err.endswith("hand 'KH AH' has 2 cards, not 5")
    code, _, err = run_odds(capsys, "AD KH 5S KD 2S", "--turn-up", "5H", "--compare")
    assert code == 2
    assert "cannot rob" in err


@pytest.mark.jit_off
def test_a_few_playouts():
    found = evaluate(["5H JH AH KD 2S"], "H", players=3, policy="random", playouts=12)
    assert found.n == 12
    assert found.values.min() >= 0
    assert found.values.max() <= 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--compare", "--trump", "H"], "leave out --trump"),
        (["--trump", "H", "--players", "2", "--playouts", "100"], "counted exactly"),
    ],
)
def test_odds_refuses_options_that_would_do_nothing(capsys, options, words):
    code, out, err = run_odds(capsys, "5H JH AH KD 2S", *options)
    assert (code, out) == (2, "")
    assert words in err
