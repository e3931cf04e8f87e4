"""The hidden part of a determinized state: hands, thrown cards, rights, kitty and stock."""

from __future__ import annotations

from forty5sim.kernels.bits import (
    highest,
    popcount,
)
from forty5sim.kernels.evidence import (
    AGAIN,
    AGAIN_MASK,
    FIRST_THROW,
    KNOWN,
    OBSERVER,
    REST,
    RETURNED,
    ROB_THROW,
    ROBBER_THEN,
    SHOWN,
    THROWERS,
    order_fallen,
    waits_for_ace,
)
from forty5sim.kernels.exchange import (
    has_exchanged,
    still_exchanging,
)
from forty5sim.kernels.jit import (
    kernel,
)
from forty5sim.kernels.kitty import (
    next_exchanger,
)
from forty5sim.kernels.layout import (
    ACE_CARD,
    ACE_FALLS,
    ASSIGN,
    ASSIGN_BIDS,
    AUCTION,
    AUCTION_CALL,
    BID,
    BIDDER,
    DEAL_KEY,
    DEALER,
    DEALER_ROBS_FIRST,
    DECK,
    DECK_SIZE,
    DISCARD,
    DISCARDED,
    EXCHANGING,
    FAMILY,
    GAME_SEED,
    HAD_RIGHT,
    HANDS,
    HOLDER_ROBS_FIRST,
    JOKER,
    JOKER_SUIT,
    KEPT,
    KITTY_CARDS,
    KITTY_SIZE,
    LAST_THROWN,
    NAME_TRUMP,
    ORDER,
    PHASE,
    PLAY,
    PLAYS,
    PUBLIC_SIZE,
    RESTOCK,
    RESTOCK_NEXT,
    RESTOCK_SIZE,
    RESTOCKED,
    RIGHT,
    ROB,
    ROBBED,
    SEAT,
    SEATS,
    SEES_KITTY_FIRST,
    STATE_SIZE,
    STOCK,
    THROWN,
    THROWN_BEFORE,
    TRICK,
    TRUE_ORDER,
    TRUMP,
    TURNS_UP,
    WAITING_ACE,
)
from forty5sim.kernels.restock import (
    thrown_by_others,
)
from forty5sim.kernels.rng import (
    draw,
)
from forty5sim.kernels.robbers import (
    was_asked,
)
from forty5sim.kernels.robbing import (
    ace_is_turned,
)
from forty5sim.kernels.shares import (
    LOT,
    PACK,
    list_cards,
    pick_lot,
)
from forty5sim.kernels.vector import (
    Vector,
)

# draws of a determinization's key; those of ``determinize`` come before
_DEAL, _SEED, _PILE = range(3, 6)
_AGAIN, _ORDER = 16, 32  # and a seat


@kernel
def write_hidden(
    state: Vector, tables: Vector, facts: Vector, plan: Vector, thrown: int, key: int
) -> None:
    """Write hands, thrown cards, rights and stock; of the deal's keys new ones."""
    for word in range(PUBLIC_SIZE, STATE_SIZE):
        state[word] = 0
    state[RIGHT] = state[HAD_RIGHT] = state[ROBBED] = state[KEPT] = state[WAITING_ACE] = -1
    state[LAST_THROWN] = -1
    state[TRUE_ORDER] = state[ORDER]
    state[DEAL_KEY] = draw(key, _DEAL)
    state[GAME_SEED] = draw(key, _SEED)
    for seat in range(state[SEATS]):
        state[HANDS + seat] = plan[LOT + seat] | facts[KNOWN + seat]
    state[THROWN + facts[OBSERVER]] = thrown
    state[STOCK] = tables[DECK_SIZE] - popcount(plan[LOT + REST])
    if tables[FAMILY] >= AUCTION:
        write_exchange(state, tables, facts, plan, key)
        ask_for_suit(state, tables, facts)
    elif tables[TURNS_UP]:
        write_robbing(state, tables, facts, plan, key)


