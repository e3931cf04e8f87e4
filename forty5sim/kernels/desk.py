"""The desk of a double-dummy search: a deal with all cards seen, and the frames of the search.

The deal is taken over from a state of the engine; hands are masks of bits (``ranks``). A frame is
one decision: a card to play, a card to throw for the turn-up (or the turn-up itself, which is to
keep the hand), or the suit that a Joker led names. ``make`` writes the frame of what follows and
``take_back`` undoes it, so that no state is copied.
"""

from __future__ import annotations

from forty5sim.kernels.bits import highest, lowest
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.joker import EVERY_SUIT
from forty5sim.kernels.layout import (
    ACE_WAITS,
    ACTIVE,
    BEST,
    DEALER_MUST_ROB,
    DEALER_ROBS_FIRST,
    HAND_SIZE,
    HANDS,
    HISTORY,
    HOLDER_MUST_ROB,
    HOLDER_ROBS_FIRST,
    LEADER,
    LEADS_JOKER_LAST,
    LED,
    LED_SUITS,
    MAX_DECK,
    MAX_SEATS,
    NAME_SUIT,
    NAMES_ANY_SUIT,
    NEXT,
    PHASE,
    PLAYS,
    POSITION,
    RIGHT,
    SEAT,
    SIDE_OF,
    TOP,
    TRICK,
    TRUMP_POWER,
    TURNUP,
    WAITING_ACE,
)
from forty5sim.kernels.ranks import (
    ABOVE,
    BIT_OF,
    BY_BEST,
    BY_LED,
    BY_TOP,
    FIELD,
    FOLLOWS,
    JUDGED,
    LONE,
    LONE_MASK,
    NOTHING,
    TRUMP_FIELD,
    ace_bit,
    beats,
    by_rank,
    may_play,
    unlike,
)
from forty5sim.kernels.robbing import ace_is_turned
from forty5sim.kernels.trick import card_in, power_in, seat_in
from forty5sim.kernels.vector import Vector

# kinds of frames
PLAY_CARD, THROW_CARD, NAME_LED = range(3)

# the desk
HAND = 0  # per seat: mask of bits
SIDE = HAND + MAX_SEATS  # per seat
LEFT_OF = SIDE + MAX_SEATS  # per seat: who plays next
OWNER = LEFT_OF + MAX_SEATS  # per bit: the seat that holds it, or gets it by robbing
AT_TRICK = OWNER + NOTHING  # seats that play to a trick
TURNED = AT_TRICK + 1  # the bit of the turn-up while somebody may rob it
MUST_THROW = AT_TRICK + 2  # robbing is compulsory
THROWS_FIRST = AT_TRICK + 3  # the seat that may rob decides before the first lead
WAITING = AT_TRICK + 4  # the seat that gets the turn-up after this trick, -1
WAITING_BIT = AT_TRICK + 5
ROB_WAITS = AT_TRICK + 13  # who robs still gets the turn-up after this trick
ANY_NAME = AT_TRICK + 6  # a Joker led may name any suit
LONE_LAST = AT_TRICK + 7  # a Joker without a suit may be led to the last trick alone
NODES = AT_TRICK + 8  # frames entered
MOST_NODES = AT_TRICK + 9
OPENER = AT_TRICK + 10  # the seat that leads when the first throw is done
FIRST_LEFT = AT_TRICK + 11  # tricks left in the first frame
CARDS = AT_TRICK + 12  # mask of the cards in all hands
FRAMES = AT_TRICK + 16

# a frame
KIND = 0
MOVER = 1
PLACE = 2  # cards on the table
MOVES = 3  # mask of the moves yet to be tried
LED_BIT = 4  # or NOTHING; of a suit that a Joker named its highest card
WINS = 5  # the bit that wins the trick so far
WINS_SEAT = 6
TOP_BIT = 7  # the highest trump played in the deal, -1
TRICKS_LEFT = 8  # with this one
MAY_ROB = 9  # the seat that has yet to decide whether to rob, -1
SUITS_LED = 10  # mask of the suits led where there are no trumps
ON_TABLE = 11  # mask of the cards on the table
MOVE = 12  # the move being tried
NEEDED = 13  # the rest belongs to the search
KEY_1 = 14
KEY_2 = 15
FIRST_MOVE = 16
GAINER = 17
GAIN = 18
WEIGHT = 19
ALIKE = 20
FRAME_SIZE = 21
MAX_FRAMES = 2 * MAX_DECK
DESK_SIZE = FRAMES + FRAME_SIZE * MAX_FRAMES


