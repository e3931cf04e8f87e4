"""What is a hand worth in an auction? Fits the heuristic's hand values to self-play.

    python experiments/calibrate_bidding.py --game five-hundred --deals 200000
    python experiments/calibrate_bidding.py --game auction-forty-fives --deals 200000

Each deal is played once for every trump suit (and without trumps, and as a misère), the same seat
being made the bidder, by the heuristic on all seats. The tricks or points that its side takes are
regressed on the cards of its hand as dealt: the coefficients are the numbers of
``forty5agents.heuristic.weights``, the residual their spread. For misère the chance to take no
trick is shown by the danger of the hand (``--game five-hundred``).

Answer (100 000 deals, played by the heuristic as it was then): in Five Hundred a hand's side takes
3.64 tricks and for each trump 0.41 (Joker 1.11, right bower 0.88, left 0.71, ace 0.61, king 0.54,
queen 0.49), for an ace beside 0.47, give or take 1.56 tricks. In Auction Forty-Fives (four players,
kitty of three) it takes 13.5 points and for each trump 1.0 (five 7.2, jack 4.7, ace of hearts 3.7,
ace 3.0, king 2.6, queen 2.1), give or take 7.7 points. The bidding thresholds were then climbed to
in self-play: 8 000 boards to see whether a change is worth a look, 40 000 to keep it.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from forty5agents.heuristic.misere import hand_danger, most_dangerous
from forty5sim.agent import CompiledAgent, agent_list, params_matrix
from forty5sim.bids import MISERE, OPEN_MISERE, parse_bid
from forty5sim.cards import ACE_OF_HEARTS, JOKER, NO_TRUMP, SUIT_NAMES, mask_of
from forty5sim.kernels.boards import board_dealer
from forty5sim.kernels.game import start_game
from forty5sim.kernels.jit import entry
from forty5sim.kernels.kitty import apply_trump, take_contract
from forty5sim.kernels.layout import (
    BID,
    BIDDER,
    DECK_MASK,
    HANDS,
    NAME_TRUMP,
    PHASE,
    SIDE_OF,
    SIDE_TRICKS,
    STATE_SIZE,
    TABLES_SIZE,
)
from forty5sim.kernels.phases import deal_cards, start_deal
from forty5sim.kernels.playout import play_on, players_at
from forty5sim.kernels.points import side_points
from forty5sim.kernels.vector import Agents, Reals, Vector, bare, readonly
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.tables import rule_tables

Masks = NDArray[np.int64]


@entry
def play_forced(
    hands: Vector,
    taken: Vector,
    rule_words: Vector,
    state_words: Vector,
    agents: Agents,
    seatings: Vector,
    params: Reals,
    workspaces: Vector,
    seed: int,
    bid: int,
    trump: int,
    sides: int,
    points: bool,
) -> None:
    """Make a seat of each deal the bidder of one bid and play on; note its hand and its taking."""
    tables = readonly(rule_words, 0, TABLES_SIZE)
    state = bare(state_words, 0)
    seats = seatings.shape[1]
    for deal in range(hands.size):
        start_game(state, tables, seats, sides, board_dealer(tables, deal, seats))
        deal_cards(state, tables, seed, deal)
        start_deal(state, tables)
        bidder = (deal // seats) % seats
        hands[deal] = state[HANDS + bidder]
        state[BIDDER] = bidder
        state[BID] = bid
        take_contract(state, tables)
        if state[PHASE] == NAME_TRUMP:
            apply_trump(state, tables, trump)
        workspaces[:] = 0
        players = players_at(agents, seatings, 0, params, workspaces, 0)
        play_on(state, tables, players)
        side = state[SIDE_OF + bidder]
        taken[deal] = side_points(state, tables, side) if points else state[SIDE_TRICKS + side]


@entry
def count_danger(hands: Vector, dangers: Vector, rule_words: Vector) -> None:
    """Write the danger of each hand without its three worst cards."""
    tables = readonly(rule_words, 0, TABLES_SIZE)
    for i in range(hands.size):
        kept = hands[i] & ~most_dangerous(hands[i], 3, tables)
        dangers[i] = hand_danger(kept, tables[DECK_MASK] & ~hands[i], tables)


class Forced:
    """Deals in which one seat is made the bidder, played by one bot."""

    def __init__(self, game: str, players: int | None, deals: int, seed: int, bot: str) -> None:
        self.rules = find_rules(game)
        self.players = players or self.rules.default_players
        self.deals, self.seed = deals, seed
        found = find_bot(bot).compiled
        assert isinstance(found, CompiledAgent)
        self.agent = found

    def play(self, bid: int, trump: int) -> tuple[Masks, Masks]:
        """Return the hands as dealt and what their sides took."""
        hands, taken = np.zeros((2, self.deals), dtype=np.int64)
        play_forced(
            hands,
            taken,
            rule_tables(self.rules),
            np.zeros(STATE_SIZE, dtype=np.int64),
            agent_list([self.agent], self.rules),
            np.zeros((1, self.players), dtype=np.int64),
            params_matrix([self.agent], self.rules, self.players, True),
            np.zeros((1, self.players, self.agent.workspace_size), dtype=np.int64),
            self.seed,
            bid,
            trump,
            self.rules.side_count(self.players),
            self.rules.family == "auction",
        )
        return hands, taken


def held(hands: Masks, *cards: int) -> Masks:
    """Return how many of these cards each hand holds."""
    counts: Masks = np.bitwise_count(hands & mask_of(cards)).astype(np.int64)
    return counts


def regress(features: dict[str, Masks], taken: Masks) -> None:
    """Print the least-squares coefficients, their standard errors and the residual."""
    matrix = np.column_stack([np.ones(len(taken)), *features.values()])
    fit, *_ = np.linalg.lstsq(matrix, taken, rcond=None)
    residual = taken - matrix @ fit
    spread = residual.std(ddof=matrix.shape[1])
    errors = spread * np.sqrt(np.diag(np.linalg.inv(matrix.T @ matrix)))
    for name, value, error in zip(["base", *features], fit, errors, strict=True):
        print(f"  {name:12} {value:7.3f} ± {1.96 * error:.3f}")
    print(f"  spread {spread:.3f}, as a logistic {spread * np.sqrt(3) / np.pi:.3f}; n {len(taken)}")


def five_fingers(game: Forced) -> None:
    """Fit the points taken in Auction Forty-Fives, over all trump suits."""
    bid = parse_bid("15") if int(game.rules.min_bid) <= 15 else parse_bid("20")
    columns: dict[str, list[Masks]] = {}
    taken_all = []
    for trump in range(4):
        hands, taken = game.play(bid, trump)
        start = 13 * trump
        special = {"five": 3, "jack": 9, "king": 11, "queen": 10}
        found = {name: held(hands, start + rank) for name, rank in special.items()}
        found["hearts ace"] = held(hands, ACE_OF_HEARTS)
        found["ace"] = held(hands, start + 12) * (trump != 3)
        low = [start + r for r in range(13) if r not in (*special.values(), 12)]
        found["low"] = held(hands, *low)
        found["plain king"] = held(hands, *(13 * s + 11 for s in range(4) if s != trump))
        for name, column in found.items():
            columns.setdefault(name, []).append(column)
        taken_all.append(taken)
    taken = np.concatenate(taken_all)
    regress({name: np.concatenate(c) for name, c in columns.items()}, taken)
    print(f"  all five tricks: {np.mean(taken >= 30):.3f}")


def suits_of_five_hundred(game: Forced) -> None:
    """Fit the tricks taken with trumps, over all trump suits."""
    columns: dict[str, list[Masks]] = {}
    taken_all = []
    for trump in range(4):
        hands, taken = game.play(parse_bid(f"6{SUIT_NAMES[trump]}"), trump)
        start, mate = 13 * trump, 13 * (trump ^ 1)
        found = {
            "joker": held(hands, JOKER),
            "right": held(hands, start + 9),
            "left": held(hands, mate + 9),
            "ace": held(hands, start + 12),
            "king": held(hands, start + 11),
            "queen": held(hands, start + 10),
            "low": held(hands, *(start + r for r in range(9))),
        }
        aces, kings, short = np.zeros((3, len(hands)), dtype=np.int64)
        for suit in range(4):
            if suit == trump:
                continue
            own = [13 * suit + r for r in range(13) if 13 * suit + r != mate + 9]
            count = held(hands, *own)
            aces += held(hands, 13 * suit + 12)
            kings += held(hands, 13 * suit + 11) * (count >= 2)
            short += count < 2
        found |= {"side ace": aces, "side king": kings, "short": short}
        for name, column in found.items():
            columns.setdefault(name, []).append(column)
        taken_all.append(taken)
    regress({n: np.concatenate(c) for n, c in columns.items()}, np.concatenate(taken_all))


def no_trump(game: Forced) -> None:
    """Fit the tricks taken without trumps."""
    hands, taken = game.play(parse_bid("6NT"), NO_TRUMP)
    kings, queens, long = np.zeros((3, len(hands)), dtype=np.int64)
    for suit in range(4):
        count = held(hands, *(13 * suit + r for r in range(13)))
        kings += held(hands, 13 * suit + 11) * (count >= 2)
        queens += held(hands, 13 * suit + 10) * (count >= 3)
        long += np.maximum(count - 4, 0)
    aces = held(hands, *(13 * s + 12 for s in range(4)))
    features = {"joker": held(hands, JOKER), "ace": aces, "king": kings, "queen": queens}
    regress(features | {"long": long}, taken)


def misere(game: Forced) -> None:
    """Print the chance to take no trick by the danger of the hand."""
    for bid, name in ((MISERE, "misère"), (OPEN_MISERE, "open misère")):
        hands, taken = game.play(bid, NO_TRUMP)
        dangers = np.zeros(len(hands), dtype=np.int64)
        count_danger(hands, dangers, rule_tables(game.rules))
        print(f"  {name}: made {np.mean(taken == 0):.4f} of {len(hands)}")
        for danger in range(0, 13):
            here = dangers == danger
            if here.sum() > 20:
                made = np.mean(taken[here] == 0)
                error = 1.96 * np.sqrt(made * (1 - made) / here.sum())
                print(f"    danger {danger:2}: {made:.3f} ± {error:.3f} (n {here.sum()})")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="five-hundred")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="heuristic")
    asked = parser.parse_args()
    game = Forced(asked.game, asked.players, asked.deals, asked.seed, asked.bot)
    print(f"{game.rules.id}, {game.players} players, {asked.bot}")
    if game.rules.family == "auction":
        print("points taken by the bidder's side, by its hand")
        five_fingers(game)
        return
    print("tricks taken with trumps")
    suits_of_five_hundred(game)
    print("tricks taken without trumps")
    no_trump(game)
    print("misère")
    misere(game)


if __name__ == "__main__":
    main()
