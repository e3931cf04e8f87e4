"""Thousands of deals in lock-step, as numpy arrays, for bots that learn.

>>> env = make("spoil-five", players=5, batch=8, seed=1)
>>> arrays = env.step(env.first_legal())  # an action for each table
>>> arrays.observations.shape, arrays.masks.shape, arrays.rewards.shape
((8, 768), (8, 64), (8, 5))
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forty5sim.cards import CardSet
from forty5sim.compiling import available_cores
from forty5sim.errors import BatchError, IllegalActionError, is_whole
from forty5sim.game import Game
from forty5sim.kernels import layout, lockstep, seeing
from forty5sim.kernels.jit import COMPILING, is_cached, plain
from forty5sim.kernels.vector import Vector
from forty5sim.named_rules import find_rules
from forty5sim.notation import action_name
from forty5sim.rules import RuleSet
from forty5sim.tables import rule_tables

ACTIONS = seeing.WORD
"""Columns of a mask of actions: an action is a number below 63, and the last column is empty."""

MOST_TABLES = 1 << 20
TABLES_A_THREAD = 256  # with fewer, handing over costs more than it saves
DECISIONS_A_CALL = 1 << 20  # a kernel call of 100 ms or so, which keeps Ctrl-C alive
_WRITTEN = {"bytes": lockstep.BYTES, "packed": lockstep.MASKS, "nothing": lockstep.NOTHING}


class Arrays(NamedTuple):
    """What stands at each of n tables: always the same arrays, overwritten by the next step.

    Attributes:
        observations: int8 (n, features), 0 or 1: what the seat to act sees (``fields``).
        masks: bool (n, 64): its legal actions.
        legal: int64 (n,): the same as bits, action a in bit a.
        seats: int64 (n,): the seat to act.
        rewards: float64 (n, seats): the payoff of each seat where a deal has ended in this step,
            else 0.
        done: bool (n,): where a deal has ended; the rest is of the deal dealt there since.
        deals: int64 (n,): the number of the deal among those of the seed.
        packed: int64 (n, words): the observations as bits, feature 64 k + b in bit b of word k.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.bool_]
    legal: Vector
    seats: Vector
    rewards: NDArray[np.float64]
    done: NDArray[np.bool_]
    deals: Vector
    packed: Vector


@dataclass(frozen=True)
class Rollout:
    """What a rollout played.

    Attributes:
        decisions: how many actions were chosen.
        deals: how many deals ended.
        payoffs: float64 (seats,): the sum of their payoffs for each seat.
    """

    decisions: int
    deals: int
    payoffs: NDArray[np.float64]


