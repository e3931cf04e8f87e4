"""Playing for a contract: what follows a trick, what is scored, who wins (7.8, 7.9, 8.8 - 8.10)."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.joker import bar_joker
from forty5sim.kernels.layout import (
    AUCTION,
    BID,
    BID_LOSS,
    BID_OPEN,
    BID_OUT,
    BID_POINTS,
    BID_SCORE,
    BID_TRICKS,
    BIDDER,
    COUNTED,
    DEFENDERS_ALWAYS,
    DEFENDERS_IF_SET,
    DEFENDERS_SCORE,
    EXPOSED,
    FAMILY,
    FROZEN_AT,
    GAME_DEALS,
    HAND_SIZE,
    HANDS,
    LEADER,
    LOSE_AT,
    MADE,
    OUTCOME,
    OVER,
    PHASE,
    PLAY,
    PLAY_OUT,
    POINTS,
    POINTS_WIN,
    SCORED,
    SCORES,
    SET,
    SETS,
    SETS_LOSE,
    SIDE_OF,
    SIDE_TRICKS,
    SIDES,
    SLAM,
    TIE,
    TIE_HIGHEST,
    TIE_TRICK_ORDER,
    TRICK,
    WINNER,
)
from forty5sim.kernels.opening import is_misere
from forty5sim.kernels.points import (
    add_points,
    best_total,
    first_from_left,
    first_to_reach,
    highest,
    side_points,
    sides_at_target,
    total,
)
from forty5sim.kernels.vector import Vector

DEFENDER_TRICK = 10


@kernel
def after_contract_trick(state: Vector, tables: Vector) -> None:
    """Lay a hand open, and end and settle the deal when it is decided."""
    bid = state[BID]
    if bid >= 0 and tables[BID_OPEN + bid] and state[TRICK] == 1:
        state[EXPOSED] = state[HANDS + state[BIDDER]]
    lost = is_misere(state, tables) and state[LEADER] == state[BIDDER]
    if state[TRICK] == tables[HAND_SIZE] or (lost and not tables[PLAY_OUT]):
        state[PHASE] = OVER
        settle_contract(state, tables)
    else:
        bar_joker(state, tables)
        state[PHASE] = PLAY


@kernel
def settle_contract(state: Vector, tables: Vector) -> None:
    """Write outcome, points and scores, and find whether the game is won."""
    state[COUNTED] += 1
    if state[BID] < 0:
        for side in range(state[SIDES]):
            state[POINTS + side] = DEFENDER_TRICK * state[SIDE_TRICKS + side]
        state[OUTCOME] = SCORED
    else:
        made = is_made(state, tables)
        state[OUTCOME] = MADE if made else SET
        own = state[SIDE_OF + state[BIDDER]]
        state[SETS + own] += not made
        for side in range(state[SIDES]):
            if side == own:
                state[POINTS + side] = bidder_points(state, tables, side, made)
            else:
                state[POINTS + side] = defender_points(state, tables, side, made)
    state[WINNER] = contract_winner(state, tables)
    add_points(state)


@kernel
def is_made(state: Vector, tables: Vector) -> bool:
    """Say whether the bidder's side did what it bid."""
    bid = state[BID]
    side = state[SIDE_OF + state[BIDDER]]
    tricks = state[SIDE_TRICKS + side]
    if is_misere(state, tables):
        return bool(tricks == 0)
    if tricks < tables[BID_TRICKS + bid]:
        return False
    needed = tables[BID_POINTS + bid]
    return bool(needed == 0 or taken(state, tables, side) >= needed)


@kernel
def taken(state: Vector, tables: Vector, side: int) -> int:
    """Return the points a side took in tricks, the bonus too; none are counted in Five Hundred."""
    return side_points(state, tables, side) if tables[FAMILY] == AUCTION else 0


@kernel
def bidder_points(state: Vector, tables: Vector, side: int, made: bool) -> int:
    """Return what the bidder's side scores."""
    bid = state[BID]
    if not made:
        return -tables[BID_LOSS + bid]
    score = tables[BID_SCORE + bid]
    if score < 0:
        return taken(state, tables, side)
    if state[SIDE_TRICKS + side] == tables[HAND_SIZE]:
        return max(score, tables[SLAM])
    return score


@kernel
def defender_points(state: Vector, tables: Vector, side: int, made: bool) -> int:
    """Return what a side scores that did not bid."""
    if tables[FAMILY] == AUCTION:
        frozen = made and 0 <= tables[FROZEN_AT] <= state[SCORES + side]
        return 0 if frozen else taken(state, tables, side)
    rule = tables[DEFENDERS_SCORE]
    pays = rule == DEFENDERS_ALWAYS or (rule == DEFENDERS_IF_SET and not made)
    if is_misere(state, tables) or not pays:
        return 0
    return DEFENDER_TRICK * state[SIDE_TRICKS + side]


# --- who has won the game -------------------------------------------------------------------------


@kernel
def contract_winner(state: Vector, tables: Vector) -> int:
    """Return the side that has won the game with this deal, or -1; scores are those before it."""
    fixed_length = tables[GAME_DEALS] >= 0
    winner = -1 if fixed_length else winner_at_target(state, tables)
    if winner < 0:
        winner = winner_by_loss(state, tables)
    if winner < 0 and fixed_length and state[COUNTED] >= tables[GAME_DEALS]:
        winner = best_total(state, tables, (1 << state[SIDES]) - 1)
    return winner


@kernel
def winner_at_target(state: Vector, tables: Vector) -> int:
    """Return the side that has won by its points, or -1."""
    reached = sides_at_target(state, tables)
    if reached == 0:
        return -1
    own = bidding_side(state)
    if tables[FAMILY] == AUCTION:
        return auction_winner(state, tables, reached, own)
    if not tables[POINTS_WIN]:
        return own if has_made_target(state, reached, own) else -1
    if own >= 0 and (reached >> own) & 1:
        return own
    return first_from_left(state, highest(state, reached))


@kernel
def bidding_side(state: Vector) -> int:
    """Return the side of the bidder, -1 if nobody bid."""
    return state[SIDE_OF + state[BIDDER]] if state[BID] >= 0 else -1


@kernel
def has_made_target(state: Vector, reached: int, own: int) -> bool:
    """Say whether the bidder's side made its bid and is one of those at the target."""
    return bool(state[OUTCOME] == MADE and (reached >> own) & 1)


@kernel
def auction_winner(state: Vector, tables: Vector, reached: int, own: int) -> int:
    """Return which of the sides at the target wins, or -1 (docs/rules.md 7.9)."""
    home = has_made_target(state, reached, own)
    if tables[BID_OUT]:
        return own if home else -1
    if tables[TIE] == TIE_HIGHEST:
        return best_total(state, tables, reached)
    if home:
        return own
    defenders = reached & ~(1 << own)
    if defenders == 0:
        return -1
    if tables[TIE] == TIE_TRICK_ORDER:
        return first_to_reach(state, tables, defenders)
    return first_from_left(state, highest(state, defenders))


@kernel
def winner_by_loss(state: Vector, tables: Vector) -> int:
    """Return who wins because the bidder's side has lost the game, or -1."""
    own = bidding_side(state)
    if own < 0:
        return -1
    sets = 0 < tables[SETS_LOSE] <= state[SETS + own]
    if not sets and total(state, own) > tables[LOSE_AT]:
        return -1
    others = ((1 << state[SIDES]) - 1) & ~(1 << own)
    return first_from_left(state, highest(state, others))
