"""How a world is played out: at random, or by an agent that sees only each seat's own view."""

from __future__ import annotations

from forty5sim.kernels.asking import ask
from forty5sim.kernels.bits import lowest
from forty5sim.kernels.jit import kernel
from forty5sim.kernels.layout import (
    DEAL_KEY,
    HAND_SIZE,
    HANDS,
    OVER,
    PHASE,
    PLAY,
    PUBLIC_SIZE,
    RIGHT,
    ROB,
    SEAT,
    SEATS,
    THROWN,
    TRICK,
)
from forty5sim.kernels.phases import apply, decision_slot, legal_actions
from forty5sim.kernels.playout import choose_randomly, is_legal, play_randomly
from forty5sim.kernels.rng import decision_key, draw
from forty5sim.kernels.search import (
    FINISHED,
    ILLEGAL,
    PLAYOUT,
    POLICY,
    POLICY_PARAMS,
    POLICY_STRIDE,
    SOLVABLE,
    SOLVED_TRICKS,
)
from forty5sim.kernels.vector import Reals, Vector, bare, readonly

# playouts: all at random; cards at random, every fourth card at random, or no card; the rest by
# the policy
RANDOM, RANDOM_CARDS, MIXED_CARDS, BY_POLICY = range(4)

MOST_PARAMS = 1 << 16  # no policy has more


@kernel
def policy_action(
    state: Vector, tables: Vector, legal: int, params: Reals, policy_words: Vector
) -> int:
    """Return what the playouts' policy does, -1 if that is not legal; one action is not asked."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    seat = state[SEAT]
    key = decision_key(state[DEAL_KEY], seat, decision_slot(state))
    how = params[PLAYOUT]
    at_random = how == RANDOM_CARDS or (how == MIXED_CARDS and draw(key, 1) & 3 == 0)
    if how == RANDOM or (at_random and state[PHASE] == PLAY):
        return choose_randomly(legal, key)
    action = ask(
        int(params[POLICY]),
        readonly(state, 0, PUBLIC_SIZE),
        state[HANDS + seat],
        state[THROWN + seat],
        legal,
        tables,
        key,
        readonly(params, POLICY_PARAMS, MOST_PARAMS),
        bare(policy_words, seat * int(params[POLICY_STRIDE])),
    )
    return action if is_legal(legal, action) else -1


@kernel
def forget_notes(state: Vector, params: Reals, policy_words: Vector) -> None:
    """Clear what the policy has noted of another world."""
    for word in range(state[SEATS] * int(params[POLICY_STRIDE])):
        policy_words[word] = 0


@kernel
def carry_out(state: Vector, tables: Vector, action: int) -> None:
    """Carry out an action; not part of its callers' code, which would be compiled for long."""
    apply(state, tables, action)


@kernel
def play_out(
    state: Vector, tables: Vector, params: Reals, policy_words: Vector, first: int, solve: bool
) -> int:
    """Carry out an action (-1: none) and play by the policy to the end; ``solve``: as far as need.

    Returns FINISHED, SOLVABLE or ILLEGAL. The policy has seen no other world before.
    """
    forget_notes(state, params, policy_words)
    if first >= 0:
        carry_out(state, tables, first)
    if params[PLAYOUT] == RANDOM and not solve:
        play_randomly(state, tables)
        return FINISHED
    while state[PHASE] != OVER:
        if solve and can_be_solved(state, tables, params):
            return settle_right(state, tables, params, policy_words)
        action = policy_action(state, tables, legal_actions(state, tables), params, policy_words)
        if action < 0:
            return ILLEGAL
        carry_out(state, tables, action)
    return FINISHED


@kernel
def can_be_solved(state: Vector, tables: Vector, params: Reals) -> bool:
    """Say whether cards are being played and few enough tricks are left."""
    left = tables[HAND_SIZE] - state[TRICK]
    return bool(state[PHASE] == PLAY and left <= params[SOLVED_TRICKS])


@kernel
def settle_right(state: Vector, tables: Vector, params: Reals, policy_words: Vector) -> int:
    """Let the seat that may still rob decide now, by the policy: all cards are seen anyway."""
    if state[RIGHT] < 0:
        return SOLVABLE
    seat = state[SEAT]
    state[SEAT] = state[RIGHT]
    state[PHASE] = ROB
    legal = legal_actions(state, tables)
    action = policy_action(state, tables, legal, params, policy_words)
    if action < 0:
        return ILLEGAL
    carry_out(state, tables, action)
    state[SEAT] = seat
    state[PHASE] = PLAY
    return SOLVABLE