class VecEnv:
    """Deals at n tables in lock-step; make one with :func:`make`.

    Table i plays deals i, i + n, i + 2 n, … of the seed, each for itself (its points, no game),
    dealt by seat deal mod seats unless the rules name a dealer: all is fixed by the seed and the
    actions, for any number of threads.

    Attributes:
        rules, players, batch, seed, threads: what it was made with.
        arrays: what stands at the tables.
        actions: int64 (n,): the actions taken last.
        public: int64 (n, layout.PUBLIC_SIZE), read-only: all of the open table that the seat
            to act may see, as the engine keeps it (``forty5sim.kernels.layout``), the
            cards in order of play among it.
        fields: the columns of ``observations`` by name.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        *,
        batch: int,
        seed: int,
        threads: int,
        forced: bool,
        observe: str,
    ) -> None:
        self.rules, self.players, self.batch, self.threads = rules, players, batch, threads
        self.seed = seed
        self._sides = rules.side_count(players)
        self._forced = forced
        self._writes = _WRITTEN[observe]
        self._allocate()
        self.fields = _fields(rules, players)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        edges = [batch * part // threads for part in range(threads + 1)]
        self._parts = list(zip(edges[:-1], edges[1:], range(threads), strict=True))
        self.reset()

    def _allocate(self) -> None:
        n, seats, tables = self.batch, self.players, rule_tables(self.rules)
        words = int(plain(seeing.word_count)(tables, seats))
        self._states = np.zeros((n, layout.STATE_SIZE), dtype=np.int64)
        self.public = self._states[:, : layout.PUBLIC_SIZE]
        self.public.flags.writeable = False
        self._sums = np.zeros((self.threads, lockstep.SUM_PAYOFFS + seats), dtype=np.int64)
        self.actions = np.zeros(n, dtype=np.int64)
        self._given = np.zeros(n, dtype=np.int64)
        done = np.zeros(n, dtype=np.int8)
        wide = np.zeros((n, 8 * words), dtype=np.int64)
        action_masks = np.zeros((n, 8), dtype=np.int64)
        self.arrays = Arrays(
            observations=wide.view(np.int8),
            masks=action_masks.view(np.bool_),
            legal=np.zeros(n, dtype=np.int64),
            seats=np.zeros(n, dtype=np.int64),
            rewards=np.zeros((n, seats), dtype=np.float64),
            done=done.view(np.bool_),
            deals=np.zeros(n, dtype=np.int64),
            packed=np.zeros((n, words), dtype=np.int64),
        )
        self._arguments: tuple[Any, ...] = (
            self._states,
            tables,
            np.zeros((n, plain(seeing.note_size)(seats)), dtype=np.int64),
            self.arrays.deals,
            self.arrays.legal,
            self.arrays.seats,
            self.actions,
            self.arrays.rewards,
            done,
            self.arrays.packed,
            wide,
            action_masks,
            self._sums,
        )

    def reset(self, seed: int | None = None) -> Arrays:
        """Begin anew with the first deals of the seed, or of another one.

        Raises:
            BatchError: for a seed that is no whole number of 64 bits.
        """
        if seed is not None:
            _check("seed", seed, -(2**63), 2**63 - 1)
            self.seed = int(seed)
        return self._advance(lockstep.DEAL_ANEW, 1, self._writes)

    def step(self, actions: ArrayLike) -> Arrays:
        """Take an action at each table; where a deal ends, the next one is dealt.

        Args:
            actions: whole numbers, shape (n,), each legal at its table.

        Raises:
            BatchError: for an array of another shape or kind.
            IllegalActionError: names the first table whose action is not legal; nothing has
                changed then.
        """
        given = np.asarray(actions)
        if given.shape != (self.batch,) or given.dtype.kind not in "iu":
            raise BatchError(
                f"actions must be whole numbers of shape ({self.batch},), one a table;"
                f" got {given.dtype} of shape {given.shape}"
            )
        np.copyto(self._given, given, casting="unsafe")
        wrong = int(lockstep.first_illegal(self.arrays.legal, self._given))
        if wrong >= 0:
            raise IllegalActionError(self._why_not(wrong, int(given[wrong])))
        self.actions[:] = self._given
        return self._advance(lockstep.GIVEN, 1, self._writes)

    def step_random(self) -> Arrays:
        """Take a random legal action at each table, as the bot ``random`` does in that deal."""
        return self._advance(lockstep.AT_RANDOM, 1, self._writes)

    def rollout(self, steps: int) -> Rollout:
        """Take so many random actions at each table; the arrays are those of the last step.

        Raises:
            BatchError: if ``steps`` is no whole number from 1 on.
        """
        _check("steps", steps, 1, 2**40)
        self._sums[:] = 0
        most = max(1, DECISIONS_A_CALL // self.batch)
        for start in range(0, steps, most):
            rest = steps - start
            writes = self._writes if rest <= most else lockstep.NOTHING
            self._advance(lockstep.AT_RANDOM, min(most, rest), writes)
        sums = self._sums.sum(axis=0)
        divisor = self.players if self.rules.family == "pot" else self._sides - 1
        payoffs = sums[lockstep.SUM_PAYOFFS :] / divisor
        return Rollout(int(sums[lockstep.SUM_DECISIONS]), int(sums[lockstep.SUM_DEALS]), payoffs)

    def first_legal(self) -> Vector:
        """Return the lowest legal action at each table, shape (n,): a policy to begin with."""
        legal = self.arrays.legal
        lowest: Vector = np.bitwise_count((legal & -legal) - 1).astype(np.int64)
        return lowest

    def game(self, table: int) -> Game:
        """Return a game that stands as a table does, with all hands; its log begins here.

        Raises:
            BatchError: if there is no such table.
        """
        _check("table", table, 0, self.batch - 1)
        deal = int(self.arrays.deals[table])
        game = Game(self.rules, self.players, seed=self.seed, deal=deal, alone=True)
        game._state[:] = self._states[table]
        return game

    def _advance(self, how: int, steps: int, writes: int) -> Arrays:
        calls = [
            (
                *self._arguments,
                self.seed,
                self._sides,
                int(self._forced),
                first,
                last,
                part,
                how,
                steps,
                writes,
            )
            for first, last, part in self._parts
        ]
        if self._pool is None:
            lockstep.advance(*calls[0])
            return self.arrays
        waiting = [self._pool.submit(lockstep.advance, *call) for call in calls[1:]]
        lockstep.advance(*calls[0])
        for future in waiting:
            future.result()
        return self.arrays

    def _why_not(self, table: int, action: int) -> str:
        game = self.game(table)
        legal = ", ".join(
            f"{a} ({action_name(a, game.phase)})" for a in CardSet(int(self.arrays.legal[table]))
        )
        return f"illegal action {action} at table {table} by seat {game.seat}; legal: {legal}"

    def __repr__(self) -> str:
        return f"<VecEnv {self.rules.id}, {self.players} players, {self.batch} tables>"


def make(
    game: RuleSet | str,
    players: int | None = None,
    *,
    batch: int = 1024,
    seed: int = 0,
    threads: int | None = None,
    forced: bool = False,
    observe: str = "bytes",
) -> VecEnv:
    """Return tables that play deals of a game in lock-step, each at its first decision.

    Args:
        game: a rule set or its spec, as ``"spoil-five:ante=2"``.
        players: seats at each table; the game's usual number if None.
        batch: the number of tables.
        seed: fixes all cards, and what is chosen at random; a number of 64 bits.
        threads: how many share the work; by cores and tables if None. Results are the same.
        forced: ask also where only one action is legal; otherwise such actions are taken for the
            seat, but for the first of a deal.
        observe: write observations as "bytes", as bits alone ("packed"; no masks), or "nothing"
            but ``legal`` and ``seats``.

    Raises:
        RuleSetError: for a game that does not exist, or is not for so many players.
        BatchError: for a number that is out of its bounds, or another word for ``observe``.
    """
    rules = game if isinstance(game, RuleSet) else find_rules(game)
    players = rules.default_players if players is None else players
    _check("players", players, 2, layout.MAX_SEATS)
    rules.side_count(players)
    _check("batch", batch, 1, MOST_TABLES)
    _check("seed", seed, -(2**63), 2**63 - 1)
    if threads is not None:
        _check("threads", threads, 1, 256)
    if observe not in tuple(_WRITTEN):
        raise BatchError(f"observe must be one of {', '.join(_WRITTEN)}, got {observe!r}")
    if not is_cached(lockstep.advance):
        print(COMPILING, file=sys.stderr)
    share = max(1, min(available_cores(), batch // TABLES_A_THREAD))
    return VecEnv(
        rules,
        players,
        batch=int(batch),
        seed=int(seed),
        threads=min(share if threads is None else threads, batch),
        forced=forced,
        observe=observe,
    )


def _check(what: str, value: object, least: int, most: int) -> None:
    if not is_whole(value, least, most):
        raise BatchError(f"{what} must be a whole number {least}..{most}, got {value!r}")


def _fields(rules: RuleSet, players: int) -> dict[str, slice]:
    """Return the columns of an observation by name, in order."""
    words = {
        "hand": seeing.SEE_HAND,
        "thrown": seeing.SEE_THROWN,
        "trick": seeing.SEE_TRICK,
        "best": seeing.SEE_BEST,
        "turnup": seeing.SEE_TURNUP,
    }
    fields = {name: _cards(word) for name, word in words.items()}
    fields |= _blocks(seeing.SEE_FACTS, _FACTS)
    fields |= _blocks(seeing.SEE_SEATS, {name: (place, players) for name, place in _SEATS.items()})
    for away in range(players):
        word = seeing.SEE_PLAYED + away
        fields[f"played_{away}"] = _cards(word)
        fields |= _blocks(word, {f"won_{away}": (seeing.WON, layout.MAX_TRICKS)})
    if rules.has_auction:
        fields |= _bidding_fields(seeing.SEE_PLAYED + players, players)
    return fields


def _bidding_fields(start: int, players: int) -> dict[str, slice]:
    """Return the columns that only games with an auction have; their words begin at ``start``."""
    blocks = {"bid": (0, layout.BID_COUNT), "callers": (seeing.STANDING_CALLERS, players)}
    fields = _blocks(start + seeing.SEE_BIDS, blocks)
    fields["exposed"] = _cards(start + seeing.SEE_EXPOSED)
    for away in range(players):
        blocks = {
            f"bids_{away}": (0, layout.BID_COUNT),
            f"discards_{away}": (seeing.GIVEN_AWAY, seeing.MOST_THROWN),
            f"passed_{away}": (layout.PASS, 1),
            f"held_{away}": (layout.HOLD, 1),
        }
        fields |= _blocks(start + seeing.SEE_CALLED + away, blocks)
    return fields


_FACTS = {
    "phase": (seeing.FACT_PHASE, 9),
    "trump": (seeing.FACT_TRUMP, 5),
    "order": (seeing.FACT_ORDER, layout.ORDER_COUNT),
    "led": (seeing.FACT_LED, layout.SUIT_COUNT),
    "tricks": (seeing.FACT_TRICKS, layout.MAX_TRICKS),
    "joker_turned": (seeing.FACT_JOKER_TURNED, 1),
    "joker_suit": (seeing.FACT_JOKER_SUIT, layout.SUITS),
    "named": (seeing.FACT_NAMED, layout.SUITS),
}
_SEATS = {
    "dealer": seeing.DEALS,
    "leader": seeing.LEADS,
    "bidder": seeing.BIDS,
    "robber": seeing.ROBBED,
    "jinker": seeing.JINKS,
    "claimer": seeing.CLAIMED,
}


def _cards(word: int) -> slice:
    return slice(seeing.WORD * word, seeing.WORD * word + layout.MAX_DECK)


def _blocks(word: int, blocks: dict[str, tuple[int, int]]) -> dict[str, slice]:
    """Return the columns of blocks of bits, (place, width) each, of one word."""
    start = seeing.WORD * word
    return {name: slice(start + at, start + at + width) for name, (at, width) in blocks.items()}