@kernel
def lay_desk(desk: Vector, ranks: Vector, state: Vector, tables: Vector) -> None:
    """Take a deal over, and write the first frame: the decision to be taken now."""
    for seat in range(MAX_SEATS):
        desk[HAND + seat] = 0
        desk[LEFT_OF + seat] = state[NEXT + seat]
        desk[SIDE + seat] = state[SIDE_OF + seat]
    seat = state[LEADER]
    desk[CARDS] = 0
    for _ in range(state[ACTIVE]):
        hand = by_rank(ranks, state[HANDS + seat])
        desk[HAND + seat] = hand
        desk[CARDS] |= hand
        while hand:
            desk[OWNER + lowest(hand)] = seat
            hand &= hand - 1
        seat = state[NEXT + seat]
    desk[AT_TRICK] = state[ACTIVE]
    desk[ANY_NAME] = tables[NAMES_ANY_SUIT]
    desk[LONE_LAST] = tables[LEADS_JOKER_LAST]
    desk[OPENER] = state[LEADER]
    lay_turnup(desk, ranks, state, tables)
    lay_frame(desk, ranks, state, tables)


@kernel
def lay_turnup(desk: Vector, ranks: Vector, state: Vector, tables: Vector) -> None:
    """Note who may rob still, and an ace robbed that comes after this trick."""
    turned = ace_is_turned(state, tables) if state[RIGHT] >= 0 else False
    desk[THROWS_FIRST] = tables[DEALER_ROBS_FIRST if turned else HOLDER_ROBS_FIRST]
    desk[MUST_THROW] = tables[DEALER_MUST_ROB if turned else HOLDER_MUST_ROB]
    desk[WAITING] = state[WAITING_ACE]
    desk[ROB_WAITS] = turned and tables[ACE_WAITS] != 0
    if state[RIGHT] >= 0:
        desk[TURNED] = desk[WAITING_BIT] = ranks[BIT_OF + state[TURNUP]]
        desk[OWNER + desk[TURNED]] = state[RIGHT]
    if state[WAITING_ACE] >= 0:
        desk[WAITING_BIT] = ranks[BIT_OF + state[TURNUP]]
        desk[OWNER + desk[WAITING_BIT]] = state[WAITING_ACE]


@kernel
def lay_frame(desk: Vector, ranks: Vector, state: Vector, tables: Vector) -> None:
    """Write the first frame of a deal in play; one that has ended early is played on."""
    frame = FRAMES
    right = state[RIGHT]
    place = state[POSITION]
    mover = state[LEADER]
    for _ in range(place):
        mover = state[NEXT + mover]
    desk[frame + MOVER] = mover
    desk[frame + PLACE] = place
    desk[frame + MAY_ROB] = right
    desk[frame + TRICKS_LEFT] = tables[HAND_SIZE] - state[TRICK]
    desk[FIRST_LEFT] = desk[frame + TRICKS_LEFT]
    desk[frame + SUITS_LED] = state[LED_SUITS]
    desk[frame + TOP_BIT] = -1
    if power_in(state[TOP]) >= TRUMP_POWER and ranks[JUDGED] == BY_TOP:
        desk[frame + TOP_BIT] = ranks[BIT_OF + card_in(state[TOP])]
    desk[frame + LED_BIT] = NOTHING
    desk[frame + ON_TABLE] = 0
    if place > 0:
        lay_trick(desk, ranks, state, frame)
    desk[frame + KIND] = PLAY_CARD
    if state[PHASE] == NAME_SUIT:
        desk[frame + KIND] = NAME_LED
        desk[frame + MOVER] = state[SEAT]
    elif right >= 0 and (desk[THROWS_FIRST] or right == mover):
        desk[frame + KIND] = THROW_CARD
        desk[frame + MOVER] = right


@kernel
def lay_trick(desk: Vector, ranks: Vector, state: Vector, frame: int) -> None:
    """Take over the trick on the table."""
    first = state[PLAYS] - state[POSITION]
    desk[frame + LED_BIT] = ranks[BIT_OF + state[LED]]
    desk[frame + WINS] = ranks[BIT_OF + card_in(state[BEST])]
    desk[frame + WINS_SEAT] = seat_in(state[BEST])
    seat = state[LEADER]
    for place in range(state[POSITION]):
        bit = ranks[BIT_OF + state[HISTORY + first + place]]
        desk[frame + ON_TABLE] |= 1 << bit
        desk[OWNER + bit] = seat
        seat = state[NEXT + seat]


