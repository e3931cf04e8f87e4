"""Two sides with all cards seen: does a side get so many tricks? (alpha-beta, null window)

``proves`` answers for one number of tricks; ``exact_tricks`` asks until one number is left. Cards
that come to the same are tried once (``ranks.unlike``), cheap winners first; positions at the
start of a trick are remembered by who owns which rank, so that they hold for other deals too;
tricks that nobody can take away are counted at once.

The tricks of the seats COUNTED are what is counted, and the seats EAGER want them: a side against
the other; one seat against everybody (paranoid); at misère the contractor's, which the defenders
want.
"""

from __future__ import annotations

from forty5sim.kernels.bits import highest, lowest, popcount
from forty5sim.kernels.canonical import leader_tricks
from forty5sim.kernels.desk import (
    AT_TRICK,
    CARDS,
    FIRST_MOVE,
    FRAME_SIZE,
    FRAMES,
    HAND,
    KEY_1,
    KEY_2,
    KIND,
    LED_BIT,
    LEFT_OF,
    MOST_NODES,
    MOVE,
    MOVER,
    MOVES,
    NEEDED,
    NODES,
    OWNER,
    PLACE,
    PLAY_CARD,
    SUITS_LED,
    THROW_CARD,
    TOP_BIT,
    TRICKS_LEFT,
    WINS,
    WINS_SEAT,
    best_trump_owner,
    coming_cards,
    make,
    moves_at,
    take_back,
)
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import ORDER_SIZE, ORDERS
from forty5sim.kernels.ranks import (
    ABOVE,
    FIELD,
    FIELD_MASK,
    FOLLOWS,
    LONE,
    LONE_MASK,
    PRIVILEGED,
    RANKED,
    STRICT,
    TRUMP_FIELD,
)
from forty5sim.kernels.rng import mix
from forty5sim.kernels.vector import Vector

# the question
COUNTED = 0  # mask of the seats whose tricks count
EAGER = 1  # mask of the seats that want them
LAST_EXTRA = 2  # what the last trick counts beside one
SIZE_MASK = 3  # entries of the memo, less one
STAMP = 4  # tells apart what may not be mixed up in the memo
BY_OWNERS = 5  # whether positions are remembered by who owns which rank
BEST_EXTRA = 6  # what owning the best trump counts, while somebody may rob it
COMPLETE = 7  # whether the memo is the complete table of two players (``canonical``)
QUESTION_SIZE = 8

# an entry of the memo
ENTRY = 4  # words: two of the key; least, most and best move packed; spare
UNKNOWN = 63  # no best move

# answers
NO, YES, GIVEN_UP = range(3)
OPEN = -1

OWNERS_IN_WORD = 31
OWNERS_SEATS = 4  # positions can be remembered by owners where two bits name a seat


@kernel
def proves(desk: Vector, ranks: Vector, question: Vector, memo: Vector, needed: int) -> int:
    """Say whether the seats COUNTED get so many more tricks; GIVEN_UP after MOST_NODES.

    The desk must be laid afresh after it has given up.
    """
    frame = FRAMES
    desk[frame + NEEDED] = needed
    while True:
        answer = settle(desk, ranks, question, memo, frame)
        while answer != OPEN:
            if answer == GIVEN_UP or frame == FRAMES:
                return answer
            frame -= FRAME_SIZE
            take_back(desk, frame)
            eager = question[EAGER] >> desk[frame + MOVER] & 1
            if answer != eager and desk[frame + MOVES] != 0:
                answer = OPEN
            else:
                remember(desk, question, memo, frame, answer, eager == answer)
        move = next_move(desk, ranks, question, frame)
        desk[frame + MOVES] &= ~(1 << move)
        winner = make(desk, ranks, frame, move)
        desk[frame + FRAME_SIZE + NEEDED] = desk[frame + NEEDED]
        frame += FRAME_SIZE
        if winner >= 0 and question[COUNTED] >> winner & 1:
            last = desk[frame + TRICKS_LEFT] == 0
            desk[frame + NEEDED] -= 1 + (question[LAST_EXTRA] if last else 0)
        elif question[BEST_EXTRA] and desk[frame - FRAME_SIZE + KIND] == THROW_CARD:
            owner = best_trump_owner(desk, ranks, frame, -1)
            if question[COUNTED] >> owner & 1:
                desk[frame + NEEDED] -= question[BEST_EXTRA]