@kernel
def write_robbing(state: Vector, tables: Vector, facts: Vector, plan: Vector, key: int) -> None:
    """Write who may rob still, who has, and what was thrown for it."""
    if state[TRUMP] < 0:  # the dealer takes a Joker, and the next card will be turned up
        lay_stock(state, tables, plan, plan[LOT + REST], key)
        return
    robber = facts[ROBBER_THEN]
    state[THROWN + state[DEALER]] |= plan[LOT + FIRST_THROW]
    if robber >= 0:
        state[THROWN + robber] |= plan[LOT + ROB_THROW]
        state[ROBBED] = state[HAD_RIGHT] = robber
        if waits_for_ace(state, tables, facts, robber) and state[TRICK] == 0:
            state[WAITING_ACE] = robber
        return
    right = who_has_right(state, tables, facts)
    state[HAD_RIGHT] = right
    if right < 0:
        return
    if is_asked(state, tables, facts, right):
        state[KEPT] = right
        if tables[ACE_FALLS] and not ace_is_turned(state, tables):
            state[TRUE_ORDER] = order_fallen(state[ORDER])
    else:
        state[RIGHT] = right
        ask_to_rob(state, tables)


@kernel
def who_has_right(state: Vector, tables: Vector, facts: Vector) -> int:
    """Return the seat that has or had the right to rob, -1 if there is none."""
    if ace_is_turned(state, tables):
        return state[DEALER]
    ace = tables[state[ORDER] + ACE_CARD]
    for seat in range(state[SEATS]):
        if (state[HANDS + seat] | facts[SHOWN + seat]) >> ace & 1:
            return seat
    return -1


