"""Finishing a world by perfect play with all cards seen.

Two sides are solved by alpha-beta, more of them each for itself (max^n). What each side then takes
is written into the state as if it had been played, and the engine scores it.
"""

from __future__ import annotations

from forty5sim.kernels.alphabeta import (
    BY_OWNERS,
    COUNTED,
    EAGER,
    LAST_EXTRA,
    OWNERS_SEATS,
    QUESTION_SIZE,
    SIZE_MASK,
    exact_tricks,
    stamp,
)
from forty5sim.kernels.bits import lowest
from forty5sim.kernels.contracts import settle_contract
from forty5sim.kernels.counting import settle_points
from forty5sim.kernels.desk import DESK_SIZE, MAX_FRAMES, MOST_NODES, NODES, lay_desk
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACE_OF_HEARTS,
    AUCTION,
    BEST,
    BIDDER,
    BONUS,
    BONUS_BEST_TRUMP,
    BONUS_LAST_TRICK,
    CARD_COUNT,
    CLAIMER,
    COUNTING,
    FAMILY,
    HAND_SIZE,
    HANDS,
    INSTEAD,
    JINK_FAILED,
    JINK_MADE,
    JINKER,
    KEPT,
    MAX_SEATS,
    MISSED_BARS,
    OUTCOME,
    OVER,
    PACKED_POWER,
    PACKED_SEAT,
    PHASE,
    POT,
    POT_WON,
    POWER,
    SCORE_POINTS,
    SEATS,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    SPOILED,
    TOP,
    TOP_TRICK,
    TRICK,
    TRICK_SCORING,
    TRICKS,
    TRUE_ORDER,
    TRUMP_MASK,
    TRUMPS,
    TURNUP,
    UNFINISHED,
    WAITING_ACE,
    WIN_TRICKS,
    WINNERS,
)
from forty5sim.kernels.maxn import (
    BARRED,
    BONUS_SIDE,
    EARNED_BY,
    FIRST_TO,
    JINK_SIDE,
    KEY_WORDS,
    MODE,
    SEARCH,
    SIDE_COUNT,
    TAKEN_BY,
    TERMS_SIZE,
    TIE_FIRST,
    TIE_RULE,
    TIE_SPITE,
    TRICKS_IN_DEAL,
    TRICKS_SUM,
    TRICKS_TO_WIN,
    VECTORS_MASK,
    WORTH,
    search_vectors,
)
from forty5sim.kernels.opening import is_misere
from forty5sim.kernels.pot import settle_pot
from forty5sim.kernels.ranks import ALL_RANKS_SIZE, ranks_for
from forty5sim.kernels.search import (
    MEMORY,
    MOST_NODES_SOLVED,
)
from forty5sim.kernels.trick import seat_in
from forty5sim.kernels.vector import Reals, Vector, bare, reals

# the words it needs
DESK = 0
RANKS = DESK + DESK_SIZE
QUESTION = RANKS + ALL_RANKS_SIZE
TERMS = QUESTION + QUESTION_SIZE
VALUES = TERMS + TERMS_SIZE
KEYS = VALUES + MAX_SEATS * (MAX_FRAMES + 1)  # then the memo
VECTOR_WORDS = KEY_WORDS + MAX_SEATS  # of the memo, an entry


@kernel
def lay_rest(state: Vector, tables: Vector, params: Reals, words: Vector) -> Vector:
    """Lay a deal in play on the desk, to be solved; return its ranks."""
    ranks = ranks_for(bare(words, RANKS), tables, state)
    desk = bare(words, DESK)
    lay_desk(desk, ranks, state, tables)
    desk[NODES] = 0
    desk[MOST_NODES] = int(params[MOST_NODES_SOLVED])
    return ranks


@kernel
def settle_solved(state: Vector, tables: Vector) -> None:
    """Score a deal whose tricks, or pot, have been given to who gets them."""
    note_best_trump(state, tables)
    state[TRICK] = tables[HAND_SIZE]
    state[PHASE] = OVER
    if tables[FAMILY] == COUNTING:
        settle_points(state, tables)
    elif tables[FAMILY] == POT:
        settle_race(state, tables)
    else:
        settle_contract(state, tables)


@kernel
def note_best_trump(state: Vector, tables: Vector) -> None:
    """Let the best trump of the deal win the last trick for its owner, where that is scored."""
    if tables[BONUS] != BONUS_BEST_TRUMP or tables[TRICK_SCORING] != SCORE_POINTS:
        return
    order = state[TRUE_ORDER]
    best = state[TOP]
    for seat in range(state[SEATS]):
        cards = state[HANDS + seat]
        if seat == state[WAITING_ACE]:
            cards |= 1 << state[TURNUP]
        cards &= tables[order + TRUMP_MASK]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            power = tables[order + POWER + TRUMPS * CARD_COUNT + card]
            best = max(best, power << PACKED_POWER | seat << PACKED_SEAT | card)
    if best != state[TOP] or (best != 0 and best == state[BEST]):
        state[TOP] = best
        state[TOP_TRICK] = tables[HAND_SIZE] - 1
        state[WINNERS + state[TOP_TRICK]] = seat_in(best)


@kernel
def first_of(state: Vector, side: int) -> int:
    """Return the first seat of a side."""
    seat = 0
    while state[SIDE_OF + seat] != side:
        seat += 1
    return seat