@kernel
def settle(desk: Vector, ranks: Vector, question: Vector, memo: Vector, frame: int) -> int:
    """Answer a frame at once if that can be; else list its moves and return OPEN."""
    desk[NODES] += 1
    if desk[NODES] > desk[MOST_NODES]:
        return GIVEN_UP
    desk[frame + FIRST_MOVE] = UNKNOWN
    desk[frame + KEY_2] = 0
    if desk[frame + PLACE] == 0 and desk[frame + KIND] == PLAY_CARD:
        answer = settle_lead(desk, ranks, question, memo, frame)
        if answer != OPEN:
            return answer
    desk[frame + MOVES] = moves_at(desk, ranks, frame)
    return OPEN


@kernel
def settle_lead(desk: Vector, ranks: Vector, question: Vector, memo: Vector, frame: int) -> int:
    """Answer the start of a trick by what is certain, or remembered."""
    needed = desk[frame + NEEDED]
    left = desk[frame + TRICKS_LEFT]
    worth = left + (question[LAST_EXTRA] if left > 0 else 0)
    if needed <= 0:
        return YES
    if coming_cards(desk, frame):
        return OPEN
    if needed > worth:
        return NO
    if question[COMPLETE]:
        tricks = leader_tricks(memo, desk, ranks, frame)
        got = tricks if question[COUNTED] >> desk[frame + MOVER] & 1 else left - tricks
        return YES if got >= needed else NO
    certain, lost = sure_tricks(desk, ranks, question, frame)
    if certain >= needed:
        return YES
    if worth - lost < needed:
        return NO
    write_key(desk, ranks, question, frame)
    return recall(desk, question, memo, frame)


@kernel
def sure_tricks(desk: Vector, ranks: Vector, question: Vector, frame: int) -> tuple[int, int]:
    """Return tricks that the seats COUNTED, and that the others, are certain to take.

    The highest trumps left, as far as they are in one hand, take a trick each. A leader who wants
    tricks also cashes the highest cards of each plain suit, for as long as the opponents have to
    follow or have nothing to trump with.
    """
    leader = desk[frame + MOVER]
    above = desk[CARDS] & ranks[ABOVE]
    certain = lost = 0
    run = 0
    if above:
        owner = desk[OWNER + highest(above)]
        run = run_of(desk[HAND + owner], above)
        if question[COUNTED] >> owner & 1:
            certain = run
        else:
            lost = run
        run = run if owner == leader else 0
    if question[COUNTED] == question[EAGER]:
        cashed = min(run + cash(desk, ranks, leader, above), desk[frame + TRICKS_LEFT])
        if question[COUNTED] >> leader & 1:
            certain = max(certain, cashed)
        else:
            lost = max(lost, cashed)
    return certain, lost


@kernel
def run_of(hand: int, cards: int) -> int:
    """Return how many of the highest of these cards are in a hand, without a gap."""
    gaps = cards & ~hand
    if gaps == 0:
        return popcount(cards)
    return popcount(cards & ~((2 << highest(gaps)) - 1))


@kernel
def cash(desk: Vector, ranks: Vector, leader: int, above: int) -> int:
    """Return how many plain tricks a leader can take from the top, one after the other."""
    hand = desk[HAND + leader]
    outside = above & ~hand
    if outside and not ranks[STRICT]:
        return 0
    total = 0
    for field in range(4):
        suit = desk[CARDS] & (FIELD_MASK << (FIELD * field)) & ~above
        if suit & hand == 0:
            continue
        rounds = run_of(hand, suit)
        if outside and rounds:
            seat = desk[LEFT_OF + leader]
            while seat != leader:
                if desk[HAND + seat] & above:
                    rounds = min(rounds, popcount(desk[HAND + seat] & suit))
                seat = desk[LEFT_OF + seat]
        total += rounds
    return total


