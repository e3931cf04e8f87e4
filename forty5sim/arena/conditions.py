"""What is played: the game, its seats, the seed, what a board is, and what a forfeit costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forty5sim.bids import bid_value, ladder
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import face, rows
from forty5sim.options import AUCTION, FIVE_HUNDRED, POT
from forty5sim.rules import RuleSet

Rows = NDArray[np.int32]
"""Shape (boards, replays, row size); the fields are those of ``kernels.rows``."""

Columns = NDArray[np.int32]
"""Shape (replays, row size, boards): the same as it lies in memory, is summed up and kept."""


@dataclass(frozen=True)
class Conditions:
    """What is played: the game, its seats, the seed, and what a board is.

    Attributes:
        rules: the rule set.
        players: seats at the table.
        seed: fixes all cards and the bots' random numbers.
        pot: chips in the pot before a single deal (pot games).
        whole_games: a board is a game to its end, not a deal.

    Raises:
        RuleSetError: for a pot where there is none from before.
    """

    rules: RuleSet
    players: int
    seed: int
    pot: int = 0
    whole_games: bool = False

    def __post_init__(self) -> None:
        if self.pot and (self.rules.family != POT or self.whole_games):
            where = "whole games" if self.whole_games else self.rules.name
            raise RuleSetError(
                f"pot={self.pot}: a pot from before is for single deals of pot games, not for"
                f" {where}"
            )

    @property
    def sides(self) -> int:
        """The number of sides."""
        return self.rules.side_count(self.players)

    @property
    def payoff_units(self) -> int:
        """How many units a row counts for a payoff of 1, so that all are whole numbers."""
        others = self.sides - 1
        return others * (self.players if self.rules.family == POT else others)

    @property
    def worst_payoff(self) -> int:
        """The worst payoff the rules allow a seat, in units: what a forfeit costs."""
        if self.rules.family == POT:
            lost = int(self.rules.stack) if self.whole_games else self._most_lost()
            return -(self.players * lost + self.pot) * (self.sides - 1)
        others = self.sides - 1
        if self.whole_games:
            return -others
        return -(most_set(self.rules) * others + most_taken(self.rules)) * others

    def _most_lost(self) -> int:
        """The most chips a seat can lose in one deal: its ante and a jinker's reward."""
        ante = _most_ante(self.rules)
        reward = 0
        if self.rules.jink == "on" and self.rules.jink_reward == "double_pot":
            reward = -(-(self.pot + ante * self.players) // (self.players - 1))
        elif self.rules.jink == "on":
            bonus = self.rules.jink_bonus
            reward = int(self.rules.ante if bonus == "ante" else bonus)
        return min(ante + reward, int(self.rules.stack))


def _most_ante(rules: RuleSet) -> int:
    extra = {"dealer_double": int(rules.ante), "reduced_after_spoil": 1}
    return int(rules.ante) + extra.get(rules.ante_rule, 0)


def most_set(rules: RuleSet) -> int:
    """Return the most that a side can lose in a deal by a bid, 0 where nobody bids."""
    return max(bid_value(rules, bid) for bid in ladder(rules)) if rules.has_auction else 0


def most_taken(rules: RuleSet) -> int:
    """Return the most that the other sides can score together in a deal while a side loses."""
    if rules.family == FIVE_HUNDRED:
        return 10 * int(rules.hand_size)
    if rules.family == AUCTION:
        return 30
    tricks = int(rules.hand_size)
    most = {
        "points": 5 * tricks + 5 * (rules.bonus != "none"),
        "five_ten": 10,
        "difference": 5 * tricks,
    }[rules.trick_scoring]
    return 2 * most if rules.jink == "on" else most


def board_game(conditions: Conditions, board: int) -> Game:
    """Return a board's deal, or its game at the first deal, to be played one action at a time."""
    rules, players = conditions.rules, conditions.players
    named = rules.first_dealer
    dealer = named if isinstance(named, int) else board % players
    if conditions.whole_games:
        seed = int(face.board_seed(conditions.seed, board))
        return Game(rules, players, seed=seed, dealer=dealer)
    seed, pot = conditions.seed, conditions.pot
    return Game(rules, players, seed=seed, deal=board, dealer=dealer, pot=pot, alone=True)


def row_width(conditions: Conditions) -> int:
    """Return the number of fields of a row."""
    blocks = rows.BIDDING_BLOCK_COUNT if conditions.rules.has_auction else rows.BLOCK_COUNT
    return rows.HEAD_SIZE + blocks * conditions.players


def in_columns(played: Rows) -> Columns:
    """Return rows with the boards' numbers of one field side by side; mostly they are already."""
    return np.ascontiguousarray(played.transpose(1, 2, 0))
