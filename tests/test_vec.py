"""Tables in lock-step do what ``Game`` does, and show the seat to act nothing that is hidden."""

from __future__ import annotations

import hashlib
import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import forty5sim
from forty5sim import vec
from forty5sim.agent import View, as_plain, view_of
from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.cards import CardSet, mask_of
from forty5sim.errors import BatchError, IllegalActionError, RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import face, layout, lockstep
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import HOLD, PASS
from forty5sim.registry import find_bot

TABLES = [(name, players) for name, rules in presets().items() for players in rules.players]


def at(env: vec.VecEnv, table: int) -> Game:
    """The deal of a table from its beginning."""
    conditions = Conditions(env.rules, env.players, env.seed)
    return board_game(conditions, int(env.arrays.deals[table]))


def payoffs(game: Game) -> list[float]:
    """The payoff of each seat, from the points: exact, then as a float."""
    points = [Fraction(points) for points in game.points]
    if game.rules.family == "pot":
        return [float(chips + Fraction(game.pot, game.players)) for chips in points]
    others = len(points) - 1
    worth = [mine - (sum(points) - mine) / others for mine in points]
    return [float(worth[side]) for side in game.sides]


def play_forced(game: Game) -> None:
    while len(game.legal_actions) == 1:
        game.push(game.legal_actions[0])