@kernel
def write_key(desk: Vector, ranks: Vector, question: Vector, frame: int) -> None:
    """Write what a position at the start of a trick is remembered by.

    With up to four players it is who owns which rank, so that it stands for all positions alike;
    else the cards themselves, for this deal alone.
    """
    cards = desk[CARDS]
    extra = desk[frame + MOVER]
    if cards & ranks[LONE_MASK]:
        extra |= desk[frame + SUITS_LED] << 4
    if question[BY_OWNERS]:
        write_owners(desk, ranks, question, frame, extra)
        return
    desk[frame + KEY_1] = cards
    extra |= (desk[frame + TOP_BIT] + 1) << 8
    desk[frame + KEY_2] = 1 << 62 | question[STAMP] << 15 | extra


@kernel
def write_owners(desk: Vector, ranks: Vector, question: Vector, frame: int, extra: int) -> None:
    """Write the owners of all cards by suit and rank, two bits a card, and the suits' lengths."""
    cards = desk[CARDS]
    word = 0
    spill = 0
    count = 0
    while cards:
        owner = desk[OWNER + lowest(cards)]
        cards &= cards - 1
        if count < OWNERS_IN_WORD:
            word = word << 2 | owner
        else:
            spill = spill << 2 | owner
        count += 1
    cards = desk[CARDS]
    for field in range(3):
        extra = extra << 4 | popcount(cards & (FIELD_MASK << (FIELD * field)))
    desk[frame + KEY_1] = word | 1 << 62
    special = privileges(desk, ranks, frame)
    desk[frame + KEY_2] = 1 << 62 | question[STAMP] << 46 | spill << 28 | special << 20 | extra


@kernel
def privileges(desk: Vector, ranks: Vector, frame: int) -> int:
    """Return at which places, from the highest trump left, trumps stand that may be kept back."""
    top = desk[frame + TOP_BIT]
    live = ranks[PRIVILEGED] & desk[CARDS]
    if top >= 0:
        live &= ~((2 << top) - 1)
    trumps = desk[CARDS] & ranks[TRUMP_FIELD]
    places = 0
    while live:
        bit = lowest(live)
        live &= live - 1
        places |= 1 << min(popcount(trumps & ~((2 << bit) - 1)), 7)
    if desk[CARDS] & ranks[LONE_MASK]:
        places |= 1 << desk[OWNER + LONE]
    return places


@kernel
def place_of(desk: Vector, question: Vector, frame: int) -> int:
    """Return where the memo keeps a position."""
    mixed = mix(desk[frame + KEY_1] ^ mix(desk[frame + KEY_2]))
    return (mixed & question[SIZE_MASK]) * ENTRY


@kernel
def recall(desk: Vector, question: Vector, memo: Vector, frame: int) -> int:
    """Answer a position by what is remembered of it, or note its best move and return OPEN."""
    place = place_of(desk, question, frame)
    if memo[place] != desk[frame + KEY_1] or memo[place + 1] != desk[frame + KEY_2]:
        return OPEN
    packed = memo[place + 2]
    if packed & 31 >= desk[frame + NEEDED]:
        return YES
    if packed >> 5 & 31 < desk[frame + NEEDED]:
        return NO
    desk[frame + FIRST_MOVE] = packed >> 10
    return OPEN


@kernel
def remember(
    desk: Vector, question: Vector, memo: Vector, frame: int, answer: int, by_move: bool
) -> None:
    """Keep the answer to a position at the start of a trick."""
    if desk[frame + KEY_2] == 0:
        return
    place = place_of(desk, question, frame)
    least = 0
    most = desk[frame + TRICKS_LEFT] + question[LAST_EXTRA]
    best = UNKNOWN
    if memo[place] == desk[frame + KEY_1] and memo[place + 1] == desk[frame + KEY_2]:
        least = memo[place + 2] & 31
        most = memo[place + 2] >> 5 & 31
        best = memo[place + 2] >> 10
    if answer == YES:
        least = max(least, desk[frame + NEEDED])
    else:
        most = min(most, desk[frame + NEEDED] - 1)
    if by_move:
        best = desk[frame + MOVE]
    memo[place] = desk[frame + KEY_1]
    memo[place + 1] = desk[frame + KEY_2]
    memo[place + 2] = least | most << 5 | best << 10


# --- the order of moves ---------------------------------------------------------------------------


