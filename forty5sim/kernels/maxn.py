"""Three sides and more with all cards seen: each takes what is best for itself (max^n).

The value of a position is a vector, a number a side; the side to move takes a move with the most
for itself, and what it does among equals (``tie``) can change what the others get. Positions at
the start of a trick are remembered; nothing can be cut off but what gives a side all there is.
"""

from __future__ import annotations

from forty5sim.kernels.bits import highest, lowest, popcount
from forty5sim.kernels.desk import (
    ALIKE,
    CARDS,
    FRAME_SIZE,
    FRAMES,
    GAIN,
    GAINER,
    KEY_1,
    KEY_2,
    KIND,
    MAY_ROB,
    MOST_NODES,
    MOVER,
    MOVES,
    NAME_LED,
    NODES,
    ON_TABLE,
    PLACE,
    PLAY_CARD,
    SIDE,
    SUITS_LED,
    THROW_CARD,
    TOP_BIT,
    TRICKS_LEFT,
    TURNED,
    WEIGHT,
    best_trump_owner,
    coming_cards,
    legal_at,
    make,
    take_back,
)
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import KEEP, MAX_SEATS
from forty5sim.kernels.points import book_points
from forty5sim.kernels.ranks import CARD_OF, like
from forty5sim.kernels.rng import mix
from forty5sim.kernels.vector import Reals, Vector

# what a side's value is
TRICKS_SUM, FIRST_TO, BOOK = range(3)
TIE_FIRST, TIE_AVERAGE, TIE_SPITE = range(3)

# the terms
MODE = 0
WORTH = 1  # of a trick
LAST_WORTH = 2  # of the last trick beside it
BEST_WORTH = 3  # of owning the best trump, while somebody may rob it
TOPS = 4  # mask of the trumps that such a bonus is paid for
TIE_RULE = 5
SIDE_COUNT = 6
TRICKS_TO_WIN = 7  # FIRST_TO
JINK_SIDE = 8  # the side that must take all tricks, -1
KEEPING_BARS = 9  # who does not rob cannot win
BARRED = 10  # mask of the sides that cannot win
SCORING = 11  # BOOK
TRICKS_IN_DEAL = 12
VECTORS_MASK = 13  # entries of the memo, less one
SEARCH = 14  # the number of this search
BONUS_SIDE = 15  # the side that has gained the best trump's bonus in this search, -1
TAKEN_BY = 16  # per side: tricks
EARNED_BY = TAKEN_BY + MAX_SEATS  # per side: what it has so far, TRICKS_SUM
TERMS_SIZE = EARNED_BY + MAX_SEATS

CLOSE = 1e-9
KEY_WORDS = 3


@kernel
def search_vectors(
    desk: Vector, ranks: Vector, terms: Vector, keys: Vector, memo: Reals, values: Reals
) -> bool:
    """Write the value of the desk's first frame, one number a side; False if given up."""
    terms[SEARCH] += 1
    frame = FRAMES
    row = 0
    while True:
        if desk[NODES] >= desk[MOST_NODES]:
            return False
        desk[NODES] += 1
        if not settle_vector(desk, terms, keys, memo, values, frame, row):
            desk[frame + MOVES] = legal_at(desk, ranks, frame)
            desk[frame + WEIGHT] = 0
        else:
            desk[frame + MOVES] = 0
        while desk[frame + MOVES] == 0:
            if frame == FRAMES:
                return True
            frame -= FRAME_SIZE
            row -= MAX_SEATS
            go_back(desk, terms, frame)
            take_in(desk, terms, values, frame, row)
            if desk[frame + MOVES] == 0:
                finish_vector(desk, terms, keys, memo, values, frame, row)
        try_move(desk, ranks, terms, frame)
        frame += FRAME_SIZE
        row += MAX_SEATS


@kernel
def settle_vector(
    desk: Vector, terms: Vector, keys: Vector, memo: Reals, values: Reals, frame: int, row: int
) -> bool:
    """Write the value of a frame at once if it is over or remembered, and say so."""
    desk[frame + KEY_2] = 0
    if desk[frame + PLACE] != 0 or desk[frame + KIND] != PLAY_CARD:
        return False
    if is_decided(desk, terms, frame):
        write_outcome(terms, values, row)
        return True
    if desk[frame + MAY_ROB] >= 0:
        return False
    desk[frame + KEY_1] = desk[CARDS]
    desk[frame + KEY_2] = key_of_vector(desk, terms, frame)
    place = place_of_vector(desk, terms, frame)
    same = keys[place * KEY_WORDS] == desk[frame + KEY_1]
    same = same and keys[place * KEY_WORDS + 1] == desk[frame + KEY_2]
    if not same or keys[place * KEY_WORDS + 2] != terms[SEARCH]:
        return False
    for side in range(terms[SIDE_COUNT]):
        values[row + side] = memo[place * MAX_SEATS + side]
    return True


