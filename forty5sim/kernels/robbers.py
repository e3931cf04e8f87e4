"""Who may have robbed, and where the ace of trumps may lie (docs/rules.md 3, 6).

The one seat with the right to rob is asked; what is seen of its answer depends on the rules, and
a declined right can come out later. Where robbing is silent, each seat that may have robbed is a
hypothesis of its own (``list_robbers``).
"""

from __future__ import annotations

from forty5sim.kernels.bits import (
    popcount,
)
from forty5sim.kernels.evidence import (
    ALLOW,
    FIRST_THROW,
    KNOWN,
    NEED,
    OBSERVER,
    POSSIBLE,
    ROB_THROW,
    ROBBER_THEN,
    SHOWN,
    UNSEEN,
    WAITS,
    lies_only_in,
    waits_for_ace,
)
from forty5sim.kernels.jit import (
    kernel,
)
from forty5sim.kernels.layout import (
    ACE_CARD,
    ACE_FALLS,
    CLAIMER,
    DEALER,
    DEALER_MUST_ROB,
    DEALER_ROBS_FIRST,
    FAMILY,
    HOLDER_MUST_ROB,
    HOLDER_ROBS_FIRST,
    JINK,
    JINKER,
    JOKER,
    JOKER_TURNED,
    MISSED_BARS,
    MISSED_STEP,
    ORDER,
    ORDERS,
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
    SPOILED,
    TRICK,
    TRICKS,
    TRUMP,
    TURNS_UP,
    TURNUP,
    UNFINISHED,
    WIN_TRICKS,
)
from forty5sim.kernels.robbing import (
    ace_is_turned,
)
from forty5sim.kernels.vector import (
    Vector,
)


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
    if ace_is_turned(public, tables) or not facts[UNSEEN] >> ace & 1:
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
    if ace_is_turned(public, tables):
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
    turned = ace_is_turned(public, tables)
    observer = facts[OBSERVER]
    ace = tables[public[ORDER] + ACE_CARD]
    holder = public[DEALER] if turned else shown_by(public, facts, ace)
    if not turned and facts[KNOWN + observer] >> ace & 1:
        holder = observer
    if shows_kept(public, tables) or (holder < 0 and not facts[UNSEEN] >> ace & 1):
        return 1  # who had the right has kept the hand; or the ace is in no hand
    if tables[ACE_FALLS] and not turned and shown_by(public, facts, ace) >= 0:
        robbers[0] = holder if holder != observer else -1
        return 1  # the ace did not fall
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
def shows_kept(public: Vector, tables: Vector) -> bool:
    """Say whether it is open that the seat with the right to rob has let it pass."""
    kept = public[ORDER] >= ORDERS + MISSED_STEP and tables[ACE_FALLS] != 0
    for seat in range(public[SEATS]):
        kept = kept or is_barred(public, tables, seat)
    return bool(kept)


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
    must = DEALER_MUST_ROB if ace_is_turned(public, tables) else HOLDER_MUST_ROB
    if facts[OBSERVER] == seat:
        return True
    obeyed = tables[must] and was_asked(public, tables, facts, seat)
    return not obeyed and not keeps_its_right(public, tables, seat)


@kernel
def may_have_robbed(public: Vector, tables: Vector, facts: Vector, seat: int) -> bool:
    """Say whether a seat, had it the right, may have robbed by now."""
    return was_asked(public, tables, facts, seat) and not is_barred(public, tables, seat)