def seen(view: View) -> dict[str, set[int]]:
    """What an observation must hold, by field, from a view alone."""
    away = {seat: (seat - view.observer) % view.players for seat in range(view.players)}
    fields = {
        "hand": set(view.hand),
        "thrown": set(view.thrown),
        "trick": {card for _, card in view.trick},
        "best": {view.winning[1]} if view.winning else set(),
        "turnup": {view.turnup} - {None},
        "phase": {view._word(layout.PHASE)},
        "trump": {view.trump} - {None},
        "order": {(view._word(layout.ORDER) - layout.ORDERS) // layout.ORDER_SIZE},
        "led": {view._word(layout.LED_SUIT)},
        "tricks": set(range(len(view.history))),
        "joker_turned": set(range(view._word(layout.JOKER_TURNED))),
        "joker_suit": {view.joker_suit} - {None},
        "named": {view.named} - {None},
    }
    named = {
        "dealer": view.dealer,
        "leader": view.leader,
        "bidder": view.bidder,
        "robber": view.robber,
        "jinker": view.jinker,
        "claimer": view._or_none(layout.CLAIMER),
    }
    fields |= {name: set() if seat is None else {away[seat]} for name, seat in named.items()}
    tricks = [*map(view.played_to, view.history), dict(view.trick)]
    for seat, place in away.items():
        fields[f"played_{place}"] = {trick[seat] for trick in tricks if seat in trick}
        fields[f"won_{place}"] = set(range(view.tricks[seat]))
    if view.rules.has_auction:
        fields |= seen_of_the_auction(view, away)
    return fields


def seen_of_the_auction(view: View, away: dict[int, int]) -> dict[str, set[int]]:
    fields = {
        "bid": set() if view.bid is None else {view.bid},
        "callers": {away[seat] for seat in view.callers},
        "exposed": set(view.exposed),
    }
    for seat, place in away.items():
        calls = {action for caller, action in view.calls if caller == seat}
        fields[f"bids_{place}"] = {action for action in calls if action < layout.BID_COUNT}
        fields[f"passed_{place}"] = {0} if PASS in calls else set()
        fields[f"held_{place}"] = {0} if HOLD in calls else set()
        fields[f"discards_{place}"] = set(range(view.discarded[seat]))
    return fields


def shown(env: vec.VecEnv, table: int) -> dict[str, set[int]]:
    row = env.arrays.observations[table]
    return {name: set(np.flatnonzero(row[columns])) for name, columns in env.fields.items()}


def compare(env: vec.VecEnv, table: int, game: Game) -> None:
    """Compare what stands at a table with a game at the same point."""
    arrays = env.arrays
    assert arrays.seats[table] == game.seat
    assert arrays.legal[table] == game.legal_mask
    assert set(np.flatnonzero(arrays.masks[table])) == set(game.legal_actions)
    assert shown(env, table) == seen(view_of(game))
    assert arrays.observations[table].sum() == sum(map(len, shown(env, table).values()))
    packed = arrays.packed[table].view(np.uint8)
    bits = np.unpackbits(packed, bitorder="little")
    assert np.array_equal(bits, arrays.observations[table])


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_table_goes_as_the_game_goes(name, players):
    rng = random.Random(f"{name} {players}")
    forced = players % 2 == 0
    env = vec.make(name, players, batch=2, seed=players, threads=1, forced=forced)
    games = [at(env, table) for table in range(env.batch)]
    ended = 0
    while ended < 3:
        for table, game in enumerate(games):
            compare(env, table, game)
        actions = [rng.choice(game.legal_actions) for game in games]
        arrays = env.step(actions)
        for table, (game, action) in enumerate(zip(games, actions, strict=True)):
            game.push(action)
            if not forced:
                play_forced(game)
            assert arrays.done[table] == game.deal_is_over
            expected = payoffs(game) if game.deal_is_over else [0.0] * players
            assert list(arrays.rewards[table]) == expected
            if game.deal_is_over:
                games[table] = at(env, table)
                ended += 1


def test_random_steps_are_those_of_the_random_bot():
    bot = find_bot("random").compiled
    assert bot is not None
    for name in ("spoil-five", "five-hundred"):
        env = vec.make(name, batch=4, seed=3, threads=1)
        games = [at(env, table) for table in range(env.batch)]
        for _ in range(40):
            views = [view_of(game) for game in games]
            actions = [
                as_plain(bot).act(view) if len(view.legal) > 1 else view.legal[0] for view in views
            ]
            arrays = env.step_random()
            assert list(env.actions) == actions
            for table, game in enumerate(games):
                game.push(actions[table])
                play_forced(game)
                if arrays.done[table]:
                    assert game.deal_is_over
                    games[table] = at(env, table)


@pytest.mark.parametrize("name", ["spoil-five", "auction-forty-fives"])
def test_results_are_the_same_to_the_byte_for_any_number_of_threads(name):
    found = set()
    for threads in (1, 2, 3):
        env = vec.make(name, batch=301, seed=5, threads=threads)
        digest = hashlib.sha256()
        for _ in range(12):
            for array in env.step_random():
                digest.update(array.tobytes())
        rollout = env.rollout(30)
        for array in env.step(env.first_legal()):
            digest.update(array.tobytes())
        found.add((digest.hexdigest(), str(rollout)))
    assert len(found) == 1


def test_a_rollout_is_as_many_random_steps_and_sums_what_they_pay():
    rolled, stepped = (vec.make("spoil-five", batch=50, seed=2) for _ in range(2))
    found = rolled.rollout(64)
    deals, rewards = 0, np.zeros(5)
    for _ in range(64):
        arrays = stepped.step_random()
        deals += arrays.done.sum()
        rewards += arrays.rewards.sum(axis=0)
    assert (found.decisions, found.deals) == (50 * 64, deals)
    assert found.payoffs == pytest.approx(rewards)
    assert found.payoffs.sum() == pytest.approx(0)
    for one, other in zip(rolled.arrays, stepped.arrays, strict=True):
        assert np.array_equal(one, other)


def test_long_rollouts_are_played_piece_by_piece(monkeypatch):
    whole = vec.make("forty-five", batch=20, seed=2)
    expected = whole.rollout(50)
    monkeypatch.setattr(vec, "DECISIONS_A_CALL", 20 * 7)
    pieces = vec.make("forty-five", batch=20, seed=2)
    assert str(pieces.rollout(50)) == str(expected)
    assert np.array_equal(pieces.arrays.observations, whole.arrays.observations)


def test_a_finished_deal_is_followed_by_the_next_of_the_table():
    env = vec.make("forty-five", 4, batch=10, seed=4)
    assert list(env.arrays.deals) == list(range(10))
    before, count = env.arrays.deals.copy(), 0
    for _ in range(60):
        arrays = env.step_random()
        assert np.array_equal(arrays.deals - before, 10 * arrays.done)
        assert not arrays.rewards[~arrays.done].any()
        before, count = arrays.deals.copy(), count + int(arrays.done.sum())
    assert count > 20
    assert list(env.reset().deals) == list(range(10))


# --- secrets --------------------------------------------------------------------------------------


def show_again(env: vec.VecEnv) -> None:
    """Write what is seen anew, and no more: no step is taken."""
    env._advance(lockstep.AT_RANDOM, 0, lockstep.BYTES)


def exchange(state: np.ndarray, a: int, b: int) -> None:
    """Let two cards change places, wherever they lie."""
    both = mask_of([a, b])
    masks = [*range(layout.HANDS, layout.RIGHT), layout.KITTY_CARDS]
    masks += [layout.THROWN_BEFORE, layout.RESTOCKED]
    for field in masks:
        if int(state[field]) & both not in (0, both):
            state[field] ^= both
    for field in (*range(layout.DECK, layout.STATE_SIZE), layout.LAST_THROWN):
        state[field] = {a: b, b: a}.get(int(state[field]), int(state[field]))


def unseen(game: Game) -> list[int]:
    """The cards that the seat to act cannot have seen, by its view."""
    view = view_of(game)
    known = set(view.hand) | set(view.thrown) | {view.turnup} | set(view.exposed)
    known |= {card for trick in view.history for card in trick.cards}
    known |= {card for _, card in view.trick}
    if game.rules.turns_up:
        known.add(game.pack[int(game.rules.hand_size) * game.players])
    return [card for card in game.pack if card not in known]


@pytest.mark.parametrize("name", ["spoil-five", "forty-five", "nova-scotia", "five-hundred"])
def test_hidden_cards_change_nothing_that_is_shown(name):
    rng = random.Random(name)
    env = vec.make(name, batch=40, seed=6, threads=1)
    moved = 0
    for _ in range(25):
        arrays = env.step_random()
        before = [array.copy() for array in arrays]
        kept = env._states.copy()
        for table in range(env.batch):
            cards = unseen(env.game(table))
            if len(cards) > 1:
                exchange(env._states[table], *rng.sample(cards, 2))
                moved += not np.array_equal(env._states[table], kept[table])
            legal = face.legal_actions(env._states[table], env._arguments[1])
            assert legal == arrays.legal[table]
        show_again(env)
        for array, old in zip(env.arrays, before, strict=True):
            assert np.array_equal(array, old)
        env._states[:] = kept
    assert moved > 500


def test_a_card_of_ones_own_is_shown():
    env = vec.make("spoil-five", batch=20, seed=6, threads=1)
    before = env.arrays.observations.copy()
    for table in range(env.batch):
        game = env.game(table)
        exchange(env._states[table], next(iter(game.hands[game.seat])), unseen(game)[0])
    show_again(env)
    assert (before != env.arrays.observations).any(axis=1).all()


def test_the_open_table_can_be_read_and_not_written():
    env = vec.make("spoil-five", batch=4)
    assert list(env.public[:, layout.SEAT]) == list(env.arrays.seats)
    assert env.public.shape == (4, layout.PUBLIC_SIZE)
    with pytest.raises(ValueError, match="read-only"):
        env.public[0, 0] = 1


# --- what is fixed, and what is refused -----------------------------------------------------------


@pytest.mark.jit_off
def test_what_a_seed_deals_and_draws_is_fixed():
    """With the JIT on and off, on every machine."""
    digests = []
    for name in ("spoil-five", "five-hundred"):
        env = vec.make(name, batch=8, seed=1, threads=1)
        for _ in range(10):
            env.step_random()
        digest = hashlib.sha256()
        for array in env.arrays:
            digest.update(array.tobytes())
        digests.append(digest.hexdigest()[:16])
    assert digests == ["44a505d2ded660f4", "235df9079ba684bd"]


@pytest.mark.jit_off
def test_the_first_deal_of_a_seed_is_fixed():
    env = vec.make("spoil-five", players=5, batch=4, seed=1, threads=1)
    assert list(env.arrays.seats) == [1, 2, 4, 4]
    hands = [str(CardSet(int(hand))) for hand in env.arrays.packed[:2, 0]]
    assert hands == ["3C 7D 5H 8H QH", "10S JS 8D 3H JH"]


def test_it_is_written_only_what_is_asked_for():
    full = vec.make("spoil-five", batch=30, seed=1)
    packed = vec.make("spoil-five", batch=30, seed=1, observe="packed")
    bare = vec.make("spoil-five", batch=30, seed=1, observe="nothing")
    for env in (full, packed, bare):
        env.step(env.first_legal())
    assert np.array_equal(full.arrays.packed, packed.arrays.packed)
    assert not packed.arrays.observations.any()
    assert not bare.arrays.packed.any()
    assert np.array_equal(full.arrays.legal, bare.arrays.legal)
    assert np.array_equal(full.arrays.seats, bare.arrays.seats)


def test_an_illegal_action_is_named_and_changes_nothing():
    env = vec.make("spoil-five", batch=5, seed=1)
    actions = env.first_legal()
    actions[3] = 60
    before = env._states.copy()
    seat = env.arrays.seats[3]
    with pytest.raises(IllegalActionError, match=rf"action 60 at table 3 by seat {seat}; legal: "):
        env.step(actions)
    assert np.array_equal(before, env._states)
    for action in (-1, 63, 2**40):
        actions[3] = action
        with pytest.raises(IllegalActionError, match=f"illegal action {action} at table 3"):
            env.step(actions)


@pytest.mark.parametrize(
    ("actions", "said"),
    [([1, 2], "shape"), (np.zeros(5), "float64"), (np.zeros((5, 1), dtype=int), "shape"), (3, "")],
)
def test_actions_that_do_not_fit_are_refused(actions, said):
    env = vec.make("spoil-five", batch=5)
    with pytest.raises(BatchError, match=f"whole numbers of shape.*{said}"):
        env.step(actions)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"batch": 0}, "batch must be a whole number 1.."),
        ({"batch": 2.5}, "batch must be"),
        ({"threads": 0}, "threads must be"),
        ({"players": 5.0}, "players must be"),
        ({"observe": ["bytes"]}, "observe must be one of"),
        ({"seed": 2**63}, "seed must be"),
        ({"observe": "pixels"}, "observe must be one of bytes, packed, nothing"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(options, said):
    with pytest.raises(BatchError, match=re.escape(said)):
        vec.make("spoil-five", **options)


def test_a_game_that_is_not_for_so_many_is_refused():
    with pytest.raises(RuleSetError, match="not for 7 players"):
        vec.make("five-hundred", 7)
    env = vec.make("spoil-five", batch=2)
    with pytest.raises(BatchError, match="steps must be"):
        env.rollout(0)
    with pytest.raises(BatchError, match=re.escape("table must be a whole number 0..1")):
        env.game(2)


def test_it_is_reached_by_its_name():
    assert forty5sim.vec is vec
    assert "vec" in dir(forty5sim)


def test_house_rules_and_small_packs_are_played():
    rules = find_rules("spoil-five:ante=2,jink=off")
    env = vec.make(rules, 3, batch=10, seed=1)
    assert repr(env).endswith("3 players, 10 tables>")
    assert env.rollout(100).deals > 20


@pytest.mark.parametrize("place", [0, 1])
def test_the_examples_in_the_docs_run_as_printed(place, capsys):
    page = (Path(__file__).parent.parent / "docs" / "vec.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    names: dict[str, float] = {}
    exec(compile(examples[place], "docs/vec.md", "exec"), names)
    assert "deals=" in capsys.readouterr().out or names["gain"] > 4 * names["error"]


def test_what_is_listed_in_the_docs_is_what_there_is():
    page = (Path(__file__).parent.parent / "docs" / "vec.md").read_text(encoding="utf-8")
    for name in (*vec.Arrays._fields, *vec.make("five-hundred", batch=1).fields):
        if not name[-1].isdigit() or name.endswith("_0"):
            assert f"`{name}`" in page, name
