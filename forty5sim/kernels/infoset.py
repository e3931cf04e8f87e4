"""Information sets: what one seat may conclude from what it sees (docs/rules.md 6).

``read_facts`` writes, for one hypothesis about who robbed, how many unseen cards lie in each bin
(hands, cards thrown, the rest) and which may lie there. There is one hypothesis, but where
robbing is silent (``list_robbers``).
"""

from __future__ import annotations

from forty5sim.kernels.bits import popcount
from forty5sim.kernels.evidence import (
    AGAIN,
    AGAIN_MASK,
    ALLOW,
    BINS,
    EITHER,
    EXCUSE,
    FACTS_SIZE,
    FEW,
    FIRST_THROW,
    KNOWN,
    NEED,
    OBSERVER,
    POSSIBLE,
    REST,
    RETURNED,
    ROB_THROW,
    ROBBER_THEN,
    SHOWN,
    THROWERS,
    UNSEEN,
    WAITS,
    waits_for_ace,
    weigh_plays,
)
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.kitty import exchangers, next_exchanger
from forty5sim.kernels.layout import (
    ACE_CARD,
    ACTIVE,
    AUCTION,
    AUCTION_CALL,
    BID,
    BIDDER,
    CLAIMER,
    DEALER,
    DEALER_MUST_ROB,
    DEALER_ROBS_FIRST,
    DECK_MASK,
    DECK_SIZE,
    DISCARD,
    DISCARDED,
    EXPOSED,
    FAMILY,
    HAND_SIZE,
    HOLDER_MUST_ROB,
    HOLDER_ROBS_FIRST,
    JINK,
    JINKER,
    JOKER,
    JOKER_SUIT,
    JOKER_TURNED,
    KITTY_SIZE,
    MAX_SEATS,
    MISSED_BARS,
    NAME_TRUMP,
    NEXT,
    ORDER,
    OUTCOME,
    PHASE,
    PLAY,
    PLAYED,
    PLAYS,
    POT,
    ROB_SEEN,
    ROBBER,
    SEAT,
    SEATS,
    SEES_KITTY_FIRST,
    SPOILED,
    TRICK,
    TRICKS,
    TRUMP,
    TURNS_UP,
    TURNUP,
    UNFINISHED,
    WIN_TRICKS,
)
from forty5sim.kernels.vector import Vector


@kernel
def read_facts(
    public: Vector,
    hand: int,
    thrown: int,
    observer: int,
    idle: bool,
    robber: int,
    tables: Vector,
    facts: Vector,
) -> None:
    """Write what an observer with this hand knows, if ``robber`` (a seat or -1) has robbed."""
    for word in range(FACTS_SIZE):
        facts[word] = 0
    for b in range(BINS):
        facts[ALLOW + b] = -1
    facts[OBSERVER] = observer
    facts[ROBBER_THEN] = robber
    facts[POSSIBLE] = 1
    facts[WAITS] = idle and public[PHASE] == PLAY and public[SEAT] == observer
    facts[KNOWN + observer] = hand
    weigh_plays(public, tables, facts)
    count_hands(public, tables, facts)
    seen = hand | thrown | public[PLAYED] | public[EXPOSED]
    if tables[TURNS_UP]:
        seen |= 1 << public[TURNUP]
        seen |= place_joker(public, facts)
        place_turnup(public, tables, facts)
    elif tables[FAMILY] >= AUCTION:
        seen &= ~return_thrown(public, tables, facts, thrown)
    facts[UNSEEN] = tables[DECK_MASK] & ~seen
    if tables[TURNS_UP] and public[TRUMP] >= 0:
        place_ace(public, tables, facts)
    if public[JOKER_SUIT] >= 0:
        lies_only_in(facts, JOKER, 1 << public[BIDDER])
    settle_known(facts)
    facts[NEED + REST] = popcount(facts[UNSEEN])
    for b in range(REST):
        facts[NEED + REST] -= facts[NEED + b]
    for b in range(BINS):
        facts[ALLOW + b] &= facts[UNSEEN]


