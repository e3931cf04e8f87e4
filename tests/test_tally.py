"""Sums of boards: exact, the same for any cut, and what they say of a duel."""

import pickle

import numpy as np
import pytest

from forty5sim.arena.conditions import Conditions, in_columns, row_width
from forty5sim.arena.fields import column_names, measures_of
from forty5sim.arena.match import play_pairing
from forty5sim.arena.schedule import fixed_table, pair, round_robin
from forty5sim.arena.tally import Sums, Tally, add_values, fingerprint
from forty5sim.kernels import rows
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot

SPOIL, PARTNERS = find_rules("spoil-five"), find_rules("forty-five")


def made_up_rows(conditions, pairings, boards=40, seed=1):
    """Rows of random counts: payoffs that sum to zero, nobody forfeited."""
    rng = np.random.default_rng(seed)
    results = []
    for pairing in pairings:
        found = rng.integers(0, 50, (boards, len(pairing.seatings), row_width(conditions)))
        found[:, :, rows.ROW_FORFEIT] = -1
        results.append(found.astype(np.int32))
    return results


def prints(pairing, first, result):
    return tuple(fingerprint(pairing, first, in_columns(result)))


def seat_value(row, block, seat, players):
    return row[rows.HEAD_SIZE + block * players + seat]


@pytest.mark.parametrize(("rules", "players"), [(SPOIL, 5), (PARTNERS, 4)])
def test_every_sum_is_what_adding_up_by_hand_gives(rules, players):
    conditions = Conditions(rules, players, seed=1)
    pairings = round_robin(3, players, conditions.sides)
    results = made_up_rows(conditions, pairings, 7)
    tally = Tally(conditions, ["a", "b", "c"], pairings)
    tally.add_rows(results, 0)
    for measure, block in measures_of(rules).items():
        for bot in range(3):
            by_board = np.zeros(7, dtype=np.int64)
            for pairing, result in zip(pairings, results, strict=True):
                for replay, seating in enumerate(pairing.seatings):
                    for seat in [s for s, b in enumerate(seating) if b == bot]:
                        by_board += result[:, replay].T[rows.HEAD_SIZE + block * players + seat]
            sums = tally.sums[measure, bot]
            assert sums.total == by_board.sum()
            assert sums.squares == (by_board**2).sum()


def test_duels_count_gains_and_won_replays():
    conditions = Conditions(SPOIL, 3, seed=1)
    pairing = pair(0, 1, 3, 3)
    result = made_up_rows(conditions, [pairing], 5)[0]
    tally = Tally(conditions, ["a", "b"], [pairing])
    tally.add_rows([result], 0)
    gains, scores = [], []
    for board in result:
        gain = score = 0
        for row, seating in zip(board, pairing.seatings, strict=True):
            payoffs = [seat_value(row, rows.BLOCK_PAYOFF, s, 3) for s in range(3)]
            lone = next(b for b in (0, 1) if seating.count(b) == 1)
            gain += payoffs[seating.index(lone)] * (1 if lone == 0 else -1)
            means = [
                np.mean([p for p, b in zip(payoffs, seating, strict=True) if b == bot])
                for bot in (0, 1)
            ]
            score += 1 + int(np.sign(means[0] - means[1]))
        gains.append(gain)
        scores.append(score)
    duel = tally.duels[0]
    assert sorted(duel.payoffs.elements()) == sorted(gains)
    assert sorted(duel.scores.elements()) == sorted(scores)
    assert duel.payoff.mean == pytest.approx(np.mean(gains) / duel.payoff_divisor)
    assert sum(duel.outcomes) == 5
    assert duel.score_support()[0][-1] == 1
    assert tally.estimate("payoff", 0).mean == pytest.approx(duel.payoff.mean)
    assert duel.deviation == pytest.approx(np.std(gains, ddof=1) / duel.payoff_divisor)


@pytest.mark.jit_off
def test_any_cut_gives_the_same_sums_and_digest():
    conditions = Conditions(SPOIL, 5, seed=1)
    pairings = round_robin(2, 5, 5)
    results = made_up_rows(conditions, pairings)
    whole = Tally(conditions, ["a", "b"], pairings)
    whole.add_rows(results, 0)
    cut = whole.empty()
    assert cut.boards == 0
    assert cut.digest != whole.digest
    for first, end in ((25, 40), (0, 7), (7, 25)):
        part = whole.empty()
        part.add_rows([result[first:end] for result in results], first)
        cut.merge(pickle.loads(pickle.dumps(part)))
    assert cut.digest == whole.digest
    assert cut.sums == whole.sums
    assert cut.seats == whole.seats
    assert cut.duels == whole.duels


def test_a_digest_knows_every_number_and_its_place():
    conditions = Conditions(SPOIL, 5, seed=1)
    result = made_up_rows(conditions, [pair(0, 1, 5, 5)])[0]
    found = {prints(0, 0, result), prints(1, 0, result)}
    found.add(prints(0, 1, result))
    for place in ((0, 0, 0), (3, 2, 5), (39, 9, -1)):
        other = result.copy()
        other[place] += 1
        found.add(prints(0, 0, other))
    swapped = result.copy()
    swapped[[0, 1]] = result[[1, 0]]
    found.add(prints(0, 0, swapped))
    assert len(found) == 7


def test_seats_are_told_from_eldest_to_dealer():
    conditions = Conditions(SPOIL, 5, seed=1)
    pairing = pair(0, 1, 5, 5)
    result = np.zeros((10, 10, row_width(conditions)), dtype=np.int32)
    result[:, :, rows.ROW_FORFEIT] = -1
    for board in range(10):  # the dealer of board k is seat k mod 5
        result[board, :, rows.HEAD_SIZE + board % 5] = 4
        result[board, :, rows.HEAD_SIZE + (board + 1) % 5] = -4
    tally = Tally(conditions, ["a", "b"], [pairing])
    tally.add_rows([result[:3]], 0)
    tally.add_rows([result[3:]], 3)
    assert [sums.total for sums in tally.seats] == [-400, 0, 0, 0, 400]


def test_large_values_are_squared_exactly():
    sums = [Sums(), Sums()]
    add_values(sums, np.array([[2**33, -(2**33), 1], [1, 2, 3]], dtype=np.int64))
    assert sums[0].squares == 2 * 2**66 + 1
    assert (sums[1].total, sums[1].squares) == (6, 14)


def test_forfeits_are_charged_to_who_sat_there():
    conditions = Conditions(SPOIL, 3, seed=1)
    table = fixed_table((0, 1, 1))
    result = made_up_rows(conditions, [table], 4)[0]
    result[2, 1, rows.ROW_FORFEIT] = 2  # the second rotation is (1, 1, 0)
    tally = Tally(conditions, ["a", "b"], [table])
    tally.add_rows([result], 0)
    assert tally.forfeits == [1, 0]


def test_a_real_match_adds_up():
    conditions = Conditions(SPOIL, 5, seed=4)
    pairing = pair(0, 1, 5, 5)
    bots = [find_bot("heuristic"), find_bot("random")]
    result, _ = play_pairing(conditions, bots, pairing.seatings, 0, 200)
    tally = Tally(conditions, ["heuristic", "random"], [pairing])
    tally.add_rows([result], 0)
    assert tally.estimate("payoff", 0).mean == -tally.estimate("payoff", 1).mean
    assert sum(sums.total for sums in tally.seats) == 0
    assert len(column_names(SPOIL, 5)) == result.shape[2]