@kernel
def judged_by(desk: Vector, ranks: Vector, frame: int) -> int:
    """Return the bit against which reneging is judged in this trick."""
    led = desk[frame + LED_BIT]
    if ranks[JUDGED] == BY_LED or led == NOTHING or not ranks[ABOVE] >> led & 1:
        return led
    return desk[frame + WINS] if ranks[JUDGED] == BY_BEST else desk[frame + TOP_BIT]


@kernel
def legal_at(desk: Vector, ranks: Vector, frame: int) -> int:
    """Return all moves of a frame, as a mask of bits, or of suits to name."""
    hand = desk[HAND + desk[frame + MOVER]]
    if desk[frame + KIND] == NAME_LED:
        return names_left(desk, frame)
    if desk[frame + KIND] == THROW_CARD:
        return hand if desk[MUST_THROW] else hand | 1 << desk[TURNED]
    led = desk[frame + LED_BIT]
    if led != NOTHING:
        return may_play(ranks, hand, led, judged_by(desk, ranks, frame))
    return hand & ~barred_lead(desk, ranks, frame, hand)


@kernel
def moves_at(desk: Vector, ranks: Vector, frame: int) -> int:
    """Return the moves of a frame, one for each that comes to something else."""
    legal = legal_at(desk, ranks, frame)
    kind = desk[frame + KIND]
    if legal & (legal - 1) == 0 or kind == NAME_LED:
        return legal
    coming = coming_cards(desk, frame)
    cards = desk[CARDS] | desk[frame + ON_TABLE] | coming
    if kind == THROW_CARD:  # keeping the hand is a move of its own
        return unlike(ranks, legal & ~coming, cards, -1) | legal & coming
    return unlike(ranks, legal, cards, desk[frame + TOP_BIT])


@kernel
def names_left(desk: Vector, frame: int) -> int:
    """Return the mask of the suits that a Joker led may name."""
    return EVERY_SUIT if desk[ANY_NAME] else EVERY_SUIT & ~desk[frame + SUITS_LED]


@kernel
def coming_cards(desk: Vector, frame: int) -> int:
    """Return, as a mask, the turn-up that may come, or will, into a hand."""
    if desk[frame + MAY_ROB] >= 0:
        return 1 << desk[TURNED]
    if desk[WAITING] >= 0 and desk[frame + TRICKS_LEFT] == desk[FIRST_LEFT]:
        return 1 << desk[WAITING_BIT]
    return 0


@kernel
def barred_lead(desk: Vector, ranks: Vector, frame: int, hand: int) -> int:
    """Return, as a mask, a Joker without a suit that may not be led while there are others."""
    lone = hand & ranks[LONE_MASK]
    if lone == 0 or hand == lone:
        return 0
    return lone if desk[LONE_LAST] or names_left(desk, frame) == 0 else 0


@kernel
def make(desk: Vector, ranks: Vector, frame: int, move: int) -> int:
    """Make a move and write the next frame; return the seat that wins the trick with it, or -1."""
    child = frame + FRAME_SIZE
    desk[frame + MOVE] = move
    mover = desk[frame + MOVER]
    desk[child + KIND] = PLAY_CARD
    desk[child + MOVER] = mover
    desk[child + TRICKS_LEFT] = desk[frame + TRICKS_LEFT]
    desk[child + SUITS_LED] = desk[frame + SUITS_LED]
    desk[child + MAY_ROB] = desk[frame + MAY_ROB]
    desk[child + TOP_BIT] = desk[frame + TOP_BIT]
    if desk[frame + KIND] != PLAY_CARD:
        copy_table(desk, frame, child)
        if desk[frame + KIND] == NAME_LED:
            desk[child + LED_BIT] = ace_bit(ranks, move)
            desk[child + MOVER] = desk[LEFT_OF + mover]
        else:
            throw(desk, mover, move, mover)
            desk[child + MAY_ROB] = -1
            if desk[THROWS_FIRST]:
                desk[child + MOVER] = desk[OPENER]
        return -1
    desk[HAND + mover] ^= 1 << move
    desk[CARDS] ^= 1 << move
    if desk[frame + LED_BIT] == NOTHING:
        led = move
        wins = move
        wins_seat = mover
    else:
        led = desk[frame + LED_BIT]
        better = beats(ranks, move, desk[frame + WINS], ranks[FOLLOWS + led])
        wins = move if better else desk[frame + WINS]
        wins_seat = mover if better else desk[frame + WINS_SEAT]
    if ranks[JUDGED] == BY_TOP and ranks[ABOVE] >> move & 1:
        desk[child + TOP_BIT] = max(move, desk[frame + TOP_BIT])
    place = desk[frame + PLACE] + 1
    if place == desk[AT_TRICK]:
        end_trick(desk, ranks, frame, led, wins_seat)
        return wins_seat
    desk[child + PLACE] = place
    desk[child + LED_BIT] = led
    desk[child + WINS] = wins
    desk[child + WINS_SEAT] = wins_seat
    desk[child + ON_TABLE] = desk[frame + ON_TABLE] | 1 << move
    if place == 1 and ranks[LONE_MASK] >> move & 1 and desk[child + TRICKS_LEFT] > 1:
        desk[child + KIND] = NAME_LED
        return -1
    following = desk[LEFT_OF + mover]
    desk[child + MOVER] = following
    if desk[child + MAY_ROB] == following:
        desk[child + KIND] = THROW_CARD
    return -1