@kernel
def is_asked(state: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether a seat with the right has been asked.

    The observer knows; of others, who need not have been asked yet is still to be.
    """
    if seat != facts[OBSERVER]:
        return was_asked(state, tables, facts, seat)
    if state[PHASE] == ROB and state[SEAT] == seat:
        return False
    first = DEALER_ROBS_FIRST if ace_is_turned(state, tables) else HOLDER_ROBS_FIRST
    plays = state[PHASE] == PLAY and state[SEAT] == seat
    return bool(tables[first] or plays or facts[SHOWN + seat] != 0)


@kernel
def ask_to_rob(state: Vector, tables: Vector) -> None:
    """Let the seat with the right be asked now, if it is time."""
    first = DEALER_ROBS_FIRST if ace_is_turned(state, tables) else HOLDER_ROBS_FIRST
    if tables[first]:
        state[SEAT] = state[RIGHT]
    if state[SEAT] == state[RIGHT] and state[PHASE] == PLAY:
        state[PHASE] = ROB


@kernel
def ask_for_suit(state: Vector, tables: Vector, facts: Vector) -> None:
    """Let a contractor who holds the Joker be asked about its suit, if he has not led yet.

    An observer who is to lead has been asked.
    """
    bidder = state[BIDDER]
    before = state[PHASE] == PLAY and state[PLAYS] == 0 and state[BID] >= 0
    if not before or bidder == facts[OBSERVER] or state[JOKER_SUIT] >= 0:
        return
    if tables[ASSIGN_BIDS] >> state[BID] & 1 and state[HANDS + bidder] >> JOKER & 1:
        state[PHASE] = ASSIGN


@kernel
def lay_stock(state: Vector, tables: Vector, plan: Vector, cards: int, key: int) -> None:
    """Lay these cards down as the stock, in random order."""
    count = list_cards(plan, cards)
    pick_lot(plan, 0, count, count, draw(key, _PILE))
    state[STOCK] = tables[DECK_SIZE] - count
    for place in range(count):
        state[DECK + state[STOCK] + place] = plan[PACK + place]


@kernel
def write_exchange(state: Vector, tables: Vector, facts: Vector, plan: Vector, key: int) -> None:
    """Write what was thrown, the kitty while it lies, and the stock."""
    waiting = still_exchanging(state, tables)
    done = has_exchanged(state, tables)
    observer = facts[OBSERVER]
    state[EXCHANGING] = waiting
    if state[PHASE] == DISCARD and state[SEAT] == observer:
        state[LAST_THROWN] = highest(state[THROWN + observer])
    if facts[AGAIN_MASK]:
        write_restock(state, tables, facts, plan, done, key)
        return
    end = list_cards(plan, plan[LOT + REST])
    place = 0
    pile = draw(key, _PILE)
    for seat in range(state[SEATS]):
        if done >> seat & 1 and seat != observer:
            until = place + state[DISCARDED + seat]
            state[THROWN + seat] = pick_lot(plan, place, until, end, pile)
            place = until
    if not kitty_taken(state, tables):
        until = place + tables[KITTY_SIZE]
        state[KITTY_CARDS] = pick_lot(plan, place, until, end, pile)
        place = until
    for seat in range(state[SEATS]):
        if done >> seat & 1:
            state[THROWN_BEFORE] |= state[THROWN + seat]
    lay_stock(state, tables, plan, pick_lot(plan, place, end, place, pile), draw(key, _AGAIN))


@kernel
def kitty_taken(state: Vector, tables: Vector) -> bool:
    """Say whether the kitty has been taken up."""
    phase = state[PHASE]
    if state[BID] < 0 or phase == AUCTION_CALL:
        return False
    return bool(phase != NAME_TRUMP or tables[SEES_KITTY_FIRST])


@kernel
def write_restock(
    state: Vector, tables: Vector, facts: Vector, plan: Vector, done: int, key: int
) -> None:
    """Write who threw what where the stock ran out, and what is left of the new one.

    The cards drawn again are chosen from each hand; they and some of the dead cards were thrown
    by the seats before, the other dead cards by those after.
    """
    again = 0
    drawn = 0
    waiting = done
    while waiting:
        seat = next_exchanger(state, tables, waiting)
        waiting &= ~(1 << seat)
        chosen = choose_again(state, facts, plan, seat, draw(key, _AGAIN + seat))
        lay_restock(state, plan, chosen, drawn, draw(key, _ORDER + seat))
        drawn += facts[AGAIN + seat]
        again |= chosen
    own = facts[RETURNED]
    others = again & ~own
    dead = list_cards(plan, plan[LOT + REST] & ~own)
    fresh = thrown_by_others(state, facts, facts[THROWERS]) - popcount(others)
    pile = draw(key, _PILE)
    others |= pick_lot(plan, 0, fresh, dead, pile)
    late = pick_lot(plan, fresh, dead, fresh, pile)
    share_thrown(state, facts, plan, facts[THROWERS], others, pile)
    share_thrown(state, facts, plan, done & ~facts[THROWERS], late, draw(pile, 1))
    for seat in range(state[SEATS]):
        if done >> seat & 1:
            state[THROWN_BEFORE] |= state[THROWN + seat]
    state[RESTOCKED] = others | own
    state[RESTOCK_SIZE] = popcount(state[RESTOCKED])
    state[RESTOCK_NEXT] = drawn
    state[STOCK] = tables[DECK_SIZE]
    lay_restock(state, plan, state[RESTOCKED] & ~again, drawn, draw(pile, 2))


@kernel
def choose_again(state: Vector, facts: Vector, plan: Vector, seat: int, key: int) -> int:
    """Choose which cards of a seat were thrown before; the observer's own among them were."""
    drawn = facts[AGAIN + seat]
    if drawn == 0:
        return 0
    held = state[HANDS + seat] | facts[SHOWN + seat]
    own = held & facts[RETURNED]
    end = list_cards(plan, held & ~own)
    return own | pick_lot(plan, 0, drawn - popcount(own), end, key)


@kernel
def share_thrown(
    state: Vector, facts: Vector, plan: Vector, seats: int, cards: int, key: int
) -> None:
    """Share these cards out among these seats but the observer, as what they have thrown."""
    end = list_cards(plan, cards)
    place = 0
    for seat in range(state[SEATS]):
        if seats >> seat & 1 and seat != facts[OBSERVER]:
            until = place + state[DISCARDED + seat]
            state[THROWN + seat] = pick_lot(plan, place, until, end, key)
            place = until


@kernel
def lay_restock(state: Vector, plan: Vector, cards: int, start: int, key: int) -> None:
    """Lay these cards down as part of the new stock, in random order."""
    count = list_cards(plan, cards)
    pick_lot(plan, 0, count, count, key)
    for place in range(count):
        state[RESTOCK + start + place] = plan[PACK + place]
