"""Many tables in lock-step, for bots that learn: an action each, then what the seats to act see.

A table plays deal after deal, each for itself. It goes on by itself to where somebody has a choice,
is paid when its deal is over, and begins the next one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from forty5sim.kernels.bits import lowest, select
from forty5sim.kernels.boards import board_dealer
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry, hot_kernel, kernel
from forty5sim.kernels.layout import (
    ALONE,
    AUCTION,
    AUCTION_CALL,
    DEAL_KEY,
    FAMILY,
    HANDS,
    OVER,
    PHASE,
    PLAY,
    PLAYED,
    POSITION,
    PUBLIC_SIZE,
    SEAT,
    SEATS,
    SIDE_OF,
    STATE_SIZE,
    TABLES_SIZE,
    THROWN,
)
from forty5sim.kernels.payoff import deal_payoff, payoff_divisor
from forty5sim.kernels.phases import apply, deal_cards, decision_slot, legal_actions, start_deal
from forty5sim.kernels.playout import choose_randomly, is_legal
from forty5sim.kernels.rng import decision_key
from forty5sim.kernels.seeing import (
    NOTED,
    SEE_PLAYED,
    note_size,
    spread_bits,
    word_count,
    write_bidding_masks,
    write_masks,
)
from forty5sim.kernels.vector import Reals, Vector, bare, readonly

# where actions come from; DEAL_ANEW begins each table's first deal
DEAL_ANEW, GIVEN, AT_RANDOM = range(3)
# what is written of each decision
NOTHING, MASKS, BYTES = range(3)

# sums over decisions, one row a thread: how many, deals finished, then each seat's payoffs in units
SUM_DECISIONS, SUM_DEALS, SUM_PAYOFFS = range(3)


class Tables(NamedTuple):
    """The arrays of all tables, as bare vectors."""

    states: Any
    notes: Any
    deals: Any
    legal: Any
    seats: Any
    actions: Any
    rewards: Any
    done: Any
    masks: Any
    observations: Any
    action_masks: Any


class Terms(NamedTuple):
    """What is the same at every table."""

    seed: int
    batch: int
    seats: int
    sides: int
    words: int  # of an observation
    asks_always: bool  # also where only one action is legal


@hot_kernel
def carry_out(state: Vector, tables: Vector, notes: Vector, action: int) -> None:
    """Carry out a legal action and note who played or called what."""
    phase = state[PHASE]
    seat = state[SEAT]
    bit = 1 << action
    notes[NOTED + seat] |= select(phase == PLAY, bit, 0)
    notes[NOTED + state[SEATS] + seat] |= select(phase == AUCTION_CALL, bit, 0)
    apply(state, tables, action)
    notes[0] = select(state[POSITION] == 0, state[PLAYED], notes[0])


@kernel
def play_to_choice(
    state: Vector, tables: Vector, notes: Vector, action: int, asks_always: bool
) -> int:
    """Carry out an action, and those nobody can choose; return what is legal then, 0 at the end."""
    while True:
        carry_out(state, tables, notes, action)
        if state[PHASE] == OVER:
            return 0
        legal = legal_actions(state, tables)
        if asks_always or legal & (legal - 1):
            return legal
        action = lowest(legal)


@kernel
def pay(state: Vector, tables: Vector, rewards: Reals, sums: Vector) -> None:
    """Write each seat's payoff of a finished deal, and add it to the sums."""
    sums[SUM_DEALS] += 1
    divisor = payoff_divisor(state, tables)
    for seat in range(state[SEATS]):
        payoff = deal_payoff(state, tables, state[SIDE_OF + seat], 0)
        rewards[seat] = payoff / divisor
        sums[SUM_PAYOFFS + seat] += payoff


@kernel
def chosen(state: Vector, legal: int) -> int:
    """Return the action that the engine's random player takes here."""
    return choose_randomly(legal, decision_key(state[DEAL_KEY], state[SEAT], decision_slot(state)))


@kernel
def advance_table(all_tables: Tables, tables: Vector, terms: Terms, i: int, sums: Vector) -> None:
    """Take the action of table i; a finished deal is paid and the table's next one begun."""
    state = bare(all_tables.states, i * STATE_SIZE)
    notes = bare(all_tables.notes, i * note_size(terms.seats))
    if all_tables.done[i]:
        clear_result(all_tables, terms, i)
    action = all_tables.actions[i]
    legal = play_to_choice(state, tables, notes, action, terms.asks_always)
    sums[SUM_DECISIONS] += 1
    if legal == 0:
        pay(state, tables, bare(all_tables.rewards, i * terms.seats), sums)
        all_tables.done[i] = 1
        begin_deal(all_tables, tables, terms, i, all_tables.deals[i] + terms.batch)
    else:
        all_tables.legal[i] = legal


