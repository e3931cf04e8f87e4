"""What is kept of a replay: one row of counts.

A row is int32, shape (row_size(tables, seats),): the head fields, then blocks with a number for
each seat; games with an auction have more blocks than others. Rows of compiled agents are turned
as soon as some boards are played: what is made of them then runs along the boards of one field.
"""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    AUCTION,
    BID,
    BID_LEVEL,
    BIDDER,
    CLAIMER,
    DEALER,
    DEALS,
    FAMILY,
    HOLDS,
    JINK_FAILED,
    JINK_MADE,
    JINKER,
    LEVEL_COUNT,
    MADE,
    OUTCOME,
    POINTS,
    POT,
    POT_CHIPS,
    ROBBED,
    SEAT,
    SEATS,
    SIDE_OF,
    SIDES,
    SUITS,
    TRICKS,
    TRUMP,
)
from forty5sim.kernels.payoff import deal_payoff
from forty5sim.kernels.vector import Counts, Vector

# head of a row
ROW_DEALS = 0
ROW_SPOILS = 1  # pots that nobody won; a failed jink leaves one too
ROW_POT = 2  # left over
ROW_FORFEIT = 3  # seat whose agent gave no legal answer, -1
HEAD_SIZE = 4
# blocks of a row, one number for each seat
(
    BLOCK_PAYOFF,  # in units of 1 / payoff_units
    BLOCK_POINTS,  # of its side; pot games: net chips
    BLOCK_TRICKS,
    BLOCK_ROBS,
    BLOCK_JINKS_MADE,
    BLOCK_JINKS_FAILED,
    BLOCK_POTS,  # pots won
    BLOCK_WINS,  # games won
) = range(8)
BLOCK_COUNT = 8
# and in games with an auction
BLOCK_AGAINST = 8  # points of all other sides
BLOCK_HOLDS = 9  # deals in which it held as dealer
BLOCK_PLAYED = 10  # contracts played, a block for each level
BLOCK_MADE = BLOCK_PLAYED + LEVEL_COUNT  # of them, made
BLOCK_TRUMPS = BLOCK_MADE + LEVEL_COUNT  # trumps of its contracts, a block for each suit and none
BIDDING_BLOCK_COUNT = BLOCK_TRUMPS + SUITS + 1

BOARDS_TURNED = 16  # together: their rows stay in the cache, and 16 numbers fill a line of it


@kernel
def clear_row(row: Counts, tables: Vector, seats: int) -> None:
    """Start a row."""
    for field in range(row_size(tables, seats)):
        row[field] = 0
    row[ROW_FORFEIT] = -1


@kernel
def row_size(tables: Vector, seats: int) -> int:
    """Return the number of fields of a row."""
    blocks = BIDDING_BLOCK_COUNT if tables[FAMILY] >= AUCTION else BLOCK_COUNT
    return HEAD_SIZE + blocks * seats


@kernel
def block(state: Vector, number: int) -> int:
    """Return where a block of a row starts."""
    return HEAD_SIZE + number * state[SEATS]


@kernel
def count_deal(state: Vector, tables: Vector, row: Counts) -> None:
    """Add what happened in a finished deal to the row."""
    row[ROW_DEALS] += 1
    row[ROW_SPOILS] += tables[FAMILY] == POT and state[CLAIMER] < 0
    for seat in range(state[SEATS]):
        row[block(state, BLOCK_TRICKS) + seat] += state[TRICKS + seat]
    if state[ROBBED] >= 0:
        row[block(state, BLOCK_ROBS) + state[ROBBED]] += 1
    if state[OUTCOME] == JINK_MADE:
        row[block(state, BLOCK_JINKS_MADE) + state[JINKER]] += 1
    if state[OUTCOME] == JINK_FAILED:
        row[block(state, BLOCK_JINKS_FAILED) + state[JINKER]] += 1
    if state[CLAIMER] >= 0:
        row[block(state, BLOCK_POTS) + state[CLAIMER]] += 1
    if tables[FAMILY] >= AUCTION:
        count_contract(state, tables, row)


@kernel
def count_contract(state: Vector, tables: Vector, row: Counts) -> None:
    """Add the auction of a finished deal to the row, and its contract, if there was one."""
    if state[HOLDS] > 0:
        row[block(state, BLOCK_HOLDS) + state[DEALER]] += 1
    bidder = state[BIDDER]
    if bidder < 0:
        return
    level = tables[BID_LEVEL + state[BID]]
    row[block(state, BLOCK_PLAYED + level) + bidder] += 1
    row[block(state, BLOCK_MADE + level) + bidder] += state[OUTCOME] == MADE
    row[block(state, BLOCK_TRUMPS + state[TRUMP]) + bidder] += 1


@kernel
def note_points_against(state: Vector, row: Counts, start: int) -> None:
    """Write for each seat the points of all other sides; ``start`` is where the sides' begin."""
    total = 0
    for side in range(state[SIDES]):
        total += state[start + side]
    for seat in range(state[SEATS]):
        row[block(state, BLOCK_AGAINST) + seat] = total - state[start + state[SIDE_OF + seat]]


@kernel
def score_deal(state: Vector, tables: Vector, row: Counts, pot: int) -> None:
    """Write the points and payoffs of a single deal.

    The payoff is the points less the mean of the other sides; in pot games the net chips and an
    equal share of what was added to the pot.
    """
    others = state[SIDES] - 1
    row[ROW_POT] = state[POT_CHIPS]
    for seat in range(state[SEATS]):
        side = state[SIDE_OF + seat]
        row[block(state, BLOCK_POINTS) + seat] = state[POINTS + side]
        payoff = deal_payoff(state, tables, side, pot)
        row[block(state, BLOCK_PAYOFF) + seat] = others * payoff
    if tables[FAMILY] >= AUCTION:
        note_points_against(state, row, POINTS)


@kernel
def forfeit(state: Vector, tables: Vector, row: Counts, worst: int) -> None:
    """Charge the worst payoff to the side to act, whose agent gave no legal answer.

    The other sides share it; ``worst`` is in the row's units, a multiple of (sides - 1).
    """
    clear_row(row, tables, state[SEATS])
    row[ROW_FORFEIT] = state[SEAT]
    row[ROW_DEALS] = state[DEALS] + 1
    lost = state[SIDE_OF + state[SEAT]]
    share = -worst // (state[SIDES] - 1)
    for seat in range(state[SEATS]):
        payoff = worst if state[SIDE_OF + seat] == lost else share
        row[block(state, BLOCK_PAYOFF) + seat] = payoff


@kernel
def turn_rows(
    row_words: Counts, columns: Counts, size: int, boards: int, at: int, count: int
) -> None:
    """Write the rows of up to BOARDS_TURNED boards as columns, from board ``at`` on.

    Shapes: row_words (count, size), columns (size, boards); size is that of all replays' rows.
    """
    for column in range(size):
        if count == BOARDS_TURNED:  # a number the compiler knows: it takes half the time
            for place in range(BOARDS_TURNED):
                columns[column * boards + at + place] = row_words[place * size + column]
        else:
            for place in range(count):
                columns[column * boards + at + place] = row_words[place * size + column]