@kernel
def give_tricks(state: Vector, side: int, count: int) -> None:
    """Give so many tricks to a side; they are those of its first seat."""
    state[SIDE_TRICKS + side] += count
    state[TRICKS + first_of(state, side)] += count


# --- two sides ----------------------------------------------------------------------------------


@kernel
def solve_two_sides(state: Vector, tables: Vector, params: Reals, words: Vector) -> bool:
    """Find how many tricks each of two sides takes, and score that; False if given up."""
    ranks = lay_rest(state, tables, params, words)
    desk = bare(words, DESK)
    question = bare(words, QUESTION)
    left = tables[HAND_SIZE] - state[TRICK]
    side = 0
    if tables[FAMILY] >= AUCTION and state[BIDDER] >= 0:
        side = state[SIDE_OF + state[BIDDER]]
    seats = seats_of(state, side)
    misere = tables[FAMILY] >= AUCTION and state[BIDDER] >= 0 and is_misere(state, tables)
    pays_last = tables[BONUS] == BONUS_LAST_TRICK and tables[TRICK_SCORING] == SCORE_POINTS
    extra = 1 if pays_last and left > 0 else 0
    question[COUNTED] = seats
    question[EAGER] = ((1 << state[SEATS]) - 1) & ~seats if misere else seats
    question[LAST_EXTRA] = extra
    question[SIZE_MASK] = int(params[MEMORY]) - 1
    asks_for_hearts = tables[state[TRUE_ORDER] + INSTEAD + ACE_OF_HEARTS] != 0
    question[BY_OWNERS] = state[SEATS] <= OWNERS_SEATS and not asks_for_hearts
    stamp(ranks, question)
    most = 1 if misere else left + extra
    memo = bare(words, KEYS)
    found = exact_tricks(desk, ranks, question, memo, 0, most, (most + 1) >> 1)
    if found & 31 != found >> 5:
        return False
    taken = found & 31
    if extra:  # the last trick counts as two; who has any is given it, which adds up to the same
        last = taken > 0
        state[WINNERS + tables[HAND_SIZE] - 1] = first_of(state, side if last else 1 - side)
        taken -= last
    give_tricks(state, side, taken)
    give_tricks(state, 1 - side, left - taken)
    settle_solved(state, tables)
    return True


@kernel
def seats_of(state: Vector, side: int) -> int:
    """Return the mask of the seats of a side."""
    seats = 0
    for seat in range(state[SEATS]):
        seats |= (state[SIDE_OF + seat] == side) << seat
    return seats


# --- everybody for themselves -------------------------------------------------------------------


@kernel
def solve_for_all(state: Vector, tables: Vector, params: Reals, words: Vector) -> bool:
    """Find what each side takes if all play for themselves, and score it; False if given up."""
    ranks = lay_rest(state, tables, params, words)
    desk = bare(words, DESK)
    terms = bare(words, TERMS)
    write_terms(terms, state, tables, params)
    values = reals(words, VALUES)
    keys = bare(words, KEYS)
    memo = reals(words, KEYS + KEY_WORDS * (terms[VECTORS_MASK] + 1))
    if not search_vectors(desk, ranks, terms, keys, memo, values):
        return False
    for side in range(state[SIDES]):
        if terms[MODE] != FIRST_TO:
            give_tricks(state, side, int(values[side] + 0.5))
        elif values[side] > 0.5:
            state[CLAIMER] = side
    settle_solved(state, tables)
    return True


@kernel
def write_terms(terms: Vector, state: Vector, tables: Vector, params: Reals) -> None:
    """Write what a side's value is: the race for the pot, or its tricks."""
    searches = terms[SEARCH] + 1
    for word in range(TERMS_SIZE):
        terms[word] = 0
    terms[SEARCH] = searches
    terms[MODE] = FIRST_TO if tables[FAMILY] == POT else TRICKS_SUM
    terms[WORTH] = 1
    terms[TIE_RULE] = TIE_SPITE if tables[FAMILY] == POT else TIE_FIRST  # who cannot win, spoils
    terms[SIDE_COUNT] = state[SIDES]
    terms[TRICKS_TO_WIN] = tables[WIN_TRICKS]
    terms[JINK_SIDE] = state[JINKER]
    terms[TRICKS_IN_DEAL] = tables[HAND_SIZE]
    terms[VECTORS_MASK] = int(params[MEMORY]) - 1
    terms[BONUS_SIDE] = -1
    if tables[MISSED_BARS] and state[KEPT] >= 0:
        terms[BARRED] = 1 << state[KEPT]
    for side in range(state[SIDES]):
        terms[TAKEN_BY + side] = state[SIDE_TRICKS + side]
        terms[EARNED_BY + side] = state[SIDE_TRICKS + side]


@kernel
def settle_race(state: Vector, tables: Vector) -> None:
    """Pay the pot to the side that a solved deal gives it to, if it was not won before."""
    if state[OUTCOME] == UNFINISHED:
        if state[JINKER] >= 0:
            state[OUTCOME] = JINK_MADE if state[CLAIMER] == state[JINKER] else JINK_FAILED
        else:
            state[OUTCOME] = POT_WON if state[CLAIMER] >= 0 else SPOILED
    settle_pot(state, tables)