@kernel
def key_of_vector(desk: Vector, terms: Vector, frame: int) -> int:
    """Return what tells positions with the same cards apart.

    What has been taken matters to all but a plain sum, and to spite even there.
    """
    key = desk[frame + MOVER] | (desk[frame + TOP_BIT] + 1) << 4 | desk[frame + SUITS_LED] << 11
    if terms[MODE] != TRICKS_SUM or terms[TIE_RULE] == TIE_SPITE:
        for side in range(terms[SIDE_COUNT]):
            key |= terms[TAKEN_BY + side] << 15 + 4 * side
        marked = highest(terms[BARRED]) if terms[MODE] == FIRST_TO else terms[BONUS_SIDE]
        key |= (marked + 1) << 55
    return key | 1 << 62


@kernel
def place_of_vector(desk: Vector, terms: Vector, frame: int) -> int:
    """Return the number of a position's entry in the memo."""
    return mix(desk[frame + KEY_1] ^ mix(desk[frame + KEY_2])) & terms[VECTORS_MASK]


@kernel
def is_decided(desk: Vector, terms: Vector, frame: int) -> bool:
    """Say whether nothing more can change the value."""
    if desk[frame + TRICKS_LEFT] == 0:
        return True
    if terms[MODE] != FIRST_TO:
        return False
    jinker = terms[JINK_SIDE]
    if jinker >= 0:
        lost = terms[TRICKS_IN_DEAL] - desk[frame + TRICKS_LEFT] - terms[TAKEN_BY + jinker]
        return bool(lost > 0)
    decided = False
    for side in range(terms[SIDE_COUNT]):
        decided = decided or wins_race(terms, side)
    return decided


@kernel
def wins_race(terms: Vector, side: int) -> bool:
    """Say whether a side has the tricks that win, and may."""
    if terms[BARRED] >> side & 1:
        return False
    if terms[JINK_SIDE] >= 0:
        return bool(terms[JINK_SIDE] == side and terms[TAKEN_BY + side] == terms[TRICKS_IN_DEAL])
    return bool(terms[TAKEN_BY + side] >= terms[TRICKS_TO_WIN])


@kernel
def write_outcome(terms: Vector, values: Reals, row: int) -> None:
    """Write the value of a deal that is over; sums are gathered on the way back."""
    for side in range(terms[SIDE_COUNT]):
        value = 0.0
        if terms[MODE] == FIRST_TO:
            value = 1.0 if wins_race(terms, side) else 0.0
        elif terms[MODE] == BOOK:
            total = terms[TRICKS_IN_DEAL]
            value += book_points(terms[SCORING], terms[TAKEN_BY + side], total, total)
        values[row + side] = value


@kernel
def try_move(desk: Vector, ranks: Vector, terms: Vector, frame: int) -> None:
    """Make the lowest action left, and strike it out with those that come to the same."""
    moves = desk[frame + MOVES]
    kind = desk[frame + KIND]
    move = lowest(moves)
    alike = 1 << move
    if kind != NAME_LED:
        coming = coming_cards(desk, frame)
        move = lowest_card(ranks, moves, coming if kind == THROW_CARD else 0)
        cards = desk[CARDS] | desk[frame + ON_TABLE] | coming
        pool = moves & ~coming if kind == THROW_CARD else moves
        alike = 1 << move
        if pool >> move & 1:
            alike = like(ranks, pool, cards, desk[frame + TOP_BIT], move)
    desk[frame + MOVES] = moves & ~alike
    desk[frame + ALIKE] = popcount(alike)
    winner = make(desk, ranks, frame, move)
    if winner >= 0:
        terms[TAKEN_BY + desk[SIDE + winner]] += 1
        last = desk[frame + TRICKS_LEFT] == 1
        gain(desk, terms, frame, winner, terms[WORTH] + (terms[LAST_WORTH] if last else 0))
    elif kind == THROW_CARD:
        owner = best_trump_owner(desk, ranks, frame + FRAME_SIZE, terms[TOPS])
        gain(desk, terms, frame, owner, terms[BEST_WORTH])
        terms[BONUS_SIDE] = desk[frame + GAINER]
        if terms[KEEPING_BARS] and move == desk[TURNED]:
            terms[BARRED] |= 1 << desk[SIDE + desk[frame + MOVER]]
    else:
        desk[frame + GAINER] = -1