@kernel
def throw(desk: Vector, mover: int, move: int, waiting: int) -> None:
    """Exchange a card thrown and the turn-up, or back; if it waits, ``waiting`` gets it later."""
    change = 1 << desk[TURNED] ^ 1 << move
    if desk[ROB_WAITS] and change:
        change = 1 << move
        desk[WAITING] = waiting
    desk[HAND + mover] ^= change
    desk[CARDS] ^= change


@kernel
def copy_table(desk: Vector, frame: int, child: int) -> None:
    """Let the trick on the table stand."""
    desk[child + PLACE] = desk[frame + PLACE]
    desk[child + LED_BIT] = desk[frame + LED_BIT]
    desk[child + WINS] = desk[frame + WINS]
    desk[child + WINS_SEAT] = desk[frame + WINS_SEAT]
    desk[child + ON_TABLE] = desk[frame + ON_TABLE]


@kernel
def end_trick(desk: Vector, ranks: Vector, frame: int, led: int, winner: int) -> None:
    """Write the frame of the next lead."""
    child = frame + FRAME_SIZE
    desk[child + MOVER] = winner
    desk[child + PLACE] = 0
    desk[child + LED_BIT] = NOTHING
    desk[child + ON_TABLE] = 0
    desk[child + TRICKS_LEFT] = desk[frame + TRICKS_LEFT] - 1
    if ranks[LONE_MASK] and led != LONE:
        desk[child + SUITS_LED] |= 1 << (led // FIELD)
    if desk[WAITING] >= 0 and desk[frame + TRICKS_LEFT] == desk[FIRST_LEFT]:
        desk[HAND + desk[WAITING]] ^= 1 << desk[WAITING_BIT]
        desk[CARDS] ^= 1 << desk[WAITING_BIT]


@kernel
def take_back(desk: Vector, frame: int) -> None:
    """Undo the move of a frame."""
    mover = desk[frame + MOVER]
    move = desk[frame + MOVE]
    kind = desk[frame + KIND]
    if kind == PLAY_CARD:
        desk[HAND + mover] ^= 1 << move
        desk[CARDS] ^= 1 << move
        if desk[WAITING] >= 0:
            last = desk[frame + PLACE] + 1 == desk[AT_TRICK]
            if last and desk[frame + TRICKS_LEFT] == desk[FIRST_LEFT]:
                desk[HAND + desk[WAITING]] ^= 1 << desk[WAITING_BIT]
                desk[CARDS] ^= 1 << desk[WAITING_BIT]
    elif kind == THROW_CARD:
        throw(desk, mover, move, -1)


@kernel
def best_trump_owner(desk: Vector, ranks: Vector, frame: int, tops: int) -> int:
    """Return who owns the best trump in hands and on the table, -1 if it is none of ``tops``."""
    cards = desk[CARDS] | desk[frame + ON_TABLE] | coming_cards(desk, frame)
    trumps = cards & ranks[TRUMP_FIELD]
    if trumps == 0:
        return -1
    best = highest(trumps)
    return desk[OWNER + best] if tops >> best & 1 else -1