@kernel
def clear_result(all_tables: Tables, terms: Terms, i: int) -> None:
    """Take back that a deal has ended at table i, and what it paid."""
    all_tables.done[i] = 0
    for seat in range(terms.seats):
        all_tables.rewards[i * terms.seats + seat] = 0.0


@kernel
def begin_deal(all_tables: Tables, tables: Vector, terms: Terms, i: int, deal: int) -> None:
    """Deal this deal, to be played for itself, at table i."""
    state = bare(all_tables.states, i * STATE_SIZE)
    notes = bare(all_tables.notes, i * note_size(terms.seats))
    dealer = board_dealer(tables, deal, terms.seats)
    start_game(state, tables, terms.seats, terms.sides, dealer)
    state[ALONE] = 1
    deal_cards(state, tables, terms.seed, deal)
    start_deal(state, tables)
    for place in range(note_size(terms.seats)):
        notes[place] = 0
    all_tables.deals[i] = deal
    all_tables.legal[i] = legal_actions(state, tables)


@kernel
def show(all_tables: Tables, tables: Vector, terms: Terms, i: int, what: int) -> None:
    """Write what the seat to act at table i sees, as masks, and as bytes too."""
    state = bare(all_tables.states, i * STATE_SIZE)
    notes = bare(all_tables.notes, i * note_size(terms.seats))
    public = readonly(state, 0, PUBLIC_SIZE)
    seat = public[SEAT]
    masks = bare(all_tables.masks, i * terms.words)
    write_masks(public, state[HANDS + seat], state[THROWN + seat], notes, masks)
    if tables[FAMILY] >= AUCTION:
        write_bidding_masks(public, notes, bare(masks, SEE_PLAYED + terms.seats))
    if what == BYTES:
        for word in range(terms.words):
            spread_bits(masks[word], all_tables.observations, (i * terms.words + word) * 8)
        spread_bits(all_tables.legal[i], all_tables.action_masks, i * 8)


# --- entries --------------------------------------------------------------------------------------


@entry
def advance(
    state_words: Vector,
    rule_words: Vector,
    note_words: Vector,
    deal_numbers: Vector,
    legal_words: Vector,
    seat_words: Vector,
    action_words: Vector,
    reward_reals: Reals,
    done_bytes: Vector,
    mask_words: Vector,
    observation_words: Vector,
    action_mask_words: Vector,
    sum_words: Vector,
    seed: int,
    sides: int,
    asks_always: int,
    first: int,
    last: int,
    part: int,
    how: int,
    steps: int,
    what: int,
) -> None:
    """Advance tables ``first`` .. ``last - 1`` by ``steps`` decisions, one table after the other.

    Shapes for n tables: states (n, STATE_SIZE), notes (n, note_size), deals, legal, seats,
    actions and done (n,), rewards (n, seats), masks (n, words), observations (n, 8 words) and
    action masks (n, 8), both bytes seen as int64; sums (parts, 2 + seats), of which row ``part``
    is added to. Given actions must be legal, and are for one step; of more steps at random,
    what is seen is written after the last.
    """
    batch, seats = reward_reals.shape
    tables = readonly(rule_words, 0, TABLES_SIZE)
    terms = Terms(seed, batch, seats, sides, word_count(tables, seats), asks_always != 0)
    sums = bare(sum_words, part * sum_words.shape[1])
    all_tables = Tables(
        bare(state_words, 0),
        bare(note_words, 0),
        bare(deal_numbers, 0),
        bare(legal_words, 0),
        bare(seat_words, 0),
        bare(action_words, 0),
        bare(reward_reals, 0),
        bare(done_bytes, 0),
        bare(mask_words, 0),
        bare(observation_words, 0),
        bare(action_mask_words, 0),
    )
    for i in range(first, last):
        state = bare(all_tables.states, i * STATE_SIZE)
        if how == DEAL_ANEW:
            clear_result(all_tables, terms, i)
            begin_deal(all_tables, tables, terms, i, i)
        else:
            for _ in range(steps):
                if how == AT_RANDOM:
                    all_tables.actions[i] = chosen(state, all_tables.legal[i])
                advance_table(all_tables, tables, terms, i, sums)
        all_tables.seats[i] = state[SEAT]
        if what != NOTHING:
            show(all_tables, tables, terms, i, what)


@entry
def first_illegal(legal_words: Vector, action_words: Vector) -> int:
    """Return the first table whose action is not legal, -1 if all are."""
    legal = bare(legal_words, 0)
    actions = bare(action_words, 0)
    for i in range(legal_words.size):
        if not is_legal(legal[i], actions[i]):
            return i
    return -1