@kernel
def next_move(desk: Vector, ranks: Vector, question: Vector, frame: int) -> int:
    """Return the move to try next: the remembered one, cheap winners, then low cards."""
    moves = desk[frame + MOVES]
    first = desk[frame + FIRST_MOVE]
    if first != UNKNOWN and moves >> first & 1:
        return first
    if moves & (moves - 1) == 0 or desk[frame + KIND] != PLAY_CARD:
        return lowest(moves)
    if desk[frame + PLACE] == 0:
        return next_lead(desk, ranks, question, frame, moves)
    return next_follow(desk, ranks, question, frame, moves)


@kernel
def next_lead(desk: Vector, ranks: Vector, question: Vector, frame: int, moves: int) -> int:
    """Return the lead to try next: the best of a suit, to the partner's best, then low cards.

    A seat that does not want tricks leads its lowest first.
    """
    mover = desk[frame + MOVER]
    counted = question[COUNTED] >> mover & 1
    wants = counted == (question[EAGER] >> mover & 1)
    above = ranks[ABOVE]
    trumps = moves & above
    if wants:
        cards = desk[CARDS]
        if trumps and highest(cards & above) == highest(trumps):
            return highest(trumps)
        towards = 0
        for field in range(4):
            suit = cards & (FIELD_MASK << (FIELD * field)) & ~above
            own = moves & suit
            if own:
                owner = desk[OWNER + highest(suit)]
                if owner == mover:
                    return highest(own)
                if question[COUNTED] >> owner & 1 == counted:
                    towards |= own
        if towards:
            return lowest(towards)
    plain = moves & ~above
    return lowest(plain) if plain else lowest(moves)


@kernel
def next_follow(desk: Vector, ranks: Vector, question: Vector, frame: int, moves: int) -> int:
    """Return the follow to try next: the cheapest that wins if that helps, else a low card."""
    wins = desk[frame + WINS]
    above = ranks[ABOVE]
    higher = ~((2 << wins) - 1)
    suit = ranks[FOLLOWS + desk[frame + LED_BIT]]
    stronger = (above & higher) if above >> wins & 1 else above | suit & higher
    winners = moves & stronger
    mover = desk[frame + MOVER]
    counted = question[COUNTED] >> mover & 1
    wants = counted == (question[EAGER] >> mover & 1)
    losers = moves & ~winners
    if winners and wants:
        ours = counted == (question[COUNTED] >> desk[frame + WINS_SEAT] & 1)
        if losers and ours and not is_beaten(desk, question, frame, stronger, suit, counted):
            winners = 0
    elif losers:
        winners = 0
    cards = winners if winners else losers
    plain = cards & ~above
    return lowest(plain) if plain else lowest(cards)


@kernel
def is_beaten(
    desk: Vector, question: Vector, frame: int, stronger: int, suit: int, counted: int
) -> bool:
    """Say whether an opponent who is yet to play could beat the card that wins so far."""
    seat = desk[LEFT_OF + desk[frame + MOVER]]
    for _ in range(desk[AT_TRICK] - desk[frame + PLACE] - 1):
        hand = desk[HAND + seat]
        if question[COUNTED] >> seat & 1 != counted:
            may = hand & suit if hand & suit else hand
            if may & stronger:
                return True
        seat = desk[LEFT_OF + seat]
    return False


@kernel
def stamp(ranks: Vector, question: Vector) -> None:
    """Set what tells positions apart in the memo: order and question, or else this one search."""
    if not question[BY_OWNERS]:
        question[STAMP] += 1
        return
    order = (ranks[RANKED] - ORDERS) // ORDER_SIZE
    same = question[COUNTED] == question[EAGER]
    question[STAMP] = order << 6 | question[COUNTED] << 2 | same << 1 | question[LAST_EXTRA]


@kernel
def exact_tricks(
    desk: Vector, ranks: Vector, question: Vector, memo: Vector, least: int, most: int, guess: int
) -> int:
    """Return how many more tricks the seats COUNTED get, packed as least | most << 5.

    The two differ if the search was given up.
    """
    while least < most:
        needed = min(max(guess, least + 1), most)
        answer = proves(desk, ranks, question, memo, needed)
        if answer == YES:
            least = needed
            guess = needed + 1
        elif answer == NO:
            most = needed - 1
            guess = most
        else:
            break
    return least | most << 5