@kernel
def gain(desk: Vector, terms: Vector, frame: int, seat: int, worth: int) -> None:
    """Note what a seat (-1: nobody) gains by the move of a frame."""
    desk[frame + GAINER] = -1
    if seat >= 0:
        desk[frame + GAINER] = desk[SIDE + seat]
        desk[frame + GAIN] = worth
        terms[EARNED_BY + desk[SIDE + seat]] += worth


@kernel
def lowest_card(ranks: Vector, moves: int, keep: int) -> int:
    """Return the move whose card has the lowest number; keeping the hand comes last."""
    best = -1
    number = KEEP + 1
    while moves:
        bit = lowest(moves)
        moves &= moves - 1
        card = KEEP if keep >> bit & 1 else ranks[CARD_OF + bit]
        if card < number:
            number = card
            best = bit
    return best


@kernel
def go_back(desk: Vector, terms: Vector, frame: int) -> None:
    """Undo the move of a frame."""
    gainer = desk[frame + GAINER]
    if gainer >= 0:
        terms[EARNED_BY + gainer] -= desk[frame + GAIN]
        terms[TAKEN_BY + gainer] -= desk[frame + KIND] == PLAY_CARD
    if desk[frame + KIND] == THROW_CARD:
        terms[BONUS_SIDE] = -1
        if terms[KEEPING_BARS]:
            terms[BARRED] &= ~(1 << desk[SIDE + desk[frame + MOVER]])
    take_back(desk, frame)


@kernel
def take_in(desk: Vector, terms: Vector, values: Reals, frame: int, row: int) -> None:
    """Compare the value of the move just tried with the best of its frame so far."""
    child = row + MAX_SEATS
    gainer = desk[frame + GAINER]
    if terms[MODE] == TRICKS_SUM and gainer >= 0:
        values[child + gainer] += desk[frame + GAIN]
    side = desk[SIDE + desk[frame + MOVER]]
    alike = desk[frame + ALIKE]
    weight = desk[frame + WEIGHT]
    scale = max(weight, 1) if terms[TIE_RULE] == TIE_AVERAGE else 1
    more = values[child + side] - values[row + side] / scale
    if weight == 0 or more > CLOSE:
        put_value(terms, values, row, alike)
        desk[frame + WEIGHT] = alike
    elif more > -CLOSE:
        if terms[TIE_RULE] == TIE_AVERAGE:
            for other in range(terms[SIDE_COUNT]):
                values[row + other] += alike * values[child + other]
        elif terms[TIE_RULE] == TIE_SPITE and hurts(terms, values, row, side):
            put_value(terms, values, row, alike)
        desk[frame + WEIGHT] = weight + alike


@kernel
def put_value(terms: Vector, values: Reals, row: int, alike: int) -> None:
    """Take over the value of the move just tried; for averages as often as it comes."""
    times = alike if terms[TIE_RULE] == TIE_AVERAGE else 1
    for side in range(terms[SIDE_COUNT]):
        values[row + side] = times * values[row + MAX_SEATS + side]


@kernel
def hurts(terms: Vector, values: Reals, row: int, side: int) -> bool:
    """Say whether the move just tried leaves the best of the others with less."""
    before = after = -1.0
    for other in range(terms[SIDE_COUNT]):
        if other != side:
            earned = terms[EARNED_BY + other] if terms[MODE] == TRICKS_SUM else 0
            before = max(before, earned + values[row + other])
            after = max(after, earned + values[row + MAX_SEATS + other])
    return bool(after < before - CLOSE)


@kernel
def finish_vector(
    desk: Vector, terms: Vector, keys: Vector, memo: Reals, values: Reals, frame: int, row: int
) -> None:
    """Write a frame's value when all its moves are tried, and remember it."""
    if terms[TIE_RULE] == TIE_AVERAGE:
        for side in range(terms[SIDE_COUNT]):
            values[row + side] /= desk[frame + WEIGHT]
    if desk[frame + KEY_2] == 0:
        return
    place = place_of_vector(desk, terms, frame)
    keys[place * KEY_WORDS] = desk[frame + KEY_1]
    keys[place * KEY_WORDS + 1] = desk[frame + KEY_2]
    keys[place * KEY_WORDS + 2] = terms[SEARCH]
    for side in range(terms[SIDE_COUNT]):
        memo[place * MAX_SEATS + side] = values[row + side]
