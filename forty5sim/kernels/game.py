"""From deal to deal: starting a game, passing the deal on, and how a game ends (4.4, 5.4)."""

from __future__ import annotations

from forty5sim.kernels.deal import seat_players
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    ACTIVE,
    ALL_IN,
    ALONE,
    COUNTED,
    DEALER,
    DEALS,
    FAMILY,
    FIRST_DEALER,
    FIVE_HUNDRED,
    GAME_DEALS,
    GAME_SEED,
    LEADER_TAKES_LAST_POT,
    NEXT,
    POT,
    POT_CHIPS,
    SCORES,
    SEATS,
    SETS,
    SIDES,
    STACK,
    WINNER,
)
from forty5sim.kernels.phases import deal_cards, first_seat, start_deal
from forty5sim.kernels.pot import ante_due
from forty5sim.kernels.rng import PURPOSE_GAME, below, deal_key
from forty5sim.kernels.vector import Vector


@kernel
def start_game(state: Vector, tables: Vector, seats: int, sides: int, dealer: int) -> None:
    """Seat the players for a new game with its first dealer."""
    seat_players(state, seats, sides, (1 << seats) - 1)
    for seat in range(seats):
        state[SCORES + seat] = tables[STACK] if tables[FAMILY] == POT else 0
    for side in range(sides):
        state[SETS + side] = 0
    state[POT_CHIPS] = 0
    state[DEALS] = 0
    state[COUNTED] = 0
    state[ALONE] = 0
    state[DEALER] = dealer


@kernel
def drawn_dealer(tables: Vector, seats: int, seed: int) -> int:
    """Return the first dealer of a game: the seat that the rules name, or one drawn by the seed."""
    if tables[FIRST_DEALER] >= 0:
        return tables[FIRST_DEALER]
    return below(deal_key(seed, 0, PURPOSE_GAME), seats)


@kernel
def deal_next(state: Vector, tables: Vector) -> None:
    """Deal and open the next deal of a game."""
    deal_cards(state, tables, state[GAME_SEED], state[DEALS])
    start_deal(state, tables)


@kernel
def pass_deal(state: Vector, tables: Vector) -> bool:
    """After a deal: pass the deal to the left, or end the game; say whether it goes on."""
    state[DEALS] += 1
    if tables[FAMILY] == FIVE_HUNDRED:
        seat_players(state, state[SEATS], state[SIDES], (1 << state[SEATS]) - 1)
    if tables[FAMILY] != POT:
        state[DEALER] = state[NEXT + state[DEALER]]
        return bool(state[WINNER] < 0)
    if 0 <= tables[GAME_DEALS] <= state[DEALS]:
        share_last_pot(state, tables, playing_seats(state))
        return False
    return pass_pot_deal(state, tables)


@kernel
def pass_pot_deal(state: Vector, tables: Vector) -> bool:
    """Pass the deal in a pot game, if enough players can pay (docs/rules.md 5.4)."""
    playing = playing_seats(state)
    last_dealer = state[DEALER]
    if tables[ALL_IN]:
        solvent = solvent_seats(state, playing)
        if solvent & (solvent - 1) == 0:
            share_last_pot(state, tables, solvent if solvent else playing)
            return False
        if solvent != playing:
            seat_players(state, state[SEATS], state[SIDES], solvent)
    state[DEALER] = state[NEXT + last_dealer]
    if not tables[ALL_IN] and not all_can_pay(state, tables):
        state[DEALER] = last_dealer
        share_last_pot(state, tables, playing)
        return False
    return True


@kernel
def playing_seats(state: Vector) -> int:
    """Return the mask of the seats that play."""
    seat = first_seat(state)
    playing = 0
    for _ in range(state[ACTIVE]):
        playing |= 1 << seat
        seat = state[NEXT + seat]
    return playing


@kernel
def solvent_seats(state: Vector, playing: int) -> int:
    """Return the mask of the playing seats that have chips."""
    solvent = 0
    for seat in range(state[SEATS]):
        if (playing >> seat) & 1 and state[SCORES + seat] > 0:
            solvent |= 1 << seat
    return solvent


@kernel
def all_can_pay(state: Vector, tables: Vector) -> bool:
    """Say whether every playing seat can pay its ante for the deal to come."""
    seat = state[DEALER]
    for _ in range(state[ACTIVE]):
        if state[SCORES + seat] < ante_due(tables, state[POT_CHIPS], seat == state[DEALER]):
            return False
        seat = state[NEXT + seat]
    return True


@kernel
def share_last_pot(state: Vector, tables: Vector, seats: int) -> None:
    """Share a pot left over among these seats, or those of them with most chips.

    Odd chips go one each from the left of the last dealer on. ``NEXT`` may pass over seats that
    are out, so the seats are walked by number.
    """
    if tables[LEADER_TAKES_LAST_POT]:
        seats = richest(state, seats)
    count = 0
    for seat in range(state[SEATS]):
        count += (seats >> seat) & 1
    share = state[POT_CHIPS] // count
    odd = state[POT_CHIPS] - share * count
    for step in range(1, state[SEATS] + 1):
        seat = (state[DEALER] + step) % state[SEATS]
        if (seats >> seat) & 1:
            state[SCORES + seat] += share + (odd > 0)
            odd -= odd > 0
    state[POT_CHIPS] = 0


@kernel
def richest(state: Vector, seats: int) -> int:
    """Return the mask of those of these seats that have most chips."""
    best = -1
    leaders = 0
    for seat in range(state[SEATS]):
        if (seats >> seat) & 1:
            if state[SCORES + seat] > best:
                best = state[SCORES + seat]
                leaders = 0
            leaders |= (state[SCORES + seat] == best) << seat
    return leaders


@kernel
def game_winners(state: Vector, tables: Vector) -> int:
    """Return the mask of the seats that have won a finished game; several share a win."""
    if tables[FAMILY] == POT:
        return richest(state, (1 << state[SEATS]) - 1)
    winners = 0
    for seat in range(state[SEATS]):
        winners |= (seat % state[SIDES] == state[WINNER]) << seat
    return winners