@kernel
def lies_only_in(facts: Vector, card: int, bins: int) -> None:
    """Note that a card, if it is unseen, lies in one of these bins (a mask)."""
    for b in range(BINS):
        if not bins >> b & 1:
            facts[ALLOW + b] &= ~(1 << card)


@kernel
def settle_known(facts: Vector) -> None:
    """Let the cards known to be in a hand settle what was left open about it."""
    for seat in range(MAX_SEATS):
        known = facts[KNOWN + seat]
        if known & facts[FEW + seat]:
            facts[ALLOW + seat] &= ~facts[FEW + seat]
        if known & facts[EXCUSE + seat]:
            facts[EITHER + seat] = 0


# --- how many cards a hand holds ------------------------------------------------------------------


@kernel
def count_hands(public: Vector, tables: Vector, facts: Vector) -> None:
    """Write how many cards each seat but the observer holds; the hand laid open is known."""
    bidding = tables[FAMILY] >= AUCTION
    seat = 0 if bidding else public[NEXT + public[SEATS] - 1]
    for _ in range(public[SEATS] if bidding else public[ACTIVE]):
        if seat != facts[OBSERVER]:
            size = tables[HAND_SIZE] - popcount(facts[SHOWN + seat])
            if bidding and holds_kitty(public, tables, seat):
                size += tables[KITTY_SIZE]
            facts[NEED + seat] = size
        seat = seat + 1 if bidding else public[NEXT + seat]
    if public[EXPOSED] and public[BIDDER] != facts[OBSERVER]:
        facts[KNOWN + public[BIDDER]] = public[EXPOSED] & ~public[PLAYED]
        facts[NEED + public[BIDDER]] = 0


@kernel
def holds_kitty(public: Vector, tables: Vector, seat: int) -> bool:
    """Say whether a seat holds the kitty beside its hand."""
    if seat != public[BIDDER]:
        return False
    if public[PHASE] == NAME_TRUMP:
        return bool(tables[SEES_KITTY_FIRST])
    return bool(public[PHASE] == DISCARD and still_exchanging(public, tables) >> seat & 1)


# --- robbing --------------------------------------------------------------------------------------


@kernel
def turned_ace(public: Vector, tables: Vector) -> bool:
    """Say whether the ace of trumps is the turn-up."""
    return bool(public[TURNUP] == tables[public[ORDER] + ACE_CARD])


@kernel
def place_joker(public: Vector, facts: Vector) -> int:
    """Place a Joker that was turned up; return it as a mask unless it is unseen again."""
    if not public[JOKER_TURNED]:
        return 0
    dealer = public[DEALER]
    joker = 1 << JOKER
    if public[TURNUP] == JOKER or dealer == facts[OBSERVER]:
        return joker
    facts[NEED + FIRST_THROW] = 1
    lies_only_in(facts, JOKER, 1 << dealer | 1 << ROB_THROW)
    if public[PLAYED] & joker:
        return joker
    if facts[ROBBER_THEN] == dealer:  # he may have thrown it
        return 0
    facts[KNOWN + dealer] |= joker
    facts[NEED + dealer] -= 1
    return joker


@kernel
def place_turnup(public: Vector, tables: Vector, facts: Vector) -> None:
    """Put the turn-up into the hand of the seat that robbed it, for a card thrown unseen."""
    robber = facts[ROBBER_THEN]
    if robber < 0 or robber == facts[OBSERVER]:
        return
    facts[NEED + ROB_THROW] = 1
    turnup = 1 << public[TURNUP]
    if public[PLAYED] & turnup:
        return
    facts[NEED + robber] -= 1
    if waits_for_ace(public, tables, facts, robber) and public[TRICK] == 0:
        return
    facts[KNOWN + robber] |= turnup
    if not facts[ALLOW + robber] & turnup:
        facts[POSSIBLE] = 0


