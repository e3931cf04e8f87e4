"""The engine's entries for Python: one game at a time, for people, tests and records."""

from __future__ import annotations

from forty5sim.kernels import phases
from forty5sim.kernels.asking import ask, serve
from forty5sim.kernels.deal import deal_hands, seat_players, shuffle
from forty5sim.kernels.game import drawn_dealer, game_winners, pass_deal, start_game
from forty5sim.kernels.jit import entry
from forty5sim.kernels.layout import (
    DEAL_KEY,
    DECK_SIZE,
    GAME_SEED,
    PUBLIC_SIZE,
    SEAT,
    SEATS,
    SIDES,
    TABLES_SIZE,
)
from forty5sim.kernels.rng import (
    PURPOSE_DEAL,
    PURPOSE_DECISION,
    PURPOSE_GAME,
    deal_key,
    decision_key,
)
from forty5sim.kernels.search import TO_THE_VERY_END
from forty5sim.kernels.vector import Agents, Reals, Vector, bare, readonly


@entry
def seat_game(
    state_words: Vector, rule_words: Vector, seats: int, sides: int, dealer: int, seed: int
) -> None:
    """Start a game; the first dealer is drawn if it is -1."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    if dealer < 0:
        dealer = drawn_dealer(tables, seats, seed)
    start_game(state, tables, seats, sides, dealer)
    state[GAME_SEED] = seed


@entry
def seat_only(state_words: Vector, playing: int) -> None:
    """Let the seats of this mask play alone; the others are passed over."""
    state = bare(state_words, 0)
    seat_players(state, state[SEATS], state[SIDES], playing)


@entry
def board_seed(seed: int, board: int) -> int:
    """Return the seed of the whole game that is board number ``board`` of a seed."""
    return deal_key(seed, board, PURPOSE_GAME)


@entry
def shuffle_deal(state_words: Vector, rule_words: Vector, deal: int) -> None:
    """Put the whole pack of deal number ``deal`` into dealing order."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    seed = state[GAME_SEED]
    shuffle(state, tables, deal_key(seed, deal, PURPOSE_DEAL), tables[DECK_SIZE])
    state[DEAL_KEY] = deal_key(seed, deal, PURPOSE_DECISION)


@entry
def open_deal(state_words: Vector, rule_words: Vector) -> None:
    """Deal from the pack as it lies and open the deal."""
    state = bare(state_words, 0)
    tables = readonly(rule_words, 0, TABLES_SIZE)
    deal_hands(state, tables, phases.first_seat(state))
    phases.start_deal(state, tables)


@entry
def legal_actions(state_words: Vector, rule_words: Vector) -> int:
    """Return the mask of legal actions of the seat to act."""
    return phases.legal_actions(bare(state_words, 0), readonly(rule_words, 0, TABLES_SIZE))


@entry
def apply(state_words: Vector, rule_words: Vector, action: int) -> None:
    """Carry out a legal action."""
    phases.apply(bare(state_words, 0), readonly(rule_words, 0, TABLES_SIZE), action)


@entry
def next_deal(state_words: Vector, rule_words: Vector) -> bool:
    """After a deal: pass the deal on, or end the game; say whether it goes on."""
    return pass_deal(bare(state_words, 0), readonly(rule_words, 0, TABLES_SIZE))


@entry
def winners(state_words: Vector, rule_words: Vector) -> int:
    """Return the mask of seats that have won a finished game."""
    return game_winners(bare(state_words, 0), readonly(rule_words, 0, TABLES_SIZE))


@entry
def question_key(state_words: Vector) -> int:
    """Return the key of the decision to be taken, by its seat and slot."""
    state = bare(state_words, 0)
    return decision_key(state[DEAL_KEY], state[SEAT], phases.decision_slot(state))


@entry
def play_out(
    state_words: Vector,
    rule_words: Vector,
    service: int,
    param_words: Reals,
    note_words: Vector,
) -> int:
    """Play a deal to its end by the policy of these parameters (``policies.play_out``)."""
    return serve(
        service,
        bare(state_words, 0),
        readonly(rule_words, 0, TABLES_SIZE),
        readonly(param_words, 0, param_words.size),
        bare(note_words, 0),
        -1,
        TO_THE_VERY_END,
    )


@entry
def ask_agent(
    agent_list: Agents,
    public_words: Vector,
    hand: int,
    thrown: int,
    legal: int,
    rule_words: Vector,
    key: int,
    param_words: Reals,
    workspace_words: Vector,
) -> int:
    """Ask one compiled agent about one view."""
    return ask(
        bare(agent_list, 0)[0],
        readonly(public_words, 0, PUBLIC_SIZE),
        hand,
        thrown,
        legal,
        readonly(rule_words, 0, TABLES_SIZE),
        key,
        readonly(param_words, 0, param_words.size),
        bare(workspace_words, 0),
    )