@kernel
def place_ace(public: Vector, tables: Vector, facts: Vector) -> None:
    """Note where the ace of trumps, unless it was turned up, may lie by what was robbed."""
    ace = tables[public[ORDER] + ACE_CARD]
    robber = facts[ROBBER_THEN]
    if turned_ace(public, tables) or not facts[UNSEEN] >> ace & 1:
        return
    if robber >= 0:
        lies_only_in(facts, ace, 1 << robber | 1 << ROB_THROW)
        return
    if facts[WAITS]:
        lies_only_in(facts, ace, (1 << public[SEATS]) - 1)
    for seat in range(public[SEATS]):
        if seat == facts[OBSERVER]:
            continue
        if is_barred(public, tables, seat):
            lies_only_in(facts, ace, 1 << seat)
        elif keeps_its_right(public, tables, seat) or (
            tables[HOLDER_MUST_ROB] and was_asked(public, tables, facts, seat)
        ):
            facts[ALLOW + seat] &= ~(1 << ace)


@kernel
def was_asked(public: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether it is certain that a seat, had it the right to rob, has been asked.

    A dealer with the ace turned up is asked openly, unless robbing is silent. Else, before the
    first lead, only the leader who is about to lead can be certain of it.
    """
    if facts[SHOWN + seat] != 0:
        return True
    in_play = public[PHASE] == PLAY
    if turned_ace(public, tables):
        if tables[ROB_SEEN] and in_play and (tables[DEALER_ROBS_FIRST] or public[SEAT] == seat):
            return True
        first = DEALER_ROBS_FIRST
    else:
        first = HOLDER_ROBS_FIRST
    about_to_lead = in_play and public[SEAT] == facts[OBSERVER] and not facts[WAITS]
    return bool(tables[first] and (public[PLAYS] > 0 or about_to_lead))


@kernel
def has_enough(public: Vector, tables: Vector, seat: int) -> bool:
    """Say whether a seat has the tricks that win a pot from which a missed rob bars."""
    pot = tables[FAMILY] == POT and tables[MISSED_BARS]
    return bool(pot and public[TRICKS + seat] >= tables[WIN_TRICKS])


@kernel
def keeps_its_right(public: Vector, tables: Vector, seat: int) -> bool:
    """Say whether it is open that a seat is not barred from the pot: it wins, or may jink."""
    asked = public[PHASE] == JINK and public[SEAT] == seat
    wins = asked or public[JINKER] == seat or public[CLAIMER] == seat
    return bool(has_enough(public, tables, seat) and wins)


@kernel
def is_barred(public: Vector, tables: Vector, seat: int) -> bool:
    """Say whether it is open that a seat has let its right to rob pass: it wins, in vain."""
    in_vain = public[OUTCOME] == UNFINISHED or public[OUTCOME] == SPOILED
    return bool(
        in_vain
        and has_enough(public, tables, seat)
        and not keeps_its_right(public, tables, seat)
        and public[JINKER] < 0
    )


@kernel
def list_robbers(
    public: Vector, thrown: int, tables: Vector, facts: Vector, robbers: Vector
) -> int:
    """List who may have robbed (-1: nobody) as far as an observer can know; return how many.

    ``facts`` must be those of the hypothesis that nobody has, where robbing is silent.
    """
    robbers[0] = -1
    if not tables[TURNS_UP] or public[TRUMP] < 0:
        return 1
    if tables[ROB_SEEN]:
        robbers[0] = public[ROBBER]
        return 1
    observer = facts[OBSERVER]
    took_joker = public[JOKER_TURNED] and public[DEALER] == observer
    if popcount(thrown) > took_joker:
        robbers[0] = observer
        return 1
    return list_silent_robbers(public, tables, facts, robbers)


@kernel
def list_silent_robbers(public: Vector, tables: Vector, facts: Vector, robbers: Vector) -> int:
    """List who may have robbed unseen, if the observer has not."""
    robbers[0] = shown_by(public, facts, public[TURNUP])
    if robbers[0] >= 0:
        return 1
    turned = turned_ace(public, tables)
    observer = facts[OBSERVER]
    ace = tables[public[ORDER] + ACE_CARD]
    holder = public[DEALER] if turned else shown_by(public, facts, ace)
    if not turned and facts[KNOWN + observer] >> ace & 1:
        holder = observer
    barred = False
    for seat in range(public[SEATS]):
        barred = barred or is_barred(public, tables, seat)
    if barred or (holder < 0 and not facts[UNSEEN] >> ace & 1):
        return 1  # who has the right has kept his hand; or the ace is in no hand
    count = 0
    if holder < 0 or may_have_kept(public, tables, facts, holder):
        robbers[count] = -1
        count += 1
    for seat in range(public[SEATS]):
        possible = (holder < 0 or holder == seat) and seat != observer
        if possible and may_have_robbed(public, tables, facts, seat):
            robbers[count] = seat
            count += 1
    return count


@kernel
def shown_by(public: Vector, facts: Vector, card: int) -> int:
    """Return the seat that has played a card, -1 if none has."""
    for seat in range(public[SEATS]):
        if facts[SHOWN + seat] >> card & 1:
            return seat
    return -1


@kernel
def may_have_kept(public: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether the seat with the right may not have robbed so far."""
    must = DEALER_MUST_ROB if turned_ace(public, tables) else HOLDER_MUST_ROB
    if facts[OBSERVER] == seat:
        return True
    obeyed = tables[must] and was_asked(public, tables, facts, seat)
    return not obeyed and not keeps_its_right(public, tables, seat)


@kernel
def may_have_robbed(public: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether a seat, had it the right, may have robbed by now."""
    return was_asked(public, tables, facts, seat) and not is_barred(public, tables, seat)


# --- a stock that ran out -------------------------------------------------------------------------


@kernel
def still_exchanging(public: Vector, tables: Vector) -> int:
    """Return the mask of the seats that have yet to throw and draw, the seat to act too."""
    if public[PHASE] != DISCARD:
        return 0
    waiting = exchangers(public, tables)
    while next_exchanger(public, tables, waiting) != public[SEAT]:
        waiting &= ~(1 << next_exchanger(public, tables, waiting))
    return waiting


@kernel
def has_exchanged(public: Vector, tables: Vector) -> int:
    """Return the mask of the seats that have thrown and drawn."""
    before = public[BID] < 0 or public[PHASE] == AUCTION_CALL or public[PHASE] == NAME_TRUMP
    if before:
        return 0
    return exchangers(public, tables) & ~still_exchanging(public, tables)


@kernel
def cards_drawn(public: Vector, tables: Vector, seat: int) -> int:
    """Return how many cards a seat that has exchanged drew."""
    kitty = tables[KITTY_SIZE] if seat == public[BIDDER] else 0
    return public[DISCARDED + seat] - kitty


@kernel
def stock_size(public: Vector, tables: Vector) -> int:
    """Return how many cards lay in the stock after the deal."""
    return tables[DECK_SIZE] - public[SEATS] * tables[HAND_SIZE] - tables[KITTY_SIZE]


@kernel
def return_thrown(public: Vector, tables: Vector, facts: Vector, thrown: int) -> int:
    """Note who drew cards thrown before; return the observer's own that may be among them.

    When the stock has run out, the cards thrown by the seats before become the new stock
    (docs/rules.md 7.6). It never runs out twice.
    """
    left = stock_size(public, tables)
    waiting = has_exchanged(public, tables)
    before = 0
    while waiting:
        seat = next_exchanger(public, tables, waiting)
        waiting &= ~(1 << seat)
        drawn = cards_drawn(public, tables, seat)
        again = max(drawn - max(left, 0), 0)
        left -= drawn
        if again > 0:
            if facts[AGAIN_MASK] == 0:
                facts[THROWERS] = before
            facts[AGAIN + seat] = again
            facts[AGAIN_MASK] |= 1 << seat
        before |= 1 << seat
    if not facts[THROWERS] >> facts[OBSERVER] & 1:
        return 0
    facts[RETURNED] = thrown
    rest = thrown & ~public[PLAYED]
    for b in range(REST):
        if not facts[AGAIN_MASK] >> b & 1:
            facts[ALLOW + b] &= ~rest
    return rest
